/// The fast path. Most fixes change nothing: every visit goes on, none begins, nothing is due. One answer of the index tells so, without
/// an allocation, and without counting a reference of the feed that many engines share (docs/performance.md).
extension Machine {
  /// The values that a fix is compared with, found anew when anything has changed.
  struct FastPath: Sendable {
    /// Nothing waits for fixes but the places below.
    var isStill = false
    /// The time of the newest fix that was not fastPath. It is offered more than once on its way, and one search is enough.
    var refused: Milliseconds?
    /// Of the feed in force.
    var search: RegionIndex.Search
    /// Metres a second; a fix that is further away than that is not fastPath.
    var mostSpeed = Double.infinity
    /// How far a fix may be beyond the newest time.
    var mostAhead = Milliseconds.max
    /// How long a jump must last, where the engine's policy weighs evidence; negative where it has gates.
    var jumpTime: Milliseconds = -1
    /// How many places are visited, at most as many as there is room for.
    var count = 0
    /// Of each, whether it is a circle without a noise policy of its own: then the index says all of it.
    var plain: UInt16 = 0
    /// Where the same places contain all.
    var clear = Clear()
    /// Their positions, without an array: that would lie elsewhere in the memory.
    var places = InlineArray<14, Int32>(repeating: 0)

    /// One of the places has a policy of its own, or is no circle.
    var hasOwnPolicies: Bool { plain != 1 &<< UInt16(count) &- 1 }
    /// All places that are visited contain the circle.
    var isClearlyInside = false

    func isPlain(_ place: Int) -> Bool { plain >> UInt16(place) & 1 != 0 }

    func isVisited(_ position: Int) -> Bool {
      for place in 0..<count where places[place] == position { return true }
      return false
    }
  }

  /// A circle in which the same places contain everything.
  struct Clear: Sendable {
    private var middle = Point()
    private var radius = 0.0
    /// The origin of the plane that the middle is in.
    private var origin = Coordinate(latitude: 0, longitude: 0)
    /// Which of the visited places those are.
    private(set) var inside: UInt64 = 0
    /// How often it is not looked for, after the one before was left at once.
    private var pause = 0

    /// Whether a point lies in it, with as much around it as the slack.
    @inline(__always)
    func holds(_ point: Point, _ plane: Plane, slack: Double) -> Bool {
      let most = radius - slack
      return most > 0 && (point - middle).square < most * most && plane.origin == origin
    }

    /// Looks for another one.
    mutating func renew(_ point: Point, _ plane: Plane, _ inside: UInt64, _ clearance: (Coordinate) -> Double) {
      guard pause == 0 else {
        radius = 0
        pause -= 1
        return
      }
      radius = clearance(plane.coordinate(point))
      if radius <= Self.least { pause = 15 }
      (middle, origin, self.inside) = (point, plane.origin, inside)
    }

    /// One of fewer metres is left at once.
    private static let least = 20.0
  }

  /// Takes a fix that changes nothing but the newest fix and the newest time. False for any other, and then nothing has happened:
  /// `update` must take it. A second one of the same time may be refused without a look.
  public mutating func takeFast(_ fix: Fix) -> Bool {
    takeFast(fix) { search, see in search.forEachContaining(fix.coordinate, see) }
  }

  /// The same, with what an index has said of the fix, if that is the one of this feed.
  public mutating func takeFast(_ fix: Fix, known: KnownPlaces) -> Bool {
    guard known.search.isOf(fastPath.search), known.count <= known.places.count else { return takeFast(fix) }
    return takeFast(fix) { _, see in for number in 0..<known.count { see(Int(known.places[number])) } }
  }

  @inline(__always)
  private mutating func takeFast(
    _ fix: Fix, _ forEachContaining: (RegionIndex.Search, (Int) -> Void) -> Void
  ) -> Bool {
    let fix = counted(fix)
    guard fastPath.isStill, fix.time >= state.newest, fix.time < nextWakeup ?? .max, fix.isGood,
      fix.time != fastPath.refused,
      fix.time &- state.newest <= fastPath.mostAhead
    else { return false }
    if fastPath.mostSpeed < .infinity, let lastFix, Motion.leastSpeed(from: lastFix, to: fix) > fastPath.mostSpeed {
      return false
    }
    if fastPath.jumpTime >= 0 { return weighFast(fix, forEachContaining) }
    var inside: UInt64 = 0
    var isNew = false
    forEachContaining(fastPath.search) { position in
      for place in 0..<fastPath.count where fastPath.places[place] == position {
        inside |= 1 &<< UInt64(truncatingIfNeeded: place)
        return
      }
      isNew = true
      feed.prefetchPlace(position)
    }
    guard !isNew, inside == 1 &<< UInt64(fastPath.count) &- 1 || areHeld(fix, but: inside) else {
      fastPath.refused = fix.time
      return false
    }
    observations.forgetSuspects()
    return take(fix, isFollowed: true)
  }

  /// Notes a fix that changes nothing else: true, that it was taken.
  @inline(__always)
  private mutating func take(_ fix: Fix, isFollowed: Bool) -> Bool {
    inputTime = fix.time
    state.newest = fix.time
    if isFollowed { observations.follow(fix) }
    return true
  }

  /// The same where the engine's policy weighs evidence.
  @inline(__always)
  private mutating func weighFast(
    _ fix: Fix, _ forEachContaining: (RegionIndex.Search, (Int) -> Void) -> Void
  ) -> Bool {
    if fix.time == state.newest, observations.repeats(fix) { return true }
    let point = track.plane.point(fix.coordinate)
    guard isClearlyUnchanged(fix, at: point) else { return weighAndSearch(fix, forEachContaining) }
    return take(fix, isFollowed: observations.weigh(fix, at: point, jump: fastPath.jumpTime).isFollowed)
  }

  /// At rest the anchor is looked for in the index; on the way the fix, and with slack what is around it.
  @inline(never)
  private mutating func weighAndSearch(
    _ fix: Fix, _ forEachContaining: (RegionIndex.Search, (Int) -> Void) -> Void
  ) -> Bool {
    let before = track
    let answer = observations.weigh(fix, jump: fastPath.jumpTime)
    guard changesNothing(fix, answer, forEachContaining) else {
      observations.replace(before)
      fastPath.refused = fix.time
      return false
    }
    return take(fix, isFollowed: answer.isFollowed)
  }

  /// Whether a fix changes nothing but the track, which has it already.
  @inline(__always)
  private mutating func changesNothing(
    _ fix: Fix, _ answer: Track.Answer, _ forEachContaining: (RegionIndex.Search, (Int) -> Void) -> Void
  ) -> Bool {
    let isOnTheWay = answer.isFollowed && !track.isResting
    let asksMore =
      if isOnTheWay {
        // A jump or a shift that is believed at last may have begun in a region that the fix is not in.
        track.isBlurred || answer == .believed
      } else if answer == .held {
        track.isJump
      } else {
        track.isResting && track.uncertainty > Track.Constant.blur
      }
    let isReported = settings.recordsDecisions && !(isOnTheWay && answer != .believed)
    // The observations of a jump are over where a fix is followed.
    guard !asksMore, !isReported, !answer.isFollowed || observations.seenInJump.isEmpty else { return false }
    let point = track.plane.point(fix.coordinate)
    let inward = isOnTheWay ? min(0, track.inward(trackPolicy)) : 0
    let probe = isOnTheWay || !answer.isFollowed ? point : track.anchor
    let isClear =
      fastPath.clear.holds(point, track.plane, slack: -inward) && fastPath.clear.holds(probe, track.plane, slack: 0)
    let inside =
      isClear ? fastPath.clear.inside : search(fix, isOnTheWay, answer.isFollowed, inward, forEachContaining)
    guard let inside, inside == 1 &<< UInt64(fastPath.count) &- 1 || goOn(fix, answer, but: inside) else {
      return false
    }
    if !isClear, answer.isFollowed {
      fastPath.clear.renew(probe, track.plane, inside) { fastPath.search.clearance($0) }
      // Gates were looked up at the fix.
      if !isOnTheWay, fastPath.hasOwnPolicies, !fastPath.clear.holds(point, track.plane, slack: 0) {
        fastPath.clear = Clear()
      }
      fastPath.isClearlyInside = inside == 1 &<< UInt64(fastPath.count) &- 1 && !settings.recordsDecisions
    }
    return true
  }

  /// Whether a fix changes nothing, whatever the track says of it: it lies where the same places contain everything, and so does the anchor;
  /// all visited ones do; and nothing waits. Then the track need not be copied.
  @inline(__always)
  private func isClearlyUnchanged(_ fix: Fix, at point: Point) -> Bool {
    track.isKnown && !track.waits && fix.accuracy <= Track.Constant.blur && fastPath.isClearlyInside
      && !track.plane.isFar(point)
      && fastPath.clear.holds(point, track.plane, slack: Track.Constant.mostSlack)
      && fastPath.clear.holds(track.anchor, track.plane, slack: 0)
  }

  /// Which of the visited places contain what is held against them; nil where there is a place that is not visited.
  @inline(__always)
  private func search(
    _ fix: Fix, _ isOnTheWay: Bool, _ isFollowed: Bool, _ inward: Double,
    _ forEachContaining: (RegionIndex.Search, (Int) -> Void) -> Void
  ) -> UInt64? {
    var found = Found()
    forEachContaining(fastPath.search) { position in
      see(position, isFix: true, isOnTheWay, &found)
      if isFollowed, !isOnTheWay, !found.isNew, mayRest(fix, in: position) { found.isNew = true }
    }
    if inward < 0 {
      track.forEachProbe(inward, at: fix.coordinate) { probe in
        fastPath.search.forEachContaining(probe) { position in
          // Around a fix there may be places that it is not in.
          if !fastPath.isVisited(position) { see(position, isFix: false, isOnTheWay, &found) }
        }
      }
    } else if isFollowed, !isOnTheWay {
      fastPath.search.forEachContaining(track.plane.coordinate(track.anchor)) { position in
        see(position, isFix: false, isOnTheWay, &found)
      }
    }
    return found.isNew ? nil : found.inside
  }

  /// The places that the index has named: which of the visited ones, and whether there is another.
  private struct Found {
    var inside: UInt64 = 0
    var isNew = false
  }

  /// Notes a place that the index has named. Gates are held against the fix, wherever the others look.
  private func see(_ position: Int, isFix: Bool, _ isOnTheWay: Bool, _ found: inout Found) {
    for place in 0..<fastPath.count where fastPath.places[place] == position {
      if isOnTheWay || hasGates(position, isPlain: fastPath.isPlain(place)) == isFix {
        found.inside |= 1 &<< UInt64(truncatingIfNeeded: place)
      }
      return
    }
    if isOnTheWay || !isFix || hasGates(position, isPlain: false) {
      found.isNew = true
      feed.prefetchPlace(position)
    }
  }

  /// Whether a fix at rest is evidence for a place that is not visited.
  private func mayRest(_ fix: Fix, in position: Int) -> Bool {
    guard !fastPath.isVisited(position) else { return false }
    let shape = feed.regions[position].shape
    guard let edge = shape.edgeDistance(from: fix.coordinate),
      let distance = shape.edgeDistance(from: track.plane.coordinate(track.anchor))
    else { return false }
    return track.mayRestIn(edge, distance)
  }

  /// Whether a region has gates of its own, in an engine whose policy weighs evidence.
  private func hasGates(_ position: Int, isPlain: Bool) -> Bool {
    !isPlain && feed.regions[position].noise.map { $0.evidence == nil } ?? false
  }

  /// Whether all other visits go on, and nobody is told so.
  private func goOn(_ fix: Fix, _ answer: Track.Answer, but inside: UInt64) -> Bool {
    for number in 0..<fastPath.count where inside >> UInt64(number) & 1 == 0 {
      let position = Int(fastPath.places[number])
      let isPlain = fastPath.isPlain(number)
      if hasGates(position, isPlain: isPlain) {
        guard !settings.recordsDecisions, isHeld(fix, at: position, isPlain: isPlain) else { return false }
        continue
      }
      // One that is held may say that a visit is over.
      let coordinate = track.isResting && answer.isFollowed ? track.plane.coordinate(track.anchor) : fix.coordinate
      let (edge, size): (Double, Double)
      if isPlain {
        let circle = fastPath.search.circle(position)
        (edge, size) = (circle.edgeDistance(from: coordinate), circle.radius)
      } else {
        let shape = feed.regions[position].shape
        guard let distance = shape.edgeDistance(from: coordinate) else { return false }
        (edge, size) = (distance, shape.size)
      }
      let error =
        answer.isFollowed
        ? track.exitError(size)
        : EvidencePolicy.exitError(EvidencePolicy.accuracy(fix.accuracy), size)
      guard edge - error <= EvidencePolicy.exitMargin(size), edge <= 0 || !settings.recordsDecisions else {
        return false
      }
    }
    return true
  }

  /// Whether the noise policy lets all other visits go on, though the fix is outside, and nobody is told so.
  private func areHeld(_ fix: Fix, but inside: UInt64) -> Bool {
    guard !settings.recordsDecisions else { return false }
    for number in 0..<fastPath.count where inside >> UInt64(number) & 1 == 0 {
      let position = Int(fastPath.places[number])
      guard isHeld(fix, at: position, isPlain: fastPath.isPlain(number)) else {
        feed.prefetchPlace(position)
        return false
      }
    }
    return true
  }

  private func isHeld(_ fix: Fix, at position: Int, isPlain: Bool) -> Bool {
    func isHeld(_ edge: Double, _ size: Double, _ noise: NoisePolicy) -> Bool {
      if case .hold = noise.answer(edge: edge, size: size, accuracy: fix.accuracy, visiting: true) { return true }
      return false
    }
    if isPlain {
      let circle = fastPath.search.circle(position)
      return isHeld(circle.edgeDistance(from: fix.coordinate), circle.radius, settings.noise)
    }
    let shape = feed.regions[position].shape
    guard let edge = shape.edgeDistance(from: fix.coordinate) else { return false }
    return isHeld(edge, shape.size, noise(at: position))
  }

  /// Finds out what the next fix is compared with.
  mutating func prepareFastPath() {
    fastPath.search = feed.index.search
    fastPath.mostSpeed = settings.noise.maxImpliedSpeed ?? .infinity
    fastPath.jumpTime = settings.noise.evidence?.jumpTime ?? -1
    fastPath.mostAhead = state.host.mostAhead(isLimited: settings.maxAhead != nil)
    fastPath.count = 0
    fastPath.plain = 0
    fastPath.clear = Clear()
    fastPath.isStill =
      state.host.isEnabled && state.presence.hasBaseline && state.presence.newRegions.isEmpty
      && state.presence.crossings.isEmpty
      && state.presence.approaches.isEmpty && feed.moving.isEmpty && feed.passable.isEmpty && feed.approachable.isEmpty
      && feed.absent.isEmpty && state.trips.isEmpty
      && (fastPath.jumpTime >= 0 || !track.isKnown)
      && (fastPath.jumpTime < 0 || !state.presence.hasTimes || !state.presence.waitsForProof(visitRules, now: now))
      && (fastPath.jumpTime < 0 || !state.delivery.isHeldDue(at: now))
    guard fastPath.isStill else { return }
    for visit in state.presence.visits.indices {
      guard state.presence.visits[visit].isAtPlace, let position = state.presence.visits[visit].place else { continue }
      guard fastPath.count < fastPath.places.count else {
        fastPath.isStill = false
        return
      }
      fastPath.places[fastPath.count] = Int32(position)
      if state.presence.visits[visit].isPlain { fastPath.plain |= 1 << UInt16(fastPath.count) }
      fastPath.count += 1
    }
  }

  /// Whether the next fix is compared with what is so now.
  var isPrepared: Bool { fastPath.search.isOf(feed.index) }
}
