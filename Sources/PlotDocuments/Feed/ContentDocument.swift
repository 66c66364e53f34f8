internal import PlotCore

/// Attachments, actions and user info, as they stand in a feed, in an item and in an edit.
extension JSONReader {
  /// `url` reads the URL of each.
  func attachments<T>(
    _ node: Node, _ known: KeySet, _ url: (Node) throws(DocumentError) -> T
  ) throws(DocumentError) -> [(id: String, url: T, type: String?)] {
    var ids: [Identifier: Int] = [:]
    return try array(node, "an array of attachments") { (node, index) throws(DocumentError) in
      let object = try object(node, "an attachment, an object")
      try refuseUnknown(object, known, of: "an attachment")
      return (
        try ownId(object, index, &ids), try required(object, "url", Self.textForm, url),
        try member(object, "type") { (node) throws(DocumentError) in try text(node) }
      )
    }
  }

  /// Those of an item.
  func attachments(_ node: Node) throws(DocumentError) -> [Attachment] {
    try attachments(node, DocumentKeys.attachmentOfItem) { (node) throws(DocumentError) in try string(node) }
      .map { Attachment(id: $0.id, url: $0.url, type: $0.type) }
  }

  /// At most `Action.limit`. Where `compact` is a known key, it follows from an action's place and is passed over.
  func actions(_ node: Node, _ known: KeySet) throws(DocumentError) -> [Action] {
    try actions(node, known) { (action, _) throws(DocumentError) in action }
  }

  /// The same; `make` gets each with its object.
  func actions<Made>(
    _ node: Node, _ known: KeySet, _ make: (Action, Node) throws(DocumentError) -> Made
  ) throws(DocumentError) -> [Made] {
    var ids: [Identifier: Int] = [:]
    func flag(_ object: Node, _ key: StaticString) throws(DocumentError) -> Bool {
      try member(object, key) { (node) throws(DocumentError) in try boolean(node) } ?? false
    }
    return try array(node, "an array of actions", most: Action.limit) { (node, index) throws(DocumentError) in
      let object = try object(node, "an action, an object")
      try refuseUnknown(object, known, of: "an action")
      _ = try flag(object, "compact")
      let action = Action(
        id: try ownId(object, index, &ids),
        title: try required(object, "title", Self.textForm) { (node) throws(DocumentError) in
          try text(node)
        }, foreground: try flag(object, "foreground"), destructive: try flag(object, "destructive"))
      return try make(action, object)
    }
  }

  /// Any object; its keys keep their order.
  func userInfo(_ node: Node) throws(DocumentError) -> [UserInfoEntry] {
    let object = try object(node)
    var entries: [UserInfoEntry] = []
    entries.reserveCapacity(object.count)
    object.forEachMember { key, value in
      entries.append(UserInfoEntry(key: Identifier(String(copying: key)), json: canonical(value)))
    }
    return entries
  }

  static let textForm = "a string that is not empty"

  func text(_ node: Node) throws(DocumentError) -> String {
    let text = try string(node, Self.textForm)
    guard !text.isEmpty else { throw mismatch(node, Self.textForm) }
    return text
  }

  private func ownId(
    _ object: Node, _ index: Int, _ ids: inout [Identifier: Int]
  ) throws(DocumentError) -> String {
    var first: Int?
    let id = try required(object, "id", Self.textForm) { (node) throws(DocumentError) in
      let id = try text(node)
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
      try reader.member(reader.root, key) { (node) throws(DocumentError) in try reader.string(node) }
    }
    self.init(message: message, data: data)
    title = try string("title")
    subtitle = try string("subtitle")
    body = try string("body")
    sound = try string("sound")
    category = try string("category")
    badge = try reader.member(reader.root, "badge") { (node) throws(DocumentError) in
      try reader.integer(node, Self.badgeRange)
    }
    attachments =
      try reader.member(reader.root, "attachments") { (node) throws(DocumentError) in
        try reader.attachments(node)
      } ?? []
    actions =
      try reader.member(reader.root, "actions") { (node) throws(DocumentError) in
        try reader.actions(node, DocumentKeys.actionOfItem)
      } ?? []
    userInfo =
      try reader.member(reader.root, "userInfo") { (node) throws(DocumentError) in
        try reader.userInfo(node)
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
