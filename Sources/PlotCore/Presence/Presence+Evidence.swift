/// The evidence of a device's track for a region (docs/noise.md).
///
/// A `PendingCrossing` survives a restart: the fixes in a row that lie inside, on the way; those beyond the margin since one was
/// inside. Between them a fix may say neither, and then the crossing goes on waiting.
extension Presence {
  /// The observations of a region while a jump waits.
  struct SeenInJump: Equatable, Sendable {
    var region: Identifier
    /// The first fix in it.
    var since: Milliseconds
    /// How many in a row lie in it.
    var fixes: Int
    /// Two did: it is entered when the jump is believed.
    var isNoted = false
  }

  /// A region as a track is held against it.
  struct Sight {
    var region: Identifier
    /// Where it stands in the feed.
    var place: Int
    var shape: Region.Shape
    /// Metres from the fix to its edge, negative inside.
    var edge: Double
    var isVisited: Bool

    /// The same from another place; infinite for what is nowhere.
    func edge(_ coordinate: Coordinate) -> Double { shape.edgeDistance(from: coordinate) ?? .infinity }
  }

  /// Takes what a fix says about one region. `answer` is what the track said of it.
  func judge(
    _ sight: Sight, _ evidence: Evidence, _ policy: EvidencePolicy, _ track: Track, _ answer: Track.Answer,
    _ jump: inout [SeenInJump]
  ) -> Judgement {
    switch answer {
    case .coarse: return differs(sight) ? .held(.coarse) : .nothing
    case .held where track.isJump && !sight.isVisited: return whileHeld(sight, evidence, track, &jump)
    case .held:
      guard differs(sight) else { return .nothing }
      let isNews =
        sight.isVisited && !crossingPosition(sight.region).found
        && EvidencePolicy.isBeyond(
          sight.edge, EvidencePolicy.accuracy(evidence.fix.accuracy), size: sight.shape.size)
      return .held(
        track.isJump ? .jump : .shift, leaving: isNews ? leaving(sight, evidence, track, isBelieved: false) : nil)
    case .began, .followed, .believed:
      return track.isResting
        ? atRest(sight, evidence, policy, track) : onTheWay(sight, evidence, policy, track, answer, jump)
    }
  }

  /// Whether a fix by itself says something else than what is known.
  private func differs(_ sight: Sight) -> Bool {
    sight.isVisited ? sight.edge > EvidencePolicy.exitMargin(sight.shape.size) : sight.edge <= 0
  }

  /// A jump waits. Whether or not it is believed later, two things enter a region now: what is seen, where the device could have gone; and
  /// the way since the jump began, put on where the device was before. An error that begins at once goes along with the device.
  private func whileHeld(
    _ sight: Sight, _ evidence: Evidence, _ track: Track, _ jump: inout [SeenInJump]
  ) -> Judgement {
    var position = jump.firstIndex { $0.region == sight.region }
    if sight.edge <= 0 {
      if let position {
        if jump[position].fixes == 0 { jump[position].since = evidence.time }
        if !track.isRepeated { jump[position].fixes += 1 }
      } else {
        position = jump.count
        jump.append(SeenInJump(region: sight.region, since: evidence.time, fixes: 1))
      }
    } else if let position {
      jump[position].fixes = 0
    }
    let way = track.plane.point(evidence.fix.coordinate) - track.start
    if let position, jump[position].fixes >= 2 {
      jump[position].isNoted = true
      let reach = max(3 * track.speed * Double(evidence.time - track.time) / 1000, 1.2 * way.length)
      if sight.edge(track.plane.coordinate(track.place)) <= reach {
        return .sure(enter(sight, evidence, since: jump[position].since))
      }
    }
    if track.count >= 3, track.since - track.trusted >= 10_000,
      sight.edge(track.plane.coordinate(track.place + way))
        <= -0.5 * EvidencePolicy.accuracy(evidence.fix.accuracy)
    {
      return .sure(enter(sight, evidence))
    }
    return position != nil && jump[position!].fixes > 0 ? .held(.jump) : .nothing
  }

  /// At rest the anchor decides.
  private func atRest(_ sight: Sight, _ evidence: Evidence, _ policy: EvidencePolicy, _ track: Track) -> Judgement {
    let distance = sight.edge(track.plane.coordinate(track.anchor))
    if sight.isVisited {
      if track.isBeyond(distance, size: sight.shape.size) {
        return .sure(Crossing(leaving(sight, evidence, track, isBelieved: false), evidence.source, place: sight.place))
      }
      if crossingPosition(sight.region).found { return .refuted }
      return sight.edge > 0 ? .held(.atRest) : .nothing
    }
    if distance <= 0 { return .sure(enter(sight, evidence)) }
    let isIn = sight.edge <= 0
    if track.mayBeIn(sight.edge, distance, track.uncertainty, policy) { return .sure(enter(sight, evidence)) }
    let pending = crossingPosition(sight.region)
    if track.mayRestIn(sight.edge, distance) {
      var crossing = pending.found ? crossings[pending.position] : entering(sight, evidence, since: evidence.time)
      if evidence.isNew || !pending.found { crossing.fixes += 1 }
      let needed = EvidencePolicy.fixesAtRest
      if crossing.fixes >= needed { return .sure(Crossing(crossing, evidence.source, place: sight.place)) }
      return .waits(crossing, due: nil, isStronger: true, needed: needed)
    }
    if pending.found { return .refuted }
    return isIn ? .held(.atRest) : .nothing
  }

  /// On the way the fix decides; of cells alone, the smoothed position says more than a fix.
  private func onTheWay(
    _ sight: Sight, _ evidence: Evidence, _ policy: EvidencePolicy, _ track: Track, _ answer: Track.Answer,
    _ jump: [SeenInJump]
  ) -> Judgement {
    let pending = crossingPosition(sight.region)
    let size = sight.shape.size
    let coordinate = evidence.fix.coordinate
    let isBlurred = track.isBlurred
    let distance = isBlurred ? sight.edge(track.plane.coordinate(track.smooth)) : sight.edge
    if sight.isVisited {
      if track.isBeyond(distance, size: size) {
        var crossing = leaving(sight, evidence, track, isBelieved: answer == .believed)
        if evidence.isNew || !pending.found { crossing.fixes += answer == .believed ? (track.isSeldom ? 3 : 2) : 1 }
        let needed = track.gap < 0 ? 1 : max(1, policy.exitFixes - (track.isOften ? 0 : 1))
        if crossing.fixes >= needed { return .sure(Crossing(crossing, evidence.source, place: sight.place)) }
        return .waits(crossing, due: crossing.silenceEnd(heard: evidence.heard), isStronger: true, needed: needed)
      }
      if distance <= 0 { return pending.found ? .refuted : .nothing }
      return .held(.hysteresis)
    }
    if answer == .believed, let seen = jump.first(where: { $0.region == sight.region && $0.isNoted }) {
      return .sure(enter(sight, evidence, since: seen.since))
    }
    // Where the present belief began, with a fix that was held.
    let startEdge = answer == .believed ? sight.edge(track.plane.coordinate(track.start)) : .infinity
    // A place of rest was left, as is clear now, and the way began deep inside: the newest fix does not deny that the device is there.
    if !track.isJump, startEdge <= -track.accuracy, !track.isBeyond(distance, size: size) {
      return .sure(enter(sight, evidence, since: track.since))
    }
    let isIn = distance <= 0
    // A first fix that cannot tell is no news.
    if track.gap < 0, track.accuracy > Track.limit(size) {
      return isIn ? .held(.accuracy) : .nothing
    }
    // A device that came to rest here is here since then.
    let isSince = startEdge <= 0
    let began = isSince ? track.since : evidence.time
    var crossing = pending.found ? crossings[pending.position] : entering(sight, evidence, since: began)
    if isIn, evidence.isNew || !pending.found { crossing.fixes += isSince ? 2 : 1 }
    // After a gap one fix is enough only where it is no surprise, and well inside.
    let isEnough = !track.isAfterGap || track.isAtPace && distance + 2 * track.accuracy <= 0
    let needed = isEnough ? policy.enterFixes : max(2, policy.enterFixes)
    let inward = track.inward(policy)
    let entersAlone =
      needed == 1 && distance <= -min(0.2 * size, inward)
      && (isIn || track.anyProbe(inward, at: coordinate) { sight.edge($0) <= 0 })
    let mayBeIn = isBlurred && track.mayBeIn(sight.edge, distance, track.variance.squareRoot(), policy)
    if isIn && crossing.fixes >= max(2, needed) || entersAlone || mayBeIn {
      return .sure(Crossing(crossing, evidence.source, place: sight.place))
    }
    if isIn { return .waits(crossing, due: nil, isStronger: true, needed: max(2, needed)) }
    if pending.found { return .refuted }
    return isBlurred && sight.edge <= 0 ? .held(.accuracy) : .nothing
  }

  private func enter(_ sight: Sight, _ evidence: Evidence, since: Milliseconds? = nil) -> Crossing {
    Crossing(
      region: sight.region, isEnter: true, since: since ?? evidence.time, coordinate: evidence.fix.coordinate,
      source: evidence.source, place: sight.place)
  }

  /// An enter that begins to wait.
  private func entering(_ sight: Sight, _ evidence: Evidence, since: Milliseconds) -> PendingCrossing {
    PendingCrossing(
      region: sight.region, isEnter: true, since: since, coordinate: evidence.fix.coordinate, fixes: 0)
  }

  /// The exit that waits, or one that begins: with what is believed, when that began.
  private func leaving(_ sight: Sight, _ evidence: Evidence, _ track: Track, isBelieved: Bool) -> PendingCrossing {
    let pending = crossingPosition(sight.region)
    if pending.found { return crossings[pending.position] }
    var since = evidence.time
    if isBelieved {
      since = max(track.since, min(visits[visitPosition(sight.region).position].since, since))
    }
    return PendingCrossing(
      region: sight.region, isEnter: false, since: since, coordinate: evidence.fix.coordinate, fixes: 0)
  }
}

extension Track {
  /// Whether regions are held against something else than the newest fix.
  var isApart: Bool { isKnown && (isResting || waits || isBlurred) }

  /// Metres: a fix of a worse accuracy cannot tell, by itself, inside from outside of a region of this size.
  static func limit(_ size: Double) -> Double { max(Constant.blur, 2 * size) }

  /// The newest fix is one of cells alone.
  var isBlurred: Bool { accuracy > Constant.blur }

  /// Whether a position of cells alone, with this uncertainty, may be in a region: the newest fix lies in it, and the position not too far
  /// beyond its edge. Cells cannot tell more.
  func mayBeIn(_ edge: Double, _ distance: Double, _ uncertainty: Double, _ policy: EvidencePolicy) -> Bool {
    policy.cellReach > 0 && edge <= 0 && uncertainty > Constant.blur && distance <= policy.cellReach * uncertainty
  }

  /// Whether a device at rest may be in a region that its anchor lies outside of: the anchor cannot tell, and the newest fix lies in it with
  /// its whole error circle.
  func mayRestIn(_ edge: Double, _ distance: Double) -> Bool {
    edge + accuracy <= 0 && uncertainty <= Constant.blur && distance <= uncertainty
  }

  /// Whether what regions are held against lies so far beyond an edge that a visit ends.
  func isBeyond(_ distance: Double, size: Double) -> Bool {
    distance - exitError(size) > EvidencePolicy.exitMargin(size)
  }

  /// Metres that what regions are held against may be wrong, where a visit ends. Cells are often wrong for long.
  func exitError(_ size: Double) -> Double {
    if isResting { return uncertainty > Constant.blur ? Constant.cellDoubt * uncertainty : uncertainty }
    guard isBlurred else { return EvidencePolicy.exitError(accuracy, size) }
    return Constant.cellDoubt * EvidencePolicy.accuracy(variance.squareRoot())
  }

  /// How far within the edge the newest fix must lie to enter alone; negative: how far beyond it may.
  func inward(_ policy: EvidencePolicy) -> Double {
    var inward = policy.enterDepth * accuracy
    guard isOften else { return inward }
    if speed < 0.9 { inward += policy.slowDepth * accuracy }
    if accuracy <= 40 {
      // Neighbours that disagree ask for depth; neighbours that agree better than they claim give slack.
      inward += policy.roughDepth * max(0, min(accuracy, scatter) - 6)
      if time - trusted >= Constant.settled {
        inward -= min(Constant.mostSlack, policy.enterSlack * max(0, accuracy - scatter - 5))
      }
    }
    // Less is not worth a look at the neighbours.
    return inward < 0 && inward > -Constant.leastSlack ? 0 : inward
  }

  /// Whether anything holds for one of the places where the index is asked for what lies as far off as the slack reaches: east, west,
  /// north, south. Without an array, as many fixes ask for it.
  @inline(__always)
  func anyProbe(_ inward: Double, at coordinate: Coordinate, _ holds: (Coordinate) -> Bool) -> Bool {
    guard inward < 0 else { return false }
    let point = plane.point(coordinate)
    return holds(plane.coordinate(point + Point(x: -inward))) || holds(plane.coordinate(point + Point(x: inward)))
      || holds(plane.coordinate(point + Point(y: -inward))) || holds(plane.coordinate(point + Point(y: inward)))
  }

  /// The same places, all of them.
  @inline(__always)
  func forEachProbe(_ inward: Double, at coordinate: Coordinate, _ body: (Coordinate) -> Void) {
    _ = anyProbe(inward, at: coordinate) { probe in
      body(probe)
      return false
    }
  }

  /// The inputs of a reason: of a fix, or of a fix and a region. `before`: the track without the fix that made a jump believed.
  func inputs(_ reason: Reason, _ fix: Fix, _ shape: Region.Shape? = nil, after before: Track? = nil) -> Inputs {
    func edge(_ coordinate: Coordinate) -> InputValue? { shape?.edgeDistance(from: coordinate).map { .tenths($0) } }
    switch reason {
    case .coarse:
      return [
        "accuracy": .tenths(fix.accuracy), "uncertainty": .tenths(variance.squareRoot()),
        "step": .tenths(plane.point(fix.coordinate).distance(to: place)), "distance": edge(fix.coordinate),
      ]
    case .jump, .shift:
      let from = before ?? self
      let step = from.plane.point(fix.coordinate).distance(to: isJump ? from.place : from.anchor)
      return [
        "step": .tenths(step), "since": .time(since),
        "fixes": .integer(Int64(count)),
        "distance": edge(fix.coordinate),
      ]
    case .atRest:
      return [
        "since": .time(planted), "distance": edge(plane.coordinate(anchor)), "uncertainty": .tenths(uncertainty),
      ]
    case .hysteresis:
      let size = shape?.size ?? 0
      return [
        "accuracy": .tenths(fix.accuracy), "distance": edge(isBlurred ? plane.coordinate(smooth) : fix.coordinate),
        "margin": .tenths(EvidencePolicy.exitMargin(size) + exitError(size)),
      ]
    default:
      return ["accuracy": .tenths(fix.accuracy), "limit": .tenths(Self.limit(shape?.size ?? 0))]
    }
  }
}
