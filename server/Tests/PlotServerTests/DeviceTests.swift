import Foundation
import NIOCore
import PlotCore
import PlotDocuments
import PlotGzip
import PlotSync
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// The device side, over HTTP (docs/sync-protocol.md).
@Suite struct DeviceTests {
  // MARK: The feed

  @Test(arguments: TestDatabase.allCases) func aFeedAndItsEtag(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      #expect(try await server.feed().status == 404)
      try await server.publish()
      let answer = try await server.feed()
      #expect(answer.status == 200 && answer.body == TestServer.feed)
      #expect(answer.headers.first(name: "Plot-Publication") == "1")
      #expect(answer.headers.first(name: "Plot-Poll-After") == "3600")
      let etag = try #require(answer.headers.first(name: "ETag"))
      #expect(etag.hasPrefix("\"") && !etag.hasPrefix("W/"))
      for list in [etag, "\"x\", \(etag)", "W/\(etag)", "*"] {
        let same = try await server.feed([("If-None-Match", list)])
        #expect(same.status == 304 && same.body.isEmpty && same.headers.first(name: "ETag") == etag, "\(list)")
        #expect(same.headers.first(name: "Plot-Publication") == "1")
      }
      for other in ["\"x\"", String(etag.dropLast()), ""] {
        #expect(try await server.feed([("If-None-Match", other)]).status == 200, "\(other)")
      }
    }
  }

  @Test func eachRepresentationHasItsOwnEtagAndBytes() async throws {
    try await TestServer.with { server in
      try await server.publish()
      let json = try #require(TestServer.feed)
      var etags: Set<String> = []
      for accept in ["application/json", "application/vnd.plotengine.feed"] {
        for encoding in ["identity", "gzip", "gzip;q=0"] {
          let answer = try await server.feed([("Accept", accept), ("Accept-Encoding", encoding)])
          #expect(answer.status == 200)
          let isZipped = answer.headers.first(name: "Content-Encoding") == "gzip"
          #expect(isZipped == (encoding == "gzip"))
          let body = isZipped ? try Gzip.decompress(answer.body, limit: 1 << 20) : answer.body
          if accept == "application/json" {
            #expect(body == json)
          } else {
            #expect(try Feed.map(compiled: body).campaigns.count == Feed.parse(json).campaigns.count)
            #expect(answer.headers.first(name: "Content-Type") == FeedForm.compiled.mediaType)
          }
          etags.insert(answer.headers.first(name: "ETag") ?? "")
        }
      }
      #expect(etags.count == 4)
      let wrong = "application/vnd.plotengine.feed; version=\(Feed.compiledVersion + 1)"
      #expect(try await server.feed([("Accept", wrong)]).status == 406)
      #expect(try await server.feed([("Accept", wrong + ", application/json")]).status == 200)
      #expect(try await server.feed([("Accept", "text/html")]).kind == "not-acceptable")
    }
  }

  @Test func aSignatureIsAboutAllThatTheHeadersSay() async throws {
    try await TestServer.with { server in
      try await server.publish()
      for (accept, form) in [("application/json", FeedForm.json), ("application/vnd.plotengine.feed", .compiled)] {
        let answer = try await server.feed([("Accept", accept)])
        #expect(answer.headers.first(name: "Plot-Signature-Key") == server.app.signingKey)
        let number = try #require(Int64(answer.headers.first(name: "Plot-Publication") ?? ""))
        let issued = try #require(Int64(answer.headers.first(name: "Plot-Issued") ?? ""))
        let signature = try #require(Secrets.bytes(base64URL: answer.headers.first(name: "Plot-Signature") ?? ""))
        let key = try #require(Secrets.bytes(base64URL: server.app.publicKey))
        var signed = SignedFeed(
          app: "shop", publication: number, issued: issued, mediaType: form.mediaType, body: answer.body)
        #expect(signed.isSigned(signature, by: key))
        signed.publication += 1
        #expect(!signed.isSigned(signature, by: key))
        signed.publication -= 1
        signed.app = "shop2"
        #expect(!signed.isSigned(signature, by: key))
      }
    }
  }

  @Test func aWiderShareHasTheSameInstallationsAndMore() async throws {
    try await TestServer.with { server in
      try await server.publish()
      let new = Array(#"{"version":1,"revision":"new","regions":[],"campaigns":[]}"#.utf8)
      func newer() async throws -> Set<Int> {
        var found: Set<Int> = []
        for number in 0..<100 {
          if try await server.feed([("Plot-Installation", "install-\(number)")]).body == new { found.insert(number) }
        }
        return found
      }
      try await server.publish(new, "?share=20")
      let few = try await newer()
      #expect((8...35).contains(few.count), "\(few.count) of 100 at 20 %")
      #expect(try await server.feed().body == TestServer.feed, "who says no id is in no share")
      try await server.publish(new, "?share=60")
      let many = try await newer()
      #expect(many.isSuperset(of: few) && (42...78).contains(many.count))
      try await server.publish(new)
      #expect(try await newer().count == 100)
    }
  }

  @Test func appsThatAreBlockedOrGone() async throws {
    try await TestServer.with { server in
      try await server.publish()
      let app = try #require(try await server.storage.read { try $0.app(id: "shop") })
      for (state, status) in [(AppRecord.State.blocked, 401), (.gone, 410), (.active, 200)] {
        try await server.storage.write { try $0.setState(state, ofApp: app.key) }
        _ = try await server.node.service.directory.refresh()
        #expect(try await server.feed().status == status)
      }
    }
  }

  // MARK: Installations

  @Test(arguments: TestDatabase.allCases) func anInstallationBelongsToWhoHasItsSecret(_ database: TestDatabase)
    async throws
  {
    try await TestServer.with(database) { server in
      let secret = try await server.register("install-1")
      let path = "/device/v1/installation"
      func put(_ headers: [(String, String)], _ body: String = #"{"appVersion":"2"}"#) async throws -> TestServer.Answer
      {
        try await server.send(.PUT, path, [server.bearer] + headers, body: Array(body.utf8))
      }
      #expect(try await put([("Plot-Installation", "install-1"), ("Plot-Secret", secret)]).status == 204)
      #expect(try await put([("Plot-Installation", "install-1")]).kind == "unknown-installation")
      #expect(try await put([("Plot-Installation", "install-1"), ("Plot-Secret", "s_wrong")]).status == 403)
      #expect(try await put([("Plot-Installation", "install-2"), ("Plot-Secret", secret)]).status == 403)
      #expect(try await put([("Plot-Installation", "a b")]).kind == "invalid-installation")
      #expect(try await put([]).kind == "invalid-installation")
      #expect(try await put([("Plot-Installation", "install-3")], #"{"color":"red"}"#).status == 422)
      #expect(try await put([("Plot-Installation", "install-3")], "[]").status == 422)
      #expect(try await put([("Plot-Installation", "install-3")], "{").kind == "invalid-document")
      // Erased: the secret is worth nothing, and the id is free.
      _ = try await server.post("install-1", secret, TestEvents.batch([TestEvents.shown(1)]))
      let wrong = try await server.send(
        .DELETE, path, [server.bearer, ("Plot-Installation", "install-1"), ("Plot-Secret", "s_no")])
      #expect(wrong.status == 403)
      let erased = try await server.send(
        .DELETE, path, [server.bearer, ("Plot-Installation", "install-1"), ("Plot-Secret", secret)])
      #expect(erased.status == 204)
      #expect(try await server.post("install-1", secret, TestEvents.batch([TestEvents.shown(2)])).status == 403)
      let left = try await server.storage.read { try $0.row("SELECT COUNT(*) FROM event")?.integer(0) }
      #expect(left == 0)
      _ = try await server.register("install-1")
    }
  }

  // MARK: Events

  @Test(arguments: TestDatabase.allCases) func eventsAreAcceptedOnceAndCounted(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let secret = try await server.register("install-1")
      let batch = TestEvents.batch([
        TestEvents.enter(1, visit: "v1"), TestEvents.shown(2), TestEvents.shown(3), TestEvents.exit(4, visit: "v1"),
      ])
      let first = try await server.post("install-1", secret, batch)
      #expect(first.text == #"{"batch":"b1","accepted":4,"duplicates":0,"rejected":[],"through":4}"# + "\n")
      let again = try await server.post("install-1", secret, batch)
      #expect(again.text == #"{"batch":"b1","accepted":0,"duplicates":4,"rejected":[],"through":4}"# + "\n")
      let statistics = try await server.send(.GET, "/api/v2/statistics", [server.basic])
      #expect(
        statistics.text == """
          {"statistics":[{"day":"2026-03-01","kind":"dwell","region":"museum","count":1,"seconds":1200},\
          {"day":"2026-03-01","kind":"notification-shown","campaign":"hello","region":"museum","count":2},\
          {"day":"2026-03-01","kind":"region-enter","region":"museum","count":1},\
          {"day":"2026-03-01","kind":"region-exit","region":"museum","count":1}]}

          """)
    }
  }

  @Test func oneBadEventDoesNotBlockTheRest() async throws {
    try await TestServer.with { server in
      let secret = try await server.register("install-1")
      let bad = [
        #"{"time":"2026-03-01T10:00:00Z","event":"x"}"#, #"{"time":"soon","event":"x","sequence":9}"#, "7",
        #"{"time":"2026-03-01T10:00:00Z","event":"X y","sequence":10}"#,
        #"{"time":"2026-03-01T10:00:00Z","event":"x","sequence":11,"region":5}"#,
        #"{"time":"2026-03-01T10:00:00Z","event":"dwell","sequence":12}"#,
      ]
      let answer = try await server.post(
        "install-1", secret, TestEvents.batch([TestEvents.shown(1)] + bad + [TestEvents.shown(2)]))
      guard case .array(let rejected)? = answer.json?["rejected"] else { throw TestFault(answer.text) }
      #expect(
        rejected.map { $0["reason"]?.text ?? "" } == [
          #""sequence: expected an integer from 1, found no such key""#,
          #""time: expected an ISO 8601 date and time, found \"soon\"""#, #""the event: expected an object, found 7""#,
          #""event: expected the word of an event, found \"X y\"""#,
          #""region: expected a string of at most 255 bytes, found 5""#,
          #""event: expected the word of an event, found \"dwell\"""#,
        ])
      #expect(answer.json?["accepted"]?.text == "2" && answer.json?["through"]?.text == "12")
    }
  }

  @Test func bodiesThatAreRefused() async throws {
    try await TestServer.with { server in
      let secret = try await server.register("install-1")
      func post(_ body: [UInt8], _ headers: [(String, String)] = []) async throws -> TestServer.Answer {
        try await server.send(
          .POST, "/device/v1/events",
          [server.bearer, ("Plot-Installation", "install-1"), ("Plot-Secret", secret)] + headers, body: body)
      }
      let good = Array(TestEvents.batch([TestEvents.shown(1)]).utf8)
      let gzip = [("Content-Encoding", "gzip")]
      #expect(try await post(Gzip.compress(good), gzip).status == 200)
      #expect(try await post(good, gzip).kind == "invalid-gzip")
      #expect(try await post(Array(Gzip.compress(good).dropLast()), gzip).kind == "invalid-gzip")
      #expect(try await post(Gzip.compress(good) + [0], gzip).kind == "invalid-gzip")
      #expect(try await post(good, [("Content-Encoding", "br")]).status == 415)
      // A kilobyte that unpacks to more than a body may have.
      let bomb = Gzip.compress([UInt8](repeating: 0x20, count: 64 << 20))
      #expect(bomb.count < 100_000)
      #expect(try await post(bomb, gzip).status == 413)
      #expect(try await post([UInt8](repeating: 0x20, count: EventRequest.sizeLimit + 1)).status == 413)
      #expect(try await post(Array("{".utf8)).kind == "invalid-document")
      #expect(try await post(Array("[]".utf8)).kind == "invalid-value")
      #expect(try await post(Array(#"{"batch":"","events":[]}"#.utf8)).status == 422)
      #expect(try await post(Array(#"{"batch":"b"}"#.utf8)).json?["error"]?["pointer"]?.text == #""/events""#)
      let many = TestEvents.batch((1...501).map { TestEvents.shown(Int64($0)) })
      #expect(try await post(Array(many.utf8)).kind == "too-many")
      #expect(try await post(Array(TestEvents.batch([]).utf8)).status == 200)
    }
  }

  // MARK: Changes

  @Test func aPublicationReachesTheStreams() async throws {
    try await TestServer.with(.sqlite, #"{"heartbeat": 1}"#) { server in
      try await server.publish()
      try await Self.stream(server, lastEvent: nil) { events in
        let new = Array(#"{"version":1,"regions":[],"campaigns":[]}"#.utf8)
        try await server.publish(new, "?spread=7")
        let text = try await events.next("event: feed")
        #expect(text.contains("id: 2\nevent: feed\ndata: {\"publication\":2,\"etag\":\"\\\"2-"))
        #expect(text.contains("\"spread\":7"))
      }
      // A client that comes back hears of the publication that it has missed, and no other client does.
      try await Self.stream(server, lastEvent: "1") { events in
        let text = try await events.next("event: feed")
        #expect(text.contains("id: 2"))
      }
      try await Self.stream(server, lastEvent: "2") { events in
        let text = try await events.next("still here")
        #expect(!text.contains("feed"))
      }
    }
  }

  @Test func streamsHaveALimitAndEndWithTheServer() async throws {
    // How long the server takes to end, whatever other tests do before.
    let toldToEnd = try await TestServer.with(.sqlite, #"{"streamLimit": 1, "heartbeat": 1}"#) { server in
      try await server.publish()
      try await Self.stream(server, lastEvent: nil) { _ in
        let second = try await server.send(.GET, "/device/v1/changes", [server.bearer])
        #expect(second.status == 503 && second.headers.first(name: "Retry-After") == "600")
      }
      // That the first one has gone shows at a heartbeat.
      while server.node.service.changes.count > 0 { try await Task.sleep(for: .milliseconds(50)) }
      // This one is open while the server ends.
      let (opened, isOpen) = AsyncStream.makeStream(of: Void.self)
      Task {
        try await Self.stream(server, lastEvent: nil) { events in
          isOpen.yield()
          _ = try await events.next("never")
        }
      }
      _ = await opened.first { _ in true }
      return ContinuousClock.now
    }
    #expect(toldToEnd.duration(to: .now) < .seconds(20))
  }

  struct StreamEvents {
    var body: TestClient.Body
    var text = ""

    /// Reads on until a word comes.
    mutating func next(_ word: String) async throws -> String {
      while !text.contains(word) || !text.hasSuffix("\n\n") {
        guard let piece = try await body.next() else { throw TestFault("the stream ended with \(text)") }
        text += String(buffer: piece)
      }
      return text
    }
  }

  static func stream(_ server: TestServer, lastEvent: String?, _ body: (inout StreamEvents) async throws -> Void)
    async throws
  {
    var headers = [server.bearer]
    if let lastEvent { headers.append(("Last-Event-ID", lastEvent)) }
    try await TestClient.exchange(server.port, .GET, "/device/v1/changes", headers, nil) { head, rest in
      guard head.status == 200 else { throw TestFault("expected a stream, found \(head.status)") }
      var events = StreamEvents(body: rest)
      _ = try await events.next(": open")
      try await body(&events)
    }
  }
}
