import PlotTesting

@testable import PlotCore
@testable import PlotDocuments

/// Drives a machine through the steps before a trigger and the visits that count.
struct StepsTour {
  private static let feed = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50},
       {"id": "b", "type": "geofence", "latitude": 20, "longitude": 10, "radius": 50}],
     "campaigns": [
       {"id": "walk", "type": "geotrigger", "name": "n", "regions": ["b"], "resend": true,
        "after": {"steps": [{"region": "a", "event": "exit"}], "within": 60}, "visits": {"from": 2, "to": 2}}]}
    """#

  static func decisions() throws -> [Decision] {
    var host = TestHost(try Feed.parse(Self.feed)) { $0.initial = .enter }
    // Not done; done, at the first and the second visit; done too long ago.
    let walk: [(Milliseconds, Double)] = [(0, 20), (1, 10), (2, 20), (3, 10), (4, 20), (5, 10), (6, 0), (99, 20)]
    for (second, latitude) in walk {
      try host.go(Coordinate(latitude: latitude, longitude: 10), at: 1_000_000 + second * 1000)
    }
    return host.decisions
  }
}
