public import PlotDocuments

/// How a feed differs from the one before, by object.
public struct FeedDifference: Equatable, Sendable {
  public struct Ids: Equatable, Sendable {
    public var added: [String] = []
    public var changed: [String] = []
    public var removed: [String] = []
  }

  public var regions = Ids()
  public var campaigns = Ids()
  public var categories = Ids()
  public var hasOtherSettings = false

  public init() {}

  /// Of two feeds that can be read; nil for none before.
  init(from old: [UInt8]?, to new: [UInt8]) {
    let before = old.flatMap { try? JSONValue(parsing: $0) }
    guard let after = try? JSONValue(parsing: new) else { return }
    func ids(_ list: String) -> Ids {
      let (a, b) = (Self.objects(before?[list]), Self.objects(after[list]))
      var ids = Ids()
      for (id, text) in b.sorted(by: { $0.key < $1.key }) {
        if let former = a[id] { if former != text { ids.changed.append(id) } } else { ids.added.append(id) }
      }
      ids.removed = a.keys.filter { b[$0] == nil }.sorted()
      return ids
    }
    regions = ids("regions")
    campaigns = ids("campaigns")
    categories = ids("categories")
    hasOtherSettings = before?["settings"]?.text != after["settings"]?.text
  }

  /// For people and programs (docs/server.md, Publishing).
  public var json: JSONValue {
    func ids(_ ids: Ids) -> JSONValue {
      func list(_ ids: [String]) -> JSONValue { .array(ids.map { .string($0) }) }
      return .object([("added", list(ids.added)), ("changed", list(ids.changed)), ("removed", list(ids.removed))])
    }
    return .object([
      ("regions", ids(regions)), ("campaigns", ids(campaigns)), ("categories", ids(categories)),
      ("settings", .boolean(hasOtherSettings)),
    ])
  }

  private static func objects(_ list: JSONValue?) -> [String: String] {
    guard case .array(let elements)? = list else { return [:] }
    var found: [String: String] = [:]
    for element in elements { if case .string(let id)? = element["id"] { found[id] = element.text } }
    return found
  }
}
