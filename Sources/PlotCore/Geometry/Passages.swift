#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Earth {
  /// The shortest way between two positions, in equal pieces of at most 20 km; between antipodes one of the shortest.
  static func way(_ from: Coordinate, _ to: Coordinate) -> [Coordinate] {
    let metres = distance(from, to)
    let count = Int(saturating: (metres / 20_000).rounded(.up))
    guard count > 1 else { return [from, to] }
    let degree = Double.pi / 180
    func vector(_ place: Coordinate) -> (x: Double, y: Double, z: Double) {
      let latitude = place.latitude * degree
      let longitude = place.longitude * degree
      return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
    let a = vector(from)
    let b = vector(to)
    let angle = metres / radius
    return (0...count).map { number in
      if number == 0 { return from }
      if number == count { return to }
      let fraction = Double(number) / Double(count)
      let first = sin((1 - fraction) * angle)
      let second = sin(fraction * angle)
      let x = first * a.x + second * b.x
      let y = first * a.y + second * b.y
      let z = first * a.z + second * b.z
      return Coordinate(
        latitude: atan2(z, (x * x + y * y).squareRoot()) / degree,
        longitude: foldedLongitude(atan2(y, x) / degree))
    }
  }
}

/// Which parts of a way are inside of something.
enum Passages {
  /// Joins what `body` says about each short piece of the way, in any order and overlapping.
  static func along(
    _ from: Coordinate, _ to: Coordinate, _ body: (Edge) -> [ClosedRange<Double>]
  ) -> [ClosedRange<Double>] {
    let way = Earth.way(from, to)
    let count = Double(way.count - 1)
    var ranges: [ClosedRange<Double>] = []
    for (number, (start, end)) in zip(way, way.dropFirst()).enumerated() {
      for range in body(Edge(start, end)).sorted(by: { $0.lowerBound < $1.lowerBound }) {
        let low = (Double(number) + range.lowerBound) / count
        let high = (Double(number) + range.upperBound) / count
        if let last = ranges.last, low <= last.upperBound {
          ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, high)
        } else {
          ranges.append(low...high)
        }
      }
    }
    return ranges
  }

  /// The part of a short way on which a distance is at most `limit` metres. The distance falls to its least, then rises.
  static func within(_ limit: Double, _ way: Edge, _ distance: (Coordinate) -> Double) -> ClosedRange<Double>? {
    func isInside(_ fraction: Double) -> Bool { distance(way.position(fraction)) <= limit }
    let startsInside = isInside(0)
    let endsInside = isInside(1)
    if startsInside, endsInside { return 0...1 }
    var inside = startsInside ? 0.0 : 1
    if !startsInside, !endsInside {
      var low = 0.0
      var high = 1.0
      for _ in 0..<60 {
        let (first, second) = (low + (high - low) * 0.382, low + (high - low) * 0.618)
        if distance(way.position(first)) < distance(way.position(second)) { high = second } else { low = first }
      }
      inside = (low + high) / 2
      guard isInside(inside) else { return nil }
    }
    func edge(_ outside: Double) -> Double {
      var (inside, outside) = (inside, outside)
      for _ in 0..<52 {
        let middle = (inside + outside) / 2
        if isInside(middle) { inside = middle } else { outside = middle }
      }
      return inside
    }
    return (startsInside ? 0 : edge(0))...(endsInside ? 1 : edge(1))
  }
}

extension Circle {
  /// Metres to the edge, negative inside.
  public func edgeDistance(from coordinate: Coordinate) -> Double { Earth.distance(coordinate, center) - radius }

  /// The parts of the shortest way between two positions that are inside, as fractions from 0 to 1, ascending.
  public func passages(from: Coordinate, to: Coordinate) -> [ClosedRange<Double>] {
    if from == to { return edgeDistance(from: from) <= 0 ? [0...1] : [] }
    guard edgeDistance(from: from) <= Earth.distance(from, to) * 1.000001 + 1e-3 else { return [] }
    return Passages.along(from, to) { piece in
      let metres = Earth.distance(piece.a, center) - Earth.distance(piece.a, piece.b) * 1.01 - 1e-3
      guard metres <= radius else { return [] }
      return Passages.within(radius, piece) { Earth.distance($0, center) }.map { [$0] } ?? []
    }
  }
}
