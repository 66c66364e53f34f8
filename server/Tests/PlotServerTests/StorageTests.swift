import Foundation
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Both databases must do all this alike.
@Suite struct StorageTests {
  private func event(_ sequence: Int64, _ kind: String = "notification-shown", visit: String = "", since: Int64 = 0)
    -> EventRecord
  {
    EventRecord(
      sequence: sequence, time: 1_772_366_400_000 + sequence, kind: kind, campaign: "c", region: "r", visit: visit,
      since: since, json: "{}")
  }

  private func app(_ storage: any SQLDatabase, _ id: String = "a") async throws -> AppRecord {
    try await storage.write { try $0.createApp(id: id, name: id, token: "t-\(id)", pollAfter: 60, at: 1) }
    guard let app = try await storage.read({ try $0.app(id: id) }) else { throw TestFault("the app is not there") }
    return app
  }

  private func installation(_ storage: any SQLDatabase, _ app: AppRecord, _ id: String = "i-1") async throws -> Int64 {
    let isNew = try await storage.write {
      try $0.addInstallation(id, secret: [1, 2, 3], facts: "{}", ofApp: app.key, at: 1)
    }
    #expect(isNew)
    return try #require(try await storage.read { try $0.installation(id, ofApp: app.key) }).key
  }

  @Test(arguments: TestDatabase.allCases) func migratingAgainDoesNothing(_ database: TestDatabase) async throws {
    try await database.with { storage in
      let (before, after) = try await Schema.migrate(storage)
      #expect(before == after && after > 0)
    }
  }

  /// A key from before there were roles may what it could.
  @Test(arguments: TestDatabase.allCases) func keysOfSchema2AreOwners(_ database: TestDatabase) async throws {
    try await database.with { storage in
      let made = try await Apps.make("shop", name: "Shop", storage) { 1_000_000 }
      try await storage.write { session in
        for table in ["delivery", "webhook", "recording", "session", "member", "person"] {
          try session.run("DROP TABLE \(table)")
        }
        try session.run("ALTER TABLE private_key DROP COLUMN role")
        try session.run("ALTER TABLE app DROP COLUMN needs_approval")
        try session.run("ALTER TABLE app DROP COLUMN retention")
        for index in ["event_received", "draft_object_version"] { try session.run("DROP INDEX \(index)") }
        try session.run("UPDATE meta SET number = 2 WHERE name = 'schema'")
      }
      let (before, after) = try await Schema.migrate(storage)
      #expect(before == 2 && after > 3)
      let found = try await PrivateKeys(storage) { 2_000_000 }.app(id: "shop", key: made.key)
      #expect(found?.key.role == .owner && found?.app.needsApproval == false)
    }
  }

  /// A server with some of everything goes on with PostgreSQL.
  @Test(.enabled(if: TestDatabase.allCases.contains(.postgres))) func aFileMovesToPostgreSQL() async throws {
    try await TestServer.with(.sqlite, #"{"recordings":true,"webhookHosts":"127.0.0.1"}"#) { server in
      let known = try await server.storage.read {
        try $0.rows(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'meta'"
        )
        .compactMap { $0.text(0) }
      }
      #expect(known.sorted() == DatabaseMove.tables.sorted(), "each table moves")
      try await server.publish()
      try await server.publish(ManagementTests.small, "?note=F%C3%BCnf")
      try await PeopleTests.make(server, "anna", .owner)
      let anna = try await PeopleTests.browser(server, "anna")
      #expect(try await anna.send(.PUT, "/api/v2/settings", [], #"{"slots": {"count": 2}}"#).status == 201)
      let hook = #"{"url":"http://127.0.0.1:1/","kinds":["changes"]}"#
      #expect(
        try await server.send(.POST, "/api/v2/webhooks", [server.basic], body: Array(hook.utf8)).status == 201)
      let secret = try await server.register("install-1")
      #expect(try await WhyTests.send(server, secret, WhyTests.recording()).status == 204)
      let batch = TestEvents.batch([
        TestEvents.shown(1), TestEvents.enter(2, visit: "v"), TestEvents.exit(3, visit: "v"),
      ])
      #expect(try await server.post("install-1", secret, batch).status == 200)
      func rows(_ storage: any SQLDatabase) async throws -> [String] {
        try await storage.read { session in
          let feed = try session.rows(
            "SELECT number, note, json, json_gzip FROM publication JOIN revision ON revision = key ORDER BY number"
          )
          .map { "\($0.integer(0) ?? 0) \($0.text(1) ?? "") \($0.bytes(2) ?? []) \($0.bytes(3) ?? [])" }
          let events = try session.rows("SELECT sequence, json FROM event ORDER BY sequence").map { $0.text(1) ?? "" }
          return feed + events + ["\(try session.statistics(ofApp: 1).map { "\($0) \($1.all)" }.sorted())"]
        }
      }
      let before = try await rows(server.storage)
      try await TestDatabase.postgres.with { target in
        try await DatabaseMove(from: server.storage, to: target).run()
        #expect(try await rows(target) == before)
        // Keys go on behind those that are there, the key of the app works, and the counts are right.
        try await target.write {
          try $0.add(AuditRecord(time: 1, actor: "command", action: "put", object: "region a"), ofApp: 1)
        }
        let app = try #require(try await PrivateKeys(target) { 1 }.app(id: "shop", key: server.app.key)).app
        #expect(try await Apps.recount(app, target) == [])
        await #expect(throws: StorageError.self) { try await DatabaseMove(from: server.storage, to: target).run() }
        await #expect(throws: StorageError.self) { try await DatabaseMove(from: target, to: server.storage).run() }
      }
    }
  }

  @Test(arguments: TestDatabase.allCases) func aNewerSchemaIsRefused(_ database: TestDatabase) async throws {
    try await database.with { storage in
      try await storage.write { try $0.run("UPDATE meta SET number = 999 WHERE name = 'schema'") }
      await #expect(throws: StorageError.self) { try await Schema.migrate(storage) }
    }
  }

  @Test(arguments: TestDatabase.allCases) func valuesComeBackAsTheyWere(_ database: TestDatabase) async throws {
    try await database.with { storage in
      let app = try await app(storage)
      let bytes = (0..<256).map { UInt8($0) } + [0, 0x5C, 0x27]
      let all = RevisionRecord.Representations(json: bytes, jsonGzip: [], compiled: [0], compiledGzip: bytes)
      let key = try await storage.write {
        try $0.addRevision(digest: "d'\"\\ü", all, regions: .max, campaigns: 0, ofApp: app.key, at: -1)
      }
      let found = try #require(try await storage.read { try $0.revision(key) })
      #expect(found.digest == "d'\"\\ü" && found.regions == .max)
      #expect(found.representations.json == bytes && found.representations.jsonGzip == [])
      #expect(found.representations.compiledGzip == bytes)
    }
  }

  @Test(arguments: TestDatabase.allCases) func anErrorTakesBackAll(_ database: TestDatabase) async throws {
    try await database.with { storage in
      await #expect(throws: TestFault.self) {
        try await storage.write { session in
          try session.createApp(id: "a", name: "a", token: "t", pollAfter: 60, at: 1)
          throw TestFault("no")
        }
      }
      let apps = try await storage.read { try $0.apps() }
      #expect(apps.isEmpty)
      // The connection is good for the next one.
      _ = try await app(storage)
    }
  }

  @Test(arguments: TestDatabase.allCases) func aSecondOfOneKeyIsAConflict(_ database: TestDatabase) async throws {
    try await database.with { storage in
      _ = try await app(storage)
      await #expect {
        try await storage.write { try $0.createApp(id: "a", name: "b", token: "u", pollAfter: 60, at: 1) }
      } throws: { error in
        if case .conflict? = error as? StorageError { true } else { false }
      }
    }
  }

  @Test(arguments: TestDatabase.allCases) func eventsAreThereOnce(_ database: TestDatabase) async throws {
    try await database.with { storage in
      let app = try await app(storage)
      let key = try await installation(storage, app)
      let events = (1...45).map { event(Int64($0)) }
      func take(_ events: [EventRecord]) async throws -> Set<Int64> {
        try await storage.write {
          try $0.take([EventBatch(app: app.key, installation: key, events: events)], at: 5)[0]
        }
      }
      #expect(try await take(events) == Set(1...45))
      #expect(try await take(events).isEmpty)
      // One request that has an event twice.
      #expect(try await take([event(46), event(46), event(3), event(47)]) == [46, 47])
      let kept = try await storage.read { try $0.statistics(ofApp: app.key) }
      #expect(kept.values.map(\.all.number) == [47])
    }
  }

  /// Random lives: duplicates, any order, exits before their enters, erasure. What is kept equals a recount.
  @Test(arguments: TestDatabase.allCases) func statisticsEqualARecount(_ database: TestDatabase) async throws {
    try await database.with { storage in
      let app = try await app(storage)
      var random = SplitMix(7)
      var keys: [Int64] = []
      for number in 0..<4 { keys.append(try await installation(storage, app, "i-\(number)")) }
      for round in 0..<60 {
        let key = keys[random.below(keys.count)]
        let events = (0..<random.below(30)).map { _ -> EventRecord in
          let sequence = Int64(random.below(300)) + 1
          let visit = "v\(sequence / 4)"
          switch sequence % 4 {
          case 0: return json(event(sequence, "region-enter", visit: visit, since: 1_772_366_400_000 + sequence))
          case 1: return json(event(sequence, "region-exit", visit: visit, since: 1_772_400_000_000 + sequence * 1000))
          case 2: return event(sequence, "notification-shown")
          default: return event(sequence, "notification-opened")
          }
        }.sorted { $0.sequence < $1.sequence }
        _ = try await storage.write {
          try $0.take([EventBatch(app: app.key, installation: key, events: events)], at: Int64(round))
        }
        if round == 40 {
          let first = try #require(try await storage.read { try $0.installation("i-0", ofApp: app.key) })
          try await storage.write { try $0.erase(first, ofApp: app.key) }
          keys.removeFirst()
        }
      }
      let record = try #require(try await storage.read { try $0.app(id: "a") })
      #expect(try await Apps.recount(record, storage) == [])
      let kept = try await storage.read { try $0.statistics(ofApp: app.key) }
      #expect(kept.keys.contains { $0.kind == "dwell" } && kept.values.contains { $0.erased.number > 0 })
      // The comparison finds a difference.
      try await storage.write { try $0.run("UPDATE statistic SET number = number + 1 WHERE kind = 'dwell'") }
      #expect(try await !Apps.recount(record, storage).isEmpty)
    }
  }

  private func json(_ event: EventRecord) -> EventRecord {
    var event = event
    event.json = "{\"since\":\"\(Statistics.text(event.since))\"}"
    return event
  }

  @Test(arguments: TestDatabase.allCases) func publicationsAtOnceHaveNumbersOfTheirOwn(_ database: TestDatabase)
    async throws
  {
    try await database.with { storage in
      _ = try await app(storage, "shop")
      let publisher = Publisher(storage) { 1_772_366_400_000 }
      let numbers = try await withThrowingTaskGroup(of: Int64.self) { group in
        for number in 0..<16 {
          group.addTask {
            let feed = Array(#"{"version":1,"revision":"\#(number)","regions":[],"campaigns":[]}"#.utf8)
            return try await publisher.publish(feed, toApp: "shop", PublicationRequest()).publication?.number ?? 0
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(numbers.sorted() == Array(1...16))
    }
  }

  @Test(arguments: TestDatabase.allCases) func oneIdempotencyKeyPublishesOnce(_ database: TestDatabase) async throws {
    try await database.with { storage in
      _ = try await app(storage, "shop")
      let publisher = Publisher(storage) { 1_772_366_400_000 }
      let feed = Array(#"{"version":1,"regions":[],"campaigns":[]}"#.utf8)
      var request = PublicationRequest()
      request.idempotencyKey = "k"
      let numbers = try await withThrowingTaskGroup(of: Int64.self) { [request] group in
        for _ in 0..<8 {
          group.addTask { try await publisher.publish(feed, toApp: "shop", request).publication?.number ?? 0 }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(numbers == Array(repeating: 1, count: 8))
    }
  }

  @Test(arguments: TestDatabase.allCases) func aScheduleIsDoneOnceByAllNodes(_ database: TestDatabase) async throws {
    try await database.with { storage in
      _ = try await app(storage, "shop")
      let clock = TestClock()
      let publisher = Publisher(storage) { clock.now }
      let feed = Array(#"{"version":1,"regions":[],"campaigns":[]}"#.utf8)
      var request = PublicationRequest()
      request.at = clock.now + 60_000
      let report = try await publisher.publish(feed, toApp: "shop", request)
      #expect(report.publication == nil && report.schedule != nil)
      #expect(try await publisher.runSchedule() == 0)
      clock.advance(seconds: 61)
      let done = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<6 { group.addTask { (try? await publisher.runSchedule()) ?? 0 } }
        return await group.reduce(0, +)
      }
      #expect(done == 1)
      let record = try #require(try await storage.read { try $0.app(id: "shop") })
      let all = try await storage.read { try $0.publications(ofApp: record.key) }
      #expect(all.map(\.kind) == [.scheduled])
    }
  }

  @Test func aBackupIsADatabase() async throws {
    try await TestDatabase.sqlite.with { storage in
      _ = try await app(storage)
      let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
      defer { try? FileManager.default.removeItem(atPath: path) }
      try await storage.backup(to: path)
      let copy = try SQLiteDatabase(path: path)
      let apps = try await copy.read { try $0.apps() }
      #expect(apps.map(\.id) == ["a"])
      await copy.close()
    }
  }

  @Test func announcementsReachOtherNodes() async throws {
    try await TestDatabase.postgres.with { storage in
      // The first call begins to listen.
      await storage.waitForAnnouncement(seconds: 1)
      async let waited: Void = storage.waitForAnnouncement(seconds: 60)
      _ = try await app(storage)
      // From the announcement on, whatever other tests do before.
      let announced = ContinuousClock.now
      await waited
      #expect(announced.duration(to: .now) < .seconds(10))
    }
  }
}

/// Numbers that look random, the same each time.
struct SplitMix {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ bits >> 31) % UInt64(limit))
  }
}
