/// What an operating system says of one region that it watches.
public struct Hint: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// It was entered, or left, at this time.
    case enter, exit
    /// The device is inside, or outside, at this time; since when is not said.
    case inside, outside

    var isEnter: Bool { self == .enter || self == .inside }
    var isCrossing: Bool { self == .enter || self == .exit }
  }

  public var time: Milliseconds
  public var region: Identifier
  public var kind: Kind
  /// Where the device was, as the system says with it.
  public var position: Position?

  public init(time: Milliseconds, region: Identifier, kind: Kind, position: Position? = nil) {
    self.time = time
    self.region = region
    self.kind = kind
    self.position = position
  }
}

/// Somewhere, more or less.
public struct Position: Equatable, Sendable {
  public var coordinate: Coordinate
  /// Metres; 0 when not known: the position is then taken as exact.
  public var accuracy: Double

  public init(_ coordinate: Coordinate, accuracy: Double = 0) {
    self.coordinate = coordinate
    self.accuracy = accuracy
  }

  var fault: InputError? { Fix(time: 0, coordinate: coordinate, accuracy: accuracy).fault }
}

/// Hints of an operating system (docs/rules.md, Hints; reference: peers, 2.3, A16 and A19): each is checked against what is known.
extension Machine {
  enum HintLimit {
    /// Nobody is faster: metres a second.
    static let speed = 70.0
    /// What a system may be off by at an edge, in metres, beside the accuracy.
    static let margin = 100.0
    /// A position of at most this accuracy in metres can prove that the device is inside an area, or one as good as the area is wide.
    static let accuracy = 100.0
  }

  /// Takes a hint. Throws `invalid` or `unknownRegion`, and then nothing has changed.
  public mutating func hint(_ hint: Hint) throws(InputError) -> Output {
    if let fault = hint.position?.fault { throw fault }
    guard let position = feed.region(hint.region) else { throw .unknownRegion(hint.region.text) }
    guard !feed.regions[position].shape.isGroup else {
      throw .invalid(
        name: "region_id", expected: "a region that a system can watch", found: "the group \(hint.region.text)")
    }
    output.restart()
    proceed(to: hint.time)
    if let (verdict, reason, inputs) = objection(to: hint, position) {
      tell(hint, verdict, reason, inputs)
    } else {
      newestHint = hint.time
      let isPending = crossingPosition(hint.region).found
      forgetCrossing(hint.region)
      if isPending, isSo(hint) {
        tell(hint, .drop, .refuted)
        // What waited while it was not sure.
        tellDwellings()
      }
      cross([
        Crossing(
          region: hint.region, isEnter: hint.kind.isEnter, since: hint.time, coordinate: hint.position?.coordinate,
          source: .hint, isSeen: hint.kind.isCrossing)
      ])
      // A region that a hint has settled is not new any more.
      setNewRegions(state.presence.newRegions.subtracting([hint.region]))
    }
    return finish()
  }

  private mutating func tell(_ hint: Hint, _ verdict: Verdict, _ reason: Reason, _ inputs: Inputs = [:]) {
    tell(verdict, reason, at: hint.region, detail: hint.kind.rawValue, inputs: inputs)
  }

  /// Whether a visit is on as the hint says, or none is.
  private func isSo(_ hint: Hint) -> Bool { visitPosition(hint.region).found == hint.kind.isEnter }

  /// Why a hint is not followed.
  private func objection(to hint: Hint, _ position: Int) -> (Verdict, Reason, Inputs)? {
    guard state.host.isEnabled else { return (.drop, .disabled, [:]) }
    func stale(_ newest: Milliseconds) -> (Verdict, Reason, Inputs) {
      (.drop, .hintStale, noted(["at": .time(hint.time), "newest": .time(newest)]))
    }
    let newest = max(newestHint, lastFix?.time ?? 0)
    guard hint.time >= newest else { return stale(newest) }
    let (place, isVisited) = visitPosition(hint.region)
    // What fixes say that is not sure yet can be refuted.
    guard !isSo(hint) || crossingPosition(hint.region).found else {
      return (.drop, .hintDuplicate, noted(["inside": .boolean(isVisited)]))
    }
    // What has begun after it was not ended by it.
    if isVisited, !hint.kind.isEnter, state.presence.visits[place].since > hint.time {
      return stale(state.presence.visits[place].since)
    }
    let shape = watched(position)
    guard let circle = shape.circle else { return nil }
    /// What speaks against the hint, where it does.
    func against(_ position: Position, travel: Double) -> (Verdict, Reason, Inputs)? {
      let edge = Earth.distance(position.coordinate, circle.center) - circle.radius
      let most = position.accuracy + HintLimit.margin + travel
      guard (hint.kind.isEnter ? edge : -edge) > most else { return nil }
      return (.drop, .hintContradicted, noted(["distance": .tenths(edge), "margin": .tenths(most)]))
    }
    if let own = hint.position, let against = against(own, travel: 0) { return against }
    if let fix = lastFix {
      let travel = Double(hint.time - fix.time) / 1000 * HintLimit.speed
      if let against = against(Position(fix.coordinate, accuracy: fix.accuracy), travel: travel) { return against }
    }
    guard hint.kind.isEnter, shape.isArea else { return nil }
    guard let own = hint.position, own.accuracy <= max(circle.radius, HintLimit.accuracy),
      contains(position, own.coordinate)
    else {
      return (.hold, .hintUnproven, noted(["accuracy": hint.position.map { .tenths($0.accuracy) }]))
    }
    return nil
  }

  // MARK: Shapes

  /// The circle that a system watches for a region, nil for beacons; an area is only somewhere in it, and it has whole metres.
  func watched(_ position: Int) -> (circle: Circle?, isArea: Bool) {
    let shape = shape(at: position)
    if case .area = shape {
      return (shape.circle.map { Circle(center: $0.center, radius: $0.radius.rounded(.up)) }, true)
    }
    return (shape.circle, false)
  }

  /// Whether a coordinate is in a region.
  private func contains(_ position: Int, _ coordinate: Coordinate) -> Bool {
    (shape(at: position).edgeDistance(from: coordinate) ?? .infinity) <= 0
  }
}
