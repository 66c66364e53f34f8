internal import CPostgres

/// One connection to PostgreSQL by libpq, and the statements that it has prepared. To be used by one thread at a time.
@safe final class PostgresConnection: @unchecked Sendable {
  private let connection: OpaquePointer
  private var prepared: [String: String] = [:]
  /// PG_DIAG_SQLSTATE, a macro that Swift does not see.
  private static let stateField: Int32 = 67
  /// How many statements a connection keeps; with one more all are forgotten.
  private static let statementLimit = 200

  /// An error of the server, by its SQLSTATE (PostgreSQL, appendix A).
  struct Fault: Error {
    var state: String
    var message: String
    /// The connection is of no more use.
    var isLost: Bool

    /// Another try may succeed: two transactions were in each other's way, or made the same row.
    var isCollision: Bool { ["40001", "40P01", "23505"].contains(state) }

    var storageError: StorageError {
      let text = "PostgreSQL: \(message.split(separator: "\n").first.map(String.init) ?? "error \(state)")"
      if isLost { return .unavailable(text) }
      switch state.prefix(2) {
      // Connections, resources (the disk is full), the operator, a server that only reads.
      case "08", "53", "57", "58": return .unavailable(text)
      case "23": return .conflict(text)
      case "40": return .unavailable(text)
      default: return state == "25006" ? .unavailable(text) : .failed(text)
      }
    }
  }

  init(_ url: String) throws(Fault) {
    guard let connection = unsafe PQconnectdb(url) else {
      throw Fault(state: "53200", message: "no memory for a connection", isLost: true)
    }
    unsafe self.connection = connection
    guard unsafe PQstatus(connection) == CONNECTION_OK else {
      throw Fault(state: "08006", message: lastMessage, isLost: true)
    }
    try simple(
      "SET client_min_messages = warning; SET statement_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s'"
    )
  }

  deinit { unsafe PQfinish(connection) }

  private var lastMessage: String { unsafe String(cString: PQerrorMessage(connection)) }

  var isGood: Bool { unsafe PQstatus(connection) == CONNECTION_OK }

  // MARK: Statements

  /// Statements without parameters.
  func simple(_ sql: String) throws(Fault) {
    let result = unsafe PQexec(connection, sql)
    defer { unsafe PQclear(result) }
    try unsafe check(result)
  }

  /// A prepared statement with its parameters. Gives the rows, and how many rows have changed.
  func execute(_ sql: String, _ values: [SQLValue]) throws(Fault) -> (rows: [SQLRow], changed: Int) {
    let name = try statement(sql)
    let parameters = PostgresParameters(values)
    let result = unsafe parameters.with { pointers, lengths, formats in
      unsafe PQexecPrepared(connection, name, Int32(values.count), pointers, lengths, formats, 0)
    }
    defer { unsafe PQclear(result) }
    try unsafe check(result)
    let changed = unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
    return (unsafe rows(result), changed)
  }

  private func statement(_ sql: String) throws(Fault) -> String {
    if let name = prepared[sql] { return name }
    if prepared.count >= Self.statementLimit {
      try simple("DEALLOCATE ALL")
      prepared = [:]
    }
    let name = "s\(prepared.count)"
    let result = unsafe PQprepare(connection, name, sql, 0, nil)
    defer { unsafe PQclear(result) }
    try unsafe check(result)
    prepared[sql] = name
    return name
  }

  private func check(_ result: OpaquePointer?) throws(Fault) {
    let status = unsafe PQresultStatus(result)
    if status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK { return }
    let state = unsafe PQresultErrorField(result, Self.stateField)
    let text = unsafe state.map { unsafe String(cString: $0) } ?? "08006"
    throw Fault(state: text, message: lastMessage, isLost: !isGood || ["57P01", "57P02", "57P03"].contains(text))
  }

  private func rows(_ result: OpaquePointer?) -> [SQLRow] {
    let columns = unsafe PQnfields(result)
    return (0..<(unsafe PQntuples(result))).map { row in
      SQLRow((0..<columns).map { column in unsafe value(result, row, column) })
    }
  }

  private func value(_ result: OpaquePointer?, _ row: Int32, _ column: Int32) -> SQLValue {
    if unsafe PQgetisnull(result, row, column) == 1 { return .null }
    guard let start = unsafe PQgetvalue(result, row, column) else { return .null }
    let count = Int(unsafe PQgetlength(result, row, column))
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
    let text = unsafe String(decoding: bytes, as: UTF8.self)
    switch unsafe PQftype(result, column) {
    // bigint, smallint, integer, numeric
    case 20, 21, 23, 1700: return Int64(text).map { .integer($0) } ?? .text(text)
    case 17: return .bytes(Self.unescaped(text))
    default: return .text(text)
    }
  }

  /// Bytes in their hexadecimal form, `\x` first.
  private static func unescaped(_ text: String) -> [UInt8] {
    var found: [UInt8] = []
    found.reserveCapacity(text.utf8.count / 2)
    var high: UInt8?
    for byte in text.utf8.dropFirst(2) {
      let digit = byte <= 0x39 ? byte - 0x30 : (byte | 0x20) - 0x61 + 10
      if let first = high {
        found.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return found
  }

  // MARK: Announcements

  /// Waits for another session's NOTIFY, at most so many milliseconds; true when one has come.
  func waitForNotification(milliseconds: Int32) throws(Fault) -> Bool {
    if takeNotifications() { return true }
    guard unsafe PostgresSocket.wait(PQsocket(connection), milliseconds) else { return false }
    guard unsafe PQconsumeInput(connection) == 1 else {
      throw Fault(state: "08006", message: lastMessage, isLost: true)
    }
    return takeNotifications()
  }

  private func takeNotifications() -> Bool {
    var found = false
    while let notification = unsafe PQnotifies(connection) {
      unsafe PQfreemem(notification)
      found = true
    }
    return found
  }
}

/// Parameters as libpq takes them: numbers and texts as text, bytes as they are.
private struct PostgresParameters {
  /// All values one behind the other, each with a zero behind it.
  private var bytes: [CChar] = []
  private var offsets: [Int?] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []

  init(_ values: [SQLValue]) {
    for value in values {
      switch value {
      case .null: add(nil as [UInt8]?, format: 0)
      case .integer(let number): add(Array(String(number).utf8), format: 0)
      // A zero ends a text there; none of ours has one.
      case .text(let text): add(text.utf8.filter { $0 != 0 }, format: 0)
      case .bytes(let all): add(all, format: 1)
      }
    }
  }

  private mutating func add(_ value: [UInt8]?, format: Int32) {
    offsets.append(value == nil ? nil : bytes.count)
    lengths.append(Int32(value?.count ?? 0))
    formats.append(format)
    guard let value else { return }
    bytes.append(contentsOf: value.lazy.map { CChar(bitPattern: $0) })
    bytes.append(0)
  }

  func with<T>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> T
  ) -> T {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      let pointers = unsafe offsets.map { offset in
        unsafe offset.flatMap { unsafe buffer.baseAddress?.advanced(by: $0) }
      }
      return unsafe pointers.withUnsafeBufferPointer { pointers in
        unsafe lengths.withUnsafeBufferPointer { lengths in
          unsafe formats.withUnsafeBufferPointer { formats in
            unsafe body(pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}
