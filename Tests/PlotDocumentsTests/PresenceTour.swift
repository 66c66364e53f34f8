import PlotTesting

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

  /// At rest before the gate of a park: a fix that is coarse, one beyond the gate, a jump into the park that lasts, and a walk from there.
  private static func weighed() throws -> [Decision] {
    let park = #"{"id": "p", "type": "geofence", "latitude": 0.0018, "longitude": 0, "radius": 172}"#
    var host = TestHost(try Feed.parse(#"{"version": 1, "campaigns": [], "regions": [\#(park)]}"#)) {
      $0.noise = .balanced
    }
    var time: Milliseconds = 1_000_000
    func fix(_ metres: Double, every period: Milliseconds = 10_000, accuracy: Double = 10, _ count: Int = 1) throws {
      for _ in 0..<count {
        time += period
        let place = Coordinate(latitude: metres / 111_195, longitude: 0)
        try host.fix(Fix(time: time, coordinate: place, accuracy: accuracy))
      }
    }
    try fix(0, 20)
    try fix(300, accuracy: 500)
    try fix(30)
    try fix(0, 3)
    for metres in stride(from: 60, through: 400, by: 20) { try fix(Double(metres)) }
    try fix(3000, every: 1000, 90)
    return host.decisions
  }

  /// A visit that is over when its fixes are handed over.
  private static func over() throws -> [Decision] {
    let feed = #"""
      {"version": 1, "regions": [{"id": "p", "type": "geofence", "latitude": 0, "longitude": 0, "radius": 50}],
       "campaigns": [{"id": "n", "type": "notification", "message": "m", "regions": ["p"]}]}
      """#
    var host = TestHost(try Feed.parse(feed)) { ($0.noise, $0.initial) = (.exact, .enter) }
    let fixes = [0, 1, 0].enumerated().map { index, degrees in
      Fix(time: 1_000_000 + Int64(index), coordinate: Coordinate(latitude: 1 - Double(degrees), longitude: 0))
    }
    try host.play(host.machine.handOver(fixes, at: 2_000_000))
    return host.decisions
  }

  /// A region that a feed update brings around a device.
  private static func brought() throws -> [Decision] {
    let region = #"{"id": "p", "type": "geofence", "latitude": 0, "longitude": 0, "radius": 50}"#
    var host = TestHost(.empty) { ($0.noise, $0.initialOnUpdate) = (.exact, .enter) }
    try host.fix(Fix(time: 1_000_000, coordinate: Coordinate(latitude: 0, longitude: 0)))
    let feed = try Feed.parse(#"{"version": 1, "campaigns": [], "regions": [\#(region)]}"#)
    try host.play(host.machine.setFeed(feed, at: 1_000_001))
    try host.fix(Fix(time: 1_000_002, coordinate: Coordinate(latitude: 0, longitude: 0)))
    return host.decisions
  }

  static func decisions() throws -> [Decision] {
    var host = TestHost(try Feed.parse(Self.feed)) { $0.noise.maxImpliedSpeed = 100 }
    // To a and away at once; b too fast; then nobody can be at a again in a second.
    let walk: [(Milliseconds, Double, Double)] = [
      (0, 0, 0), (90_000, 10, 0), (180_000, 0, 0), (360_000, 20, 9), (360_001, 10, 0),
    ]
    for (second, latitude, speed) in walk {
      let place = Coordinate(latitude: latitude, longitude: 10)
      try host.fix(Fix(time: 1_000_000 + second * 1000, coordinate: place, speed: speed))
    }
    let sender = Sighting.Sender.eddystone(namespaceId: "00112233445566778899", instanceId: "000000000000")
    try host.play(host.machine.update(Sighting(time: 500_000_000, sender: sender, proximity: .far)))
    return host.decisions
      + [
        .outOfOrder(newest: 0, limit: nil), .ahead(latest: 0, isByClock: true),
      ].compactMap {
        host.machine.decision(about: $0)
      } + (try weighed()) + (try unproven()) + (try over()) + (try brought())
  }

  /// Dwellings that are due without a fix: before any, as a hint has it until the device is restarted, and long after the newest.
  private static func unproven() throws -> [Decision] {
    let feed = #"""
      {"version": 1, "regions": [{"id": "p", "type": "geofence", "latitude": 0, "longitude": 0, "radius": 172}],
       "campaigns": [{"id": "d", "type": "geotrigger", "name": "d", "regions": ["p"], "trigger": "dwelling",
         "dwellingMinutes": 5}]}
      """#
    var host = TestHost(try Feed.parse(feed)) { ($0.noise, $0.initial) = (.balanced, .enter) }
    try host.play(host.machine.setClock(ClockReading(wall: 1_000_000, monotonic: 1000, boot: "a")))
    try host.play(host.machine.hint(Hint(time: 1_000_000, region: Identifier("p"), kind: .enter)))
    try host.play(host.machine.setClock(ClockReading(wall: 1_010_000, monotonic: 1000, boot: "b")))
    try host.wait(until: 1_400_000)
    try host.wait(until: 20_000_000)
    try host.play(host.machine.setEnabled(false, at: 20_000_000))
    try host.play(host.machine.setEnabled(true, at: 20_000_000))
    try host.fix(Fix(time: 20_000_001, coordinate: Coordinate(latitude: 0, longitude: 0), accuracy: 10))
    try host.wait(until: 20_400_000)
    try host.wait(until: 40_000_000)
    return host.decisions
  }
}
