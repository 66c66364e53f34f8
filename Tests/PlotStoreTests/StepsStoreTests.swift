import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// How far one is in the steps, and the times of day that were told, outlive the process.
@Suite struct StepsStoreTests {
  static let feed = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 1, "longitude": 1},
       {"id": "é'", "type": "geofence", "latitude": 2, "longitude": 1, "timeZone": "Europe/Amsterdam"}],
     "campaigns": [
       {"id": "walk 'é'", "type": "geotrigger", "name": "n", "regions": ["é'"], "resend": true,
        "after": {"steps": [{"region": "a"}, {"not": {"region": "é'", "event": "exit"}}, {"region": "a", "event": "exit"}], "within": 7200}},
       {"id": "two", "type": "notification", "message": "m", "regions": ["a"], "resend": true, "visits": {"every": 2},
        "after": {"steps": [{"region": "é'", "event": "dwelling", "minutes": 5}, {"region": "a"}, {"region": "a"}]}},
       {"id": "place", "type": "notification", "message": "m", "regions": ["é'"], "trigger": "inside", "insideAt": "18:00", "resend": true},
       {"id": "device", "type": "notification", "message": "m", "regions": ["é'", "a"], "trigger": "inside", "insideAt": "18:00",
        "triggerTimes": {"type": "anytime", "zone": "device"}, "resend": true}]}
    """#

  static let a = Coordinate(latitude: 1, longitude: 1)
  static let b = Coordinate(latitude: 2, longitude: 1)
  static let outside = Coordinate(latitude: 3, longitude: 1)
  static let noon = Timestamp.parse("2026-05-16T12:00:00Z")!
  static let hour: Milliseconds = 3_600_000

  static func device(_ folder: Folder) throws -> Device {
    var device = try Device(path: folder.path())
    device.machine.settings.hasFilter = false
    device.machine.settings.hasGeotriggerHandler = false
    try device.take(device.machine.setFeed(Feed.parse(feed), at: 1))
    return device
  }

  @Test func walksAndTimesAreReadBack() throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    try device.take(device.machine.update(Fix(time: Self.noon, coordinate: Self.a)))
    try device.take(device.machine.update(Fix(time: Self.noon + Self.hour, coordinate: Self.outside)))
    #expect(device.machine.state.history.chains == [Identifier("walk 'é'"): [Self.noon, Self.noon]])
    try device.check("a walk")
    var machine = try HeldTests.restarted(&device)
    #expect(machine.state.history.chains == device.machine.state.history.chains)
    // The trigger, two hours later.
    let output = try machine.update(Fix(time: Self.noon + 2 * Self.hour, coordinate: Self.b))
    #expect(HeldTests.names(output) == ["geotrigger walk 'é';é'"])
    #expect(machine.nextWakeup == Self.noon + 2 * Self.hour + 300_000)
    device.machine = machine
    try device.take(output)
    try device.check("used up")
    try device.take(device.machine.advance(to: Self.noon + 4 * Self.hour))
    #expect(
      device.machine.state.history.chains == [Identifier("two"): [Self.noon + 2 * Self.hour + 300_000, nil, nil]])
    #expect(device.machine.state.presence.visits[0].reportedInside == [InsideTime(minute: 1080, zone: .region)])
    try device.check("told at 18:00 in Amsterdam")
    machine = try HeldTests.restarted(&device)
    #expect(machine.nextWakeup == Self.noon + 6 * Self.hour, "18:00 of the device")
    device.machine = machine
    try device.take(device.machine.advance(to: Self.noon + 6 * Self.hour))
    #expect(device.machine.state.presence.visits[0].reportedInside.count == 2)
    try device.check("told at both")
    #expect(try HeldTests.restarted(&device).nextWakeup == nil)
  }

  @Test func whatCannotBeReadIsDamage() throws {
    for statement in [
      "INSERT INTO chain VALUES ('c', '5 x')", "UPDATE visit SET inside = '1080'",
      "UPDATE visit SET inside = '1080 moon'",
    ] {
      let folder = try Folder()
      var device = try Self.device(folder)
      try device.take(device.machine.update(Fix(time: Self.noon, coordinate: Self.a)))
      device.store.close()
      #expect(failure(at: folder.path()) == nil)
      try RawConnection(folder.path()).execute(statement)
      #expect(failure(at: folder.path()) == .damaged, "\(statement)")
    }
  }

  /// Progress that does not fit the steps is as none.
  @Test func otherNumbersOfStepsAreAsNone() throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    try device.take(device.machine.update(Fix(time: Self.noon, coordinate: Self.a)))
    device.store.close()
    try RawConnection(folder.path()).execute("UPDATE chain SET starts = '1 2 3 4 5'")
    var machine = try HeldTests.restarted(&device)
    _ = try machine.update(Fix(time: Self.noon + 1, coordinate: Self.outside))
    #expect(HeldTests.names(try machine.update(Fix(time: Self.noon + 2, coordinate: Self.b))) == [])
  }

  /// Random inputs; after each the store holds what the machine knows.
  @Test(arguments: UInt64(0)..<4)
  func everythingIsReadBack(_ seed: UInt64) throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    var generator = SplitMix64(seed)
    let zones = try ["UTC", "America/New_York"].map { try #require(ZoneFiles().zone($0)) }
    var time = Self.noon
    var (walks, told) = (0, 0)
    for step in 0..<120 {
      time += Int64.random(in: 0...7_200_000, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: try device.take(device.machine.setTimeZone(zones.randomElement(using: &generator)!, at: time))
      case 1: try device.take(device.machine.advance(to: time))
      case 2: try device.take(device.machine.setEnabled(generator.chance(0.7), at: time))
      default:
        let place = [Self.a, Self.b, Self.outside].randomElement(using: &generator)!
        try device.take(device.machine.update(Fix(time: time, coordinate: place)))
      }
      for item in device.machine.state.delivery.intents {
        try device.take(device.machine.confirm(item.matchIdentifier ?? "", shown: generator.chance(0.5)))
      }
      try device.check("seed \(seed), step \(step)")
      walks += device.machine.state.history.chains.count
      told += device.machine.state.presence.visits.count { !$0.reportedInside.isEmpty }
      #expect(
        Machine(state: device.machine.state, feed: device.machine.feed, settings: device.machine.settings).nextWakeup
          == device.machine.nextWakeup)
    }
    #expect(walks >= 80 && told >= 3, "\(walks) walks, \(told) told")
  }
}
