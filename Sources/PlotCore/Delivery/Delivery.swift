/// The items on their way to a display: those that may still be shown in a visit, those that the app is asked about, those that wait for
/// their turn or for the end of quiet hours, and those that were handed to the host. Whether one goes on is for the rules to say.
///
/// Invariants: `held` has each campaign at a region once, in the order of regions and campaigns; batches have ascending tokens up to
/// `lastToken`, and no token comes twice; of those that wait for their turn, what has been stored comes before what has not; a phase
/// other than `new` or `voted` is the first one's alone.
public struct Delivery: Sendable {
  // The fields that each crossing reads come first. Its functions are inlined, so that a change that nobody keeps is not made.
  /// Open batches, by ascending token.
  public private(set) var batches: [Batch] = []
  /// Notifications that have passed the filter and wait for their turn, in order.
  public private(set) var pending: Queue<Pending> = []
  /// Notifications that were handed to the host to be shown, without an answer yet.
  public private(set) var intents: Queue<Item> = []
  /// Displays that a start has found, until the states of the strategies that were called about them are stored.
  public private(set) var unreported: [Item] = []
  /// Candidates that wait for their times, or for a property, as long as their visit lasts.
  public private(set) var held: [Held] = []
  /// Notifications that wait for the end of quiet hours, as they came.
  public private(set) var waiting: [Waiting] = []
  /// The filter's answers at the enter about dwellings that have not come yet.
  public private(set) var prefiltered = PrefilteredList()
  public private(set) var lastToken: UInt64

  public init(lastToken: UInt64 = 0) { self.lastToken = lastToken }

  /// Asks for what a crossing looks at.
  @inline(__always)
  func prefetch() {
    Prefetch.target(of: batches, at: 0, 128)
    pending.prefetch()
    intents.prefetch()
  }

  // MARK: Where is it?

  /// Where a notification is on its way, as decisions name it.
  enum Place: String, Sendable {
    /// It waits for its turn.
    case turn
    /// The host is to show it.
    case show
    /// It waits for the end of quiet hours.
    case quiet
    /// The app is asked.
    case filter
  }

  /// Nil when it is not on its way. What the app is asked at the enter about a dwelling to come is not yet.
  @inline(__always)
  func place(where isIt: (Item) -> Bool) -> Place? {
    if batches.contains(where: { !$0.isAtEnter && $0.items.contains(where: isIt) }) { return .filter }
    if waiting.contains(where: { isIt($0.item) }) { return .quiet }
    if intents.contains(where: isIt) { return .show }
    return pending.contains { isIt($0.item) } ? .turn : nil
  }

  /// All that are on their way. Where one is at two places, the one that `place` names comes last.
  func forAll(_ body: (Item, Place) -> Void) {
    for pending in pending { body(pending.item, .turn) }
    for item in intents { body(item, .show) }
    for waiting in waiting { body(waiting.item, .quiet) }
    for batch in batches where !batch.isAtEnter { for item in batch.items { body(item, .filter) } }
  }

  // MARK: Held

  /// It waits for its times, or for a property.
  mutating func hold(_ held: Held) -> DeliveryChange {
    apply(.held(held))
    return .held(held)
  }

  /// Where one stands among those held, or would stand; without a campaign, the first of the region.
  private func heldPosition(_ region: Identifier, _ campaign: Identifier? = nil) -> Int {
    Bisection.place(in: held.count) {
      let held = held[$0]
      return held.region == region ? campaign.map { held.campaign < $0 } ?? false : held.region < region
    }
  }

  /// Takes those that `isChosen` picks out of those held, all in one go; the end of each must be noted.
  mutating func takeHeld(_ isChosen: (Held) -> Bool) -> [Held] {
    let chosen = held.filter(isChosen)
    if !chosen.isEmpty { held.removeAll(where: isChosen) }
    return chosen
  }

  /// The same for those of a region.
  @inline(__always)
  mutating func takeHeld(at region: Identifier) -> [Held] {
    if held.isEmpty { return [] }
    let chosen = held[heldPosition(region)...].prefix { $0.region == region }
    held.removeSubrange(chosen.indices)
    return Array(chosen)
  }

  // MARK: Batches

  /// The app is asked about them.
  @inline(__always)
  mutating func ask(_ items: [Item], isGeotrigger: Bool, until deadline: Milliseconds, isAtEnter: Bool) -> Batch {
    lastToken += 1
    let batch = Batch(
      token: lastToken, isGeotrigger: isGeotrigger, items: items, deadline: deadline, isAtEnter: isAtEnter)
    batches.append(batch)
    return batch
  }

  /// It is answered, or nobody waits for the answer any more.
  @inline(__always)
  mutating func close(_ batch: Batch) -> DeliveryChange {
    removeBatch(batch.token)
    return .batchClosed(token: batch.token)
  }

  private mutating func removeBatch(_ token: UInt64) {
    if let position = batches.firstIndex(where: { $0.token == token }) { batches.remove(at: position) }
  }

  /// An open batch. Throws `unknownToken` or `alreadyAnswered`.
  func batch(_ token: UInt64) throws(InputError) -> Batch {
    if let batch = batches.first(where: { $0.token == token }) { return batch }
    throw token >= 1 && token <= lastToken ? .alreadyAnswered : .unknownToken
  }

  // MARK: Turns

  /// It waits for its turn, behind the others; not stored before `storeTurns`.
  mutating func enqueue(_ item: Item, _ phase: Pending.Phase = .new) {
    var pending = Pending(item: item, isStored: false)
    pending.phase = phase
    self.pending.append(pending)
  }

  /// How far the turn of the first has come.
  mutating func setPhase(_ phase: Pending.Phase) { pending[0].phase = phase }

  /// The turn of the first is over. Nil where it was not stored.
  mutating func endTurn() -> DeliveryChange? {
    let first = pending.removeFirst()
    return first.isStored ? .pendingEnded(matchIdentifier: first.item.matchIdentifier) : nil
  }

  /// Items that wait beyond this input must survive the process.
  mutating func storeTurns() -> [DeliveryChange] {
    // They are behind those that have been stored.
    var first = pending.endIndex
    while first > 0, !pending[first - 1].isStored { first -= 1 }
    if first == pending.endIndex { return [] }
    return (first..<pending.endIndex).map { index in
      pending[index].isStored = true
      return .pending(pending[index].item)
    }
  }

  /// The host is to show it.
  mutating func show(_ item: Item) -> DeliveryChange {
    intents.append(item)
    return .intent(item)
  }

  /// The host has answered, or nobody waits for that any more.
  mutating func takeIntent(at position: Int) -> (item: Item, change: DeliveryChange) {
    let item = intents.remove(at: position)
    return (item, .intentClosed(matchIdentifier: item.matchIdentifier))
  }

  /// It counts as shown, and the strategies are still to be called about it: by another process, if this one ends first.
  mutating func keepUnreported(_ item: Item) -> DeliveryChange {
    unreported.append(item)
    return .intent(item)
  }

  /// The strategies were called about it, or there are none any more. Nil if it was not kept for that.
  mutating func endUnreported(_ matchIdentifier: String) -> DeliveryChange? {
    guard let position = unreported.firstIndex(where: { $0.matchIdentifier == matchIdentifier }) else { return nil }
    unreported.remove(at: position)
    return .intentClosed(matchIdentifier: matchIdentifier)
  }

  /// For a trial of another notification: nothing stands before it.
  mutating func clearTheWay() {
    pending = []
    intents = []
  }

  // MARK: Quiet hours

  /// It waits for the end of quiet hours.
  mutating func wait(_ waiting: Waiting) -> DeliveryChange {
    self.waiting.append(waiting)
    return .waiting(waiting)
  }

  /// Takes those that `isChosen` picks out of those that wait, all in one go; the end of each must be noted, or it is put back.
  mutating func takeWaiting(_ isChosen: (Waiting) -> Bool) -> [Waiting] {
    if waiting.isEmpty { return [] }
    let chosen = waiting.filter(isChosen)
    guard !chosen.isEmpty else { return [] }
    let matches = Set(chosen.map(\.item.matchIdentifier))
    waiting.removeAll { matches.contains($0.item.matchIdentifier) }
    return chosen
  }

  /// Those that go on waiting, after all were taken.
  mutating func putBack(_ staying: [Waiting]) { waiting = staying + waiting }

  // MARK: What the filter said before

  mutating func remember(_ answer: Prefiltered) -> DeliveryChange {
    apply(.prefiltered(answer))
    return .prefiltered(answer)
  }

  mutating func end(_ answer: Prefiltered) -> DeliveryChange {
    let change = DeliveryChange.prefilteredEnded(campaign: answer.campaign, region: answer.region)
    apply(change)
    return change
  }

  // MARK: Changes

  /// Makes a change, new or not: what a store does with what it has kept.
  public mutating func apply(_ change: DeliveryChange) {
    switch change {
    case .held(let one):
      let position = heldPosition(one.region, one.campaign)
      if position < held.count, held[position].region == one.region, held[position].campaign == one.campaign {
        held[position] = one
      } else {
        held.insert(one, at: position)
      }
    case .heldEnded(let campaign, let region): held.removeAll { $0.campaign == campaign && $0.region == region }
    case .batch(let batch):
      batches.append(batch)
      lastToken = max(lastToken, batch.token)
    case .batchClosed(let token): removeBatch(token)
    // Only an item that counts as shown has the time of its display.
    case .intent(let item): if item.sent == nil { intents.append(item) } else { unreported.append(item) }
    case .intentClosed(let match):
      intents.removeAll { $0.matchIdentifier == match }
      unreported.removeAll { $0.matchIdentifier == match }
    case .pending(let item): pending.append(Pending(item: item, isStored: true))
    case .pendingEnded(let match): pending.removeAll { $0.item.matchIdentifier == match }
    case .prefiltered(let answer): prefiltered.put(answer)
    case .prefilteredEnded(let campaign, let region): prefiltered.remove(campaign, region)
    case .waiting(let one):
      if let position = waiting.firstIndex(where: { $0.item.matchIdentifier == one.item.matchIdentifier }) {
        waiting[position] = one
      } else {
        waiting.append(one)
      }
    case .waitingEnded(let match): waiting.removeAll { $0.item.matchIdentifier == match }
    }
  }

  // MARK: Time

  /// When something is due by itself; `.max` for never. `wakeup`: when what is due in a visit to a region must be looked at.
  func nextDue(_ wakeup: (_ region: Identifier, _ due: Milliseconds) -> Milliseconds = { $1 }) -> Milliseconds {
    var next = Milliseconds.max
    for batch in batches { next = min(next, batch.deadline) }
    for held in held { if let until = held.until { next = min(next, wakeup(held.region, until)) } }
    for waiting in waiting {
      next = min(next, waiting.insideOnly ? wakeup(waiting.item.region, waiting.until) : waiting.until)
    }
    return next
  }

  /// Whether anything held for a visit is due.
  func isHeldDue(at now: Milliseconds) -> Bool {
    held.contains { $0.until ?? .max <= now } || waiting.contains { $0.insideOnly && $0.until <= now }
  }

  /// The wall clock was set: the app has as long for its answers as before. What waits for a time on the wall is looked at anew.
  mutating func moveDeadlines(by move: Milliseconds, latest: Milliseconds) {
    for index in batches.indices { batches[index].deadline = max(0, min(batches[index].deadline + move, latest)) }
  }

  // MARK: Clearing

  /// The delivery of a forgotten person: no token comes twice.
  var withoutThePerson: Delivery { Delivery(lastToken: lastToken) }
}
