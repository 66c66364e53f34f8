internal import PlotCore

// Crossings that are not sure yet, regions that move, and approaches that have been told.
extension Store {
  static let presenceTables = OwnedTables(
    tables: [
      "visit", "ordinal", "new_region", "crossing", "heard", "moved", "approach", "plan", "planned",
      "absence",
    ],
    times: [
      OwnedTables.Time("visit", "since").with { $0.otherwise = "entered" }, OwnedTables.Time("visit", "repeated"),
      OwnedTables.Time("crossing", "since"), OwnedTables.Time("heard", "time"), OwnedTables.Time("absence", "since"),
      OwnedTables.Time("absence", "visited"), OwnedTables.Time("absence", "gap_start"),
      OwnedTables.Time("absence", "gap_end"), OwnedTables.Time("absence", "told"),
    ], numbers: ["baseline"])

  func write(_ change: PresenceChange) {
    switch change {
    case .baseline(let known): set("baseline", known ? 1 : 0)
    case .newRegions(let regions):
      write(.newRegionsCleared)
      for region in regions.sorted() { write(.newRegion, .text(region.text)) }
    case .visit(let visit):
      write(
        .visit, .text(visit.region.text), .integer(visit.ordinal), .integer(visit.entered),
        .integer(visit.isSilent ? visit.countsDwelling ? 2 : 1 : 0),
        .text(visit.dwelt.map(String.init).joined(separator: " ")), .text(Self.text(visit.reportedInside)),
        .integer(visit.since), visit.repeated.map(Column.integer) ?? .null)
    case .visitEnded(let region): write(.visitEnded, .text(region.text))
    case .ordinal(let region, let value): write(.ordinal, .text(region.text), .integer(value))
    case .crossing(let crossing):
      write(
        .crossing, .text(crossing.region.text), flag(crossing.isEnter), .integer(crossing.since),
        .integer(crossing.fixes), .real(crossing.coordinate.latitude), .real(crossing.coordinate.longitude))
    case .crossingEnded(let region): write(.crossingEnded, .text(region.text))
    case .heard(let region, let time?): write(.heard, .text(region.text), .integer(time))
    case .heard(let region, nil): write(.heardEnded, .text(region.text))
    case .moved(let region, let center?):
      write(.moved, .text(region.text), .real(center.latitude), .real(center.longitude))
    case .moved(let region, nil): write(.movedEnded, .text(region.text))
    case .approach(let approach):
      write(.approach, .text(approach.region.text), .integer(approach.seconds), .real(approach.distance))
    case .approachesEnded(let region): write(.approachesEnded, .text(region.text))
    case .absence(let watch):
      func column(_ time: Milliseconds?) -> Column { time.map(Column.integer) ?? .null }
      write(
        .absence, .text(watch.campaign.text), .integer(watch.since), column(watch.visited),
        column(watch.gap?.lowerBound), column(watch.gap?.upperBound), column(watch.reported))
    case .absenceEnded(let campaign): write(.absenceEnded, .text(campaign.text))
    case .plan(let plan): write(plan)
    }
  }

  func loadPresence(_ settings: inout Settings) throws(StoreError) -> Presence {
    var presence = Presence()
    presence.apply(.baseline(settings.take("baseline") == 1))
    try database.run("SELECT region, ordinal, entered, silent, dwelt, since, inside, repeated FROM visit") {
      row throws(StoreError) in
      guard let region = row[0].text, let ordinal = row[1].integer, let entered = row[2].integer,
        Timestamp.range.contains(entered), let dwelt = row[4].text,
        Timestamp.range.contains(row[5].integer ?? entered)
      else { throw .unreadableRecord }
      let visit = Visit(
        region: Identifier(region), ordinal: ordinal, entered: entered, isSilent: row[3].integer != 0,
        dwelt: dwelt.split(separator: " ").compactMap { Int64($0) },
        reportedInside: try reportedInside(row[6].text ?? ""),
        since: row[5].integer, countsDwelling: row[3].integer != 1, repeated: row[7].integer)
      presence.apply(.visit(visit))
    }
    for change in try loadUnsure() { presence.apply(change) }
    try database.run("SELECT region, value FROM ordinal") { row throws(StoreError) in
      presence.apply(.ordinal(Identifier(row[0].text ?? ""), row[1].integer ?? 0))
    }
    var new: Set<Identifier> = []
    try database.run("SELECT region FROM new_region") { row throws(StoreError) in
      new.insert(Identifier(row[0].text ?? ""))
    }
    presence.apply(.newRegions(new))
    presence.apply(.plan(try loadPlan()))
    return presence
  }

  private func loadUnsure() throws(StoreError) -> [PresenceChange] {
    var changes: [PresenceChange] = []
    try database.run("SELECT region, enters, since, fixes, latitude, longitude FROM crossing") {
      row throws(StoreError) in
      guard let region = row[0].text, let since = row[2].integer, Timestamp.range.contains(since),
        let fixes = row[3].integer, let coordinate = coordinate(row[4], row[5])
      else { throw .unreadableRecord }
      let crossing = PendingCrossing(
        region: Identifier(region), isEnter: row[1].integer == 1, since: since, coordinate: coordinate, fixes: fixes)
      changes.append(.crossing(crossing))
    }
    try database.run("SELECT region, time FROM heard") { row throws(StoreError) in
      guard let region = row[0].text, let time = row[1].integer, Timestamp.range.contains(time) else {
        throw .unreadableRecord
      }
      changes.append(.heard(Identifier(region), time))
    }
    try database.run("SELECT region, latitude, longitude FROM moved") { row throws(StoreError) in
      guard let region = row[0].text, let center = coordinate(row[1], row[2]) else { throw .unreadableRecord }
      changes.append(.moved(Identifier(region), center))
    }
    try database.run("SELECT region, seconds, distance FROM approach") { row throws(StoreError) in
      guard let region = row[0].text, let seconds = row[1].integer, let distance = row[2].real else {
        throw .unreadableRecord
      }
      changes.append(.approach(Approach(region: Identifier(region), seconds: seconds, distance: distance)))
    }
    try database.run("SELECT campaign, since, visited, gap_start, gap_end, told FROM absence") {
      row throws(StoreError) in
      let times = (1...5).map { row[$0].integer }
      guard let campaign = row[0].text, let since = times[0], (times[2] == nil) == (times[3] == nil),
        times[2] ?? 0 <= times[3] ?? 0, times.allSatisfy({ $0.map(Timestamp.range.contains) ?? true })
      else { throw .unreadableRecord }
      let gap = times[2].flatMap { start in times[3].map { start..<$0 } }
      changes.append(
        .absence(
          AbsenceWatch(
            campaign: Identifier(campaign), since: since, visited: times[1], gap: gap, reported: times[4])))
    }
    return changes
  }

  private func coordinate(_ latitude: Column, _ longitude: Column) -> Coordinate? {
    guard let latitude = latitude.real, let longitude = longitude.real, (-90...90).contains(latitude),
      (-180...180).contains(longitude)
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// As `1080 region`, with a comma between two.
  static func text(_ times: [InsideTime]) -> String {
    times.map { "\($0.minute) \($0.zone)" }.joined(separator: ",")
  }

  func reportedInside(_ text: String) throws(StoreError) -> [InsideTime] {
    var times: [InsideTime] = []
    for part in text.split(separator: ",") {
      let words = part.split(separator: " ")
      guard words.count == 2, let minute = Int64(words[0]),
        TriggerTimes.Zone.words.contains(String(words[1])) || words[1].first?.isUppercase == true
      else { throw .unreadableRecord }
      times.append(InsideTime(minute: minute, zone: String(words[1])))
    }
    return times
  }
}
