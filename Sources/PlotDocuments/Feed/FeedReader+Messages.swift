internal import PlotCore

/// The settings of a feed about messages (docs/messages.md, Settings).
extension FeedReader {
  static let (ruleLimit, listLimit) = (1000, 100)

  /// The lists of a feed (docs/feed.md, A list).
  func lists(_ root: Node) throws(DocumentError) -> [SuppliedList] {
    var positions: [Identifier: Int] = [:]
    return try reader.member(root, "lists") { (node) throws(DocumentError) in
      try reader.array(node, "an array of lists", most: Self.listLimit) { (node, index) throws(DocumentError) in
        let object = try reader.object(node, "a list, an object")
        try reader.refuseUnknown(object, DocumentKeys.list, of: "a list")
        let id = try identifier(object)
        try claim(id, index, &positions)
        let (version, entries) = try reader.list(object, newest: (1 << 53) - 1)
        return SuppliedList(name: id, version: version, entries: entries)
      }
    } ?? []
  }

  func messages(_ node: Node) throws(DocumentError) -> MessageSettings {
    let object = try reader.object(node, "settings for messages, an object")
    try reader.refuseUnknown(object, DocumentKeys.messages, of: "the settings for messages")
    var settings = MessageSettings()
    settings.profile =
      try reader.member(object, "profile") { (node) throws(DocumentError) in
        try reader.choice(node, MessageProfile.self)
      } ?? .plain
    settings.paths =
      try reader.member(object, "paths") { (node) throws(DocumentError) in try paths(node) } ?? [:]
    settings.paths[.correlation] = try path(object, "correlation")
    settings.paths[.revision] = try path(object, "revision")
    // A path that is the profile's own counts as absent.
    settings.paths = settings.paths.filter { [profile = settings.profile] in $0.value != profile.places(of: $0.key) }
    settings.rules =
      try reader.member(object, "rules") { (node) throws(DocumentError) in
        try reader.array(node, "an array of rules", most: Self.ruleLimit) { (node, _) throws(DocumentError) in
          try rule(node)
        }
      } ?? []
    if let text = try reader.member(
      object, "placeholder", { (node) throws(DocumentError) in try reader.text(node) })
    {
      settings.placeholder = text
    }
    if let days = try reader.member(
      object, "tombstoneDays", { (node) throws(DocumentError) in try reader.integer(node, 1...365) })
    {
      settings.memory = days * 86_400_000
    }
    settings.keepsCooldown = try flag(object, "cooldown") ?? false
    return settings
  }

  /// Those that have a key of their own are no member of "paths".
  static let pathFields = MessageField.allCases.filter { $0 != .correlation && $0 != .revision }

  private func paths(_ node: Node) throws(DocumentError) -> [MessageField: [MessagePath]] {
    let object = try reader.object(node, "an object with paths, as in {\"sender\": \"message.sender.uid\"}")
    try reader.refuseUnknown(object, DocumentKeys.messagePaths, of: "\"paths\"")
    var paths: [MessageField: [MessagePath]] = [:]
    for field in Self.pathFields {
      paths[field] = try reader.member(object, field.rawValue) { (node) throws(DocumentError) in
        try places(node)
      }
    }
    return paths
  }

  private func path(_ object: Node, _ key: String) throws(DocumentError) -> [MessagePath]? {
    try reader.member(object, key) { (node) throws(DocumentError) in
      let object = try reader.object(node, "an object with a \"path\"")
      try reader.refuseUnknown(object, DocumentKeys.messagePath, of: "\"\(key)\"")
      return try reader.required(object, "path", Self.pathForm) { (node) throws(DocumentError) in
        try places(node)
      }
    }
  }

  private static let pathForm = "keys with dots between them, as in \"payload.customId\""

  /// One path, or several, which are tried in their order.
  private func places(_ node: Node) throws(DocumentError) -> [MessagePath] {
    if node.kind != .array { return [try path(node)] }
    let paths = try reader.array(node, "an array of paths", most: 16) { (node, _) throws(DocumentError) in
      try path(node)
    }
    guard !paths.isEmpty else { throw reader.mismatch(node, "an array of paths that is not empty") }
    return paths
  }

  private func path(_ node: Node) throws(DocumentError) -> MessagePath {
    guard let path = MessagePath(text: try reader.string(node, Self.pathForm)) else {
      throw reader.mismatch(node, Self.pathForm)
    }
    return path
  }

  // MARK: Rules

  private enum ActionName: String, CaseIterable { case keep, drop, mute, rewrite, `defer` }

  private func rule(_ node: Node) throws(DocumentError) -> MessageRule {
    let object = try reader.object(node, "a rule, an object")
    let action = try reader.required(object, "then", FeedReader.choices(ActionName.self)) {
      (node) throws(DocumentError) in try reader.choice(node, ActionName.self)
    }
    let known =
      switch action {
      case .rewrite: DocumentKeys.rewriteRule
      case .defer: DocumentKeys.deferRule
      case .keep, .drop, .mute: DocumentKeys.otherRule
      }
    try reader.refuseUnknown(object, known, of: "a rule with \"\(action.rawValue)\"")
    var rule = MessageRule(
      id: try reader.member(object, "id") { (node) throws(DocumentError) in try name(node) },
      condition: try reader.member(object, "if") { (node) throws(DocumentError) in
        try messageCondition(node)
      }, action: try self.action(action, object))
    rule.whenAbsent =
      try reader.member(object, "whenAbsent") { (node) throws(DocumentError) in
        try reader.choice(node, MessageRule.WhenAbsent.self)
      } ?? .skip
    return rule
  }

  private func action(_ name: ActionName, _ object: Node) throws(DocumentError) -> MessageRule.Action {
    switch name {
    case .keep: return .keep
    case .drop: return .drop
    case .mute: return .mute
    case .rewrite:
      let title = try reader.member(object, "title") { (node) throws(DocumentError) in
        try text(node)
      }
      let body = try reader.member(object, "body") { (node) throws(DocumentError) in
        let body = try text(node)
        guard !body.source.isEmpty else { throw reader.mismatch(node, "a string that is not empty") }
        return body
      }
      guard title != nil || body != nil else {
        throw reader.fail(expected: "\"title\" or \"body\", or both", found: "none of them")
      }
      return .rewrite(title: title, body: body)
    case .defer:
      let seconds = try reader.member(object, "seconds") { (node) throws(DocumentError) in
        try reader.integer(node, 1...604_800)
      }
      let minute = try reader.member(object, "until") { (node) throws(DocumentError) in
        try minuteOfDay(node)
      }
      switch (seconds, minute) {
      case (let seconds?, nil): return .defer(.period(seconds * 1000))
      case (nil, let minute?): return .defer(.minute(minute))
      default:
        throw reader.fail(
          expected: "one of \"seconds\" and \"until\"", found: seconds == nil ? "none of them" : "both")
      }
    }
  }

  /// A text with fields of the message.
  private func text(_ node: Node) throws(DocumentError) -> Template {
    let known = MessageRule.fields.map { "{{\($0)}}" }.joined(separator: ", ")
    let template = try template(node)
    guard template.fields.allSatisfy(MessageRule.fields.contains) else {
      throw reader.mismatch(node, "no placeholder but \(known)")
    }
    return template
  }

  // MARK: Conditions

  private static let messageKinds = DocumentKeys.messageCondition.keys

  private func messageCondition(_ node: Node) throws(DocumentError) -> MessageCondition {
    let expected = "an object with one of " + Self.messageKinds.map { "\"\($0)\"" }.joined(separator: ", ")
    let object = try reader.object(node, expected)
    let keys = reader.keys(object)
    guard let kind = Self.messageKinds.first(where: keys.contains) else {
      throw reader.fail(expected: expected, found: "none of them")
    }
    try reader.refuseUnknown(object, [kind], of: "a condition with \"\(kind)\"")
    func list() throws(DocumentError) -> Identifier {
      try reader.required(object, kind, Self.identifierForm) { (node) throws(DocumentError) in
        try name(node)
      }
    }
    switch kind {
    case "all": return .all(try messageConditions(object, kind))
    case "any": return .any(try messageConditions(object, kind))
    case "not":
      return .not(
        try reader.required(object, kind, "a condition") { (node) throws(DocumentError) in
          try messageCondition(node)
        })
    case "senderIn": return .senderIn(try list())
    case "senderNotIn": return .senderNotIn(try list())
    case "threadIn": return .threadIn(try list())
    default:
      return .contains(
        try reader.required(object, kind, JSONReader.textForm) { (node) throws(DocumentError) in
          try reader.text(node)
        })
    }
  }

  private func messageConditions(_ object: Node, _ kind: String) throws(DocumentError) -> [MessageCondition] {
    try reader.required(object, kind, "an array of conditions") { (node) throws(DocumentError) in
      let parts = try reader.array(node, "an array of conditions") { (node, _) throws(DocumentError) in
        try messageCondition(node)
      }
      guard !parts.isEmpty else { throw reader.fail(expected: "at least one element", found: "an empty array") }
      return parts
    }
  }
}
