/// From when a campaign's own cooldown counts.
public enum CooldownAnchor: String, CaseIterable, Sendable {
  /// When it was shown.
  case shown
  /// The enter of the visit in which it was shown.
  case enter
  /// The end of that visit; until then it is not shown again.
  case exit
  /// When it left the screen; until then it is not shown again.
  case removed
  /// When the app last went to the background.
  case background
}

/// When a notification leaves the screen by itself (docs/feed.md, On the screen).
public struct Stay: Equatable, Sendable {
  /// With the visit.
  public var endsAtExit = false
  /// When its campaign or region leaves the feed, and at the campaign's end.
  public var endsWithCampaign = false
  /// So long after it was shown.
  public var expireAfter: Milliseconds?
  /// At this time on the wall.
  public var expireAt: Milliseconds?

  public init() {}

  static let forEver = Stay()
}

/// A notification for the first place in a while.
public struct Welcome: Equatable, Sendable {
  /// Least time between two of them.
  public var period: Milliseconds
  /// The content without a network; nil for the same.
  public var offline: Content?
  /// How long it stays on the screen after its place was left, as long as another place is visited.
  public var minimumDisplay: Milliseconds
  /// Whether other notifications of the same instant are left out.
  public var isAlone: Bool

  /// The text for when there is no network.
  public struct Content: Equatable, Sendable {
    public var message: Template
    public var data: Template

    public init(message: Template, data: Template) {
      self.message = message
      self.data = data
    }
  }

  public init(period: Milliseconds, offline: Content?, minimumDisplay: Milliseconds, isAlone: Bool) {
    self.period = period
    self.offline = offline
    self.minimumDisplay = minimumDisplay
    self.isAlone = isAlone
  }
}

/// How many notifications may be on the screen at once.
public struct Slots: Equatable, Sendable {
  public enum WhenFull: String, CaseIterable, Sendable {
    /// Only one of a higher priority takes the place of another.
    case keep
    /// One of the same priority too.
    case replace
  }

  public var count: Int64
  public var whenFull: WhenFull

  public init(count: Int64, whenFull: WhenFull) {
    self.count = count
    self.whenFull = whenFull
  }
}

/// The summary that stands for several notifications of one group that come at once.
public struct Coalescing: Equatable, Sendable {
  public var group: Identifier
  public var atLeast: Int64
  /// `{{count}}` is how many there are; other placeholders are fields of the first one's region.
  public var message: Template
  /// Those on the screen count that were shown at most so long before; 0: only those that come at once.
  public var within: Milliseconds

  public init(group: Identifier, atLeast: Int64, message: Template, within: Milliseconds = 0) {
    self.group = group
    self.atLeast = atLeast
    self.message = message
    self.within = within
  }
}

/// Of an exclusion group the best within a time is shown, and not the first.
public struct Exclusion: Equatable, Sendable {
  public var group: Identifier
  /// A better one takes the place of one that was shown at most so long before.
  public var within: Milliseconds

  public init(group: Identifier, within: Milliseconds) {
    self.group = group
    self.within = within
  }
}

/// A rule with a vote about every notification.
public struct Strategy: Equatable, Sendable {
  public enum Rule: Equatable, Sendable {
    /// At most so many displays in any stretch of time of this length.
    case maximum(Int64, window: Milliseconds)
    /// Not before this much time has passed since something.
    case minimumTime(Milliseconds, after: Anchor)
    /// Not the same as the one shown before.
    case sameContent(Field)
    /// The app's own object, registered under this key, with its parameters as JSON text.
    case custom(parameters: String?)
  }

  public enum Anchor: String, CaseIterable, Sendable {
    case shown, removed, background
  }

  public enum Field: String, CaseIterable, Sendable {
    /// Everything that the person sees, hears or can choose.
    case shown
    case message, data
  }

  public var key: Identifier
  public var rule: Rule
  public var isEnabled: Bool

  public init(key: Identifier, rule: Rule, isEnabled: Bool) {
    self.key = key
    self.rule = rule
    self.isEnabled = isEnabled
  }
}
