import PlotTesting
import Testing

@testable import PlotCore

/// Quiet hours: drop, hold, hold inside.
@Suite struct QuietTests {
  static let away = north(5000)

  static func nightly(_ start: Int64 = 22, _ end: Int64 = 6) -> OpeningHours {
    .daily((start * 60, end * 60))
  }

  static func walker(
    _ during: QuietHours.During, hours: OpeningHours = nightly(), _ change: (inout FeedSettings) -> Void = { _ in }
  ) -> TestHost {
    host([circle("a")], [notification("c", repeatRule: .always)]) {
      $0.quietHours = [QuietHours(hours: hours, during: during)]
      change(&$0)
    }
  }

  static func shown(_ host: inout TestHost) -> [String] { host.news().filter { $0.hasPrefix("notification-shown") } }

  @Test(arguments: [
    ("2026-05-16T21:59:59", true), ("2026-05-16T22:00", false), ("2026-05-16T23:00", false),
    ("2026-05-17T05:59", false), ("2026-05-17T05:59:59", false), ("2026-05-17T06:00", true),
  ])
  func theStartCountsAndTheEndDoesNot(_ time: String, _ isShown: Bool) throws {
    var host = Self.walker(.drop)
    try host.go(origin, at: utc(time))
    #expect(Self.shown(&host).count == (isShown ? 1 : 0))
    let decision = try #require(host.decisions.last { $0.step == .quiet })
    #expect(decision.reason == (isShown ? .notQuiet : .quietHours))
    #expect(decision.verdict == (isShown ? .pass : .drop))
    #expect(decision.nextPossible == (isShown ? nil : utc("2026-05-17T06:00")))
    #expect(decision.detail == (isShown ? nil : "all"))
    #expect(host.machine.state.delivery.waiting.isEmpty)
  }

  @Test func whatIsHeldIsShownAtTheEndWhereverOneIs() throws {
    var host = Self.walker(.hold)
    try host.go(origin, at: utc("2026-05-16T23:00"))
    #expect(Self.shown(&host).isEmpty && host.machine.nextWakeup == utc("2026-05-17T06:00"))
    let hold = try #require(host.decisions.last)
    #expect(hold.step == .quiet && hold.verdict == .hold && hold.reason == .quietHeld)
    #expect(hold.nextPossible == utc("2026-05-17T06:00"))
    try host.go(Self.away, at: utc("2026-05-16T23:10"))
    try host.go(origin, at: utc("2026-05-16T23:20"))
    #expect(host.reasons("c").last == .inFlight, "it is on its way")
    try host.go(Self.away, at: utc("2026-05-16T23:30"))
    try host.wait(until: utc("2026-05-17T06:00"))
    #expect(Self.shown(&host) == ["notification-shown c"])
    #expect(host.machine.state.history.displays.map(\.time) == [utc("2026-05-17T06:00")])
    #expect(host.machine.state.delivery.waiting.isEmpty && host.machine.nextWakeup == nil)
  }

  @Test func whatIsHeldInsideEndsWithTheVisit() throws {
    var host = Self.walker(.holdInside)
    try host.go(origin, at: utc("2026-05-16T23:00"))
    #expect(host.machine.state.delivery.waiting.map(\.insideOnly) == [true])
    try host.go(Self.away, at: utc("2026-05-17T05:00"))
    let drop = try #require(host.decisions.last { $0.step == .quiet })
    #expect(drop.reason == .left && drop.verdict == .drop && host.machine.state.delivery.waiting.isEmpty)
    try host.go(origin, at: utc("2026-05-17T05:30"))
    try host.wait(until: utc("2026-05-17T06:00"))
    #expect(Self.shown(&host) == ["notification-shown c"], "the second visit lasts")
  }

  @Test func nobodyIsInsideAfterAnExit() throws {
    var host = host([circle("a")], [notification("c", .exit)]) {
      $0.quietHours = [QuietHours(hours: Self.nightly(), during: .holdInside)]
    }
    try host.go(origin, at: utc("2026-05-16T23:00"))
    try host.go(Self.away, at: utc("2026-05-16T23:10"))
    #expect(host.decisions.last?.reason == .quietHours && host.machine.state.delivery.waiting.isEmpty)
  }

  @Test func theStrictestWins() throws {
    let order: [QuietHours.During] = [.hold, .holdInside, .drop]
    for (a, first) in order.enumerated() {
      for (b, second) in order.enumerated() {
        var host = Self.walker(first) { $0.quietHours.append(QuietHours(hours: Self.nightly(20, 8), during: second)) }
        try host.go(origin, at: utc("2026-05-16T23:00"))
        let waiting = host.machine.state.delivery.waiting.first
        switch order[max(a, b)] {
        case .drop: #expect(waiting == nil && host.decisions.last?.reason == .quietHours)
        case .holdInside: #expect(waiting?.insideOnly == true)
        case .hold: #expect(waiting?.insideOnly == false)
        }
        #expect(host.decisions.last?.nextPossible == utc("2026-05-17T08:00"), "the latest end")
      }
    }
  }

  @Test func theEndIsLookedAtAnew() throws {
    var host = Self.walker(.hold) { $0.quietHours.append(QuietHours(hours: Self.nightly(5, 7), during: .hold)) }
    try host.go(origin, at: utc("2026-05-16T23:00"))
    try host.wait(until: utc("2026-05-17T06:59"))
    #expect(host.machine.state.delivery.waiting.map(\.until) == [utc("2026-05-17T07:00")] && Self.shown(&host).isEmpty)
    try host.wait(until: utc("2026-05-17T07:00"))
    #expect(Self.shown(&host) == ["notification-shown c"])
    // In the morning there are others, which drop.
    var stricter = Self.walker(.hold) { $0.quietHours.append(QuietHours(hours: Self.nightly(5, 7), during: .drop)) }
    try stricter.go(origin, at: utc("2026-05-16T23:00"))
    try stricter.wait(until: utc("2026-05-17T06:00"))
    #expect(stricter.decisions.last?.reason == .quietHours && stricter.machine.state.delivery.waiting.isEmpty)
  }

  @Test func whoseQuietHoursTheyAre() throws {
    typealias Case = (name: String, feed: Feed, shown: [String])
    let night = [QuietHours(hours: Self.nightly())]
    var quiet = circle("a")
    quiet.values.quietHours = night
    let tag = Identifier("promo")
    let plain = [notification("c").with { $0.tags = [tag] }, notification("d")]
    let cases: [Case] = [
      ("all", feed([circle("a")], plain) { $0.quietHours = night }, []),
      (
        "tag promo",
        feed([circle("a")], plain) { $0.quietHours = [QuietHours(tag: tag, hours: Self.nightly())] }, ["d"]
      ),
      ("region", feed([quiet, circle("b")], plain + [notification("e", at: [1])]), ["e"]),
      ("campaign", feed([circle("a")], [plain[0].with { $0.quietHours = night }, plain[1]]), ["d"]),
    ]
    for (name, feed, shown) in cases {
      var host = TestHost(machine(Array(feed.regions), Array(feed.campaigns)))
      try host.play(host.machine.setFeed(feed, at: 0))
      try host.go(origin, at: utc("2026-05-16T23:00"))
      #expect(host.machine.state.history.sentNotifications.map(\.campaign.text) == shown, "\(name)")
      #expect(host.decisions.first { $0.reason == .quietHours }?.detail == name)
    }
  }

  @Test func theClockOfTheDeviceOrOfThePlace() throws {
    for zone in [TriggerTimes.Zone.device, .region] {
      var place = circle("a")
      place.values.zone = try Zones.named("Asia/Kolkata")
      var host = host([place], [notification("c")]) {
        $0.quietHours = [QuietHours(hours: Self.nightly(), zone: zone)]
      }
      // 23:00 in India, 19:30 in Amsterdam.
      try host.play(host.machine.setTimeZone(Zones.named("Europe/Amsterdam"), at: 0))
      try host.go(origin, at: utc("2026-05-16T17:30"))
      #expect(Self.shown(&host).isEmpty == (zone == .region))
    }
  }

  @Test func daysOfChange() throws {
    let zone = try Zones.named("Europe/Amsterdam")
    // 22:00 to 06:00 is seven hours long in spring, and nine in autumn.
    for (time, end) in [("2026-03-28T22:30", "2026-03-29T04:00"), ("2026-10-24T21:30", "2026-10-25T05:00")] {
      for during in [QuietHours.During.drop, .hold] {
        var host = Self.walker(during)
        try host.play(host.machine.setTimeZone(zone, at: 0))
        try host.go(origin, at: utc(time))
        #expect(host.decisions.last?.nextPossible == utc(end))
        try host.wait(until: utc(end))
        #expect(Self.shown(&host).count == (during == .hold ? 1 : 0))
      }
    }
  }

  @Test func neverEndingOnesDrop() throws {
    let always = OpeningHours.daily((0, 1440))
    var host = Self.walker(.hold, hours: always)
    try host.go(origin, at: utc("2026-05-16T12:00"))
    #expect(host.decisions.last?.reason == .quietHours && host.decisions.last?.nextPossible == nil)
  }

  @Test func nothingWaitsBeyondItsCampaign() throws {
    for (end, reason) in [("2026-05-17T05:00", Reason.quietHours), ("2026-05-17T06:00", .quietHours)] {
      var host = host([circle("a")], [notification("c", end: utc(end))]) {
        $0.quietHours = [QuietHours(hours: Self.nightly(), during: .hold)]
      }
      try host.go(origin, at: utc("2026-05-16T23:00"))
      #expect(host.decisions.last?.reason == reason && host.machine.state.delivery.waiting.isEmpty)
    }
  }

  // MARK: At the end

  @Test func atTheEndTheCooldownAndTheCapsComeAgain() throws {
    var host = host([circle("a")], ["c", "d", "e"].map { notification($0) }) {
      $0.quietHours = [QuietHours(hours: Self.nightly(), during: .hold)]
      $0.caps = [Cap(scope: .all, maximum: 2, span: .window(3_600_000))]
    }
    try host.go(origin, at: utc("2026-05-16T23:00"))
    #expect(host.machine.state.delivery.waiting.map(\.item.campaign.text) == ["c", "d", "e"])
    try host.wait(until: utc("2026-05-17T06:00"))
    #expect(host.news().filter { $0.hasPrefix("show") } == ["show c", "show d"], "as they came")
    #expect(host.reasons("e").last == .capped)
    var cool = Self.walker(.hold)
    try cool.play(cool.machine.setCooldownPeriod(60_000, at: 0))
    let two = feed([circle("a")], [notification("c"), notification("d")]) {
      $0.quietHours = [QuietHours(hours: Self.nightly(), during: .hold)]
    }
    try cool.play(cool.machine.setFeed(two, at: 1))
    try cool.go(origin, at: utc("2026-05-16T23:00"))
    try cool.wait(until: utc("2026-05-17T06:00"))
    #expect(cool.news().filter { $0.hasPrefix("show") } == ["show c"] && cool.reasons("d").last == .globalCooldown)
  }

  @Test func theStrategiesAreAskedOnceAndToldAtTheEnd() throws {
    var host = host([circle("a")], [notification("c")], strategies: ["s"]) {
      $0.quietHours = [QuietHours(hours: Self.nightly(), during: .hold)]
    }
    try host.go(origin, at: utc("2026-05-16T23:00"))
    #expect(host.delivery() == ["s: monitoring a", "vote create c"])
    try host.wait(until: utc("2026-05-17T06:00"))
    #expect(host.delivery() == ["show c", "s: created c true", "notification-shown c"])
  }

  @Test func aNewFeedIsLookedAtAtOnce() throws {
    func held() throws -> TestHost {
      var host = Self.walker(.hold)
      try host.go(origin, at: utc("2026-05-16T23:00"))
      _ = host.news()
      return host
    }
    let campaigns = [notification("c", repeatRule: .always)]
    let time = utc("2026-05-16T23:30")
    // Gone, or no longer about this place.
    for feed in [
      feed([circle("a")], []), feed([circle("a"), circle("b", north(1000))], [notification("c", at: [1])]),
    ] {
      var host = try held()
      try host.play(host.machine.setFeed(feed, at: time))
      #expect(host.decisions.last?.reason == .campaignRemoved && host.machine.state.delivery.waiting.isEmpty)
    }
    // Other ends.
    for (hours, until) in [(Self.nightly(22, 7), "2026-05-17T07:00"), (Self.nightly(23, 5), "2026-05-17T05:00")] {
      var host = try held()
      let other = feed([circle("a")], campaigns) { $0.quietHours = [QuietHours(hours: hours, during: .hold)] }
      try host.play(host.machine.setFeed(other, at: time))
      #expect(host.machine.state.delivery.waiting.map(\.until) == [utc(until)] && host.machine.nextWakeup == utc(until))
      #expect(host.decisions.last?.nextPossible == utc(until))
    }
    // None any more, stricter ones, the same.
    var free = try held()
    try free.play(free.machine.setFeed(feed([circle("a")], campaigns), at: time))
    #expect(Self.shown(&free) == ["notification-shown c"])
    var strict = try held()
    let drops = feed([circle("a")], campaigns) { $0.quietHours = [QuietHours(hours: Self.nightly())] }
    try strict.play(strict.machine.setFeed(drops, at: time))
    #expect(strict.decisions.last?.reason == .quietHours && strict.machine.state.delivery.waiting.isEmpty)
    var same = try held()
    let count = same.decisions.count
    let named = feed([circle("a")], campaigns + [notification("z")]) {
      $0.quietHours = [QuietHours(hours: Self.nightly(), during: .hold)]
    }
    try same.play(same.machine.setFeed(named, at: time))
    #expect(same.machine.state.delivery.waiting.count == 1 && same.decisions.count == count)
  }

  @Test func anotherZoneIsLookedAtAtOnce() throws {
    var host = Self.walker(.hold)
    try host.go(origin, at: utc("2026-05-16T23:00"))
    try host.play(host.machine.setTimeZone(Zones.named("Europe/Amsterdam"), at: utc("2026-05-16T23:01")))
    #expect(host.machine.state.delivery.waiting.map(\.until) == [utc("2026-05-17T04:00")])
    try host.play(host.machine.setTimeZone(Zones.named("America/New_York"), at: utc("2026-05-16T23:02")))
    #expect(Self.shown(&host) == ["notification-shown c"], "it is seven in the evening there")
  }

  @Test func aCampaignThatHasEndedMeanwhileIsNotShown() throws {
    var host = Self.walker(.hold)
    try host.go(origin, at: utc("2026-05-16T23:00"))
    let ended = feed([circle("a")], [notification("c", end: utc("2026-05-17T03:00"), repeatRule: .always)]) {
      $0.quietHours = [QuietHours(hours: Self.nightly(), during: .hold)]
    }
    try host.play(host.machine.setFeed(ended, at: utc("2026-05-16T23:30")))
    #expect(host.machine.state.delivery.waiting.isEmpty, "its end is before theirs")
    #expect(host.decisions.last?.reason == .quietHours)
  }

  @Test func disablingEndsAllWaiting() throws {
    var host = Self.walker(.hold)
    try host.go(origin, at: utc("2026-05-16T23:00"))
    try host.play(host.machine.setEnabled(false, at: utc("2026-05-16T23:30")))
    #expect(host.machine.state.delivery.waiting.isEmpty && host.machine.nextWakeup == nil)
    #expect(host.decisions.contains { $0.step == .quiet && $0.reason == .disabled })
  }

  @Test func landingPagesAreQuietToo() throws {
    var host = host([circle("a")], [notification("c", handler: .landingPage)]) {
      $0.quietHours = [QuietHours(hours: Self.nightly())]
    }
    try host.go(origin, at: utc("2026-05-16T23:00"))
    #expect(host.reasons("c").last == .quietHours)
  }

  @Test func theFiltersEditsAreKept() throws {
    var machine = Self.walker(.hold).machine
    machine.settings.hasFilter = true
    let batch = try #require(try machine.fix(utc("2026-05-16T23:00"), origin).asks.first)
    var kept = batch.all
    kept[0].content.message = "edited"
    _ = try machine.answerFilter(batch.token, kept, at: utc("2026-05-16T23:00:30"))
    let output = machine.advance(to: utc("2026-05-17T06:00"))
    #expect(output.shows.map(\.message) == ["edited"] && output.asks.isEmpty)
  }
}
