/// Items that have passed the filter wait here for their turn: the strategies' votes, the cooldown, a place on the screen. Only a confirmed
/// display counts, so while anything depends on what was shown before, one goes at a time.
extension Machine {
  mutating func enqueue(_ items: [Item]) {
    for item in joined(items) { state.delivery.enqueue(item) }
    pump()
  }

  /// Takes the queue forward until its first must wait. `droppingOver`: fixes have been handed over, and may have ended visits.
  mutating func pump(droppingOver: Bool = false) {
    guard handover == nil else { return storeQueue() }
    while let first = state.delivery.pending.first {
      if goesOneByOne, !state.delivery.intents.isEmpty { break }
      let isAnswered = first.phase != .voting && first.phase != .removing
      // The input in progress may say that it is not to be on the screen.
      if isAnswered, catchesUp, leavesByItself(first.item) { break }
      if isAnswered, let reason = outdated(first.item) {
        record(first.item, .revision, .drop, reason, first.item.correlationKey)
        dropFirst()
        continue
      }
      if isAnswered, let cause = departure(first.item) {
        record(first.item, .show, .drop, cause.reason)
        dropFirst()
        continue
      }
      if droppingOver, first.phase == .new, isOver(first.item) {
        record(first.item, .trigger, .drop, .over)
        dropFirst()
        continue
      }
      switch first.phase {
      case .new:
        if isUpdate(first.item) {
          state.delivery.setPhase(.voted)
        } else if voters.isEmpty {
          decide(first.item, vetoes: [])
        } else {
          state.delivery.setPhase(.voting)
          output.effects.append(.vote(Ballot(kind: .create, item: first.item, departure: nil, voters: voters)))
        }
      case .voted: findPlace(for: first.item)
      case .cleared:
        endTurn()
        askToShow(checked(first.item))
      case .voting, .removing:
        storeQueue()
        return
      }
    }
    storeQueue()
  }

  private mutating func storeQueue() {
    for change in state.delivery.storeTurns() { output.note(.delivery(change)) }
  }

  private mutating func endTurn() {
    if let change = state.delivery.endTurn() { output.note(.delivery(change)) }
  }

  /// Its turn is over without a display.
  private mutating func dropFirst() {
    let item = state.delivery.pending[0].item
    endTurn()
    inform(.created(item, false))
    suppress(item, lastReason)
  }

  /// Whether the outcome of one bears on the next.
  private var goesOneByOne: Bool {
    state.host.cooldownPeriod > 0 || feed.settings.slots != nil || feed.settings.specificWithin != nil
      || !builtInStrategies.isEmpty || !voters.isEmpty
      || state.delivery.pending.first?.item.correlationKey != nil
      || state.delivery.pending.first.map { hasCaps($0.item) } == true
      || state.delivery.pending.first.map { feed.campaign($0.item.campaign)?.exclusionGroup != nil } == true
  }

  // MARK: Votes

  /// Ends the vote about the first: all were asked, and all must agree.
  mutating func decide(_ item: Item, vetoes: [Identifier]) {
    var vetoes = vetoes.map { (key: $0, next: Milliseconds?.none) }
    for strategy in builtInStrategies {
      if let veto = veto(of: strategy, about: item) { vetoes.append((strategy.key, veto.until)) }
    }
    if vetoes.isEmpty {
      if !builtInStrategies.isEmpty || !voters.isEmpty { record(item, .strategies, .pass, .agreed) }
      state.delivery.setPhase(.voted)
    } else {
      for veto in vetoes {
        record(item, .strategies, .drop, .vetoed, veto.key.text, nextPossible: veto.next)
      }
      dropFirst()
    }
  }

  // MARK: Its place

  /// Global cooldown, then a place on the screen.
  private mutating func findPlace(for item: Item) {
    if !isUpdate(item) {
      guard passesCooldown(item) else { return dropFirst() }
      guard passesLimits(item) else { return isWaiting(item) ? endTurn() : dropFirst() }
    }
    guard let leaving = makePlace(for: item) else { return dropFirst() }
    if !isUpdate(item), isHeldOut(item) {
      emit(.notificationHeldOut, item)
      return dropFirst()
    }
    guard !leaving.isEmpty else {
      state.delivery.setPhase(.cleared)
      return
    }
    state.delivery.setPhase(.removing)
    for (item, cause) in leaving { remove(item, cause) }
  }

  mutating func passesCooldown(_ item: Item) -> Bool {
    if item.isMessage, !feed.settings.messages.keepsCooldown { return true }
    if state.host.cooldownPeriod > 0, let last = state.history.lastNotification, now < last + state.host.cooldownPeriod
    {
      record(item, .cooldown, .drop, .globalCooldown, nextPossible: last + state.host.cooldownPeriod)
      return false
    }
    record(item, .cooldown, .pass, .allowed)
    return true
  }

  /// The notifications that must leave the screen for an item; nil when it cannot be shown.
  private mutating func makePlace(for item: Item) -> [(item: Item, cause: Removal.Cause)]? {
    let rivals = rivals(of: item)
    if let other = rivals.first(where: { !feed.isBetter(item, than: $0) }) {
      record(item, .slot, .drop, .outranked, other.campaign.text)
      return nil
    }
    if !settings.canRemove, let other = rivals.first {
      record(item, .slot, .drop, .excluded, other.campaign.text)
      return nil
    }
    guard
      let place = state.screen.place(
        for: item, in: feed, rivals: rivals + stoodFor(by: item), canRemove: settings.canRemove)
    else { return [] }
    if place.cannotReplace { record(item, .remove, .drop, .cannotRemove, item.correlationKey) }
    switch place.refusal {
    case .excluded(let other): record(item, .slot, .drop, .excluded, other.text)
    case .full: record(item, .slot, .drop, .slotFull)
    case nil:
      if place.leaving.isEmpty { record(item, .slot, .pass, .free) }
      return place.leaving
    }
    return nil
  }

  /// The removals that the first waits for are over.
  mutating func continueAfterRemovals() {
    guard let first = state.delivery.pending.first, first.phase == .removing else { return }
    guard state.screen.takePlaceMade() else { return }
    // The notification that was to make place for it may have stayed.
    if let other = state.screen.excluding(first.item, in: feed) ?? rivals(of: first.item).first?.campaign {
      record(first.item, .slot, .drop, .excluded, other.text)
      dropFirst()
    } else if state.screen.isFull(feed.settings.slots) {
      record(first.item, .slot, .drop, .slotFull)
      dropFirst()
    } else {
      record(first.item, .slot, .pass, .free)
      state.delivery.setPhase(.cleared)
    }
    pump()
  }

  // MARK: Holdout

  /// The holdout of an item's campaign, and where the person stands in it; no place where nothing decides. Nil without a holdout.
  func holdout(of item: Item) -> (holdout: Holdout, place: Holdout.Place?)? {
    guard !item.isMessage, let campaign = feed.campaign(item.campaign), let holdout = campaign.holdout else {
      return nil
    }
    return (holdout, holdout.place(of: campaign.id, state.host.properties[holdout.property]))
  }

  /// Whether all but the holdout speaks for showing it. It leaves no trace but its event: it would have been shown, and was not.
  private mutating func isHeldOut(_ item: Item) -> Bool {
    guard let (holdout, place) = holdout(of: item) else { return false }
    guard let place else {
      record(item, .holdout, .pass, .noDraw, holdout.property.text)
      return false
    }
    record(item, .holdout, place.isHeldOut ? .drop : .pass, place.isHeldOut ? .heldOut : .drawn, place.group.text)
    return place.isHeldOut
  }

  // MARK: Order and number

  /// Of those that come at once the best of each group, one for those that stand for each other, and the best of the places that are visited.
  mutating func joined(_ items: [Item]) -> [Item] {
    guard feed.settings.joins else { return items }
    var items = items
    if !feed.settings.exclusion.isEmpty {
      items = best(of: items) { machine, item in machine.feed.window(of: item)?.group }
    }
    if !feed.settings.coalescing.isEmpty,
      items.count > 1 || feed.settings.coalescing.contains(where: { $0.within > 0 })
    {
      let (result, gone) = feed.coalesced(items, displayed: displayedWithTimes, now: now)
      for (item, first) in gone { record(item, .slot, .drop, .coalesced, first.text) }
      items = result
      for index in items.indices {
        if let match = items[index].updates { items[index].matchIdentifier = matchOfUpdate(of: match) }
      }
    }
    return feed.settings.specificWithin == nil ? items : best(of: items) { $0.isVisited($1) ? true : nil }
  }

  private mutating func best<Place: Hashable>(of items: [Item], by place: (Machine, Item) -> Place?) -> [Item] {
    let (best, worse) = feed.best(of: items) { place(self, $0) }
    for (item, other) in worse { record(item, .slot, .drop, .outranked, other.text) }
    return best
  }

  /// The notifications on the screen, and since when. The date of the list stays where it is when the clock is set.
  private var displayedWithTimes: [(item: Item, shown: Milliseconds)] {
    state.screen.displayed.compactMap { item in
      guard !state.screen.isLeaving(item) else { return nil }
      let times = ([item.key] + item.coalesced).compactMap { state.history.lastShown[$0] }
      return (item, times.max() ?? item.sent?.date ?? .min)
    }
  }

  /// Those on the screen that were shown so short a time before that only the better one of them and of an item stays: of an exclusion group
  /// with a time, or of places that are visited, where the most specific wins.
  private func rivals(of item: Item) -> [Item] {
    guard !item.isMessage, !feed.settings.exclusion.isEmpty || feed.settings.specificWithin != nil else { return [] }
    let window = feed.window(of: item)
    let within = isVisited(item) ? feed.settings.specificWithin : nil
    guard window != nil || within != nil else { return [] }
    return displayedWithTimes.filter { other, shown in
      if other.isMessage || isStoodFor(other, by: item) { return false }
      if let window, now - shown <= window.within,
        feed.campaign(other.campaign)?.exclusionGroup == window.group
      {
        return true
      }
      return within.map { now - shown <= $0 && isVisited(other) } ?? false
    }.map(\.item)
  }

  /// Those on the screen that an item stands for.
  private func stoodFor(by item: Item) -> [Item] {
    item.coalesced.isEmpty ? [] : state.screen.displayed.filter { item.coalesced.contains($0.key) }
  }

  /// Whether one on the screen makes way for an item because that stands for it, or is what it says now.
  private func isStoodFor(_ other: Item, by item: Item) -> Bool {
    item.coalesced.contains(other.key) || item.updates == other.matchIdentifier
      || (item.correlationKey != nil && item.correlationKey == other.correlationKey)
  }

  /// Whether it changes one that is on the screen, and is no display of its own.
  private func isUpdate(_ item: Item) -> Bool { item.updates.map { state.screen.item($0) != nil } ?? false }
}
