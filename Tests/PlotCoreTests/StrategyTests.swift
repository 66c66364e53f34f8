import PlotTesting
import Testing

@testable import PlotCore

/// Votes, and what strategies are told.
@Suite struct StrategyTests {
  static let away = north(5000)
  static let minute: Milliseconds = 60_000

  @Test func allAreAskedAndAllMustAgree() throws {
    var host = host([circle("a")], [notification("c"), notification("d")], strategies: ["s", "t"])
    host.vetoes = { strategy, _, campaign in strategy == "s" && campaign == "c" }
    try host.go(origin, at: 0)
    #expect(
      host.delivery() == [
        "s: monitoring a", "t: monitoring a", "vote create c", "s: created c false", "t: created c false",
        "vote create d", "show d", "s: created d true", "t: created d true", "notification-shown d",
      ])
    let veto = try #require(host.decisions.first { $0.reason == .vetoed })
    #expect(veto.campaign == Identifier("c") && veto.detail == "s" && veto.step == .strategies)
    #expect(host.decisions.filter { $0.reason == .vetoed }.count == 1)
    #expect(host.reasons("d").contains(.agreed))
  }

  @Test func theNextIsAskedWhenTheOutcomeIsKnown() throws {
    var machine = host([circle("a")], [notification("c"), notification("d")], strategies: ["s"]).machine
    let output = try machine.fix(0, origin)
    let ballot = try #require(output.votes.first)
    #expect(output.votes.count == 1 && ballot.item.campaign.text == "c")
    let agreed = machine.answerVote(ballot, vetoes: [])
    #expect(agreed.shows.count == 1 && agreed.votes.isEmpty)
    #expect(machine.answerVote(ballot, vetoes: [Identifier("s")]).effects.isEmpty, "a second answer is none")
    let confirmed = try machine.confirm(agreed.shows[0].matchIdentifier ?? "", shown: true)
    #expect(confirmed.votes.map(\.item.campaign.text) == ["d"])
  }

  @Test func aVoteIsAskedAgainAfterARestart() throws {
    var machine = host([circle("a")], [notification("c"), notification("d")], strategies: ["s"]).machine
    _ = try machine.fix(0, origin)
    #expect(
      machine.state.delivery.pending.map(\.item.campaign.text) == ["c", "d"]
        && machine.state.delivery.pending.allSatisfy(\.isStored))
    var state = machine.state
    state.delivery = asStored(state.delivery)
    var next = TestHost(Machine(state: state, feed: machine.feed))
    next.machine.settings.strategies = [Identifier("s")]
    try next.play(next.machine.recover(at: 1))
    #expect(
      next.log.filter { $0.hasPrefix("vote") || $0.hasPrefix("show") } == [
        "vote create c", "show c", "vote create d", "show d",
      ])
  }

  @Test func aVetoedCreateChangesNothingButTheQueue() throws {
    var host = host([circle("a")], [notification("c")], strategies: ["s"])
    host.vetoes = { _, isCreate, _ in isCreate }
    try host.go(origin, at: 0)
    var expected = PlotTesting.host([circle("a")], [])
    try expected.go(origin, at: 0)
    let (found, wanted) = (dump(host.machine.state), dump(expected.machine.state))
    for (field, value) in wanted { #expect(found[field] == value, "\(field)") }
  }

  @Test func whatTheyAreToldWhenSomethingElseIsAgainstIt() throws {
    var host = host([circle("a")], [notification("c"), notification("d")], strategies: ["s"])
    try host.play(host.machine.setCooldownPeriod(Self.minute, at: 0))
    try host.go(origin, at: 1)
    #expect(host.log.contains("s: created d false"))
    host = PlotTesting.host([circle("a")], [notification("c")], strategies: ["s"])
    host.canShow = { _ in false }
    try host.go(origin, at: 1)
    #expect(host.log.contains("s: created c false"))
  }

  @Test func removingIsPutToTheVote() throws {
    var host = host([circle("a")], [notification("c").with { $0.stay.endsAtExit = true }], strategies: ["s", "t"])
    host.vetoes = { strategy, isCreate, _ in strategy == "t" && !isCreate }
    try host.go(origin, at: 0)
    _ = host.news()
    try host.go(Self.away, at: 1)
    #expect(host.delivery() == ["vote delete c", "s: deleted c false", "t: deleted c false"])
    #expect(host.machine.state.screen.displayed.count == 1 && host.machine.state.screen.removals.isEmpty)
    let veto = try #require(host.decisions.last { $0.reason == .vetoed })
    #expect(veto.step == .remove && veto.detail == "t")
    host.vetoes = { _, _, _ in false }
    try host.go(origin, at: 2)
    try host.go(Self.away, at: 3)
    #expect(host.machine.state.screen.displayed.isEmpty)
    try host.go(origin, at: 4)
    #expect(host.reasons("c").last == .onceOnly)
  }

  @Test func dismissingIsToldAndNotVotedOn() throws {
    var host = host([circle("a")], [notification("c")], strategies: ["s"])
    try host.go(origin, at: 0)
    _ = host.news()
    try host.dismiss("c")
    #expect(host.news() == ["notification-dismissed c", "s: deleted c true"])
  }

  @Test func theFeedMaySwitchOneOffAndGivesParameters() throws {
    let campaigns = [notification("c", repeatRule: .always)]
    var host = host([circle("a")], campaigns, strategies: ["s", "t"])
    let off = feed([circle("a")], campaigns) {
      $0.strategies = [
        Strategy(key: Identifier("t"), rule: .custom(parameters: #"{"n":1}"#), isEnabled: false),
        Strategy(key: Identifier("unknown"), rule: .custom(parameters: "{}"), isEnabled: true),
      ]
    }
    try host.play(host.machine.setFeed(off, at: 0))
    #expect(host.news() == [#"t: parameters {"n":1}"#])
    host.vetoes = { strategy, _, _ in strategy == "t" }
    try host.go(origin, at: 1)
    #expect(
      host.delivery() == ["s: monitoring a", "vote create c", "show c", "s: created c true", "notification-shown c"])
    try host.play(host.machine.setFeed(off, at: 2))
    #expect(host.news().isEmpty, "the same feed again")
  }

  @Test func theForegroundIsTold() throws {
    var host = host([circle("a")], [], strategies: ["s"])
    try host.play(host.machine.setForeground(true, at: 1))
    try host.play(host.machine.setForeground(true, at: 2))
    try host.play(host.machine.setForeground(false, at: 3))
    try host.play(host.machine.setForeground(false, at: 4))
    #expect(host.news() == ["s: foreground", "s: background"])
    #expect(host.machine.state.host.backgroundSince == 3)
  }

  /// A start that finds a display ends before the strategies have saved: the next start tells them again, until one has.
  @Test func aFoundDisplayIsToldUntilTheirStatesAreSaved() throws {
    var machine = host([circle("a")], [notification("c")], strategies: []).machine
    machine.settings.strategies = [Identifier("s")]
    var shown = try machine.fix(0, origin)
    if case .vote(let ballot)? = shown.effects.last { shown = machine.answerVote(ballot, vetoes: []) }
    let match = try #require(shown.shows.first?.matchIdentifier)
    func told(_ output: Machine.Output) -> [String] {
      output.effects.compactMap {
        if case .inform(.created(let item, true), _) = $0 { item.matchIdentifier } else { nil }
      }
    }
    func restart(_ strategies: [Identifier] = [Identifier("s")]) -> Machine.Output {
      var state = machine.state
      state.delivery = asStored(state.delivery)
      machine = Machine(state: state, feed: machine.feed)
      machine.settings.strategies = strategies
      return machine.recover(at: 1000)
    }
    let first = restart()
    #expect(told(first) == [match] && first.events.map(\.kind) == [.notificationShown])
    let second = restart()
    #expect(told(second) == [match] && second.events.isEmpty)
    #expect(machine.state.history.displays.count == 1)
    let before = machine
    _ = machine.saveStates([:], display: match)
    #expect(told(restart()).isEmpty)
    // Without a strategy nobody is to be told, at a later start neither.
    machine = before
    #expect(told(restart([])).isEmpty && told(restart()).isEmpty)
  }

  @Test func statesBelongToTheirKey() throws {
    var machine = machine([circle("a")], [])
    let first = machine.saveStates([Identifier("b"): "2", Identifier("a"): "1"])
    #expect(first.changes.count == 2)
    #expect(machine.saveStates([Identifier("a"): "1"]).changes.isEmpty)
    #expect(machine.state.host.strategyStates == [Identifier("a"): "1", Identifier("b"): "2"])
  }

  // MARK: Built in

  static func built(_ rule: Strategy.Rule) -> (inout FeedSettings) -> Void {
    { $0.strategies = [Strategy(key: Identifier("rule"), rule: rule, isEnabled: true)] }
  }

  @Test(arguments: Strategy.Anchor.allCases) func minimumTime(_ anchor: Strategy.Anchor) throws {
    var host = host(
      [circle("a"), circle("b", north(1000))], [notification("c"), notification("d", at: [1], repeatRule: .always)],
      Self.built(.minimumTime(5 * Self.minute, after: anchor)))
    try host.go(origin, at: 0)
    #expect(host.log.contains("show c"), "nothing has happened before the first")
    host.time = Self.minute
    try host.dismiss("c")
    try host.play(host.machine.setForeground(false, at: 2 * Self.minute))
    let due = [Strategy.Anchor.shown: 5, .removed: 6, .background: 7][anchor]! * Self.minute
    _ = host.news()
    try host.go(north(1000), at: due - 1)
    #expect(host.delivery().isEmpty)
    let veto = try #require(host.decisions.last)
    #expect(veto.reason == .vetoed && veto.detail == "rule" && veto.nextPossible == due)
    try host.go(Self.away, at: due - 1)
    try host.go(north(1000), at: due)
    #expect(host.delivery() == ["show d", "notification-shown d"])
  }

  @Test func inTheForegroundTheTimeHasNotBegun() throws {
    var host = host([circle("a")], [notification("c")], Self.built(.minimumTime(1, after: .background)))
    try host.play(host.machine.setForeground(true, at: 0))
    try host.go(origin, at: 100)
    #expect(host.decisions.last?.reason == .vetoed && host.decisions.last?.nextPossible == nil)
  }

  @Test(arguments: Strategy.Field.allCases) func sameContent(_ field: Strategy.Field) throws {
    var host = host(
      [circle("a")],
      [
        notification("c", message: "m", data: "1"), notification("d", message: "m", data: "2"),
        notification("e", message: "n", data: "1"), notification("f", message: "m", data: "1"),
      ], Self.built(.sameContent(field)))
    try host.go(origin, at: 0)
    let shown = host.log.filter { $0.hasPrefix("show") }.map { $0.dropFirst(5) }
    #expect(shown == (field == .data ? ["c", "d", "e"] : ["c", "e", "f"]))
  }

  @Test func disabledOnesHaveNoVote() throws {
    var host = host([circle("a")], [notification("c"), notification("d", message: "message of c")]) {
      $0.strategies = [Strategy(key: Identifier("x"), rule: .sameContent(.message), isEnabled: false)]
    }
    try host.go(origin, at: 0)
    #expect(host.machine.state.screen.displayed.count == 2)
    #expect(!host.decisions.contains { $0.step == .strategies })
  }
}
