/// A time of day at which a visit is to be still on, and whose clock shows it.
public struct InsideTime: Equatable, Sendable {
  /// 0 to 1,439.
  public var minute: Int64
  public var zone: TriggerTimes.Zone

  public init(minute: Int64, zone: TriggerTimes.Zone) {
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

/// Enter without exit by a time of day.
extension Machine {
  /// Calls `body` with each time of day that a visit still waits for, the campaign's position, and when it comes.
  func forEachInside(of visit: Visit, _ body: (Int, InsideTime, Milliseconds) -> Void) {
    guard let position = visit.place else { return }
    let end = leaving(visit)
    for campaign in feed.campaigns(at: position) {
      guard case .inside(let minute) = feed.campaigns[campaign].trigger else { continue }
      let times = feed.campaigns[campaign].times
      let time = InsideTime(minute: minute, zone: times.zone)
      if visit.insideTold.contains(time) { continue }
      let zone = feed.regions[position].zone(times.zone, device: state.host.zone)
      let due = zone.next(minuteOfDay: minute, after: visit.since)
      if due < end { body(campaign, time, due) }
    }
  }

  /// The campaigns whose time of day has come in the visit at a position, as candidates.
  mutating func tellInsides(_ position: Int) -> [Candidate] {
    let visit = state.presence.visits[position]
    var due: [(campaign: Int, time: InsideTime)] = []
    let now = now
    forEachInside(of: visit) { campaign, time, at in if at <= now { due.append((campaign, time)) } }
    guard !due.isEmpty, let region = visit.place else { return [] }
    let change = state.presence.update(position) { visit in
      for (_, time) in due where !visit.insideTold.contains(time) { visit.insideTold.append(time) }
    }
    output.note(.presence(change))
    return due.map { candidate(feed.campaigns[$0.campaign], region, visit) }
  }
}
