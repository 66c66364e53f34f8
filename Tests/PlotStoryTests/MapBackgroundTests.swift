import Foundation
import Testing

@testable import PlotCore
@testable import PlotStory
@testable import PlotTracks

@Suite struct MapBackgroundTests {
  private func read(_ text: String) throws -> MapBackground { try MapBackground.read(Data(text.utf8), file: "g.json") }

  @Test func everyGeometryIsRead() throws {
    let ring = "[[4,52],[4.1,52],[4.1,52.1],[4,52]]"
    let geometries = [
      ("Point", "[4,52,7]"), ("MultiPoint", "[[4,52],[4.1,52]]"), ("LineString", ring),
      ("MultiLineString", "[\(ring)]"),
      ("Polygon", "[\(ring),\(ring)]"), ("MultiPolygon", "[[\(ring)],[\(ring)]]"),
    ].map { "{\"type\":\"\($0.0)\",\"coordinates\":\($0.1)}" }.joined(separator: ",")
    let shapes = try read("{\"type\":\"GeometryCollection\",\"geometries\":[\(geometries)]}").shapes
    let line = [(4.0, 52.0), (4.1, 52.0), (4.1, 52.1), (4.0, 52.0)].map { Coordinate(latitude: $0.1, longitude: $0.0) }
    #expect(
      shapes.map(\.outline) == [
        .point(line[0]), .point(line[0]), .point(line[1]), .line(line), .line(line), .polygon([line, line]),
        .polygon([line]), .polygon([line]),
      ])
    #expect(shapes.allSatisfy { $0.kind == .other })
  }

  @Test(arguments: [
    (#"{"highway":"primary"}"#, MapShape.Kind.road), (#"{"highway":"footway"}"#, .path),
    (#"{"railway":"tram"}"#, .rail),
    (#"{"building":"yes"}"#, .building), (#"{"building":"no","natural":"water"}"#, .water),
    (#"{"waterway":"canal"}"#, .water),
    (#"{"leisure":"park"}"#, .green), (#"{"landuse":"forest"}"#, .green), (#"{"landuse":"retail"}"#, .other),
    (#"{"kind":"rail","building":"yes"}"#, .rail), (#"{"kind":7}"#, .other), ("null", .other),
  ])
  func propertiesSayWhatItIs(properties: String, kind: MapShape.Kind) throws {
    let geometry = #"{"type":"Point","coordinates":[4,52]}"#
    #expect(
      try read("{\"type\":\"Feature\",\"properties\":\(properties),\"geometry\":\(geometry)}").shapes.map(\.kind) == [
        kind
      ])
  }

  @Test(arguments: [
    ("", "g.json: expected a GeoJSON document, found an empty file"),
    ("{", "g.json:1:2: expected string or '}', found the end of the text"),
    ("[]", "g.json: the document: expected a GeoJSON object, found an array of 0"),
    (#"{"type":"Topology"}"#, #"g.json: /type: expected a GeoJSON type, found "Topology""#),
    (#"{"type":"FeatureCollection"}"#, "g.json: /features: expected an array of features, found nothing"),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Point"}]}"#,
      #"g.json: /features/0/type: expected "Feature", found "Point""#
    ),
    (#"{"type":"Feature"}"#, "g.json: /geometry: expected a geometry or null, found nothing"),
    (
      #"{"type":"Feature","geometry":{"type":"Feature"}}"#,
      #"g.json: /geometry/type: expected a geometry, found "Feature""#
    ),
    (#"{"type":"Point"}"#, "g.json: /coordinates: expected longitude and latitude, found null"),
    (
      #"{"type":"LineString","coordinates":[[4,52]]}"#,
      "g.json: /coordinates: expected an array of at least 2 positions, found an array of 1"
    ),
    (
      #"{"type":"LineString","coordinates":[[4,52],[4,92]]}"#,
      "g.json: /coordinates/1/1: expected a latitude from -90 to 90, found 92"
    ),
    (
      #"{"type":"MultiPolygon","coordinates":[[[[4,52],[4,"x"],[4,52],[4,52]]]]}"#,
      #"g.json: /coordinates/0/0/1/1: expected a latitude from -90 to 90, found "x""#
    ),
    (
      #"{"type":"GeometryCollection","geometries":[{"type":"Polygon","coordinates":[[[4,52]]]}]}"#,
      "g.json: /geometries/0/coordinates/0: expected an array of at least 4 positions, found an array of 1"
    ),
  ])
  func faultsHaveAPlace(text: String, fault: String) {
    #expect { try read(text) } throws: { "\($0)" == fault }
  }

  @Test func missingFile() {
    #expect { try MapBackground.read(path: "/nowhere.json") } throws: {
      "\($0)" == "/nowhere.json: expected a readable file, found none of this name"
    }
  }

  /// Ground before ways, far pieces left out, the rest thinned to what can be drawn.
  @Test func theSceneTakesWhatIsNear() {
    func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
      Coordinate(latitude: latitude, longitude: longitude)
    }
    let square = [place(52, 4), place(52, 4.01), place(52.01, 4.01), place(52, 4)]
    let wave = (0..<61_000).map { place(52 + Double($0 % 2) * 0.000_01, 4 + Double($0) * 1e-7) }
    let shapes = [
      MapShape(kind: .road, outline: .line(wave)), MapShape(kind: .building, outline: .polygon([square])),
      MapShape(kind: .water, outline: .polygon([square])),
      MapShape(kind: .water, outline: .polygon([square.map { place($0.latitude + 1, $0.longitude) }])),
    ]
    let points = [(52.0, 4.0), (52.01, 4.01)].map { TrackPoint(time: 0, latitude: $0.0, longitude: $0.1) }
    let scene = MapScene(MapInput(title: "", points: points, regions: [], marks: [], background: shapes))
    #expect(scene.background.map(\.kind) == [.water, .building, .road])
    #expect(scene.background.reduce(0) { $0 + $1.lines.joined().count } <= 60_000)
    #expect(scene.background[0].lines[0].count == 4)
  }

  // MARK: Overpass

  @Test func anAnswerOfOverpass() throws {
    func place(_ latitude: Double, _ longitude: Double) -> String { #"{"lat":\#(latitude),"lon":\#(longitude)}"# }
    let square = [(52.0, 4.0), (52.0, 4.1), (52.1, 4.1), (52.0, 4.0)].map(place).joined(separator: ",")
    let text = """
      {"version":0.6,"elements":[
      {"type":"node","id":1,"lat":52,"lon":4,"tags":{"highway":"stop"}},
      {"type":"way","id":2,"tags":{"highway":"service"},"geometry":[\(square)]},
      {"type":"way","id":3,"tags":{"leisure":"park"},"geometry":[\(square)]},
      {"type":"way","id":4,"tags":{"waterway":"canal"},"geometry":[\(place(52, 4)),null,\(place(52.1, 4))]},
      {"type":"way","id":5,"tags":{"highway":"path"},"geometry":[null,\(place(52, 4))]},
      {"type":"relation","id":6,"tags":{"natural":"water"},"members":[{"type":"way","role":"outer","geometry":[\(square)]},
      {"type":"way","role":"inner","geometry":[\(square)]},{"type":"node","role":"label","lat":52,"lon":4}]}]}
      """
    let shapes = try MapBackground.read(Data(text.utf8)).shapes
    let found = shapes.map { shape in
      switch shape.outline {
      case .line(let places): "\(shape.kind) line of \(places.count)"
      case .polygon(let rings): "\(shape.kind) area of \(rings.map(\.count))"
      case .point: "\(shape.kind) point"
      }
    }
    #expect(found == ["road line of 4", "green area of [4]", "water line of 2", "water area of [4]"])
    for (bad, words) in [
      (#"{"elements":{}}"#, "/elements: expected an array of elements, found an object"),
      (#"{"elements":[{"geometry":[{"lat":99,"lon":4}]}]}"#, "/elements/0/geometry/0/lat: expected a latitude"),
      (#"{"elements":[{"geometry":[{"lat":9}]}]}"#, "/elements/0/geometry/0/lon: expected a longitude"),
    ] {
      let error = #expect(throws: TrackError.self) { try MapBackground.read(Data(bad.utf8)) }
      #expect(error?.description.hasPrefix(words) == true, "\(error.map { "\($0)" } ?? "taken")")
    }
  }

  // MARK: Tiles

  @Test func serversOfTiles() {
    let tiles = MapTiles(template: "https://tile.openstreetmap.org/{z}/{x}/{y}.png")
    #expect(tiles?.origin == "https://tile.openstreetmap.org" && tiles?.credit == "© OpenStreetMap contributors")
    #expect(MapTiles(template: "http://[::1]:8080/{z}/{y}/{x}", credit: "Ours")?.credit == "Ours")
    for template in [
      "", "https://example.org/{z}/{x}.png", "ftp://example.org/{z}/{x}/{y}", "https:///{z}/{x}/{y}",
      "https://a b/{z}/{x}/{y}", "https://example.org/{z}/{x}/{y} ", "https://example.org;script-src/{z}/{x}/{y}",
      "https://'self'/{z}/{x}/{y}",
    ] { #expect(MapTiles(template: template) == nil, "\(template)") }
  }
}
