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
}
