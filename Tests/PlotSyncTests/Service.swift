import PlotCore
import PlotDocuments

@testable import PlotSync

/// A synchronization with a host and a service of a few lines, in a time of its own.
struct Device {
  static let feed = #"{"version":1,"regions":[],"campaigns":[]}"#

  var sync: Sync
  var now: Milliseconds = 1_000_000_000_000
  var waiting: [(sequence: Int64, json: String)] = []
  var hasNetwork = true
  var isForeground = false
  var version = "1"
  var feeds = 0

  init(_ change: (inout SyncSettings) -> Void = { _ in }, saved: SyncState? = nil) {
    var settings = SyncSettings(url: "http://127.0.0.1:1", token: "token")
    settings.hasQuickSync = false
    change(&settings)
    sync = Sync(settings, saved: saved)
  }

  var context: SyncContext {
    SyncContext(
      newest: now, waiting: waiting.count, oldest: waiting.isEmpty ? nil : now, isForeground: isForeground,
      hasNetwork: hasNetwork, timeZone: "Europe/Amsterdam", version: version)
  }

  mutating func begin(seed: UInt8 = 1, hasFeed: Bool = true, _ facts: String = "{}") throws {
    sync.begin(
      at: now, seed: [UInt8](repeating: seed, count: 16), try SyncFacts(parsing: Array(facts.utf8)), hasFeed: hasFeed)
  }

  /// The next request at the time at which it comes; nil where none comes by itself.
  mutating func request() -> SyncRequest? {
    for _ in 0..<100 {
      let waiting = waiting
      let next = sync.next(at: now, context) { through, limit in
        Array(waiting.prefix(limit).prefix { $0.sequence <= through ?? .max })
      }
      switch next {
      case .request(let request): return request
      case .wait(nil): return nil
      case .wait(let until?): now = max(now, until)
      }
    }
    return nil
  }

  struct Silence: Error {}

  mutating func next() throws -> SyncRequest {
    guard let request = request() else { throw Silence() }
    return request
  }

  mutating func answer(
    _ request: SyncRequest, _ status: Int, _ headers: [String: String] = [:], _ body: String = ""
  ) {
    let bytes = Array(body.utf8)
    let response = SyncResponse(
      status: status, headers: headers.map { "\($0): \($1)" }.joined(separator: "\r\n"), body: bytes)
    let feed = sync.awaitsFeed(request.number) && status == 200 ? FeedAnswer(bytes, at: now) : nil
    switch sync.take(response, to: request.number, feed: feed, at: now) {
    case .nothing: break
    case .feed: feeds += 1
    case .clearFeed: feeds = 0
    case .acknowledged(let through):
      waiting.removeAll { $0.sequence <= through }
      sync.sent(left: waiting.count)
    }
  }

  static let json = "application/json"

  static func headers(_ publication: Int64 = 1, _ more: [String: String] = [:]) -> [String: String] {
    [
      "Content-Type": json, "ETag": "\"\(publication)\"", "Plot-Publication": "\(publication)",
      "Plot-Issued": "\(publication)",
    ].merging(more) { $1 }
  }

  mutating func answerWithFeed(
    _ request: SyncRequest, _ publication: Int64 = 1, _ more: [String: String] = [:], body: String = feed
  ) { answer(request, 200, Self.headers(publication, more), body) }

  /// An error of the service.
  mutating func refuse(_ request: SyncRequest, _ status: Int, _ kind: String, _ headers: [String: String] = [:]) {
    answer(
      request, status, headers.merging(["Content-Type": Self.json]) { $1 },
      "{\"error\":{\"status\":\(status),\"kind\":\"\(kind)\"}}")
  }

  /// Takes the batch of a request for events.
  mutating func take(_ request: SyncRequest, rejected: String = "") throws {
    let body = try JSONValue(parsing: Array((request.body ?? "").utf8))
    guard case .array(let events)? = body["events"], let batch = body.text("batch") else { return }
    let through = events.last?.number("sequence") ?? 0
    answer(
      request, 200, ["Content-Type": Self.json],
      "{\"batch\":\"\(batch)\",\"accepted\":\(events.count),\"duplicates\":0,\"rejected\":[\(rejected)],\"through\":\(through)}"
    )
  }

  mutating func add(_ count: Int) {
    let first = (waiting.last?.sequence ?? 0) + 1
    for sequence in first..<first + Int64(count) {
      waiting.append(
        (
          sequence,
          "{\"time\":\"2026-01-01T00:00:00Z\",\"event\":\"region-enter\",\"sequence\":\(sequence),\"latitude\":52.1,\"longitude\":4.2,\"advertisingIdentifier\":\"x\"}"
        ))
    }
  }

  /// Registers, so that events may go.
  mutating func register() throws {
    guard let request = request() else { return }
    answer(request, 201, ["Content-Type": Self.json], "{\"secret\":\"s\"}")
  }
}

extension SyncRequest {
  subscript(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
