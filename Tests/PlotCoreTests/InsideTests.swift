import PlotTesting
import Testing

@testable import PlotCore

/// Enter without exit by a time of day (docs/feed.md, Inside at a time).
@Suite struct InsideTests {
  static let six = Trigger.inside(minuteOfDay: 1080)
  static let away = north(5000)

  static func shop(zone: String? = "Europe/Amsterdam") throws -> Region {
    var region = circle("a")
    region.values.zone = try zone.map(Zones.named)
    return region
  }

  static func campaign(
    _ trigger: Trigger = six, id: String = "c", zone: TriggerTimes.Zone = .region, repeatRule: RepeatRule = .always
  ) -> Campaign {
    notification(
      id, trigger, times: TriggerTimes(rule: .inherit, zone: zone, outside: .drop), repeatRule: repeatRule)
  }

  /// A machine whose device came into the shop at a time.
  static func entered(
    _ time: Milliseconds, _ campaigns: Campaign..., zone: String? = "Europe/Amsterdam"
  ) throws -> Machine {
    var machine = machine([try shop(zone: zone)], campaigns)
    _ = try machine.fix(time, origin)
    return machine
  }

  @Test func itIsToldOncePerVisit() throws {
    var machine = try Self.entered(utc("2026-05-16T09:00"), Self.campaign())
    let six = utc("2026-05-16T16:00")
    #expect(machine.nextWakeup == six)
    #expect(machine.advance(to: six - 1).effects.isEmpty)
    let output = machine.advance(to: six)
    #expect(output.shows.map(\.identifier) == ["c;a"] && output.shows[0].trigger == Self.six)
    #expect(output.events.isEmpty, "no region event")
    #expect(output.reasons("c").first == .triggered && output.decisions.allSatisfy { $0.time == six })
    _ = try machine.confirmAll(output)
    #expect(machine.nextWakeup == nil)
    #expect(try machine.fix(utc("2026-05-18T18:00"), origin).effects.isEmpty)
    _ = try machine.fix(utc("2026-05-18T19:00"), Self.away)
    _ = try machine.fix(utc("2026-05-18T20:00"), origin)
    #expect(machine.nextWakeup == utc("2026-05-19T16:00"), "the next visit has it again")
    #expect(machine.advance(to: utc("2026-05-19T16:00")).shows.count == 1)
  }

  @Test func leavingBeforeItsTimeIsTheEnd() throws {
    var machine = try Self.entered(utc("2026-05-16T09:00"), Self.campaign())
    var late = machine
    #expect(try machine.fix(utc("2026-05-16T15:59:59"), Self.away).shows.isEmpty)
    #expect(machine.nextWakeup == nil)
    // A fix after the time lets it happen first, even if it is the one that ends the visit.
    let output = try late.fix(utc("2026-05-16T16:00"), Self.away)
    #expect(output.shows.count == 1 && output.events.names == ["region-exit a"])
  }

  @Test func anEnterAtThatMomentWaitsForTheNextDay() throws {
    #expect(
      try Self.entered(utc("2026-05-16T16:00"), Self.campaign()).nextWakeup == utc("2026-05-17T16:00"))
    #expect(
      try Self.entered(utc("2026-05-16T16:00") - 1, Self.campaign()).nextWakeup == utc("2026-05-16T16:00"))
  }

  @Test func aTimeThatIsSkippedCountsAtTheChange() throws {
    let night = Self.campaign(.inside(minuteOfDay: 150))
    var machine = try Self.entered(utc("2026-03-28T20:00"), night)
    #expect(machine.nextWakeup == utc("2026-03-29T01:00"))
    #expect(machine.advance(to: utc("2026-03-29T01:00")).shows.count == 1)
  }

  @Test func aTimeThatComesTwiceCountsTheFirstTime() throws {
    let night = Self.campaign(.inside(minuteOfDay: 150))
    var machine = try Self.entered(utc("2026-10-24T20:00"), night)
    #expect(machine.nextWakeup == utc("2026-10-25T00:30"))
    #expect(machine.advance(to: utc("2026-10-25T00:30")).shows.count == 1)
    #expect(machine.nextWakeup == nil)
    #expect(try Self.entered(utc("2026-10-25T00:45"), night).nextWakeup == utc("2026-10-26T01:30"))
  }

  @Test func theZoneOfThePlaceOrOfTheDevice() throws {
    var machine = try Self.entered(
      utc("2026-05-16T09:00"), Self.campaign(id: "place"), Self.campaign(id: "device", zone: .device))
    _ = machine.setTimeZone(try Zones.named("America/New_York"), at: utc("2026-05-16T09:01"))
    #expect(machine.nextWakeup == utc("2026-05-16T16:00"))
    #expect(machine.advance(to: utc("2026-05-16T16:00")).shows.map(\.campaign.text) == ["place"])
    #expect(machine.nextWakeup == utc("2026-05-16T22:00"))
    #expect(machine.advance(to: utc("2026-05-16T22:00")).shows.map(\.campaign.text) == ["device"])
    #expect(machine.nextWakeup == nil)
    // A place without a zone has the device's.
    #expect(try Self.entered(utc("2026-05-16T09:00"), Self.campaign(), zone: nil).nextWakeup == utc("2026-05-16T18:00"))
  }

  @Test func anotherZoneOfTheDeviceMovesIt() throws {
    var machine = try Self.entered(utc("2026-05-16T09:00"), Self.campaign(zone: .device))
    #expect(machine.nextWakeup == utc("2026-05-16T18:00"))
    _ = machine.setTimeZone(try Zones.named("America/New_York"), at: utc("2026-05-16T10:00"))
    #expect(machine.nextWakeup == utc("2026-05-16T22:00"))
    // It has passed by then: told at the next input.
    let output = machine.setTimeZone(try Zones.named("Asia/Kolkata"), at: utc("2026-05-16T13:00"))
    #expect(output.shows.isEmpty && machine.nextWakeup == utc("2026-05-16T12:30"))
    let next = machine.advance(to: utc("2026-05-16T13:00"))
    #expect(next.shows.count == 1 && next.decisions[0].time == utc("2026-05-16T13:00"))
    // And is not told again where it comes again.
    _ = try machine.confirmAll(next)
    _ = machine.setTimeZone(try Zones.named("America/New_York"), at: utc("2026-05-16T13:01"))
    #expect(machine.nextWakeup == nil)
  }

  @Test func aNewFeedMovesIt() throws {
    var machine = try Self.entered(utc("2026-05-16T09:00"), Self.campaign())
    let shop = try Self.shop()
    func take(_ minute: Int64, _ time: String) {
      _ = machine.setFeed(feed([shop], [Self.campaign(.inside(minuteOfDay: minute))]), at: utc(time))
    }
    take(1200, "2026-05-16T10:00")
    #expect(machine.nextWakeup == utc("2026-05-16T18:00"))
    take(720, "2026-05-16T11:00")
    #expect(machine.nextWakeup == utc("2026-05-16T10:00"), "noon has passed")
    #expect(machine.advance(to: utc("2026-05-16T11:00")).shows.count == 1)
    take(1080, "2026-05-16T11:01")
    #expect(machine.advance(to: utc("2026-05-16T16:00")).shows.isEmpty, "the first is not confirmed yet")
    take(720, "2026-05-16T16:01")
    #expect(machine.nextWakeup == nil, "told in this visit")
    #expect(
      machine.state.presence.visits[0].reportedInside == [
        InsideTime(minute: 720, zone: .region), InsideTime(minute: 1080, zone: .region),
      ])
  }

  @Test func severalAtOneTimeAreConsideredTogether() throws {
    let campaigns = [
      Self.campaign(id: "z"), notification("dwell", .dwelling(minutes: 60)), Self.campaign(id: "b"),
      Self.campaign(.inside(minuteOfDay: 1081), id: "later"),
    ]
    var machine = machine([try Self.shop()], campaigns) { $0.hasFilter = true }
    _ = try machine.fix(utc("2026-05-16T15:00"), origin)
    let output = machine.advance(to: utc("2026-05-16T16:00"))
    #expect(output.asks.map { $0.items.map(\.campaign.text) } == [["dwell", "z", "b"]])
    #expect(Set(output.asks[0].items.compactMap(\.matchIdentifier)).count == 3)
    #expect(machine.nextWakeup == utc("2026-05-16T16:01"))
  }

  @Test func aSilentVisitHasNone() throws {
    var machine = machine([try Self.shop()], [Self.campaign()]) { $0.initial = .none }
    _ = try machine.fix(utc("2026-05-16T09:00"), origin)
    #expect(machine.nextWakeup == nil)
    #expect(machine.advance(to: utc("2026-05-17T09:00")).effects.isEmpty)
  }

  @Test func disablingEndsIt() throws {
    var machine = try Self.entered(utc("2026-05-16T09:00"), Self.campaign())
    _ = machine.setEnabled(false, at: utc("2026-05-16T10:00"))
    #expect(machine.nextWakeup == nil)
  }

  @Test func aRestartKeepsIt() throws {
    var machine = try Self.entered(utc("2026-05-16T09:00"), Self.campaign())
    func restart() {
      let settings = machine.settings
      machine = Machine(state: machine.state, feed: machine.feed)
      machine.settings = settings
    }
    restart()
    #expect(machine.nextWakeup == utc("2026-05-16T16:00"))
    let output = machine.recover(at: utc("2026-05-16T17:00"))
    #expect(output.shows.count == 1)
    _ = try machine.confirmAll(output)
    restart()
    #expect(machine.nextWakeup == nil && machine.recover(at: utc("2026-05-17T17:00")).shows.isEmpty)
  }

  @Test func outsideItsTimesItWaits() throws {
    var campaign = Self.campaign()
    campaign.values.times = HoldingTests.times(.spans([TimeSpan(start: utc("2026-05-16T17:00"), end: nil)]))
    var machine = try Self.entered(utc("2026-05-16T09:00"), campaign)
    #expect(machine.advance(to: utc("2026-05-16T16:00")).last("c")?.reason == .held)
    #expect(machine.advance(to: utc("2026-05-16T17:00")).shows.count == 1)
  }

  /// A campaign that waited for something else waits for the new time.
  @Test func aNewTriggerDoesNotFireBeforeItsTime() throws {
    let member = equals("member", .boolean(true))
    var machine = try Self.entered(utc("2026-05-16T09:00"), notification("c", segmentation: member))
    #expect(machine.state.delivery.held.count == 1)
    let new = feed([try Self.shop()], [Self.campaign()])
    #expect(machine.setFeed(new, at: utc("2026-05-16T10:00")).shows.isEmpty && machine.state.delivery.held.isEmpty)
    #expect(machine.advance(to: utc("2026-05-16T16:00")).shows.count == 1)
  }

  @Test func aPropertyAfterItsTime() throws {
    var campaign = Self.campaign()
    campaign.values.segmentation = equals("member", .boolean(true))
    var machine = try Self.entered(utc("2026-05-16T09:00"), campaign)
    #expect(machine.setProperty(Identifier("member"), .boolean(false), at: utc("2026-05-16T15:00")).decisions.isEmpty)
    #expect(machine.advance(to: utc("2026-05-16T16:00")).last("c")?.reason == .propertyDiffers)
    #expect(machine.setProperty(Identifier("member"), .boolean(true), at: utc("2026-05-16T17:00")).shows.count == 1)
  }

  @Test func matchIdentifiersDifferByTheTime() throws {
    let matches = try [Self.campaign(), Self.campaign(.inside(minuteOfDay: 1081))].map { campaign in
      var machine = try Self.entered(utc("2026-05-16T09:00"), campaign)
      return machine.advance(to: utc("2026-05-16T17:00")).shows.first?.matchIdentifier
    }
    #expect(matches[0] != nil && matches[1] != nil && matches[0] != matches[1])
  }

  /// Against a walk through the minutes: a time comes when the clock goes past it for the first time.
  @Test(arguments: [
    ("Europe/Amsterdam", "2026-03-27T00:00"), ("Europe/Amsterdam", "2026-10-23T00:00"),
    ("America/St_Johns", "2026-10-30T00:00"), ("Australia/Lord_Howe", "2026-04-03T00:00"),
    ("Australia/Lord_Howe", "2026-10-02T00:00"), ("Asia/Kolkata", "2026-05-16T00:00"),
    ("America/Havana", "2026-03-06T00:00"), ("America/Havana", "2026-10-30T00:00"),
    ("Pacific/Apia", "2011-12-28T00:00"),
  ])
  func timesOfDayComeAsClocksShowThem(_ name: String, _ start: String) throws {
    let zone = try Zones.named(name)
    let (begin, end) = (utc(start), utc(start) + 5 * 86_400_000)
    // When each minute of each day comes for the first time.
    var hits: [Int64: [Milliseconds]] = [:]
    var newest = zone.local(begin).milliseconds / 60_000
    for time in stride(from: begin + 60_000, through: end + 2 * 86_400_000, by: 60_000) {
      let minute = zone.local(time).milliseconds / 60_000
      while newest < minute {
        newest += 1
        hits[newest % 1440, default: []].append(time)
      }
    }
    var generator = SplitMix64(UInt64(bitPattern: begin))
    var witnesses = Witnesses()
    for _ in 0..<400 {
      let minute = Int64.random(in: 0..<1440, using: &generator)
      let time = Int64.random(in: (begin + 86_400_000)...end, using: &generator)
      let hit = hits[minute]?.first { $0 > time }
      try #require(zone.next(minuteOfDay: minute, after: time) == hit, "\(minute) \(time)")
      if hit != nil { witnesses.see("found") }
    }
    for minute in Int64(0)..<1440 {
      for hit in hits[minute] ?? [] where hit > begin + 86_400_000 && hit < end {
        try #require(zone.next(minuteOfDay: minute, after: hit - 1) == hit)
        try #require(zone.next(minuteOfDay: minute, after: hit) > hit)
        witnesses.see("to the millisecond")
      }
    }
    #expect(witnesses.below(["found": 320, "to the millisecond": 4500]) == [])
  }
}
