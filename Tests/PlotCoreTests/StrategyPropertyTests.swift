import PlotTesting
import Testing

@testable import PlotCore

/// Rules about strategies that hold whatever happens.
@Suite struct StrategyPropertyTests {
  static let regions = (0..<4).map { circle("r\($0)", north(Double($0) * 250), radius: 200) }

  static func campaigns(_ generator: inout SplitMix64) -> [Campaign] {
    (0..<8).map { number in
      let rules: [RepeatRule] = [.always, .always, .after(600_000), .once]
      return notification(
        "c\(number)", generator.chance(0.2) ? .exit : .enter, at: regions.indices.filter { _ in generator.chance(0.5) },
        message: "text \(number % 3)", repeatRule: rules.randomElement(using: &generator)!
      ).with {
        $0.priority = Int64.random(in: -1...1, using: &generator)
        $0.stay.endsAtExit = generator.chance(0.3)
      }
    }
  }

  /// A walk with all kinds of things on the way; what was shown and removed, and the state at the end.
  static func walk(_ seed: UInt64, _ strategies: [Strategy], own: [String]) throws -> TestHost {
    var generator = SplitMix64(seed)
    let campaigns = campaigns(&generator)
    let hasSlots = generator.chance(0.5)
    var host = host(regions, campaigns, strategies: own) {
      $0.strategies = strategies
      if hasSlots { $0.slots = Slots(count: 2, whenFull: .replace) }
    }
    // Pure: the vote depends on nothing but the strategy, the campaign and the time.
    host.vetoes = { [seed] strategy, isCreate, campaign in
      var hash = SplitMix64(seed &+ UInt64(strategy.utf8.reduce(7) { $0 &* 31 &+ Int($1) }))
      for byte in campaign.utf8 { hash = SplitMix64(hash.next() &+ UInt64(byte)) }
      return hash.chance(isCreate ? 0.3 : 0.5)
    }
    var time: Milliseconds = 0
    for _ in 0..<120 {
      time += Int64.random(in: 1000...300_000, using: &generator)
      host.time = time
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: try host.play(host.machine.setForeground(generator.chance(0.5), at: time))
      case 1:
        if let item = host.machine.state.screen.displayed.randomElement(using: &generator) {
          try host.play(host.machine.dismiss(item.matchIdentifier ?? "", at: time))
        }
      default: try host.go(north(Double.random(in: -400...1200, using: &generator)), at: time)
      }
    }
    return host
  }

  @Test func theOrderOfStrategiesNeverMatters() throws {
    let built = [
      Strategy(key: Identifier("pause"), rule: .minimumTime(120_000, after: .shown), isEnabled: true),
      Strategy(key: Identifier("gap"), rule: .minimumTime(90_000, after: .removed), isEnabled: true),
      Strategy(key: Identifier("same"), rule: .sameContent(.message), isEnabled: true),
    ]
    var shown = 0
    var vetoed = 0
    for seed in UInt64(0)..<15 {
      let forth = try Self.walk(seed, built, own: ["s", "t", "u"])
      let back = try Self.walk(seed, built.reversed(), own: ["u", "s", "t"])
      let isOutcome = { (line: String) in !line.contains(": ") }
      #expect(forth.log.filter(isOutcome) == back.log.filter(isOutcome), "seed \(seed)")
      #expect(dump(forth.machine.state) == dump(back.machine.state), "seed \(seed)")
      let words = { (host: TestHost) in
        host.decisions.map { "\($0.time) \($0.campaign?.text ?? "") \($0.reason) \($0.detail ?? "")" }
      }
      #expect(words(forth).sorted() == words(back).sorted(), "seed \(seed)")
      shown += forth.log.filter { $0.hasPrefix("show ") }.count
      vetoed += forth.decisions.filter { $0.reason == .vetoed }.count
    }
    #expect(shown >= 200 && vetoed >= 5000, "\(shown) shown, \(vetoed) vetoed")
  }

  @Test func aVetoChangesNothingButWhatWaits() throws {
    var vetoes = 0
    for seed in 100..<100 + UInt64(steps(8)) {
      var host = try Self.walk(seed, [], own: ["s"])
      var generator = SplitMix64(seed)
      for step in 0..<40 {
        host.time += Int64.random(in: 1000...300_000, using: &generator)
        let place = north(Double.random(in: -400...1200, using: &generator))
        var output = try host.machine.fix(host.time, place)
        while let ballot = output.votes.first {
          let before = host.machine.state
          let answer = host.machine.answerVote(ballot, vetoes: [Identifier("s")])
          vetoes += 1
          var (found, wanted) = (dump(host.machine.state), dump(before))
          for field in ["delivery.pending", "screen.removals"] {
            #expect(found.removeValue(forKey: field) != nil && wanted.removeValue(forKey: field) != nil)
          }
          #expect(found == wanted, "seed \(seed), step \(step)")
          #expect(answer.events.isEmpty && answer.shows.isEmpty)
          output = answer
        }
      }
    }
    #expect(vetoes >= steps(400), "\(vetoes)")
  }

  /// A process that ends at any moment and comes back has the same outcome for everything that was not yet on its way.
  @Test func aRestartInAVoteAsksAgainAndLosesNothing() throws {
    var waiting = 0
    for seed in UInt64(200)..<230 {
      var generator = SplitMix64(seed)
      let campaigns = Self.campaigns(&generator)
      var unbroken = host(Self.regions, campaigns, strategies: ["s"])
      var machine = unbroken.machine
      let place = north(Double.random(in: 0...700, using: &generator))
      try unbroken.go(place, at: 1000)
      // The same input, and the process ends before the vote.
      _ = try machine.fix(1000, place)
      waiting += machine.state.delivery.pending.count
      machine.state.delivery = asStored(machine.state.delivery)
      var next = TestHost(Machine(state: machine.state, feed: machine.feed))
      next.machine.settings.strategies = [Identifier("s")]
      try next.play(next.machine.recover(at: 1000))
      #expect(
        next.machine.state.screen.displayed.map(\.identifier)
          == unbroken.machine.state.screen.displayed.map(\.identifier),
        "seed \(seed)")
    }
    #expect(waiting >= 130, "\(waiting)")
  }
}
