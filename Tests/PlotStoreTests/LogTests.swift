import Foundation
import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// Transactions lie in a file beside the store before they are in its tables.
@Suite struct LogTests {
  /// The changes that a device has given its store.
  struct Commit {
    var changes: [Change]
    var state: State
    var outbox: [OutboxEntry]
    var delivered: Int64

    func write(to store: Store) throws {
      try store.commit(changes, of: state, outbox: outbox, delivered: delivered, waitsForDisk: false)
    }
  }

  private static func commits(seed: UInt64, steps: Int) throws -> [Commit] {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    var life = RandomLife(seed: seed, hasRadio: seed % 2 == 0)
    var commits: [Commit] = []
    device.observer = { commits.append($0) }
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    for _ in 0..<steps { try life.step(&device) }
    return commits
  }

  /// All that the tables say, with rows in the order of their numbers, which themselves may differ.
  private static func tables(_ path: String) throws -> [String] {
    let raw = try RawConnection(path)
    var lines: [String] = []
    for table in try raw.texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") where table != "log"
    {
      let columns = try raw.texts("SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'id' OR type = 'TEXT'")
      let hasId = try raw.integer("SELECT count(*) FROM pragma_table_info('\(table)') WHERE name = 'id'") == 1
      let row = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
      lines += try raw.texts("SELECT '\(table) ' || \(row) FROM \(table) ORDER BY \(hasId ? "id" : "1")")
    }
    return lines
  }

  /// Whether each transaction goes into the tables by itself, or any number of them together, the tables are the same.
  @Test(arguments: UInt64(200)..<206)
  func manyTogetherAreAsOneByOne(_ seed: UInt64) throws {
    var generator = SplitMix64(seed)
    let commits = try Self.commits(seed: seed, steps: 200)
    let folder = try Folder()
    let alone = try Store(path: folder.path("alone.db"))
    for end in commits.indices {
      try commits[end].write(to: alone)
      try alone.fold()
      guard generator.chance(0.04) || end == commits.count - 1 else { continue }
      let path = folder.path("\(end).db")
      let together = try Store(path: path)
      let share = [0, 0.01, 0.1].randomElement(using: &generator)!
      for commit in commits[...end] {
        try commit.write(to: together)
        if generator.chance(share) { try together.fold() }
      }
      #expect(!together.log!.isEmpty || share > 0 || end == 0)
      let (found, wanted) = (try together.load(), try alone.load())
      #expect(dump(found.state, lasting: true) == dump(wanted.state, lasting: true), "seed \(seed), commit \(end)")
      #expect(found.outbox.map(\.json) == wanted.outbox.map(\.json))
      together.close()
      let copy = folder.path("copy of \(end).db")
      for name in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: folder.path("alone.db" + name), toPath: copy + name)
      }
      #expect(try Self.tables(path) == Self.tables(copy), "seed \(seed), commit \(end)")
    }
  }

  /// The files as they are when a process ends at any moment, and what the store must say then.
  private static func ended(_ folder: Folder, commits: [Commit]) throws -> (
    files: [String: Data], states: [[String: String]]
  ) {
    let store = try Store(path: folder.path())
    var states = [dump(try store.load().state, lasting: true)]
    for commit in commits {
      try commit.write(to: store)
      states.append(dump(commit.state, lasting: true))
    }
    let files = try folder.contents()
    store.close()
    return (files, states)
  }

  private static func write(_ files: [String: Data], to folder: Folder) throws {
    for (name, data) in files { try data.write(to: URL(fileURLWithPath: folder.path(name))) }
  }

  private static let few: [Commit] = (1...12).map { number in
    var state = State()
    state.sequence = Int64(number)
    state.newest = Int64(number) * 1000
    for time in 1...number {
      state.history.apply(
        .display(
          Display(time: Int64(time), campaign: Identifier("c"), region: Identifier("r é"), visit: "v", tags: [])))
    }
    return Commit(changes: [.history(.display(state.history.displays.last!))], state: state, outbox: [], delivered: 0)
  }

  @Test func aProcessThatEndsLosesNothing() throws {
    let (here, there) = (try Folder(), try Folder())
    let (files, states) = try Self.ended(here, commits: Self.few)
    #expect(files.keys.sorted() == ["store.db", "store.db-log", "store.db-wal"])
    try Self.write(files, to: there)
    let store = try Store(path: there.path())
    #expect(try there.contents()["store.db-log"] == nil)
    #expect(try dump(store.load().state, lasting: true) == states.last)
    store.close()
    #expect(try there.contents().keys.sorted() == ["store.db"])
    #expect(try RawConnection(there.path()).integer("SELECT count(*) FROM display") == 12)
  }

  /// The lines are in the tables for certain only when all can be read.
  @Test func aStoreThatCannotBeReadKeepsItsLog() throws {
    let (here, there) = (try Folder(), try Folder())
    let (files, states) = try Self.ended(here, commits: Self.few)
    try Self.write(files, to: there)
    try RawConnection(there.path()).execute("INSERT INTO setting VALUES ('unheard of', 1)")
    let before = try there.contents()
    #expect(before["store.db-log"] == files["store.db-log"])
    #expect(failure(at: there.path()) == .damaged)
    #expect(try there.contents() == before)
    try RawConnection(there.path()).execute("DELETE FROM setting WHERE key = 'unheard of'")
    #expect(try dump(Store(path: there.path()).load().state, lasting: true) == states.last)
  }

  /// Between the moment at which lines are in the tables and that at which they are out of the log.
  @Test func linesAreInTheTablesOnce() throws {
    let (here, there) = (try Folder(), try Folder())
    let (files, states) = try Self.ended(here, commits: Self.few)
    var later = try here.contents()
    #expect(later.keys.sorted() == ["store.db"])
    later["store.db-log"] = files["store.db-log"]
    try Self.write(later, to: there)
    #expect(try dump(Store(path: there.path()).load().state, lasting: true) == states.last)
    #expect(try RawConnection(there.path()).integer("SELECT count(*) FROM display") == 12)
  }

  /// Bytes changed, and the file cut off, everywhere: what stands before is there, and nothing else.
  @Test func aDamagedLogEndsAtItsDamage() throws {
    let (here, there) = (try Folder(), try Folder())
    let (files, states) = try Self.ended(here, commits: Self.few)
    let log = try #require(files["store.db-log"])
    let used = try #require(log.lastIndex { $0 != 0 }) + 1
    #expect(used > 300 && used < 2000)
    var lengths: Set<Int> = []
    for position in Array(0..<60) + stride(from: 60, to: used * 2, by: 7) {
      var damaged = log
      let isCut = position >= used
      if isCut { damaged = damaged.prefix(position - used) } else { damaged[position] ^= UInt8(1 + position % 255) }
      for name in try there.contents().keys { try FileManager.default.removeItem(atPath: there.path(name)) }
      var all = files
      all["store.db-log"] = damaged
      try Self.write(all, to: there)
      if !isCut, position < LogFile.magic.count {
        #expect(failure(at: there.path()) == .damaged)
        #expect(try there.contents()["store.db-log"] == damaged)
        continue
      }
      let store = try Store(path: there.path())
      let state = dump(try store.load().state, lasting: true)
      store.close()
      let count = try #require(states.firstIndex(of: state), "position \(position), cut: \(isCut)")
      #expect(count < states.count - 1)
      lengths.insert(count)
    }
    #expect(lengths == Set(0..<12))
  }

  /// Lines that were made with care, as someone might: refused, and never read beyond their end.
  @Test func linesThatSayNonsense() throws {
    var generator = SplitMix64(6)
    let good = try Self.commits(seed: 3, steps: 40)
    var refused = 0
    for _ in 0..<3000 {
      var line = LogLine()
      line.begin(LogLine.Head(newest: 1, sequence: 1, lastToken: 1, delivered: 0))
      let store = try Store(image: Self.emptyImage)
      store.line = line
      for change in good.randomElement(using: &generator)!.changes.prefix(4) { store.write(change) }
      var bytes = store.line.bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let position = Int.random(in: LogLine.prefixSize..<bytes.count, using: &generator)
        bytes[position] = UInt8.random(in: 0...255, using: &generator)
      }
      if generator.chance(0.3) { bytes.removeLast(Int.random(in: 0...bytes.count - 13, using: &generator)) }
      do throws(StoreError) {
        var folding = Folding(into: store.database)
        try folding.add(bytes, 0..<bytes.count)
        try folding.finish()
      } catch {
        #expect(error.kind == .damaged, "\(error)")
        refused += 1
      }
    }
    #expect(refused >= 1300 && refused < 2999, "\(refused) refused")
  }

  private static let emptyImage: [UInt8] = {
    let folder = try! Folder()
    let store = try! Store(path: folder.path())
    defer { store.close() }
    return try! store.image()
  }()

  /// Another store's log, or one of a store that was deleted.
  @Test func aLogBelongsToItsStore() throws {
    let (here, there) = (try Folder(), try Folder())
    let (files, _) = try Self.ended(here, commits: Self.few)
    // No store, or an empty file.
    for main in [nil, Data()] {
      var alone = ["store.db-log": files["store.db-log"]!]
      alone["store.db"] = main
      try Self.write(alone, to: there)
      let store = try Store(path: there.path())
      #expect(try store.load().isNew && store.load().state.history.displays.isEmpty)
      store.close()
      #expect(try there.contents().keys.sorted() == ["store.db"])
      try FileManager.default.removeItem(atPath: there.path())
    }
    // One that has lived on.
    let lived = try Store(path: there.path())
    try lived.commit([.host(.enabled(true))], of: State(), outbox: [], delivered: 0)
    lived.close()
    try Self.write(["store.db-log": files["store.db-log"]!], to: there)
    let store = try Store(path: there.path())
    #expect(try store.load().state.history.displays.isEmpty)
    store.close()
  }

  /// Before the first fold no line has given the tables a seed: they have a random one from the start.
  @Test func aFreshStoreTakesNoOtherLog() throws {
    let (here, there, again) = (try Folder(), try Folder(), try Folder())
    let (files, _) = try Self.ended(here, commits: Self.few)
    // A process that has made a store, and ended before it took the old log away.
    let fresh = try Store(path: there.path())
    try fresh.database.execute("PRAGMA wal_checkpoint")
    var left = try there.contents()
    fresh.close()
    left["store.db-log"] = files["store.db-log"]
    try Self.write(left, to: again)
    let store = try Store(path: again.path())
    #expect(try store.load().isNew && store.load().state.history.displays.isEmpty)
    store.close()
  }

  /// A store of version 4 that an earlier library has made, with lines in its log or none: what it holds stays, and it has a seed from then on.
  @Test(arguments: [0, 3])
  func aStoreWithoutASeedGetsOne(_ count: Int) throws {
    let (here, there) = (try Folder(), try Folder())
    let store = try Store(path: here.path())
    try store.database.execute("DELETE FROM log")
    (store.seed, store.last) = (0, 0)
    for commit in Self.few[..<count] { try commit.write(to: store) }
    var files = try here.contents()
    store.close()
    try Self.write(files, to: there)
    #expect(try Store(path: there.path()).load().state.history.displays.count == count)
    #expect(try RawConnection(there.path()).integer("SELECT count(*) FROM log WHERE seed <> 0") == 1)
    // The log of the other one follows 0, too.
    files = try Self.ended(try Folder(), commits: Self.few).files.filter { $0.key == "store.db-log" }
    try Self.write(files, to: there)
    #expect(try Store(path: there.path()).load().state.history.displays.count == count)
  }

  /// The random seed of a store is not in the image that a recording begins with.
  @Test func theSameLifeGivesTheSameImage() throws {
    var images: [Int: Set<[UInt8]>] = [:]
    // SQLite keeps a small number in fewer bytes.
    for seed in [0, 1, 200, 1 << 20, 1 << 45, UInt64.max, 0x9E37_79B9_7F4A_7C15, 1 << 63] {
      for count in [0, 1, 12] {
        let folder = try Folder()
        let store = try Store(path: folder.path(), seed: seed)
        for commit in Self.few[..<count] { try commit.write(to: store) }
        let image = try store.image()
        images[count, default: []].insert(image)
        #expect(try Store.contents(ofImage: image, zones: ZoneFiles()).state.history.displays.count == count)
        #expect(try Store(image: image).seed == 0)
        // It is as it was otherwise, and goes on.
        #expect(try store.image() == image && (store.seed != 0 || seed == 0))
        try Self.few[0].write(to: store)
        store.close()
      }
    }
    #expect(images.count == 3 && images.values.allSatisfy { $0.count == 1 })
    // Nor does it show in the page which seeds there were before.
    let (short, long) = (UInt64(1) << 45, UInt64(1) << 60)
    var pages: Set<[UInt8]> = []
    for seeds in [
      [long], [short], [1], [long, short], [short, long], [long, short, long], [long, 1, short], [short, 1],
    ] {
      let folder = try Folder()
      let store = try Store(path: folder.path(), seed: seeds[0])
      for seed in seeds.dropFirst() { try store.writeSeed(seed) }
      pages.insert(try store.image())
      store.close()
    }
    #expect(pages.count == 1)
  }

  /// No log of ours is so long: it is not read into memory, let alone all of it.
  @Test func aLogLongerThanTheMemoryIsNotRead() throws {
    let (here, there) = (try Folder(), try Folder())
    let (files, states) = try Self.ended(here, commits: Self.few)
    try Self.write(files, to: there)
    try #require(truncate(there.path("store.db-log"), 40 << 30) == 0)
    #expect(try dump(Store(path: there.path()).load().state, lasting: true) == states.last)
    #expect(try there.contents().keys.sorted() == ["store.db"])
  }

  @Test func whatIsNoFileIsRefusedAtOnce() throws {
    let folder = try Folder()
    for (kind, make) in [
      ("a pipe", { (path: String) in mkfifo(path, 0o600) }), ("a folder", { mkdir($0, 0o700) }),
      ("a link to a device", { symlink("/dev/zero", $0) }), ("a link to nowhere", { symlink("/nowhere/at/all", $0) }),
    ] {
      #expect(make(folder.path("odd.db")) == 0)
      #expect(failure(at: folder.path("odd.db")) == .failed, "\(kind)")
      remove(folder.path("odd.db"))
      try Store(path: folder.path()).close()
      #expect(make(folder.path("store.db-log")) == 0)
      #expect(failure(at: folder.path()) == .failed, "\(kind) in the log's place")
      remove(folder.path("store.db-log"))
    }
    #expect(failure(at: folder.path()) == nil)
  }

  @Test func anotherFileInTheLogsPlaceIsLeftAlone() throws {
    let folder = try Folder()
    try Store(path: folder.path()).close()
    let letter = Data("Dear all, this is a letter.".utf8)
    try letter.write(to: URL(fileURLWithPath: folder.path("store.db-log")))
    let error = #expect(throws: StoreError.self) { try Store(path: folder.path()) }
    #expect(
      error
        == StoreError(kind: .damaged, message: "\(folder.path("store.db-log")): the file is not a log of this library"))
    #expect(try folder.contents()["store.db-log"] == letter)
  }

  /// The log lies beside the file, whatever the file was called by.
  @Test func aLinkLeadsToTheSameLog() throws {
    let (here, there) = (try Folder(), try Folder())
    try FileManager.default.createSymbolicLink(atPath: here.path("link.db"), withDestinationPath: here.path())
    try Store(path: here.path()).close()
    let store = try Store(path: here.path("link.db"))
    try Self.few[0].write(to: store)
    var files = try here.contents()
    #expect(files.keys.sorted() == ["link.db", "store.db", "store.db-log", "store.db-wal"])
    files["link.db"] = nil
    try Self.write(files, to: there)
    store.close()
    #expect(try Store(path: there.path()).load().state.history.displays.count == 1)
  }

  /// However much is written, the log stays short, and is zeros where it was.
  @Test func aLongLogGoesIntoTheTables() throws {
    let folder = try Folder()
    let store = try Store(path: folder.path())
    var state = State()
    var sizes: [Int] = []
    let text = String(repeating: "abcdefgh", count: 500)
    for number in 1...300 {
      state.host.apply(.property(Identifier("p\(number % 7)"), .string("\(text)\(number)")))
      try store.commit(
        [.host(.property(Identifier("p\(number % 7)"), .string("\(text)\(number)")))], of: state, outbox: [],
        delivered: 0, waitsForDisk: false)
      sizes.append(store.log!.end)
    }
    #expect(sizes.max()! <= Store.longestLog && zip(sizes, sizes.dropFirst()).contains { $0 > $1 })
    let log = try #require(try folder.contents()["store.db-log"])
    #expect(log.count <= Store.longestLog + 1 << 16 && log[store.log!.end...].allSatisfy { $0 == 0 })
    #expect(try dump(store.load().state, lasting: true) == dump(state, lasting: true))
    store.close()
  }
}
