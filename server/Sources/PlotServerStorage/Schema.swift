/// The tables, by numbered steps that only go forward (docs/server.md). A step that was released never changes.
public enum Schema {
  /// Runs the steps that the database lacks; gives the version before and after.
  @discardableResult
  public static func migrate(_ database: any SQLDatabase) async throws -> (before: Int64, after: Int64) {
    let dialect = database.dialect
    return try await database.write { session in
      try session.run("CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, number BIGINT NOT NULL)")
      let before = try version(session)
      let steps = steps(dialect)
      guard before <= steps.count else {
        throw StorageError.failed(
          "the database has schema \(before), and this program knows up to \(steps.count): install a newer one")
      }
      for step in steps.dropFirst(Int(before)) { for statement in step { try session.run(statement) } }
      try session.run(
        "INSERT INTO meta(name, number) VALUES ('schema', $1) ON CONFLICT(name) DO UPDATE SET number = excluded.number",
        .integer(Int64(steps.count)))
      return (before, Int64(steps.count))
    }
  }

  /// 0 for an empty database.
  static func version(_ session: any SQLSession) throws(StorageError) -> Int64 {
    try session.row("SELECT number FROM meta WHERE name = 'schema'")?.integer(0) ?? 0
  }

  private static func steps(_ dialect: SQLDialect) -> [[String]] {
    [
      first(dialect), second(dialect), third(dialect), fourth(dialect),
    ]
  }

  /// Recordings, how long things are kept, and what others are told.
  private static func fourth(_ dialect: SQLDialect) -> [String] {
    let (key, bytes) = (dialect.serialKey, dialect.bytes)
    return [
      """
      CREATE TABLE recording(key \(key), installation BIGINT NOT NULL REFERENCES installation(key) ON DELETE CASCADE,
        began BIGINT NOT NULL, ended BIGINT NOT NULL, received BIGINT NOT NULL, lines \(bytes) NOT NULL)
      """,
      "CREATE INDEX recording_of_installation ON recording(installation, began)",
      "ALTER TABLE app ADD COLUMN retention BIGINT NOT NULL DEFAULT 0",
      "CREATE INDEX event_received ON event(received)",
      """
      CREATE TABLE webhook(key \(key), app BIGINT NOT NULL REFERENCES app(key), id TEXT NOT NULL, url TEXT NOT NULL,
        kinds TEXT NOT NULL, secret TEXT NOT NULL, created BIGINT NOT NULL, UNIQUE(app, id))
      """,
      """
      CREATE TABLE delivery(key \(key), webhook BIGINT NOT NULL REFERENCES webhook(key) ON DELETE CASCADE,
        kind TEXT NOT NULL, body TEXT NOT NULL, created BIGINT NOT NULL, tries BIGINT NOT NULL, next BIGINT,
        delivered BIGINT, answer TEXT NOT NULL)
      """,
      "CREATE INDEX delivery_due ON delivery(next) WHERE next IS NOT NULL",
      "CREATE INDEX delivery_of_webhook ON delivery(webhook, key)",
      "CREATE INDEX draft_object_version ON draft_object(app, kind, version)",
    ]
  }

  /// Those who sign in, and what each may do.
  private static func third(_ dialect: SQLDialect) -> [String] {
    let (key, bytes) = (dialect.serialKey, dialect.bytes)
    return [
      """
      CREATE TABLE person(key \(key), name TEXT NOT NULL UNIQUE, language TEXT NOT NULL, salt \(bytes) NOT NULL,
        hash \(bytes) NOT NULL, created BIGINT NOT NULL, disabled BIGINT)
      """,
      """
      CREATE TABLE member(app BIGINT NOT NULL REFERENCES app(key), person BIGINT NOT NULL REFERENCES person(key),
        role TEXT NOT NULL, PRIMARY KEY(app, person))
      """,
      "CREATE INDEX member_of_person ON member(person)",
      """
      CREATE TABLE session(token \(bytes) PRIMARY KEY, person BIGINT NOT NULL REFERENCES person(key),
        created BIGINT NOT NULL, seen BIGINT NOT NULL)
      """,
      "ALTER TABLE private_key ADD COLUMN role TEXT NOT NULL DEFAULT 'owner'",
      "ALTER TABLE app ADD COLUMN needs_approval BIGINT NOT NULL DEFAULT 0",
    ]
  }

  /// Drafts, and what was changed by whom.
  private static func second(_ dialect: SQLDialect) -> [String] {
    [
      "CREATE TABLE draft(app BIGINT PRIMARY KEY REFERENCES app(key), version BIGINT NOT NULL)",
      """
      CREATE TABLE draft_object(app BIGINT NOT NULL REFERENCES app(key), kind TEXT NOT NULL, id TEXT NOT NULL,
        position BIGINT NOT NULL, version BIGINT NOT NULL, json TEXT NOT NULL, PRIMARY KEY(app, kind, id))
      """,
      "CREATE INDEX draft_object_order ON draft_object(app, kind, position)",
      """
      CREATE TABLE audit(key \(dialect.serialKey), app BIGINT NOT NULL REFERENCES app(key), time BIGINT NOT NULL,
        actor TEXT NOT NULL, action TEXT NOT NULL, object TEXT NOT NULL, before TEXT, after TEXT)
      """,
      "CREATE INDEX audit_of_app ON audit(app, key)",
      """
      CREATE TABLE answered(app BIGINT NOT NULL REFERENCES app(key), id TEXT NOT NULL, request TEXT NOT NULL,
        time BIGINT NOT NULL, PRIMARY KEY(app, id))
      """,
      """
      CREATE TABLE place_object(app BIGINT NOT NULL REFERENCES app(key), kind TEXT NOT NULL, id TEXT NOT NULL,
        place TEXT NOT NULL, position BIGINT NOT NULL, json TEXT NOT NULL, PRIMARY KEY(app, kind, id))
      """,
      "CREATE INDEX place_object_order ON place_object(app, kind, position)",
      "CREATE INDEX place_object_of_place ON place_object(app, place)",
    ]
  }

  private static func first(_ dialect: SQLDialect) -> [String] {
    let (key, bytes) = (dialect.serialKey, dialect.bytes)
    return [
      "INSERT INTO meta(name, number) VALUES ('generation', 1)",
      """
      CREATE TABLE app(key \(key), id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, token TEXT NOT NULL UNIQUE,
        state TEXT NOT NULL, poll_after BIGINT NOT NULL, publication BIGINT NOT NULL, created BIGINT NOT NULL)
      """,
      """
      CREATE TABLE private_key(id TEXT PRIMARY KEY, app BIGINT NOT NULL REFERENCES app(key), name TEXT NOT NULL,
        salt \(bytes) NOT NULL, hash \(bytes) NOT NULL, created BIGINT NOT NULL, revoked BIGINT)
      """,
      """
      CREATE TABLE signing_key(id TEXT PRIMARY KEY, app BIGINT NOT NULL REFERENCES app(key), private \(bytes),
        public \(bytes) NOT NULL, created BIGINT NOT NULL, retired BIGINT)
      """,
      """
      CREATE TABLE revision(key \(key), app BIGINT NOT NULL REFERENCES app(key), digest TEXT NOT NULL,
        json \(bytes) NOT NULL, json_gzip \(bytes) NOT NULL, compiled \(bytes) NOT NULL, compiled_gzip \(bytes) NOT NULL,
        regions BIGINT NOT NULL, campaigns BIGINT NOT NULL, created BIGINT NOT NULL, UNIQUE(app, digest))
      """,
      """
      CREATE TABLE publication(app BIGINT NOT NULL REFERENCES app(key), number BIGINT NOT NULL,
        revision BIGINT NOT NULL REFERENCES revision(key), kind TEXT NOT NULL, share BIGINT NOT NULL, spread BIGINT NOT NULL,
        issued BIGINT NOT NULL, signing_key TEXT, json_signature \(bytes), compiled_signature \(bytes),
        idempotency_key TEXT, note TEXT NOT NULL, pushed BIGINT, PRIMARY KEY(app, number), UNIQUE(app, idempotency_key))
      """,
      """
      CREATE TABLE schedule(key \(key), app BIGINT NOT NULL REFERENCES app(key),
        revision BIGINT NOT NULL REFERENCES revision(key), at BIGINT NOT NULL, share BIGINT NOT NULL, spread BIGINT NOT NULL,
        note TEXT NOT NULL, created BIGINT NOT NULL, publication BIGINT, cancelled BIGINT)
      """,
      "CREATE INDEX schedule_due ON schedule(at) WHERE publication IS NULL AND cancelled IS NULL",
      """
      CREATE TABLE installation(key \(key), app BIGINT NOT NULL REFERENCES app(key), id TEXT NOT NULL,
        secret \(bytes) NOT NULL, facts TEXT NOT NULL, created BIGINT NOT NULL, seen BIGINT NOT NULL, UNIQUE(app, id))
      """,
      """
      CREATE TABLE event(installation BIGINT NOT NULL REFERENCES installation(key) ON DELETE CASCADE,
        sequence BIGINT NOT NULL, time BIGINT NOT NULL, received BIGINT NOT NULL, kind TEXT NOT NULL, campaign TEXT NOT NULL,
        region TEXT NOT NULL, visit TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY(installation, sequence))
      """,
      """
      CREATE TABLE visit(installation BIGINT NOT NULL REFERENCES installation(key) ON DELETE CASCADE,
        id TEXT NOT NULL, began BIGINT, ended BIGINT, PRIMARY KEY(installation, id))
      """,
      """
      CREATE TABLE statistic(app BIGINT NOT NULL REFERENCES app(key), day TEXT NOT NULL, kind TEXT NOT NULL,
        campaign TEXT NOT NULL, region TEXT NOT NULL, number BIGINT NOT NULL, seconds BIGINT NOT NULL,
        erased_number BIGINT NOT NULL, erased_seconds BIGINT NOT NULL, PRIMARY KEY(app, day, kind, campaign, region))
      """,
    ]
  }
}
