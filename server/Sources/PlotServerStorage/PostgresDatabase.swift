internal import NIOPosix
internal import Synchronization

/// PostgreSQL. Every call that blocks runs on one of a few threads, each with a connection; no event loop waits.
public final class PostgresDatabase: SQLDatabase {
  public let dialect = SQLDialect.postgres
  private let url: String
  private let threads: NIOThreadPool
  /// For announcements: a thread and a connection of its own.
  private let listening: NIOThreadPool
  private let free = Mutex<[PostgresConnection]>([])
  private let listener = Mutex<PostgresConnection?>(nil)
  static let channel = "plot_server"
  /// How often a transaction is tried that met another one, or lost its connection before it was committed.
  private static let tries = 4

  /// Opens a connection at once, so that a wrong URL is told of at the start. Throws `StorageError`.
  public init(url: String, connections: Int = 8) throws {
    self.url = url
    threads = NIOThreadPool(numberOfThreads: connections)
    listening = NIOThreadPool(numberOfThreads: 1)
    do throws(PostgresConnection.Fault) {
      let first = try PostgresConnection(url)
      free.withLock { $0 = [first] }
    } catch {
      throw error.storageError
    }
    threads.start()
    listening.start()
  }

  public func read<T: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> T) async throws -> T {
    try await run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isRepeatable: true, body)
  }

  public func write<T: Sendable>(
    isRepeatable: Bool, _ body: @escaping @Sendable (any SQLSession) throws -> T
  ) async throws -> T {
    try await run("BEGIN", isRepeatable: isRepeatable, body)
  }

  private func run<T: Sendable>(
    _ begin: String, isRepeatable: Bool, _ body: @escaping @Sendable (any SQLSession) throws -> T
  ) async throws -> T {
    try await threads.runIfActive {
      var tries = Self.tries
      while true {
        tries -= 1
        do {
          return try self.attempt(begin, body)
        } catch let fault as PostgresConnection.Fault {
          // The others have gone with it, as when the server is restarted.
          if fault.isLost { self.free.withLock { $0 = [] } }
          guard tries > 0, fault.isLost || fault.isCollision else { throw fault.storageError }
        } catch let fault as LostCommit {
          guard tries > 0, isRepeatable else { throw StorageError.unknownOutcome(fault.message) }
        }
      }
    }
  }

  /// The connection went while a transaction was committed: only the server knows whether it is there.
  private struct LostCommit: Error {
    var message: String
  }

  private func attempt<T>(_ begin: String, _ body: (any SQLSession) throws -> T) throws -> T {
    let connection = try free.withLock { $0.popLast() } ?? PostgresConnection(url)
    let session = PostgresSession(connection)
    do {
      try connection.simple(begin)
      let result = try body(session)
      // A fault that the body did not pass on has ended the transaction all the same.
      if let fault = session.fault { throw fault }
      do throws(PostgresConnection.Fault) {
        try connection.simple("COMMIT")
      } catch {
        if error.isLost { throw LostCommit(message: error.storageError.message) }
        throw error
      }
      free.withLock { $0.append(connection) }
      return result
    } catch {
      if connection.isGood, (try? connection.simple("ROLLBACK")) != nil { free.withLock { $0.append(connection) } }
      // The fault as the database said it, for it tells whether another try may help.
      if let fault = session.fault { throw fault }
      throw error
    }
  }

  public func waitForAnnouncement(seconds: Int64) async {
    for _ in 0..<(2 * max(1, seconds)) {
      if Task.isCancelled { return }
      let hasCome = try? await listening.runIfActive { () -> Bool in
        try self.listener.withLock { listener in
          do {
            let connection: PostgresConnection
            if let known = listener {
              connection = known
            } else {
              connection = try PostgresConnection(self.url)
              try connection.simple("LISTEN \(Self.channel)")
              listener = connection
              // Something may have been announced before.
              return true
            }
            return try connection.waitForNotification(milliseconds: 500)
          } catch {
            listener = nil
            throw error
          }
        }
      }
      switch hasCome {
      case true?: return
      case false?: break
      // The server is gone: not at full speed.
      case nil: try? await Task.sleep(for: .milliseconds(500))
      }
    }
  }

  public func backup(to path: String) async throws {
    throw StorageError.failed("a backup of PostgreSQL is made by pg_dump")
  }

  public func close() async {
    try? await threads.shutdownGracefully()
    try? await listening.shutdownGracefully()
    free.withLock { $0 = [] }
    listener.withLock { $0 = nil }
  }
}

private final class PostgresSession: SQLSession {
  private let connection: PostgresConnection
  /// The first fault of this transaction.
  private(set) var fault: PostgresConnection.Fault?

  init(_ connection: PostgresConnection) { self.connection = connection }

  func rows(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> [SQLRow] { try execute(sql, values).rows }

  func run(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> Int { try execute(sql, values).changed }

  func announce() throws(StorageError) { _ = try execute("SELECT pg_notify('\(PostgresDatabase.channel)', '')", []) }

  private func execute(_ sql: String, _ values: [SQLValue]) throws(StorageError) -> (rows: [SQLRow], changed: Int) {
    do throws(PostgresConnection.Fault) {
      return try connection.execute(sql, values)
    } catch {
      if fault == nil { fault = error }
      throw error.storageError
    }
  }
}
