internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import PlotDocuments
internal import PlotServerStorage

/// Version 1 of the API, in the shapes that its public client knows (docs/server.md, Places and notifications).
struct PlaceRoutes: Sendable {
  private static let page: Int64 = 25

  let service: Service
  private let places: Places
  /// Ten requests a second of each app.
  private let requests = Limiter<String>(rate: 10, burst: 10)

  init(service: Service) {
    self.service = service
    places = Places(storage: service.storage, publisher: service.publisher, now: service.now)
  }

  func add(to router: Router<ServerContext>) {
    router.get("api/v1/place", use: answer { try await list(.place, $0, $1) })
    router.post("api/v1/place", use: answer { try await create(.place, $0, $1) })
    router.get("api/v1/place/:id", use: answer { try await get(.place, $0, $1) })
    router.put("api/v1/place/:id", use: answer { try await put(.place, $0, $1) })
    router.patch("api/v1/place/:id", use: answer { try await put(.place, $0, $1, merges: true) })
    router.delete("api/v1/place/:id", use: answer { try await remove(.place, $0, $1) })
    router.get("api/v1/notification", use: answer { try await list(.notification, $0, $1) })
    router.post("api/v1/notification", use: answer { try await create(.notification, $0, $1) })
    router.get("api/v1/notification/:id", use: answer { try await get(.notification, $0, $1) })
    router.put("api/v1/notification/:id", use: answer { try await put(.notification, $0, $1) })
    router.patch("api/v1/notification/:id", use: answer { try await put(.notification, $0, $1, merges: true) })
    router.delete("api/v1/notification/:id", use: answer { try await remove(.notification, $0, $1) })
    router.get("api/v1/account", use: answer { request, _ in try await account(request) })
    router.get("api/v1/statistics", use: answer { request, _ in try await statistics(request) })
  }

  /// A request, and who has made it.
  private struct Call: Sendable {
    var request: Request
    var context: ServerContext
    var manager: Manager
  }

  /// Puts results and faults into the envelope of version 1.
  private func answer(
    _ body: @escaping @Sendable (Call, ServerContext) async throws -> JSONValue?
  ) -> @Sendable (Request, ServerContext) async throws -> Response {
    { request, context in
      do {
        let manager = try await service.manager(request, context, may: request.method == .get ? .view : .publish)
        if let seconds = requests.take(manager.app.id, at: service.now()) {
          throw RequestFault(
            .tooManyRequests, "too-many-requests", "at most 10 requests a second: wait", retryAfter: seconds)
        }
        let result = try await body(Call(request: request, context: context, manager: manager), context)
        return .json(.object([("success", .boolean(true))] + (result.map { [(key: "result", value: $0)] } ?? [])))
      } catch {
        var fault = Self.known(error) ?? RequestMiddleware.fault(error, context.logger)
        // Its client knows a wrong key by 400.
        if fault.status == .unauthorized, request.headers[.authorization]?.lowercased().hasPrefix("basic ") == true {
          fault.status = .badRequest
        }
        var headers = fault.headers
        if let retryAfter = fault.retryAfter { headers[.retryAfter] = String(retryAfter) }
        return .json(
          .object([
            ("success", .boolean(false)), ("errorMessage", .string(fault.message)), ("errorCode", .string(fault.kind)),
          ]), status: fault.status, headers: headers)
      }
    }
  }

  private static func known(_ error: any Error) -> RequestFault? {
    switch error {
    case let fault as PlaceFault: return Self.fault(fault)
    case PublicationFault.refused(let report):
      return RequestFault(.badRequest, "refused-feed", report.reason)
    case PublicationFault.invalid(_, let expected, let found):
      return RequestFault(.conflict, "signatures", "expected \(expected), found \(found)")
    default: return nil
    }
  }

  private static func fault(_ fault: PlaceFault) -> RequestFault {
    switch fault {
    case .notFound(let kind): RequestFault(.notFound, "not-found", "there is no such \(kind.rawValue)")
    case .invalid(let key, let expected, let found):
      RequestFault(.badRequest, "invalid-value", "\(key): expected \(expected), found \(found)")
    case .inUse(let count):
      RequestFault(.conflict, "in-use", "\(count) notifications are at this place: delete or move them first")
    case .rollout(let share):
      RequestFault(
        .conflict, "roll-out",
        "a publication is out for \(share) percent of the installations: publish it for all, or roll back, first")
    }
  }

  private func list(_ kind: PlaceObject.Kind, _ call: Call, _ context: ServerContext) async throws -> JSONValue? {
    let start = try Self.start(call.request)
    let place = kind == .notification ? call.request.uri.queryParameters["placeId"].map(String.init) : nil
    let app = call.manager.app.key
    let (found, total) = try await service.storage.read { session in
      (
        try session.placeObjects(kind, ofPlace: place, ofApp: app, from: start, limit: Self.page),
        try session.placeObjectCount(kind, ofPlace: place, ofApp: app)
      )
    }
    return Self.page(try found.map { try JSONValue(parsing: Array($0.json.utf8)) }, total)
  }

  private static func page(_ data: [JSONValue], _ total: Int64) -> JSONValue {
    .object([("total", .integer(total)), ("data", .array(data))])
  }

  private static func start(_ request: Request) throws -> Int64 {
    guard let text = request.uri.queryParameters["start"] else { return 0 }
    guard let start = Int64(text), start >= 0 else {
      throw PlaceFault.invalid(key: "start", expected: "an integer from 0 on", found: RequestFault.short(String(text)))
    }
    return start
  }

  private func body(_ call: Call) async throws -> JSONValue { try await service.json(call.request, limit: 64 << 10) }

  private func create(_ kind: PlaceObject.Kind, _ call: Call, _ context: ServerContext) async throws -> JSONValue? {
    let made = try await places.put(
      kind, nil, try await body(call), app: call.manager.app.id, by: call.manager.actor)
    await service.follow(context.logger)
    return made
  }

  private func get(_ kind: PlaceObject.Kind, _ call: Call, _ context: ServerContext) async throws -> JSONValue? {
    let (id, app) = (try context.parameters.require("id"), call.manager.app.key)
    guard let found = try await service.storage.read({ try $0.placeObject(kind, id, ofApp: app) }) else {
      throw PlaceFault.notFound(kind)
    }
    return try JSONValue(parsing: Array(found.json.utf8))
  }

  private func put(
    _ kind: PlaceObject.Kind, _ call: Call, _ context: ServerContext, merges: Bool = false
  ) async throws -> JSONValue? {
    let changed = try await places.put(
      kind, try context.parameters.require("id"), try await body(call), merges: merges, app: call.manager.app.id,
      by: call.manager.actor)
    await service.follow(context.logger)
    return changed
  }

  private func remove(_ kind: PlaceObject.Kind, _ call: Call, _ context: ServerContext) async throws -> JSONValue? {
    try await places.remove(
      kind, try context.parameters.require("id"), app: call.manager.app.id, by: call.manager.actor)
    await service.follow(context.logger)
    return nil
  }

  private func account(_ call: Call) async throws -> JSONValue? {
    let app = call.manager.app
    return .object([("id", .string(app.id)), ("name", .string(app.name)), ("publicToken", .string(app.token))])
  }

  /// Sent and opened, by notification and day.
  private func statistics(_ call: Call) async throws -> JSONValue? {
    let start = try Self.start(call.request)
    let wanted = call.request.uri.queryParameters["notificationId"].map(String.init)
    let app = call.manager.app.key
    let all = try await service.storage.read { session in
      try session.statistics(ofApp: app).mapValues { $0.all.number }
    }
    var days: [String: (id: String, day: String, sent: Int64, viewed: Int64)] = [:]
    for (key, number) in all {
      guard let id = Places.notification(ofCampaign: key.campaign), wanted == nil || wanted == id else { continue }
      var one = days["\(key.day) \(id)"] ?? (id, key.day, 0, 0)
      if key.kind == "notification-shown" { one.sent += number }
      if key.kind == "notification-opened" { one.viewed += number }
      days["\(key.day) \(id)"] = one
    }
    let data = days.sorted { $0.key < $1.key }.map { _, one in
      JSONValue.object([
        ("id", .string(one.id)), ("date", .string("\(one.day)T00:00:00Z")), ("timesSent", .integer(one.sent)),
        ("timesViewed", .integer(one.viewed)),
      ])
    }
    return Self.page(Array(data.dropFirst(Int(clamping: start)).prefix(Int(Self.page))), Int64(data.count))
  }
}
