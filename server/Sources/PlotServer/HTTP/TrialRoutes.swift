internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOPosix
internal import PlotDocuments
internal import PlotEngineKit
internal import PlotServerStorage
internal import Synchronization

/// Walks that are tried with a draft before it is published (docs/server.md, Trying).
struct TrialRoutes: Sendable {
  private static let previewFixes = 20_000
  private static let walkLimit = 10_000
  private static let fixLimit = 1_000_000
  private static let explainLimit = 50
  /// How many are tried at once on this node.
  private static let most = 2

  let service: Service
  private let running = Running()

  init(service: Service) { self.service = service }

  private final class Running: Sendable {
    private let count = Mutex(0)

    func begin() throws(RequestFault) {
      guard
        count.withLock({ count in
          guard count < TrialRoutes.most else { return false }
          count += 1
          return true
        })
      else { throw .busy("others try walks on this server now: send the same request again", after: 5) }
    }

    func end() { count.withLock { $0 -= 1 } }
  }

  func add(to router: Router<ServerContext>) {
    router.post("api/v2/preview", use: preview)
    router.post("api/v2/backtest", use: backtest)
  }

  /// The feed and configuration of a side: its own, or those that are named; the draft else.
  private func trial(
    _ value: JSONValue?, _ place: String, orDraft: Bool, _ app: AppRecord
  ) async throws -> (trial: Trial, feed: JSONValue) {
    let value = value ?? .object([])
    try RequestFault.checkKeys(value, place, ["feed", "publication", "config"])
    let feed: [UInt8]
    switch (value["feed"], value["publication"]) {
    case (let own?, nil): feed = Array(own.text.utf8)
    case (nil, .integer(let number)?):
      feed = try await bytes(ofPublication: number, app)
    case (nil, nil):
      feed =
        orDraft
        ? try await service.drafts.document(app: app.id).bytes : try await bytes(ofPublication: nil, app)
    default: throw RequestFault.invalid("\(place)/publication", "a number, or a \"feed\"", value["publication"])
    }
    do throws(PlotError) {
      let text = String(decoding: feed, as: UTF8.self)
      let trial = try Trial(feed: text, configuration: value["config"]?.text ?? "{}")
      return (trial, (try? JSONValue(parsing: feed)) ?? .object([]))
    } catch {
      throw Self.fault(error, place)
    }
  }

  private func bytes(ofPublication number: Int64?, _ app: AppRecord) async throws -> [UInt8] {
    let found = try await service.storage.read { session -> [UInt8]? in
      let publication =
        try number.map { try session.publication(ofApp: app.key, number: $0) }
        ?? session.publicationsInUse(ofApp: app.key).first
      return try publication.flatMap { try session.revision($0.revision)?.representations.json }
    }
    if let found { return found }
    guard number == nil else {
      throw RequestFault(.notFound, "not-found", "expected the number of a publication of this app, found another")
    }
    return Array(#"{"version":1,"regions":[],"campaigns":[]}"#.utf8)
  }

  private static func fault(_ error: PlotError, _ place: String) -> RequestFault {
    var fault = RequestFault(.unprocessableContent, "invalid-document", error.message)
    fault.pointer = place + error.pointer
    (fault.expected, fault.found) = (error.expected, error.found)
    return fault
  }

  /// Away from the threads that answer requests.
  private static func played<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
    try await NIOThreadPool.singleton.runIfActive(body)
  }

  // MARK: One walk

  @Sendable private func preview(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let body = try await service.json(request, limit: service.configuration.feedLimit)
    let walk = try TrialReader.walk(
      body, "", ["feed", "publication", "config", "explain"], most: Self.previewFixes)
    var side: [(key: String, value: JSONValue)] = []
    for key in ["feed", "publication", "config"] { if let value = body[key] { side.append((key, value)) } }
    let (trial, feed) = try await trial(.object(side), "", orDraft: true, app)
    var campaigns: [String] = []
    if case .array(let list)? = feed["campaigns"] {
      campaigns = list.compactMap { if case .string(let id)? = $0["id"] { id } else { nil } }
    }
    switch body["explain"] {
    case nil: campaigns = Array(campaigns.prefix(Self.explainLimit))
    case .array(let list)? where list.count <= Self.explainLimit:
      campaigns = try list.enumerated().map { index, one in
        guard case .string(let id) = one, campaigns.contains(id) else {
          throw RequestFault.invalid("/explain/\(index)", "the id of a campaign", one)
        }
        return id
      }
    case let other?: throw RequestFault.invalid("/explain", "at most \(Self.explainLimit) ids of campaigns", other)
    }
    try running.begin()
    defer { running.end() }
    do {
      let outcome = try await Self.played { [campaigns] in
        try trial.play(walk, records: true, explained: campaigns)
      }
      let shown = outcome.shown.map { one in
        "{\"time\":\"\(TrialReader.text(one.time))\",\"campaign\":\(JSONValue.quoted(one.campaign)),\"region\":\(JSONValue.quoted(one.region)),\"notification\":\(one.json)}"
      }
      let refused = outcome.refused.map { "{\"fix\":\($0.fix),\"reason\":\(JSONValue.quoted($0.reason))}" }
      func list(_ name: String, _ elements: [String]) -> String {
        "\"\(name)\":[\(elements.joined(separator: ","))]"
      }
      let text = [
        list("shown", shown), list("explanations", outcome.explanations), list("events", outcome.events),
        list("decisions", outcome.decisions), list("refused", refused),
      ].joined(separator: ",")
      return .json(text: "{\(text)}")
    } catch let error as PlotError {
      throw Self.fault(error, "")
    }
  }

  // MARK: Many walks

  @Sendable private func backtest(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let body = try await service.json(request, limit: service.configuration.feedLimit)
    try RequestFault.checkKeys(body, "", ["walks", "before", "after"])
    guard case .array(let list)? = body["walks"], (1...Self.walkLimit).contains(list.count) else {
      throw RequestFault.invalid("/walks", "1 to \(Self.walkLimit) walks", body["walks"])
    }
    var walks: [TrialWalk] = []
    var rest = Self.fixLimit
    for (index, one) in list.enumerated() {
      let walk = try TrialReader.walk(one, "/walks/\(index)", most: rest)
      rest -= walk.fixes.count
      walks.append(walk)
    }
    let before = try await trial(body["before"], "/before", orDraft: false, app).trial
    let after = try await trial(body["after"], "/after", orDraft: true, app).trial
    try running.begin()
    return Response(
      status: .ok, headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"],
      body: ResponseBody { [walks] writer in
        // A client that goes away ends it: then a line cannot be written.
        defer { running.end() }
        var comparison = TrialComparison()
        do {
          for (index, walk) in walks.enumerated() {
            let (a, b) = try await Self.played {
              (try before.play(walk, records: false), try after.play(walk, records: false))
            }
            comparison.add(walk, index, before: a, after: b)
            if (index + 1) % max(1, walks.count / 100) == 0 {
              try await writer.write(ByteBuffer(string: "{\"done\":\(index + 1),\"walks\":\(walks.count)}\n"))
            }
          }
          try await writer.write(ByteBuffer(string: "{\"report\":\(comparison.json.text)}\n"))
        } catch let error as PlotError {
          try await writer.write(ByteBuffer(string: "{\"error\":\(JSONValue.quoted(error.message))}\n"))
        }
        try await writer.finish(nil)
      })
  }
}
