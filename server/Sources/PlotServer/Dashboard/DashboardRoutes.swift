internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

/// The dashboard: pages made here, and forms that need no script (docs/server.md, Dashboard).
struct DashboardRoutes: Sendable {
  private static let auditPage: Int64 = 50

  let service: Service
  let assets: DashboardAssets

  func add(to router: Router<ServerContext>) {
    router.get("/") { _, _ in DashboardPage.redirect(to: "/dashboard") }
    router.get("web/:name", use: file)
    router.get("openapi.json") { request, _ in
      guard let file = assets.files["openapi.json"] else {
        throw RequestFault(.notFound, "not-found", "this server has no description of its requests")
      }
      return Self.response(file, request)
    }
    router.get("dashboard", use: apps)
    router.post("dashboard/sign-in", use: signIn)
    router.post("dashboard/sign-out", use: signOut)
    router.post("dashboard/language", use: setLanguage)
    router.post("dashboard/password", use: setPassword)
    router.get("dashboard/:app", use: overview)
    addObjects(to: router)
    addMap(to: router)
    addPeople(to: router)
    addPublishing(to: router)
    router.get("dashboard/:app/walk", use: walk)
    router.get("dashboard/:app/statistics", use: statistics)
    router.get("dashboard/:app/audit", use: audit)
    router.get("dashboard/:app/why", use: why)
  }

  // MARK: Who

  /// The language of the browser, for those who are not signed in.
  private func language(_ request: Request) -> String {
    let asked = (request.headers[.acceptLanguage] ?? "").lowercased().split(separator: ",")
      .map { $0.drop { $0 == " " }.prefix(2) }
    return asked.lazy.compactMap { code in People.languages.first { $0 == code } }.first ?? "en"
  }

  private func page(_ request: Request, _ signedIn: SignedIn? = nil) -> DashboardPage {
    DashboardPage(assets: assets, language: signedIn?.person.language ?? language(request), signedIn: signedIn)
  }

  /// Runs a body for a person, in no app: whoever is not signed in gets the page for that, and a fault is a page, too.
  private func answerPerson(
    _ request: Request, _ context: ServerContext,
    _ body: (inout DashboardPage, SignedIn, [String: String]) async throws -> Response
  ) async throws -> Response {
    var page = page(request)
    do {
      let fields = request.method == .post ? try await form(request) : [:]
      guard let signedIn = try await service.signedIn(request, formToken: fields["formToken"]) else {
        if request.method == .get, let token = try await service.signInByProvider(request) {
          // A path of our own, whatever slashes it was asked with.
          let path = "/" + request.uri.path.split(separator: "/").joined(separator: "/")
          let query = request.uri.query.map { "?\($0)" } ?? ""
          return DashboardPage.redirect(to: path + query, cookie: service.sessionCookie(token))
        }
        return request.method == .get ? try signInPage(page) : DashboardPage.redirect(to: "/dashboard")
      }
      page = self.page(request, signedIn)
      return try await body(&page, signedIn, fields)
    } catch {
      return try fault(error, page, context)
    }
  }

  /// The same for a person in an app, with a role that may.
  func answer(
    _ request: Request, _ context: ServerContext, may right: Right = .view,
    _ body: (DashboardPage, Manager, [String: String]) async throws -> Response
  ) async throws -> Response {
    try await answerPerson(request, context) { page, signedIn, fields in
      let manager = try await service.manager(signedIn, app: try context.parameters.require("app"))
      page.manager = manager
      try manager.check(right)
      return try await body(page, manager, fields)
    }
  }

  private func fault(_ error: any Error, _ page: DashboardPage, _ context: ServerContext) throws -> Response {
    let fault = RequestMiddleware.fault(RequestFault.known(error), context.logger)
    // An app without a role is told like one that there is not.
    if fault.kind == "no-role" {
      return try page.response("fault", title: page.text("notFound"), status: .notFound)
    }
    let texts = ["other-site": "otherSite", "not-allowed": "notAllowed"]
    return try page.response(
      "fault", title: page.text("failedTitle"), status: fault.status,
      ["fault": texts[fault.kind].map(page.text) ?? fault.message])
  }

  private func form(_ request: Request) async throws -> [String: String] {
    let body = try await service.body(request, limit: 64 << 10)
    do {
      return try URLEncodedFormDecoder().decode([String: String].self, from: String(decoding: body, as: UTF8.self))
    } catch {
      throw RequestFault(.unprocessableContent, "invalid-form", "expected the fields of a form, found something else")
    }
  }

  @Sendable private func file(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let file = assets.files[try context.parameters.require("name")] else {
      throw RequestFault(.notFound, "not-found", "there is no such file")
    }
    return Self.response(file, request)
  }

  /// A file as it is, or packed for who takes that; nothing for who has it.
  static func response(_ file: DashboardAssets.File, _ request: Request) -> Response {
    var headers: HTTPFields = [
      .contentType: file.type, .cacheControl: "max-age=300", .eTag: file.etag, .vary: "Accept-Encoding",
    ]
    if let known = request.headers[.ifNoneMatch], DeviceRoutes.matches(known, file.etag) {
      return Response(status: .notModified, headers: headers)
    }
    let isZipped = request.headers[.acceptEncoding]?.takesGzip ?? false
    if isZipped { headers[.contentEncoding] = "gzip" }
    return Response(
      status: .ok, headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: isZipped ? file.zipped : file.body)))
  }

  // MARK: Signing in

  private func signInPage(
    _ page: DashboardPage, status: HTTPResponse.Status = .ok, _ values: [String: Any] = [:]
  ) throws -> Response {
    try page.response("sign-in", title: page.text("signIn"), status: status, values)
  }

  @Sendable private func signIn(_ request: Request, _ context: ServerContext) async throws -> Response {
    let page = page(request)
    do {
      let fields = try await form(request)
      let name = fields["name"] ?? ""
      do {
        let signedIn = try await service.signIn(
          name: name, password: fields["password"] ?? "", request, context)
        return DashboardPage.redirect(
          to: "/dashboard", cookie: service.sessionCookie(signedIn.token))
      } catch let fault as RequestFault {
        let texts = ["other-site": "otherSite", "unauthorized": "wrongPassword", "too-many-requests": "tooMany"]
        guard let key = texts[fault.kind] else { throw fault }
        return try signInPage(page, status: fault.status, ["fault": page.text(key), "enteredName": name])
      }
    } catch {
      return try fault(error, page, context)
    }
  }

  @Sendable private func signOut(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answerPerson(request, context) { _, signedIn, _ in
      try await service.people.signOut(signedIn.token)
      return DashboardPage.redirect(to: "/dashboard", cookie: service.sessionCookie(nil))
    }
  }

  @Sendable private func setLanguage(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answerPerson(request, context) { _, signedIn, fields in
      try await service.people.setLanguage(fields["language"] ?? "", of: signedIn.person.name)
      return DashboardPage.redirect(to: "/dashboard")
    }
  }

  @Sendable private func setPassword(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answerPerson(request, context) { _, signedIn, fields in
      let again = try await service.changePassword(
        of: signedIn, from: fields["current"] ?? "", to: fields["password"] ?? "", request, context)
      return DashboardPage.redirect(
        to: "/dashboard", cookie: service.sessionCookie(again.token))
    }
  }

  // MARK: Pages

  @Sendable private func apps(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answerPerson(request, context) { page, signedIn, _ in
      let apps = try await service.storage.read { try $0.apps(ofPerson: signedIn.person.key) }
      let (names, shown) = (["en": "English", "nl": "Nederlands", "de": "Deutsch"], page)
      return try page.response(
        "apps", title: page.text("apps"),
        [
          "apps": apps.map { ["id": $0.id, "name": $0.name, "role": shown.text($1.rawValue)] },
          "languages": People.languages.map {
            ["code": $0, "name": names[$0] ?? $0, "isCurrent": $0 == shown.language] as [String: Any]
          },
        ])
    }
  }

  @Sendable private func overview(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { page, manager, _ in
      let app = manager.app
      let day = String(Timestamp.text(service.now()).prefix(10))
      let (publication, live, count, counts) = try await service.storage.read { session in
        let publication = try session.publications(ofApp: app.key, limit: 1).first
        return (
          publication, try publication.flatMap { try session.revisionCounts($0.revision) },
          try session.installationCount(ofApp: app.key),
          try session.statistics(ofApp: app.key, from: day, to: day).mapValues { $0.all }
        )
      }
      let today = StatisticsReport(counts).campaigns
      let figures: [(String, Int64)] = [
        ("installations", count), ("regionsLive", live?.regions ?? 0),
        ("campaignsLive", live?.campaigns ?? 0), ("shownToday", today.reduce(0) { $0 + $1.shown }),
        ("openedToday", today.reduce(0) { $0 + $1.opened }),
      ]
      var values: [String: Any] = [
        "figures": figures.map { ["name": page.text($0), "value": String($1)] as [String: Any] }
      ]
      if let publication { values["publication"] = Self.values(publication) }
      // A larger feed is not even read: it would take longer than the page may.
      if let publication, let live, live.regions <= RegionPicture.most,
        let feed = try await service.storage.read({ try $0.revisionJSON(publication.revision) })
      {
        let places = Self.places(feed)
        values["map"] = RegionPicture.values(places, label: "\(page.text("mapOf")) \(places.count)")
      }
      return try page.response("overview", title: app.name, part: "overview", values)
    }
  }

  static func values(_ publication: PublicationRecord) -> [String: Any] {
    var values: [String: Any] = [
      "number": String(publication.number), "issued": text(publication.issued), "share": String(publication.share),
    ]
    if !publication.note.isEmpty { values["note"] = publication.note }
    return values
  }

  /// To the minute.
  static func text(_ time: Int64) -> String {
    String(Timestamp.text(time).prefix(16)).replacing("T", with: " ")
  }

  /// The regions of a feed that lie somewhere: circles, and the circles around areas.
  private static func places(_ feed: [UInt8]) -> [RegionPicture.Place] {
    guard let feed = try? Feed.parse(feed) else { return [] }
    return feed.regions.compactMap { region in
      let (center, radius): (Coordinate, Double)
      switch region.shape {
      case .circle(let circle): (center, radius) = (circle.center, circle.radius)
      case .area(let area): (center, radius) = (area.center, area.reach)
      default: return nil
      }
      return RegionPicture.Place(
        id: region.id.text, name: region.name ?? region.id.text, latitude: center.latitude, longitude: center.longitude,
        radius: radius)
    }
  }

  /// The page that plays a walk: the answers are those of `POST /api/v2/preview`.
  @Sendable private func walk(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { page, manager, _ in
      let map = try await service.maps.map(manager.app.id, of: service.drafts)
      let count = map.count
      let places =
        count <= RegionPicture.most ? Self.places(try await service.drafts.document(app: manager.app.id).bytes) : []
      var values = mapValues(map)
      values["start"] = String(Timestamp.text(service.now()).prefix(16))
      values["hasRegions"] = count > 0
      values["picture"] = RegionPicture.values(places, label: "\(page.text("mapOf")) \(places.count)")
      return try page.response("walk", title: page.text("walk"), part: "walk", values)
    }
  }

  // MARK: Statistics and changes

  @Sendable private func statistics(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { page, manager, _ in
      let (from, to) = (Self.parameter(request, "from"), Self.parameter(request, "to"))
      let hasFault = [from, to].contains { $0.map(WeekReport.isDay) == false }
      let counts = try await service.storage.read { session in
        hasFault ? [:] : try session.statistics(ofApp: manager.app.key, from: from, to: to).mapValues { $0.all }
      }
      let report = StatisticsReport(counts)
      var values: [String: Any] = [
        "from": from ?? "", "to": to ?? "",
        "campaigns": report.campaigns.map { one -> [String: Any] in
          var row: [String: Any] = [
            "id": one.campaign, "link": Self.encoded(one.campaign), "shown": String(one.shown),
            "opened": String(one.opened),
            "filtered": String(one.filtered), "failed": String(one.failed),
          ]
          if let rate = StatisticsReport.rate(one.opened, of: one.shown) {
            row["rate"] = [
              "text": Self.percent(rate),
              "low": Self.percent(rate.low), "range": Self.percent(rate.high - rate.low),
              "value": Self.percent(rate.value),
            ]
          }
          return row
        },
        "regions": report.regions.map { one in
          [
            "id": one.region, "visits": String(one.visits),
            "mean": one.ended == 0 ? "" : String((Double(one.seconds) / Double(one.ended) / 6).rounded() / 10),
          ]
        },
      ]
      let kinds = ["region-enter", "notification-shown", "notification-opened"]
      let kind = Self.parameter(request, "kind").flatMap { kinds.contains($0) ? $0 : nil } ?? kinds[0]
      let zone = Self.parameter(request, "zone") ?? "UTC"
      values["zone"] = zone
      values["kinds"] = kinds.map {
        ["kind": $0, "text": page.text("week-\($0)"), "isCurrent": $0 == kind] as [String: Any]
      }
      if !hasFault {
        do {
          let week = try await service.week(
            manager.app, kind: kind, campaign: nil, region: nil, from: from, to: to, zone: zone)
          values["week"] = Self.week(week, page)
        } catch let fault as RequestFault { values["fault"] = fault.message }
      }
      if !hasFault, let campaign = Self.parameter(request, "campaign"),
        let funnel = try await service.funnel(manager.app, campaign: campaign, from: from, to: to)
      {
        values["funnel"] = Self.funnel(funnel, page)
        let lift = try await service.lift(
          manager.app, campaign: campaign, region: nil, days: 7, from: from, to: to)
        values["lift"] = lift.flatMap { Self.lift($0, page) }
      }
      if hasFault { values["fault"] = page.text("badDay") }
      return try page.response(
        "statistics", title: page.text("statistics"), part: "statistics",
        status: hasFault ? .unprocessableContent : .ok, values)
    }
  }

  /// To a tenth.
  private static func percent(_ share: Double) -> String { String((share * 1000).rounded() / 10) }

  /// `30.0 % (29.0 – 31.0)`.
  private static func percent(_ rate: (value: Double, low: Double, high: Double)) -> String {
    "\(percent(rate.value)) % (\(percent(rate.low)) – \(percent(rate.high)))"
  }

  private static func funnel(_ funnel: FunnelReport, _ page: DashboardPage) -> [String: Any] {
    let steps = [
      ("entered", funnel.entered), ("filtered", funnel.filtered), ("failed", funnel.failed),
      ("heldOut", funnel.heldOut),
      ("shown", funnel.shown), ("opened", funnel.opened),
    ]
    let most = max(1, steps.map(\.1).max() ?? 1)
    return [
      "campaign": funnel.campaign, "recordings": String(funnel.recordings),
      "steps": steps.map { key, count in
        ["name": page.text(key), "count": String(count), "width": String(100 * count / most)]
      },
      "reasons": funnel.obstacles.map { one in
        [
          "step": one.reason.step, "reason": one.reason.reason, "decisions": String(one.decisions),
          "installations": String(one.installations),
        ]
      },
    ]
  }

  /// Nil for a campaign that holds nobody out.
  private static func lift(_ lift: LiftReport, _ page: DashboardPage) -> [String: Any]? {
    guard lift.percent != nil || lift.counts.heldOut.people > 0 else { return nil }
    func points(_ value: Double) -> String { (value > 0 ? "+" : "") + percent(value) }
    func group(_ key: String, _ group: ExposureCounts.Group) -> [String: Any] {
      let rate = StatisticsReport.rate(group.came, of: group.people)
      return [
        "name": page.text(key), "people": String(group.people), "came": String(group.came),
        "rate": rate.map { percent($0) } ?? "",
      ]
    }
    var values: [String: Any] = [
      "campaign": lift.campaign, "waiting": String(lift.counts.waiting),
      "groups": [group("shown", lift.counts.shown), group("heldOut", lift.counts.heldOut)],
    ]
    if let found = lift.lift {
      values["points"] = "\(points(found.value)) (\(points(found.low)) – \(points(found.high)))"
      values["verdict"] = page.text(found.low > 0 ? "liftMore" : found.high < 0 ? "liftLess" : "liftUnsure")
    }
    if let share = lift.heldOutShare, let expected = lift.percent {
      values["share"] = "\(percent(share)); \(expected) %"
    }
    return values
  }

  /// A table with a shade for each cell: from 0 for none to 8 for the most.
  private static func week(_ week: WeekReport, _ page: DashboardPage) -> [String: Any]? {
    guard week.most > 0 else { return nil }
    let names = page.text("weekdays").split(separator: " ").map(String.init)
    return [
      "hours": (0..<24).map { ["hour": String($0)] },
      "rows": zip(names, week.counts).map { name, counts in
        [
          "name": name,
          "cells": counts.map { count in
            ["count": String(count), "shade": count == 0 ? "0" : String(1 + 7 * count / week.most)]
          },
        ] as [String: Any]
      },
    ]
  }

  /// Why somebody got a notification, or did not.
  @Sendable private func why(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { page, manager, _ in
      func field(_ key: String) -> String { Self.parameter(request, key) ?? "" }
      var values: [String: Any] = [:]
      for key in ["installation", "campaign", "region", "at"] { values[key] = field(key) }
      let campaigns = try await service.drafts.read(app: manager.app.id) { session, app, _ in
        try session.draftObjects(.campaign, ofApp: app.key, limit: 1000).map(\.id)
      }
      values["campaigns"] = campaigns.map { ["id": $0, "isCurrent": $0 == field("campaign")] as [String: Any] }
      guard !field("installation").isEmpty else {
        return try page.response("why", title: page.text("why"), part: "why", values)
      }
      var status = HTTPResponse.Status.ok
      do {
        // As a form has it, without seconds and without a zone: in UTC.
        guard let moment = Timestamp.parse(field("at").count == 16 ? field("at") + ":00Z" : field("at")) else {
          throw RequestFault(.unprocessableContent, "invalid-value", page.text("badTime"))
        }
        let answer = try await service.why(
          installation: field("installation"), campaign: field("campaign"),
          region: field("region").isEmpty ? nil : field("region"), at: moment, language: page.language, manager.app)
        values["answer"] =
          [
            "sentence": answer["sentence"]?.string ?? "", "last": answer["lastInput"]?.string ?? "",
            "from": answer["recording"]?["from"]?.string ?? "", "to": answer["recording"]?["to"]?.string ?? "",
            "shown": (answer["shown"]?.items ?? []).map { one in
              [
                "time": one["time"]?.string ?? "", "region": one["region"]?.string ?? "",
                "message": one["message"]?.string ?? "",
              ]
            },
          ] as [String: Any]
      } catch let fault as RequestFault {
        (status, values["fault"]) = (
          fault.status, fault.kind == "no-recording" ? page.text("noRecording") : fault.message
        )
      }
      return try page.response("why", title: page.text("why"), part: "why", status: status, values)
    }
  }

  @Sendable private func audit(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { page, manager, _ in
      let before = try request.number("before", 1...Int64.max, "the number of a change") ?? .max
      let found = try await service.storage.read {
        try $0.audit(ofApp: manager.app.key, before: before, limit: Self.auditPage)
      }
      var values: [String: Any] = [
        "entries": found.map { one in
          [
            "time": Self.text(one.time), "actor": one.actor, "action": one.action, "object": one.object,
            "before": one.before ?? "", "after": one.after ?? "", "hasText": one.before != nil || one.after != nil,
          ] as [String: Any]
        }
      ]
      if found.count == Self.auditPage, let last = found.last { values["next"] = String(last.key) }
      return try page.response("audit", title: page.text("audit"), part: "audit", values)
    }
  }
}
