import PlotTesting

@testable import PlotCore
@testable import PlotDocuments

/// Drives a machine through votes, slots and removals, with a host that answers everything.
enum ShowingTour {
  private static let feed = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50},
       {"id": "b", "type": "geofence", "latitude": 20, "longitude": 10, "radius": 50},
       {"id": "c", "type": "geofence", "latitude": 30, "longitude": 10, "radius": 50},
       {"id": "d", "type": "geofence", "latitude": 40, "longitude": 10, "radius": 50},
       {"id": "e", "type": "geofence", "latitude": 50, "longitude": 10, "radius": 50}],
     "campaigns": [
       {"id": "key", "type": "notification", "message": "m", "regions": ["a"], "resend": true, "correlationKey": "k"},
       {"id": "group", "type": "notification", "message": "m", "regions": ["b"], "exclusionGroup": "g"},
       {"id": "other", "type": "notification", "message": "m", "regions": ["b"], "exclusionGroup": "g"},
       {"id": "one", "type": "notification", "message": "m", "regions": ["c"], "coalescingGroup": "many"},
       {"id": "two", "type": "notification", "message": "m", "regions": ["c"], "coalescingGroup": "many"},
       {"id": "hello", "type": "notification", "message": "m", "regions": ["d"], "welcome": {"period": 60, "alone": true}},
       {"id": "quiet", "type": "notification", "message": "m", "regions": ["d"]},
       {"id": "leaving", "type": "notification", "message": "m", "regions": ["e"], "removeOnExit": true, "showLate": true, "resend": true},
       {"id": "stay", "type": "notification", "message": "m", "regions": ["e"], "trigger": "dwelling", "dwellingMinutes": 5,
        "filterAt": "enter"}],
     "settings": {"slots": {"count": 2}, "coalescing": [{"group": "many", "message": "{{count}}"}]}}
    """#

  static func decisions() throws -> [Decision] {
    var host = TestHost(try Feed.parse(feed)) { $0.initial = .enter }
    host.time = 1_000_000
    host.answer = \.all
    func go(_ latitudes: Double...) throws {
      for latitude in latitudes {
        try host.go(Coordinate(latitude: latitude, longitude: 10), at: host.time + 1000)
      }
    }
    try go(10, 15, 10)
    host.removal = { _ in false }
    try go(15, 10)
    host.machine.settings.canRemove = false
    try go(15, 10)
    host.machine.settings.canRemove = true
    host.removal = { _ in true }
    try host.dismiss()
    try go(20, 30, 40, 50, 55)
    try host.dismiss()
    host.machine.settings.strategies = [Identifier("s")]
    try go(50)
    host.vetoes = { _, _, _ in true }
    try go(55, 50)
    host.machine.settings.hasFilter = true
    try go(55, 50, 55)
    // A batch that is open when the process ends.
    host.vetoes = { _, _, _ in false }
    host.answer = { _ in nil }
    try go(50)
    host.answer = \.all
    host.machine.settings.filterRecovery = .drop
    try host.play(host.machine.recover(at: host.time))
    return try host.decisions + nested()
  }

  /// Places in each other, of which the smallest is shown, by a host that cannot take a notification away.
  private static func nested() throws -> [Decision] {
    let feed = #"""
      {"version": 1,
       "regions": [
         {"id": "wide", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 5000},
         {"id": "narrow", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50}],
       "campaigns": [
         {"id": "wide", "type": "notification", "message": "m", "regions": ["wide"], "resend": true},
         {"id": "narrow", "type": "notification", "message": "m", "regions": ["narrow"], "resend": true}],
       "settings": {"specificFirst": {"within": 60}}}
      """#
    var host = TestHost(try Feed.parse(feed)) { $0.initial = .enter }
    host.machine.settings.canRemove = false
    for (index, latitude) in [10, 11, 10.02, 10].enumerated() {
      try host.go(Coordinate(latitude: latitude, longitude: 10), at: 1_000_000 + Milliseconds(index) * 10_000)
      if index == 1 { try host.dismiss() }
    }
    return host.decisions
  }
}
