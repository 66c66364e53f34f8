internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PlotCore
public import PlotDocuments
internal import PlotServerStorage

/// Publishing and statistics over HTTP: Basic authentication with an app's id and one of its private keys.
struct ManagementRoutes: Sendable {
  let service: Service

  func add(to router: Router<ServerContext>) {
    router.post("api/v2/publish", use: publish)
    router.post("api/v2/rollback", use: rollBack)
    router.get("api/v2/publications", use: publications)
    router.get("api/v2/schedules", use: schedules)
    router.delete("api/v2/schedules/:key", use: cancelSchedule)
    router.get("api/v2/statistics", use: statistics)
    router.get("api/v2/statistics/report", use: report)
    router.get("api/v2/statistics/week", use: week)
    router.get("api/v2/statistics/funnel", use: funnel)
    router.get("api/v2/statistics/lift", use: lift)
  }

  // MARK: Publishing

  private func options(_ request: Request, _ parameters: [Substring: Substring]) throws -> (PublicationRequest, Bool) {
    var options = PublicationRequest()
    options.idempotencyKey = request.headers[.idempotencyKey]
    let dryRun = try request.flag("dryRun")
    for (key, value) in parameters {
      func number() throws -> Int64 {
        guard let number = Int64(value) else {
          throw RequestFault.invalid("?\(key)", "an integer", .string(String(value)))
        }
        return number
      }
      switch key {
      case "share": options.share = try number()
      case "spread": options.spread = try number()
      case "note": options.note = String(value)
      case "at":
        guard let time = Timestamp.parse(String(value)) else {
          throw RequestFault.invalid(
            "?at", "an ISO 8601 date and time, as in 2026-05-16T12:00:00Z", .string(String(value)))
        }
        options.at = time
      case "dryRun": break
      default:
        throw RequestFault.invalid("?\(key)", "one of share, spread, note, at, dryRun", .string(String(key)))
      }
    }
    return (options, dryRun)
  }

  @Sendable private func publish(_ request: Request, _ context: ServerContext) async throws -> Response {
    // Whoever sees a draft may see what its publication would do.
    let isRehearsal = request.uri.queryParameters["dryRun"] == "true"
    let manager = try await service.manager(request, context, may: isRehearsal ? .view : .publish)
    let app = manager.app
    var (options, dryRun) = try options(
      request, Dictionary(request.uri.queryParameters.map { ($0.key, $0.value) }) { _, b in b })
    options.actor = manager.actor
    var body = try await service.body(request, limit: service.configuration.feedLimit)
    // Nothing in the body: the draft.
    if body.isEmpty { body = try await service.drafts.document(app: app.id).bytes }
    let report = try await answer { [body, options, dryRun] in
      try await service.publisher.publish(body, toApp: app.id, options, dryRun: dryRun)
    }
    if report.publication != nil {
      service.metrics.count("plot_server_publications_total")
      await service.follow(context.logger)
    }
    return .json(report.json, status: report.publication != nil || report.schedule != nil ? .created : .ok)
  }

  @Sendable private func rollBack(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .publish)
    let app = manager.app
    let document = try await service.json(request, limit: 16 << 10)
    try RequestFault.checkKeys(document, "", ["to", "note", "share", "spread"])
    func integer(_ key: String, _ expected: String) throws -> Int64? {
      switch document[key] {
      case nil: return nil
      case .integer(let value)?: return value
      case let other?: throw RequestFault.invalid("/\(key)", expected, other)
      }
    }
    guard let number = try integer("to", "the number of a publication") else {
      throw RequestFault.invalid("/to", "the number of a publication", nil)
    }
    var options = PublicationRequest()
    options.actor = manager.actor
    options.idempotencyKey = request.headers[.idempotencyKey]
    switch document["note"] {
    case nil: break
    case .string(let note)?: options.note = note
    case let other?: throw RequestFault.invalid("/note", "a string", other)
    }
    if let spread = try integer("spread", "an integer from 0 to 86400") { options.spread = spread }
    if let share = try integer("share", "an integer from 1 to 100") { options.share = share }
    let made = try await answer { [options] in try await service.publisher.rollBack(app: app.id, to: number, options) }
    service.metrics.count("plot_server_publications_total")
    await service.follow(context.logger)
    return .json(.object([("publication", made.json)]), status: .created)
  }

  /// Faults of publishing, as answers.
  private func answer<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
    do {
      return try await body()
    } catch let fault as PublicationFault {
      switch fault {
      case .refused(let report):
        var error = RequestFault(.unprocessableContent, "refused-feed", report.reason)
        error.pointer = report.firstError?.pointer
        error.findings = Finding.json(report.findings)
        throw error
      case .unknownApp: throw RequestFault(.notFound, "not-found", "there is no such app")
      case .unknownPublication(let number):
        throw RequestFault(.notFound, "not-found", "expected the number of a publication of this app, found \(number)")
      case .invalid(let key, let expected, let found): throw RequestFault.invalid("?\(key)", expected, .string(found))
      case .otherRequest:
        throw RequestFault(
          .conflict, "idempotency-key", "this Idempotency-Key was used for another request: use a new one")
      }
    }
  }

  @Sendable private func publications(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let before = try request.number("before", 1...Int64.max, "the number of a publication") ?? .max
    let found = try await service.storage.read { try $0.publications(ofApp: app.key, before: before) }
    return .json(.object([("publications", .array(found.map(\.json)))]))
  }

  // MARK: Schedules

  @Sendable private func schedules(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let found = try await service.storage.read { try $0.schedules(ofApp: app.key) }
    let list = found.map { one in
      JSONValue.object([
        ("schedule", .integer(one.key)), ("at", .string(Timestamp.text(one.at))), ("share", .integer(one.share)),
        ("spread", .integer(one.spread)), ("note", .string(one.note)),
      ])
    }
    return .json(.object([("schedules", .array(list))]))
  }

  @Sendable private func cancelSchedule(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .publish).app
    let now = service.now()
    guard let key = Int64(try context.parameters.require("key")),
      try await service.storage.write({ try $0.cancelSchedule(key, ofApp: app.key, at: now) })
    else {
      throw RequestFault(.notFound, "not-found", "expected a schedule of this app that is still to come, found none")
    }
    return Response(status: .noContent)
  }

  // MARK: Statistics

  private static func day(_ request: Request, _ key: Substring) throws -> String? {
    guard let text = request.uri.queryParameters[key].map(String.init) else { return nil }
    guard WeekReport.isDay(text) else {
      throw RequestFault.invalid("?\(key)", "a day, as in 2026-05-16", .string(text))
    }
    return text
  }

  @Sendable private func week(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    func parameter(_ key: Substring) -> String? { request.uri.queryParameters[key].map(String.init) }
    let report = try await service.week(
      app, kind: parameter("kind") ?? "notification-shown", campaign: parameter("campaign"),
      region: parameter("region"), from: try Self.day(request, "from"), to: try Self.day(request, "to"),
      zone: parameter("zone") ?? "UTC")
    return .json(report.json)
  }

  private static func campaign(_ request: Request) throws -> String {
    guard let campaign = request.uri.queryParameters["campaign"].map(String.init) else {
      throw RequestFault.invalid("?campaign", "the id of a campaign", nil)
    }
    return campaign
  }

  @Sendable private func lift(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let text = request.uri.queryParameters["days"].map(String.init) ?? "7"
    guard let days = Int64(text), LiftReport.days.contains(days) else {
      throw RequestFault.invalid("?days", "an integer from 1 to 90", .string(text))
    }
    let found = try await service.lift(
      app, campaign: try Self.campaign(request), region: request.uri.queryParameters["region"].map(String.init),
      days: days, from: try Self.day(request, "from"), to: try Self.day(request, "to"))
    guard let found else { throw RequestFault(.notFound, "not-found", "the draft has no such campaign") }
    return .json(found.json)
  }

  @Sendable private func funnel(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let found = try await service.funnel(
      app, campaign: try Self.campaign(request), from: try Self.day(request, "from"), to: try Self.day(request, "to"))
    guard let found else { throw RequestFault(.notFound, "not-found", "the draft has no such campaign") }
    return .json(found.json)
  }

  @Sendable private func report(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let (first, last) = (try Self.day(request, "from"), try Self.day(request, "to"))
    let form = request.uri.queryParameters["format"].map(String.init) ?? "json"
    let counts = try await service.storage.read { session in
      try session.statistics(ofApp: app.key, from: first, to: last).mapValues { $0.all }
    }
    let report = StatisticsReport(counts)
    if form == "json" { return .json(report.json) }
    let parts = form.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let table: Table? =
      switch parts[0] {
      case "campaigns": report.campaignTable
      case "regions": report.regionTable
      case "days": StatisticsReport.dayTable(counts)
      default: nil
      }
    switch (table, parts.last) {
    case (let table?, "csv"): return Self.attachment(form, "text/csv; charset=utf-8", ByteBuffer(string: table.csv))
    case (let table?, "parquet"):
      return Self.attachment(form, "application/vnd.apache.parquet", ByteBuffer(bytes: Parquet.file(table)))
    default:
      throw RequestFault.invalid(
        "?format", "json, or campaigns, regions or days with .csv or .parquet behind it", .string(form))
    }
  }

  private static func attachment(_ name: String, _ type: String, _ bytes: ByteBuffer) -> Response {
    Response(
      status: .ok,
      headers: [
        .contentType: type, .cacheControl: "no-store", .contentDisposition: "attachment; filename=\"\(name)\"",
      ], body: ResponseBody(byteBuffer: bytes))
  }

  @Sendable private func statistics(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .view).app
    let found = try await service.storage.read { session in
      try session.statistics(ofApp: app.key).mapValues { $0.all }
    }
    let rows = found.sorted { $0.key < $1.key }.map { key, count in
      var row: [(key: String, value: JSONValue)] = [("day", .string(key.day)), ("kind", .string(key.kind))]
      if !key.campaign.isEmpty { row.append(("campaign", .string(key.campaign))) }
      if !key.region.isEmpty { row.append(("region", .string(key.region))) }
      row.append(("count", .integer(count.number)))
      if key.kind == "dwell" { row.append(("seconds", .integer(count.seconds))) }
      return JSONValue.object(row)
    }
    return .json(.object([("statistics", .array(rows))]))
  }
}

extension PublicationRecord {
  var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("number", .integer(number)), ("kind", .string(kind.rawValue)), ("share", .integer(share)),
      ("spread", .integer(spread)), ("issued", .string(Timestamp.text(issued))),
    ]
    if let signingKey { members.append(("signingKey", .string(signingKey))) }
    members.append(("note", .string(note)))
    return .object(members)
  }
}

extension PublicationReport {
  /// For people and programs (docs/server.md, Publishing).
  public var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("regions", .integer(Int64(regions))), ("campaigns", .integer(Int64(campaigns))),
      ("installations", .integer(installations)), ("reached", .integer(reached)),
      ("difference", difference.json),
    ]
    if let findings = try? JSONValue(parsing: Array(Finding.json(findings).utf8)) {
      members.append(("findings", findings))
    }
    if let publication { members.append(("publication", publication.json)) }
    if let schedule { members.append(("schedule", .integer(schedule))) }
    return .object(members)
  }
}
