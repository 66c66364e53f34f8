internal import HTTPTypes
internal import Hummingbird
internal import PlotDocuments
internal import PlotServerStorage

/// Signing in and out, and who one is (docs/server.md, Signing in).
struct SessionRoutes: Sendable {
  let service: Service

  func add(to router: Router<ServerContext>) {
    router.post("api/v2/session", use: signIn)
    router.get("api/v2/session", use: get)
    router.patch("api/v2/session", use: change)
    router.delete("api/v2/session", use: signOut)
  }

  @Sendable private func signIn(_ request: Request, _ context: ServerContext) async throws -> Response {
    let body = try await service.json(request, limit: 4 << 10)
    guard case .string(let name)? = body["name"] else { throw RequestFault.invalid("/name", "a name", body["name"]) }
    guard case .string(let password)? = body["password"] else {
      // The message does not quote it: it may be a password.
      throw RequestFault.invalid("/password", "a text", nil)
    }
    let signedIn = try await service.signIn(name: name, password: password, request, context)
    return try await response(signedIn, setsCookie: true)
  }

  @Sendable private func get(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await response(try await known(request))
  }

  @Sendable private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
    var signedIn = try await known(request)
    let body = try await service.json(request, limit: 4 << 10)
    guard case .object(let members) = body else { throw RequestFault.invalid("", "an object", body) }
    // All is looked at before anything changes.
    for (key, value) in members where !["language", "password", "currentPassword"].contains(key) || value.string == nil
    {
      throw RequestFault.invalid("/\(key)", "language, password or currentPassword, each a text", nil)
    }
    let language = body["language"]?.string
    do { if let language { try People.check(language: language) } } catch { throw RequestFault.known(error) }
    if let password = body["password"]?.string {
      guard let known = body["currentPassword"]?.string else {
        throw RequestFault.invalid("/currentPassword", "the password that it takes the place of", nil)
      }
      signedIn = try await service.changePassword(of: signedIn, from: known, to: password, request, context)
    }
    if let language {
      try await service.people.setLanguage(language, of: signedIn.person.name)
      signedIn.person.language = language
    }
    return try await response(signedIn, setsCookie: true)
  }

  @Sendable private func signOut(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await service.people.signOut(try await known(request).token)
    return Response(
      status: .noContent, headers: [.setCookie: service.sessionCookie(nil)])
  }

  private func known(_ request: Request) async throws -> SignedIn {
    guard let signedIn = try await service.signedIn(request) else {
      throw RequestFault(.unauthorized, "signed-out", "expected the cookie of a session, found none: sign in")
    }
    return signedIn
  }

  private func response(_ signedIn: SignedIn, setsCookie: Bool = false) async throws -> Response {
    let apps = try await service.storage.read { try $0.apps(ofPerson: signedIn.person.key) }
    return .json(
      .object([
        ("name", .string(signedIn.person.name)), ("language", .string(signedIn.person.language)),
        ("formToken", .string(signedIn.formToken)),
        (
          "apps",
          .array(
            apps.map { app, role in
              .object([("id", .string(app.id)), ("name", .string(app.name)), ("role", .string(role.rawValue))])
            })
        ),
      ]), headers: setsCookie ? [.setCookie: service.sessionCookie(signedIn.token)] : [:])
  }
}

extension Service {
  func signIn(
    name: String, password: String, _ request: Request, _ context: ServerContext
  ) async throws -> SignedIn {
    let person = try await person(name: name, password: password, request, context)
    return SignedIn(person: person, token: try await people.beginSession(of: person))
  }

  /// Ends all sessions of the person, and begins another one.
  func changePassword(
    of signedIn: SignedIn, from known: String, to password: String, _ request: Request, _ context: ServerContext
  ) async throws -> SignedIn {
    let person = try await person(name: signedIn.person.name, password: known, request, context)
    do { try await people.setPassword(password, of: person.name) } catch { throw RequestFault.known(error) }
    return SignedIn(person: person, token: try await people.beginSession(of: person))
  }

  /// The one whose password this is. Wrong ones are counted by address, and by name: many addresses guess no faster.
  private func person(
    name: String, password: String, _ request: Request, _ context: ServerContext
  ) async throws -> PersonRecord {
    try checkSite(request)
    let (address, now) = (address(request, context), now())
    guard !failures.isEmpty(address, at: now), !failures.isEmpty("name \(name)", at: now) else {
      throw RequestFault(.tooManyRequests, "too-many-requests", "too many wrong passwords: wait", retryAfter: 60)
    }
    guard let person = try await people.person(name: name, password: password) else {
      _ = failures.take(address, at: now)
      _ = failures.take("name \(name)", at: now)
      throw RequestFault(.unauthorized, "unauthorized", "expected the name and the password of a person, found others")
    }
    return person
  }
}

extension RequestFault {
  /// A fault of what was asked for, as an answer; anything else as it was.
  static func known(_ error: any Error) -> any Error {
    guard case PublicationFault.invalid(let key, let expected, let found) = error else { return error }
    var fault = RequestFault(.unprocessableContent, "invalid-value", "/\(key): expected \(expected), found \(found)")
    (fault.pointer, fault.expected, fault.found) = ("/\(key)", expected, found)
    return fault
  }

  static var otherSite: RequestFault {
    RequestFault(
      .forbidden, "other-site",
      "expected a request of a page of this server, with the \"Plot-Form-Token\" of its session; found another")
  }
}
