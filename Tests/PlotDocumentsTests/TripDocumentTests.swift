import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Trips as documents (docs/trips.md).
@Suite struct TripDocumentTests {
  static func fault(_ members: String) -> String? {
    do throws(DocumentError) {
      _ = try TripPlan.parse(Array(#"{"id":"t","region":"r"\#(members)}"#.utf8))
      return nil
    } catch { return "\(error.pointer) | \(error.expected) | \(error.found)" }
  }

  @Test func everyKeyIsReadAndWritten() throws {
    let text =
      #"{"id":"t","region":"r","mode":"bicycle","deadline":"2026-05-16T12:00:00Z","expires":"2026-05-16T13:00:00Z","#
      + #""approachingSeconds":60,"approachingMetres":250.5,"others":["b","a"],"metadata":{"big":true,"n":3,"order":"7","#
      + #""x":0.5},"route":{"type":"LineString","coordinates":[[4.885,52.36],[4.9,52.37],[4.9,52.38]]}}"#
    let plan = try TripPlan.parse(Array(text.utf8))
    #expect(plan.json == text)
    #expect(plan.route?.points.last == Coordinate(latitude: 52.38, longitude: 4.9))
    #expect(plan.others == [Identifier("b"), Identifier("a")] && plan.metadata[Identifier("x")] == .double(0.5))
    let least = try TripPlan.parse(Array(#"{"id":"t","region":"r"}"#.utf8))
    #expect(least.mode == .auto && least.json == #"{"id":"t","region":"r","mode":"auto"}"#)
    #expect(least.approachingTime == 300 && plan.approachingTime == 60)
  }

  @Test(arguments: [
    (#","id2":1"#, "/id2 | "), (#","mode":"car""#, "/mode | \"pedestrian\" or \"bicycle\" or \"auto\""),
    (#","deadline":"noon""#, "/deadline | an ISO 8601 date and time"), (#","expires":5"#, "/expires | an ISO 8601"),
    (#","approachingSeconds":9"#, "/approachingSeconds | an integer from 10 to 86400 | the number 9"),
    (#","approachingMetres":0.5"#, "/approachingMetres | metres, from 1 to 1000000 | the number 0.5"),
    (#","others":["r"]"#, "/others/0 | a region that is not named twice"),
    (#","others":["a","a"]"#, "/others/1 | a region that is not named twice"),
    (#","others":["a;b"]"#, "/others/0 | "), (#","others":{}"#, "/others | an array of ids of regions"),
    (#","metadata":{"a":[]}"#, "/metadata/a | a string, a number or a boolean | an array"),
    (#","metadata":3"#, "/metadata | an object of strings, numbers and booleans"),
    (#","route":{"type":"Polygon","coordinates":[]}"#, "/route/type | \"LineString\" | the string \"Polygon\""),
    (#","route":{"type":"LineString","coordinates":[[4,52]]}"#, "/route/coordinates | at least two positions | 1"),
    (#","route":{"type":"LineString","coordinates":[[4,52],[4,91]]}"#, "/route/coordinates/1/1 | a latitude"),
    (#","route":[[4,52],[4,53]]"#, "/route | a GeoJSON line"),
  ]) func whatIsNoTripSaysWhere(_ members: String, _ begins: String) {
    let fault = Self.fault(members)
    #expect(fault?.hasPrefix(begins) == true, "\(fault ?? "taken")")
  }

  @Test func aTripNeedsAnIdAndARegion() {
    for text in [#"{"id":"t"}"#, #"{"region":"r"}"#, #"{"id":"","region":"r"}"#, "[]", ""] {
      #expect(throws: DocumentError.self) { try TripPlan.parse(Array(text.utf8)) }
    }
    let many = (0...TripPlan.metadataLimit).map { #""k\#($0)":1"# }.joined(separator: ",")
    #expect(Self.fault(#","metadata":{\#(many)}"#) == "/metadata | at most 32 values | 33")
    let points = (0...Route.pointLimit).map { "[4,\(Double($0) / 1000)]" }.joined(separator: ",")
    #expect(
      Self.fault(#","route":{"type":"LineString","coordinates":[\#(points)]}"#)
        == "/route | at most 20000 positions | 20001")
  }

  @Test(arguments: TripMoment.allCases) func aCampaignSaysWhatMustHappen(_ moment: TripMoment) throws {
    let feed = try Feed.parse(
      #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":52,"longitude":4}],"campaigns":[{"id":"c","#
        + #""type":"geotrigger","name":"n","regions":["a"],"trigger":"trip","tripEvent":"\#(moment.rawValue)"}]}"#)
    #expect(feed.campaigns.map(\.trigger) == [.trip(moment)])
    #expect(try Feed.parse(feed.json).campaigns == feed.campaigns)
  }
}
