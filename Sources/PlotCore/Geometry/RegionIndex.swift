/// Answers which circles a position is in. Circles are kept in the order of their latitude; a query looks at the band that the
/// largest radius allows. Built once for a feed.
struct RegionIndex: Sendable {
  private var latitudes: [Double] = []
  private var positions: [Int] = []
  private var circles: [Circle] = []
  private var reach = 0.0

  init(_ regions: [Region]) {
    var entries: [(position: Int, circle: Circle)] = []
    for (position, region) in regions.enumerated() {
      if case .circle(let circle) = region.shape { entries.append((position, circle)) }
    }
    entries.sort { ($0.circle.center.latitude, $0.position) < ($1.circle.center.latitude, $1.position) }
    latitudes = entries.map(\.circle.center.latitude)
    positions = entries.map(\.position)
    circles = entries.map(\.circle)
    let largest = circles.map(\.radius).max() ?? 0
    // Degrees of latitude, with a little more against rounding.
    reach = largest / Earth.radius * 180 / Double.pi * 1.000001 + 1e-9
  }

  /// Calls `body` with the position and the distance in metres of each circle that contains the coordinate.
  func forEachContaining(_ coordinate: Coordinate, _ body: (Int, Double) -> Void) {
    var low = 0
    var high = latitudes.count
    let first = coordinate.latitude - reach
    while low < high {
      let middle = (low + high) / 2
      if latitudes[middle] < first { low = middle + 1 } else { high = middle }
    }
    let last = coordinate.latitude + reach
    while low < latitudes.count, latitudes[low] <= last {
      let distance = Earth.distance(coordinate, circles[low].center)
      if distance <= circles[low].radius { body(positions[low], distance) }
      low += 1
    }
  }
}
