import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Attacks: for each route the answers to no credentials, wrong ones, and those of another app. A route without a row is a fault.
@Suite struct AttackTests {
  enum Side { case device, management, version1, session, dashboard, open }

  static let routes: [(method: HTTPMethod, path: String, side: Side)] =
    [
      (.GET, "/device/v1/feed", .device), (.GET, "/device/v1/changes", .device),
      (.PUT, "/device/v1/installation", .device), (.DELETE, "/device/v1/installation", .device),
      (.POST, "/device/v1/events", .device), (.POST, "/device/v1/recordings", .device),
      (.GET, "/api/v2/why", .management), (.GET, "/api/v2/webhooks", .management),
      (.POST, "/api/v2/webhooks", .management), (.DELETE, "/api/v2/webhooks/{id}", .management),
      (.GET, "/api/v2/webhooks/{id}/deliveries", .management),
      (.POST, "/api/v2/webhooks/{id}/deliveries/{key}", .management),
      (.GET, "/api/v2/installations/{id}/recordings", .management), (.POST, "/api/v2/publish", .management),
      (.POST, "/api/v2/rollback", .management), (.GET, "/api/v2/publications", .management),
      (.GET, "/api/v2/schedules", .management), (.DELETE, "/api/v2/schedules/{key}", .management),
      (.GET, "/api/v2/statistics", .management), (.GET, "/api/v2/statistics/report", .management),
      (.GET, "/api/v2/statistics/week", .management),
      (.GET, "/api/v2/statistics/funnel", .management), (.GET, "/api/v2/statistics/lift", .management),
      (.GET, "/healthz", .open), (.GET, "/readyz", .open),
      (.GET, "/metrics", .open), (.GET, "/api/v2/settings", .management), (.PUT, "/api/v2/settings", .management),
      (.PATCH, "/api/v2/settings", .management), (.GET, "/api/v2/draft", .management),
      (.PUT, "/api/v2/draft", .management), (.POST, "/api/v2/preview", .management),
      (.POST, "/api/v2/backtest", .management),
      (.GET, "/api/v2/installations/{id}", .management), (.DELETE, "/api/v2/installations/{id}", .management),
      (.GET, "/api/v2/installations/{id}/events", .management), (.POST, "/api/v2/import", .management),
      (.POST, "/api/v2/edits", .management),
      (.GET, "/api/v2/audit", .management),
      (.GET, "/api/v2/people", .management), (.PUT, "/api/v2/people/{id}", .management),
      (.DELETE, "/api/v2/people/{id}", .management), (.GET, "/api/v2/keys", .management),
      (.POST, "/api/v2/keys", .management), (.DELETE, "/api/v2/keys/{id}", .management),
      (.POST, "/api/v2/session", .session), (.GET, "/api/v2/session", .session),
      (.PATCH, "/api/v2/session", .session), (.DELETE, "/api/v2/session", .session),
    ] + ["regions", "campaigns", "categories", "lists"].flatMap(objects) + version1 + dashboard + forms

  private static let dashboard: [(method: HTTPMethod, path: String, side: Side)] =
    ["/", "/web/{name}", "/web/map/background", "/openapi.json"].map { (.GET, $0, .open) }
    + [
      "", "/{app}", "/{app}/publish", "/{app}/statistics", "/{app}/audit", "/{app}/regions",
      "/{app}/regions/edit", "/{app}/campaigns", "/{app}/campaigns/edit", "/{app}/categories", "/{app}/categories/edit",
      "/{app}/lists", "/{app}/lists/edit",
      "/{app}/settings/edit", "/{app}/walk", "/{app}/people", "/{app}/map", "/{app}/map/regions", "/{app}/map/find",
      "/{app}/map/changes", "/{app}/why", "/{app}/webhooks",
    ].map {
      (.GET, "/dashboard\($0)", .dashboard)
    }
    + [
      "/sign-in", "/sign-out", "/language", "/password", "/{app}/publish", "/{app}/rollback",
      "/{app}/people/role", "/{app}/people/key", "/{app}/people/revoke", "/{app}/people/approval",
      "/{app}/webhooks/add", "/{app}/webhooks/remove", "/{app}/webhooks/again",
    ].map {
      (.POST, "/dashboard\($0)", .dashboard)
    }

  private static let version1: [(method: HTTPMethod, path: String, side: Side)] =
    ["place", "notification"].flatMap { name in
      [.GET, .POST].map { ($0, "/api/v1/\(name)", Side.version1) }
        + [.GET, .PUT, .PATCH, .DELETE].map { ($0, "/api/v1/\(name)/{id}", Side.version1) }
    } + [(.GET, "/api/v1/account", .version1), (.GET, "/api/v1/statistics", .version1)]

  private static let forms: [(method: HTTPMethod, path: String, side: Side)] =
    ["regions", "campaigns", "categories", "lists", "settings"].flatMap { list in
      ["save", "remove"].map { (.POST, "/dashboard/{app}/\(list)/\($0)", Side.dashboard) }
    }

  private static func objects(_ list: String) -> [(method: HTTPMethod, path: String, side: Side)] {
    [.GET, .POST].map { ($0, "/api/v2/\(list)", .management) }
      + [.GET, .PUT, .PATCH, .DELETE].map { ($0, "/api/v2/\(list)/{id}", .management) }
  }

  @Test func eachRouteHasARow() async throws {
    try await TestServer.with { server in
      let known = Set(Self.routes.map { "\($0.method.rawValue) \($0.path)" })
      let all = Set(server.node.router().routes.map { "\($0.method.rawValue) \($0.path.description)" }.map(Self.plain))
      #expect(known == all)
      // The description for machines has all but the dashboard's and those that need no key.
      let description = try #require(try await server.send(.GET, "/openapi.json").json?["paths"])
      guard case .object(let paths) = description else { throw TestFault("paths are no object") }
      let described = paths.flatMap { path, methods -> [String] in
        guard case .object(let members) = methods else { return [] }
        return members.map { "\($0.key.uppercased()) \(path)" }
      }
      let wanted = Self.routes.filter { $0.side != .open && $0.side != .dashboard }.map {
        "\($0.method.rawValue) \($0.path)"
      }
      #expect(Set(described) == Set(wanted))
    }
  }

  /// A method that a path has not is told those that it has.
  @Test func anotherMethodIsToldTheRightOnes() async throws {
    try await TestServer.with { server in
      let deleted = try await server.send(.DELETE, "/api/v2/publish", [server.basic])
      #expect(deleted.status == 405 && deleted.kind == "method-not-allowed")
      #expect(deleted.headers.first(name: "Allow") == "POST")
      let trace = try await server.send(.TRACE, "/api/v2/regions/shop")
      #expect(trace.status == 405 && trace.headers.first(name: "Allow") == "DELETE, GET, HEAD, PATCH, PUT")
      #expect(try await server.send(.GET, "/api/v2/nothing", [server.basic]).status == 404)
      #expect(try await server.send(.POST, "/api/v2/regions/a/b", [server.basic]).status == 404)
      let body = #"{"to":1,"note":5}"#
      let answer = try await server.send(.POST, "/api/v2/rollback", [server.basic], body: Array(body.utf8))
      #expect(answer.status == 422 && answer.json?["error"]?["pointer"]?.string == "/note")
      let named = #"{"role":"viewer","name":{}}"#
      #expect(try await server.send(.POST, "/api/v2/keys", [server.basic], body: Array(named.utf8)).status == 422)
    }
  }

  /// `:key` as `{key}`, and a slash first.
  static func plain(_ route: String) -> String {
    let parts = route.split(separator: " ", maxSplits: 1).map(String.init)
    let path = parts[1].split(separator: "/").map { $0.hasPrefix(":") ? "{\($0.dropFirst())}" : String($0) }
    return "\(parts[0]) /\(path.joined(separator: "/"))"
  }

  @Test func withoutCredentialsThereIsNothing() async throws {
    try await TestServer.with { server in
      try await server.publish()
      for (number, route) in Self.routes.enumerated() where ![.open, .session, .dashboard].contains(route.side) {
        var answers: [TestServer.Answer] = []
        for header in [
          [], [("Authorization", "Bearer nothing")], [("Authorization", TestServer.basic("shop", "plot_x_y"))],
          [("Authorization", "Basic !!")],
        ] {
          let path = route.path.replacingOccurrences(of: "{key}", with: "1")
            .replacingOccurrences(of: "{id}", with: "1")
          answers.append(try await server.send(route.method, path, header, body: Array("{}".utf8)))
        }
        // The client of version 1 knows a wrong key by 400.
        let wrong = route.side == .version1 ? 400 : 401
        #expect(answers.map(\.status) == [401, 401, wrong, wrong], "\(number) \(route.path)")
        #expect(Set(answers.map(\.body)).count == 1, "\(route.path): the answers differ")
        #expect(answers.allSatisfy { $0.headers.contains(name: "WWW-Authenticate") })
        // So that the limit of wrong keys is not what answers.
        server.clock.advance(seconds: 60)
      }
    }
  }

  /// Ids of another app are answered as ids that never were: by status, length and effect.
  @Test(arguments: TestDatabase.allCases) func idsOfAnotherAppAreAsIdsThatNeverWere(_ database: TestDatabase)
    async throws
  {
    try await TestServer.with(database) { server in
      try await server.publish()
      _ = try await server.publish(ManagementTests.small, "?at=2026-03-02T00:00:00Z", [("Idempotency-Key", "theirs")])
      let secret = try await server.register("install-1")
      _ = try await server.post("install-1", secret, TestEvents.batch([TestEvents.shown(1)]))
      let etag = try await server.feed().headers.first(name: "ETag") ?? ""

      // Another app, with nothing.
      let made = try await Apps.make("other", name: "Other", server.storage) { server.clock.now }
      _ = try await server.node.service.directory.refresh()
      var other = server
      other.app = made
      let bearer = other.bearer
      let basic = ("Authorization", TestServer.basic("other", made.key))
      func same(_ a: TestServer.Answer, _ b: TestServer.Answer, _ what: String) {
        #expect(a.status == b.status && a.body == b.body, "\(what): \(a.status) \(a.text) and \(b.status) \(b.text)")
      }
      func state() async throws -> [String] {
        var found: [String] = []
        for table in ["installation", "event", "publication", "schedule", "statistic"] {
          found.append(
            try await server.storage.read {
              "\(table) \(try $0.row("SELECT COUNT(*) FROM \(table)")?.integer(0) ?? -1)"
            })
        }
        let open = try await server.storage.read {
          try $0.row("SELECT COUNT(*) FROM schedule WHERE cancelled IS NULL")?.integer(0)
        }
        return found + ["\(open ?? -1)"]
      }
      let before = try await state()
      func post(_ id: String, _ secret: String) async throws -> TestServer.Answer {
        try await server.send(
          .POST, "/device/v1/events", [bearer, ("Plot-Installation", id), ("Plot-Secret", secret)],
          body: Array(TestEvents.batch([TestEvents.shown(9)]).utf8))
      }
      same(try await post("install-1", secret), try await post("install-9", "s_none"), "events")
      func erase(_ id: String, _ secret: String) async throws -> TestServer.Answer {
        try await server.send(
          .DELETE, "/device/v1/installation", [bearer, ("Plot-Installation", id), ("Plot-Secret", secret)])
      }
      same(try await erase("install-1", secret), try await erase("install-9", "s_none"), "erase")
      let key = try await server.storage.read { try $0.row("SELECT key FROM schedule")?.integer(0) ?? 0 }
      same(
        try await server.send(.DELETE, "/api/v2/schedules/\(key)", [basic]),
        try await server.send(.DELETE, "/api/v2/schedules/99999", [basic]), "schedule")
      func rollBack(_ number: Int) async throws -> TestServer.Answer {
        try await server.send(.POST, "/api/v2/rollback", [basic], body: Array("{\"to\":\(number)}".utf8))
      }
      let (theirs, never) = (try await rollBack(1), try await rollBack(2))
      #expect(theirs.status == 404 && never.status == 404 && theirs.body.count == never.body.count)
      func feed(_ etag: String) async throws -> TestServer.Answer {
        try await server.send(
          .GET, "/device/v1/feed", [bearer, ("If-None-Match", etag), ("Plot-Installation", "install-1")])
      }
      same(try await feed(etag), try await feed("\"never\""), "etag")
      for path in ["/api/v2/publications", "/api/v2/publications?before=2", "/api/v2/schedules", "/api/v2/statistics"] {
        let answer = try await server.send(.GET, path, [basic])
        #expect(answer.status == 200 && answer.text.hasSuffix("[]}\n"), "\(path): \(answer.text)")
      }
      #expect(try await state() == before)
      // Their idempotency key is free here, and the key of one app is none of another.
      let mine = try await server.send(
        .POST, "/api/v2/publish", [basic, ("Idempotency-Key", "theirs")], body: TestServer.feed)
      #expect(mine.status == 201)
      #expect(
        try await server.send(.GET, "/api/v2/publications", [("Authorization", TestServer.basic("shop", made.key))])
          .status == 401)
    }
  }

  @Test func guessingKeysIsSlow() async throws {
    try await TestServer.with { server in
      var statuses: [Int] = []
      for number in 0..<25 {
        statuses.append(
          try await server.send(
            .GET, "/api/v2/publications", [("Authorization", TestServer.basic("shop", "plot_k_\(number)"))]
          ).status)
      }
      #expect(statuses.prefix(20).allSatisfy { $0 == 401 } && statuses.suffix(4).allSatisfy { $0 == 429 })
      // The right key is not tried either, and is after a while.
      #expect(try await server.send(.GET, "/api/v2/publications", [server.basic]).status == 429)
      server.clock.advance(seconds: 10)
      #expect(try await server.send(.GET, "/api/v2/publications", [server.basic]).status == 200)
    }
  }

  @Test func wrongTokensAreNoHarmToRightOnes() async throws {
    try await TestServer.with { server in
      try await server.publish()
      var statuses: [Int] = []
      for number in 0..<25 {
        statuses.append(
          try await server.send(.GET, "/device/v1/feed", [("Authorization", "Bearer t\(number)")]).status)
      }
      #expect(statuses.first == 401 && statuses.last == 429)
      #expect(try await server.feed().status == 200)
    }
  }

  @Test func requestsHaveALimit() async throws {
    try await TestServer.with(.sqlite, #"{"requestRate": 1, "requestBurst": 5}"#) { server in
      try await server.publish()
      var statuses: [Int] = []
      for _ in 0..<7 { statuses.append(try await server.feed([("Plot-Installation", "install-1")]).status) }
      #expect(statuses == [200, 200, 200, 200, 200, 429, 429])
      #expect(try await server.feed([("Plot-Installation", "install-2")]).status == 200)
      server.clock.advance(seconds: 2)
      #expect(try await server.feed([("Plot-Installation", "install-1")]).status == 200)
    }
  }

  @Test func pathsAndHeadersAreNoWayIn() async throws {
    try await TestServer.with { server in
      for path in [
        "/device/v1/../../etc/passwd", "/device/v1/%2e%2e/healthz", "//healthz/x", "/api/v2/schedules/1%2F..%2F2",
        "/device/v1/feed/", "/%00",
      ] {
        let status = try await server.send(.GET, path, [server.bearer]).status
        #expect([400, 401, 404, 405].contains(status), "\(path): \(status)")
      }
      // Words of SQL are words.
      for id in ["install-1'--", "install' OR '1'='1", "x); DROP TABLE installation;--"] {
        let answer = try await server.send(
          .PUT, "/device/v1/installation", [server.bearer, ("Plot-Installation", id)], body: Array("{}".utf8))
        #expect(answer.kind == "invalid-installation", "\(id)")
      }
      let event = TestEvents.shown(1, campaign: "'); DROP TABLE event; --", region: "r\\u0000r")
      let secret = try await server.register("install-1")
      let answer = try await server.post("install-1", secret, TestEvents.batch([event]))
      #expect(answer.status == 200 || answer.status == 422, "\(answer.text)")
      #expect(try await server.send(.GET, "/readyz").status == 200)
    }
  }

  /// Over a bare connection: a client that sends a byte now and then, and headers that are too large.
  @Test func slowClientsAndLargeHeaders() async throws {
    try await TestServer.with(.sqlite, #"{"idleTimeout": 3}"#) { server in
      let secret = try await server.register("install-1")
      let port = server.port
      let slow = try await RawConnection.exchange(
        port,
        "POST /device/v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: \(server.bearer.1)\r\nPlot-Installation: install-1\r\nPlot-Secret: \(secret)\r\nContent-Length: 100\r\n\r\n",
        then: Array(repeating: "{", count: 20), every: .milliseconds(300))
      #expect(slow.isEmpty || slow.hasPrefix("HTTP/1.1 408"), "\(slow)")
      let large = try await RawConnection.exchange(
        port, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: \(String(repeating: "a", count: 20_000))\r\n\r\n", then: [],
        every: .zero)
      #expect(!large.hasPrefix("HTTP/1.1 200"), "\(large.prefix(60))")
      // Headers that never end.
      let endless = try await RawConnection.exchange(
        port, "GET /healthz HTTP/1.1\r\nHost: x\r\n", then: Array(repeating: "X: y\r\n", count: 20),
        every: .milliseconds(300))
      #expect(!endless.hasPrefix("HTTP/1.1 200"), "\(endless.prefix(60))")
      #expect(try await server.send(.GET, "/healthz").status == 200)
    }
  }
}
