/// A time of day at which a visit is to be still on, and whose clock shows it.
public struct InsideTime: Equatable, Sendable {
  /// 0 to 1,439.
  public var minute: Int64
  /// The name of the campaign's zone: `region`, `device`, or an IANA name.
  public var zone: String

  public init(minute: Int64, zone: TriggerTimes.Zone) { self.init(minute: minute, zone: zone.name) }

  public init(minute: Int64, zone: String) {
    self.minute = minute
    self.zone = zone
  }
}

extension ZoneRules {
  /// The first time after `time` at which clocks come to this minute of the day. A minute that is skipped counts at the moment of the
  /// change, one that comes twice the first time.
  func next(minuteOfDay minute: Int64, after time: Milliseconds) -> Milliseconds {
    var day = local(time).day
    while true {
      let next = times(of: LocalTime(day: day, minute: minute))[0]
      if next > time { return next }
      day += 1
    }
  }
}
