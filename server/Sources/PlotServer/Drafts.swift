internal import PlotCore
public import PlotDocuments
public import PlotServerStorage
public import PlotTracks

public enum DraftFault: Error, Sendable {
  /// There is no object of this name in the draft.
  case notFound(DraftObject.Kind, String)
  /// Somebody has changed it since: its version now, nil for one that is not there.
  case changedSince(DraftObject.Kind, String, version: Int64?)
  /// Somebody has changed the draft since; its version now.
  case draftChanged(version: Int64)
  /// The reader of feeds refuses it. The pointer begins at the object, and for several edits at `/N` of them.
  case refused(DocumentError)
  /// Another object needs what was to be removed or changed.
  case inUse(kind: DraftObject.Kind, id: String, by: String, DocumentError)
  /// The idempotency key stands for another request.
  case otherRequest
}

/// A request that is carried out once, however often it comes.
public struct IdempotentRequest: Sendable {
  public var key: String
  /// Of all that was asked.
  public var digest: String
}

/// A change to one object of a draft.
public struct DraftEdit: Sendable {
  public enum Change: Sendable {
    case put(JSONValue)
    /// A JSON merge patch (RFC 7396).
    case merge(JSONValue)
    case remove
  }

  /// The state that it expects, so that nobody's change is lost.
  public enum Condition: Equatable, Sendable {
    case none
    case isNew
    case exists
    case version(Int64)
  }

  public var kind: DraftObject.Kind
  public var id: String
  public var change: Change
  public var condition: Condition

  public init(_ kind: DraftObject.Kind, _ id: String, _ change: Change, _ condition: Condition = .none) {
    (self.kind, self.id, self.change, self.condition) = (kind, id, change, condition)
  }
}

/// An object after an edit; nil for one that was removed.
public struct DraftResult: Sendable {
  public var object: DraftObject?
  public var isNew: Bool
}

/// The draft of each app: the feed that is to be published next, object by object. It begins as what was published last.
public struct Drafts: Sendable {
  private let storage: any SQLDatabase
  private let now: @Sendable () -> Int64

  public init(_ storage: any SQLDatabase, now: @escaping @Sendable () -> Int64) {
    self.storage = storage
    self.now = now
  }

  // MARK: Reading

  /// Reads from one state of the draft, with its version.
  public func read<T: Sendable>(
    app id: String, _ body: @escaping @Sendable (any SQLSession, AppRecord, Int64) throws -> T
  ) async throws -> T {
    let found = try await storage.read { session -> T? in
      let app = try session.knownApp(id)
      guard let version = try session.draftVersion(ofApp: app.key) else { return nil }
      return try body(session, app, version)
    }
    if let found { return found }
    return try await storage.write(isRepeatable: true) { session in
      let app = try session.knownApp(id)
      let version = try Self.begun(session, app)
      return try body(session, app, version)
    }
  }

  /// The whole draft as a campaign feed.
  public func document(app id: String) async throws -> (bytes: [UInt8], version: Int64) {
    try await read(app: id) { session, app, version in (try Self.document(session, app), version) }
  }

  private static func document(_ session: any SQLSession, _ app: AppRecord) throws -> [UInt8] {
    func list(_ kind: DraftObject.Kind) throws -> String {
      try session.draftObjects(kind, ofApp: app.key).map(\.json).joined(separator: ",")
    }
    var text = #"{"version":1"#
    if let settings = try session.draftObject(.settings, "", ofApp: app.key) {
      text += #","settings":\#(settings.json)"#
    }
    text += #","regions":[\#(try list(.region))],"campaigns":[\#(try list(.campaign))]"#
    for kind in DraftObject.Kind.optional {
      let objects = try list(kind)
      if !objects.isEmpty { text += #","\#(kind.list)":[\#(objects)]"# }
    }
    return Array((text + "}").utf8)
  }

  /// The version of the draft; a new one has what was published last.
  static func begun(_ session: any SQLSession, _ app: AppRecord) throws -> Int64 {
    if let version = try session.draftVersion(ofApp: app.key) { return version }
    let version = try session.takeNextDraftVersion(ofApp: app.key)
    if let newest = try session.publicationsInUse(ofApp: app.key).first,
      let revision = try session.revision(newest.revision)
    {
      let feed = try JSONValue(parsing: revision.representations.json)
      try session.put(objects(of: feed, version: version), ofApp: app.key)
    }
    return version
  }

  /// The objects of a feed that can be read.
  private static func objects(of feed: JSONValue, version: Int64) -> [DraftObject] {
    var objects: [DraftObject] = []
    for kind in DraftObject.Kind.allCases {
      switch feed[kind.list] {
      case .array(let elements)?:
        for (position, element) in elements.enumerated() {
          guard case .string(let id)? = element["id"] else { continue }
          objects.append(
            DraftObject(kind: kind, id: id, position: Int64(position), version: version, json: element.text))
        }
      case .object(let settings)?:
        objects.append(
          DraftObject(kind: kind, id: "", position: 0, version: version, json: JSONValue.object(settings).text))
      default: break
      }
    }
    return objects
  }

  // MARK: Changing

  /// Carries out all edits or none, and writes down who did it.
  public func apply(
    _ edits: [DraftEdit], toApp id: String, by actor: String, once request: IdempotentRequest? = nil,
    dryRun: Bool = false
  ) async throws -> [DraftResult] {
    let time = now()
    return try await storage.writeUnlessRehearsal(isRepeatable: request != nil) { session in
      let app = try session.knownApp(id)
      _ = try Self.begun(session, app)
      let version = try session.takeNextDraftVersion(ofApp: app.key)
      if let request, let done = try session.answered(request.key, ofApp: app.key, at: time) {
        guard done == request.digest else { throw DraftFault.otherRequest }
        let results = try edits.map {
          DraftResult(object: try session.draftObject($0.kind, $0.id, ofApp: app.key), isNew: false)
        }
        throw Rehearsal(result: results)
      }
      var results: [DraftResult] = []
      for (index, edit) in edits.enumerated() {
        let old = try session.draftObject(edit.kind, edit.id, ofApp: app.key)
        try Self.check(edit, old)
        let new = try Self.changed(edit, old, index: edits.count > 1 ? index : nil)
        if let new {
          let position =
            try old?.position ?? (edit.kind == .settings ? 0 : session.lastDraftPosition(edit.kind, ofApp: app.key) + 1)
          let object = DraftObject(
            kind: edit.kind, id: edit.id, position: position, version: version, json: new.text)
          try session.put([object], ofApp: app.key)
          results.append(DraftResult(object: object, isNew: old == nil))
        } else {
          try session.removeDraftObject(edit.kind, edit.id, ofApp: app.key)
          results.append(DraftResult(object: nil, isNew: false))
        }
        try session.add(
          AuditRecord(
            time: time, actor: actor, action: new == nil ? "remove" : old == nil ? "add" : "change",
            object: "\(edit.kind.rawValue) \(edit.id)", before: old?.json, after: results[index].object?.json),
          ofApp: app.key)
      }
      try DraftReader(session, app).check(edits, results.map(\.object))
      if dryRun { throw Rehearsal(result: results) }
      if let request {
        try session.addAnswered(request.key, request: request.digest, ofApp: app.key, at: time)
      }
      return results
    }
  }

  /// Puts a whole feed in the place of the draft. `version`: of the draft that it is to replace.
  public func replace(
    _ bytes: [UInt8], ofApp id: String, by actor: String, ifVersion expected: Int64? = nil, dryRun: Bool = false
  ) async throws -> (difference: FeedDifference, version: Int64) {
    let feed: JSONValue
    do throws(DocumentError) {
      _ = try Feed.parse(bytes)
      feed = try JSONValue(parsing: bytes)
    } catch {
      throw DraftFault.refused(error)
    }
    let time = now()
    return try await storage.write(isRepeatable: true) { session in
      let app = try session.knownApp(id)
      let before = try Self.begun(session, app)
      if let expected, expected != before { throw DraftFault.draftChanged(version: before) }
      let difference = FeedDifference(from: try Self.document(session, app), to: bytes)
      if dryRun { return (difference, before) }
      let version = try session.takeNextDraftVersion(ofApp: app.key)
      try session.clearDraft(ofApp: app.key)
      try session.put(Self.objects(of: feed, version: version), ofApp: app.key)
      try session.add(
        AuditRecord(
          time: time, actor: actor, action: "replace", object: "draft", after: difference.json.text), ofApp: app.key)
      return (difference, version)
    }
  }

  private static func check(_ edit: DraftEdit, _ old: DraftObject?) throws(DraftFault) {
    let holds =
      switch edit.condition {
      case .none: true
      case .isNew: old == nil
      case .exists: old != nil
      case .version(let version): old?.version == version
      }
    if !holds, edit.condition == .exists { throw .notFound(edit.kind, edit.id) }
    guard holds else { throw .changedSince(edit.kind, edit.id, version: old?.version) }
  }

  /// The new form of an object; nil for none.
  private static func changed(_ edit: DraftEdit, _ old: DraftObject?, index: Int?) throws -> JSONValue? {
    let new: JSONValue
    switch edit.change {
    case .remove:
      guard old != nil else { throw DraftFault.notFound(edit.kind, edit.id) }
      return nil
    case .put(let value): new = value
    case .merge(let patch):
      guard let old else { throw DraftFault.notFound(edit.kind, edit.id) }
      new = try JSONValue(parsing: Array(old.json.utf8)).merged(with: patch)
    }
    func refusal(_ pointer: String, _ expected: String, _ found: String) -> DraftFault {
      let place = index.map { "/\($0)" } ?? ""
      return .refused(DocumentError(line: 1, column: 1, pointer: place + pointer, expected: expected, found: found))
    }
    guard case .object(let members) = new else {
      throw refusal("", "an object as a campaign feed has it", RequestFault.short(new.text))
    }
    guard edit.kind != .settings else { return new }
    switch new["id"] {
    case nil: return .object([("id", .string(edit.id))] + members)
    case .string(let id)? where id == edit.id: return new
    case let other?: throw refusal("/id", "\"\(edit.id)\", as in the request's path", RequestFault.short(other.text))
    }
  }
}

/// Reads changed objects of a draft as a feed of their own, with all that they name.
private struct DraftReader {
  private let session: any SQLSession
  private let app: AppRecord

  init(_ session: any SQLSession, _ app: AppRecord) { (self.session, self.app) = (session, app) }

  func check(_ edits: [DraftEdit], _ results: [DraftObject?]) throws {
    var feed: [DraftObject.Kind: [DraftObject]] = [:]
    var places: [String: Int] = [:]
    var known: Set<String> = []
    var frontier: [DraftObject] = []
    func add(_ object: DraftObject) {
      guard known.insert("\(object.kind.rawValue) \(object.id)").inserted else { return }
      feed[object.kind, default: []].append(object)
      frontier.append(object)
    }
    // The newest form of each, at the place of its last edit.
    for (index, result) in results.enumerated() {
      guard let result, try session.draftObject(result.kind, result.id, ofApp: app.key) == result else { continue }
      if known.contains("\(result.kind.rawValue) \(result.id)") { continue }
      places["/\(result.kind.list)/\(feed[result.kind]?.count ?? 0)"] = index
      if result.kind == .settings { places["/settings"] = index }
      add(result)
    }
    // Those that may have lost something.
    for (edit, result) in zip(edits, results) where result == nil {
      for object in try session.draftObjects(containing: JSONValue.quoted(edit.id), ofApp: app.key) { add(object) }
    }
    if let settings = try session.draftObject(.settings, "", ofApp: app.key) { add(settings) }
    while !frontier.isEmpty {
      var names: Set<String> = []
      for object in frontier { try JSONValue(parsing: Array(object.json.utf8)).addStrings(to: &names) }
      frontier = []
      for kind in DraftObject.Kind.allCases where kind != .settings {
        let wanted = names.filter { !known.contains("\(kind.rawValue) \($0)") && $0.utf8.count <= 255 }.sorted()
        for object in try session.draftObjects(kind, ids: wanted, ofApp: app.key) { add(object) }
      }
    }
    func list(_ kind: DraftObject.Kind) -> String { (feed[kind] ?? []).map(\.json).joined(separator: ",") }
    var text = #"{"version":1,"regions":[\#(list(.region))],"campaigns":[\#(list(.campaign))]"#
    for kind in DraftObject.Kind.optional where feed[kind]?.isEmpty == false {
      text += #","\#(kind.list)":[\#(list(kind))]"#
    }
    if let settings = feed[.settings]?.first { text += #","settings":\#(settings.json)"# }
    do throws(DocumentError) {
      _ = try Feed.parse(Array((text + "}").utf8))
    } catch {
      throw fault(error, edits, places, feed)
    }
  }

  /// The reader's fault, as one of an edit.
  private func fault(
    _ error: DocumentError, _ edits: [DraftEdit], _ places: [String: Int], _ feed: [DraftObject.Kind: [DraftObject]]
  ) -> DraftFault {
    let parts = error.pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    let isSettings = parts.first == DraftObject.Kind.settings.rawValue
    let place = "/" + parts.prefix(isSettings ? 1 : 2).joined(separator: "/")
    let rest = parts.dropFirst(isSettings ? 1 : 2).map { "/\($0)" }.joined()
    if let index = places[place] {
      return .refused(
        DocumentError(
          line: 1, column: 1, pointer: (edits.count > 1 ? "/\(index)" : "") + rest, expected: error.expected,
          found: error.found))
    }
    let object = DraftObject.Kind.allCases.first { $0.list == parts.first }.flatMap { kind in
      parts.count > 1 ? Int(parts[1]).flatMap { feed[kind]?.indices.contains($0) == true ? feed[kind]?[$0] : nil } : nil
    }
    guard let object, let edit = edits.last else { return .refused(error) }
    return .inUse(kind: edit.kind, id: edit.id, by: "\(object.kind.rawValue) \(object.id)", error)
  }
}

extension DraftObject.Kind {
  /// Those of which a feed may have no key.
  static let optional: [DraftObject.Kind] = [.category, .list]

  /// The key of a feed.
  public var list: String {
    switch self {
    case .region: "regions"
    case .campaign: "campaigns"
    case .category: "categories"
    case .list: "lists"
    case .settings: "settings"
    }
  }
}

/// The result of a transaction of which nothing is to stay.
private struct Rehearsal<T: Sendable>: Error {
  var result: T
}

extension SQLDatabase {
  /// Runs a transaction; one that throws a rehearsal is taken back, and has a result all the same.
  fileprivate func writeUnlessRehearsal<T: Sendable>(
    isRepeatable: Bool, _ body: @escaping @Sendable (any SQLSession) throws -> T
  ) async throws -> T {
    do {
      return try await write(isRepeatable: isRepeatable, body)
    } catch let rehearsal as Rehearsal<T> {
      return rehearsal.result
    }
  }
}

extension JSONValue {
  /// RFC 7396: members that are null go, objects are merged, all else takes the place of what was there.
  func merged(with patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var members: [(key: String, value: JSONValue)] = []
    if case .object(let own) = self { members = own }
    for (key, change) in changes {
      let index = members.firstIndex { $0.key == key }
      if case .null = change {
        if let index { members.remove(at: index) }
      } else if let index {
        members[index].value = members[index].value.merged(with: change)
      } else {
        members.append((key, JSONValue.object([]).merged(with: change)))
      }
    }
    return .object(members)
  }

  /// All texts in it, but for keys.
  func addStrings(to names: inout Set<String>) {
    switch self {
    case .object(let members): for (_, value) in members { value.addStrings(to: &names) }
    case .array(let elements): for element in elements { element.addStrings(to: &names) }
    case .string(let text): names.insert(text)
    default: break
    }
  }
}
