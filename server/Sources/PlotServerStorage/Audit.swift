/// A change, by whom and when. Written in the transaction of the change; never changed.
public struct AuditRecord: Equatable, Sendable {
  /// Counts up; 0 for one that is not written yet.
  public var key: Int64 = 0
  public var time: Int64
  /// `key ID` for a private key, `command` for plot-server's own commands.
  public var actor: String
  public var action: String
  /// Such as `campaign welcome`, `publication 7`.
  public var object: String
  /// JSON, where it is one object; nil for none.
  public var before: String?
  public var after: String?

  public init(
    time: Int64, actor: String, action: String, object: String, before: String? = nil, after: String? = nil
  ) {
    (self.time, self.actor, self.action, self.object) = (time, actor, action, object)
    (self.before, self.after) = (before, after)
  }
}

extension SQLSession {
  public func add(_ record: AuditRecord, ofApp app: Int64) throws(StorageError) {
    try run(
      "INSERT INTO audit(app, time, actor, action, object, before, after) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      .integer(app), .integer(record.time), .text(record.actor), .text(record.action), .text(record.object),
      SQLValue(record.before), SQLValue(record.after))
    try tell(
      record.object.hasPrefix("publication ") ? .publications : .changes, record.notice, ofApp: app, at: record.time)
  }

  /// The keys of the changes of all apps behind one, oldest first.
  public func auditKeys(after key: Int64, limit: Int64) throws(StorageError) -> [Int64] {
    try rows("SELECT key FROM audit WHERE key > $1 ORDER BY key LIMIT $2", .integer(key), .integer(limit))
      .compactMap { $0.integer(0) }
  }

  /// The changes of all apps behind a key, oldest first, each with the id of its app.
  public func audit(after key: Int64, limit: Int64) throws(StorageError) -> [(app: String, record: AuditRecord)] {
    let sql = """
      SELECT audit.key, time, actor, action, object, before, after, app.id FROM audit JOIN app ON app.key = audit.app
      WHERE audit.key > $1 ORDER BY audit.key LIMIT $2
      """
    var found: [(app: String, record: AuditRecord)] = []
    for row in try rows(sql, .integer(key), .integer(limit)) {
      found.append((row.text(7) ?? "", try auditRecord(row)))
    }
    return found
  }

  private func auditRecord(_ row: SQLRow) throws(StorageError) -> AuditRecord {
    guard let key = row.integer(0), let time = row.integer(1), let actor = row.text(2), let action = row.text(3),
      let object = row.text(4)
    else { throw .failed("expected a change, found a row of another form") }
    var record = AuditRecord(
      time: time, actor: actor, action: action, object: object, before: row.text(5), after: row.text(6))
    record.key = key
    return record
  }

  /// Those who have made publications, by the number.
  public func publishers(ofApp app: Int64, _ numbers: [Int64]) throws(StorageError) -> [Int64: String] {
    let objects = numbers.map { "publication \($0)" }
    guard !objects.isEmpty else { return [:] }
    let places = objects.indices.map { "$\($0 + 2)" }.joined(separator: ", ")
    var found: [Int64: String] = [:]
    for row in try rows(
      "SELECT object, actor FROM audit WHERE app = $1 AND object IN (\(places)) ORDER BY key",
      [.integer(app)] + objects.map { .text($0) })
    {
      guard let number = (row.text(0)?.split(separator: " ").last).flatMap({ Int64($0) }) else { continue }
      found[number] = row.text(1)
    }
    return found
  }

  /// Newest first, before a key; at most `limit`.
  public func audit(
    ofApp app: Int64, before key: Int64 = .max, limit: Int64 = 100
  ) throws(StorageError) -> [AuditRecord] {
    let sql = """
      SELECT key, time, actor, action, object, before, after FROM audit WHERE app = $1 AND key < $2
      ORDER BY key DESC LIMIT $3
      """
    var found: [AuditRecord] = []
    for row in try rows(sql, .integer(app), .integer(key), .integer(limit)) { found.append(try auditRecord(row)) }
    return found
  }
}
