import PlotTesting
import Testing

@testable import PlotCore

/// Caps: how many displays, in which stretch of time, and that only real ones count.
@Suite struct LimitTests {
  static let away = north(5000)
  static let minute: Milliseconds = 60_000
  static let hour: Milliseconds = 3_600_000
  static let day: Milliseconds = 86_400_000

  /// A campaign at each of two places, shown at every visit.
  static func walker(_ change: (inout FeedSettings) -> Void = { _ in }) -> TestHost {
    host(
      [circle("a"), circle("b", north(1000))],
      [notification("c", at: [0], repeatRule: .always), notification("d", at: [1], repeatRule: .always)], change)
  }

  /// Enters the first place at a time, and leaves it.
  static func visit(_ host: inout TestHost, _ time: Milliseconds, _ place: Coordinate = origin) throws -> Bool {
    try host.go(place, at: time)
    let shown = host.news().contains { $0.hasPrefix("notification-shown") }
    try host.go(away, at: time + 1)
    return shown
  }

  static func last(_ host: TestHost, _ reason: Reason = .capped) -> Decision? {
    host.decisions.last { $0.reason == reason }
  }

  @Test func aWindowRolls() throws {
    var host = Self.walker { $0.caps = [Cap(scope: .all, maximum: 2, span: .window(Self.hour))] }
    #expect(try Self.visit(&host, 0))
    #expect(try Self.visit(&host, 50 * 60_000))
    #expect(try !Self.visit(&host, 55 * 60_000))
    let full = try #require(Self.last(host))
    #expect(full.step == .caps && full.verdict == .drop && full.detail == "all" && full.nextPossible == Self.hour)
    #expect(try !Self.visit(&host, Self.hour - 1))
    #expect(try Self.visit(&host, Self.hour), "the end is exclusive")
    #expect(try !Self.visit(&host, 109 * 60_000 + 59_999), "the second one counts yet")
    #expect(Self.last(host)?.nextPossible == Self.hour + 50 * Self.minute)
    #expect(try Self.visit(&host, 110 * 60_000))
    #expect(Self.last(host, .withinCaps)?.step == .caps)
  }

  @Test func nextPossibleIsWhenEnoughHaveFallenOut() throws {
    var host = Self.walker()
    for time in [0, 10, 20] as [Milliseconds] { #expect(try Self.visit(&host, time * 60_000)) }
    let stricter = feed(host.machine.feed.regions, host.machine.feed.campaigns) {
      $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.hour))]
    }
    try host.play(host.machine.setFeed(stricter, at: 21 * 60_000))
    #expect(try !Self.visit(&host, 25 * 60_000))
    #expect(Self.last(host)?.nextPossible == Self.hour + 20 * Self.minute, "all three must be an hour old")
  }

  @Test func daysAreThoseOfTheDevice() throws {
    var host = Self.walker { $0.caps = [Cap(scope: .all, maximum: 1, span: .days(1, .device))] }
    try host.play(host.machine.setTimeZone(Zones.named("Europe/Amsterdam"), at: 0))
    #expect(try Self.visit(&host, utc("2026-05-16T21:30")), "half past eleven in the evening")
    #expect(try !Self.visit(&host, utc("2026-05-16T21:59:59")))
    #expect(Self.last(host)?.nextPossible == utc("2026-05-16T22:00"), "midnight there")
    #expect(try Self.visit(&host, utc("2026-05-16T22:00")))
    #expect(try !Self.visit(&host, utc("2026-05-17T21:00")))
  }

  @Test func daysOfChangeHaveTheirOwnLength() throws {
    let zone = try Zones.named("Europe/Amsterdam")
    for (day, midnight) in [("2026-03-29T00:10", "2026-03-29T22:00"), ("2026-10-25T00:10", "2026-10-25T23:00")] {
      var host = Self.walker { $0.caps = [Cap(scope: .all, maximum: 1, span: .days(1, .device))] }
      try host.play(host.machine.setTimeZone(zone, at: 0))
      #expect(try Self.visit(&host, utc(day)))
      #expect(try !Self.visit(&host, utc(midnight) - 2))
      #expect(Self.last(host)?.nextPossible == utc(midnight))
      #expect(try Self.visit(&host, utc(midnight)))
    }
  }

  @Test func severalDaysAndThePlacesOwn() throws {
    var host = Self.walker { $0.caps = [Cap(scope: .all, maximum: 2, span: .days(3, .region))] }
    var region = host.machine.feed.regions[0]
    region.values.zone = try Zones.named("Asia/Kolkata")
    let settings = host.machine.feed.settings
    let there = feed([region], [notification("c", repeatRule: .always)]) { $0 = settings }
    try host.play(host.machine.setFeed(there, at: 0))
    // Half past midnight in India on the 16th, and noon on the 17th.
    #expect(try Self.visit(&host, utc("2026-05-15T19:00")))
    #expect(try Self.visit(&host, utc("2026-05-17T06:30")))
    #expect(try !Self.visit(&host, utc("2026-05-18T12:00")))
    #expect(Self.last(host)?.nextPossible == utc("2026-05-18T18:30"), "the 16th no longer counts on the 19th")
    #expect(try Self.visit(&host, utc("2026-05-18T18:30")))
    #expect(try !Self.visit(&host, utc("2026-05-19T06:00")))
  }

  @Test func whatCountsTogether() throws {
    typealias Case = (cap: Cap, name: String, again: Bool, other: Bool)
    let window = Cap.Span.window(Self.hour)
    let tag = Identifier("promo")
    let cases: [Case] = [
      (Cap(scope: .all, maximum: 1, span: window), "all", false, false),
      (Cap(scope: .tag(tag), maximum: 1, span: window), "tag promo", false, true),
      (Cap(scope: .campaign, maximum: 1, span: window), "campaign", false, true),
      (Cap(scope: .region, maximum: 1, span: window), "region", false, true),
      (Cap(scope: .visit, maximum: 1, span: .visit), "visit", true, true),
    ]
    for (cap, name, again, other) in cases {
      var host = Self.walker { $0.caps = [cap] }
      let settings = host.machine.feed.settings
      let campaigns = host.machine.feed.campaigns
      let tagged = feed(host.machine.feed.regions, [campaigns[0].with { $0.tags = [tag] }, campaigns[1]]) {
        $0 = settings
      }
      try host.play(host.machine.setFeed(tagged, at: 0))
      #expect(try Self.visit(&host, 10))
      #expect(try Self.visit(&host, 20) == again, "\(name), the same")
      if !again { #expect(Self.last(host)?.detail == name) }
      #expect(try Self.visit(&host, 30, north(1000)) == other, "\(name), another")
    }
  }

  /// Two campaigns over two places, one of them with a cap of its own.
  @Test func capsOfACampaignAndOfARegion() throws {
    typealias Case = (name: String, campaign: [Cap], region: [Cap], shown: [String])
    let hour = Cap.Span.window(Self.hour)
    let cases: [Case] = [
      ("campaign", [Cap(scope: .campaign, maximum: 1, span: hour)], [], ["c;a", "d;a", "d;b", "d;a"]),
      ("campaign at region", [Cap(scope: .region, maximum: 1, span: hour)], [], ["c;a", "d;a", "c;b", "d;b", "d;a"]),
      (
        "campaign in visit", [Cap(scope: .visit, maximum: 1, span: .visit)], [],
        ["c;a", "d;a", "c;b", "d;b", "c;a", "d;a"]
      ),
      ("region", [], [Cap(scope: .region, maximum: 1, span: hour)], ["c;a", "c;b", "d;b"]),
      ("visit", [], [Cap(scope: .visit, maximum: 1, span: .visit)], ["c;a", "c;b", "d;b", "c;a"]),
    ]
    for (name, campaign, region, shown) in cases {
      var place = circle("a")
      place.values.caps = region
      var host = host(
        [place, circle("b", north(1000))],
        [
          notification("c", at: [0, 1], repeatRule: .always).with { $0.caps = campaign },
          notification("d", at: [0, 1], repeatRule: .always),
        ])
      for (time, at) in [(10, origin), (20, north(1000)), (30, origin)] as [(Milliseconds, Coordinate)] {
        try host.go(at, at: time)
      }
      #expect(host.machine.state.history.sentNotifications.map(\.identifier) == shown, "\(name)")
      let full = host.decisions.first { $0.reason == .capped }
      if name != "campaign in visit" { #expect(full?.detail == name) }
    }
  }

  @Test func aVisitIsFullUntilItsEnd() throws {
    var host = host(
      [circle("a")],
      [notification("c", repeatRule: .always), notification("d", .dwelling(minutes: 5), repeatRule: .always)]
    ) { $0.caps = [Cap(scope: .visit, maximum: 1, span: .visit)] }
    try host.go(origin, at: 0)
    try host.wait(until: 300_000)
    let full = try #require(Self.last(host))
    #expect(full.campaign == Identifier("d") && full.detail == "visit" && full.nextPossible == nil)
    try host.go(Self.away, at: 400_000)
    try host.go(origin, at: 500_000)
    #expect(host.machine.state.history.sentNotifications.map(\.campaign.text) == ["c", "c"])
  }

  @Test func theOneThatHasRoomLastIsNamed() throws {
    var host = Self.walker {
      $0.caps = [
        Cap(scope: .all, maximum: 1, span: .window(Self.hour)),
        Cap(scope: .region, maximum: 1, span: .window(Self.day)),
        Cap(scope: .campaign, maximum: 1, span: .window(2 * Self.hour)),
      ]
    }
    #expect(try Self.visit(&host, 0))
    #expect(try !Self.visit(&host, 1000))
    #expect(Self.last(host)?.detail == "region" && Self.last(host)?.nextPossible == Self.day)
    #expect(try Self.visit(&host, Self.hour, north(1000)))
  }

  // MARK: Only real displays

  @Test func whatCouldNotBeShownDoesNotCount() throws {
    var host = Self.walker { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.day))] }
    host.canShow = { _ in false }
    for time in Int64(0)..<5 { #expect(try !Self.visit(&host, time * 1000)) }
    #expect(host.machine.state.history.displays.isEmpty)
    host.canShow = { _ in true }
    #expect(try Self.visit(&host, 10_000))
    #expect(try !Self.visit(&host, 20_000))
  }

  @Test func aVetoAndAFilterLeaveTheCapAsItIs() throws {
    var host = host(
      [circle("a")], [notification("c", repeatRule: .always)], strategies: ["s"]
    ) { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.day))] }
    host.vetoes = { _, isCreate, _ in isCreate }
    #expect(try !Self.visit(&host, 0))
    host.vetoes = { _, _, _ in false }
    host.machine.settings.hasFilter = true
    try host.go(origin, at: 1000)
    let batch = try #require(host.machine.state.delivery.batches.first)
    try host.play(host.machine.answerFilter(batch.token, [], at: 1001))
    #expect(host.machine.state.history.displays.isEmpty)
    host.machine.settings.hasFilter = false
    try host.go(Self.away, at: 1500)
    #expect(try Self.visit(&host, 2000))
  }

  /// Several come at once: whether the first was shown is known before the next one is tried.
  @Test func oneAtATime() throws {
    let campaigns = ["c", "d", "e"].map { notification($0) }
    var machine = host([circle("a")], campaigns) {
      $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.day))]
    }.machine
    let first = try machine.fix(0, origin)
    #expect(first.shows.map(\.campaign.text) == ["c"])
    let second = try machine.confirm(first.shows[0].matchIdentifier ?? "", shown: false)
    #expect(second.shows.map(\.campaign.text) == ["d"])
    let third = try machine.confirm(second.shows[0].matchIdentifier ?? "", shown: true)
    #expect(third.shows.isEmpty && third.last("e")?.reason == .capped)
  }

  @Test func geotriggersDoNotCount() throws {
    var host = host(
      [circle("a")], [geotrigger("g", repeatRule: .always), notification("c", repeatRule: .always)]
    ) { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.day))] }
    try host.go(origin, at: 0)
    #expect(host.machine.state.history.displays.map(\.campaign.text) == ["c"])
    try host.go(Self.away, at: 1)
    try host.go(origin, at: 2)
    #expect(host.log.filter { $0 == "geotrigger g" }.count == 2 && host.log.filter { $0 == "show c" }.count == 1)
  }

  @Test func coalescedOnesCountAsOne() throws {
    let campaigns = ["c", "d"].map { notification($0).with { $0.coalescingGroup = Identifier("g") } }
    var host = host([circle("a")], campaigns) {
      $0.caps = [Cap(scope: .all, maximum: 2, span: .window(Self.day))]
      $0.coalescing = [Coalescing(group: Identifier("g"), atLeast: 2, message: Template("{{count}}")!)]
    }
    try host.go(origin, at: 0)
    #expect(host.machine.state.history.displays.count == 1)
  }

  // MARK: History

  @Test func anotherLimitKeepsTheHistory() throws {
    var host = Self.walker { $0.caps = [Cap(scope: .all, maximum: 1, span: .days(1, .device))] }
    let feeds = [3, 2, 4].map { most in
      feed(host.machine.feed.regions, host.machine.feed.campaigns) {
        $0.caps = [Cap(scope: .all, maximum: most, span: .window(Self.day))]
      }
    }
    #expect(try Self.visit(&host, 0))
    #expect(try !Self.visit(&host, 1000))
    try host.play(host.machine.setFeed(feeds[0], at: 2000))
    #expect(try Self.visit(&host, 3000))
    #expect(try Self.visit(&host, 4000))
    #expect(try !Self.visit(&host, 5000), "the first one counts")
    try host.play(host.machine.setFeed(feeds[1], at: 6000))
    #expect(try !Self.visit(&host, 7000))
    try host.play(host.machine.setFeed(feeds[2], at: 8000))
    #expect(try Self.visit(&host, 9000))
    #expect(try !Self.visit(&host, 10_000))
  }

  @Test func theTagsAreThoseOfTheTimeOfTheDisplay() throws {
    var host = Self.walker()
    let regions = host.machine.feed.regions
    func tagged(_ tags: [String]) -> Feed {
      feed(regions, [notification("c", repeatRule: .always).with { $0.tags = tags.map(Identifier.init) }]) {
        $0.caps = [Cap(scope: .tag(Identifier("promo")), maximum: 1, span: .window(Self.day))]
      }
    }
    try host.play(host.machine.setFeed(tagged(["news"]), at: 0))
    #expect(try Self.visit(&host, 1000))
    try host.play(host.machine.setFeed(tagged(["news", "promo"]), at: 2000))
    #expect(try Self.visit(&host, 3000), "the first was no promotion then")
    #expect(try !Self.visit(&host, 4000))
    try host.play(host.machine.setFeed(tagged([]), at: 5000))
    #expect(try Self.visit(&host, 6000), "the cap is not about it any more")
  }

  @Test func theOldestAreForgotten() throws {
    var host = Self.walker()
    for number in Int64(0)..<3 { #expect(try Self.visit(&host, number * Self.day)) }
    #expect(try Self.visit(&host, 401 * Self.day))
    #expect(host.machine.state.history.displays.map(\.time) == [2 * Self.day, 401 * Self.day], "older than 400 days")
    var state = State()
    for time in 0..<Int64(Display.limit) {
      state.history.apply(
        .display(Display(time: time, campaign: Identifier("x"), region: Identifier("a"), visit: nil, tags: [])))
    }
    var machine = Machine(state: state, feed: host.machine.feed, settings: host.machine.settings)
    let output = try machine.fix(1_000_000, Self.away)
    #expect(output.shows.isEmpty)
    let entered = try machine.fix(1_000_001, origin)
    let confirmed = try machine.confirm(entered.shows[0].matchIdentifier ?? "", shown: true)
    #expect(machine.state.history.displays.count == Display.limit && machine.state.history.displays[0].time == 1)
    let forgotten = confirmed.changes.contains { if case .history(.displaysForgotten(1)) = $0 { true } else { false } }
    #expect(forgotten)
  }

  // MARK: Settings

  @Test func noNotificationsWhileTheyAreOff() throws {
    var host = host([circle("a")], [notification("c", repeatRule: .always), geotrigger("g", repeatRule: .always)]) {
      $0.notificationsEnabled = false
    }
    #expect(try !Self.visit(&host, 0))
    let drop = try #require(Self.last(host, .notificationsDisabled))
    #expect(drop.step == .validity && drop.campaign == Identifier("c"))
    #expect(host.reasons("g").contains(.shown))
  }

  @Test func whatIsOnItsWayWhenTheyAreSwitchedOffIsNotShown() throws {
    var machine = Self.walker().machine
    machine.settings.hasFilter = true
    let asked = try machine.fix(0, origin)
    let off = feed(machine.feed.regions, machine.feed.campaigns) { $0.notificationsEnabled = false }
    _ = machine.setFeed(off, at: 1)
    let output = try machine.answerFilter(asked.asks[0].token, asked.asks[0].all, at: 2)
    #expect(output.shows.isEmpty && output.last("c")?.reason == .notificationsDisabled)
  }

  @Test func theMaximumOfAStrategyRollsToo() throws {
    var host = Self.walker {
      $0.strategies = [Strategy(key: Identifier("few"), rule: .maximum(2, window: Self.hour), isEnabled: true)]
    }
    #expect(try Self.visit(&host, 0))
    #expect(try Self.visit(&host, 1000))
    #expect(try !Self.visit(&host, Self.hour - 1))
    let veto = try #require(Self.last(host, .vetoed))
    #expect(veto.detail == "few" && veto.nextPossible == Self.hour)
    #expect(try Self.visit(&host, Self.hour))
  }
}
