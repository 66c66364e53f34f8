import Foundation
import NIOHTTP1
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Publishing over HTTP (docs/server.md, Publishing).
@Suite struct ManagementTests {
  static let small = Array(
    #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":1,"longitude":2}],"campaigns":[]}"#.utf8)

  @Test(arguments: TestDatabase.allCases) func aDryRunSaysWhatWouldHappen(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await server.publish(Self.small)
      _ = try await server.register("install-1")
      let new = Array(
        #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":1,"longitude":3},{"id":"b","type":"geofence","latitude":1,"longitude":2}],"campaigns":[],"settings":{"slots":{"count":3}}}"#
          .utf8)
      let dry = try await server.publish(new, "?dryRun=true")
      #expect(dry.status == 200 && dry.json?["publication"] == nil && dry.json?["installations"]?.text == "1")
      #expect(
        dry.json?["difference"]?.text
          == #"{"regions":{"added":["b"],"changed":["a"],"removed":[]},"campaigns":{"added":[],"changed":[],"removed":[]},"categories":{"added":[],"changed":[],"removed":[]},"lists":{"added":[],"changed":[],"removed":[]},"settings":true}"#
      )
      #expect(try await server.feed().body == Self.small)
      let long = try await server.publish(new, "?note=\(String(repeating: "n", count: 251))")
      #expect(long.status == 422 && long.text.contains("250 characters"))
      let real = try await server.publish(new, "?note=two%20regions")
      #expect(real.status == 201)
      #expect(
        real.json?["publication"]?.text.hasPrefix(
          #"{"number":2,"kind":"publish","share":100,"spread":60,"issued":"2026-03-01T12:00:00Z""#) == true)
      #expect(try await server.feed().body == new)
    }
  }

  @Test func aFeedWithAFaultIsRefusedWithItsFindings() async throws {
    try await TestServer.with { server in
      let wrong = Array(
        #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":100,"longitude":2}],"campaigns":[]}"#.utf8)
      let answer = try await server.publish(wrong)
      #expect(answer.status == 422 && answer.kind == "refused-feed")
      let error = answer.json?["error"]
      #expect(error?["pointer"]?.text == #""/regions/0/latitude""#)
      guard case .array(let findings)? = error?["findings"] else { throw TestFault(answer.text) }
      #expect(findings.first?["code"]?.text == #""invalid-value""#)
      #expect(try await server.publish(Array("no feed".utf8)).status == 422)
      #expect(try await server.feed().status == 404)
    }
  }

  @Test(arguments: TestDatabase.allCases) func aRollbackIsAPublication(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await server.publish(Self.small)
      try await server.publish()
      func rollBack(_ body: String, _ headers: [(String, String)] = []) async throws -> TestServer.Answer {
        try await server.send(.POST, "/api/v2/rollback", [server.basic] + headers, body: Array(body.utf8))
      }
      #expect(try await rollBack(#"{"to":1}"#, [("Idempotency-Key", "r")]).status == 201)
      #expect(try await rollBack(#"{"to":1}"#, [("Idempotency-Key", "r")]).json?["publication"]?["number"]?.text == "3")
      let feed = try await server.feed()
      #expect(feed.body == Self.small && feed.headers.first(name: "Plot-Publication") == "3")
      #expect(try await rollBack(#"{"to":9}"#).status == 404)
      #expect(try await rollBack("{}").status == 422)
      let list = try await server.send(.GET, "/api/v2/publications", [server.basic])
      guard case .array(let all)? = list.json?["publications"] else { throw TestFault(list.text) }
      #expect(all.map { $0["kind"]?.text ?? "" } == [#""rollback""#, #""publish""#, #""publish""#])
      let older = try await server.send(.GET, "/api/v2/publications?before=2", [server.basic])
      guard case .array(let first)? = older.json?["publications"] else { throw TestFault(older.text) }
      #expect(first.count == 1)
    }
  }

  @Test(arguments: TestDatabase.allCases) func aScheduleBecomesAPublication(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await server.publish(Self.small)
      let planned = try await server.publish(TestServer.feed, "?at=2026-03-01T13:00:00Z")
      #expect(planned.status == 201 && planned.json?["publication"] == nil)
      let called = try await server.publish(TestServer.feed, "?at=2026-03-01T12:30:00Z")
      let list = try await server.send(.GET, "/api/v2/schedules", [server.basic])
      guard case .array(let schedules)? = list.json?["schedules"] else { throw TestFault(list.text) }
      #expect(schedules.map { $0["at"]?.text ?? "" } == [#""2026-03-01T12:30:00Z""#, #""2026-03-01T13:00:00Z""#])
      let key = try #require(called.json?["schedule"]?.text)
      for status in [204, 404] {
        #expect(try await server.send(.DELETE, "/api/v2/schedules/\(key)", [server.basic]).status == status)
      }
      server.clock.advance(seconds: 3599)
      try await server.node.service.publisher.runSchedule()
      #expect(try await server.feed().body == Self.small)
      server.clock.advance(seconds: 2)
      try await server.node.service.publisher.runSchedule()
      _ = try await server.node.service.directory.refresh()
      #expect(try await server.feed().body == TestServer.feed)
    }
  }

  @Test(arguments: TestDatabase.allCases) func whatIsKeptAboutSomebody(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await server.publish()
      let secret = try await server.register("install-1")
      let events = (1...600).map { TestEvents.shown(Int64($0)) }
      for part in [events.prefix(500), events.dropFirst(500)] {
        let answer = try await server.post("install-1", secret, TestEvents.batch(Array(part), "b\(part.startIndex)"))
        #expect(answer.status == 200, "\(answer.text)")
      }
      func ask(_ method: HTTPMethod, _ path: String) async throws -> TestServer.Answer {
        try await server.send(method, "/api/v2/installations/\(path)", [server.basic])
      }
      let kept = try await ask(.GET, "install-1")
      #expect(kept.json?["events"]?.text == "600" && !kept.text.contains(secret))
      let first = try await ask(.GET, "install-1/events")
      guard case .array(let some)? = first.json?["events"] else { throw TestFault(first.text) }
      #expect(some.count == 500 && first.json?["next"]?.text == #""500""#)
      let rest = try await ask(.GET, "install-1/events?after=500")
      guard case .array(let others)? = rest.json?["events"] else { throw TestFault(rest.text) }
      #expect(others.count == 100 && others.last?["sequence"]?.text == "600" && rest.json?["next"] == nil)
      let counted = try await server.send(.GET, "/api/v2/statistics", [server.basic]).text
      #expect(try await ask(.DELETE, "install-1").status == 204)
      for status in [
        try await ask(.GET, "install-1").status, try await ask(.GET, "install-1/events").status,
        try await ask(.DELETE, "install-1").status,
      ] { #expect(status == 404) }
      #expect(try await server.post("install-1", secret, TestEvents.batch([TestEvents.shown(601)])).status == 403)
      #expect(try await server.send(.GET, "/api/v2/statistics", [server.basic]).text == counted)
      let audit = try await server.send(.GET, "/api/v2/audit", [server.basic]).text
      #expect(audit.contains(#""action":"erase","object":"installation""#) && !audit.contains("install-1"))
      #expect(try await ask(.GET, "install-1/events?after=x").status == 422)
    }
  }

  @Test func oneKeyIsOneRequest() async throws {
    try await TestServer.with { server in
      let key = [("Idempotency-Key", "abc")]
      #expect(try await server.publish(Self.small, "", key).json?["publication"]?["number"]?.text == "1")
      #expect(try await server.publish(Self.small, "", key).json?["publication"]?["number"]?.text == "1")
      let other = try await server.publish(TestServer.feed, "", key)
      #expect(other.status == 409 && other.kind == "idempotency-key")
    }
  }

  @Test func parametersThatAreRefused() async throws {
    try await TestServer.with(.sqlite, #"{"feedLimit": 2000}"#) { server in
      for query in ["?share=0", "?share=101", "?share=x", "?spread=-1", "?at=soon", "?dryRun=yes", "?color=red"] {
        let answer = try await server.publish(Self.small, query)
        #expect(answer.status == 422 && answer.kind == "invalid-value", "\(query)")
      }
      #expect(try await server.send(.GET, "/api/v2/publications?before=x", [server.basic]).status == 422)
      #expect(try await server.publish([UInt8](repeating: 0x20, count: 2001)).status == 413)
    }
  }

  @Test(arguments: TestDatabase.allCases) func anotherNodeHearsOfAPublication(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      var configuration = ServerConfiguration()
      configuration.port = 0
      configuration.requestRate = 0
      let storage = try server.reopen()
      try await TestServer.run(storage, server.clock, server.app, configuration) { other in
        try await server.publish()
        var status = 0
        for _ in 0..<400 where status != 200 {
          status = try await other.feed().status
          try await Task.sleep(for: .milliseconds(50))
        }
        #expect(status == 200)
      }
      await storage.close()
    }
  }

  /// Each node remembers installations, and none goes on with one that another has erased.
  @Test(arguments: TestDatabase.allCases) func erasedOnOneNodeIsErasedOnAll(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      var configuration = ServerConfiguration()
      configuration.port = 0
      let storage = try server.reopen()
      try await TestServer.run(storage, server.clock, server.app, configuration) { other in
        let secret = try await server.register("install-1")
        for node in [server, other] {
          #expect(try await node.post("install-1", secret, TestEvents.batch([TestEvents.shown(1)])).status == 200)
        }
        let erased = try await server.send(
          .DELETE, "/device/v1/installation",
          [server.bearer, ("Plot-Installation", "install-1"), ("Plot-Secret", secret)])
        #expect(erased.status == 204)
        for node in [server, other, other] {
          let answer = try await node.post("install-1", secret, TestEvents.batch([TestEvents.shown(2)]))
          #expect(answer.status == 403 && answer.kind == "unknown-installation")
        }
      }
      await storage.close()
    }
  }
}
