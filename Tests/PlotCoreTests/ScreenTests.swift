import PlotTesting
import Testing

@testable import PlotCore

/// The screen: slots, priority, exclusion, correlation, coalescing, removal.
@Suite struct ScreenTests {
  static let away = north(5000)
  static let minute: Milliseconds = 60_000

  // MARK: Slots

  @Test func aDismissedNotificationFreesItsSlot() throws {
    var host = host([circle("a")], [notification("c", repeatRule: .always)]) {
      $0.slots = Slots(count: 1, whenFull: .keep)
    }
    try host.go(origin, at: 0)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["c"])
    try host.go(Self.away, at: 1)
    try host.go(origin, at: 2)
    #expect(host.reasons("c").last == .slotFull)
    try host.dismiss("c")
    #expect(host.machine.state.screen.displayed.isEmpty)
    try host.go(Self.away, at: 3)
    try host.go(origin, at: 4)
    #expect(host.machine.state.screen.displayed.count == 1)
    #expect(
      host.delivery() == [
        "show c", "notification-shown c", "notification-dismissed c", "show c", "notification-shown c",
      ])
  }

  @Test func openingFreesItToo() throws {
    var host = host([circle("a")], [notification("c"), notification("d")]) {
      $0.slots = Slots(count: 1, whenFull: .keep)
    }
    try host.go(origin, at: 0)
    #expect(host.reasons("d").last == .slotFull, "not used up")
    let match = try #require(host.machine.state.screen.displayed.first?.matchIdentifier)
    try host.play(host.machine.open(match, at: 1))
    try host.go(Self.away, at: 2)
    try host.go(origin, at: 3)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["d"])
    #expect(host.machine.state.screen.lastRemoved == 1)
  }

  @Test(arguments: [(Slots.WhenFull.keep, 0), (.replace, 0), (.keep, 1), (.replace, -1)])
  func aHigherPriorityTakesTheOldestOfTheLowest(_ whenFull: Slots.WhenFull, _ priority: Int) throws {
    var host = host(
      [circle("a"), circle("b", north(1000)), circle("c", north(2000))],
      [
        notification("first"), notification("second", at: [1]),
        notification("third", at: [2]).with { $0.priority = Int64(priority) },
      ]
    ) { $0.slots = Slots(count: 2, whenFull: whenFull) }
    try host.go(origin, at: 0)
    try host.go(north(1000), at: 1)
    try host.go(north(2000), at: 2)
    let replaces = priority > 0 || (priority == 0 && whenFull == .replace)
    #expect(
      host.machine.state.screen.displayed.map(\.campaign.text)
        == (replaces ? ["second", "third"] : ["first", "second"]))
    #expect(host.log.contains("notification-removed first") == replaces)
    #expect(host.reasons("third").contains(.slotFull) != replaces)
  }

  @Test func aSlotThatCannotBeFreedStaysTaken() throws {
    var host = host(
      [circle("a")], [notification("c"), notification("d", .exit).with { $0.priority = 9 }]
    ) { $0.slots = Slots(count: 1, whenFull: .keep) }
    host.removal = { _ in false }
    try host.go(origin, at: 0)
    try host.go(Self.away, at: 1)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["c"])
    #expect(host.reasons("c").suffix(1) == [.removeFailed] && host.reasons("d").last == .slotFull)
    #expect(host.machine.state.delivery.pending.isEmpty && host.machine.state.screen.removals.isEmpty)
    host.machine.settings.canRemove = false
    try host.go(origin, at: 2)
    try host.go(Self.away, at: 3)
    #expect(host.reasons("d").last == .slotFull)
  }

  @Test func fewerSlotsThanBeforeEmptyAsManyAsNeeded() throws {
    let campaigns = [
      notification("c"), notification("d"), notification("e"), notification("f", .exit).with { $0.priority = 1 },
    ]
    var host = host([circle("a")], campaigns)
    try host.go(origin, at: 0)
    #expect(host.machine.state.screen.displayed.count == 3)
    try host.play(
      host.machine.setFeed(feed([circle("a")], campaigns) { $0.slots = Slots(count: 1, whenFull: .keep) }, at: 1))
    try host.go(Self.away, at: 2)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["f"])
  }

  // MARK: Order

  @Test func priorityThenTheSmallestRegion() throws {
    let regions = [circle("a", radius: 300), circle("b", radius: 100), circle("c", radius: 200)]
    let campaigns = [
      notification("large", at: [0]), notification("small", at: [1]), notification("middle", at: [2]),
      notification("low", at: [1]).with { $0.priority = -1 }, notification("high", at: [0]).with { $0.priority = 1 },
    ]
    var plain = host(regions, campaigns)
    try plain.go(origin, at: 0)
    let shown = { (host: TestHost) in host.log.filter { $0.hasPrefix("show") }.map { $0.dropFirst(5) } }
    #expect(shown(plain) == ["high", "large", "small", "middle", "low"])
    var specific = host(regions, campaigns) { $0.specificFirst = true }
    try specific.go(origin, at: 0)
    #expect(shown(specific) == ["high", "small", "middle", "large", "low"])
  }

  // MARK: Exclusion and correlation

  @Test func oneOfAGroupAtATime() throws {
    let grouped: (inout Campaign.Values) -> Void = { $0.exclusionGroup = Identifier("g") }
    var host = host(
      [circle("a")],
      [notification("c").with(grouped), notification("d", repeatRule: .always).with(grouped), notification("free")])
    try host.go(origin, at: 0)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["c", "free"])
    let excluded = try #require(host.decisions.last { $0.reason == .excluded })
    #expect(excluded.campaign == Identifier("d") && excluded.detail == "c" && excluded.step == .slot)
    try host.dismiss("c")
    try host.go(Self.away, at: 1)
    try host.go(origin, at: 2)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["free", "d"])
  }

  @Test func allWithTheSameKeyAreRemovedFirst() throws {
    let fields = [CustomField(name: "line", value: "9")]
    let keyed: (inout Campaign.Values) -> Void = { $0.correlationKey = Template("line {{line}}") }
    var host = host(
      [circle("a", fields: fields), circle("b", north(1000), fields: fields)],
      [
        notification("c"), notification("old", data: "x").with { $0.correlationKey = Template("line 8") },
        notification("d").with(keyed), notification("e", at: [1]).with(keyed),
      ])
    try host.go(origin, at: 0)
    #expect(host.machine.state.screen.displayed.last?.correlationKey == "line 9")
    _ = host.news()
    try host.go(north(1000), at: 1)
    #expect(host.delivery() == ["remove d", "notification-removed d", "show e", "notification-shown e"])
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["c", "old", "e"])
  }

  @Test func whatCannotBeRemovedStaysBesideTheNewOne() throws {
    let keyed: (inout Campaign.Values) -> Void = { $0.correlationKey = Template("k") }
    for mode in 0..<2 {
      var host = host([circle("a")], [notification("c").with(keyed), notification("d", .exit).with(keyed)])
      if mode == 0 { host.machine.settings.canRemove = false } else { host.removal = { _ in false } }
      try host.go(origin, at: 0)
      try host.go(Self.away, at: 1)
      #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["c", "d"])
      #expect(host.decisions.contains { $0.reason == (mode == 0 ? .cannotRemove : .removeFailed) })
    }
  }

  // MARK: Coalescing

  @Test func severalAtOnceBecomeOne() throws {
    let grouped: (inout Campaign.Values) -> Void = { $0.coalescingGroup = Identifier("offers") }
    var host = host(
      [circle("a")],
      [
        notification("c", repeatRule: .always).with(grouped), notification("alone"), notification("d").with(grouped),
        notification("e", repeatRule: .after(10 * Self.minute)).with(grouped),
      ]
    ) {
      $0.coalescing = [Coalescing(group: Identifier("offers"), atLeast: 3, message: Template("{{count}} at {{name}}")!)]
    }
    try host.go(origin, at: 0)
    let first = try #require(host.machine.state.screen.displayed.first)
    #expect(first.message == "3 at Place a" && first.coalesced.map(\.campaign.text) == ["d", "e"])
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["c", "alone"])
    #expect(host.machine.state.history.lastShown.count == 4, "all count as shown")
    #expect(host.reasons("d").last == .coalesced)
    // The next time there are only two of them: below the number.
    try host.go(Self.away, at: Self.minute)
    try host.go(origin, at: 10 * Self.minute)
    #expect(host.machine.state.screen.displayed.suffix(2).map(\.message) == ["message of c", "message of e"])
    #expect(host.reasons("d").last == .onceOnly)
  }

  @Test func whatStoodForOthersInVainUsesNoneUp() throws {
    let grouped: (inout Campaign.Values) -> Void = { $0.coalescingGroup = Identifier("offers") }
    var host = host([circle("a")], [notification("c").with(grouped), notification("d").with(grouped)]) {
      $0.coalescing = [Coalescing(group: Identifier("offers"), atLeast: 2, message: Template("{{count}}")!)]
    }
    host.canShow = { _ in false }
    try host.go(origin, at: 0)
    #expect(host.machine.state.history.lastShown.isEmpty)
    host.canShow = { _ in true }
    try host.go(Self.away, at: 1)
    try host.go(origin, at: 2)
    #expect(
      host.machine.state.screen.displayed.map(\.message) == ["2"] && host.machine.state.history.lastShown.count == 2)
  }

  // MARK: Leaving

  @Test func leavingARegionTakesItsNotificationAway() throws {
    var host = host(
      [circle("a")], [notification("c").with { $0.stay.endsAtExit = true }, notification("stays")])
    try host.go(origin, at: 0)
    _ = host.news()
    try host.go(Self.away, at: 1)
    #expect(host.news() == ["region-exit a", "remove c", "notification-removed c"])
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["stays"])
  }

  @Test func aRemovalThatTheProcessDidNotLiveForIsMadeUpFor() throws {
    var host = host([circle("a")], [notification("c").with { $0.stay.endsAtExit = true }])
    try host.go(origin, at: 0)
    // The host is asked, and the process ends.
    #expect(try host.machine.fix(1, Self.away).effects.contains { if case .remove = $0 { true } else { false } })
    var next = TestHost(Machine(state: host.machine.state, feed: host.machine.feed))
    try next.play(next.machine.recover(at: 2))
    #expect(next.log == ["remove c", "notification-removed c"])
  }

  @Test func dismissingIsKnownOnceAndUnknownNever() throws {
    var host = host([circle("a")], [notification("c")])
    try host.go(origin, at: 0)
    let match = try #require(host.machine.state.screen.displayed.first?.matchIdentifier)
    #expect(throws: InputError.unknownMatch("x")) { try host.machine.dismiss("x", at: 1) }
    #expect(try host.machine.dismiss(match, at: 1).events.names == ["notification-dismissed c"])
    #expect(try host.machine.dismiss(match, at: 2).events.isEmpty)
  }

  @Test func theNewestFiveHundredAreKnown() throws {
    var host = host([circle("a")], [notification("c", repeatRule: .always)])
    for number in Int64(0)..<505 {
      try host.go(origin, at: 2 * number)
      try host.go(Self.away, at: 2 * number + 1)
    }
    #expect(host.machine.state.screen.displayed.count == 500)
    #expect(host.machine.state.screen.displayed.first?.sent?.date == 10)
  }

  // MARK: From when a cooldown counts

  @Test(arguments: CooldownAnchor.allCases)
  func theCooldownCountsFromItsAnchor(_ anchor: CooldownAnchor) throws {
    var host = host(
      [circle("a")],
      [
        notification("c", .dwelling(minutes: 5), repeatRule: .after(20 * Self.minute)).with {
          $0.cooldownAnchor = anchor
        }
      ])
    try host.go(origin, at: 0)
    try host.wait(until: 5 * Self.minute)
    #expect(host.log.contains("show c"))
    // Shown at 5, left at 8, dismissed at 9, in the background at 10: it could come again at 25, 20, 28, 29 and 30.
    try host.go(Self.away, at: 8 * Self.minute)
    host.time = 9 * Self.minute
    if anchor == .removed {
      #expect(
        host.machine.cooldownStart(
          host.machine.feed.campaigns[0], ItemKey(campaign: Identifier("c"), region: Identifier("a"))) == .max)
    }
    try host.dismiss("c")
    try host.play(host.machine.setForeground(false, at: 10 * Self.minute))
    let times: [CooldownAnchor: Milliseconds] = [.shown: 25, .enter: 20, .exit: 28, .removed: 29, .background: 30]
    let due = try #require(times[anchor]) * Self.minute
    var early = host
    try early.go(origin, at: due - 6 * Self.minute)
    _ = early.news()
    try early.wait(until: due - Self.minute)
    #expect(early.delivery().isEmpty)
    #expect(early.decisions.last?.reason == .campaignCooldown && early.decisions.last?.nextPossible == due)
    try host.go(origin, at: due - 5 * Self.minute)
    _ = host.news()
    try host.wait(until: due)
    #expect(host.delivery() == ["show c", "notification-shown c"])
  }

  @Test func whatHasNotHappenedHasNotBegun() throws {
    for anchor in [CooldownAnchor.removed, .background] {
      var host = host(
        [circle("a")], [notification("c", repeatRule: .after(Self.minute)).with { $0.cooldownAnchor = anchor }])
      try host.play(host.machine.setForeground(true, at: 0))
      try host.go(origin, at: 1)
      try host.go(Self.away, at: 2)
      try host.go(origin, at: 100 * Self.minute)
      let last = try #require(host.decisions.last)
      #expect(last.reason == .campaignCooldown && last.nextPossible == nil)
    }
  }

  // MARK: Welcome

  static func welcome(_ change: (inout Welcome) -> Void = { _ in }) -> Campaign {
    notification("hello", at: [0, 1]).with {
      var welcome = Welcome(
        period: 60 * minute, offline: Welcome.Content(message: Template("offline at {{name}}")!, data: Template("")!),
        minimumDisplay: 10 * minute, isAlone: false)
      change(&welcome)
      $0.welcome = welcome
    }
  }

  @Test func theFirstPlaceInAWhileGreets() throws {
    var host = host([circle("a"), circle("b", north(1000))], [Self.welcome(), notification("c")])
    try host.go(origin, at: 0)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["hello", "c"])
    try host.go(north(1000), at: Self.minute)
    #expect(host.reasons("hello").contains(.campaignCooldown), "it has greeted at the other place")
    try host.go(Self.away, at: 2 * Self.minute)
    try host.go(north(1000), at: 60 * Self.minute)
    #expect(host.log.filter { $0 == "show hello" }.count == 2)
    #expect(host.machine.state.screen.displayed.contains { $0.campaign.text == "hello" && $0.region.text == "b" })
  }

  @Test func twoPlacesAtOnceGreetOnce() throws {
    var host = host([circle("a"), circle("b")], [Self.welcome()])
    try host.go(origin, at: 0)
    #expect(host.log.filter { $0 == "show hello" }.count == 1)
    host = PlotTesting.host([circle("a"), circle("b")], [Self.welcome()])
    host.machine.settings.hasFilter = true
    try host.go(origin, at: 0)
    #expect(host.machine.state.delivery.batches.first?.items.count == 1)
  }

  @Test func itMayWantToBeAlone() throws {
    var host = host([circle("a"), circle("b")], [notification("c"), Self.welcome { $0.isAlone = true }])
    try host.go(origin, at: 0)
    #expect(host.machine.state.screen.displayed.map(\.campaign.text) == ["hello"])
    #expect(host.reasons("c").last == .welcomeAlone)
    try host.go(Self.away, at: 1)
    try host.go(origin, at: 2)
    #expect(host.machine.state.screen.displayed.contains { $0.campaign.text == "c" }, "not used up")
  }

  @Test func itStaysForItsTimeWhileAnotherPlaceIsNear() throws {
    let regions = [circle("a"), circle("b", north(300), radius: 400)]
    // No other place: at once.
    var host = host([circle("a"), circle("b", north(3000))], [Self.welcome()])
    try host.go(origin, at: 0)
    try host.go(Self.away, at: 1)
    #expect(host.log.suffix(2) == ["remove hello", "notification-removed hello"])
    // Another one: after its least time.
    host = PlotTesting.host(regions, [Self.welcome()])
    try host.go(origin, at: 0)
    try host.go(north(300), at: 2 * Self.minute)
    #expect(host.machine.state.screen.displayed.count == 1)
    #expect(host.machine.nextWakeup == 10 * Self.minute)
    try host.wait(until: 10 * Self.minute)
    #expect(host.machine.state.screen.displayed.isEmpty && host.machine.nextWakeup == nil)
  }

  @Test func withoutANetworkItSaysSomethingElse() throws {
    let regions = [circle("a"), circle("b", north(300), radius: 400)]
    var host = host(regions, [Self.welcome()])
    try host.play(host.machine.setNetwork(false, at: 0))
    try host.go(origin, at: 1)
    #expect(host.machine.state.screen.displayed.map(\.message) == ["offline at Place a"])
    try host.play(host.machine.setNetwork(true, at: 2))
    #expect(host.machine.state.screen.displayed.map(\.message) == ["offline at Place a"])
    _ = host.news()
    // The next time that a place is left while another is near, it is shown as it is now.
    try host.go(north(300), at: Self.minute)
    #expect(
      host.delivery() == ["remove hello", "notification-removed hello", "show hello", "notification-shown hello"])
    #expect(host.machine.state.screen.displayed.map(\.message) == ["message of hello"])
    #expect(Set(host.machine.state.history.sentNotifications.map(\.matchIdentifier)).count == 2)
  }
}
