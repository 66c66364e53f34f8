extension Region.Shape {
  /// Whether positions can be inside: circles and areas.
  public var isPlace: Bool {
    switch self {
    case .circle, .area: true
    case .beacon, .eddystone, .group: false
    }
  }

  /// A corridor: a line with two sides.
  public var isLine: Bool {
    guard case .area(let area) = self, case .corridor = area.outline else { return false }
    return true
  }

  public var isBeacon: Bool {
    switch self {
    case .beacon, .eddystone: true
    case .circle, .area, .group: false
    }
  }

  var isCircle: Bool { if case .circle = self { true } else { false } }

  public var isGroup: Bool { if case .group = self { true } else { false } }

  /// Of beacons; others have none, and are heard wherever they are.
  var beaconRange: BeaconRange {
    switch self {
    case .beacon(let beacon): beacon.range
    case .eddystone(let beacon): beacon.range
    case .circle, .area, .group: .far
    }
  }

  /// Metres to the edge, negative inside; nil for beacons and groups.
  public func edgeDistance(from coordinate: Coordinate) -> Double? {
    switch self {
    case .circle(let circle): circle.edgeDistance(from: coordinate)
    case .area(let area): area.edgeDistance(from: coordinate)
    case .beacon, .eddystone, .group: nil
    }
  }

  /// The parts of the shortest way between two positions that are inside, as fractions from 0 to 1, ascending.
  public func passages(from: Coordinate, to: Coordinate) -> [ClosedRange<Double>] {
    switch self {
    case .circle(let circle): circle.passages(from: from, to: to)
    case .area(let area): area.passages(from: from, to: to)
    case .beacon, .eddystone, .group: []
    }
  }

  /// The circle itself, or one that encloses the area.
  public var circle: Circle? {
    switch self {
    case .circle(let circle): circle
    case .area(let area): Circle(center: area.center, radius: area.reach)
    case .beacon, .eddystone, .group: nil
    }
  }

  /// Metres: the radius of a circle, or of one as large as the area; of a corridor half its width; 0 for beacons and groups.
  public var size: Double {
    switch self {
    case .circle(let circle): circle.radius
    case .area(let area): area.size
    case .beacon, .eddystone, .group: 0
    }
  }
}

extension Region {
  /// Its place in the index: none where it moves, or positions cannot be inside.
  public var place: Place? {
    guard !values.isMoving else { return nil }
    switch values.shape {
    case .circle(let circle): return .circle(circle)
    case .area(let area): return .area(area)
    case .beacon, .eddystone, .group: return nil
    }
  }
}

extension RegionIndex {
  public convenience init(_ regions: [Region]) {
    self.init(
      regions.map(\.place),
      area: { position in if case .area(let area) = regions[position].shape { area } else { nil } })
  }
}
