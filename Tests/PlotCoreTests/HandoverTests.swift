import PlotTesting
import Testing

@testable import PlotCore

/// Fixes that the system hands over together (docs/batch.md, One moment).
@Suite struct HandoverTests {
  static let policies: [NoisePolicy] = [.balanced, .eager, .careful]

  private static func device(_ seed: Int, _ generator: inout SplitMix64) -> Machine {
    var regions: [Region] = []
    var campaigns: [Campaign] = []
    for number in 0..<40 {
      let center = Earth.destination(
        from: origin, course: Double.random(in: 0..<360, using: &generator),
        metres: Double.random(in: 0..<3000, using: &generator))
      regions.append(circle("r\(number)", center, radius: Double.random(in: 60...900, using: &generator)))
      let trigger: [Trigger] = [.enter, .exit, .dwelling(minutes: 5), .enter]
      campaigns.append(geotrigger("g\(number)", trigger[number % 4], at: [number], repeatRule: .always))
      campaigns.append(notification("n\(number)", trigger[(number + 1) % 4], at: [number], repeatRule: .always))
    }
    if seed % 4 == 3 { campaigns[0].values.countsPassages = true }
    return machine(regions, campaigns) { $0.noise = policies[seed % policies.count] }
  }

  /// Ten minutes of a walk that rests and goes on.
  private static func walk(_ place: inout Coordinate, _ time: inout Milliseconds, _ generator: inout SplitMix64)
    -> [Fix]
  {
    var fixes: [Fix] = []
    let end = time + 600_000
    let stays = generator.chance(0.5)
    while time < end - 60_000 {
      time += Milliseconds.random(in: 1000...45_000, using: &generator)
      place = Earth.destination(
        from: place, course: Double.random(in: 0..<360, using: &generator),
        metres: stays ? 3 : Double.random(in: 0..<150, using: &generator))
      fixes.append(Fix(time: time, coordinate: place, accuracy: Double.random(in: 3..<40, using: &generator)))
    }
    return fixes
  }

  private static func events(_ output: Machine.Output) -> [Event] {
    output.effects.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  private static func text(_ event: Event, own: Bool) -> String {
    "\(own ? event.since ?? event.time : event.time) \(event.kind) \(event.region) \(event.visit) \(event.ordinal ?? 0)"
      + " \(event.dwellingMinutes ?? 0)"
  }

  /// In any order and some of them twice, and nothing in between: the same events at the same times, but for notifications.
  @Test(arguments: 0..<12) func itComesToTheSameAsOneByOne(_ seed: Int) throws {
    var generator = SplitMix64(UInt64(seed) + 900)
    var single = Self.device(seed, &generator)
    var together = single
    var (place, time) = (origin, Milliseconds(1_000_000))
    var count = 0
    for round in 0..<30 {
      let fixes = Self.walk(&place, &time, &generator)
      var told: [Event] = []
      for fix in fixes { told += try Self.events(single.update(fix)) }
      let given = (fixes + fixes.filter { _ in generator.chance(0.2) }).shuffled(using: &generator)
      let output = try together.handOver(given, at: time)
      #expect(output.refused.isEmpty)
      func places(_ events: [Event]) -> [String] {
        events.filter { $0.item == nil || $0.kind == .geotrigger }.map { Self.text($0, own: false) }
      }
      try #require(places(told) == places(Self.events(output)), "round \(round)")
      try #require(single.state.presence.visits == together.state.presence.visits && single.track == together.track)
      #expect(single.nextWakeup == together.nextWakeup)
      count += told.count
      for item in output.effects.compactMap({ if case .show(let item) = $0 { item } else { nil } }) {
        let campaign = try #require(together.feed.campaign(item.campaign))
        let isOn = together.state.presence.visits.contains { $0.id == item.visit }
        try #require(isOn || campaign.trigger == .exit || campaign.countsPassages, "\(item.campaign)")
        _ = try together.confirm(item.matchIdentifier ?? "", shown: true)
      }
      // Notifications that were shown one by one do not count here.
      single.state.delivery = together.state.delivery
      single.state.history = together.state.history
      single.state.screen = together.state.screen
      single.state.sequence = together.state.sequence
    }
    #expect(count > 20)
  }

  /// With the wakeups in between, which come before the fixes do: the same visits, at the same times of their own.
  @Test(arguments: 0..<12) func itComesToTheSameVisitsAfterWakeups(_ seed: Int) throws {
    var generator = SplitMix64(UInt64(seed) + 1700)
    var single = Self.device(seed, &generator)
    var together = single
    var (place, time) = (origin, Milliseconds(1_000_000))
    var (first, second): ([Event], [Event]) = ([], [])
    for _ in 0..<30 {
      let fixes = Self.walk(&place, &time, &generator)
      for fix in fixes { first += try Self.events(single.update(fix)) }
      first += Self.events(single.advance(to: time))
      while let wakeup = together.nextWakeup, wakeup <= time { second += Self.events(together.advance(to: wakeup)) }
      second += try Self.events(together.handOver(fixes.shuffled(using: &generator), at: time))
    }
    func places(_ events: [Event], _ kinds: [Event.Kind]) -> [String] {
      events.filter { kinds.contains($0.kind) }.map { Self.text($0, own: true) }.sorted()
    }
    #expect(places(first, [.regionEnter, .regionExit]) == places(second, [.regionEnter, .regionExit]))
    // A wakeup may tell a dwelling by a fix of 90 seconds before, of which the fixes to come say that it was the last one inside.
    #expect(Set(places(first, [.regionDwell])).isSubset(of: places(second, [.regionDwell])))
    #expect(first.count > 20)
  }

  /// A host whose process was ended before the call had returned gives the fix again: it counts once, whatever the noise.
  @Test(arguments: 0..<12) func aFixThatComesAgainCountsOnce(_ seed: Int) throws {
    var generator = SplitMix64(UInt64(seed) + 2600)
    var single = Self.device(seed, &generator)
    single.settings.recordsDecisions = seed % 2 == 0
    var twice = single
    var (place, time) = (origin, Milliseconds(1_000_000))
    for round in 0..<30 {
      for var fix in Self.walk(&place, &time, &generator) {
        // Some from cells, which are far off and tell little.
        if round % 3 == 2 { fix.accuracy *= 40 }
        if generator.chance(0.05) { fix.coordinate = north(2500) }
        let first = try Self.events(single.update(fix))
        let again = try Self.events(twice.update(fix)) + Self.events(twice.update(fix))
        try #require(first.map { Self.text($0, own: false) } == again.map { Self.text($0, own: false) }, "\(fix.time)")
        try #require(single.track == twice.track && single.state.presence.visits == twice.state.presence.visits)
      }
    }
  }

  /// The last fix is news, also where that fix is there twice.
  @Test(arguments: [1, 2]) func whatTheLastFixHasPassedIsShown(_ times: Int) throws {
    let campaign = notification("c").with { $0.countsPassages = true }
    var host = host([circle("a", north(500), radius: 60)], [campaign])
    let way = [0.0, 200, 1000].enumerated().map { Fix(time: 1_000_000 + 60_000 * Int64($0), coordinate: north($1)) }
    let given = way + Array(repeating: way[2], count: times - 1)
    try host.play(host.machine.handOver(given, at: 1_200_000))
    #expect(host.delivery().contains { $0.hasPrefix("notification-shown") })
  }

  /// A recording may hold what no host can give.
  @Test func aFixThatIsNoPlaceIsLeftOut() throws {
    var machine = machine([circle("a")], [])
    let wrong = Fix(time: 1_000_001, coordinate: Coordinate(latitude: 95, longitude: 0))
    let right = Fix(time: 1_000_002, coordinate: origin)
    let output = try machine.handOver([right, wrong], at: 1_000_003)
    #expect(output.refused.map(\.fix) == [1])
    #expect(output.refused.first?.error == wrong.fault)
    #expect(machine.lastFix == right)
  }
}
