import Foundation
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// A disk that is full: clear answers, and nothing is acknowledged that is not stored.
@Suite struct FullDiskTests {
  @Test func eventsWaitAndFeedsGoOn() async throws {
    try await TestServer.with { server in
      try await server.publish()
      let secret = try await server.register("install-1")
      let pages = try await server.storage.write { session -> Int64 in
        try session.row("PRAGMA page_count")?.integer(0) ?? 0
      }
      try await server.storage.write { try $0.rows("PRAGMA max_page_count = \(pages + 2)") }
      let data = String(repeating: "x", count: 3000)
      func batch(_ number: Int64) -> String {
        TestEvents.batch(
          (1...20).map {
            TestEvents.shown(number * 20 + $0, campaign: "c").replacingOccurrences(
              of: "\"data\":\"\"", with: "\"data\":\"\(data)\"")
          }, "b\(number)")
      }
      var acknowledged: Int64 = 0
      var refused: TestServer.Answer?
      for number in 0..<10 where refused == nil {
        let answer = try await server.post("install-1", secret, batch(Int64(number)))
        if answer.status == 200 { acknowledged += 20 } else { refused = answer }
      }
      let answer = try #require(refused)
      #expect(answer.status == 503 && answer.kind == "busy" && answer.headers.first(name: "Retry-After") != nil)
      #expect(answer.text.contains("send the same request again"))
      #expect(try await server.feed().status == 200)
      let kept = try await server.storage.read { try $0.row("SELECT COUNT(*) FROM event")?.integer(0) }
      #expect(kept == acknowledged)
      // There is room again.
      try await server.storage.write { try $0.rows("PRAGMA max_page_count = 1000000") }
      #expect(try await server.post("install-1", secret, batch(acknowledged / 20)).status == 200)
      let app = try #require(try await server.storage.read { try $0.app(id: "shop") })
      let wrong = try await Apps.recount(app, server.storage)
      #expect(wrong == [])
    }
  }
}
