/// Everything of a file of SQLite into a PostgreSQL that is empty (docs/server.md, Operating).
public struct DatabaseMove: Sendable {
  /// All tables but `meta`, each behind those that it refers to.
  static let tables = [
    "app", "private_key", "signing_key", "revision", "publication", "schedule", "installation", "event", "visit",
    "statistic", "draft", "draft_object", "audit", "answered", "place_object", "person", "member", "session",
    "recording", "webhook", "delivery",
  ]
  /// Rows of one transaction. A revision may have many megabytes.
  private static let atOnce: Int64 = 200

  private let source: any SQLDatabase
  private let target: any SQLDatabase

  /// Both have the newest schema.
  public init(from source: any SQLDatabase, to target: any SQLDatabase) {
    (self.source, self.target) = (source, target)
  }

  private enum Kind { case integer, text, bytes }

  /// Copies all rows, and gives how many of each table. `progress` gets the name of each table that is done.
  public func run(progress: @Sendable (String, Int64) -> Void = { _, _ in }) async throws {
    guard source.dialect == .sqlite, target.dialect == .postgres else {
      throw StorageError.failed("expected a file of SQLite to move, and a PostgreSQL to move it to")
    }
    for table in Self.tables {
      let count = try await target.read { try $0.row("SELECT COUNT(*) FROM \(table)")?.integer(0) ?? 0 }
      guard count == 0 else {
        throw StorageError.failed(
          "expected an empty database to move to, found \(count) rows of \(table): make a new one, and begin again")
      }
    }
    for table in Self.tables { progress(table, try await copy(table)) }
    // A client that has asked the old one sees that something is new.
    let generation = try await source.read {
      try $0.row("SELECT number FROM meta WHERE name = 'generation'")?.integer(0)
    }
    if let generation {
      try await target.write {
        try $0.run("UPDATE meta SET number = $1 WHERE name = 'generation'", .integer(generation + 1))
      }
    }
  }

  private func copy(_ table: String) async throws -> Int64 {
    let columns = try await source.read { session in
      try session.rows("SELECT name, type FROM pragma_table_info('\(table)') ORDER BY cid").map { row in
        let type = row.text(1) ?? ""
        return (name: row.text(0) ?? "", kind: type == "BLOB" ? Kind.bytes : type == "TEXT" ? .text : .integer)
      }
    }
    let names = columns.map(\.name).joined(separator: ", ")
    var (last, total): (Int64, Int64) = (Int64.min, 0)
    while true {
      let start = last
      let page = try await source.read { session in
        try session.rows(
          "SELECT rowid, \(names) FROM \(table) WHERE rowid > $1 ORDER BY rowid LIMIT $2", .integer(start),
          .integer(Self.atOnce))
      }
      guard let end = page.last?.integer(0) else { break }
      try await target.write { session in
        for row in page {
          let values = columns.enumerated().map { index, column -> SQLValue in
            switch column.kind {
            case .integer: SQLValue(row.integer(index + 1))
            case .text: SQLValue(row.text(index + 1))
            case .bytes: row.bytes(index + 1).map { .bytes($0) } ?? .null
            }
          }
          let places = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
          try session.run("INSERT INTO \(table)(\(names)) OVERRIDING SYSTEM VALUE VALUES (\(places))", values)
        }
      }
      (last, total) = (end, total + Int64(page.count))
    }
    // Keys go on counting behind those that are there.
    if columns.first?.name == "key", columns.first?.kind == .integer {
      try await target.write { session in
        _ = try session.rows(
          """
          SELECT setval(pg_get_serial_sequence('\(table)', 'key'), (SELECT MAX(key) FROM \(table)))
          WHERE pg_get_serial_sequence('\(table)', 'key') IS NOT NULL AND EXISTS (SELECT 1 FROM \(table))
          """, [])
      }
    }
    return total
  }
}
