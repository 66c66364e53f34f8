import Foundation
import PlotFiles
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// The history of displays, what waits for the end of quiet hours, and the clocks outlive the process.
@Suite struct LimitStoreTests {
  static let feed = #"""
    {"version": 1,
     "regions": [{"id": "a", "type": "geofence", "latitude": 1, "longitude": 1},
       {"id": "é'", "type": "geofence", "latitude": 1, "longitude": 1}],
     "campaigns": [
       {"id": "c", "type": "notification", "message": "m 'é'", "regions": ["a", "é'"], "resend": true, "tags": ["promo", "é"]},
       {"id": "d", "type": "notification", "message": "m", "regions": ["a"], "resend": true, "trigger": "dwelling",
        "dwellingMinutes": 10, "cooldownPeriod": 3600, "cooldownFrom": "removed"},
       {"id": "f", "type": "geotrigger", "name": "f", "regions": ["a"], "after": {"steps": [{"region": "a"}, {"region": "a", "event": "dwelling", "minutes": 60}]}}],
     "settings": {"caps": [{"per": "all", "max": 3, "window": 7200}, {"per": "tag", "tag": "promo", "max": 2, "days": 1}],
       "quietHours": [{"hours": {"daily": [["22:00", "06:00"]]}, "during": "hold"},
         {"tag": "é", "hours": {"daily": [["23:00", "05:00"]]}, "during": "holdInside"}]}}
    """#

  static let (inside, outside) = (Coordinate(latitude: 1, longitude: 1), Coordinate(latitude: 2, longitude: 1))
  static let noon = Timestamp.parse("2026-05-16T12:00:00Z")!
  static let evening = Timestamp.parse("2026-05-16T22:30:00Z")!
  static let morning = Timestamp.parse("2026-05-17T06:00:00Z")!

  static func device(_ folder: Folder) throws -> Device {
    var device = try Device(path: folder.path())
    device.machine.settings.hasFilter = false
    device.machine.settings.noise = .exact
    try device.take(device.machine.setFeed(Feed.parse(feed), at: 1))
    return device
  }

  static func showAll(_ device: inout Device) throws {
    while let match = device.machine.state.delivery.intents.first?.matchIdentifier {
      try device.take(device.machine.confirm(match, shown: true))
    }
  }

  static func walk(_ device: inout Device, _ place: Coordinate, at time: Milliseconds) throws {
    try device.take(device.machine.update(Fix(time: time, coordinate: place)))
    try showAll(&device)
  }

  /// Another process on the same file.
  static func restart(_ device: inout Device) throws {
    let settings = device.machine.settings
    try device.reopen()
    let contents = try device.store.load()
    device.machine = Machine(state: contents.state, feed: try #require(contents.feed))
    device.machine.settings = settings
  }

  @Test func aFullCapStaysFull() throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    try Self.walk(&device, Self.inside, at: Self.noon)
    #expect(device.machine.state.history.displays.map(\.region.text) == ["a", "é'"])
    try device.check("two displays")
    try Self.restart(&device)
    try Self.walk(&device, Self.outside, at: Self.noon + 1000)
    try Self.walk(&device, Self.inside, at: Self.noon + 2000)
    #expect(device.machine.state.history.displays.count == 2, "the tag's cap is full today")
  }

  @Test func whatWaitsIsShownAfterARestart() throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    try Self.walk(&device, Self.inside, at: Self.evening)
    #expect(device.machine.state.delivery.waiting.map(\.item.identifier) == ["c;a", "c;é'"])
    #expect(device.machine.state.delivery.waiting.map(\.insideOnly) == [false, false])
    try device.check("they wait")
    try Self.restart(&device)
    #expect(device.machine.nextWakeup == Self.evening + 600_000)
    try device.take(device.machine.recover(at: Self.morning))
    try Self.showAll(&device)
    #expect(device.machine.state.history.sentNotifications.map(\.identifier).sorted() == ["c;a", "c;é'", "d;a"])
    try device.check("they were shown")
    #expect(try device.store.load().state.delivery.waiting.isEmpty)
  }

  @Test func anotherEndKeepsTheOrder() throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    try Self.walk(&device, Self.inside, at: Self.evening)
    let zone = try #require(ZoneFiles().zone("Europe/Amsterdam"))
    try device.take(device.machine.setTimeZone(zone, at: Self.evening + 1))
    try device.check("another zone")
    #expect(device.machine.state.delivery.waiting.map(\.until) == Array(repeating: Self.morning - 7_200_000, count: 2))
    #expect(device.machine.state.delivery.waiting.map(\.insideOnly) == [true, true], "half past midnight there")
    try Self.walk(&device, Self.outside, at: Self.evening + 2)
    try device.check("the visits are over")
    #expect(device.machine.state.delivery.waiting.isEmpty)
  }

  @Test(arguments: [86_400_000, -86_400_000, 999, -1000, -60_000_000_000_000] as [Milliseconds])
  func aClockThatIsSetMovesTheSameInTheFile(_ jump: Milliseconds) throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    let start = ClockReading(wall: Self.noon - 1000, monotonic: 5000, boot: "bœt '1'")
    try device.take(device.machine.setClock(start))
    try Self.walk(&device, Self.inside, at: Self.noon)
    try device.take(device.machine.advance(to: Self.noon + 600_000))
    try Self.showAll(&device)
    let opened = try #require(device.machine.state.history.sentNotifications.first?.matchIdentifier)
    try device.take(device.machine.open(opened, at: Self.noon + 600_001))
    try device.take(device.machine.setForeground(false, at: Self.noon + 600_002))
    device.machine.settings.hasFilter = true
    try Self.walk(&device, Self.outside, at: Self.noon + 600_003)
    try Self.walk(&device, Self.inside, at: Self.noon + 600_004)
    #expect(device.machine.state.delivery.batches.count == 1 && device.machine.state.history.anchors.count == 1)
    #expect(!device.machine.state.history.chains.isEmpty)
    #expect(device.machine.state.screen.lastRemoved != nil && device.machine.state.host.backgroundSince != nil)
    try device.check("before")
    let wall = max(0, Self.noon + 600_005 + jump)
    let reading = ClockReading(wall: wall, monotonic: 5000 + 601_005, boot: "bœt '1'")
    try device.take(device.machine.setClock(reading))
    try device.check("after \(jump)")
    #expect(device.machine.state.newest == (abs(jump) < 1000 ? Self.noon + 601_004 : wall))
    try Self.restart(&device)
    try device.check("opened again")
  }

  @Test func theReadingOfTheClocksIsKept() throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    try device.take(device.machine.setClock(ClockReading(wall: Self.noon, monotonic: 7, boot: "x")))
    try Self.restart(&device)
    #expect(device.machine.state.host.clock == ClockReading(wall: Self.noon, monotonic: 7, boot: "x"))
    #expect(throws: InputError.self) {
      try device.machine.setClock(ClockReading(wall: Self.noon, monotonic: 6, boot: "x"))
    }
  }

  @Test(arguments: [
    "UPDATE display SET time = 9223372036854775807", "UPDATE waiting SET until = -1", "UPDATE waiting SET item = '{}'",
    "UPDATE clock SET wall = -1", "UPDATE clock SET monotonic = 9223372036854775807",
    "UPDATE visit SET since = 9223372036854775807",
  ])
  func recordsThatCannotBeAreDamage(_ sql: String) throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    try device.take(device.machine.setClock(ClockReading(wall: Self.noon - 1, monotonic: 7, boot: "x")))
    try Self.walk(&device, Self.inside, at: Self.noon)
    try Self.walk(&device, Self.outside, at: Self.noon + 1)
    try Self.walk(&device, Self.inside, at: Self.evening + 86_400_000)
    #expect(!device.machine.state.delivery.waiting.isEmpty && !device.machine.state.history.displays.isEmpty)
    device.store.close()
    #expect(failure(at: folder.path()) == nil)
    try RawConnection(folder.path()).execute(sql)
    #expect(failure(at: folder.path()) == .damaged)
  }

  /// Random inputs of all that bears on limits; after each the store holds what the machine knows.
  @Test(arguments: UInt64(0)..<3)
  func everythingIsReadBack(_ seed: UInt64) throws {
    let folder = try Folder()
    var device = try Self.device(folder)
    var generator = SplitMix64(seed)
    let zones = try ["UTC", "Europe/Amsterdam", "Asia/Kolkata"].map { try #require(ZoneFiles().zone($0)) }
    let feeds = try [
      Self.feed, Self.feed.replacingOccurrences(of: "22:00", with: "20:00"),
      Self.feed.replacingOccurrences(of: #""d""#, with: #""e""#),
    ].map { try Feed.parse($0) }
    var (wall, real, boot) = (Self.noon, Int64(0), 0)
    var most = 0
    for step in 0..<120 {
      let passed = Int64.random(in: 0...3_600_000, using: &generator)
      (wall, real) = (wall + passed, real + passed)
      switch Int.random(in: 0..<12, using: &generator) {
      case 0:
        if generator.chance(0.3) { (boot, real) = (boot + 1, 0) }
        wall += generator.chance(0.5) ? Int64.random(in: -90_000_000...90_000_000, using: &generator) : 0
        try device.take(device.machine.setClock(ClockReading(wall: wall, monotonic: real, boot: "\(boot)")))
        wall = max(wall, device.machine.state.newest)
      case 1: try device.take(device.machine.setTimeZone(zones.randomElement(using: &generator)!, at: wall))
      case 2: try device.take(device.machine.setFeed(feeds.randomElement(using: &generator)!, at: wall))
      case 3: try device.take(device.machine.advance(to: wall))
      case 4: try Self.restart(&device)
      default:
        let place = generator.chance(0.6) ? Self.inside : Self.outside
        try device.take(device.machine.update(Fix(time: wall, coordinate: place)))
      }
      most = max(most, device.machine.state.delivery.waiting.count)
      while let match = device.machine.state.delivery.intents.first?.matchIdentifier {
        try device.take(device.machine.confirm(match, shown: generator.chance(0.8)))
      }
      try device.check("seed \(seed), step \(step)")
      #expect(
        Machine(state: device.machine.state, feed: device.machine.feed, settings: device.machine.settings).nextWakeup
          == device.machine.nextWakeup)
    }
    let displays = device.machine.state.history.displays.count
    #expect(most >= 2 && displays >= 7, "\(most) waited at once, \(displays) displays")
  }
}
