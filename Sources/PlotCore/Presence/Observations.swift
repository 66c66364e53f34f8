/// Traces of the newest observations: they decide about the next one, though they are not worth a transaction. They survive the process
/// in the store's page (`Page`).
///
/// Invariants: `seenInJump` is empty unless the track waits; a sender and a region have samples of the last window only, and never none.
public struct Observations: Sendable {
  // The newest fix comes first, beside the cache of the fast path, which looks at nothing else.
  /// The newest fix that was followed.
  public private(set) var lastFix: Fix?
  /// How the evidence of fixes adds up, where a policy weighs it.
  private(set) var track = Track()
  /// The observations of regions about a jump that waits.
  private(set) var seenInJump: [Presence.SeenInJump] = []
  /// Fixes that were left out since the newest.
  private(set) var suspects: Suspects?
  /// When a fix last came in late that was not coarse; 0 before the first.
  private var heardLate: Milliseconds = 0
  /// Until when a fix is asked for; 0 when none is.
  private(set) var fixRequest: Milliseconds = 0
  /// Regions of visits that the operating system has begun, or confirmed.
  private(set) var watched: Set<Identifier> = []
  /// Regions that the first fix could not tell of; they are new (`Presence.newRegions`) until a fix can.
  private var unmet: Set<Identifier> = []
  /// When the newest hint was that was followed; 0 before the first.
  private(set) var newestHint: Milliseconds = 0
  /// When the newest sighting was of a beacon that a region has; 0 before the first.
  private(set) var newestSighting: Milliseconds = 0
  /// Where regions that move were, which weigh evidence.
  private(set) var companions: [Companion] = []
  /// The sides that the device came from to lines that it is at (`CrossingRule`).
  private var cameFrom: [Identifier: LineSide] = [:]
  /// The device was off since the newest fix; only where a campaign waits for an absence.
  private var wasOff = false
  /// Beacons that were heard lately, and when those of regions that are not entered yet were.
  private var radios: [Sighting.Sender: Radio] = [:]
  private var sightings: [Identifier: [Milliseconds]] = [:]

  init() {}

  // MARK: Fixes

  /// The fix is where the device is.
  @inline(__always)
  mutating func follow(_ fix: Fix) { lastFix = fix }

  /// Takes a fix into the track. `jump`: how long a jump must last.
  mutating func weigh(_ fix: Fix, jump: Milliseconds) -> Track.Answer { track.take(fix, jump: jump) }

  /// The same, with the point of the track's plane where the fix lies.
  @inline(__always)
  mutating func weigh(_ fix: Fix, at point: Point, jump: Milliseconds) -> Track.Answer {
    track.take(fix, at: point, jump: jump)
  }

  /// Whether a fix is the newest one of the track, handed over again.
  @inline(never)
  func repeats(_ fix: Fix) -> Bool { track.repeats(fix) }

  /// Takes the track back that was there before a fix was tried.
  @inline(__always)
  mutating func replace(_ track: Track) { self.track = track }

  /// Takes what a fix says of one region; `answer` is what the track said of the fix.
  mutating func judge(
    _ sight: Presence.Sight, _ evidence: Evidence, _ policy: EvidencePolicy, _ answer: Track.Answer,
    by presence: borrowing Presence
  ) -> Judgement {
    presence.judge(sight, evidence, policy, track, answer, &seenInJump)
  }

  /// Why the newest fix has begun no visit to a region that it lies in, and the values behind that; nil where it does not lie in it, and where
  /// that is not known.
  func objection(toBeingIn shape: Region.Shape, _ policy: NoisePolicy) -> (reason: Reason, inputs: Inputs)? {
    func edge(_ fix: Fix?) -> Double? {
      fix.flatMap { shape.edgeDistance(from: $0.coordinate) }.flatMap { $0 <= 0 ? $0 : nil }
    }
    // The waiting fix is newer than the followed ones.
    if policy.evidence != nil, let held = track.held, edge(held) != nil {
      return (track.isJump ? .jump : .shift, track.inputs(.jump, held, shape))
    }
    guard let fix = lastFix, let edge = edge(fix) else { return nil }
    if policy.evidence != nil {
      if fix.accuracy > Track.limit(shape.size) { return (.accuracy, track.inputs(.accuracy, fix, shape)) }
      return track.isResting ? (.atRest, track.inputs(.atRest, fix, shape)) : nil
    }
    guard case .hold(let reason) = policy.answer(edge: edge, size: shape.size, accuracy: fix.accuracy, visiting: false)
    else { return nil }
    return (reason, policy.inputs(reason, edge: edge, shape.size, fix.accuracy))
  }

  mutating func forgetJump() { if !seenInJump.isEmpty { seenInJump = [] } }

  /// Whether a fix is left out, because nobody could have come there from the newest one. `mostSpeed`: metres a second; nil for any.
  mutating func isOutlier(_ fix: Fix, mostSpeed: Double?) -> Bool {
    switch Suspects.weigh(fix, after: lastFix, suspects, mostSpeed: mostSpeed) {
    case .possible: suspects = nil
    case .suspect(let more):
      suspects = more
      return true
    case .believed:
      suspects = nil
      lastFix = nil
    }
    return false
  }

  @inline(__always)
  mutating func forgetSuspects() { if suspects != nil { suspects = nil } }

  /// When the newest fix came in that was not coarse, where a policy weighs evidence; 0 before the first.
  var heardFix: Milliseconds { max(heardLate, track.isKnown ? track.seen : 0) }

  mutating func noteFixRequest(until deadline: Milliseconds) { fixRequest = deadline }

  mutating func noteLateFix(at time: Milliseconds) { heardLate = time }

  /// The first fix could not tell of these regions.
  mutating func note(unmet regions: [Identifier]) { unmet = Set(regions) }

  /// A feed update brings it anew.
  mutating func forgetUnmet(_ region: Identifier) { unmet.remove(region) }

  func isUnmet(_ region: Identifier) -> Bool { unmet.contains(region) }

  // MARK: Hints and beacons

  mutating func noteSighting(at time: Milliseconds) { newestSighting = max(newestSighting, time) }

  mutating func noteHint(at time: Milliseconds) { newestHint = time }

  /// The operating system says that the device is in a region that it watches.
  mutating func watch(_ region: Identifier) { watched.insert(region) }

  mutating func endWatch(_ region: Identifier) { if !watched.isEmpty { watched.remove(region) } }

  /// The device was restarted: what its system watched before says nothing.
  mutating func endWatches() { watched = [] }

  mutating func noteOff() { wasOff = true }

  /// Whether the device was off since the newest fix.
  mutating func takeOff() -> Bool {
    defer { wasOff = false }
    return wasOff
  }

  /// Counts a sighting of a region that is not entered yet. Gives the times of all within the window; two of one moment are one.
  mutating func count(_ region: Identifier, at time: Milliseconds, window: Milliseconds) -> [Milliseconds] {
    var times = (sightings[region] ?? []).filter { $0 > time - window }
    if times.last != time { times.append(time) }
    sightings[region] = times
    return times
  }

  /// It is entered, and counts anew.
  mutating func endCount(_ region: Identifier) { sightings[region] = nil }

  /// Metres, from all that was heard of the sender within the window. `loss`: dB between one metre and here.
  mutating func distance(
    to sender: Sighting.Sender, adding loss: Double, at time: Milliseconds, window: Milliseconds
  ) -> Double {
    var radio = radios[sender] ?? Radio()
    // Of a kind that anybody may send there may be any number.
    if radios.count > 256 { radios = [:] }
    let distance = radio.distance(adding: loss, at: time, window: window)
    radios[sender] = radio
    return distance
  }

  // MARK: Regions that move

  /// Where a region was. Gives what is known of its way.
  mutating func note(_ report: Companion.Report, of region: Identifier) -> Companion {
    companions.removeAll { report.time - $0.newest.time > Companion.memory }
    if let index = companions.firstIndex(where: { $0.region == region }) {
      companions[index].add(report)
      return companions[index]
    }
    if companions.count == Companion.most { companions.removeFirst() }
    companions.append(Companion(region, report))
    return companions[companions.count - 1]
  }

  /// Nil for a region that stands still.
  func companion(_ region: Identifier, at time: Milliseconds) -> Companion? {
    companions.first { $0.region == region && $0.isFollowed(at: time) }
  }

  mutating func forgetCompanion(_ region: Identifier) { companions.removeAll { $0.region == region } }

  // MARK: Lines

  /// The side that the device came from to a line that it is at.
  func side(cameFrom region: Identifier) -> LineSide? { cameFrom[region] }

  mutating func note(_ side: LineSide, cameFrom region: Identifier) { cameFrom[region] = side }

  mutating func forgetSides(unless isKept: (Identifier) -> Bool) {
    if !cameFrom.isEmpty { cameFrom = cameFrom.filter { isKept($0.key) } }
  }

  // MARK: All together

  /// Places are not followed any more. The newest fix stays: it says where the device was.
  mutating func forget() {
    (track, seenInJump, suspects, unmet, radios, sightings) = (Track(), [], nil, [], [:], [:])
    (fixRequest, watched, companions, cameFrom) = (0, [], [], [:])
  }

  /// The wall clock was set: each time becomes what `moved` makes of it.
  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    newestHint = moved(newestHint)
    (heardLate, fixRequest) = (moved(heardLate), 0)
    if let time = lastFix?.time { lastFix?.time = moved(time) }
    if let time = suspects?.fix.time { suspects?.fix.time = moved(time) }
    track.moveTimes(moved)
    for index in seenInJump.indices { seenInJump[index].since = moved(seenInJump[index].since) }
    newestSighting = moved(newestSighting)
    for index in companions.indices { companions[index].moveTimes(moved) }
    (radios, sightings) = ([:], [:])
  }

  /// All fields, in the order in which the page has them.
  @inline(__always)
  mutating func code(_ coder: inout some FieldCoder) {
    coder.code(&lastFix, empty: Fix.none) { coder, fix in fix.code(&coder) }
    coder.code(&newestHint)
    coder.code(&heardLate)
    coder.code(&fixRequest)
    track.code(&coder)
    var hasMore: UInt64 =
      seenInJump.isEmpty && suspects == nil && unmet.isEmpty && watched.isEmpty && radios.isEmpty && sightings.isEmpty
        && newestSighting == 0 ? 0 : 1
    // Pages of the releases before this one have none of it.
    if !companions.isEmpty { hasMore |= 2 }
    if !cameFrom.isEmpty { hasMore |= 4 }
    if wasOff { hasMore |= 8 }
    coder.code(&hasMore)
    if hasMore & 1 != 0 { codeMore(&coder) }
    if hasMore & 2 != 0 { coder.code(&companions, empty: .none) { coder, companion in companion.code(&coder) } }
    if hasMore & 4 != 0 { codeSides(&coder) }
    wasOff = hasMore & 8 != 0
  }

  private mutating func codeSides(_ coder: inout some FieldCoder) {
    var sides = cameFrom.sorted { $0.key < $1.key }.map { NotedSide(region: $0.key, side: $0.value) }
    coder.code(&sides, empty: NotedSide(region: Identifier(""), side: .left)) { coder, noted in
      coder.code(&noted.region)
      var isRight: UInt64 = noted.side == .right ? 1 : 0
      coder.code(&isRight)
      noted.side = isRight == 0 ? .left : .right
    }
    cameFrom = Dictionary(sides.map { ($0.region, $0.side) }) { $1 }
  }

  private struct NotedSide {
    var region: Identifier
    var side: LineSide
  }

  private mutating func codeMore(_ coder: inout some FieldCoder) {
    coder.code(&suspects, empty: Suspects(fix: .none, count: 0)) { coder, suspects in suspects.code(&coder) }
    coder.code(&seenInJump, empty: Presence.SeenInJump(region: Identifier(""), since: 0, fixes: 0)) { coder, seen in
      seen.code(&coder)
    }
    var regions = unmet.sorted()
    coder.code(&regions, empty: Identifier("")) { coder, region in coder.code(&region) }
    unmet = Set(regions)
    var inside = watched.sorted()
    coder.code(&inside, empty: Identifier("")) { coder, region in coder.code(&region) }
    watched = Set(inside)
    // In one order, whatever the tables' is: the same life gives the same bytes.
    var counted = sightings.sorted { $0.key < $1.key }.map { Counted(region: $0.key, times: $0.value) }
    coder.code(&counted, empty: Counted(region: Identifier(""), times: [])) { coder, counted in
      coder.code(&counted.region)
      coder.code(&counted.times, empty: 0) { coder, time in coder.code(&time) }
    }
    sightings = Dictionary(counted.map { ($0.region, $0.times) }) { $1 }
    var heard = radios.map { Heard(sender: $0.key, radio: $0.value) }.sorted { $0.sender < $1.sender }
    coder.code(&heard, empty: Heard(sender: .eddystone(namespaceId: "", instanceId: ""), radio: Radio())) {
      coder, heard in
      heard.sender.code(&coder)
      heard.radio.code(&coder)
    }
    radios = Dictionary(heard.map { ($0.sender, $0.radio) }) { $1 }
    coder.code(&newestSighting)
  }

  private struct Counted {
    var region: Identifier
    var times: [Milliseconds]
  }

  private struct Heard {
    var sender: Sighting.Sender
    var radio: Radio
  }

  /// Whether it may be what a machine has left: numbers that were read can be any.
  func isPossible(before newest: Milliseconds) -> Bool {
    func isPast(_ fix: Fix) -> Bool { fix.fault == nil && (0...newest).contains(fix.time) }
    return lastFix.map(isPast) ?? true && suspects.map { isPast($0.fix) && $0.count > 0 } ?? true
      && (0...newest).contains(newestSighting) && (0...newest).contains(newestHint) && (0...newest).contains(heardLate)
      && fixRequest >= 0
      && track.isPossible(before: newest)
      && seenInJump.allSatisfy { $0.fixes >= 0 && (0...newest).contains($0.since) }
      && companions.allSatisfy { $0.isPossible(before: newest) }
      && sightings.values.allSatisfy { times in !times.isEmpty && times.allSatisfy { (0...newest).contains($0) } }
      && radios.values.allSatisfy { $0.isPossible(before: newest) }
  }

  /// The same elsewhere: for a recording that is shared. `moved` makes one longitude of another.
  mutating func movePlaces(_ moved: (Double) -> Double) {
    if let longitude = lastFix?.coordinate.longitude { lastFix?.coordinate.longitude = moved(longitude) }
    if let longitude = suspects?.fix.coordinate.longitude { suspects?.fix.coordinate.longitude = moved(longitude) }
    track.movePlaces(moved)
    for index in companions.indices { companions[index].movePlaces(moved) }
  }
}

extension Fix {
  /// Stands where there is none.
  fileprivate static let none = Fix(time: 0, coordinate: Coordinate(latitude: 0, longitude: 0))

  @inline(__always)
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    coder.code(&time)
    coder.code(&coordinate.latitude)
    coder.code(&coordinate.longitude)
    coder.code(&accuracy)
    coder.code(&speed)
    coder.code(&course)
  }
}

extension Suspects {
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    fix.code(&coder)
    coder.code(&count)
  }
}

extension Presence.SeenInJump {
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    coder.code(&region)
    coder.code(&since)
    coder.code(&fixes)
    var noted: UInt64 = isNoted ? 1 : 0
    coder.code(&noted)
    isNoted = noted != 0
  }
}

extension Sighting.Sender {
  fileprivate mutating func code(_ coder: inout some FieldCoder) {
    var (first, second) = texts
    var numbers: UInt64 = 0
    if case .iBeacon(_, let major, let minor) = self { numbers = 1 << 32 | UInt64(major) << 16 | UInt64(minor) }
    coder.code(&first)
    coder.code(&second)
    coder.code(&numbers)
    self =
      numbers == 0
      ? .eddystone(namespaceId: first, instanceId: second)
      : .iBeacon(
        proximityUUID: first, majorId: UInt16(truncatingIfNeeded: numbers >> 16),
        minorId: UInt16(truncatingIfNeeded: numbers))
  }

  private var texts: (String, String) {
    switch self {
    case .iBeacon(let uuid, _, _): (uuid, "")
    case .eddystone(let namespace, let instance): (namespace, instance)
    }
  }

  fileprivate static func < (a: Self, b: Self) -> Bool {
    switch (a, b) {
    case (.iBeacon(let first, let major, let minor), .iBeacon(let second, let otherMajor, let otherMinor)):
      (Identifier(first), major, minor) < (Identifier(second), otherMajor, otherMinor)
    case (.eddystone(let first, let instance), .eddystone(let second, let otherInstance)):
      (Identifier(first), Identifier(instance)) < (Identifier(second), Identifier(otherInstance))
    case (.iBeacon, .eddystone): true
    case (.eddystone, .iBeacon): false
    }
  }
}
