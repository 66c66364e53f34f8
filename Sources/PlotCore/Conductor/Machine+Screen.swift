/// The notifications on the screen, and how they leave it.
extension Machine {
  mutating func display(_ item: Item) { note(state.screen.show(item)) }

  private mutating func note(_ changes: [ScreenChange]) { for change in changes { output.note(.screen(change)) } }

  /// Hands a notification to the host, whose answer is `confirm`.
  mutating func askToShow(_ item: Item) {
    let change = state.delivery.show(item)
    output.note(.delivery(change))
    output.effects.append(.show(item))
  }

  /// It is gone from the screen, whoever did it.
  mutating func undisplay(_ matchIdentifier: String) {
    guard let item = state.screen.item(matchIdentifier) else { return }
    note(state.screen.end(matchIdentifier, at: now))
    // A campaign that is not in the feed may come back, and its cooldown must not wait for ever then.
    for key in [item.key] + item.coalesced
    where state.history.anchors[key] == .max && feed.campaign(key.campaign)?.cooldownAnchor != .exit {
      setAnchor(key, now)
    }
  }

  /// The person has dismissed a notification: its slot is free. Throws `unknownMatch`, and then nothing has changed.
  public mutating func dismiss(_ matchIdentifier: String, at time: Milliseconds) throws(InputError) -> Output {
    try checkKnown(matchIdentifier)
    output.restart()
    proceed(to: time)
    if let item = state.screen.item(matchIdentifier) {
      emit(.notificationDismissed, item)
      undisplay(matchIdentifier)
      inform(.deleted(item, true, Departure(cause: .dismissed, next: nil)))
    }
    return finish()
  }

  // MARK: What the app does

  /// Takes a notification off the screen, or all of them. Throws `unknownMatch`, and then nothing has changed.
  public mutating func removeDisplayed(_ matchIdentifier: String?, at time: Milliseconds) throws(InputError) -> Output {
    if let matchIdentifier { try checkKnown(matchIdentifier) }
    output.restart()
    proceed(to: time)
    for item in state.screen.displayed where matchIdentifier == nil || item.matchIdentifier == matchIdentifier {
      remove(item, .app)
    }
    return finish()
  }

  /// Changes the content of a notification that is on the screen: the host shows it anew, in the place of the one that it updates. It is
  /// no display that a cooldown or a cap counts. Throws `unknownMatch`, and then nothing has changed.
  public mutating func updateDisplayed(_ kept: Kept, at time: Milliseconds) throws(InputError) -> Output {
    guard state.screen.item(kept.matchIdentifier) != nil else { throw .unknownMatch(kept.matchIdentifier) }
    output.restart()
    proceed(to: time)
    // Something that was due may have taken it off.
    guard var item = state.screen.item(kept.matchIdentifier) else { return finish() }
    item.values.loaded.content = kept.content.keepingUserInfo(of: item.content)
    (item.values.updates, item.sent, item.matchIdentifier) = (
      kept.matchIdentifier, nil, matchOfUpdate(of: kept.matchIdentifier)
    )
    askToShow(checked(item))
    return finish()
  }

  /// One that nothing else has.
  func matchOfUpdate(of matchIdentifier: String) -> String {
    var number = 0
    while true {
      number += 1
      let match = StableIdentifier.make("match", matchIdentifier, "update", String(number))
      let isTaken =
        state.screen.item(match) != nil || state.history.sentNotification(match) != nil
        || state.delivery.intents.contains { $0.matchIdentifier == match }
      if !isTaken { return match }
    }
  }

  /// A display takes the place of the one that it updates.
  mutating func replaceUpdated(by item: Item) {
    guard let match = item.updates, let old = state.screen.item(match) else { return }
    note(state.screen.replace(match))
    emit(.notificationRemoved, old, reason: Removal.Cause.updated.rawValue)
  }

  private func checkKnown(_ matchIdentifier: String) throws(InputError) {
    guard known(matchIdentifier) != nil else { throw .unknownMatch(matchIdentifier) }
  }

  // MARK: Taking it off

  /// Starts to take a notification off the screen. The strategies are asked where a place or a slot is the cause; its sender's
  /// word is not put to the vote.
  mutating func remove(_ item: Item, _ cause: Removal.Cause) {
    guard state.screen.beginRemoval(item, cause) else { return }
    guard settings.canRemove else {
      record(item, .remove, .drop, .cannotRemove)
      finishRemoval(item, isGone: false)
      return
    }
    if !voters.isEmpty, cause == .exit || cause == .slot {
      output.effects.append(
        .vote(Ballot(kind: .delete, item: item, departure: departure(item, cause), voters: voters)))
    } else {
      output.effects.append(.remove(item))
    }
  }

  private func departure(_ item: Item, _ cause: Removal.Cause) -> Departure {
    Departure(cause: cause, next: cause.makesPlace ? state.delivery.pending.first?.item : nil)
  }

  /// Why a notification that is being taken off leaves; nil where none is.
  public func departure(of matchIdentifier: String) -> Departure? {
    state.screen.removal(of: matchIdentifier).map { departure($0.item, $0.cause) }
  }

  /// The strategies' answer to `vote`.
  public mutating func answerVote(_ ballot: Ballot, vetoes: [Identifier]) -> Output {
    output.restart()
    let item = ballot.item
    switch ballot.kind {
    case .create:
      guard let first = state.delivery.pending.first, first.phase == .voting,
        first.item.matchIdentifier == item.matchIdentifier
      else { break }
      decide(item, vetoes: vetoes)
      pump()
    case .delete:
      guard state.screen.removal(of: item.matchIdentifier) != nil else { break }
      if vetoes.isEmpty {
        output.effects.append(.remove(item))
      } else {
        for key in vetoes { record(item, .remove, .drop, .vetoed, key.text) }
        inform(.deleted(item, false, ballot.departure ?? Departure(cause: .exit, next: nil)))
        finishRemoval(item, isGone: false)
      }
    }
    return finish()
  }

  /// The host's answer to `remove`, with what the app's strategies have saved after they were told.
  public mutating func confirmRemoved(
    _ matchIdentifier: String, removed: Bool, states: [Identifier: String] = [:]
  ) -> Output {
    output.restart()
    save(states)
    if let removal = state.screen.removal(of: matchIdentifier) {
      record(removal.item, .remove, removed ? .pass : .drop, removed ? .removed : .removeFailed)
      if removed, state.screen.item(matchIdentifier) != nil {
        undisplay(matchIdentifier)
        emit(.notificationRemoved, removal.item, reason: removal.cause.rawValue)
      }
      finishRemoval(removal.item, isGone: removed)
    }
    return finish()
  }

  private mutating func finishRemoval(_ item: Item, isGone: Bool) {
    state.screen.endRemoval(item, isGone: isGone)
    continueAfterRemovals()
  }

  /// Takes off what is not to be on the screen any more.
  mutating func removeDeparted() {
    for item in state.screen.displayed { if let cause = departure(item) { remove(item, cause) } }
    removeWelcomes()
  }

  func isVisited(_ item: Item) -> Bool { isOn(item.visit, at: item.region) }

  /// How a notification leaves the screen by itself, and its campaign, where the feed has it; nil where it stays. Welcomes have times of their own.
  private func stay(of item: Item) -> (stay: Stay, campaign: Campaign?)? {
    // To look up the campaign of each takes longer.
    guard feed.hasStays || item.stay != .forEver, !item.isMessage else { return nil }
    let campaign = feed.campaign(item.campaign)
    let stay = campaign?.stay ?? item.stay
    return stay == .forEver || campaign?.welcome != nil ? nil : (stay, campaign)
  }

  func leavesByItself(_ item: Item) -> Bool { stay(of: item) != nil }

  /// Why a campaign's notification is not to be on the screen any more, or not to come there; nil where nothing speaks against it.
  func departure(_ item: Item) -> Removal.Cause? {
    guard let stay = stay(of: item)?.stay else { return nil }
    if stay.endsWithCampaign {
      guard let campaign = campaign(of: item) else { return .feed }
      if let end = campaign.end, end <= now { return .ended }
    }
    if stay.endsAtExit, hasLeft(item) { return .exit }
    return expiry(item, stay) <= now ? .expired : nil
  }

  private func hasLeft(_ item: Item) -> Bool {
    switch item.trigger {
    case .enter, .dwelling, .inside: !isVisited(item)
    // It is about the visit that comes.
    case .approaching:
      !visitPosition(item.region).found && !state.presence.approaches.contains { $0.region == item.region }
    case .exit, .absent, .trip: false
    }
  }

  /// When it was there for as long as it should be; `.max` for never.
  private func expiry(_ item: Item, _ stay: Stay) -> Milliseconds {
    var time = stay.expireAt ?? .max
    // The date of the list stays where it is when the clock is set.
    if let after = stay.expireAfter, let sent = item.sent {
      time = min(time, (state.history.lastShown[item.key] ?? sent.date) + after)
    }
    return time
  }

  /// When something leaves the screen by itself.
  var nextDeparture: Milliseconds? {
    var next: Milliseconds?
    // Without a closure, which would copy the machine.
    for item in state.screen.displayed where !state.screen.isLeaving(item) {
      if let time = departureTime(item), time > now { next = min(next ?? time, time) }
    }
    return next
  }

  private func departureTime(_ item: Item) -> Milliseconds? {
    if let time = welcomeRemoval(item) { return time }
    return stay(of: item).map { stay, campaign in
      min(expiry(item, stay), stay.endsWithCampaign ? campaign?.end ?? .max : .max)
    }
  }

  // MARK: Welcome

  /// When a welcome may leave the screen: nil while its own place is visited.
  private func welcomeRemoval(_ item: Item) -> Milliseconds? {
    guard feed.hasStays, let welcome = feed.campaign(item.campaign)?.welcome, let sent = item.sent, !isVisited(item)
    else {
      return nil
    }
    // The date of the list stays where it is when the clock is set.
    return state.presence.visits.isEmpty
      ? now : (state.history.campaignShown[item.campaign] ?? sent.date) + welcome.minimumDisplay
  }

  private mutating func removeWelcomes() {
    for item in state.screen.displayed { if let time = welcomeRemoval(item), time <= now { remove(item, .exit) } }
  }

  /// A place was left while others are visited: a welcome whose network has changed since is shown anew, as it now is.
  mutating func replaceWelcomes() {
    guard !state.presence.visits.isEmpty else { return }
    for item in state.screen.displayed {
      guard let campaign = feed.campaign(item.campaign), campaign.welcome?.offline != nil,
        !state.screen.isLeaving(item),
        let region = feed.region(item.region)
      else { continue }
      // Of another visit to the region it says nothing.
      let visit = isVisited(item) ? visit(at: item.region) : nil
      let candidate =
        visit.map { self.candidate(campaign, region, $0) }
        ?? Candidate(campaign: campaign, region: feed.regions[region], visit: item.visit ?? "")
      guard var other = fill(candidate), other.message != item.message || other.data != item.data,
        !isInFlight(item.key, campaign)
      else { continue }
      other.matchIdentifier = StableIdentifier.make(
        "match", item.visit ?? "", campaign.id.text, "welcome", String(now))
      enqueue([other])
    }
  }

  /// A welcome that wants to be alone leaves the others of its instant out.
  mutating func alone(_ items: [Item]) -> [Item] {
    guard let welcome = feed.lonely(items) else { return items }
    for item in items where item.matchIdentifier != welcome.matchIdentifier {
      record(item, .slot, .drop, .welcomeAlone, welcome.campaign.text)
    }
    return [welcome]
  }

  // MARK: From when a campaign's cooldown counts

  /// When the campaign's cooldown began; nil when it was never shown, `.max` when it has not begun.
  func cooldownStart(_ campaign: Campaign, _ key: ItemKey) -> Milliseconds? {
    let start = state.history.cooldownStart(campaign, key, background: state.host.background)
    guard start == .max, !isCooldownToCome(campaign, key) else { return start }
    return state.history.lastShown[key]
  }

  /// Whether what the cooldown counts from will happen: not where it happened while the campaign had another anchor.
  private func isCooldownToCome(_ campaign: Campaign, _ key: ItemKey) -> Bool {
    switch campaign.cooldownAnchor {
    case .exit: return visitPosition(key.region).found
    case .removed: return state.screen.displayed.contains { $0.key == key || $0.coalesced.contains(key) }
    case .shown, .enter, .background: return true
    }
  }

  /// It was shown: says from when its cooldown counts.
  mutating func startAnchor(_ key: ItemKey) {
    guard feed.hasAnchors, let anchor = feed.campaign(key.campaign)?.cooldownAnchor else { return }
    if let start = anchor.start(shown: now, visitSince: visit(at: key.region)?.since) { setAnchor(key, start) }
  }

  /// `anchors`: those that wait for a region to be left, by region, where that was found for many of them at once.
  mutating func endAnchors(at region: Identifier, _ anchors: [Identifier: [ItemKey]]?) {
    for key in state.history.waitingAnchors(at: region, anchors)
    where feed.campaign(key.campaign)?.cooldownAnchor != .removed { setAnchor(key, now) }
  }

  private mutating func setAnchor(_ key: ItemKey, _ time: Milliseconds) {
    let change = state.history.setAnchor(key, time)
    output.note(.history(change))
  }
}
