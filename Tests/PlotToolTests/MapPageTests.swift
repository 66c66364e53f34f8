import Foundation
import Testing

@testable import PlotCore
@testable import plot

@Suite struct MapPageTests {
  private func page(_ text: String) -> String {
    let point = TrackPoint(time: 1_772_323_200_000, latitude: 52, longitude: 4)
    let later = TrackPoint(time: 1_772_323_260_000, latitude: 52.01, longitude: 4.01)
    func mark(_ kind: String, region: String) -> MapMark {
      MapMark(
        kind: kind, time: point.time, latitude: 52, longitude: 4, region: region, title: text, campaign: text)
    }
    return MapPage.render(
      MapInput(
        title: text, points: [point, later],
        regions: [MapRegion(id: "r", name: text, latitude: 52, longitude: 4, radius: 60)],
        marks: [
          mark("notification", region: "r"), mark("geotrigger", region: text), mark("enter", region: "r"),
          mark(text, region: "r"),
        ]))
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "</script><script>alert(1)</script>", "<!--<script>", "\"' onload='alert(1)\"",
    "<img src=x onerror=alert(1)>", "]]>", "\\u003c\\\"</ScRiPt >", "a\u{0}\u{1B}[2J\u{2028}\u{2029}\u{85}b",
  ])
  func textStaysText(hostile: String) throws {
    let plain = page("plain")
    let page = page(hostile)
    // Whatever the text, the page has the same tags and the same quotes around attributes.
    let markup: Set<Character> = ["<", ">", "'", "\""]
    func shape(_ text: String) throws -> String {
      let payload = try self.payload(text)
      return String(text.replacingOccurrences(of: payload, with: "").filter { markup.contains($0) })
    }
    #expect(try shape(page) == shape(plain))
    let payload = try payload(page)
    #expect(!payload.contains("<") && !payload.contains(">") && !payload.contains("&"))
    #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    let json = try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
    let region = (json?["regions"] as? [[Any]])?.first
    #expect(region?[3] as? String == hostile)
    let first = (json?["marks"] as? [[Any]])?.first
    #expect(first?[4] as? String == hostile)
  }

  private func payload(_ page: String) throws -> String {
    let opening = try #require(page.range(of: "id=\"data\">"))
    let closing = try #require(page.range(of: "</script>", range: opening.upperBound..<page.endIndex))
    return String(page[opening.upperBound..<closing.lowerBound])
  }

  @Test func pageNeedsNoNetwork() {
    let page = page("plain")
    #expect(page.contains("default-src 'none'"))
    let addresses = page.components(separatedBy: "http").dropFirst().map { String($0.prefix(24)) }
    #expect(addresses.allSatisfy { $0.hasPrefix("-equiv") || $0.hasPrefix("://www.w3.org/2000/svg") })
    #expect(!page.contains("url(") && !page.contains("@import") && !page.contains("src="))
  }

  @Test func pinsAreNumberedAndVisitsAreNot() {
    let page = page("plain")
    #expect(page.contains("<span class=\"number\">1</span>"))
    #expect(page.contains("<span class=\"number\">2</span>"))
    #expect(!page.contains("<span class=\"number\">3</span>"))
    #expect(page.contains("Entered plain"))
    #expect(page.contains("class=\"visit other\""))
  }

  @Test func emptyInputs() {
    let empty = MapPage.render(MapInput(title: "", points: [], regions: [], marks: []))
    #expect(empty.contains("Nothing happened"))
    let point = TrackPoint(time: 0, latitude: 90, longitude: 0)
    let single = MapPage.render(MapInput(title: "", points: [point, point], regions: [], marks: []))
    #expect(!single.contains("nan") && !single.contains("inf\""))
  }

  @Test func circlesAreTrueToScale() {
    let region = MapRegion(id: "r", name: "", latitude: 60, longitude: 10, radius: 500)
    let points = [(59.99, 10.0), (60.01, 10.0), (60.0, 9.98), (60.0, 10.02)].map {
      TrackPoint(time: 0, latitude: $0.0, longitude: $0.1)
    }
    let scene = MapScene(MapInput(title: "", points: points, regions: [region], marks: []))
    #expect(abs(scene.projection.latitude - 60) < 1e-9)
    let north = scene.projection.project(latitude: 60.01, longitude: 10)
    let east = scene.projection.project(latitude: 60, longitude: 10.02)
    #expect(abs(-north.y - MapProjection.distance(points[1], TrackPoint(time: 0, latitude: 60, longitude: 10))) < 0.1)
    #expect(abs(east.x - MapProjection.distance(points[3], TrackPoint(time: 0, latitude: 60, longitude: 10))) < 0.1)
    #expect(scene.regions.map(\.radius) == [500])
  }

  /// Polygons with their holes, also over the date line, and a corridor as wide as it is.
  @Test func areasAreDrawn() {
    func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
      Coordinate(latitude: latitude, longitude: longitude)
    }
    let ring = [place(0, 179.99), place(0, -179.99), place(0.01, -179.99), place(0, 179.99)]
    let hole = [place(0.001, -180), place(0.002, -179.998), place(0.001, -179.999), place(0.001, -180)]
    let areas = [Area(.polygons([[ring, hole]])), Area(.corridor(Array(ring.prefix(2)), width: 120))]
    let regions = areas.map { area in
      MapRegion(
        id: "r", name: "", latitude: area.center.latitude, longitude: area.center.longitude, radius: area.reach,
        area: area)
    }
    let points = [(0.0, 179.99), (0.0, -179.99)].map { TrackPoint(time: 0, latitude: $0.0, longitude: $0.1) }
    let page = MapPage.render(MapInput(title: "", points: points, regions: regions, marks: []))
    let degree = MapProjection.metersPerDegree
    let (west, east) = (HTMLText.number(-0.01 * degree), HTMLText.number(0.01 * degree))
    let shapes = page.components(separatedBy: "\n").filter { $0.contains("class=\"region") && $0.contains("<path") }
    #expect(shapes.count == 2)
    #expect(
      shapes.first?.contains("fill-rule=\"evenodd\" d=\"M\(west) 0L\(east) 0L\(east) -\(east)L\(west) 0ZM") == true)
    #expect(shapes.last?.contains("class=\"region line\" stroke-width=\"120\" d=\"M\(west) 0L\(east) 0\"") == true)
  }

  @Test func overTheDateLine() {
    let points = [(0.0, 179.99), (0.0, -179.99)].map { TrackPoint(time: 0, latitude: $0.0, longitude: $0.1) }
    let scene = MapScene(MapInput(title: "", points: points, regions: [], marks: []))
    #expect(scene.bounds.width < 3_000)
    #expect(abs(abs(scene.projection.longitude) - 180) < 1e-9)
  }

  @Test func regionsFarAwayAreLeftOut() {
    let points = [TrackPoint(time: 0, latitude: 52, longitude: 4), TrackPoint(time: 1, latitude: 52.01, longitude: 4)]
    let regions = (0..<5_000).map { index in
      MapRegion(id: "\(index)", name: "", latitude: 52 + Double(index % 100) * 0.0001, longitude: 4, radius: 50)
    }
    let far = MapRegion(id: "far", name: "", latitude: 53, longitude: 4, radius: 50)
    let scene = MapScene(MapInput(title: "", points: points, regions: regions + [far], marks: []))
    #expect(scene.regions.count == 3_000)
    #expect(!scene.regions.contains { $0.region.id == "far" })
  }

  @Test func longTracksAreThinned() {
    let line = (0..<100_000).map { MapPosition(x: Double($0), y: ($0 / 1_000).isMultiple(of: 2) ? 0 : 50) }
    let thinned = LineThinning.thin(line, tolerance: 1)
    #expect(thinned.count < 300)
    #expect(thinned.first == line.first && thinned.last == line.last)
    let limited = LineThinning.thin([line], tolerance: 0.01, limit: 50)
    #expect(limited[0].count <= 50)
    #expect(LineThinning.thin([line[0]], tolerance: 1) == [line[0]])
    #expect(LineThinning.thin([], tolerance: 1).isEmpty)
  }
}
