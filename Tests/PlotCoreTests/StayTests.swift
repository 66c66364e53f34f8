import PlotTesting
import Testing

@testable import PlotCore

/// When a notification leaves the screen by itself, or does not come there (docs/feed.md, On the screen).
@Suite struct StayTests {
  private static let away = north(5000)

  private static func campaign(_ trigger: Trigger = .enter, _ change: (inout Stay) -> Void) -> Campaign {
    notification("c", trigger).with { change(&$0.stay) }
  }

  private static func boundToVisit(_ trigger: Trigger = .enter) -> Campaign {
    campaign(trigger) { $0.endsAtExit = true }
  }

  private static func displayed(_ host: TestHost) -> [String] {
    host.machine.state.screen.displayed.map(\.campaign.text)
  }

  private static func reasons(_ host: TestHost) -> [String] {
    host.events.filter { $0.kind == .notificationRemoved }.compactMap(\.reason)
  }

  @Test func theFiltersAnswerAfterTheExitShowsNothing() throws {
    var host = host([circle("a")], [Self.boundToVisit()])
    host.machine.settings.hasFilter = true
    try host.go(origin, at: 0)
    let batch = try #require(host.machine.state.delivery.batches.first)
    try host.go(Self.away, at: 1000)
    host.time = 2000
    try host.play(host.machine.answerFilter(batch.token, batch.all, at: 2000))
    #expect(host.log.filter { $0.hasPrefix("show") } == [])
    #expect(host.reasons("c").last == .left && Self.displayed(host) == [])
  }

  /// The wakeup was missed, and the next fixes are elsewhere.
  @Test func anOverdueDwellingShowsNothing() throws {
    var host = host([circle("a")], [Self.boundToVisit(.dwelling(minutes: 5))])
    host.machine.settings.noise = .balanced
    try host.go(origin, at: 0)
    for minute in Int64(10)...20 { try host.go(Self.away, at: minute * 60_000) }
    #expect(host.log.filter { $0.hasPrefix("show") } == [] && host.log.contains("region-exit a"))
  }

  /// With gates it is due before the fix is looked at, which says that it is over.
  @Test func anOverdueDwellingOfGatesShowsNothing() throws {
    var host = host([circle("a")], [Self.boundToVisit(.dwelling(minutes: 5))])
    try host.go(origin, at: 0)
    try host.go(Self.away, at: 600_000)
    #expect(host.log.filter { $0.hasPrefix("show") } == [] && host.log.contains("region-exit a"))
    #expect(host.reasons("c").last == .left)
  }

  /// The same fix says that the visit goes on: late is better than never.
  @Test func anOverdueDwellingOfOneWhoIsThereIsShown() throws {
    var host = host([circle("a")], [Self.boundToVisit(.dwelling(minutes: 5))])
    try host.go(origin, at: 0)
    try host.go(origin, at: 600_000)
    #expect(host.log.filter { $0.hasPrefix("show") } == ["show c"] && Self.displayed(host) == ["c"])
  }

  /// Quiet hours ended while nobody told the time; what comes next is the campaign's end.
  @Test func whatWasHeldUntilBeforeTheEndShowsNothing() throws {
    let campaign = Self.campaign { $0.endsWithCampaign = true }.with {
      $0.end = 90_000
      $0.quietHours = [QuietHours(hours: .daily((0, 1)), zone: .device, during: .hold)]
    }
    var host = host([circle("a")], [campaign])
    try host.go(origin, at: 0)
    #expect(host.machine.nextWakeup == 60_000)
    try host.wait(until: 600_000)
    #expect(host.log.filter { $0.hasPrefix("show") } == [] && host.reasons("c").last == .ended)
  }

  @Test func quietHoursHoldItInsideOnly() throws {
    var campaign = Self.boundToVisit()
    campaign.values.quietHours = [QuietHours(hours: .daily((0, 60)), zone: .device, during: .hold)]
    var host = host([circle("a")], [campaign])
    try host.go(origin, at: 0)
    #expect(host.machine.state.delivery.waiting.map(\.insideOnly) == [true])
    try host.go(Self.away, at: 1000)
    #expect(host.machine.state.delivery.waiting.isEmpty && host.reasons("c").last == .left)
  }

  @Test func anAnswerOfTheHostAfterTheExitTakesItOff() throws {
    var host = host([circle("a")], [Self.boundToVisit()])
    host.canShow = { _ in nil }
    try host.go(origin, at: 0)
    let match = try #require(host.machine.state.delivery.intents.first?.matchIdentifier)
    try host.go(Self.away, at: 1000)
    #expect(Self.reasons(host) == [])
    try host.play(host.machine.confirm(match, shown: true))
    #expect(Self.reasons(host) == ["exit"] && Self.displayed(host) == [])
  }

  /// The process ended after the display, and the region was left before the next one was told of it.
  @Test func anExitOfAnotherProcessTakesItOff() throws {
    var host = host([circle("a")], [Self.boundToVisit()])
    host.canShow = { _ in nil }
    try host.go(origin, at: 0)
    try host.go(Self.away, at: 1000)
    var next = TestHost(Machine(state: host.machine.state, feed: host.machine.feed))
    try next.play(next.machine.recover(at: 2000))
    #expect(Self.reasons(next) == ["exit"] && Self.displayed(next) == [])
  }

  @Test func theEndOfTheCampaignTakesItOff() throws {
    var host = host([circle("a")], [Self.campaign { $0.endsWithCampaign = true }.with { $0.end = 60_000 }])
    try host.go(origin, at: 0)
    #expect(host.machine.nextWakeup == 60_000)
    try host.wait(until: 60_000)
    #expect(Self.reasons(host) == ["ended"] && host.machine.nextWakeup == nil)
  }

  /// The feed that takes the campaign away cannot say what was to become of it: the notification itself knows.
  @Test(arguments: [true, false]) func aFeedWithoutItTakesItOff(isRegion: Bool) throws {
    var host = host([circle("a"), circle("b", Self.away)], [Self.campaign { $0.endsWithCampaign = true }])
    try host.go(origin, at: 0)
    let next = isRegion ? feed([circle("b", Self.away)], []) : feed([circle("a")], [])
    try host.set(next, at: 1000)
    #expect(Self.reasons(host) == ["feed"] && Self.displayed(host) == [])
  }

  @Test func aFeedWithoutItLeavesAnother() throws {
    var host = host([circle("a")], [notification("c")])
    try host.go(origin, at: 0)
    try host.set(feed([circle("a")], []), at: 1000)
    #expect(Self.displayed(host) == ["c"])
  }

  @Test func itExpiresByAWakeup() throws {
    var host = host([circle("a")], [Self.campaign { $0.expireAfter = 60_000 }])
    try host.go(origin, at: 5000)
    #expect(host.machine.nextWakeup == 65_000)
    try host.wait(until: 64_999)
    #expect(Self.displayed(host) == ["c"])
    try host.wait(until: 65_000)
    #expect(Self.reasons(host) == ["expired"] && Self.displayed(host) == [])
  }

  @Test func whatHasExpiredIsNotShown() throws {
    var host = host([circle("a")], [Self.campaign { $0.expireAt = 5000 }])
    host.machine.settings.hasFilter = true
    try host.go(origin, at: 1000)
    let batch = try #require(host.machine.state.delivery.batches.first)
    host.time = 6000
    try host.play(host.machine.answerFilter(batch.token, batch.all, at: 6000))
    #expect(host.reasons("c").last == .expired && Self.displayed(host) == [])
  }

  /// One that the host could not take off does not keep the clock running.
  @Test func aFailedRemovalIsTriedAgainAtTheNextMoment() throws {
    var host = host([circle("a")], [Self.campaign { $0.expireAfter = 60_000 }])
    host.removal = { _ in false }
    try host.go(origin, at: 0)
    try host.wait(until: 60_000)
    #expect(Self.displayed(host) == ["c"] && host.machine.nextWakeup == nil)
    host.removal = { _ in true }
    try host.go(Self.away, at: 70_000)
    #expect(Self.displayed(host) == [])
  }

  /// An approach is told before there is a visit; the exit of another region does not take it off.
  @Test func anApproachStaysUntilItsVisitIsOver() throws {
    var host = host(
      [circle("a", north(1000)), circle("b")], [Self.boundToVisit(.approaching(seconds: 300))])
    try host.at(0, 0, speed: 5, course: 0)
    #expect(Self.displayed(host) == ["c"])
    try host.at(60, 400, speed: 5, course: 0)
    #expect(Self.displayed(host) == ["c"], "b was left")
    try host.at(200, 1000, speed: 5, course: 0)
    try host.at(400, 5000, speed: 5, course: 0)
    #expect(Self.displayed(host) == [] && Self.reasons(host) == ["exit"])
  }

  // MARK: The app

  @Test func theAppTakesOneOrAllOff() throws {
    var host = host([circle("a")], [notification("c"), notification("d"), notification("e")])
    try host.go(origin, at: 0)
    let match = try #require(host.machine.state.screen.displayed[1].matchIdentifier)
    try host.play(host.machine.removeDisplayed(match, at: 1000))
    #expect(Self.displayed(host) == ["c", "e"] && Self.reasons(host) == ["app"])
    #expect(try host.machine.removeDisplayed(match, at: 2000).effects.isEmpty, "it is off already")
    #expect(throws: InputError.unknownMatch("x")) { try host.machine.removeDisplayed("x", at: 3000) }
    try host.play(host.machine.removeDisplayed(nil, at: 4000))
    #expect(Self.displayed(host) == [] && Self.reasons(host).count == 3)
  }

  /// An update is no display that anything counts.
  @Test func anUpdateTakesThePlaceOfWhatItChanges() throws {
    var host = host(
      [circle("a")],
      [
        notification("c", repeatRule: .always).with {
          $0.caps = [Cap(scope: .campaign, maximum: 2, span: .window(1_000_000))]
        }
      ])
    try host.go(origin, at: 0)
    let first = try #require(host.machine.state.screen.displayed.first)
    let shown = host.machine.state.history.lastShown[first.key]
    for number in 1...3 {
      var content = host.machine.state.screen.displayed[0].content
      content.message = "version \(number)"
      let kept = Kept(matchIdentifier: host.machine.state.screen.displayed[0].matchIdentifier ?? "", content: content)
      try host.play(host.machine.updateDisplayed(kept, at: Milliseconds(number) * 1000))
    }
    let now = host.machine.state.screen.displayed
    #expect(now.map(\.message) == ["version 3"] && Self.reasons(host) == ["updated", "updated", "updated"])
    #expect(host.machine.state.history.lastShown[first.key] == shown && host.machine.state.history.displays.count == 1)
    #expect(
      host.machine.state.history.sentNotifications.map(\.message).sorted() == [
        "message of c", "version 1", "version 2", "version 3",
      ])
    #expect(throws: InputError.self) { try host.machine.updateDisplayed(first.kept, at: 9000) }
  }

  @Test func anUpdateThatTheHostCannotShowLeavesTheOldOne() throws {
    var host = host([circle("a")], [notification("c")])
    try host.go(origin, at: 0)
    host.canShow = { _ in false }
    let item = host.machine.state.screen.displayed[0]
    try host.play(host.machine.updateDisplayed(item.kept, at: 1000))
    #expect(host.machine.state.screen.displayed == [item] && Self.reasons(host) == [])
  }

  /// The process ends between the display and its confirmation.
  @Test func anUpdateOutlivesTheProcess() throws {
    var host = host([circle("a")], [notification("c")])
    try host.go(origin, at: 0)
    host.canShow = { _ in nil }
    let item = host.machine.state.screen.displayed[0]
    try host.play(host.machine.updateDisplayed(item.kept, at: 1000))
    var next = TestHost(Machine(state: host.machine.state, feed: host.machine.feed))
    try next.play(next.machine.recover(at: 2000))
    #expect(next.machine.state.screen.displayed.map(\.updates) == [item.matchIdentifier])
    #expect(next.machine.state.history.displays.count == 1)
  }

  // MARK: Taps

  /// A displayed notification can be tapped, whatever has become of the sent list.
  @Test func aTapIsHonouredWithoutTheSentList() throws {
    var host = host([circle("a")], [notification("c", repeatRule: .always)])
    for number in Int64(0)..<150 {
      try host.go(origin, at: 2 * number)
      try host.go(Self.away, at: 2 * number + 1)
    }
    let first = try #require(host.machine.state.screen.displayed.first?.matchIdentifier)
    #expect(
      host.machine.state.screen.displayed.count == 150 && host.machine.state.history.sentNotification(first) == nil)
    #expect(try host.machine.open(first, at: 1000).events.names == ["notification-opened c"])
    #expect(throws: InputError.unknownMatch(first)) { try host.machine.open(first, at: 2000) }
    _ = host.machine.clearSent(isGeotrigger: false, at: 3000)
    let second = try #require(host.machine.state.screen.displayed.first?.matchIdentifier)
    #expect(try host.machine.takeAction("own", of: second, at: 4000).events.names == ["notification-action c"])
    #expect(host.machine.state.history.sentNotifications.isEmpty, "a list that was cleared stays so")
    #expect(host.machine.state.history.lastOpened[Identifier("c")] == 4000)
  }
}
