internal import PlotCore
internal import PlotEngine
internal import PlotSync

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The synchronization with a campaign service (docs/sync.md): the engine makes requests and takes answers; the app carries them, with `URLSession` or
/// whatever it has.
extension Engine {
  /// Starts it, goes on after a stop, or gives other facts about this device. `feed` counts until there is one of the service; `seed`, 16 bytes or more,
  /// is the one source of chance, by default the system's.
  public func beginSync(
    _ facts: [String: String] = [:], feed: Feed? = nil, seed: [UInt8]? = nil, at date: Date? = nil
  ) throws(PlotError) {
    var system = SystemRandomNumberGenerator()
    let chance = seed ?? (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &system) }
    let members = facts.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value)) }
    let json = facts.isEmpty ? nil : Array(JSONObject(members).text.utf8)
    try input(date) { (at) throws(EngineError) in
      try core.beginSync(at: at, facts: json, bundled: feed?.core, seed: chance)
    }
  }

  /// The next request, or when there is one. Ask again after each request, until there is none.
  public func nextSyncStep(at date: Date? = nil) throws(PlotError) -> SyncStep {
    var next = Sync.Next.wait(until: nil)
    try input(date) { (at) throws(EngineError) in next = try core.nextSyncRequest(at: at) }
    return SyncStep(next)
  }

  /// The answer to a request: its body decoded, and whole, or its beginning where it is too long.
  public func takeSyncResponse(
    to request: Int, status: Int, headers: [String: String], body: [UInt8], at date: Date? = nil
  ) throws(PlotError) {
    let lines = headers.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
    try input(date) { (at) throws(EngineError) in
      try core.takeSyncResponse(to: Int64(request), status: status, headers: lines, body: body, at: at)
    }
  }

  /// There is no answer to a request, or a stream is over; `reason` is for people.
  public func takeSyncFailure(of request: Int, because reason: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in
      try core.takeSyncFailure(of: Int64(request), because: reason, at: at)
    }
  }

  /// Bytes of a stream, as they come.
  public func takeSyncBytes(_ bytes: [UInt8], of request: Int, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.takeSyncBytes(bytes, of: Int64(request), at: at) }
  }

  /// Sends a recording of this engine to the service, whole or as far as it has come: the person has agreed. At most 16 MiB.
  public func sendSyncRecording(_ lines: [UInt8], at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.sendSyncRecording(lines, at: at) }
  }

  /// A push message of the service, as JSON.
  public func takeSyncMessage(_ json: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.takeSyncMessage(Array(json.utf8), at: at) }
  }

  /// Asks for the feed, and sends the events that wait, at once; also after a stop.
  public func syncNow(at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.syncNow(at: at) }
  }

  /// Asks for nothing any more.
  public func stopSync(at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.stopSync(at: at) }
  }

  /// Where it stands.
  public var syncStatus: SyncStatus {
    get throws(PlotError) {
      try SyncStatus(json: attempt { () throws(EngineError) in try core.syncStatus() })
    }
  }

  /// Hears where the synchronization stands, and when to ask for the next step; nil: not by itself.
  public func onSync(_ handler: (@Sendable (SyncStatus, Date?) -> Void)?) throws(PlotError) {
    typealias Told = @Sendable (String, Milliseconds?) -> Void
    let told = handler.map { handler -> Told in
      { json, next in
        if let status = try? SyncStatus(json: json) { handler(status, next.map(Date.init(milliseconds:))) }
      }
    }
    try attempt { () throws(EngineError) in try core.setCallback(\.sync, told) }
  }
}

/// The app is to do this for the synchronization.
public enum SyncStep: Hashable, Sendable {
  /// The app is to send a request to the service, and to hand the answer over.
  case request(SyncRequest)
  /// Nothing before that; nil: only another input changes that.
  case wait(until: Date?)

  init(_ next: Sync.Next) {
    switch next {
    case .request(let request): self = .request(SyncRequest(request))
    case .wait(let until): self = .wait(until: until.map(Date.init(milliseconds:)))
    }
  }
}

/// A request that the app is to make.
public struct SyncRequest: Hashable, Sendable {
  /// The number that its answer is handed over with.
  public var number: Int
  /// The method of HTTP, such as `GET`.
  public var method: String
  /// Where it goes.
  public var url: String
  /// The headers, with the token of the app.
  public var headers: [String: String]
  /// The body as text; nil for none.
  public var body: String?
  /// Seconds without a byte after which it has failed.
  public var timeout: Int
  /// Bytes of an answer after which the app stops to read.
  public var largestBody: Int
  /// The answer has no end: its bytes go to ``Engine/takeSyncBytes(_:of:at:)`` as they come.
  public var isStream: Bool
  /// As the C interface has it (docs/sync.md).
  package var json: String

  init(_ request: PlotSync.SyncRequest) {
    number = Int(request.number)
    (method, url, body) = (request.method, request.url, request.body)
    headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { _, last in last }
    (timeout, largestBody, isStream) = (Int(request.timeout), request.largestBody, request.isStream)
    json = request.json
  }
}

/// Where the synchronization stands (docs/sync.md, Status).
public struct SyncStatus: Record {
  public static let required = ["status", "publication", "failures", "stream", "waiting", "rejected"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// `idle`, `syncing`, `applied`, `unchanged`, `refused`, `offline` or `stopped`.
  public var status: String { text("status") }
  /// Since when it is as it is.
  public var since: Date? { date("since") }
  /// Why it is not as it should be.
  public var reason: String? { string("reason") }
  /// The number of the publication in force; 0 for none.
  public var publication: Int { integer("publication") ?? 0 }
  /// The revision of the feed in force, as its maker calls it.
  public var revision: String? { string("revision") }
  /// When the service was reached last.
  public var lastSuccess: Date? { date("lastSuccess") }
  /// When a feed of the service was taken last.
  public var lastApplied: Date? { date("lastApplied") }
  /// In a row.
  public var failures: Int { integer("failures") ?? 0 }
  /// When something is asked next; nil: not by itself.
  public var next: Date? { date("next") }
  /// `closed`, `opening` or `open`.
  public var stream: String { text("stream") }
  /// Events that are yet to be sent.
  public var waiting: Int { integer("waiting") ?? 0 }
  /// Events that the service has refused.
  public var rejected: Int { integer("rejected") ?? 0 }
  /// Why the newest feed was not taken.
  public var lastRejection: String? { string("lastRejection") }
}
