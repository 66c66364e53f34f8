/// The rules for the times of visits: the feed, the configuration, and the host's facts.
struct VisitRules {
  var feed: Feed
  /// Of regions that have none of their own.
  var noise: Boxed<NoisePolicy>
  var beacons: BeaconPolicy
  /// The device's.
  var zone: ZoneRules
  var isForeground: Bool
  var foregroundSince: Milliseconds?
  /// When the newest fix came in that was not coarse.
  var heardFix: Milliseconds
  var proof: Proof
  /// The newest time.
  var now: Milliseconds

  func noise(at position: Int) -> NoisePolicy { feed.regions[position].noise ?? noise.values }
}

/// Events that come by themselves, and when: dwellings, times of day, repetitions, the silence of beacons, crossings that become sure.
extension Presence {
  /// Whether anything comes by itself.
  var hasTimes: Bool {
    !crossings.isEmpty || !heard.isEmpty || visits.contains { $0.countsDwelling && $0.isTimed }
  }

  /// When something is due; `.max` for never. Of several repetitions up to `seen` only the last counts.
  func nextDue(_ rules: VisitRules, seen: Milliseconds) -> Milliseconds {
    var next = Milliseconds.max
    if !heard.isEmpty { for region in heard.keys { next = min(next, silenceEnd(region, rules) ?? .max) } }
    for crossing in crossings { next = min(next, due(crossing, rules) ?? .max) }
    for visit in visits.indices where visits[visit].countsDwelling && visits[visit].isTimed {
      let visit = visits[visit]
      let needsProof = needsProof(visit, rules)
      let isLeaving = needsProof && crossingPosition(visit.region).found
      func see(_ time: Milliseconds) {
        next = min(next, needsProof ? rules.proof.wakeup(time, isLeaving: isLeaving, now: rules.now) : time)
      }
      forEachDwelling(of: visit, rules) { _, time in see(time) }
      forEachInside(of: visit, rules) { _, _, time in see(time) }
      if let time = nextRepeat(of: visit, rules, seen: seen) { see(time) }
    }
    return next
  }

  /// When a visit may have ended; `.max` when nothing says so.
  func leaving(_ visit: Visit, _ rules: VisitRules) -> Milliseconds {
    if crossings.isEmpty, heard.isEmpty { return .max }
    let (position, found) = crossingPosition(visit.region)
    let crossing = found ? crossings[position].since : .max
    // In the background a beacon may have been out of hearing for long before its silence ends the visit.
    let silence = rules.beacons.silence
    return min(crossing, heard[visit.region].map { $0 + silence + silence / 10 } ?? .max)
  }

  // MARK: Dwellings and times of day

  /// Calls `body` with each dwelling time, in minutes, that a visit still waits for, and when it is due; one may come more than once. While it
  /// is not sure whether the region was left, what would come after that waits.
  func forEachDwelling(of visit: Visit, _ rules: VisitRules, _ body: (Int64, Milliseconds) -> Void) {
    guard let position = visit.place else { return }
    let end = leaving(visit, rules)
    func give(_ minutes: Int64) {
      let due = visit.since + minutes * 60_000
      if !visit.dwelt.contains(minutes), due < end { body(minutes, due) }
    }
    for campaign in rules.feed.campaigns(at: position) {
      if case .dwelling(let minutes) = rules.feed.campaigns[campaign].trigger { give(minutes) }
    }
    for minutes in rules.feed.dwellings(at: visit.region) { give(minutes) }
  }

  /// Calls `body` with each time of day that a visit still waits for, the campaign's position, and when it comes.
  func forEachInside(of visit: Visit, _ rules: VisitRules, _ body: (Int, InsideTime, Milliseconds) -> Void) {
    guard let position = visit.place else { return }
    let end = leaving(visit, rules)
    for campaign in rules.feed.campaigns(at: position) {
      guard case .inside(let minute) = rules.feed.campaigns[campaign].trigger else { continue }
      let times = rules.feed.campaigns[campaign].times
      let time = InsideTime(minute: minute, zone: times.zone)
      if visit.reportedInside.contains(time) { continue }
      let zone = rules.feed.regions[position].clockZone(times.zone, device: rules.zone)
      let due = zone.next(minuteOfDay: minute, after: visit.since)
      if due < end { body(campaign, time, due) }
    }
  }

  // MARK: Triggers that come again and again while a visit lasts

  /// When a trigger comes again. Of several times up to `seen`, that is the last: however far a clock has jumped, each trigger has one.
  func nextRepeat(of visit: Visit, _ rules: VisitRules, seen: Milliseconds) -> Milliseconds? {
    let end = leaving(visit, rules)
    let seen = min(seen, end - 1)
    var next: Milliseconds?
    visit.forEachRepeating(rules) { _, repetition in
      let reported = max(visit.repeated ?? visit.since, repetition.first)
      let due = repetition.time(max(repetition.count(at: reported) + 1, repetition.count(at: seen)))
      if due < end { next = min(next ?? due, due) }
    }
    return next
  }

  /// The positions of the campaigns whose triggers come again now, each with how many times its trigger had come before; nil when none is due.
  /// Of several times that nobody was there to see, only the last counts.
  func repeats(of visit: Visit, _ rules: VisitRules, now: Milliseconds, seen: Milliseconds) -> [(Int, Int64)]? {
    guard let due = nextRepeat(of: visit, rules, seen: 0), due <= now, visit.place != nil else { return nil }
    let (reported, seen) = (visit.repeated ?? visit.since, min(seen, leaving(visit, rules) - 1))
    var repeats: [(Int, Int64)] = []
    visit.forEachRepeating(rules) { campaign, repetition in
      let count = repetition.count(at: now)
      guard count > 0, repetition.time(count) > reported, repetition.time(count + 1) > seen else { return }
      repeats.append((campaign, count))
    }
    return repeats
  }

  // MARK: What is not sure, and what is not heard

  func due(_ crossing: PendingCrossing, _ rules: VisitRules) -> Milliseconds? {
    rules.feed.region(crossing.region).flatMap { crossing.due(rules.noise(at: $0), heard: rules.heardFix) }
  }

  /// When the beacons of a visit have been silent for too long.
  func silenceEnd(_ region: Identifier, _ rules: VisitRules) -> Milliseconds? {
    guard let heard = heard[region] else { return nil }
    let policy = rules.beacons
    // Coming to the foreground, the host has only begun to listen as it does there.
    return rules.isForeground
      ? max(heard, rules.foregroundSince ?? 0) + policy.silence + policy.silence / 10
      : heard + policy.silenceInBackground + policy.silence / 10
  }
}

/// The times at which a trigger comes again while a visit lasts.
struct Repetition {
  enum Rhythm {
    case every(Milliseconds)
    /// At this minute of each day, on the clocks of a zone.
    case daily(minute: Int64, ZoneRules)
  }

  /// When the trigger came first.
  var first: Milliseconds
  var rhythm: Rhythm

  /// When it comes for so many times after the first.
  func time(_ count: Int64) -> Milliseconds {
    switch rhythm {
    case .every(let period): first + count * period
    case .daily(let minute, let zone):
      count == 0 ? first : zone.times(of: LocalTime(day: zone.local(first).day + count, minute: minute))[0]
    }
  }

  /// How many times it has come after the first.
  func count(at time: Milliseconds) -> Int64 {
    guard time >= first else { return 0 }
    switch rhythm {
    case .every(let period): return (time - first) / period
    case .daily(_, let zone):
      let days = zone.local(time).day - zone.local(first).day
      return days > 0 && self.time(days) > time ? days - 1 : max(days, 0)
    }
  }
}

extension Visit {
  /// Calls `body` with the position of each campaign that repeats in the visit, and its times.
  func forEachRepeating(_ rules: VisitRules, _ body: (Int, Repetition) -> Void) {
    guard let place else { return }
    for position in rules.feed.campaigns(at: place) {
      let campaign = rules.feed.campaigns[position]
      if campaign.isDaily, let minute = campaign.trigger.insideMinute {
        let zone = rules.feed.regions[place].clockZone(campaign.times.zone, device: rules.zone)
        let first = zone.next(minuteOfDay: minute, after: since)
        body(position, Repetition(first: first, rhythm: .daily(minute: minute, zone)))
      } else if let period = campaign.repeatEvery, campaign.trigger != .enter || !isSilent {
        let first = since + campaign.trigger.dwellingMinutes * 60_000
        body(position, Repetition(first: first, rhythm: .every(period)))
      }
    }
  }

  /// Whether the trigger of a campaign has come. A new feed may ask for another one than the one that came.
  func hasTriggered(_ campaign: Campaign) -> Bool {
    switch campaign.trigger {
    case .enter: true
    case .dwelling(let minutes): dwelt.contains(minutes)
    case .inside(let minute): reportedInside.contains(InsideTime(minute: minute, zone: campaign.times.zone))
    case .exit, .approaching, .absent, .trip: false
    }
  }

  /// Takes up where the region stands in the feed in force; nil for nowhere.
  mutating func stand(at position: Int?, in feed: Feed) {
    place = position
    isAtPlace = position.map { feed.regions[$0].shape.isPlace } ?? false
    isPlain = position.map { feed.regions[$0].shape.isCircle && !feed.regions[$0].hasOwnNoise } ?? false
    isTimed = position.map { feed.isTimed(at: $0) } ?? false
  }
}

extension Feed {
  /// Whether anything comes by itself in a visit to a region: a dwelling, a time of day, a trigger that repeats.
  func isTimed(at place: Int) -> Bool {
    if !tables.steps.starts.isEmpty { return true }
    for place in tables.campaigns.places(place) {
      let campaign = campaigns[tables.campaigns.positions[place]]
      switch campaign.trigger {
      case .dwelling, .inside: return true
      case .enter, .exit, .approaching, .absent, .trip: if campaign.repeatEvery != nil { return true }
      }
    }
    return false
  }
}
