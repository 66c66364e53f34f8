import Foundation
import Testing

@testable import PlotCore

@Suite struct GeometryTests {
  static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)
  }

  @Test func distancesOnGreatCircles() {
    let quarter = Earth.radius * Double.pi / 2
    let cases: [(Coordinate, Coordinate, Double)] = [
      (Self.place(0, 0), Self.place(0, 90), quarter), (Self.place(0, 0), Self.place(90, 0), quarter),
      (Self.place(-90, 12), Self.place(90, -50), 2 * quarter), (Self.place(0, 0), Self.place(0, 180), 2 * quarter),
      (Self.place(45, 10), Self.place(-45, -170), 2 * quarter),
      (Self.place(0, 179.5), Self.place(0, -179.5), quarter / 90),
      (Self.place(90, 0), Self.place(90, 137), 0), (Self.place(52, 4), Self.place(53, 4), quarter / 90),
      (Self.place(52.36, 4.885), Self.place(52.36, 4.885), 0), (Self.place(10, -180), Self.place(10, 180), 0),
    ]
    for (a, b, meters) in cases {
      #expect(abs(Earth.distance(a, b) - meters) < 1e-6, "\(a) to \(b)")
      #expect(abs(Earth.distance(b, a) - meters) < 1e-6, "\(b) to \(a)")
    }
  }

  /// The mean radius of the IUGG; Paris to New York as in textbooks, and a metre north.
  @Test func knownDistances() {
    #expect(Earth.radius == 6_371_008.8)
    let parisToNewYork = Earth.distance(Self.place(48.8566, 2.3522), Self.place(40.7128, -74.0060))
    #expect(abs(parisToNewYork - 5_837_240) < 30)
    #expect(abs(Earth.distance(origin, north(1)) - 1) < 1e-6)
    #expect(abs(Earth.distance(origin, north(100_000)) - 100_000) < 1e-6)
  }

  /// Haversine against the chord between the two points in space.
  @Test func randomDistancesAgreeWithTheChord() {
    func vector(_ place: Coordinate) -> [Double] {
      let latitude = place.latitude / 180 * Double.pi
      let longitude = place.longitude / 180 * Double.pi
      return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
    }
    var generator = SeededGenerator(3)
    for _ in 0..<5000 {
      let a = Self.randomPlace(&generator)
      let b = Self.randomPlace(&generator)
      let chord = zip(vector(a), vector(b)).map { ($0 - $1) * ($0 - $1) }.reduce(0, +).squareRoot()
      let expected = 2 * Earth.radius * asin(min(1, chord / 2))
      // Near the antipode an arc sine loses half of its digits.
      #expect(abs(Earth.distance(a, b) - expected) < (expected > 1.9e7 ? 1 : 1e-4), "\(a) to \(b)")
    }
  }

  /// Everywhere, and often at a pole, the antimeridian or the equator.
  static func randomPlace(_ generator: inout SeededGenerator) -> Coordinate {
    var latitude = Double.random(in: -90...90, using: &generator)
    var longitude = Double.random(in: -180...180, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: latitude = Bool.random(using: &generator) ? 90 - abs(latitude) / 100 : -90 + abs(latitude) / 100
    case 1: longitude = Bool.random(using: &generator) ? 180 - abs(longitude) / 1000 : -180 + abs(longitude) / 1000
    case 2: latitude /= 1000
    case 3: latitude = [90, -90, 0].randomElement(using: &generator)!
    case 4: longitude = [180, -180, 0].randomElement(using: &generator)!
    default: break
    }
    return place(latitude, longitude)
  }

  @Test func theIndexAgreesWithBruteForce() {
    var generator = SeededGenerator(4)
    var regions: [Region] = []
    for number in 0..<20_000 {
      if number % 500 == 0 { regions.append(beacon("beacon \(number)")) }
      let radius =
        Double.random(in: 0..<1, using: &generator) < 0.3 ? 100_000 : Double.random(in: 1...50_000, using: &generator)
      regions.append(circle("\(number)", Self.randomPlace(&generator), radius: radius))
    }
    let index = RegionIndex(regions)
    var hits = 0
    for round in 0..<150 {
      var position = Self.randomPlace(&generator)
      // Often exactly on a centre, or close to the rim of a circle.
      if round % 3 == 0, case .circle(let circle) = regions.randomElement(using: &generator)!.shape {
        position = circle.center
        if round % 2 == 0 { position.latitude = min(90, position.latitude + circle.radius / metersPerDegree) }
      }
      var expected: [Int: Double] = [:]
      for (number, region) in regions.enumerated() {
        guard case .circle(let circle) = region.shape else { continue }
        let distance = Earth.distance(position, circle.center)
        if distance <= circle.radius { expected[number] = distance - circle.radius }
      }
      var found: [Int: Double] = [:]
      index.forEachContaining(position) { number, distance in
        #expect(found[number] == nil, "\(number) came twice")
        found[number] = distance
      }
      #expect(found == expected, "at \(position)")
      hits += expected.count
    }
    #expect(hits > 1000)
  }

  @Test func theIndexOfNothing() {
    for regions in [[], [beacon("only")]] {
      RegionIndex(regions).forEachContaining(origin) { number, _ in Issue.record("found \(number)") }
    }
  }

  @Test func theRimBelongsToTheCircle() {
    let center = Self.place(0, 0)
    let edge = Self.place(0, 0.5)
    let distance = Earth.distance(center, edge)
    for (radius, isInside) in [(distance, true), (distance.nextDown, false), (distance.nextUp, true)] {
      var found: [Int] = []
      RegionIndex([circle("a", center, radius: radius)]).forEachContaining(edge) { number, _ in found.append(number) }
      #expect(found == (isInside ? [0] : []))
    }
  }
}
