import PlotTesting
import Testing

@testable import PlotCore

/// Notifications that come one soon after the other (docs/feed.md, Side by side).
@Suite struct OverlapTests {
  private static let centre: @Sendable (inout Campaign) -> Void = { $0.exclusionGroup = Identifier("centre") }

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
    let excluded = try #require(host.decisions.last { $0.reason == .excluded })
    #expect(excluded.campaign == Identifier("shop") && excluded.detail == "mall" && excluded.step == .slot)
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
    #expect(host.reasons("mall").last == .excluded && host.reasons("shop").last == .excluded)
  }

  @Test func whatDoesNotGoIsNotJoined() throws {
    var host = Self.mall(Self.both, removal: false)
    try host.go(origin, at: 0)
    try host.go(north(300), at: 5000)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["mall"])
    #expect(host.reasons("shop").last == .excluded)
  }

  // MARK: Coalescing

  private static let offers: @Sendable (inout Campaign) -> Void = { $0.coalescingGroup = Identifier("offers") }

  private static func street(_ settings: (inout FeedSettings) -> Void = { _ in }) -> TestHost {
    host(
      [circle("a"), circle("b", north(1000)), circle("c", north(2000)), circle("d", north(3000))],
      ["a", "b", "c", "d"].enumerated().map { notification($1, at: [$0]).with(offers) }
    ) {
      $0.coalescing = [
        Coalescing(
          group: Identifier("offers"), atLeast: 2, message: Template("{{count}} up to {{name}}")!, within: 60_000)
      ]
      settings(&$0)
    }
  }

  @Test func theNewestStandsForThoseBefore() throws {
    var host = Self.street()
    for (index, seconds) in [0, 30, 60, 300].enumerated() {
      try host.go(north(Double(index) * 1000), at: Milliseconds(seconds) * 1000)
    }
    #expect(
      host.machine.state.screen.displayed.map(\.message) == ["3 up to Place c", "message of d"])
    #expect(host.machine.state.screen.displayed[0].coalesced.map(\.region.text) == ["b", "a"])
    #expect(host.events.filter { $0.kind == .notificationRemoved }.map { $0.item?.campaign.text } == ["a", "b"])
  }

  /// What quiet hours have held until eleven comes at eleven, as one.
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
