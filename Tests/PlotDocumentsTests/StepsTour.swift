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
    var machine = Machine(state: State(), feed: try Feed.parse(Self.feed))
    machine.settings.recordsDecisions = true
    machine.settings.initial = .enter
    var all: [Decision] = []
    // Not done; done, at the first and the second visit; done too long ago.
    let walk: [(Milliseconds, Double)] = [(0, 20), (1, 10), (2, 20), (3, 10), (4, 20), (5, 10), (6, 0), (99, 20)]
    for (second, latitude) in walk {
      let fix = Fix(time: 1_000_000 + second * 1000, coordinate: Coordinate(latitude: latitude, longitude: 10))
      for case .decision(let decision) in try machine.update(fix).effects { all.append(decision) }
    }
    return all
  }
}
