/// An object of a draft: a region, a campaign, a category, a list or the settings, as the feed has it.
public struct DraftObject: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case region, campaign, category, list
    /// One object, whose id is empty.
    case settings
  }

  public var kind: Kind
  public var id: String
  /// By which objects of a kind are in order.
  public var position: Int64
  /// The version of the draft that has brought this form of it.
  public var version: Int64
  /// Without white space.
  public var json: String

  public init(kind: Kind, id: String, position: Int64, version: Int64, json: String) {
    (self.kind, self.id, self.position, self.version, self.json) = (kind, id, position, version, json)
  }
}

extension SQLSession {
  /// The version of an app's draft; nil for an app that has none yet.
  public func draftVersion(ofApp app: Int64) throws(StorageError) -> Int64? {
    try row("SELECT version FROM draft WHERE app = $1", .integer(app))?.integer(0)
  }

  /// The next version. It stays the next one for this transaction: others wait for it.
  public func takeNextDraftVersion(ofApp app: Int64) throws(StorageError) -> Int64 {
    let sql = """
      INSERT INTO draft(app, version) VALUES ($1, 1) ON CONFLICT(app) DO UPDATE SET version = draft.version + 1
      RETURNING version
      """
    guard let version = try row(sql, .integer(app))?.integer(0) else {
      throw .failed("expected the version of a draft, found none")
    }
    return version
  }

  private static var draftColumns: String { "kind, id, position, version, json" }

  private func draftObject(_ row: SQLRow) throws(StorageError) -> DraftObject {
    guard let kind = DraftObject.Kind(rawValue: row.text(0) ?? ""), let id = row.text(1), let position = row.integer(2),
      let version = row.integer(3), let json = row.text(4)
    else { throw .failed("expected an object of a draft, found a row of another form") }
    return DraftObject(kind: kind, id: id, position: position, version: version, json: json)
  }

  private func draftObjects(_ rows: [SQLRow]) throws(StorageError) -> [DraftObject] {
    var found: [DraftObject] = []
    found.reserveCapacity(rows.count)
    for row in rows { found.append(try draftObject(row)) }
    return found
  }

  public func draftObject(
    _ kind: DraftObject.Kind, _ id: String, ofApp app: Int64
  ) throws(StorageError) -> DraftObject? {
    let sql = "SELECT \(Self.draftColumns) FROM draft_object WHERE app = $1 AND kind = $2 AND id = $3"
    guard let row = try row(sql, .integer(app), .text(kind.rawValue), .text(id)) else { return nil }
    return try draftObject(row)
  }

  /// Those of a kind behind a position, in their order; at most `limit`.
  public func draftObjects(
    _ kind: DraftObject.Kind, ofApp app: Int64, after position: Int64 = -1, limit: Int64 = .max
  ) throws(StorageError) -> [DraftObject] {
    let sql = """
      SELECT \(Self.draftColumns) FROM draft_object WHERE app = $1 AND kind = $2 AND position > $3
      ORDER BY position LIMIT $4
      """
    return try draftObjects(
      try rows(sql, .integer(app), .text(kind.rawValue), .integer(position), .integer(limit)))
  }

  /// Those of a kind with one of these ids.
  public func draftObjects(
    _ kind: DraftObject.Kind, ids: some Sequence<String>, ofApp app: Int64
  ) throws(StorageError) -> [DraftObject] {
    var found: [DraftObject] = []
    for id in ids { if let one = try draftObject(kind, id, ofApp: app) { found.append(one) } }
    return found
  }

  /// Those whose JSON has this text somewhere, whatever the case of its letters.
  /// `kind`: only those, behind a position.
  public func draftObjects(
    containing text: String, ofApp app: Int64, kind: DraftObject.Kind? = nil, after position: Int64 = -1,
    limit: Int64 = .max
  ) throws(StorageError) -> [DraftObject] {
    var pattern = ""
    for character in text.unicodeScalars {
      if character == "%" || character == "_" || character == "!" { pattern += "!" }
      pattern.unicodeScalars.append(character)
    }
    let sql = """
      SELECT \(Self.draftColumns) FROM draft_object WHERE app = $1 AND json LIKE $2 ESCAPE '!' AND position > $3
        AND kind LIKE $4 ORDER BY kind, position LIMIT $5
      """
    return try draftObjects(
      try rows(
        sql, .integer(app), .text("%\(pattern)%"), .integer(position), .text(kind?.rawValue ?? "%"), .integer(limit)))
  }

  /// Those of a kind that have changed since a version.
  public func draftObjects(
    _ kind: DraftObject.Kind, ofApp app: Int64, since version: Int64
  ) throws(StorageError) -> [DraftObject] {
    let sql = """
      SELECT \(Self.draftColumns) FROM draft_object WHERE app = $1 AND kind = $2 AND version > $3 ORDER BY position
      """
    return try draftObjects(try rows(sql, .integer(app), .text(kind.rawValue), .integer(version)))
  }

  public func draftIds(_ kind: DraftObject.Kind, ofApp app: Int64) throws(StorageError) -> [String] {
    try rows("SELECT id FROM draft_object WHERE app = $1 AND kind = $2", .integer(app), .text(kind.rawValue))
      .compactMap { $0.text(0) }
  }

  public func draftCount(_ kind: DraftObject.Kind, ofApp app: Int64) throws(StorageError) -> Int64 {
    try row("SELECT count(*) FROM draft_object WHERE app = $1 AND kind = $2", .integer(app), .text(kind.rawValue))?
      .integer(0) ?? 0
  }

  public func lastDraftPosition(_ kind: DraftObject.Kind, ofApp app: Int64) throws(StorageError) -> Int64 {
    let sql = "SELECT max(position) FROM draft_object WHERE app = $1 AND kind = $2"
    return try row(sql, .integer(app), .text(kind.rawValue))?.integer(0) ?? -1
  }

  /// Each takes the place of the one with its id, where there is one.
  public func put(_ objects: [DraftObject], ofApp app: Int64) throws(StorageError) {
    var rest = objects[...]
    while !rest.isEmpty {
      let some = rest.prefix(100)
      rest = rest.dropFirst(100)
      let places = some.indices.map { index in
        let first = 6 * (index - some.startIndex)
        return "(" + (1...6).map { "$\(first + $0)" }.joined(separator: ", ") + ")"
      }
      let values = some.flatMap { one -> [SQLValue] in
        [
          .integer(app), .text(one.kind.rawValue), .text(one.id), .integer(one.position), .integer(one.version),
          .text(one.json),
        ]
      }
      let sql = """
        INSERT INTO draft_object(app, kind, id, position, version, json) VALUES \(places.joined(separator: ", "))
        ON CONFLICT(app, kind, id) DO UPDATE SET
          position = excluded.position, version = excluded.version, json = excluded.json
        """
      try run(sql, values)
    }
  }

  public func removeDraftObject(
    _ kind: DraftObject.Kind, _ id: String, ofApp app: Int64
  ) throws(StorageError) {
    try run(
      "DELETE FROM draft_object WHERE app = $1 AND kind = $2 AND id = $3", .integer(app), .text(kind.rawValue),
      .text(id))
  }

  public func clearDraft(ofApp app: Int64) throws(StorageError) {
    try run("DELETE FROM draft_object WHERE app = $1", .integer(app))
  }

  // MARK: Requests that are carried out once

  /// The request that an idempotency key stands for, where it is not older than a day.
  public func answered(_ key: String, ofApp app: Int64, at now: Int64) throws(StorageError) -> String? {
    try run("DELETE FROM answered WHERE time < $1", .integer(now - 86_400_000))
    let sql = "SELECT request FROM answered WHERE app = $1 AND id = $2"
    return try row(sql, .integer(app), .text(key))?.text(0)
  }

  public func addAnswered(
    _ key: String, request: String, ofApp app: Int64, at now: Int64
  ) throws(StorageError) {
    try run(
      "INSERT INTO answered(app, id, request, time) VALUES ($1, $2, $3, $4)", .integer(app), .text(key),
      .text(request), .integer(now))
  }
}
