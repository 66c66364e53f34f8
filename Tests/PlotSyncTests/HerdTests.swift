import Foundation
import PlotCore
import PlotDocuments
import Testing

@testable import PlotSync

/// Many clients of one service, in a time of their own. PLOT_HERD says how many; 100,000 take some minutes.
@Suite struct HerdTests {
  static let size = Int(ProcessInfo.processInfo.environment["PLOT_HERD"] ?? "") ?? 1500

  /// The requests of each second.
  struct Herd {
    var clients: [Sync] = []
    var due: [[Int32]] = []
    var requests: [Int] = []
    /// The streams that are open, by their number; 0 for none.
    var streams: [Int64] = []
    let start: Milliseconds = 1_000_000_000_000
    var feed = FeedAnswer(Array(Device.feed.utf8), at: 0)

    init(_ size: Int, seconds: Int, hasQuickSync: Bool) throws {
      var settings = SyncSettings(url: "http://127.0.0.1:1", token: "t")
      settings.hasQuickSync = hasQuickSync
      due = Array(repeating: [], count: seconds)
      requests = Array(repeating: 0, count: seconds)
      streams = Array(repeating: 0, count: size)
      for index in 0..<size {
        var client = Sync(settings, saved: nil)
        // They have come one by one, in the hour before.
        client.begin(
          at: start, seed: (0..<16).map { UInt8(truncatingIfNeeded: index >> (8 * ($0 % 4))) }, SyncFacts(),
          hasFeed: true)
        client.streamAt = start + client.random.time(upTo: 3_600_000)
        clients.append(client)
        plan(Int32(index), after: -1)
      }
    }

    static let context = SyncContext(
      newest: 0, waiting: 0, oldest: nil, isForeground: false, hasNetwork: true, timeZone: "UTC", version: "1")

    mutating func plan(_ index: Int32, after second: Int) {
      guard let next = clients[Int(index)].nextTime(Self.context) else { return }
      let at = max(Int((next - start + 999) / 1000), second + 1)
      if at < due.count { due[at].append(index) }
    }

    /// Lets a second pass. `answers`: the service is there.
    mutating func pass(_ second: Int, answers: Bool) {
      let now = start + Milliseconds(second) * 1000
      for index in due[second] {
        while case .request(let request) = clients[Int(index)].next(at: now, Self.context, events: { _, _ in [] }) {
          requests[second] += 1
          if !answers {
            clients[Int(index)].take(failure: "refused", of: request.number, at: now)
          } else if request.isStream {
            streams[Int(index)] = request.number
            clients[Int(index)].take(Array(": open\n\n".utf8), of: request.number, at: now)
          } else {
            let response = SyncResponse(
              status: 200, headers: Device.headers(1).map { "\($0): \($1)" }.joined(separator: "\n"),
              body: Array(Device.feed.utf8))
            _ = clients[Int(index)].take(response, to: request.number, feed: feed, at: now)
          }
        }
        plan(index, after: second)
      }
    }

    /// Each open stream hears of something, or ends.
    mutating func eachStream(_ second: Int, _ body: (inout Sync, Int64, Milliseconds) -> Void) {
      let now = start + Milliseconds(second) * 1000
      for index in streams.indices where streams[index] != 0 {
        body(&clients[index], streams[index], now)
        plan(Int32(index), after: second)
      }
    }
  }

  /// An hour of calm, an hour's outage, and the time after it.
  @Test(arguments: [false, true]) func afterAnOutageTheyComeBackSlowly(hasQuickSync: Bool) throws {
    let hour = 3600
    var herd = try Herd(Self.size, seconds: 3 * hour, hasQuickSync: hasQuickSync)
    for second in 0..<3 * hour {
      if second == hour, hasQuickSync {
        herd.eachStream(second) { $0.take(failure: "cut", of: $1, at: $2) }
        herd.streams = herd.streams.map { _ in 0 }
      }
      // Heartbeats keep streams open.
      if hasQuickSync, second % 60 == 0, !(hour..<2 * hour).contains(second) {
        herd.eachStream(second) { $0.take(Array(": still here\n\n".utf8), of: $1, at: $2) }
      }
      herd.pass(second, answers: !(hour..<2 * hour).contains(second))
    }
    let calm = Double(Self.size) / Double(hour)
    let after = herd.requests[2 * hour..<3 * hour]
    // With few clients the chance of one second is large beside the mean.
    let most = Double(after.max()!) / calm
    #expect(most <= 10 || Double(after.max()!) <= 10 * calm + 12, "\(most)")
    // Five minutes at a time, and what chance adds to so few.
    for second in stride(from: 2 * hour + 600, to: 3 * hour, by: 300) {
      let rate = Double(herd.requests[second..<second + 300].reduce(0, +)) / 300
      #expect(rate < 2 * calm + 2 * (2 * calm / 300).squareRoot(), "\(second): \(rate / calm)")
    }
    if Self.size > 4000 {
      let peak = after.firstIndex(of: after.max()!)! - 2 * hour
      let minutes = stride(from: hour, to: 3 * hour, by: 300).map { herd.requests[$0..<$0 + 300].reduce(0, +) }
      print("peak at \(peak) s; each 5 minutes: \(minutes)")
    }
    print("herd of \(Self.size)\(hasQuickSync ? " with streams" : ""): at most \(most) times the calm rate in a second")
  }

  /// A publication reaches all streams; its spread is a second for a thousand of them.
  @Test func aPublicationIsFetchedWithinItsSpread() throws {
    let spread = max(Self.size / 1000, 1) * 10
    var herd = try Herd(Self.size, seconds: 3600 + spread + 2, hasQuickSync: true)
    for second in 0..<3600 + spread + 2 {
      if second % 60 == 0 {
        herd.eachStream(second) { $0.take(Array(": still here\n\n".utf8), of: $1, at: $2) }
      }
      if second == 3600 {
        let message = Array("event: feed\ndata: {\"publication\":2,\"spread\":\(spread)}\n\n".utf8)
        herd.eachStream(second) { $0.take(message, of: $1, at: $2) }
      }
      herd.pass(second, answers: true)
    }
    let most = herd.requests[3600...].max()!
    #expect(Double(most) < 2 * Double(Self.size) / Double(spread))
    let fetched = herd.requests[3600...].reduce(0, +)
    #expect(fetched >= Self.size * 9 / 10)
  }
}
