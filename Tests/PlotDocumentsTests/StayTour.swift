import PlotTesting

@testable import PlotCore
@testable import PlotDocuments

/// Whose turn comes when they are not to be shown any more.
struct StayTour {
  static let feed = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50}],
     "campaigns": [
       {"id": "here", "type": "notification", "message": "m", "regions": ["a"], "removeOnExit": true, "removeAtEnd": false},
       {"id": "ending", "type": "notification", "message": "m", "regions": ["a"], "end": "1970-01-01T00:20:00Z", "removeAtEnd": true},
       {"id": "gone", "type": "notification", "message": "m", "regions": ["a"], "removeAtEnd": true},
       {"id": "short", "type": "notification", "message": "m", "regions": ["a"], "expireAt": "1970-01-01T00:20:00Z"}]}
    """#

  static func decisions() throws -> [Decision] {
    var host = TestHost(try Feed.parse(feed)) { $0.initial = .enter }
    host.machine.settings.hasFilter = true
    host.machine.settings.filterDeadline = 600_000
    try host.go(Coordinate(latitude: 10, longitude: 10), at: 1_000_000)
    let batch = host.machine.state.delivery.batches[0]
    try host.go(Coordinate(latitude: 20, longitude: 10), at: 1_010_000)
    try host.set(Feed.parse(feed.replacing("\"gone\"", with: "\"other\"")), at: 1_020_000)
    host.time = 1_300_000
    try host.play(host.machine.answerFilter(batch.token, batch.all, at: 1_300_000))
    return host.decisions
  }
}
