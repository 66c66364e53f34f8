internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

enum PlaceFault: Error, Sendable {
  case notFound(PlaceObject.Kind)
  /// A key, what was expected there, and what was found.
  case invalid(key: String, expected: String, found: String)
  case inUse(notifications: Int64)
  /// A share of the installations has another feed than the rest.
  case rollout(share: Int64)
}

/// Version 1 of the API: places, and notifications at them, which are live as soon as they are published. Each becomes regions and campaigns of
/// the newest publication and of the draft; all else in these is left as it is.
struct Places: Sendable {
  let storage: any SQLDatabase
  let publisher: Publisher
  let now: @Sendable () -> Int64

  // MARK: Changing

  /// Makes an object, or puts a new form in the place of one that is there. `merges`: keys that the body lacks stay.
  func put(
    _ kind: PlaceObject.Kind, _ id: String?, _ body: JSONValue, merges: Bool = false, app: String, by actor: String
  ) async throws -> JSONValue {
    let new = id ?? Secrets.hexadecimal(Cryptography.random(16))
    return try await change(app, actor) { session, app in
      let old = try session.placeObject(kind, new, ofApp: app.key).map { try JSONValue(parsing: Array($0.json.utf8)) }
      guard id == nil || old != nil else { throw PlaceFault.notFound(kind) }
      guard case .object = body else {
        throw PlaceFault.invalid(key: "body", expected: "an object", found: RequestFault.short(body.text))
      }
      let given = merges ? old?.merged(with: body) ?? body : body
      let object =
        switch kind {
        case .place: try Place(given).json(new)
        case .notification: try PlaceNotification(given, before: old).json(new)
        }
      let place = kind == .place ? new : object.text(of: "placeId")
      if kind == .notification, try session.placeObject(.place, place, ofApp: app.key) == nil {
        throw PlaceFault.invalid(key: "placeId", expected: "the id of a place", found: RequestFault.short(place))
      }
      try session.put(PlaceObject(kind: kind, id: new, place: place, json: object.text), ofApp: app.key)
      return (object, old == nil ? "add" : "change", "\(kind.rawValue) \(new)")
    }
  }

  func remove(_ kind: PlaceObject.Kind, _ id: String, app: String, by actor: String) async throws {
    _ = try await change(app, actor) { session, app in
      guard try session.placeObject(kind, id, ofApp: app.key) != nil else { throw PlaceFault.notFound(kind) }
      if kind == .place {
        let count = try session.placeObjectCount(.notification, ofPlace: id, ofApp: app.key)
        guard count == 0 else { throw PlaceFault.inUse(notifications: count) }
      }
      try session.removePlaceObject(kind, id, ofApp: app.key)
      return (.null, "remove", "\(kind.rawValue) \(id)")
    }
  }

  private typealias Changed = (object: JSONValue, action: String, name: String)

  /// The change, what follows from it in draft and publication, and the audit: one transaction.
  private func change(
    _ id: String, _ actor: String, _ body: @escaping @Sendable (any SQLSession, AppRecord) throws -> Changed
  ) async throws -> JSONValue {
    let time = now()
    return try await storage.write { [publisher] session in
      let app = try session.knownApp(id)
      let version = try Drafts.begun(session, app)
      let before = try Self.derived(session, app)
      let changed = try body(session, app)
      let after = try Self.derived(session, app)
      let changes = Self.changes(from: before, to: after)
      try session.add(
        AuditRecord(
          time: time, actor: actor, action: changed.action, object: changed.name,
          after: changed.action == "remove" ? nil : changed.object.text), ofApp: app.key)
      guard !changes.isEmpty else { return changed.object }
      try Self.change(draftOf: app, changes, version: version, session)
      var request = PublicationRequest()
      (request.note, request.actor) = (changed.name, actor)
      let feed = try PreparedFeed(try Self.published(session, app, changes), at: time)
      _ = try publisher.publish(feed, session, app, request, time)
      return changed.object
    }
  }

  // MARK: Regions and campaigns

  private struct Derived: Equatable {
    var kind: DraftObject.Kind
    var id: String
    /// Nil: it goes.
    var json: String?
  }

  private static let idPrefix = "v1-"

  /// All regions and campaigns of the notifications that are published.
  private static func derived(_ session: any SQLSession, _ app: AppRecord) throws -> [Derived] {
    var places: [String: JSONValue] = [:]
    for place in try session.placeObjects(.place, ofApp: app.key) {
      places[place.id] = try JSONValue(parsing: Array(place.json.utf8))
    }
    var found: [Derived] = []
    var regions: Set<String> = []
    for object in try session.placeObjects(.notification, ofApp: app.key) {
      let notification = try PlaceNotification(JSONValue(parsing: Array(object.json.utf8)), before: nil)
      guard notification.isPublished, let place = places[object.place] else { continue }
      let region = "\(idPrefix)\(object.place)-\(notification.matchRange)"
      if regions.insert(region).inserted {
        found.append(
          Derived(kind: .region, id: region, json: try Place(place).region(region, notification.matchRange).text))
      }
      for (number, span) in notification.spans.enumerated() {
        let id = number == 0 ? object.id : "\(object.id)-\(number + 1)"
        found.append(
          Derived(kind: .campaign, id: idPrefix + id, json: notification.campaign(idPrefix + id, region, span).text))
      }
    }
    return found
  }

  private static func changes(from before: [Derived], to after: [Derived]) -> [Derived] {
    func byName(_ list: [Derived]) -> [String: Derived] {
      Dictionary(uniqueKeysWithValues: list.map { ("\($0.kind.rawValue) \($0.id)", $0) })
    }
    let (old, new) = (byName(before), byName(after))
    let gone = before.filter { new["\($0.kind.rawValue) \($0.id)"] == nil }
    return after.filter { old["\($0.kind.rawValue) \($0.id)"] != $0 }
      + gone.map { Derived(kind: $0.kind, id: $0.id, json: nil) }
  }

  private static func change(
    draftOf app: AppRecord, _ changes: [Derived], version: Int64, _ session: any SQLSession
  ) throws {
    let version = try session.takeNextDraftVersion(ofApp: app.key)
    for change in changes {
      guard let json = change.json else {
        try session.removeDraftObject(change.kind, change.id, ofApp: app.key)
        continue
      }
      let old = try session.draftObject(change.kind, change.id, ofApp: app.key)
      let position = try old?.position ?? session.lastDraftPosition(change.kind, ofApp: app.key) + 1
      try session.put(
        [DraftObject(kind: change.kind, id: change.id, position: position, version: version, json: json)],
        ofApp: app.key)
    }
  }

  /// The newest publication's feed, with the changes.
  private static func published(
    _ session: any SQLSession, _ app: AppRecord, _ changes: [Derived]
  ) throws -> [UInt8] {
    let newest = try session.publicationsInUse(ofApp: app.key).first
    if let newest, newest.share < 100 { throw PlaceFault.rollout(share: newest.share) }
    let bytes = try newest.flatMap { try session.revision($0.revision)?.representations.json }
    guard case .object(var members) = try JSONValue(parsing: bytes ?? Array(#"{"version":1}"#.utf8)) else { return [] }
    for kind in [DraftObject.Kind.region, .campaign] {
      var list: [JSONValue] = []
      let index = members.firstIndex { $0.key == kind.list }
      if let index, case .array(let elements) = members[index].value { list = elements }
      for change in changes where change.kind == kind {
        let place = list.firstIndex { $0.text(of: "id") == change.id }
        guard let json = change.json else {
          if let place { list.remove(at: place) }
          continue
        }
        let value = try JSONValue(parsing: Array(json.utf8))
        if let place { list[place] = value } else { list.append(value) }
      }
      if let index { members[index].value = .array(list) } else { members.append((kind.list, .array(list))) }
    }
    return Array(JSONValue.object(members).text.utf8)
  }

  /// The notification that a campaign was made of; nil for another campaign.
  static func notification(ofCampaign id: String) -> String? {
    guard id.hasPrefix(idPrefix) else { return nil }
    return id.dropFirst(idPrefix.count).split(separator: "-").first.map(String.init)
  }
}

/// A place, as version 1 of the API has it.
private struct Place {
  private static let texts = ["name", "address", "postalCode", "city", "country"]

  var name: String
  var latitude: Double
  var longitude: Double
  var others: [(key: String, value: String)] = []

  init(_ body: JSONValue) throws(PlaceFault) {
    let fields = try Fields(body, Self.texts + ["id", "location"])
    name = try fields.text("name", most: 254)
    let location = try Fields(fields.value("location") ?? .null, ["latitude", "longitude"], in: "location")
    latitude = try location.number("latitude", -90...90)
    longitude = try location.number("longitude", -180...180)
    for key in Self.texts.dropFirst() {
      if let text = try fields.optionalText(key, most: 254) { others.append((key, text)) }
    }
  }

  func json(_ id: String) -> JSONValue {
    .object(
      [("id", .string(id)), ("name", .string(name)), ("location", location)]
        + others.map { ($0.key, .string($0.value)) })
  }

  private var location: JSONValue { .object([("latitude", .real(latitude)), ("longitude", .real(longitude))]) }

  func region(_ id: String, _ radius: Int64) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .string(id)), ("type", .string("geofence")), ("name", .string(name)), ("latitude", .real(latitude)),
      ("longitude", .real(longitude)), ("radius", .integer(radius)),
    ]
    if !others.isEmpty { members.append(("customFields", .object(others.map { ($0.key, .string($0.value)) }))) }
    return .object(members)
  }
}

/// A notification at a place, as version 1 of the API has it.
private struct PlaceNotification {
  struct Span { var start, end: Int64? }

  private static let form = "a date and time in UTC, as in 2026-05-16T12:00:00Z"

  var place: String
  var message: String
  var data: String?
  /// At least one; it has neither start nor end where the notification has no times.
  var spans: [Span] = [Span()]
  var matchRange: Int64
  var isPublished: Bool
  var state: String

  init(_ body: JSONValue, before: JSONValue?) throws(PlaceFault) {
    let fields = try Fields(
      body, ["id", "placeId", "message", "data", "timespans", "matchRange", "published", "state"])
    place = try fields.text("placeId", most: 254)
    message = try fields.text("message", most: 2048)
    data = try fields.optionalText("data", most: 2048)
    matchRange = try fields.integer("matchRange", 200...10_000) ?? 200
    isPublished = try fields.flag("published") ?? false
    let wasPublished = (before?["state"] ?? body["state"]).map { $0.text != #""new""# } ?? false
    state = isPublished ? "published" : wasPublished ? "unpublished" : "new"
    switch fields.value("timespans") {
    case nil, .null?: break
    case .array(let list)?:
      var found: [Span] = []
      for (index, one) in list.enumerated() {
        let span = try Fields(one, ["start", "end"], in: "timespans/\(index)")
        let (start, end) = (try Self.time(span, "start"), try Self.time(span, "end"))
        if let start, let end, end <= start {
          throw .invalid(key: "timespans/\(index)/end", expected: "a time after the start", found: Timestamp.text(end))
        }
        found.append(Span(start: start, end: end))
      }
      if !found.isEmpty { spans = found }
    case let other?:
      throw .invalid(key: "timespans", expected: "an array of {start, end}", found: RequestFault.short(other.text))
    }
  }

  private static func time(_ span: Fields, _ key: String) throws(PlaceFault) -> Int64? {
    guard let text = try span.optionalText(key, most: 40) else { return nil }
    guard let time = Timestamp.parse(text), text.hasSuffix("Z") else {
      throw .invalid(key: span.name(key), expected: form, found: RequestFault.short(text))
    }
    return time
  }

  func json(_ id: String) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .string(id)), ("placeId", .string(place)), ("message", .string(message)),
    ]
    if let data { members.append(("data", .string(data))) }
    let spans = spans.filter { $0.start != nil || $0.end != nil }.map { JSONValue.object(Self.times($0)) }
    members += [
      ("timespans", .array(spans)), ("matchRange", .integer(matchRange)), ("published", .boolean(isPublished)),
      ("state", .string(state)),
    ]
    return .object(members)
  }

  private static func times(_ span: Span) -> [(key: String, value: JSONValue)] {
    [("start", span.start), ("end", span.end)].compactMap { key, time in
      time.map { (key, .string(Timestamp.text($0))) }
    }
  }

  func campaign(_ id: String, _ region: String, _ span: Span) -> JSONValue {
    var members: [(key: String, value: JSONValue)] = [
      ("id", .string(id)), ("type", .string("notification")), ("message", .string(message)),
    ]
    if let data { members.append(("data", .string(data))) }
    return .object(members + [("regions", .array([.string(region)]))] + Self.times(span))
  }
}

/// The members of an object of version 1, each of its type.
private struct Fields {
  private let members: JSONValue
  private let place: String?

  init(_ value: JSONValue, _ known: [String], in place: String? = nil) throws(PlaceFault) {
    (members, self.place) = (value, place)
    guard case .object(let own) = value else {
      throw .invalid(key: place ?? "body", expected: "an object", found: RequestFault.short(value.text))
    }
    for (key, _) in own where !known.contains(key) {
      throw .invalid(key: name(key), expected: "one of \(known.joined(separator: ", "))", found: "an unknown key")
    }
  }

  func name(_ key: String) -> String { place.map { "\($0)/\(key)" } ?? key }
  func value(_ key: String) -> JSONValue? { members[key] }

  private func fault(_ key: String, _ expected: String) -> PlaceFault {
    .invalid(
      key: name(key), expected: expected, found: members[key].map { RequestFault.short($0.text) } ?? "no such key")
  }

  func optionalText(_ key: String, most: Int) throws(PlaceFault) -> String? {
    switch members[key] {
    case nil, .null?: return nil
    case .string(let text)? where text.utf8.count <= most: return text
    default: throw fault(key, "a string of at most \(most) bytes")
    }
  }

  func text(_ key: String, most: Int) throws(PlaceFault) -> String {
    guard let text = try optionalText(key, most: most), !text.isEmpty else {
      throw fault(key, "a string of 1 to \(most) bytes")
    }
    return text
  }

  func number(_ key: String, _ range: ClosedRange<Double>) throws(PlaceFault) -> Double {
    let number: Double? =
      switch members[key] {
      case .real(let number)?: number
      case .integer(let number)?: Double(number)
      default: nil
      }
    guard let number, range.contains(number) else {
      throw fault(key, "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
    }
    return number
  }

  func integer(_ key: String, _ range: ClosedRange<Int64>) throws(PlaceFault) -> Int64? {
    switch members[key] {
    case nil, .null?: return nil
    case .integer(let number)? where range.contains(number): return number
    default: throw fault(key, "an integer from \(range.lowerBound) to \(range.upperBound)")
    }
  }

  func flag(_ key: String) throws(PlaceFault) -> Bool? {
    switch members[key] {
    case nil, .null?: return nil
    case .boolean(let flag)?: return flag
    default: throw fault(key, "true or false")
    }
  }
}

extension JSONValue {
  /// A member that is a string; "" for another.
  fileprivate func text(of key: String) -> String {
    if case .string(let text)? = self[key] { text } else { "" }
  }
}
