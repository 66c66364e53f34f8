import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStore

/// Files that are not a store, or not any more.
@Suite struct DamageTests {
  /// A store with something in every table.
  static func life(_ seed: UInt64, at path: String, steps: Int = 100) throws {
    var device = try Device(path: path)
    var life = RandomLife(seed: seed)
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    for _ in 0..<steps { try life.step(&device) }
    device.store.close()
  }

  @Test func randomBytesAreLeftAlone() throws {
    var generator = SplitMix64(1)
    for size in [2, 15, 16, 99, 100, 101, 512, 4096, 100_000] {
      let folder = try Folder()
      let bytes = Data((0..<size).map { _ in UInt8.random(in: 1...255, using: &generator) })
      try bytes.write(to: URL(fileURLWithPath: folder.path()))
      #expect(failure(at: folder.path()) == .damaged, "\(size) bytes")
      #expect(try folder.contents() == ["store.db": bytes], "\(size) bytes")
    }
  }

  @Test func textIsNoStore() throws {
    let folder = try Folder()
    let text = Data("{\"publicToken\": \"REPLACE_ME\"}\n".utf8)
    try text.write(to: URL(fileURLWithPath: folder.path()))
    let error = #expect(throws: StoreError.self) { try Store(path: folder.path()) }
    #expect(error?.kind == .damaged)
    #expect(error?.message == "\(folder.path()): the file is not a store, or is damaged")
    #expect(try folder.contents() == ["store.db": text])
  }

  @Test func anEmptyFileBecomesAStore() throws {
    let folder = try Folder()
    try Data().write(to: URL(fileURLWithPath: folder.path()))
    #expect(failure(at: folder.path()) == nil)
    #expect(try RawConnection(folder.path()).integer("PRAGMA application_id") == Store.applicationId)
  }

  @Test(arguments: ["", "PRAGMA application_id = 7;", "PRAGMA journal_mode = WAL;", "PRAGMA user_version = 1;"])
  func anotherDatabaseIsLeftAlone(_ extra: String) throws {
    let folder = try Folder()
    do { try RawConnection(folder.path()).execute(extra + "CREATE TABLE setting (a); INSERT INTO setting VALUES (1)") }
    let before = try folder.contents()
    #expect(before.count == 1)
    let error = #expect(throws: StoreError.self) { try Store(path: folder.path()) }
    #expect(error?.kind == .damaged)
    #expect(error?.message == "\(folder.path()): the file is not a store of this library")
    #expect(try folder.contents() == before)
    #expect(try RawConnection(folder.path()).integer("SELECT count(*) FROM setting") == 1)
  }

  @Test func aNewerStoreIsLeftAlone() throws {
    let folder = try Folder()
    try Self.life(2, at: folder.path())
    do {
      let raw = try RawConnection(folder.path())
      #expect(try raw.integer("PRAGMA user_version") == Store.version)
      try raw.execute("PRAGMA user_version = \(Store.version + 1)")
    }
    let before = try folder.contents()
    #expect(before.keys.sorted() == ["store.db", "store.db-feed", "store.db-page"])
    let error = #expect(throws: StoreError.self) { try Store(path: folder.path()) }
    #expect(error?.kind == .newer)
    #expect(
      error?.message
        == "\(folder.path()): the file has version \(Store.version + 1), this library knows \(Store.version)")
    #expect(try folder.contents() == before)
    try RawConnection(folder.path()).execute("PRAGMA user_version = \(Store.version)")
    #expect(failure(at: folder.path()) == nil)
  }

  /// The last changes of another program may still lie in the log beside the file; refusing the file must not move it.
  @Test func aLogBesideAnotherDatabaseIsLeftAlone() throws {
    let folder = try Folder()
    let crashed = try Folder()
    do {
      let raw = try RawConnection(folder.path())
      try raw.execute("PRAGMA journal_mode = WAL; CREATE TABLE letters (a); INSERT INTO letters VALUES (1)")
      for (name, data) in try folder.contents() where !name.hasSuffix("-shm") {
        try data.write(to: URL(fileURLWithPath: crashed.path(name)))
      }
    }
    let before = try crashed.contents()
    #expect(before.keys.sorted() == ["store.db", "store.db-wal"])
    #expect(failure(at: crashed.path()) == .damaged)
    #expect(try crashed.contents() == before)
    #expect(try RawConnection(crashed.path()).integer("SELECT count(*) FROM letters") == 1)
  }

  @Test func aFileOfAFewBytesIsLeftAlone() throws {
    let folder = try Folder()
    try Data([0x0A]).write(to: URL(fileURLWithPath: folder.path()))
    #expect(failure(at: folder.path()) == .damaged)
    #expect(try folder.contents() == ["store.db": Data([0x0A])])
  }

  /// A record that this library would not have written.
  @Test(arguments: [
    "INSERT INTO setting VALUES ('unheard of', 1)", "UPDATE setting SET value = -1 WHERE key = 'newest'",
    "INSERT OR REPLACE INTO setting VALUES ('cooldownPeriod', -5)",
    "INSERT INTO property VALUES ('k', 'colour', 1)", "INSERT INTO property VALUES ('k', 'integer', 'five')",
    "INSERT INTO intent (match, visit, item) VALUES ('m', 'v', '{}')",
    "INSERT INTO sent (match, geotrigger, visit, item) VALUES ('m', 0, 'v', 'no JSON')",
    "INSERT OR REPLACE INTO feed VALUES (1, 'digest', '{\"version\": 2}')",
    "INSERT OR REPLACE INTO visit VALUES ('r', 1, -1, 0, '', '', NULL, NULL)",
    "INSERT INTO outbox VALUES (1000000, '{}', NULL, '{\"campaignId\": 5}')",
  ])
  func recordsThatCannotBeRead(_ sql: String) throws {
    let folder = try Folder()
    try Self.life(3, at: folder.path())
    try RawConnection(folder.path()).execute(sql)
    let before = try folder.contents()
    #expect(failure(at: folder.path()) == .damaged)
    #expect(try folder.contents() == before)
  }

  /// Cut off anywhere, or with bytes overwritten: an error, or contents that can be read, but never a crash.
  @Test func truncatedAndOverwrittenFiles() throws {
    var generator = SplitMix64(4)
    let folder = try Folder()
    try Self.life(5, at: folder.path())
    let good = try Data(contentsOf: URL(fileURLWithPath: folder.path()))
    let intact = try Store(path: folder.path()).load()
    var kinds: [String: Int] = [:]
    for round in 0..<200 {
      var bytes = good
      if round % 2 == 0 {
        bytes.removeLast(Int.random(in: 1...good.count, using: &generator))
      } else {
        for _ in 0..<Int.random(in: 1...40, using: &generator) {
          let start = Int.random(in: 0..<good.count, using: &generator)
          for position in start..<min(good.count, start + Int.random(in: 1...64, using: &generator)) {
            bytes[position] = UInt8.random(in: 0...255, using: &generator)
          }
        }
      }
      let path = folder.path("round \(round).db")
      try bytes.write(to: URL(fileURLWithPath: path))
      let kind = failure(at: path)
      kinds[kind.map { "\($0)" } ?? "read", default: 0] += 1
      // An empty file is a new one; a shorter one never passes as whole.
      if round % 2 == 0, !bytes.isEmpty { #expect(kind == .damaged, "\(bytes.count) of \(good.count) bytes") }
      if kind == .damaged { #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes, "round \(round)") }
      try? FileManager.default.removeItem(atPath: path)
    }
    #expect(kinds["damaged", default: 0] > 100, "\(kinds)")
    #expect(kinds["busy"] == nil && kinds["newer", default: 0] < 20, "\(kinds)")
    #expect(dump(try Store(path: folder.path()).load().state, lasting: true) == dump(intact.state, lasting: true))
  }
}
