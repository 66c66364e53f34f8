internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import PlotDocuments
internal import PlotServerStorage
internal import PlotTracks

/// The draft before it goes live: changes, findings, recorded walks; and the way back.
extension DashboardRoutes {
  private static let findingLimit = 50
  private static let changeLimit = 500

  func addPublishing(to router: Router<ServerContext>) {
    router.get("dashboard/:app/publish") { request, context in
      try await answer(request, context) { page, manager, _ in
        let number = try request.number("published", 1...Int64.max, "the number of a publication")
        return try await draft(page, manager, notice: number.map { "\(page.text("published")) \($0)" })
      }
    }
    router.post("dashboard/:app/publish", use: publish)
    router.post("dashboard/:app/rollback", use: rollBack)
    router.get("dashboard/:app/map/changes", use: mapChanges)
  }

  /// The page of the draft: changes, findings and publications.
  private func draft(
    _ page: DashboardPage, _ manager: Manager, status: HTTPResponse.Status = .ok, notice: String? = nil,
    fault: String? = nil
  ) async throws -> Response {
    let app = manager.app
    let dryRun = try await service.reports.report(app, service.drafts, service.publisher, at: service.now())
    let (report, isRefused, version) = (dryRun.report, dryRun.isRefused, dryRun.version)
    let (publications, publishers) = try await service.storage.read { session in
      let found = try session.publications(ofApp: app.key, limit: 20)
      return (found, try session.publishers(ofApp: app.key, found.map(\.number)))
    }
    let mayPublish = manager.may(.publish)
    func text(_ ids: [String]) -> String {
      ids.count <= 20 ? ids.joined(separator: ", ") : ids.prefix(20).joined(separator: ", ") + ", … (\(ids.count))"
    }
    let difference = report.difference
    var rows = [
      ("regions", difference.regions), ("campaigns", difference.campaigns), ("categories", difference.categories),
      ("lists", difference.lists),
    ]
    .filter { $0.1 != FeedDifference.Ids() }
    .map { key, ids in
      [
        "name": page.text(key), "added": text(ids.added), "changed": text(ids.changed), "removed": text(ids.removed),
      ]
    }
    if difference.hasOtherSettings {
      rows.append(["name": page.text("settings"), "added": "", "changed": page.text("settings"), "removed": ""])
    }
    let shown = report.findings.prefix(Self.findingLimit)
    var values: [String: Any] = [
      "findings": shown.map { finding in
        let severity = finding.severity.rawValue
        return ["severity": severity, "word": page.text(severity), "sentence": finding.sentence]
      },
      "mayPublish": mayPublish, "isRefused": isRefused, "version": String(version),
      "publications": publications.enumerated().map { index, publication in
        Self.values(publication).merging([
          "mayRollBack": mayPublish && index > 0, "mayWiden": mayPublish && index == 0 && publication.share < 100,
          "by": publishers[publication.number] ?? "",
          "reached": String(report.installations * publication.share / 100),
        ]) { _, new in new }
      },
      "hasPublication": !publications.isEmpty,
    ]
    if difference.regions != FeedDifference.Ids() {
      values["changeMap"] = mapValues(try await service.maps.map(app.id, of: service.drafts))
    }
    if !rows.isEmpty { values["changes"] = ["rows": rows] as [String: Any] }
    if report.findings.count > shown.count {
      values["moreFindings"] = "\(page.text("moreFindings")) \(report.findings.count - shown.count)"
    }
    values["notice"] = notice
    values["fault"] = fault
    return try page.response("publish", title: page.text("publish"), part: "publish", status: status, values)
  }

  @Sendable private func publish(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context, may: .publish) { page, manager, fields in
      let app = manager.app
      let (bytes, version) = try await service.drafts.document(app: app.id)
      // Nothing goes live that this person has not seen.
      guard fields["version"] == String(version) else {
        return try await draft(page, manager, status: .conflict, fault: page.text("draftChanged"))
      }
      var options = PublicationRequest()
      options.actor = manager.actor
      options.note = fields["note"] ?? ""
      options.share = Int64(fields["share"] ?? "") ?? 0
      do {
        let report = try await service.publisher.publish(bytes, toApp: app.id, options, dryRun: false)
        service.metrics.count("plot_server_publications_total")
        await service.follow(context.logger)
        return Self.published(report.publication?.number ?? 0, manager)
      } catch PublicationFault.refused(let report) {
        return try await draft(page, manager, status: .unprocessableContent, fault: report.reason)
      } catch PublicationFault.invalid(let key, let expected, let found) {
        return try await draft(
          page, manager, status: .unprocessableContent, fault: "\(key): expected \(expected), found \(found)")
      }
    }
  }

  @Sendable private func rollBack(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context, may: .publish) { page, manager, fields in
      var options = PublicationRequest()
      options.actor = manager.actor
      options.note = fields["note"] ?? ""
      // Without a share: for all.
      options.share = fields["share"].map { Int64($0) ?? 0 } ?? 100
      do {
        let made = try await service.publisher.rollBack(
          app: manager.app.id, to: Int64(fields["to"] ?? "") ?? 0, options)
        service.metrics.count("plot_server_publications_total")
        await service.follow(context.logger)
        return Self.published(made.number, manager)
      } catch PublicationFault.unknownPublication {
        throw RequestFault(.notFound, "not-found", page.text("notFound"))
      } catch PublicationFault.invalid(let key, let expected, let found) {
        return try await draft(
          page, manager, status: .unprocessableContent, fault: "\(key): expected \(expected), found \(found)")
      }
    }
  }

  /// Shown by another page: so a page that is loaded again publishes nothing again.
  private static func published(_ number: Int64, _ manager: Manager) -> Response {
    DashboardPage.redirect(to: "/dashboard/\(manager.app.id)/publish?published=\(number)")
  }

  /// The regions that publishing would add, change and remove, with their shapes.
  @Sendable private func mapChanges(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await answer(request, context) { _, manager, _ in
      let app = manager.app
      let ids = try await service.reports.report(app, service.drafts, service.publisher, at: service.now()).report
        .difference.regions
      let limit = Self.changeLimit
      let (now, old) = try await service.drafts.read(app: app.id) { session, app, _ in
        let changed = ids.added.prefix(limit) + ids.changed.prefix(limit)
        let live =
          ids.removed.isEmpty
          ? nil : try session.publicationsInUse(ofApp: app.key).first.flatMap { try session.revisionJSON($0.revision) }
        return (try session.draftObjects(.region, ids: changed, ofApp: app.key), live)
      }
      var features: [JSONValue] = []
      let added = Set(ids.added)
      for object in now {
        let change = added.contains(object.id) ? "added" : "changed"
        if let feature = Self.feature(object, ("change", .string(change))) { features.append(feature) }
      }
      let removed = Set(ids.removed.prefix(limit))
      for region in old.flatMap({ try? JSONValue(parsing: $0) })?["regions"]?.items ?? [] {
        guard let id = region["id"]?.string, removed.contains(id) else { continue }
        let object = DraftObject(kind: .region, id: id, position: 0, version: 0, json: region.text)
        if let feature = Self.feature(object, ("change", .string("removed"))) { features.append(feature) }
      }
      return Self.response(.object([("type", .string("FeatureCollection")), ("features", .array(features))]))
    }
  }
}
