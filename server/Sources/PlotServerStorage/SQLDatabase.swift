/// A value of a column or of a parameter.
public enum SQLValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  public init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
}

extension SQLValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral text: String) { self = .text(text) }
  public init(integerLiteral number: Int64) { self = .integer(number) }
}

/// A row of an answer: its values, in the order of the columns of the query.
public struct SQLRow: Sendable {
  private let values: [SQLValue]

  init(_ values: [SQLValue]) { self.values = values }

  public func integer(_ column: Int) -> Int64? {
    if case .integer(let number) = values[column] { number } else { nil }
  }

  public func text(_ column: Int) -> String? {
    if case .text(let text) = values[column] { text } else { nil }
  }

  public func bytes(_ column: Int) -> [UInt8]? {
    if case .bytes(let bytes) = values[column] { bytes } else { nil }
  }
}

/// An error of a database, by what the caller can do about it.
public enum StorageError: Error, Equatable, Sendable {
  /// The database cannot be reached or takes nothing now: the disk is full, the server is gone. The same request may be made again later.
  case unavailable(String)
  /// Another row has this key.
  case conflict(String)
  /// The connection was lost while a transaction was committed: it may be there, or not.
  case unknownOutcome(String)
  /// A fault of the program, or of the file.
  case failed(String)

  public var message: String {
    switch self {
    case .unavailable(let text), .conflict(let text), .unknownOutcome(let text), .failed(let text): text
    }
  }
}

/// A transaction in progress. Statements have parameters `$1`, `$2`, ..., in this order, and are prepared once.
public protocol SQLSession {
  func rows(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> [SQLRow]
  /// Gives how many rows have changed.
  @discardableResult
  func run(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int
  /// For the other nodes on this database; comes when the transaction is committed.
  func announce() throws(StorageError)
}

extension SQLSession {
  public func rows(_ sql: String, _ values: SQLValue...) throws(StorageError) -> [SQLRow] { try rows(sql, values) }
  public func row(_ sql: String, _ values: SQLValue...) throws(StorageError) -> SQLRow? { try rows(sql, values).first }
  @discardableResult
  public func run(_ sql: String, _ values: SQLValue...) throws(StorageError) -> Int { try run(sql, values) }
}

/// One of two databases: SQLite or PostgreSQL. Statements are written once, for both; `SQLDialect` has the words that differ.
public protocol SQLDatabase: Sendable {
  var dialect: SQLDialect { get }
  /// Reads from one state of the database.
  func read<T: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> T) async throws -> T
  /// Runs a transaction; an error takes back all of it. The body may run again, where the first try met another transaction. Where the connection
  /// is lost while it is committed, nobody knows whether it is there: with `isRepeatable` the body runs again, as twice does no harm then; else
  /// this is `unknownOutcome`.
  @discardableResult
  func write<T: Sendable>(
    isRepeatable: Bool, _ body: @escaping @Sendable (any SQLSession) throws -> T
  ) async throws -> T
  /// Waits until another node has announced a change, or the time is over.
  func waitForAnnouncement(seconds: Int64) async
  /// A copy of all, at one instant. SQLite only; PostgreSQL has pg_dump.
  func backup(to path: String) async throws
  func close() async
}

extension SQLDatabase {
  @discardableResult
  public func write<T: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> T) async throws -> T {
    try await write(isRepeatable: false, body)
  }
}

public enum SQLDialect: Sendable {
  case sqlite, postgres

  /// A key that counts up.
  var serialKey: String {
    switch self {
    case .sqlite: "INTEGER PRIMARY KEY AUTOINCREMENT"
    case .postgres: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    }
  }

  var bytes: String {
    switch self {
    case .sqlite: "BLOB"
    case .postgres: "BYTEA"
    }
  }

  /// The texts of a JSON array, as rows: a list may be longer than the parameters that a statement can have.
  func texts(of array: String) -> String {
    switch self {
    case .sqlite: "(SELECT value FROM json_each(\(array)))"
    case .postgres: "(SELECT json_array_elements_text(\(array)::json))"
    }
  }
}
