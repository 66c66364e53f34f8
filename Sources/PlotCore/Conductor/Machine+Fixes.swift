/// From fixes to crossings, as the noise policy allows.
extension Machine {
  /// A region's shape as it is now: one that moves is where the host has said.
  func shape(at position: Int) -> Region.Shape {
    guard feed.regions[position].isMoving, let center = state.presence.moved[feed.regions[position].id],
      case .circle(let circle) = feed.regions[position].shape
    else { return feed.regions[position].shape }
    return .circle(Circle(center: center, radius: circle.radius))
  }

  /// A region as it is now.
  func region(at position: Int) -> Region {
    guard feed.regions[position].isMoving else { return feed.regions[position] }
    var region = feed.regions[position]
    region.values.shape = shape(at: position)
    return region
  }

  /// Records what was decided about a region, and about the visit that is on there.
  mutating func record(
    _ verdict: Verdict, _ reason: Reason, at region: Identifier, detail: String? = nil, inputs: Inputs = Inputs(),
    next: Milliseconds? = nil
  ) {
    let (place, isVisited) = visitPosition(region)
    record(
      Decision(
        time: now, region: region, visit: isVisited ? state.presence.visits[place].id : nil, step: .presence,
        verdict: verdict,
        reason: reason, detail: detail, inputs: inputs, nextPossible: next))
  }

  func noise(at position: Int) -> NoisePolicy { feed.regions[position].noise ?? settings.noise }

  /// The part of a region's policy that weighs evidence; nil for one that has gates.
  func evidence(at position: Int) -> EvidencePolicy? {
    feed.regions[position].noise.map(\.evidence) ?? settings.sharedNoise.values.evidence
  }

  /// The policy of the track.
  var trackPolicy: EvidencePolicy { settings.sharedNoise.values.evidence ?? .balanced }

  /// Compares a fix with the visits in progress and with the regions around it.
  mutating func follow(_ fix: Fix, after previous: Fix?, _ answer: Track.Answer) {
    let motion = Motion(fix: fix, previous: previous)
    let evidence = Evidence(
      fix: fix, time: fix.time, heard: now, isNew: previous.map { fix.time > $0.time } ?? true, motion: motion)
    if answer == .held, track.count == 1 { observations.forgetJump() }
    let (visited, others) = concerned(by: fix, answer)
    var crossings: [Crossing] = []
    crossings.reserveCapacity(visited.count + others.count)
    var undecided: [Identifier] = []
    for position in visited { judge(position, isVisited: true, evidence, answer, &crossings, &undecided) }
    for position in others { judge(position, isVisited: false, evidence, answer, &crossings, &undecided) }
    if answer.isFollowed {
      for companion in observations.companions where companion.isFollowed(at: fix.time) {
        guard let meeting = companion.meeting(fix, after: previous) else { continue }
        if judge(meeting, with: companion.region, fix, &crossings) { undecided.removeAll { $0 == companion.region } }
      }
    }
    // Before the crossings change what is visited.
    let isFollowed = answer.isFollowed || settings.noise.evidence == nil
    let passages = isFollowed ? passages(from: previous, to: fix, apartFrom: crossings) : []
    if isFollowed { noteSides(from: previous, to: fix) }
    cross(crossings, motion)
    for passage in passages {
      cross([passage.enter], passage.motion)
      cross([passage.exit], passage.motion)
    }
    if answer.isFollowed { observations.forgetJump() }
    guard isFollowed else { return }
    followApproaches(fix, motion)
    if !state.trips.isEmpty { followTrips(fix, after: previous) }
    endFirstFix(undecided: undecided)
  }

  /// The regions that a fix may say something about: those visited, and the others, each by id. In a large feed each is somewhere else in the
  /// memory, so none is looked at that need not be.
  private func concerned(by fix: Fix, _ answer: Track.Answer) -> (visited: [Int], others: [Int]) {
    var visited: [Int] = []
    visited.reserveCapacity(state.presence.visits.count)
    for visit in state.presence.visits.indices {
      if let place = state.presence.visits[visit].place { visited.append(place) }
    }
    var others = feed.moving
    for crossing in state.presence.crossings {
      if let position = feed.region(crossing.region) { others.append(position) }
    }
    let isStill = others.isEmpty && observations.seenInJump.isEmpty && !track.isApart
    others.reserveCapacity(others.count + 12)
    feed.index.forEachContaining(fix.coordinate) { position in others.append(position) }
    if track.isKnown { addProbed(by: fix, answer, &others) }
    guard !others.isEmpty else {
      for position in visited { feed.prefetch(position) }
      return (visited, [])
    }
    // Inside of a place that is visited a fix says nothing new, but for decisions, and where it refutes what is not sure yet.
    takeOut(of: &visited, and: &others, alsoOfFirst: isStill && !settings.recordsDecisions)
    for position in others { feed.prefetch(position) }
    for position in visited { feed.prefetch(position) }
    if !visited.isEmpty {
      for visit in state.presence.visits.indices { Prefetch.text(state.presence.visits[visit].id) }
    }
    if others.count > 1 {
      let feed = feed
      others.sort { feed.regions[$0].id < feed.regions[$1].id }
      var count = 1
      for position in others[1...] where position != others[count - 1] {
        others[count] = position
        count += 1
      }
      others.removeLast(others.count - count)
    }
    return (visited, others)
  }

  /// Adds the regions that the track says something about, besides those that a fix lies in.
  private func addProbed(by fix: Fix, _ answer: Track.Answer, _ others: inout [Int]) {
    func add(_ coordinate: Coordinate) { feed.index.forEachContaining(coordinate) { others.append($0) } }
    switch answer {
    case .coarse: return
    case .held:
      guard track.isJump else { return }
      add(track.plane.coordinate(track.place + (track.plane.point(fix.coordinate) - track.start)))
    case .began, .followed, .believed:
      if track.isResting {
        add(track.plane.coordinate(track.anchor))
      } else if track.isBlurred {
        add(track.plane.coordinate(track.smooth))
      } else {
        track.forEachProbe(track.inward(trackPolicy), at: fix.coordinate) { add($0) }
      }
      if answer == .believed, !track.isJump {
        // Those that are visited hold the newest fix against them.
        feed.index.forEachContaining(track.plane.coordinate(track.start)) { position in
          if !state.presence.visits.contains(where: { $0.place == position }) { others.append(position) }
        }
      }
    }
    for seen in observations.seenInJump { if let position = feed.region(seen.region) { others.append(position) } }
  }

  /// Takes what a fix says about one region. What is sure by it is added to `crossings`, and a region that it could not tell of to `undecided`.
  private mutating func judge(
    _ position: Int, isVisited: Bool, _ evidence: Evidence, _ answer: Track.Answer?, _ crossings: inout [Crossing],
    _ undecided: inout [Identifier]
  ) {
    let (region, shape, fix) = (feed.regions[position].id, shape(at: position), evidence.fix)
    guard let edge = shape.edgeDistance(from: fix.coordinate) else { return }
    let ownEvidence = self.evidence(at: position)
    // One that says often where it is, is compared at other times.
    if ownEvidence != nil, observations.companion(region, at: evidence.time) != nil {
      if !isVisited { undecided.append(region) }
      return
    }
    // A region that has moved is held against a fix by itself.
    let weighing = answer == nil ? nil : ownEvidence
    // The first region of an engine of gates that asks for it.
    if weighing != nil, !track.isKnown { _ = observations.weigh(fix, jump: trackPolicy.jumpTime) }
    let judgement =
      if let weighing, let answer {
        observations.judge(
          Presence.Sight(region: region, place: position, shape: shape, edge: edge, isVisited: isVisited), evidence,
          weighing, answer, by: state.presence)
      } else {
        state.presence.judge(
          region, at: position, edge: edge, size: shape.size, isVisited: isVisited, evidence, noise(at: position),
          now: now)
      }
    let isDecided = take(
      judgement, about: region, isVisited: isVisited, edge: edge, evidence,
      inputs: { machine, reason in
        weighing != nil
          ? machine.track.inputs(reason, fix, shape)
          : machine.noise(at: position).inputs(reason, edge: edge, shape.size, fix.accuracy)
      }, &crossings)
    if !isDecided, !isVisited { undecided.append(region) }
  }

  /// Holds a device against a region that moves, at a time of which both are known; false where it could not tell.
  private mutating func judge(
    _ meeting: Companion.Meeting, with region: Identifier, _ fix: Fix, _ crossings: inout [Crossing]
  ) -> Bool {
    guard let position = feed.region(region), let policy = noise(at: position).evidence,
      case .circle(let circle) = feed.regions[position].shape
    else { return false }
    let shape = Region.Shape.circle(Circle(center: meeting.center, radius: circle.radius))
    guard let edge = shape.edgeDistance(from: meeting.device) else { return false }
    var there = fix
    (there.time, there.coordinate) = (meeting.time, meeting.device)
    let evidence = Evidence(
      fix: there, time: meeting.time, heard: now, isNew: true, motion: Motion(), source: .move)
    let isVisited = visitPosition(region).found
    let judgement = state.presence.judgeMeeting(
      Presence.Sight(region: region, place: position, shape: shape, edge: edge, isVisited: isVisited), evidence, policy,
      error: EvidencePolicy.accuracy(fix.accuracy))
    return take(
      judgement, about: region, isVisited: isVisited, edge: edge, evidence,
      inputs: { machine, reason in machine.track.inputs(reason, there, shape) }, &crossings)
  }

  /// Does what a judgement says; false where it could not tell.
  private mutating func take(
    _ judgement: Judgement, about region: Identifier, isVisited: Bool, edge: Double, _ evidence: Evidence,
    inputs: (Machine, Reason) -> Inputs, _ crossings: inout [Crossing]
  ) -> Bool {
    let fix = evidence.fix
    switch judgement {
    case .nothing: return true
    case .held(let reason, let leaving):
      if let leaving { hold(leaving) }
      record(.hold, reason, at: region, inputs: settings.recordsDecisions ? inputs(self, reason) : Inputs())
    case .refuted:
      forgetCrossing(region)
      record(
        .drop, .refuted, at: region,
        inputs: noted(["accuracy": .tenths(fix.accuracy), "distance": .tenths(edge)]))
      // Dwellings that waited while it was not sure.
      if isVisited { fireDwellings() }
      return true
    case .tooFast(let speed, let limit):
      forgetCrossing(region)
      record(.hold, .speed, at: region, inputs: noted(["speed": .tenths(speed), "limit": .double(limit)]))
    case .waits(let crossing, let due, let isStronger, let needed):
      if isStronger { hold(crossing) }
      record(
        .hold, .notConfirmed, at: region,
        inputs: noted([
          "enters": .boolean(crossing.isEnter), "since": .time(crossing.since), "fixes": .integer(crossing.fixes),
          "needed": .integer(needed),
        ]), next: due)
    case .sure(var crossing):
      forgetCrossing(region)
      crossing.isLate = evidence.time < evidence.heard
      crossings.append(crossing)
      return true
    }
    return false
  }

  /// A first fix has been seen. A region about which it could not tell is met anew at the next.
  private mutating func endFirstFix(undecided: [Identifier]) {
    let isFirst = !state.presence.hasBaseline
    guard isFirst || !state.presence.newRegions.isEmpty else { return }
    let unmet = undecided.filter { isFirst || state.presence.newRegions.contains($0) }
    if isFirst {
      observations.note(unmet: unmet)
      let change = state.presence.setBaseline(true)
      output.note(.presence(change))
    }
    setNewRegions(Set(unmet))
  }

  mutating func setNewRegions(_ regions: Set<Identifier>) {
    if let change = state.presence.setNewRegions(regions) { output.note(.presence(change)) }
  }

  // MARK: What is not sure yet

  private mutating func hold(_ crossing: PendingCrossing) {
    let change = state.presence.hold(crossing)
    output.note(.presence(change))
  }

  mutating func forgetCrossing(_ region: Identifier) {
    if let change = state.presence.forgetCrossing(region) { output.note(.presence(change)) }
  }

  /// Confirms crossings that have stood for long enough.
  mutating func confirmCrossings() {
    let rules = visitRules
    let due = state.presence.crossings.filter { (state.presence.due($0, rules) ?? .max) <= now }
    guard !due.isEmpty else { return }
    state.presence.endCrossings(due)
    for crossing in due { output.note(.presence(.crossingEnded(crossing.region))) }
    cross(due.map { Crossing($0) }, lastMotion)
  }

  // MARK: Fixes that are left out

  /// Whether a fix is left out (`Suspects`).
  mutating func isOutlier(_ fix: Fix) -> Bool {
    observations.isOutlier(fix, mostSpeed: settings.noise.maxImpliedSpeed)
  }

  private mutating func record(_ verdict: Verdict, _ reason: Reason, _ inputs: Inputs) {
    record(Decision(time: now, step: .presence, verdict: verdict, reason: reason, inputs: inputs))
  }

  /// The track's answer about a fix, where there is one.
  mutating func weigh(_ fix: Fix) -> Track.Answer {
    guard settings.noise.evidence != nil || track.isKnown else { return .followed }
    let before = track
    let answer = observations.weigh(fix, jump: trackPolicy.jumpTime)
    if answer != .coarse, fix.time < now { observations.noteLateFix(at: now) }
    switch answer {
    case .began, .followed: break
    case .coarse: record(.hold, .coarse, noted(track.inputs(.coarse, fix)))
    case .held: record(.hold, track.isJump ? .jump : .shift, noted(track.inputs(.jump, fix)))
    case .believed:
      // From where it was before.
      record(.pass, track.isJump ? .jump : .shift, noted(track.inputs(.jump, fix, after: before)))
    }
    return answer
  }

  /// Throws for a fix that is older than the newest input, but for what the noise policy lets come late.
  func checkOrder(_ fix: Fix) throws(InputError) {
    let newest = max(lastFix?.time ?? .min, track.isKnown ? track.seen : .min)
    try checkOrder(fix.time, after: newest, mayBeLate: fix.time > newest, isFix: true)
  }

  /// The same of a fix or a sighting. `last`: the newest of its kind; `mayBeLate`: it is new enough beside that.
  func checkOrder(
    _ time: Milliseconds, after last: Milliseconds, mayBeLate: Bool, isFix: Bool
  ) throws(InputError) {
    guard time < state.newest else { return }
    let isWithin = state.newest - time <= settings.noise.maxLateness
    if isWithin, mayBeLate { return }
    if isWithin, settings.noise.evidence != nil { throw .overtaken(by: last, isFix: isFix) }
    throw .outOfOrder(newest: state.newest, limit: state.host.clock == nil ? settings.maxAhead : nil)
  }

  /// The decision to record about an input that was refused for its time; nil for other refusals.
  public func decision(about refusal: InputError) -> Decision? {
    var decision = Decision(time: now, step: .presence, verdict: .drop, reason: .late)
    switch refusal {
    case .outOfOrder(let newest, _), .overtaken(let newest, _): decision.inputs = noted(["newest": .time(newest)])
    case .ahead(let latest, _): (decision.reason, decision.inputs) = (.ahead, noted(["latest": .time(latest)]))
    default: return nil
    }
    return decision
  }

  func impliedSpeed(_ fix: Fix) -> Decision {
    Decision(
      time: now, step: .presence, verdict: .drop, reason: .impliedSpeed,
      inputs: noted([
        "speed": lastFix.map { .tenths(Motion.leastSpeed(from: $0, to: fix)) },
        "limit": settings.noise.maxImpliedSpeed.map { .double($0) },
      ]))
  }

  // MARK: Regions that move

  /// Takes the place of a region that moves. Throws `invalid` for one that does not, and then nothing has changed.
  public mutating func moveRegion(_ id: Identifier, to center: Coordinate, at time: Milliseconds) throws(InputError)
    -> Output
  {
    if let fault = Fix(time: time, coordinate: center).fault { throw fault }
    guard let position = feed.region(id), feed.regions[position].isMoving else {
      throw .invalid(name: "region", expected: "the id of a region with \"moving\": true", found: id.text)
    }
    output.restart()
    proceed(to: time)
    let change = state.presence.move(id, to: center)
    if let change { output.note(.presence(change)) }
    if noise(at: position).evidence != nil {
      let companion = observations.note(Companion.Report(time: now, coordinate: center), of: id)
      if companion.isFollowed(at: now) {
        meet(companion)
        return finish()
      }
    }
    if change != nil { meet(position) }
    return finish()
  }

  /// Compares a region that says often where it is with the newest fix, or with where the device rests.
  private mutating func meet(_ companion: Companion) {
    // The waiting fix of the track is somewhere else, or is not: the next fix tells.
    guard state.host.isEnabled, state.presence.hasBaseline, let fix = lastFix, !track.waits else { return }
    // Without a newer fix, that a region goes away says once that it was left: the device may go along.
    let (pending, isPending) = state.presence.crossingPosition(companion.region)
    let isSaid = isPending && state.presence.crossings[pending].since > fix.time
    let rests = track.isResting && now - fix.time <= Self.fixAge && !isSaid
    let atRest = Companion.Meeting(
      time: now, device: track.plane.coordinate(track.anchor), center: companion.newest.coordinate)
    guard let meeting = companion.meeting(lastFix: fix) ?? (rests ? atRest : nil) else { return }
    var crossings: [Crossing] = []
    let isDecided = judge(meeting, with: companion.region, fix, &crossings)
    cross(crossings)
    if isDecided, state.presence.newRegions.contains(companion.region) {
      setNewRegions(state.presence.newRegions.subtracting([companion.region]))
    }
  }

  /// Compares a region that has moved with the newest fix, if that is new enough to say where the device is.
  private mutating func meet(_ position: Int) {
    guard state.host.isEnabled, state.presence.hasBaseline, let fix = lastFix, now - fix.time <= Self.fixAge else {
      return
    }
    var crossings: [Crossing] = []
    var undecided: [Identifier] = []
    judge(
      position, isVisited: visitPosition(feed.regions[position].id).found,
      Evidence(fix: fix, time: now, heard: now, isNew: true, motion: Motion(), source: .move), nil, &crossings,
      &undecided)
    cross(crossings)
  }

  /// For so long a fix says where the device is.
  static let fixAge: Milliseconds = 120_000
}

/// Takes what is in both lists out of the second, and perhaps out of the first.
private func takeOut(of first: inout [Int], and second: inout [Int], alsoOfFirst: Bool) {
  guard first.count <= 16, second.count <= 16 else {
    let (all, others) = (Set(first), Set(second))
    if alsoOfFirst { first.removeAll(where: others.contains) }
    second.removeAll(where: all.contains)
    return
  }
  // Most often there are few: no memory is asked for.
  var common: UInt32 = 0
  var kept = 0
  for position in second.indices {
    if let place = first.firstIndex(of: second[position]) {
      common |= 1 << UInt32(place)
    } else {
      second[kept] = second[position]
      kept += 1
    }
  }
  second.removeLast(second.count - kept)
  guard alsoOfFirst, common != 0 else { return }
  kept = 0
  for place in first.indices where common >> UInt32(place) & 1 == 0 {
    first[kept] = first[place]
    kept += 1
  }
  first.removeLast(first.count - kept)
}
