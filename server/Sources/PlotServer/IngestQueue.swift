internal import PlotServerStorage
internal import ServiceLifecycle
internal import Synchronization

/// Events on their way to the database: many requests in one transaction, which waits for the disk once. A request is answered when its events are
/// there, and not before.
final class IngestQueue: ServiceLifecycle.Service {
  typealias Answer = Result<Set<Int64>, any Error>

  private struct Waiting {
    var batch: EventBatch
    var answer: CheckedContinuation<Set<Int64>, any Error>
  }

  private struct Contents {
    var waiting: [Waiting] = []
    var wake: CheckedContinuation<Void, Never>?
    var isOver = false
  }

  /// How many requests may wait; the next one is refused.
  static let limit = 2000
  /// How many events are taken at once.
  static let eventsAtOnce = 2000

  private let storage: any SQLDatabase
  private let now: @Sendable () -> Int64
  private let contents = Mutex(Contents())

  init(_ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64) {
    self.storage = storage
    self.now = now
  }

  var count: Int { contents.withLock { $0.waiting.count } }

  /// Gives the sequences that were new.
  func take(_ batch: EventBatch) async throws -> Set<Int64> {
    try await withCheckedThrowingContinuation { (answer: CheckedContinuation<Set<Int64>, any Error>) in
      let (refusal, wake) = contents.withLock { contents -> (RequestFault?, CheckedContinuation<Void, Never>?) in
        if contents.isOver { return (.busy("the server is stopping: send the same batch again", after: 5), nil) }
        if contents.waiting.count >= Self.limit {
          return (.busy("too many events wait for the database: send the same batch again", after: 5), nil)
        }
        contents.waiting.append(Waiting(batch: batch, answer: answer))
        defer { contents.wake = nil }
        return (nil, contents.wake)
      }
      if let refusal { answer.resume(throwing: refusal) }
      wake?.resume()
    }
  }

  func run() async throws {
    await withGracefulShutdownHandler {
      while let group = await next() { await write(group) }
    } onGracefulShutdown: {
      self.stop()
    }
  }

  /// Takes no more; requests that wait are still written.
  private func stop() {
    let wake = contents.withLock { contents -> CheckedContinuation<Void, Never>? in
      contents.isOver = true
      defer { contents.wake = nil }
      return contents.wake
    }
    wake?.resume()
  }

  /// The next requests, at most one of each installation; nil at the end.
  private func next() async -> [Waiting]? {
    while true {
      let (group, isOver) = contents.withLock { contents -> ([Waiting], Bool) in
        var group: [Waiting] = []
        var rest: [Waiting] = []
        var installations: Set<Int64> = []
        var events = 0
        for waiting in contents.waiting {
          if events < Self.eventsAtOnce, installations.insert(waiting.batch.installation).inserted {
            group.append(waiting)
            events += waiting.batch.events.count
          } else {
            rest.append(waiting)
          }
        }
        contents.waiting = rest
        return (group, contents.isOver)
      }
      if !group.isEmpty { return group }
      if isOver { return nil }
      await withCheckedContinuation { (wake: CheckedContinuation<Void, Never>) in
        let isNeeded = contents.withLock { contents -> Bool in
          guard contents.waiting.isEmpty, !contents.isOver else { return false }
          contents.wake = wake
          return true
        }
        if !isNeeded { wake.resume() }
      }
    }
  }

  private func write(_ group: [Waiting]) async {
    let batches = group.map(\.batch)
    let time = now()
    do {
      let accepted = try await storage.write(isRepeatable: true) { session in try session.take(batches, at: time) }
      for (waiting, new) in zip(group, accepted) { waiting.answer.resume(returning: new) }
    } catch {
      // One of them may be at fault, such as for an installation that was erased meanwhile: then each is tried by itself.
      guard group.count > 1, !(error is StorageError && (error as? StorageError)?.isOfTheDatabase == true) else {
        for waiting in group { waiting.answer.resume(throwing: error) }
        return
      }
      for waiting in group { await write([waiting]) }
    }
  }
}

extension StorageError {
  /// It is not about one request.
  var isOfTheDatabase: Bool {
    switch self {
    case .unavailable, .unknownOutcome: true
    case .conflict, .failed: false
    }
  }
}
