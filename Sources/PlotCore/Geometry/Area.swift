#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A side of a line, seen along it from its first position.
public enum LineSide: String, CaseIterable, Sendable {
  case left, right
}

/// A piece of ground that is no circle.
///
/// Polygons have edges that are straight in longitude and latitude, the shorter way round, and belong to them; the winding of a ring does not
/// matter. A ring that goes round a pole is closed at the pole that it is nearer to. Where polygons of one area overlap, all belong to it.
/// A corridor is all that lies within half its width of a line.
public struct Area: Equatable, Sendable {
  public enum Outline: Equatable, Sendable {
    /// Polygons of rings, the outer one first, as in GeoJSON; the last position of a ring may repeat the first.
    case polygons([[[Coordinate]]])
    /// `width` in metres, from side to side.
    case corridor([Coordinate], width: Double)
  }

  public let outline: Outline
  /// About the middle: of the largest polygon its centroid in longitude and latitude, or the pole that it surrounds; of a corridor the
  /// position halfway. It may lie outside.
  public let center: Coordinate
  /// Metres: a circle of this radius round `center` encloses the area.
  public let reach: Double
  /// Metres: the radius of a circle as large as the area; of a corridor half its width.
  public let size: Double
  let polygons: [Polygon]
  private let line: EdgeRuns
  private let halfWidth: Double

  public init(_ outline: Outline) {
    self.outline = outline
    switch outline {
    case .polygons(let rings):
      polygons = rings.map(Polygon.init)
      line = EdgeRuns([])
      halfWidth = 0
      let largest = polygons.max { $0.surface < $1.surface }
      center = Self.rounded(largest?.center ?? Coordinate(latitude: 0, longitude: 0))
      size = (polygons.reduce(0) { $0 + $1.surface } / .pi).squareRoot()
    case .corridor(let positions, let width):
      polygons = []
      var edges = zip(positions, positions.dropFirst()).filter { $0 != $1 }.map { Edge($0, $1) }
      if edges.isEmpty, let only = positions.first { edges = [Edge(only, only)] }
      line = EdgeRuns(edges)
      halfWidth = width / 2
      center = Self.rounded(Self.halfway(edges))
      size = width / 2
    }
    reach = Self.reach(of: polygons, line, halfWidth, from: center)
  }

  public static func == (a: Area, b: Area) -> Bool { a.outline == b.outline }

  /// Metres to the nearest edge, negative inside, 0 on the edge. Whether a position is inside a polygon is decided in longitude and latitude,
  /// by the edges that its meridian crosses; the metres are those of the nearest position on an edge, on a sphere of `Earth.radius`.
  public func edgeDistance(from coordinate: Coordinate) -> Double {
    let viewpoint = Viewpoint(coordinate)
    if polygons.isEmpty {
      var best = Double.infinity
      line.approach(viewpoint, &best)
      return best * Earth.radius - halfWidth
    }
    return polygons.reduce(.infinity) { min($0, $1.edgeDistance(viewpoint)) }
  }

  /// The parts of the way between two positions that are inside, as fractions from 0 to 1, ascending. The way is the shortest
  /// (`Earth.way`).
  public func passages(from: Coordinate, to: Coordinate) -> [ClosedRange<Double>] {
    if from == to { return edgeDistance(from: from) <= 0 ? [0...1] : [] }
    guard Earth.distance(from, center) - Earth.distance(from, to) <= reach * 1.000001 + 1e-3 else { return [] }
    return Passages.along(from, to) { piece in
      var ranges: [ClosedRange<Double>] = []
      for polygon in polygons { ranges += polygon.passages(piece) }
      if polygons.isEmpty {
        let length = Earth.distance(piece.a, piece.b)
        let limit = (halfWidth + length) / Earth.radius * 1.000001 + 1e-9
        line.forEachNear(Viewpoint(piece.a), limit) { edge in
          let range = Passages.within(halfWidth, piece) { position in
            var best = Double.infinity
            Viewpoint(position).approach(edge, &best)
            return best * Earth.radius
          }
          if let range { ranges.append(range) }
        }
      }
      return ranges
    }
  }

  /// The side of a corridor's line that a position is on, seen along the line; nil on the line itself, and for polygons. Beyond its ends the
  /// line goes straight on.
  public func side(of coordinate: Coordinate) -> LineSide? {
    guard polygons.isEmpty else { return nil }
    let viewpoint = Viewpoint(coordinate)
    var nearest = Double.infinity
    line.approach(viewpoint, &nearest)
    // At a corner two pieces are equally near: the one that the position lies more to the side of tells.
    var most = 0.0
    var turn = 0.0
    line.forEachNear(viewpoint, nearest * 1.000001 + 1e-9) { edge in
      var distance = Double.infinity
      viewpoint.approach(edge, &distance)
      guard distance <= nearest * 1.000001 + 1e-9 else { return }
      let east = foldedLongitude(viewpoint.position.longitude - edge.a.longitude) * viewpoint.cosine
      let (eastward, north) = (edge.eastward * viewpoint.cosine, viewpoint.position.latitude - edge.a.latitude)
      let length = (eastward * eastward + edge.northward * edge.northward).squareRoot()
      guard length > 0 else { return }
      let aside = compensatedDifference(eastward, north, edge.northward, east) / length
      if abs(aside) > most { (most, turn) = (abs(aside), aside) }
    }
    return turn == 0 ? nil : turn > 0 ? .left : .right
  }

  // MARK: Measures

  /// To 1e-7 degrees, about a centimetre: what items say of a place is the same everywhere, whatever the last bit of a sine.
  private static func rounded(_ place: Coordinate) -> Coordinate {
    Coordinate(
      latitude: (place.latitude * 1e7).rounded() / 1e7,
      longitude: foldedLongitude((place.longitude * 1e7).rounded() / 1e7))
  }

  private static func halfway(_ edges: [Edge]) -> Coordinate {
    let lengths = edges.map { Earth.distance($0.a, $0.b) }
    var rest = lengths.reduce(0, +) / 2
    for (edge, length) in zip(edges, lengths) {
      if rest <= length { return edge.position(length > 0 ? rest / length : 0) }
      rest -= length
    }
    return edges.last?.b ?? Coordinate(latitude: 0, longitude: 0)
  }

  private static func reach(
    of polygons: [Polygon], _ line: EdgeRuns, _ halfWidth: Double, from center: Coordinate
  ) -> Double {
    var reach = 0.0
    let half = Double.pi * Earth.radius
    for edge in polygons.flatMap(\.runs.edges) + line.edges {
      // Between the ends of a short piece an edge bulges by less than its length times the turn of its course.
      let pieces = max(1, Int(saturating: (max(abs(edge.eastward), abs(edge.northward)) * 4).rounded(.up)))
      var before = edge.a
      for number in 1...pieces {
        let next = number == pieces ? edge.b : edge.position(Double(number) / Double(pieces))
        let length = Earth.distance(before, next)
        let turn = abs(edge.eastward) / Double(pieces) * degree + length / Earth.radius
        reach = max(
          reach, max(Earth.distance(center, before), Earth.distance(center, next)) + length * turn / 4)
        before = next
      }
    }
    let antipode = Viewpoint(Coordinate(latitude: -center.latitude, longitude: center.longitude + 180))
    if polygons.contains(where: { $0.contains(antipode.position) }) { reach = half }
    return min(half, reach + halfWidth)
  }
}

private let degree = Double.pi / 180

/// A shell with its holes.
struct Polygon: Sendable {
  let runs: EdgeRuns
  /// Whether, beyond all edges, the north pole's side is inside.
  let northIsInside: Bool
  /// The pole that rings which go round are closed at.
  let isNorth: Bool
  let center: Coordinate
  /// Square metres.
  let surface: Double

  /// A closed ring, which may go round the Earth's axis.
  struct Ring: Sendable {
    let edges: [Edge]
    /// At which of the positions each edge begins.
    let starts: [Int]
    let goesRound: Bool

    init(_ positions: [Coordinate]) {
      var kept: [Int] = []
      for (index, position) in positions.enumerated() where !Self.isSame(position, kept.last.map { positions[$0] }) {
        kept.append(index)
      }
      while kept.count > 1, Self.isSame(positions[kept[0]], positions[kept[kept.count - 1]]) { kept.removeLast() }
      kept = Self.withoutSeams(kept, positions)
      starts = kept
      edges = kept.indices.map { Edge(positions[kept[$0]], positions[kept[($0 + 1) % kept.count]]) }
      goesRound = abs(edges.reduce(0) { $0 + $1.eastward }) > 180
    }

    private static func isSame(_ a: Coordinate, _ b: Coordinate?) -> Bool {
      a.latitude == b?.latitude && foldedLongitude(a.longitude) == b.map { foldedLongitude($0.longitude) }
    }

    /// Many maps cut land at a pole open: down a meridian, along the pole, and up the same meridian. That is no edge.
    private static func withoutSeams(_ kept: [Int], _ positions: [Coordinate]) -> [Int] {
      let count = kept.count
      guard count > 4, kept.contains(where: { abs(positions[$0].latitude) == 90 }) else { return kept }
      func at(_ index: Int) -> Coordinate { positions[kept[index % count]] }
      func isOnOneMeridian(_ a: Coordinate, _ b: Coordinate) -> Bool {
        foldedLongitude(a.longitude) == foldedLongitude(b.longitude)
      }
      var dropped: Set<Int> = []
      for first in 0..<count where abs(at(first).latitude) == 90 && at(first + count - 1).latitude != at(first).latitude
      {
        var next = first + 1
        while next < first + count, at(next).latitude == at(first).latitude { next += 1 }
        let before = at(first + count - 1)
        let last = at(next - 1)
        guard next - first > 1 || isOnOneMeridian(before, at(next)), isOnOneMeridian(before, at(first)),
          isOnOneMeridian(last, at(next)), isOnOneMeridian(before, at(next))
        else { continue }
        for index in first..<next { dropped.insert(index % count) }
        if isSame(before, at(next)) { dropped.insert(next % count) }
      }
      return kept.indices.filter { !dropped.contains($0) }.map { kept[$0] }
    }

    /// Square metres; of a ring that goes round, those of the cap at the pole.
    func surface(north: Bool) -> Double {
      guard let first = edges.first else { return 0 }
      let reference = goesRound ? (north ? Double.pi / 2 : -Double.pi / 2) : first.a.latitude * degree
      return abs(edges.reduce(0) { $0 + $1.lift(reference) }) * Earth.radius * Earth.radius
    }

    /// Which pole a ring that goes round is nearer to: the sign of its mean height.
    var height: Double {
      let total = edges.reduce(0) { $0 + $1.lift(0) }
      return edges.reduce(0) { $0 + $1.eastward } > 0 ? total : -total
    }

    /// Twice the signed area and its moments, in degrees relative to a position.
    func moments(_ origin: Coordinate) -> (area: Double, east: Double, north: Double) {
      var sum = (area: 0.0, east: 0.0, north: 0.0)
      guard let first = edges.first else { return sum }
      var x = foldedLongitude(first.a.longitude - origin.longitude)
      for edge in edges {
        let y = edge.a.latitude - origin.latitude
        let next = x + edge.eastward
        let cross = x * (edge.b.latitude - origin.latitude) - next * y
        sum.area += cross
        sum.east += cross * (x + next)
        sum.north += cross * (y + edge.b.latitude - origin.latitude)
        x = next
      }
      return sum
    }
  }

  init(_ positions: [[Coordinate]]) {
    let rings = positions.map(Ring.init)
    runs = EdgeRuns(rings.flatMap(\.edges))
    guard let shell = rings.first, let start = shell.edges.first?.a else {
      (northIsInside, isNorth, center, surface) = (false, true, Coordinate(latitude: 0, longitude: 0), 0)
      return
    }
    // Two rings round the axis enclose the band between them.
    let inner = rings.dropFirst().first(where: \.goesRound)
    let isNorth = inner.map { $0.height >= shell.height } ?? (shell.height >= 0)
    self.isNorth = isNorth
    northIsInside = isNorth && rings.count(where: \.goesRound) % 2 == 1
    let surfaces = rings.map { $0.surface(north: isNorth) }
    surface = max(0, 2 * surfaces[0] - surfaces.reduce(0, +))
    guard !shell.goesRound else {
      center = Coordinate(latitude: isNorth ? 90 : -90, longitude: 0)
      return
    }
    var total = (area: 0.0, east: 0.0, north: 0.0)
    for (index, ring) in rings.enumerated() {
      let moments = ring.moments(start)
      let sign = ((moments.area < 0) != (index > 0)) ? -1.0 : 1
      total.area += sign * moments.area
      total.east += sign * moments.east
      total.north += sign * moments.north
    }
    guard total.area > 0 else {
      center = start
      return
    }
    center = Coordinate(
      latitude: min(90, max(-90, start.latitude + total.north / total.area / 3)),
      longitude: foldedLongitude(start.longitude + total.east / total.area / 3))
  }

  /// `position` has a longitude in -180..<180.
  func contains(_ position: Coordinate) -> Bool {
    let crossings = runs.crossings(above: position)
    return crossings.isOnEdge || crossings.isOdd != northIsInside
  }

  func edgeDistance(_ viewpoint: Viewpoint) -> Double {
    let crossings = runs.crossings(above: viewpoint.position)
    if crossings.isOnEdge { return 0 }
    var best = Double.infinity
    runs.approach(viewpoint, &best)
    // Too near for the metres to tell, but not on the edge.
    let metres = max(best * Earth.radius, .leastNormalMagnitude)
    return crossings.isOdd != northIsInside ? -metres : metres
  }

  /// The fractions of a short way that are inside.
  func passages(_ way: Edge) -> [ClosedRange<Double>] {
    var fractions = [0.0, 1]
    let limit = Earth.distance(way.a, way.b) / Earth.radius * 1.000001 + 1e-9
    runs.forEachNear(Viewpoint(way.a), limit) { edge in
      let east = foldedLongitude(edge.a.longitude - way.a.longitude)
      let north = edge.a.latitude - way.a.latitude
      for east in [east, east - 360, east + 360] {
        let turn = way.eastward * edge.northward - way.northward * edge.eastward
        if turn != 0 {
          let fraction = (east * edge.northward - north * edge.eastward) / turn
          let along = (east * way.northward - north * way.eastward) / turn
          if fraction > 0, fraction < 1, along > -1e-9, along < 1 + 1e-9 { fractions.append(fraction) }
        } else {
          let length = way.eastward * way.eastward + way.northward * way.northward
          guard length > 0 else { continue }
          for (x, y) in [(east, north), (east + edge.eastward, north + edge.northward)] {
            let fraction = (x * way.eastward + y * way.northward) / length
            if fraction > 0, fraction < 1 { fractions.append(fraction) }
          }
        }
      }
    }
    fractions.sort()
    return zip(fractions, fractions.dropFirst()).compactMap { start, end in
      start < end && contains(way.position((start + end) / 2)) ? start...end : nil
    }
  }
}
