import PlotTesting
import Testing

@testable import PlotCore

/// Candidates that wait in their visit: for their times, or for a property.
@Suite struct HoldingTests {
  static let away = north(5000)
  /// Saturday.
  static let morning = utc("2026-05-16T08:00")
  static let opening = utc("2026-05-16T09:00")
  static let weekdays = OpeningHours(
    Dictionary(uniqueKeysWithValues: OpeningHours.days.map { ($0, [["09:00", "17:30"]]) }))

  static func times(
    _ times: Times = .hours(weekdays), _ outside: TriggerTimes.Outside = .hold, zone: TriggerTimes.Zone = .region
  ) -> TriggerTimes { TriggerTimes(rule: .own(times), zone: zone, outside: outside) }

  static func shop(_ campaigns: Campaign...) -> Machine { machine([circle("a")], campaigns) }

  // MARK: Times

  @Test func whatWaitsFiresAtTheOpeningExactly() throws {
    var machine = Self.shop(notification("c", times: Self.times()))
    let entered = try machine.fix(Self.morning, origin)
    #expect(entered.events.names == ["region-enter a"] && entered.shows.isEmpty)
    #expect(entered.reasons("c") == [.triggered, .valid, .held])
    #expect(entered.last("c")?.verdict == .hold && entered.last("c")?.step == .times)
    #expect(entered.last("c")?.nextPossible == Self.opening)
    #expect(machine.nextWakeup == Self.opening)
    #expect(
      machine.state.delivery.held == [Held(campaign: Identifier("c"), region: Identifier("a"), until: Self.opening)])
    #expect(machine.advance(to: Self.opening - 1).effects.isEmpty)
    let output = machine.advance(to: Self.opening)
    #expect(output.shows.map(\.message) == ["message of c"])
    #expect(output.reasons("c").prefix(4) == [.triggered, .valid, .withinTimes, .matched])
    #expect(output.decisions.allSatisfy { $0.time == Self.opening })
    #expect(machine.state.delivery.held.isEmpty && machine.nextWakeup == nil)
    _ = try machine.confirmAll(output)
    #expect(machine.advance(to: Self.opening + 100 * 3_600_000).effects.isEmpty, "once in a visit")
  }

  @Test func itIsTheSameNotificationAsWithoutWaiting() throws {
    var waiting = Self.shop(notification("c", times: Self.times()))
    var plain = Self.shop(notification("c"))
    _ = try waiting.fix(Self.morning, origin)
    let shown = try plain.fix(Self.morning, origin).shows
    #expect(waiting.advance(to: Self.opening).shows.map(\.matchIdentifier) == shown.map(\.matchIdentifier))
  }

  @Test func aLateInputFiresItAtItsTime() throws {
    var machine = Self.shop(notification("c", times: Self.times()))
    _ = try machine.fix(Self.morning, origin)
    let output = try machine.fix(Self.opening + 600_000, Self.away)
    #expect(output.decisions.first { $0.reason == .withinTimes }?.time == Self.opening)
    #expect(output.shows.count == 1 && output.reasons("c").last == .allowed)
    #expect(!output.reasons("c").contains(.left))
  }

  @Test func whoLeavesFirstGetsNothing() throws {
    var machine = Self.shop(notification("c", times: Self.times()))
    _ = try machine.fix(Self.morning, origin)
    let output = try machine.fix(Self.opening - 1, Self.away)
    #expect(output.events.names == ["region-exit a"] && output.shows.isEmpty)
    let left = try #require(output.last("c"))
    #expect(left.step == .times && left.verdict == .drop && left.reason == .left && left.visit != nil)
    #expect(machine.state.delivery.held.isEmpty && machine.nextWakeup == nil)
    #expect(machine.advance(to: Self.opening + 1000).effects.isEmpty)
    // The next visit is another chance.
    #expect(try machine.fix(Self.opening + 2000, origin).shows.count == 1)
  }

  @Test func aCampaignThatANewFeedTakesAwayOrChangesHasARecord() throws {
    for others in [[], [notification("c", .dwelling(minutes: 30), times: Self.times())]] {
      var machine = Self.shop(notification("c", times: Self.times()))
      _ = try machine.fix(Self.morning, origin)
      let output = machine.setFeed(feed([circle("a")], others), at: Self.morning + 1000)
      let gone = try #require(output.last("c"))
      #expect(gone.step == .times && gone.verdict == .drop && gone.reason == .campaignRemoved && gone.visit != nil)
      #expect(
        machine.state.delivery.held.isEmpty && machine.nextWakeup == (others.isEmpty ? nil : Self.morning + 1_800_000))
    }
  }

  @Test func whoIsDisabledOrWhoseRegionIsGoneGetsNothing() throws {
    for isDisabled in [true, false] {
      var machine = Self.shop(notification("c", times: Self.times()))
      _ = try machine.fix(Self.morning, origin)
      let time = Self.morning + 1000
      let output =
        isDisabled ? machine.setEnabled(false, at: time) : machine.setFeed(feed([circle("b")], []), at: time)
      #expect(output.reasons("c") == [.left])
      #expect(machine.state.delivery.held.isEmpty && machine.nextWakeup == nil)
    }
  }

  @Test func withoutHoldItIsDropped() throws {
    var machine = Self.shop(notification("c", times: Self.times(.hours(Self.weekdays), .drop)))
    let output = try machine.fix(Self.morning, origin)
    #expect(output.reasons("c") == [.triggered, .valid, .outsideTimes])
    #expect(output.last("c")?.nextPossible == Self.opening)
    #expect(machine.state.delivery.held.isEmpty && machine.nextWakeup == nil)
    _ = try machine.fix(Self.opening, Self.away)
    #expect(try machine.fix(Self.opening + 1000, origin).shows.count == 1)
  }

  @Test func nothingWaitsForWhatNeverComes() throws {
    let ended = Times.spans([TimeSpan(start: nil, end: Self.morning)])
    var machine = Self.shop(
      notification("c", times: Self.times(ended)), notification("d", times: Self.times(.hours(OpeningHours([:])))))
    let output = try machine.fix(Self.morning, origin)
    for id in ["c", "d"] {
      #expect(output.last(id)?.reason == .outsideTimes && output.last(id)?.nextPossible == nil)
    }
    #expect(machine.state.delivery.held.isEmpty)
  }

  /// start, end, at; within, next.
  @Test(
    arguments: [
      (1000, 2000, 999, false, 1000), (1000, 2000, 1000, true, nil), (1000, 2000, 1999, true, nil),
      (1000, 2000, 2000, false, nil), (1000, nil, 999, false, 1000), (1000, nil, 1_000_000, true, nil),
      (nil, 2000, 0, true, nil), (nil, 2000, 2000, false, nil),
    ] as [(Milliseconds?, Milliseconds?, Milliseconds, Bool, Milliseconds?)])
  func spans(_ start: Milliseconds?, _ end: Milliseconds?, _ time: Milliseconds, _ isIn: Bool, _ next: Milliseconds?) {
    let times = Times.spans([TimeSpan(start: start, end: end)])
    #expect(times.contains(time, in: .utc) == isIn)
    if !isIn { #expect(times.next(after: time, in: .utc) == next) }
    let campaign = notification("c", times: Self.times(times))
    let outcome = Eligibility.times(campaign, circle("a"), device: .utc, at: time)
    let expected: (Verdict, Reason) =
      isIn ? (.pass, .withinTimes) : next == nil ? (.drop, .outsideTimes) : (.hold, .held)
    #expect(outcome.step == .times && (outcome.verdict, outcome.reason) == expected)
    #expect(outcome.nextPossible == next)
  }

  @Test func theRegionsTimesAreInherited() throws {
    var region = circle("a")
    region.values.times = .hours(Self.weekdays)
    let inherit = TriggerTimes(rule: .inherit, zone: .region, outside: .hold)
    let anytime = TriggerTimes(rule: .anytime, zone: .region, outside: .drop)
    let own = Self.times(.spans([TimeSpan(start: 0, end: nil)]))
    var machine = machine(
      [region, circle("b")],
      [
        notification("inherit", times: inherit), notification("anytime", times: anytime),
        notification("own", times: own), notification("standard"), notification("elsewhere", at: [1], times: inherit),
      ])
    let output = try machine.fix(Self.morning, origin)
    #expect(output.last("inherit")?.reason == .held && output.last("standard")?.reason == .outsideTimes)
    #expect(output.reasons("anytime")[2] == .anytime && output.reasons("own")[2] == .withinTimes)
    #expect(output.reasons("elsewhere")[2] == .anytime, "a region without times")
    #expect(machine.advance(to: Self.opening).shows.map(\.campaign.text) == ["inherit"])
  }

  @Test func geotriggersAndDwellingsWaitToo() throws {
    var silent = geotrigger("g")
    silent.values.times = Self.times()
    var machine = Self.shop(silent, notification("c", .dwelling(minutes: 10), times: Self.times()))
    #expect(try machine.fix(Self.morning, origin).last("g")?.reason == .held)
    #expect(machine.nextWakeup == Self.morning + 600_000)
    #expect(machine.advance(to: Self.morning + 600_000).last("c")?.reason == .held)
    #expect(machine.state.delivery.held.map(\.campaign.text) == ["c", "g"])
    let output = machine.advance(to: Self.opening)
    #expect(output.events.names == ["geotrigger g"] && output.shows.map(\.campaign.text) == ["c"])
  }

  // MARK: The device's zone

  @Test func anotherZoneOfTheDeviceIsLookedAtAtOnce() throws {
    let (amsterdam, newYork) = (try Zones.named("Europe/Amsterdam"), try Zones.named("America/New_York"))
    var own = circle("b")
    own.values.zone = newYork
    var machine = machine(
      [circle("a"), own],
      [
        notification("device", at: [0, 1], times: Self.times(zone: .device)),
        notification("place", at: [0, 1], times: Self.times()),
      ])
    let entered = try machine.fix(utc("2026-05-16T06:30"), origin)
    #expect(
      machine.state.delivery.held.map { "\($0.campaign.text);\($0.region.text) \(Timestamp.text($0.until ?? 0))" } == [
        "device;a 2026-05-16T09:00:00Z", "place;a 2026-05-16T09:00:00Z", "device;b 2026-05-16T09:00:00Z",
        "place;b 2026-05-16T13:00:00Z",
      ])
    #expect(entered.shows.isEmpty)
    // 8:40 in Amsterdam: all wait anew, for 9:00 there.
    let first = machine.setTimeZone(amsterdam, at: utc("2026-05-16T06:40"))
    #expect(first.shows.isEmpty && machine.nextWakeup == utc("2026-05-16T07:00"))
    #expect(machine.state.delivery.held.filter { $0.until == utc("2026-05-16T07:00") }.count == 3)
    #expect(machine.setTimeZone(amsterdam, at: utc("2026-05-16T06:41")).effects.isEmpty, "no other zone")
    // 8:50 in Amsterdam is 12:20 in India: now, except for the place with a zone of its own.
    let second = machine.setTimeZone(try Zones.named("Asia/Kolkata"), at: utc("2026-05-16T06:50"))
    #expect(second.shows.map(\.identifier) == ["device;a", "place;a", "device;b"])
    #expect(
      machine.state.delivery.held.map(\.campaign.text) == ["place"] && machine.nextWakeup == utc("2026-05-16T13:00"))
    #expect(machine.state.host.zone.name == "Asia/Kolkata")
  }

  @Test func noZoneLooksAtWhatWaitsForAProperty() throws {
    var machine = Self.shop(notification("c", segmentation: equals("p", .integer(1))))
    _ = try machine.fix(Self.morning, origin)
    let output = machine.setTimeZone(try Zones.named("Asia/Kolkata"), at: Self.morning + 1)
    #expect(output.decisions.isEmpty && output.changes.count == 1)
  }
}
