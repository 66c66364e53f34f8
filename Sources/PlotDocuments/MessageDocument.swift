internal import CJansson
public import PlotCore

extension Message {
  public static let sizeLimit = 1 << 20
  /// What an id, a sender, a thread and a correlation key may be, in words.
  static let nameForm = "a string of 1 to 255 bytes"

  /// Reads a payload (docs/messages.md). What it has beside the keys of the page is not looked at, but for the two paths.
  public static func parse(_ bytes: [UInt8], _ settings: MessageSettings) throws(DocumentError) -> Message {
    try DocumentError.checkSize(of: bytes, most: sizeLimit)
    let reader = try JSONReader(bytes)
    let root = unsafe try reader.object(reader.root, "a message: {\"id\": \"…\", \"body\": \"…\"}")
    func name(_ key: String) throws(DocumentError) -> String? {
      unsafe try reader.member(root, key) { (node) throws(DocumentError) in unsafe try reader.messageName(node) }
    }
    let id = unsafe try reader.required(root, "id", nameForm) { (node) throws(DocumentError) in
      unsafe try reader.messageName(node)
    }
    let operation =
      unsafe try reader.member(root, "op") { (node) throws(DocumentError) in
        unsafe try reader.choice(node, Operation.self)
      } ?? .post
    var message = Message(id: id, content: try reader.messageContent(isRetract: operation == .retract))
    message.operation = operation
    message.sender = try name("sender")
    message.thread = try name("thread")
    message.priority =
      unsafe try reader.member(root, "priority") { (node) throws(DocumentError) in
        unsafe try reader.integer(node, -1000...1000)
      } ?? 0
    message.correlationKey = unsafe reader.found(at: settings.correlation[...], in: root)?.key
    message.revision = unsafe reader.found(at: settings.revision[...], in: root)?.revision
    return message
  }
}

/// What stands at the end of a path.
private enum PathValue {
  case text(String)
  case number(Int64)

  /// Nil when it is no correlation key.
  var key: String? {
    switch self {
    case .text(let text): (1...255).contains(text.utf8.count) ? text : nil
    case .number(let number): String(number)
    }
  }

  /// An integer, also as text, or a date and time as milliseconds; nil when it is neither.
  var revision: Int64? {
    switch self {
    case .text(let text): Int64(text) ?? Timestamp.parse(text)
    case .number(let number): number
    }
  }
}

extension JSONReader {
  fileprivate func messageName(_ node: Node) throws(DocumentError) -> String {
    let text = unsafe try string(node, Message.nameForm)
    guard (1...255).contains(text.utf8.count) else { throw unsafe mismatch(node, Message.nameForm) }
    return text
  }

  fileprivate func messageContent(isRetract: Bool) throws(DocumentError) -> Content {
    func text(_ key: String) throws(DocumentError) -> String? {
      unsafe try member(root, key) { (node) throws(DocumentError) in unsafe try string(node) }.flatMap {
        $0.isEmpty ? nil : $0
      }
    }
    var body = unsafe try member(root, "body") { (node) throws(DocumentError) in unsafe try self.text(node) }
    if !isRetract {
      body = unsafe try required(root, "body", Self.textForm) { (node) throws(DocumentError) in
        unsafe try self.text(node)
      }
    }
    let data = unsafe try member(root, "data") { (node) throws(DocumentError) in
      unsafe kind(node) == .string ? unsafe try string(node) : unsafe canonical(node)
    }
    var content = Content(message: body ?? "", data: data ?? "")
    content.title = try text("title")
    content.subtitle = try text("subtitle")
    content.sound = try text("sound")
    content.category = try text("category")
    content.badge = unsafe try member(root, "badge") { (node) throws(DocumentError) in
      unsafe try integer(node, Content.badgeRange)
    }
    content.userInfo =
      unsafe try member(root, "userInfo") { (node) throws(DocumentError) in unsafe try userInfo(node) } ?? []
    return content
  }

  /// Goes along a path, into strings that hold JSON too (seed 003); nil where it leads to no string and no integer.
  fileprivate func found(at path: ArraySlice<String>, in node: Node) -> PathValue? {
    guard let key = path.first else {
      switch unsafe kind(node) {
      case .string: return (try? unsafe string(node)).map(PathValue.text)
      case .integer: return (try? unsafe integer(node, .min ... .max)).map(PathValue.number)
      default: return nil
      }
    }
    switch unsafe kind(node) {
    case .object:
      guard let next = unsafe json_object_get(node, key) else { return nil }
      return unsafe found(at: path.dropFirst(), in: next)
    case .string:
      guard let text = try? unsafe string(node), let inner = try? JSONReader(Array(text.utf8)) else { return nil }
      // Only an object leads on, so each step of the path is taken once.
      guard unsafe inner.kind(inner.root) == .object else { return nil }
      return unsafe inner.found(at: path, in: inner.root)
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
    let root = unsafe try reader.object(reader.root, "a list: {\"version\": 1, \"entries\": [\"…\"]}")
    unsafe try reader.refuseUnknown(root, ["version", "entries"], of: "a list")
    version = unsafe try reader.required(root, "version", "an integer, 0 or more") { (node) throws(DocumentError) in
      unsafe try reader.integer(node, 0 ... .max)
    }
    entries = unsafe try reader.required(root, "entries", "an array of strings") { (node) throws(DocumentError) in
      Set(
        unsafe try reader.array(node, "an array of strings", most: MessageList.limit) {
          (node, _) throws(DocumentError) in Identifier(unsafe try reader.messageName(node))
        })
    }
  }
}

/// What is added to a list of the app's, and taken out of it (docs/messages.md, Lists).
public struct ListEdit: Equatable, Sendable {
  public var add: Set<Identifier> = []
  public var remove: Set<Identifier> = []

  public init(parsing bytes: [UInt8]) throws(DocumentError) {
    try DocumentError.checkSize(of: bytes, most: ListUpdate.sizeLimit)
    let reader = try JSONReader(bytes, nullIsAbsent: false)
    let form = "an edit of a list: {\"add\": [\"…\"], \"remove\": [\"…\"]}, one of the two at least"
    let root = unsafe try reader.object(reader.root, form)
    unsafe try reader.refuseUnknown(root, ["add", "remove"], of: "an edit of a list")
    guard unsafe !reader.keys(root).isEmpty else { throw unsafe reader.mismatch(root, form) }
    func entries(_ key: StaticString, but others: Set<Identifier>) throws(DocumentError) -> Set<Identifier> {
      unsafe try reader.member(root, key) { (node) throws(DocumentError) in
        Set(
          unsafe try reader.array(node, "an array of strings", most: MessageList.limit) {
            (node, _) throws(DocumentError) in
            let entry = Identifier(unsafe try reader.messageName(node))
            guard !others.contains(entry) else { throw unsafe reader.mismatch(node, "an entry that is not in \"add\"") }
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
      (try? unsafe reader.array(reader.root, "an array") { (node, _) throws(DocumentError) in
        Identifier(unsafe try reader.string(node))
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
