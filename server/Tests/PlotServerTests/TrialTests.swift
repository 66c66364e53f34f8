import Foundation
import NIOHTTP1
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Walks that are tried with a draft (docs/server.md, Trying).
@Suite struct TrialTests {
  private static func send(_ server: TestServer, _ path: String, _ body: String) async throws -> TestServer.Answer {
    try await server.send(.POST, "/api/v2/\(path)", [server.basic], body: Array(body.utf8))
  }

  private static func feed(_ campaigns: String, radius: Int = 200) -> String {
    #"{"version":1,"regions":[{"id":"shop","type":"geofence","latitude":52.36,"longitude":4.885,"radius":\#(radius)}],"campaigns":[\#(campaigns)]}"#
  }

  private static let welcome = #"{"id":"welcome","type":"notification","message":"Hello","regions":["shop"]}"#
  private static let premium =
    #"{"id":"premium","type":"notification","message":"For you","regions":["shop"],"segmentation":{"property":"premiumMember","equals":true}}"#
  /// From a kilometre away to the shop.
  private static let route =
    #""route":{"points":[[52.37,4.885],[52.36,4.885],[52.36,4.885]],"start":"2026-05-16T10:00:00Z","speed":2,"interval":20}"#

  private static func draft(_ server: TestServer, _ feed: String) async throws {
    let answer = try await server.send(.PUT, "/api/v2/draft", [server.basic], body: Array(feed.utf8))
    #expect(answer.status == 200, "\(answer.text)")
  }

  private static func list(_ value: JSONValue?) -> [JSONValue] {
    if case .array(let list)? = value { list } else { [] }
  }

  @Test(arguments: TestDatabase.allCases) func aRouteShowsWhatAPhoneWouldShow(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let answer = try await Self.send(server, "preview", #"{\#(Self.route),"feed":\#(Self.feed(Self.welcome))}"#)
      #expect(answer.status == 200, "\(answer.text)")
      let shown = Self.list(answer.json?["shown"])
      #expect(shown.count == 1 && shown.first?["notification"]?["message"]?.text == #""Hello""#)
      let first = Self.list(answer.json?["events"]).first
      #expect(first?["event"]?.text == #""region-enter""#)
      let decisions = Self.list(answer.json?["decisions"])
      #expect(!decisions.isEmpty)
      let refused = Self.list(answer.json?["refused"])
      #expect(refused.isEmpty)
      // The draft, where no feed is named; the same bytes again.
      try await Self.draft(server, Self.feed(Self.welcome))
      let drafted = try await Self.send(server, "preview", "{\(Self.route)}")
      #expect(drafted.text == answer.text)
      // As the app has set them.
      for (properties, count) in [("{}", 0), (#"{"premiumMember":true}"#, 1)] {
        let one = try await Self.send(
          server, "preview", #"{\#(Self.route),"properties":\#(properties),"feed":\#(Self.feed(Self.premium))}"#)
        #expect(Self.list(one.json?["shown"]).count == count, "\(one.text)")
      }
      // Elsewhere there is nothing, and it says why.
      let far = try await Self.send(
        server, "preview",
        #"{"fixes":[{"time":"2026-05-16T10:00:00Z","latitude":1,"longitude":1}],"explain":["welcome"]}"#)
      let none = Self.list(far.json?["shown"])
      #expect(none.isEmpty)
      let why = Self.list(far.json?["explanations"]).first
      #expect(why?["sentence"]?.text.isEmpty == false)
    }
  }

  @Test func whatIsRefusedSaysWhere() async throws {
    try await TestServer.with { server in
      for (body, pointer) in [
        ("{}", "/fixes"), (#"{"fixes":[]}"#, "/fixes"),
        (#"{"fixes":[{"time":"now","latitude":1,"longitude":1}]}"#, "/fixes/0/time"),
        (#"{"fixes":[{"time":"2026-05-16T10:00:00Z","latitude":91,"longitude":1}]}"#, "/fixes/0/latitude"),
        (#"{"fixes":[{"time":"2026-05-16T10:00:00Z","latitude":1,"longitude":1,"x":1}]}"#, "/fixes/0/x"),
        (#"{"route":{"points":[[1,2]],"start":"2026-05-16T10:00:00Z"}}"#, "/route/points"),
        (#"{"route":{"points":[[1,2],[3,4]],"start":"2026-05-16T10:00:00Z","interval":1}}"#, "/route"),
        (#"{\#(Self.route),"feed":{"version":1,"regions":[],"campaigns":[{"id":"c"}]}}"#, "/campaigns/0"),
        (#"{\#(Self.route),"config":{"engine":{"noise":"none such"}}}"#, "/engine/noise"),
        (#"{\#(Self.route),"explain":["none"]}"#, "/explain/0"), (#"{\#(Self.route),"color":"red"}"#, "/color"),
      ] {
        let answer = try await Self.send(server, "preview", body)
        #expect(answer.status == 422, "\(body): \(answer.text)")
        #expect(answer.json?["error"]?["pointer"]?.text.hasPrefix("\"" + pointer) == true, "\(answer.text)")
      }
      #expect(try await Self.send(server, "preview", #"{\#(Self.route),"publication":7}"#).status == 404)
    }
  }

  @Test(arguments: TestDatabase.allCases) func aBacktestCountsWhatDiffers(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await server.publish(Array(Self.feed(Self.welcome).utf8))
      let second = #"{"id":"second","type":"notification","message":"Again","regions":["shop"]}"#
      try await Self.draft(server, Self.feed("\(Self.welcome),\(second)"))
      let far = #""fixes":[{"time":"2026-05-16T10:00:00Z","latitude":1,"longitude":1}]"#
      let walks = #"[{"person":"ann",\#(Self.route)},{"person":"ben",\#(far)},{"person":"cas",\#(Self.route)}]"#
      let answer = try await Self.send(server, "backtest", #"{"walks":\#(walks)}"#)
      #expect(answer.status == 200)
      let lines = try answer.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
      #expect(lines.first?["done"]?.text == "1" && lines.count == 4)
      let report = try #require(lines.last?["report"])
      #expect(report["sentence"]?.text == #""2 more notifications, 0 fewer.""#)
      #expect(report["more"]?.text == "2" && report["fewer"]?.text == "0" && report["walks"]?.text == "3")
      let campaigns = Self.list(report["campaigns"])
      #expect(campaigns.count == 1 && campaigns.first?["campaign"]?.text == #""second""#)
      #expect(campaigns.first?["before"]?.text == "0" && campaigns.first?["after"]?.text == "2")
      #expect(campaigns.first?["witness"]?["person"]?.text == #""ann""#)
      #expect(Self.list(report["people"]).count == 2)
      // The other way round.
      let back = try await Self.send(
        server, "backtest",
        #"{"walks":\#(walks),"before":{"feed":\#(Self.feed("\(Self.welcome),\(second)"))},"after":{"publication":1}}"#)
      #expect(back.text.contains(#""more":0,"fewer":2"#))
      // Another policy of presence instead of another feed.
      let policy = try await Self.send(
        server, "backtest",
        #"{"walks":\#(walks),"before":{"publication":1},"after":{"publication":1,"config":{"engine":{"noise":"careful"}}}}"#
      )
      #expect(policy.text.contains(#""walks":3,"more":"#), "\(policy.text)")
      // People whom a cap keeps something from are counted.
      let capped =
        Self.feed("\(Self.welcome),\(second)").dropLast()
        + #","settings":{"caps":[{"per":"all","max":1,"window":86400}]}}"#
      let limited = try await Self.send(
        server, "backtest", #"{"walks":\#(walks),"after":{"feed":\#(capped)}}"#)
      #expect(limited.text.contains(#""more":0,"fewer":0,"capped":{"before":0,"after":2}"#), "\(limited.text)")
      #expect(try await Self.send(server, "backtest", #"{"walks":[]}"#).status == 422)
    }
  }
}
