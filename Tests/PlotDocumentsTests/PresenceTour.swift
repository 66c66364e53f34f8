@testable import PlotCore
@testable import PlotDocuments

/// Drives a machine through what a fix may meet before it counts.
struct PresenceTour {
  private static let feed = #"""
    {"version": 1, "campaigns": [], "regions": [
       {"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50,
        "noise": {"preset": "exact", "confirmFixes": 2}},
       {"id": "n", "type": "beacon", "namespaceId": "00112233445566778899", "range": "near"},
       {"id": "b", "type": "geofence", "latitude": 20, "longitude": 10, "radius": 50, "noise": {"maxSpeed": 5}}]}
    """#

  static func decisions() throws -> [Decision] {
    var machine = Machine(state: State(), feed: try Feed.parse(Self.feed))
    machine.settings.recordsDecisions = true
    machine.settings.noise.maxImpliedSpeed = 100
    var all: [Decision] = []
    // To a and away at once; b too fast; then nobody can be at a again in a second.
    let walk: [(Milliseconds, Double, Double)] = [
      (0, 0, 0), (90_000, 10, 0), (180_000, 0, 0), (360_000, 20, 9), (360_001, 10, 0),
    ]
    for (second, latitude, speed) in walk {
      let place = Coordinate(latitude: latitude, longitude: 10)
      let output = try machine.update(Fix(time: 1_000_000 + second * 1000, coordinate: place, speed: speed))
      for case .decision(let decision) in output.effects { all.append(decision) }
    }
    let sender = Sighting.Sender.eddystone(namespaceId: "00112233445566778899", instanceId: "000000000000")
    let heard = try machine.update(Sighting(time: 500_000_000, sender: sender, proximity: .far))
    for case .decision(let decision) in heard.effects { all.append(decision) }
    all.append(machine.lateRefusal)
    return all
  }
}
