import NIOHTTP1
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// People, their roles, and their sessions.
@Suite struct PeopleTests {
  static let password = "correct horse battery"

  /// The things that a browser keeps of somebody who is signed in.
  struct Browser: Sendable {
    var server: TestServer
    var cookie: String
    var formToken: String

    func send(
      _ method: HTTPMethod, _ path: String, app: String? = "shop", formToken: String?? = nil,
      _ headers: [(String, String)] = [], _ body: String = ""
    ) async throws -> TestServer.Answer {
      var all = [("Cookie", "theme=dark; \(cookie)")] + headers
      if let app { all.append(("Plot-App", app)) }
      if let token = formToken ?? self.formToken { all.append(("Plot-Form-Token", token)) }
      return try await server.send(method, path, all, body: Array(body.utf8))
    }
  }

  static func signIn(_ server: TestServer, _ name: String, _ password: String = password) async throws
    -> TestServer.Answer
  {
    try await server.send(
      .POST, "/api/v2/session", [], body: Array(#"{"name": "\#(name)", "password": "\#(password)"}"#.utf8))
  }

  static func browser(_ server: TestServer, _ name: String) async throws -> Browser {
    let answer = try await signIn(server, name)
    let cookie = try #require(answer.headers.first(name: "Set-Cookie"))
    guard case .string(let token)? = answer.json?["formToken"] else { throw TestFault(answer.text) }
    return Browser(server: server, cookie: String(cookie.prefix { $0 != ";" }), formToken: token)
  }

  static func make(_ server: TestServer, _ name: String, _ role: Role?) async throws {
    try await server.node.service.people.make(name: name, password: password)
    try await server.node.service.people.setRole(role, of: name, inApp: "shop", actor: "command")
  }

  @Test(arguments: TestDatabase.allCases) func somebodySignsInAndOut(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await Self.make(server, "anna", .editor)
      let answer = try await Self.signIn(server, "anna")
      let cookie = try #require(answer.headers.first(name: "Set-Cookie"))
      #expect(
        cookie.hasPrefix("plot-session=s_") && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800"))
      #expect(
        answer.json?["apps"]?.text == #"[{"id":"shop","name":"Shop","role":"editor"}]"#
          && answer.json?["name"]?.text == "\"anna\"")
      let anna = try await Self.browser(server, "anna")
      #expect(try await anna.send(.GET, "/api/v2/session").status == 200)
      let dutch = try await anna.send(.PATCH, "/api/v2/session", [], #"{"language": "nl"}"#)
      #expect(dutch.json?["language"]?.text == "\"nl\"")
      #expect(try await anna.send(.PATCH, "/api/v2/session", [], #"{"language": "xx"}"#).status == 422)
      // Nothing of a change that is refused stays.
      for rest in [#""password": "short", "currentPassword": "\#(Self.password)""#, #""other": 1"#] {
        let half = try await anna.send(.PATCH, "/api/v2/session", [], #"{"language": "de", \#(rest)}"#)
        #expect(half.status == 422)
        #expect(try await anna.send(.GET, "/api/v2/session").json?["language"]?.text == "\"nl\"")
      }
      #expect(try await anna.send(.PUT, "/api/v2/settings", [], "{}").status == 201)
      let audit = try await server.storage.read { try $0.audit(ofApp: 1) }
      #expect(audit.map(\.actor) == ["person anna", "command", "command"] && audit[1].object == "person anna")
      #expect(try await anna.send(.DELETE, "/api/v2/session").status == 204)
      #expect(try await anna.send(.GET, "/api/v2/session").kind == "signed-out")
      #expect(try await anna.send(.GET, "/api/v2/regions").status == 401)
      #expect(try await server.storage.read { try $0.row("SELECT COUNT(*) FROM session")?.integer(0) } == 1)
    }
  }

  @Test func wrongPasswordsAreLikeNamesThatThereAreNot() async throws {
    try await TestServer.with { server in
      try await Self.make(server, "anna", .owner)
      let wrong = try await Self.signIn(server, "anna", "correct horse")
      let never = try await Self.signIn(server, "nobody", "correct horse")
      #expect(wrong.status == 401 && wrong.body == never.body && wrong.headers.first(name: "Set-Cookie") == nil)
      try await server.node.service.people.setDisabled(true, of: "anna")
      #expect(try await Self.signIn(server, "anna").body == wrong.body)
      for body in ["[]", #"{"name": "anna"}"#, #"{"name": "anna", "password": 1234567890123}"#] {
        let answer = try await server.send(.POST, "/api/v2/session", [], body: Array(body.utf8))
        #expect(answer.status == 422 && !answer.text.contains("1234"), "\(answer.text)")
      }
    }
  }

  /// Many addresses guess no faster than one.
  @Test func guessingPasswordsIsSlow() async throws {
    try await TestServer.with(.sqlite, #"{"trustsProxy": true}"#) { server in
      try await Self.make(server, "anna", .owner)
      var statuses: [Int] = []
      for number in 0..<22 {
        let body = Array(#"{"name": "anna", "password": "guess number \#(number)"}"#.utf8)
        statuses.append(
          try await server.send(.POST, "/api/v2/session", [("X-Forwarded-For", "10.0.0.\(number)")], body: body).status)
      }
      #expect(statuses.prefix(20).allSatisfy { $0 == 401 } && statuses.suffix(2) == [429, 429])
      server.clock.advance(seconds: 10)
      let answer = try await Self.signIn(server, "anna")
      #expect(answer.status == 200 && answer.headers.first(name: "Set-Cookie")?.hasSuffix("; Secure") == true)
    }
  }

  @Test func noOtherSiteActsForSomebody() async throws {
    try await TestServer.with { server in
      try await Self.make(server, "anna", .owner)
      try await Self.make(server, "ben", .owner)
      let (anna, ben) = (try await Self.browser(server, "anna"), try await Self.browser(server, "ben"))
      let host = "127.0.0.1:\(server.port)"
      func put(_ formToken: String?, _ headers: [(String, String)] = []) async throws -> String {
        let answer = try await anna.send(.PUT, "/api/v2/settings", formToken: .some(formToken), headers, "{}")
        return answer.kind ?? String(answer.status)
      }
      for token in [nil, "", ben.formToken] { #expect(try await put(token) == "other-site") }
      let own = anna.formToken
      #expect(try await put(own, [("Origin", "https://evil.example")]) == "other-site")
      #expect(try await put(own, [("Origin", "null")]) == "other-site")
      #expect(try await put(own, [("Origin", "http://\(host).evil.example")]) == "other-site")
      #expect(try await put(own, [("Sec-Fetch-Site", "cross-site")]) == "other-site")
      #expect(try await put(own, [("Sec-Fetch-Site", "same-site")]) == "other-site")
      #expect(try await put(own, [("Origin", "http://\(host)"), ("Sec-Fetch-Site", "same-origin")]).hasPrefix("20"))
      // Nor is anybody signed in by another site.
      let body = Array(#"{"name": "ben", "password": "\#(Self.password)"}"#.utf8)
      let foreign = try await server.send(
        .POST, "/api/v2/session", [("Origin", "https://evil.example")], body: body)
      #expect(foreign.kind == "other-site" && foreign.headers.first(name: "Set-Cookie") == nil)
    }
  }

  @Test func aSessionIsNewAndEnds() async throws {
    try await TestServer.with { server in
      try await Self.make(server, "anna", .owner)
      // A token that somebody has put into the browser is none, before and after.
      let fixed = ("Cookie", "plot-session=s_fixed")
      #expect(try await server.send(.GET, "/api/v2/session", [fixed]).status == 401)
      let body = Array(#"{"name": "anna", "password": "\#(Self.password)"}"#.utf8)
      let answer = try await server.send(.POST, "/api/v2/session", [fixed], body: body)
      #expect(answer.headers.first(name: "Set-Cookie")?.contains("s_fixed") == false)
      #expect(try await server.send(.GET, "/api/v2/session", [fixed]).status == 401)

      let anna = try await Self.browser(server, "anna")
      for _ in 0..<15 {
        server.clock.advance(seconds: 11 * 3600)
        #expect(try await anna.send(.GET, "/api/v2/session").status == 200)
      }
      server.clock.advance(seconds: 4 * 3600)
      #expect(try await anna.send(.GET, "/api/v2/session").status == 401, "a week has passed")
      let again = try await Self.browser(server, "anna")
      server.clock.advance(seconds: 12 * 3600)
      #expect(try await again.send(.GET, "/api/v2/session").status == 401, "nobody has used it")
      let last = try await Self.browser(server, "anna")
      try await server.node.service.people.setPassword("another password", of: "anna")
      #expect(try await last.send(.GET, "/api/v2/session").status == 401)
      #expect(try await Self.signIn(server, "anna").status == 401)
      #expect(try await Self.signIn(server, "anna", "another password").status == 200)
    }
  }

  /// A person has no more in an app without a role than in one that there is not.
  @Test(arguments: TestDatabase.allCases) func anotherAppIsAsOneThatNeverWas(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      _ = try await Apps.make("other", name: "Other", server.storage) { server.clock.now }
      try await Self.make(server, "anna", .owner)
      let anna = try await Self.browser(server, "anna")
      for route in AttackTests.routes where [.management, .version1].contains(route.side) {
        let path = route.path.replacing("{key}", with: "1").replacing("{id}", with: "1").replacing(
          "{name}", with: "anna")
        let theirs = try await anna.send(route.method, path, app: "other", [], "{}")
        let never = try await anna.send(route.method, path, app: "never", [], "{}")
        #expect(theirs.status == 403 && never.status == 403 && theirs.body.count == never.body.count, "\(route)")
        if route.side == .management { #expect(theirs.kind == "no-role", "\(route)") }
        server.clock.advance(seconds: 1)
      }
      #expect(try await anna.send(.GET, "/api/v2/regions", app: nil).kind == "no-role")
    }
  }

  /// The right that each route needs. A route without a row here is a fault.
  private static func right(_ method: HTTPMethod, _ path: String) -> Right? {
    let read: Set = ["/api/v2/preview", "/api/v2/backtest"]
    let published: Set = ["/api/v2/publish", "/api/v2/rollback", "/api/v2/schedules/{key}"]
    let edited = ["regions", "campaigns", "categories", "lists", "settings", "draft", "edits", "import"]
    if ["/api/v2/people", "/api/v2/keys", "/api/v2/webhooks"].contains(where: { path.hasPrefix($0) }) {
      return .administer
    }
    if method == .GET || read.contains(path) { return .view }
    if published.contains(path) || path.hasPrefix("/api/v1/") { return .publish }
    if edited.contains(where: { path.hasPrefix("/api/v2/\($0)") }) { return .edit }
    return path == "/api/v2/installations/{id}" ? .administer : nil
  }

  /// Each route with a key of each role: refused where the role may not, and only there.
  @Test(arguments: Role.allCases) func eachRouteAsksForItsRight(_ role: Role) async throws {
    try await TestServer.with { server in
      let key = try await server.node.service.privateKeys.make(app: "shop", name: "", role: role).key
      let header = ("Authorization", TestServer.basic("shop", key))
      for needsApproval in [false, true] {
        try await server.storage.write { try $0.setNeedsApproval(needsApproval, ofApp: 1) }
        for route in AttackTests.routes where [.management, .version1].contains(route.side) {
          let right = try #require(Self.right(route.method, route.path), "\(route)")
          let path = route.path.replacing("{key}", with: "1").replacing("{id}", with: "1").replacing(
            "{name}", with: "anna")
          let answer = try await server.send(route.method, path, [header], body: Array("{}".utf8))
          let isRefused = answer.text.contains("not-allowed")
          #expect(isRefused == (answer.status == 403))
          #expect(
            isRefused == !role.may(right, needsApproval: needsApproval), "\(role) \(route): \(answer.status)")
          server.clock.advance(seconds: 1)
        }
      }
    }
  }

  @Test(arguments: TestDatabase.allCases) func anOwnerGivesRolesAndKeys(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await Self.make(server, "anna", .owner)
      let anna = try await Self.browser(server, "anna")
      let made = try await anna.send(.PUT, "/api/v2/people/ben", [], #"{"role": "viewer"}"#)
      let password = try #require(made.json?["password"]?.string)
      #expect(made.status == 201 && password.utf8.count >= 12)
      #expect(try await Self.signIn(server, "ben", password).status == 200)
      // Somebody who is there keeps the password.
      let again = try await anna.send(.PUT, "/api/v2/people/ben", [], #"{"role": "editor"}"#)
      #expect(again.status == 200 && again.json?["password"] == nil)
      #expect(
        try await anna.send(.GET, "/api/v2/people").text
          == #"{"people":[{"name":"anna","role":"owner"},{"name":"ben","role":"editor"}]}"# + "\n")
      for body in ["{}", #"{"role": "king"}"#, "[]"] {
        #expect(try await anna.send(.PUT, "/api/v2/people/ben", [], body).status == 422)
      }
      #expect(try await anna.send(.PUT, "/api/v2/people/a%20b", [], #"{"role": "viewer"}"#).status == 422)
      // The last owner stays one, or nobody could give a role.
      #expect(try await anna.send(.DELETE, "/api/v2/people/anna").text.contains("another owner"))
      #expect(try await anna.send(.PUT, "/api/v2/people/anna", [], #"{"role": "viewer"}"#).status == 422)
      #expect(try await anna.send(.DELETE, "/api/v2/people/ben").status == 204)
      #expect(try await anna.send(.DELETE, "/api/v2/people/ben").status == 404)

      let key = try await anna.send(.POST, "/api/v2/keys", [], #"{"name": "reports", "role": "viewer"}"#)
      let (id, secret) = (try #require(key.json?["id"]?.string), try #require(key.json?["key"]?.string))
      let basic = ("Authorization", TestServer.basic("shop", secret))
      #expect(try await server.send(.GET, "/api/v2/publications", [basic]).status == 200)
      #expect(try await server.send(.PUT, "/api/v2/settings", [basic], body: Array("{}".utf8)).status == 403)
      let list = try await anna.send(.GET, "/api/v2/keys").text
      #expect(list.contains(id) && !list.contains(secret))
      #expect(try await anna.send(.DELETE, "/api/v2/keys/\(id)").status == 204)
      #expect(try await anna.send(.DELETE, "/api/v2/keys/\(id)").status == 404)
      #expect(try await server.send(.GET, "/api/v2/publications", [basic]).status == 401)
      let audit = try await server.storage.read { try $0.audit(ofApp: 1) }
      #expect(
        audit.prefix(2).map(\.action) == ["revoke", "add"] && audit.prefix(2).allSatisfy { $0.object == "key \(id)" })
      #expect(!audit.contains { ($0.after ?? "").contains(secret) || ($0.after ?? "").contains(password) })
    }
  }

  @Test func somebodyChangesThePassword() async throws {
    try await TestServer.with { server in
      try await Self.make(server, "anna", .viewer)
      let (anna, elsewhere) = (try await Self.browser(server, "anna"), try await Self.browser(server, "anna"))
      func change(_ body: String) async throws -> TestServer.Answer {
        try await anna.send(.PATCH, "/api/v2/session", [], body)
      }
      #expect(try await change(#"{"password": "a new password"}"#).status == 422)
      #expect(try await change(#"{"password": "a new password", "currentPassword": "wrong"}"#).status == 401)
      let short = try await change(#"{"password": "short", "currentPassword": "\#(Self.password)"}"#)
      #expect(short.status == 422 && !short.text.contains(Self.password))
      let done = try await change(#"{"password": "a new password", "currentPassword": "\#(Self.password)"}"#)
      #expect(done.status == 200 && done.headers.first(name: "Set-Cookie")?.hasPrefix("plot-session=s_") == true)
      #expect(try await anna.send(.GET, "/api/v2/session").status == 401)
      #expect(try await elsewhere.send(.GET, "/api/v2/session").status == 401)
      #expect(try await Self.signIn(server, "anna", "a new password").status == 200)
    }
  }

  @Test func theRightsOfRoles() {
    func rights(_ role: Role, _ needsApproval: Bool) -> [Right] {
      [.view, .edit, .publish, .administer].filter { role.may($0, needsApproval: needsApproval) }
    }
    #expect(rights(.viewer, false) == [.view] && rights(.viewer, true) == [.view])
    #expect(rights(.editor, false) == [.view, .edit, .publish] && rights(.editor, true) == [.view, .edit])
    #expect(rights(.approver, false) == [.view, .publish] && rights(.approver, true) == [.view, .publish])
    #expect(rights(.owner, true) == [.view, .edit, .publish, .administer])
  }

  @Test(arguments: TestDatabase.allCases) func whatAnEditorWritesAnApproverPublishes(_ database: TestDatabase)
    async throws
  {
    try await TestServer.with(database) { server in
      try await server.storage.write { try $0.setNeedsApproval(true, ofApp: 1) }
      try await Self.make(server, "anna", .editor)
      try await Self.make(server, "ben", .approver)
      let (anna, ben) = (try await Self.browser(server, "anna"), try await Self.browser(server, "ben"))
      let region = #"{"id": "r", "type": "geofence", "latitude": 52, "longitude": 4, "radius": 100}"#
      #expect(try await anna.send(.PUT, "/api/v2/regions/r", [], region).status == 201)
      #expect(try await ben.send(.PUT, "/api/v2/regions/s", [], region).kind == "not-allowed")
      let refused = try await anna.send(.POST, "/api/v2/publish")
      #expect(refused.kind == "not-allowed" && refused.text.contains("publishes by approval"))
      #expect(try await anna.send(.POST, "/api/v2/publish?dryRun=true").status == 200)
      #expect(try await ben.send(.POST, "/api/v2/publish").status == 201)
      let audit = try await server.storage.read { try $0.audit(ofApp: 1, limit: 1) }
      #expect(audit.first?.actor == "person ben" && audit.first?.object == "publication 1")
    }
  }

  @Test func namesAndPasswordsThatCannotBe() async throws {
    try await TestServer.with { server in
      let people = server.node.service.people
      for (name, password, language) in [
        ("", Self.password, "en"), ("a b", Self.password, "en"), ("anna", "short", "en"), ("anna", Self.password, "fr"),
        ("anna", String(repeating: "x", count: 1001), "en"),
      ] {
        await #expect(throws: PublicationFault.self) {
          try await people.make(name: name, password: password, language: language)
        }
      }
      try await people.make(name: "anna", password: Self.password)
      await #expect(throws: StorageError.self) { try await people.make(name: "anna", password: Self.password) }
      await #expect(throws: PublicationFault.self) {
        try await people.setRole(.owner, of: "ben", inApp: "shop", actor: "command")
      }
      #expect(try await server.storage.read { try $0.people().map(\.name) } == ["anna"])
    }
  }

  /// A proxy says who it is; somebody without a name here is nobody, and without the setting the header is nothing.
  @Test func aProxySignsIn() async throws {
    let settings = #"{"trustsProxy": true, "signInHeader": "X-Forwarded-User"}"#
    try await TestServer.with(.sqlite, settings) { server in
      try await Self.make(server, "anna", .owner)
      try await Self.make(server, "ben", .viewer)
      func get(_ path: String, _ headers: [(String, String)]) async throws -> TestServer.Answer {
        try await server.send(.GET, path, headers)
      }
      func user(_ name: String) -> (String, String) { ("X-Forwarded-User", name) }
      let first = try await get("//dashboard/shop?a=1", [user("anna")])
      #expect(first.status == 303 && first.headers.first(name: "Location") == "/dashboard/shop?a=1")
      let cookie = try #require(first.headers.first(name: "Set-Cookie")?.split(separator: ";").first.map(String.init))
      #expect(try await get("/dashboard/shop", [user("anna"), ("Cookie", cookie)]).text.contains("anna · owner"))
      // Another person at the same browser.
      let other = try await get("/dashboard/shop", [user("ben"), ("Cookie", cookie)])
      #expect(other.status == 303 && other.headers.first(name: "Set-Cookie")?.hasPrefix(cookie) == false)
      for headers in [[user("nobody")], [user("anna"), user("ben")], [user("")], []] {
        let page = try await get("/dashboard/shop", headers)
        #expect(page.status == 200 && page.text.contains("name=\"password\""), "\(headers)")
      }
    }
    try await TestServer.with { server in
      try await Self.make(server, "anna", .owner)
      let page = try await server.send(.GET, "/dashboard/shop", [("X-Forwarded-User", "anna")])
      #expect(page.status == 200 && page.text.contains("name=\"password\""))
    }
    for wrong in [#"{"signInHeader": "X-User"}"#, #"{"trustsProxy": true, "signInHeader": "two words"}"#] {
      var configuration = ServerConfiguration()
      try configuration.take(file: Array(wrong.utf8))
      let settings = configuration
      #expect(throws: SettingFault.self, "\(wrong)") { try settings.check() }
    }
  }
}
