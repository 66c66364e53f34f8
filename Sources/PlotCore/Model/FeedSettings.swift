/// The settings of a feed for all its notifications together (docs/feed.md, Settings).
public struct FeedSettings: Equatable, Sendable {
  /// False: no notification is shown.
  public var notificationsEnabled = true
  /// In the order in which they are asked.
  public var strategies: [Strategy] = []
  /// Nil for any number on the screen.
  public var slots: Slots?
  /// Whether, at one instant and with one priority, the smallest region goes first.
  public var specificFirst = false
  /// Of notifications about places that are visited only the best one within so long is shown; nil for all of them.
  public var specificWithin: Milliseconds?
  public var coalescing: [Coalescing] = []
  /// Of groups that are not named here the first one is shown.
  public var exclusion: [Exclusion] = []
  public var caps: [Cap] = []
  public var quietHours: [QuietHours] = []
  public var messages = MessageSettings()

  public init() {}

  /// Whether several of one instant are looked at together.
  var joins: Bool { !coalescing.isEmpty || !exclusion.isEmpty || specificWithin != nil }
}
