import PlotTesting
import Testing

@testable import PlotCore

/// Steps that must be done before a trigger comes (docs/feed.md, Steps).
@Suite struct StepsTests {
  static let hour: Milliseconds = 3_600_000
  static let places = ["a": origin, "b": north(3000), "c": north(6000), "d": north(9000), "-": north(30_000)]
  static let regions = ["a", "b", "c", "d"].map { circle($0, places[$0]!) }

  static func link(_ text: String, not isForbidden: Bool = false) -> Chain.Link {
    let words = text.split(separator: " ").map(String.init)
    let event: Chain.Event =
      switch words[0] {
      case "enter": .enter
      case "exit": .exit
      default: .dwelling(minutes: Int64(words[2])!)
      }
    return Chain.Link(region: Identifier(words[1]), event: event, isForbidden: isForbidden)
  }

  /// `enter a`, `exit a`, `dwelling a 10`; with `not ` before it what is forbidden.
  static func chain(_ links: [String], within: Milliseconds? = nil) -> Chain {
    Chain(
      links: links.map { $0.hasPrefix("not ") ? link(String($0.dropFirst(4)), not: true) : link($0) }, within: within)
  }

  static func campaign(
    _ links: [String], within: Milliseconds? = nil, _ trigger: Trigger = .enter, at region: Int = 1,
    repeatRule: RepeatRule = .always
  ) -> Campaign {
    var campaign = notification("c", trigger, at: [region], repeatRule: repeatRule)
    campaign.values.after = chain(links, within: within)
    return campaign
  }

  /// A walk by place and minute; the last decision about steps and what was shown.
  static func walk(
    _ machine: inout Machine, _ steps: [(String, Milliseconds)]
  ) throws -> (decision: Decision?, shown: Int) {
    var decision: Decision?
    var shown = 0
    for (place, minute) in steps {
      let output = try machine.fix(minute * 60_000, places[place]!)
      decision = output.decisions.last { $0.step == .steps } ?? decision
      shown += try machine.confirmAll(output).filter { $0.kind == .notificationShown }.count
    }
    return (decision, shown)
  }

  static func walk(_ campaign: Campaign, _ steps: [(String, Milliseconds)]) throws -> (decision: Decision?, shown: Int)
  {
    var machine = machine(regions, [campaign])
    return try walk(&machine, steps)
  }

  @Test func aThenBWithinAnHour() throws {
    let campaign = Self.campaign(["enter a"], within: Self.hour)
    let inTime = try Self.walk(campaign, [("a", 1), ("-", 10), ("b", 61)])
    #expect(inTime.decision?.reason == .stepsDone && inTime.decision?.verdict == .pass && inTime.shown == 1)
    let late = try Self.walk(campaign, [("a", 1), ("-", 10), ("b", 62)])
    #expect(late.decision?.reason == .stepsLate && late.decision?.verdict == .drop && late.shown == 0)
    #expect(late.decision?.detail == nil)
  }

  @Test func theLimitIsIncluded() throws {
    var machine = machine(Self.regions, [Self.campaign(["enter a"], within: 1000)])
    _ = try machine.fix(0, Self.places["a"]!)
    var later = machine
    #expect(try machine.fix(1000, Self.places["b"]!).shows.count == 1)
    #expect(try later.fix(1001, Self.places["b"]!).last("c")?.reason == .stepsLate)
  }

  @Test func theOrderMatters() throws {
    var machine = machine(Self.regions, [Self.campaign(["enter a"])])
    let wrong = try Self.walk(&machine, [("b", 1), ("a", 2)])
    #expect(wrong.decision?.reason == .stepsMissing && wrong.decision?.detail == "enter a" && wrong.shown == 0)
    #expect(try Self.walk(&machine, [("b", 3)]).shown == 1)
  }

  @Test func theStepsComeFirstAndOthersLeaveNoRecord() throws {
    var machine = machine(Self.regions, [Self.campaign(["enter a"]), notification("plain", at: [1])])
    _ = try machine.fix(0, Self.places["a"]!)
    let output = try machine.fix(1, Self.places["b"]!)
    #expect(output.reasons("c").prefix(3) == [.triggered, .stepsDone, .valid])
    #expect(output.reasons("plain").prefix(2) == [.triggered, .valid])
  }

  @Test func theLatestFirstStepCounts() throws {
    let campaign = Self.campaign(["enter a"], within: Self.hour)
    #expect(try Self.walk(campaign, [("a", 1), ("-", 2), ("a", 50), ("b", 100)]).shown == 1)
    // Of the walk of two steps the one that began last.
    let two = Self.campaign(["enter a", "enter c"], within: Self.hour)
    #expect(try Self.walk(two, [("a", 1), ("c", 2), ("a", 50), ("c", 60), ("b", 105)]).shown == 1)
    #expect(try Self.walk(two, [("a", 1), ("c", 2), ("a", 50), ("b", 105)]).decision?.reason == .stepsLate)
  }

  @Test func somethingForbidden() throws {
    let trailing = Self.campaign(["enter a", "not enter c"])
    #expect(try Self.walk(trailing, [("a", 1), ("c", 2), ("b", 3)]).decision?.detail == "enter a")
    #expect(try Self.walk(trailing, [("c", 1), ("a", 2), ("b", 3)]).shown == 1)
    #expect(try Self.walk(trailing, [("a", 1), ("c", 2), ("a", 3), ("b", 4)]).shown == 1, "a new walk")
    let between = Self.campaign(["enter a", "not enter c", "enter d"])
    #expect(try Self.walk(between, [("a", 1), ("d", 2), ("c", 3), ("b", 4)]).shown == 1, "after the next step")
    #expect(try Self.walk(between, [("a", 1), ("c", 2), ("d", 3), ("b", 4)]).shown == 0)
    let stepLost = Self.campaign(["enter a", "enter d", "not enter c"])
    #expect(try Self.walk(stepLost, [("a", 1), ("d", 2), ("c", 3), ("b", 4)]).decision?.detail == "enter d")
    #expect(try Self.walk(stepLost, [("a", 1), ("d", 2), ("c", 3), ("d", 4), ("b", 5)]).shown == 1)
  }

  /// The step before a `not` may be the very thing that it forbids: then it begins anew.
  @Test func aStepThatIsForbiddenAfterItself() throws {
    let campaign = Self.campaign(["enter a", "not enter a"], within: Self.hour)
    #expect(try Self.walk(campaign, [("a", 1), ("-", 2), ("a", 59), ("b", 100)]).shown == 1)
    // A forbidden step that is also the next one counts as the next one.
    let next = Self.campaign(["enter a", "not enter d", "enter d"])
    #expect(try Self.walk(next, [("a", 1), ("d", 2), ("b", 3)]).shown == 1)
  }

  @Test func dwellingsOfRegionsWithoutCampaigns() throws {
    var machine = machine(Self.regions, [Self.campaign(["dwelling a 10", "exit a"])])
    _ = try machine.fix(0, Self.places["a"]!)
    #expect(machine.nextWakeup == 600_000)
    #expect(machine.advance(to: 600_000).events.names == ["region-dwell a"])
    #expect(machine.nextWakeup == nil && machine.state.history.chains == [Identifier("c"): [600_000, nil]])
    var other = machine
    #expect(try Self.walk(&machine, [("-", 11), ("b", 12)]).shown == 1)
    _ = other.setFeed(feed(Self.regions, [Self.campaign(["dwelling a 20", "exit a"])]), at: 700_000)
    #expect(other.nextWakeup == 1_200_000)
    #expect(try Self.walk(&other, [("b", 12)]).decision?.detail == "dwelling a 20")
  }

  @Test func oneEventCountsForOneStep() throws {
    let campaign = Self.campaign(["enter a", "enter a"])
    #expect(try Self.walk(campaign, [("a", 1), ("b", 2)]).decision?.detail == "enter a")
    #expect(try Self.walk(campaign, [("a", 1), ("-", 2), ("a", 3), ("b", 4)]).shown == 1)
  }

  @Test func theTriggerCountsForNoStep() throws {
    let campaign = Self.campaign(["enter b"])
    #expect(try Self.walk(campaign, [("b", 1)]).decision?.reason == .stepsMissing)
    #expect(try Self.walk(campaign, [("b", 1), ("-", 2), ("b", 3)]).shown == 1)
  }

  @Test func atOneMomentTheOrderOfTheEventsCounts() throws {
    let regions = ["m", "a", "z"].map { circle($0) }
    func shown(_ links: [String], at region: Int) throws -> Int {
      var machine = machine(regions + [circle("far", north(5000))], [Self.campaign(links, at: region)])
      _ = try machine.fix(0, north(5000))
      return try machine.fix(1, origin).shows.count
    }
    #expect(try shown(["enter a"], at: 0) == 1)
    #expect(try shown(["enter z"], at: 0) == 0)
    #expect(try shown(["enter a", "enter m"], at: 2) == 1)
    #expect(try shown(["enter m", "enter a"], at: 2) == 0)
    #expect(try shown(["exit far"], at: 1) == 1, "exits come first")
    #expect(try shown(["enter a", "not enter m"], at: 2) == 0)
    #expect(try shown(["enter a", "not enter z"], at: 0) == 1)
  }

  @Test func exitsAndDwellingsWaitForStepsToo() throws {
    #expect(try Self.walk(Self.campaign(["enter a"], .exit), [("a", 1), ("b", 2), ("-", 3)]).shown == 1)
    #expect(try Self.walk(Self.campaign(["enter a"], .exit), [("b", 2), ("-", 3)]).decision?.reason == .stepsMissing)
    let dwelling = Self.campaign(["enter a"], .dwelling(minutes: 5))
    #expect(try Self.walk(dwelling, [("a", 1), ("b", 2), ("b", 10)]).shown == 1)
  }

  // MARK: Used up

  @Test func aDisplayUsesTheWalkUp() throws {
    var machine = machine(Self.regions, [Self.campaign(["enter a"])])
    #expect(try Self.walk(&machine, [("a", 1), ("b", 2)]).shown == 1)
    #expect(machine.state.history.chains.isEmpty)
    #expect(try Self.walk(&machine, [("-", 3), ("b", 4)]).decision?.reason == .stepsMissing)
    #expect(try Self.walk(&machine, [("a", 5), ("b", 6)]).shown == 1)
  }

  @Test func aDisplayThatFailsDoesNot() throws {
    var machine = machine(Self.regions, [Self.campaign(["enter a"])])
    _ = try machine.fix(1, Self.places["a"]!)
    let output = try machine.fix(2, Self.places["b"]!)
    _ = try machine.confirmAll(output, shown: false)
    #expect(try Self.walk(&machine, [("-", 3), ("b", 4)]).shown == 1)
  }

  @Test func geotriggersAreUsedUpWhenTheyAreHandled() throws {
    var campaign = geotrigger("c", at: [1], repeatRule: .always)
    campaign.values.after = Self.chain(["enter a"])
    var machine = machine(Self.regions, [campaign]) { $0.hasGeotriggerHandler = true }
    _ = try machine.fix(1, Self.places["a"]!)
    let batch = try #require(try machine.fix(2, Self.places["b"]!).asks.first)
    var left = machine
    _ = try machine.markHandled(batch.token, batch.all, at: 3)
    #expect(machine.state.history.chains.isEmpty)
    _ = try left.markHandled(batch.token, [], at: 3)
    #expect(left.state.history.chains == [Identifier("c"): [1]])
  }

  // MARK: What ends a walk, and what does not

  @Test func aSilentVisitIsNoEnterButIsLeft() throws {
    for (links, shown) in [(["enter a"], 0), (["exit a"], 1)] {
      var machine = machine(Self.regions, [Self.campaign(links)]) { $0.initial = .none }
      #expect(try Self.walk(&machine, [("a", 1), ("-", 2), ("b", 3)]).shown == shown, "\(links)")
    }
  }

  @Test func disablingForgetsIt() throws {
    var machine = machine(Self.regions, [Self.campaign(["enter a"])])
    _ = try machine.fix(1, Self.places["a"]!)
    let output = machine.setEnabled(false, at: 2)
    #expect(machine.state.history.chains.isEmpty)
    #expect(output.changes.contains { if case .history(.chain(Identifier("c"), nil)) = $0 { true } else { false } })
    _ = machine.setEnabled(true, at: 3)
    #expect(try Self.walk(&machine, [("b", 4)]).decision?.reason == .stepsMissing)
  }

  @Test func aRegionThatIsRemovedIsNotLeft() throws {
    var machine = machine(Self.regions, [Self.campaign(["exit a"])])
    _ = try machine.fix(1, Self.places["a"]!)
    let moved = [circle("a", north(500))] + Self.regions.dropFirst()
    _ = machine.setFeed(feed(moved, [Self.campaign(["exit a"])]), at: 2)
    #expect(try Self.walk(&machine, [("b", 4)]).decision?.reason == .stepsMissing)
  }

  @Test func aNewFeedWithTheSameStepsKeepsIt() throws {
    var machine = machine(Self.regions, [Self.campaign(["enter a"], within: Self.hour)])
    _ = try machine.fix(1, Self.places["a"]!)
    var changed = machine
    var other = Self.campaign(["enter a"], within: Self.hour)
    other.values.text = Template("another text")!
    _ = machine.setFeed(feed(Self.regions.reversed(), [notification("x"), other]), at: 2)
    #expect(machine.state.history.chains == [Identifier("c"): [1]])
    for links in [["enter a", "not enter c"], []] {
      var new = notification("c")
      if !links.isEmpty { new.values.after = Self.chain(links, within: Self.hour) }
      var machine = changed
      let output = machine.setFeed(feed(Self.regions, [new]), at: 2)
      #expect(machine.state.history.chains.isEmpty)
      #expect(output.changes.contains { if case .history(.chain(Identifier("c"), nil)) = $0 { true } else { false } })
    }
    #expect(changed.setFeed(changed.feed, at: 2).changes.isEmpty)
  }

  @Test func whatWaitsHasItsStepsDone() throws {
    var campaign = Self.campaign(["enter a", "not enter c"], within: 60_000)
    campaign.values.times = HoldingTests.times(.spans([TimeSpan(start: 600_000, end: nil)]))
    let regions = [Self.regions[0], circle("b", radius: 9000), circle("c", north(6000))]
    var machine = machine(regions, [campaign])
    machine.settings.initial = .enter
    _ = try machine.fix(1000, origin)
    #expect(machine.state.delivery.held.count == 1)
    _ = try machine.fix(2000, north(6000))
    #expect(machine.state.history.chains.isEmpty, "something forbidden")
    var other = machine
    let output = machine.advance(to: 600_000)
    #expect(output.shows.count == 1 && output.reasons("c").prefix(2) == [.triggered, .stepsDone])
    var new = campaign
    new.values.after = Self.chain(["enter a"])
    #expect(other.setFeed(feed(regions, [new]), at: 3000).reasons("c") == [.campaignRemoved])
    #expect(other.state.delivery.held.isEmpty, "other steps: it starts anew")
    var none = campaign
    none.values.after = nil
    _ = machine.setFeed(feed(regions, [none]), at: 700_000)
  }

  @Test func withTheFilterAtTheEnter() throws {
    var campaign = Self.campaign(["enter a"], .dwelling(minutes: 5))
    campaign.values.filtersAtEnter = true
    var machine = machine(Self.regions, [campaign]) { $0.hasFilter = true }
    #expect(try machine.fix(1, Self.places["b"]!).asks.isEmpty, "the step is missing")
    _ = try machine.fix(2, Self.places["a"]!)
    let batch = try #require(try machine.fix(3, Self.places["b"]!).asks.first)
    _ = try machine.answerFilter(batch.token, batch.all, at: 4)
    #expect(machine.advance(to: 300_003).shows.count == 1)
  }

  @Test func whatChangesNothingIsNotWritten() throws {
    var machine = machine(Self.regions, [Self.campaign(["enter a", "enter c"])])
    func chains(_ output: Machine.Output) -> Int {
      output.changes.count { if case .history(.chain) = $0 { true } else { false } }
    }
    #expect(chains(try machine.fix(0, Self.places["c"]!)) == 0)
    #expect(chains(try machine.fix(1, Self.places["a"]!)) == 1)
    #expect(chains(try machine.fix(2, Self.places["d"]!)) == 0)
    #expect(chains(try machine.fix(3, Self.places["c"]!)) == 1)
    #expect(chains(try machine.fix(4, Self.places["b"]!)) == 0)
  }

  @Test func severalCampaignsGoTheirOwnWays() throws {
    var first = Self.campaign(["enter a"])
    first.values.id = Identifier("z")
    var second = Self.campaign(["enter a", "exit a"])
    second.values.id = Identifier("b")
    var machine = machine(Self.regions, [first, second])
    let output = try machine.fix(5, Self.places["a"]!)
    let changed = output.changes.compactMap { if case .history(.chain(let id, _)) = $0 { id.text } else { nil } }
    #expect(changed == ["z", "b"], "in the order of the feed")
    #expect(machine.state.history.chains == [Identifier("z"): [5], Identifier("b"): [5, nil]])
    #expect(try machine.fix(6, Self.places["b"]!).shows.map(\.campaign.text) == ["z", "b"])
  }

  // MARK: Visits

  @Test(arguments: [
    (VisitRule(from: 3), [3, 4, 5, 6, 7]), (VisitRule(to: 2), [1, 2]), (VisitRule(every: 3), [1, 4, 7]),
    (VisitRule(from: 2, every: 2), [2, 4, 6]), (VisitRule(from: 3, to: 3), [3]),
    (VisitRule(from: 2, to: 6, every: 3), [2, 5]),
  ])
  func visitsThatCount(_ rule: VisitRule, _ expected: [Int64]) throws {
    #expect((1...7).filter { rule.counts($0) } == expected)
    for trigger in [Trigger.enter, .exit] {
      var campaign = notification("c", trigger, repeatRule: .always)
      campaign.values.visits = rule
      var machine = machine([circle("a")], [campaign])
      var shown: [Int64] = []
      for ordinal in Int64(1)...7 {
        var decisions: [Decision] = []
        for (time, place) in [(ordinal * 1000, origin), (ordinal * 1000 + 1, north(5000))] {
          let output = try machine.fix(time, place)
          decisions += output.decisions.filter { $0.step == .visits }
          if !output.shows.isEmpty { shown.append(ordinal) }
          _ = try machine.confirmAll(output)
        }
        let counts = expected.contains(ordinal)
        #expect(decisions.map(\.reason) == [counts ? .visitCounts : .visitDoesNotCount])
        #expect(decisions[0].detail == (counts ? nil : String(ordinal)))
      }
      #expect(shown == expected)
    }
  }

  @Test func silentVisitsAreCounted() throws {
    var campaign = notification("c")
    campaign.values.visits = VisitRule(from: 2, to: 2)
    var machine = machine([circle("a")], [campaign]) { $0.initial = .none }
    for (time, place) in [(1, origin), (2, north(5000))] { _ = try machine.fix(Milliseconds(time), place) }
    #expect(try machine.fix(3, origin).shows.count == 1)
  }
}
