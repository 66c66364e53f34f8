// Where the device is, as bytes: what is read is handed on as changes.
extension Presence {
  func code(_ coder: inout some StateCoder, _ made: (PresenceChange) -> Void) {
    var hasBaseline = hasBaseline
    coder.code(&hasBaseline)
    made(.baseline(hasBaseline))
    let noVisit = Visit(region: Identifier(""), ordinal: 1, entered: 0, isSilent: false)
    coder.each(visits, empty: noVisit, put: { made(.visit($0)) }, { coder, visit in visit.code(&coder) })
    coder.table(ordinals, empty: 0, put: { made(.ordinal($0, $1)) }, { coder, count in coder.code(&count) })
    var regions = newRegions.sorted()
    coder.list(&regions, empty: Identifier("")) { coder, region in coder.code(&region) }
    made(.newRegions(Set(regions)))
    let place = Coordinate(latitude: 0, longitude: 0)
    let noCrossing = PendingCrossing(region: Identifier(""), isEnter: true, since: 0, coordinate: place)
    coder.each(
      crossings, empty: noCrossing, put: { made(.crossing($0)) },
      { coder, crossing in
        coder.code(&crossing.region)
        coder.code(&crossing.isEnter)
        Timestamp.code(&crossing.since, &coder)
        crossing.coordinate.code(&coder)
        coder.code(&crossing.fixes)
      })
    coder.table(heard, empty: 0, put: { made(.heard($0, $1)) }, { coder, time in Timestamp.code(&time, &coder) })
    coder.table(moved, empty: place, put: { made(.moved($0, $1)) }, { coder, center in center.code(&coder) })
    let noApproach = Approach(region: Identifier(""), seconds: 0, distance: 0)
    coder.each(
      approaches, empty: noApproach, put: { made(.approach($0)) },
      { coder, approach in
        coder.code(&approach.region)
        coder.code(&approach.seconds)
        coder.code(&approach.distance)
        coder.require(approach.distance.isFinite)
      })
    var plan = plan
    plan.code(&coder)
    made(.plan(plan))
    guard coder.version >= 3 else { return }
    coder.each(
      absences.values.sorted { $0.campaign < $1.campaign }, empty: AbsenceWatch(campaign: Identifier(""), since: 0),
      put: { made(.absence($0)) }, { coder, watch in watch.code(&coder) })
  }
}

extension Visit {
  fileprivate mutating func code<Coder: StateCoder>(_ coder: inout Coder) {
    var (region, ordinal, entered, since, repeated) = (region, ordinal, entered, since - entered, repeated)
    var (isSilent, countsDwelling, dwelt, reportedInside) = (isSilent, countsDwelling, dwelt, reportedInside)
    coder.code(&region)
    coder.code(&ordinal)
    Timestamp.code(&entered, &coder)
    coder.code(&since)
    coder.code(&isSilent)
    coder.code(&countsDwelling)
    coder.list(&dwelt, empty: 0) { coder, minutes in coder.code(&minutes) }
    coder.list(&reportedInside, empty: InsideTime(minute: 0, zone: .region)) { coder, time in
      coder.code(&time.minute)
      // A number for those that have one, as the first version has it, else the next number and the name.
      let words = TriggerTimes.Zone.words
      var kind = UInt64(words.firstIndex(of: time.zone) ?? words.count)
      coder.code(&kind)
      if kind < words.count {
        time.zone = words[Int(kind)]
      } else {
        coder.require(kind == words.count)
        coder.code(&time.zone)
      }
    }
    Timestamp.code(&repeated, &coder)
    guard Coder.reads else { return }
    let (start, overflow) = entered.addingReportingOverflow(since)
    coder.require(!overflow && Timestamp.range.contains(start) && (1...(.max / 2)).contains(ordinal))
    self = Visit(
      region: region, ordinal: ordinal, entered: entered, isSilent: isSilent, dwelt: dwelt,
      reportedInside: reportedInside,
      since: overflow ? entered : start, countsDwelling: countsDwelling, repeated: repeated)
  }
}

extension AbsenceWatch {
  fileprivate mutating func code(_ coder: inout some StateCoder) {
    var (start, end) = (gap?.lowerBound, gap?.upperBound)
    coder.code(&campaign)
    Timestamp.code(&since, &coder)
    Timestamp.code(&visited, &coder)
    Timestamp.code(&start, &coder)
    Timestamp.code(&end, &coder)
    Timestamp.code(&reported, &coder)
    coder.require((start == nil) == (end == nil) && start ?? 0 <= end ?? 0)
    gap = start.flatMap { start in end.flatMap { start <= $0 ? start..<$0 : nil } }
  }
}

extension RegionPlan {
  fileprivate mutating func code(_ coder: inout some StateCoder) {
    coder.code(&budget)
    guard budget != 0 else { return }
    coder.code(&fence, empty: .none) { coder, circle in circle.code(&coder) }
    coder.code(&isDense)
    coder.code(&unwatchedBeacons)
    coder.list(&registrations, empty: Registration(id: "", target: .circle(.none))) { coder, registration in
      coder.code(&registration.id)
      registration.target.code(&coder)
    }
  }
}

extension RegionPlan.Registration.Target {
  fileprivate mutating func code(_ coder: inout some StateCoder) {
    var (number, circle, filter) = (UInt64(0), Circle.none, RegionPlan.BeaconFilter(proximityUUID: ""))
    switch self {
    case .circle(let place): circle = place
    case .area(let place): (number, circle) = (1, place)
    case .beacon(let heard): (number, filter) = (2, heard)
    }
    coder.code(&number)
    if number == 2 {
      coder.code(&filter.proximityUUID)
      for part in [\RegionPlan.BeaconFilter.majorId, \.minorId] {
        var id = filter[keyPath: part].map(Int64.init)
        coder.code(&id)
        coder.require(id.map { UInt16(exactly: $0) != nil } ?? true)
        filter[keyPath: part] = id.flatMap { UInt16(exactly: $0) }
      }
    } else {
      circle.code(&coder)
    }
    switch number {
    case 0: self = .circle(circle)
    case 1: self = .area(circle)
    case 2: self = .beacon(filter)
    default: coder.reject()
    }
  }
}

extension Circle {
  fileprivate static var none: Circle { Circle(center: Coordinate(latitude: 0, longitude: 0), radius: 1) }

  fileprivate mutating func code(_ coder: inout some StateCoder) {
    center.code(&coder)
    coder.code(&radius)
    coder.require(radius.isFinite && radius >= 0)
  }
}
