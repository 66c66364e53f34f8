import PlotTesting
import Testing

@testable import PlotCore

/// A wall clock that is set does not open a cap early, and does not freeze one.
@Suite struct ClockTests {
  static let away = north(5000)
  static let hour: Milliseconds = 3_600_000
  static let day: Milliseconds = 86_400_000
  static let noon = utc("2026-05-16T12:00")

  /// A walker whose host tells the clocks: a boot, and the time that has really passed since.
  struct Device {
    var host: TestHost
    /// The wall clock less the real time.
    var skew: Milliseconds = 0
    var real: Milliseconds = noon
    var boot = "one"
    var booted: Milliseconds = noon - hour

    init(_ host: TestHost) throws {
      self.host = host
      try tell()
    }

    var wall: Milliseconds { real + skew }

    mutating func tell() throws {
      try host.play(host.machine.setClock(ClockReading(wall: wall, monotonic: real - booted, boot: boot)))
    }

    mutating func pass(_ time: Milliseconds) { real += time }

    mutating func set(by skew: Milliseconds) throws {
      self.skew += skew
      try tell()
    }

    mutating func visit() throws -> Bool {
      try host.go(origin, at: wall)
      let shown = host.news().contains { $0.hasPrefix("notification-shown") }
      try host.go(away, at: wall)
      return shown
    }
  }

  static func device(
    _ trigger: Trigger = .enter, _ change: (inout FeedSettings) -> Void = { _ in }
  ) throws -> Device {
    try Device(host([circle("a")], [notification("c", trigger, repeatRule: .always)], change))
  }

  // MARK: Times that the clocks cannot show

  static let years = 7168 * day  // 1024 weeks, the rollover of a receiver

  static func limited() throws -> Device {
    var device = try device { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(2 * hour))] }
    device.host.machine.settings.maxAhead = 600_000
    try device.tell()
    return device
  }

  @Test(arguments: [601_000, hour, years]) func aTimeBeyondTheClocksIsRefused(_ ahead: Milliseconds) throws {
    var device = try Self.limited()
    let (newest, page) = (device.host.machine.state.newest, device.host.machine.page.bytes)
    let latest = device.wall + 600_000
    #expect(throws: InputError.ahead(latest: latest, isByClock: true)) {
      try device.host.go(origin, at: device.wall + ahead)
    }
    #expect(device.host.machine.state.newest == newest)
    #expect(device.host.machine.page.bytes != page, "the reading is over")
    #expect(try device.visit())
  }

  @Test func aReadingCountsUntilAnInputIsAMinuteLater() throws {
    var device = try Self.limited()
    try device.host.go(Self.away, at: device.wall)
    #expect(throws: InputError.self) { try device.host.play(device.host.machine.take(.advance(device.wall + 601_000))) }
    // How much time has gone by since is not known, but not years.
    try device.host.go(Self.away, at: device.wall + Self.hour)
    let latest = device.wall + Self.hour + 31 * Self.day
    #expect(throws: InputError.ahead(latest: latest, isByClock: false)) {
      try device.host.go(origin, at: latest + 1)
    }
    try device.host.go(origin, at: latest)
  }

  /// Times that a fix of the future has left behind go back; those of the past stay.
  @Test(arguments: ["one", "two"]) func aTimeThatWasNeverSoComesBack(_ boot: String) throws {
    var device = try Self.limited()
    #expect(try device.visit())
    device.host.machine.settings.maxAhead = nil
    try device.host.go(Self.away, at: device.wall + Self.years)
    device.host.machine.settings.maxAhead = 600_000
    device.pass(Self.hour)
    if boot != device.boot { (device.boot, device.booted) = (boot, device.real) }
    try device.tell()
    #expect(device.host.machine.state.newest == device.wall)
    #expect(try !device.visit(), "the cap is still full")
    device.pass(Self.hour + 2000)
    try device.tell()
    #expect(try device.visit())
  }

  static let jumps: [Milliseconds] = [day, -day, 1000, -1000, 30 * day, -400 * day]

  @Test(arguments: jumps)
  func aCapStaysFullExactlyAsLong(_ jump: Milliseconds) throws {
    for span in [Cap.Span.window(2 * Self.hour)] {
      var device = try Self.device { $0.caps = [Cap(scope: .all, maximum: 1, span: span)] }
      #expect(try device.visit())
      device.pass(Self.hour)
      try device.set(by: jump)
      #expect(try !device.visit())
      let full = device.host.decisions.last { $0.reason == .capped }
      #expect(full?.nextPossible == device.wall + Self.hour)
      device.pass(Self.hour - 1)
      #expect(try !device.visit())
      device.pass(1)
      #expect(try device.visit())
    }
  }

  @Test(arguments: jumps)
  func thereAndBack(_ jump: Milliseconds) throws {
    var device = try Self.device { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(2 * Self.hour))] }
    #expect(try device.visit())
    device.pass(60_000)
    try device.set(by: jump)
    device.pass(60_000)
    try device.set(by: -jump)
    #expect(device.host.machine.state.history.displays.map(\.time) == [Self.noon])
    device.pass(2 * Self.hour - 120_001)
    #expect(try !device.visit())
    device.pass(1)
    #expect(try device.visit())
  }

  @Test(arguments: jumps)
  func cooldownsAndDwellingsKeepWhatRemains(_ jump: Milliseconds) throws {
    var device = try Self.device(.dwelling(minutes: 10))
    try device.host.play(device.host.machine.setCooldownPeriod(Self.hour, at: device.wall))
    try device.host.go(origin, at: device.wall)
    let visit = device.host.machine.state.presence.visits[0]
    device.pass(4 * 60_000)
    try device.set(by: jump)
    let moved = device.host.machine.state.presence.visits[0]
    #expect(moved.id == visit.id && moved.entered == visit.entered, "the same visit")
    #expect(device.host.machine.nextWakeup == device.wall + 6 * 60_000)
    device.pass(6 * 60_000)
    try device.host.wait(until: device.wall)
    #expect(device.host.news().suffix(2) == ["show c", "notification-shown c"])
    let end = device.wall + Self.hour - jump
    try device.set(by: -jump)
    try device.host.go(Self.away, at: device.wall)
    try device.host.go(origin, at: device.wall)
    try device.host.wait(until: device.wall + 10 * 60_000)
    #expect(device.host.decisions.last?.nextPossible == end)
  }

  @Test func deadlinesKeepWhatRemains() throws {
    for jump in Self.jumps {
      var device = try Self.device()
      device.host.machine.settings.hasFilter = true
      try device.host.go(origin, at: device.wall)
      device.pass(20_000)
      try device.set(by: jump)
      #expect(device.host.machine.nextWakeup == device.wall + 40_000)
    }
  }

  @Test(arguments: jumps)
  func theTimeOfStepsGoesOn(_ jump: Milliseconds) throws {
    let links = [Chain.Link(region: Identifier("b"), event: .enter)]
    let campaign = notification("c", repeatRule: .always).with { $0.after = Chain(links: links, within: Self.hour) }
    for (late, shown) in [(0, true), (1, false)] as [(Milliseconds, Bool)] {
      var device = try Device(host([circle("a"), circle("b", north(1000))], [campaign]))
      try device.host.go(north(1000), at: device.wall)
      device.pass(20 * 60_000)
      try device.set(by: jump)
      device.pass(40 * 60_000 + late)
      #expect(try device.visit() == shown)
    }
  }

  @Test func driftAddsUp() throws {
    var device = try Self.device { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.hour))] }
    #expect(try device.visit())
    try device.set(by: 999)
    #expect(device.host.machine.state.history.displays[0].time == Self.noon, "less than a second")
    device.pass(60_000)
    try device.set(by: 1)
    #expect(device.host.machine.state.history.displays[0].time == Self.noon + 1000, "a second in all")
  }

  @Test func fixesOfTheEarlierTimeAreTaken() throws {
    var device = try Self.device()
    #expect(try device.visit())
    device.skew = -Self.day
    #expect(throws: InputError.self) { try device.host.go(origin, at: device.wall) }
    try device.tell()
    #expect(try device.visit())
  }

  /// The host is late: it has used the new time before it tells.
  @Test func aLateWordNeverMakesAWaitLonger() throws {
    var device = try Self.device { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.hour))] }
    device.skew = Self.day
    #expect(try device.visit())
    device.pass(1000)
    try device.tell()
    #expect(device.host.machine.state.newest == device.wall)
    let anchor = try #require(device.host.machine.state.history.displays.first?.time)
    #expect(anchor <= device.wall, "not in the future")
    device.pass(Self.hour)
    #expect(try device.visit())
  }

  // MARK: Other boots

  @Test func aRebootCountsWallTime() throws {
    var device = try Self.device { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.hour))] }
    #expect(try device.visit())
    device.pass(60_000)
    (device.boot, device.booted) = ("two", device.real)
    try device.tell()
    #expect(try !device.visit())
    #expect(device.host.decisions.last { $0.reason == .capped }?.nextPossible == Self.noon + Self.hour)
    device.pass(59 * 60_000)
    #expect(try device.visit())
  }

  @Test func aWallClockThatHasGoneBackOverARebootIsNoTime() throws {
    var device = try Self.device { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(Self.hour))] }
    #expect(try device.visit())
    device.pass(10 * 60_000)
    try device.host.wait(until: device.wall)
    (device.boot, device.booted, device.skew) = ("two", device.real, -Self.day)
    try device.tell()
    #expect(try !device.visit())
    #expect(device.host.decisions.last { $0.reason == .capped }?.nextPossible == device.wall + 50 * 60_000)
  }

  @Test func monotonicTimeDoesNotGoBackWithinABoot() throws {
    var machine = try Self.device().host.machine
    let before = dump(machine)
    let error = #expect(throws: InputError.self) {
      try machine.setClock(ClockReading(wall: Self.noon + 5, monotonic: Self.hour - 1, boot: "one"))
    }
    #expect(
      error
        == .invalid(
          name: "monotonic_ms", expected: "3600000 or more, as before in this boot", found: "3599999"))
    #expect(dump(machine) == before)
  }

  @Test func theFirstWordChangesNothing() throws {
    var machine = host([circle("a")], [notification("c")]).machine
    _ = try machine.fix(Self.noon, origin)
    let output = try machine.setClock(ClockReading(wall: Self.noon + 5000, monotonic: 7, boot: "b"))
    #expect(output.effects.isEmpty && machine.state.newest == Self.noon + 5000)
    #expect(machine.state.host.clock == ClockReading(wall: Self.noon + 5000, monotonic: 7, boot: "b"))
    #expect(try machine.setClock(ClockReading(wall: Self.noon + 5000, monotonic: 7, boot: "b")).changes.isEmpty)
  }

  // MARK: Rules of the wall

  @Test func quietHoursAreThoseOfTheNewTime() throws {
    var device = try Self.device {
      $0.quietHours = [QuietHours(hours: QuietTests.nightly(), during: .hold)]
    }
    device.pass(11 * Self.hour)
    try device.host.go(origin, at: device.wall)
    #expect(device.host.machine.state.delivery.waiting.map(\.until) == [utc("2026-05-17T06:00")])
    // From eleven in the evening to eleven of the evening before.
    try device.set(by: -Self.day)
    #expect(device.host.machine.state.delivery.waiting.map(\.until) == [utc("2026-05-16T06:00")])
    try device.set(by: Self.day)
    #expect(device.host.machine.state.delivery.waiting.map(\.until) == [utc("2026-05-17T06:00")])
    // To eight in the morning.
    try device.set(by: 9 * Self.hour)
    #expect(device.host.news().last == "notification-shown c")
  }

  @Test func whatWaitsForItsTimesIsLookedAtAnew() throws {
    let hours = OpeningHours.daily((540, 600))
    let times = TriggerTimes(rule: .own(.hours(hours)), zone: .device, outside: .hold)
    var device = try Device(host([circle("a")], [notification("c", times: times)]))
    try device.host.go(origin, at: device.wall)
    #expect(device.host.machine.state.delivery.held.map(\.until) == [utc("2026-05-17T09:00")])
    try device.set(by: -4 * Self.hour)
    #expect(device.host.machine.state.delivery.held.map(\.until) == [utc("2026-05-16T09:00")])
    try device.set(by: Self.day + 90 * 60_000)
    #expect(device.host.news().last == "notification-shown c", "half past nine of the next day")
  }

  /// Before the engine starts: what is due at the start is so by the moved times.
  @Test func theClockComesBeforeWhatIsDue() throws {
    var device = try Self.device { $0.caps = [Cap(scope: .all, maximum: 1, span: .window(2 * Self.hour))] }
    #expect(try device.visit())
    device.pass(Self.hour)
    device.skew = 10 * Self.hour
    var machine = Machine(state: device.host.machine.state, feed: device.host.machine.feed)
    let reading = ClockReading(wall: device.wall, monotonic: device.real - device.booted, boot: device.boot)
    #expect(try machine.startClock(reading).effects.isEmpty)
    #expect(machine.state.history.displays.map(\.time) == [device.wall - Self.hour])
    device.host.machine = machine
    device.host.machine.settings = device.host.machine.settings
    device.host.machine.settings.noise = .exact
    device.host.machine.settings.initial = .enter
    device.host.machine.settings.recordsDecisions = true
    try device.host.play(device.host.machine.recover(at: device.wall))
    #expect(try !device.visit())
    device.pass(Self.hour)
    #expect(try device.visit())
  }

  /// Random days with a clock that is set now and then: seen by the real time, all is as with a clock that is never set.
  @Test func byTheRealTimeAllIsTheSame() throws {
    var witnesses = Witnesses()
    for seed in UInt64(0)..<10 { try Self.byTheRealTimeAllIsTheSame(seed, &witnesses) }
    #expect(
      witnesses.below([
        "shown": 510, "capped": 1200, "vetoed": 100, "forward": 160, "back": 150,
      ]) == [])
  }

  private static func byTheRealTimeAllIsTheSame(_ seed: UInt64, _ witnesses: inout Witnesses) throws {
    func life(_ isSet: Bool) throws -> [Milliseconds] {
      var generator = SplitMix64(seed)
      var device = try Self.device {
        $0.caps = [Cap(scope: .all, maximum: 2, span: .window(3 * Self.hour))]
        $0.strategies = [
          Strategy(key: Identifier("s"), rule: .minimumTime(600_000, after: .shown), isEnabled: true)
        ]
      }
      var shown: [Milliseconds] = []
      for _ in 0..<200 {
        device.pass(Int64.random(in: 1...1_800_000, using: &generator))
        let jump = Int64.random(in: (-2 * Self.day)...(2 * Self.day), using: &generator)
        if generator.chance(0.2), isSet, abs(jump) >= 1000 {
          try device.set(by: jump)
          witnesses.see(jump > 0 ? "forward" : "back")
        }
        if try device.visit() { shown.append(device.real) }
      }
      if isSet {
        witnesses.see("shown", shown.count)
        for decision in device.host.decisions { witnesses.see(decision.reason.rawValue) }
      }
      return shown
    }
    let (plain, set) = (try life(false), try life(true))
    #expect(plain == set, "seed \(seed)")
  }
}
