internal import PlotCore

/// The feed's settings (docs/feed.md, Settings).
extension FeedReader {
  func settings(_ node: Node) throws(DocumentError) -> FeedSettings {
    let object = try reader.object(node, "settings, an object")
    try reader.refuseUnknown(object, DocumentKeys.settings, of: "the settings")
    var settings = FeedSettings()
    settings.notificationsEnabled = try flag(object, "notificationsEnabled") ?? true
    settings.strategies =
      try reader.member(object, "strategies") { (node) throws(DocumentError) in
        try strategies(node)
      } ?? []
    settings.slots =
      try reader.member(object, "slots") { (node) throws(DocumentError) in try slots(node) }
    try reader.member(object, "specificFirst") { (node) throws(DocumentError) in
      (settings.specificFirst, settings.specificWithin) = try specificFirst(node)
    }
    settings.coalescing =
      try reader.member(object, "coalescing") { (node) throws(DocumentError) in
        try coalescing(node)
      } ?? []
    settings.exclusion =
      try reader.member(object, "exclusion") { (node) throws(DocumentError) in
        try exclusion(node)
      } ?? []
    try limits(object, &settings)
    if let messages = try reader.member(
      object, "messages", { (node) throws(DocumentError) in try messages(node) })
    {
      settings.messages = messages
    }
    return settings
  }
}
