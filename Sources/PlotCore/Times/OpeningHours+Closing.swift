extension OpeningHours {
  /// The first time after `time` at which it is closed, when it is open at `time`: the end of this span, or of those that join it. Nil when that
  /// is more than `limit` days away.
  public func nextClosing(after time: Milliseconds, in zone: ZoneRules, limit: Int64 = 400) -> Milliseconds? {
    let today = zone.local(time).day
    // Where the clocks go back over midnight, a time of the next day may come first.
    var found: Milliseconds?
    for day in (today - 1)...(today + limit) {
      var ends = spans(on: day).map { LocalTime(day: day, minute: $0.start + $0.length) }
        .flatMap { zone.times(of: $0) }
      // A change of the clocks may lead out of a span.
      let midnight = zone.times(of: LocalTime(day: day, minute: 0))[0]
      let next = zone.times(of: LocalTime(day: day + 1, minute: 0))[0]
      if zone.offset(at: midnight) != zone.offset(at: next) {
        ends.append(zone.change(between: midnight, and: next))
      }
      let first = ends.filter { $0 > time && !isOpen(at: $0, in: zone) }.min()
      // Spans end at the latest on the day after the one on which they begin.
      if let before = found { return min(before, first ?? before) }
      found = first
    }
    return found
  }
}
