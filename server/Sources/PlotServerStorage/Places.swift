/// A place or a notification of version 1 of the API, as that API has them.
public struct PlaceObject: Equatable, Sendable {
  public enum Kind: String, Sendable { case place, notification }

  public var kind: Kind
  public var id: String
  /// The place itself, or that of the notification.
  public var place: String
  public var json: String

  public init(kind: Kind, id: String, place: String, json: String) {
    (self.kind, self.id, self.place, self.json) = (kind, id, place, json)
  }
}

extension SQLSession {
  private func placeObjects(_ rows: [SQLRow]) throws(StorageError) -> [PlaceObject] {
    var found: [PlaceObject] = []
    for row in rows {
      guard let kind = PlaceObject.Kind(rawValue: row.text(0) ?? ""), let id = row.text(1), let place = row.text(2),
        let json = row.text(3)
      else { throw .failed("expected a place or a notification, found a row of another form") }
      found.append(PlaceObject(kind: kind, id: id, place: place, json: json))
    }
    return found
  }

  public func placeObject(_ kind: PlaceObject.Kind, _ id: String, ofApp app: Int64) throws(StorageError) -> PlaceObject?
  {
    let sql = "SELECT kind, id, place, json FROM place_object WHERE app = $1 AND kind = $2 AND id = $3"
    return try placeObjects(try rows(sql, .integer(app), .text(kind.rawValue), .text(id))).first
  }

  /// Those of a kind, in the order in which they were made; of one place only, where it is named.
  public func placeObjects(
    _ kind: PlaceObject.Kind, ofPlace place: String? = nil, ofApp app: Int64, from start: Int64 = 0,
    limit: Int64 = .max
  ) throws(StorageError) -> [PlaceObject] {
    let sql = """
      SELECT kind, id, place, json FROM place_object WHERE app = $1 AND kind = $2 AND ($3 = '' OR place = $3)
      ORDER BY position, id LIMIT $4 OFFSET $5
      """
    return try placeObjects(
      try rows(
        sql, .integer(app), .text(kind.rawValue), .text(place ?? ""), .integer(limit), .integer(start)))
  }

  public func placeObjectCount(
    _ kind: PlaceObject.Kind, ofPlace place: String? = nil, ofApp app: Int64
  ) throws(StorageError) -> Int64 {
    let sql = "SELECT count(*) FROM place_object WHERE app = $1 AND kind = $2 AND ($3 = '' OR place = $3)"
    return try row(sql, .integer(app), .text(kind.rawValue), .text(place ?? ""))?.integer(0) ?? 0
  }

  public func put(_ object: PlaceObject, ofApp app: Int64) throws(StorageError) {
    let last = "SELECT coalesce(max(position), 0) + 1 FROM place_object WHERE app = $1 AND kind = $2"
    let position = try row(last, .integer(app), .text(object.kind.rawValue))?.integer(0) ?? 1
    try run(
      """
      INSERT INTO place_object(app, kind, id, place, position, json) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT(app, kind, id) DO UPDATE SET place = excluded.place, json = excluded.json
      """, .integer(app), .text(object.kind.rawValue), .text(object.id), .text(object.place), .integer(position),
      .text(object.json))
  }

  public func removePlaceObject(_ kind: PlaceObject.Kind, _ id: String, ofApp app: Int64) throws(StorageError) {
    try run(
      "DELETE FROM place_object WHERE app = $1 AND kind = $2 AND id = $3", .integer(app), .text(kind.rawValue),
      .text(id))
  }
}
