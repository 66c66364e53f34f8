import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStory
@testable import PlotTracks

@Suite struct MapPageTests {
  private func input(_ text: String) -> MapInput {
    let point = TrackPoint(time: 1_772_323_200_000, latitude: 52, longitude: 4)
    let later = TrackPoint(time: 1_772_323_260_000, latitude: 52.01, longitude: 4.01)
    func mark(_ kind: String, region: String) -> MapMark {
      MapMark(
        kind: kind, time: point.time, place: Coordinate(latitude: 52, longitude: 4), region: region, title: text,
        campaign: text, outcomes: [text])
    }
    return MapInput(
      title: text, points: [point, later],
      regions: [
        MapRegion(id: "r", name: text, latitude: 52, longitude: 4, radius: 60),
        MapRegion(id: "b", name: text, latitude: 0, longitude: 0, radius: 0, isPlaced: false),
      ],
      marks: [
        mark("notification", region: "r"), mark("geotrigger", region: text), mark("enter", region: "r"),
        mark("dropped", region: "r"), mark(text, region: "r"),
      ],
      decisions: [
        MapDecision(
          time: point.time, campaign: text, region: text, step: text, verdict: "drop", reason: text, detail: text)
      ],
      changes: [MapChange(time: point.time, region: text, state: .inside, since: point.time)])
  }

  private func page(_ text: String) -> String { MapPage.render(input(text)) }

  /// The page has each fix with its error, and the first decision that says why it did not count.
  @Test func fixesThatDidNotCountAreTold() throws {
    let start: Int64 = 1_772_323_200_000
    let points = (0..<4).map {
      TrackPoint(time: start + $0 * 1000, latitude: 52 + Double($0) / 1000, longitude: 4, accuracy: 5 + Double($0))
    }
    func decision(_ second: Int64, _ verdict: String, _ reason: String, _ region: String? = nil) -> MapDecision {
      MapDecision(
        time: start + second * 1000, campaign: nil, region: region, step: "presence", verdict: verdict, reason: reason)
    }
    let input = MapInput(
      title: "t", points: points, regions: [], marks: [],
      decisions: [
        decision(0, "pass", "jump"), decision(1, "hold", "hysteresis", "r"), decision(2, "hold", "coarse"),
        decision(2, "hold", "coarse", "r"),
      ], changes: [])
    let scene = MapScene(input)
    #expect(scene.fixes.map(\.objection) == [nil, nil, 2, nil] && scene.fixes.map(\.accuracy) == [5, 6, 7, 8])
    let page = MapPage.render(input)
    #expect(page.contains("Did not count") && page.contains("Error of the fix"))
    #expect(
      !MapPage.render(MapInput(title: "t", points: [], regions: [], marks: [], decisions: [], changes: [])).contains(
        "Did not count"))
  }

  /// A long track is thinned, and none of what did not count.
  @Test func longTracksKeepWhatDidNotCount() {
    let points = (0..<20_000).map { TrackPoint(time: Int64($0) * 1000, latitude: 52, longitude: 4 + Double($0) / 1e5) }
    let decisions = [7, 8, 9].map {
      MapDecision(time: $0 * 1000, campaign: nil, region: nil, step: "presence", verdict: "hold", reason: "jump")
    }
    let scene = MapScene(
      MapInput(title: "t", points: points, regions: [], marks: [], decisions: decisions, changes: []))
    #expect(scene.fixes.count < 6_100 && scene.fixes.filter { $0.objection != nil }.count == 3)
  }

  @Test func lengthsOfAnySizeAreWritten() {
    #expect(MapPage.distance(850.4) == "850 m")
    #expect(MapPage.distance(19_630) == "19.6 km")
    #expect(MapPage.distance(2_144_000) == "2,144 km")
    #expect(MapPage.distance(1e300) == "1e+297 km")
    #expect(MapPage.distance(-1e300) == "-1e+300 m")
    #expect(MapPage.distance(.greatestFiniteMagnitude).hasSuffix(" km"))
    #expect(MapPage.distance(.infinity) == "inf km")
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
    let places = json?["places"] as? [[String]] ?? []
    #expect(places.contains(["r", hostile]) && places.contains([hostile, hostile]))
    let first = (json?["marks"] as? [[Any]])?.first
    #expect(first?[5] as? String == hostile && first?.last as? [String] == [hostile])
    #expect(json?["strings"] as? [String] == ["", hostile])
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
    #expect(page.contains("class=\"visit dropped\" data-i=\"3\""))
    #expect(page.contains("Without a place, and named only: plain."))
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
    #expect(
      shapes.last?.contains("class=\"region line\" data-r=\"1\" stroke-width=\"120\" d=\"M\(west) 0L\(east) 0\"")
        == true)
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

  /// Where the device was at a time stays within the tolerance, also where it stood still and where it turned back.
  @Test func thinnedTracksKeepTheirTimes() throws {
    func place(_ index: Int) -> MapPosition {
      let way = index < 4_000 ? 0 : index < 6_000 ? index - 4_000 : 8_000 - index
      return MapPosition(x: Double(way), y: 0)
    }
    let track = (0...8_000).map { MapMoment(time: Int64($0) * 1000, position: place($0)) }
    let thinned = LineThinning.thin(track, tolerance: 1)
    #expect(thinned.count < 30)
    for (one, other) in zip(thinned, thinned.dropFirst()) {
      for time in stride(from: one.time, through: other.time, by: 1000) {
        let part = Double(time - one.time) / Double(other.time - one.time)
        let x = one.position.x + part * (other.position.x - one.position.x)
        try #require(abs(x - place(Int(time / 1000)).x) <= 1)
      }
    }
    let limited = LineThinning.thin([track], tolerance: 0.01, limit: 5)
    #expect(limited[0].count <= 5 && limited[0].first == track.first && limited[0].last == track.last)
  }

  /// A file need not be in the order of its times; the device was.
  @Test func theTrackGoesByItsTimes() {
    let points = [(2_000, 52.2), (1_000, 52.0), (3_000, 52.1)].map {
      TrackPoint(time: Int64($0.0), latitude: $0.1, longitude: 4)
    }
    let scene = MapScene(MapInput(title: "", points: points, regions: [], marks: []))
    #expect(scene.pieces.map { $0.map(\.time) } == [[1_000, 2_000, 3_000]])
    #expect(scene.span == 1_000...3_000)
  }

  /// Regions that move are on the map with all their places; a run without fixes shows what it knows.
  @Test func aRunWithoutATrack() {
    let move = MapMove(time: 1_000, place: Coordinate(latitude: 52.1, longitude: 4))
    let input = MapInput(
      title: "", points: [],
      regions: [MapRegion(id: "van", name: "", latitude: 52, longitude: 4, radius: 100, moves: [move])], marks: [],
      changes: [MapChange(time: 1_000, region: "van", state: .inside, since: 1_000)])
    let scene = MapScene(input)
    #expect(scene.pieces.isEmpty && scene.span == 1_000...1_000)
    #expect(scene.bounds.height > 11_000 && scene.bounds.height < 12_000)
    #expect(MapPage.render(input).contains("\"changes\":[[1,0,2,0]]"))
  }

  @Test func longListsAreCutWithACount() {
    let mark = MapMark(
      kind: "notification", time: 0, place: Coordinate(latitude: 52, longitude: 4), region: "", title: "x")
    let decision = MapDecision(time: 0, campaign: "c", region: nil, step: "caps", verdict: "drop", reason: "capped")
    let page = MapPage.render(
      MapInput(
        title: "", points: [], regions: [], marks: Array(repeating: mark, count: 2_500),
        decisions: Array(repeating: decision, count: 100_001)))
    #expect(page.contains("The first 2,000 of 2,500 pins are on the map."))
    #expect(page.contains("The page has the first 100,000 of 100,001 decisions."))
    #expect(page.contains("The list has the first 500 of 2,500 rows."))
    #expect(page.components(separatedBy: "class=\"pin notification\"").count == 2_001 + 1)
  }

  @Test func longTracksAreThinned() {
    let line = (0..<100_000).map { MapPosition(x: Double($0), y: ($0 / 1_000).isMultiple(of: 2) ? 0 : 50) }
    let thinned = LineThinning.thin(line, tolerance: 1)
    #expect(thinned.count < 450)
    #expect(thinned.first == line.first && thinned.last == line.last)
    let limited = LineThinning.thin([line], tolerance: 0.01, limit: 50)
    #expect(limited[0].count <= 50)
    #expect(LineThinning.thin([line[0]], tolerance: 1) == [line[0]])
    #expect(LineThinning.thin([MapPosition](), tolerance: 1).isEmpty)
  }
}
