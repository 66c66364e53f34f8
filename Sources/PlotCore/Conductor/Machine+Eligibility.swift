/// Whether a candidate may be shown at all, and what waits until it may.
extension Machine {
  /// Takes a candidate through the steps; holds it where its campaign or its visit allows.
  mutating func isEligible(_ candidate: Candidate) -> Bool {
    let campaign = candidate.campaign
    if let steps = candidate.steps, !passes(candidate, steps) { return false }
    if let rule = campaign.visits, !passes(candidate, Eligibility.visits(rule, ordinal: candidate.ordinal)) {
      return false
    }
    if let crossing = candidate.crossing, let rule = campaign.crossing,
      !passes(candidate, Eligibility.crossing(rule, crossing.values))
    {
      return false
    }
    guard feed.settings.notificationsEnabled || campaign.kind == .geotrigger else {
      record(candidate, .validity, .drop, .notificationsDisabled)
      return false
    }
    guard passes(candidate, Eligibility.validity(campaign, at: now)) else { return false }
    let times = Eligibility.times(campaign, candidate.region, device: state.host.zone, at: now)
    if times.verdict == .hold { hold(candidate, until: times.nextPossible) }
    guard passes(candidate, times) else { return false }
    // Most campaigns have no segmentation, and the context counts a reference of each table.
    guard
      campaign.segmentation == nil
        ? passes(candidate, .pass(.segmentation, .matched))
        : passes(candidate, Eligibility.segmentation(campaign, context(candidate.region)))
    else {
      if campaign.trigger.isInVisit { hold(candidate, until: nil) }
      return false
    }
    let key = ItemKey(campaign: campaign.id, region: candidate.region.id)
    return passes(
      candidate,
      Eligibility.repetition(
        campaign, lastShown: cooldownStart(campaign, key), isInFlight: isInFlight(key, campaign), at: now))
  }

  @inline(__always)
  private mutating func passes(_ candidate: Candidate, _ outcome: Eligibility.Outcome) -> Bool {
    if settings.recordsDecisions { record(candidate, outcome) } else { lastReason = outcome.reason }
    return outcome.passes
  }

  @inline(never)
  private mutating func record(_ candidate: Candidate, _ outcome: Eligibility.Outcome) {
    record(
      candidate, outcome.step, outcome.verdict, outcome.reason, outcome.detail, outcome.nextPossible)
  }

  func context(_ region: Region) -> SegmentContext {
    SegmentContext(
      time: now, country: region.country, travel: region.travel, properties: state.host.properties,
      shown: state.history.campaignShown, opened: state.history.lastOpened)
  }

  /// Waiting for the app's answer, or for the host's.
  func isInFlight(_ key: ItemKey, _ campaign: Campaign) -> Bool {
    if let inFlight { return inFlight.find(key, campaign) != nil }
    // There is one welcome, wherever it is.
    func isSame(_ item: Item) -> Bool { campaign.isWelcome ? item.campaign == key.campaign : item.key == key }
    return state.delivery.place(where: isSame) != nil
  }

  // MARK: Waiting

  private mutating func hold(_ candidate: Candidate, until: Milliseconds?) {
    let change = state.delivery.hold(
      Held(campaign: candidate.campaign.id, region: candidate.region.id, until: until))
    output.note(.delivery(change))
  }

  /// The fate of something that is held for a visit to a region, and is due (docs/rules.md, Evidence has an age).
  func heldStanding(at region: Identifier, _ due: Milliseconds) -> Proof.Standing {
    let (position, found) = visitPosition(region)
    let rules = visitRules
    guard found, state.presence.needsProof(state.presence.visits[position], rules) else { return .proven }
    return rules.proof.standing(due, isLeaving: state.presence.crossingPosition(region).found)
  }

  /// When it must be looked at.
  func heldWakeup(at region: Identifier, _ due: Milliseconds) -> Milliseconds {
    due > now || heldStanding(at: region, due) == .proven ? due : due + settings.proof.staleAfter
  }

  /// Ends the waiting of those that `isChosen` picks; they are candidates again. One whose time or property has come, and of which no fix says
  /// that the device is still there, waits for that.
  mutating func reconsider(_ isChosen: (Held) -> Bool) {
    let chosen = state.delivery.takeHeld(isChosen)
    guard !chosen.isEmpty else { return }
    var candidates: [(position: Int, candidate: Candidate)] = []
    for held in chosen {
      if isUnproven(held) { continue }
      noteEnd(of: held)
      let visit = visitPosition(held.region)
      guard visit.found, let region = feed.region(held.region),
        let campaign = feed.campaignPosition(held.campaign, at: region),
        state.presence.visits[visit.position].hasTriggered(feed.campaigns[campaign])
      else {
        dropRemoved(held)
        continue
      }
      var candidate = candidate(feed.campaigns[campaign], region, state.presence.visits[visit.position])
      // Only what had its steps done waits.
      if candidate.steps != nil { candidate.steps = .pass(.steps, .stepsDone) }
      candidates.append((campaign, candidate))
    }
    // As at an enter: by region, and at one region in the order of the feed.
    candidates.sort { ($0.candidate.region.id, $0.position) < ($1.candidate.region.id, $1.position) }
    consider(candidates.map(\.candidate))
  }

  /// Whether no fix says that the device is still where something waited for a time: then it waits on, or is dropped.
  private mutating func isUnproven(_ held: Held) -> Bool {
    guard let until = held.until ?? (matches(held) ? now : nil) else { return false }
    let due = min(until, now)
    switch heldStanding(at: held.region, due) {
    case .proven: return false
    case .waits:
      heldWantsFix = true
      let change = state.delivery.hold(Held(campaign: held.campaign, region: held.region, until: due))
      if due != held.until { output.note(.delivery(change)) }
    case .stale:
      noteEnd(of: held)
      recordStale(campaign: held.campaign, held.region, visit(at: held.region)?.id, due)
    }
    return true
  }

  /// Whether what waited for a property has it now.
  private func matches(_ held: Held) -> Bool {
    guard let region = feed.region(held.region), let campaign = feed.campaignPosition(held.campaign, at: region) else {
      return false
    }
    return Eligibility.segmentation(feed.campaigns[campaign], context(feed.regions[region])).passes
  }

  /// Ends the waiting of those that `isChosen` picks, because a new feed has changed their campaign.
  mutating func release(where isChosen: (Held) -> Bool) {
    for held in state.delivery.takeHeld(isChosen) {
      noteEnd(of: held)
      dropRemoved(held)
    }
  }

  /// A new feed has taken a campaign away that waited for its times, or changed what it waits for.
  private mutating func dropRemoved(_ held: Held) {
    guard held.until != nil else { return }
    record(
      Decision(
        time: now, campaign: held.campaign, region: held.region, visit: visit(at: held.region)?.id, step: .times,
        verdict: .drop, reason: .campaignRemoved))
  }

  private mutating func noteEnd(of held: Held) {
    output.note(.delivery(.heldEnded(campaign: held.campaign, region: held.region)))
  }

  /// The visit is over: what waited for it waits no more.
  mutating func dropHeld(in visit: Visit) {
    for held in state.delivery.takeHeld(at: visit.region) {
      noteEnd(of: held)
      guard held.until != nil else { continue }
      record(
        Decision(
          time: now, campaign: held.campaign, region: held.region, visit: visit.id, step: .times, verdict: .drop,
          reason: .left))
    }
  }

  /// Takes another zone for the device; what waits for a time is looked at anew.
  public mutating func setTimeZone(_ zone: ZoneRules, at time: Milliseconds) -> Output {
    output.restart()
    proceed(to: time)
    if learn(.zone(zone)) {
      reconsider { $0.until != nil }
      reconsiderWaiting()
    }
    return finish()
  }
}
