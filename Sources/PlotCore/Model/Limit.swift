/// At most so many displays (docs/feed.md, Caps). Only confirmed displays of notifications count.
public struct Cap: Equatable, Sendable {
  /// Which displays count together.
  public enum Scope: Equatable, Sendable {
    /// All; settings only.
    case all
    /// Those of campaigns with this tag; settings only.
    case tag(Identifier)
    /// Those of one campaign; in settings, of each.
    case campaign
    /// Those at one region; in settings, at each.
    case region
    /// Those of one visit.
    case visit
  }

  /// How long a display counts.
  public enum Span: Equatable, Sendable {
    /// So long after it, exclusive: any stretch of this length has at most `maximum`.
    case window(Milliseconds)
    /// On its own day and the next ones, as many in all, by the calendar of a zone.
    case days(Int64, TriggerTimes.Zone)
    /// As long as the visit lasts.
    case visit
  }

  public var scope: Scope
  public var maximum: Int64
  public var span: Span

  public init(scope: Scope, maximum: Int64, span: Span) {
    self.scope = scope
    self.maximum = maximum
    self.span = span
  }
}

/// When people are not disturbed (docs/feed.md, Quiet hours).
public struct QuietHours: Equatable, Sendable {
  /// The fate of a notification that comes then; the strictest comes last.
  public enum During: String, CaseIterable, Sendable {
    /// It waits for their end, and is shown then, wherever the person is.
    case hold
    /// It waits for their end, as long as the visit lasts.
    case holdInside
    case drop
  }

  /// For campaigns with this tag; nil for all. Settings only.
  public var tag: Identifier?
  public var hours: OpeningHours
  /// Whose clock counts.
  public var zone: TriggerTimes.Zone
  public var during: During

  public init(tag: Identifier? = nil, hours: OpeningHours, zone: TriggerTimes.Zone = .device, during: During = .drop) {
    self.tag = tag
    self.hours = hours
    self.zone = zone
    self.during = during
  }
}

/// A confirmed display of a notification.
public struct Display: Equatable, Sendable {
  public var time: Milliseconds
  public var campaign: Identifier
  public var region: Identifier
  public var visit: String?
  /// The campaign's at that time.
  public var tags: [Identifier]

  /// For how long, and how many, displays are remembered: longer than the longest cap.
  public static let memory: Milliseconds = 400 * 86_400_000
  public static let limit = 10_000

  public init(time: Milliseconds, campaign: Identifier, region: Identifier, visit: String?, tags: [Identifier]) {
    self.time = time
    self.campaign = campaign
    self.region = region
    self.visit = visit
    self.tags = tags
  }
}
