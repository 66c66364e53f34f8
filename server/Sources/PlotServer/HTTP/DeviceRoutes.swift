internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOPosix
internal import PlotDocuments
internal import PlotServerStorage

/// The requests of devices (docs/sync-protocol.md).
struct DeviceRoutes: Sendable {
  let service: Service

  func add(to router: Router<ServerContext>) {
    router.get("device/v1/feed", use: feed)
    router.get("device/v1/changes", use: changes)
    router.put("device/v1/installation", use: putInstallation)
    router.delete("device/v1/installation", use: deleteInstallation)
    router.post("device/v1/events", use: events)
    router.post("device/v1/recordings", use: recording)
  }

  // MARK: Who asks

  fileprivate func app(_ request: Request, _ context: ServerContext) throws -> Directory.App {
    let address = service.address(request, context)
    let now = service.now()
    guard let header = request.headers[.authorization], header.lowercased().hasPrefix("bearer "),
      let app = service.directory.app(token: String(header.dropFirst(7)))
    else {
      // A right token is never refused for the wrong ones of others at the same address.
      if service.failures.take(address, at: now) != nil {
        throw RequestFault(
          .tooManyRequests, "too-many-requests", "too many tokens that no app has: wait", retryAfter: 60)
      }
      throw RequestFault.unauthorized
    }
    let name = request.headers[.plotInstallation] ?? address
    let asker = Asker(app: app.record.key, name: name.utf8.count <= 100 ? name : String(name.prefix(100)))
    if let seconds = service.requests.take(asker, at: now) {
      throw RequestFault(.tooManyRequests, "too-many-requests", "too many requests: wait", retryAfter: seconds)
    }
    switch app.record.state {
    case .active: return app
    case .blocked: throw RequestFault.unauthorized
    case .gone: throw RequestFault(.gone, "gone", "this app is over: ask no more")
    }
  }

  /// The installation of the headers, with its secret.
  private func installation(_ request: Request, _ app: Directory.App) async throws -> InstallationRecord {
    guard let id = request.headers[.plotInstallation], Self.isInstallation(id),
      let secret = request.headers[.plotSecret], secret.utf8.count <= 200
    else { throw RequestFault.unknownInstallation }
    let hash = Secrets.sha256(Array(secret.utf8))
    let key = app.record.key
    if let known = service.installations.get(id, app: key, secret: hash) { return known }
    guard let record = try await service.storage.read({ try $0.installation(id, ofApp: key) }),
      Secrets.areEqual(record.secret, hash)
    else { throw RequestFault.unknownInstallation }
    service.installations.put(record, app: key)
    return record
  }

  static func isInstallation(_ id: String) -> Bool {
    (8...100).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
          || byte == 0x5F
      }
  }

  // MARK: The feed

  @Sendable private func feed(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try app(request, context)
    guard let form = FeedForm.asked(request.headers[.accept]) else {
      throw RequestFault(
        .notAcceptable, "not-acceptable",
        "expected \"Accept\" with \(FeedForm.allCases.map(\.mediaType).joined(separator: " or ")), found others")
    }
    guard let feed = app.feed(for: request.headers[.plotInstallation]) else {
      throw RequestFault(
        .notFound, "no-publication", "nothing was published for this app yet: ask again later",
        retryAfter: Int(app.record.pollAfter))
    }
    let zipped = request.headers[.acceptEncoding]?.takesGzip ?? false
    let found = feed.representation(form, zipped: zipped)
    if let known = request.headers[.ifNoneMatch], Self.matches(known, found.etag) {
      return Response(status: .notModified, headers: found.unchanged)
    }
    return Response(status: .ok, headers: found.headers, body: ResponseBody(byteBuffer: found.body))
  }

  /// Whether a list of an `If-None-Match` has an etag (RFC 9110, 13.1.2).
  static func matches(_ list: String, _ etag: String) -> Bool {
    if list == etag { return true }
    return list.split(separator: ",").contains { part in
      let one = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed().map(String.init).joined()
      return one == "*" || one == etag || one == "W/" + etag
    }
  }

  // MARK: Changes

  @Sendable private func changes(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try app(request, context)
    guard let (stream, continuation) = service.changes.listen(app: app.record.key) else {
      throw RequestFault.busy("too many streams of this app: go on asking for the feed", after: 600)
    }
    // A client that has missed a publication hears of it at once.
    let last = request.headers[.lastEventId].flatMap { Int64($0) }
    let newest = app.feeds.first.map {
      Changes.Change(publication: $0.number, etag: $0.representation(.json, zipped: false).etag, spread: $0.spread)
    }
    let missed = newest.flatMap { newest in last.map { $0 < newest.publication ? newest : nil } ?? nil }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .cacheControl: "no-store", .xAccelBuffering: "no"],
      body: ResponseBody { writer in
        defer { continuation.finish() }
        // Ends with the server. That the client has gone shows at the next heartbeat: to watch each connection takes a third more memory.
        try await writer.write(ByteBuffer(string: ": open\n\n"))
        if let missed { try await writer.write(Self.event(missed)) }
        for await signal in stream {
          switch signal {
          case .change(let change): try await writer.write(Self.event(change))
          case .beat: try await writer.write(ByteBuffer(string: ": still here\n\n"))
          }
        }
        try await writer.finish(nil)
      })
  }

  private static func event(_ change: Changes.Change) -> ByteBuffer {
    let data = JSONValue.object([
      ("publication", .integer(change.publication)), ("etag", .string(change.etag)),
      ("spread", .integer(change.spread)),
    ])
    return ByteBuffer(string: "id: \(change.publication)\nevent: feed\ndata: \(data.text)\n\n")
  }

  // MARK: Installations

  private static let facts = [
    "platform", "platformVersion", "appVersion", "engineVersion", "language", "timeZone", "pushToken",
  ]

  @Sendable private func putInstallation(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try app(request, context)
    let document = try await service.json(request, limit: 16 << 10)
    guard case .object(let members) = document else {
      throw RequestFault.invalid("", "an object of facts about the installation", document)
    }
    for (key, value) in members {
      guard Self.facts.contains(key) else {
        throw RequestFault.invalid(
          "/\(key)", "one of \(Self.facts.joined(separator: ", "))", .string("the unknown key \(key)"))
      }
      guard case .string(let text) = value, text.utf8.count <= 4096 else {
        throw RequestFault.invalid("/\(key)", "a string of at most 4096 bytes", value)
      }
    }
    let now = service.now()
    if request.headers[.plotSecret] != nil {
      let known = try await installation(request, app)
      try await service.storage.write { try $0.setFacts(document.text, ofInstallation: known.key, at: now) }
      return Response(status: .noContent)
    }
    guard let id = request.headers[.plotInstallation], Self.isInstallation(id) else {
      throw RequestFault(
        .badRequest, "invalid-installation",
        "expected \"Plot-Installation\" with 8 to 100 letters, digits, - and _, found something else")
    }
    let secret = Secrets.random("s_")
    let hash = Secrets.sha256(Array(secret.utf8))
    let key = app.record.key
    let isNew = try await service.storage.write {
      try $0.addInstallation(id, secret: hash, facts: document.text, ofApp: key, at: now)
    }
    guard isNew else { throw RequestFault.unknownInstallation }
    return .json(.object([("secret", .string(secret))]), status: .created)
  }

  @Sendable private func deleteInstallation(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try app(request, context)
    let known = try await installation(request, app)
    let key = app.record.key
    try await service.storage.write { try $0.erase(known, ofApp: key) }
    service.installations.remove(known.id, app: key)
    return Response(status: .noContent)
  }

  // MARK: Events

  @Sendable private func events(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try app(request, context)
    let known = try await installation(request, app)
    let body = try await service.body(request, limit: EventRequest.sizeLimit)
    let read = try EventRequest(body)
    let new: Set<Int64>
    do {
      let batch = EventBatch(app: app.record.key, installation: known.key, events: read.events)
      new = read.events.isEmpty ? [] : try await service.queue.take(batch)
    } catch StorageError.conflict(_) {
      // It was erased meanwhile, on another node perhaps.
      service.installations.remove(known.id, app: app.record.key)
      throw RequestFault.unknownInstallation
    }
    let duplicates = read.events.count - new.count
    service.metrics.count("plot_server_events_total", "result=\"accepted\"", by: Double(new.count))
    service.metrics.count("plot_server_events_total", "result=\"duplicate\"", by: Double(duplicates))
    service.metrics.count("plot_server_events_total", "result=\"rejected\"", by: Double(read.rejected.count))
    let rejected = read.rejected.map { one in
      JSONValue.object([("index", .integer(Int64(one.index))), ("reason", .string(one.reason))])
    }
    return .json(
      .object([
        ("batch", .string(read.batch)), ("accepted", .integer(Int64(new.count))),
        ("duplicates", .integer(Int64(duplicates))), ("rejected", .array(rejected)),
        ("through", .integer(read.through)),
      ]))
  }
}

extension DeviceRoutes {
  // MARK: Recordings

  @Sendable private func recording(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try app(request, context)
    let known = try await installation(request, app)
    guard service.configuration.recordings else {
      throw RequestFault(
        .forbidden, "no-recordings", "this service takes no recordings: its setting recordings is not true")
    }
    // It has the places and times of a person: nobody sends it by mistake.
    guard request.headers[.plotConsent] == "recordings" else {
      throw RequestFault(
        .forbidden, "no-consent",
        "expected \"Plot-Consent: recordings\", which says that the person has agreed, found no such header")
    }
    let lines = try await service.body(request, limit: RecordingUpload.sizeLimit)
    let upload = try await NIOThreadPool.singleton.runIfActive { try RecordingUpload(lines) }
    let now = service.now()
    try await service.storage.write { session in
      try session.addRecording(
        began: upload.began, ended: upload.ended, zipped: upload.zipped, ofInstallation: known.key,
        limit: RecordingUpload.limit, at: now)
    }
    return Response(status: .noContent)
  }
}

extension HTTPField.Name {
  static let plotConsent = Self("Plot-Consent")!
  static let xAccelBuffering = Self("X-Accel-Buffering")!
}
