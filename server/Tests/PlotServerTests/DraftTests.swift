import Foundation
import HTTPTypes
import NIOHTTP1
import PlotCore
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// The draft over HTTP (docs/server.md, Drafts).
@Suite struct DraftTests {
  static let shop = #"{"id":"shop","type":"geofence","latitude":52.36,"longitude":4.885}"#
  static let welcome = #"{"id":"welcome","type":"notification","message":"Hello","regions":["shop"]}"#

  private static func send(
    _ server: TestServer, _ method: HTTPMethod, _ path: String, _ body: String? = nil,
    _ headers: [(String, String)] = []
  ) async throws -> TestServer.Answer {
    try await server.send(method, "/api/v2/\(path)", [server.basic] + headers, body: body.map { Array($0.utf8) })
  }

  @Test(arguments: TestDatabase.allCases) func anObjectIsTheFeedsOwn(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let made = try await Self.send(server, .PUT, "regions/shop", Self.shop)
      #expect(made.status == 201 && made.text == Self.shop)
      let etag = try #require(made.headers.first(name: "ETag"))
      let read = try await Self.send(server, .GET, "regions/shop")
      #expect(read.text == Self.shop && read.headers.first(name: "ETag") == etag)
      #expect(try await Self.send(server, .GET, "regions/shop", nil, [("If-None-Match", etag)]).status == 304)
      let merged = try await Self.send(server, .PATCH, "regions/shop", #"{"radius":300,"name":"Shop"}"#)
      #expect(merged.status == 200)
      #expect(merged.json?["radius"]?.text == "300" && merged.json?["latitude"]?.text == "52.36")
      let without = try await Self.send(server, .PATCH, "regions/shop", #"{"radius":null}"#)
      #expect(without.status == 200 && without.json?["radius"] == nil)
      #expect(try await Self.send(server, .POST, "campaigns", Self.welcome).status == 201)
      let document = try await Self.send(server, .GET, "draft")
      #expect(
        document.text
          == #"{"version":1,"regions":[{"id":"shop","type":"geofence","latitude":52.36,"longitude":4.885,"name":"Shop"}],"campaigns":[\#(Self.welcome)]}"#
      )
      let published = try await Self.send(server, .POST, "publish")
      #expect(published.status == 201 && published.json?["campaigns"]?.text == "1")
      #expect(try await server.feed().text == document.text)
    }
  }

  @Test(arguments: TestDatabase.allCases) func aListIsPublishedWithTheFeed(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let list = #"{"id":"blocked","version":1,"entries":["villain"]}"#
      #expect(try await Self.send(server, .PUT, "lists/blocked", list).status == 201)
      let rules = #"{"messages":{"rules":[{"if":{"senderIn":"blocked"},"then":"drop"}]}}"#
      #expect(try await Self.send(server, .PUT, "settings", rules).status == 201)
      let newer = try await Self.send(
        server, .PATCH, "lists/blocked", #"{"version":2,"entries":["villain","stranger"]}"#)
      #expect(newer.status == 200 && newer.json?["entries"]?.items?.count == 2)
      let wrong = try await Self.send(server, .PATCH, "lists/blocked", #"{"version":-1}"#)
      #expect(wrong.status == 422 && wrong.json?["error"]?["pointer"]?.text == #""/version""#)
      let published = try await Self.send(server, .POST, "publish")
      #expect(published.status == 201)
      let feed = try Feed.parse(Array(try await server.feed().text.utf8))
      #expect(feed.settings.messages.lists.map(\.version) == [2])
      #expect(feed.settings.messages.lists.first?.entries.count == 2)
      #expect(try await Self.send(server, .DELETE, "lists/blocked").status == 204)
      #expect(try await Self.send(server, .GET, "draft").json?["lists"] == nil)
      let dry = try await Self.send(server, .POST, "publish?dryRun=true")
      #expect(dry.json?["difference"]?["lists"]?.text == #"{"added":[],"changed":[],"removed":["blocked"]}"#)
    }
  }

  @Test(arguments: TestDatabase.allCases) func theReaderSaysWhatIsWrong(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let far = try await Self.send(
        server, .PUT, "regions/a", #"{"id":"a","type":"geofence","latitude":100,"longitude":1}"#)
      #expect(far.status == 422 && far.kind == "invalid-document")
      #expect(far.json?["error"]?["pointer"]?.text == #""/latitude""#)
      let nowhere = try await Self.send(server, .POST, "campaigns", Self.welcome)
      #expect(nowhere.status == 422 && nowhere.json?["error"]?["pointer"]?.text == #""/regions/0""#)
      let other = try await Self.send(server, .PUT, "regions/b", Self.shop)
      #expect(other.status == 422 && other.json?["error"]?["pointer"]?.text == #""/id""#)
      #expect(try await Self.send(server, .PUT, "regions/a", "[]").status == 422)
      #expect(try await Self.send(server, .PUT, "settings", #"{"slots":{"count":0}}"#).status == 422)
      #expect(try await Self.send(server, .PUT, "settings", #"{"slots":{"count":2}}"#).status == 201)
      // Nothing of all this has changed the draft but the last.
      #expect(
        try await Self.send(server, .GET, "draft").text
          == #"{"version":1,"settings":{"slots":{"count":2}},"regions":[],"campaigns":[]}"#)
      let edits = try await Self.send(
        server, .POST, "edits",
        #"{"edits":[{"kind":"region","put":\#(Self.shop)},{"kind":"campaign","put":{"id":"c","type":"notification","message":"x","regions":["none"]}}]}"#
      )
      #expect(edits.status == 422 && edits.json?["error"]?["pointer"]?.text == #""/1/regions/0""#)
      #expect(try await Self.send(server, .GET, "regions/shop").status == 404)
    }
  }

  @Test(arguments: TestDatabase.allCases) func nobodysChangeIsLost(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let first = try await Self.send(server, .PUT, "regions/shop", Self.shop, [("If-None-Match", "*")])
      #expect(first.status == 201)
      #expect(try await Self.send(server, .PUT, "regions/shop", Self.shop, [("If-None-Match", "*")]).status == 412)
      let etag = try #require(first.headers.first(name: "ETag"))
      let second = try await Self.send(server, .PATCH, "regions/shop", #"{"radius":300}"#, [("If-Match", etag)])
      #expect(second.status == 200)
      let third = try await Self.send(server, .PATCH, "regions/shop", #"{"radius":400}"#, [("If-Match", etag)])
      #expect(third.status == 412 && third.kind == "changed-since")
      #expect(third.headers.first(name: "ETag") == second.headers.first(name: "ETag"))
      #expect(try await Self.send(server, .DELETE, "regions/none").status == 404)
      #expect(try await Self.send(server, .PATCH, "regions/none", "{}", [("If-Match", "*")]).status == 404)
      #expect(try await Self.send(server, .PUT, "regions/shop", Self.shop, [("If-Match", "x")]).status == 422)
      // Of many at once, each is there in the end.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            let body = #"{"type":"geofence","latitude":1,"longitude":2}"#
            let answer = try await Self.send(server, .PUT, "regions/r\(number)", body)
            #expect(answer.status == 201)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await Self.send(server, .GET, "regions").json?["total"]?.text == "9")
    }
  }

  @Test(arguments: TestDatabase.allCases) func whatIsInUseStays(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      _ = try await Self.send(server, .PUT, "regions/shop", Self.shop)
      _ = try await Self.send(server, .PUT, "campaigns/welcome", Self.welcome)
      let refused = try await Self.send(server, .DELETE, "regions/shop")
      #expect(refused.status == 409 && refused.kind == "in-use")
      #expect(refused.json?["error"]?["message"]?.text.contains("campaign welcome needs region") == true)
      let both = try await Self.send(
        server, .POST, "edits",
        #"{"edits":[{"kind":"region","id":"shop","remove":true},{"kind":"campaign","id":"welcome","remove":true}]}"#)
      #expect(both.status == 200 && both.json?["versions"]?.text == "[null,null]")
      #expect(try await Self.send(server, .GET, "draft").text == #"{"version":1,"regions":[],"campaigns":[]}"#)
    }
  }

  @Test(arguments: TestDatabase.allCases) func aKeyIsOneEdit(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let body = #"{"type":"geofence","latitude":1,"longitude":2}"#
      let key = [("Idempotency-Key", "abc")]
      let first = try await Self.send(server, .POST, "regions", body, key)
      let version = try await Self.send(server, .GET, "draft").headers.first(name: "ETag")
      let again = try await Self.send(server, .POST, "regions", body, key)
      #expect(try await Self.send(server, .GET, "draft").headers.first(name: "ETag") == version)
      #expect(first.status == 201 && again.status == 201 && first.text == again.text)
      #expect(try await Self.send(server, .GET, "regions").json?["total"]?.text == "1")
      let other = try await Self.send(server, .POST, "regions", Self.shop, key)
      #expect(other.status == 409 && other.kind == "idempotency-key")
      server.clock.advance(seconds: 86_401)
      #expect(try await Self.send(server, .POST, "regions", Self.shop, key).status == 201)
    }
  }

  @Test(arguments: TestDatabase.allCases) func pagesHaveAllObjectsOnce(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let regions = (0..<25).map { #"{"id":"r\#($0)","type":"geofence","latitude":1,"longitude":\#($0)}"# }
      let feed = #"{"version":1,"regions":[\#(regions.joined(separator: ","))],"campaigns":[]}"#
      let dry = try await Self.send(server, .PUT, "draft?dryRun=true", feed)
      #expect(dry.status == 200)
      #expect(try await Self.send(server, .GET, "regions").json?["total"]?.text == "0")
      let taken = try await Self.send(server, .PUT, "draft", feed)
      #expect(taken.status == 200 && taken.json?["difference"]?.text == dry.json?["difference"]?.text)
      #expect(try await Self.send(server, .GET, "draft").text == feed)
      var found: [String] = []
      var next: String? = nil
      repeat {
        let page = try await Self.send(server, .GET, "regions?limit=10" + (next.map { "&after=\($0)" } ?? ""))
        guard case .array(let some)? = page.json?["regions"] else { throw TestFault(page.text) }
        found += some.map(\.text)
        if case .string(let cursor)? = page.json?["next"] { next = cursor } else { next = nil }
      } while next != nil
      #expect(found == regions)
      for query in ["?limit=0", "?limit=x", "?after=-1", "?limit=1001"] {
        #expect(try await Self.send(server, .GET, "regions\(query)").status == 422, "\(query)")
      }
      let stale = try await Self.send(server, .PUT, "draft", feed, [("If-Match", "\"1\"")])
      #expect(stale.status == 412 && stale.text.contains("the draft: expected the version"))
      #expect(try await Self.send(server, .PUT, "draft", #"{"version":1}"#).status == 422)
    }
  }

  @Test(arguments: TestDatabase.allCases) func aDraftBeginsAsWhatWasPublished(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await server.publish(ManagementTests.small)
      #expect(try await Self.send(server, .GET, "draft").body == ManagementTests.small)
      let dry = try await Self.send(server, .POST, "publish?dryRun=true")
      #expect(dry.json?["difference"]?["regions"]?.text == #"{"added":[],"changed":[],"removed":[]}"#)
    }
  }

  @Test(arguments: TestDatabase.allCases) func theAuditSaysWhoHasChangedWhat(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      _ = try await Self.send(server, .PUT, "regions/shop", Self.shop)
      _ = try await Self.send(server, .PATCH, "regions/shop", #"{"radius":300}"#)
      _ = try await Self.send(server, .PUT, "regions/shop", #"{"id":"shop"}"#)  // refused
      _ = try await Self.send(server, .POST, "publish")
      _ = try await Self.send(server, .DELETE, "regions/shop")
      let audit = try await Self.send(server, .GET, "audit")
      guard case .array(let all)? = audit.json?["changes"] else { throw TestFault(audit.text) }
      // The first of all is the key that the app was made with.
      let changes = all.dropLast()
      #expect(all.last?["object"]?.text.hasPrefix(#""key k"#) == true)
      #expect(changes.map { $0["action"]?.text ?? "" } == [#""remove""#, #""publish""#, #""change""#, #""add""#])
      #expect(changes[2]["before"]?.text == Self.shop && changes[2]["after"]?["radius"]?.text == "300")
      #expect(changes.allSatisfy { $0["actor"]?.text.hasPrefix(#""key k"#) == true })
      let older = try await Self.send(server, .GET, "audit?before=\(changes[2]["change"]?.text ?? "")")
      guard case .array(let first)? = older.json?["changes"] else { throw TestFault(older.text) }
      #expect(first.count == 2)
    }
  }

  @Test(arguments: TestDatabase.allCases) func regionsOfAFile(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let table = "id,name,latitude,longitude,radius,city\r\na,\"A, \"\"first\"\"\",1,2,300,Delft\r\nb,,3.5,4,,\r\n"
      let dam =
        "<kml><Placemark id='dam'><name>Dam</name><Point><coordinates>4.8926,52.3731</coordinates></Point></Placemark></kml>"
      let kml = try await Self.send(server, .POST, "import?format=kml&dryRun=true", dam)
      #expect(kml.json?["added"]?.text == #"["dam"]"#, "\(kml.text)")
      let dry = try await Self.send(server, .POST, "import?format=csv&dryRun=true&radius=150", table)
      #expect(dry.text == #"{"added":["a","b"],"changed":[],"unchanged":0}"# + "\n", "\(dry.text)")
      #expect(try await Self.send(server, .GET, "regions").json?["total"]?.text == "0")
      #expect(try await Self.send(server, .POST, "import?format=csv&radius=150", table).text == dry.text)
      #expect(
        try await Self.send(server, .GET, "regions/a").text
          == #"{"id":"a","type":"geofence","name":"A, \"first\"","latitude":1.0,"longitude":2.0,"radius":300.0,"customFields":{"city":"Delft"}}"#
      )
      #expect(try await Self.send(server, .GET, "regions/b").json?["radius"]?.text == "150.0")
      let again = try await Self.send(
        server, .POST, "import?format=csv&radius=150", table.replacingOccurrences(of: "3.5", with: "3.6"))
      #expect(again.text == #"{"added":[],"changed":["b"],"unchanged":1}"# + "\n")
      let points =
        #"{"type":"FeatureCollection","features":[{"type":"Feature","id":"p","geometry":{"type":"Point","coordinates":[4.9,52.4]},"properties":{"name":"P"}}]}"#
      #expect(
        try await Self.send(server, .POST, "import", points).text
          == #"{"added":["p"],"changed":[],"unchanged":0}"# + "\n")
      for (query, body, found) in [
        ("?format=kml", "<kml>\n<Placemark/></kml>", "line 2"), ("?format=csv", "id,latitude\n", "longitude"),
        ("?format=csv", "id,latitude,longitude\nx,1\n", "line 2"),
        ("?format=csv", "id,latitude,longitude\nx,1,east\n", "line 2, column 5"), ("?format=xml", "", "format"),
        ("", "{}", "FeatureCollection"), ("?radius=0", points, "radius"), ("?color=red", points, "color"),
        ("?format=csv", "id,latitude,longitude\nx,1,2\nx,100,2\n", "latitude"),
      ] {
        let answer = try await Self.send(server, .POST, "import\(query)", body)
        #expect(answer.status == 422 && answer.text.contains(found), "\(query) \(body): \(answer.text)")
      }
      #expect(try await Self.send(server, .GET, "regions").json?["total"]?.text == "3")
    }
  }

  @Test func anotherAppsKeyOpensNothing() async throws {
    try await TestServer.with { server in
      _ = try await Self.send(server, .PUT, "regions/shop", Self.shop)
      let other = try await Apps.make("other", name: "Other", server.storage) { server.clock.now }
      let basic = ("Authorization", "Basic " + Data("other:\(other.key)".utf8).base64EncodedString())
      #expect(try await server.send(.GET, "/api/v2/regions/shop", [basic]).status == 404)
      #expect(try await server.send(.DELETE, "/api/v2/regions/shop", [basic]).status == 404)
      #expect(try await server.send(.GET, "/api/v2/draft", [basic]).text.contains("shop") == false)
      let mixed = ("Authorization", "Basic " + Data("shop:\(other.key)".utf8).base64EncodedString())
      #expect(try await server.send(.GET, "/api/v2/draft", [mixed]).status == 401)
    }
  }
}
