// The trips that are on as bytes: values that are read are handed on as changes.
extension Trips {
  func code(_ coder: inout some StateCoder, _ made: (TripChange) -> Void) {
    let none = Trip(plan: TripPlan(id: Identifier(""), region: Identifier("")), started: 0)
    coder.each(all, empty: none, put: { made(.trip($0)) }, { coder, trip in trip.code(&coder) })
  }
}

extension Trip {
  fileprivate mutating func code(_ coder: inout some StateCoder) {
    plan.code(&coder)
    Timestamp.code(&started, &coder)
    coder.code(&isApproaching)
    coder.code(&isDelayed)
    coder.code(&isStopped)
    coder.code(&isOffRoute)
    coder.code(&wrongVisit)
  }
}

extension TripPlan {
  fileprivate mutating func code(_ coder: inout some StateCoder) {
    coder.code(&id)
    coder.code(&region)
    coder.code(&mode)
    var points = route?.points ?? []
    coder.list(&points, empty: Coordinate(latitude: 0, longitude: 0)) { coder, point in point.code(&coder) }
    coder.require(points.count != 1 && points.count <= Route.pointLimit)
    route = points.isEmpty ? nil : Route(points)
    Timestamp.code(&deadline, &coder)
    Timestamp.code(&expires, &coder)
    coder.code(&approachingSeconds)
    coder.code(&approachingMetres, empty: 0) { coder, metres in coder.code(&metres) }
    coder.require(approachingSeconds.map(Self.approachingSecondsRange.contains) ?? true)
    coder.require(approachingMetres.map(Self.approachingMetresRange.contains) ?? true)
    coder.list(&others, empty: Identifier("")) { coder, other in coder.code(&other) }
    coder.require(others.count <= Self.othersLimit)
    var read: [Identifier: PropertyValue] = [:]
    coder.table(metadata, empty: .integer(0), put: { read[$0] = $1 }, { coder, value in value.code(&coder) })
    coder.require(read.count <= Self.metadataLimit)
    metadata = read
  }
}
