import Foundation
import NIOHTTP1
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// The pages of the dashboard, and attacks on them.
@Suite struct DashboardTests {
  static let pages = ["", "/shop", "/shop/publish", "/shop/statistics", "/shop/audit"].map { "/dashboard\($0)" }

  static func encoded(_ fields: [(String, String)]) -> String {
    let plain = CharacterSet.alphanumerics
    return fields.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: plain)!)" }.joined(separator: "&")
  }

  static func post(
    _ browser: PeopleTests.Browser, _ path: String, _ fields: [(String, String)], hasToken: Bool = true
  ) async throws -> TestServer.Answer {
    let all = fields + (hasToken ? [("formToken", browser.formToken)] : [])
    return try await browser.send(.POST, "/dashboard\(path)", app: nil, formToken: .some(nil), [], encoded(all))
  }

  static func get(_ browser: PeopleTests.Browser, _ path: String) async throws -> TestServer.Answer {
    try await browser.send(.GET, path, app: nil)
  }

  static func version(_ page: TestServer.Answer) throws -> String {
    String(try #require(page.text.firstMatch(of: /name="version" value="([0-9]+)"/)).1)
  }

  @Test(arguments: TestDatabase.allCases) func somebodySignsInAndPublishes(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await PeopleTests.make(server, "anna", .owner)
      let signedOut = try await server.send(.GET, "/dashboard/shop", [("Accept-Language", "fr, nl;q=0.8")])
      #expect(
        signedOut.status == 200 && signedOut.text.contains("<h1>Inloggen</h1>") && !signedOut.text.contains("Shop"))
      func signIn(_ password: String) async throws -> TestServer.Answer {
        let form = Self.encoded([("name", "anna"), ("password", password)])
        return try await server.send(.POST, "/dashboard/sign-in", [], body: Array(form.utf8))
      }
      let wrong = try await signIn("wrong password")
      #expect(wrong.status == 401 && wrong.text.contains("password is wrong") && wrong.text.contains("value=\"anna\""))
      let right = try await signIn(PeopleTests.password)
      #expect(right.status == 303 && right.headers.first(name: "Location") == "/dashboard")
      #expect(right.headers.first(name: "Set-Cookie")?.hasPrefix("plot-session=s_") == true)

      let anna = try await PeopleTests.browser(server, "anna")
      #expect(try await Self.get(anna, "/dashboard").text.contains("<strong>Shop</strong>"))
      #expect(try await Self.get(anna, "/dashboard/shop").text.contains("Nothing was published yet."))
      #expect(try await Self.get(anna, "/dashboard/shop/publish").text.contains("The draft is what is live."))
      let region = #"{"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.88, "radius": 100}"#
      #expect(try await anna.send(.PUT, "/api/v2/regions/museum", [], region).status == 201)
      let draft = try await Self.get(anna, "/dashboard/shop/publish")
      #expect(draft.text.contains("<tr><th scope=\"row\">Regions</th><td>museum</td><td></td><td></td></tr>"))

      // Nothing goes live that she has not seen.
      let seen = try Self.version(draft)
      #expect(try await anna.send(.PUT, "/api/v2/settings", [], #"{"slots": {"count": 2}}"#).status == 201)
      let stale = try await Self.post(anna, "/shop/publish", [("version", seen), ("share", "100")])
      #expect(stale.status == 409 && stale.text.contains("Somebody has changed the draft"))
      #expect(try await server.storage.read { try $0.publications(ofApp: 1).isEmpty })
      let now = try Self.version(stale)
      let bad = try await Self.post(anna, "/shop/publish", [("version", now), ("share", "0")])
      #expect(bad.status == 422 && bad.text.contains("share: expected"))
      let done = try await Self.post(
        anna, "/shop/publish", [("version", now), ("share", "100"), ("note", "First & best")])
      #expect(done.status == 200 && done.text.contains("Published: number 1") && done.text.contains("First &amp; best"))
      #expect(try await server.feed().status == 200)
      let overview = try await Self.get(anna, "/dashboard/shop")
      #expect(overview.text.contains("<title>museum</title>") && overview.text.contains("Publication 1, "))

      #expect(try await anna.send(.DELETE, "/api/v2/regions/museum").status == 204)
      let next = try Self.version(try await Self.get(anna, "/dashboard/shop/publish"))
      #expect(try await Self.post(anna, "/shop/publish", [("version", next), ("share", "100")]).status == 200)
      let back = try await Self.post(anna, "/shop/rollback", [("to", "1")])
      #expect(back.status == 200 && back.text.contains("Published: number 3"))
      #expect(try await Self.post(anna, "/shop/rollback", [("to", "99")]).status == 404)
      let audit = try await Self.get(anna, "/dashboard/shop/audit")
      #expect(audit.text.contains("person anna") && audit.text.contains("publication 3"))

      #expect(try await Self.post(anna, "/language", [("language", "de")]).status == 303)
      #expect(try await Self.get(anna, "/dashboard").text.contains("<html lang=\"de\">"))
      #expect(try await Self.post(anna, "/language", [("language", "xx")]).status == 422)
      #expect(try await Self.post(anna, "/sign-out", []).status == 303)
      #expect(try await Self.get(anna, "/dashboard").text.contains("<h1>Sign in</h1>"))
    }
  }

  @Test func statisticsOfSomeDays() async throws {
    try await TestServer.with { server in
      try await PeopleTests.make(server, "anna", .viewer)
      try await server.publish()
      let secret = try await server.register("install-1")
      _ = try await server.post("install-1", secret, TestEvents.batch([TestEvents.shown(1), TestEvents.shown(2)]))
      let anna = try await PeopleTests.browser(server, "anna")
      let all = try await Self.get(anna, "/dashboard/shop/statistics")
      #expect(all.text.contains("<td class=\"number\">2</td><td class=\"number\">0</td>"), "\(all.text)")
      #expect(all.text.contains("0.0 % (0.0 – 65.8)"))
      let none = try await Self.get(anna, "/dashboard/shop/statistics?from=2001-01-01&to=2001-01-02")
      #expect(none.text.contains("No events in these days."))
      #expect(try await Self.get(anna, "/dashboard/shop/statistics?from=soon").status == 422)
    }
  }

  /// Texts of other people in every place that a page shows.
  @Test func textsAreOnlyTexts() async throws {
    try await TestServer.with { server in
      let attack = #"</title></svg>\"'><script>alert(1)</script><img src=x onerror=alert(1)>"#
      try await PeopleTests.make(server, "anna", .owner)
      try await server.storage.write { try $0.setName(attack, ofApp: 1) }
      let anna = try await PeopleTests.browser(server, "anna")
      let feed = """
        {"version": 1, "regions": [{"id": "\(attack)", "type": "geofence", "name": "\(attack)", "latitude": 1, "longitude": 2, "radius": 50}],
         "campaigns": [{"id": "\(attack)", "type": "notification", "message": "\(attack)", "regions": ["\(attack)"]}]}
        """
      #expect(
        try await server.send(
          .POST, "/api/v2/publish?note=\(Self.encoded([("", attack)]).dropFirst())", [server.basic],
          body: Array(feed.utf8)
        ).status == 201)
      let secret = try await server.register("install-1")
      let event = TestEvents.shown(1, campaign: attack, region: attack)
      #expect(try await server.post("install-1", secret, TestEvents.batch([event])).status == 200)
      #expect(try await anna.send(.PUT, "/api/v2/settings", [], #"{"slots": {"count": 2}}"#).status == 201)
      let added = #"{"id": "\#(attack)2", "type": "geofence", "latitude": 1, "longitude": 2, "radius": 60}"#
      #expect(try await anna.send(.POST, "/api/v2/regions", [], added).status == 201)
      var seen = 0
      for path in Self.pages + ["/dashboard/shop/statistics?from=\(Self.encoded([("", attack)]).dropFirst())"] {
        let page = try await Self.get(anna, path)
        #expect(!page.text.contains("<script") && !page.text.contains("<img") && !page.text.contains("\"'>"), "\(path)")
        seen += page.text.contains("&lt;script&gt;") ? 1 : 0
      }
      #expect(seen == 6, "each page shows it")
      let form = Self.encoded([("name", attack), ("password", "x")])
      let again = try await server.send(.POST, "/dashboard/sign-in", [], body: Array(form.utf8))
      #expect(again.text.contains("&lt;script&gt;") && !again.text.contains("<script"))
    }
  }

  @Test func noOtherSiteUsesAForm() async throws {
    try await TestServer.with { server in
      try await PeopleTests.make(server, "anna", .owner)
      try await server.publish()
      let anna = try await PeopleTests.browser(server, "anna")
      for (path, fields) in [
        ("/shop/publish", [("version", "1"), ("share", "100")]), ("/shop/rollback", [("to", "1")]),
        ("/language", [("language", "nl")]), ("/sign-out", []),
      ] {
        let answer = try await Self.post(anna, path, fields, hasToken: false)
        #expect(answer.status == 403 && answer.text.contains("another site"), "\(path)")
      }
      let foreign = try await server.send(
        .POST, "/dashboard/sign-in", [("Origin", "https://evil.example")],
        body: Array(Self.encoded([("name", "anna"), ("password", PeopleTests.password)]).utf8))
      #expect(foreign.status == 403 && foreign.headers.first(name: "Set-Cookie") == nil)
      #expect(try await server.storage.read { try $0.publications(ofApp: 1).count } == 1)
      #expect(try await Self.get(anna, "/dashboard").status == 200)
      for path in Self.pages {
        let headers = try await Self.get(anna, path).headers
        #expect(headers.first(name: "Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
        #expect(
          headers.first(name: "Cache-Control") == "no-store"
            && headers.first(name: "X-Content-Type-Options") == "nosniff")
      }
    }
  }

  @Test func whoHasNoRoleSeesNothing() async throws {
    try await TestServer.with { server in
      _ = try await Apps.make("other", name: "Other", server.storage) { server.clock.now }
      try await PeopleTests.make(server, "anna", .viewer)
      try await server.publish()
      let anna = try await PeopleTests.browser(server, "anna")
      for route in AttackTests.routes where route.side == .dashboard && route.path.contains("{app}") {
        func send(_ app: String) async throws -> TestServer.Answer {
          let path = route.path.replacing("/dashboard", with: "").replacing("{app}", with: app)
          return route.method == .GET
            ? try await Self.get(anna, "/dashboard\(path)") : try await Self.post(anna, path, [("to", "1")])
        }
        let (theirs, never) = (try await send("other"), try await send("never"))
        #expect(theirs.status == 404 && theirs.body == never.body, "\(route)")
        let own = try await send("shop")
        #expect(own.status == (route.method == .GET ? 200 : 403), "\(route)")
      }
      let page = try await Self.get(anna, "/dashboard/shop/publish")
      #expect(page.text.contains("Your role does not publish") && !page.text.contains("/shop/rollback"))
      #expect(try await server.storage.read { try $0.publications(ofApp: 1).count } == 1)
      for path in ["/web/..%2fPackage.swift", "/web/texts", "/web/en.json", "/web/%2e%2e"] {
        #expect(try await server.send(.GET, path).status == 404, "\(path)")
      }
      #expect(
        try await server.send(.GET, "/web/style.css").headers.first(name: "Content-Type") == "text/css; charset=utf-8")
    }
  }

  /// Each language has each text, and each text that is asked for is there.
  @Test func textsAreThereInEachLanguage() throws {
    let web = projectRoot.appending(path: "server/web")
    let assets = try DashboardAssets(folder: web.path)
    let english = Set(try #require(assets.texts["en"]).keys)
    for language in People.languages {
      #expect(Set(assets.texts[language]?.keys.map { $0 } ?? []) == english)
      #expect(assets.texts[language]?.values.contains { $0.isEmpty } == false)
    }
    var asked: Set<String> = Set(Role.allCases.map(\.rawValue) + LintSeverity.allCases.map(\.rawValue))
    // Those that Swift chooses by a name in between.
    asked.formUnion(["overview", "publish", "statistics", "audit", "installations", "regionsLive", "campaignsLive"])
    asked.formUnion(["shownToday", "openedToday", "regions", "campaigns", "categories", "wrongPassword", "tooMany"])
    for (folder, pattern) in [
      (web.appending(path: "templates"), #/t\.([A-Za-z]+)/#),
      (projectRoot.appending(path: "server/Sources/PlotServer/Dashboard"), #/page\.text\("([A-Za-z]+)"\)/#),
    ] {
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        let text = try String(contentsOf: file, encoding: .utf8)
        asked.formUnion(text.matches(of: pattern).map { String($0.1) })
      }
    }
    #expect(asked == english)
  }

  @Test func aFolderThatIsNoDashboard() throws {
    #expect(throws: SettingFault.self) { try DashboardAssets(folder: "/nowhere") }
    let folder = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(at: projectRoot.appending(path: "server/web"), to: folder)
    _ = try DashboardAssets(folder: folder.path)
    try "{{#open}}".write(to: folder.appending(path: "templates/apps.mustache"), atomically: true, encoding: .utf8)
    #expect(throws: SettingFault.self) { try DashboardAssets(folder: folder.path) }
  }
}
