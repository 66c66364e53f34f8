/// Dwelling campaigns whose filter is asked at the enter, as on iOS: what the app makes of it is kept until the time has come.
extension Machine {
  /// Asks about dwellings to come, those that would be eligible apart from their times.
  mutating func askAtEnter(_ candidates: [Candidate]) {
    guard !candidates.isEmpty, settings.hasFilter, feed.settings.notificationsEnabled else { return }
    if putOff(askedAtEnter: candidates) { return }
    withInFlight(for: candidates.count) { $0.askAtEnter(few: candidates) }
  }

  private mutating func askAtEnter(few candidates: [Candidate]) {
    var items: [Item] = []
    for candidate in withinLimit(candidates) {
      let campaign = candidate.campaign
      let key = ItemKey(campaign: campaign.id, region: candidate.region.id)
      guard candidate.steps?.passes ?? true, campaign.visits?.counts(candidate.ordinal) ?? true,
        Eligibility.segmentation(campaign, context(candidate.region)).passes,
        Eligibility.repetition(
          campaign, lastShown: cooldownStart(campaign, key), isInFlight: isInFlight(key, campaign), at: now
        ).passes, campaign.kind != .notification(.landingPage), campaign.kind != .geotrigger,
        let item = fill(candidate)
      else { continue }
      items.append(item)
    }
    ask(feed.inOrder(items), isGeotrigger: false, isAtEnter: true)
  }

  /// The time of a dwelling has come, and the app has not answered what it was asked at the enter.
  mutating func isAskedAtEnter(_ candidate: Candidate) -> Bool {
    guard candidate.campaign.asksAtEnter(settings.filterAtEnter), state.delivery.batches.contains(where: \.isAtEnter)
    else { return false }
    let match = candidate.matchIdentifier
    let isAsked =
      inFlight.map { $0.deadlineAtEnter(match) != nil }
      ?? state.delivery.batches.contains { batch in
        batch.isAtEnter && batch.items.contains { $0.matchIdentifier == match }
      }
    guard isAsked else { return false }
    record(candidate, .filter, .hold, .asked)
    return true
  }

  /// Takes an eligible candidate on as the app has answered at the enter; false when it was not asked then.
  mutating func passPrefiltered(_ candidate: Candidate) -> Bool {
    guard candidate.campaign.asksAtEnter(settings.filterAtEnter),
      let answer = state.delivery.prefiltered.find(candidate.campaign.id, candidate.region.id)
    else { return false }
    endPrefiltered(answer)
    if let item = answer.item {
      record(candidate, .filter, .pass, .kept)
      enqueue([item])
    } else {
      record(candidate, .filter, .drop, .filteredOut)
    }
    return true
  }

  /// The app keeps a notification about which it was asked at the enter.
  mutating func passAtEnter(_ item: Item, _ reason: Reason) {
    record(item, .filter, .pass, reason)
    guard isVisited(item) else {
      record(item, .filter, .drop, .left)
      return
    }
    rememberPrefiltered(item, isKept: true)
    let visit = visitPosition(item.region)
    guard state.presence.visits[visit.position].dwelt.contains(item.trigger.dwellingMinutes),
      let campaign = feed.campaign(item.campaign), let region = feed.region(item.region)
    else { return }
    // Its time has come while the app thought about it.
    consider([candidate(campaign, region, state.presence.visits[visit.position])])
  }

  mutating func rememberPrefiltered(_ item: Item, isKept: Bool) {
    let answer = Prefiltered(campaign: item.campaign, region: item.region, item: isKept ? item : nil)
    guard isVisited(item) else { return }
    let change = state.delivery.remember(answer)
    output.note(.delivery(change))
  }

  private mutating func endPrefiltered(_ answer: Prefiltered) {
    let change = state.delivery.end(answer)
    output.note(.delivery(change))
  }

  /// The visit is over before the time of a dwelling came.
  mutating func dropPrefiltered(in visit: Visit) {
    if state.delivery.prefiltered.isEmpty { return }
    for answer in state.delivery.prefiltered.all(at: visit.region) {
      endPrefiltered(answer)
      if let item = answer.item { record(item, .filter, .drop, .left) }
    }
  }
}
