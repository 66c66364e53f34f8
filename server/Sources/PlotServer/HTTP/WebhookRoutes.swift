internal import HTTPTypes
internal import Hummingbird
internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

/// Those who are told what happens, and what they were told (docs/server.md, Webhooks).
struct WebhookRoutes: Sendable {
  private static let page: Int64 = 100

  let service: Service

  func add(to router: Router<ServerContext>) {
    router.get("api/v2/webhooks", use: list)
    router.post("api/v2/webhooks", use: create)
    router.delete("api/v2/webhooks/:id", use: remove)
    router.get("api/v2/webhooks/:id/deliveries", use: deliveries)
    router.post("api/v2/webhooks/:id/deliveries/:key", use: sendAgain)
  }

  private static func json(_ one: WebhookRecord) -> [(key: String, value: JSONValue)] {
    [
      ("id", .string(one.id)), ("url", .string(one.url)), ("kinds", .array(one.kinds.map { .string($0.rawValue) })),
      ("created", .string(Timestamp.text(one.created))),
    ]
  }

  @Sendable private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .administer).app
    let found = try await service.storage.read { try $0.webhooks(ofApp: app.key) }
    return .json(.object([("webhooks", .array(found.map { .object(Self.json($0)) }))]))
  }

  @Sendable private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .administer)
    let body = try await service.json(request, limit: 16 << 10)
    try RequestFault.checkKeys(body, "", ["url", "kinds"])
    guard let url = body["url"]?.string else { throw RequestFault.invalid("/url", "a URL", body["url"]) }
    let names = WebhookRecord.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    let kinds = (body["kinds"]?.texts ?? []).map { WebhookRecord.Kind(rawValue: $0) }
    guard !kinds.isEmpty, !kinds.contains(nil) else {
      throw RequestFault.invalid("/kinds", "an array with some of \(names)", body["kinds"])
    }
    let made = try await service.addWebhook(url: url, kinds: kinds.compactMap { $0 }, manager)
    return .json(.object(Self.json(made.record) + [("secret", .string(made.secret))]), status: .created)
  }

  @Sendable private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .administer)
    try await service.removeWebhook(try context.parameters.require("id"), manager)
    return Response(status: .noContent)
  }

  @Sendable private func deliveries(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .administer).app
    let id = try context.parameters.require("id")
    let before = try request.number("before", 1...Int64.max, "the \"delivery\" of an entry") ?? .max
    let found = try await service.storage.read { session in
      try session.webhooks(ofApp: app.key).first { $0.id == id }.map {
        try session.deliveries(ofWebhook: $0.key, before: before, limit: Self.page)
      }
    }
    guard let found else { throw Service.unknownWebhook }
    return .json(.object([("deliveries", .array(found.map(\.json)))]))
  }

  @Sendable private func sendAgain(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .administer)
    let key = try context.parameters.require("key")
    try await service.repeatDelivery(key, ofWebhook: try context.parameters.require("id"), manager)
    return Response(status: .accepted)
  }
}

extension DeliveryRecord {
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("delivery", .integer(key)), ("kind", .string(kind)), ("created", .string(Timestamp.text(created))),
      ("tries", .integer(tries)),
    ]
    if let delivered { members.append(("delivered", .string(Timestamp.text(delivered)))) }
    if let next { members.append(("next", .string(Timestamp.text(next)))) }
    if !answer.isEmpty { members.append(("answer", .string(answer))) }
    return .object(members)
  }
}

extension Service {
  static var unknownWebhook: RequestFault {
    RequestFault(.notFound, "not-found", "there is no such webhook of this app")
  }

  func addWebhook(
    url: String, kinds: [WebhookRecord.Kind], _ manager: Manager
  ) async throws -> (record: WebhookRecord, secret: String) {
    guard webhooks.hosts.url(url) != nil else {
      throw RequestFault.invalid(
        "/url", "a URL of http or https at a host that the server's setting webhookHosts allows", .string(url))
    }
    let (id, secret) = (Secrets.random("wh_", bytes: 6), Secrets.random("whs_"))
    let time = now()
    let record = WebhookRecord(key: 0, id: id, url: url, kinds: kinds, created: time)
    try await storage.write { session in
      try session.addWebhook(id, url: url, kinds: kinds, secret: secret, ofApp: manager.app.key, at: time)
      try session.add(
        AuditRecord(time: time, actor: manager.actor, action: "create", object: "webhook \(id)"), ofApp: manager.app.key
      )
    }
    return (record, secret)
  }

  func removeWebhook(_ id: String, _ manager: Manager) async throws {
    let time = now()
    let isThere = try await storage.write { session in
      guard let found = try session.webhooks(ofApp: manager.app.key).first(where: { $0.id == id }) else { return false }
      try session.removeWebhook(found.key)
      try session.add(
        AuditRecord(time: time, actor: manager.actor, action: "remove", object: "webhook \(id)"), ofApp: manager.app.key
      )
      return true
    }
    guard isThere else { throw Self.unknownWebhook }
  }

  func repeatDelivery(_ key: String, ofWebhook id: String, _ manager: Manager) async throws {
    let time = now()
    let isThere = try await storage.write { session in
      guard let found = try session.webhooks(ofApp: manager.app.key).first(where: { $0.id == id }),
        let key = Int64(key)
      else { return false }
      return try session.repeatDelivery(key, ofWebhook: found.key, at: time)
    }
    guard isThere else { throw RequestFault(.notFound, "not-found", "there is no such delivery of this webhook") }
  }
}
