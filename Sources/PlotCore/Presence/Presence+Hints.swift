/// Hints of an operating system, each held against what is known (docs/rules.md, Hints).
extension Presence {
  enum HintLimit {
    /// Nobody is faster: metres a second.
    static let speed = 70.0
    /// The error of a system at an edge, in metres, beside the accuracy.
    static let margin = 100.0
    /// A position of at most this accuracy in metres can prove that the device is inside an area, or one as good as the area is wide.
    static let accuracy = 100.0
  }

  /// Why a hint is not followed.
  enum HintObjection {
    /// Something newer is known.
    case stale(newest: Milliseconds)
    /// It is so already.
    case duplicate(isInside: Bool)
    /// A position lies so many metres on the other side of the edge, where at most so many are possible.
    case contradicted(edge: Double, most: Double)
    /// The circle that the system watches is larger than the area.
    case unproven
  }

  /// Whether a visit is on as the hint says, or none is.
  func isSo(_ hint: Hint) -> Bool { visitPosition(hint.region).found == hint.kind.isEnter }

  /// The objection to a hint; nil for none. `circle` is the one that the system watches for the region, nil for beacons; `isArea`: the region
  /// is only somewhere in it, and `provenInside` says whether a coordinate is in the region itself.
  func objection(
    to hint: Hint, _ circle: Circle?, isArea: Bool, newestHint: Milliseconds, lastFix: Fix?,
    provenInside: (Coordinate) -> Bool
  ) -> HintObjection? {
    let newest = max(newestHint, lastFix?.time ?? 0)
    guard hint.time >= newest else { return .stale(newest: newest) }
    let (place, isVisited) = visitPosition(hint.region)
    // A crossing that fixes have not made sure yet can be refuted.
    guard !isSo(hint) || crossingPosition(hint.region).found else { return .duplicate(isInside: isVisited) }
    // A visit that began after the hint was not ended by it.
    if isVisited, !hint.kind.isEnter, visits[place].since > hint.time { return .stale(newest: visits[place].since) }
    guard let circle else { return nil }
    func against(_ position: Position, travel: Double) -> HintObjection? {
      let edge = Earth.distance(position.coordinate, circle.center) - circle.radius
      let most = position.accuracy + HintLimit.margin + travel
      return (hint.kind.isEnter ? edge : -edge) > most ? .contradicted(edge: edge, most: most) : nil
    }
    if let own = hint.position, let against = against(own, travel: 0) { return against }
    if let fix = lastFix {
      let travel = Double(hint.time - fix.time) / 1000 * HintLimit.speed
      if let against = against(Position(fix.coordinate, accuracy: fix.accuracy), travel: travel) { return against }
    }
    guard hint.kind.isEnter, isArea else { return nil }
    guard let own = hint.position, own.accuracy <= max(circle.radius, HintLimit.accuracy), provenInside(own.coordinate)
    else { return .unproven }
    return nil
  }
}
