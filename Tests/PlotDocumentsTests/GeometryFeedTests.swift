import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

@Suite struct GeometryFeedTests {
  static func region(_ members: String) -> String {
    #"{"version":1,"regions":[{"id":"a","type":"geofence",\#(members)}],"campaigns":[]}"#
  }

  static func polygon(_ rings: String, _ members: String = "") -> String {
    region(#""geometry":{"type":"Polygon","coordinates":\#(rings)}\#(members)"#)
  }

  static func line(_ positions: String, _ members: String = #","width":60"#) -> String {
    region(#""geometry":{"type":"LineString","coordinates":\#(positions)}\#(members)"#)
  }

  static let square = "[[0,0],[4,0],[4,4],[0,4],[0,0]]"

  // MARK: Reading

  @Test func shapes() throws {
    let text = #"""
      {"version":1,"regions":[
        {"id":"p","type":"geofence","name":"P","travelTime":900,"geometry":{"type":"Polygon","x-mine":1,"bbox":[0,0,4,4],
         "coordinates":[[[0,0],[4,0,17.5],[4,4],[0,4],[0,0]],[[1,1],[1,2],[2,2],[1,1]]]}},
        {"id":"m","type":"geofence","geometry":{"type":"MultiPolygon",
         "coordinates":[[[[0,0],[1,0],[1,1],[0,0]]],[[[179,-17],[-179,-17],[180,-16],[179,-17]]]]}},
        {"id":"l","type":"geofence","width":60.5,"geometry":{"type":"LineString","coordinates":[[0,0],[1,0],[0,0],[0,1]]}}
      ],"campaigns":[]}
      """#
    let feed = try Feed.parse(text)
    func place(_ longitude: Double, _ latitude: Double) -> Coordinate {
      Coordinate(latitude: latitude, longitude: longitude)
    }
    let outlines = feed.regions.map {
      if case .area(let area) = $0.shape { area.outline } else { nil as Area.Outline? }
    }
    #expect(
      outlines == [
        .polygons([
          [
            [place(0, 0), place(4, 0), place(4, 4), place(0, 4), place(0, 0)],
            [place(1, 1), place(1, 2), place(2, 2), place(1, 1)],
          ]
        ]),
        .polygons([
          [[place(0, 0), place(1, 0), place(1, 1), place(0, 0)]],
          [[place(179, -17), place(-179, -17), place(180, -16), place(179, -17)]],
        ]), .corridor([place(0, 0), place(1, 0), place(0, 0), place(0, 1)], width: 60.5),
      ])
    #expect(feed.regions.map(\.travel) == [TravelTime(minutes: 15), nil, nil])
    #expect(feed.regions.map(\.shape.isBeacon) == [false, false, false])
    #expect(feed.regions.allSatisfy { $0.coordinate == $0.shape.circle?.center && $0.coordinate != nil })
    #expect(feed.regions.allSatisfy { Double($0.matchRange) == $0.shape.circle?.radius.rounded() })
    let again = try Feed.parse(feed.json)
    #expect(again.regions == feed.regions && again.json == feed.json)
  }

  // MARK: Faults

  static let types = "\"Polygon\" or \"MultiPolygon\" or \"LineString\""
  static let own = "a ring that does not cross or touch itself"
  static let hole = "a hole inside of ring 0 and outside of the other holes"

  /// A feed, and the fault below /regions/0.
  static let faults: [(String, String)] = [
    (region(#""geometry":[]"#), "/geometry | a GeoJSON geometry, an object | an array"),
    (
      region(#""geometry":{"coordinates":[]}"#),
      "/geometry | \"type\", \"Polygon\", \"MultiPolygon\" or \"LineString\" | no such key"
    ),
    (
      region(#""geometry":{"type":"Point","coordinates":[1,2]}"#), "/geometry/type | \(types) | the string \"Point\""
    ),
    (region(#""geometry":{"type":"Polygon"}"#), "/geometry | \"coordinates\", an array of rings | no such key"),
    (
      region(#""geometry":{"type":"Polygon","coordinates":[\#(square)],"width":5}"#),
      "/geometry/width | a key of a geometry (type, coordinates, bbox) | the unknown key \"width\""
    ),
    (polygon("{}"), "/geometry/coordinates | an array of rings | an object"),
    (polygon("[]"), "/geometry/coordinates | at least one ring | an empty array"),
    (polygon("[5]"), "/geometry/coordinates/0 | an array of positions | the number 5"),
    (polygon("[[[0,0],[4,0],[0,0]]]"), "/geometry/coordinates/0 | at least four positions | 3"),
    (
      polygon("[[[0,0],[4,0],[4,4],[0,4]]]"),
      "/geometry/coordinates/0/3 | the first position again, which closes the ring | another position"
    ),
    (
      polygon("[\(square),[[1,1],[1,2],[2,2],[1,1.5]]]"),
      "/geometry/coordinates/1/3 | the first position again, which closes the ring | another position"
    ),
    (
      polygon("[[[0,0],[4,0],[4,90.5],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/2/1 | a latitude, from -90 to 90 | the number 90.5"
    ),
    (
      polygon("[[[0,0],[180.5,0],[4,4],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/1/0 | a longitude, from -180 to 180 | the number 180.5"
    ),
    (
      polygon("[[[0,0],[1,\"2\"],[4,4],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/1/1 | a latitude, from -90 to 90 | the string \"2\""
    ),
    (
      polygon("[[[0,0],[1,2,null],[4,4],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/1/2 | an altitude, a number | null"
    ),
    (
      polygon("[[[0,0],[1],[4,4],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/1 | [longitude, latitude], with or without an altitude | 1 elements"
    ),
    (
      polygon("[[[0,0],[1,1,1,1],[4,4],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/1 | [longitude, latitude], with or without an altitude | 4 elements"
    ),
    (
      polygon("[[[0,0],[2,2],[4,4],[1,1],[0,0]]]"),
      "/geometry/coordinates/0 | a ring that encloses an area | positions on one line"
    ),
    (
      polygon("[[[2,2],[2,2],[2,2],[2,2]]]"),
      "/geometry/coordinates/0 | a ring that encloses an area | positions on one line"
    ),
    // A bow tie.
    (
      polygon("[[[0,0],[4,4],[4,0],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/2 | \(own) | an edge from here that meets the one from position 0"
    ),
    // It comes back to a position.
    (
      polygon("[[[0,0],[4,0],[2,2],[4,4],[0,4],[2,2],[0,0]]]"),
      "/geometry/coordinates/0/5 | \(own) | an edge from here that meets the one from position 2"
    ),
    // A position on another edge.
    (
      polygon("[[[0,0],[4,0],[4,4],[2,0],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/3 | \(own) | an edge from here that meets the one from position 0"
    ),
    // There and back.
    (
      polygon("[[[0,0],[4,0],[4,4],[6,4],[4,4],[0,4],[0,0]]]"),
      "/geometry/coordinates/0/4 | \(own) | an edge from here that meets the one from position 2"
    ),
    // Across the antimeridian.
    (
      polygon("[[[178,0],[-178,4],[-178,0],[178,4],[178,0]]]"),
      "/geometry/coordinates/0/2 | \(own) | an edge from here that meets the one from position 0"
    ),
    (
      polygon("[\(square),[[3,3],[5,3],[3,3.5],[3,3]]]"),
      "/geometry/coordinates/1/0 | rings that do not cross | an edge from here that meets the one from position 1 of ring 0"
    ),
    (
      polygon("[\(square),[[1,1],[2,1],[2,2],[1,1]],[[1.5,1.5],[1.8,1.2],[3,1.7],[1.5,1.5]]]"),
      "/geometry/coordinates/2/1 | rings that do not cross | an edge from here that meets the one from position 1 of ring 1"
    ),
    (polygon("[\(square),[[5,5],[6,5],[6,6],[5,5]]]"), "/geometry/coordinates/1 | \(hole) | one that is not"),
    (
      polygon("[[[1,1],[2,1],[2,2],[1,1]],\(square)]"), "/geometry/coordinates/1 | \(hole) | one that is not"
    ),
    (
      polygon("[\(square),[[1,1],[3,1],[3,3],[1,3],[1,1]],[[1.5,1.5],[2,1.5],[2,2],[1.5,1.5]]]"),
      "/geometry/coordinates/2 | \(hole) | one that is not"
    ),
    // Outside, touching in a corner; and through corners of both.
    (polygon("[\(square),[[4,4],[6,5],[5,6],[4,4]]]"), "/geometry/coordinates/1 | \(hole) | one that is not"),
    (
      polygon("[[[0,0],[4,0],[4,2],[4,4],[0,4],[0,0]],[[2,2],[4,2],[6,3],[4,4],[2,2]]]"),
      "/geometry/coordinates/1 | \(hole) | one that is not"
    ),
    (polygon("[\(square)]", #","radius":5"#), "/radius | no \"radius\" beside \"geometry\" | the number 5"),
    (polygon("[\(square)]", #","latitude":5"#), "/latitude | no \"latitude\" beside \"geometry\" | the number 5"),
    (
      polygon("[\(square)]", #","width":5"#),
      "/width | no \"width\" without a \"geometry\" that is a line | the number 5"
    ),
    (polygon("[\(square)]", #","travelTime":86401"#), "/travelTime | an integer from 0 to 86400 | the number 86401"),
    (polygon("[\(square)]", #","travelTime":1.5"#), "/travelTime | an integer from 0 to 86400 | the number 1.5"),
    (polygon("[\(square)]", #","travelMinutes":1441"#), "/travelMinutes | an integer from 0 to 1440 | the number 1441"),
    (
      polygon("[\(square)]", #","travelMinutes":5,"travelTime":300"#),
      "/travelTime | no \"travelTime\" beside \"travelMinutes\" | the number 300"
    ),
    (
      polygon("[\(square)]", #","travelMode":"auto""#),
      "/travelMode | no \"travelMode\" without \"travelMinutes\" | the string \"auto\""
    ),
    (
      polygon("[\(square)]", #","travelMinutes":5,"travelMode":"car""#),
      "/travelMode | \"pedestrian\" or \"bicycle\" or \"auto\" | the string \"car\""
    ),
    (
      region(#""latitude":1,"longitude":2,"travelMinutes":5"#),
      "/travelMinutes | no \"travelMinutes\" without a \"geometry\" of polygons | the number 5"
    ),
    (
      region(#""latitude":1,"longitude":2,"width":5"#),
      "/width | no \"width\" without a \"geometry\" that is a line | the number 5"
    ),
    (
      region(#""latitude":1,"longitude":2,"travelTime":5"#),
      "/travelTime | no \"travelTime\" without a \"geometry\" of polygons | the number 5"
    ),
    (
      line("[[0,0],[1,1]]", #","width":5,"travelTime":5"#),
      "/travelTime | no \"travelTime\" without a \"geometry\" of polygons | the number 5"
    ),
    (line("[[0,0],[1,1]]", ""), " | \"width\", metres, from 1 to 100000 | no such key"),
    (line("[[0,0],[1,1]]", #","width":0.5"#), "/width | metres, from 1 to 100000 | the number 0.5"),
    (line("[[0,0],[1,1]]", #","width":100001"#), "/width | metres, from 1 to 100000 | the number 100001"),
    (line("[[0,0]]"), "/geometry/coordinates | at least two positions | 1"),
    (line("[[0,0],[0,0]]"), "/geometry/coordinates | positions that differ | one position only"),
    (
      region(#""geometry":{"type":"MultiPolygon","coordinates":[]}"#),
      "/geometry/coordinates | at least one polygon | an empty array"
    ),
    (
      region(#""geometry":{"type":"MultiPolygon","coordinates":[[\#(square)],[[[0,0],[4,4],[4,0],[0,4],[0,0]]]]}"#),
      "/geometry/coordinates/1/0/2 | \(own) | an edge from here that meets the one from position 0"
    ),
  ]

  @Test(arguments: faults)
  func faultsHaveTheirPlace(_ text: String, _ expected: String) throws {
    let error = try #require(throws: DocumentError.self) { try Feed.parse(text) }
    #expect("\(error.pointer) | \(error.expected) | \(error.found)" == "/regions/0" + expected, "\(text)")
  }

  @Test func tooManyPositions() throws {
    let ring =
      "[" + (0...50_000).map { "[\(Double($0) / 1000),\($0 == 0 || $0 == 50_000 ? 0 : 1)]" }.joined(separator: ",")
    let text = Self.polygon("[\(ring),[0,0]],\(ring),[0,0]]]")
    let error = try #require(throws: DocumentError.self) { try Feed.parse(text) }
    #expect(error.pointer == "/regions/0/geometry/coordinates/1")
    #expect(error.expected == "at most 100000 positions in one region" && error.found == "100004 up to here")
  }

  // MARK: What is no fault

  @Test(arguments: [
    // Holes that touch the outer ring, each other, and a corner.
    "[\(square),[[2,0],[3,1],[2,2],[2,0]]]", "[\(square),[[1,1],[2,1],[2,2],[1,1]],[[2,2],[3,2],[3,3],[2,2]]]",
    "[\(square),[[0,0],[1,2],[2,1],[0,0]]]",
    // Positions that repeat at once, and on a straight edge.
    "[[[0,0],[2,0],[2,0],[4,0],[4,4],[0,4],[0,0]]]",
    // Both hemispheres, a cap, a band, and a ring that is cut open at a pole.
    "[[[0,-90],[180,-90],[180,90],[0,90],[0,-90]]]", "[[[-180,-90],[0,-90],[0,90],[-180,90],[-180,-90]]]",
    "[[[0,80],[120,80],[-120,80],[0,80]]]",
    "[[[0,60],[120,60],[-120,60],[0,60]],[[0,80],[120,80],[-120,80],[0,80]]]",
    "[[[-180,-90],[-180,-70],[-90,-75],[0,-70],[90,-65],[180,-70],[180,-90],[-180,-90]]]",
    "[[[-180,-70],[-90,-75],[0,-70],[90,-65],[180,-70],[180,-90],[90,-90],[0,-90],[-90,-90],[-180,-90],[-180,-70]]]",
  ])
  func goodRings(_ rings: String) throws {
    let feed = try Feed.parse(Array(Self.polygon(rings).utf8))
    #expect(try Feed.parse(feed.json).regions == feed.regions)
  }

  @Test func aRingCutOpenAtThePole() throws {
    let feed = try Feed.parse(
      Array(
        Self.polygon("[[[-180,-90],[-180,-70],[-90,-75],[0,-70],[90,-65],[180,-70],[180,-90],[-180,-90]]]").utf8))
    let shape = feed.regions[0].shape
    for longitude in [-180.0, -179.999, 0, 100, 179.999, 180] {
      let inside = try #require(shape.edgeDistance(from: Coordinate(latitude: -80, longitude: longitude)))
      // The seam is no edge: 10 degrees further south than the ring, some 5 at 90 west.
      #expect(inside < -500_000)
      #expect(try #require(shape.edgeDistance(from: Coordinate(latitude: -60, longitude: longitude))) > 0)
    }
    #expect(try #require(shape.edgeDistance(from: Coordinate(latitude: -90, longitude: 0))) < -1_600_000)
  }

  /// Rings of many positions: round, and a comb whose teeth lie side by side. Crossings are found in them as well.
  @Test func manyPositions() throws {
    let round = (0..<10_000).map { number in
      let angle = Double(number) / 10_000 * 2 * .pi
      return Coordinate(latitude: 50 + sin(angle) * (1 + 0.1 * sin(angle * 97)), longitude: cos(angle))
    }
    var comb = (0..<9_998).map { (number: Int) -> Coordinate in
      let x = Double(number) / 1e4
      if number.isMultiple(of: 2) { return Coordinate(latitude: 1, longitude: x) }
      return Coordinate(latitude: 3 + x / 100, longitude: x + 2)
    }
    comb += [Coordinate(latitude: 0, longitude: 1), Coordinate(latitude: 0, longitude: 0)]
    for ring in [round, comb] {
      let clock = ContinuousClock()
      var fault: RingFault?
      let duration = clock.measure { fault = Area.fault(in: [ring]) }
      #expect(fault == nil)
      #expect(duration < .seconds(20), "not even unoptimised")
      var crossed = ring
      crossed.swapAt(5_000, 6_000)
      #expect(Area.fault(in: [crossed]) != nil)
    }
  }

  // MARK: Import

  @Test func polygonsAndLinesAreImported() throws {
    let text = #"""
      {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"name":"A"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,0]]]}},
        {"type":"Feature","properties":{"name":"B"},"geometry":{"type":"LineString","coordinates":[[0,0],[4,0]]}},
        {"type":"Feature","properties":{"name":"C"},"geometry":{"type":"Point","coordinates":[4,0]}}]}
      """#
    let feed = try GeoJSONImport(options: Array(#"{"width":80}"#.utf8)).feed(from: Array(text.utf8))
    #expect(feed.regions.map(\.name) == ["A", "B", "C"])
    #expect(feed.regions[1].shape.size == 40 && feed.regions[2].shape.size == 200)
    #expect(feed.campaigns[0].regions == [0, 1, 2])
    #expect(try GeoJSONImport().feed(from: Array(text.utf8)).regions[1].shape.size == 25)
    let crossed = text.replacingOccurrences(of: "[4,4],[0,0]", with: "[4,4],[2,-1],[0,0]")
    let error = try #require(throws: DocumentError.self) { try GeoJSONImport().feed(from: Array(crossed.utf8)) }
    #expect(error.pointer == "/features/0/geometry/coordinates/0/2" && error.line == 2)
    let options = try #require(throws: DocumentError.self) {
      try GeoJSONImport(options: Array(#"{"width":0}"#.utf8)).feed(from: Array(text.utf8))
    }
    #expect(options.pointer == "/width" && options.line == 0)
  }
}
