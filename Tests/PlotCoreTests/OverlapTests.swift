import PlotTesting
import Testing

@testable import PlotCore

/// Notifications that come one soon after the other (docs/feed.md, Side by side).
@Suite struct OverlapTests {
  private static let centre: @Sendable (inout Campaign.Values) -> Void = { $0.exclusionGroup = Identifier("centre") }

  /// A mall, and a shop in it.
  private static func mall(_ campaigns: [Campaign], removal: Bool = true) -> TestHost {
    var host = host([circle("mall", radius: 500), circle("shop", north(300), radius: 50)], campaigns) {
      $0.exclusion = [Exclusion(group: Identifier("centre"), within: 60_000)]
    }
    host.removal = { _ in removal }
    return host
  }

  private static let both = [notification("mall").with(centre), notification("shop", at: [1]).with(centre)]

  @Test func theShopTakesThePlaceOfItsMall() throws {
    var host = Self.mall(Self.both)
    try host.go(origin, at: 0)
    try host.go(north(300), at: 5000)
    #expect(
      host.delivery() == [
        "show mall", "notification-shown mall", "remove mall", "notification-removed mall", "show shop",
        "notification-shown shop",
      ])
    #expect(host.events.last { $0.kind == .notificationRemoved }?.reason == "slot")
  }

  @Test func aWorseOneComesToNothing() throws {
    var host = Self.mall([Self.both[0].with { $0.priority = 5 }, Self.both[1]])
    try host.go(origin, at: 0)
    try host.go(north(300), at: 5000)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["mall"])
    let outranked = try #require(host.decisions.last { $0.reason == .outranked })
    #expect(outranked.campaign == Identifier("shop") && outranked.detail == "mall" && outranked.step == .slot)
  }

  @Test(arguments: [60_000, 60_001]) func theTimeEnds(_ time: Milliseconds) throws {
    var host = Self.mall(Self.both)
    try host.go(origin, at: 0)
    try host.go(north(300), at: time)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == [time == 60_000 ? "shop" : "mall"])
  }

  @Test func ofThoseThatComeAtOnceOnlyTheBestIsShown() throws {
    var host = Self.mall(Self.both + [notification("equal", at: [1]).with(Self.centre), notification("free")])
    try host.go(north(300), at: 0)
    #expect(
      host.delivery() == ["show free", "notification-shown free", "show equal", "notification-shown equal"])
    #expect(host.reasons("mall").last == .outranked && host.reasons("shop").last == .outranked)
  }

  @Test(arguments: [60_000, 60_001]) func afterItsTimeTheFirstIsShown(_ time: Milliseconds) throws {
    var host = Self.mall([Self.both[0].with { $0.priority = 5 }, Self.both[1]])
    try host.go(origin, at: 0)
    try host.go(north(300), at: time)
    #expect(host.reasons("shop").last == (time == 60_000 ? .outranked : .excluded))
  }

  @Test func whatDoesNotGoIsNotJoined() throws {
    var host = Self.mall(Self.both, removal: false)
    try host.go(origin, at: 0)
    try host.go(north(300), at: 5000)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["mall"])
    #expect(host.reasons("shop").last == .excluded)
  }

  // MARK: The most specific wins

  private static func nested(_ campaigns: [Campaign], removal: Bool = true) -> TestHost {
    var host = host(
      [circle("city", radius: 5000), circle("mall", radius: 500), circle("shop", north(300), radius: 50)], campaigns
    ) {
      ($0.specificFirst, $0.specificWithin) = (true, 60_000)
    }
    host.removal = { _ in removal }
    return host
  }

  private static let three = ["city", "mall", "shop"].enumerated().map { notification($1, at: [$0]) }

  @Test func onlyTheSmallestPlaceIsShown() throws {
    var host = Self.nested(Self.three)
    try host.go(north(300), at: 0)
    #expect(host.delivery() == ["show shop", "notification-shown shop"])
    #expect(host.reasons("city").last == .outranked && host.reasons("mall").last == .outranked)
  }

  @Test func aSmallerPlaceTakesTheScreenOverAndALargerDoesNot() throws {
    var host = Self.nested(Self.three)
    try host.go(north(3000), at: 0)
    try host.go(origin, at: 10_000)
    try host.go(north(300), at: 70_000)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["shop"])
    try host.go(north(20_000), at: 80_000)
    try host.go(origin, at: 90_000)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["shop"], "shown before, and left")
  }

  @Test func afterItsTimeTheSmallerOneComesBesideTheLarger() throws {
    var host = Self.nested([Self.three[0], Self.three[2]])
    try host.go(origin, at: 0)
    try host.go(north(300), at: 60_001)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["city", "shop"])
  }

  @Test func placesThatWereLeftDoNotCompete() throws {
    var host = Self.nested([Self.three[2], notification("bye", .exit, at: [1]), Self.three[0]])
    try host.go(north(300), at: 0)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["shop"])
    try host.go(north(3000), at: 10_000)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["shop", "bye"])
  }

  /// It replaces the one with its key, and is no rival of it; nor is a second one of the same group.
  @Test(arguments: [true, false]) func oneWithItsCorrelationKeyIsReplaced(isNested: Bool) throws {
    let both = ["first", "second"].map { id in
      notification(id, at: [id == "first" ? 0 : 1]).with(Self.centre).with { $0.correlationKey = Template("order") }
    }
    let campaigns = [both[0].with { $0.priority = 5 }, both[1]]
    var host = isNested ? Self.nested(campaigns) : Self.mall(campaigns)
    try host.go(isNested ? north(3000) : origin, at: 0)
    try host.go(isNested ? origin : north(300), at: 5000)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["second"])
    #expect(host.events.last { $0.kind == .notificationRemoved }?.reason == "replaced")
  }

  @Test func whatDoesNotGoStaysAlone() throws {
    var host = Self.nested([Self.three[0], Self.three[2]], removal: false)
    try host.go(origin, at: 0)
    try host.go(north(300), at: 5000)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["city"])
    #expect(host.reasons("shop").last == .excluded)
  }

  // MARK: Coalescing

  private static let offers: @Sendable (inout Campaign.Values) -> Void = { $0.coalescingGroup = Identifier("offers") }

  private static func street(
    priorities: [Int64] = [0, 0, 0, 0], _ settings: (inout FeedSettings) -> Void = { _ in }
  ) -> TestHost {
    host(
      [circle("a"), circle("b", north(1000)), circle("c", north(2000)), circle("d", north(3000))],
      ["a", "b", "c", "d"].enumerated().map { notification($1, at: [$0]).with(offers) }.enumerated().map {
        index, campaign in
        campaign.with { $0.priority = priorities[index] }
      }
    ) {
      $0.coalescing = [
        Coalescing(
          group: Identifier("offers"), atLeast: 2, message: Template("{{count}} up to {{name}}")!, within: 60_000)
      ]
      settings(&$0)
    }
  }

  @Test func aBetterOneStandsForThoseBefore() throws {
    var host = Self.street(priorities: [0, 1, 2, 3])
    for (index, seconds) in [0, 30, 60, 300].enumerated() {
      try host.go(north(Double(index) * 1000), at: Milliseconds(seconds) * 1000)
    }
    #expect(
      host.machine.state.screen.displayed.map(\.message) == ["3 up to Place c", "message of d"])
    #expect(host.machine.state.screen.displayed[0].coalesced.map(\.region.text) == ["b", "a"])
    #expect(host.events.filter { $0.kind == .notificationRemoved }.map { $0.item?.campaign.text } == ["a", "b"])
  }

  /// It is no display that a cooldown keeps back or a cap counts, and what joins it counts as shown.
  @Test func oneOnTheScreenStandsForWorseOnesThatCome() throws {
    var host = Self.street { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(3_600_000))] }
    try host.play(host.machine.setCooldownPeriod(3_600_000, at: 0))
    for (index, seconds) in [0, 30, 60].enumerated() {
      try host.go(north(Double(index) * 1000), at: Milliseconds(seconds) * 1000)
    }
    #expect(host.machine.state.screen.displayed.map(\.message) == ["3 up to Place a"])
    #expect(host.machine.state.screen.displayed[0].coalesced.map(\.region.text) == ["b", "c"])
    #expect(
      host.events.filter { $0.kind == .notificationRemoved }.map { $0.reason } == ["updated", "updated"])
    #expect(host.reasons("b").last == .coalesced && host.reasons("c").last == .coalesced)
    #expect(Set(host.machine.state.history.lastShown.keys.map(\.campaign.text)) == ["a", "b", "c"])
    #expect(host.machine.state.history.lastNotification == 0)
  }

  /// The best of those on the screen stands for another one there, and for the new one.
  @Test func severalOnTheScreenBecomeOne() throws {
    var host = Self.street { $0.coalescing[0].atLeast = 3 }
    for (index, seconds) in [0, 30, 60].enumerated() {
      try host.go(north(Double(index) * 1000), at: Milliseconds(seconds) * 1000)
    }
    #expect(host.machine.state.screen.displayed.map(\.message) == ["3 up to Place a"])
    #expect(
      host.events.filter { $0.kind == .notificationRemoved }.map { "\($0.item!.campaign.text) \($0.reason!)" }
        == ["b slot", "a updated"])
  }

  /// Notifications that quiet hours have held until eleven come at eleven, as one.
  @Test func thoseThatWereHeldCoalesceWhenTheyGoOn() throws {
    var host = Self.street {
      $0.coalescing[0].within = 0
      $0.quietHours = [QuietHours(hours: .daily((0, 660)), during: .hold)]
    }
    for index in 0..<3 { try host.go(north(Double(index) * 1000), at: Milliseconds(index) * 60_000) }
    #expect(host.delivery() == [])
    try host.wait(until: 39_600_000)
    #expect(host.machine.state.screen.displayed.map(\.message) == ["3 up to Place a"])
  }
}
