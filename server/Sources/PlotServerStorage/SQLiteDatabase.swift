internal import FoundationEssentials
internal import GRDB

/// A file of SQLite, with a log (WAL). A commit waits for the disk.
public final class SQLiteDatabase: SQLDatabase {
  private let pool: DatabasePool
  public let dialect = SQLDialect.sqlite

  /// Opens the file, or makes it.
  public init(path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 67108864")
    }
    do {
      pool = try DatabasePool(path: path, configuration: configuration)
    } catch {
      throw Self.error(error)
    }
  }

  public func read<T: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> T) async throws -> T {
    do {
      return try await pool.read { try body(SQLiteSession(db: $0)) }
    } catch {
      throw Self.error(error)
    }
  }

  public func write<T: Sendable>(
    isRepeatable: Bool, _ body: @escaping @Sendable (any SQLSession) throws -> T
  ) async throws -> T {
    do {
      return try await pool.write { try body(SQLiteSession(db: $0)) }
    } catch {
      throw Self.error(error)
    }
  }

  /// Another process at the same file, such as a command, is noticed within this time.
  public func waitForAnnouncement(seconds: Int64) async {
    try? await Task.sleep(for: .seconds(min(seconds, 1)))
  }

  public func backup(to path: String) async throws {
    do {
      let copy = try DatabaseQueue(path: path)
      try pool.backup(to: copy)
      try copy.close()
    } catch {
      throw Self.error(error)
    }
  }

  public func close() async { try? pool.close() }

  static func error(_ error: any Error) -> any Error {
    guard let fault = error as? DatabaseError else { return error }
    return storageError(fault)
  }

  static func storageError(_ fault: DatabaseError) -> StorageError {
    let text = fault.message ?? "code \(fault.extendedResultCode.rawValue)"
    switch fault.resultCode {
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_BUSY, .SQLITE_CANTOPEN, .SQLITE_LOCKED, .SQLITE_READONLY:
      return .unavailable("SQLite: \(text)")
    case .SQLITE_CONSTRAINT: return .conflict("SQLite: \(text)")
    default: return .failed("SQLite: \(text)")
    }
  }
}

private struct SQLiteSession: SQLSession {
  let db: Database

  func rows(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try faults {
      let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments(values))
      var found: [SQLRow] = []
      while let row = try rows.next() {
        found.append(SQLRow((0..<row.count).map { value(row, $0) }))
      }
      return found
    }
  }

  func run(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int {
    try faults {
      try db.cachedStatement(sql: sql).execute(arguments: arguments(values))
      return db.changesCount
    }
  }

  func announce() throws(StorageError) {}

  private func value(_ row: Row, _ column: Int) -> SQLValue {
    switch (row[column] as DatabaseValue).storage {
    case .null: .null
    case .int64(let number): .integer(number)
    case .double(let number): .integer(Int64(number))
    case .string(let text): .text(text)
    case .blob(let data): .bytes(Array(data))
    }
  }

  private func arguments(_ values: [SQLValue]) -> StatementArguments {
    StatementArguments(
      values.map { value -> (any DatabaseValueConvertible)? in
        switch value {
        case .null: nil
        case .integer(let number): number
        case .text(let text): text
        case .bytes(let bytes): Data(bytes)
        }
      })
  }

  private func faults<T>(_ body: () throws -> T) throws(StorageError) -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw SQLiteDatabase.storageError(error)
    } catch let error as StorageError {
      throw error
    } catch {
      throw .failed("SQLite: \(error)")
    }
  }
}
