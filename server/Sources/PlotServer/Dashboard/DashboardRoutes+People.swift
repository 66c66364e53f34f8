internal import HTTPTypes
internal import Hummingbird
internal import PlotServerStorage

/// The page of those who have a role in an app, and of its private keys; and one's own password.
extension DashboardRoutes {
  func addPeople(to router: Router<ServerContext>) {
    router.get("dashboard/:app/people") { request, context in
      try await answer(request, context, may: .administer) { page, manager, _ in try await people(page, manager) }
    }
    router.post("dashboard/:app/people/role") { try await change($0, $1, setRole) }
    router.post("dashboard/:app/people/key") { try await change($0, $1, makeKey) }
    router.post("dashboard/:app/people/revoke") { try await change($0, $1, revoke) }
    router.post("dashboard/:app/people/approval") { try await change($0, $1, setApproval) }
    router.get("dashboard/:app/webhooks") { request, context in
      try await answer(request, context, may: .administer) { page, manager, _ in try await webhooks(page, manager) }
    }
    router.post("dashboard/:app/webhooks/add") { try await changeWebhook($0, $1, addWebhook) }
    router.post("dashboard/:app/webhooks/remove") { try await changeWebhook($0, $1, removeWebhook) }
    router.post("dashboard/:app/webhooks/again") { try await changeWebhook($0, $1, sendAgain) }
  }

  /// Carries out a change, and shows the page with what it says; with its fault else.
  private func change(
    _ request: Request, _ context: ServerContext,
    _ body: (DashboardPage, Manager, [String: String]) async throws -> String
  ) async throws -> Response {
    try await answer(request, context, may: .administer) { page, manager, fields in
      do {
        let notice = try await body(page, manager, fields)
        // A role that one has given away oneself, and an app that is set otherwise.
        guard let signedIn = page.signedIn else { return DashboardPage.redirect(to: "/dashboard") }
        let again = try await service.manager(signedIn, app: manager.app.id)
        var page = page
        page.manager = again
        guard again.may(.administer) else { return DashboardPage.redirect(to: "/dashboard") }
        return try await people(page, again, notice: notice)
      } catch PublicationFault.invalid(let key, let expected, let found) {
        return try await people(
          page, manager, status: .unprocessableContent, fault: "\(key): expected \(expected), found \(found)")
      }
    }
  }

  private func people(
    _ page: DashboardPage, _ manager: Manager, status: HTTPResponse.Status = .ok, notice: String? = nil,
    fault: String? = nil
  ) async throws -> Response {
    let (members, keys) = try await service.storage.read { session in
      (try session.members(ofApp: manager.app.key), try session.privateKeys(ofApp: manager.app.key))
    }
    var values: [String: Any] = [
      "members": members.map { ["name": $0.name, "role": page.text($0.role.rawValue)] },
      "roles": Role.allCases.map { ["role": $0.rawValue, "text": page.text($0.rawValue)] },
      "keys": keys.filter { $0.revoked == nil }.map {
        ["id": $0.id, "name": $0.name, "role": page.text($0.role.rawValue)]
      },
      "approval": manager.app.needsApproval,
    ]
    values["notice"] = notice
    values["fault"] = fault
    return try page.response("people", title: page.text("people"), part: "people", status: status, values)
  }

  private func setRole(_ page: DashboardPage, _ manager: Manager, _ fields: [String: String]) async throws -> String {
    let name = fields["name"] ?? ""
    if fields["role"] == "none" {
      try await service.people.setRole(nil, of: name, inApp: manager.app.id, actor: manager.actor)
      return page.text("savedRole")
    }
    let password = try await service.people.invite(
      name, as: try Role(named: fields["role"]), toApp: manager.app.id, actor: manager.actor)
    return password.map { "\(page.text("passwordOnce")) \($0)" } ?? page.text("savedRole")
  }

  private func makeKey(_ page: DashboardPage, _ manager: Manager, _ fields: [String: String]) async throws -> String {
    let made = try await service.privateKeys.make(
      app: manager.app.id, name: String((fields["name"] ?? "").prefix(50)), role: try Role(named: fields["role"]),
      actor: manager.actor
    )
    return "\(page.text("keyOnce")) \(made.key)"
  }

  private func revoke(_ page: DashboardPage, _ manager: Manager, _ fields: [String: String]) async throws -> String {
    let id = fields["id"] ?? ""
    guard try await service.privateKeys.revoke(id, ofApp: manager.app.id, actor: manager.actor) else {
      throw PublicationFault.invalid(key: "id", expected: "a private key in use", found: "\"\(id)\"")
    }
    return page.text("keyRevoked")
  }

  private func setApproval(
    _ page: DashboardPage, _ manager: Manager, _ fields: [String: String]
  ) async throws -> String {
    let isNeeded = fields["approval"] == "true"
    let time = service.now()
    try await service.storage.write { session in
      try session.setNeedsApproval(isNeeded, ofApp: manager.app.key)
      try session.add(
        AuditRecord(time: time, actor: manager.actor, action: "set approval", object: "app", after: "\(isNeeded)"),
        ofApp: manager.app.key)
    }
    return page.text("savedRole")
  }

  // MARK: Webhooks

  private static let logLength: Int64 = 20

  private func changeWebhook(
    _ request: Request, _ context: ServerContext,
    _ body: (DashboardPage, Manager, [String: String]) async throws -> String
  ) async throws -> Response {
    try await answer(request, context, may: .administer) { page, manager, fields in
      do {
        return try await webhooks(page, manager, notice: try await body(page, manager, fields))
      } catch let fault as RequestFault where fault.status == .unprocessableContent {
        return try await webhooks(page, manager, status: fault.status, fault: fault.message)
      }
    }
  }

  private func webhooks(
    _ page: DashboardPage, _ manager: Manager, status: HTTPResponse.Status = .ok, notice: String? = nil,
    fault: String? = nil
  ) async throws -> Response {
    let found = try await service.storage.read { session in
      try session.webhooks(ofApp: manager.app.key).map {
        ($0, try session.deliveries(ofWebhook: $0.key, before: .max, limit: Self.logLength))
      }
    }
    var values: [String: Any] = [
      "isAllowed": !service.webhooks.hosts.hosts.isEmpty,
      "kinds": WebhookRecord.Kind.allCases.map { ["kind": $0.rawValue, "text": page.text("kind-\($0.rawValue)")] },
      "webhooks": found.map { webhook, log -> [String: Any] in
        [
          "id": webhook.id, "url": webhook.url,
          "told": webhook.kinds.map { page.text("kind-\($0.rawValue)") }.joined(separator: ", "),
          "log": log.map { one -> [String: Any] in
            [
              "key": String(one.key), "time": Self.text(one.created), "kind": page.text("kind-\(one.kind)"),
              "tries": String(one.tries), "answer": one.answer, "isDelivered": one.delivered != nil,
              "next": one.next.map { Self.text($0) } ?? "",
            ]
          },
        ]
      },
    ]
    values["notice"] = notice
    values["fault"] = fault
    return try page.response("webhooks", title: page.text("webhooks"), part: "webhooks", status: status, values)
  }

  private func addWebhook(
    _ page: DashboardPage, _ manager: Manager, _ fields: [String: String]
  ) async throws -> String {
    let kinds = WebhookRecord.Kind.allCases.filter { fields["kind-\($0.rawValue)"] == "1" }
    guard !kinds.isEmpty else { throw RequestFault(.unprocessableContent, "invalid-value", page.text("needsKind")) }
    let made = try await service.addWebhook(url: fields["url"] ?? "", kinds: kinds, manager)
    return "\(page.text("secretOnce")) \(made.secret)"
  }

  private func removeWebhook(
    _ page: DashboardPage, _ manager: Manager, _ fields: [String: String]
  ) async throws -> String {
    try await service.removeWebhook(fields["id"] ?? "", manager)
    return page.text("removedWebhook")
  }

  private func sendAgain(
    _ page: DashboardPage, _ manager: Manager, _ fields: [String: String]
  ) async throws -> String {
    try await service.repeatDelivery(fields["key"] ?? "", ofWebhook: fields["id"] ?? "", manager)
    return page.text("sentAgain")
  }
}
