/// A recording of an engine on a device, which its person has agreed to send (docs/server.md, Why).
public struct RecordingRecord: Sendable {
  public var key: Int64
  /// Milliseconds since 1970, of the first and the last line.
  public var began: Int64
  public var ended: Int64
}

extension SQLSession {
  /// Keeps a recording, in the place of one that began at the same time; `limit` of an installation are kept, the newest.
  public func addRecording(
    began: Int64, ended: Int64, zipped bytes: [UInt8], ofInstallation key: Int64, limit: Int64, at now: Int64
  ) throws(StorageError) {
    try run("DELETE FROM recording WHERE installation = $1 AND began = $2", .integer(key), .integer(began))
    try run(
      "INSERT INTO recording(installation, began, ended, received, lines) VALUES ($1, $2, $3, $4, $5)", .integer(key),
      .integer(began), .integer(ended), .integer(now), .bytes(bytes))
    try run(
      """
      DELETE FROM recording WHERE installation = $1 AND key NOT IN
        (SELECT key FROM recording WHERE installation = $2 ORDER BY began DESC LIMIT $3)
      """, .integer(key), .integer(key), .integer(limit))
  }

  /// Oldest first.
  public func recordings(ofInstallation key: Int64) throws(StorageError) -> [RecordingRecord] {
    let sql = "SELECT key, began, ended FROM recording WHERE installation = $1 ORDER BY began"
    return try rows(sql, .integer(key)).compactMap { row in
      guard let key = row.integer(0), let began = row.integer(1), let ended = row.integer(2) else { return nil }
      return RecordingRecord(key: key, began: began, ended: ended)
    }
  }

  /// The newest of an app that have something of a time, each with its installation.
  public func recordings(
    ofApp app: Int64, from: Int64, to: Int64, limit: Int64
  ) throws(StorageError) -> [(installation: Int64, key: Int64)] {
    let sql = """
      SELECT installation, recording.key FROM recording JOIN installation ON installation.key = recording.installation
      WHERE app = $1 AND ended >= $2 AND began < $3 ORDER BY began DESC LIMIT $4
      """
    return try rows(sql, .integer(app), .integer(from), .integer(to), .integer(limit)).compactMap { row in
      row.integer(0).flatMap { installation in row.integer(1).map { (installation, $0) } }
    }
  }

  /// Its lines, as gzip.
  public func recording(_ key: Int64) throws(StorageError) -> [UInt8]? {
    try row("SELECT lines FROM recording WHERE key = $1", .integer(key))?.bytes(0)
  }

  // MARK: The end of what is kept

  public func setRetention(days: Int64?, ofApp key: Int64) throws(StorageError) {
    try run("UPDATE app SET retention = $1 WHERE key = $2", .integer(days ?? 0), .integer(key))
  }

  /// The apps whose events are kept for some days, with how many.
  public func retentions() throws(StorageError) -> [(app: Int64, days: Int64)] {
    try rows("SELECT key, retention FROM app WHERE retention > 0 ORDER BY key").compactMap { row in
      row.integer(0).flatMap { app in row.integer(1).map { (app, $0) } }
    }
  }

  /// Forgets the events and recordings of an app that were received before a time. The events of one visit go together. What has been counted stays counted,
  /// and is noted as erased, so that the statistics still equal a recount. Gives how many events.
  @discardableResult
  public func forget(before time: Int64, ofApp app: Int64) throws(StorageError) -> Int {
    let condition = """
      event.received < $1 AND event.installation IN (SELECT key FROM installation WHERE app = $2) AND (event.visit = ''
        OR NOT EXISTS (SELECT 1 FROM event AS later WHERE later.installation = event.installation
          AND later.visit = event.visit AND later.received >= $3))
      """
    let values: [SQLValue] = [.integer(time), .integer(app), .integer(time)]
    try noteErased(try recount(condition, values), ofApp: app)
    let count = try run("DELETE FROM event WHERE \(condition)", values)
    try run(
      """
      DELETE FROM visit WHERE installation IN (SELECT key FROM installation WHERE app = $1) AND NOT EXISTS
        (SELECT 1 FROM event WHERE event.installation = visit.installation AND event.visit = visit.id)
      """, .integer(app))
    try run(
      "DELETE FROM recording WHERE received < $1 AND installation IN (SELECT key FROM installation WHERE app = $2)",
      .integer(time), .integer(app))
    return count
  }

  /// Forgets the recordings of all apps that were received before a time.
  public func forgetRecordings(before time: Int64) throws(StorageError) {
    try run("DELETE FROM recording WHERE received < $1", .integer(time))
  }

  func noteErased(_ counts: [StatisticKey: StatisticCount], ofApp app: Int64) throws(StorageError) {
    for (key, count) in counts.sorted(by: { $0.key < $1.key }) {
      try run(
        """
        UPDATE statistic SET erased_number = erased_number + $1, erased_seconds = erased_seconds + $2
        WHERE app = $3 AND day = $4 AND kind = $5 AND campaign = $6 AND region = $7
        """, .integer(count.number), .integer(count.seconds), .integer(app), .text(key.day), .text(key.kind),
        .text(key.campaign), .text(key.region))
    }
  }
}
