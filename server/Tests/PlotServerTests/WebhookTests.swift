import Foundation
import Logging
import PlotDocuments
import Synchronization
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Those who are told what happens (docs/server.md, Webhooks).
@Suite struct WebhookTests {
  @Test(arguments: TestDatabase.allCases) func eachIsToldOnceOrAgain(_ database: TestDatabase) async throws {
    let received = PushTests.Received()
    received.refusals.withLock { $0 = 1 }
    try await PushTests.withReceiver(received) { url in
      try await TestServer.with(database, #"{"webhookHosts": "hooks.example.com, 127.0.0.1"}"#) { server in
        func send(_ path: String, _ body: String) async throws -> TestServer.Answer {
          try await server.send(.POST, "/api/v2/\(path)", [server.basic], body: Array(body.utf8))
        }
        let made = try await send(
          "webhooks", #"{"url": "\#(url)", "kinds": ["publications", "changes", "events"]}"#)
        #expect(made.status == 201)
        let id = try #require(made.json?["id"]?.string)
        let secret = try #require(made.json?["secret"]?.string)
        #expect(try await send("webhooks", #"{"url": "\#(url)", "kinds": ["publications"]}"#).status == 201)
        let list = try await server.send(.GET, "/api/v2/webhooks", [server.basic])
        #expect(list.json?["webhooks"]?.items?.count == 2 && !list.text.contains(secret))
        try await server.publish(ManagementTests.small)
        let device = try await server.register("install-1")
        let batch = TestEvents.batch([TestEvents.shown(1), TestEvents.shown(2)])
        #expect(try await server.post("install-1", device, batch).status == 200)
        // A batch that comes again has nothing new.
        #expect(try await server.post("install-1", device, batch).status == 200)

        func log() async throws -> [JSONText] {
          let answer = try await server.send(.GET, "/api/v2/webhooks/\(id)/deliveries", [server.basic])
          return (answer.json?["deliveries"]?.items ?? []).map {
            JSONText(
              key: $0["delivery"]?.text ?? "", kind: $0["kind"]?.string ?? "", answer: $0["answer"]?.string ?? "",
              isDelivered: $0["delivered"] != nil, next: $0["next"]?.string)
          }
        }
        var entries = try await log()
        for _ in 0..<400 where entries.contains(where: { $0.answer.isEmpty }) || entries.count < 4 {
          try await Task.sleep(for: .milliseconds(50))
          entries = try await log()
        }
        // The one that was refused waits; the others are done.
        #expect(entries.filter { !$0.isDelivered }.count <= 1)
        server.clock.advance(seconds: 11)
        for _ in 0..<400 where !entries.allSatisfy(\.isDelivered) {
          try await Task.sleep(for: .milliseconds(50))
          entries = try await log()
        }
        #expect(entries.map(\.kind).sorted() == ["changes", "changes", "events", "publications"])
        #expect(entries.allSatisfy { $0.isDelivered && $0.answer == "status 200" && $0.next == nil })
        let calls = received.calls.withLock { $0 }
        let events = try #require(calls.first { $0.body.contains(#""kind":"events""#) })
        #expect(events.body.contains(#""app":"shop""#) && events.body.contains(#""installation":"install-1""#))
        #expect(events.body.contains(#""sequence":1"#) && events.body.contains(#""sequence":2"#))
        let mac = Cryptography.authentication(of: Array(events.body.utf8), key: Array(secret.utf8))
        #expect(events.signature == "sha256=" + Secrets.hexadecimal(mac))
        #expect(calls.filter { $0.body.contains(#""kind":"events""#) }.count == 1)

        let key = try #require(entries.first { $0.kind == "events" }?.key)
        #expect(try await send("webhooks/\(id)/deliveries/\(key)", "").status == 202)
        for _ in 0..<400 where received.calls.withLock({ $0.filter { $0.body == events.body }.count }) < 2 {
          try await Task.sleep(for: .milliseconds(50))
        }
        #expect(received.calls.withLock { $0.filter { $0.body == events.body }.count } == 2)
        #expect(try await send("webhooks/\(id)/deliveries/99999", "").status == 404)
        #expect(try await server.send(.DELETE, "/api/v2/webhooks/\(id)", [server.basic]).status == 204)
        #expect(try await server.send(.GET, "/api/v2/webhooks/\(id)/deliveries", [server.basic]).status == 404)
      }
    }
  }

  struct JSONText {
    var key: String
    var kind: String
    var answer: String
    var isDelivered: Bool
    var next: String?
  }

  /// Nothing is sent to a host that the settings do not name.
  @Test func onlyAllowedHosts() async throws {
    let none = WebhookHosts(nil)
    let some = WebhookHosts("hooks.example.com,10.0.0.7:9000")
    for url in ["http://127.0.0.1/", "http://hooks.example.com/"] { #expect(none.url(url) == nil) }
    for url in ["https://hooks.example.com/a", "HTTP://HOOKS.example.com:81/", "http://10.0.0.7:9000/"] {
      #expect(some.url(url) != nil, "\(url)")
    }
    for url in [
      "http://10.0.0.7/", "ftp://hooks.example.com/", "http://hooks.example.com.evil.example/",
      "http://user@hooks.example.com/", "http://hooks.example.com@evil.example/", "//hooks.example.com/",
      "hooks.example.com",
      "file:///etc/passwd", "http:///hooks.example.com", "",
    ] { #expect(some.url(url) == nil, "\(url)") }
    try await TestServer.with { server in
      let body = #"{"url": "http://127.0.0.1:1/", "kinds": ["events"]}"#
      let answer = try await server.send(.POST, "/api/v2/webhooks", [server.basic], body: Array(body.utf8))
      #expect(answer.status == 422 && answer.json?["error"]?["pointer"]?.string == "/url")
      for wrong in [
        #"{"url": "http://127.0.0.1:1/", "kinds": []}"#, #"{"url": "http://127.0.0.1:1/", "kinds": ["all"]}"#,
        #"{"url": 5, "kinds": ["events"]}"#, #"{"url": "http://a/", "kinds": ["events"], "more": 1}"#,
      ] {
        #expect(try await server.send(.POST, "/api/v2/webhooks", [server.basic], body: Array(wrong.utf8)).status == 422)
      }
    }
  }

  /// Each change is a line of the file once, also after a restart and a line that was cut off.
  @Test(arguments: TestDatabase.allCases) func theAuditIsInAFile(_ database: TestDatabase) async throws {
    try await database.with { storage in
      let path = FileManager.default.temporaryDirectory.appending(path: "audit-\(UUID().uuidString)").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      _ = try await Apps.make("shop", name: "Shop", storage) { 1_000_000 }
      let before = try await storage.read { try $0.audit(after: 0, limit: 100).count }
      func add(_ count: Int) async throws {
        try await storage.write { session in
          for number in 0..<count {
            try session.add(
              AuditRecord(time: 1, actor: "command", action: "put", object: "region \(number)", after: "{\"a\":1}"),
              ofApp: 1)
          }
        }
      }
      func keys() throws -> [String] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
          .compactMap { (try? JSONValue(parsing: Array($0.utf8)))?["change"]?.text }
      }
      try await add(5)
      let first = AuditFile(path: path)
      #expect(try await first.follow(storage) == before + 5)
      #expect(try await first.follow(storage) == 0)
      let line = try #require(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").last)
      #expect(line.hasPrefix(#"{"app":"shop","change":"#) && line.hasSuffix(#""object":"region 4","after":{"a":1}}"#))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      // The server ends in the middle of a line.
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data(#"{"app":"shop","chan"#.utf8))
      try file.close()
      try await add(1700)
      #expect(try await AuditFile(path: path).follow(storage) == 1700)
      let found = try keys()
      #expect(found.count == before + 1705 && Set(found).count == found.count)
      #expect(try await AuditFile(path: path).follow(storage) == 0)
    }
  }

  /// After all pauses it is given up, and the log says so.
  @Test func whatNobodyTakesIsGivenUp() async throws {
    try await TestDatabase.sqlite.with { storage in
      let clock = TestClock()
      let app = try await Apps.make("shop", name: "Shop", storage) { clock.now }
      _ = app
      let courier = WebhookCourier(storage: storage, hosts: WebhookHosts("127.0.0.1")) { clock.now }
      try await storage.write { session in
        try session.addWebhook(
          "wh_1", url: "http://127.0.0.1:1/", kinds: [.changes], secret: "s", ofApp: 1, at: clock.now)
        try session.add(AuditRecord(time: clock.now, actor: "command", action: "create", object: "key a"), ofApp: 1)
      }
      let logger = Logger(label: "test")
      var tries = 0
      for _ in 0..<20 {
        tries += try await courier.run(logger)
        #expect(try await courier.run(logger) == 0, "not before its time")
        clock.advance(seconds: 24 * 3600)
      }
      #expect(tries == WebhookCourier.pauses.count + 1)
      let log = try await storage.read { try $0.deliveries(ofWebhook: 1, before: .max, limit: 10) }
      #expect(log.count == 1 && log[0].next == nil && log[0].delivered == nil && log[0].answer.hasPrefix("no answer"))
      try await Retention.run(storage, at: clock.now + 31 * Retention.day)
      #expect(try await storage.read { try $0.deliveries(ofWebhook: 1, before: .max, limit: 10) }.isEmpty)
    }
  }
}
