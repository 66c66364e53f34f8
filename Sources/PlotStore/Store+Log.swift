/// The log: a transaction is one row of it, and the tables get what it says later, many transactions at once. Both are in the same file, so
/// that SQLite keeps them together whatever happens.
extension Store {
  static let logSchema = "CREATE TABLE log (id INTEGER PRIMARY KEY, changes BLOB NOT NULL) STRICT;"

  /// A log that has become so long goes into the tables.
  static let mostLines: Int64 = 512
  static let mostBytes: Int64 = 1 << 19
  /// A transaction of so many bytes is never in the log.
  static let longLine = 1 << 14

  /// What is in the log of a file that has been opened.
  func measureLog() throws(StoreError) {
    try database.run("SELECT count(*), coalesce(sum(length(changes)), 0) FROM log") {
      (logLines, logBytes) = ($0[0].integer ?? 0, $0[1].integer ?? 0)
    }
  }

  /// Writes the line that has been made.
  func writeLine(waitsForDisk: Bool) throws(StoreError) {
    let size = Int64(line.bytes.count)
    guard size < Self.longLine, logLines < Self.mostLines, logBytes + size <= Self.mostBytes else {
      return try fold(adding: line.bytes)
    }
    try database.waitForDisk(waitsForDisk)
    try database.append(line.bytes)
    logLines += 1
    logBytes += size
  }

  /// Brings the log into the tables, and one more transaction, all or nothing.
  func fold(adding line: [UInt8]? = nil) throws(StoreError) {
    guard line != nil || logLines > 0 else { return }
    try database.waitForDisk(true)
    try database.run("BEGIN IMMEDIATE")
    do {
      var folding = Folding(into: database)
      if logLines > 0 {
        try database.run("SELECT changes FROM log ORDER BY id") { row throws(StoreError) in
          guard case .blob(let bytes) = row[0] else { throw damaged }
          try folding.add(bytes)
        }
      }
      if let line { try folding.add(line) }
      try folding.finish()
      if logLines > 0 { try database.run("DELETE FROM log") }
      try database.run("COMMIT")
    } catch {
      try? database.run("ROLLBACK")
      throw error
    }
    (logLines, logBytes) = (0, 0)
  }
}
