import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// Publications that are pushed, by way of another server.
@Suite struct PushTests {
  final class Received: Sendable {
    struct Call: Sendable {
      var body: String
      var signature: String
    }

    let calls = Mutex<[Call]>([])
    /// How many calls are refused at first.
    let refusals = Mutex(0)
  }

  /// Runs another server that takes webhooks, and gives its URL.
  static func withReceiver(_ received: Received, _ body: @Sendable (String) async throws -> Void) async throws {
    let router = Router()
    router.post("hook") { request, _ -> HTTPResponse.Status in
      let buffer = try await request.body.collect(upTo: 10_000)
      if received.refusals.withLock({ count in
        count -= 1
        return count >= 0
      }) {
        return .internalServerError
      }
      let signature = request.headers[.init("Plot-Webhook-Signature")!] ?? ""
      received.calls.withLock { $0.append(.init(body: String(buffer: buffer), signature: signature)) }
      return .ok
    }
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    var logger = Logger(label: "receiver")
    logger.logLevel = .error
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: logger)
    let group = ServiceGroup(configuration: .init(services: [.init(service: application)], logger: logger))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      guard let number = await ports.first(where: { _ in true }) else { throw TestFault("the receiver does not start") }
      do { try await body("http://127.0.0.1:\(number)/hook") } catch {
        await group.triggerGracefulShutdown()
        throw error
      }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }

  @Test(arguments: TestDatabase.allCases) func eachPublicationIsPushedOnce(_ database: TestDatabase) async throws {
    let received = Received()
    received.refusals.withLock { $0 = 1 }
    try await Self.withReceiver(received) { url in
      try await TestServer.with(database, #"{"pushWebhook": "\#(url)", "pushSecret": "key"}"#) { server in
        try await server.publish(ManagementTests.small, "?spread=9")
        for _ in 0..<2400 where received.calls.withLock({ $0.isEmpty }) { try await Task.sleep(for: .milliseconds(50)) }
        // A second node has nothing left to push.
        try await Task.sleep(for: .milliseconds(1500))
        let calls = received.calls.withLock { $0 }
        #expect(calls.count == 1)
        let call = try #require(calls.first)
        #expect(
          call.body.hasPrefix(#"{"app":"shop","publication":1,"etag":"\"1-"#) && call.body.hasSuffix(#""spread":9}"#))
        let mac = Cryptography.authentication(of: Array(call.body.utf8), key: Array("key".utf8))
        #expect(call.signature == "sha256=" + Secrets.hexadecimal(mac))
      }
    }
  }

  /// RFC 4231, test case 2.
  @Test func hmacAsInTheRFC() {
    let mac = Cryptography.authentication(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(Secrets.hexadecimal(mac) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }
}
