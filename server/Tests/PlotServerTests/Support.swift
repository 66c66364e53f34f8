import Foundation
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import PlotDocuments
import ServiceLifecycle
import Synchronization

@testable import PlotServer
@testable import PlotServerStorage

let projectRoot = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

/// A reason for a test to end.
struct TestFault: Error, CustomStringConvertible {
  var description: String

  init(_ text: String) { description = text }
}

/// The databases that every test of storage runs on. `server/Tests/test.sh` starts PostgreSQL and says where it is.
enum TestDatabase: String, CaseIterable, Sendable {
  case sqlite, postgres

  /// A database of its own, empty, and the end of it.
  func with<T>(_ body: (any SQLDatabase) async throws -> T) async throws -> T {
    try await withReopening { storage, _ in try await body(storage) }
  }

  /// The same, with a function that opens the database once more, as another node does.
  func withReopening<T>(
    _ body: (any SQLDatabase, @escaping @Sendable () throws -> any SQLDatabase) async throws -> T
  ) async throws -> T {
    let name = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
    switch self {
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.appending(path: "plot-server-\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let path = folder.appending(path: "db").path
      return try await run({ try SQLiteDatabase(path: path) }, body)
    case .postgres:
      guard let url = ProcessInfo.processInfo.environment["PLOT_TEST_POSTGRES"] else {
        throw TestFault(
          "PLOT_TEST_POSTGRES: expected the URL of a PostgreSQL for tests, found none: run server/Tests/test.sh")
      }
      let connection = try PostgresConnection(url)
      try connection.simple("CREATE DATABASE \(name)")
      defer { try? connection.simple("DROP DATABASE \(name) WITH (FORCE)") }
      let own = url.replacingOccurrences(of: "/postgres?", with: "/\(name)?")
      return try await run({ try PostgresDatabase(url: own, connections: 4) }, body)
    }
  }

  private func run<T>(
    _ open: @escaping @Sendable () throws -> any SQLDatabase,
    _ body: (any SQLDatabase, @escaping @Sendable () throws -> any SQLDatabase) async throws -> T
  ) async throws -> T {
    let database = try open()
    do {
      try await Schema.migrate(database)
      let result = try await body(database, open)
      await database.close()
      return result
    } catch {
      await database.close()
      throw error
    }
  }
}

/// A clock that only tests move.
final class TestClock: Sendable {
  private let time = Mutex<Int64>(1_772_366_400_000)  // 2026-03-01T12:00:00Z

  var now: Int64 { time.withLock { $0 } }

  func advance(seconds: Int64) { time.withLock { $0 += seconds * 1000 } }
}

/// A running node with an app, and what a client does with it.
struct TestServer: Sendable {
  struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: JSONValue? { try? JSONValue(parsing: body) }
    /// The `kind` of an error.
    var kind: String? {
      if case .string(let kind)? = json?["error"]?["kind"] { kind } else { nil }
    }
  }

  var storage: any SQLDatabase
  var clock: TestClock
  var app: Apps.Made
  var port: Int
  var node: ServerNode
  /// Opens the database once more.
  var reopen: @Sendable () throws -> any SQLDatabase = { throw TestFault("one node only") }

  static let feed = try? Array(Data(contentsOf: projectRoot.appending(path: "demo/feed.json")))

  private static let dashboard = Result { try DashboardAssets(folder: projectRoot.appending(path: "server/web").path) }

  /// Runs a node of its own, and stops it.
  static func with<T: Sendable>(
    _ database: TestDatabase = .sqlite, _ settings: String = "{}",
    _ body: @Sendable (TestServer) async throws -> T
  ) async throws -> T {
    try await database.withReopening { storage, open in
      let clock = TestClock()
      var configuration = ServerConfiguration()
      configuration.port = 0
      configuration.requestRate = 0
      try configuration.take(file: Array(settings.utf8))
      let app = try await Apps.make("shop", name: "Shop", storage) { clock.now }
      return try await run(storage, clock, app, configuration) { server in
        var server = server
        server.reopen = open
        return try await body(server)
      }
    }
  }

  static func run<T: Sendable>(
    _ storage: any SQLDatabase, _ clock: TestClock, _ app: Apps.Made, _ configuration: ServerConfiguration,
    _ body: @Sendable (TestServer) async throws -> T
  ) async throws -> T {
    var logger = Logger(label: "test")
    logger.logLevel = .error
    let node = ServerNode(storage, configuration, dashboard: try dashboard.get(), logger: logger) { clock.now }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let running = try await node.running { port.yield($0) }
    let group = ServiceGroup(configuration: .init(services: [.init(service: running)], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      guard let number = await ports.first(where: { _ in true }) else { throw TestFault("the server does not start") }
      let server = TestServer(
        storage: storage, clock: clock, app: app, port: number, node: node)
      do {
        let result = try await body(server)
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        return result
      } catch {
        await group.triggerGracefulShutdown()
        try? await tasks.waitForAll()
        throw error
      }
    }
  }

  // MARK: Requests

  func send(
    _ method: HTTPMethod, _ path: String, _ headers: [(String, String)] = [], body: [UInt8]? = nil
  ) async throws -> Answer {
    try await TestClient.exchange(port, method, path, headers, body) { head, rest in
      var bytes: [UInt8] = []
      while let piece = try await rest.next() { bytes += piece.readableBytesView }
      return Answer(status: head.status, headers: head.headers, body: bytes)
    }
  }

  var bearer: (String, String) { ("Authorization", "Bearer \(app.token)") }
  var basic: (String, String) { ("Authorization", Self.basic("shop", app.key)) }

  static func basic(_ app: String, _ key: String) -> String {
    "Basic " + Data("\(app):\(key)".utf8).base64EncodedString()
  }

  func feed(_ headers: [(String, String)] = []) async throws -> Answer {
    try await send(.GET, "/device/v1/feed", [bearer] + headers)
  }

  /// Gives the secret.
  func register(_ installation: String) async throws -> String {
    let answer = try await send(
      .PUT, "/device/v1/installation", [bearer, ("Plot-Installation", installation)],
      body: Array(#"{"platform":"test"}"#.utf8))
    guard answer.status == 201, case .string(let secret)? = answer.json?["secret"] else {
      throw TestFault("expected 201 with a secret, found \(answer.status) \(answer.text)")
    }
    return secret
  }

  func post(
    _ installation: String, _ secret: String, _ body: String, _ headers: [(String, String)] = []
  ) async throws -> Answer {
    try await send(
      .POST, "/device/v1/events",
      [bearer, ("Plot-Installation", installation), ("Plot-Secret", secret)] + headers, body: Array(body.utf8))
  }

  @discardableResult
  func publish(_ feed: [UInt8]? = TestServer.feed, _ query: String = "", _ headers: [(String, String)] = [])
    async throws -> Answer
  {
    guard let feed else { throw TestFault("the demo's feed cannot be read") }
    return try await send(.POST, "/api/v2/publish\(query)", [basic] + headers, body: feed)
  }
}

/// Event records as a device makes them.
enum TestEvents {
  static func shown(
    _ sequence: Int64, campaign: String = "hello", region: String = "museum", time: String = "2026-03-01T10:00:00Z"
  ) -> String {
    """
    {"time":"\(time)","event":"notification-shown","sequence":\(sequence),"region":"\(region)","visit":"v1",\
    "campaign":"\(campaign)","matchIdentifier":"m\(sequence)","message":"m","data":""}
    """
  }

  static func enter(_ sequence: Int64, visit: String, region: String = "museum", time: String = "2026-03-01T10:00:00Z")
    -> String
  {
    #"{"time":"\#(time)","event":"region-enter","sequence":\#(sequence),"region":"\#(region)","visit":"\#(visit)","ordinal":1}"#
  }

  static func exit(_ sequence: Int64, visit: String, region: String = "museum", time: String = "2026-03-01T10:20:00Z")
    -> String
  {
    #"{"time":"\#(time)","event":"region-exit","sequence":\#(sequence),"region":"\#(region)","visit":"\#(visit)","ordinal":1}"#
  }

  static func batch(_ events: [String], _ name: String = "b1") -> String {
    "{\"batch\":\"\(name)\",\"events\":[\(events.joined(separator: ","))]}"
  }
}
