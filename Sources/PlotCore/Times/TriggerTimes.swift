/// A length of time with an open end on either side.
public struct TimeSpan: Equatable, Sendable {
  /// From here on.
  public var start: Milliseconds?
  /// Before this.
  public var end: Milliseconds?

  public init(start: Milliseconds?, end: Milliseconds?) {
    self.start = start
    self.end = end
  }

  func contains(_ time: Milliseconds) -> Bool {
    time >= start ?? .min && time < end ?? .max
  }
}

/// When something may be shown: in any of some spans, or while something is open.
public enum Times: Equatable, Sendable {
  case spans([TimeSpan])
  case hours(OpeningHours)

  func contains(_ time: Milliseconds, in zone: ZoneRules) -> Bool {
    switch self {
    case .spans(let spans): spans.contains { $0.contains(time) }
    case .hours(let hours): hours.isOpen(at: time, in: zone)
    }
  }

  /// The first time after `time` that counts; nil when there is none, or it is far away.
  func next(after time: Milliseconds, in zone: ZoneRules) -> Milliseconds? {
    switch self {
    case .spans(let spans): spans.compactMap(\.start).filter { $0 > time }.min()
    case .hours(let hours): hours.nextOpening(after: time, in: zone)
    }
  }
}

/// When a campaign may be shown.
public struct TriggerTimes: Equatable, Sendable {
  public enum Rule: Equatable, Sendable {
    /// The region's times, if it has any.
    case inherit
    case anytime
    case own(Times)
  }

  /// Whose clock on the wall counts.
  public enum Zone: String, CaseIterable, Sendable {
    /// The region's zone, where it has one, else the device's.
    case region
    case device
  }

  /// The fate of a notification outside the times.
  public enum Outside: String, CaseIterable, Sendable {
    case drop
    /// Wait until they come, as long as the visit lasts.
    case hold
  }

  public var rule: Rule
  public var zone: Zone
  public var outside: Outside

  public static let standard = TriggerTimes(rule: .inherit, zone: .region, outside: .drop)

  public init(rule: Rule, zone: Zone, outside: Outside) {
    self.rule = rule
    self.zone = zone
    self.outside = outside
  }
}
