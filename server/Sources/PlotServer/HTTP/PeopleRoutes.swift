internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

/// Those who have a role in an app, and its private keys (docs/server.md, People and roles).
struct PeopleRoutes: Sendable {
  let service: Service

  func add(to router: Router<ServerContext>) {
    router.get("api/v2/people", use: people)
    router.put("api/v2/people/:id", use: setRole)
    router.delete("api/v2/people/:id", use: removeRole)
    router.get("api/v2/keys", use: keys)
    router.post("api/v2/keys", use: makeKey)
    router.delete("api/v2/keys/:id", use: revokeKey)
  }

  @Sendable private func people(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .administer).app
    let found = try await service.storage.read { try $0.members(ofApp: app.key) }
    return .json(
      .object([("people", .array(found.map { .object([("name", .string($0)), ("role", .string($1.rawValue))]) }))]))
  }

  private func role(_ body: JSONValue) throws -> Role {
    do { return try Role(named: body["role"]?.string) } catch { throw RequestFault.known(error) }
  }

  @Sendable private func setRole(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .administer)
    let name = try context.parameters.require("id")
    let role = try role(try await service.json(request, limit: 4 << 10))
    do {
      let password = try await service.people.invite(name, as: role, toApp: manager.app.id, actor: manager.actor)
      var members: [(key: String, value: JSONValue)] = [("name", .string(name)), ("role", .string(role.rawValue))]
      if let password { members.append(("password", .string(password))) }
      return .json(.object(members), status: password == nil ? .ok : .created)
    } catch { throw RequestFault.known(error) }
  }

  @Sendable private func removeRole(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .administer)
    let name = try context.parameters.require("id")
    guard
      try await service.storage.read({ try $0.members(ofApp: manager.app.key) }).contains(where: { $0.name == name })
    else { throw RequestFault(.notFound, "not-found", "there is nobody of this name in this app") }
    do {
      try await service.people.setRole(nil, of: name, inApp: manager.app.id, actor: manager.actor)
    } catch { throw RequestFault.known(error) }
    return Response(status: .noContent)
  }

  @Sendable private func keys(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try await service.manager(request, context, may: .administer).app
    let found = try await service.storage.read { try $0.privateKeys(ofApp: app.key) }
    let list = found.map { key in
      var members: [(key: String, value: JSONValue)] = [
        ("id", .string(key.id)), ("name", .string(key.name)), ("role", .string(key.role.rawValue)),
        ("created", .string(Timestamp.text(key.created))),
      ]
      if let revoked = key.revoked { members.append(("revoked", .string(Timestamp.text(revoked)))) }
      return JSONValue.object(members)
    }
    return .json(.object([("keys", .array(list))]))
  }

  @Sendable private func makeKey(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .administer)
    let body = try await service.json(request, limit: 4 << 10)
    let role = try role(body)
    let name: String
    switch body["name"] {
    case nil: name = ""
    case .string(let text)? where text.utf8.count <= 200: name = text
    case let other?: throw RequestFault.invalid("/name", "a string of at most 200 bytes", other)
    }
    let made = try await service.privateKeys.make(app: manager.app.id, name: name, role: role, actor: manager.actor)
    return .json(
      .object([("id", .string(made.id)), ("key", .string(made.key)), ("role", .string(role.rawValue))]),
      status: .created)
  }

  @Sendable private func revokeKey(_ request: Request, _ context: ServerContext) async throws -> Response {
    let manager = try await service.manager(request, context, may: .administer)
    let id = try context.parameters.require("id")
    guard try await service.privateKeys.revoke(id, ofApp: manager.app.id, actor: manager.actor) else {
      throw RequestFault(.notFound, "not-found", "expected the id of a private key of this app in use, found none")
    }
    return Response(status: .noContent)
  }
}
