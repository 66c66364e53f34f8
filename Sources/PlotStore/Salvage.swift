internal import PlotCore
internal import PlotDocuments
internal import PlotFiles

/// A copy of a damaged file, as far as SQLite can read it.
final class DamagedTables {
  /// Nil where it can read nothing.
  private let database: Database?
  /// Pages that name each other make rows without end. No row takes fewer bytes than this.
  private let mostRows: Int
  private static let leastRow = 8

  /// `size`: how many bytes the copy has, with what lies beside it.
  init(_ names: StoreNames, size: Int) throws(StoreError) {
    mostRows = size / Self.leastRow
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
      let version = try database.pragma("user_version")
      if (1..<Store.version).contains(version) { bringUp(database, from: version) }
      return database
    } catch {
      guard error.kind == .damaged else { throw error }
      return nil
    }
  }

  /// A table that cannot be brought up to this version is read as it is.
  private static func bringUp(_ database: Database, from version: Int64) {
    do throws(StoreError) {
      try database.execute("BEGIN IMMEDIATE")
      try Store.bringUp(database, from: version)
      try database.execute("COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
    }
  }

  /// A file that somebody has named by mistake must not be moved. A store has our number or our tables, or, where SQLite can read nothing,
  /// what is left of SQLite's first words or of our schema, zeros only (after a loss of power), or a page or a log of ours beside it.
  private func isStore(_ names: StoreNames) -> Bool {
    if let database {
      let number = try? database.pragma("application_id")
      var tables: Int64 = 0
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
    if first.prefix(mark.count).elementsEqual(mark.prefix(first.count)) || first.allSatisfy({ $0 == 0 }) { return true }
    if Self.bytes(names.source("-page"), PageFile.mark.count).elementsEqual(PageFile.mark) { return true }
    if Self.bytes(names.source("-log"), LogFile.magic.count).elementsEqual(LogFile.magic) { return true }
    return Self.hasOurSchema(first) || Self.hasOurSchema(Self.bytes(names.source("-wal"), .max))
  }

  /// Whether the bytes have a part of the schema.
  private static func hasOurSchema(_ bytes: [UInt8]) -> Bool {
    let table = Array("CREATE TABLE outbox".utf8)
    return bytes.indices.contains { bytes[$0] == table[0] && bytes[$0...].starts(with: table) }
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
struct Salvage {
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
      (.trips, Store.tripTables),
      (.host, Store.hostTables),
    ]
    // The page, the log's seed and what was lost are of the file itself. A new file is a new installation for a campaign service: numbers of events may come again.
    let files = ["page", "log", "loss", "sync"]
    return owners.flatMap { (part, owned) in
      (owned.tables + owned.lastingTables).filter { !files.contains($0) }.map { table in
        switch table {
        case "sent": (.sent, table)
        case "feed": (.feed, table)
        case "outbox", "consumer": (.events, table)
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
      case "consumer": _ = try new.loadCursors()
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
      _ = try new.loadCursors()
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

  /// Mends the references between parts.
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
    if lost.contains(.displays) { try addDisplays() }
    try new.database.run(
      """
      INSERT OR REPLACE INTO setting SELECT 'lastNotification', max(time) FROM display
        HAVING max(time) > coalesce((SELECT value FROM setting WHERE key = 'lastNotification'), 0)
      """)
    guard lost.contains(.visits) || lost.contains(.settings) || lost.contains(.log) else { return }
    // A device that is inside at the next fix may have been there for long, with its events reported: as in a region that a feed update brings.
    try new.database.execute("INSERT OR REPLACE INTO setting VALUES ('baseline', 1)")
    guard let regions = try new.loadFeed(zones, nil, .present)?.regions else { return }
    for index in regions.indices {
      try new.database.run(
        "INSERT OR IGNORE INTO new_region SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM visit WHERE region = ?1)",
        [.text(regions.id(at: index).text)])
    }
  }

  /// Restores displays from the lists of sent notifications and geotriggers, where the displays are lost. They are in the order of their time; a list
  /// has another time for one if the clock was set since.
  private func addDisplays() throws(StoreError) {
    let listed = """
      SELECT geotrigger, visit, json_extract(item, '$.dateSent') AS time, json_extract(item, '$.campaignId') AS campaign,
        json_extract(item, '$.regionId') AS region FROM sent WHERE campaign <> '' AND region <> ''
      """
    var displays: [[Column]] = []
    try new.database.run(
      """
      SELECT time, campaign, region, visit, tags FROM display UNION ALL
      SELECT time, campaign, region, visit, '' FROM (\(listed)) AS listed WHERE geotrigger = 0 AND NOT EXISTS (
        SELECT 1 FROM display
        WHERE display.campaign = listed.campaign AND display.region = listed.region AND display.visit IS listed.visit)
      ORDER BY time
      """
    ) { displays.append($0) }
    try new.database.run("DELETE FROM display")
    for display in displays {
      try new.database.run("INSERT INTO display (time, campaign, region, visit, tags) VALUES (?, ?, ?, ?, ?)", display)
    }
    try new.database.run(
      """
      INSERT OR REPLACE INTO shown SELECT campaign, region, max(time) FROM (
        SELECT campaign, region, time FROM shown UNION ALL SELECT campaign, region, time FROM display
        UNION ALL SELECT campaign, region, time FROM (\(listed))) GROUP BY campaign, region
      """)
  }
}
