/// A feed that was taken in, whole; never changed.
public struct RevisionRecord: Sendable {
  public var key: Int64
  /// SHA-256 of the JSON, in hexadecimal digits.
  public var digest: String
  public var representations: Representations
  public var regions: Int64
  public var campaigns: Int64

  /// The bytes that clients get, made once.
  public struct Representations: Sendable {
    public var json: [UInt8]
    public var jsonGzip: [UInt8]
    public var compiled: [UInt8]
    public var compiledGzip: [UInt8]

    public init(json: [UInt8], jsonGzip: [UInt8], compiled: [UInt8], compiledGzip: [UInt8]) {
      (self.json, self.jsonGzip, self.compiled, self.compiledGzip) = (json, jsonGzip, compiled, compiledGzip)
    }
  }
}

/// One act of publishing: which revision which share of the installations has.
public struct PublicationRecord: Equatable, Sendable {
  public enum Kind: String, Sendable { case publish, rollback, scheduled }

  /// Counts up by one for each app, and never goes back.
  public var number: Int64
  public var revision: Int64
  public var kind: Kind
  /// Percent of the installations, 1 to 100.
  public var share: Int64
  /// Within how many seconds clients that listen are to ask.
  public var spread: Int64
  /// Milliseconds since 1970.
  public var issued: Int64
  public var signingKey: String?
  public var jsonSignature: [UInt8]?
  public var compiledSignature: [UInt8]?
  public var note: String

  public init(
    number: Int64, revision: Int64, kind: Kind, share: Int64, spread: Int64, issued: Int64, note: String
  ) {
    (self.number, self.revision, self.kind, self.share) = (number, revision, kind, share)
    (self.spread, self.issued, self.note) = (spread, issued, note)
  }
}

/// A publication to come.
public struct ScheduleRecord: Equatable, Sendable {
  public var key: Int64
  public var app: Int64
  public var revision: Int64
  public var at: Int64
  public var share: Int64
  public var spread: Int64
  public var note: String
}

extension SQLSession {
  // MARK: Revisions

  /// The key of the revision with this digest.
  public func revision(digest: String, ofApp app: Int64) throws(StorageError) -> Int64? {
    try row("SELECT key FROM revision WHERE app = $1 AND digest = $2", .integer(app), .text(digest))?.integer(0)
  }

  /// Gives the key.
  public func addRevision(
    digest: String, _ bytes: RevisionRecord.Representations, regions: Int64, campaigns: Int64, ofApp app: Int64,
    at now: Int64
  ) throws(StorageError) -> Int64 {
    let sql = """
      INSERT INTO revision(app, digest, json, json_gzip, compiled, compiled_gzip, regions, campaigns, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING key
      """
    let found = try row(
      sql, .integer(app), .text(digest), .bytes(bytes.json), .bytes(bytes.jsonGzip), .bytes(bytes.compiled),
      .bytes(bytes.compiledGzip), .integer(regions), .integer(campaigns), .integer(now))
    guard let key = found?.integer(0) else { throw .failed("expected the key of a new revision, found none") }
    return key
  }

  public func revision(_ key: Int64) throws(StorageError) -> RevisionRecord? {
    let sql = """
      SELECT digest, json, json_gzip, compiled, compiled_gzip, regions, campaigns FROM revision WHERE key = $1
      """
    guard let row = try row(sql, .integer(key)) else { return nil }
    guard let digest = row.text(0), let json = row.bytes(1), let jsonGzip = row.bytes(2), let compiled = row.bytes(3),
      let compiledGzip = row.bytes(4), let regions = row.integer(5), let campaigns = row.integer(6)
    else { throw .failed("expected a revision, found a row of another form") }
    return RevisionRecord(
      key: key, digest: digest,
      representations: .init(json: json, jsonGzip: jsonGzip, compiled: compiled, compiledGzip: compiledGzip),
      regions: regions, campaigns: campaigns)
  }

  /// How many regions and campaigns a revision has.
  public func revisionCounts(_ key: Int64) throws(StorageError) -> (regions: Int64, campaigns: Int64)? {
    guard let row = try row("SELECT regions, campaigns FROM revision WHERE key = $1", .integer(key)) else { return nil }
    return (row.integer(0) ?? 0, row.integer(1) ?? 0)
  }

  /// The feed of a revision, as it was published.
  public func revisionJSON(_ key: Int64) throws(StorageError) -> [UInt8]? {
    try row("SELECT json FROM revision WHERE key = $1", .integer(key))?.bytes(0)
  }

  // MARK: Publications

  private static var publicationColumns: String {
    "number, revision, kind, share, spread, issued, signing_key, json_signature, compiled_signature, note"
  }

  private func publication(_ row: SQLRow) throws(StorageError) -> PublicationRecord {
    guard let number = row.integer(0), let revision = row.integer(1),
      let kind = PublicationRecord.Kind(rawValue: row.text(2) ?? ""), let share = row.integer(3),
      let spread = row.integer(4), let issued = row.integer(5), let note = row.text(9)
    else { throw .failed("expected a publication, found a row of another form") }
    var found = PublicationRecord(
      number: number, revision: revision, kind: kind, share: share, spread: spread, issued: issued, note: note)
    found.signingKey = row.text(6)
    found.jsonSignature = row.bytes(7)
    found.compiledSignature = row.bytes(8)
    return found
  }

  /// The number that the next publication of an app has. It stays the next one for this transaction: others wait for it.
  public func takeNextPublication(ofApp app: Int64) throws(StorageError) -> Int64 {
    let sql = "UPDATE app SET publication = publication + 1 WHERE key = $1 RETURNING publication"
    guard let number = try row(sql, .integer(app))?.integer(0) else { throw .failed("expected an app, found none") }
    return number
  }

  public func add(_ new: PublicationRecord, ofApp app: Int64, idempotencyKey: String?) throws(StorageError) {
    try run(
      """
      INSERT INTO publication(app, number, revision, kind, share, spread, issued, signing_key, json_signature,
        compiled_signature, idempotency_key, note) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
      """, .integer(app), .integer(new.number), .integer(new.revision), .text(new.kind.rawValue), .integer(new.share),
      .integer(new.spread), .integer(new.issued), SQLValue(new.signingKey),
      new.jsonSignature.map { .bytes($0) } ?? .null,
      new.compiledSignature.map { .bytes($0) } ?? .null, SQLValue(idempotencyKey), .text(new.note))
    try noteChange()
  }

  public func publication(ofApp app: Int64, idempotencyKey: String) throws(StorageError) -> PublicationRecord? {
    let sql = "SELECT \(Self.publicationColumns) FROM publication WHERE app = $1 AND idempotency_key = $2"
    guard let row = try row(sql, .integer(app), .text(idempotencyKey)) else { return nil }
    return try publication(row)
  }

  public func publication(ofApp app: Int64, number: Int64) throws(StorageError) -> PublicationRecord? {
    let sql = "SELECT \(Self.publicationColumns) FROM publication WHERE app = $1 AND number = $2"
    guard let row = try row(sql, .integer(app), .integer(number)) else { return nil }
    return try publication(row)
  }

  /// Newest first.
  public func publications(ofApp app: Int64, before number: Int64 = .max, limit: Int64 = 100) throws(StorageError)
    -> [PublicationRecord]
  {
    var found: [PublicationRecord] = []
    let sql = """
      SELECT \(Self.publicationColumns) FROM publication WHERE app = $1 AND number < $2 ORDER BY number DESC LIMIT $3
      """
    for row in try rows(sql, .integer(app), .integer(number), .integer(limit)) { found.append(try publication(row)) }
    return found
  }

  /// Those that some installation has: down to the newest one for all, newest first.
  public func publicationsInUse(ofApp app: Int64) throws(StorageError) -> [PublicationRecord] {
    var found: [PublicationRecord] = []
    let sql = """
      SELECT \(Self.publicationColumns) FROM publication WHERE app = $1 AND number >=
        (SELECT COALESCE(MAX(number), 0) FROM publication WHERE app = $1 AND share = 100) ORDER BY number DESC
      """
    for row in try rows(sql, .integer(app)) { found.append(try publication(row)) }
    return found
  }

  public func hasUnpushed() throws(StorageError) -> Bool {
    try row("SELECT 1 FROM publication WHERE pushed IS NULL LIMIT 1") != nil
  }

  /// Takes the publications that nobody has pushed yet; gives the number of the newest one by app. Each is given once.
  public func takeUnpushed(at now: Int64) throws(StorageError) -> [Int64: Int64] {
    var newest: [Int64: Int64] = [:]
    let sql = "UPDATE publication SET pushed = $1 WHERE pushed IS NULL RETURNING app, number"
    for row in try rows(sql, .integer(now)) {
      guard let app = row.integer(0), let number = row.integer(1) else { continue }
      newest[app] = max(newest[app] ?? 0, number)
    }
    return newest
  }

  // MARK: Schedule

  /// Gives the key.
  public func addSchedule(
    revision: Int64, at time: Int64, share: Int64, spread: Int64, note: String, ofApp app: Int64, now: Int64
  ) throws(StorageError) -> Int64 {
    let sql = """
      INSERT INTO schedule(app, revision, at, share, spread, note, created) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING key
      """
    let found = try row(
      sql, .integer(app), .integer(revision), .integer(time), .integer(share), .integer(spread), .text(note),
      .integer(now))
    guard let key = found?.integer(0) else { throw .failed("expected the key of a schedule, found none") }
    return key
  }

  /// Those of all apps that are due by a time, in their order.
  public func dueSchedules(by time: Int64) throws(StorageError) -> [ScheduleRecord] {
    try schedules("at <= $1", .integer(time))
  }

  /// Those of an app that are still to come.
  public func schedules(ofApp app: Int64) throws(StorageError) -> [ScheduleRecord] {
    try schedules("app = $1", .integer(app))
  }

  private func schedules(_ condition: String, _ value: SQLValue) throws(StorageError) -> [ScheduleRecord] {
    var found: [ScheduleRecord] = []
    let sql = """
      SELECT key, app, revision, at, share, spread, note FROM schedule
      WHERE publication IS NULL AND cancelled IS NULL AND \(condition) ORDER BY at, key
      """
    for row in try rows(sql, value) {
      guard let key = row.integer(0), let app = row.integer(1), let revision = row.integer(2), let at = row.integer(3),
        let share = row.integer(4), let spread = row.integer(5), let note = row.text(6)
      else { throw .failed("expected a schedule, found a row of another form") }
      found.append(
        ScheduleRecord(key: key, app: app, revision: revision, at: at, share: share, spread: spread, note: note))
    }
    return found
  }

  /// False when another node has done it, or it was called off.
  public func claim(_ schedule: Int64, publication: Int64) throws(StorageError) -> Bool {
    try run(
      "UPDATE schedule SET publication = $1 WHERE key = $2 AND publication IS NULL AND cancelled IS NULL",
      .integer(publication), .integer(schedule)) > 0
  }

  public func cancelSchedule(_ key: Int64, ofApp app: Int64, at now: Int64) throws(StorageError) -> Bool {
    try run(
      "UPDATE schedule SET cancelled = $1 WHERE key = $2 AND app = $3 AND publication IS NULL AND cancelled IS NULL",
      .integer(now), .integer(key), .integer(app)) > 0
  }
}
