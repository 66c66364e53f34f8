/// Caps and quiet hours on the way to the screen, and what waits for the end of quiet hours.
extension Machine {
  func limits(_ item: Item) -> Limits {
    Limits(
      campaign: feed.campaign(item.campaign), region: feed.region(item.region).map { feed.regions[$0] }, key: item.key,
      visit: item.visit, settings: feed.settings, device: state.host.zone, time: now)
  }

  /// Whether a cap bears on this notification: then it must be known whether the one before it was shown.
  func hasCaps(_ item: Item) -> Bool { limits(item).hasCaps }

  /// Takes a notification through caps and quiet hours. False when it is dropped, or waits (`isWaiting`).
  mutating func passesLimits(_ item: Item) -> Bool {
    guard feed.settings.notificationsEnabled else {
      record(item, .validity, .drop, .notificationsDisabled)
      return false
    }
    let limits = limits(item)
    if let caps = limits.caps(state.history.displays), !passes(item, caps) { return false }
    guard limits.hasQuietHours else { return true }
    switch limits.quiet(item, isVisited: { isVisited(item) }) {
    case nil:
      record(item, .quiet, .pass, .notQuiet)
      return true
    case .drop(let name, let next):
      record(item, .quiet, .drop, .quietHours, name, nextPossible: next)
      return false
    case .wait(let waiting, let name):
      // Where nothing can be held back, it would be shown as it is.
      guard !item.isMessage || settings.canSuppress else {
        record(item, .quiet, .drop, .quietHours, name, nextPossible: waiting.until)
        return false
      }
      let change = state.delivery.wait(waiting)
      output.note(.delivery(change))
      record(item, .quiet, .hold, .quietHeld, name, nextPossible: waiting.until)
      return false
    }
  }

  private mutating func passes(_ item: Item, _ outcome: Eligibility.Outcome) -> Bool {
    record(
      item, outcome.step, outcome.verdict, outcome.reason, outcome.detail,
      nextPossible: outcome.nextPossible)
    return outcome.passes
  }

  // MARK: Quiet hours

  /// Whether one that did not pass just now waits: then it came last.
  func isWaiting(_ item: Item) -> Bool { state.delivery.waiting.last?.item.matchIdentifier == item.matchIdentifier }

  private mutating func endWaiting(_ item: Item) {
    output.note(.delivery(.waitingEnded(matchIdentifier: item.matchIdentifier)))
  }

  /// Drops those that `isChosen` picks.
  mutating func dropWaiting(_ step: Step, _ reason: Reason, where isChosen: (Waiting) -> Bool) {
    for waiting in state.delivery.takeWaiting(isChosen) { drop(waiting.item, step, reason) }
  }

  /// Of one that does not wait any more.
  private mutating func drop(_ item: Item, _ step: Step, _ reason: Reason) {
    record(item, step, .drop, reason)
    endDropped(item, reason)
  }

  /// Ends an item that waited, with the decision that it is dropped.
  private mutating func endDropped(_ item: Item, _ reason: Reason) {
    endWaiting(item)
    inform(.created(item, false))
    suppress(item, reason)
  }

  /// Lets those go on whose time has come, in the order of their times, and then as they came: from the cooldown on they go through
  /// the steps again.
  mutating func releaseWaiting() {
    let now = now
    let unproven = state.delivery.waiting.filter { $0.until <= now && isUnproven($0, $0.until) }
    if !unproven.isEmpty { heldWantsFix = true }
    let due = state.delivery.takeWaiting { $0.until <= now && !unproven.contains($0) }.enumerated()
      .sorted { ($0.element.until, $0.offset) < ($1.element.until, $1.offset) }
    var released: [Item] = []
    for (_, waiting) in due {
      if waiting.insideOnly, heldStanding(at: waiting.item.region, waiting.until) == .stale {
        dropStale(waiting)
      } else {
        goOn(waiting.item, &released)
      }
    }
    enqueue(released: released)
    if !due.isEmpty { pump() }
  }

  /// It waits inside of a place, and no fix says that the device is still there.
  private func isUnproven(_ waiting: Waiting, _ due: Milliseconds) -> Bool {
    waiting.insideOnly && heldStanding(at: waiting.item.region, due) == .waits
  }

  private mutating func dropStale(_ waiting: Waiting) {
    let item = waiting.item
    recordStale(campaign: item.campaign, item.region, item.visit, waiting.until)
    endDropped(item, .stale)
  }

  private mutating func goOn(_ item: Item, _ released: inout [Item]) {
    if !item.isMessage {
      guard let campaign = campaign(of: item) else { return drop(item, .quiet, .campaignRemoved) }
      let validity = Eligibility.validity(campaign, at: now)
      guard validity.passes else { return drop(item, validity.step, validity.reason) }
    }
    endWaiting(item)
    released.append(item)
  }

  /// Those that go on at one moment are as if they came at once. The strategies have agreed before.
  private mutating func enqueue(released items: [Item]) {
    let joined = joined(items)
    let staying = Set(joined.map(\.matchIdentifier))
    for item in items where !staying.contains(item.matchIdentifier) { inform(.created(item, false)) }
    for item in joined { state.delivery.enqueue(item, .voted) }
  }

  /// The campaign, if it is still there, and still about the item's region.
  func campaign(of item: Item) -> Campaign? {
    guard let campaign = feed.campaign(item.campaign), let region = feed.region(item.region),
      campaign.regions.contains(region)
    else { return nil }
    return campaign
  }

  /// The feed, the zone or the clock has changed: looks anew at until when they wait.
  mutating func reconsiderWaiting() {
    var released: [Item] = []
    var staying: [Waiting] = []
    for waiting in state.delivery.takeWaiting({ _ in true }) {
      let item = waiting.item
      guard item.isMessage || campaign(of: item) != nil else {
        drop(item, .quiet, .campaignRemoved)
        continue
      }
      switch limits(item).quiet(item, isVisited: { isVisited(item) }) {
      case nil:
        if isUnproven(waiting, min(waiting.until, now)) {
          heldWantsFix = true
          var due = waiting
          due.until = min(waiting.until, now)
          staying.append(due)
          output.note(.delivery(.waiting(due)))
          continue
        }
        goOn(item, &released)
      case .drop(let name, let next):
        record(item, .quiet, .drop, .quietHours, name, nextPossible: next)
        endDropped(item, .quietHours)
      case .wait(let changed, let name):
        staying.append(changed)
        guard changed != waiting else { continue }
        output.note(.delivery(.waiting(changed)))
        record(item, .quiet, .hold, .quietHeld, name, nextPossible: changed.until)
      }
    }
    state.delivery.putBack(staying)
    guard !released.isEmpty else { return }
    enqueue(released: released)
    pump()
  }

  /// The visit is over: what waited inside waits no more.
  mutating func dropWaiting(in visit: Visit) {
    dropWaiting(.quiet, .left) { $0.insideOnly && $0.item.visit == visit.id }
  }

  /// The engine is disabled: nothing is to come of places any more. Messages still wait.
  mutating func dropAllWaiting() {
    dropWaiting(.quiet, .disabled) { !$0.item.isMessage }
  }

  // MARK: History

  /// Remembers a confirmed display, and forgets the oldest.
  mutating func count(_ item: Item) {
    // A message that should not have been shown takes nothing away from those that may be.
    if item.incoming?.isSuppressed == true { return }
    let (counted, forgotten) = state.history.count(
      Display(
        time: now, campaign: item.campaign, region: item.region, visit: item.visit,
        tags: feed.campaign(item.campaign)?.tags ?? []))
    output.note(.history(counted))
    if let forgotten { output.note(.history(forgotten)) }
  }
}
