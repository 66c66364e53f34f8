import Foundation
import PlotDocuments
import Testing

@testable import PlotCore
@testable import PlotTracks

/// Areas in the place of circles (docs/feed.md, Isochrones). Tests/tool/isochrones.py asks Valhalla itself.
@Suite struct IsochronesTests {
  private static let feed = #"""
    {"version": 1,
     "regions": [
       {"id": "shop", "type": "geofence", "name": "Shop", "latitude": 60, "longitude": 24, "customFields": {"offer": "tea"}},
       {"id": "tram", "type": "geofence", "latitude": 60.1, "longitude": 24, "moving": true},
       {"id": "door", "type": "geofence", "latitude": 60.2, "longitude": 24.5},
       {"id": "till", "type": "beacon", "proximityUUID": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "majorId": 1}],
     "campaigns": [
       {"id": "a", "type": "notification", "message": "m", "regions": ["till", "shop", "tram"]},
       {"id": "b", "type": "notification", "message": "m", "regions": ["shop"], "after": {"steps": [{"region": "door"}]}}]}
    """#

  /// A square round a place, `minutes` hundredths of a degree wide, with a corner too many.
  private static func feature(_ place: (Double, Double), _ minutes: Int64, half: Double? = nil) -> String {
    let half = half ?? Double(minutes) / 200
    let corners = [(-half, -half), (half, -half), (half, 0), (half, half), (-half, half), (-half, -half)]
    let ring = corners.map { "[\(place.1 + $0.0),\(place.0 + $0.1)]" }.joined(separator: ",")
    return #"{"type":"Feature","properties":{"contour":\#(Double(minutes)),"metric":"time"},"#
      + #""geometry":{"type":"Polygon","coordinates":[[\#(ring)]]}}"#
  }

  /// Answers as the service does: the longest way first.
  private static func answer(_ request: String) throws -> [UInt8] {
    let asked = try JSONValue(parsing: Array(request.utf8))
    guard case .array(let contours)? = asked["contours"], case .array(let places)? = asked["locations"],
      case .real(let latitude)? = places[0]["lat"], case .real(let longitude)? = places[0]["lon"]
    else { throw DocumentError(line: 1, column: 1, pointer: "", expected: "contours and a place", found: request) }
    let features = contours.reversed().map { contour in
      guard case .integer(let minutes)? = contour["time"] else { return "" }
      return feature((latitude, longitude), minutes)
    }
    return Array(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#.utf8)
  }

  @Test func circlesBecomeAreasAndCampaignsFollow() throws {
    var requests: [String] = []
    let feed = try Isochrones(mode: .bicycle, minutes: [10, 5]).feed(Feed.parse(Self.feed)) { request in
      requests.append(request)
      return try Self.answer(request)
    }
    #expect(
      requests[0]
        == #"{"locations":[{"lat":60.0,"lon":24.0}],"costing":"bicycle","contours":[{"time":5},{"time":10}],"#
        + #""polygons":true,"reverse":true}"#)
    #expect(requests.count == 2, "the one that moves is not asked about")
    #expect(
      feed.regions.map(\.id.text) == [
        "shop-5-bicycle", "shop-10-bicycle", "tram", "door", "door-5-bicycle", "door-10-bicycle", "till",
      ])
    #expect(feed.regions[1].travel == TravelTime(minutes: 10, mode: .bicycle) && feed.regions[3].travel == nil)
    #expect(feed.regions[0].name == "Shop" && feed.regions[0].field("offer") == "tea")
    #expect(
      feed.campaigns.map { $0.regions.map { feed.regions[$0].id.text } } == [
        ["till", "shop-5-bicycle", "shop-10-bicycle", "tram"], ["shop-5-bicycle", "shop-10-bicycle"],
      ])
    // It is a feed, with ways of the right lengths.
    let again = try Feed.parse(feed.json)
    #expect(again.regions.map(\.travel) == feed.regions.map(\.travel))
    let reaches = again.regions.compactMap { if case .area(let area) = $0.shape { area.reach } else { nil } }
    #expect(reaches[0] < reaches[1] && reaches[1] < 7000)
  }

  @Test func aServiceIsAskedForFourAtOnce() throws {
    var counts: [Int] = []
    let one = #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":60,"longitude":24}],"campaigns":[]}"#
    let feed = try Isochrones(mode: .auto, minutes: [1, 2, 3, 4, 5, 6, 6]).feed(Feed.parse(one)) { request in
      counts.append(request.split(separator: "\"time\"").count - 1)
      return try Self.answer(request)
    }
    #expect(counts == [4, 2] && feed.regions.map { $0.travel?.minutes } == [1, 2, 3, 4, 5, 6])
  }

  @Test(arguments: [
    (
      #"{"error_code":171,"error":"No suitable edges near location"}"#,
      "the service says: No suitable edges near location"
    ),
    (
      #"{"type":"FeatureCollection","features":[]}"#,
      "the service's answer is no GeoJSON: line 1, column 1: expected at least one feature, found none"
    ),
    (
      #"{"type":"FeatureCollection","features":[\#(feature((60, 24), 6))]}"#,
      "the service's answer has no polygon of 5 minutes"
    ),
    (
      #"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"contour":5},"geometry":{"type":"Polygon","coordinates":"#
        + #"[[[24,60.0007],[23.999,60],[24,59.9993],[24.001,60],[24,60.0007]]]}}]}"#,
      "the service knows no way there; has it a map of this place?"
    ),
    ("not found", "the service's answer is no GeoJSON: line 1, column 1: expected a JSON value, found 'not'"),
  ])
  func answersThatAreNoneAreFaultsOfARegion(_ answer: String, _ fault: String) throws {
    let feed = try Feed.parse(Self.feed)
    let thrown = #expect(throws: Isochrones.Fault.self) {
      try Isochrones(mode: .auto, minutes: [5]).feed(feed) { _ in Array(answer.utf8) }
    }
    #expect(thrown?.description == "region \"shop\": \(fault)")
  }

  @Test func anIdThatIsTakenIsAFault() throws {
    let text = Self.feed.replacingOccurrences(of: "\"till\"", with: "\"shop-5-auto\"")
    let thrown = #expect(throws: Isochrones.Fault.self) {
      try Isochrones(mode: .auto, minutes: [5]).feed(Feed.parse(text), ask: Self.answer)
    }
    #expect(thrown?.description == "the feed has a region \"shop-5-auto\" already")
  }
}
