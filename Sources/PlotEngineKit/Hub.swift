internal import Synchronization

/// Those who hear one kind of thing: a handler, and any number of streams.
///
/// The engine is asked to report it only while somebody hears: so the two are changed together, one change after another.
final class Hub<Value: Sendable>: Sendable {
  private struct Hearers: Sendable {
    var handler: (@Sendable (Value) -> Void)?
    var streams: [Int: AsyncStream<Value>.Continuation] = [:]
    var lastStream = 0
    var isClosed = false

    var isEmpty: Bool { handler == nil && streams.isEmpty }
  }

  private let hearers = Mutex(Hearers())
  private let change = Mutex(())
  /// Has the engine's core report to this hub; with nil, no longer. The core, which then holds it, lets go of it when it is closed.
  private let register: @Sendable (Hub<Value>?) -> Void

  init(_ register: @escaping @Sendable (Hub<Value>?) -> Void) { self.register = register }

  func send(_ value: Value) {
    let (handler, streams) = hearers.withLock { ($0.handler, Array($0.streams.values)) }
    handler?(value)
    for stream in streams { stream.yield(value) }
  }

  /// Sets the handler; nil takes it away.
  func set(_ handler: (@Sendable (Value) -> Void)?) {
    // Its values are freed without a lock: freeing them may call back.
    let old = changing { hearers in
      let old = hearers.handler
      hearers.handler = handler
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// A stream of all that comes from now on, until the engine is closed.
  func stream(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy) -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: policy)
    let number: Int? = changing { hearers in
      guard !hearers.isClosed else { return nil }
      hearers.lastStream += 1
      hearers.streams[hearers.lastStream] = continuation
      return hearers.lastStream
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in
      self?.changing { hearers in _ = hearers.streams.removeValue(forKey: number) }
    }
    return stream
  }

  /// Ends all streams. The engine, which is closed, has let go of this.
  func close() {
    let (handler, streams) = hearers.withLock { hearers in
      hearers.isClosed = true
      defer { (hearers.handler, hearers.streams) = (nil, [:]) }
      return (hearers.handler, Array(hearers.streams.values))
    }
    withExtendedLifetime(handler) {}
    for stream in streams { stream.finish() }
  }

  private func changing<Result: Sendable>(_ body: @Sendable (inout Hearers) -> Result) -> Result {
    change.withLock { _ in
      let (result, before, after) = hearers.withLock { hearers in
        let before = hearers.isEmpty
        let result = body(&hearers)
        return (result, before, hearers.isEmpty)
      }
      if before != after { register(after ? nil : self) }
      return result
    }
  }
}
