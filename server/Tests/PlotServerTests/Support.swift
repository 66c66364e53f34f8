import AsyncHTTPClient
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

/// Gets the bytes as they were sent.
let testClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(decompression: .disabled))

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
    let name = "t" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
    switch self {
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.appending(path: "plot-server-\(name)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let database = try SQLiteDatabase(path: folder.appending(path: "db").path)
      return try await run(database, body)
    case .postgres:
      guard let url = ProcessInfo.processInfo.environment["PLOT_TEST_POSTGRES"] else {
        throw TestFault("PLOT_TEST_POSTGRES: expected the URL of a PostgreSQL for tests, found none: run server/Tests/test.sh")
      }
      let connection = try PostgresConnection(url)
      try connection.simple("CREATE DATABASE \(name)")
      defer { try? connection.simple("DROP DATABASE \(name) WITH (FORCE)") }
      let own = url.replacingOccurrences(of: "/postgres?", with: "/\(name)?")
      return try await run(PostgresDatabase(url: own, connections: 4), body)
    }
  }

  private func run<T>(_ database: any SQLDatabase, _ body: (any SQLDatabase) async throws -> T) async throws -> T {
    do {
      try await Schema.migrate(database)
      let result = try await body(database)
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
  var url: String
  var node: ServerNode

  static let feed = try? Array(Data(contentsOf: projectRoot.appending(path: "demo/feed.json")))

  /// Runs a node of its own, and stops it.
  static func with<T: Sendable>(
    _ database: TestDatabase = .sqlite, _ change: (inout ServerConfiguration) -> Void = { _ in },
    _ body: @Sendable (TestServer) async throws -> T
  ) async throws -> T {
    try await database.with { storage in
      let clock = TestClock()
      var configuration = ServerConfiguration()
      configuration.port = 0
      configuration.requestRate = 0
      change(&configuration)
      let app = try await Apps.make("shop", name: "Shop", storage) { clock.now }
      return try await run(storage, clock, app, configuration, body)
    }
  }

  static func run<T: Sendable>(
    _ storage: any SQLDatabase, _ clock: TestClock, _ app: Apps.Made, _ configuration: ServerConfiguration,
    _ body: @Sendable (TestServer) async throws -> T
  ) async throws -> T {
    var logger = Logger(label: "test")
    logger.logLevel = .error
    let node = ServerNode(storage, configuration, logger: logger) { clock.now }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let application = try await node.application { port.yield($0) }
    let group = ServiceGroup(configuration: .init(services: [.init(service: application)], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      guard let number = await ports.first(where: { _ in true }) else { throw TestFault("the server does not start") }
      let server = TestServer(
        storage: storage, clock: clock, app: app, url: "http://127.0.0.1:\(number)", node: node)
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
    var request = HTTPClientRequest(url: url + path)
    request.method = method
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
    let response = try await testClient.execute(request, timeout: .seconds(30))
    let bytes = try await response.body.collect(upTo: 64 << 20)
    return Answer(status: Int(response.status.code), headers: response.headers, body: Array(bytes.readableBytesView))
  }

  var bearer: (String, String) { ("Authorization", "Bearer \(app.token)") }
  var basic: (String, String) { ("Authorization", Self.basic("shop", app.key)) }

  static func basic(_ app: String, _ key: String) -> String { "Basic " + Data("\(app):\(key)".utf8).base64EncodedString() }

  func feed(_ headers: [(String, String)] = []) async throws -> Answer {
    try await send(.GET, "/device/v1/feed", [bearer] + headers)
  }

  /// Gives the secret.
  func register(_ installation: String) async throws -> String {
    let answer = try await send(
      .PUT, "/device/v1/installation", [bearer, ("Plot-Installation", installation)], body: Array(#"{"platform":"test"}"#.utf8))
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
  func publish(_ feed: [UInt8]? = TestServer.feed, _ query: String = "", _ headers: [(String, String)] = []) async throws -> Answer {
    guard let feed else { throw TestFault("the demo's feed cannot be read") }
    return try await send(.POST, "/api/v2/publish\(query)", [basic] + headers, body: feed)
  }
}

/// Event records as a device makes them.
enum TestEvents {
  static func shown(_ sequence: Int64, campaign: String = "hello", region: String = "museum", time: String = "2026-03-01T10:00:00Z") -> String {
    """
    {"time":"\(time)","event":"notification-shown","sequence":\(sequence),"region":"\(region)","visit":"v1",\
    "campaign":"\(campaign)","matchIdentifier":"m\(sequence)","message":"m","data":""}
    """
  }

  static func enter(_ sequence: Int64, visit: String, region: String = "museum", time: String = "2026-03-01T10:00:00Z") -> String {
    #"{"time":"\#(time)","event":"region-enter","sequence":\#(sequence),"region":"\#(region)","visit":"\#(visit)","ordinal":1}"#
  }

  static func exit(_ sequence: Int64, visit: String, region: String = "museum", time: String = "2026-03-01T10:20:00Z") -> String {
    #"{"time":"\#(time)","event":"region-exit","sequence":\#(sequence),"region":"\#(region)","visit":"\#(visit)","ordinal":1}"#
  }

  static func batch(_ events: [String], _ name: String = "b1") -> String {
    "{\"batch\":\"\(name)\",\"events\":[\(events.joined(separator: ","))]}"
  }
}
