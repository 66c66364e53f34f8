import PlotTesting
import Testing

@testable import PlotCore

/// Each rule of the noise policy by itself, and the triggers that come of it. A region of 50 m at the origin.
@Suite struct NoiseRuleTests {
  private func walker(
    _ policy: NoisePolicy, _ campaigns: [Campaign] = [], initial: InitialPolicy = .enter, moving: Bool = false
  ) -> TestHost {
    var region = circle("a", radius: 50)
    region.values.isMoving = moving
    return TestHost(feed([region], campaigns)) {
      $0.noise = policy
      $0.initial = initial
    }
  }

  private func policy(_ change: (inout NoisePolicy) -> Void) -> NoisePolicy {
    var policy = NoisePolicy.exact
    change(&policy)
    return policy
  }

  @Test func confirmedByNumber() throws {
    var walker = self.walker(policy { $0.confirmFixes = 3 })
    try walker.at(0, 500)
    for (second, meters) in [
      (10, 0.0), (11, 1), (12, 2), (20, 300), (21, 10), (22, 300), (22, 301), (23, 302), (24, 303),
    ] {
      try walker.at(Int64(second), meters)
    }
    #expect(
      walker.crossings == [
        "10 hold not-confirmed", "11 hold not-confirmed", "12 region-enter since 10", "20 hold not-confirmed",
        "21 drop refuted", "22 hold not-confirmed", "22 hold not-confirmed", "23 hold not-confirmed",
        "24 region-exit since 22",
      ], "a second fix of the same time confirms nothing")
  }

  @Test func confirmedByTime() throws {
    var walker = self.walker(
      policy {
        $0.confirmFixes = 9
        $0.confirmTime = 60_000
        $0.confirmAlone = 300_000
      })
    try walker.at(0, 500)
    try walker.at(10, 0)
    try walker.at(20, 0)
    try walker.wait(till: 69)
    try walker.wait(till: 100)
    try walker.at(200, 400)
    try walker.wait(till: 499)
    try walker.wait(till: 600)
    #expect(
      walker.crossings == [
        "10 hold not-confirmed till 310", "20 hold not-confirmed till 70", "70 region-enter since 10",
        "200 hold not-confirmed till 500", "500 region-exit since 200",
      ])
  }

  @Test func leastTimesInsideAndOutside() throws {
    var walker = self.walker(
      policy {
        $0.minInside = 30_000
        $0.minOutside = 60_000
      })
    try walker.at(0, 500)
    try walker.at(10, 0)
    try walker.at(20, 500)
    try walker.at(30, 0)
    try walker.wait(till: 60)
    try walker.at(70, 500)
    try walker.at(100, 0)
    try walker.at(110, 500)
    try walker.at(200, 600)
    #expect(
      walker.crossings == [
        "10 hold not-confirmed till 40", "20 drop refuted", "30 hold not-confirmed till 60", "60 region-enter since 30",
        "70 hold not-confirmed till 130", "100 drop refuted", "110 hold not-confirmed till 170",
        "170 region-exit since 110",
      ])
  }

  @Test func whoIsTooFastPassesBy() throws {
    var walker = self.walker(policy { $0.maxSpeed = 8 })
    try walker.at(0, 500)
    try walker.at(10, 0, speed: 9)
    // Implied by the fix before: 40 m in 4 s, then 2 m in 1 s.
    try walker.at(14, 40)
    try walker.at(15, 42)
    #expect(walker.crossings == ["10 hold speed", "14 hold speed", "15 region-enter"])
  }

  @Test func whereNobodyCouldHaveComeIsLeftOut() throws {
    var walker = self.walker(policy { $0.maxImpliedSpeed = 50 })
    try walker.at(0, 0)
    try walker.at(1, 300)
    try walker.at(2, 2)
    try walker.at(3, 300)
    try walker.at(4, 310)
    #expect(
      walker.crossings == [
        "0 pass first-fix", "0 region-enter", "1 drop implied-speed", "3 drop implied-speed", "4 drop implied-speed",
      ])
    try walker.at(5, 320)
    #expect(walker.crossings.last == "5 region-exit", "three that agree were right")
    try walker.at(6, 0, accuracy: 280)
    #expect(walker.crossings.last == "6 region-enter", "it may be that near")
  }

  @Test func accuracyIsWeighed() throws {
    var walker = self.walker(
      policy {
        $0.maxAccuracy = 100
        $0.enterShare = 1
        $0.exitShare = 1
        $0.maxMargin = 40
      })
    try walker.at(0, 500)
    try walker.at(1, 40, accuracy: 20)
    try walker.at(2, 30, accuracy: 20)
    try walker.at(3, 69, accuracy: 20)
    try walker.at(4, 1000, accuracy: 1400)
    try walker.at(5, 85, accuracy: 60)
    try walker.at(6, 71, accuracy: 20)
    try walker.at(7, 0, accuracy: 1400)
    try walker.at(8, 20, accuracy: 90)
    #expect(
      walker.crossings == [
        "1 hold accuracy", "2 region-enter", "3 hold hysteresis", "4 hold accuracy", "5 hold hysteresis",
        "6 region-exit", "7 hold accuracy", "8 region-enter",
      ])
  }

  @Test func lateFixes() throws {
    var walker = self.walker(policy { $0.maxLateness = 10_000 })
    try walker.at(0, 500)
    try walker.wait(till: 100)
    try walker.at(90, 0)
    #expect(walker.crossings == ["100 region-enter since 90"])
    #expect(throws: InputError.outOfOrder(newest: 100_000, limit: nil)) { try walker.at(89, 500) }
    #expect(throws: InputError.outOfOrder(newest: 100_000, limit: nil)) { try walker.at(90, 500) }
    try walker.at(91, 500)
    #expect(walker.crossings.last == "100 region-exit since 91")
    #expect(walker.machine.decision(about: .outOfOrder(newest: 0, limit: nil))?.reason == .late)
  }

  /// Reference: peers, advanced_geofence in 2.15: a dwelling must not come while it is not sure whether the place was left.
  @Test func aDwellingWaitsWhileAnExitIsNotSure() throws {
    let dwelling = geotrigger("d", .dwelling(minutes: 5))
    var walker = self.walker(policy { $0.minOutside = 120_000 }, [dwelling])
    try walker.at(0, 500)
    try walker.at(10, 0)
    try walker.at(300, 500)
    try walker.wait(till: 419)
    #expect(walker.crossings == ["10 region-enter", "300 hold not-confirmed till 420"])
    var stayed = walker
    try stayed.at(419, 0)
    #expect(stayed.crossings.dropFirst(2) == ["419 drop refuted", "419 region-dwell", "419 geotrigger"])
    try walker.wait(till: 1000)
    #expect(walker.crossings.dropFirst(2) == ["420 region-exit since 300"])
  }

  @Test func atTheFirstFix() throws {
    let campaigns = [geotrigger("d", .dwelling(minutes: 5)), geotrigger("e", .enter)]
    var log: [InitialPolicy: [String]] = [:]
    for initial in InitialPolicy.allCases {
      var walker = self.walker(policy { $0.confirmFixes = 2 }, campaigns, initial: initial)
      try walker.at(0, 0)
      try walker.at(1, 0)
      try walker.wait(till: 400)
      log[initial] = Array(walker.crossings.dropFirst(1))
    }
    #expect(log[InitialPolicy.none] == ["1 region-inside since 0"])
    #expect(log[.dwellOnly] == ["1 region-inside since 0", "300 region-dwell", "300 geotrigger"])
    #expect(
      log[.enter] == [
        "1 pass first-fix", "1 region-enter since 0", "1 geotrigger", "300 region-dwell", "300 geotrigger",
      ])
  }

  @Test func passages() throws {
    var enter = geotrigger("e", .enter, repeatRule: .always)
    enter.values.countsPassages = true
    var exit = geotrigger("x", .exit, repeatRule: .always)
    exit.values.countsPassages = true
    let other = geotrigger("o", .enter, repeatRule: .always)
    var walker = self.walker(.exact, [enter, exit, other])
    try walker.at(0, -500)
    try walker.at(100, 500)
    #expect(
      walker.crossings == [
        "100 region-enter since 45 by passage", "100 geotrigger", "100 region-exit since 55 by passage",
        "100 geotrigger",
      ])
    #expect(
      walker.machine.state.presence.ordinals[Identifier("a")] == 1 && walker.machine.state.presence.visits.isEmpty)
    // Too long ago; beside it; without a campaign that asks.
    try walker.at(100 + 901, -500)
    #expect(walker.crossings.count == 4)
    var plain = self.walker(.exact, [other])
    try plain.at(0, -500)
    try plain.at(100, 500)
    #expect(plain.crossings.isEmpty)
    // Too fast, too short, too inaccurate.
    for (change, reason) in [
      ({ (p: inout NoisePolicy) in p.maxSpeed = 5 }, "speed"), ({ $0.minInside = 11_000 }, "not-confirmed"),
      ({ $0.maxAccuracy = 10 }, "accuracy"),
    ] {
      var walker = self.walker(policy(change), [enter])
      try walker.at(0, -500)
      try walker.at(100, 500, accuracy: 60)
      #expect(walker.crossings == ["100 hold \(reason)"])
    }
  }

  @Test func repeatsWhileInside() throws {
    var again = geotrigger("r", .enter, repeatRule: .always)
    again.values.repeatEvery = 600_000
    var dwelling = geotrigger("d", .dwelling(minutes: 5), repeatRule: .always)
    dwelling.values.repeatEvery = 900_000
    var walker = self.walker(.exact, [again, dwelling])
    try walker.at(0, 500)
    try walker.at(100, 0)
    try walker.wait(till: 700)
    try walker.wait(till: 1300)
    #expect(
      walker.crossings == [
        "100 region-enter", "100 geotrigger", "400 region-dwell", "400 geotrigger", "700 geotrigger", "1300 geotrigger",
        "1300 geotrigger",
      ])
    let ids = walker.machine.state.history.sentGeotriggers.map(\.matchIdentifier)
    #expect(Set(ids).count == ids.count)
    // Nobody was there to see: only the last of each counts.
    try walker.wait(till: 100_000)
    #expect(walker.crossings.count == 9)
    try walker.at(100_001, 500)
    try walker.wait(till: 200_000)
    #expect(walker.crossings.dropFirst(9) == ["100001 region-exit"])
  }

  @Test func approaching() throws {
    let minute = geotrigger("m", .approaching(seconds: 60), repeatRule: .always)
    let five = geotrigger("f", .approaching(seconds: 300), repeatRule: .always)
    var walker = self.walker(.gates, [minute, five])
    try walker.at(0, -3040, accuracy: 10, speed: 10, course: 0)
    #expect(walker.crossings == ["0 region-approach", "0 geotrigger"])
    try walker.at(10, -2900, accuracy: 10, speed: 10, course: 0)
    // Not on the way there; too slow; then on the way, as follows from the fix before.
    try walker.at(20, -600, accuracy: 10, speed: 10, course: 90)
    try walker.at(30, -560, accuracy: 10, speed: 0.4, course: 0)
    #expect(walker.crossings.count == 2)
    try walker.at(40, -460, accuracy: 10)
    #expect(walker.crossings.dropFirst(2) == ["40 region-approach", "40 geotrigger"])
    try walker.at(60, 0, accuracy: 10, speed: 10, course: 0)
    try walker.at(80, 300, accuracy: 10, speed: 10, course: 180)
    #expect(
      walker.crossings.dropFirst(4) == [
        "60 region-enter", "80 region-exit", "80 region-approach", "80 region-approach", "80 geotrigger",
        "80 geotrigger",
      ]
    )
  }

  @Test func anApproachIsOverFarAway() throws {
    var walker = self.walker(.gates, [geotrigger("m", .approaching(seconds: 60), repeatRule: .always)])
    for (second, meters, course) in [(0, 600.0, 180.0), (1, 1600, 180), (2, 1700, 0), (3, 600, 180)] {
      try walker.at(Int64(second), meters, speed: 10, course: course)
    }
    #expect(walker.crossings.filter { $0.contains("approach") } == ["0 region-approach", "3 region-approach"])
  }

  /// Reference: peers, A15: the distance is that between the region's middle and the device, not that of a thing to itself.
  @Test func aRegionThatMoves() throws {
    var walker = self.walker(.exact, [geotrigger("e", .enter, repeatRule: .always)], moving: true)
    try walker.at(0, 500)
    // The corner of the box around the circle is outside.
    let corner = Coordinate(
      latitude: north(500).latitude + 49 / metersPerDegree, longitude: origin.longitude + 0.00071)
    try walker.play(walker.machine.moveRegion(Identifier("a"), to: corner, at: 1000))
    #expect(walker.crossings.isEmpty)
    try walker.play(walker.machine.moveRegion(Identifier("a"), to: north(530), at: 2000))
    #expect(walker.crossings == ["2 region-enter by move", "2 geotrigger"])
    let item = try #require(walker.machine.state.history.sentGeotriggers.last)
    #expect(item.coordinate == north(530), "where it was met")
    try walker.at(3, 500)
    try walker.play(walker.machine.moveRegion(Identifier("a"), to: north(580), at: 4000))
    #expect(walker.crossings.dropFirst(2) == ["4 region-exit by move"])
    // The newest fix is too old to say where one is.
    try walker.play(walker.machine.moveRegion(Identifier("a"), to: north(500), at: 124_000))
    #expect(walker.crossings.count == 3)
    try walker.at(125, 500)
    #expect(walker.crossings.last == "125 geotrigger")
    #expect(throws: InputError.self) { try walker.machine.moveRegion(Identifier("b"), to: origin, at: 130_000) }
    #expect(throws: InputError.self) {
      try walker.machine.moveRegion(Identifier("a"), to: Coordinate(latitude: 91, longitude: 0), at: 130_000)
    }
  }

  /// Clocks that are set move what is not sure yet, too.
  @Test func clocks() throws {
    var walker = self.walker(policy { $0.minInside = 60_000 })
    _ = try walker.machine.startClock(ClockReading(wall: 0, monotonic: 0, boot: "b"))
    let day: Int64 = 86_400
    try walker.at(100 * day, 500)
    try walker.play(
      walker.machine.setClock(ClockReading(wall: 100 * day * 1000, monotonic: 100 * day * 1000, boot: "b")))
    try walker.at(100 * day + 10, 0)
    let back = ClockReading(wall: (99 * day + 20) * 1000, monotonic: (100 * day + 20) * 1000, boot: "b")
    try walker.play(walker.machine.setClock(back))
    try walker.wait(till: 99 * day + 69)
    #expect(walker.crossings.count == 1)
    try walker.wait(till: 99 * day + 70)
    #expect(walker.crossings.last == "\(99 * day + 70) region-enter since \(99 * day + 10)")
  }

  /// For random tracks, regions and policies: enters and exits of a region alternate, beginning with an enter.
  @Test func entersAndExitsAlternate() throws {
    var witnesses = Witnesses()
    for seed in UInt64(0)..<40 { try Self.entersAndExitsAlternate(seed, &witnesses) }
    #expect(
      witnesses.below([
        "region-enter": 2100, "region-inside": 17, "region-exit": 2100, "since before": 2800,
        "geotrigger": 1000, "by a wait": 79,
      ]) == [])
  }

  private static func entersAndExitsAlternate(_ seed: UInt64, _ witnesses: inout Witnesses) throws {
    var generator = SplitMix64(seed)
    var policy = NoisePolicy.presets.filter { $0.policy.evidence == nil }.randomElement(using: &generator)!.policy
    policy.confirmFixes = Int64.random(in: 1...4, using: &generator)
    policy.minInside = [0, 0, 20_000].randomElement(using: &generator)!
    policy.minOutside = [0, 0, 50_000].randomElement(using: &generator)!
    let regions = (0..<6).map { number in
      circle(
        "r\(number)", north(Double.random(in: -600...600, using: &generator)),
        radius: Double.random(in: 30...300, using: &generator))
    }
    var passing = geotrigger("p", .enter, at: [0, 1, 2], repeatRule: .always)
    passing.values.countsPassages = true
    var machine = Machine(
      state: State(), feed: Feed(revision: nil, regions: regions, campaigns: [passing], digest: "f"))
    machine.settings.noise = policy
    machine.settings.initial = InitialPolicy.allCases.randomElement(using: &generator)!
    var inside: Set<Identifier> = []
    var last: [Identifier: Milliseconds] = [:]
    var (time, place): (Milliseconds, Double) = (0, 0)
    func look(_ output: Machine.Output) {
      for case .event(let event) in output.effects {
        let since = event.since ?? event.time
        witnesses.see(event.kind.rawValue)
        switch event.kind {
        case .regionEnter, .regionInside: #expect(inside.insert(event.region).inserted, "seed \(seed)")
        case .regionExit: #expect(inside.remove(event.region) != nil, "seed \(seed)")
        default: continue
        }
        if since < event.time { witnesses.see("since before") }
        #expect(since >= last[event.region] ?? 0 && since <= event.time, "seed \(seed)")
        last[event.region] = since
      }
    }
    for _ in 0..<600 {
      time += Milliseconds.random(in: 0...60_000, using: &generator)
      place += Double.random(in: -200...200, using: &generator)
      place = max(-900, min(900, place))
      let accuracy = [0, 5, 20, 90, 1400].randomElement(using: &generator)!
      look(try machine.update(Fix(time: time, coordinate: north(place), accuracy: Double(accuracy))))
      if generator.chance(0.1) {
        time += 30_000
        let output = machine.advance(to: time)
        witnesses.see("by a wait", output.events.count)
        look(output)
      }
      #expect(machine.state.presence.visits.map(\.region) == inside.sorted())
      #expect(machine.nextWakeup.map { $0 > machine.state.newest } ?? true, "nothing that is due is left")
    }
  }
}

extension TestHost {
  /// The events of the only region, its geotriggers, and the decisions about presence, with times in seconds.
  fileprivate var crossings: [String] {
    effects.compactMap { effect in
      switch effect {
      case .event(let event) where event.kind.rawValue.hasPrefix("region-") || event.kind == .geotrigger:
        let since = event.since.map { " since \($0 / 1000)" } ?? ""
        let source = event.source.map { " by \($0.rawValue)" } ?? ""
        return "\(event.time / 1000) \(event.kind.rawValue)\(since)\(source)"
      case .decision(let decision) where decision.step == .presence:
        let next = decision.nextPossible.map { " till \($0 / 1000)" } ?? ""
        return "\(decision.time / 1000) \(decision.verdict.rawValue) \(decision.reason.rawValue)\(next)"
      default: return nil
      }
    }
  }
}
