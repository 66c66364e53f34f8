/// A fault by which rings are no polygon. Rings are counted from 0, the outer one first, and edges by the position that they begin at.
public enum RingFault: Error, Equatable, Sendable {
  /// All positions on one line.
  case noArea(ring: Int)
  /// Two edges cross or overlap, or two of one ring touch.
  case crossing(ring: Int, edge: Int, otherRing: Int, otherEdge: Int)
  /// A hole that is not inside of the outer ring, or inside of another hole.
  case outside(ring: Int)
}

extension Area {
  /// The first fault of a polygon's closed rings, nil for a good polygon. Rings may touch each other in single positions.
  public static func fault(in positions: [[Coordinate]]) -> RingFault? {
    let rings = positions.map(Polygon.Ring.init)
    for (number, ring) in rings.enumerated() where ring.isFlat { return .noArea(ring: number) }
    var sweep = Sweep(rings)
    if let fault = sweep.run() { return fault }
    let polygon = Polygon(positions)
    var first = 0
    for (number, ring) in rings.enumerated() {
      let own = first..<first + ring.edges.count
      first = own.upperBound
      guard number > 0 else { continue }
      // Whether a position of the hole is in the polygon without it; nil on the edge of another ring.
      func isIn(_ position: Coordinate) -> Bool? {
        let crossings = polygon.runs.crossings(above: position, except: own)
        return crossings.isOnEdge
          ? nil : crossings.isOdd != (polygon.northIsInside != (ring.goesRound && polygon.isNorth))
      }
      let probes = ring.edges.lazy.flatMap { [$0.a, $0.position(0.5)] }
      if sweep.touched.contains(number) {
        let answers = probes.compactMap(isIn)
        guard let first = answers.first, first, answers.allSatisfy(\.self) else { return .outside(ring: number) }
      } else if isIn(ring.edges[0].a) != true {
        return .outside(ring: number)
      }
    }
    return nil
  }
}

extension Polygon.Ring {
  /// Whether all positions lie on one line.
  fileprivate var isFlat: Bool {
    guard edges.count >= 3 else { return true }
    guard !goesRound else { return false }
    var places: [(x: Double, y: Double)] = []
    var x = 0.0
    for edge in edges {
      places.append((x, edge.a.latitude - edges[0].a.latitude))
      x += edge.eastward
    }
    func length(_ place: (x: Double, y: Double)) -> Double { place.x * place.x + place.y * place.y }
    guard let far = places.max(by: { length($0) < length($1) }) else { return true }
    return places.allSatisfy { abs($0.x * far.y - $0.y * far.x) <= length(far) * 1e-13 }
  }
}

/// Looks for crossing edges from west to east, with those at the present longitude in the order of their latitude (Shamos and Hoey, 1976).
private struct Sweep {
  private struct Point {
    var x: Double
    var y: Double

    static func < (a: Point, b: Point) -> Bool { (a.x, a.y) < (b.x, b.y) }
    static func == (a: Point, b: Point) -> Bool { a.x == b.x && a.y == b.y }
  }

  private struct Segment {
    let ring: Int
    /// Among the edges of its ring.
    let edge: Int
    var left: Point
    var right: Point

    /// Above 0 when a point is above the line.
    func turn(_ point: Point) -> Double {
      compensatedDifference(right.x - left.x, point.y - left.y, right.y - left.y, point.x - left.x)
    }
  }

  private let rings: [Polygon.Ring]
  private var segments: [Segment] = []
  private var active: [Int] = []
  /// Rings that touch another.
  private(set) var touched: Set<Int> = []

  init(_ rings: [Polygon.Ring]) {
    self.rings = rings
    for (ring, value) in rings.enumerated() {
      for (number, edge) in value.edges.enumerated() {
        var first = Point(x: edge.a.longitude, y: edge.a.latitude)
        // Both ends as they are elsewhere, so that neighbours meet exactly.
        var second = Point(x: edge.b.longitude, y: edge.b.latitude)
        let wraps = edge.wraps
        if wraps { second.x += edge.eastward > 0 ? 360 : -360 }
        add(ring, number, first, second)
        // A ring that crosses the antimeridian is there on both sides.
        if wraps {
          (first.x, second.x) =
            edge.eastward > 0 ? (first.x - 360, edge.b.longitude) : (first.x + 360, edge.b.longitude)
          add(ring, number, first, second)
        }
      }
    }
  }

  private mutating func add(_ ring: Int, _ edge: Int, _ a: Point, _ b: Point) {
    segments.append(Segment(ring: ring, edge: edge, left: a < b ? a : b, right: a < b ? b : a))
  }

  mutating func run() -> RingFault? {
    if let fault = repeated() { return fault }
    // Ends come before beginnings at the same point.
    var events: [(point: Point, begins: Bool, segment: Int)] = []
    events.reserveCapacity(segments.count * 2)
    for (number, segment) in segments.enumerated() {
      events.append((segment.left, true, number))
      events.append((segment.right, false, number))
    }
    events.sort { a, b in
      if !(a.point == b.point) { return a.point < b.point }
      return (a.begins ? 1 : 0, a.segment) < (b.begins ? 1 : 0, b.segment)
    }
    for event in events {
      if event.begins {
        var position = 0
        var high = active.count
        while position < high {
          let middle = (position + high) / 2
          if isBelow(active[middle], event.segment) { position = middle + 1 } else { high = middle }
        }
        if position > 0, let fault = check(active[position - 1], event.segment) { return fault }
        if position < active.count, let fault = check(event.segment, active[position]) { return fault }
        active.insert(event.segment, at: position)
      } else {
        let position = place(of: event.segment)
        active.remove(at: position)
        if position > 0, position < active.count, let fault = check(active[position - 1], active[position]) {
          return fault
        }
      }
    }
    return nil
  }

  /// Whether an active segment is below a new one, at the longitude where the new one begins.
  private func isBelow(_ old: Int, _ new: Int) -> Bool {
    let turn = segments[old].turn(segments[new].left)
    return turn != 0 ? turn > 0 : segments[old].turn(segments[new].right) > 0
  }

  /// Where a segment stands that ends.
  private func place(of segment: Int) -> Int {
    var low = 0
    var high = active.count
    while low < high {
      let middle = (low + high) / 2
      let other = active[middle]
      if other == segment { return middle }
      var turn = segments[other].turn(segments[segment].right)
      if turn == 0 { turn = segments[other].turn(segments[segment].left) }
      if turn == 0 { turn = -segments[segment].turn(segments[other].left) }
      if turn > 0 { low = middle + 1 } else { high = middle }
    }
    return active.firstIndex(of: segment) ?? 0
  }

  /// A ring that comes to one position twice. Remembers rings that share a position.
  private mutating func repeated() -> RingFault? {
    var vertices: [(position: Coordinate, ring: Int, edge: Int)] = []
    for (number, ring) in rings.enumerated() {
      for (edge, value) in ring.edges.enumerated() { vertices.append((value.a, number, edge)) }
    }
    vertices.sort { a, b in
      if a.position != b.position {
        return (a.position.longitude, a.position.latitude) < (b.position.longitude, b.position.latitude)
      }
      return (a.ring, a.edge) < (b.ring, b.edge)
    }
    for (a, b) in zip(vertices, vertices.dropFirst()) where a.position == b.position {
      guard a.ring != b.ring else {
        return .crossing(
          ring: b.ring, edge: rings[b.ring].starts[b.edge], otherRing: a.ring, otherEdge: rings[a.ring].starts[a.edge])
      }
      touched.formUnion([a.ring, b.ring])
    }
    return nil
  }

  /// The fault between two neighbours; remembers rings that touch.
  private mutating func check(_ first: Int, _ second: Int) -> RingFault? {
    let a = segments[first]
    let b = segments[second]
    guard a.ring != b.ring || a.edge != b.edge else { return nil }
    let turns = [a.turn(b.left), a.turn(b.right), b.turn(a.left), b.turn(a.right)]
    // Apart, or a's or b's ends on one side of the other.
    if turns[0] > 0 && turns[1] > 0 || turns[0] < 0 && turns[1] < 0 { return nil }
    if turns[2] > 0 && turns[3] > 0 || turns[2] < 0 && turns[3] < 0 { return nil }
    var isFault = false
    if turns.allSatisfy({ $0 == 0 }) {
      // On one line: they overlap, or meet at most in one point.
      let low = a.left < b.left ? b.left : a.left
      let high = a.right < b.right ? a.right : b.right
      if high < low { return nil }
      isFault = low < high
    } else {
      isFault = turns.allSatisfy { $0 != 0 }
    }
    if !isFault {
      let isShared = a.left == b.left || a.right == b.right || a.left == b.right || a.right == b.left
      if a.ring != b.ring {
        touched.formUnion([a.ring, b.ring])
        return nil
      }
      // A position that a ring comes to twice has been found before.
      if isShared { return nil }
    }
    let later = (a.ring, rings[a.ring].starts[a.edge]) > (b.ring, rings[b.ring].starts[b.edge]) ? a : b
    let earlier = later.ring == a.ring && later.edge == a.edge ? b : a
    return .crossing(
      ring: later.ring, edge: rings[later.ring].starts[later.edge], otherRing: earlier.ring,
      otherEdge: rings[earlier.ring].starts[earlier.edge])
  }
}
