internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage
internal import PlotTracks

/// The draft over HTTP: each object is the feed's own object (docs/server.md, Drafts).
struct DraftRoutes: Sendable {
  /// Bytes of one object.
  private static let objectLimit = 4 << 20
  private static let editLimit = 10_000
  private static let pageLimit: Int64 = 1000

  let service: Service

  func add(to router: Router<ServerContext>) {
    router.get("api/v2/regions") { try await list(.region, $0, $1) }
    router.post("api/v2/regions") { try await create(.region, $0, $1) }
    router.get("api/v2/regions/:id") { try await get(.region, $0, $1) }
    router.put("api/v2/regions/:id") { try await put(.region, $0, $1) }
    router.patch("api/v2/regions/:id") { try await merge(.region, $0, $1) }
    router.delete("api/v2/regions/:id") { try await remove(.region, $0, $1) }
    router.get("api/v2/campaigns") { try await list(.campaign, $0, $1) }
    router.post("api/v2/campaigns") { try await create(.campaign, $0, $1) }
    router.get("api/v2/campaigns/:id") { try await get(.campaign, $0, $1) }
    router.put("api/v2/campaigns/:id") { try await put(.campaign, $0, $1) }
    router.patch("api/v2/campaigns/:id") { try await merge(.campaign, $0, $1) }
    router.delete("api/v2/campaigns/:id") { try await remove(.campaign, $0, $1) }
    router.get("api/v2/categories") { try await list(.category, $0, $1) }
    router.post("api/v2/categories") { try await create(.category, $0, $1) }
    router.get("api/v2/categories/:id") { try await get(.category, $0, $1) }
    router.put("api/v2/categories/:id") { try await put(.category, $0, $1) }
    router.patch("api/v2/categories/:id") { try await merge(.category, $0, $1) }
    router.delete("api/v2/categories/:id") { try await remove(.category, $0, $1) }
    router.get("api/v2/lists") { try await list(.list, $0, $1) }
    router.post("api/v2/lists") { try await create(.list, $0, $1) }
    router.get("api/v2/lists/:id") { try await get(.list, $0, $1) }
    router.put("api/v2/lists/:id") { try await put(.list, $0, $1) }
    router.patch("api/v2/lists/:id") { try await merge(.list, $0, $1) }
    router.delete("api/v2/lists/:id") { try await remove(.list, $0, $1) }
    router.get("api/v2/settings") { try await get(.settings, $0, $1) }
    router.put("api/v2/settings") { try await put(.settings, $0, $1) }
    router.patch("api/v2/settings") { try await merge(.settings, $0, $1) }
    router.get("api/v2/draft", use: draft)
    router.put("api/v2/draft", use: replace)
    router.post("api/v2/edits", use: edit)
    router.post("api/v2/import", use: importRegions)
    router.get("api/v2/audit", use: audit)
  }

  // MARK: One object

  private func get(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let id = try id(kind, context)
    let object = try await answer {
      try await service.drafts.read(app: app.id) { session, app, _ in
        try session.draftObject(kind, id, ofApp: app.key)
      }
    }
    guard let object else {
      // Settings that nobody has made are empty ones.
      guard kind == .settings else { throw Self.fault(.notFound(kind, id)) }
      return .json(.object([]))
    }
    let etag = Self.etag(object)
    if let known = request.headers[.ifNoneMatch], DeviceRoutes.matches(known, etag) {
      return Response(status: .notModified, headers: [.eTag: etag])
    }
    return Self.response(object, .ok)
  }

  private func create(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let manager = try await service.manager(request, context, may: .edit)
    let body = try await service.json(request, limit: Self.objectLimit)
    let once = try once(request, body, kind.list)
    let id: String
    switch body["id"] {
    case .string(let own)?: id = own
    case nil:
      // The same for the same request.
      id =
        once.map { Secrets.hexadecimal(Secrets.sha256(Array("\(manager.app.id)\n\($0.key)".utf8)).prefix(16)) }
        ?? Secrets.hexadecimal(Cryptography.random(16))
    case let other?: throw RequestFault.invalid("/id", "a string", other)
    }
    return try await apply(DraftEdit(kind, id, .put(body), .isNew), manager, once)
  }

  private func put(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let manager = try await service.manager(request, context, may: .edit)
    let body = try await service.json(request, limit: Self.objectLimit)
    return try await apply(DraftEdit(kind, try id(kind, context), .put(body), try condition(request)), manager)
  }

  private func merge(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let manager = try await service.manager(request, context, may: .edit)
    let body = try await service.json(request, limit: Self.objectLimit)
    return try await apply(DraftEdit(kind, try id(kind, context), .merge(body), try condition(request)), manager)
  }

  private func remove(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let manager = try await service.manager(request, context, may: .edit)
    return try await apply(DraftEdit(kind, try id(kind, context), .remove, try condition(request)), manager)
  }

  private func apply(
    _ edit: DraftEdit, _ manager: Manager, _ once: IdempotentRequest? = nil
  ) async throws -> Response {
    let results = try await answer {
      try await service.drafts.apply([edit], toApp: manager.app.id, by: manager.actor, once: once)
    }
    guard let result = results.first, let object = result.object else { return Response(status: .noContent) }
    return Self.response(object, result.isNew || once != nil ? .created : .ok)
  }

  private static func etag(_ object: DraftObject) -> String { "\"\(object.version)\"" }

  private static func response(_ object: DraftObject, _ status: HTTPResponse.Status) -> Response {
    Response(
      status: status,
      headers: [.contentType: "application/json", .cacheControl: "no-store", .eTag: etag(object)],
      body: ResponseBody(byteBuffer: ByteBuffer(string: object.json)))
  }

  private func id(_ kind: DraftObject.Kind, _ context: ServerContext) throws -> String {
    guard kind != .settings else { return "" }
    let part = try context.parameters.require("id")
    guard let id = part.removingPercentEncoding else {
      throw RequestFault(.badRequest, "bad-request", "expected an id in UTF-8, found \(RequestFault.short(part))")
    }
    return id
  }

  /// The wish of `If-Match` and `If-None-Match`.
  private func condition(_ request: Request) throws -> DraftEdit.Condition {
    if request.headers[.ifNoneMatch] == "*" { return .isNew }
    guard let match = request.headers[.ifMatch] else { return .none }
    if match == "*" { return .exists }
    guard let version = Self.version(match) else {
      throw RequestFault.invalid("If-Match", "the ETag of the object, as in \"17\", or *", .string(match))
    }
    return .version(version)
  }

  private static func version(_ etag: String) -> Int64? {
    guard etag.hasPrefix("\""), etag.hasSuffix("\""), etag.utf8.count > 2 else { return nil }
    return Int64(etag.dropFirst().dropLast())
  }

  private func once(_ request: Request, _ body: JSONValue, _ what: String) throws -> IdempotentRequest? {
    guard let key = request.headers[.idempotencyKey] else { return nil }
    guard (1...255).contains(key.utf8.count) else {
      throw RequestFault.invalid("Idempotency-Key", "1 to 255 bytes", .string(key))
    }
    return IdempotentRequest(
      key: key, digest: Secrets.hexadecimal(Secrets.sha256(Array("\(what)\n\(body.text)".utf8))))
  }

  // MARK: Many objects

  private func list(
    _ kind: DraftObject.Kind, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let limit = try request.number("limit", 1...Self.pageLimit, "an integer from 1 to \(Self.pageLimit)") ?? 100
    let after = try request.number("after", 0...Int64.max, "the \"next\" of a page") ?? -1
    let (found, count) = try await answer {
      try await service.drafts.read(app: app.id) { session, app, _ in
        (
          try session.draftObjects(kind, ofApp: app.key, after: after, limit: limit),
          try session.draftCount(kind, ofApp: app.key)
        )
      }
    }
    // The objects are JSON already.
    var text = "{\"\(kind.list)\":[\(found.map(\.json).joined(separator: ","))]"
    text += ",\"total\":\(count)"
    if found.count == limit, let last = found.last { text += ",\"next\":\"\(last.position)\"" }
    return .json(text: text + "}")
  }

  @Sendable private func draft(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let (bytes, version) = try await answer { try await service.drafts.document(app: app.id) }
    return Response(
      status: .ok,
      headers: [.contentType: "application/json", .cacheControl: "no-store", .eTag: "\"\(version)\""],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  @Sendable private func replace(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .edit)
    let dryRun = try request.flag("dryRun")
    var expected: Int64?
    if let match = request.headers[.ifMatch] {
      guard let version = Self.version(match) else {
        throw RequestFault.invalid("If-Match", "the ETag of the draft, as in \"17\"", .string(match))
      }
      expected = version
    }
    let body = try await service.body(request, limit: service.configuration.feedLimit)
    let done = try await answer { [expected] in
      try await service.drafts.replace(
        body, ofApp: manager.app.id, by: manager.actor, ifVersion: expected, dryRun: dryRun)
    }
    return .json(
      .object([("difference", done.difference.json)]), headers: [.eTag: "\"\(done.version)\""])
  }

  /// Several edits, all or none.
  @Sendable private func edit(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .edit)
    let body = try await service.json(request, limit: service.configuration.feedLimit)
    guard case .array(let list)? = body["edits"], list.count <= Self.editLimit else {
      throw RequestFault.invalid("/edits", "an array of at most \(Self.editLimit) edits", body["edits"])
    }
    let edits = try list.enumerated().map { index, one in try Self.edit(one, "/edits/\(index)") }
    let once = try once(request, body, "edits")
    let results = try await answer {
      try await service.drafts.apply(edits, toApp: manager.app.id, by: manager.actor, once: once)
    }
    let versions = results.map { result in result.object.map { JSONValue.integer($0.version) } ?? .null }
    return .json(.object([("versions", .array(versions))]))
  }

  /// {"put": {…}}, {"merge": {…}} or {"remove": true}, with `kind` and `id`, and where wanted `ifVersion`.
  private static func edit(_ value: JSONValue, _ place: String) throws -> DraftEdit {
    guard case .object(let members) = value else { throw RequestFault.invalid(place, "an object", value) }
    if let other = members.first(where: { !["kind", "id", "put", "merge", "remove", "ifVersion"].contains($0.key) }) {
      throw RequestFault.invalid(
        "\(place)/\(other.key)", "one of kind, id, put, merge, remove, ifVersion", .string(other.key))
    }
    guard case .string(let word)? = value["kind"], let kind = DraftObject.Kind(rawValue: word) else {
      throw RequestFault.invalid("\(place)/kind", "region, campaign, category, list or settings", value["kind"])
    }
    var id = ""
    if kind != .settings {
      guard case .string(let text)? = value["id"] ?? value["put"]?["id"] else {
        throw RequestFault.invalid("\(place)/id", "a string", value["id"])
      }
      id = text
    }
    var condition = DraftEdit.Condition.none
    switch value["ifVersion"] {
    case nil: break
    case .integer(0)?: condition = .isNew
    case .integer(let version)?: condition = .version(version)
    case let other?: throw RequestFault.invalid("\(place)/ifVersion", "a version, or 0 for a new object", other)
    }
    switch (value["put"], value["merge"], value["remove"]) {
    case (let new?, nil, nil): return DraftEdit(kind, id, .put(new), condition)
    case (nil, let patch?, nil): return DraftEdit(kind, id, .merge(patch), condition)
    case (nil, nil, .boolean(true)?): return DraftEdit(kind, id, .remove, condition)
    default: throw RequestFault.invalid(place, "one of \"put\", \"merge\" and \"remove\": true", value)
    }
  }

  /// Regions of a file, all or none.
  @Sendable private func importRegions(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .edit)
    var source = GeoJSONImport()
    var format = PlaceFile.Format.geojson
    let dryRun = try request.flag("dryRun")
    for (key, value) in request.uri.queryParameters {
      func metres() throws -> Double {
        guard let number = Double(value), (1...100_000).contains(number) else {
          throw RequestFault.invalid("?\(key)", "1 to 100000 metres", .string(String(value)))
        }
        return number
      }
      switch key {
      case "format":
        guard let known = PlaceFile.Format(rawValue: String(value)) else {
          throw RequestFault.invalid("?format", "geojson, csv or kml", .string(String(value)))
        }
        format = known
      case "radius": source.radius = try metres()
      case "width": source.width = try metres()
      case "idProperty": source.idProperty = String(value)
      case "nameProperty": source.nameProperty = String(value)
      case "radiusProperty": source.radiusProperty = String(value)
      case "dryRun": break
      default:
        throw RequestFault.invalid(
          "?\(key)", "one of format, radius, width, idProperty, nameProperty, radiusProperty, dryRun",
          .string(String(key)))
      }
    }
    let body = try await service.body(request, limit: service.configuration.feedLimit)
    let found: [(id: String, region: JSONValue)]
    do throws(DocumentError) {
      let feed = try JSONValue(parsing: Array(try PlaceFile.feed(from: body, format, source).json.utf8))
      var regions: [JSONValue] = []
      if case .array(let list)? = feed["regions"] { regions = list }
      found = regions.compactMap { region in if case .string(let id)? = region["id"] { (id, region) } else { nil } }
    } catch {
      throw RequestFault(document: error)
    }
    let results = try await answer {
      let wanted = found.map { ($0.id, $0.region.text) }
      let same = try await service.drafts.read(app: manager.app.id) { session, app, _ in
        try wanted.map { id, text in try session.draftObject(.region, id, ofApp: app.key)?.json == text }
      }
      let edits = zip(found, same).filter { !$1 }.map { one, _ in DraftEdit(.region, one.id, .put(one.region)) }
      return edits.isEmpty
        ? []
        : try await service.drafts.apply(edits, toApp: manager.app.id, by: manager.actor, dryRun: dryRun)
    }
    func ids(_ isNew: Bool) -> JSONValue {
      .array(results.filter { $0.isNew == isNew }.compactMap { $0.object.map { .string($0.id) } })
    }
    return .json(
      .object([
        ("added", ids(true)), ("changed", ids(false)), ("unchanged", .integer(Int64(found.count - results.count))),
      ]))
  }

  // MARK: The audit

  @Sendable private func audit(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let before = try request.number("before", 1...Int64.max, "the \"change\" of an entry") ?? .max
    let found = try await service.storage.read { try $0.audit(ofApp: app.key, before: before) }
    return .json(.object([("changes", .array(found.map(\.json)))]))
  }

  // MARK: Faults

  private func answer<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch let fault as DraftFault {
      throw Self.fault(fault)
    }
  }

  private static func changed(_ name: String, _ version: Int64?) -> RequestFault {
    var answer = RequestFault(
      .preconditionFailed, "changed-since",
      "\(name): expected the version that the request names, found \(version.map { "\($0)" } ?? "none"): read it again, and repeat the change"
    )
    if let version { answer.headers[.eTag] = "\"\(version)\"" }
    return answer
  }

  private static func fault(_ fault: DraftFault) -> RequestFault {
    func named(_ kind: DraftObject.Kind, _ id: String) -> String {
      kind == .settings ? "settings" : "\(kind.rawValue) \(RequestFault.short(JSONValue.quoted(id)))"
    }
    switch fault {
    case .notFound(let kind, let id):
      return RequestFault(.notFound, "not-found", "there is no \(named(kind, id)) in the draft")
    case .changedSince(let kind, let id, let version): return changed(named(kind, id), version)
    case .draftChanged(let version): return changed("the draft", version)
    case .refused(let error): return RequestFault(document: error)
    case .inUse(let kind, let id, let user, let error):
      var answer = RequestFault(
        .conflict, "in-use", "\(user) needs \(named(kind, id)): change \(user) first")
      (answer.pointer, answer.expected, answer.found) = (error.pointer, error.expected, error.found)
      return answer
    case .otherRequest:
      return RequestFault(
        .conflict, "idempotency-key", "this Idempotency-Key was used for another request: use a new one")
    }
  }
}
