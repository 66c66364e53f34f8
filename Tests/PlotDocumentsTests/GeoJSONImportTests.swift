import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

@Suite struct GeoJSONImportTests {
  static func load(_ text: String, _ options: String = "{}") throws(DocumentError) -> Feed {
    try GeoJSONImport(options: Array(options.utf8)).feed(from: Array(text.utf8))
  }

  static func feature(_ properties: String = "{}", id: String = "", coordinates: String = "[4.885, 52.36]") -> String {
    #"{"type":"Feature",\#(id)"properties":\#(properties),"geometry":{"type":"Point","coordinates":\#(coordinates)}}"#
  }

  static func collection(_ features: String...) -> String {
    #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  // MARK: A real file

  /// The stops of a bus line.
  @Test(.enabled(if: hasRealTraces, "there are no real traces beside the project")) func theBusStops() throws {
    let data = try Data(contentsOf: realTraces.appendingPathComponent("bus304/stops.geojson"))
    let feed = try GeoJSONImport(
      options: Array(#"{"idProperty":"id","radius":60,"message":"Stop {{stopNumber}}: {{name}}"}"#.utf8)
    )
    .feed(from: Array(data))
    #expect(feed.regions.count == 36)
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let features = try #require(document["features"] as? [[String: Any]])
    #expect(features.count == 36)
    for (feature, region) in zip(features, feed.regions) {
      let properties = try #require(feature["properties"] as? [String: String])
      let geometry = try #require(feature["geometry"] as? [String: Any])
      let coordinates = try #require(geometry["coordinates"] as? [Double])
      #expect(region.id.text == properties["id"])
      #expect(region.name == properties["name"])
      #expect(region.customFields == [CustomField(name: "stopNumber", value: properties["stopNumber"] ?? "")])
      let center = Coordinate(latitude: coordinates[1], longitude: coordinates[0])
      #expect(region.shape == .circle(Circle(center: center, radius: 60)))
    }
    let campaign = try #require(feed.campaigns.first)
    #expect(feed.campaigns.count == 1)
    #expect(campaign.id.text == "imported" && campaign.kind == .notification(.regular) && campaign.trigger == .enter)
    #expect(campaign.regions == Array(0..<36))
    #expect(try campaign.text.filled(for: feed.regions[0]) == "Stop 607111: William Street")
    #expect(feed.regions[0].id.text == "8400B6071101")
    #expect(try Feed.parse(feed.json).regions == feed.regions)
  }

  // MARK: Options and defaults

  @Test func defaults() throws {
    let feed = try Self.load(Self.collection(Self.feature(#"{"name":"Shop"}"#), Self.feature()))
    #expect(feed.regions.map(\.id.text) == ["region-1", "region-2"])
    #expect(feed.regions.map(\.name) == ["Shop", nil])
    let circle = Circle(center: Coordinate(latitude: 52.36, longitude: 4.885), radius: 200)
    #expect(feed.regions.map(\.shape) == [.circle(circle), .circle(circle)])
    #expect(feed.campaigns[0].text.source == "{{name}}" && feed.campaigns[0].repeatRule == .once)
    #expect(try GeoJSONImport().feed(from: Array(Self.feature().utf8)).regions.count == 1)
  }

  @Test func options() throws {
    let options =
      #"{"radius":99.5,"message":"Hello","trigger":"dwelling","dwellingMinutes":12,"idProperty":"ref","#
      + #""nameProperty":"title","campaign":"walk"}"#
    let feed = try Self.load(Self.feature(#"{"ref":7,"title":"T","name":"N"}"#, id: #""id":"other","#), options)
    #expect(feed.regions[0].id.text == "7" && feed.regions[0].name == "T")
    #expect(feed.regions[0].customFields == [CustomField(name: "name", value: "N")])
    #expect(feed.regions[0].matchRange == 100)
    #expect(feed.campaigns[0].id.text == "walk" && feed.campaigns[0].text.source == "Hello")
    #expect(feed.campaigns[0].trigger == .dwelling(minutes: 12))
  }

  @Test(arguments: [
    (#"{"trigger":"dwelling"}"#, Trigger.dwelling(minutes: 5)), (#"{"trigger":"exit"}"#, .exit), ("{}", .enter),
    (#"{"trigger":"inside","insideAt":"18:05"}"#, .inside(minuteOfDay: 1085)),
  ])
  func triggers(_ options: String, _ trigger: Trigger) throws {
    #expect(try Self.load(Self.feature(), options).campaigns.map(\.trigger) == [trigger])
  }

  @Test(arguments: [
    (#""id":"stop 1","#, "stop 1"), (#""id":17,"#, "17"), (#""id":1.0,"#, "1"), (#""id":null,"#, "region-1"),
  ])
  func idsOfFeatures(_ id: String, _ expected: String) throws {
    #expect(try Self.load(Self.feature(id: id)).regions.map(\.id.text) == [expected])
  }

  @Test func otherPropertiesBecomeCustomFields() throws {
    let properties = #"{"s":"x","n":5,"r":0.5,"b":true,"none":null,"list":[1],"object":{"a":1},"name":"N","id":"i"}"#
    let region = try #require(Self.load(Self.feature(properties)).regions.first)
    let expected = [("s", "x"), ("n", "5"), ("r", "0.5"), ("b", "true"), ("id", "i")]
    #expect(region.customFields == expected.map { CustomField(name: $0, value: $1) })
    #expect(region.name == "N" && region.id.text == "region-1")
  }

  @Test func altitudesAndOtherMembersAreIgnored() throws {
    let text = #"{"type":"Feature","bbox":[],"geometry":{"type":"Point","coordinates":[1,2,99]},"properties":null}"#
    let region = try #require(Self.load(text).regions.first)
    #expect(region.coordinate == Coordinate(latitude: 2, longitude: 1))
  }

  // MARK: Faults

  static let point = #""geometry":{"type":"Point","coordinates":[1,2]}"#

  /// A GeoJSON text, options, and the fault.
  static let faults: [(String, String, String)] = [
    ("[]", "{}", "1:1  | a GeoJSON FeatureCollection | an array"),
    ("{}", "{}", "1:1  | \"type\", \"FeatureCollection\" or \"Feature\" | no such key"),
    (
      #"{"type":"Point","coordinates":[1,2]}"#, "{}",
      "1:9 /type | \"FeatureCollection\" or \"Feature\" | the string \"Point\""
    ),
    (#"{"type":"FeatureCollection"}"#, "{}", "1:1  | \"features\", an array of features | no such key"),
    (#"{"type":"FeatureCollection","features":{}}"#, "{}", "1:40 /features | an array of features | an object"),
    (collection(), "{}", "1:1  | at least one feature | none"),
    (collection("5"), "{}", "1:41 /features/0 | a feature, an object | the number 5"),
    (
      #"{"type":"Feature","properties":{}}"#, "{}",
      "1:1  | \"geometry\", a point, polygons or a line | no such key"
    ),
    (#"{"type":"Feature","geometry":null}"#, "{}", "1:1  | \"geometry\", a point, polygons or a line | null"),
    (#"{"type":"Feature","geometry":[1,2]}"#, "{}", "1:30 /geometry | an object | an array"),
    (
      #"{"type":"Feature","geometry":{"coordinates":[1,2]}}"#, "{}",
      "1:30 /geometry | \"type\", \"Point\", \"Polygon\", \"MultiPolygon\" or \"LineString\" | no such key"
    ),
    (
      "{\"type\":\"FeatureCollection\",\"features\":[\n\(feature()),\n"
        + "{\"type\":\"Feature\",\n\"geometry\":\n{\"type\":\"MultiPoint\",\"coordinates\":[[1,2],[3,4]]}}]}", "{}",
      "5:9 /features/1/geometry/type | \"Point\" or \"Polygon\" or \"MultiPolygon\" or \"LineString\" | "
        + "the string \"MultiPoint\""
    ),
    (
      #"{"type":"Feature","geometry":{"type":"Point"}}"#, "{}",
      "1:30 /geometry | \"coordinates\", [longitude, latitude] | no such key"
    ),
    (
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":"1,2"}}"#, "{}",
      "1:60 /geometry/coordinates | [longitude, latitude] | the string \"1,2\""
    ),
    (
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1]}}"#, "{}",
      "1:60 /geometry/coordinates | [longitude, latitude] in degrees | [1.0]"
    ),
    (
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,"2"]}}"#, "{}",
      "1:63 /geometry/coordinates/1 | a number | the string \"2\""
    ),
    (
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[180.5,2]}}"#, "{}",
      "1:60 /geometry/coordinates | [longitude, latitude] in degrees | [180.5, 2.0]"
    ),
    (
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[4.885,-90.5]}}"#, "{}",
      "1:60 /geometry/coordinates | [longitude, latitude] in degrees | [4.885, -90.5]"
    ),
    (#"{"type":"Feature",\#(point),"properties":[]}"#, "{}", "1:80 /properties | an object | an array"),
    (
      #"{"type":"Feature",\#(point),"properties":{"name":"n"}}"#, #"{"idProperty":"ref"}"#,
      "1:80 /properties | \"ref\", the property that holds the id | no such key"
    ),
    (
      #"{"type":"Feature",\#(point)}"#, #"{"idProperty":"ref"}"#,
      "1:1  | a property \"ref\" that is a string, a number or a boolean | none"
    ),
    (
      collection(#"{"type":"Feature",\#(point),"id":"a"}"#, #"{"type":"Feature",\#(point),"id":"a"}"#), "{}",
      "1:117 /features/1 | a feature with an id of its own | \"a\" again"
    ),
    (
      #"{"type":"Feature",\#(point),"id":"a;b"}"#, "{}",
      "1:1  | an id that is \(FeedFaultTests.idForm) | \"a;b\""
    ),
    (#"{"type":"Feature",\#(point),}"#, "{}", "1:67  | a key after the comma | '}'"),
  ]

  @Test(arguments: faults)
  func faultsHaveTheirPlace(_ text: String, _ options: String, _ expected: String) {
    let error = #expect(throws: DocumentError.self) { try Self.load(text, options) }
    #expect(error.map(short) == expected, "\(text)")
  }

  static let badOptions: [(String, String)] = [
    ("[]", "1:1  | an object of options | an array"),
    (#"{"radius":"60"}"#, "1:11 /radius | metres | the string \"60\""),
    (#"{"dwellingMinutes":4}"#, "1:20 /dwellingMinutes | an integer from 5 to 720 | the number 4"),
    (#"{"message":5}"#, "1:12 /message | a string | the number 5"),
    (#"{"trigger":false}"#, "1:12 /trigger | a string | false"),
    (#"{"idProperty":[]}"#, "1:15 /idProperty | a string | an array"),
    (#"{"campaign":7}"#, "1:13 /campaign | a string | the number 7"),
    (
      #"{"Radius":60}"#,
      "1:11 /Radius | a key of the options (radius, width, message, trigger, dwellingMinutes, insideAt, idProperty, "
        + "nameProperty, radiusProperty, campaign) | the unknown key \"Radius\""
    ),
  ]

  @Test(arguments: badOptions)
  func faultsOfOptions(_ options: String, _ expected: String) {
    let error = #expect(throws: DocumentError.self) { try Self.load(Self.feature(), options) }
    #expect(error.map(short) == expected)
  }

  /// Facts that only the feed that was made holds.
  @Test(arguments: [
    (#"{"radius":0}"#, "radius"), (#"{"radius":100001}"#, "radius"), (#"{"message":""}"#, "message"),
    (#"{"message":"{{"}"#, "message"), (#"{"trigger":"leave"}"#, "trigger"), (#"{"campaign":"a;b"}"#, "campaign"),
    (#"{"trigger":"exit","dwellingMinutes":5}"#, "dwellingMinutes"), (#"{"insideAt":"18:00"}"#, "insideAt"),
    (#"{"trigger":"inside","insideAt":"24:00"}"#, "insideAt"),
  ])
  func optionsThatMakeNoFeed(_ options: String, _ name: String) {
    let error = #expect(throws: DocumentError.self) { try Self.load(Self.feature(), options) }
    #expect(error?.pointer == "/\(name)")
    #expect(error?.line == 0 && error?.column == 0)
  }

  /// Before any geometry is made of them: found by the fuzzer, as a trap in the index.
  @Test(arguments: [
    (#"{"radius":-50}"#, "0:0 /radius | metres, above 0 and at most 100000 | the number -50.0"),
    (#"{"radius":1e300}"#, "0:0 /radius | metres, above 0 and at most 100000 | the number 1e+300"),
    (#"{"width":-1e300}"#, "0:0 /width | metres, from 1 to 100000 | the number -1e+300"),
  ])
  func sizesThatNoFeedHas(_ options: String, _ expected: String) {
    let line = #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[2,53],[7,42]]}}"#
    for text in [Self.collection(Self.feature(), line), line, Self.feature()] {
      let error = #expect(throws: DocumentError.self) { try Self.load(text, options) }
      #expect(error.map(short) == expected)
    }
  }

  @Test func insideNeedsItsTime() {
    let error = #expect(throws: DocumentError.self) { try Self.load(Self.feature(), #"{"trigger":"inside"}"#) }
    #expect(error.map(short) == "0:0  | \"insideAt\", a time from \"00:00\" to \"23:59\" | no such key")
  }
}
