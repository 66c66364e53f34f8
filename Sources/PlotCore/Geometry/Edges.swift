#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

private let degree = Double.pi / 180

/// Brings a longitude into -180..<180; one that is there already is unchanged.
func foldedLongitude(_ longitude: Double) -> Double {
  if longitude >= -180, longitude < 180 { return longitude }
  let folded = longitude - 360 * ((longitude + 180) / 360).rounded(.down)
  return folded < 180 ? folded : -180
}

/// a * b - c * d with one rounding error instead of three.
func compensatedDifference(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
  let product = c * d
  let error = (-product).addingProduct(c, d)
  return (-product).addingProduct(a, b) - error
}

/// A straight line in longitude and latitude from one position to another, the shorter way round; of two equally short ways the one
/// that does not cross the antimeridian.
struct Edge: Sendable {
  /// Longitudes in -180..<180.
  let a: Coordinate
  let b: Coordinate
  /// Degrees from `a` to `b`, -180...180.
  let eastward: Double
  let northward: Double
  /// Whether it crosses the antimeridian, seen with longitudes in -180..<180: it then meets the meridians outside of its ends.
  let wraps: Bool

  init(_ from: Coordinate, _ to: Coordinate) {
    a = Coordinate(latitude: from.latitude, longitude: foldedLongitude(from.longitude))
    b = Coordinate(latitude: to.latitude, longitude: foldedLongitude(to.longitude))
    let east = to.longitude - from.longitude
    let goesRound = abs(east) > 180
    eastward = goesRound ? (east > 0 ? east - 360 : east + 360) : east
    northward = to.latitude - from.latitude
    wraps = goesRound != ((a.longitude != from.longitude) != (b.longitude != to.longitude))
  }

  func position(_ fraction: Double) -> Coordinate {
    if fraction == 0 { return a }
    if fraction == 1 { return b }
    return Coordinate(
      latitude: a.latitude + northward * fraction, longitude: foldedLongitude(a.longitude + eastward * fraction))
  }

  /// Where it is from a position, seen along the position's meridian.
  enum Side { case apart, above, below, on }

  func side(of position: Coordinate) -> Side {
    if position.longitude == a.longitude {
      if position.latitude == a.latitude { return .on }
      if eastward == 0 {
        let isBetween =
          position.latitude >= min(a.latitude, b.latitude) && position.latitude <= max(a.latitude, b.latitude)
        return isBetween ? .on : .apart
      }
    }
    // Half open, so that a vertex between two edges counts once.
    guard ((a.longitude <= position.longitude) != (b.longitude <= position.longitude)) != wraps else { return .apart }
    var east = position.longitude - a.longitude
    if eastward > 0, east < 0 { east += 360 }
    if eastward < 0, east > 0 { east -= 360 }
    let turn = compensatedDifference(eastward, position.latitude - a.latitude, northward, east)
    return turn == 0 ? .on : (turn < 0) == (eastward > 0) ? .above : .below
  }

  /// The integral of the sine of the latitude over the longitude, less that of `reference`, all in radians.
  func lift(_ reference: Double) -> Double {
    let half = northward * degree / 2
    let middle = (a.latitude + northward / 2) * degree
    let stretch = abs(half) < 1e-4 ? -half * half / 6 : sin(half) / half - 1
    return eastward * degree
      * (2 * cos((middle + reference) / 2) * sin((middle - reference) / 2) + sin(middle) * stretch)
  }
}

/// A position with what distances from it need.
struct Viewpoint {
  let position: Coordinate
  let latitude: Double
  let cosine: Double

  init(_ position: Coordinate) {
    self.position = Coordinate(latitude: position.latitude, longitude: foldedLongitude(position.longitude))
    latitude = position.latitude * degree
    cosine = cos(latitude)
  }

  /// At most the distance in radians to any position of a box in degrees.
  func bound(south: Double, north: Double, west: Double, width: Double) -> Double {
    let up = max(0, south * degree - latitude, latitude - north * degree)
    let east = foldedLongitude(position.longitude - west)
    let past = (east < 0 ? east + 360 : east) - width
    guard past > 0 else { return up }
    let gap = min(past, max(0, 360 - width - past)) * degree
    return max(up, gap >= .pi / 2 ? .pi / 2 - abs(latitude) : asin(min(1, max(0, cosine) * sin(gap))))
  }

  /// Lowers `best`, in radians, to the distance to the part of an edge between two fractions, if that is less.
  func approach(_ edge: Edge, from: Double = 0, to: Double = 1, _ best: inout Double) {
    let share = to - from
    guard max(abs(edge.eastward), abs(edge.northward)) * share > 1 else {
      best = min(best, distance(edge, from, to))
      return
    }
    let middle = (from + to) / 2
    func bound(_ from: Double, _ to: Double) -> Double {
      let south = edge.a.latitude + edge.northward * (edge.northward > 0 ? from : to)
      let west = edge.a.longitude + edge.eastward * (edge.eastward > 0 ? from : to)
      return self.bound(
        south: south, north: south + abs(edge.northward) * (to - from), west: west,
        width: abs(edge.eastward) * (to - from))
    }
    let first = bound(from, middle)
    let second = bound(middle, to)
    for isFirst in first <= second ? [true, false] : [false, true] where (isFirst ? first : second) < best {
      if isFirst { approach(edge, from: from, to: middle, &best) } else { approach(edge, from: middle, to: to, &best) }
    }
  }

  /// Radians to a short part of an edge: the least of the haversine formula along it, by Newton's method.
  private func distance(_ edge: Edge, _ from: Double, _ to: Double) -> Double {
    let share = to - from
    let up = (edge.a.latitude + edge.northward * from - position.latitude) * degree
    let east = foldedLongitude(edge.a.longitude + edge.eastward * from - position.longitude) * degree
    let northward = edge.northward * share * degree
    let eastward = edge.eastward * share * degree
    func haversine(_ t: Double) -> Double {
      let u = sin((up + northward * t) / 2)
      let v = sin((east + eastward * t) / 2)
      return u * u + cosine * cos(latitude + up + northward * t) * v * v
    }
    let squeeze = cosine * cos(latitude + up + northward / 2)
    let length = northward * northward + squeeze * eastward * eastward
    var t = length > 0 ? min(1, max(0, -(up * northward + squeeze * east * eastward) / length)) : 0
    for _ in 0..<3 {
      let u = up + northward * t
      let v = east + eastward * t
      let half = sin(v / 2)
      let other = latitude + u
      let slope =
        sin(u) * northward / 2 + cosine
        * (cos(other) * sin(v) * eastward / 2 - sin(other) * northward * half * half)
      let bend =
        cos(u) * northward * northward / 2 + cosine
        * (cos(other) * cos(v) * eastward * eastward / 2 - cos(other) * northward * northward * half * half
          - sin(other) * northward * sin(v) * eastward)
      guard bend > 0 else { break }
      let next = min(1, max(0, t - slope / bend))
      if next == t { break }
      t = next
    }
    return 2 * asin(min(1, max(0, min(haversine(t), haversine(0), haversine(1))).squareRoot()))
  }
}

/// Edges in runs of neighbours, each with a box round it.
struct EdgeRuns: Sendable {
  private struct Run: Sendable {
    var edges: Range<Int>
    var south = 90.0
    var north = -90.0
    var west = 0.0
    var width = 0.0
  }

  let edges: [Edge]
  private var runs: [Run] = []

  init(_ edges: [Edge]) {
    self.edges = edges
    for start in stride(from: 0, to: edges.count, by: 16) {
      var run = Run(edges: start..<min(start + 16, edges.count))
      var west = edges[start].a.longitude
      var east = west
      var longitude = west
      for edge in edges[run.edges] {
        // An edge that begins elsewhere, in another ring.
        longitude += foldedLongitude(edge.a.longitude - longitude)
        let end = longitude + edge.eastward
        west = min(west, longitude, end)
        east = max(east, longitude, end)
        longitude = end
        run.south = min(run.south, edge.a.latitude, edge.b.latitude)
        run.north = max(run.north, edge.a.latitude, edge.b.latitude)
      }
      // With a little more against rounding.
      run.west = west - 1e-9
      run.width = min(360, east - west + 2e-9)
      runs.append(run)
    }
  }

  /// Whether an odd number of edges lies above a position, and whether it is on one of them.
  func crossings(above position: Coordinate, except: Range<Int> = 0..<0) -> (isOdd: Bool, isOnEdge: Bool) {
    var isOdd = false
    for run in runs where run.north >= position.latitude {
      let east = foldedLongitude(position.longitude - run.west)
      guard (east < 0 ? east + 360 : east) <= run.width else { continue }
      for index in run.edges where !except.contains(index) {
        switch edges[index].side(of: position) {
        case .apart, .below: break
        case .above: isOdd.toggle()
        case .on: return (true, true)
        }
      }
    }
    return (isOdd, false)
  }

  /// Lowers `best`, in radians, to the distance to the nearest edge, if that is less.
  func approach(_ viewpoint: Viewpoint, _ best: inout Double) {
    func bound(_ run: Run) -> Double {
      viewpoint.bound(south: run.south, north: run.north, west: run.west, width: run.width)
    }
    var nearest = 0
    var least = Double.infinity
    for (index, run) in runs.enumerated() {
      let bound = bound(run)
      if bound < least { (nearest, least) = (index, bound) }
    }
    guard least < best else { return }
    for index in runs[nearest].edges { viewpoint.approach(edges[index], &best) }
    for (index, run) in runs.enumerated() where index != nearest && bound(run) < best {
      for index in run.edges { viewpoint.approach(edges[index], &best) }
    }
  }

  /// Calls `body` with the edges that may be within so many radians of a position.
  func forEachNear(_ viewpoint: Viewpoint, _ radians: Double, _ body: (Edge) -> Void) {
    for run in runs
    where viewpoint.bound(south: run.south, north: run.north, west: run.west, width: run.width) <= radians {
      for index in run.edges { body(edges[index]) }
    }
  }
}
