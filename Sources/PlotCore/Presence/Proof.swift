/// How fresh the evidence must be on which something in a visit comes by itself (docs/rules.md, Evidence has an age).
public struct ProofPolicy: Equatable, Sendable {
  /// The newest fix may be so old; 0: nothing needs a proof.
  public var maxAge: Milliseconds = 90_000
  /// How long the host may take to answer a request for a fix.
  public var deadline: Milliseconds = 30_000
  /// The time after which something that waits for a proof is dropped.
  public var staleAfter: Milliseconds = 3_600_000

  public init() {}
}

/// The knowledge of where the device is, for things that are due in a visit.
struct Proof {
  var policy: ProofPolicy
  /// The newest fix that was followed; `.min` before the first.
  var newestFix: Milliseconds
  /// The time of the input in progress.
  var time: Milliseconds
  /// Regions that the operating system watches, and says the device is in.
  var watched: Set<Identifier>

  /// The fate of something that is due.
  enum Standing {
    /// It happens.
    case proven
    /// It waits for a fix.
    case waits
    /// It has waited for too long.
    case stale
  }

  /// `isLeaving`: a fix says that the visit is over, and that is not sure yet.
  func standing(_ due: Milliseconds, isLeaving: Bool) -> Standing {
    // A fix that came later, or one that is fresh: what a process finds when it starts again was due long ago.
    if !isLeaving, newestFix >= due || newestFix >= time - policy.maxAge { return .proven }
    return time >= due + policy.staleAfter ? .stale : .waits
  }

  /// Sorts due things by their fate: those that happen, whether some wait, and those that are dropped, with the time of the oldest of these.
  func sort<Due>(
    _ due: [Due], isLeaving: Bool, at time: (Due) -> Milliseconds
  ) -> (proven: [Due], waits: Bool, stale: [Due], oldest: Milliseconds?) {
    let standings = due.map { standing(time($0), isLeaving: isLeaving) }
    func all(_ standing: Standing) -> [Due] { zip(due, standings).filter { $0.1 == standing }.map(\.0) }
    let stale = all(.stale)
    return (all(.proven), standings.contains(.waits), stale, stale.map(time).min())
  }

  /// When something that is due must be looked at. `now`: the newest time.
  func wakeup(_ due: Milliseconds, isLeaving: Bool, now: Milliseconds) -> Milliseconds {
    due > now || standing(due, isLeaving: isLeaving) == .proven ? due : due + policy.staleAfter
  }
}

extension Presence {
  /// Whether something in a visit needs a proof that the device is still there: not where a system watches the region or a beacon is heard, for
  /// there silence means that nothing has changed; and not with gates, which look at each fix by itself.
  func needsProof(_ visit: Visit, _ rules: VisitRules) -> Bool {
    guard rules.proof.policy.maxAge > 0, let place = visit.place else { return false }
    if case .group(let group) = rules.feed.regions[place].shape {
      let members = group.members.compactMap { member -> Visit? in
        let (position, found) = visitPosition(member)
        return found ? visits[position] : nil
      }
      return !members.isEmpty && members.allSatisfy { needsProof($0, rules) }
    }
    return visit.isAtPlace && rules.noise(at: place).evidence != nil && !rules.proof.watched.contains(visit.region)
  }

  /// Whether anything in a visit is due that waits for a proof.
  func waitsForProof(_ rules: VisitRules, now: Milliseconds) -> Bool {
    visits.contains { visit in
      guard visit.countsDwelling, visit.isTimed, needsProof(visit, rules) else { return false }
      var waits = false
      forEachDwelling(of: visit, rules) { _, time in waits = waits || time <= now }
      forEachInside(of: visit, rules) { _, _, time in waits = waits || time <= now }
      return waits || nextRepeat(of: visit, rules, seen: 0).map { $0 <= now } ?? false
    }
  }
}
