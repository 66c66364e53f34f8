/// One copy of an app on one device.
public struct InstallationRecord: Sendable {
  public var key: Int64
  public var id: String
  /// SHA-256 of its secret.
  public var secret: [UInt8]
  /// The facts that it has sent about itself, as JSON.
  public var facts: String
}

extension SQLSession {
  public func installation(_ id: String, ofApp app: Int64) throws(StorageError) -> InstallationRecord? {
    let sql = "SELECT key, secret, facts FROM installation WHERE app = $1 AND id = $2"
    guard let row = try row(sql, .integer(app), .text(id)) else { return nil }
    guard let key = row.integer(0), let secret = row.bytes(1), let facts = row.text(2) else {
      throw .failed("expected an installation, found a row of another form")
    }
    return InstallationRecord(key: key, id: id, secret: secret, facts: facts)
  }

  /// False when there is one of this id: who comes first has it.
  public func addInstallation(
    _ id: String, secret: [UInt8], facts: String, ofApp app: Int64, at now: Int64
  ) throws(StorageError) -> Bool {
    let sql = """
      INSERT INTO installation(app, id, secret, facts, created, seen) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT(app, id) DO NOTHING
      """
    return try run(
      sql, .integer(app), .text(id), .bytes(secret), .text(facts), .integer(now), .integer(now)) > 0
  }

  public func setFacts(_ facts: String, ofInstallation key: Int64, at now: Int64) throws(StorageError) {
    try run("UPDATE installation SET facts = $1, seen = $2 WHERE key = $3", .text(facts), .integer(now), .integer(key))
  }

  /// When it was made, when it last said something of itself, and how many events of it are kept.
  public func times(
    ofInstallation key: Int64
  ) throws(StorageError) -> (created: Int64, seen: Int64, events: Int64)? {
    let sql = """
      SELECT created, seen, (SELECT COUNT(*) FROM event WHERE event.installation = installation.key)
      FROM installation WHERE key = $1
      """
    guard let row = try row(sql, .integer(key)), let created = row.integer(0), let seen = row.integer(1),
      let events = row.integer(2)
    else { return nil }
    return (created, seen, events)
  }

  /// Its events as it has sent them, in the order of their sequence, behind one of them.
  public func events(
    ofInstallation key: Int64, after sequence: Int64, limit: Int64
  ) throws(StorageError) -> [(sequence: Int64, json: String)] {
    let sql = "SELECT sequence, json FROM event WHERE installation = $1 AND sequence > $2 ORDER BY sequence LIMIT $3"
    return try rows(sql, .integer(key), .integer(sequence), .integer(limit)).compactMap { row in
      row.integer(0).flatMap { sequence in row.text(1).map { (sequence, $0) } }
    }
  }

  public func installationCount(ofApp app: Int64) throws(StorageError) -> Int64 {
    try row("SELECT COUNT(*) FROM installation WHERE app = $1", .integer(app))?.integer(0) ?? 0
  }

  /// Erases an installation: its id, facts, secret, visits and events. What has been counted stays counted, and is noted as erased, so that the
  /// statistics still equal a recount.
  public func erase(_ installation: InstallationRecord, ofApp app: Int64) throws(StorageError) {
    try noteErased(try recount("event.installation = $1", [.integer(installation.key)]), ofApp: app)
    // Rows of other tables go with it where the database says so; both do.
    try run("DELETE FROM visit WHERE installation = $1", .integer(installation.key))
    try run("DELETE FROM recording WHERE installation = $1", .integer(installation.key))
    try run("DELETE FROM event WHERE installation = $1", .integer(installation.key))
    try run("DELETE FROM installation WHERE key = $1", .integer(installation.key))
  }
}
