/// Visits: how they begin, go on and end.
extension Machine {
  func visitPosition(_ region: Identifier) -> (position: Int, found: Bool) { state.presence.visitPosition(region) }

  /// The visit to a region that is on; nil for none.
  func visit(at region: Identifier) -> Visit? {
    let (position, found) = visitPosition(region)
    return found ? state.presence.visits[position] : nil
  }

  /// Whether the visit of this id is on.
  func isOn(_ visit: String?, at region: Identifier) -> Bool {
    let (position, found) = visitPosition(region)
    return found && state.presence.visits[position].id == visit
  }

  func crossingPosition(_ region: Identifier) -> (position: Int, found: Bool) {
    state.presence.crossingPosition(region)
  }

  /// The place among the visits of the one to a region of the feed; nil for none. Numbers are compared, for few visits.
  private func visitPosition(_ region: Identifier, at place: Int?) -> Int? {
    if let place, state.presence.visits.count <= 16 {
      return state.presence.visits.indices.first { state.presence.visits[$0].place == place }
    }
    let (position, found) = visitPosition(region)
    return found ? position : nil
  }

  /// Visits begin and end at one moment: exits first, then enters, each by id; then those of groups, in the same way. What is so already is left
  /// as it is.
  /// `motion`: of the device that crosses; nobody's where nothing is known of it.
  mutating func cross(_ crossings: [Crossing], _ motion: Motion = Motion()) {
    // Once, and not as they grow.
    if !crossings.isEmpty {
      if output.listsChanges { output.changes.reserveCapacity(8) }
      output.effects.reserveCapacity(4)
    }
    var candidates: [Candidate] = []
    var enterCandidates: [Candidate] = []
    var happened: [Crossing] = []
    var hasExit = take(crossings, motion, &happened, &candidates, &enterCandidates)
    if !feed.tables.groups.isEmpty {
      var ofGroups: [Crossing] = []
      if take(groupCrossings(after: happened), motion, &ofGroups, &candidates, &enterCandidates) { hasExit = true }
      if !state.trips.isEmpty { candidates += tripCandidates(after: crossings + ofGroups) }
    } else if !state.trips.isEmpty {
      candidates += tripCandidates(after: crossings)
    }
    consider(candidates)
    askAtEnter(enterCandidates)
    if hasExit {
      removeDeparted()
      replaceWelcomes()
    }
  }

  /// Returns whether one of them was an exit. What was not so already is added to `happened`, if there are groups to ask for it.
  private mutating func take(
    _ crossings: [Crossing], _ motion: Motion, _ happened: inout [Crossing], _ candidates: inout [Candidate],
    _ enterCandidates: inout [Candidate]
  ) -> Bool {
    var hasExit = false
    let inOrder =
      crossings.count < 2
      ? crossings : crossings.sorted { $0.isEnter == $1.isEnter ? $0.region < $1.region : $1.isEnter }
    // For many the list of visits changes once, behind all of them: nothing on the way asks for it.
    let isOne = inOrder.count == 1
    var begun: [Visit] = []
    var ended: [Int] = []
    let anchors =
      crossings.count > 16 && !state.history.anchors.isEmpty
      ? Dictionary(grouping: state.history.anchors.keys, by: \.region) : nil
    for crossing in inOrder {
      let visit = visitPosition(crossing.region, at: crossing.place)
      guard (visit != nil) != crossing.isEnter else { continue }
      if let visit {
        if !isOne { ended.append(visit) }
        let ending = isOne ? state.presence.endVisit(at: visit) : state.presence.visits[visit]
        end(ending, crossing, motion, anchors, &candidates)
        hasExit = true
      } else if let visit = begin(crossing, motion, &candidates, &enterCandidates) {
        if isOne {
          state.presence.begin(visit)
        } else {
          begun.append(visit)
        }
      }
      if !feed.tables.groups.isEmpty { happened.append(crossing) }
    }
    state.presence.change(begun: begun, ended: ended)
    return hasExit
  }

  private mutating func begin(
    _ crossing: Crossing, _ motion: Motion, _ candidates: inout [Candidate], _ enterCandidates: inout [Candidate]
  ) -> Visit? {
    let region = crossing.region
    guard let position = crossing.place ?? feed.region(region) else { return nil }
    let isGroup = feed.regions[position].shape.isGroup
    let isInitial =
      !crossing.isSeen && (isGroup || !state.presence.hasBaseline || state.presence.newRegions.contains(region))
    let ordinal = state.presence.countVisit(region)
    let initial = initialPolicy(at: position)
    let isSilent = isInitial && initial != .enter
    var visit = Visit(
      region: region, ordinal: ordinal, entered: crossing.since, isSilent: isSilent,
      countsDwelling: !isSilent || initial == .dwellOnly)
    visit.stand(at: position, in: feed)
    // A silent one has an event of its own.
    if isInitial, !isSilent, settings.recordsInitial {
      record(
        Decision(
          time: now, region: region, visit: visit.id, step: .presence, verdict: .pass,
          reason: isFirstFix(at: position) ? .firstFix : .newRegion))
    }
    output.note(.presence(.ordinal(region, ordinal)))
    output.note(.presence(.visit(visit)))
    emit(visit.isSilent ? .regionInside : .regionEnter, region: region, visit: visit.id, at: now) {
      $0.ordinal = ordinal
      $0.place = position
      $0.take(crossing)
    }
    informOfVisit(visit)
    if visit.countsDwelling, crossing.source != .passage {
      add(&enterCandidates, position, visit) { [filterAtEnter = settings.filterAtEnter] in
        $0.asksAtEnter(filterAtEnter)
      }
    }
    guard !visit.isSilent else { return visit }
    let first = candidates.count
    add(&candidates, position, visit) { $0.trigger == .enter && crossing.counts(for: $0) }
    if !feed.passable.isEmpty { note(crossing, motion, at: position, of: &candidates[first...]) }
    advanceChains(region, .enter)
    return visit
  }

  /// The policy for a device that is found inside: a region's own one counts, or else whether the first fix or a feed update has found it.
  private func initialPolicy(at position: Int) -> InitialPolicy {
    if let own = feed.regions[position].initial { return own }
    return isFirstFix(at: position) ? settings.initial : settings.initialOnUpdate
  }

  /// Whether the first fix finds the device in a region, or the first one that can tell, and no feed update.
  private func isFirstFix(at position: Int) -> Bool {
    !state.presence.hasBaseline || observations.isUnmet(feed.regions[position].id)
  }

  private mutating func end(
    _ visit: Visit, _ crossing: Crossing, _ motion: Motion, _ anchors: [Identifier: [ItemKey]]?,
    _ candidates: inout [Candidate]
  ) {
    if visit.isTimed, visit.countsDwelling { dropUnproven(visit, before: crossing.since) }
    forget(visit, anchors)
    noteAbsence(after: visit, until: crossing.since)
    emit(.regionExit, region: visit.region, visit: visit.id, at: now) {
      $0.ordinal = visit.ordinal
      $0.place = visit.place
      $0.take(crossing)
    }
    guard let position = visit.place else { return }
    let first = candidates.count
    add(&candidates, position, visit) { $0.trigger == .exit && crossing.counts(for: $0) }
    if !feed.passable.isEmpty { note(crossing, motion, at: position, of: &candidates[first...]) }
    advanceChains(visit.region, .exit)
  }

  /// Forgets everything that goes with a visit that is over.
  private mutating func forget(_ visit: Visit, _ anchors: [Identifier: [ItemKey]]? = nil) {
    output.note(.presence(.visitEnded(visit.region)))
    dropHeld(in: visit)
    dropWaiting(in: visit)
    dropPrefiltered(in: visit)
    endAnchors(at: visit.region, anchors)
    endApproaches(of: visit.region)
    forgetCrossing(visit.region)
    forgetHeard(visit.region)
    observations.endWatch(visit.region)
  }

  /// Adds the campaigns of a region that are meant by this.
  private func add(
    _ candidates: inout [Candidate], _ position: Int, _ visit: Visit, _ isMeant: (Campaign) -> Bool
  ) {
    for place in feed.tables.campaigns.places(position) {
      let campaign = feed.campaigns[feed.tables.campaigns.positions[place]]
      if isMeant(campaign) { candidates.append(candidate(campaign, position, visit)) }
    }
  }

  func candidate(_ campaign: Campaign, _ region: Int, _ visit: Visit) -> Candidate {
    Candidate(
      campaign: campaign, region: self.region(at: region), visit: visit.id, ordinal: visit.ordinal,
      arrival: visit.since, steps: steps(of: campaign))
  }

  /// The same of the visit that is on, or else of the one to come.
  func candidate(_ campaign: Campaign, _ region: Int) -> Candidate {
    let place = self.region(at: region)
    if let visit = visit(at: place.id) { return candidate(campaign, region, visit) }
    return Candidate(
      campaign: campaign, region: place, visit: "", ordinal: (state.presence.ordinals[place.id] ?? 0) + 1,
      steps: steps(of: campaign))
  }

  /// A visit is over in which dwellings were due, and no fix has proven them.
  private mutating func dropUnproven(_ visit: Visit, before left: Milliseconds) {
    let rules = visitRules
    guard state.presence.needsProof(visit, rules) else { return }
    var due = Milliseconds.max
    state.presence.forEachDwelling(of: visit, rules) { _, time in if time <= now { due = min(due, time) } }
    if due < left { recordStale(visit, due) }
  }

  // MARK: Dwelling

  /// Finds the regions of all visits in the feed.
  mutating func placeVisits() {
    // They are few.
    var visits = state.presence
    visits.place { $0.stand(at: feed.region($0.region), in: feed) }
    state.presence = visits
  }

  /// Tells each dwelling that is due now, and each time of day.
  mutating func fireDwellings() {
    var candidates: [Candidate] = []
    let (rules, now) = (visitRules, now)
    wantsFix = false
    for position in state.presence.visits.indices
    where state.presence.visits[position].countsDwelling && state.presence.visits[position].isTimed {
      let visit = state.presence.visits[position]
      let needsProof = state.presence.needsProof(visit, rules)
      var due: [Int64] = []
      var times: [Int64: Milliseconds] = [:]
      state.presence.forEachDwelling(of: visit, rules) { minutes, time in
        if time <= now, !due.contains(minutes) {
          due.append(minutes)
          if needsProof { times[minutes] = time }
        }
      }
      if needsProof {
        let sorted = rules.proof.sort(due, isLeaving: crossingPosition(visit.region).found) { times[$0] ?? now }
        due = sorted.proven
        wantsFix = wantsFix || sorted.waits
        if let oldest = sorted.oldest {
          let change = state.presence.update(position) { $0.dwelt = ($0.dwelt + sorted.stale).sorted() }
          output.note(.presence(change))
          recordStale(visit, oldest)
        }
      }
      for minutes in due.sorted() {
        emit(.regionDwell, region: visit.region, visit: visit.id, at: now) {
          $0.ordinal = visit.ordinal
          $0.dwellingMinutes = minutes
          if let time = times[minutes], time < now {
            $0.since = time
            $0.isLate = true
          }
        }
        if let region = visit.place {
          add(&candidates, region, visit) { $0.trigger == .dwelling(minutes: minutes) }
        }
        advanceChains(visit.region, .dwelling(minutes: minutes))
      }
      if !due.isEmpty {
        let change = state.presence.update(position) { $0.dwelt = ($0.dwelt + due).sorted() }
        output.note(.presence(change))
      }
      candidates += dueInsides(position, rules, needsProof)
      candidates += dueRepeats(position, rules, needsProof)
    }
    consider(candidates)
  }

  /// Records something that was due in a visit, and is dropped for want of a proof.
  private mutating func recordStale(_ visit: Visit, _ due: Milliseconds) {
    recordStale(campaign: nil, visit.region, visit.id, due)
  }

  mutating func recordStale(campaign: Identifier?, _ region: Identifier, _ visit: String?, _ due: Milliseconds) {
    record(
      Decision(
        time: now, campaign: campaign, region: region, visit: visit, step: .presence, verdict: .drop, reason: .stale,
        inputs: noted(["at": .time(due), "newest": lastFix.map { .time($0.time) }])))
  }

  /// Asks the host for a fix, where something still waits for one and no request is open.
  mutating func requestFix() {
    (wantsFix, heldWantsFix) = (false, false)
    // Fixes that come often need no request, and one that is open is enough.
    guard state.host.isEnabled, observations.fixRequest < inputTime,
      lastFix.map({ $0.time < inputTime - settings.proof.maxAge }) ?? true
    else { return }
    let deadline = inputTime + settings.proof.deadline
    observations.noteFixRequest(until: deadline)
    output.effects.append(.requestFix(deadline))
    record(
      Decision(
        time: now, step: .presence, verdict: .hold, reason: .unproven,
        inputs: noted(["newest": lastFix.map { .time($0.time) }, "deadline": .time(deadline)])))
  }

  /// The campaigns whose time of day has come in the visit at a position, as candidates.
  private mutating func dueInsides(_ position: Int, _ rules: VisitRules, _ needsProof: Bool) -> [Candidate] {
    let visit = state.presence.visits[position]
    var due: [(campaign: Int, time: InsideTime, at: Milliseconds)] = []
    let now = now
    state.presence.forEachInside(of: visit, rules) { campaign, time, at in
      if at <= now { due.append((campaign, time, at)) }
    }
    var reported = due
    if needsProof {
      let sorted = rules.proof.sort(due, isLeaving: crossingPosition(visit.region).found) { $0.at }
      (due, reported) = (sorted.proven, sorted.proven + sorted.stale)
      wantsFix = wantsFix || sorted.waits
      if let oldest = sorted.oldest { recordStale(visit, oldest) }
    }
    if !reported.isEmpty {
      let change = state.presence.update(position) { visit in
        for (_, time, _) in reported where !visit.reportedInside.contains(time) { visit.reportedInside.append(time) }
      }
      output.note(.presence(change))
    }
    guard !due.isEmpty, let region = visit.place else { return [] }
    return due.map { candidate(feed.campaigns[$0.campaign], region, visit) }
  }

  /// The campaigns whose triggers come again now in the visit at a position, as candidates.
  private mutating func dueRepeats(_ position: Int, _ rules: VisitRules, _ needsProof: Bool) -> [Candidate] {
    let (visit, now) = (state.presence.visits[position], now)
    guard let repeats = state.presence.repeats(of: visit, rules, now: now, seen: inputTime), let region = visit.place
    else { return [] }
    if needsProof, let due = state.presence.nextRepeat(of: visit, rules, seen: 0) {
      switch rules.proof.standing(due, isLeaving: crossingPosition(visit.region).found) {
      case .proven: break
      case .waits:
        wantsFix = true
        return []
      case .stale:
        let change = state.presence.update(position) { $0.repeated = now }
        output.note(.presence(change))
        recordStale(visit, due)
        return []
      }
    }
    let change = state.presence.update(position) { $0.repeated = now }
    output.note(.presence(change))
    return repeats.map { campaign, count in
      var candidate = candidate(feed.campaigns[campaign], region, visit)
      candidate.repetition = count
      return candidate
    }
  }

  /// The present rules for the times of visits.
  var visitRules: VisitRules {
    VisitRules(
      feed: feed, noise: settings.sharedNoise, beacons: settings.beacons, zone: state.host.zone,
      isForeground: state.host.isForeground, foregroundSince: state.host.foregroundSince,
      heardFix: observations.heardFix,
      proof: Proof(
        policy: settings.proof, newestFix: lastFix?.time ?? .min, time: inputTime, watched: observations.watched),
      now: now)
  }

  // MARK: What ends visits in silence

  private mutating func endInSilence(_ visit: Visit, _ reason: Reason) {
    _ = state.presence.endVisit(at: visitPosition(visit.region).position)
    forget(visit)
    record(
      Decision(time: now, region: visit.region, visit: visit.id, step: .presence, verdict: .drop, reason: reason))
  }

  mutating func forgetPresence() {
    dropAllWaiting()
    for visit in state.presence.visits { endInSilence(visit, .disabled) }
    for crossing in state.presence.crossings { forgetCrossing(crossing.region) }
    for approach in state.presence.approaches { endApproaches(of: approach.region) }
    observations.forget()
    forgetChains()
    forgetAbsences()
    state.trips.forgetProgress()
    let change = state.presence.setBaseline(false)
    output.note(.presence(change))
    setNewRegions([])
  }

  /// A region whose shape is unchanged keeps its visit, and so does one that the device is still in, as far as is known; others are met anew at
  /// the next fix. One that moves stays where it is.
  mutating func replaceFeed(by new: Feed) {
    let old = feed
    let fix = lastFix
    func goesOn(_ id: Identifier) -> Bool {
      guard let before = old.region(id), let after = new.region(id) else { return false }
      let (was, becomes) = (old.regions[before], new.regions[after])
      if was.isMoving, becomes.isMoving { return was.shape.size == becomes.shape.size }
      return was.shape == becomes.shape && was.isMoving == becomes.isMoving
    }
    func isStillInside(_ id: Identifier) -> Bool {
      guard let before = old.region(id), let after = new.region(id) else { return false }
      let noise = new.regions[after].noise ?? settings.noise
      let (was, becomes) = (old.regions[before], new.regions[after])
      return !was.isMoving && !becomes.isMoving
        && Presence.mayStay(in: becomes.shape, visitorOf: was.shape, at: fix, noise)
    }
    for visit in state.presence.visits where !goesOn(visit.region) && !isStillInside(visit.region) {
      endInSilence(visit, .regionRemoved)
    }
    for crossing in state.presence.crossings where !goesOn(crossing.region) { forgetCrossing(crossing.region) }
    for approach in state.presence.approaches where !goesOn(approach.region) { endApproaches(of: approach.region) }
    for id in state.presence.moved.keys.sorted() where new.region(id).map({ new.regions[$0].isMoving }) != true {
      if let change = state.presence.move(id, to: nil) { output.note(.presence(change)) }
      observations.forgetCompanion(id)
    }
    // Feeds of one text have the same regions: none of them needs to be looked at.
    if state.presence.hasBaseline, new.digest != old.digest || new.digest.isEmpty {
      var unmet = state.presence.newRegions.filter { new.region($0) != nil }
      for region in new.regions where region.shape.isPlace && !goesOn(region.id) && !visitPosition(region.id).found {
        unmet.insert(region.id)
        observations.forgetUnmet(region.id)
      }
      setNewRegions(unmet)
    }
    carryChains(for: new)
    carryAbsences(for: new, goesOn)
    feed = new
    placeVisits()
    for visit in emptyGroups() { endInSilence(visit, .regionRemoved) }
    meetGroups()
    schedule()
  }
}
