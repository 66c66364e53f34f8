internal import PlotCore

/// The content of notifications, and the categories of their actions (docs/feed.md, Content).
extension FeedReader {
  func categories(_ root: Node) throws(DocumentError) -> [PlotCore.Category] {
    var positions: [Identifier: Int] = [:]
    return try reader.member(root, "categories") { (node) throws(DocumentError) in
      try reader.array(node, "an array of categories", most: Feed.countLimit) {
        (node, index) throws(DocumentError) in
        let object = try reader.object(node, "a category, an object")
        try reader.refuseUnknown(object, DocumentKeys.category, of: "a category")
        let id = try identifier(object)
        try claim(id, index, &positions)
        return PlotCore.Category(
          id: id,
          actions: try reader.required(object, "actions", "an array of actions") {
            (node) throws(DocumentError) in try actions(node)
          })
      }
    } ?? []
  }

  private static let contentForm = "a content, an object"

  /// The content of a campaign; `categories` are those of the feed.
  func content(_ object: Node, _ categories: [PlotCore.Category]) throws(DocumentError) -> ContentTemplate? {
    try reader.member(object, "content") { (node) throws(DocumentError) in
      let object = try reader.object(node, Self.contentForm)
      try reader.refuseUnknown(object, DocumentKeys.content, of: "a content")
      var content = ContentTemplate()
      content.title = try reader.member(object, "title") { (node) throws(DocumentError) in
        try textTemplate(node)
      }
      content.subtitle = try reader.member(object, "subtitle") { (node) throws(DocumentError) in
        try textTemplate(node)
      }
      content.body = try reader.member(object, "body") { (node) throws(DocumentError) in
        try textTemplate(node)
      }
      content.sound = try reader.member(object, "sound") { (node) throws(DocumentError) in
        try reader.text(node)
      }
      content.badge = try reader.member(object, "badge") { (node) throws(DocumentError) in
        try reader.integer(node, Content.badgeRange)
      }
      content.category = try reader.member(object, "category") { (node) throws(DocumentError) in
        try reader.text(node)
      }
      content.attachments =
        try reader.member(object, "attachments") { (node) throws(DocumentError) in
          try reader.attachments(node, DocumentKeys.attachment, textTemplate).map {
            ContentTemplate.Attachment(id: $0.id, url: $0.url, type: $0.type)
          }
        } ?? []
      let known = content.category.flatMap { id in categories.first { $0.id == Identifier(id) } }
      content.actions =
        try reader.member(object, "actions") { (node) throws(DocumentError) in
          if let known, !known.actions.isEmpty {
            throw reader.fail(
              expected: "no \"actions\" beside a category of this feed that has some",
              found: reader.describe(node))
          }
          return try actions(node)
        } ?? []
      content.userInfo =
        try reader.member(object, "userInfo") { (node) throws(DocumentError) in
          try reader.userInfo(node)
        } ?? []
      return content
    }
  }

  private func actions(_ node: Node) throws(DocumentError) -> [ActionTemplate] {
    try reader.actions(node, DocumentKeys.action) { (action, object) throws(DocumentError) in
      let titles = try reader.member(object, "titles") { (node) throws(DocumentError) in
        try texts(node) { (node) throws(DocumentError) in try reader.text(node) }
      }
      return ActionTemplate(action, titles: (titles ?? []).map { .init(language: $0.language, text: $0.text) })
    }
  }

  // MARK: Languages

  private func texts(_ node: Node) throws(DocumentError) -> [(language: String, text: Template)] {
    try texts(node) { (node) throws(DocumentError) in try textTemplate(node) }
  }

  /// Texts by their languages.
  private func texts<Text>(
    _ node: Node, _ read: (Node) throws(DocumentError) -> Text
  ) throws(DocumentError) -> [(language: String, text: Text)] {
    let object = try reader.object(node, "an object of texts by language, as in {\"nl\": \"Welkom\"}")
    var texts: [(language: String, text: Text)] = []
    for language in reader.keys(object) {
      let text = try reader.member(object, language) { (node) throws(DocumentError) in
        guard Languages.isTag(language) else {
          throw reader.fail(
            expected: "a language's tag (BCP 47) as the key, as in \"nl\" or \"pt-BR\"", found: "\"\(language)\"")
        }
        return try read(node)
      }
      guard let text else { continue }
      guard !texts.contains(where: { $0.language.lowercased() == language.lowercased() }) else {
        throw reader.mismatch(node, "each language once", .duplicate)
      }
      texts.append((language, text))
    }
    guard !texts.isEmpty else { throw reader.fail(expected: "at least one language", found: "an empty object") }
    return texts
  }

  /// The texts of a campaign in other languages, its content's with them.
  func translations(_ object: Node) throws(DocumentError) -> [Translation] {
    var translations =
      try reader.member(object, "messages") { (node) throws(DocumentError) in
        try texts(node).map { Translation(language: $0.language, message: $0.text) }
      } ?? []
    try reader.member(object, "content") { (node) throws(DocumentError) in
      let object = try reader.object(node, Self.contentForm)
      try translate(object, "titles", &translations, \.title)
      try translate(object, "subtitles", &translations, \.subtitle)
      try translate(object, "bodies", &translations, \.body)
    }
    return translations
  }

  private func translate(
    _ object: Node, _ key: StaticString, _ translations: inout [Translation],
    _ text: WritableKeyPath<Translation, Template?>
  ) throws(DocumentError) {
    let found = try reader.member(object, key) { (node) throws(DocumentError) in
      let found = try texts(node)
      for (language, _) in found
      where !translations.contains(where: { $0.language.lowercased() == language.lowercased() }) {
        throw reader.fail(expected: "languages that \"messages\" has", found: "\"\(language)\"")
      }
      return found
    }
    for (language, template) in found ?? [] {
      for index in translations.indices where translations[index].language.lowercased() == language.lowercased() {
        translations[index][keyPath: text] = template
      }
    }
  }

  /// A text that is not empty, with placeholders.
  func textTemplate(_ node: Node) throws(DocumentError) -> Template {
    let template = try template(node)
    guard !template.source.isEmpty else { throw reader.mismatch(node, JSONReader.textForm) }
    return template
  }
}
