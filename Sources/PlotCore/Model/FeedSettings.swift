/// What a feed says about all its notifications together (docs/feed.md, Settings).
public struct FeedSettings: Equatable, Sendable {
  /// False: no notification is shown (seed 004: the application's settings).
  public var notificationsEnabled = true

  public init() {}
}
