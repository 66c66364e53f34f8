internal import PlotCore

/// The newest plan that the host was given.
extension Store {
  func write(_ plan: RegionPlan) {
    write(.plan, .integer(plan.budget))
    write(plan.fence)
    line.add(flag(plan.isDense))
    line.add(.integer(plan.unwatchedBeacons))
    write(.plannedCleared)
    for registration in plan.registrations {
      switch registration.target {
      case .circle(let circle):
        write(.planned, .text(registration.id), .text("circle"))
        write(circle)
        line.add(.null)
      case .area(let circle):
        write(.planned, .text(registration.id), .text("area"))
        write(circle)
        line.add(.null)
      case .beacon(let filter):
        write(.planned, .text(registration.id), .text("beacon"))
        write(nil)
        line.add(.text(text(of: filter)))
      }
    }
  }

  /// Three values.
  private func write(_ circle: Circle?) {
    line.add(circle.map { .real($0.center.latitude) } ?? .null)
    line.add(circle.map { .real($0.center.longitude) } ?? .null)
    line.add(circle.map { .real($0.radius) } ?? .null)
  }

  /// `UUID major minor`, or as much of it as there is.
  private func text(of filter: RegionPlan.BeaconFilter) -> String {
    ([filter.proximityUUID] + [filter.majorId, filter.minorId].compactMap { $0.map(String.init) })
      .joined(separator: " ")
  }

  func loadPlan() throws(StoreError) -> RegionPlan {
    var plan = RegionPlan()
    try database.run("SELECT budget, dense, unwatched, latitude, longitude, radius FROM plan") {
      row throws(StoreError) in
      guard let budget = row[0].integer, let unwatched = row[2].integer else { throw .unreadableRecord }
      plan.budget = budget
      plan.isDense = row[1].integer == 1
      plan.unwatchedBeacons = unwatched
      plan.fence = row[5] == .null ? nil : try circle(row[3...])
    }
    try database.run("SELECT id, kind, beacon, latitude, longitude, radius FROM planned") { row throws(StoreError) in
      guard let id = row[0].text else { throw .unreadableRecord }
      let target: RegionPlan.Registration.Target
      switch row[1].text {
      case "circle": target = .circle(try circle(row[3...]))
      case "area": target = .area(try circle(row[3...]))
      case "beacon": target = .beacon(try filter(row[2].text ?? ""))
      default: throw .unreadableRecord
      }
      plan.registrations.append(RegionPlan.Registration(id: id, target: target))
    }
    plan.registrations.sort { Identifier($0.id) < Identifier($1.id) }
    return plan
  }

  private func circle(_ row: ArraySlice<Column>) throws(StoreError) -> Circle {
    let numbers = row.compactMap { if case .real(let number) = $0 { number } else { nil } }
    guard numbers.count == 3 else { throw .unreadableRecord }
    return Circle(center: Coordinate(latitude: numbers[0], longitude: numbers[1]), radius: numbers[2])
  }

  private func filter(_ text: String) throws(StoreError) -> RegionPlan.BeaconFilter {
    let words = text.split(separator: " ")
    let numbers = words.dropFirst().compactMap { UInt16($0) }
    guard (1...3).contains(words.count), numbers.count == words.count - 1 else { throw .unreadableRecord }
    return RegionPlan.BeaconFilter(
      proximityUUID: String(words[0]), majorId: numbers.first, minorId: numbers.count > 1 ? numbers[1] : nil)
  }
}
