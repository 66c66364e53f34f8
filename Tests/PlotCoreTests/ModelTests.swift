import PlotTesting
import Testing

@testable import PlotCore

/// The machine against the naive model, and laws that hold for all inputs.
@Suite struct ModelTests {
  static func regionLines(_ events: [Event]) -> [String] {
    events.filter { $0.item == nil }.map { event in
      let text = "\(event.time) \(event.kind.rawValue) \(event.region.text) \(event.ordinal ?? 0)"
      return text + (event.dwellingMinutes.map { " \($0)" } ?? "")
    }
  }

  static func lines(_ events: [Event], _ kind: Event.Kind) -> [String] {
    events.filter { $0.kind == kind }.map { "\($0.time) \($0.item?.identifier ?? "")" }
  }

  @Test func theMachineDoesAsTheModel() throws {
    var witnesses = Witnesses()
    for seed in 0..<UInt64(steps(2500)) {
      let world = World(seed: seed)
      var model = world.model
      for input in world.inputs {
        switch input {
        case .fix(let time, let place): model.fix(time, place.latitude, place.longitude)
        case .advance(let time): model.advance(time)
        }
      }
      let events = try world.run()
      try #require(Self.regionLines(events) == model.regionLines, "seed \(seed)")
      try #require(Self.lines(events, .notificationShown) == model.shownLines, "seed \(seed)")
      try #require(Self.lines(events, .geotrigger) == model.geotriggerLines, "seed \(seed)")
      for event in events { witnesses.see(event.kind.rawValue) }
    }
    #expect(
      witnesses.below([
        "region-enter": steps(23_000), "region-inside": steps(950), "region-dwell": steps(8100),
        "region-exit": steps(22_000), "notification-shown": steps(11_000), "geotrigger": steps(6500),
      ]) == [])
  }

  @Test func entersAndExitsAlternate() throws {
    var witnesses = Witnesses()
    for seed in UInt64(10_000)..<10_300 {
      var open: [Identifier: Event] = [:]
      var counts: [Identifier: Int64] = [:]
      for event in try World(seed: seed, inputs: 60).run() where event.item == nil {
        switch event.kind {
        case .regionEnter, .regionInside:
          #expect(open[event.region] == nil, "two enters of \(event.region.text), seed \(seed)")
          counts[event.region, default: 0] += 1
          open[event.region] = event
        case .regionExit:
          #expect(open[event.region] != nil, "an exit without an enter, seed \(seed)")
          #expect(open[event.region]?.visit == event.visit)
          open[event.region] = nil
        default:
          #expect(open[event.region]?.visit == event.visit, "a dwelling outside of its visit, seed \(seed)")
          #expect(open[event.region]?.kind == .regionEnter, "a dwelling of a silent visit, seed \(seed)")
        }
        #expect(event.ordinal == counts[event.region], "seed \(seed)")
        witnesses.see(event.kind.rawValue)
        if event.ordinal ?? 0 > 1 { witnesses.see("of a later visit") }
      }
    }
    #expect(
      witnesses.below([
        "region-enter": 5500, "region-inside": 100, "region-dwell": 1800, "region-exit": 5300,
        "of a later visit": 11_000,
      ]) == [])
  }

  @Test func sequencesCountUpByOneAndTimesNeverGoBack() throws {
    var witnesses = Witnesses()
    for seed in UInt64(20_000)..<20_200 {
      let events = try World(seed: seed).run()
      #expect(events.map(\.sequence) == Array(1..<Int64(events.count + 1)))
      for (a, b) in zip(events, events.dropFirst()) {
        #expect(a.time <= b.time, "seed \(seed)")
        witnesses.see(a.time < b.time ? "later" : "at once")
      }
    }
    #expect(witnesses.below(["later": 2300, "at once": 3000]) == [])
  }

  @Test func theSameInputsGiveTheSameOutputs() throws {
    var witnesses = Witnesses()
    var before: [Event] = []
    for seed in UInt64(30_000)..<30_200 {
      let world = World(seed: seed)
      let events = try world.run()
      #expect(try events == world.run(), "seed \(seed)")
      witnesses.see("events", events.count)
      if events != before { witnesses.see("other inputs, other outputs") }
      before = events
    }
    #expect(witnesses.below(["events": 5900, "other inputs, other outputs": 160]) == [])
  }

  /// Whether the host advances at wakeups or sleeps through them: the places and the geotriggers come out the same, at
  /// the same times. (Notifications do not: they are shown when the host is awake.)
  @Test func sleepingThroughWakeupsChangesNothingAboutPlaces() throws {
    var generator = SplitMix64(5)
    var witnesses = Witnesses()
    for seed in UInt64(40_000)..<40_000 + UInt64(steps(400)) {
      let world = World(seed: seed)
      let awake = try world.run()
      let variants = [
        try world.run(advancing: { _ in false }), try world.run(advancing: { _ in generator.chance(0.5) }),
      ]
      for events in variants {
        #expect(Self.regionLines(events) == Self.regionLines(awake), "seed \(seed)")
        #expect(Self.lines(events, .geotrigger) == Self.lines(awake, .geotrigger), "seed \(seed)")
        witnesses.see("of regions", Self.regionLines(events).count)
        witnesses.see("geotriggers", Self.lines(events, .geotrigger).count)
        // The sleep does make a difference to notifications.
        let (late, early) = (Self.lines(events, .notificationShown), Self.lines(awake, .notificationShown))
        if late != early { witnesses.see("other notifications") }
      }
    }
    #expect(
      witnesses.below(["of regions": steps(17_000), "geotriggers": steps(2000), "other notifications": steps(220)])
        == [])
  }

  /// Advances to any time in between, too, change nothing but what is due.
  @Test func advancesInBetweenChangeNothing() throws {
    var generator = SplitMix64(6)
    var witnesses = Witnesses()
    for seed in UInt64(50_000)..<50_200 {
      var world = World(seed: seed)
      let plain = try world.run()
      let times = Set(world.inputs.map(\.time))
      var crowded: [World.Input] = []
      for input in world.inputs {
        let before = crowded.last?.time ?? World.begin
        for time in (0..<3).map({ _ in Int64.random(in: before...input.time, using: &generator) }).sorted() {
          crowded.append(.advance(time))
        }
        crowded.append(input)
      }
      world.inputs = crowded
      #expect(try world.run() == plain, "seed \(seed)")
      witnesses.see("events", plain.count)
      witnesses.see("between inputs", plain.count { !times.contains($0.time) })
    }
    #expect(witnesses.below(["events": 5900, "between inputs": 1000]) == [])
  }

  @Test func noTwoNotificationsWithinTheGlobalCooldown() throws {
    var witnesses = Witnesses()
    for seed in UInt64(60_000)..<60_000 + UInt64(steps(400)) {
      let world = World(seed: seed, inputs: 60)
      for awake in [true, false] {
        let host = try world.live(advancing: { _ in awake }, recordsDecisions: true)
        let shown = host.events.filter { $0.kind == .notificationShown }
        for (a, b) in zip(shown, shown.dropFirst()) {
          #expect(b.time - a.time >= world.cooldown, "seed \(seed)")
          if world.cooldown > 0 { witnesses.see("pairs") }
        }
        witnesses.see("refused", host.decisions.count { $0.reason == .globalCooldown })
      }
    }
    #expect(witnesses.below(["pairs": steps(1200), "refused": steps(3200)]) == [])
  }

  /// Once means once, and a campaign's own cooldown holds, for each campaign and region.
  @Test func repeatRulesHold() throws {
    var witnesses = Witnesses()
    for seed in UInt64(70_000)..<70_300 {
      let world = World(seed: seed, inputs: 60)
      var last: [String: Milliseconds] = [:]
      let host = try world.live(recordsDecisions: true)
      for decision in host.decisions { witnesses.see(decision.reason.rawValue) }
      for event in host.events {
        guard let item = event.item else { continue }
        let rule = try #require(world.campaigns.first { $0.id == item.campaign }).repeatRule
        if let before = last[item.identifier] {
          #expect(rule != .once, "\(item.identifier) twice, seed \(seed)")
          if case .after(let period) = rule { #expect(event.time >= before + period, "seed \(seed)") }
          witnesses.see(rule == .always ? "always" : "after a period")
        }
        last[item.identifier] = event.time
      }
    }
    #expect(
      witnesses.below([
        "once-only": 1700, "campaign-cooldown": 630, "always": 1500, "after a period": 710,
      ]) == [])
  }

  @Test func theNextWakeupIsWhenSomethingHappens() throws {
    var witnesses = Witnesses()
    for seed in UInt64(80_000)..<80_200 {
      let world = World(seed: seed)
      var machine = world.machine()
      for input in world.inputs {
        if let wakeup = machine.nextWakeup, wakeup > machine.state.newest {
          var copy = machine
          #expect(copy.advance(to: wakeup - 1).effects.isEmpty, "seed \(seed)")
          #expect(!copy.advance(to: wakeup).effects.isEmpty, "seed \(seed)")
          witnesses.see("wakeups")
        }
        switch input {
        case .fix(let time, let place): _ = try machine.confirmAll(machine.fix(time, place))
        case .advance(let time): _ = try machine.confirmAll(machine.advance(to: time))
        }
        #expect(machine.nextWakeup ?? .max > machine.state.newest, "seed \(seed)")
      }
    }
    #expect(witnesses.below(["wakeups": 1000]) == [])
  }
}
