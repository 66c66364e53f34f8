internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import PlotDocuments
internal import PlotServerStorage

/// The one who manages an app.
struct Manager: Sendable {
  var app: AppRecord
  /// For the audit.
  var actor: String
  var role: Role

  func may(_ right: Right) -> Bool { role.may(right, needsApproval: app.needsApproval) }

  /// Throws a fault where the role may not.
  func check(_ right: Right) throws(RequestFault) {
    guard !may(right) else { return }
    throw RequestFault(
      .forbidden, "not-allowed",
      right == .publish && role == .editor
        ? "expected an approver or an owner, for this app publishes by approval; found an editor"
        : "expected a role that may \(right), found \(role.rawValue)")
  }
}

/// Somebody who is signed in on a browser.
struct SignedIn: Sendable {
  var person: PersonRecord
  var token: String

  var formToken: String { People.formToken(token) }
}

extension Service {
  /// The one who asks, if they may: by Basic authentication with the id of an app and one of its private keys; or by the cookie of a session, with
  /// the app in `Plot-App`.
  func manager(_ request: Request, _ context: ServerContext, may right: Right) async throws -> Manager {
    let manager =
      if request.headers[.authorization] == nil, request.headers[.cookie] != nil,
        let signedIn = try await signedIn(request)
      {
        try await self.manager(signedIn, app: request.headers[.plotApp] ?? "")
      } else {
        try await self.manager(byKey: request, context)
      }
    try manager.check(right)
    return manager
  }

  /// A person in an app. One without a role is told the same as for an app that there is not.
  func manager(_ signedIn: SignedIn, app id: String) async throws -> Manager {
    let found = try await storage.read { session -> (AppRecord, Role)? in
      guard let app = try session.app(id: id),
        let role = try session.role(ofPerson: signedIn.person.key, inApp: app.key)
      else { return nil }
      return (app, role)
    }
    guard let (app, role) = found else {
      throw RequestFault(
        .forbidden, "no-role",
        "expected in \"Plot-App\" an app in which you have a role, found \"\(RequestFault.short(id))\"")
    }
    return Manager(app: app, actor: "person \(signedIn.person.name)", role: role)
  }

  /// The person behind the session's cookie; nil for none. What changes something must come from a page of ours: it carries the token of its forms,
  /// and a browser that names its site or origin names this one.
  func signedIn(_ request: Request, formToken: String? = nil) async throws -> SignedIn? {
    guard let token = SessionCookie.token(request), let person = try await people.session(token) else { return nil }
    let signedIn = SignedIn(person: person, token: token)
    // Somebody else sits there now.
    if let name = try await identity?.name(request), name != person.name { return nil }
    if request.method == .get || request.method == .head { return signedIn }
    try checkSite(request)
    let told = formToken ?? request.headers[.plotFormToken] ?? ""
    guard Secrets.areEqual(Array(told.utf8), Array(signedIn.formToken.utf8)) else { throw RequestFault.otherSite }
    return signedIn
  }

  /// Begins a session of the person that the identity provider names; nil for nobody.
  func signInByProvider(_ request: Request) async throws -> String? {
    guard let name = try await identity?.name(request),
      let person = try await storage.read({ try $0.person(name: name) }), person.disabled == nil
    else { return nil }
    return try await people.beginSession(of: person)
  }

  /// Throws where the browser says that another site's page sends this.
  func checkSite(_ request: Request) throws(RequestFault) {
    if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" { throw .otherSite }
    guard let origin = request.headers[.origin] else { return }
    guard origin.split(separator: "/").last.map(String.init) == request.head.authority else { throw .otherSite }
  }

  /// The value of Set-Cookie; nil for a token takes the cookie away. It goes by HTTPS only, where the service can know that it is behind it.
  func sessionCookie(_ token: String?) -> String {
    SessionCookie.set(token, isSecure: configuration.certificate != nil || configuration.trustsProxy)
  }

  private func manager(byKey request: Request, _ context: ServerContext) async throws -> Manager {
    let address = address(request, context)
    let now = now()
    if failures.isEmpty(address, at: now) {
      throw RequestFault(.tooManyRequests, "too-many-requests", "too many wrong keys: wait", retryAfter: 60)
    }
    if let header = request.headers[.authorization], header.lowercased().hasPrefix("basic "),
      let data = Data(base64Encoded: String(header.dropFirst(6))), data.count <= 1000,
      let colon = data.firstIndex(of: 0x3A)
    {
      let id = String(decoding: data[..<colon], as: UTF8.self)
      let key = String(decoding: data[(colon + 1)...], as: UTF8.self)
      if let found = try await privateKeys.app(id: id, key: key) {
        return Manager(app: found.app, actor: "key \(found.key.id)", role: found.key.role)
      }
    }
    _ = failures.take(address, at: now)
    var fault = RequestFault(
      .unauthorized, "unauthorized",
      "expected the id of an app and one of its private keys by Basic authentication, found others")
    fault.headers[.wwwAuthenticate] = "Basic realm=\"plot-server\", charset=\"UTF-8\""
    throw fault
  }
}

extension HTTPField.Name {
  static let plotApp = Self("Plot-App")!
  static let plotFormToken = Self("Plot-Form-Token")!
  static let secFetchSite = Self("Sec-Fetch-Site")!
}

/// The cookie that has a session's token. No script can read it, and no page of another site sends it with a change.
enum SessionCookie {
  static let name = "plot-session"

  static func token(_ request: Request) -> String? {
    request.headers[.cookie]?.split(separator: ";").lazy.map { $0.drop { $0 == " " } }
      .first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// Nil for a token takes the cookie away.
  static func set(_ token: String?, isSecure: Bool) -> String {
    let life = token == nil ? 0 : People.longest / 1000
    return "\(name)=\(token ?? ""); Path=/; HttpOnly; SameSite=Lax; Max-Age=\(life)\(isSecure ? "; Secure" : "")"
  }
}

extension Request {
  /// A parameter of the query that is a number; nil for none.
  func number(_ key: String, _ range: ClosedRange<Int64>, _ expected: String) throws -> Int64? {
    guard let text = uri.queryParameters[Substring(key)] else { return nil }
    guard let number = Int64(text), range.contains(number) else {
      throw RequestFault.invalid("?\(key)", expected, .string(String(text)))
    }
    return number
  }

  /// One that is true or false; false for none.
  func flag(_ key: String) throws -> Bool {
    switch uri.queryParameters[Substring(key)] {
    case nil, "false"?: return false
    case "true"?: return true
    case let other?: throw RequestFault.invalid("?\(key)", "true or false", .string(String(other)))
    }
  }
}
