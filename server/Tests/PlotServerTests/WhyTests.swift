import Foundation
import PlotDocuments
import PlotEngineKit
import Synchronization
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Why somebody got a notification, or did not (docs/server.md, Why); and the end of what is kept.
@Suite struct WhyTests {
  private static let feed = #"""
    {"version":1,"regions":[{"id":"shop","type":"geofence","latitude":52.36,"longitude":4.885,"radius":100},
      {"id":"park","type":"geofence","latitude":52.40,"longitude":4.95,"radius":100}],
     "campaigns":[{"id":"hello","type":"notification","message":"Hello","regions":["shop"]},
      {"id":"gold","type":"notification","message":"For you","regions":["shop"],
       "segmentation":{"property":"gold","equals":true}},
      {"id":"green","type":"notification","message":"Green","regions":["park"]}]}
    """#

  /// The recording of a device that walks into the shop at ten.
  static func recording() throws -> String {
    let lines = Mutex<[String]>([])
    let engine = Engine()
    defer { engine.close() }
    try engine.onShow { _ in true }
    try engine.onRecording { line in lines.withLock { $0.append(line) } }
    let start = Date(timeIntervalSince1970: 1_772_359_200)  // 2026-03-01T10:00:00Z
    try engine.start(
      PlotEngineKit.Configuration(json: "{}"), feed: PlotEngineKit.Feed(json: feed), timeZone: .stored, at: start)
    for minute in 0..<20 {
      let latitude = minute < 5 ? 52.37 : 52.36
      try engine.update(
        PlotEngineKit.Fix(
          latitude: latitude, longitude: 4.885, accuracy: 10, date: start.addingTimeInterval(Double(minute) * 60)))
    }
    return lines.withLock { $0.map { $0 + "\n" }.joined() }
  }

  static func send(
    _ server: TestServer, _ secret: String, _ body: String, consent: String? = "recordings"
  ) async throws -> TestServer.Answer {
    let headers = [server.bearer, ("Plot-Installation", "install-1"), ("Plot-Secret", secret)]
    return try await server.send(
      .POST, "/device/v1/recordings", headers + (consent.map { [("Plot-Consent", $0)] } ?? []), body: Array(body.utf8))
  }

  private static func why(_ server: TestServer, _ query: String) async throws -> TestServer.Answer {
    try await server.send(.GET, "/api/v2/why?installation=install-1&\(query)", [server.basic])
  }

  @Test(arguments: TestDatabase.allCases) func theRecordingIsPlayedAgain(_ database: TestDatabase) async throws {
    let recording = try Self.recording()
    try await TestServer.with(database, #"{"recordings":true}"#) { server in
      let secret = try await server.register("install-1")
      #expect(try await Self.send(server, secret, recording, consent: nil).status == 403)
      #expect(try await Self.send(server, secret, "{}").status == 422)
      #expect(try await Self.send(server, secret, recording + "{").status == 422)
      #expect(try await Self.send(server, "s_wrong", recording).status == 403)
      #expect(try await Self.why(server, "campaign=hello&at=2026-03-01T10:15:00Z").kind == "no-recording")
      #expect(try await Self.send(server, secret, recording).status == 204)
      #expect(try await Self.send(server, secret, recording).status == 204)
      let list = try await server.send(.GET, "/api/v2/installations/install-1/recordings", [server.basic])
      #expect(
        list.json?.text == #"{"recordings":[{"from":"2026-03-01T10:00:00Z","to":"2026-03-01T10:19:00Z"}]}"#)

      let shown = try await Self.why(server, "campaign=hello&at=2026-03-01T10:15:00Z")
      #expect(shown.status == 200 && shown.json?["shown"]?.items?.count == 1)
      #expect(shown.json?["sentence"]?.string?.hasPrefix("Shown at 2026-03-01T10:0") == true, "\(shown.text)")
      let early = try await Self.why(server, "campaign=hello&at=2026-03-01T10:03:00Z")
      #expect(
        early.json?["shown"]?.items?.isEmpty == true && early.json?["lastInput"]?.string == "2026-03-01T10:03:00Z")
      #expect(early.json?["explanation"]?["reason"]?.string == "not-inside", "\(early.text)")
      let gold = try await Self.why(server, "campaign=gold&at=2026-03-01T10:15:00Z")
      #expect(gold.json?["explanation"]?["step"]?.string == "segmentation", "\(gold.text)")
      let green = try await Self.why(server, "campaign=green&region=park&at=2026-03-01T10:15:00Z&language=nl")
      #expect(green.json?["shown"]?.items?.isEmpty == true && green.json?["sentence"]?.string?.isEmpty == false)

      // The same recording says why others did not get it.
      #expect(try await server.send(.PUT, "/api/v2/draft", [server.basic], body: Array(Self.feed.utf8)).status == 200)
      func funnel(_ query: String) async throws -> TestServer.Answer {
        try await server.send(.GET, "/api/v2/statistics/funnel?\(query)", [server.basic])
      }
      let way = try await funnel("campaign=gold")
      #expect(way.json?["recordings"]?.text == "1" && way.json?["shown"]?.text == "0")
      let reason = try #require(way.json?["reasons"]?.items?.first)
      #expect(reason["step"]?.string == "segmentation" && reason["installations"]?.text == "1", "\(way.text)")
      let enter = TestEvents.enter(1, visit: "v1", region: "shop", time: "2026-03-01T10:05:00Z")
      let show = TestEvents.shown(2, campaign: "hello", region: "shop", time: "2026-03-01T10:05:00Z")
      #expect(try await server.post("install-1", secret, TestEvents.batch([enter, show])).status == 200)
      let hello = try await funnel("campaign=hello&from=2026-03-01&to=2026-03-01")
      #expect(
        hello.text.hasPrefix(
          #"{"campaign":"hello","entered":1,"filtered":0,"failed":0,"heldOut":0,"shown":1,"opened":0"#))
      let later = try await funnel("campaign=hello&from=2026-03-02")
      #expect(later.json?["entered"]?.text == "0" && later.json?["recordings"]?.text == "0")
      #expect(try await funnel("campaign=none").status == 404)
      #expect(try await funnel("").status == 422)
      for (query, status) in [
        ("campaign=none&at=2026-03-01T10:15:00Z", 404), ("campaign=hello&region=none&at=2026-03-01T10:15:00Z", 404),
        ("campaign=hello&at=yesterday", 422), ("campaign=hello", 422), ("at=2026-03-01T10:15:00Z", 422),
        ("campaign=hello&at=2026-02-01T10:15:00Z", 404),
      ] { #expect(try await Self.why(server, query).status == status, "\(query)") }

      // The person takes it back: all of it is gone.
      let erased = try await server.send(
        .DELETE, "/device/v1/installation",
        [server.bearer, ("Plot-Installation", "install-1"), ("Plot-Secret", secret)])
      #expect(erased.status == 204)
      #expect(try await server.storage.read { try $0.row("SELECT COUNT(*) FROM recording")?.integer(0) } == 0)
      #expect(try await Self.why(server, "campaign=hello&at=2026-03-01T10:15:00Z").status == 404)
    }
  }

  @Test func noRecordingIsTakenUnlessTheSettingsSaySo() async throws {
    let recording = try Self.recording()
    try await TestServer.with { server in
      let secret = try await server.register("install-1")
      let answer = try await Self.send(server, secret, recording)
      #expect(answer.status == 403 && answer.kind == "no-recordings")
      #expect(try await server.storage.read { try $0.row("SELECT COUNT(*) FROM recording")?.integer(0) } == 0)
    }
  }

  /// Old events are forgotten; the counts stay, and still equal a recount. The events of a visit go together.
  @Test(arguments: TestDatabase.allCases) func whatIsTooOldIsForgotten(_ database: TestDatabase) async throws {
    let recording = try Self.recording()
    try await TestServer.with(database, #"{"recordings":true}"#) { server in
      let secret = try await server.register("install-1")
      func post(_ events: [String], _ name: String) async throws {
        #expect(try await server.post("install-1", secret, TestEvents.batch(events, name)).status == 200)
      }
      try await post(
        [
          TestEvents.shown(1), TestEvents.enter(2, visit: "v1"), TestEvents.exit(3, visit: "v1"),
          TestEvents.enter(4, visit: "v2"),
        ],
        "b1")
      #expect(try await Self.send(server, secret, recording).status == 204)
      server.clock.advance(seconds: 10 * 86_400)
      try await post([TestEvents.exit(5, visit: "v2"), TestEvents.enter(6, visit: "v3")], "b2")
      let before = try await server.storage.read { try $0.statistics(ofApp: 1).mapValues(\.all) }
      func sequences() async throws -> [Int64] {
        try await server.storage.read {
          try $0.rows("SELECT sequence FROM event ORDER BY sequence").compactMap { $0.integer(0) }
        }
      }
      #expect(try await Retention.run(server.storage, at: server.clock.now) == 0)
      #expect(try await sequences() == [1, 2, 3, 4, 5, 6])
      try await server.storage.write { try $0.setRetention(days: 7, ofApp: 1) }
      let first = try await Retention.run(server.storage, at: server.clock.now)
      #expect(first == 3)
      let left = try await sequences()
      #expect(left == [4, 5, 6], "the second visit has ended a moment ago")
      #expect(try await server.storage.read { try $0.statistics(ofApp: 1).mapValues(\.all) } == before)
      let app = try #require(try await server.storage.read { try $0.app(id: "shop") })
      #expect(try await Apps.recount(app, server.storage) == [])
      #expect(try await server.storage.read { try $0.row("SELECT COUNT(*) FROM recording")?.integer(0) } == 0)
      // A device that sends an old batch again is not counted twice as long as its events are there.
      server.clock.advance(seconds: 8 * 86_400)
      #expect(try await Retention.run(server.storage, at: server.clock.now) == 3)
      #expect(try await Apps.recount(app, server.storage) == [])
      #expect(try await server.storage.read { try $0.row("SELECT COUNT(*) FROM visit")?.integer(0) } == 0)
    }
  }
}
