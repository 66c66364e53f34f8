import Foundation
import NIOHTTP1
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// The pages of the dashboard, and attacks on them.
@Suite struct DashboardTests {
  static let pages = [
    "", "/shop", "/shop/publish", "/shop/statistics", "/shop/audit", "/shop/map", "/shop/regions",
    "/shop/regions/edit", "/shop/campaigns", "/shop/categories", "/shop/lists", "/shop/settings/edit", "/shop/walk",
    "/shop/people",
    "/shop/why", "/shop/webhooks",
  ].map { "/dashboard\($0)" }

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
      #expect(done.status == 303 && done.headers.first(name: "Location") == "/dashboard/shop/publish?published=1")
      let told = try await Self.get(anna, "/dashboard/shop/publish?published=1")
      #expect(told.text.contains("Published: number 1") && told.text.contains("First &amp; best"))
      #expect(told.text.contains("<td>person anna</td>"))
      #expect(try await server.feed().status == 200)
      let overview = try await Self.get(anna, "/dashboard/shop")
      #expect(overview.text.contains("<title>museum</title>") && overview.text.contains("Publication 1, "))

      #expect(try await anna.send(.DELETE, "/api/v2/regions/museum").status == 204)
      let next = try Self.version(try await Self.get(anna, "/dashboard/shop/publish"))
      #expect(try await Self.post(anna, "/shop/publish", [("version", next), ("share", "100")]).status == 303)
      let back = try await Self.post(anna, "/shop/rollback", [("to", "1")])
      #expect(back.status == 303 && back.headers.first(name: "Location") == "/dashboard/shop/publish?published=3")
      // The changes on the map: one that is new, one that is other, and one that is gone.
      for (method, id, radius) in [(HTTPMethod.PUT, "park", 90), (.PUT, "museum", 70)] {
        let body = #"{"id": "\#(id)", "type": "geofence", "latitude": 52.3, "longitude": 4.8, "radius": \#(radius)}"#
        #expect(try await anna.send(method, "/api/v2/regions/\(id)", [], body).status / 100 == 2)
      }
      func changes() async throws -> [String] {
        let answer = try await Self.get(anna, "/dashboard/shop/map/changes")
        return (answer.json?["features"]?.items ?? []).map {
          "\($0["properties"]?["change"]?.string ?? "") \($0["properties"]?["id"]?.string ?? "")"
        }.sorted()
      }
      #expect(try await changes() == ["added park", "changed museum"])
      #expect(try await anna.send(.DELETE, "/api/v2/regions/museum").status == 204)
      #expect(try await changes() == ["added park", "removed museum"])
      // A tenth of the installations, and then half of them.
      let newest = try Self.version(try await Self.get(anna, "/dashboard/shop/publish"))
      #expect(try await Self.post(anna, "/shop/publish", [("version", newest), ("share", "10")]).status == 303)
      #expect(try await Self.get(anna, "/dashboard/shop/publish").text.contains("Change the share"))
      let widened = try await Self.post(anna, "/shop/rollback", [("to", "4"), ("share", "50")])
      #expect(widened.headers.first(name: "Location") == "/dashboard/shop/publish?published=5")
      let made = try await server.storage.read { try $0.publications(ofApp: 1, limit: 2) }
      #expect(made.map(\.share) == [50, 10] && made.map(\.kind) == [.publish, .publish])
      #expect(made[0].revision == made[1].revision)
      #expect(try await Self.post(anna, "/shop/rollback", [("to", "5"), ("share", "many")]).status == 422)
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

  @Test(arguments: TestDatabase.allCases) func somebodyEditsTheDraft(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await PeopleTests.make(server, "anna", .editor)
      try await server.publish()
      let anna = try await PeopleTests.browser(server, "anna")
      func draft(_ path: String) async throws -> String {
        let answer = try await anna.send(.GET, "/api/v2/\(path)")
        return answer.status == 200 ? String(answer.text) : "\(answer.status)"
      }
      let empty = try await Self.get(anna, "/dashboard/shop/regions/edit")
      #expect(empty.status == 200 && empty.text.contains("name=\"field-radius\""))
      var fields = [
        ("version", ""), ("id", ""), ("field-id", "a/b c"), ("field-type", "geofence"), ("field-latitude", "52,3"),
        ("field-longitude", "4.9"), ("field-radius", "100"), ("field-name", "Café \"<b>\""),
      ]
      let bad = try await Self.post(anna, "/shop/regions/save", fields)
      // The reader's own words, beside the field; what was entered is still there.
      #expect(bad.status == 422 && bad.text.contains("Nothing was saved."))
      #expect(
        bad.text.contains("/latitude: expected") && bad.text.contains("value=\"52,3\"")
          && bad.text.contains("value=\"a/b c\""))
      #expect(try await draft("regions/a%2Fb%20c") == "404")
      fields[4].1 = "52.3"
      let saved = try await Self.post(anna, "/shop/regions/save", fields)
      #expect(saved.status == 303)
      let place = try #require(saved.headers.first(name: "Location"))
      #expect(place == "/dashboard/shop/regions/edit?saved=1&id=a%2Fb%20c")
      let page = try await Self.get(anna, place)
      #expect(page.text.contains("Saved in the draft.") && page.text.contains("value=\"Café &quot;&lt;b&gt;&quot;\""))
      #expect(
        try await draft("regions/a%2Fb%20c")
          == #"{"id":"a/b c","type":"geofence","name":"Café \"<b>\"","latitude":52.3,"longitude":4.9,"radius":100}"#)
      #expect(try await Self.post(anna, "/shop/regions/save", fields).text.contains("with this id already"))

      // Nobody's change is lost, nor a key that has no field.
      let version = try Self.version(page)
      let other =
        #"{"id": "a/b c", "type": "geofence", "latitude": 1, "longitude": 2, "radius": 50, "x-own": [1, {"a": null}]}"#
      #expect(try await anna.send(.PUT, "/api/v2/regions/a%2Fb%20c", [], other).status == 200)
      fields[0].1 = version
      fields[1].1 = "a/b c"
      #expect(try await Self.post(anna, "/shop/regions/save", fields).status == 409)
      fields[0].1 = try Self.version(try await Self.get(anna, place))
      #expect(try await Self.post(anna, "/shop/regions/save", fields).status == 303)
      #expect(try await draft("regions/a%2Fb%20c").contains(#""x-own":[1,{"a":null}]"#))

      // A list, JSON that cannot be read, and what another object needs.
      var campaign = [
        ("version", ""), ("id", ""), ("field-id", "hello-2"), ("field-type", "notification"), ("field-message", "Hi"),
        ("field-regions", "a/b c\r\nstation\r\n"), ("field-content", "{\"title\": }"),
      ]
      let broken = try await Self.post(anna, "/shop/campaigns/save", campaign)
      #expect(broken.status == 422 && broken.text.contains("aria-invalid"))
      campaign[6].1 = #"{"title": "Hello"}"#
      #expect(try await Self.post(anna, "/shop/campaigns/save", campaign).status == 303)
      #expect(
        try await draft("campaigns/hello-2").contains(#""content":{"title":"Hello"},"regions":["a/b c","station"]"#))
      let now = try Self.version(try await Self.get(anna, place))
      let used = try await Self.post(anna, "/shop/regions/remove", [("id", "a/b c"), ("version", now)])
      #expect(used.status == 409 && used.text.contains("This is needed by"))
      let list = try await Self.get(anna, "/dashboard/shop/campaigns?q=hello-2")
      #expect(
        list.text.contains("edit?id=hello-2\">hello-2</a>")
          && list.text.components(separatedBy: "<li><a href=\"/dashboard/shop/campaigns/edit").count == 2)
      let own = try Self.version(try await Self.get(anna, "/dashboard/shop/campaigns/edit?id=hello-2"))
      #expect(try await Self.post(anna, "/shop/campaigns/remove", [("id", "hello-2"), ("version", own)]).status == 303)
      #expect(try await draft("campaigns/hello-2") == "404")
      let settings = try await Self.post(
        anna, "/shop/settings/save", [("version", ""), ("id", ""), ("field-slots", #"{"count":3}"#)])
      #expect([303, 409].contains(settings.status))
      #expect(try await Self.get(anna, "/dashboard/shop/regions/edit?id=never").status == 404)
    }
  }

  /// A map asks for the part that it shows: few regions are shapes, and many are squares with their number.
  @Test func aMapHasTheRegionsOfItsPart() async throws {
    try await TestServer.with { server in
      try await PeopleTests.make(server, "anna", .owner)
      let anna = try await PeopleTests.browser(server, "anna")
      func edits(_ regions: [String]) async throws {
        let body = regions.map { #"{"put":\#($0),"kind":"region"}"# }.joined(separator: ",")
        let answer = try await anna.send(.POST, "/api/v2/edits", [], "{\"edits\":[\(body)]}")
        #expect(answer.status == 200, "\(answer.text)")
      }
      func features(_ west: Double, _ south: Double, _ east: Double, _ north: Double) async throws -> [JSONValue] {
        let answer = try await Self.get(
          anna, "/dashboard/shop/map/regions?west=\(west)&south=\(south)&east=\(east)&north=\(north)")
        #expect(answer.status == 200)
        return answer.json?["features"]?.items ?? []
      }
      func ids(_ features: [JSONValue]) -> [String] { features.compactMap { $0["properties"]?["id"]?.string }.sorted() }
      try await edits([
        #"{"id":"shop","type":"geofence","name":"Shop & more","latitude":52.37,"longitude":4.9,"radius":100}"#,
        #"{"id":"fiji","type":"geofence","geometry":{"type":"Polygon","coordinates":[[[179,-17],[-179,-17],[-179,-16],[179,-17]]]}}"#,
        #"{"id":"canal","type":"geofence","width":40,"geometry":{"type":"LineString","coordinates":[[4.8,52.3],[4.9,52.3]]}}"#,
        #"{"id":"till","type":"beacon","proximityUUID":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","majorId":1}"#,
      ])
      #expect(ids(try await features(4.7, 52.2, 5, 52.5)) == ["canal", "shop"])
      #expect(ids(try await features(178.5, -20, 179.5, -10)) == ["fiji"])
      #expect(ids(try await features(-179.5, -20, -178, -10)) == ["fiji"])
      #expect(ids(try await features(180.5, -20, 181.5, -10)) == ["fiji"])
      #expect(ids(try await features(-10, -20, 10, -10)) == [])
      let shop = try #require(try await features(4.89, 52.36, 4.91, 52.38).first)
      #expect(shop["geometry"]?.text == #"{"type":"Point","coordinates":[4.9,52.37]}"#)
      #expect(shop["properties"]?["kind"]?.string == "circle" && shop["properties"]?["radius"]?.number == 100)

      // A change, one that is gone, and one that is new in its place.
      try await edits([#"{"id":"shop","type":"geofence","latitude":10,"longitude":10}"#])
      #expect(try await anna.send(.DELETE, "/api/v2/regions/canal").status == 204)
      #expect(ids(try await features(4.7, 52.2, 5, 52.5)) == [])
      #expect(ids(try await features(9, 9, 11, 11)) == ["shop"])

      try await edits(
        (0..<600).map {
          #"{"id":"r\#($0)","type":"geofence","latitude":\#(52 + Double($0 / 30) / 100),"longitude":\#(5 + Double($0 % 30) / 100)}"#
        })
      let squares = try await features(4, 51, 6, 53)
      #expect(squares.allSatisfy { $0["properties"]?["kind"]?.string == "cluster" } && squares.count > 1)
      #expect(squares.reduce(0) { $0 + ($1["properties"]?["count"]?.number ?? 0) } == 600)
      #expect(ids(try await features(5.005, 52.005, 5.035, 52.035)).count > 3)

      let found = try await Self.get(anna, "/dashboard/shop/map/find?q=r59+or")
      #expect(found.json?.items?.isEmpty == true)
      let named = #"{"id":"old","type":"geofence","name":"The old + new","latitude":1,"longitude":1}"#
      try await edits([named])
      for query in ["The+old", "old%20%2B%20new"] {
        let found = try await Self.get(anna, "/dashboard/shop/map/find?q=\(query)")
        #expect(found.json?.items?.count == 1, "\(query)")
        let list = try await Self.get(anna, "/dashboard/shop/regions?q=\(query)")
        #expect(list.text.contains(">old</a>"), "\(query)")
      }
      let page = try await Self.get(anna, "/dashboard/shop/map?id=old")
      // Where MapLibre was not fetched, the page says so, and has the beacons.
      let vendor = projectRoot.appending(path: "server/web/vendor/maplibre-gl.js").path
      let hasMap = FileManager.default.fileExists(atPath: vendor)
      #expect(page.text.contains("data-focus=\"old\"") == hasMap && page.text.contains(">till</a>"))
      #expect(page.text.contains("built without MapLibre") == !hasMap)
      for query in ["?west=400000", "?west=1&south=1&east=2&north=wide", "?west=1&south=1&east=2&north=nan"] {
        #expect(try await Self.get(anna, "/dashboard/shop/map/regions\(query)").status == 422)
      }
    }
  }

  @Test func anOwnerAddsAWebhook() async throws {
    let settings = #"{"webhookHosts": "127.0.0.1"}"#
    try await TestServer.with(.sqlite, settings) { server in
      try await PeopleTests.make(server, "anna", .owner)
      let anna = try await PeopleTests.browser(server, "anna")
      let none = try await Self.post(anna, "/shop/webhooks/add", [("url", "http://127.0.0.1:1/hook")])
      #expect(none.status == 422 && none.text.contains("Choose at least one"))
      let elsewhere = try await Self.post(
        anna, "/shop/webhooks/add", [("url", "http://10.0.0.1/"), ("kind-changes", "1")])
      #expect(elsewhere.status == 422 && elsewhere.text.contains("webhookHosts"))
      let made = try await Self.post(
        anna, "/shop/webhooks/add", [("url", "http://127.0.0.1:1/hook"), ("kind-changes", "1")])
      #expect(made.status == 200 && made.text.contains("Keep this secret") && made.text.contains("whs_"))
      let id = String(try #require(made.text.firstMatch(of: /id="(wh_[^"]+)"/)).1)
      #expect(try await anna.send(.PUT, "/api/v2/settings", [], #"{"slots": {"count": 2}}"#).status == 201)
      var page = try await Self.get(anna, "/dashboard/shop/webhooks")
      for _ in 0..<200 where !page.text.contains("no answer") {
        try await Task.sleep(for: .milliseconds(50))
        page = try await Self.get(anna, "/dashboard/shop/webhooks")
      }
      #expect(page.text.contains("no answer") && !page.text.contains("whs_"))
      let key = String(try #require(page.text.firstMatch(of: /name="key" value="([0-9]+)"/)).1)
      #expect(try await Self.post(anna, "/shop/webhooks/again", [("id", id), ("key", key)]).status == 200)
      #expect(try await Self.post(anna, "/shop/webhooks/again", [("id", id), ("key", "99")]).status == 404)
      #expect(try await Self.post(anna, "/shop/webhooks/remove", [("id", id)]).status == 200)
      #expect(try await !Self.get(anna, "/dashboard/shop/webhooks").text.contains(id))
    }
  }

  @Test func somebodyAsksWhy() async throws {
    let recording = try WhyTests.recording()
    try await TestServer.with(.sqlite, #"{"recordings":true}"#) { server in
      try await PeopleTests.make(server, "anna", .viewer)
      let anna = try await PeopleTests.browser(server, "anna")
      let secret = try await server.register("install-1")
      let query = "/dashboard/shop/why?installation=install-1&campaign=hello&at=2026-03-01T10%3A15"
      #expect(try await Self.get(anna, query).text.contains("has sent no recording"))
      #expect(try await WhyTests.send(server, secret, recording).status == 204)
      let page = try await Self.get(anna, query)
      #expect(
        page.status == 200 && page.text.contains("Shown at 2026-03-01T10:0") && page.text.contains(": Hello</li>"))
      #expect(try await Self.get(anna, query + "x").status == 422)
      let draft =
        #"{"version":1,"regions":[{"id":"shop","type":"geofence","latitude":1,"longitude":1}],"campaigns":[{"id":"gold","type":"notification","message":"m","regions":["shop"]}]}"#
      #expect(try await server.send(.PUT, "/api/v2/draft", [server.basic], body: Array(draft.utf8)).status == 200)
      let funnel = try await Self.get(anna, "/dashboard/shop/statistics?campaign=gold")
      #expect(funnel.text.contains("opened notification: gold</h2>") && funnel.text.contains("<td>segmentation</td>"))
      #expect(try await !Self.get(anna, "/dashboard/shop/statistics?campaign=none").text.contains("id=\"funnel\""))
    }
  }

  /// Nothing from elsewhere is loaded but the pictures of the map that the settings name.
  @Test func onlyTheSiteOfTheMapIsAdded() throws {
    let web = projectRoot.appending(path: "server/web").path
    let own = try DashboardAssets(folder: web)
    #expect(own.tileOrigin == nil && !DashboardPage.policy(tiles: own.tileOrigin).contains("http"))
    let tiles = try DashboardAssets(folder: web, tiles: "https://tiles.example:8443/a/{z}/{x}/{y}.png")
    #expect(DashboardPage.policy(tiles: tiles.tileOrigin).contains("img-src 'self' https://tiles.example:8443 data:"))
    for wrong in [
      "tiles/{z}/{x}/{y}.png", "ftp://tiles.example/{z}/{x}/{y}.png", "https://tiles.example/{z}/{x}.png",
      "https://a;script-src *;/{z}/{x}/{y}", "https://a b/{z}/{x}/{y}",
    ] {
      #expect(throws: SettingFault.self, "\(wrong)") { try DashboardAssets(folder: web, tiles: wrong) }
    }
    let place = FileManager.default.temporaryDirectory.appending(path: "ground-\(UUID().uuidString).geojson")
    defer { try? FileManager.default.removeItem(at: place) }
    #expect(throws: SettingFault.self) { try DashboardAssets(folder: web, background: place.path) }
    try "{".write(to: place, atomically: true, encoding: .utf8)
    #expect(throws: SettingFault.self) { try DashboardAssets(folder: web, background: place.path) }
    try #"{"type":"FeatureCollection","features":[]}"#.write(to: place, atomically: true, encoding: .utf8)
    #expect(try DashboardAssets(folder: web, background: place.path).background?.body.isEmpty == false)
  }

  /// Each object of many feeds, through the fields of its form and back.
  @Test func whatIsLookedAtAndSavedIsTheSame() throws {
    let assets = try DashboardAssets(folder: projectRoot.appending(path: "server/web").path)
    var seen = 0
    let vectors = projectRoot.appending(path: "Tests/vectors")
    var files = [projectRoot.appending(path: "demo/feed.json")]
    for case let file as URL in try #require(
      FileManager.default.enumerator(at: vectors, includingPropertiesForKeys: nil))
    {
      if file.pathExtension == "json" { files.append(file) }
    }
    for file in files {
      guard let document = try? JSONValue(parsing: Array(try Data(contentsOf: file))) else { continue }
      let feed = document["feed"] ?? document
      for kind in DraftObject.Kind.allCases {
        let form = ObjectForm(fields: try #require(assets.schema.fields[kind]))
        let objects: [JSONValue] =
          if kind == .settings { [feed["settings"]].compactMap { $0 } } else if case .array(let list)? = feed[kind.list]
          { list } else { [] }
        for object in objects {
          guard case .object = object else { continue }
          let entered = Dictionary(form.texts(of: object).map { (ObjectForm.prefix + $0.key, $0.value) }) { first, _ in
            first
          }
          // Empty texts are as good as none: every key that may be empty has that as its default.
          let plain = object.text.replacing(/,"(data|message|name)":""/, with: "")
          let found = try form.object(entered, old: object).text
          #expect(found == plain, "\(file.lastPathComponent)")
          seen += found == plain ? 1 : 0
        }
      }
    }
    #expect(seen > 500, "\(seen) objects")
  }

  @Test func anOwnerGivesRolesAndKeys() async throws {
    try await TestServer.with { server in
      try await PeopleTests.make(server, "anna", .owner)
      let anna = try await PeopleTests.browser(server, "anna")
      let made = try await Self.post(anna, "/shop/people/role", [("name", "ben"), ("role", "editor")])
      let password = String(try #require(made.text.firstMatch(of: /shown once: ([-_A-Za-z0-9]+)/)).1)
      #expect(try await PeopleTests.signIn(server, "ben", password).status == 200)
      #expect(try await !Self.get(anna, "/dashboard/shop/people").text.contains(password))
      #expect(try await Self.post(anna, "/shop/people/role", [("name", "anna"), ("role", "none")]).status == 422)
      let key = try await Self.post(anna, "/shop/people/key", [("name", "reports"), ("role", "viewer")])
      let secret = String(try #require(key.text.firstMatch(of: /plot_(k[-_A-Za-z0-9]{8})_[-_A-Za-z0-9]+/)).0)
      let basic = ("Authorization", TestServer.basic("shop", secret))
      #expect(try await server.send(.GET, "/api/v2/publications", [basic]).status == 200)
      let id = String(try #require(secret.firstMatch(of: /k[-_A-Za-z0-9]{8}/)).0)
      #expect(try await Self.post(anna, "/shop/people/revoke", [("id", id)]).status == 200)
      #expect(try await Self.post(anna, "/shop/people/revoke", [("id", id)]).status == 422)
      #expect(try await server.send(.GET, "/api/v2/publications", [basic]).status == 401)
      #expect(try await Self.post(anna, "/shop/people/approval", [("approval", "true")]).text.contains(" selected>Yes"))
      #expect(try await server.storage.read { try $0.app(id: "shop")?.needsApproval } == true)
      // Two owners: one may go, and is then somebody without a role.
      #expect(try await Self.post(anna, "/shop/people/role", [("name", "ben"), ("role", "owner")]).status == 200)
      #expect(try await Self.post(anna, "/shop/people/role", [("name", "anna"), ("role", "viewer")]).status == 303)
      #expect(try await Self.get(anna, "/dashboard/shop/people").status == 403)
      let fields = [("current", PeopleTests.password), ("password", "a new password")]
      #expect(try await Self.post(anna, "/password", fields).status == 303)
      #expect(try await PeopleTests.signIn(server, "anna", "a new password").status == 200)
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
        #expect(
          page.text.replacing(#/<script( type="module")? src="/web/[a-z\-]+[.]m?js"></script>/#, with: "").firstMatch(
            of: /<script/) == nil && !page.text.contains("<img") && !page.text.contains("\"'>"), "\(path)")
        seen += page.text.contains("&lt;script&gt;") ? 1 : 0
      }
      #expect(seen == Self.pages.count + 1, "each page shows it")
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
        let isForOwners = route.path.contains("/people") || route.path.contains("/webhooks")
        #expect(own.status == (route.method == .GET && !isForOwners ? 200 : 403), "\(route)")
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
    asked.formUnion(["otherSite", "notAllowed", "people", "settings", "idTaken", "objectChanged"])
    asked.formUnion([
      "overview", "publish", "statistics", "audit", "map", "why", "webhooks", "entered", "heldOut", "liftMore",
      "liftLess", "liftUnsure", "filtered", "failed", "shown",
      "opened", "week-region-enter",
      "week-notification-shown", "week-notification-opened", "kind-publications", "kind-changes",
      "kind-events", "installations", "regionsLive", "campaignsLive",
    ])
    asked.formUnion([
      "shownToday", "openedToday", "regions", "campaigns", "categories", "lists", "wrongPassword", "tooMany",
    ])
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
    let web = projectRoot.appending(path: "server/web")
    try FileManager.default.copyItem(at: web, to: folder)
    let schema = folder.appending(path: "feed.schema.json")
    try FileManager.default.removeItem(at: schema)
    // Links in the tree, as the schema is.
    for link in ["openapi.json", "shape.mjs"] {
      let copy = folder.appending(path: link)
      try FileManager.default.removeItem(at: copy)
      try Data(contentsOf: web.appending(path: link)).write(to: copy)
    }
    #expect(throws: SettingFault.self) { try DashboardAssets(folder: folder.path) }
    try Data(contentsOf: web.appending(path: "feed.schema.json")).write(to: schema)
    _ = try DashboardAssets(folder: folder.path)
    try "{{#open}}".write(to: folder.appending(path: "templates/apps.mustache"), atomically: true, encoding: .utf8)
    #expect(throws: SettingFault.self) { try DashboardAssets(folder: folder.path) }
  }
}
