import PlotTesting
import Testing

@testable import PlotCore

/// Nobody was there (docs/feed.md, Absence). Amsterdam is two hours ahead of UTC in May.
@Suite struct AbsenceTests {
  static let away = north(5000)
  static let minute: Milliseconds = 60_000
  static let hour: Milliseconds = 3_600_000
  static let workdays = [true, true, true, true, true, false, false]
  static let byNine = AbsenceRule(.upTo(.init(by: 540, days: workdays, from: 360)))

  static func campaign(
    _ rule: AbsenceRule, at regions: [Int] = [0], zone: TriggerTimes.Zone = .region
  ) -> Campaign {
    notification(
      "c", .absent, times: TriggerTimes(rule: .anytime, zone: zone, outside: .drop), repeatRule: .always
    ).with {
      $0.absence = rule
      $0.regions = regions
    }
  }

  /// A host that begins at a time, 5 km from the shop.
  static func host(
    _ rule: AbsenceRule, from start: String, zone: TriggerTimes.Zone = .region, evidence: Bool = false
  ) throws -> TestHost {
    var shop = circle("a")
    if zone == .region { shop.values.zone = try Zones.named("Europe/Amsterdam") }
    var host = TestHost(feed([shop], [campaign(rule, zone: zone)])) {
      $0.noise = evidence ? .standard : .exact
    }
    if zone == .device { try host.play(host.machine.setTimeZone(Zones.named("Europe/Amsterdam"), at: utc(start))) }
    try host.go(away, at: utc(start))
    return host
  }

  /// The absences that were told of, each with its span.
  static func told(_ host: TestHost) -> [String] {
    host.events.compactMap { event in
      event.absence.map { absence in
        let unknown = absence.unknown.map { " \(text($0.lowerBound))-\(text($0.upperBound))" } ?? ""
        return "\(event.kind.rawValue) \(text(absence.from))-\(text(absence.to))\(unknown)"
      }
    }
  }

  static func shows(_ host: TestHost) -> [Item] {
    host.effects.compactMap { if case .show(let item) = $0 { item } else { nil } }
  }

  static func text(_ time: Milliseconds) -> String { String(Timestamp.text(time).dropFirst(5).prefix(11)) }

  /// A fix each so often, up to a time and without it.
  static func stay(
    _ host: inout TestHost, _ place: Coordinate = away, until end: String, every step: Milliseconds = 20 * minute
  ) throws {
    var time = host.time + step
    while time < utc(end) {
      try host.go(place, at: time)
      time += step
    }
  }

  // MARK: Deadlines

  @Test func notThereByNineOnWorkingDays() throws {
    // A Friday.
    var host = try Self.host(Self.byNine, from: "2026-05-15T03:00")
    #expect(host.machine.nextWakeup == utc("2026-05-15T07:00"))
    try Self.stay(&host, until: "2026-05-15T07:00")
    try host.wait(until: utc("2026-05-15T07:00"))
    #expect(Self.told(host) == ["absence 05-15T04:00-05-15T07:00"] && host.log.contains("show c"))
    // Nothing on Saturday and Sunday.
    #expect(host.machine.nextWakeup == utc("2026-05-18T07:00"))
    try Self.stay(&host, until: "2026-05-18T07:01")
    #expect(Self.told(host).count == 2 && host.reasons("c").filter { $0 == .triggered }.count == 2)
    let items = Self.shows(host)
    #expect(items.map(\.identifier) == ["c;a", "c;a"] && Set(items.map(\.matchIdentifier)).count == 2)
    #expect(items.allSatisfy { $0.trigger == .absent })
  }

  @Test(arguments: [("04:00", "04:20"), ("06:40", "09:00"), ("03:20", "04:20")])
  func aVisitInTheSpanIsNoAbsence(_ from: String, _ to: String) throws {
    var host = try Self.host(Self.byNine, from: "2026-05-15T03:00")
    try Self.stay(&host, until: "2026-05-15T\(from)")
    try Self.stay(&host, origin, until: "2026-05-15T\(to)")
    try Self.stay(&host, until: "2026-05-15T09:01")
    #expect(Self.told(host).isEmpty && host.reasons("c") == [.absenceVisited])
    #expect(host.machine.nextWakeup == utc("2026-05-18T07:00"))
  }

  @Test func aVisitBeforeOrAfterTheSpanDoesNotCount() throws {
    var host = try Self.host(Self.byNine, from: "2026-05-15T02:00")
    try Self.stay(&host, origin, until: "2026-05-15T03:50")
    try Self.stay(&host, until: "2026-05-15T07:00")
    try host.wait(until: utc("2026-05-15T07:00"))
    try Self.stay(&host, origin, until: "2026-05-15T09:01")
    #expect(Self.told(host) == ["absence 05-15T04:00-05-15T07:00"])
  }

  @Test func theFirstSpanIsUnknownThatBeganBeforeTheFirstFix() throws {
    var host = try Self.host(Self.byNine, from: "2026-05-15T05:00")
    try Self.stay(&host, until: "2026-05-15T07:30")
    #expect(Self.told(host) == ["absence-unknown 05-15T04:00-05-15T07:00 05-15T04:00-05-15T05:00"])
    #expect(Self.shows(host).isEmpty && host.reasons("c") == [.absenceUnknown])
  }

  @Test func aLongSilenceIsUnknownAndOneOfAnHourIsNot() throws {
    for (silence, told) in [
      (Self.hour, "absence 05-15T04:00-05-15T07:00"),
      (Self.hour + 1000, "absence-unknown 05-15T04:00-05-15T07:00 05-15T05:00-05-15T06:00"),
    ] {
      var host = try Self.host(Self.byNine, from: "2026-05-15T03:00")
      try Self.stay(&host, until: "2026-05-15T05:01")
      try host.go(Self.away, at: utc("2026-05-15T05:00") + silence)
      try Self.stay(&host, until: "2026-05-15T07:30")
      #expect(Self.told(host) == [told])
    }
  }

  /// A device that was off until after the end says so with its first fix, and of several spans only about the last.
  @Test func offAtTheEnd() throws {
    var host = try Self.host(Self.byNine, from: "2026-05-15T03:00")
    try Self.stay(&host, until: "2026-05-15T05:01")
    try host.wait(until: utc("2026-05-20T10:00"))
    #expect(Self.told(host).isEmpty && host.machine.nextWakeup == nil)
    try host.go(Self.away, at: utc("2026-05-20T10:00"))
    #expect(Self.told(host) == ["absence-unknown 05-20T04:00-05-20T07:00 05-15T05:00-05-20T10:00"])
  }

  @Test func evidenceAsksForAFix() throws {
    var host = try Self.host(Self.byNine, from: "2026-05-15T03:00", evidence: true)
    try Self.stay(&host, until: "2026-05-15T07:00")
    try host.wait(until: utc("2026-05-15T07:00"))
    #expect(Self.told(host).isEmpty && host.machine.nextWakeup == nil)
    guard case .requestFix = host.effects.last(where: { if case .requestFix = $0 { true } else { false } }) else {
      Issue.record("no fix is asked for")
      return
    }
    var late = host
    try host.go(Self.away, at: utc("2026-05-15T07:00:10"))
    #expect(Self.told(host) == ["absence 05-15T04:00-05-15T07:00"])
    // Whoever has come in between may have been there in time.
    for second in 0..<20 { try late.go(origin, at: utc("2026-05-15T07:01") + Int64(second) * 15_000) }
    #expect(Self.told(late).count == 1 && Self.told(late)[0].hasPrefix("absence-unknown 05-15T04:00-05-15T07:00 "))
  }

  @Test func comingJustAfterTheEnd() throws {
    // Gates judge at the end itself, by a fix that may be as old as the longest silence.
    var host = try Self.host(Self.byNine, from: "2026-05-15T03:00")
    try Self.stay(&host, until: "2026-05-15T05:50")
    try host.go(origin, at: utc("2026-05-15T07:10"))
    #expect(Self.told(host) == ["absence-unknown 05-15T04:00-05-15T07:00 05-15T05:40-05-15T07:10"])
  }

  // MARK: Weeks and lengths of time

  static let week = AbsenceRule(
    .upTo(.init(by: 1200, days: [false, false, false, false, false, false, true], fromDay: 0)),
    leastVisit: 20 * minute)

  @Test(arguments: [
    // Sunday's part that belongs to the week before does not count; Monday begins at 22:00 UTC.
    ([("05-17T21:40", "05-17T22:15")], true), ([("05-17T21:40", "05-17T22:20")], false),
    ([("05-19T10:00", "05-19T10:15"), ("05-20T10:00", "05-20T10:15")], true),
    ([("05-19T10:00", "05-19T10:20")], false), ([("05-24T17:35", "05-24T19:00")], false),
    ([("05-24T17:45", "05-24T19:00")], true),
  ])
  func noLongVisitThisWeek(_ visits: [(String, String)], _ isAbsent: Bool) throws {
    var host = try Self.host(Self.week, from: "2026-05-17T20:00")
    for (from, to) in visits {
      try Self.stay(&host, until: "2026-\(from)", every: 5 * Self.minute)
      try Self.stay(&host, origin, until: "2026-\(to)", every: 5 * Self.minute)
    }
    try Self.stay(&host, until: "2026-05-24T19:00", every: 5 * Self.minute)
    #expect(Self.told(host) == (isAbsent ? ["absence 05-17T22:00-05-24T18:00"] : []))
  }

  static let threeDays = AbsenceRule(.lasting(minutes: 3 * 1440))

  @Test func itCountsFromTheEndOfTheLastVisitAndIsToldOnce() throws {
    var host = try Self.host(Self.threeDays, from: "2026-05-15T10:00")
    try Self.stay(&host, until: "2026-05-16T10:00", every: Self.hour)
    try Self.stay(&host, origin, until: "2026-05-16T13:00", every: Self.hour)
    #expect(host.machine.nextWakeup == nil)
    try Self.stay(&host, until: "2026-05-19T13:00", every: Self.hour)
    #expect(Self.told(host).isEmpty && host.machine.nextWakeup == utc("2026-05-19T13:00"))
    try Self.stay(&host, until: "2026-05-30T13:00", every: Self.hour)
    #expect(Self.told(host) == ["absence 05-16T13:00-05-19T13:00"] && host.machine.nextWakeup == nil)
    try Self.stay(&host, origin, until: "2026-05-30T15:00", every: Self.hour)
    try Self.stay(&host, until: "2026-06-05T13:00", every: Self.hour)
    #expect(Self.told(host).last == "absence 05-30T15:00-06-02T15:00" && Self.told(host).count == 2)
  }

  @Test func aVisitThatIsTooShortDoesNotCount() throws {
    var rule = Self.threeDays
    rule.leastVisit = 30 * Self.minute
    var host = try Self.host(rule, from: "2026-05-15T10:00")
    try Self.stay(&host, until: "2026-05-18T09:50")
    try Self.stay(&host, origin, until: "2026-05-18T10:05", every: 5 * Self.minute)
    #expect(Self.told(host) == ["absence 05-15T10:00-05-18T10:00"], "it is on, and has lasted for 10 minutes")
  }

  @Test func aLongSilenceBeginsItAnew() throws {
    var host = try Self.host(Self.threeDays, from: "2026-05-15T10:00")
    try host.go(Self.away, at: utc("2026-05-15T22:00"))
    try host.go(Self.away, at: utc("2026-05-16T10:01"))
    try Self.stay(&host, until: "2026-05-25T10:00", every: Self.hour)
    #expect(
      Self.told(host) == [
        "absence-unknown 05-15T10:00-05-18T10:00 05-15T22:00-05-16T10:01", "absence 05-16T10:01-05-19T10:01",
      ])
  }

  @Test(arguments: [true, false]) func aDeviceThatWasOffIsMissedAfterAnHour(_ isOff: Bool) throws {
    var rule = Self.threeDays
    rule.longestGap = 20 * Self.hour
    var host = try Self.host(rule, from: "2026-05-15T10:00")
    func clock(_ boot: String, _ time: String) throws {
      let reading = ClockReading(
        wall: utc(time), monotonic: boot == "a" ? utc(time) - utc("2026-05-15T10:00") : 1000, boot: boot)
      try host.play(host.machine.setClock(reading))
    }
    try clock("a", "2026-05-15T10:01")
    try Self.stay(&host, until: "2026-05-15T12:00", every: Self.hour)
    try clock(isOff ? "b" : "a", "2026-05-15T16:00")
    try Self.stay(&host, until: "2026-05-15T16:01", every: 5 * Self.hour)
    try Self.stay(&host, until: "2026-05-18T11:00", every: Self.hour)
    #expect(
      Self.told(host)
        == [
          isOff
            ? "absence-unknown 05-15T10:00-05-18T10:00 05-15T11:00-05-15T16:00" : "absence 05-15T10:00-05-18T10:00"
        ])
  }

  // MARK: Several regions, other feeds, other clocks

  @Test func anyOfItsRegionsCounts() throws {
    let regions = [circle("a"), circle("b", north(20_000))]
    var host = TestHost(feed(regions, [Self.campaign(Self.threeDays, at: [0, 1])]))
    try host.go(Self.away, at: utc("2026-05-15T10:00"))
    try Self.stay(&host, until: "2026-05-17T10:00", every: Self.hour)
    try Self.stay(&host, north(20_000), until: "2026-05-17T11:00", every: 10 * Self.minute)
    try Self.stay(&host, until: "2026-05-21T10:00", every: Self.hour)
    #expect(Self.told(host) == ["absence 05-17T11:50-05-20T11:50"])
    #expect(host.events.last { $0.absence != nil }?.region == Identifier("a"))
  }

  @Test func anotherFeedBeginsItAnewWhereItAsksForSomethingElse() throws {
    var host = try Self.host(Self.threeDays, from: "2026-05-15T10:00")
    try Self.stay(&host, until: "2026-05-16T10:00", every: Self.hour)
    let region = host.machine.feed.regions[0]
    let same = Self.campaign(Self.threeDays).with { $0.text = Template("other")! }
    try host.set(feed([circle("x"), region], [same.with { $0.regions = [1] }]), at: host.time + 1)
    #expect(host.machine.nextWakeup == utc("2026-05-18T10:00"))
    var other = Self.threeDays
    other.leastVisit = Self.hour
    try host.set(feed([region], [Self.campaign(other)]), at: host.time + 1)
    #expect(host.machine.nextWakeup == nil)
    try host.go(Self.away, at: host.time + Self.hour)
    #expect(host.machine.nextWakeup == host.time + 3 * 24 * Self.hour)
    try host.play(host.machine.setEnabled(false, at: host.time + 1))
    #expect(host.machine.nextWakeup == nil && host.machine.state.presence.absences.isEmpty)
  }

  @Test func aClockThatIsSetMovesIt() throws {
    var host = try Self.host(Self.threeDays, from: "2026-05-15T10:00")
    func reading(_ wall: String, after: Milliseconds) -> ClockReading {
      ClockReading(wall: utc(wall), monotonic: after, boot: "b")
    }
    try host.play(host.machine.setClock(reading("2026-05-15T10:00", after: 0)))
    try Self.stay(&host, until: "2026-05-15T12:01", every: Self.hour)
    try host.play(host.machine.setClock(reading("2026-05-20T12:00", after: 2 * Self.hour)))
    #expect(host.machine.nextWakeup == utc("2026-05-23T10:00"))
  }

  /// The same day comes again on the clocks of New York, and is not judged twice.
  @Test func flyingWest() throws {
    var host = try Self.host(Self.byNine, from: "2026-05-14T03:00", zone: .device)
    try Self.stay(&host, until: "2026-05-14T07:30")
    #expect(Self.told(host).count == 1)
    try host.play(host.machine.setTimeZone(Zones.named("America/New_York"), at: host.time + 1))
    // 06:00 of New York is 10:00 UTC, after the end of the judged one: this span is another.
    #expect(host.machine.nextWakeup == utc("2026-05-14T13:00"))
    var allDay = Self.byNine
    allDay.length = .upTo(.init(by: 540))
    host = try Self.host(allDay, from: "2026-05-13T20:00", zone: .device)
    try Self.stay(&host, until: "2026-05-14T07:30")
    try host.play(host.machine.setTimeZone(Zones.named("America/New_York"), at: host.time + 1))
    #expect(Self.told(host).count == 1 && host.machine.nextWakeup == utc("2026-05-15T13:00"))
  }

  /// Against a walk from minute to minute on the clocks of 12 zones, which Python's zoneinfo checks (`RuleZoneTests`).
  @Test(arguments: RuleZoneTests.names) func endsAgainstAWalk(_ name: String) throws {
    let zone = try Zones.named(name)
    var generator = SplitMix64(UInt64(name.utf8.reduce(0) { $0 + Int($1) }))
    for round in 0..<6 {
      let year = Int64.random(in: 1971...2060, using: &generator)
      var start = utc("\(year)-01-01T00:00") + .random(in: 0..<365 * 1440, using: &generator) * Self.minute
      if round % 2 == 0 {
        var hour = start
        while hour < start + 366 * 24 * Self.hour, zone.offset(at: hour) == zone.offset(at: hour + Self.hour) {
          hour += Self.hour
        }
        start = hour - 36 * Self.hour
      }
      let by = Int64.random(in: 1...1440, using: &generator)
      let deadline = AbsenceRule.Deadline(by: round < 4 ? by : by % 180 + 1, from: 0)
      // The first minute of a day on the wall that is at its end or beyond.
      var ends: [Milliseconds] = []
      var day = zone.local(start).day - 1
      var time = start
      while time < start + 4 * 24 * Self.hour {
        while zone.local(time) >= LocalTime(day: day, minute: deadline.by) {
          // A span that is skipped whole is none.
          if time > start, zone.times(of: LocalTime(day: day, minute: 0))[0] < time { ends.append(time) }
          day += 1
        }
        time += Self.minute
      }
      var found: [Milliseconds] = []
      var next = start
      while let span = deadline.next(after: next, in: zone), span.to < start + 4 * 24 * Self.hour {
        #expect(deadline.last(upTo: span.to, in: zone) == span && span.from < span.to)
        found.append(span.to)
        next = span.to
      }
      #expect(found == ends, "\(name) \(Timestamp.text(start)) by \(deadline.by)")
    }
  }

  // MARK: Each day of a long visit

  @Test func insideOnEachDay() throws {
    let campaign = InsideTests.campaign().with { $0.isDaily = true }
    var machine = try InsideTests.entered(utc("2026-03-27T09:00"), campaign)
    var shown: [String] = []
    // Clocks change on the 29th.
    for _ in 0..<4 {
      let wakeup = try #require(machine.nextWakeup)
      let output = machine.advance(to: wakeup)
      shown += output.shows.map { _ in Self.text(wakeup) }
      _ = try machine.confirmAll(output)
    }
    #expect(shown == ["03-27T17:00", "03-28T17:00", "03-29T16:00", "03-30T16:00"])
    // Of several days only the last counts, and its number goes on.
    let output = machine.advance(to: utc("2026-04-05T20:00"))
    #expect(
      output.shows.count == 1 && output.decisions.first { $0.reason == .triggered }?.time == utc("2026-04-05T16:00"))
    #expect(machine.nextWakeup == utc("2026-04-06T16:00"))
    _ = try machine.fix(utc("2026-04-05T21:00"), InsideTests.away)
    #expect(machine.nextWakeup == nil)
  }
}
