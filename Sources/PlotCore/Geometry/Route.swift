/// A way as a line, with the length of each of its parts.
public struct Route: Equatable, Sendable {
  public let points: [Coordinate]
  /// Metres from the beginning to each point.
  private let lengths: [Double]

  /// The most points that a route has.
  public static let pointLimit = 20_000

  public init(_ points: [Coordinate]) {
    var (lengths, length) = ([Double](), 0.0)
    lengths.reserveCapacity(points.count)
    for index in points.indices {
      if index > 0 { length += Earth.distance(points[index - 1], points[index]) }
      lengths.append(length)
    }
    (self.points, self.lengths) = (points, lengths)
  }

  public static func == (a: Route, b: Route) -> Bool { a.points == b.points }

  /// Metres.
  public var length: Double { lengths.last ?? 0 }

  /// A place on the route, and how far from it one is; metres.
  struct Place: Equatable {
    var along: Double
    var beside: Double
  }

  /// The place that somebody at a position is at. Where the route comes by more than once, one is preferred that lies within `expected` metres from
  /// the beginning; nil for a route without a line.
  func place(of position: Coordinate, expected: ClosedRange<Double>?) -> Place? {
    guard points.count > 1 else { return nil }
    let plane = Plane(around: position)
    var (best, least) = (Place(along: 0, beside: .infinity), Double.infinity)
    var start = plane.point(points[0])
    for index in 1..<points.count {
      let end = plane.point(points[index])
      let way = end - start
      let square = way.square
      let fraction = square > 0 ? max(0, min(1, -(start.x * way.x + start.y * way.y) / square)) : 0
      let beside = (start + fraction * way).length
      let along = lengths[index - 1] + fraction * (lengths[index] - lengths[index - 1])
      var cost = beside
      if let expected {
        cost += Self.detour * max(0, expected.lowerBound - along, along - expected.upperBound)
      }
      if cost < least { (best, least) = (Place(along: along, beside: beside), cost) }
      start = end
    }
    return best
  }

  /// So many metres beside the route count as much as one along it that nobody expects.
  private static let detour = 0.05
}
