internal import Synchronization

/// The clients that listen for publications (QuickSync): a stream only says that it is time to ask.
final class Changes: Sendable {
  struct Change: Sendable, Equatable {
    var publication: Int64
    var etag: String
    var spread: Int64
  }

  enum Signal: Sendable {
    case change(Change)
    /// Nothing has changed; it keeps the connection open.
    case beat
  }

  typealias Continuation = AsyncStream<Signal>.Continuation

  private struct Contents {
    var streams: [Int64: [UInt64: Continuation]] = [:]
    var next: UInt64 = 0
    var isOver = false
  }

  /// How many signals may wait for a client that does not read.
  private static let most = 4
  /// How many streams an app may have on this node.
  let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) { self.limit = limit }

  var count: Int { contents.withLock { $0.streams.values.reduce(0) { $0 + $1.count } } }

  /// Nil when the app has as many as it may, and while the server stops. The stream ends when its continuation is finished.
  func listen(app: Int64) -> (stream: AsyncStream<Signal>, continuation: Continuation)? {
    contents.withLock { contents in
      guard !contents.isOver, contents.streams[app]?.count ?? 0 < limit else { return nil }
      let (stream, continuation) = AsyncStream.makeStream(of: Signal.self, bufferingPolicy: .bufferingOldest(Self.most))
      let number = contents.next
      contents.next += 1
      contents.streams[app, default: [:]][number] = continuation
      continuation.onTermination = { [weak self] _ in
        self?.contents.withLock { contents in _ = contents.streams[app]?.removeValue(forKey: number) }
      }
      return (stream, continuation)
    }
  }

  /// A client that does not read is let go: it comes again, says what it has, and hears what it has missed.
  func announce(_ change: Change, app: Int64) {
    for continuation in all(of: app) {
      if case .dropped = continuation.yield(.change(change)) { continuation.finish() }
    }
  }

  func beat() { for continuation in all(of: nil) { continuation.yield(.beat) } }

  /// Ends all streams, for the server stops.
  func finish() {
    contents.withLock { $0.isOver = true }
    for continuation in all(of: nil) { continuation.finish() }
  }

  private func all(of app: Int64?) -> [Continuation] {
    contents.withLock { contents in
      if let app {
        contents.streams[app].map { Array($0.values) } ?? []
      } else {
        contents.streams.values.flatMap(\.values)
      }
    }
  }
}
