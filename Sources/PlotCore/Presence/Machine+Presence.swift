/// From fixes to visits.
extension Machine {
  /// Compares a fix with the visits in progress and with the circles around it.
  mutating func follow(_ fix: Fix) {
    var exits: [Int] = []
    var held: [(region: Int, reason: Reason, visit: String?)] = []
    for (position, visit) in state.visits.enumerated() {
      guard let region = feed.region(visit.region),
        let edge = feed.regions[region].shape.edgeDistance(from: fix.coordinate)
      else { continue }
      let size = feed.regions[region].shape.size
      switch settings.noise.answer(distance: edge + size, radius: size, accuracy: fix.accuracy, visiting: true) {
      case .inside: break
      case .outside: exits.append(position)
      case .hold(let reason): held.append((region, reason, visit.id))
      }
    }
    var enters: [Int] = []
    feed.index.forEachContaining(fix.coordinate) { region, edge in
      guard !state.visitPosition(feed.regions[region].id).found else { return }
      let size = feed.regions[region].shape.size
      switch settings.noise.answer(distance: edge + size, radius: size, accuracy: fix.accuracy, visiting: false) {
      case .inside: enters.append(region)
      case .outside: break
      case .hold(let reason): held.append((region, reason, nil))
      }
    }
    for hold in held {
      record(
        Decision(
          time: now, region: feed.regions[hold.region].id, visit: hold.visit, step: .presence, verdict: .hold,
          reason: hold.reason))
    }
    cross(
      exits.map { Crossing(region: state.visits[$0].region, isEnter: false, since: now, coordinate: fix.coordinate) }
        + enters.map { Crossing(region: feed.regions[$0].id, isEnter: true, since: now, coordinate: fix.coordinate) })
    settleNewRegions(
      undecided: held.filter { $0.visit == nil && $0.reason == .accuracy }.map { feed.regions[$0.region].id })
  }

  /// A first fix has been seen. A region that it was too inaccurate for is met anew at the next.
  private mutating func settleNewRegions(undecided: [Identifier]) {
    let unmet = Set(undecided.filter { !state.hasBaseline || state.newRegions.contains($0) })
    if !state.hasBaseline {
      state.hasBaseline = true
      output.changes.append(.baseline(true))
    }
    if unmet != state.newRegions {
      state.newRegions = unmet
      output.changes.append(.newRegions(unmet))
    }
  }

  /// Visits begin and end at one moment: exits first, then enters, each by id. What is so already is left as it is.
  mutating func cross(_ crossings: [Crossing]) {
    var candidates: [Candidate] = []
    var enterCandidates: [Candidate] = []
    var hasEnded = false
    for crossing in crossings.sorted(by: { ($0.isEnter ? 1 : 0, $0.region) < ($1.isEnter ? 1 : 0, $1.region) }) {
      let (position, isVisited) = state.visitPosition(crossing.region)
      guard isVisited != crossing.isEnter else { continue }
      if crossing.isEnter {
        begin(crossing, &candidates, &enterCandidates)
      } else {
        end(state.visits[position], crossing, &candidates)
        hasEnded = true
      }
    }
    consider(candidates)
    askAtEnter(enterCandidates)
    if hasEnded {
      removeLeft()
      replaceWelcomes()
    }
  }

  private mutating func begin(
    _ crossing: Crossing, _ candidates: inout [Candidate], _ enterCandidates: inout [Candidate]
  ) {
    let region = crossing.region
    guard let position = feed.region(region) else { return }
    let isInitial = !crossing.isSeen && (!state.hasBaseline || state.newRegions.contains(region))
    let ordinal = (state.ordinals[region] ?? 0) + 1
    let visit = Visit(
      region: region, ordinal: ordinal, entered: crossing.since, isSilent: isInitial && settings.initial == .none)
    state.ordinals[region] = ordinal
    state.visits.insert(visit, at: state.visitPosition(region).position)
    output.changes.append(.ordinal(region, ordinal))
    output.changes.append(.visit(visit))
    emit(visit.isSilent ? .regionInside : .regionEnter, region: region, visit: visit.id, at: now) {
      $0.ordinal = ordinal
      $0.tell(crossing)
    }
    tellMonitoring(visit)
    guard !visit.isSilent else { return }
    candidates += triggered(position, visit) { $0 == .enter }
    enterCandidates += triggered(position, visit) { $0.dwellingMinutes > 0 }.filter(\.campaign.filtersAtEnter)
    advanceChains(region, .enter)
  }

  private mutating func end(_ visit: Visit, _ crossing: Crossing, _ candidates: inout [Candidate]) {
    remove(visit)
    emit(.regionExit, region: visit.region, visit: visit.id, at: now) {
      $0.ordinal = visit.ordinal
      $0.tell(crossing)
    }
    guard let position = feed.region(visit.region) else { return }
    candidates += triggered(position, visit) { $0 == .exit }
    advanceChains(visit.region, .exit)
  }

  private mutating func remove(_ visit: Visit) {
    state.visits.remove(at: state.visitPosition(visit.region).position)
    output.changes.append(.visitEnded(visit.region))
    dropHeld(in: visit)
    dropWaiting(in: visit)
    dropPrefiltered(in: visit)
    endAnchors(at: visit.region)
  }

  /// The campaigns of a region that wait for this, as candidates.
  private mutating func triggered(_ position: Int, _ visit: Visit, _ matches: (Trigger) -> Bool) -> [Candidate] {
    var candidates: [Candidate] = []
    for campaign in feed.campaigns(at: position) where matches(feed.campaigns[campaign].trigger) {
      candidates.append(candidate(feed.campaigns[campaign], position, visit))
    }
    return candidates
  }

  func candidate(_ campaign: Campaign, _ region: Int, _ visit: Visit) -> Candidate {
    Candidate(
      campaign: campaign, region: feed.regions[region], visit: visit.id, ordinal: visit.ordinal,
      steps: steps(of: campaign))
  }

  // MARK: Dwelling

  /// Calls `body` with each dwelling time, in minutes, that a visit still waits for; a time may come more than once.
  func forEachDwelling(of visit: Visit, _ body: (Int64) -> Void) {
    guard let position = feed.region(visit.region) else { return }
    for campaign in feed.campaigns(at: position) {
      if case .dwelling(let minutes) = feed.campaigns[campaign].trigger, !visit.dwelt.contains(minutes) {
        body(minutes)
      }
    }
    for minutes in feed.chains.dwellings(at: visit.region) where !visit.dwelt.contains(minutes) { body(minutes) }
  }

  /// Tells each dwelling that is due now, and each time of day.
  mutating func tellDwellings() {
    var candidates: [Candidate] = []
    for position in state.visits.indices where !state.visits[position].isSilent {
      let visit = state.visits[position]
      var due: [Int64] = []
      forEachDwelling(of: visit) { minutes in
        if visit.since + minutes * 60_000 <= now, !due.contains(minutes) { due.append(minutes) }
      }
      for minutes in due.sorted() {
        state.visits[position].dwelt.append(minutes)
        emit(.regionDwell, region: visit.region, visit: visit.id, at: now) {
          $0.ordinal = visit.ordinal
          $0.dwellingMinutes = minutes
        }
        if let region = feed.region(visit.region) {
          candidates += triggered(region, visit) { $0 == .dwelling(minutes: minutes) }
        }
        advanceChains(visit.region, .dwelling(minutes: minutes))
      }
      if !due.isEmpty {
        state.visits[position].dwelt.sort()
        output.changes.append(.visit(state.visits[position]))
      }
      candidates += tellInsides(position)
    }
    consider(candidates)
  }

  // MARK: What ends visits in silence

  private mutating func endInSilence(_ visit: Visit, _ reason: Reason) {
    remove(visit)
    record(
      Decision(time: now, region: visit.region, visit: visit.id, step: .presence, verdict: .drop, reason: reason))
  }

  mutating func forgetPresence() {
    dropAllWaiting()
    for visit in state.visits { endInSilence(visit, .disabled) }
    forgetChains()
    state.hasBaseline = false
    output.changes.append(.baseline(false))
    if !state.newRegions.isEmpty {
      state.newRegions = []
      output.changes.append(.newRegions([]))
    }
  }

  /// A region whose shape is unchanged keeps its visit; others are met anew at the next fix.
  mutating func replaceFeed(by new: Feed) {
    let old = feed
    func isKept(_ id: Identifier) -> Bool {
      guard let before = old.region(id), let after = new.region(id) else { return false }
      return old.regions[before].shape == new.regions[after].shape
    }
    for visit in state.visits where !isKept(visit.region) { endInSilence(visit, .regionRemoved) }
    if state.hasBaseline {
      var unmet = state.newRegions.filter { new.region($0) != nil }
      for region in new.regions where !isKept(region.id) { unmet.insert(region.id) }
      if unmet != state.newRegions {
        state.newRegions = unmet
        output.changes.append(.newRegions(unmet))
      }
    }
    keepChains(for: new)
    feed = new
    schedule()
  }
}
