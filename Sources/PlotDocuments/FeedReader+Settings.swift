internal import PlotCore

/// The feed's settings (docs/feed.md, Settings).
extension FeedReader {
  func settings(_ node: Node) throws(DocumentError) -> FeedSettings {
    let object = unsafe try reader.object(node, "settings, an object")
    unsafe try reader.refuseUnknown(
      object,
      [
        "notificationsEnabled", "strategies", "slots", "specificFirst", "coalescing", "exclusion", "caps", "quietHours",
        "messages",
      ], of: "the settings", allowsOwn: true)
    var settings = FeedSettings()
    settings.notificationsEnabled = unsafe try flag(object, "notificationsEnabled") ?? true
    settings.strategies =
      unsafe try reader.member(object, "strategies") { (node) throws(DocumentError) in
        unsafe try strategies(node)
      } ?? []
    settings.slots =
      unsafe try reader.member(object, "slots") { (node) throws(DocumentError) in unsafe try slots(node) }
    unsafe try reader.member(object, "specificFirst") { (node) throws(DocumentError) in
      (settings.specificFirst, settings.specificWithin) = unsafe try specificFirst(node)
    }
    settings.coalescing =
      unsafe try reader.member(object, "coalescing") { (node) throws(DocumentError) in
        unsafe try coalescing(node)
      } ?? []
    settings.exclusion =
      unsafe try reader.member(object, "exclusion") { (node) throws(DocumentError) in
        unsafe try exclusion(node)
      } ?? []
    unsafe try limits(object, &settings)
    if let messages = unsafe try reader.member(
      object, "messages", { (node) throws(DocumentError) in unsafe try messages(node) })
    {
      settings.messages = messages
    }
    return settings
  }
}
