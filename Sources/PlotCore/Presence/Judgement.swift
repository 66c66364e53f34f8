/// A fix, as it is held against a region.
struct Evidence {
  var fix: Fix
  /// When that was: the fix's time, or now for a region that has moved.
  var time: Milliseconds
  /// When it came in: later than its time, for one that comes late.
  var heard: Milliseconds
  /// Whether it says something new: a second fix of the same time does not confirm the first.
  var isNew: Bool
  var motion: Motion
  var source = Source.fix
}

/// The judgement of a fix about a region.
enum Judgement {
  /// It is as it was.
  case nothing
  /// The fix does not count there. `leaving`: it says that a visit is over, which a long silence after it would make sure.
  case held(Reason, leaving: PendingCrossing? = nil)
  /// The crossing that was not sure yet has not happened.
  case refuted
  /// A device as fast as this passes by: the crossing that was not sure yet has not happened.
  case tooFast(speed: Double, limit: Double)
  /// A crossing that is not sure yet, and when it will be, if nothing speaks against it. `isStronger`: the fix has added to it.
  /// `needed`: how many fixes must say so.
  case waits(PendingCrossing, due: Milliseconds?, isStronger: Bool, needed: Int64)
  case sure(Crossing)
}

extension Presence {
  /// Holds a fix against a region whose policy has gates: `edge` and `size` are of its shape, in metres, `place` is where it stands in the feed.
  func judge(
    _ region: Identifier, at place: Int, edge: Double, size: Double, isVisited: Bool, _ evidence: Evidence,
    _ policy: NoisePolicy, now: Milliseconds
  ) -> Judgement {
    let pending = crossingPosition(region)
    switch policy.answer(edge: edge, size: size, accuracy: evidence.fix.accuracy, visiting: isVisited) {
    case .hold(let reason): return .held(reason)
    case .inside where isVisited, .outside where !isVisited:
      guard pending.found else { return .nothing }
      // A fix that is too inaccurate to enter or leave by does not speak against it, either.
      return policy.isAccurate(evidence.fix.accuracy, size: size) ? .refuted : .held(.accuracy)
    case .inside, .outside:
      if !isVisited, let most = policy.maxSpeed, let speed = evidence.motion.speed, speed > most {
        return .tooFast(speed: speed, limit: most)
      }
      var crossing =
        pending.found
        ? crossings[pending.position]
        : PendingCrossing(
          region: region, isEnter: !isVisited, since: evidence.time, coordinate: evidence.fix.coordinate, fixes: 0)
      let isStronger = !pending.found || evidence.isNew
      if isStronger { crossing.fixes += 1 }
      let due = crossing.due(policy, heard: now)
      if let due, due <= now { return .sure(Crossing(crossing, evidence.source, place: place)) }
      return .waits(crossing, due: due, isStronger: isStronger, needed: policy.confirmFixes)
    }
  }
}
