public import PlotCore

extension Message {
  public static let sizeLimit = 1 << 20
  /// The form of an id, a sender, a thread and a correlation key, in words.
  static let nameForm = "a string of 1 to 255 bytes"

  /// Reads a payload (docs/messages.md). What the settings do not name a place for is not looked at.
  public static func parse(_ bytes: [UInt8], _ settings: MessageSettings) throws(DocumentError) -> Message {
    try DocumentError.checkSize(of: bytes, most: sizeLimit)
    let reader = try JSONReader(bytes)
    let root = try reader.object(reader.root, "a message: {\"id\": \"…\", \"body\": \"…\"}")
    let payload = Payload(reader: reader, root: root, settings: settings)
    let operation = try payload.operation() ?? .post
    let id = try payload.name(.id, "id") ?? StableIdentifier.make("message", String(decoding: bytes, as: UTF8.self))
    var message = Message(id: id, content: try payload.content(isRetract: operation == .retract))
    message.operation = operation
    message.sender = try payload.name(.sender, "sender")
    message.thread = try payload.name(.thread, "thread")
    message.priority = try payload.integer(.priority, "priority", -1000...1000) ?? 0
    message.correlationKey = payload.found(.correlation)?.key
    message.revision = payload.found(.revision)?.revision
    return message
  }
}

/// A payload, and where it has what. A field that the settings have no place for has the form of docs/messages.md; at a place of theirs, what is not
/// as needed is as if it were not there.
private struct Payload: ~Escapable {
  let reader: JSONReader
  let root: Node
  let settings: MessageSettings

  @_lifetime(copy root)
  init(reader: JSONReader, root: Node, settings: MessageSettings) {
    self.reader = reader
    self.root = root
    self.settings = settings
  }

  private func isPlain(_ field: MessageField) -> Bool { settings.profile == .plain && settings.paths[field] == nil }

  /// The value at the first place that has one of the kind.
  private func first<T>(_ field: MessageField, _ value: (PathValue) -> T?) -> T? {
    for path in settings.places(of: field) {
      if let found = reader.found(at: path[...], in: root), let value = value(found) { return value }
    }
    return nil
  }

  func found(_ field: MessageField) -> PathValue? {
    first(field) { found in
      if case .json = found { return nil }
      return found
    }
  }

  func operation() throws(DocumentError) -> Message.Operation? {
    guard settings.profile == .plain else { return nil }
    return try reader.member(root, "op") { (node) throws(DocumentError) in
      try reader.choice(node, Message.Operation.self)
    }
  }

  func name(_ field: MessageField, _ key: StaticString) throws(DocumentError) -> String? {
    guard isPlain(field) else { return first(field, \.key) }
    return try reader.member(root, key) { (node) throws(DocumentError) in try reader.messageName(node) }
  }

  func integer(_ field: MessageField, _ key: StaticString, _ range: ClosedRange<Int64>) throws(DocumentError) -> Int64?
  {
    guard isPlain(field) else {
      return first(field) { found in found.integer.flatMap { range.contains($0) ? $0 : nil } }
    }
    return try reader.member(root, key) { (node) throws(DocumentError) in try reader.integer(node, range)
    }
  }

  /// An empty one is none.
  private func text(_ field: MessageField, _ key: StaticString) throws(DocumentError) -> String? {
    guard isPlain(field) else { return first(field, \.text) }
    return try reader.member(root, key) { (node) throws(DocumentError) in try reader.string(node) }
      .flatMap { $0.isEmpty ? nil : $0 }
  }

  private func body(isNeeded: Bool) throws(DocumentError) -> String? {
    if isPlain(.body) {
      if isNeeded {
        return try reader.required(root, "body", JSONReader.textForm) { (node) throws(DocumentError) in
          try reader.text(node)
        }
      }
      return try reader.member(root, "body") { (node) throws(DocumentError) in try reader.text(node) }
    }
    let body = first(.body, \.text)
    guard body == nil, isNeeded else { return body }
    let places = settings.places(of: .body).map { "\"\($0.text)\"" }.joined(separator: ", ")
    throw reader.mismatch(root, "a text to show at one of \(places)")
  }

  private func data() throws(DocumentError) -> String? {
    guard isPlain(.data) else { return first(.data, \.written) }
    return try reader.member(root, "data") { (node) throws(DocumentError) in
      node.isString ? try reader.string(node) : reader.canonical(node)
    }
  }

  func content(isRetract: Bool) throws(DocumentError) -> Content {
    let body = try body(isNeeded: !isRetract)
    var content = Content(message: body ?? "", data: try data() ?? "")
    content.title = try text(.title, "title")
    content.subtitle = try text(.subtitle, "subtitle")
    content.sound = try text(.sound, "sound")
    content.category = try text(.category, "category")
    content.badge = try integer(.badge, "badge", Content.badgeRange)
    content.userInfo =
      settings.profile == .plain
      ? try reader.member(root, "userInfo") { (node) throws(DocumentError) in try reader.userInfo(node) }
        ?? []
        // As the systems hand it on: all but what they know themselves.
      : try reader.userInfo(root).filter { $0.key != Identifier("aps") }
    return content
  }
}

/// The value at the end of a path.
private enum PathValue {
  case text(String)
  case number(Int64)
  /// Anything else, as JSON text.
  case json(String)

  /// Nil when it is empty, or no text.
  var text: String? { if case .text(let text) = self, !text.isEmpty { text } else { nil } }

  /// As data: what is no text as JSON text.
  var written: String {
    switch self {
    case .text(let text), .json(let text): text
    case .number(let number): String(number)
    }
  }

  /// An integer, also as text.
  var integer: Int64? {
    switch self {
    case .text(let text): Int64(text)
    case .number(let number): number
    case .json: nil
    }
  }

  /// Nil when it is no name: no correlation key, no sender.
  var key: String? {
    switch self {
    case .text(let text): (1...255).contains(text.utf8.count) ? text : nil
    case .number(let number): String(number)
    case .json: nil
    }
  }

  /// An integer, also as text, or a date and time as milliseconds; nil when it is neither.
  var revision: Int64? {
    switch self {
    case .text(let text): Int64(text) ?? Timestamp.parse(text)
    case .number(let number): number
    case .json: nil
    }
  }
}

extension JSONReader {
  fileprivate func messageName(_ node: Node) throws(DocumentError) -> String {
    let text = try string(node, Message.nameForm)
    guard (1...255).contains(text.utf8.count) else { throw mismatch(node, Message.nameForm) }
    return text
  }

  /// Goes along a path, into strings that hold JSON too; nil where it leads nowhere.
  fileprivate func found(at path: ArraySlice<String>, in node: Node) -> PathValue? {
    guard let key = path.first else {
      switch node.kind {
      case .string: return (try? string(node)).map(PathValue.text)
      case .integer: return (try? integer(node, .min ... .max)).map(PathValue.number)
      case .null: return nil
      default: return .json(canonical(node))
      }
    }
    switch node.kind {
    case .object:
      guard let next = node.member(key) else { return nil }
      return found(at: path.dropFirst(), in: next)
    case .string:
      guard let text = try? string(node), let inner = try? JSONReader(Array(text.utf8)) else { return nil }
      // Only an object leads on, so each step of the path is taken once.
      guard inner.root.isObject else { return nil }
      return inner.found(at: path, in: inner.root)
    default: return nil
    }
  }
}

/// A list of the app's, as it is given (docs/messages.md, Lists).
public struct ListUpdate: Equatable, Sendable {
  public var version: Int64
  public var entries: Set<Identifier>

  public static let sizeLimit = 64 << 20

  public init(parsing bytes: [UInt8]) throws(DocumentError) {
    try DocumentError.checkSize(of: bytes, most: Self.sizeLimit)
    let reader = try JSONReader(bytes, nullIsAbsent: false)
    let root = try reader.object(reader.root, "a list: {\"version\": 1, \"entries\": [\"…\"]}")
    try reader.refuseUnknown(root, ["version", "entries"], of: "a list")
    (version, entries) = try reader.list(root)
  }
}

extension JSONReader {
  /// The version and the entries of a list.
  func list(
    _ object: Node, newest: Int64 = .max
  ) throws(DocumentError) -> (version: Int64, entries: Set<Identifier>) {
    let version = try required(object, "version", "an integer, 0 or more") { (node) throws(DocumentError) in
      try integer(node, 0...newest)
    }
    let entries = try required(object, "entries", "an array of strings") { (node) throws(DocumentError) in
      try array(node, "an array of strings", most: MessageList.limit) {
        (node, _) throws(DocumentError) in Identifier(try messageName(node))
      }
    }
    return (version, Set(entries))
  }
}

/// Entries to add to a list of the app's, and to take out of it (docs/messages.md, Lists).
public struct ListEdit: Equatable, Sendable {
  public var add: Set<Identifier> = []
  public var remove: Set<Identifier> = []

  public init(parsing bytes: [UInt8]) throws(DocumentError) {
    try DocumentError.checkSize(of: bytes, most: ListUpdate.sizeLimit)
    let reader = try JSONReader(bytes, nullIsAbsent: false)
    let form = "an edit of a list: {\"add\": [\"…\"], \"remove\": [\"…\"]}, one of the two at least"
    let root = try reader.object(reader.root, form)
    try reader.refuseUnknown(root, ["add", "remove"], of: "an edit of a list")
    guard !reader.keys(root).isEmpty else { throw reader.mismatch(root, form) }
    func entries(_ key: StaticString, but others: Set<Identifier>) throws(DocumentError) -> Set<Identifier> {
      try reader.member(root, key) { (node) throws(DocumentError) in
        Set(
          try reader.array(node, "an array of strings", most: MessageList.limit) {
            (node, _) throws(DocumentError) in
            let entry = Identifier(try reader.messageName(node))
            guard !others.contains(entry) else { throw reader.mismatch(node, "an entry that is not in \"add\"") }
            return entry
          })
      } ?? []
    }
    add = try entries("add", but: [])
    remove = try entries("remove", but: add)
  }
}

extension ListUpdate {
  /// The entries as a store keeps them: a JSON array, sorted.
  public static func text(_ entries: Set<Identifier>) -> String {
    var json = JSONText()
    json.array { json in for entry in entries.sorted() { json.value(entry.text) } }
    return json.text
  }

  /// Reads them back; nil when they are not what `text` gives.
  public static func entries(_ text: String) -> Set<Identifier>? {
    guard let reader = try? JSONReader(Array(text.utf8)) else { return nil }
    return
      (try? reader.array(reader.root, "an array") { (node, _) throws(DocumentError) in
        Identifier(try reader.string(node))
      }).map { Set($0) }
  }
}

extension ListDocument {
  /// The lists that are there, sorted by name.
  public static func lists(_ lists: [Identifier: MessageList]) -> String {
    var json = JSONText()
    json.array { json in
      for (name, list) in lists.sorted(by: { $0.key < $1.key }) {
        json.object { json in
          json.member("name", name.text)
          json.member("version", list.version)
          json.member("count", Int64(list.entries.count))
          json.member("refreshed", Timestamp.text(list.refreshed))
        }
      }
    }
    return json.text
  }
}

extension MessagePath {
  /// Keys with dots between them; a dot of a key has \\ before it. Nil where a key is empty.
  init?(text: String) {
    self = [""]
    var isEscaped = false
    for character in text.unicodeScalars {
      switch character {
      case _ where isEscaped:
        self[count - 1].unicodeScalars.append(character)
        isEscaped = false
      case "\\": isEscaped = true
      case ".": append("")
      default: self[count - 1].unicodeScalars.append(character)
      }
    }
    if isEscaped || contains(where: \.isEmpty) { return nil }
  }

  var text: String {
    map { key in
      key.unicodeScalars.reduce(into: "") { text, scalar in
        if scalar == "." || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
    }.joined(separator: ".")
  }
}
