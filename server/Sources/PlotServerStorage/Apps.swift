/// An app, as the service knows it.
public struct AppRecord: Equatable, Sendable {
  public enum State: String, Sendable {
    case active
    /// Its token is refused (401): clients stop.
    case blocked
    /// It is over (410): clients stop for good.
    case gone
  }

  public var key: Int64
  public var id: String
  public var name: String
  /// The public token, which is in every copy of the app.
  public var token: String
  public var state: State
  /// How long a client waits before it asks again, in seconds.
  public var pollAfter: Int64
  /// The number of the newest publication; 0 for none.
  public var publication: Int64
  public var created: Int64
  /// An editor's draft is published by somebody else.
  public var needsApproval: Bool
}

/// A private key, without the key: a salted hash of it.
public struct PrivateKeyRecord: Sendable {
  public var id: String
  public var app: Int64
  public var name: String
  public var salt: [UInt8]
  public var hash: [UInt8]
  public var role: Role
  public var created: Int64
  public var revoked: Int64?

  public init(id: String, app: Int64, name: String, salt: [UInt8], hash: [UInt8], role: Role, created: Int64) {
    (self.id, self.app, self.name, self.salt, self.hash) = (id, app, name, salt, hash)
    (self.role, self.created) = (role, created)
  }
}

/// A key that signs publications.
public struct SigningKeyRecord: Sendable {
  public var id: String
  public var app: Int64
  /// Nil for one that never was at the server.
  public var privateKey: [UInt8]?
  public var publicKey: [UInt8]
  public var created: Int64
  /// Since when it signs nothing more.
  public var retired: Int64?

  public init(id: String, app: Int64, privateKey: [UInt8]?, publicKey: [UInt8], created: Int64) {
    (self.id, self.app, self.privateKey, self.publicKey, self.created) = (id, app, privateKey, publicKey, created)
  }
}

extension SQLSession {
  private static var appColumns: String {
    "key, id, name, token, state, poll_after, publication, created, needs_approval"
  }

  private func app(_ row: SQLRow) throws(StorageError) -> AppRecord {
    guard let key = row.integer(0), let id = row.text(1), let name = row.text(2), let token = row.text(3),
      let state = AppRecord.State(rawValue: row.text(4) ?? ""), let poll = row.integer(5), let number = row.integer(6),
      let created = row.integer(7), let needsApproval = row.integer(8)
    else { throw .failed("expected an app, found a row of another form") }
    return AppRecord(
      key: key, id: id, name: name, token: token, state: state, pollAfter: poll, publication: number, created: created,
      needsApproval: needsApproval != 0)
  }

  public func apps() throws(StorageError) -> [AppRecord] {
    var found: [AppRecord] = []
    for row in try rows("SELECT \(Self.appColumns) FROM app ORDER BY key") { found.append(try app(row)) }
    return found
  }

  public func app(id: String) throws(StorageError) -> AppRecord? {
    guard let row = try row("SELECT \(Self.appColumns) FROM app WHERE id = $1", .text(id)) else { return nil }
    return try app(row)
  }

  public func createApp(id: String, name: String, token: String, pollAfter: Int64, at now: Int64) throws(StorageError) {
    try run(
      "INSERT INTO app(id, name, token, state, poll_after, publication, created) VALUES ($1, $2, $3, 'active', $4, 0, $5)",
      .text(id), .text(name), .text(token), .integer(pollAfter), .integer(now))
    try noteChange()
  }

  public func setState(_ state: AppRecord.State, ofApp key: Int64) throws(StorageError) {
    try run("UPDATE app SET state = $1 WHERE key = $2", .text(state.rawValue), .integer(key))
    try noteChange()
  }

  public func setName(_ name: String, ofApp key: Int64) throws(StorageError) {
    try run("UPDATE app SET name = $1 WHERE key = $2", .text(name), .integer(key))
    try noteChange()
  }

  public func setNeedsApproval(_ needsApproval: Bool, ofApp key: Int64) throws(StorageError) {
    try run("UPDATE app SET needs_approval = $1 WHERE key = $2", .integer(needsApproval ? 1 : 0), .integer(key))
    try noteChange()
  }

  public func setPollAfter(_ seconds: Int64, ofApp key: Int64) throws(StorageError) {
    try run("UPDATE app SET poll_after = $1 WHERE key = $2", .integer(seconds), .integer(key))
    try noteChange()
  }

  /// Counts up with each change that the memory of a node must follow.
  public func generation() throws(StorageError) -> Int64 {
    try row("SELECT number FROM meta WHERE name = 'generation'")?.integer(0) ?? 0
  }

  func noteChange() throws(StorageError) {
    try run("UPDATE meta SET number = number + 1 WHERE name = 'generation'")
    try announce()
  }

  // MARK: Keys

  public func add(_ key: PrivateKeyRecord) throws(StorageError) {
    try run(
      "INSERT INTO private_key(id, app, name, salt, hash, created, role) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      .text(key.id), .integer(key.app), .text(key.name), .bytes(key.salt), .bytes(key.hash), .integer(key.created),
      .text(key.role.rawValue))
  }

  /// Those of an app, revoked ones too.
  public func privateKeys(ofApp app: Int64) throws(StorageError) -> [PrivateKeyRecord] {
    var found: [PrivateKeyRecord] = []
    let sql = "SELECT id, name, salt, hash, created, revoked, role FROM private_key WHERE app = $1 ORDER BY created, id"
    for row in try rows(sql, .integer(app)) {
      guard let id = row.text(0), let name = row.text(1), let salt = row.bytes(2), let hash = row.bytes(3),
        let created = row.integer(4), let role = row.text(6).flatMap(Role.init)
      else { throw .failed("expected a private key, found a row of another form") }
      var key = PrivateKeyRecord(id: id, app: app, name: name, salt: salt, hash: hash, role: role, created: created)
      key.revoked = row.integer(5)
      found.append(key)
    }
    return found
  }

  /// False when there is no such key in use.
  public func revokePrivateKey(_ id: String, ofApp app: Int64, at now: Int64) throws(StorageError) -> Bool {
    let count = try run(
      "UPDATE private_key SET revoked = $1 WHERE id = $2 AND app = $3 AND revoked IS NULL", .integer(now), .text(id),
      .integer(app))
    try noteChange()
    return count > 0
  }

  public func add(_ key: SigningKeyRecord) throws(StorageError) {
    try run(
      "INSERT INTO signing_key(id, app, private, public, created) VALUES ($1, $2, $3, $4, $5)", .text(key.id),
      .integer(key.app), key.privateKey.map { .bytes($0) } ?? .null, .bytes(key.publicKey), .integer(key.created))
  }

  /// Newest first.
  public func signingKeys(ofApp app: Int64) throws(StorageError) -> [SigningKeyRecord] {
    var found: [SigningKeyRecord] = []
    let sql = "SELECT id, private, public, created, retired FROM signing_key WHERE app = $1 ORDER BY created DESC, id"
    for row in try rows(sql, .integer(app)) {
      guard let id = row.text(0), let publicKey = row.bytes(2), let created = row.integer(3) else {
        throw .failed("expected a signing key, found a row of another form")
      }
      var key = SigningKeyRecord(
        id: id, app: app, privateKey: row.bytes(1), publicKey: publicKey, created: created)
      key.retired = row.integer(4)
      found.append(key)
    }
    return found
  }

  public func retireSigningKey(_ id: String, ofApp app: Int64, at now: Int64) throws(StorageError) -> Bool {
    try run(
      "UPDATE signing_key SET retired = $1 WHERE id = $2 AND app = $3 AND retired IS NULL", .integer(now), .text(id),
      .integer(app)) > 0
  }
}
