/// A stream with a nil in each pause.
enum Heartbeats {
  static func merge<T: Sendable>(_ stream: AsyncStream<T>, every seconds: Int64) -> AsyncStream<T?> {
    AsyncStream { continuation in
      let values = Task {
        for await value in stream { continuation.yield(value) }
        continuation.finish()
      }
      let beats = Task {
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(seconds))
          if !Task.isCancelled { continuation.yield(nil) }
        }
      }
      continuation.onTermination = { _ in
        values.cancel()
        beats.cancel()
      }
    }
  }
}
