/// Trips: ways to a region that the app has begun (docs/trips.md).
extension Machine {
  /// Begins a trip, or gives one that is on another plan. Throws `invalid` or `unknownRegion`, and then nothing has changed.
  public mutating func startTrip(_ plan: TripPlan, at time: Milliseconds) throws(InputError) -> Output {
    try check(plan, at: time)
    output.restart()
    proceed(to: time)
    let before = state.trips.find(plan.id)
    put(before.map { $0.with(plan) } ?? Trip(plan: plan, started: now))
    if state.host.isEnabled, let fix = lastFix {
      var progress = state.trips.progress(of: plan.id) ?? TripProgress(plan, at: fix)
      if before != nil { progress.replan(plan, at: fix) }
      state.trips.put(progress, of: plan.id)
    }
    if before == nil, let trip = state.trips.find(plan.id) {
      consider(report(.started, of: trip, at: standing(of: trip)))
    }
    reportTrips(by: lastFix.flatMap { now - $0.time <= Self.freshFix ? $0 : nil })
    return finish()
  }

  /// A fix says so long where a trip begins.
  private static let freshFix: Milliseconds = 120_000

  private func check(_ plan: TripPlan, at time: Milliseconds) throws(InputError) {
    for region in [plan.region] + plan.others where feed.region(region) == nil { throw .unknownRegion(region.text) }
    if state.trips.find(plan.id) == nil, state.trips.isFull {
      throw .invalid(
        name: "trip", expected: "at most \(TripPlan.limit) trips at once", found: "one more, \"\(plan.id.text)\"")
    }
    if let expires = plan.expires, expires <= max(time, now) {
      throw .invalid(
        name: "expires", expected: "a time after the one at which the trip begins", found: Timestamp.text(expires))
    }
  }

  /// The app says that a trip is over: the device has arrived, or will not. Throws `unknownTrip`, and then nothing has changed.
  public mutating func endTrip(_ id: Identifier, hasArrived: Bool, at time: Milliseconds) throws(InputError) -> Output {
    guard state.trips.find(id) != nil else { throw .unknownTrip(id.text) }
    output.restart()
    proceed(to: time)
    // It may have expired meanwhile.
    if let trip = state.trips.find(id) { consider(end(trip, hasArrived ? .arrived : .cancelled)) }
    return finish()
  }

  /// A fix was followed.
  @inline(never)
  mutating func followTrips(_ fix: Fix, after previous: Fix?) {
    for trip in state.trips.all {
      var progress = state.trips.progress(of: trip.id)
      if progress == nil {
        progress = TripProgress(trip.plan, at: fix)
      } else {
        progress?.take(fix, after: previous, trip.plan)
      }
      if let progress { state.trips.put(progress, of: trip.id) }
    }
    reportTrips(by: fix)
  }

  /// Tells what has become of the trips; `fix`: where the device is now, where that is known.
  mutating func reportTrips(by fix: Fix? = nil) {
    guard !state.trips.isEmpty else { return }
    var candidates: [Candidate] = []
    for trip in state.trips.all {
      if let visit = visit(at: trip.plan.region) {
        candidates += end(trip, .arrived, visit)
      } else if now >= trip.end {
        candidates += end(trip, .expired)
      } else {
        candidates += judge(trip, fix)
      }
    }
    consider(candidates)
  }

  private mutating func judge(_ trip: Trip, _ fix: Fix?) -> [Candidate] {
    var (after, candidates) = (trip, [Candidate]())
    let standing = standing(of: trip)
    if let fix, let progress = state.trips.progress(of: trip.id) {
      after.isOffRoute = progress.isOffRoute(at: fix)
      if after.isOffRoute, !trip.isOffRoute { candidates += report(.offRoute, of: trip, at: standing) }
      after.isStopped = progress.isStopped(at: fix)
      if after.isStopped, !trip.isStopped { candidates += report(.stopped, of: trip, at: standing) }
      if !trip.isApproaching, let standing, trip.plan.isApproaching(standing.metres, standing.arrival - now) {
        after.isApproaching = true
        candidates += report(.approaching, of: trip, at: standing)
      }
    }
    if let deadline = trip.lateAt, isLate(trip, deadline, fix == nil ? nil : standing?.arrival) {
      after.isDelayed = true
      candidates += report(.delayed, of: trip, at: standing)
    }
    if after != trip { put(after) }
    return candidates
  }

  private func isLate(_ trip: Trip, _ deadline: Milliseconds, _ arrival: Milliseconds?) -> Bool {
    // Whether it has arrived in time is not sure yet.
    if now >= deadline { return !state.presence.isEntering([trip.plan.region]) }
    return arrival.map { TripProgress.isLate($0, deadline, at: now) } ?? false
  }

  /// When something about the trips is due by itself; `.max` for never.
  var nextTrip: Milliseconds { state.trips.nextDue { state.presence.isEntering([$0.plan.region]) } }

  /// Trips end at their destinations, and visits to other regions are told; gives the candidates of that.
  @inline(never)
  mutating func tripCandidates(after crossings: [Crossing]) -> [Candidate] {
    var candidates: [Candidate] = []
    for trip in state.trips.all {
      for crossing in crossings where crossing.isEnter && crossing.source != .passage {
        guard let visit = visit(at: crossing.region) else { continue }
        if crossing.region == trip.plan.region {
          candidates += end(trip, .arrived, visit)
          break
        }
        if trip.plan.others.contains(crossing.region), visit.id != trip.wrongVisit {
          var trip = trip
          trip.wrongVisit = visit.id
          put(trip)
          candidates += report(.wrongDestination, of: trip, visit, at: standing(of: trip))
        }
      }
    }
    return candidates
  }

  private mutating func put(_ trip: Trip) {
    let change = state.trips.put(trip)
    output.note(.trips(change))
  }

  /// `visit`: the one at the destination.
  private mutating func end(_ trip: Trip, _ moment: TripMoment, _ visit: Visit? = nil) -> [Candidate] {
    // Before its end, for the progress goes with it.
    let candidates = report(moment, of: trip, visit, at: moment == .arrived ? nil : standing(of: trip))
    if let change = state.trips.end(trip.id) { output.note(.trips(change)) }
    return candidates
  }

  /// How far a trip is from its destination, and when it will be there; nil where that is not known.
  public func standing(of trip: Trip, at time: Milliseconds? = nil) -> TripStanding? {
    guard let fix = lastFix, let progress = state.trips.progress(of: trip.id),
      let position = feed.region(trip.plan.region),
      let metres = progress.metres(trip.plan, to: shape(at: position), from: fix)
    else { return nil }
    return TripStanding(
      metres: metres, arrival: progress.arrival(metres, from: fix, at: max(now, time ?? now)), speed: progress.speed)
  }

  /// Tells what has happened. Gives the campaigns that wait for it, as candidates.
  private mutating func report(
    _ moment: TripMoment, of trip: Trip, _ visit: Visit? = nil, at standing: TripStanding?
  ) -> [Candidate] {
    let id = StableIdentifier.make(
      "trip", trip.id.text, String(trip.started), moment.rawValue, String(state.sequence))
    let reached = moment == .arrived ? visit?.since ?? now : standing?.arrival
    let coordinate = lastFix?.coordinate
    let ordinal = (state.presence.ordinals[trip.plan.region] ?? 0) + (moment == .arrived && visit != nil ? 0 : 1)
    emit(Self.kind(moment), region: trip.plan.region, visit: id, at: now) {
      if moment == .arrived, let since = visit?.since, since < $0.time { $0.since = since }
      if moment == .wrongDestination || moment == .arrived { $0.ordinal = visit?.ordinal ?? ordinal }
      $0.coordinate = coordinate
      $0.arrival = moment == .arrived ? nil : reached
      $0.trip = Event.Trip(
        plan: trip.plan, metres: standing?.metres, delay: Self.delay(trip.plan, moment, reached),
        other: moment == .wrongDestination ? visit?.region : nil)
    }
    guard let position = feed.region(trip.plan.region) else { return [] }
    let region = region(at: position)
    return feed.campaigns(at: position).compactMap { place in
      let campaign = feed.campaigns[place]
      guard campaign.trigger == .trip(moment) else { return nil }
      var candidate = Candidate(
        campaign: campaign, region: region, visit: id, ordinal: ordinal, arrival: reached, steps: steps(of: campaign))
      candidate.origin = .trip(Boxed(trip.plan))
      return candidate
    }
  }

  /// How much later than the deadline; less than nothing where that is not reached.
  private static func delay(_ plan: TripPlan, _ moment: TripMoment, _ reached: Milliseconds?) -> Milliseconds? {
    guard moment == .arrived || moment == .delayed, let deadline = plan.deadline, let reached else { return nil }
    return reached - deadline
  }

  private static func kind(_ moment: TripMoment) -> Event.Kind {
    switch moment {
    case .started: .tripStarted
    case .approaching: .tripApproaching
    case .arrived: .tripArrived
    case .stopped: .tripStopped
    case .offRoute: .tripOffRoute
    case .delayed: .tripDelayed
    case .wrongDestination: .tripWrongDestination
    case .expired: .tripExpired
    case .cancelled: .tripCancelled
    }
  }
}
