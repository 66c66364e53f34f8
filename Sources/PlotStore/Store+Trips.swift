internal import PlotCore
internal import PlotDocuments

/// The trips that are on. How far they have come lies in the page.
extension Store {
  static let tripTables = OwnedTables(
    tables: ["trip", "trip_told"], times: [OwnedTables.Time("trip", "started")])

  static let tripSchema = """
    CREATE TABLE trip (id TEXT PRIMARY KEY, started INTEGER NOT NULL, plan TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE trip_told (id TEXT PRIMARY KEY, approaching INTEGER NOT NULL, delayed INTEGER NOT NULL,
      stopped INTEGER NOT NULL, off_route INTEGER NOT NULL, wrong_visit TEXT) STRICT, WITHOUT ROWID;
    """

  func write(_ change: TripChange) {
    switch change {
    case .trip(let trip):
      write(.trip, .text(trip.id.text), .integer(trip.started), .text(trip.plan.json))
      writeReports(trip)
    case .reports(let trip): writeReports(trip)
    case .ended(let id):
      write(.tripEnded, .text(id.text))
      write(.tripReportsEnded, .text(id.text))
    }
  }

  private func writeReports(_ trip: Trip) {
    write(
      .tripReports, .text(trip.id.text), flag(trip.isApproaching), flag(trip.isDelayed), flag(trip.isStopped),
      flag(trip.isOffRoute), text(trip.wrongVisit))
  }

  func loadTrips() throws(StoreError) -> Trips {
    var trips = Trips()
    try database.run(
      """
      SELECT started, plan, approaching, delayed, stopped, off_route, wrong_visit, trip.id
      FROM trip LEFT JOIN trip_told ON trip.id = trip_told.id
      """
    ) { row throws(StoreError) in
      guard let started = row[0].integer, Timestamp.range.contains(started), let json = row[1].text,
        let plan = try? TripPlan.parse(Array(json.utf8)), plan.id.text == row[7].text,
        trips.all.count < TripPlan.limit
      else { throw .unreadableRecord }
      var trip = Trip(plan: plan, started: started)
      trip.isApproaching = row[2].integer == 1
      trip.isDelayed = row[3].integer == 1
      trip.isStopped = row[4].integer == 1
      trip.isOffRoute = row[5].integer == 1
      trip.wrongVisit = row[6].text
      trips.apply(.trip(trip))
    }
    return trips
  }

  /// Elsewhere, and without the app's own values.
  func anonymizeTrips(by anonymization: inout Anonymization) throws(StoreError) {
    for trip in try loadTrips().all {
      try database.run(
        "UPDATE trip SET plan = ? WHERE id = ?",
        [.text(anonymization.trip(trip.plan).json), .text(trip.id.text)])
    }
  }
}
