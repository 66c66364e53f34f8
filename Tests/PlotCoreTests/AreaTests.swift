import Foundation
import PlotTesting
import Testing

@testable import PlotCore

private func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
  Coordinate(latitude: latitude, longitude: longitude)
}

private func folded(_ coordinate: Coordinate) -> Coordinate {
  place(coordinate.latitude, foldedLongitude(coordinate.longitude))
}

private func polygon(_ rings: [Coordinate]...) -> Area { Area(.polygons([rings])) }

private func rectangle(_ south: Double, _ west: Double, _ north: Double, _ east: Double) -> [Coordinate] {
  [place(south, west), place(south, east), place(north, east), place(north, west), place(south, west)]
}

/// A ring round a centre whose distance from it, in degrees, varies; not closed, longitudes not folded.
private func star(_ center: Coordinate, _ degrees: ClosedRange<Double>, _ generator: inout SplitMix64)
  -> [Coordinate]
{
  let count = Int.random(in: 3...40, using: &generator)
  return (0..<count).map { number in
    let angle = (Double(number) + Double.random(in: 0...0.9, using: &generator)) / Double(count) * 2 * .pi
    let length = Double.random(in: degrees, using: &generator)
    return place(center.latitude + length * sin(angle), center.longitude + length * cos(angle))
  }
}

/// The same question in the plane, by another rule: the angles that the edges are seen under.
private func winds(_ ring: [Coordinate], round place: Coordinate) -> Bool {
  var total = 0.0
  for (a, b) in zip(ring, ring.dropFirst() + [ring[0]]) {
    let (x, y) = (a.longitude - place.longitude, a.latitude - place.latitude)
    let (u, v) = (b.longitude - place.longitude, b.latitude - place.latitude)
    total += atan2(x * v - y * u, x * u + y * v)
  }
  return abs(total) > .pi
}

/// Metres to the nearest of many positions on the edges.
private func nearest(_ edges: [Edge], _ position: Coordinate) -> Double {
  var best = Double.infinity
  for edge in edges {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<6 {
      let steps = 40
      let fractions = (0...steps).map { low + (high - low) * Double($0) / Double(steps) }
      let distances = fractions.map { Earth.distance(position, edge.position($0)) }
      let least = distances.indices.min { distances[$0] < distances[$1] }!
      best = min(best, distances[least])
      (low, high) = (fractions[max(0, least - 1)], fractions[min(steps, least + 1)])
    }
  }
  return best
}

@Suite struct AreaTests {
  @Test func aSquareWithAHole() {
    let area = polygon(rectangle(52, 4, 53, 5), rectangle(52.4, 4.4, 52.6, 4.6))
    let degree = metersPerDegree
    let cases: [(Coordinate, Double)] = [
      (place(52.1, 4.5), -0.1 * degree), (place(52.5, 4.5), 0.1 * degree * cos(52.5 * .pi / 180)),
      (place(51.9, 4.5), 0.1 * degree), (place(52.3, 4.5), -0.1 * degree), (place(53.5, 4.5), 0.5 * degree),
      (place(52, 4.5), 0), (place(52.5, 5), 0), (place(53, 5), 0), (place(52.4, 4.6), 0), (place(52.6, 4.5), 0),
    ]
    for (position, metres) in cases {
      #expect(abs(area.edgeDistance(from: position) - metres) <= abs(metres) * 1e-3, "\(position)")
    }
    #expect(area.edgeDistance(from: place(52, 4.5)) == 0)
    #expect(abs(area.center.latitude - 52.5) < 1e-9 && abs(area.center.longitude - 4.5) < 1e-9)
    let surface = (degree * degree * 0.96) * cos(52.5 * .pi / 180)
    #expect(abs(.pi * area.size * area.size / surface - 1) < 1e-3)
    #expect(abs(area.reach - Earth.distance(area.center, place(52, 4))) < 1000)
  }

  /// An edge along a parallel stays on it, north of it is outside although the shortest way between its ends goes there.
  @Test func edgesAreStraightInDegrees() {
    let area = polygon(rectangle(40, -120, 49, -90))
    for (latitude, metres) in [(49.001, 0.001 * metersPerDegree), (48.999, -0.001 * metersPerDegree)] {
      #expect(abs(area.edgeDistance(from: place(latitude, -105)) - metres) < 0.2)
    }
  }

  @Test func starsAgreeWithAnglesAndSampling() {
    var generator = SplitMix64(11)
    var inside = 0
    for round in 0..<steps(160) {
      let center = place(
        Double.random(in: -75...75, using: &generator),
        round % 2 == 0
          ? Double.random(in: -180...180, using: &generator) : 180 + Double.random(in: -1...1, using: &generator))
      let scale = [10, 1, 0.01, 0.0001][round % 4]
      let ring = star(center, 0.2 * scale...scale, &generator)
      let turned = Array(ring[(ring.count / 2)...] + ring[..<(ring.count / 2)])
      let area = polygon(ring.map(folded))
      let other = polygon(Array(turned.reversed().map(folded)))
      for _ in 0..<20 {
        let position = place(
          center.latitude + Double.random(in: -1.3...1.3, using: &generator) * scale,
          center.longitude + Double.random(in: -1.3...1.3, using: &generator) * scale)
        let distance = area.edgeDistance(from: folded(position))
        let isInside = winds(ring, round: position)
        #expect((distance <= 0) == isInside, "\(round) \(position)")
        #expect(abs(other.edgeDistance(from: folded(position)) - distance) <= abs(distance) * 1e-6 + 1e-6)
        if abs(distance) < 100_000 {
          let expected = nearest(area.polygons[0].runs.edges, position)
          #expect(abs(abs(distance) - expected) <= expected * 1e-3 + 1e-6, "\(round) \(distance) \(expected)")
        }
        if isInside {
          inside += 1
          #expect(Earth.distance(area.center, position) <= area.reach * (1 + 1e-9) + 1e-6)
        }
      }
    }
    #expect(inside >= steps(400), "\(inside) inside")
  }

  @Test func theSameAcrossTheAntimeridian() {
    var generator = SplitMix64(12)
    var witnesses = Witnesses()
    for _ in 0..<100 {
      let ring = star(place(10, 0), 1...20, &generator)
      let there = polygon(ring.map { folded(place($0.latitude, $0.longitude + 180)) })
      let here = polygon(ring)
      #expect(abs(there.reach - here.reach) < 0.1 && abs(there.size - here.size) < 1e-3)
      for _ in 0..<20 {
        let position = place(
          Double.random(in: -20...40, using: &generator), Double.random(in: -30...30, using: &generator))
        let distance = here.edgeDistance(from: position)
        let shifted = there.edgeDistance(from: folded(place(position.latitude, position.longitude + 180)))
        #expect(abs(distance - shifted) < 1e-4 && (distance <= 0) == (shifted <= 0), "\(position)")
        witnesses.see(distance <= 0 ? "inside" : "outside")
      }
    }
    #expect(witnesses.below(["inside": 150, "outside": 1400]) == [])
  }

  /// A vertex on the very meridian of a position, and on 180.
  @Test func verticesCountOnce() {
    let diamond = [place(0, 170), place(10, 180), place(0, -170), place(-10, 180), place(0, 170)]
    for ring in [
      diamond, diamond.reversed(), diamond.map { place($0.latitude, $0.longitude == 180 ? -180 : $0.longitude) },
    ] {
      let area = polygon(ring)
      for longitude in [180.0, -180] {
        for (latitude, isInside) in [
          (0.0, true), (-9.99, true), (9.99, true), (10.01, false), (-10.01, false), (80, false),
        ] {
          #expect((area.edgeDistance(from: place(latitude, longitude)) < 0) == isInside, "\(latitude) \(longitude)")
        }
        #expect(area.edgeDistance(from: place(10, longitude)) == 0)
      }
      for (longitude, isInside) in [(175.0, true), (-175.0, true), (169.9, false), (-169.9, false), (0, false)] {
        #expect((area.edgeDistance(from: place(0, longitude)) < 0) == isInside)
      }
    }
  }

  @Test func halfOfTheEarth() {
    let east = polygon(rectangle(-90, 0, 90, 180))
    let west = polygon(rectangle(-90, -180, 90, 0))
    for (longitude, isEast) in [(1.0, true), (90, true), (179, true), (-1, false), (-90, false), (-179, false)] {
      #expect((east.edgeDistance(from: place(5, longitude)) < 0) == isEast)
      #expect((west.edgeDistance(from: place(5, longitude)) < 0) == !isEast)
    }
    #expect(abs(4 * .pi * Earth.radius * Earth.radius / 2 / (.pi * east.size * east.size) - 1) < 1e-9)
  }

  @Test func capsAtThePoles() {
    var generator = SplitMix64(13)
    var witnesses = Witnesses()
    for round in 0..<100 {
      let sign = round % 2 == 0 ? 1.0 : -1
      let count = Int.random(in: 4...60, using: &generator)
      let first = Double.random(in: -180...180, using: &generator)
      let ring = (0..<count).map { number in
        place(
          sign * Double.random(in: 60...89.9, using: &generator), first + Double(number) / Double(count) * 360)
      }
      let forward = polygon(ring.map(folded))
      let backward = polygon(ring.reversed().map(folded))
      #expect(forward.center.latitude == 90 * sign)
      #expect(forward.edgeDistance(from: place(90 * sign, 12)) < 0)
      #expect(forward.edgeDistance(from: place(-90 * sign, 12)) > 1e7)
      for _ in 0..<40 {
        let longitude = first + Double.random(in: 0..<360, using: &generator)
        let latitude = sign * Double.random(in: 55...90, using: &generator)
        let step = (longitude - first) / 360 * Double(count)
        let index = Int(step)
        let (a, b) = (ring[index % count].latitude, ring[(index + 1) % count].latitude)
        let edge = a + (b - a) * (step - Double(index))
        let position = folded(place(latitude, longitude))
        let distance = forward.edgeDistance(from: position)
        #expect((distance < 0) == (abs(latitude) > abs(edge)), "\(round) \(position)")
        #expect(abs(backward.edgeDistance(from: position) - distance) < 1e-4)
        if distance <= 0 { #expect(Earth.distance(position, forward.center) <= forward.reach) }
        witnesses.see(distance <= 0 ? "inside" : "outside")
      }
    }
    #expect(witnesses.below(["inside": 1400, "outside": 1700]) == [])
    let ring = (0..<12).map { place(66.5, Double($0) * 30 - 180) }
    #expect(abs(polygon(ring).edgeDistance(from: place(90, 0)) + 23.5 * metersPerDegree) < 1)
    #expect(abs(polygon(ring).edgeDistance(from: place(60, 77)) - 6.5 * metersPerDegree) < 1)
    let surface = 2 * .pi * Earth.radius * Earth.radius * (1 - sin(66.5 * .pi / 180))
    #expect(abs(.pi * pow(polygon(ring).size, 2) / surface - 1) < 1e-9)
  }

  /// A band between two rings round the axis, and a hole that is a pole's cap.
  @Test func bandsRoundTheEarth() {
    func ring(_ latitude: Double) -> [Coordinate] { (0..<8).map { place(latitude, Double($0) * 45 - 170) } }
    for (outer, inner, middle) in [(-10.0, 10.0, 0.0), (10, -10, 0), (60, 80, 70), (-60, -80, -70)] {
      let area = polygon(ring(outer), ring(inner))
      for longitude in [0.0, -170, 179.99, 63] {
        #expect(area.edgeDistance(from: place(middle, longitude)) < 0)
        for latitude in [90.0, -90, 85, -85] { #expect(area.edgeDistance(from: place(latitude, longitude)) > 0) }
      }
    }
  }

  @Test func corridors() {
    let area = Area(.corridor([place(52, 4), place(52, 4.1), place(52.1, 4.1)], width: 200))
    #expect(area.size == 100)
    let cases = [
      (place(52, 4.05), -100.0), (northward(of: place(52, 4.05), 60), -40), (northward(of: place(52, 4.05), 100), 0),
      (northward(of: place(52, 4.05), 250), 150), (northward(of: place(52.1, 4.1), 130), 30),
      (place(52.05, 4.1), -100),
    ]
    for (position, metres) in cases {
      #expect(abs(area.edgeDistance(from: position) - metres) < 0.01, "\(position)")
      if metres <= 0 { #expect(Earth.distance(area.center, position) <= area.reach) }
    }
    let across = Area(.corridor([place(-17, 179.9), place(-17, -179.9)], width: 1000))
    #expect(across.edgeDistance(from: place(-17, 180)) == -500)
    #expect(across.edgeDistance(from: place(-17, 0)) > 1e6)
    #expect(abs(abs(across.center.longitude) - 180) < 1e-9)
  }

  private func northward(of position: Coordinate, _ metres: Double) -> Coordinate {
    place(position.latitude + metres / metersPerDegree, position.longitude)
  }

  // MARK: Passages

  /// Every step along the way says the same as the ranges, but for the steps at their ends.
  private func check(_ shape: Region.Shape, _ from: Coordinate, _ to: Coordinate, _ note: String) -> Int {
    let ranges = shape.passages(from: from, to: to)
    for (one, next) in zip(ranges, ranges.dropFirst()) {
      #expect(one.upperBound < next.lowerBound, "\(note)")
    }
    let way = Earth.way(from, to)
    let count = way.count - 1
    for step in 0...400 {
      let fraction = Double(step) / 400
      let piece = min(Int(fraction * Double(count)), count - 1)
      let position = Edge(way[piece], way[piece + 1]).position(fraction * Double(count) - Double(piece))
      let distance = shape.edgeDistance(from: position)!
      // So near the edge that a rounding error decides.
      guard abs(distance) > 1e-3 else { continue }
      #expect(
        ranges.contains { $0.contains(fraction) } == (distance <= 0), "\(note) at \(fraction): \(distance) \(ranges)")
    }
    return ranges.count
  }

  @Test func passagesAgreeWithSteps() {
    var generator = SplitMix64(14)
    var found = 0
    for round in 0..<steps(240) {
      let center = place(
        Double.random(in: -70...70, using: &generator),
        round % 2 == 0 ? Double.random(in: -180...180, using: &generator) : 179.9)
      let scale = [0.001, 0.1, 3][round % 3]
      func near() -> Coordinate {
        folded(
          place(
            center.latitude + Double.random(in: -2...2, using: &generator) * scale,
            center.longitude + Double.random(in: -2...2, using: &generator) * scale))
      }
      let ring = star(center, 0.2 * scale...scale, &generator).map(folded)
      let hole = ring.map { vertex in
        let east = foldedLongitude(vertex.longitude - center.longitude)
        return folded(
          place(center.latitude + (vertex.latitude - center.latitude) / 3, center.longitude + east / 3))
      }
      let line = star(center, 0.2 * scale...scale, &generator).map(folded)
      let width = scale * 30_000
      let shapes: [Region.Shape] = [
        .area(polygon(ring, hole)), .area(Area(.corridor(line, width: width))),
        .circle(Circle(center: folded(center), radius: width)),
      ]
      for (number, shape) in shapes.enumerated() {
        found += check(shape, near(), near(), "round \(round) shape \(number)")
      }
    }
    #expect(found >= steps(390), "\(found) found")
  }

  @Test func aWayThatStandsStill() {
    let area = polygon(rectangle(52, 4, 53, 5))
    #expect(area.passages(from: place(52.5, 4.5), to: place(52.5, 4.5)) == [0...1])
    #expect(area.passages(from: place(50, 4.5), to: place(50, 4.5)) == [])
    #expect(area.passages(from: place(52.5, 3), to: place(52.5, 3.5)) == [])
    #expect(Circle(center: origin, radius: 10).passages(from: north(20), to: north(20)) == [])
    #expect(Circle(center: origin, radius: 10).passages(from: north(20), to: north(-20)).count == 1)
    #expect(Circle(center: origin, radius: 10).passages(from: north(5), to: north(-5)) == [0...1])
  }

  /// Fixes on both sides of a strip of 20 m, 8 km apart: one passage in the middle.
  @Test func aWayAcrossAStrip() {
    let area = polygon(rectangle(52.0001, 4, 52.0003, 5))
    let ranges = area.passages(from: place(51.9602, 4.3), to: place(52.0402, 4.3))
    #expect(ranges.count == 1)
    #expect(abs(ranges[0].lowerBound - 0.49875) < 1e-6 && abs(ranges[0].upperBound - 0.50125) < 1e-6)
  }

  // MARK: The index

  @Test func theIndexAgreesWithBruteForce() {
    var generator = SplitMix64(15)
    var regions: [Region] = []
    for number in 0..<3000 {
      let center = GeometryTests.randomPlace(&generator)
      var region = circle("\(number)", center, radius: Double.random(in: 1...100_000, using: &generator))
      let scale = [0.01, 0.3, 8][number % 3]
      let ring = star(place(max(-80, min(80, center.latitude)), center.longitude), 0.3 * scale...scale, &generator)
      switch number % 4 {
      case 0, 1: region.values.shape = .area(polygon(ring.map(folded)))
      case 2: region.values.shape = .area(Area(.corridor(ring.map(folded), width: scale * 10_000)))
      default: break
      }
      regions.append(region)
      if number % 100 == 0 { regions.append(beacon("beacon \(number)")) }
    }
    let caps = [85.0, -85, 0].map { latitude in (0..<9).map { place(latitude, Double($0) * 40 - 180) } }
    for (number, ring) in caps.enumerated() {
      regions.append(Region(id: Identifier("cap \(number)"), name: nil, shape: .area(polygon(ring))))
    }
    let index = RegionIndex(regions)
    var hits = 0
    for round in 0..<60 {
      let position = GeometryTests.randomPlace(&generator)
      let metres = [0, 500, 50_000, 2_000_000][round % 4] as Double
      var expected: [Int: Double] = [:]
      for (number, region) in regions.enumerated() {
        if let distance = region.shape.edgeDistance(from: position), distance <= metres { expected[number] = distance }
      }
      var found: [Int: Double] = [:]
      index.forEachNear(position, metres) { number, distance in
        #expect(found.updateValue(distance, forKey: number) == nil, "\(number) came twice")
      }
      #expect(found == expected, "at \(position)")
      var containing: [Int] = []
      index.forEachContaining(position) { containing.append($0) }
      #expect(containing.sorted() == expected.filter { $0.value <= 0 }.keys.sorted(), "at \(position)")
      hits += expected.count
    }
    #expect(hits >= 3700, "\(hits) hits")
  }
}
