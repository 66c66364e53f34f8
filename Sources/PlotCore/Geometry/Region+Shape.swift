extension Region.Shape {
  /// Whether positions can be inside: everything but beacons.
  public var isPlace: Bool { if case .beacon = self { false } else { true } }

  /// Metres to the edge, negative inside; nil for beacons.
  public func edgeDistance(from coordinate: Coordinate) -> Double? {
    switch self {
    case .circle(let circle): circle.edgeDistance(from: coordinate)
    case .area(let area): area.edgeDistance(from: coordinate)
    case .beacon: nil
    }
  }

  /// The parts of the shortest way between two positions that are inside, as fractions from 0 to 1, ascending.
  public func passages(from: Coordinate, to: Coordinate) -> [ClosedRange<Double>] {
    switch self {
    case .circle(let circle): circle.passages(from: from, to: to)
    case .area(let area): area.passages(from: from, to: to)
    case .beacon: []
    }
  }

  /// The circle itself, or one that encloses the area.
  public var circle: Circle? {
    switch self {
    case .circle(let circle): circle
    case .area(let area): Circle(center: area.center, radius: area.reach)
    case .beacon: nil
    }
  }

  /// Metres: the radius of a circle, or of one as large as the area; of a corridor half its width; 0 for beacons.
  public var size: Double {
    switch self {
    case .circle(let circle): circle.radius
    case .area(let area): area.size
    case .beacon: 0
    }
  }
}
