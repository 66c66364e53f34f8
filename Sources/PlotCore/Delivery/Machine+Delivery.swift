/// A campaign whose trigger has come, at a region, in a visit.
struct Candidate {
  var campaign: Campaign
  var region: Region
  var visit: String
  /// Which visit to the region it is.
  var ordinal: Int64 = 0
  /// How its steps stood when the trigger came; nil without steps.
  var steps: Eligibility.Outcome?

  /// How many times the trigger had come in the visit before.
  var repetition: Int64 = 0

  var matchIdentifier: String {
    var id = StableIdentifier()
    id.add("match")
    id.add(visit)
    id.add(campaign.id.text)
    id.add(campaign.kind == .geotrigger ? "geotrigger" : "notification")
    id.add(campaign.trigger.name)
    let parameter = campaign.trigger.parameter
    if repetition > 0 { id.add("\(parameter) \(repetition)") } else { id.add(parameter) }
    return id.text
  }
}

/// From candidates to what the host shows. The order of the steps is the seeds': filter before cooldown (seed 000), counters only
/// on a confirmed display (seed 004).
extension Machine {
  /// The most candidates of one instant. Those beyond it, in the order of their events, are dropped, each with a decision.
  public static let candidateLimit = 10_000

  /// Takes the candidates of one instant through the steps up to the filter, and asks the app about those that pass.
  mutating func consider(_ candidates: [Candidate]) {
    withInFlight(for: candidates.count) { $0.consider(few: candidates) }
  }

  /// The first ones. Those that are too many are dropped.
  mutating func withinLimit(_ candidates: [Candidate]) -> [Candidate] {
    guard candidates.count > Self.candidateLimit else { return candidates }
    for candidate in candidates[Self.candidateLimit...] {
      output.countLeftOut()
      record(candidate, .trigger, .drop, .tooMany)
    }
    return Array(candidates[..<Self.candidateLimit])
  }

  private mutating func consider(few candidates: [Candidate]) {
    var notifications: [Item] = []
    var landingPages: Set<String> = []
    var geotriggers: [Item] = []
    var welcomes: Set<Identifier> = []
    for candidate in withinLimit(candidates) {
      record(candidate, .trigger, .pass, .triggered)
      if isAskedAtEnter(candidate) { continue }
      if candidate.campaign.welcome != nil, welcomes.contains(candidate.campaign.id) {
        record(candidate, .repeat, .drop, .inFlight)
        continue
      }
      guard isEligible(candidate), var item = fill(candidate) else { continue }
      if passPrefiltered(candidate) { continue }
      switch item.kind {
      case .geotrigger:
        item.sent = Item.Sent(date: now, answered: nil)
        geotriggers.append(item)
      case .notification(let handler):
        if handler == .landingPage, let match = item.matchIdentifier { landingPages.insert(match) }
        if candidate.campaign.welcome != nil { welcomes.insert(item.campaign) }
        notifications.append(item)
      }
    }
    if !notifications.isEmpty { notifications = inOrder(alone(notifications)) }
    fire(geotriggers)
    // Most crossings have none: the rest costs a fourteenth of them.
    guard !notifications.isEmpty else {
      if settings.hasFilter || !feed.settings.coalescing.isEmpty { pump() }
      return
    }
    if settings.hasFilter {
      let asked = notifications.filter { !landingPages.contains($0.matchIdentifier ?? "") }
      ask(asked, isGeotrigger: false)
      deliver(notifications.filter { landingPages.contains($0.matchIdentifier ?? "") }, passing: .landingPage)
    } else {
      for item in notifications {
        let reason: Reason = landingPages.contains(item.matchIdentifier ?? "") ? .landingPage : .noFilter
        record(item, .filter, .pass, reason)
        if feed.settings.coalescing.isEmpty { enqueue([item]) }
      }
      if !feed.settings.coalescing.isEmpty { enqueue(notifications) }
    }
  }

  mutating func fill(_ candidate: Candidate) -> Item? {
    let campaign = candidate.campaign
    do throws(Template.MissingField) {
      var filled = campaign
      if !state.host.hasNetwork, let offline = campaign.welcome?.offline {
        filled.text = offline.message
        filled.data = offline.data
      }
      let content = try feed.content(of: filled) { (template) throws(Template.MissingField) in
        try template.filled(for: candidate.region)
      }
      var item = Item(campaign, candidate.region, content, visit: candidate.visit, match: candidate.matchIdentifier)
      item.correlationKey =
        try campaign.correlationKey?.filled(for: candidate.region)
        ?? campaign.welcome.map { _ in "welcome;\(campaign.id.text)" }
      record(candidate, .content, .pass, .filled)
      return item
    } catch {
      record(candidate, .content, .drop, .missingField, error.name)
      return nil
    }
  }

  mutating func ask(_ items: [Item], isGeotrigger: Bool, isAtEnter: Bool = false) {
    guard !items.isEmpty else { return }
    let batch = state.delivery.ask(
      items, isGeotrigger: isGeotrigger, until: inputTime + filterDeadline(items), isAtEnter: isAtEnter)
    output.note(.delivery(.batch(batch)))
    for item in items { record(item, .filter, .hold, .asked, inputs: noted(["deadline": .time(batch.deadline)])) }
    output.effects.append(.ask(batch))
  }

  // MARK: Answers

  /// Answers a batch of notifications. Throws `unknownToken`, `alreadyAnswered` or `unknownItem`, and then nothing has changed.
  public mutating func answerFilter(
    _ token: UInt64, _ kept: [Kept], at time: Milliseconds
  ) throws(InputError) -> Output {
    try answer(token, kept, isGeotrigger: false, at: time)
  }

  /// Answers a batch of geotriggers; errors as in `answerFilter`.
  public mutating func markHandled(_ token: UInt64, _ kept: [Kept], at time: Milliseconds) throws(InputError) -> Output
  {
    try answer(token, kept, isGeotrigger: true, at: time)
  }

  private mutating func answer(
    _ token: UInt64, _ kept: [Kept], isGeotrigger: Bool, at time: Milliseconds
  ) throws(InputError) -> Output {
    let batch = try batch(token, isGeotrigger: isGeotrigger)
    guard time < batch.deadline else {
      // The deadline has passed without a wakeup: it comes first, and this answer is late.
      throw .alreadyAnswered
    }
    let chosen = try batch.chosen(kept)
    output.restart()
    if output.keepsChanges { output.changes.reserveCapacity(4) }
    proceed(to: time)
    close(batch)
    // Each item is chosen once at most.
    if chosen.count < batch.items.count {
      let matches = Set(chosen.map(\.matchIdentifier))
      let dropped = batch.items.filter { !matches.contains($0.matchIdentifier) }
      leaveOut(dropped, .filteredOut, isAtEnter: batch.isAtEnter)
    }
    pass(chosen, .kept, isGeotrigger: isGeotrigger, isAtEnter: batch.isAtEnter)
    return finish()
  }

  /// An open batch. Throws `unknownToken` or `alreadyAnswered`.
  public func batch(_ token: UInt64, isGeotrigger: Bool? = nil) throws(InputError) -> Batch {
    let batch = try state.delivery.batch(token)
    guard isGeotrigger == nil || batch.isGeotrigger == isGeotrigger else { throw .unknownToken }
    return batch
  }

  mutating func closeLateBatches() {
    for batch in state.delivery.batches where batch.deadline <= now {
      close(batch)
      if settings.filterFallback == .showOriginal {
        pass(batch.items, .deadlineShown, isGeotrigger: batch.isGeotrigger, isAtEnter: batch.isAtEnter)
      } else {
        leaveOut(batch.items, .deadlineDropped, isAtEnter: batch.isAtEnter)
      }
    }
  }

  private mutating func close(_ batch: Batch) {
    let change = state.delivery.close(batch)
    output.note(.delivery(change))
  }

  private mutating func leaveOut(_ items: [Item], _ reason: Reason, isAtEnter: Bool) {
    for item in items {
      if isAtEnter { keepPrefiltered(item, isKept: false) }
      record(item, .filter, .drop, reason, nextPossible: nil)
      if item.isMessage {
        suppress(item, reason)
      } else {
        emit(item.isGeotrigger ? .geotriggerDropped : .notificationFiltered, item)
      }
    }
  }

  private mutating func pass(_ items: [Item], _ reason: Reason, isGeotrigger: Bool, isAtEnter: Bool) {
    if isAtEnter {
      return withInFlight(for: items.count) { machine in
        for item in items { machine.passAtEnter(item, reason) }
      }
    }
    if isGeotrigger {
      for item in items {
        record(item, .filter, .pass, reason, nextPossible: nil)
        handle(item)
      }
    } else {
      deliver(items, passing: reason)
    }
  }

  // MARK: Showing

  private mutating func deliver(_ items: [Item], passing reason: Reason) {
    for item in items { record(item, .filter, .pass, reason, nextPossible: nil) }
    enqueue(items)
  }

  /// The host's answer to `show`, with what the app's strategies have saved after they were told. Throws `unknownMatch`, and then
  /// nothing has changed.
  public mutating func confirm(
    _ matchIdentifier: String, shown: Bool, states: [Identifier: String] = [:]
  ) throws(InputError) -> Output {
    guard let position = state.delivery.intents.firstIndex(where: { $0.matchIdentifier == matchIdentifier }) else {
      throw .unknownMatch(matchIdentifier)
    }
    output.restart()
    settle(position, shown: shown, recovered: false)
    keep(states)
    pump()
    return finish()
  }

  private mutating func settle(_ position: Int, shown: Bool, recovered: Bool) {
    var (item, change) = state.delivery.takeIntent(at: position)
    output.note(.delivery(change))
    guard shown else {
      record(item, .show, .drop, .showFailed, nextPossible: nil)
      emit(.notificationFailed, item)
      forgetSeen(item)
      return
    }
    item.sent = Item.Sent(date: now, answered: nil)
    if beginsCooldown(item) {
      remember(item)
    }
    keep(item)
    display(item)
    count(item)
    record(item, .show, .pass, .shown, nextPossible: nil)
    emit(.notificationShown, item, recovered: recovered)
    if recovered { tell(.created(item, true)) }
    removeRetracted(item)
  }

  /// After a start on a store: what was handed to the host without an answer counts as shown, so that nothing is shown twice; open
  /// batches are offered again.
  public mutating func recover(at time: Milliseconds) -> Output {
    output.restart()
    while !state.delivery.intents.isEmpty { settle(0, shown: true, recovered: true) }
    // What becomes due only now is asked by itself.
    let open = Set(state.delivery.batches.map(\.token))
    proceed(to: time)
    recheckAfterClock(at: time)
    for batch in state.delivery.batches where open.contains(batch.token) {
      if batch.isGeotrigger ? settings.hasGeotriggerHandler : settings.hasFilter {
        if settings.filterRecovery == .drop {
          close(batch)
          leaveOut(batch.items, .restartDropped, isAtEnter: batch.isAtEnter)
        } else {
          output.effects.append(.ask(batch))
        }
      } else {
        close(batch)
        pass(batch.items, .noFilter, isGeotrigger: batch.isGeotrigger, isAtEnter: batch.isAtEnter)
      }
    }
    removeLeft()
    pump()
    return finish()
  }

  // MARK: Geotriggers

  private mutating func fire(_ items: [Item]) {
    guard settings.hasGeotriggerHandler else {
      for item in items {
        record(item, .filter, .pass, .noFilter, nextPossible: nil)
        handle(item)
      }
      return
    }
    for item in items { keep(item) }
    ask(items, isGeotrigger: true)
  }

  private mutating func handle(_ item: Item) {
    var item = item
    item.sent?.answered = now
    remember(item)
    keep(item)
    record(item, .show, .pass, .shown, nextPossible: nil)
    emit(.geotrigger, item)
  }

  // MARK: History

  private mutating func remember(_ item: Item) {
    remember(item.key, isNotification: !item.isGeotrigger)
    for key in item.coalesced { remember(key, isNotification: !item.isGeotrigger) }
  }

  private mutating func remember(_ key: ItemKey, isNotification: Bool) {
    let change = state.history.show(key, at: now, isNotification: isNotification)
    output.note(.history(change))
    startAnchor(key)
    useUpChain(of: key.campaign)
  }

  /// Puts an item into its sent list, or changes the one that is there.
  private mutating func keep(_ item: Item) {
    let (kept, left) = state.history.keep(item)
    output.note(.history(kept))
    if let left { output.note(.history(left)) }
  }

  /// Empties a sent list; what was shown is not forgotten.
  public mutating func clearSent(isGeotrigger: Bool, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    if let change = state.history.clearSent(isGeotrigger: isGeotrigger) { output.note(.history(change)) }
    return finish()
  }

  /// The person opened a notification. Throws `unknownMatch`, and then nothing has changed.
  public mutating func open(_ matchIdentifier: String, at time: Milliseconds) throws(InputError) -> Output {
    guard state.history.sentNotification(matchIdentifier) != nil else { throw .unknownMatch(matchIdentifier) }
    output.restart()
    proceed(to: time)
    if let item = markOpened(matchIdentifier) { opened(item) }
    return finish()
  }

  /// A sent notification, opened now if it was not before; nil when it has left the list.
  mutating func markOpened(_ matchIdentifier: String) -> Item? {
    guard var item = state.history.sentNotification(matchIdentifier) else { return nil }
    if item.sent?.answered == nil {
      item.sent?.answered = now
      keep(item)
    }
    guard !item.isMessage else { return item }
    let change = state.history.open(item.campaign, at: now)
    output.note(.history(change))
    return item
  }

  mutating func opened(_ item: Item) {
    emit(.notificationOpened, item)
    undisplay(item.matchIdentifier ?? "")
    output.effects.append(.open(item))
  }

  // MARK: Records

  mutating func emit(_ kind: Event.Kind, _ item: Item, recovered: Bool = false, reason: String? = nil) {
    emit(kind, region: item.region, visit: item.visit ?? "", at: now) {
      $0.item = item
      $0.reason = reason
      $0.recovered = recovered
    }
  }

  /// Records what was decided about a candidate.
  mutating func record(
    _ candidate: Candidate, _ step: Step, _ verdict: Verdict, _ reason: Reason, _ detail: String? = nil,
    _ nextPossible: Milliseconds? = nil
  ) {
    lastReason = reason
    guard settings.recordsDecisions else { return }
    record(decision(candidate, step, verdict, reason, detail, nextPossible))
  }

  func decision(
    _ candidate: Candidate, _ step: Step, _ verdict: Verdict, _ reason: Reason, _ detail: String? = nil,
    _ nextPossible: Milliseconds? = nil
  ) -> Decision {
    Decision(
      time: now, campaign: candidate.campaign.id, region: candidate.region.id, visit: candidate.visit, step: step,
      verdict: verdict, reason: reason, detail: detail, inputs: inputs(candidate, step, reason, detail),
      nextPossible: nextPossible)
  }

  /// Records what was decided about an item.
  mutating func record(
    _ item: Item, _ step: Step, _ verdict: Verdict, _ reason: Reason, _ detail: String? = nil,
    inputs own: Inputs? = nil, nextPossible: Milliseconds? = nil
  ) {
    lastReason = reason
    guard settings.recordsDecisions else { return }
    record(decision(item, step, verdict, reason, detail, inputs: own, nextPossible: nextPossible))
  }

  func decision(
    _ item: Item, _ step: Step, _ verdict: Verdict, _ reason: Reason, _ detail: String? = nil,
    inputs own: Inputs? = nil, nextPossible: Milliseconds? = nil
  ) -> Decision {
    Decision(
      time: now, campaign: item.isMessage ? nil : item.campaign, region: item.isMessage ? nil : item.region,
      visit: item.visit, message: item.incoming?.id, step: step, verdict: verdict, reason: reason, detail: detail,
      inputs: own ?? inputs(item, step, reason), nextPossible: nextPossible)
  }
}
