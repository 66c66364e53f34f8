/// A span of time in which nobody has been at any of a campaign's regions (docs/feed.md, Absence).
public struct AbsenceRule: Equatable, Sendable {
  public enum Length: Equatable, Sendable {
    /// So many minutes since the last visit, 1 to 525,600.
    case lasting(minutes: Int64)
    /// Up to a time of day on the clocks of the campaign's zone.
    case upTo(Deadline)
  }

  /// The end of a span on certain days of the week, and where the span begins.
  public struct Deadline: Equatable, Sendable {
    /// Minute of the day, 1 to 1,440.
    public var by: Int64
    /// The days on which spans end, from Monday.
    public var days: [Bool]
    /// Minute of the day at which a span begins, 0 to 1,439.
    public var from: Int64
    /// The day of the week on which a span begins, 0 for Monday; nil for the day on which it ends.
    public var fromDay: Int?

    public init(by: Int64, days: [Bool] = Array(repeating: true, count: 7), from: Int64 = 0, fromDay: Int? = nil) {
      self.by = by
      self.days = days
      self.from = from
      self.fromDay = fromDay
    }
  }

  public var length: Length
  /// A visit counts that has lasted so long within the span.
  public var leastVisit: Milliseconds
  /// The longest time between two fixes in which the device may have been anywhere.
  public var longestGap: Milliseconds

  /// `longestGap`: an hour for spans within a day, 12 hours for longer ones.
  public init(_ length: Length, leastVisit: Milliseconds = 0, longestGap: Milliseconds? = nil) {
    self.length = length
    self.leastVisit = leastVisit
    self.longestGap = longestGap ?? Self.standardGap(of: length)
  }

  /// The least that a span is long on days of 24 hours; nil where it begins on another day than it ends.
  public var shortestSpan: Milliseconds? {
    switch length {
    case .lasting(let minutes): minutes * 60_000
    case .upTo(let deadline): deadline.fromDay == nil ? (deadline.by - deadline.from) * 60_000 : nil
    }
  }

  public static func standardGap(of length: Length) -> Milliseconds {
    switch length {
    case .lasting(let minutes): minutes > 1440 ? 12 * 3_600_000 : 3_600_000
    case .upTo(let deadline): deadline.fromDay == nil ? 3_600_000 : 12 * 3_600_000
    }
  }
}

/// A span of time that is judged as a whole: from its first moment to before its last.
struct AbsenceSpan: Equatable, Sendable {
  var from: Milliseconds
  var to: Milliseconds
}

extension AbsenceRule.Deadline {
  /// The span that ends on a day; nil where none does.
  private func span(endingOn day: Int64, in zone: ZoneRules) -> AbsenceSpan? {
    let weekday = LocalTime.weekday(day)
    guard days[weekday] else { return nil }
    var first = day
    if let fromDay {
      first -= Int64((weekday - fromDay + 7) % 7)
      if first == day, from >= by { first -= 7 }
    }
    let span = AbsenceSpan(
      from: zone.times(of: LocalTime(day: first, minute: from))[0],
      to: zone.times(of: LocalTime(day: day, minute: by))[0])
    // Both may lie in what is skipped when the clocks change.
    return span.from < span.to ? span : nil
  }

  /// The first span that ends after a time, and that `isMeant`.
  func next(after time: Milliseconds, in zone: ZoneRules, _ isMeant: (AbsenceSpan) -> Bool = { _ in true })
    -> AbsenceSpan?
  {
    let today = zone.local(time).day
    for day in today - 1...today + 15 {
      if let span = span(endingOn: day, in: zone), span.to > time, isMeant(span) { return span }
    }
    return nil
  }

  /// The last span that ends at a time or before it.
  func last(upTo time: Milliseconds, in zone: ZoneRules) -> AbsenceSpan? {
    let today = zone.local(time).day
    for back in -1...8 as ClosedRange<Int64> {
      if let span = span(endingOn: today - back, in: zone), span.to <= time { return span }
    }
    return nil
  }
}
