import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// Notifications that wait in a visit, the device's zone and the history of campaigns outlive the process.
@Suite struct HeldTests {
  static let feed = #"""
    {"version": 1,
     "regions": [
       {"id": "a", "type": "geofence", "latitude": 1, "longitude": 1, "country": "NLD"},
       {"id": "é'", "type": "geofence", "latitude": 1, "longitude": 1, "timeZone": "America/New_York",
        "openingHours": {"sat": [["09:00", "17:00"]], "exceptions": {"2026-05-16": [["08:00", "09:00"]]}}}],
     "campaigns": [
       {"id": "hours", "type": "notification", "message": "m", "regions": ["a"], "triggerTimes":
         {"type": "openinghours", "openingHours": {"sat": [["09:00", "17:00"]]}, "outside": "hold"}},
       {"id": "late 'r'", "type": "geotrigger", "name": "n", "regions": ["é'"],
        "triggerTimes": {"type": "inherit", "outside": "hold"}},
       {"id": "member", "type": "notification", "message": "m", "regions": ["a", "é'"],
        "segmentation": {"any": [{"property": "p", "atLeast": 3}, {"campaign": "x", "shown": true}]}},
       {"id": "plain", "type": "notification", "message": "m", "regions": ["a"]},
       {"id": "again", "type": "notification", "message": "m", "regions": ["a"], "resend": true,
        "segmentation": {"all": [{"campaign": "plain", "opened": {"within": 3600}}, {"country": ["NLD"]}]}}]}
    """#

  static let inside = Coordinate(latitude: 1, longitude: 1)
  static let outside = Coordinate(latitude: 2, longitude: 1)
  /// 8 o'clock in Amsterdam on a Saturday.
  static let morning = Timestamp.parse("2026-05-16T06:00:00Z")!
  static let opening = Timestamp.parse("2026-05-16T07:00:00Z")!
  static let newYork = Timestamp.parse("2026-05-16T12:00:00Z")!

  /// A device of which some campaigns wait.
  static func waiting(_ folder: Folder) throws -> Device {
    var device = try Device(path: folder.path())
    device.machine.settings.hasFilter = false
    device.machine.settings.hasGeotriggerHandler = false
    let zone = try #require(ZoneFiles().zone("Europe/Amsterdam"))
    try device.take(device.machine.setTimeZone(zone, at: 1))
    try device.take(device.machine.setFeed(Feed.parse(feed), at: 2))
    let output = try device.machine.update(Fix(time: morning, coordinate: inside))
    try device.take(output)
    for case .show(let item) in output.effects {
      try device.take(device.machine.confirm(item.matchIdentifier ?? "", shown: true))
    }
    return device
  }

  /// Another process on the same file.
  static func restarted(_ device: inout Device) throws -> Machine {
    try device.reopen()
    let contents = try device.store.load()
    var machine = Machine(state: contents.state, feed: try #require(contents.feed))
    machine.settings.noise = .gates
    machine.settings.initial = .enter
    return machine
  }

  static func names(_ output: Machine.Output) -> [String] {
    output.effects.compactMap { effect in
      switch effect {
      case .show(let item): item.identifier
      case .event(let event): event.item.map { "\(event.kind.rawValue) \($0.identifier)" }
      default: nil
      }
    }
  }

  @Test func whatWaitsIsReadBackAndFiresAtItsTime() throws {
    let folder = try Folder()
    var device = try Self.waiting(folder)
    #expect(
      device.machine.state.delivery.held == [
        Held(campaign: Identifier("again"), region: Identifier("a"), until: nil),
        Held(campaign: Identifier("hours"), region: Identifier("a"), until: Self.opening),
        Held(campaign: Identifier("member"), region: Identifier("a"), until: nil),
        Held(campaign: Identifier("late 'r'"), region: Identifier("é'"), until: Self.newYork),
      ], "the member at é' is outside of its times")
    try device.check("while they wait")
    var machine = try Self.restarted(&device)
    #expect(
      machine.state.host.zone.name == "Europe/Amsterdam"
        && machine.state.delivery.held == device.machine.state.delivery.held)
    #expect(machine.nextWakeup == Self.opening)
    #expect(machine.recover(at: Self.opening - 1).effects.isEmpty)
    #expect(Self.names(machine.advance(to: Self.opening)) == ["hours;a"])
    #expect(Self.names(machine.advance(to: Self.newYork)) == ["geotrigger late 'r';é'"])
    let output = machine.setProperty(Identifier("p"), .integer(3), at: Self.newYork + 1)
    #expect(Self.names(output) == ["member;a"])
  }

  @Test func whatIsDueAtTheStartFiresThen() throws {
    let folder = try Folder()
    var device = try Self.waiting(folder)
    var machine = try Self.restarted(&device)
    let output = machine.recover(at: Self.newYork + 5000)
    #expect(Self.names(output) == ["hours;a", "geotrigger late 'r';é'"])
  }

  @Test func eachEndOfTheWaitingIsWritten() throws {
    let folder = try Folder()
    var device = try Self.waiting(folder)
    try device.take(device.machine.advance(to: Self.opening))
    try device.check("one is over")
    try device.take(device.machine.setProperty(Identifier("p"), .integer(2), at: Self.opening + 1))
    try device.check("they wait again")
    try device.take(device.machine.setProperty(Identifier("p"), .integer(3), at: Self.opening + 2))
    try device.check("another is over")
    let zone = try #require(ZoneFiles().zone("Asia/Kolkata"))
    try device.take(device.machine.setTimeZone(zone, at: Self.opening + 3))
    try device.check("another zone")
    try device.take(device.machine.update(Fix(time: Self.opening + 4, coordinate: Self.outside)))
    try device.check("the visits are over")
    #expect(try device.store.load().state.delivery.held.isEmpty)
    #expect(try device.store.load().state.host.zone.name == "Asia/Kolkata")
  }

  @Test func aZoneThatTheSystemNoLongerHasIsNoDamage() throws {
    let folder = try Folder()
    var device = try Self.waiting(folder)
    try device.take(device.machine.advance(to: Self.morning + 1))
    device.store.close()
    try RawConnection(folder.path()).execute("UPDATE zone SET name = 'America/Nowhere'")
    #expect(failure(at: folder.path()) == nil, "the device's zone is then UTC")
    try RawConnection(folder.path()).execute(
      "UPDATE feed SET json = replace(json, 'America/New_York', 'America/Nowhere')")
    #expect(failure(at: folder.path()) == nil)
  }

  @Test func theHistoryOfCampaignsIsReadBack() throws {
    let folder = try Folder()
    var device = try Self.waiting(folder)
    let match = try #require(device.machine.state.history.sentNotifications.first?.matchIdentifier)
    try device.take(device.machine.open(match, at: Self.morning + 1000))
    try device.take(device.machine.clearSent(isGeotrigger: false, at: Self.morning + 1500))
    try device.check("opened")
    var machine = try Self.restarted(&device)
    #expect(machine.state.history.campaignShown == [Identifier("plain"): Self.morning])
    #expect(machine.state.history.lastOpened == [Identifier("plain"): Self.morning + 1000])
    _ = try machine.update(Fix(time: Self.morning + 2000, coordinate: Self.outside))
    #expect(Self.names(try machine.update(Fix(time: Self.morning + 3000, coordinate: Self.inside))) == ["again;a"])
  }

  /// Random inputs while things wait; after each the store holds what the machine knows.
  @Test(arguments: UInt64(0)..<4)
  func everythingIsReadBack(_ seed: UInt64) throws {
    let folder = try Folder()
    var device = try Self.waiting(folder)
    var generator = SplitMix64(seed)
    let zones = try ["UTC", "Europe/Amsterdam", "Asia/Kolkata", "America/New_York"].map {
      try #require(ZoneFiles().zone($0))
    }
    var time = Self.morning
    var most = 0
    for step in 0..<120 {
      time += Int64.random(in: 0...7_200_000, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: try device.take(device.machine.setTimeZone(zones.randomElement(using: &generator)!, at: time))
      case 1:
        let value: PropertyValue? = [nil, .integer(1), .integer(3)].randomElement(using: &generator)!
        try device.take(device.machine.setProperty(Identifier("p"), value, at: time))
      case 2: try device.take(device.machine.advance(to: time))
      default:
        let place = generator.chance(0.6) ? Self.inside : Self.outside
        try device.take(device.machine.update(Fix(time: time, coordinate: place)))
      }
      for item in device.machine.state.delivery.intents {
        try device.take(device.machine.confirm(item.matchIdentifier ?? "", shown: generator.chance(0.3)))
      }
      most = max(most, device.machine.state.delivery.held.count)
      try device.check("seed \(seed), step \(step)")
      #expect(
        Machine(state: device.machine.state, feed: device.machine.feed, settings: device.machine.settings).nextWakeup
          == device.machine.nextWakeup)
    }
    #expect(most >= 3, "\(most) held at once")
  }
}
