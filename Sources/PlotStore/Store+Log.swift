/// The log: a transaction is one line of a file beside the store, and the tables get what it says later, many transactions at once.
/// Which line may come first stands in the tables, and changes when they get lines: so each is in them once, whenever a process ends.
extension Store {
  static let firstVersionWithLog = 4
  static let logSchema = "CREATE TABLE log (id INTEGER PRIMARY KEY CHECK (id = 1), seed INTEGER NOT NULL) STRICT;"

  /// A log that would become longer goes into the tables.
  static let longestLog = 1 << 19
  /// A transaction of so many bytes is never in the log.
  static let longLine = 1 << 14

  /// Brings what a process has left that did not close the store into the tables.
  func recover(newSeed: UInt64) throws(StoreError) {
    var isSeeded = false
    try database.run("SELECT seed FROM log") {
      seed = UInt64(bitPattern: $0[0].integer ?? 0)
      isSeeded = true
    }
    if let log, let bytes = try log.left() {
      let (lines, last) = LogLine.lines(in: bytes, from: LogFile.magic.count, after: seed)
      try fold(bytes, lines, last, isRead: true)
      isSeeded = isSeeded || !lines.isEmpty
    }
    // A store of an older library, whose log began with 0, and may be taken for the log of any other.
    if !isSeeded {
      try writeSeed(newSeed)
      seed = newSeed
    }
    log?.remove()
  }

  /// Writes which checksum the log's first line follows.
  func writeSeed(_ seed: UInt64) throws(StoreError) {
    try database.run("INSERT OR REPLACE INTO log VALUES (1, ?)", [.integer(Int64(bitPattern: seed))])
  }

  /// Writes the transaction that has been made. If a failing disk may still have it, it is tried once more in the tables; an error of kind
  /// `inDoubt` says that it was refused, and that it may be found after a restart all the same.
  func writeLine(waitsForDisk: Bool) throws(StoreError) {
    found = nil
    let sum = line.end(after: last)
    let size = line.bytes.count
    let hasPage = page.take().map { pageFile?.write($0, after: sum) ?? false } ?? false
    var isWritten = false
    defer { if hasPage, !isWritten { pageFile?.takeBack() } }
    if let log, !isCommitUncertain, size < Self.longLine, log.end + size <= Self.longestLog {
      do throws(StoreError) {
        try log.append(line.bytes, waits: waitsForDisk)
        last = sum
        isWritten = true
        return
      } catch {
        guard log.mayHoldMore else { throw error }
        isCommitUncertain = true
      }
      do throws(StoreError) {
        try fold(adding: line)
      } catch {
        throw error.inDoubt
      }
    } else {
      try foldForCertain(adding: line)
    }
    isWritten = true
  }

  /// Brings the log and one more transaction into the tables. If a failing disk may still have them, it is tried once more.
  func foldForCertain(adding line: LogLine) throws(StoreError) {
    let wasCommitUncertain = isCommitUncertain
    isCommitUncertain = false
    do throws(StoreError) {
      try fold(adding: line)
    } catch {
      let isInDoubt = isCommitUncertain
      isCommitUncertain = isCommitUncertain || wasCommitUncertain
      guard isInDoubt else { throw error }
      do throws(StoreError) { try fold(adding: line) } catch { throw error.inDoubt }
    }
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
    var isCommitting = false
    try database.run("BEGIN IMMEDIATE")
    do {
      var folding = Folding(into: database)
      for line in lines { try folding.add(bytes, line) }
      try folding.finish()
      if !lines.isEmpty { try writeSeed(last) }
      if isRead { found = try load() }
      isCommitting = true
      try database.run("COMMIT")
    } catch {
      // SQLite's -wal may hold all of it.
      if isCommitting, database.mayHaveWritten { isCommitUncertain = true }
      found = nil
      try? database.run("ROLLBACK")
      throw error
    }
    (seed, self.last) = (last, last)
    if !lines.isEmpty { isCommitUncertain = false }
  }
}
