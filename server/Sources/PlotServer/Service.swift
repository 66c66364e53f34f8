internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import PlotDocuments
internal import PlotGzip
internal import PlotServerStorage
internal import ServiceLifecycle

/// The parts of one node, and what its routes share.
final class Service: Sendable {
  let storage: any SQLDatabase
  let configuration: ServerConfiguration
  let now: @Sendable () -> Int64
  let directory: Directory
  let publisher: Publisher
  let drafts: Drafts
  let maps = RegionMaps()
  let reports = DraftReports()
  let privateKeys: PrivateKeys
  let people: People
  let queue: IngestQueue
  let changes: Changes
  let metrics = ServerMetrics()
  /// Nil where nothing is to be pushed: then the server connects to nobody.
  let pusher: Pusher?
  /// Nil where people sign in with a password alone.
  let identity: (any IdentityProvider)?
  let webhooks: WebhookCourier
  let auditFile: AuditFile?
  let installations = InstallationMemory()
  /// By installation, or by address where a request names none.
  let requests: Limiter<Asker>
  /// Tokens and keys that were wrong, by address: 20 at once, then one in three seconds.
  let failures = FailureLimiter()

  init(_ storage: any SQLDatabase, _ configuration: ServerConfiguration, now: @escaping @Sendable () -> Int64) {
    self.storage = storage
    self.configuration = configuration
    self.now = now
    directory = Directory(storage)
    publisher = Publisher(storage, now: now)
    drafts = Drafts(storage, now: now)
    privateKeys = PrivateKeys(storage, now: now)
    people = People(storage, now: now)
    queue = IngestQueue(storage, now: now)
    changes = Changes(limit: configuration.streamLimit)
    pusher = configuration.pushWebhook.flatMap { URL(string: $0) }.map {
      Pusher(provider: Webhook(url: $0, secret: configuration.pushSecret))
    }
    identity = configuration.signInHeader.flatMap { HTTPField.Name($0) }.map { ProxyIdentity(header: $0) }
    auditFile = configuration.auditFile.map { AuditFile(path: $0) }
    webhooks = WebhookCourier(storage: storage, hosts: WebhookHosts(configuration.webhookHosts), now: now)
    requests = Limiter(rate: configuration.requestRate, burst: configuration.requestBurst)
  }

  func address(_ request: Request, _ context: ServerContext) -> String {
    guard configuration.trustsProxy, let forwarded = request.headers[.xForwardedFor]?.split(separator: ",").last else {
      return context.address
    }
    return String(forwarded.filter { $0 != " " }.prefix(64))
  }

  /// The body of a request, unpacked; at most `limit` bytes, and within the time that a request may take.
  func body(_ request: Request, limit: Int) async throws -> [UInt8] {
    let tooLarge = RequestFault(
      .contentTooLarge, "too-large", "expected a body of at most \(limit) bytes, found more: send less at once")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    let encoding = request.headers[.contentEncoding]?.lowercased() ?? "identity"
    guard encoding == "gzip" || encoding == "identity" else {
      throw RequestFault(
        .unsupportedMediaType, "unsupported-encoding", "expected \"Content-Encoding: gzip\" or none, found another")
    }
    let timeout = configuration.idleTimeout
    let bytes = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      group.addTask {
        var bytes: [UInt8] = []
        for try await piece in request.body {
          guard bytes.count + piece.readableBytes <= limit else { throw tooLarge }
          bytes.append(contentsOf: piece.readableBytesView)
        }
        return bytes
      }
      group.addTask {
        try await Task.sleep(for: .seconds(timeout))
        throw RequestFault(
          .requestTimeout, "too-slow", "expected the whole body within \(timeout) s, found a part of it")
      }
      defer { group.cancelAll() }
      return try await group.next() ?? []
    }
    guard encoding == "gzip" else { return bytes }
    do throws(Gzip.Fault) {
      return try Gzip.decompress(bytes, limit: limit)
    } catch {
      switch error {
      case .tooLarge: throw tooLarge
      case .damaged:
        throw RequestFault(
          .badRequest, "invalid-gzip", "expected a body in gzip, as \"Content-Encoding\" says, found something else")
      }
    }
  }

  func json(_ request: Request, limit: Int) async throws -> JSONValue {
    let body = try await body(request, limit: limit)
    do throws(DocumentError) { return try JSONValue(parsing: body) } catch { throw RequestFault(document: error) }
  }

  /// Takes into memory what has changed in the database, and tells the streams of new publications.
  func follow(_ logger: Logger) async {
    do {
      for app in try await directory.refresh() {
        guard let newest = app.feeds.first else { continue }
        changes.announce(
          Changes.Change(
            publication: newest.number, etag: newest.representation(.json, zipped: false).etag, spread: newest.spread),
          app: app.record.key)
      }
    } catch {
      logger.error("the publications cannot be read; those in memory go on", metadata: ["error": "\(error)"])
    }
  }
}

extension Service {
  /// Pushes what nobody has pushed yet. Gives up after a while, for polling goes on.
  func push(_ logger: Logger) async {
    guard let pusher else { return }
    do {
      let time = now()
      guard try await storage.read({ try $0.hasUnpushed() }) else { return }
      let taken = try await storage.write { try $0.takeUnpushed(at: time) }
      for app in directory.apps() {
        guard let number = taken[app.record.key], let feed = app.feeds.first(where: { $0.number == number }) else {
          continue
        }
        await pusher.push(
          PushNotice(
            app: app.record.id,
            change: Changes.Change(
              publication: number, etag: feed.representation(.json, zipped: false).etag, spread: feed.spread)), logger)
      }
    } catch {
      logger.error("the publications to push cannot be read", metadata: ["error": "\(error)"])
    }
  }
}

/// Whose requests are counted together.
struct Asker: Hashable, Sendable {
  var app: Int64
  /// An installation, or an address where a request names none.
  var name: String
}

/// Wrong tokens and keys: 20 at once, then one in three seconds.
final class FailureLimiter: Sendable {
  private let limiter = Limiter<String>(rate: 1, burst: 60)

  func isEmpty(_ address: String, at now: Int64) -> Bool { limiter.isEmpty(address, at: now) }

  func take(_ address: String, at now: Int64) -> Int? {
    var wait: Int?
    for _ in 0..<3 { wait = limiter.take(address, at: now) ?? wait }
    return wait
  }
}

extension HTTPField.Name {
  static let xForwardedFor = Self("X-Forwarded-For")!
}
