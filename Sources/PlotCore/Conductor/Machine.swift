/// The decisions of one device as a state machine: an input goes in, effects and changes come out. It reads no clock and no file, and
/// draws no random number: the same inputs, and the same `Settings.inspect`, give the same effects.
///
/// It has no rule of its own beside the order in which it asks: each rule is in the room that owns it (docs/architecture.md).
public struct Machine: Sendable {
  // The fields that a fix without consequences reads come first, and lie together.
  var fastPath: FastPath
  /// Traces of the newest fixes, hints and sightings.
  var observations = Observations()
  /// The earliest time at which something is due by itself.
  public internal(set) var nextWakeup: Milliseconds?
  /// The time of the input in progress: when the app is asked, even about something that was due before.
  var inputTime: Milliseconds = 0
  public internal(set) var state: State
  public internal(set) var feed: Feed
  public var settings: Settings {
    didSet {
      output.listsChanges = settings.listsChanges
      prepareFastPath()
    }
  }
  /// The output of the input in progress.
  var output = Output()
  /// The newest decision's, whether recorded or not.
  var lastReason: Reason?
  /// The items on their way, while many candidates ask for them.
  var inFlight: InFlight?
  /// Something that is due waits for a fix.
  var wantsFix = false
  /// The same of something that is held.
  var heldWantsFix = false
  /// The work that is put off while fixes are handed over.
  var handover: Handover?
  /// Anything that was due before the input in progress, or as it came, happens now.
  var catchesUp = false
  /// When messages that are too old to be remembered were last looked for.
  var lastForgotten: Milliseconds?

  /// The settings of the configuration and the host; not part of the state.
  public struct Settings: Sendable {
    // The fields that each crossing reads come first.
    /// Engines of one configuration have one, so that it does not lie in the memory of each.
    public var sharedNoise = Self.standardNoise
    /// The meaning of being inside at the first fix.
    public var initial = InitialPolicy.enter
    /// The same of a region that a feed update brings.
    public var initialOnUpdate = InitialPolicy.none
    /// Whether a decision says that a first fix, or a feed update, has found a device inside: the first releases did not.
    public var recordsInitial = true
    public var hasFilter = false
    public var hasGeotriggerHandler = false
    /// Whether decisions are recorded.
    public var recordsDecisions = false
    /// Whether an output lists what has changed: nobody asks for it without a store.
    public var listsChanges = true
    public var beacons = BeaconPolicy()
    public var proof = ProofPolicy()
    /// An input that is further than this beyond the clocks was never so; nil where no clock is asked.
    public var maxAhead: Milliseconds?
    /// How many regions the system watches at once.
    public var regionBudget: Int64 = 20
    /// Geotriggers keep the global cooldown, and begin it when they are handled, as in the SDK's 1.15.
    public var geotriggersKeepCooldown = false
    /// The filter is asked about dwellings when the region is entered, as on iOS, where the campaign does not say.
    public var filterAtEnter = false
    /// How long the app may take to answer a batch.
    public var filterDeadline: Milliseconds = 60_000
    public var filterFallback = FilterFallback.drop
    public var filterRecovery = FilterRecovery.offerAgain
    /// Whether the host can take a notification off the screen.
    public var canRemove = true
    /// Whether the host can keep a message from being shown, and how it shows one that must not be, if it cannot.
    public var canSuppress = true
    public var suppressFallback = SuppressFallback.placeholder
    /// How long the system waits for a word about a message.
    public var messageDeadline: Milliseconds?
    /// The keys of the app's strategies, in the order in which they were registered.
    public var strategies: [Identifier] = []
    /// Where attachments with relative paths lie.
    public var attachmentFolder: String?
    /// Gives the facts about a file, nil when it cannot be read; without it, files are not looked at.
    ///
    /// An existential, which the compiler hands on by its address, and so the whole machine: else it copies a kilobyte for each call of a
    /// method that only looks.
    public var inspect: (any FileInspector)?

    private static let standardNoise = Boxed(NoisePolicy.standard)

    public var noise: NoisePolicy {
      @inline(__always) _read { yield sharedNoise.values }
      _modify { yield &sharedNoise.values }
    }

    public init() {}
  }

  /// The output of an input.
  public struct Output: Sendable {
    /// Changes that must survive the process.
    public var changes: [Change] = []
    /// Reports and questions to the host, in order.
    public var effects: [Effect] = []
    /// Something has changed, listed or not.
    var hasChanged = false
    /// Whether changes are listed.
    var listsChanges = true
    /// Of fixes that were handed over together: those that were not taken, by their positions.
    public internal(set) var refused: [(fix: Int, error: InputError)] = []
    /// After each of them, how many effects there were.
    public internal(set) var fixEnds: [(fix: Int, effects: Int)] = []
    /// How many moments came at which something was due by itself.
    private(set) var moments = 0
    /// How many candidates were beyond `candidateLimit`.
    public private(set) var leftOut = 0

    /// The change is not even made where nobody asks for it.
    mutating func note(_ change: @autoclosure () -> Change) {
      hasChanged = true
      if listsChanges { changes.append(change()) }
    }

    mutating func restart() {
      changes = []
      effects = []
      hasChanged = false
      if !fixEnds.isEmpty { (refused, fixEnds) = ([], []) }
      moments = 0
      leftOut = 0
    }

    mutating func countMoment() { moments += 1 }
    mutating func countLeftOut() { leftOut += 1 }
  }

  /// Something for the host.
  public enum Effect: Sendable {
    /// Boxed, because an event is many times larger than the other cases.
    indirect case event(Event)
    indirect case decision(Decision)
    /// Ask the filter, or the geotrigger handler.
    case ask(Batch)
    /// Show it, and answer with `confirm`.
    case show(Item)
    /// The person opened it.
    case open(Item)
    /// Ask the app's strategies, and answer with `answerVote`.
    case vote(Ballot)
    /// Tell the app's strategies.
    case inform(Notice, [Identifier])
    /// Take it off the screen, and answer with `confirmRemoved`.
    case remove(Item)
    /// Ask for a fix, which is of use until this time.
    case requestFix(Milliseconds)
    /// The answer to `planRegions`.
    case plan(RegionPlan.Difference)
  }

  /// `page` is what the machine before it has left (`Machine.page`); without one, the newest input counts as a hint.
  public init(state: consuming State, feed: Feed, settings: Settings = Settings(), page: Page? = nil) {
    self.init(state, feed, settings) { machine in
      if page.map({ !machine.take($0) }) ?? true { machine.observations.noteHint(at: machine.state.newest) }
      machine.state.trips.forgetStrangers()
    }
  }

  /// Goes on from a state that was read from bytes.
  public init(_ restored: consuming RestoredState, feed: Feed, settings: Settings) {
    let (session, observations, forgotten) = (restored.session, restored.observations, restored.lastForgotten)
    self.init(restored.state, feed, settings) { machine in
      machine.observations = observations
      machine.state.host.take(session)
      machine.lastForgotten = forgotten
    }
  }

  /// `take` gets what no stored change carries.
  private init(_ state: consuming State, _ feed: Feed, _ settings: Settings, take: (inout Machine) -> Void) {
    self.state = state
    self.state.screen.forgetRemovals()
    self.feed = feed
    self.settings = settings
    nextWakeup = nil
    fastPath = FastPath(search: feed.index.search)
    output.listsChanges = settings.listsChanges
    take(&self)
    inputTime = self.state.newest
    placeVisits()
    schedule()
    prepareFastPath()
  }

  /// Lets everything due up to `time` happen, each at its own time. A time in the past changes nothing.
  public mutating func advance(to time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    return finish()
  }

  /// Takes a fix. Throws `invalid`, `ahead` or `outOfOrder`, and then nothing has changed.
  public mutating func update(_ fix: Fix) throws(InputError) -> Output {
    takeFast(fix) ? Output() : try takeInFull(fix)
  }

  /// The same without a look at the fast path.
  public mutating func takeInFull(_ fix: Fix) throws(InputError) -> Output {
    if let fault = fix.fault { throw fault }
    try checkTime(fix.time)
    try checkOrder(fix)
    state.prefetch()
    output.restart()
    weighInFull(fix)
    return finish()
  }

  /// A fix as it counts: one without a known accuracy has that of the policy.
  @inline(__always)
  func counted(_ fix: Fix) -> Fix {
    guard fix.accuracy == 0, settings.noise.unknownAccuracy > 0 else { return fix }
    var fix = fix
    fix.accuracy = settings.noise.unknownAccuracy
    return fix
  }

  /// Takes a fix that is in time.
  mutating func weighInFull(_ fix: Fix) {
    let fix = counted(fix)
    // A host whose process was ended gives a fix again; it must count once.
    if settings.noise.evidence != nil, observations.repeats(fix) { return proceed(to: state.newest) }
    let weighsEvidence = settings.noise.evidence != nil || track.isKnown
    if !weighsEvidence {
      proceed(to: fix.time)
    } else {
      // The evidence of the fix comes before anything that is due at its time.
      proceed(to: fix.time - 1)
      inputTime = max(state.newest, fix.time)
      state.newest = inputTime
    }
    if isOutlier(fix) {
      record(impliedSpeed(fix))
    } else {
      let answer = weigh(fix)
      let previous = observations.lastFix
      if answer.isFollowed || settings.noise.evidence == nil { observations.follow(fix) }
      if state.host.isEnabled {
        follow(fix, after: previous, answer)
        if answer.isFollowed || settings.noise.evidence == nil { noteEvidence(fix, after: previous) }
      }
      if answer.isFollowed { observations.noteFixRequest(until: 0) }
    }
    if weighsEvidence {
      schedule()
      if state.presence.hasTimes { fireDwellings() }
      proceed(to: state.newest)
    }
  }

  /// The very first start: says whether places are followed from now on.
  public mutating func begin(enabled: Bool, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    state.host.apply(.enabled(enabled))
    output.note(.host(.enabled(enabled)))
    return finish()
  }

  /// Starts or stops to follow places.
  public mutating func setEnabled(_ enabled: Bool, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    if learn(.enabled(enabled)) {
      if !enabled { forgetPresence() }
    }
    return finish()
  }

  /// Takes what the host says, where nothing follows from it at once.
  public mutating func learn(_ change: HostChange, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    learn(change)
    return finish()
  }

  public mutating func setCooldownPeriod(_ period: Milliseconds, at time: Milliseconds) -> Output {
    learn(.cooldownPeriod(period), at: time)
  }

  /// Sets a property, or clears it with nil. What waited for it is looked at anew, at once.
  public mutating func setProperty(_ key: Identifier, _ value: PropertyValue?, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    if learn(.property(key, value)) {
      let feed = feed
      reconsider { held in
        guard held.until == nil, let region = feed.region(held.region),
          let campaign = feed.campaignPosition(held.campaign, at: region)
        else { return false }
        return feed.campaigns[campaign].segmentation?.mentions(key) == true
      }
    }
    return finish()
  }

  /// Takes a feed in place of the one in force.
  public mutating func setFeed(_ feed: Feed, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    let isNew = feed.digest != self.feed.digest
    if isNew { output.note(.feed(feed)) }
    replaceFeed(by: feed)
    if isNew {
      takeSuppliedLists()
      reconsider { _ in true }
      reconsiderWaiting()
      informOfParameters()
      removeDeparted()
      pump()
    }
    return finish()
  }

  // MARK: What the rooms share

  /// The newest fix that was followed.
  public var lastFix: Fix? { observations.lastFix }

  var track: Track { _read { yield observations.track } }

  /// Takes what the host says; whether anything becomes different by it.
  @discardableResult
  mutating func learn(_ change: HostChange) -> Bool {
    guard let change = state.host.take(change) else { return false }
    output.note(.host(change))
    return true
  }

  /// The time that counts for an input: never before the newest.
  var now: Milliseconds { state.newest }

  mutating func proceed(to time: Milliseconds) {
    inputTime = max(state.newest, time)
    while let due = nextWakeup, due <= time {
      catchesUp = true
      output.countMoment()
      state.newest = max(state.newest, due)
      confirmCrossings()
      endSilentBeacons()
      releaseWaiting()
      fireDwellings()
      reportAbsences()
      reportTrips()
      let now = now
      reconsider { $0.until ?? .max <= now }
      closeLateBatches()
      releaseDeferred()
      removeDeparted()
      nextWakeup = nextDue(seen: inputTime)
    }
    catchesUp = false
    state.newest = max(state.newest, time)
  }

  /// When the host is told of the input in progress: fixes that are handed over together are of the past.
  var reportingTime: Milliseconds { max(inputTime, handover?.time ?? inputTime) }

  mutating func finish() -> Output {
    // Items that have waited until the input was taken.
    if !state.delivery.pending.isEmpty { pump() }
    let waitsForFix = wantsFix || heldWantsFix
    if waitsForFix { requestFix() }
    if output.hasChanged { schedule() }
    // Something that has come due may wait for the next fix, though nothing has changed.
    if output.hasChanged || output.moments > 0 || waitsForFix || !isPrepared { prepareFastPath() }
    let result = output
    output.restart()
    return result
  }

  /// Finds the next wakeup.
  mutating func schedule() { nextWakeup = nextDue(seen: 0) }

  /// When something is due by itself. `seen`: the time of the input in progress, up to which only the last of several repetitions counts.
  private func nextDue(seen: Milliseconds) -> Milliseconds? {
    let next = min(
      nextDeparture ?? .max, state.delivery.nextDue { heldWakeup(at: $0, $1) }, state.messages.nextDue,
      state.presence.hasTimes ? state.presence.nextDue(visitRules, seen: seen) : .max,
      feed.absent.isEmpty ? .max : nextAbsence, state.trips.isEmpty ? .max : nextTrip)
    // Beyond the times that are taken nobody can say that something is due.
    return next <= Timestamp.range.upperBound ? max(next, Timestamp.range.lowerBound) : nil
  }

  mutating func emit(
    _ kind: Event.Kind, region: Identifier, visit: String, at time: Milliseconds, _ fill: (inout Event) -> Void
  ) {
    state.sequence += 1
    // Moved out of an optional: the compiler would otherwise copy it, and count each of its references.
    var event: Event? = Event(time: time, kind: kind, sequence: state.sequence, region: region, visit: visit)
    event!.advertising = state.host.advertising
    fill(&event!)
    output.effects.append(.event(event.take()!))
  }

  mutating func record(_ decision: Decision) {
    lastReason = decision.reason
    if settings.recordsDecisions { output.effects.append(.decision(decision)) }
  }

  /// A value that is only worked out while decisions are recorded.
  @inline(__always)
  func noted(_ inputs: @autoclosure () -> Inputs) -> Inputs { settings.recordsDecisions ? inputs() : Inputs() }
}
