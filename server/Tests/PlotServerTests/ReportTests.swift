import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Counts of campaigns and regions (docs/server.md, Statistics).
@Suite struct ReportTests {
  /// Against the values that R's binom package and textbooks give for Wilson's interval.
  @Test(arguments: [
    (3, 12, 0.25, 0.0889, 0.5323), (0, 10, 0.0, 0.0, 0.2775), (10, 10, 1.0, 0.7225, 1.0),
    (500, 1000, 0.5, 0.4691, 0.5309),
  ]) func aRateHasItsInterval(_ part: Int64, _ whole: Int64, _ value: Double, _ low: Double, _ high: Double) throws {
    let rate = try #require(StatisticsReport.rate(part, of: whole))
    #expect(rate.value == value && abs(rate.low - low) < 5e-5 && abs(rate.high - high) < 5e-5, "\(rate)")
  }

  @Test func nothingHasNoRate() { #expect(StatisticsReport.rate(0, of: 0) == nil) }

  @Test func aSpreadsheetTakesNothingForAFormula() {
    #expect(
      CSV.text([["a", "b"], ["=1+1", "@x"], ["-5", "-x"], ["x,\"y\"", "two\nlines"], ["\tx", "+31 20"]])
        == "a,b\r\n'=1+1,'@x\r\n-5,'-x\r\n\"x,\"\"y\"\"\",\"two\nlines\"\r\n'\tx,'+31 20\r\n")
  }

  @Test(arguments: TestDatabase.allCases) func campaignsAndRegionsOfSomeDays(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let secret = try await server.register("install-1")
      func event(_ sequence: Int, _ kind: String, _ campaign: String, _ day: Int = 1) -> String {
        #"{"time":"2026-03-0\#(day)T10:00:00Z","event":"\#(kind)","sequence":\#(sequence),"region":"museum","campaign":"\#(campaign)"}"#
      }
      let events = [
        event(1, "notification-shown", "=welcome"), event(2, "notification-shown", "=welcome"),
        event(3, "notification-opened", "=welcome"), event(4, "notification-shown", "=welcome", 2),
        event(5, "notification-dismissed", "other"), TestEvents.enter(6, visit: "v"), TestEvents.exit(7, visit: "v"),
      ]
      #expect(try await server.post("install-1", secret, TestEvents.batch(events)).status == 200)
      func get(_ query: String) async throws -> TestServer.Answer {
        try await server.send(.GET, "/api/v2/statistics/report\(query)", [server.basic])
      }
      let all = try await get("")
      #expect(
        all.text
          == #"{"campaigns":[{"campaign":"=welcome","shown":3,"opened":1,"actions":0,"dismissed":0,"failed":0,"filtered":0,"geotriggers":0,"heldOut":0,"openRate":{"value":0.3333,"low":0.0615,"high":0.7923}},{"campaign":"other","shown":0,"opened":0,"actions":0,"dismissed":1,"failed":0,"filtered":0,"geotriggers":0,"heldOut":0}],"regions":[{"region":"museum","visits":1,"ended":1,"meanSeconds":1200}]}"#
          + "\n")
      let second = try await get("?from=2026-03-02&to=2026-03-02")
      #expect(second.json?["campaigns"]?.text.hasPrefix(#"[{"campaign":"=welcome","shown":1,"opened":0"#) == true)
      let csv = try await get("?format=campaigns.csv")
      #expect(csv.headers.first(name: "Content-Type") == "text/csv; charset=utf-8")
      #expect(csv.text.hasPrefix("campaign,shown,opened"))
      #expect(csv.text.contains("\r\n'=welcome,3,1,0,0,0,0,0,0.3333,0.0615,0.7923,0\r\n"))
      #expect(try await get("?format=regions.csv").text == "region,visits,ended,meanSeconds\r\nmuseum,1,1,1200\r\n")
      func week(_ query: String) async throws -> TestServer.Answer {
        try await server.send(.GET, "/api/v2/statistics/week\(query)", [server.basic])
      }
      // The first of March 2026 was a Sunday; in Auckland it was late, in Los Angeles it was night.
      func counts(_ query: String, _ weekday: Int, _ hour: Int) async throws -> [Double?] {
        let days = try #require(try await week(query).json?["weekdays"]?.items)
        let all = days.flatMap { ($0.items ?? []).compactMap(\.number) }
        #expect(days.count == 7 && all.count == 168)
        return [days[weekday].items?[hour].number, all.reduce(0, +)]
      }
      #expect(try await counts("", 6, 10) == [2, 3])
      #expect(try await counts("?zone=Europe/Amsterdam", 6, 11) == [2, 3])
      #expect(try await counts("?zone=Pacific/Auckland", 6, 23) == [2, 3])
      #expect(try await counts("?zone=America/Los_Angeles", 6, 2) == [2, 3])
      #expect(try await counts("?from=2026-03-02", 0, 10) == [1, 1])
      #expect(try await counts("?kind=region-enter&region=museum", 6, 10) == [1, 1])
      #expect(try await counts("?campaign=other", 6, 10) == [0, 0])
      for query in ["?zone=Nowhere/Town", "?kind=all", "?from=today"] {
        #expect(try await week(query).status == 422, "\(query)")
      }
      for query in ["?from=today", "?to=2026-3-1", "?format=xml"] {
        #expect(try await get(query).status == 422, "\(query)")
      }
    }
  }
}
