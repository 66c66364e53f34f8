/// A length of time with an open end on either side.
public struct TimeSpan: Equatable, Sendable {
  /// From here on.
  public var start: Milliseconds?
  /// Before this.
  public var end: Milliseconds?
  /// Whether both are what a clock on the wall shows, as if it were in UTC (`LocalTime`).
  public var isLocal: Bool

  public init(start: Milliseconds?, end: Milliseconds?, isLocal: Bool = false) {
    self.start = start
    self.end = end
    self.isLocal = isLocal
  }

  func contains(_ time: Milliseconds, in zone: ZoneRules) -> Bool {
    let time = isLocal ? zone.local(time).milliseconds : time
    return time >= start ?? .min && time < end ?? .max
  }

  /// The first time after `time` at which it begins; nil for none. A time that is skipped when the clocks change comes at the moment of the
  /// change, one that comes twice begins twice.
  func beginning(after time: Milliseconds, in zone: ZoneRules) -> Milliseconds? {
    guard let start else { return nil }
    guard isLocal else { return start > time ? start : nil }
    return zone.times(of: LocalTime(start)).first { $0 > time }
  }
}

/// When something may be shown: in any of some spans, or while something is open.
public enum Times: Equatable, Sendable {
  case spans([TimeSpan])
  case hours(OpeningHours)

  func contains(_ time: Milliseconds, in zone: ZoneRules) -> Bool {
    switch self {
    case .spans(let spans): spans.contains { $0.contains(time, in: zone) }
    case .hours(let hours): hours.isOpen(at: time, in: zone)
    }
  }

  /// The first time after `time` that counts; nil when there is none, or it is far away.
  func next(after time: Milliseconds, in zone: ZoneRules) -> Milliseconds? {
    switch self {
    case .spans(let spans): spans.compactMap { $0.beginning(after: time, in: zone) }.min()
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
  public enum Zone: Equatable, Sendable {
    /// The region's zone, where it has one, else the device's.
    case region
    case device
    case named(ZoneRules)

    /// The names of those that are no zone of their own, in the order of their numbers in the bytes of a state.
    public static let words = ["region", "device"]

    /// One of `words`, or an IANA name.
    public var name: String {
      switch self {
      case .region: Self.words[0]
      case .device: Self.words[1]
      case .named(let zone): zone.name
      }
    }

    /// The zone that it means. `region`: the region's, if it has one.
    public func rules(region: ZoneRules?, device: ZoneRules) -> ZoneRules {
      switch self {
      case .region: region ?? device
      case .device: device
      case .named(let zone): zone
      }
    }
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
