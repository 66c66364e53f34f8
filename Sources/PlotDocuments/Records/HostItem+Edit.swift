import PlotCore

/// Changing an item: content keys of a notification only.
extension HostItem {
  /// Why an edit is refused; the item is as it was.
  public enum SetError: Error, Equatable {
    case readOnly
    case unknown
    /// A text that must not be empty.
    case empty
    /// The key holds values of another type than the one given.
    case wrongType(holds: String)
    case outOfRange(expected: String, found: String)
    /// The key is always there.
    case always
    case document(DocumentError)
  }

  /// The keys of docs/items.md.
  public static var keys: [String] { DocumentKeys.item.keys }

  private enum Form {
    case message, data
    case text(WritableKeyPath<Content, String?>)
    case badge, attachments, actions, userInfo

    /// The type that the key holds, in words.
    var name: String {
      switch self {
      case .message, .data, .text: "a string"
      case .badge: "an integer"
      case .attachments, .actions: "an array"
      case .userInfo: "an object"
      }
    }
  }

  private func form(of key: String) throws(SetError) -> Form {
    guard Self.keys.contains(key) else { throw .unknown }
    guard !loaded.isGeotrigger else { throw .readOnly }
    switch key {
    case "message": return .message
    case "data": return .data
    case "title": return .text(\.title)
    case "subtitle": return .text(\.subtitle)
    case "body": return .text(\.body)
    case "sound": return .text(\.sound)
    case "category": return .text(\.category)
    case "badge": return .badge
    case "attachments": return .attachments
    case "actions": return .actions
    case "userInfo": return .userInfo
    default: throw .readOnly
    }
  }

  public mutating func set(_ key: String, to value: String) throws(SetError) {
    let form = try form(of: key)
    switch form {
    case .message:
      if value.isEmpty { throw .empty }
      content.message = value
    case .data: content.data = value
    case .text(let path):
      if value.isEmpty { throw .empty }
      content[keyPath: path] = value
    case .badge, .attachments, .actions, .userInfo: throw .wrongType(holds: form.name)
    }
  }

  public mutating func set(_ key: String, to value: Int64) throws(SetError) {
    let form = try form(of: key)
    guard case .badge = form else { throw .wrongType(holds: form.name) }
    let range = Content.badgeRange
    guard range.contains(value) else {
      throw .outOfRange(
        expected: "an integer from \(range.lowerBound) to \(range.upperBound)", found: "\(value)")
    }
    content.badge = value
  }

  /// Sets a value from its JSON text, of the key's own type.
  public mutating func set(_ key: String, json: [UInt8]) throws(SetError) {
    let form = try form(of: key)
    let reader = try Self.read { () throws(DocumentError) in
      try DocumentError.checkSize(of: json, most: TextLimit.bytes)
      return try JSONReader(json, nullIsAbsent: false, depthLimit: JSONReader.valueDepthLimit)
    }
    let root = reader.root
    switch (form, root.kind) {
    case (.message, .string), (.data, .string), (.text, .string):
      try set(key, to: Self.read { () throws(DocumentError) in try reader.string(root) })
    case (.badge, .integer):
      try set(key, to: Self.read { () throws(DocumentError) in try reader.integer(root, .min ... .max) })
    case (.attachments, .array):
      content.attachments = try Self.read { () throws(DocumentError) in
        try reader.attachments(root)
      }
    case (.actions, .array):
      content.actions = try Self.read { () throws(DocumentError) in
        try reader.actions(root, DocumentKeys.actionOfItem)
      }
    case (.userInfo, .object):
      content.userInfo = try Self.read { () throws(DocumentError) in try reader.userInfo(root) }
    default: throw .wrongType(holds: form.name)
    }
  }

  /// Takes a key away, where it may be absent.
  public mutating func clear(_ key: String) throws(SetError) {
    switch try form(of: key) {
    case .message, .data: throw .always
    case .text(let path): content[keyPath: path] = nil
    case .badge: content.badge = nil
    case .attachments: content.attachments = []
    case .actions: content.actions = []
    case .userInfo: content.userInfo = []
    }
  }

  private static func read<T>(_ body: () throws(DocumentError) -> T) throws(SetError) -> T {
    do throws(DocumentError) { return try body() } catch { throw .document(error) }
  }
}
