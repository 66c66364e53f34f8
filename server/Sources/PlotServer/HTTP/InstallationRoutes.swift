internal import HTTPTypes
internal import Hummingbird
internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

/// The rights of people: what is kept about an installation, and its end (docs/server.md, People's rights).
struct InstallationRoutes: Sendable {
  private static let page: Int64 = 500

  let service: Service

  func add(to router: Router<ServerContext>) {
    router.get("api/v2/installations/:id", use: get)
    router.get("api/v2/installations/:id/events", use: events)
    router.delete("api/v2/installations/:id", use: erase)
  }

  @Sendable private func get(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let id = try context.parameters.require("id")
    let found = try await service.storage.read { session in
      try session.installation(id, ofApp: app.key).flatMap { one in
        try session.times(ofInstallation: one.key).map { (one.facts, $0.created, $0.seen, $0.events) }
      }
    }
    guard let (facts, created, seen, events) = found else { throw RequestFault.noInstallation }
    return .json(
      .object([
        ("id", .string(id)), ("facts", (try? JSONValue(parsing: Array(facts.utf8))) ?? .object([])),
        ("created", .string(Timestamp.text(created))), ("seen", .string(Timestamp.text(seen))),
        ("events", .integer(events)),
      ]))
  }

  @Sendable private func events(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let id = try context.parameters.require("id")
    let after = try request.number("after", Int64.min...Int64.max, "the \"next\" of a page") ?? .min
    let found = try await service.storage.read { session in
      try session.installation(id, ofApp: app.key).map {
        try session.events(ofInstallation: $0.key, after: after, limit: Self.page)
      }
    }
    guard let found else { throw RequestFault.noInstallation }
    // The events are JSON already.
    var text = "{\"events\":[\(found.map(\.json).joined(separator: ","))]"
    if found.count == Self.page, let last = found.last { text += ",\"next\":\"\(last.sequence)\"" }
    return .json(text: text + "}")
  }

  @Sendable private func erase(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .administer)
    let (app, id, time) = (manager.app, try context.parameters.require("id"), service.now())
    let isErased = try await service.storage.write { session in
      guard let found = try session.installation(id, ofApp: app.key) else { return false }
      try session.erase(found, ofApp: app.key)
      // Without the id: the audit is kept, and is to name nobody who was erased.
      try session.add(
        AuditRecord(time: time, actor: manager.actor, action: "erase", object: "installation"), ofApp: app.key)
      return true
    }
    guard isErased else { throw RequestFault.noInstallation }
    service.installations.remove(id, app: app.key)
    return Response(status: .noContent)
  }
}
