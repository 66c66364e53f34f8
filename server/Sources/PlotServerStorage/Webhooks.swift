internal import PlotDocuments

/// Somebody who is told what happens in an app (docs/server.md, Webhooks).
public struct WebhookRecord: Sendable {
  /// The kinds of things that one can be told.
  public enum Kind: String, CaseIterable, Sendable {
    case publications, changes, events
  }

  public var key: Int64
  public var id: String
  public var url: String
  public var kinds: [Kind]
  public var created: Int64

  public init(key: Int64, id: String, url: String, kinds: [Kind], created: Int64) {
    (self.key, self.id, self.url, self.kinds, self.created) = (key, id, url, kinds, created)
  }
}

/// Something that is to be told, or was.
public struct DeliveryRecord: Sendable {
  public var key: Int64
  public var kind: String
  public var created: Int64
  public var tries: Int64
  /// When it is tried next; nil for one that is over.
  public var next: Int64?
  public var delivered: Int64?
  /// The last answer, in words; "" for none.
  public var answer: String
}

/// A delivery that is due, with all that sending needs.
public struct DueDelivery: Sendable {
  public var record: DeliveryRecord
  public var app: String
  public var url: String
  public var secret: String
  public var body: String
}

extension SQLSession {
  public func addWebhook(
    _ id: String, url: String, kinds: [WebhookRecord.Kind], secret: String, ofApp app: Int64, at now: Int64
  ) throws(StorageError) {
    try run(
      "INSERT INTO webhook(app, id, url, kinds, secret, created) VALUES ($1, $2, $3, $4, $5, $6)", .integer(app),
      .text(id), .text(url), .text(kinds.map(\.rawValue).joined(separator: " ")), .text(secret), .integer(now))
  }

  public func webhooks(ofApp app: Int64) throws(StorageError) -> [WebhookRecord] {
    try rows("SELECT key, id, url, kinds, created FROM webhook WHERE app = $1 ORDER BY key", .integer(app))
      .compactMap { row in
        guard let key = row.integer(0), let id = row.text(1), let url = row.text(2), let kinds = row.text(3),
          let created = row.integer(4)
        else { return nil }
        return WebhookRecord(
          key: key, id: id, url: url,
          kinds: kinds.split(separator: " ").compactMap { WebhookRecord.Kind(rawValue: String($0)) }, created: created)
      }
  }

  public func removeWebhook(_ key: Int64) throws(StorageError) {
    try run("DELETE FROM delivery WHERE webhook = $1", .integer(key))
    try run("DELETE FROM webhook WHERE key = $1", .integer(key))
  }

  /// Tells something to those of an app who want it: it is there with the transaction, or not at all.
  func tell(_ kind: WebhookRecord.Kind, _ body: String, ofApp app: Int64, at now: Int64) throws(StorageError) {
    for webhook in try webhooks(ofApp: app) where webhook.kinds.contains(kind) {
      try run(
        """
        INSERT INTO delivery(webhook, kind, body, created, tries, next, delivered, answer)
        VALUES ($1, $2, $3, $4, 0, $5, NULL, '')
        """, .integer(webhook.key), .text(kind.rawValue), .text(body), .integer(now), .integer(now))
    }
  }

  /// Tells of the new events of one installation.
  func tell(_ batch: EventBatch, _ new: Set<Int64>, at now: Int64) throws(StorageError) {
    let events = batch.events.filter { new.contains($0.sequence) }.map(\.json).joined(separator: ",")
    let id = try row("SELECT id FROM installation WHERE key = $1", .integer(batch.installation))?.text(0) ?? ""
    try tell(
      .events, "{\"installation\":\(JSONValue.quoted(id)),\"events\":[\(events)]}", ofApp: batch.app, at: now)
  }

  private static var deliveryColumns: String {
    "delivery.key, kind, delivery.created, tries, next, delivered, answer"
  }

  private func delivery(_ row: SQLRow) throws(StorageError) -> DeliveryRecord {
    guard let key = row.integer(0), let kind = row.text(1), let created = row.integer(2), let tries = row.integer(3),
      let answer = row.text(6)
    else { throw .failed("expected a delivery, found a row of another form") }
    return DeliveryRecord(
      key: key, kind: kind, created: created, tries: tries, next: row.integer(4), delivered: row.integer(5),
      answer: answer)
  }

  /// Newest first, before a key.
  public func deliveries(ofWebhook key: Int64, before: Int64, limit: Int64) throws(StorageError) -> [DeliveryRecord] {
    let sql = """
      SELECT \(Self.deliveryColumns) FROM delivery WHERE webhook = $1 AND key < $2 ORDER BY key DESC LIMIT $3
      """
    var found: [DeliveryRecord] = []
    for row in try rows(sql, .integer(key), .integer(before), .integer(limit)) { found.append(try delivery(row)) }
    return found
  }

  public func dueDeliveries(at now: Int64, limit: Int64) throws(StorageError) -> [DueDelivery] {
    let sql = """
      SELECT \(Self.deliveryColumns), app.id, webhook.url, webhook.secret, body FROM delivery
      JOIN webhook ON webhook.key = delivery.webhook JOIN app ON app.key = webhook.app
      WHERE next IS NOT NULL AND next <= $1 ORDER BY next, delivery.key LIMIT $2
      """
    var found: [DueDelivery] = []
    for row in try rows(sql, .integer(now), .integer(limit)) {
      guard let app = row.text(7), let url = row.text(8), let secret = row.text(9), let body = row.text(10) else {
        throw .failed("expected a delivery, found a row of another form")
      }
      found.append(DueDelivery(record: try delivery(row), app: app, url: url, secret: secret, body: body))
    }
    return found
  }

  /// Counts a try, and puts the next one off. False when another node was faster.
  public func claim(_ delivery: DeliveryRecord, until next: Int64) throws(StorageError) -> Bool {
    try run(
      "UPDATE delivery SET tries = tries + 1, next = $1 WHERE key = $2 AND tries = $3 AND next IS NOT NULL",
      .integer(next), .integer(delivery.key), .integer(delivery.tries)) > 0
  }

  /// `next`: when it is tried again; nil when it is over.
  public func note(_ answer: String, delivered: Int64?, next: Int64?, ofDelivery key: Int64) throws(StorageError) {
    try run(
      "UPDATE delivery SET answer = $1, delivered = $2, next = $3 WHERE key = $4", .text(answer),
      delivered.map { .integer($0) } ?? .null, next.map { .integer($0) } ?? .null, .integer(key))
  }

  /// Sends one again, from the first try. False for one that there is not.
  public func repeatDelivery(_ key: Int64, ofWebhook webhook: Int64, at now: Int64) throws(StorageError) -> Bool {
    try run(
      "UPDATE delivery SET tries = 0, next = $1, delivered = NULL WHERE key = $2 AND webhook = $3", .integer(now),
      .integer(key), .integer(webhook)) > 0
  }

  public func forgetDeliveries(before time: Int64) throws(StorageError) {
    try run("DELETE FROM delivery WHERE created < $1 AND next IS NULL", .integer(time))
  }
}

extension AuditRecord {
  /// As `GET /api/v2/audit` has it, without the objects before and after.
  var notice: String {
    JSONValue.object([
      ("time", .string(Statistics.text(time))), ("actor", .string(actor)), ("action", .string(action)),
      ("object", .string(object)),
    ]).text
  }
}
