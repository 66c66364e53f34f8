import Foundation
import NIOHTTP1
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Version 1 of the API, as its public client calls it (docs/server.md, Places and notifications).
@Suite struct PlaceTests {
  private static func send(
    _ server: TestServer, _ method: HTTPMethod, _ path: String, _ body: String? = nil
  ) async throws -> TestServer.Answer {
    // Ten requests a second, and here each second has one.
    server.clock.advance(seconds: 1)
    return try await server.send(method, "/api/v1/\(path)", [server.basic], body: body.map { Array($0.utf8) })
  }

  private static let museum =
    #"{"name":"Museum","location":{"latitude":52.36,"longitude":4.885},"city":"Amsterdam","country":"NL"}"#

  private static func text(_ value: JSONValue?) -> String {
    if case .string(let text)? = value { text } else { "" }
  }

  @Test(arguments: TestDatabase.allCases) func aPlaceAndItsNotificationReachDevices(_ database: TestDatabase)
    async throws
  {
    try await TestServer.with(database) { server in
      let made = try await Self.send(server, .POST, "place", Self.museum)
      #expect(made.status == 200 && made.json?["success"]?.text == "true")
      let place = Self.text(made.json?["result"]?["id"])
      #expect(place.utf8.count == 32)
      let new = try await Self.send(
        server, .POST, "notification", #"{"placeId":"\#(place)","message":"Welcome","data":"app://welcome"}"#)
      let notification = Self.text(new.json?["result"]?["id"])
      #expect(new.json?["result"]?["state"]?.text == #""new""#)
      #expect(new.json?["result"]?["matchRange"]?.text == "200")
      #expect(try await server.feed().status == 404)

      let live = try await Self.send(server, .PATCH, "notification/\(notification)", #"{"published":true}"#)
      #expect(live.json?["result"]?["state"]?.text == #""published""#)
      let feed = try await server.feed()
      #expect(
        feed.json?["regions"]?.text.contains(#""radius":200,"customFields":{"city":"Amsterdam","country":"NL"}"#)
          == true)
      #expect(
        feed.json?["campaigns"]?.text
          == #"[{"id":"v1-\#(notification)","type":"notification","message":"Welcome","data":"app://welcome","regions":["v1-\#(place)-200"]}]"#
      )
      // Two times are two campaigns; a range of its own is a region of its own.
      let times = #"[{"start":"2026-05-01T08:00:00Z","end":"2026-05-01T18:00:00Z"},{"start":"2026-06-01T08:00:00Z"}]"#
      let changed = try await Self.send(
        server, .PUT, "notification/\(notification)",
        #"{"placeId":"\#(place)","message":"Welcome back","timespans":\#(times),"matchRange":500,"published":true}"#)
      #expect(changed.status == 200 && changed.json?["result"]?["timespans"]?.text == times)
      let later = try await server.feed()
      #expect(later.json?["regions"]?.text.contains("v1-\(place)-500") == true)
      #expect(later.json?["regions"]?.text.contains("v1-\(place)-200") == false)
      #expect(later.json?["campaigns"]?.text.contains(#""id":"v1-\#(notification)-2""#) == true)

      #expect(try await Self.send(server, .DELETE, "place/\(place)").status == 409)
      let gone = try await Self.send(server, .DELETE, "notification/\(notification)")
      #expect(gone.status == 200 && gone.text == "{\"success\":true}\n")
      #expect(try await server.feed().text == #"{"version":1,"regions":[],"campaigns":[]}"#)
      #expect(try await Self.send(server, .DELETE, "place/\(place)").status == 200)
      #expect(try await Self.send(server, .GET, "place/\(place)").status == 404)
    }
  }

  @Test(arguments: TestDatabase.allCases) func whatOthersHavePublishedStays(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      try await server.publish(ManagementTests.small)
      _ = try await server.send(
        .PUT, "/api/v2/regions/draft", [server.basic],
        body: Array(#"{"type":"geofence","latitude":1,"longitude":2}"#.utf8))
      let place = Self.text(try await Self.send(server, .POST, "place", Self.museum).json?["result"]?["id"])
      _ = try await Self.send(
        server, .POST, "notification", #"{"placeId":"\#(place)","message":"Hello","published":true}"#)
      let feed = try await server.feed().text
      #expect(feed.contains(#""id":"a""#) && feed.contains("Hello") && !feed.contains(#""id":"draft""#))
      let draft = try await server.send(.GET, "/api/v2/draft", [server.basic]).text
      #expect(draft.contains(#""id":"draft""#) && draft.contains("Hello"))
      // The place moves, and its region with it.
      _ = try await Self.send(server, .PATCH, "place/\(place)", #"{"location":{"latitude":10,"longitude":20}}"#)
      #expect(try await server.feed().text.contains(#""latitude":10.0,"longitude":20.0,"radius":200"#))
      // A roll-out for some is not made one for all.
      try await server.publish(ManagementTests.small, "?share=50")
      let refused = try await Self.send(
        server, .POST, "notification", #"{"placeId":"\#(place)","message":"More","published":true}"#)
      #expect(refused.status == 409 && refused.json?["errorCode"]?.text == #""roll-out""#)
      #expect(try await Self.send(server, .GET, "notification").json?["result"]?["total"]?.text == "1")
    }
  }

  @Test func pagesHave25() async throws {
    try await TestServer.with { server in
      for number in 0..<30 {
        let body = #"{"name":"P\#(number)","location":{"latitude":1,"longitude":\#(number)}}"#
        #expect(try await Self.send(server, .POST, "place", body).status == 200)
      }
      let first = try await Self.send(server, .GET, "place").json?["result"]
      guard case .array(let data)? = first?["data"] else { throw TestFault("no page") }
      #expect(data.count == 25 && first?["total"]?.text == "30" && Self.text(data.first?["name"]) == "P0")
      let rest = try await Self.send(server, .GET, "place?start=25").json?["result"]
      guard case .array(let last)? = rest?["data"] else { throw TestFault("no page") }
      #expect(last.count == 5 && Self.text(last.last?["name"]) == "P29")
      let place = Self.text(data[3]["id"])
      _ = try await Self.send(server, .POST, "notification", #"{"placeId":"\#(place)","message":"x"}"#)
      #expect(try await Self.send(server, .GET, "notification?placeId=\(place)").json?["result"]?["total"]?.text == "1")
      #expect(try await Self.send(server, .GET, "notification?placeId=other").json?["result"]?["total"]?.text == "0")
      let account = try await Self.send(server, .GET, "account").json?["result"]
      #expect(Self.text(account?["id"]) == "shop" && Self.text(account?["publicToken"]) == server.app.token)
    }
  }

  @Test func whatIsRefusedSaysWhy() async throws {
    try await TestServer.with { server in
      let place = Self.text(try await Self.send(server, .POST, "place", Self.museum).json?["result"]?["id"])
      let long = String(repeating: "x", count: 2049)
      for (path, body) in [
        ("place", "[]"), ("place", #"{"name":"x"}"#),
        ("place", #"{"name":"","location":{"latitude":1,"longitude":2}}"#),
        ("place", #"{"name":"x","location":{"latitude":91,"longitude":2}}"#),
        ("place", #"{"name":"x","location":{"latitude":1,"longitude":2},"color":"red"}"#),
        ("notification", #"{"placeId":"none","message":"x"}"#),
        ("notification", #"{"placeId":"\#(place)","message":"\#(long)"}"#),
        ("notification", #"{"placeId":"\#(place)","message":"x","matchRange":100}"#),
        ("notification", #"{"placeId":"\#(place)","message":"x","timespans":[{"start":"soon"}]}"#),
        (
          "notification",
          #"{"placeId":"\#(place)","message":"x","timespans":[{"start":"2026-05-02T00:00:00Z","end":"2026-05-01T00:00:00Z"}]}"#
        ),
      ] {
        let answer = try await Self.send(server, .POST, path, body)
        #expect(answer.status == 400 && answer.json?["success"]?.text == "false", "\(body.prefix(80)): \(answer.text)")
        #expect(answer.json?["errorCode"]?.text == #""invalid-value""#, "\(body.prefix(80))")
      }
      #expect(try await Self.send(server, .POST, "place", "no JSON").status == 422)
      #expect(try await Self.send(server, .PUT, "place/none", Self.museum).status == 404)
      #expect(try await Self.send(server, .GET, "place?start=-1").status == 400)
    }
  }

  @Test func tenRequestsASecond() async throws {
    try await TestServer.with { server in
      for _ in 0..<10 { #expect(try await server.send(.GET, "/api/v1/place", [server.basic]).status == 200) }
      let refused = try await server.send(.GET, "/api/v1/place", [server.basic])
      #expect(refused.status == 429 && refused.json?["errorCode"]?.text == #""too-many-requests""#)
      #expect(refused.headers.first(name: "Retry-After") == "1")
      server.clock.advance(seconds: 1)
      #expect(try await server.send(.GET, "/api/v1/place", [server.basic]).status == 200)
    }
  }

  @Test(arguments: TestDatabase.allCases) func sentAndViewedByDay(_ database: TestDatabase) async throws {
    try await TestServer.with(database) { server in
      let place = Self.text(try await Self.send(server, .POST, "place", Self.museum).json?["result"]?["id"])
      let made = try await Self.send(
        server, .POST, "notification", #"{"placeId":"\#(place)","message":"Hello","published":true}"#)
      let id = Self.text(made.json?["result"]?["id"])
      let secret = try await server.register("install-1")
      func event(_ sequence: Int, _ kind: String, _ campaign: String) -> String {
        #"{"time":"2026-03-01T10:00:00Z","event":"\#(kind)","sequence":\#(sequence),"region":"r","campaign":"\#(campaign)"}"#
      }
      let events = [
        event(1, "notification-shown", "v1-\(id)"), event(2, "notification-shown", "v1-\(id)-2"),
        event(3, "notification-opened", "v1-\(id)"), event(4, "notification-shown", "another"),
      ]
      let answer = try await server.post("install-1", secret, TestEvents.batch(events))
      #expect(answer.status == 200, "\(answer.text)")
      let statistics = try await Self.send(server, .GET, "statistics?notificationId=\(id)")
      #expect(
        statistics.json?["result"]?.text
          == #"{"total":1,"data":[{"id":"\#(id)","date":"2026-03-01T00:00:00Z","timesSent":2,"timesViewed":1}]}"#)
    }
  }
}
