/// How a region's edge must be crossed (docs/feed.md, Crossing).
public struct CrossingRule: Equatable, Sendable {
  public enum Direction: String, CaseIterable, Sendable {
    case leftToRight, rightToLeft

    var from: LineSide { self == .leftToRight ? .left : .right }
    var to: LineSide { self == .leftToRight ? .right : .left }
  }

  /// Degrees from north, from the first clockwise to the second.
  public struct Course: Equatable, Sendable {
    public var from: Double
    public var to: Double

    public init(from: Double, to: Double) { (self.from, self.to) = (from, to) }

    func contains(_ course: Double) -> Bool {
      let (course, from, to) = (Self.folded(course), Self.folded(from), Self.folded(to))
      return from <= to ? course >= from && course <= to : course >= from || course <= to
    }

    private static func folded(_ course: Double) -> Double { course == 360 ? 0 : course }
  }

  /// Of a corridor's line.
  public var direction: Direction?
  public var course: Course?
  /// Metres a second.
  public var leastSpeed: Double?
  public var mostSpeed: Double?

  public init(
    direction: Direction? = nil, course: Course? = nil, leastSpeed: Double? = nil, mostSpeed: Double? = nil
  ) {
    (self.direction, self.course, self.leastSpeed, self.mostSpeed) = (direction, course, leastSpeed, mostSpeed)
  }

  /// Metres a second that a rule may name.
  public static let speeds: ClosedRange<Double> = 0...1000
}

/// How an edge was crossed, as far as it is known.
struct EdgeCrossing: Equatable, Sendable {
  var isEnter: Bool
  /// The sides of a line that the device came from, and left for.
  var from: LineSide?
  var to: LineSide?
  /// Degrees from north.
  var course: Double?
  /// Metres a second.
  var speed: Double?
}
