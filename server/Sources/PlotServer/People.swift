public import PlotServerStorage
internal import Synchronization

/// A kind of act on an app, as routes ask for it.
enum Right: Sendable {
  case view
  case edit
  case publish
  case administer
}

extension Role {
  public init(named text: String?) throws {
    guard let role = text.flatMap(Role.init) else {
      throw PublicationFault.invalid(
        key: "role", expected: "viewer, editor, approver or owner", found: text.map { "\"\($0)\"" } ?? "none")
    }
    self = role
  }

  /// docs/server.md has the table.
  func may(_ right: Right, needsApproval: Bool) -> Bool {
    switch right {
    case .view: true
    case .edit: self == .editor || self == .owner
    case .publish: self == .approver || self == .owner || (self == .editor && !needsApproval)
    case .administer: self == .owner
    }
  }
}

/// Those who sign in: passwords, roles and sessions.
public final class People: Sendable {
  /// How long a session lasts that nobody uses, and how long any lasts.
  static let idle: Int64 = 12 * 3_600_000
  static let longest: Int64 = 7 * 86_400_000
  public static let languages = ["en", "nl", "de"]

  private let storage: any SQLDatabase
  private let now: @Sendable () -> Int64

  public init(_ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64) {
    self.storage = storage
    self.now = now
  }

  /// Throws `PublicationFault.invalid` for a name, a password or a language that cannot be, and a conflict for a name that is taken.
  public func make(name: String, password: String, language: String = "en") async throws {
    guard Apps.isId(name) else {
      throw PublicationFault.invalid(
        key: "name", expected: "1 to 64 letters, digits, -, _ and dots", found: "\"\(name)\"")
    }
    try Self.check(language: language)
    let (salt, hash) = try await Self.hash(password)
    let time = now()
    try await storage.write {
      try $0.addPerson(name: name, language: language, salt: salt, hash: hash, at: time)
    }
  }

  /// Ends all sessions of the person.
  public func setPassword(_ password: String, of name: String) async throws {
    let (salt, hash) = try await Self.hash(password)
    try await storage.write { try $0.setPassword(salt: salt, hash: hash, ofPerson: try $0.knownPerson(name).key) }
  }

  public func setDisabled(_ isDisabled: Bool, of name: String) async throws {
    let time = now()
    try await storage.write {
      try $0.setDisabled(isDisabled ? time : nil, ofPerson: try $0.knownPerson(name).key)
    }
  }

  public func setLanguage(_ language: String, of name: String) async throws {
    try Self.check(language: language)
    try await storage.write { try $0.setLanguage(language, ofPerson: try $0.knownPerson(name).key) }
  }

  /// Gives a role to somebody, who is made where there is nobody of this name; then gives the password, to be told once.
  func invite(_ name: String, as role: Role, toApp id: String, actor: String) async throws -> String? {
    let isThere = try await storage.read { try $0.person(name: name) } != nil
    let password = isThere ? nil : Self.newPassword()
    if let password { try await make(name: name, password: password) }
    try await setRole(role, of: name, inApp: id, actor: actor)
    return password
  }

  /// Nil takes the role away. The audit of the app has it. Throws `PublicationFault.invalid` for the last owner, who stays one.
  /// Commands may take it away all the same.
  public func setRole(
    _ role: Role?, of name: String, inApp id: String, actor: String, keepsAnOwner: Bool = true
  ) async throws {
    let time = now()
    try await storage.write { session in
      let (person, app) = (try session.knownPerson(name), try session.knownApp(id))
      let before = try session.role(ofPerson: person.key, inApp: app.key)
      guard before != role else { return }
      if keepsAnOwner, before == .owner,
        try session.members(ofApp: app.key).count(where: { $0.role == .owner }) == 1
      {
        throw PublicationFault.invalid(key: "role", expected: "another owner before the last one goes", found: "none")
      }
      try session.setRole(role, ofPerson: person.key, inApp: app.key)
      try session.add(
        AuditRecord(
          time: time, actor: actor, action: "set the role", object: "person \(name)",
          before: before.map { "\"\($0.rawValue)\"" }, after: role.map { "\"\($0.rawValue)\"" }), ofApp: app.key)
    }
  }

  // MARK: Sessions

  /// Nil for a name that there is not and for a wrong password, which take as long.
  func person(name: String, password: String) async throws -> PersonRecord? {
    let person = try await storage.read { try $0.person(name: name) }
    let hash = try await Secrets.scrypt(password, salt: person?.salt ?? Array("nobody has this".utf8))
    guard let person, person.disabled == nil, Secrets.areEqual(hash, person.hash) else { return nil }
    return person
  }

  /// A new session, whatever the browser had before.
  func beginSession(of person: PersonRecord) async throws -> String {
    let token = Secrets.random("s_", bytes: 32)
    let time = now()
    try await storage.write { session in
      try session.removeSessions(seenBefore: time - Self.idle, createdBefore: time - Self.longest)
      try session.addSession(token: Self.name(token), person: person.key, at: time)
    }
    return token
  }

  /// The person who is signed in by this token; nil for nobody.
  func session(_ token: String) async throws -> PersonRecord? {
    guard token.utf8.count < 100 else { return nil }
    let (name, time) = (Self.name(token), now())
    guard let found = try await storage.read({ try $0.session(token: name) }), found.person.disabled == nil,
      time - found.seen < Self.idle, time - found.created < Self.longest
    else { return nil }
    // Not at each request: a page has many.
    if time - found.seen > 60_000 { try await storage.write { try $0.touchSession(token: name, at: time) } }
    return found.person
  }

  func signOut(_ token: String) async throws {
    let name = Self.name(token)
    try await storage.write { try $0.removeSession(token: name) }
  }

  /// The token that a page of this session sends with each change: another site cannot read it.
  static func formToken(_ token: String) -> String {
    Secrets.base64URL(Cryptography.authentication(of: Array("form".utf8), key: Secrets.sha256(Array(token.utf8))))
  }

  private static func name(_ token: String) -> [UInt8] { Secrets.sha256(Array(token.utf8)) }

  static func check(language: String) throws {
    guard languages.contains(language) else {
      throw PublicationFault.invalid(
        key: "language", expected: "one of \(languages.joined(separator: ", "))", found: "\"\(language)\"")
    }
  }

  private static func hash(_ password: String) async throws -> (salt: [UInt8], hash: [UInt8]) {
    guard (12...1000).contains(password.utf8.count) else {
      throw PublicationFault.invalid(
        key: "password", expected: "12 to 1000 bytes", found: "\(password.utf8.count) bytes")
    }
    let salt = Array(Secrets.random("", bytes: 16).utf8)
    return (salt, try await Secrets.scrypt(password, salt: salt))
  }

  /// A password for a person to change, of 16 characters.
  public static func newPassword() -> String { Secrets.random("", bytes: 12) }
}

extension SQLSession {
  fileprivate func knownPerson(_ name: String) throws -> PersonRecord {
    guard let person = try person(name: name) else {
      throw PublicationFault.invalid(key: "name", expected: "the name of a person", found: "\"\(name)\"")
    }
    return person
  }
}
