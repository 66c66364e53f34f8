public import PlotDocuments

/// How a feed differs from the one before, by object.
public struct FeedDifference: Equatable, Sendable {
  public struct Ids: Equatable, Sendable {
    public var added: [String] = []
    public var changed: [String] = []
    public var removed: [String] = []

    public init() {}
  }

  /// An object that differs.
  public struct Change: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable { case region, campaign, category, list, settings }
    public enum State: String, Sendable { case added, changed, removed }

    public var kind: Kind
    /// Empty for the settings.
    public var id: String
    /// The name of a region or a geotrigger, the message of a notification; nil for none.
    public var name: String?
    public var state: State
    /// The values that differ in an object of both, in the order of its keys.
    public var values: [Value] = []
  }

  /// A value that differs, as JSON; nil where there is none.
  public struct Value: Equatable, Sendable {
    /// Keys with points between them, as `quietTimes.start`.
    public var path: String
    public var before: String?
    public var after: String?
  }

  /// Regions, campaigns, categories, lists, and then the settings; each in the order of the ids.
  public private(set) var changes: [Change] = []

  public init() {}

  /// Of two feeds that can be read; nil for none before.
  public init(from old: [UInt8]?, to new: [UInt8]) {
    let before = old.flatMap { try? JSONValue(parsing: $0) }
    guard let after = try? JSONValue(parsing: new) else { return }
    for (kind, list) in Self.compared {
      let (a, b) = (Self.objects(before?[list]), Self.objects(after[list]))
      for id in Set(a.keys).union(b.keys).sorted() {
        func add(_ state: Change.State, _ object: JSONValue, _ values: [Value] = []) {
          var name: String?
          for key in ["message", "name"] {
            if name == nil, case .string(let text)? = object[key] { name = text }
          }
          changes.append(Change(kind: kind, id: id, name: name, state: state, values: values))
        }
        switch (a[id], b[id]) {
        case (let old?, let new?) where old.text != new.text: add(.changed, new, Self.values(old, new, ""))
        case (nil, let new?): add(.added, new)
        case (let old?, nil): add(.removed, old)
        default: break
        }
      }
    }
    if before?["settings"]?.text != after["settings"]?.text {
      let values = Self.values(before?["settings"] ?? .object([]), after["settings"] ?? .object([]), "")
      changes.append(Change(kind: .settings, id: "", state: .changed, values: values))
    }
  }

  public var regions: Ids { ids(.region) }
  public var campaigns: Ids { ids(.campaign) }
  public var categories: Ids { ids(.category) }
  public var lists: Ids { ids(.list) }
  public var hasOtherSettings: Bool { changes.contains { $0.kind == .settings } }

  private func ids(_ kind: Change.Kind) -> Ids {
    var ids = Ids()
    for change in changes where change.kind == kind {
      switch change.state {
      case .added: ids.added.append(change.id)
      case .changed: ids.changed.append(change.id)
      case .removed: ids.removed.append(change.id)
      }
    }
    return ids
  }

  /// The ids, for people and programs (docs/server.md, Publishing).
  public var json: JSONValue {
    func ids(_ ids: Ids) -> JSONValue {
      func list(_ ids: [String]) -> JSONValue { .array(ids.map { .string($0) }) }
      return .object([("added", list(ids.added)), ("changed", list(ids.changed)), ("removed", list(ids.removed))])
    }
    return .object(
      Self.compared.map { ($0.key, ids(self.ids($0.kind))) } + [("settings", .boolean(hasOtherSettings))])
  }

  /// The lists of a feed whose objects are compared by their ids.
  private static let compared: [(kind: Change.Kind, key: String)] = [
    (.region, "regions"), (.campaign, "campaigns"), (.category, "categories"), (.list, "lists"),
  ]

  private static func objects(_ list: JSONValue?) -> [String: JSONValue] {
    guard case .array(let elements)? = list else { return [:] }
    var found: [String: JSONValue] = [:]
    for element in elements { if case .string(let id)? = element["id"] { found[id] = element } }
    return found
  }

  /// Objects are compared key by key, all else as a whole.
  private static func values(_ old: JSONValue?, _ new: JSONValue?, _ path: String) -> [Value] {
    guard old?.text != new?.text else { return [] }
    guard case .object(let a)? = old, case .object(let b)? = new else {
      return [Value(path: path, before: old?.text, after: new?.text)]
    }
    let keys = b.map(\.key) + a.map(\.key).filter { key in !b.contains { $0.key == key } }
    return keys.flatMap { values(old?[$0], new?[$0], path.isEmpty ? $0 : "\(path).\($0)") }
  }
}
