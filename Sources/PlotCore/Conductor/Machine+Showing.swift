/// Confirmed displays and handled geotriggers: history counts from here on.
extension Machine {
  mutating func deliver(_ items: [Item], passing reason: Reason) {
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
    conclude(position, shown: shown, recovered: false)
    save(states)
    pump()
    return finish()
  }

  private mutating func conclude(_ position: Int, shown: Bool, recovered: Bool) {
    var (item, change) = state.delivery.takeIntent(at: position)
    output.note(.delivery(change))
    guard shown else {
      record(item, .show, .drop, .showFailed, nextPossible: nil)
      emit(.notificationFailed, item)
      forgetSeen(item)
      return
    }
    item.sent = Item.Sent(date: now, answered: nil)
    let isNew = item.updates == nil
    if isNew, beginsCooldown(item) { remember(item) }
    if !isNew { rememberJoined(item) }
    list(item)
    replaceUpdated(by: item)
    display(item)
    if isNew { count(item) }
    record(item, .show, .pass, .shown, nextPossible: nil)
    emit(.notificationShown, item, recovered: recovered)
    if recovered, !voters.isEmpty {
      output.note(.delivery(state.delivery.keepUnreported(item)))
      inform(.created(item, true))
    }
    removeRetracted(item)
    // The answer may come after the exit.
    if let cause = departure(item) { remove(item, cause) }
  }

  /// That the store was made in the place of a damaged one comes before all else.
  private mutating func reportLoss(at time: Milliseconds) {
    guard let lost = state.lost else { return }
    emit(.storeSetAside, region: Identifier(""), visit: "", at: time) { $0.lost = lost }
    state.lost = nil
    output.note(.setAsideReported)
  }

  /// After a start on a store: what was handed to the host without an answer counts as shown, so that nothing is shown twice; open
  /// batches are offered again.
  public mutating func recover(at time: Milliseconds) -> Output {
    output.restart()
    reportLoss(at: time)
    informOfUnreported()
    while !state.delivery.intents.isEmpty { conclude(0, shown: true, recovered: true) }
    // An item that becomes due only now is asked about by itself.
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
    removeDeparted()
    pump()
    return finish()
  }

  /// An earlier start has found displays, and its process ended before the app's strategies had saved their states.
  private mutating func informOfUnreported() {
    for item in state.delivery.unreported {
      if voters.isEmpty { endUnreported(item.matchIdentifier) } else { inform(.created(item, true)) }
    }
  }

  mutating func endUnreported(_ matchIdentifier: String) {
    if let change = state.delivery.endUnreported(matchIdentifier) { output.note(.delivery(change)) }
  }

  // MARK: Geotriggers

  mutating func fire(_ items: [Item]) {
    let items = settings.geotriggersKeepCooldown ? items.filter { isInTime($0) } : items
    guard !items.isEmpty else { return }
    guard settings.hasGeotriggerHandler else {
      for item in items {
        record(item, .filter, .pass, .noFilter, nextPossible: nil)
        handle(item)
      }
      return
    }
    for item in items { list(item) }
    ask(items, isGeotrigger: true)
  }

  /// Whether no global cooldown keeps a geotrigger back. Those of one instant go together.
  private mutating func isInTime(_ item: Item) -> Bool {
    guard !passesCooldown(item) else { return true }
    emit(.geotriggerDropped, item)
    return false
  }

  mutating func handle(_ item: Item) {
    var item = item
    item.sent?.answered = now
    remember(item)
    list(item)
    record(item, .show, .pass, .shown, nextPossible: nil)
    emit(.geotrigger, item)
  }

  private mutating func remember(_ item: Item) {
    let beginsCooldown = !item.isGeotrigger || settings.geotriggersKeepCooldown
    remember(item.key, beginsCooldown)
    for key in item.coalesced { remember(key, beginsCooldown) }
  }

  /// Remembers the items that an update stands for, and that the updated one did not.
  private mutating func rememberJoined(_ item: Item) {
    guard !item.coalesced.isEmpty, let old = item.updates.flatMap({ state.screen.item($0) }) else { return }
    for key in item.coalesced where !old.coalesced.contains(key) { remember(key, false) }
  }

  private mutating func remember(_ key: ItemKey, _ beginsCooldown: Bool) {
    let change = state.history.show(key, at: now, beginsCooldown: beginsCooldown)
    output.note(.history(change))
    startAnchor(key)
    useUpChain(of: key.campaign)
  }

  /// Puts an item into its sent list, or changes the one that is there.
  private mutating func list(_ item: Item) {
    let (kept, left) = state.history.list(item)
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
    guard known(matchIdentifier) != nil else { throw .unknownMatch(matchIdentifier) }
    output.restart()
    proceed(to: time)
    if let item = markOpened(matchIdentifier) { opened(item) }
    return finish()
  }

  /// One that a person can act on: of the sent list, or, when it has left that, still on the screen.
  func known(_ matchIdentifier: String) -> Item? {
    state.history.sentNotification(matchIdentifier) ?? state.screen.item(matchIdentifier)
  }

  /// A notification, opened now if it was not before; nil when nobody knows it any more.
  mutating func markOpened(_ matchIdentifier: String) -> Item? {
    guard var item = known(matchIdentifier) else { return nil }
    if item.sent?.answered == nil {
      item.sent?.answered = now
      // A list that was cleared stays so.
      if state.history.sentNotification(matchIdentifier) != nil { list(item) }
    }
    guard !item.isMessage else { return item }
    let change = state.history.open(item.campaign, at: now)
    output.note(.history(change))
    return item
  }

  mutating func opened(_ item: Item) {
    emit(.notificationOpened, item)
    undisplay(item.matchIdentifier)
    output.effects.append(.open(item))
  }
}
