/// When a place is open: spans for each day of the week, and exceptions for single days. Times of day are those of a wall clock.
public struct OpeningHours: Equatable, Sendable {
  /// From a minute of the day up to, and without, another. When `end` is not after `start`, it ends on the next day.
  public struct Span: Equatable, Sendable {
    /// 0 to 1,439.
    public var start: Int64
    /// 0 to 1,440.
    public var end: Int64

    public init(start: Int64, end: Int64) {
      self.start = start
      self.end = end
    }

    var length: Int64 { end > start ? end - start : end + 1440 - start }
  }

  /// Monday to Sunday.
  public var week: [[Span]]
  /// Days since 1970-01-01, with the spans that begin on them in place of the week's.
  public var exceptions: [Int64: [Span]]

  public init(week: [[Span]], exceptions: [Int64: [Span]] = [:]) {
    self.week = week
    self.exceptions = exceptions
  }

  /// The spans that begin on a day.
  func spans(on day: Int64) -> [Span] {
    exceptions[day] ?? week[LocalTime.weekday(day)]
  }

  public func isOpen(at time: Milliseconds, in zone: ZoneRules) -> Bool {
    isOpen(zone.local(time))
  }

  func isOpen(_ local: LocalTime) -> Bool {
    func isIn(_ span: Span, from day: Int64) -> Bool {
      let since = local.milliseconds - LocalTime(day: day, minute: span.start).milliseconds
      return since >= 0 && since < span.length * 60_000
    }
    return spans(on: local.day).contains { isIn($0, from: local.day) }
      || spans(on: local.day - 1).contains { isIn($0, from: local.day - 1) }
  }

  /// The first time after `time` at which it is open; nil when that is more than `limit` days away.
  public func nextOpening(after time: Milliseconds, in zone: ZoneRules, limit: Int64 = 400) -> Milliseconds? {
    let today = zone.local(time).day
    for day in (today - 1)...(today + limit) {
      var candidates = spans(on: day).flatMap { zone.times(of: LocalTime(day: day, minute: $0.start)) }
      // A change of the clocks may lead into the middle of a span.
      let midnight = zone.times(of: LocalTime(day: day, minute: 0))[0]
      let next = zone.times(of: LocalTime(day: day + 1, minute: 0))[0]
      if zone.offset(at: midnight) != zone.offset(at: next) {
        candidates.append(zone.change(between: midnight, and: next))
      }
      if let next = candidates.filter({ $0 > time && isOpen(at: $0, in: zone) }).min() { return next }
    }
    return nil
  }
}
