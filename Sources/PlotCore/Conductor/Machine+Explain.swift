/// Looking for what stands in the way. Nothing of it changes the state, or is told to anybody.
extension Machine {
  /// `last`: what was last decided about the campaign at a region, where that is remembered. Without a region: the one that is nearest to a
  /// showing. Throws `unknownCampaign` and `unknownRegion`.
  public func explain(
    _ id: Identifier, at region: Identifier? = nil, last: (Identifier) -> Decision? = { _ in nil }
  ) throws(InputError) -> Explanation {
    guard let campaign = feed.campaign(id) else { throw .unknownCampaign(id.text) }
    var machine = self
    machine.settings.recordsDecisions = true
    machine.output = Output()
    guard let region else { return machine.explain(campaign, last) }
    guard let position = feed.region(region) else { throw .unknownRegion(region.text) }
    guard campaign.regions.contains(position) else {
      return Explanation(time: now, campaign: id, region: region, cause: .state(.notAtRegion, [:]))
    }
    return machine.explain(campaign, at: position, last)
  }

  /// At the region that is nearest to a showing: where something goes on; else the nearest one.
  private func explain(_ campaign: Campaign, _ last: (Identifier) -> Decision?) -> Explanation {
    let known = notificationsInFlight
    let busy = campaign.regions.filter { position in
      let id = feed.regions[position].id
      return visitPosition(id).found || crossingPosition(id).found
        || known.isBusy(ItemKey(campaign: campaign.id, region: id))
    }
    let found = busy.map { explain(campaign, at: $0, last) }
    if let best = found.min(by: {
      ($0.rank, $0.nextPossible ?? .max, $0.region) < ($1.rank, $1.nextPossible ?? .max, $1.region)
    }) {
      return best
    }
    let nearest = campaign.regions.min { (distance($0) ?? .infinity) < (distance($1) ?? .infinity) }
    return explain(campaign, at: nearest ?? campaign.regions[0], last)
  }

  /// Metres from the newest fix to the region's edge.
  private func distance(_ position: Int) -> Double? {
    lastFix.flatMap { shape(at: position).edgeDistance(from: $0.coordinate) }
  }

  private func explain(_ campaign: Campaign, at position: Int, _ last: (Identifier) -> Decision?) -> Explanation {
    let region = feed.regions[position].id
    let key = ItemKey(campaign: campaign.id, region: region)
    func explanation(_ cause: Explanation.Cause, _ next: Milliseconds? = nil) -> Explanation {
      var time = now
      if case .decision(let decision) = cause { time = decision.time }
      return Explanation(time: time, campaign: campaign.id, region: region, cause: cause, nextPossible: next)
    }
    func explained(_ state: Explanation.State, _ inputs: Inputs = [:], next: Milliseconds? = nil) -> Explanation {
      explanation(.state(state, inputs), next)
    }
    if let waiting = whatWaits(key) { return explanation(waiting.cause, waiting.next) }
    guard state.host.isEnabled else { return explained(.disabled) }

    let visit = visit(at: region)
    let candidate = self.candidate(campaign, position)
    let held = state.delivery.held.first { $0.campaign == campaign.id && $0.region == region }
    let isHeld = held != nil
    if let due = held?.until, due <= now, heldStanding(at: region, due) == .waits {
      return explanation(.decision(withoutProof(decision(candidate, .presence, .hold, .unproven))))
    }
    var released = candidate
    // Only what had its steps done waits.
    if isHeld, candidate.steps != nil { released.steps = .pass(.steps, .stepsDone) }
    let obstacle = obstacle(to: released, at: now)
    func blocked(by obstacle: Decision) -> Explanation {
      var obstacle = obstacle
      if obstacle.visit == "" { obstacle.visit = nil }
      if isHeld { obstacle.verdict = .hold }
      var next = earliest(released, obstacle)
      // A campaign that starts while one is inside waits for a trigger that is still to come.
      if obstacle.reason == .notStarted, let visit, !isHeld, campaign.repeatEvery == nil, !campaign.isDaily,
        let start = next
      {
        switch campaign.trigger {
        case .enter: next = nil
        case .dwelling, .inside: next = nextTrigger(campaign, visit).flatMap { $0 >= start ? $0 : nil }
        case .exit, .approaching, .absent, .trip: break
        }
      }
      return explanation(.decision(obstacle), next)
    }
    let shown = campaign.welcome == nil ? state.history.lastShown[key] : state.history.campaignShown[campaign.id]
    if let obstacle, obstacle.reason == .onceOnly { return blocked(by: obstacle) }
    if let shown, let visit, shown >= visit.since {
      return explained(.shown, ["lastShown": .time(shown)], next: obstacle.flatMap { earliest(released, $0) })
    }
    // These stand in the way wherever the device is.
    let isLasting = [.steps, .visits, .validity, .segmentation, .repeat, .content].contains(obstacle?.step)
    if let obstacle, isLasting || isHeld { return blocked(by: obstacle) }

    if campaign.absence != nil {
      switch absenceState(campaign) {
      case .state(let state, let inputs, let due):
        let other = due.flatMap { self.obstacle(to: released, at: $0) }
        return explained(state, inputs, next: other.map { earliest(released, $0) } ?? due)
      case .unproven: return explanation(.decision(withoutProof(decision(candidate, .presence, .hold, .unproven))))
      }
    }
    if let moment = campaign.trigger.tripMoment {
      let (state, inputs) = trip(to: region, moment)
      return explained(state, inputs)
    }
    guard let visit else {
      let crossing = crossingPosition(region)
      if crossing.found {
        let pending = state.presence.crossings[crossing.position]
        return explained(
          .entering,
          [
            "since": .time(pending.since), "fixes": .integer(pending.fixes),
            "needed": .integer(noise(at: position).fixesToEnter(isResting: track.isResting)),
          ], next: state.presence.due(pending, visitRules))
      }
      guard lastFix != nil || state.presence.hasBaseline else { return explained(.noFix) }
      if let last = last(region) { return explanation(.decision(last), last.nextPossible) }
      if let (reason, inputs) = observations.objection(toBeingIn: shape(at: position), noise(at: position)) {
        return explanation(
          .decision(
            Decision(time: now, region: region, step: .presence, verdict: .hold, reason: reason, inputs: inputs)))
      }
      return explained(.notInside, ["distance": distance(position).flatMap { $0 > 0 ? .tenths($0) : nil }])
    }
    let since: Inputs = ["since": .time(visit.since)]
    func later(_ state: Explanation.State, _ inputs: Inputs, at due: Milliseconds) -> Explanation {
      let obstacle = self.obstacle(to: released, at: due)
      let next = obstacle.map { earliest(released, $0) } ?? due
      return explained(state, ["until": .time(due)] + inputs, next: next)
    }
    switch campaign.trigger {
    case .enter where visit.isSilent: return explained(.silent, since)
    case .dwelling, .inside:
      if let due = nextTrigger(campaign, visit) {
        let inputs: Inputs = [
          "minutes": campaign.trigger.insideMinute == nil ? .integer(campaign.trigger.dwellingMinutes) : nil,
          "insideAt": campaign.trigger.insideMinute.map { .text(LocalTime.clock(minute: $0)) },
        ]
        return later(campaign.trigger.insideMinute == nil ? .dwelling : .timeOfDay, inputs, at: due)
      }
      if !visit.countsDwelling { return explained(.silent, since) }
    case .exit: return explained(.exit, since)
    case .enter, .approaching, .absent, .trip: break
    }
    if let answer = state.delivery.prefiltered.find(campaign.id, region),
      answer.item == nil
    {
      return explanation(.decision(decision(candidate, .filter, .drop, .filteredOut)))
    }
    if let last = last(region), last.visit == visit.id { return explanation(.decision(last), last.nextPossible) }
    if let obstacle { return blocked(by: obstacle) }
    return explained(.counted, since)
  }

  /// The trip to a region that a campaign waits for.
  private func trip(to region: Identifier, _ moment: TripMoment) -> (Explanation.State, Inputs) {
    guard let trip = state.trips.all.first(where: { $0.plan.region == region }) else { return (.noTrip, [:]) }
    return (
      .trip,
      [
        "trip": .text(trip.id.text), "since": .time(trip.started), "tripEvent": .text(moment.rawValue),
        "until": standing(of: trip).map { .time($0.arrival) },
      ]
    )
  }

  private enum AbsenceState {
    case state(Explanation.State, Inputs, Milliseconds?)
    case unproven
  }

  /// The state of the absence that a campaign waits for.
  private func absenceState(_ campaign: Campaign) -> AbsenceState {
    guard let (watch, rule, span) = awaited(campaign) else { return .state(.noFix, [:], nil) }
    guard let span else { return .state(.absenceReported, ["since": watch.reported.map { .time($0) }], nil) }
    let regions = regionIDs(of: campaign)
    if isPaused(rule, span, regions), let since = state.presence.newestVisit(regions) {
      return .state(.exit, ["since": .time(since)], nil)
    }
    if span.to <= now { return .unproven }
    return .state(.absence, ["since": .time(span.from), "until": .time(span.to)], span.to)
  }

  /// A notification that is on its way.
  private func whatWaits(_ key: ItemKey) -> (cause: Explanation.Cause, next: Milliseconds?)? {
    switch state.delivery.place(where: { $0.key == key }) {
    case .show: return (.state(.showing, [:]), nil)
    case .turn: return (.state(.turn, [:]), nil)
    case .quiet:
      guard let waiting = state.delivery.waiting.first(where: { $0.item.key == key }) else { return nil }
      if waiting.until <= now {
        return (.decision(withoutProof(decision(waiting.item, .presence, .hold, .unproven))), nil)
      }
      let name = limits(waiting.item).quiet()?.name
      let held = decision(waiting.item, .quiet, .hold, .quietHeld, name, nextPossible: waiting.until)
      return (.decision(held), waiting.until)
    // It may be asked at the enter.
    case .filter, nil:
      let item = state.delivery.batches.lazy.flatMap(\.items).first { $0.key == key }
      return item.map { (.decision(decision($0, .filter, .hold, .asked)), nil) }
    }
  }

  /// A decision about something that is due, and waits for a fix.
  private func withoutProof(_ decision: Decision) -> Decision {
    var decision = decision
    decision.inputs = [
      "newest": lastFix.map { .time($0.time) }, "deadline": .time(observations.fixRequest),
    ]
    return decision
  }

  /// When the trigger comes that has not come in this visit.
  private func nextTrigger(_ campaign: Campaign, _ visit: Visit) -> Milliseconds? {
    guard visit.countsDwelling else { return nil }
    var next: Milliseconds?
    switch campaign.trigger {
    case .dwelling(let minutes):
      state.presence.forEachDwelling(of: visit, visitRules) { length, due in if length == minutes { next = due } }
    case .inside:
      state.presence.forEachInside(of: visit, visitRules) { position, _, due in
        if feed.campaigns[position].id == campaign.id { next = due }
      }
    case .enter, .exit, .approaching, .absent, .trip: break
    }
    return next
  }

  /// The first thing that stands in the way of a candidate at a time: a copy takes it through the steps. The app's filter and its strategies
  /// are not asked.
  private func obstacle(to candidate: Candidate, at time: Milliseconds) -> Decision? {
    var trial = self
    trial.state.newest = max(now, time)
    trial.inputTime = trial.state.newest
    if trial.isEligible(candidate), let item = trial.fill(candidate) {
      if item.isGeotrigger {
        if settings.geotriggersKeepCooldown { _ = trial.passesCooldown(item) }
      } else {
        trial.settings.strategies = []
        trial.state.delivery.clearTheWay()
        trial.state.screen.forgetRemovals()
        trial.enqueue([item])
      }
    }
    for case .decision(let decision) in trial.output.effects
    where decision.verdict != .pass && decision.step != .remove && decision.step != .attachment { return decision }
    return nil
  }

  /// When nothing stands in the way any more, as far as that has a time.
  private func earliest(_ candidate: Candidate, _ obstacle: Decision) -> Milliseconds? {
    var (next, time) = (obstacle.nextPossible, obstacle.time)
    for _ in 0..<64 {
      guard let due = next, due > time else { return nil }
      guard let other = self.obstacle(to: candidate, at: due) else { return due }
      (next, time) = (other.nextPossible, due)
    }
    return nil
  }
}
