internal import CSQLite

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A value of a row.
enum Column: Equatable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  /// A column of type REAL, too, gives back an integer that was written as one.
  var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    case .null, .text: nil
    }
  }
  var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// One connection to one SQLite file, held alone. Statements are prepared once and kept.
@safe final class Database {
  private var connection: OpaquePointer?
  private var statements = unsafe [String: OpaquePointer]()
  private let path: String
  /// The process that a file is open in; nil for an image. A forked child must not touch the connection, not even to close it: it would
  /// write the log into the file, and take it away, under the parent's hands (SQLite, How To Corrupt, 2.6).
  private let process: pid_t?
  /// Released when the connection is closed. Nil for an image.
  private let lock: StoreLock?

  private var lastFault: Int32 = SQLITE_OK

  var isInherited: Bool { process.map { $0 != getpid() } ?? false }
  /// There was a -wal beside the file.
  private var hasFoundLog = false
  /// SQLite has yet to bring something into the file.
  private(set) var hasJournal = false

  /// Opens the file that the lock is of. Nothing is written yet.
  init(path: String, lock: StoreLock) throws(StoreError) {
    self.path = Self.path(path)
    self.lock = lock
    process = getpid()
    var connection: OpaquePointer?
    let code = unsafe sqlite3_open_v2(self.path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    unsafe self.connection = unsafe connection
    guard code == SQLITE_OK else {
      let error = error(code)
      close()
      throw error
    }
    unsafe sqlite3_extended_result_codes(connection, 1)
    // Until the file is known to be ours, closing it must not write what a log beside it holds.
    hasFoundLog = hasBytes("-wal")
    hasJournal = hasFoundLog || hasBytes("-journal")
    leaveLog()
    if unsafe sqlite3_db_readonly(connection, "main") == 1 {
      close()
      throw StoreError(kind: .readOnly, message: "\(path): the file cannot be written")
    }
  }

  /// A database in memory that begins as an image of a file.
  init(image: [UInt8]) throws(StoreError) {
    path = "the store's image"
    process = nil
    lock = nil
    var connection: OpaquePointer?
    guard unsafe sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK
    else {
      unsafe sqlite3_close_v2(connection)
      throw StoreError(kind: .failed, message: "\(path): no memory")
    }
    unsafe self.connection = unsafe connection
    guard let copy = unsafe sqlite3_malloc64(sqlite3_uint64(max(1, image.count))) else {
      close()
      throw StoreError(kind: .failed, message: "\(path): no memory")
    }
    unsafe copy.copyMemory(from: image, byteCount: image.count)
    // SQLite frees the copy, also when it does not take it.
    let code = unsafe sqlite3_deserialize(
      connection, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count), Int64(image.count),
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
    guard code == SQLITE_OK else {
      let error = error(code)
      close()
      throw error
    }
  }

  /// The whole database, as a file would hold it that has no log beside it.
  func image() throws(StoreError) -> [UInt8] {
    var size: sqlite3_int64 = 0
    guard let bytes = unsafe sqlite3_serialize(connection, "main", &size, 0) else {
      throw StoreError(kind: .failed, message: "\(path): no memory")
    }
    defer { unsafe sqlite3_free(bytes) }
    var image = unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
    // Format versions of a rollback journal: a write-ahead log cannot be opened in memory.
    if image.count >= 100 { image.replaceSubrange(18...19, with: [1, 1]) }
    return image
  }

  deinit { close() }

  /// A -wal that was there stays there when the file is closed.
  func leaveLog() {
    if hasFoundLog { checkpointsOnClose(false) }
  }

  /// Whether closing brings the log's contents into the file.
  func checkpointsOnClose(_ isOn: Bool) {
    _ = unsafe plot_sqlite3_set_checkpoint_on_close(connection, isOn ? 1 : 0)
  }

  func close() {
    guard !isInherited else {
      unsafe statements = [:]
      unsafe connection = nil
      return
    }
    for sql in unsafe Array(statements.keys) { unsafe sqlite3_finalize(statements[sql]) }
    unsafe statements = [:]
    if let connection = unsafe connection { unsafe sqlite3_close_v2(connection) }
    unsafe connection = nil
    lock?.release()
  }

  /// Whether a file beside this one has any bytes.
  private func hasBytes(_ suffix: String) -> Bool {
    var facts = stat()
    return unsafe stat(resolvedPath + suffix, &facts) == 0 && facts.st_size > 0
  }

  /// Whether SQLite has opened the file that is locked, and the path still leads there.
  var isAtPath: Bool {
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved == 0 && lock?.isAtPath != false
  }

  /// SQLite reads names with a meaning of their own into some paths; a leading ./ takes that away.
  private static func path(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }

  /// Runs SQL without values, several statements too.
  func execute(_ sql: String) throws(StoreError) {
    try checkProcess()
    let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// The number that a pragma answers with; 0 where it has none.
  func pragma(_ name: String) throws(StoreError) -> Int64 {
    var value: Int64 = 0
    try run("PRAGMA \(name)") { value = $0[0].integer ?? 0 }
    return value
  }

  /// Where the file is when all links are followed: what belongs to it lies there.
  var resolvedPath: String {
    guard let name = unsafe sqlite3_db_filename(connection, "main") else { return path }
    return unsafe String(cString: name)
  }

  /// Runs one statement with values; `row` is called for each row of its answer.
  func run(
    _ sql: String, _ values: [Column] = [], row: ([Column]) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    try checkProcess()
    let statement = unsafe try prepared(sql)
    defer {
      unsafe sqlite3_reset(statement)
      unsafe sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      let code = unsafe bind(value, to: statement, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw error(code) }
    }
    while true {
      let code = unsafe sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw error(code) }
      var columns: [Column] = []
      for index in 0..<(unsafe sqlite3_column_count(statement)) { columns.append(unsafe try column(statement, index)) }
      try row(columns)
    }
  }

  /// Throws in a process that was forked from the one that opened the file.
  func checkProcess() throws(StoreError) {
    guard !isInherited else {
      throw StoreError(kind: .failed, message: "\(path): the file is open in the process that this one was forked from")
    }
  }

  /// Runs one statement with the next values of a line, as many as it takes.
  func run(_ sql: String, _ line: LogReader, values: Int) throws(StoreError) {
    try checkProcess()
    let statement = unsafe try prepared(sql)
    defer {
      unsafe sqlite3_reset(statement)
      unsafe sqlite3_clear_bindings(statement)
    }
    var line = line
    let count = min(Int32(values), unsafe sqlite3_bind_parameter_count(statement))
    let code = unsafe try line.bytes.withUnsafeBufferPointer { bytes throws(StoreError) -> Int32 in
      for index in 0..<count {
        let code: Int32
        switch try line.value() {
        case .null: code = unsafe sqlite3_bind_null(statement, index + 1)
        case .integer(let number): code = unsafe sqlite3_bind_int64(statement, index + 1, number)
        case .real(let number): code = unsafe sqlite3_bind_double(statement, index + 1, number)
        case .text(let place):
          let text = unsafe UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[place])).assumingMemoryBound(
            to: CChar.self)
          code = unsafe sqlite3_bind_text64(
            statement, index + 1, text.baseAddress, sqlite3_uint64(text.count), nil, UInt8(SQLITE_UTF8))
        }
        guard code == SQLITE_OK else { return code }
      }
      return unsafe sqlite3_step(statement)
    }
    guard code == SQLITE_DONE else { throw error(code) }
  }

  private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
    if let statement = unsafe statements[sql] { return unsafe statement }
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else { throw error(code) }
    unsafe statements[sql] = unsafe statement
    return unsafe statement
  }

  private func bind(_ value: Column, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(statement, index)
    case .integer(let number): return unsafe sqlite3_bind_int64(statement, index, number)
    case .real(let number): return unsafe sqlite3_bind_double(statement, index, number)
    case .text(let text):
      // SQLITE_TRANSIENT: SQLite keeps a copy.
      let transient = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      return unsafe sqlite3_bind_text64(
        statement, index, text, sqlite3_uint64(text.utf8.count), transient, UInt8(SQLITE_UTF8))
    }
  }

  private func column(_ statement: OpaquePointer, _ index: Int32) throws(StoreError) -> Column {
    switch unsafe sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      // SQLite makes a copy, for which there may be no memory: a text that is there never reads as none.
      guard let text = unsafe sqlite3_column_text(statement, index) else { throw error(SQLITE_NOMEM) }
      return .text(unsafe String(cString: text))
    default: return .null
    }
  }

  /// The last fault was one of the disk, which a transaction that was being written may have reached all the same. Not for lack of room: then
  /// something of it could not be written.
  var mayHaveWritten: Bool { lastFault & 0xFF == SQLITE_IOERR }

  private func error(_ code: Int32) -> StoreError {
    lastFault = code
    let kind: StoreError.Kind =
      switch code & 0xFF {
      // The statements are always the same, so a "logic error" is a table that is not there. Nothing that is written comes near SQLite's limit of
      // a length: only a damaged record claims one beyond it.
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: .damaged
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_READONLY, SQLITE_PERM: .readOnly
      default: .failed
      }
    let sentence =
      switch kind {
      case .busy: "another engine has the file open"
      case .damaged: "the file is not a store, or is damaged"
      default: unsafe String(cString: sqlite3_errstr(code))
      }
    return StoreError(kind: kind, message: "\(path): \(sentence)")
  }
}
