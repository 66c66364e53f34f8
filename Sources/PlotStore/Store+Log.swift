/// The log: a transaction is one line of a file beside the store, and the tables get what it says later, many transactions at once.
/// Which line may come first stands in the tables, and changes when they get lines: so each is in them once, whenever a process ends.
extension Store {
  static let logSchema = "CREATE TABLE log (id INTEGER PRIMARY KEY CHECK (id = 1), seed INTEGER NOT NULL) STRICT;"

  /// A log that would become longer goes into the tables.
  static let longestLog = 1 << 19
  /// A transaction of so many bytes is never in the log.
  static let longLine = 1 << 14

  /// Brings what a process has left that did not close the store into the tables. To a new store nothing belongs.
  func recover(isNew: Bool) throws(StoreError) {
    try database.run("SELECT seed FROM log") { seed = UInt64(bitPattern: $0[0].integer ?? 0) }
    guard let log, let bytes = try log.left() else { return }
    let (lines, last) = LogLine.lines(in: bytes, from: LogFile.magic.count, after: seed)
    if !isNew { try fold(bytes, lines, last, isRead: true) }
    log.remove()
  }

  /// Writes the transaction that has been made.
  func writeLine(waitsForDisk: Bool) throws(StoreError) {
    found = nil
    let sum = line.end(after: last)
    let size = line.bytes.count
    guard let log, !log.isUnsure, size < Self.longLine, log.end + size <= Self.longestLog else {
      return try fold(adding: line)
    }
    try log.append(line.bytes, waits: waitsForDisk)
    last = sum
  }

  /// Brings the log into the tables, and one more transaction, all or nothing.
  func fold(adding line: LogLine? = nil) throws(StoreError) {
    var bytes = try log?.lines() ?? []
    if bytes.isEmpty, line == nil { return }
    if let line { bytes += bytes.isEmpty ? LogFile.magic + line.bytes : line.bytes }
    let (lines, last) = LogLine.lines(in: bytes, from: LogFile.magic.count, after: seed)
    guard lines.last?.upperBound == bytes.count else {
      throw StoreError(kind: .damaged, message: "the store's log has changed")
    }
    try fold(bytes, lines, last)
    log?.clear()
  }

  /// With `isRead`, all that is in the tables then is read before it is certain: a store that cannot be read stays as it is.
  private func fold(
    _ bytes: [UInt8], _ lines: [Range<Int>], _ last: UInt64, isRead: Bool = false
  ) throws(StoreError) {
    try database.run("BEGIN IMMEDIATE")
    do {
      var folding = Folding(into: database)
      for line in lines { try folding.add(bytes, line) }
      try folding.finish()
      if !lines.isEmpty {
        try database.run("INSERT OR REPLACE INTO log VALUES (1, ?)", [.integer(Int64(bitPattern: last))])
      }
      if isRead { found = try load() }
      try database.run("COMMIT")
    } catch {
      found = nil
      try? database.run("ROLLBACK")
      throw error
    }
    (seed, self.last) = (last, last)
  }
}
