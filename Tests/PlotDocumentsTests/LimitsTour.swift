import PlotTesting

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

  private var host: TestHost

  private mutating func visit() throws {
    for latitude in [10.0, 11] {
      try host.go(Coordinate(latitude: latitude, longitude: 10), at: host.time + 1000)
    }
  }

  private mutating func take(_ feed: String) throws { try host.set(Feed.parse(feed), at: host.time + 1000) }

  static func decisions() throws -> [Decision] {
    var tour = Self(host: TestHost(.empty) { $0.initial = .enter })
    tour.host.time = utc("2026-05-16T12:00")
    try tour.take(feed("drop"))
    for _ in 0..<3 { try tour.visit() }
    tour.host.time += 11 * 3_600_000
    for during in ["drop", "holdInside", "hold"] {
      try tour.take(feed(during))
      try tour.visit()
    }
    try tour.take(feed("hold", ""))
    try tour.take(feed("hold"))
    try tour.visit()
    try tour.host.play(tour.host.machine.setEnabled(false, at: tour.host.time))
    try tour.host.play(tour.host.machine.setEnabled(true, at: tour.host.time))
    try tour.take(feed("hold", campaigns, #", "notificationsEnabled": false"#))
    try tour.visit()
    return tour.host.decisions
  }
}

extension String {
  fileprivate func replacing(_ during: String) -> String {
    split(separator: "DURING", omittingEmptySubsequences: false).joined(separator: during)
  }
}
