import Foundation
import PlotCore
import PlotTesting
import Testing

/// The cost of the index where it can be counted, against Benchmarks/thresholds.json (docs/performance.md).
@Suite struct IndexCostTests {
  private struct Limit: Decodable {
    var limit: Double
  }

  private func limit(_ name: String) throws -> Double {
    let file = projectRoot.appendingPathComponent("Benchmarks/thresholds.json")
    let limits = try JSONDecoder().decode([String: Limit].self, from: Data(contentsOf: file))
    return try #require(limits[name]).limit
  }

  /// As the benchmarks' workload lies: 200 places between 36 and 60 degrees north, the circles around them within some kilometres.
  private func circles(_ count: Int) -> [Region] {
    var random = SplitMix64(8)
    let places = (0..<200).map { _ in
      Coordinate(latitude: .random(in: 36...60, using: &random), longitude: .random(in: -9...30, using: &random))
    }
    // Twelve even numbers added are as good as a normal one here.
    func spread() -> Double { (0..<12).reduce(-6) { sum, _ in sum + .random(in: 0...1, using: &random) } * 0.07 }
    return (0..<count).map { position in
      let place = places.randomElement(using: &random) ?? places[0]
      let center = Coordinate(latitude: place.latitude + spread(), longitude: place.longitude + spread() * 1.5)
      let circle = Circle(center: center, radius: .random(in: 50...500, using: &random))
      return Region(id: Identifier("r\(position)"), name: nil, shape: .circle(circle))
    }
  }

  @Test func aCircleTakesNoMoreBytesThanPromised() throws {
    let count = 100_000
    let bytes = Double(RegionIndex(circles(count)).byteCount) / Double(count)
    // A circle cannot be told in less than its place and radius.
    #expect(bytes > 6)
    #expect(bytes <= (try limit("index")))
  }
}
