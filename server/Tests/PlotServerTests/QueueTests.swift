import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// The queue of events (docs/server.md, SQLite or PostgreSQL).
@Suite struct QueueTests {
  @Test func aFullQueueRefusesAndLosesNothing() async throws {
    try await TestDatabase.sqlite.with { storage in
      try await storage.write { session in
        try session.createApp(id: "a", name: "a", token: "t", pollAfter: 60, at: 1)
        _ = try session.addInstallation("i-1", secret: [1], facts: "{}", ofApp: 1, at: 1)
      }
      let queue = IngestQueue(storage) { 5 }
      @Sendable func batch(_ number: Int) -> EventBatch {
        let event = EventRecord(
          sequence: Int64(number), time: 0, kind: "region-enter", campaign: "", region: "r", visit: "", since: 0,
          json: "{}")
        return EventBatch(app: 1, installation: 1, events: [event])
      }
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 1...IngestQueue.limit { group.addTask { try await queue.take(batch(number)).count } }
        while queue.count < IngestQueue.limit { try await Task.sleep(for: .milliseconds(5)) }
        // Nobody writes yet, so the next one is refused at once.
        await #expect {
          try await queue.take(batch(9999))
        } throws: { error in
          (error as? RequestFault)?.status.code == 503 && (error as? RequestFault)?.retryAfter == 5
        }
        let writer = Task { try await queue.run() }
        #expect(try await group.reduce(0, +) == IngestQueue.limit)
        writer.cancel()
      }
      let kept = try await storage.read { try $0.row("SELECT COUNT(*) FROM event")?.integer(0) }
      #expect(kept == Int64(IngestQueue.limit))
    }
  }

  /// One batch that cannot be kept is refused by itself.
  @Test(arguments: TestDatabase.allCases) func aBadBatchDoesNotHarmItsGroup(_ database: TestDatabase) async throws {
    try await database.with { storage in
      try await storage.write { session in
        try session.createApp(id: "a", name: "a", token: "t", pollAfter: 60, at: 1)
        _ = try session.addInstallation("i-1", secret: [1], facts: "{}", ofApp: 1, at: 1)
      }
      let queue = IngestQueue(storage) { 5 }
      let event = EventRecord(
        sequence: 1, time: 0, kind: "region-enter", campaign: "", region: "r", visit: "v", since: 0, json: "{}")
      let good = Task { try await queue.take(EventBatch(app: 1, installation: 1, events: [event])) }
      let bad = Task { try await queue.take(EventBatch(app: 1, installation: 77, events: [event])) }
      while queue.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
      let writer = Task { try await queue.run() }
      #expect(try await good.value == [1])
      await #expect(throws: StorageError.self) { _ = try await bad.value }
      writer.cancel()
    }
  }
}
