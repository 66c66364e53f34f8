internal import PlotCore
public import PlotDocuments
public import PlotServerStorage
internal import PlotTracks

/// A whole app as one document, which is kept in a repository: who it is, how often devices ask, and its feed.
public struct AppDocument: Sendable {
  public var app: String
  public var name: String?
  /// Seconds.
  public var pollAfter: Int64?
  public var feed: JSONValue

  /// Reads one (docs/server.md, Configuration as code).
  public init(parsing bytes: [UInt8]) throws(DocumentError) {
    let document = try JSONValue(parsing: bytes)
    func fault(_ pointer: String, _ expected: String, _ found: JSONValue?) -> DocumentError {
      DocumentError(
        line: 1, column: 1, pointer: pointer, expected: expected,
        found: found.map { RequestFault.short($0.text) } ?? "no such key")
    }
    let keys = ["app", "name", "pollAfter", "feed"]
    guard case .object(let members) = document else { throw fault("", "an object with \(keys)", document) }
    for (key, value) in members where !keys.contains(key) {
      throw fault("/\(key)", "one of \(keys.joined(separator: ", "))", value)
    }
    guard case .string(let app)? = document["app"], Apps.isId(app) else {
      throw fault("/app", "the id of an app: 1 to 64 letters, digits, -, _ and dots", document["app"])
    }
    self.app = app
    switch document["name"] {
    case nil: name = nil
    case .string(let name)?: self.name = name
    case let other?: throw fault("/name", "a string", other)
    }
    switch document["pollAfter"] {
    case nil: pollAfter = nil
    case .integer(let seconds)? where Apps.pollRange.contains(seconds): pollAfter = seconds
    case let other?: throw fault("/pollAfter", "10 to 604800 seconds", other)
    }
    guard let feed = document["feed"], case .object = feed else { throw fault("/feed", "a feed", document["feed"]) }
    self.feed = feed
    do throws(DocumentError) {
      _ = try Feed.parse(feedBytes)
    } catch {
      throw DocumentError(
        line: 1, column: 1, pointer: "/feed" + error.pointer, expected: error.expected, found: error.found)
    }
  }

  /// The document of an app as it is, with its draft.
  public init(of app: AppRecord, draft: [UInt8]) {
    (self.app, name, pollAfter) = (app.id, app.name, app.pollAfter)
    // A draft can be read.
    feed = (try? JSONValue(parsing: draft)) ?? .object([])
  }

  public var feedBytes: [UInt8] { Array(feed.text.utf8) }

  /// Indented, so that a repository shows what has changed.
  public var text: String {
    var members: [(key: String, value: JSONValue)] = [("app", .string(app))]
    if let name { members.append(("name", .string(name))) }
    if let pollAfter { members.append(("pollAfter", .integer(pollAfter))) }
    return JSONValue.object(members + [("feed", feed)]).indented + "\n"
  }

  /// How it differs from another, a line for each object: `+` for a new one, `-` for one that goes, `~` with what has changed.
  public func changes(from old: AppDocument?) -> [String] {
    var lines: [String] = []
    func note(_ name: String, _ before: JSONValue?, _ after: JSONValue?) {
      switch (before, after) {
      case (nil, nil): break
      case (nil, _?): lines.append("+ \(name)")
      case (_?, nil): lines.append("- \(name)")
      case (let before?, let after?):
        let parts = before.differences(to: after)
        if !parts.isEmpty { lines.append("~ \(name): \(parts.joined(separator: "; "))") }
      }
    }
    if old == nil { lines.append("+ app \(app)") }
    for (key, before, after) in [
      ("name", old?.name.map { JSONValue.string($0) }, name.map { JSONValue.string($0) }),
      ("pollAfter", old?.pollAfter.map { .integer($0) }, pollAfter.map { .integer($0) }),
    ] {
      guard let before, let after, before.text != after.text else { continue }
      lines.append("~ app \(app): /\(key) \(before.text) → \(after.text)")
    }
    for kind in DraftObject.Kind.allCases {
      guard kind != .settings else {
        note("settings", old?.feed["settings"], feed["settings"])
        continue
      }
      let (before, after) = (Self.objects(old?.feed[kind.list]), Self.objects(feed[kind.list]))
      // A feed names each object once.
      let (old, new) = (Dictionary(before) { one, _ in one }, Dictionary(after) { one, _ in one })
      for (id, value) in after { note("\(kind.rawValue) \(id)", old[id], value) }
      for (id, value) in before where new[id] == nil {
        note("\(kind.rawValue) \(id)", value, nil)
      }
    }
    return lines
  }

  private static func objects(_ list: JSONValue?) -> [(String, JSONValue)] {
    guard case .array(let elements)? = list else { return [] }
    return elements.compactMap { if case .string(let id)? = $0["id"] { (id, $0) } else { nil } }
  }
}

extension JSONValue {
  /// Each place at which two values differ, in words.
  fileprivate func differences(to other: JSONValue, at place: String = "") -> [String] {
    if case .object(let before) = self, case .object(let after) = other {
      var found: [String] = []
      for (key, value) in before {
        let place = "\(place)/\(key)"
        if let new = other[key] {
          found += value.differences(to: new, at: place)
        } else {
          found.append("\(place) \(RequestFault.short(value.text)) removed")
        }
      }
      for (key, value) in after where self[key] == nil {
        found.append("\(place)/\(key) \(RequestFault.short(value.text)) added")
      }
      return found
    }
    return text == other.text ? [] : ["\(place) \(RequestFault.short(text)) → \(RequestFault.short(other.text))"]
  }
}
