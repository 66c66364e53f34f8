import PlotTesting
import Testing

@testable import PlotCore

/// Steps against a model that keeps all events, and searches them for a walk whenever a trigger comes.
@Suite struct ChainModelTests {
  struct Happening {
    var time: Milliseconds
    var region: String
    var event: Chain.Event
    var visit: String
  }

  /// The number of steps that can be done before the event at `end`, with nothing forbidden since; and the latest beginning.
  static func search(
    _ chain: Chain, _ history: [Happening], from start: Int, before end: Int
  ) -> (steps: Int, begin: Milliseconds) {
    func happens(_ link: Chain.Link, _ index: Int) -> Bool {
      history[index].region == link.region.text && history[index].event == link.event
    }
    var steps: [(step: Chain.Link, forbidden: [Chain.Link])] = []
    for link in chain.links {
      if link.isForbidden {
        steps[steps.count - 1].forbidden.append(link)
      } else {
        steps.append((link, []))
      }
    }
    var best: (steps: Int, begin: Milliseconds) = (0, 0)
    func go(_ done: Int, _ last: Int, _ begin: Milliseconds) {
      func isClean(until end: Int) -> Bool {
        done == 0
          || !(last + 1..<max(last + 1, end)).contains { index in
            steps[done - 1].forbidden.contains { happens($0, index) }
          }
      }
      if isClean(until: end), (done, begin) > best { best = (done, begin) }
      guard done < steps.count else { return }
      for index in (last + 1)..<max(last + 1, end) where happens(steps[done].step, index) && isClean(until: index) {
        go(done + 1, index, done == 0 ? history[index].time : begin)
      }
    }
    go(0, start - 1, 0)
    return best
  }

  static func randomChain(_ generator: inout SplitMix64) -> Chain {
    func link(_ isForbidden: Bool) -> Chain.Link {
      let event: Chain.Event =
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: .enter
        case 2, 3: .exit
        default: .dwelling(minutes: generator.chance(0.5) ? 5 : 8)
        }
      return Chain.Link(
        region: Identifier(["a", "b", "c"].randomElement(using: &generator)!), event: event, isForbidden: isForbidden)
    }
    var links = [link(false)]
    for _ in 0..<Int.random(in: 0...3, using: &generator) { links.append(link(generator.chance(0.4))) }
    let within = generator.chance(0.5) ? Int64.random(in: 1...2400, using: &generator) * 1000 : nil
    return Chain(links: links, within: within)
  }

  @Test func theMachineDoesAsTheSearch() throws {
    var witnesses = Witnesses()
    for seed in 0..<UInt64(steps(1500)) {
      var generator = SplitMix64(seed)
      // Three circles in a row; the middle one overlaps the others.
      let regions = [circle("b", north(0)), circle("a", north(300)), circle("c", north(600))]
      var campaigns: [Campaign] = []
      for number in 0..<3 {
        let trigger: Trigger = [.enter, .exit, .dwelling(minutes: 5)].randomElement(using: &generator)!
        let at = [Int.random(in: 0..<3, using: &generator)]
        var campaign =
          number == 0
          ? geotrigger("c\(number)", trigger, at: at, repeatRule: .always)
          : notification("c\(number)", trigger, at: at, repeatRule: .always)
        campaign.values.after = Self.randomChain(&generator)
        campaigns.append(campaign)
      }
      var machine = machine(regions, campaigns)
      if generator.chance(0.3) { machine.settings.initial = .none }
      var history: [Happening] = []
      var usedUp: [String: Int] = [:]

      func take(_ output: Machine.Output) throws {
        for effect in output.effects {
          switch effect {
          case .event(let event):
            let kind: Chain.Event? =
              switch event.kind {
              case .regionEnter: .enter
              case .regionExit: .exit
              case .regionDwell: .dwelling(minutes: event.dwellingMinutes ?? 0)
              default: nil
              }
            if let kind {
              history.append(Happening(time: event.time, region: event.region.text, event: kind, visit: event.visit))
            } else if let item = event.item, event.kind != .notificationFailed {
              usedUp[item.campaign.text] = history.count
            }
          case .decision(let decision) where decision.step == .steps:
            let campaign = try #require(campaigns.first { $0.id == decision.campaign })
            let chain = try #require(campaign.after)
            let wanted: Chain.Event =
              switch campaign.trigger {
              case .enter: .enter
              case .exit: .exit
              default: .dwelling(minutes: campaign.trigger.dwellingMinutes)
              }
            let trigger = try #require(history.lastIndex { $0.visit == decision.visit && $0.event == wanted })
            let found = Self.search(chain, history, from: usedUp[campaign.id.text] ?? 0, before: trigger)
            let steps = chain.links.filter { !$0.isForbidden }
            var expected = Reason.stepsDone
            var detail: String?
            if found.steps < steps.count {
              expected = .stepsMissing
              let step = steps[found.steps]
              detail = "\(step.event.name) \(step.region.text)"
              if case .dwelling(let minutes) = step.event { detail? += " \(minutes)" }
            } else if let within = chain.within, history[trigger].time - found.begin > within {
              expected = .stepsLate
            }
            try #require(decision.reason == expected && decision.detail == detail, "seed \(seed), \(decision)")
            witnesses.see(expected.rawValue)
          case .show(let item): try take(machine.confirm(item.matchIdentifier ?? "", shown: generator.chance(0.8)))
          default: break
          }
        }
      }

      var time: Milliseconds = 0
      for _ in 0..<25 {
        time += Int64.random(in: 0...700_000, using: &generator)
        while let wakeup = machine.nextWakeup, wakeup <= time { try take(machine.advance(to: wakeup)) }
        try take(machine.fix(time, north(Double.random(in: -400...1000, using: &generator))))
        // Another process with the same state goes on alike.
        if generator.chance(0.2) {
          let settings = machine.settings
          machine = Machine(state: machine.state, feed: machine.feed)
          machine.settings = settings
        }
      }
    }
    #expect(
      witnesses.below(["steps-done": steps(4800), "steps-missing": steps(8900), "steps-late": steps(2100)]) == [])
  }
}
