internal import PlotCore
internal import PlotDocuments

/// The facts that a synchronization must know after the process has ended. They lie in the engine's store, as text.
public struct SyncState: Equatable, Sendable {
  struct Installation: Equatable, Sendable {
    var id: String
    /// Nil until the service has given one.
    var secret: String?
  }

  /// The events that were put together, to be sent again with the same id until there is an answer.
  struct Batch: Equatable, Sendable {
    var id: String
    /// The sequence of the last one.
    var through: Int64
    var count: Int
  }

  /// A feed that was whole and genuine, and that the reader refuses.
  struct Refusal: Equatable, Sendable {
    var etag: String
    var until: Milliseconds
    /// Of the library and of the keys that refused it.
    var judge: String
    var reason: String
  }

  /// A name for the service, the app and its token: what follows belongs to them.
  var origin = ""
  var installation: Installation?
  /// The facts that the service has, by their hash.
  var facts: String?
  var etag: String?
  /// The number of the publication in force; 0 for none.
  public internal(set) var publication: Int64 = 0
  var issued: Milliseconds = 0
  /// When the feed is asked for next; nil before the first start.
  var pollAt: Milliseconds?
  /// Nothing is asked before that.
  var retryAt: Milliseconds = 0
  var failures: Int64 = 0
  var lastSuccess: Milliseconds?
  var lastApplied: Milliseconds?
  var batch: Batch?
  var refusal: Refusal?
  /// Events that the service has refused, one by one.
  var rejected: Int64 = 0
  var lastRejection: String?
  /// Installations whose data the service has yet to erase.
  var erasures: [Installation] = []

  init() {}

  // MARK: Text

  public var text: String {
    var members: [(key: String, value: JSONValue)] = [("origin", .string(origin))]
    func add(_ key: String, _ value: JSONValue?) { if let value { members.append((key, value)) } }
    func text(_ value: String?) -> JSONValue? { value.map { .string($0) } }
    func number(_ value: Int64?) -> JSONValue? { value.flatMap { $0 == 0 ? nil : .integer($0) } }
    add("installation", installation.map(Self.json))
    add("facts", text(facts))
    add("etag", text(etag))
    add("publication", number(publication))
    add("issued", number(issued))
    add("pollAt", pollAt.map { .integer($0) })
    add("retryAt", number(retryAt))
    add("failures", number(failures))
    add("lastSuccess", lastSuccess.map { .integer($0) })
    add("lastApplied", lastApplied.map { .integer($0) })
    add(
      "batch",
      batch.map {
        .object([("id", .string($0.id)), ("through", .integer($0.through)), ("count", .integer(Int64($0.count)))])
      })
    add(
      "refusal",
      refusal.map {
        .object([
          ("etag", .string($0.etag)), ("until", .integer($0.until)), ("judge", .string($0.judge)),
          ("reason", .string($0.reason)),
        ])
      })
    add("rejected", number(rejected))
    add("lastRejection", text(lastRejection))
    if !erasures.isEmpty { add("erasures", .array(erasures.map(Self.json))) }
    return JSONValue.object(members).text
  }

  private static func json(_ installation: Installation) -> JSONValue {
    let secret = installation.secret.map { [(key: "secret", value: JSONValue.string($0))] } ?? []
    return .object([("id", .string(installation.id))] + secret)
  }

  /// Nil for a text that `text` never gave.
  public init?(_ text: String) {
    guard let root = try? JSONValue(parsing: Array(text.utf8)), let origin = root.text("origin") else { return nil }
    self.origin = origin
    installation = root["installation"].flatMap(Self.installation)
    (facts, etag, lastRejection) = (root.text("facts"), root.text("etag"), root.text("lastRejection"))
    publication = root.number("publication") ?? 0
    issued = root.number("issued") ?? 0
    (pollAt, lastSuccess, lastApplied) = (
      root.number("pollAt"), root.number("lastSuccess"), root.number("lastApplied")
    )
    retryAt = root.number("retryAt") ?? 0
    failures = root.number("failures") ?? 0
    rejected = root.number("rejected") ?? 0
    if let batch = root["batch"], let id = batch.text("id"), let through = batch.number("through") {
      self.batch = Batch(id: id, through: through, count: Int(batch.number("count") ?? 1))
    }
    if let refusal = root["refusal"], let etag = refusal.text("etag"), let until = refusal.number("until") {
      self.refusal = Refusal(
        etag: etag, until: until, judge: refusal.text("judge") ?? "", reason: refusal.text("reason") ?? "")
    }
    if case .array(let values)? = root["erasures"] { erasures = values.compactMap(Self.installation) }
  }

  private static func installation(_ value: JSONValue) -> Installation? {
    value.text("id").map { Installation(id: $0, secret: value.text("secret")) }
  }
}

extension JSONValue {
  func text(_ key: String) -> String? { if case .string(let text)? = self[key] { text } else { nil } }

  func number(_ key: String) -> Int64? { if case .integer(let number)? = self[key] { number } else { nil } }
}
