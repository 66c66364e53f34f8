import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// The effect of a campaign (docs/server.md, Lift).
@Suite struct LiftTests {
  /// Against table II of R. G. Newcombe, "Interval estimation for the difference between independent proportions" (1998), method 10.
  @Test(
    arguments: [
      (56, 70, 48, 80, 0.2, 0.0524, 0.3339), (9, 10, 3, 10, 0.6, 0.1705, 0.8090), (6, 7, 2, 7, 0.5714, 0.0582, 0.8062),
      (5, 56, 0, 29, 0.0893, -0.0381, 0.1926), (0, 10, 0, 20, 0, -0.1611, 0.2775), (0, 10, 0, 10, 0, -0.2775, 0.2775),
    ] as [(Int64, Int64, Int64, Int64, Double, Double, Double)]) func aDifferenceHasItsInterval(
      _ a: Int64, _ m: Int64, _ b: Int64, _ n: Int64, _ value: Double, _ low: Double, _ high: Double
    ) throws
  {
    let found = try #require(LiftReport.difference(a, of: m, b, of: n))
    for (one, other) in [(found.value, value), (found.low, low), (found.high, high)] {
      #expect(abs(one - other) < 6e-5, "\(found)")
    }
    #expect((found.relative == nil) == (b == 0))
    #expect(LiftReport.difference(a, of: m, 0, of: 0) == nil)
  }

  @Test(arguments: TestDatabase.allCases) func theTwoGroupsAreCounted(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let feed = #"""
        {"version":1,"regions":[{"id":"cafe","type":"geofence","latitude":52,"longitude":4},
        {"id":"till","type":"geofence","latitude":52.1,"longitude":4}],
        "campaigns":[{"id":"coffee","type":"notification","message":"Coffee","regions":["cafe"],"holdout":{"percent":40}},
        {"id":"tea","type":"notification","message":"Tea","regions":["cafe"]}]}
        """#
      #expect(try await server.send(.POST, "/api/v2/publish", [server.basic], body: Array(feed.utf8)).status == 201)
      func event(_ day: Int, _ kind: String, visit: String, region: String = "cafe", _ rest: String = "") -> String {
        let time = "2026-03-\(day < 10 ? "0" : "")\(day)T10:00:00Z"
        return #"{"time":"\#(time)","event":"\#(kind)","region":"\#(region)","visit":"\#(visit)"\#(rest)}"#
      }
      func exposure(_ day: Int, isShown: Bool, holdout: String? = "coffee") -> String {
        let group = holdout.map { #","holdout":"\#($0)""# } ?? #","data":"\"holdout\":\"x\"""#
        return event(
          day, isShown ? "notification-shown" : "notification-held-out", visit: "v1",
          #","campaign":"coffee","matchIdentifier":"m","message":"Coffee""# + group)
      }
      func enter(_ day: Int, _ visit: String, _ region: String = "cafe") -> String {
        event(day, "region-enter", visit: visit, region: region, #","ordinal":1"#)
      }
      let lives: [(name: String, events: [String])] = [
        ("shown, came", [enter(1, "v1"), exposure(1, isShown: true), enter(3, "v2"), enter(4, "v3")]),
        ("shown, came too late", [enter(1, "v1"), exposure(1, isShown: true), enter(20, "v2")]),
        ("shown, the same visit", [exposure(1, isShown: true), enter(2, "v1")]),
        ("shown, another place", [exposure(1, isShown: true), enter(2, "v2", "till")]),
        ("held out twice, came", [exposure(1, isShown: false), enter(2, "v2"), exposure(2, isShown: false)]),
        ("held out, did not", [exposure(1, isShown: false)]),
        ("held out, then shown", [exposure(1, isShown: false), exposure(5, isShown: true)]),
        ("no number", [exposure(1, isShown: true, holdout: nil), enter(2, "v2")]),
        ("not at its end", [exposure(30, isShown: true)]),
      ]
      for (index, life) in lives.enumerated() {
        let secret = try await server.register("install-\(index)")
        let numbered = life.events.enumerated().map { number, text in
          String(text.dropLast()) + #","sequence":\#(number + 1)}"#
        }
        #expect(
          try await server.post("install-\(index)", secret, TestEvents.batch(Array(numbered))).status == 200,
          "\(life.name)")
      }
      server.clock.advance(seconds: 30 * 86_400)
      func lift(_ query: String) async throws -> TestServer.Answer {
        try await server.send(.GET, "/api/v2/statistics/lift?\(query)", [server.basic])
      }
      let all = try await lift("campaign=coffee")
      #expect(
        all.text
          == #"{"campaign":"coffee","days":7,"regions":["cafe"],"shown":{"people":4,"came":1,"rate":{"value":0.25,"low":0.0456,"high":0.6994}},"heldOut":{"people":3,"came":1,"rate":{"value":0.3333,"low":0.0615,"high":0.7923}},"waiting":1,"percent":40,"heldOutShare":{"value":0.4286,"low":0.1582,"high":0.7495},"lift":{"value":-0.0833,"low":-0.5858,"high":0.4419,"relative":-0.25}}"#
          + "\n")
      func counts(_ query: String) async throws -> [Double?] {
        let json = try await lift(query).json
        return [json?["shown"], json?["heldOut"]].flatMap { [$0?["people"]?.number, $0?["came"]?.number] }
      }
      #expect(try await counts("campaign=coffee&days=20") == [4, 2, 3, 1])
      #expect(try await counts("campaign=coffee&region=till") == [4, 1, 3, 0])
      #expect(try await counts("campaign=coffee&from=2026-03-02&to=2026-03-06") == [1, 0, 1, 0])
      #expect(try await counts("campaign=tea") == [0, 0, 0, 0])
      for query in ["campaign=coffee&days=0", "campaign=coffee&days=91", "campaign=coffee&from=today", "days=7"] {
        #expect(try await lift(query).status == 422, "\(query)")
      }
      let none = try await lift("campaign=none")
      #expect(none.status == 404)
    }
  }
}
