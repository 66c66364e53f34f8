/// The rights of somebody in an app. A person has one role in each app; a private key has one, too.
public enum Role: String, CaseIterable, Sendable {
  /// Sees everything.
  case viewer
  /// Changes drafts, and publishes them where the app needs no approval.
  case editor
  /// Publishes, and changes nothing else: what another has written.
  case approver
  /// All of it, keys and people too.
  case owner
}

/// Somebody who signs in.
public struct PersonRecord: Equatable, Sendable {
  public var key: Int64
  public var name: String
  /// Of the dashboard: `en`, `nl`, `de`.
  public var language: String
  public var salt: [UInt8]
  public var hash: [UInt8]
  public var created: Int64
  /// Since when nobody signs in by this name.
  public var disabled: Int64?
}

/// A person who is signed in on one browser.
public struct SessionRecord: Equatable, Sendable {
  public var person: PersonRecord
  public var created: Int64
  public var seen: Int64
}

extension SQLSession {
  private static var personColumns: String {
    "person.key, person.name, person.language, person.salt, person.hash, person.created, person.disabled"
  }

  private func person(_ row: SQLRow) throws(StorageError) -> PersonRecord {
    guard let key = row.integer(0), let name = row.text(1), let language = row.text(2), let salt = row.bytes(3),
      let hash = row.bytes(4), let created = row.integer(5)
    else { throw .failed("expected a person, found a row of another form") }
    return PersonRecord(
      key: key, name: name, language: language, salt: salt, hash: hash, created: created, disabled: row.integer(6))
  }

  /// Throws `conflict` where the name is taken.
  public func addPerson(
    name: String, language: String, salt: [UInt8], hash: [UInt8], at now: Int64
  ) throws(StorageError) {
    try run(
      "INSERT INTO person(name, language, salt, hash, created) VALUES ($1, $2, $3, $4, $5)", .text(name),
      .text(language), .bytes(salt), .bytes(hash), .integer(now))
  }

  public func people() throws(StorageError) -> [PersonRecord] {
    var found: [PersonRecord] = []
    for row in try rows("SELECT \(Self.personColumns) FROM person ORDER BY name") { found.append(try person(row)) }
    return found
  }

  public func person(name: String) throws(StorageError) -> PersonRecord? {
    guard let row = try row("SELECT \(Self.personColumns) FROM person WHERE name = $1", .text(name)) else { return nil }
    return try person(row)
  }

  public func setLanguage(_ language: String, ofPerson key: Int64) throws(StorageError) {
    try run("UPDATE person SET language = $1 WHERE key = $2", .text(language), .integer(key))
  }

  /// Whoever is signed in by this name is so no more.
  public func setPassword(salt: [UInt8], hash: [UInt8], ofPerson key: Int64) throws(StorageError) {
    try run("UPDATE person SET salt = $1, hash = $2 WHERE key = $3", .bytes(salt), .bytes(hash), .integer(key))
    try run("DELETE FROM session WHERE person = $1", .integer(key))
  }

  /// Nil for a time enables the person again.
  public func setDisabled(_ time: Int64?, ofPerson key: Int64) throws(StorageError) {
    try run("UPDATE person SET disabled = $1 WHERE key = $2", SQLValue(time), .integer(key))
    try run("DELETE FROM session WHERE person = $1", .integer(key))
  }

  // MARK: Roles

  /// Nil for a role takes it away.
  public func setRole(_ role: Role?, ofPerson person: Int64, inApp app: Int64) throws(StorageError) {
    try run("DELETE FROM member WHERE app = $1 AND person = $2", .integer(app), .integer(person))
    guard let role else { return }
    try run(
      "INSERT INTO member(app, person, role) VALUES ($1, $2, $3)", .integer(app), .integer(person),
      .text(role.rawValue))
  }

  public func role(ofPerson person: Int64, inApp app: Int64) throws(StorageError) -> Role? {
    try row("SELECT role FROM member WHERE app = $1 AND person = $2", .integer(app), .integer(person))?.text(0)
      .flatMap(Role.init)
  }

  /// The apps in which a person has a role, by their names.
  public func apps(ofPerson person: Int64) throws(StorageError) -> [(app: AppRecord, role: Role)] {
    var roles: [Int64: Role] = [:]
    for row in try rows("SELECT app, role FROM member WHERE person = $1", .integer(person)) {
      guard let app = row.integer(0), let role = row.text(1).flatMap(Role.init) else {
        throw .failed("expected a role, found a row of another form")
      }
      roles[app] = role
    }
    let found = try apps().compactMap { app in roles[app.key].map { (app, $0) } }
    return found.sorted { ($0.0.name, $0.0.id) < ($1.0.name, $1.0.id) }
  }

  /// The names of those who have a role in an app.
  public func members(ofApp app: Int64) throws(StorageError) -> [(name: String, role: Role)] {
    var found: [(String, Role)] = []
    let sql =
      "SELECT person.name, member.role FROM member JOIN person ON person.key = member.person WHERE member.app = $1"
    for row in try rows("\(sql) ORDER BY person.name", .integer(app)) {
      guard let name = row.text(0), let role = row.text(1).flatMap(Role.init) else {
        throw .failed("expected a member, found a row of another form")
      }
      found.append((name, role))
    }
    return found
  }

  // MARK: Sessions

  /// `token` is a hash of it.
  public func addSession(token: [UInt8], person: Int64, at now: Int64) throws(StorageError) {
    try run(
      "INSERT INTO session(token, person, created, seen) VALUES ($1, $2, $3, $3)", .bytes(token), .integer(person),
      .integer(now))
  }

  public func session(token: [UInt8]) throws(StorageError) -> SessionRecord? {
    let sql = """
      SELECT \(Self.personColumns), session.created, session.seen FROM session
      JOIN person ON person.key = session.person WHERE session.token = $1
      """
    guard let row = try row(sql, .bytes(token)) else { return nil }
    guard let created = row.integer(7), let seen = row.integer(8) else {
      throw .failed("expected a session, found a row of another form")
    }
    return SessionRecord(person: try person(row), created: created, seen: seen)
  }

  public func touchSession(token: [UInt8], at now: Int64) throws(StorageError) {
    try run("UPDATE session SET seen = $1 WHERE token = $2", .integer(now), .bytes(token))
  }

  public func removeSession(token: [UInt8]) throws(StorageError) {
    try run("DELETE FROM session WHERE token = $1", .bytes(token))
  }

  /// Those that nobody has used for long.
  public func removeSessions(seenBefore seen: Int64, createdBefore created: Int64) throws(StorageError) {
    try run("DELETE FROM session WHERE seen < $1 OR created < $2", .integer(seen), .integer(created))
  }
}
