/// Answers which circles and areas a position is in or near. They are kept in classes of about one size, and each class in the order of
/// the latitude of the centres; a query looks at the band of each class that its largest allows. Built once for a feed.
public struct RegionIndex: Sendable {
  private struct Class: Sendable {
    var latitudes: [Double] = []
    var positions: [Int] = []
    var shapes: [Region.Shape] = []
    var circles: [Circle] = []
    /// Metres.
    var largest = 0.0
  }

  private var classes: [Class] = []

  public init(_ regions: [Region]) {
    var entries: [(position: Int, circle: Circle)] = []
    for (position, region) in regions.enumerated() where !region.isMoving {
      if let circle = region.shape.circle { entries.append((position, circle)) }
    }
    entries.sort { ($0.circle.center.latitude, $0.position) < ($1.circle.center.latitude, $1.position) }
    // 1 km, 8 km, 64 km and so on to more than half of the Earth.
    var least = -1.0
    for most in [1e3, 8e3, 64e3, 512e3, 4096e3, .infinity] {
      var new = Class()
      for (position, circle) in entries where circle.radius > least && circle.radius <= most {
        new.latitudes.append(circle.center.latitude)
        new.positions.append(position)
        new.shapes.append(regions[position].shape)
        new.circles.append(circle)
        new.largest = max(new.largest, circle.radius)
      }
      if !new.positions.isEmpty { classes.append(new) }
      least = most
    }
  }

  /// Calls `body` with the position and the distance to the edge in metres, 0 or less, of each region that contains the coordinate.
  public func forEachContaining(_ coordinate: Coordinate, _ body: (Int, Double) -> Void) {
    forEachNear(coordinate, 0, body)
  }

  /// Calls `body` with the position and the distance to the edge in metres, negative inside, of each region whose edge is at most
  /// `metres` away or that contains the coordinate.
  public func forEachNear(_ coordinate: Coordinate, _ metres: Double, _ body: (Int, Double) -> Void) {
    for group in classes {
      // Degrees of latitude, with a little more against rounding.
      let reach = (group.largest + metres) / Earth.radius * 180 / Double.pi * 1.000001 + 1e-9
      var low = 0
      var high = group.latitudes.count
      let first = coordinate.latitude - reach
      while low < high {
        let middle = (low + high) / 2
        if group.latitudes[middle] < first { low = middle + 1 } else { high = middle }
      }
      let last = coordinate.latitude + reach
      while low < group.latitudes.count, group.latitudes[low] <= last {
        let circle = group.circles[low]
        let distance = Earth.distance(coordinate, circle.center) - circle.radius
        switch group.shapes[low] {
        case .circle where distance <= metres: body(group.positions[low], distance)
        case .area(let area) where distance <= metres + 1e-3 + circle.radius * 1e-6:
          let distance = area.edgeDistance(from: coordinate)
          if distance <= metres { body(group.positions[low], distance) }
        default: break
        }
        low += 1
      }
    }
  }
}
