import PlotTesting
import Testing

@testable import PlotCore

/// Searching ahead finds what single searches find.
@Suite struct SearchAheadTests {
  /// Circles of all sizes, so that there are several levels; poles, the antimeridian and areas among them.
  private static func regions(_ count: Int, _ generator: inout SplitMix64) -> [Region] {
    (0..<count).map { number in
      let latitude = number % 17 == 0 ? 89.99 : Double.random(in: -60...60, using: &generator)
      let longitude =
        number % 5 == 0
        ? Double.random(in: 179.9...180, using: &generator) : Double.random(in: -10...10, using: &generator)
      let center = Coordinate(latitude: latitude, longitude: longitude)
      let radius = [40.0, 300, 5000, 80_000, 900_000][number % 5] * Double.random(in: 0.5...1.5, using: &generator)
      var region = circle("r\(number)", center, radius: radius)
      if number % 11 == 3 {
        let corners = [0.0, 90, 180, 270].map {
          Earth.destination(from: center, course: $0, metres: min(radius, 20_000))
        }
        region.values.shape = .area(Area(.polygons([[corners]])))
      }
      return region
    }
  }

  @Test(arguments: 0..<12) func whatSingleSearchesFind(_ seed: Int) {
    var generator = SplitMix64(UInt64(seed) + 77)
    let regions = Self.regions([0, 1, 3, 40, 400, 2000][seed % 6], &generator)
    let index = RegionIndex(regions)
    let total = [0, 1, 15, 16, 17, 33, 200][seed % 7]
    let places = (0..<total).map { _ in
      let near = regions.randomElement(using: &generator)?.shape.circle
      return Earth.destination(
        from: near?.center ?? origin, course: Double.random(in: 0..<360, using: &generator),
        metres: Double.random(in: 0...1.4, using: &generator) * (near?.radius ?? 1000))
    }
    let single = places.map { place in
      var found: [Int] = []
      index.forEachContaining(place) { found.append($0) }
      return found.sorted()
    }
    var ahead = SearchAhead(index.search, total)
    // In order, and with leaps that no group was begun for.
    for leaps in [false, true] {
      var position = 0
      while position < total {
        var found: [Int: [Int]] = [:]
        ahead.look(from: position) {
          places[$0]
        } _: { number, region in
          found[number, default: []].append(region)
        }
        let count = min(SearchAhead.together, total - position)
        #expect(found.keys.allSatisfy { $0 < count })
        for number in 0..<count { #expect(found[number, default: []].sorted() == single[position + number]) }
        position += leaps ? Int.random(in: 1...40, using: &generator) : SearchAhead.together
      }
    }
    withExtendedLifetime(index) {}
    if total > 30, regions.count > 30 { #expect(single.contains { !$0.isEmpty }) }
  }
}
