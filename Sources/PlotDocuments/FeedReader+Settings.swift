internal import PlotCore

/// The feed's settings (docs/feed.md, Settings).
extension FeedReader {
  func settings(_ node: Node) throws(DocumentError) -> FeedSettings {
    let object = unsafe try reader.object(node, "settings, an object")
    unsafe try reader.refuseUnknown(object, ["notificationsEnabled"], of: "the settings", allowsOwn: true)
    var settings = FeedSettings()
    settings.notificationsEnabled =
      unsafe try reader.member(object, "notificationsEnabled") { (node) throws(DocumentError) in
        unsafe try reader.boolean(node)
      } ?? true
    return settings
  }
}
