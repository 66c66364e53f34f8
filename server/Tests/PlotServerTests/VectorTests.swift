import Foundation
import NIOCore
import NIOHTTP1
import PlotDocuments
import Testing

@testable import PlotServer
@testable import PlotServerStorage

/// The requests and answers of server/Tests/vectors, against a running server.
@Suite struct VectorTests {
  static let folder = projectRoot.appending(path: "server/Tests/vectors")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
    $0.hasSuffix(".json")
  }.sorted()

  @Test func thereAreVectors() { #expect(Self.names.count >= 4) }

  @Test(arguments: names, TestDatabase.allCases) func answersAreThoseOfTheVector(
    _ name: String, _ database: TestDatabase
  ) async throws {
    let vector = try JSONValue(parsing: Array(Data(contentsOf: Self.folder.appending(path: name))))
    guard case .array(let steps)? = vector["steps"] else { throw TestFault("\(name): expected steps") }
    try await TestServer.with(database, #"{"recordings":true}"#) { server in
      var known = ["token": server.app.token, "basic": server.basic.1]
      for (number, step) in steps.enumerated() {
        guard let request = step["request"], let answer = step["answer"], case .string(let method)? = request["method"],
          case .string(let path)? = request["path"]
        else { throw TestFault("\(name): step \(number) has another form") }
        var headers: [(String, String)] = []
        for (key, value) in Self.texts(request["headers"]) { headers.append((key, Self.filled(value, known))) }
        let wanted = Self.texts(answer["headers"])
        let what = "\(name), step \(number)"
        guard path != "/device/v1/changes" else {
          try await Self.check(stream: server, path, headers, Self.text(answer["body"]) ?? "", what)
          continue
        }
        let found = try await server.send(
          HTTPMethod(rawValue: method), path, headers,
          body: Self.text(request["body"]).map { Array(Self.filled($0, known).utf8) })
        #expect("\(found.status)" == answer["status"]?.text, "\(what): \(found.text)")
        for (key, value) in wanted { #expect(found.headers.first(name: key) == value, "\(what): \(key)") }
        if let body = Self.text(answer["body"]) { #expect(found.text == body, "\(what)") }
        for (key, pointer) in Self.texts(step["keep"]) {
          known[key] = Self.text(found.json?[String(pointer.dropFirst())]) ?? ""
        }
      }
    }
  }

  /// The stream begins with a text.
  static func check(
    stream server: TestServer, _ path: String, _ headers: [(String, String)], _ text: String, _ what: String
  ) async throws {
    try await TestClient.exchange(server.port, .GET, path, headers, nil) { head, rest in
      #expect(head.headers.first(name: "Content-Type") == "text/event-stream")
      var found = ""
      while found.utf8.count < text.utf8.count, let piece = try await rest.next() { found += String(buffer: piece) }
      #expect(found == text, "\(what)")
    }
  }

  static func text(_ value: JSONValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  static func texts(_ value: JSONValue?) -> [(String, String)] {
    guard case .object(let members)? = value else { return [] }
    return members.compactMap { member in text(member.value).map { (member.key, $0) } }
  }

  static func filled(_ text: String, _ known: [String: String]) -> String {
    known.reduce(text) { $0.replacingOccurrences(of: "{{\($1.key)}}", with: $1.value) }
  }
}
