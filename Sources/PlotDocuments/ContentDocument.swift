internal import CJansson
internal import PlotCore

/// Attachments, actions and user info, as they stand in a feed, in an item and in an edit.
extension JSONReader {
  /// `url` reads the URL of each.
  func attachments<T>(
    _ node: Node, allowsOwn: Bool, _ url: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> [(id: String, url: T, type: String?)] {
    var ids: [Identifier: Int] = [:]
    return unsafe try array(node, "an array of attachments") { (node, index) throws(DocumentError) in
      let object = unsafe try object(node, "an attachment, an object")
      unsafe try refuseUnknown(object, ["id", "url", "type"], of: "an attachment", allowsOwn: allowsOwn)
      return (
        unsafe try ownId(object, index, &ids), unsafe try required(object, "url", Self.textForm, url),
        unsafe try member(object, "type") { (node) throws(DocumentError) in unsafe try text(node) }
      )
    }
  }

  /// Those of an item.
  func attachments(_ node: Node) throws(DocumentError) -> [Attachment] {
    unsafe try attachments(node, allowsOwn: false) { (node) throws(DocumentError) in unsafe try string(node) }
      .map { Attachment(id: $0.id, url: $0.url, type: $0.type) }
  }

  private static let actionSet = KeySet(["id", "title", "foreground", "destructive"])
  private static let compactActionSet = KeySet(actionSet.keys + ["compact"])

  /// At most `Action.limit`. With `takesCompact` each may say `compact`, which follows from its place and is passed over.
  func actions(_ node: Node, allowsOwn: Bool, takesCompact: Bool = false) throws(DocumentError) -> [Action] {
    var ids: [Identifier: Int] = [:]
    let keys = takesCompact ? Self.compactActionSet : Self.actionSet
    func flag(_ object: Node, _ key: StaticString) throws(DocumentError) -> Bool {
      unsafe try member(object, key) { (node) throws(DocumentError) in unsafe try boolean(node) } ?? false
    }
    return unsafe try array(node, "an array of actions", most: Action.limit) { (node, index) throws(DocumentError) in
      let object = unsafe try object(node, "an action, an object")
      unsafe try refuseUnknown(object, keys, of: "an action", allowsOwn: allowsOwn)
      _ = unsafe try flag(object, "compact")
      return Action(
        id: unsafe try ownId(object, index, &ids),
        title: unsafe try required(object, "title", Self.textForm) { (node) throws(DocumentError) in
          unsafe try text(node)
        }, foreground: unsafe try flag(object, "foreground"), destructive: unsafe try flag(object, "destructive"))
    }
  }

  /// Any object; its keys keep their order.
  func userInfo(_ node: Node) throws(DocumentError) -> [UserInfoEntry] {
    let object = unsafe try object(node)
    var entries: [UserInfoEntry] = []
    unsafe entries.reserveCapacity(json_object_size(object))
    var iterator = unsafe json_object_iter(object)
    while let current = unsafe iterator {
      if let key = unsafe json_object_iter_key(current), let value = unsafe json_object_iter_value(current) {
        unsafe entries.append(UserInfoEntry(key: Identifier(Self.text(of: key)), json: canonical(value)))
      }
      unsafe iterator = json_object_iter_next(object, current)
    }
    return entries
  }

  static let textForm = "a string that is not empty"

  func text(_ node: Node) throws(DocumentError) -> String {
    let text = unsafe try string(node, Self.textForm)
    guard !text.isEmpty else { throw unsafe mismatch(node, Self.textForm) }
    return text
  }

  private func ownId(
    _ object: Node, _ index: Int, _ ids: inout [Identifier: Int]
  ) throws(DocumentError) -> String {
    var first: Int?
    let id = unsafe try required(object, "id", Self.textForm) { (node) throws(DocumentError) in
      let id = unsafe try text(node)
      first = ids.updateValue(index, forKey: Identifier(id))
      if let first {
        throw fail(expected: "an id of its own", found: "\"\(id)\", which element \(first) has", .duplicate)
      }
      return id
    }
    return id
  }
}

extension Content {
  /// Reads what an item's JSON has beside message and data.
  init(_ reader: JSONReader, message: String, data: String) throws(DocumentError) {
    func string(_ key: String) throws(DocumentError) -> String? {
      unsafe try reader.member(reader.root, key) { (node) throws(DocumentError) in unsafe try reader.string(node) }
    }
    self.init(message: message, data: data)
    title = try string("title")
    subtitle = try string("subtitle")
    body = try string("body")
    sound = try string("sound")
    category = try string("category")
    badge = unsafe try reader.member(reader.root, "badge") { (node) throws(DocumentError) in
      unsafe try reader.integer(node, Self.badgeRange)
    }
    attachments =
      unsafe try reader.member(reader.root, "attachments") { (node) throws(DocumentError) in
        unsafe try reader.attachments(node)
      } ?? []
    actions =
      unsafe try reader.member(reader.root, "actions") { (node) throws(DocumentError) in
        unsafe try reader.actions(node, allowsOwn: false, takesCompact: true)
      } ?? []
    userInfo =
      unsafe try reader.member(reader.root, "userInfo") { (node) throws(DocumentError) in
        unsafe try reader.userInfo(node)
      } ?? []
  }

  /// Attachments, actions and user info as JSON.
  static func json(_ attachments: [Attachment]) -> String {
    var json = JSONText()
    json.array { json in
      for attachment in attachments {
        json.object { json in
          json.member("id", attachment.id)
          json.member("url", attachment.url)
          json.member("type", attachment.type)
        }
      }
    }
    return json.text
  }

  static func json(_ actions: [Action]) -> String {
    var json = JSONText()
    json.array { json in
      for (position, action) in actions.enumerated() {
        json.object { json in
          json.member("id", action.id)
          json.member("title", action.title)
          json.member("foreground", action.foreground)
          json.member("destructive", action.destructive)
          json.member("compact", position < Action.compactCount)
        }
      }
    }
    return json.text
  }

  static func json(_ userInfo: [UserInfoEntry]) -> String {
    var json = JSONText()
    write(userInfo, to: &json)
    return json.text
  }

  static func write(_ userInfo: [UserInfoEntry], to json: inout JSONText) {
    json.object { json in
      for entry in userInfo {
        json.key(entry.key.text)
        json.raw(entry.json)
      }
    }
  }
}
