internal import Glibc
internal import PlotCore
public import PlotDocuments

/// A damaged store does not silence an app for ever: its files get other names, and a new store takes their place, with what can still be
/// read (docs/store.md, A store that is set aside).
extension Store {
  /// Which file a path leads to.
  public struct Identity: Sendable {
    fileprivate let file: HeldFiles.File?

    public init(path: String) { file = HeldFiles.File(path: path) }
  }

  /// Puts a new store in the place of a damaged one, whose file and what belongs to it are found under `-damaged` from then on. Killed at any
  /// instant, it is done again by the next start, or is done. Does nothing where the path leads to another file meanwhile.
  ///
  /// Throws for a file that shows no sign of a store, and where the new one cannot be written; the old one is as it was then.
  public static func setAside(
    _ path: String, _ damaged: Identity, seed: UInt64, zones: ZoneFiles = ZoneFiles()
  ) throws(StoreError) {
    let names = try StoreNames(path)
    let lock = try StoreLock(path: names.base)
    defer { lock.release() }
    guard HeldFiles.File(path: names.base) == damaged.file else { return }
    names.removeScratch()
    defer { names.removeScratch() }
    try names.copyToRead()
    let old = try DamagedTables(names)
    let new = try Store(path: names.replacement, seed: seed)
    defer { new.close() }
    var salvage = Salvage(of: old, into: new, zones)
    try salvage.takeOver(names.source("-log"))
    old.close()
    new.close()
    try names.swap()
  }

  /// Which parts the store lacks something of; nil where it was not made in the place of a damaged one, or where that was told.
  func loadLoss() throws(StoreError) -> [StorePart]? {
    var parts: [StorePart]?
    try database.run("SELECT parts FROM loss") { row throws(StoreError) in
      parts = (row[0].text ?? "").split(separator: " ").compactMap { StorePart(rawValue: String($0)) }
    }
    return parts
  }
}

/// The files of a store, and those that are there while it is set aside.
struct StoreNames {
  /// Where the file is when all links are followed.
  let base: String
  private static let ends = ["", "-log", "-wal", "-journal", "-page"]

  /// What the damaged store is called afterwards.
  var aside: String { base + "-damaged" }
  /// A copy that SQLite may write to.
  var copy: String { base + "-salvage" }
  var replacement: String { base + "-replacement" }

  init(_ path: String) throws(StoreError) {
    guard let real = unsafe realpath(path, nil) else { throw .system(path, errno) }
    base = unsafe String(cString: real)
    unsafe free(real)
  }

  /// Of a path whose links are followed.
  init(resolved path: String) { base = path }

  private func isThere(_ name: String) -> Bool { HeldFiles.File(path: name) != nil }

  /// A damaged file: one that has got its new name already, by a start that was ended, or the one in its place.
  func source(_ end: String) -> String {
    let isBegun = HeldFiles.File(path: aside) == HeldFiles.File(path: base)
    return isBegun && isThere(aside + end) ? aside + end : base + end
  }

  func removeScratch() {
    for name in [copy, replacement] { remove(name, Self.ends + ["-shm"]) }
  }

  /// What a store that was set aside has left is about the person, too.
  func removeAside() {
    remove(aside, Self.ends)
    removeScratch()
  }

  private func remove(_ name: String, _ ends: [String]) {
    for end in ends { unsafe unlink(name + end) }
  }

  func copyToRead() throws(StoreError) {
    for end in ["", "-wal", "-journal"] {
      do throws(FileError) {
        let name = source(end)
        if isThere(name) { try Self.copy(name, to: copy + end) }
      } catch {
        throw StoreError(kind: .failed, message: "\(copy + end): \(error.reason)")
      }
    }
  }

  private static func copy(_ name: String, to copy: String) throws(FileError) {
    let bytes = try TextFile.read(name, limit: .max)
    let file = try PlainFile.open(copy, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(file) }
    var at = 0
    while at < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress! + at, bytes.count - at) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last(copy) }
      at += count
    }
  }

  /// The damaged files get their new names, and the replacement its own. A hard link first, so that a store lies at the path at every
  /// instant; a file system without links has an instant in which there is none.
  func swap() throws(StoreError) {
    if HeldFiles.File(path: aside) != HeldFiles.File(path: base) { remove(aside, Self.ends) }
    for end in Self.ends where isThere(base + end) && !isThere(aside + end) {
      if unsafe link(base + end, aside + end) == 0 { continue }
      guard unsafe rename(base + end, aside + end) == 0 else { throw .system(base + end, errno) }
    }
    // Before the new file is there, which SQLite would take them for a part of.
    remove(base, Self.ends.filter { !$0.isEmpty })
    guard unsafe rename(replacement, base) == 0 else { throw .system(base, errno) }
    try LogFile.syncFolder(of: base)
  }
}

/// A copy of a damaged file, as far as SQLite can read it.
private final class DamagedTables {
  /// Nil where it can read nothing.
  private let database: Database?
  /// Pages that name each other make rows without end. No row takes fewer bytes than this.
  private let mostRows: Int
  private static let leastRow = 8

  init(_ names: StoreNames) throws(StoreError) {
    mostRows =
      Self.bytes(names.copy, .max).count / Self.leastRow + Self.bytes(names.copy + "-wal", .max).count / Self.leastRow
    database = try Self.opened(names.copy)
    guard isStore(names) else {
      close()
      throw StoreError(kind: .damaged, message: "\(names.base): the file shows no sign of a store, and is left alone")
    }
  }

  func close() { database?.close() }

  private static func opened(_ path: String) throws(StoreError) -> Database? {
    let lock = try StoreLock(path: path)
    guard lock.size >= 100 else {
      lock.release()
      return nil
    }
    do throws(StoreError) {
      let database = try Database(path: path, lock: lock)
      // SQLite reads what it can, also where the schema or the size is not as it should be, and runs nothing that the schema names.
      try database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA writable_schema = ON")
      var version: Int64 = 0
      try database.run("PRAGMA user_version") { version = $0[0].integer ?? 0 }
      if (1..<Store.version).contains(version) { bringUp(database, from: version) }
      return database
    } catch {
      guard error.kind == .damaged else { throw error }
      return nil
    }
  }

  /// What cannot be brought up to this version is read as it is.
  private static func bringUp(_ database: Database, from version: Int64) {
    do throws(StoreError) {
      try database.execute("BEGIN IMMEDIATE")
      for statements in Store.schema[Int(version)...] { try database.execute(statements) }
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
    }
  }

  /// A file that somebody has named by mistake must not be moved. A store has our number or our tables, or, where SQLite can read nothing,
  /// what is left of SQLite's first words or of our schema, zeros only (after a loss of power), or a page of ours beside it.
  private func isStore(_ names: StoreNames) -> Bool {
    if let database {
      var (number, tables): (Int64, Int64) = (0, 0)
      try? database.run("PRAGMA application_id") { number = $0[0].integer ?? 0 }
      try? database.run("SELECT count(*) FROM sqlite_schema WHERE name IN ('visit', 'sent', 'outbox')") {
        tables = $0[0].integer ?? 0
      }
      if number == Store.applicationId || tables > 0 { return true }
      var others: Int64?
      try? database.run("SELECT count(*) FROM sqlite_schema") { others = $0[0].integer }
      if let others, others > 0 { return false }
    }
    let first = Self.bytes(names.source(""), .max)
    let mark = Array("SQLite format 3\0".utf8)
    let page = Self.bytes(names.source("-page"), 8)
    // A part of the schema.
    let table = Array("CREATE TABLE outbox".utf8)
    return first.prefix(mark.count).elementsEqual(mark.prefix(first.count)) || first.allSatisfy { $0 == 0 }
      || page.elementsEqual(Array("PlotPage".utf8))
      || first.indices.contains { first[$0] == table[0] && first[$0...].starts(with: table) }
  }

  private static func bytes(_ path: String, _ count: Int) -> [UInt8] {
    do throws(FileError) { return Array(try TextFile.read(path, limit: .max).prefix(count)) } catch { return [] }
  }

  /// The rows that can be read, from both ends, and whether they are all that there ever were. `keys` are those of the same table of ours: a name
  /// from a damaged file never gets into SQL.
  func rows(of table: String, keys: String) -> (rows: [[Column]], isWhole: Bool) {
    guard let database else { return ([], false) }
    func read(_ order: String, into rows: inout [[Column]]) throws(StoreError) {
      try database.run("SELECT * FROM \(table) \(order)") { row throws(StoreError) in
        guard rows.count < mostRows else { throw .unreadableRecord }
        rows.append(row)
      }
    }
    var rows: [[Column]] = []
    do throws(StoreError) {
      try read("", into: &rows)
    } catch {
      var last: [[Column]] = []
      try? read("ORDER BY \(keys)", into: &last)
      return (rows + last.reversed(), false)
    }
    var answer = ""
    try? database.run("PRAGMA quick_check('\(table)')") { if answer.isEmpty { answer = $0[0].text ?? "" } }
    return (rows, answer == "ok")
  }
}

/// Brings what can be read of a damaged store into a new one, row by row where it must be.
private struct Salvage {
  private let old: DamagedTables
  private let new: Store
  private let zones: ZoneFiles
  private var lost: Set<StorePart> = []

  init(of old: DamagedTables, into new: Store, _ zones: ZoneFiles) {
    (self.old, self.new, self.zones) = (old, new, zones)
  }

  /// The tables, then the log's lines, then what the store says of itself.
  mutating func takeOver(_ log: String) throws(StoreError) {
    try new.database.execute("BEGIN IMMEDIATE")
    do {
      for (part, table) in Self.tables {
        let found = old.rows(of: table, keys: order(of: table))
        let isAll = try add(found.rows[...], to: table)
        if !found.isWhole || !isAll { lost.insert(part) }
      }
      if try !addLines(of: log) { lost.insert(.log) }
      try mend()
      let parts = StorePart.allCases.filter(lost.contains).map(\.rawValue).joined(separator: " ")
      try new.database.run("INSERT INTO loss VALUES (1, ?)", [.text(parts)])
      try new.database.execute("COMMIT")
    } catch {
      try? new.database.execute("ROLLBACK")
      throw error
    }
  }

  private static let tables: [(StorePart, String)] = {
    let owners: [(StorePart, OwnedTables)] = [
      (.settings, Store.conductorTables), (.visits, Store.presenceTables), (.displays, Store.historyTables),
      (.open, Store.deliveryTables), (.screen, Store.screenTables), (.messages, Store.messageTables),
      (.host, Store.hostTables),
    ]
    // The page, the log's seed and what was lost are of the file itself.
    let files = ["page", "log", "loss"]
    return owners.flatMap { (part, owned) in
      (owned.tables + owned.lastingTables).filter { !files.contains($0) }.map { table in
        switch table {
        case "sent": (.sent, table)
        case "feed": (.feed, table)
        case "outbox": (.events, table)
        default: (part, table)
        }
      }
    }
  }()

  /// Descending in the order of the rows of a table.
  private func order(of table: String) -> String {
    var keys: [String] = []
    try? new.database.run("PRAGMA table_info('\(table)')") {
      if let name = $0[1].text, $0[5].integer ?? 0 > 0 { keys.append(name + " DESC") }
    }
    return keys.isEmpty ? "rowid DESC" : keys.joined(separator: ", ")
  }

  /// Adds rows with which the store can be read; false where it cannot with each of them.
  private func add(_ rows: ArraySlice<[Column]>, to table: String) throws(StoreError) -> Bool {
    guard let first = rows.first else { return true }
    let isAdded = try attempt { () throws(StoreError) in
      let values = Array(repeating: "?", count: first.count).joined(separator: ", ")
      for row in rows { try new.database.run("INSERT OR IGNORE INTO \(table) VALUES (\(values))", row) }
      switch table {
      case "feed": _ = try new.loadFeed(zones, nil, .present)
      case "outbox": _ = try new.loadOutbox()
      default: _ = try new.state(zones)
      }
    }
    if isAdded { return true }
    if rows.count > 1 {
      let middle = rows.startIndex + rows.count / 2
      _ = try add(rows[..<middle], to: table)
      _ = try add(rows[middle...], to: table)
    }
    return false
  }

  /// Adds the lines of a log that follow what the tables said; false where something in it does not.
  private func addLines(of path: String) throws(StoreError) -> Bool {
    let log = LogFile(path: path)
    defer { log.close() }
    var found: [UInt8]?
    do throws(StoreError) { found = try log.left() } catch {
      guard error.kind == .damaged else { throw error }
      return false
    }
    guard let bytes = found, bytes.dropFirst(LogFile.magic.count).contains(where: { $0 != 0 }) else { return true }
    guard let seed = old.rows(of: "log", keys: "id").rows.first?.last?.integer else { return false }
    let (lines, _) = LogLine.lines(in: bytes, from: LogFile.magic.count, after: UInt64(bitPattern: seed))
    guard !lines.isEmpty else { return false }
    return try attempt { () throws(StoreError) in
      var folding = Folding(into: new.database)
      for line in lines { try folding.add(bytes, line) }
      try folding.finish()
      _ = try new.state(zones)
      _ = try new.loadFeed(zones, nil, .present)
      _ = try new.loadOutbox()
    }
  }

  /// All of it, or nothing where the store could not be read with it.
  private func attempt(_ body: () throws(StoreError) -> Void) throws(StoreError) -> Bool {
    try new.database.execute("SAVEPOINT part")
    do throws(StoreError) {
      try body()
      try new.database.execute("RELEASE part")
      return true
    } catch {
      try new.database.execute("ROLLBACK TO part; RELEASE part")
      guard error.kind == .damaged else { throw error }
      return false
    }
  }

  /// What parts say of each other.
  private func mend() throws(StoreError) {
    try new.database.execute(
      """
      INSERT OR REPLACE INTO ordinal SELECT region, ordinal FROM visit
        WHERE ordinal > coalesce((SELECT value FROM ordinal AS known WHERE known.region = visit.region), 0);
      DELETE FROM batch_item WHERE token NOT IN (SELECT token FROM batch);
      INSERT OR REPLACE INTO setting SELECT 'sequence', sequence FROM outbox
        WHERE sequence = (SELECT max(sequence) FROM outbox)
          AND sequence > coalesce((SELECT value FROM setting WHERE key = 'sequence'), 0);
      INSERT OR REPLACE INTO setting SELECT 'lastToken', token FROM batch
        WHERE token = (SELECT max(token) FROM batch)
          AND token > coalesce((SELECT value FROM setting WHERE key = 'lastToken'), 0)
      """)
    guard lost.contains(.visits) || lost.contains(.settings) || lost.contains(.log) else { return }
    // Who is inside at the next fix may have been for long, and was told so: that is as with a region that a feed's update brings.
    try new.database.execute("INSERT OR REPLACE INTO setting VALUES ('baseline', 1)")
    guard let regions = try new.loadFeed(zones, nil, .present)?.regions else { return }
    for index in regions.indices {
      try new.database.run(
        "INSERT OR IGNORE INTO new_region SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM visit WHERE region = ?1)",
        [.text(regions.id(at: index).text)])
    }
  }
}
