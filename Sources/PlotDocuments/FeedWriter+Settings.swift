internal import PlotCore

extension Feed {
  /// The settings, where they are not the defaults.
  static func write(_ settings: FeedSettings, to json: inout JSONText) {
    guard settings != FeedSettings() else { return }
    json.key("settings")
    json.object { json in
      if !settings.notificationsEnabled { json.member("notificationsEnabled", false) }
    }
  }
}
