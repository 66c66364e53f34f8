@testable import PlotCore
@testable import PlotDocuments

/// Drives a machine through caps and quiet hours, with a host that shows everything.
struct LimitsTour {
  private static let settings = #""caps": [{"per": "all", "max": 2, "window": 3600}], "quietHours": "#
  private static let night = #"{"hours": {"daily": [["22:00", "06:00"]]}, "during": "DURING"}"#

  private static func feed(_ during: String, _ campaigns: String = campaigns, _ more: String = "") -> String {
    let quiet = night.replacing(during)
    return #"""
      {"version": 1, "regions": [{"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50}],
       "campaigns": [\#(campaigns)], "settings": {\#(settings)\#(quiet)\#(more)}}
      """#
  }

  private static let campaigns =
    #"{"id": "c", "type": "notification", "message": "m", "regions": ["a"], "resend": true}"#

  private var machine: Machine
  private var time: Milliseconds
  private var all: [Decision] = []

  private mutating func play(_ output: Machine.Output) throws {
    var queue = output.effects
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .decision(let decision): all.append(decision)
      case .show(let item): queue += try machine.confirm(item.matchIdentifier ?? "", shown: true).effects
      default: break
      }
    }
  }

  private mutating func visit() throws {
    for latitude in [10.0, 11] {
      time += 1000
      try play(machine.update(Fix(time: time, coordinate: Coordinate(latitude: latitude, longitude: 10))))
    }
  }

  private mutating func take(_ feed: String) throws {
    time += 1000
    try play(machine.setFeed(Feed.parse(Array(feed.utf8)), at: time))
  }

  static func decisions() throws -> [Decision] {
    let noon = Timestamp.parse("2026-05-16T12:00:00Z")!
    var tour = Self(machine: Machine(state: State(), feed: .empty), time: noon)
    tour.machine.settings.recordsDecisions = true
    tour.machine.settings.initial = .enter
    try tour.take(feed("drop"))
    for _ in 0..<3 { try tour.visit() }
    tour.time += 11 * 3_600_000
    for during in ["drop", "holdInside", "hold"] {
      try tour.take(feed(during))
      try tour.visit()
    }
    try tour.take(feed("hold", ""))
    try tour.take(feed("hold"))
    try tour.visit()
    try tour.play(tour.machine.setEnabled(false, at: tour.time))
    try tour.play(tour.machine.setEnabled(true, at: tour.time))
    try tour.take(feed("hold", campaigns, #", "notificationsEnabled": false"#))
    try tour.visit()
    return tour.all
  }
}

extension String {
  fileprivate func replacing(_ during: String) -> String {
    split(separator: "DURING", omittingEmptySubsequences: false).joined(separator: during)
  }
}
