public import PlotCore
internal import PlotDocuments

/// A request that the host is to make (docs/sync.md, Requests).
public struct SyncRequest: Sendable {
  enum Kind: String, Sendable {
    case feed
    case installation
    case erasure
    case events
    case recording
    case changes
  }

  public var number: Int64
  var kind: Kind
  public var method: String
  public var url: String
  public var headers: [(name: String, value: String)]
  public var body: String?
  /// Seconds without a byte after which it has failed.
  public var timeout: Int64
  /// Bytes of an answer after which the host stops to read.
  public var largestBody: Int
  /// The answer has no end: the host hands on the bytes as they come.
  public var isStream: Bool { kind == .changes }

  public var json: String {
    JSONValue.object([
      (
        "request",
        .object(
          [
            ("number", .integer(number)), ("method", .string(method)), ("url", .string(url)),
            ("headers", .object(headers.map { ($0.name, .string($0.value)) })),
          ] + (body.map { [(key: "body", value: JSONValue.string($0))] } ?? []) + [
            ("timeout", .integer(timeout)), ("largestBody", .integer(Int64(largestBody))),
            ("stream", .boolean(isStream)),
          ])
      )
    ]).text
  }

  /// A line of a recording: without token, secret and anything that names the device, the body by its hash.
  var recorded: JSONValue {
    .object(
      [
        ("request", .integer(number)), ("method", .string(method)), ("kind", .string(kind.rawValue)),
      ] + Self.recorded(body.map { Array($0.utf8) } ?? []))
  }

  static func recorded(_ body: [UInt8]) -> [(key: String, value: JSONValue)] {
    body.isEmpty
      ? [] : [("bytes", .integer(Int64(body.count))), ("sha256", .string(Hashes.hexadecimal(Hashes.sha256(body))))]
  }
}

/// The answer to a request, as the host has it: the body decoded.
public struct SyncResponse: Sendable {
  public var status: Int
  /// By their names in small letters.
  var headers: [String: String] = [:]
  public var body: [UInt8]

  /// `headers`: lines of `Name: value`.
  public init(status: Int, headers: String, body: [UInt8]) {
    (self.status, self.body) = (status, body)
    for line in headers.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      self.headers[line[..<colon].lowercased()] = String(
        value.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
  }

  var isJSON: Bool { mediaType == "application/json" }
  /// A page for people, such as that of a hotel's network, and no word of the service.
  var isPage: Bool { mediaType == "text/html" || mediaType == "application/xhtml+xml" }

  var mediaType: String {
    let type = (headers["content-type"] ?? "").prefix { $0 != ";" && $0 != " " }
    return type.lowercased()
  }

  func number(_ name: String) -> Int64? { headers[name].flatMap { Int64($0) } }

  /// Seconds; a date is taken for none.
  var retryAfter: Int64? { number("retry-after").map { min(max($0, 0), 86_400) } }

  /// The kind of an error that the service has named.
  var errorKind: String? {
    guard isJSON, let root = try? JSONValue(parsing: body) else { return nil }
    return root["error"]?.text("kind")
  }

  /// The fault of a body that is not as its length says; nil where that cannot be told.
  var lengthFault: String? {
    guard headers["content-encoding"] == nil, let length = headers["content-length"] else { return nil }
    return Int(length) == body.count ? nil : "a body of \(length) bytes came with \(body.count)"
  }

  func recorded(_ request: Int64) -> JSONValue {
    let named = ["content-type", "etag", "plot-publication", "plot-issued", "plot-poll-after", "retry-after"]
    let found = named.compactMap { name in headers[name].map { (key: name, value: JSONValue.string($0)) } }
    return .object(
      [("response", .integer(request)), ("status", .integer(Int64(status))), ("headers", .object(found))]
        + SyncRequest.recorded(body))
  }
}

/// Facts of the rest of the engine for a synchronization.
public struct SyncContext: Sendable {
  /// The newest time of the engine.
  public var newest: Milliseconds
  /// Events that wait to be sent.
  public var waiting: Int
  /// When the oldest of them happened.
  public var oldest: Milliseconds?
  public var isForeground: Bool
  public var hasNetwork: Bool
  /// Its IANA name.
  public var timeZone: String
  /// Of the library.
  public var version: String

  public init(
    newest: Milliseconds, waiting: Int, oldest: Milliseconds?, isForeground: Bool, hasNetwork: Bool, timeZone: String,
    version: String
  ) {
    self.newest = newest
    (self.waiting, self.oldest, self.isForeground) = (waiting, oldest, isForeground)
    (self.hasNetwork, self.timeZone, self.version) = (hasNetwork, timeZone, version)
  }
}

/// Events that wait to be sent: after what was acknowledged, up to a sequence if there is one, at most so many.
public typealias SyncEvents = (_ through: Int64?, _ limit: Int) -> [(sequence: Int64, json: String)]

/// The consequence of an answer for the engine, in the transaction that keeps what the synchronization knows.
public enum SyncOutcome: Sendable {
  case nothing
  case feed(Feed)
  /// The app is at its end, and its configuration wants an empty feed.
  case clearFeed
  /// The service has all events up to this one.
  case acknowledged(through: Int64)
}

extension Sync.Next {
  /// As the header has it.
  public var json: String {
    switch self {
    case .request(let request): request.json
    case .wait(let until): "{\"until\":\(until.map { "\($0)" } ?? "null")}"
    }
  }
}
