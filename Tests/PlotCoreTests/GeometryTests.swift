import Foundation
import PlotTesting
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
    var generator = SplitMix64(3)
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
  static func randomPlace(_ generator: inout SplitMix64) -> Coordinate {
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
    var generator = SplitMix64(4)
    var regions: [Region] = []
    for number in 0..<20_000 {
      if number % 500 == 0 { regions.append(beacon("beacon \(number)")) }
      let radius =
        Double.random(in: 0..<1, using: &generator) < 0.3 ? 100_000 : Double.random(in: 1...50_000, using: &generator)
      regions.append(circle("\(number)", Self.randomPlace(&generator), radius: radius))
    }
    let index = RegionIndex(regions)
    var hits = 0
    for round in 0..<steps(240) {
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
      index.forEachNear(position, 0) { number, distance in
        #expect(found[number] == nil, "\(number) came twice")
        found[number] = distance
      }
      var containing: [Int] = []
      index.forEachContaining(position) { containing.append($0) }
      #expect(containing.sorted() == found.keys.sorted(), "at \(position)")
      #expect(found == expected, "at \(position)")
      hits += expected.count
    }
    #expect(hits >= steps(30_000), "\(hits) hits")
  }

  /// Small circles in cities, as most feeds have them, and much smaller and larger ones among them, near the poles and the antimeridian too.
  @Test func theIndexAgreesWithBruteForceWhereItIsCrowded() {
    var generator = SplitMix64(88)
    for center in [
      Self.place(52.37, 4.89), Self.place(0, 0), Self.place(-41.3, 180), Self.place(89.95, 10),
      Self.place(-78, -179.99),
      Self.place(64.1, -21.9),
    ] {
      func near(_ metres: Double) -> Coordinate {
        let course = Double.random(in: 0..<360, using: &generator)
        return Earth.destination(
          from: center, course: course, metres: metres * Double.random(in: 0...1, using: &generator).squareRoot())
      }
      var regions: [Region] = []
      for number in 0..<6000 {
        let radius =
          switch number % 100 {
          case 0: Double.random(in: 5000...100_000, using: &generator)
          case 1...10: Double.random(in: 1...20, using: &generator)
          case 11: 0.05
          default: Double.random(in: 50...500, using: &generator)
          }
        regions.append(circle("\(number)", near(number % 7 == 0 ? 500 : 10_000), radius: radius))
      }
      let index = RegionIndex(regions)
      var hits = 0
      for round in 0..<steps(300) {
        var position = near(11_000)
        // On the rim to the last bit, or within a few of the decimetres that an entry is exact to.
        if round % 2 == 0, case .circle(let circle) = regions.randomElement(using: &generator)!.shape {
          position = Earth.destination(
            from: circle.center, course: Double.random(in: 0..<360, using: &generator),
            metres: circle.radius + (round % 4 == 0 ? 0 : Double.random(in: -2...2, using: &generator)))
        }
        let expected = regions.indices.filter { regions[$0].shape.edgeDistance(from: position)! <= 0 }
        var found: [Int] = []
        index.forEachContaining(position) { found.append($0) }
        #expect(found.sorted() == expected, "at \(position)")
        hits += found.count
      }
      #expect(hits >= steps(15_000), "\(hits) hits at \(center)")
    }
  }

  /// More in one place than 16 bits can count, and one that is much larger.
  @Test func theIndexOfAPile() {
    let pile = (0..<140_000).map { circle("\($0)", origin, radius: 100) } + [circle("large", origin, radius: 90_000)]
    let index = RegionIndex(pile)
    for (metres, count) in [(99.0, 140_001), (101, 1), (90_001, 0)] {
      var found = Set<Int>()
      index.forEachContaining(Earth.destination(from: origin, course: 90, metres: metres)) { found.insert($0) }
      #expect(found.count == count)
    }
  }

  @Test func theIndexFromItsBytes() throws {
    var generator = SplitMix64(9)
    let regions = (0..<3000).map { number in
      circle("\(number)", Self.randomPlace(&generator), radius: Double.random(in: 10...80_000, using: &generator))
    }
    let index = RegionIndex(regions)
    func copy(_ change: (UnsafeMutableRawBufferPointer) -> Void = { _ in }, count: Int? = nil) -> RegionIndex? {
      let block = AlignedBlock(index.byteCount)
      let bytes = UnsafeMutableRawBufferPointer(start: block.address, count: block.count)
      index.withBytes { bytes.copyMemory(from: $0) }
      change(bytes)
      return RegionIndex(
        bytes: UnsafeRawBufferPointer(rebasing: bytes[..<(count ?? bytes.count)]), owner: block, regions: regions.count
      ) { _ in nil }
    }
    let same = try #require(copy())
    var hits = 0
    for _ in 0..<500 {
      let position = Self.randomPlace(&generator)
      var (first, second): ([Int], [Int]) = ([], [])
      index.forEachContaining(position) { first.append($0) }
      same.forEachContaining(position) { second.append($0) }
      #expect(first == second)
      hits += first.count
    }
    #expect(hits >= 11_000, "\(hits) hits")
    for count in [0, 63, 64, index.byteCount - 1] { #expect(copy(count: count) == nil) }
    // Whatever the bytes are: refused, or searched without harm, and every position is one of a region.
    var refused = 0
    for round in 0..<steps(2000) {
      let other = copy { bytes in
        for _ in 0...(round % 3) {
          let place =
            round % 2 == 0
            ? Int.random(in: 0..<512, using: &generator) : bytes.indices.randomElement(using: &generator)!
          bytes[place] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      guard let other else {
        refused += 1
        continue
      }
      for _ in 0..<20 {
        let position = Self.randomPlace(&generator)
        other.forEachContaining(position) { #expect(regions.indices.contains($0)) }
        other.forEachNear(position, 50_000) { number, _ in #expect(regions.indices.contains(number)) }
      }
    }
    #expect(refused >= steps(590) && refused < steps(1990), "\(refused) refused")
  }

  @Test func theIndexOfNothing() {
    for regions in [[], [beacon("only")]] {
      RegionIndex(regions).forEachContaining(origin) { number in Issue.record("found \(number)") }
    }
  }

  /// A value that is no place is in no small circle, and harms nothing.
  @Test func theIndexTakesAnyNumber() {
    var generator = SplitMix64(21)
    let circles = (0..<500).map { circle("\($0)", Self.randomPlace(&generator), radius: 100) }
    let index = RegionIndex(circles)
    let numbers: [Double] = [0, -0.0, 90, -90, 90.0.nextUp, 180.0.nextUp, -181, 1e9, -1e18, 1e300, -.infinity, .nan]
    for latitude in numbers {
      for longitude in numbers {
        index.forEachContaining(Coordinate(latitude: latitude, longitude: longitude)) { number in
          #expect(circles.indices.contains(number))
        }
      }
    }
  }

  /// Blocks in lines and grids, near each other and far: each is found at its first place.
  @Test func theIndexOfRegularPlaces() {
    for (rows, columns, step) in [
      (1, 2000, 0.05), (2000, 1, 0.05), (1, 700, 0.5), (350, 1, 0.5), (45, 45, 0.01), (17, 36, 10),
    ] {
      let regions = (0..<rows * columns).map { number in
        circle(
          "\(number)", Self.place(Double(number / columns) * step - 85, Double(number % columns) * step - 175),
          radius: 30)
      }
      let index = RegionIndex(regions)
      for (number, region) in regions.enumerated() {
        guard case .circle(let circle) = region.shape else { continue }
        var found: [Int] = []
        index.forEachContaining(circle.center) { found.append($0) }
        #expect(found == [number])
      }
    }
  }

  @Test func theRimBelongsToTheCircle() {
    let center = Self.place(0, 0)
    let edge = Self.place(0, 0.5)
    let distance = Earth.distance(center, edge)
    for (radius, isInside) in [(distance, true), (distance.nextDown, false), (distance.nextUp, true)] {
      var found: [Int] = []
      RegionIndex([circle("a", center, radius: radius)]).forEachContaining(edge) { number in found.append(number) }
      #expect(found == (isInside ? [0] : []))
    }
  }
}
