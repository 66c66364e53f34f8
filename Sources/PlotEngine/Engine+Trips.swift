public import PlotCore
internal import PlotDocuments

/// Trips: ways to a region that the app has begun (docs/trips.md).
extension Engine {
  /// Begins a trip, as JSON, or gives one that is on another plan. Throws `notFound` for a region that the feed does not have.
  public func startTrip(_ trip: [UInt8], at time: Milliseconds) throws(EngineError) {
    let plan: TripPlan
    do throws(DocumentError) { plan = try TripPlan.parse(trip) } catch { throw EngineError(error) }
    try startTrip(plan, at: time)
  }

  public func startTrip(_ plan: TripPlan, at time: Milliseconds) throws(EngineError) {
    try input(.startTrip(plan, at: time), .info, "trip \(plan.id.text) to \(plan.region.text)")
  }

  /// The app says that a trip is over. Throws `notFound` where none of that id is on.
  public func endTrip(_ id: String, hasArrived: Bool, at time: Milliseconds) throws(EngineError) {
    try input(
      .endTrip(Identifier(id), hasArrived: hasArrived, at: time), .info,
      "trip \(id) \(hasArrived ? "has arrived" : "is cancelled")")
  }

  /// The trips that are on, and where they stand at a time, as JSON. Nothing changes by it.
  public func trips(at time: Milliseconds) throws(EngineError) -> String {
    let trips = try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      try session.check(time)
      return session.machine.state.trips.all.map { trip in
        (trip: trip, standing: session.machine.standing(of: trip, at: time))
      }
    }
    return TripDocument.trips(trips)
  }
}
