internal import Synchronization

/// Who listens for publications (QuickSync): a stream only says that it is time to ask.
final class Changes: Sendable {
  struct Change: Sendable, Equatable {
    var publication: Int64
    var etag: String
    var spread: Int64
  }

  private struct Contents {
    var streams: [Int64: [UInt64: AsyncStream<Change>.Continuation]] = [:]
    var next: UInt64 = 0
    var isOver = false
  }

  /// How many streams an app may have on this node.
  let limit: Int
  private let contents = Mutex(Contents())

  init(limit: Int) { self.limit = limit }

  var count: Int { contents.withLock { $0.streams.values.reduce(0) { $0 + $1.count } } }

  /// Nil when the app has as many as it may, and while the server stops.
  func listen(app: Int64) -> AsyncStream<Change>? {
    contents.withLock { contents in
      guard !contents.isOver, contents.streams[app]?.count ?? 0 < limit else { return nil }
      // One that has waited is as good as the newest: it only says that it is time to ask.
      let (stream, continuation) = AsyncStream.makeStream(of: Change.self, bufferingPolicy: .bufferingNewest(1))
      let number = contents.next
      contents.next += 1
      contents.streams[app, default: [:]][number] = continuation
      continuation.onTermination = { [weak self] _ in
        self?.contents.withLock { contents in _ = contents.streams[app]?.removeValue(forKey: number) }
      }
      return stream
    }
  }

  func announce(_ change: Change, app: Int64) {
    let all = contents.withLock { $0.streams[app].map { Array($0.values) } ?? [] }
    for continuation in all { continuation.yield(change) }
  }

  func finish() {
    let all = contents.withLock { contents in
      contents.isOver = true
      return contents.streams.values.flatMap(\.values)
    }
    for continuation in all { continuation.finish() }
  }
}
