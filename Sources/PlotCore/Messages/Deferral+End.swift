extension MessageRule.Deferral {
  /// When a message that is deferred now goes on. `zone`: the device's.
  func end(after now: Milliseconds, in zone: ZoneRules) -> Milliseconds {
    switch self {
    case .period(let period): return now + period
    case .minute(let minute):
      let today = zone.local(now).day
      for day in today...(today + 2) {
        let times = zone.times(of: LocalTime(day: day, minute: minute))
        if let next = times.first(where: { $0 > now }) { return next }
      }
      return now + 86_400_000
    }
  }
}
