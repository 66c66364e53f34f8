import PlotTesting
import Testing

@testable import PlotCore

/// Messages: what only a host that fails, or answers late, brings about. The rest is in the vectors.
@Suite struct MessageTests {
  private func message(
    _ id: String, key: String? = "k", revision: Int64? = nil, _ operation: Message.Operation = .post
  ) -> Message {
    var message = Message(id: id, content: Content(message: "Text of \(id)", data: ""))
    message.correlationKey = key
    message.revision = revision
    message.operation = operation
    return message
  }

  private func machine(_ change: (inout MessageSettings) -> Void = { _ in }) -> Machine {
    host([], [], { change(&$0.messages) }).machine
  }

  /// Shows what is asked for; removals are answered as `removes` says.
  private func play(_ machine: inout Machine, _ output: Machine.Output, removes: Bool = true) throws -> [String] {
    var log: [String] = []
    var queue = output.effects
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .show(let item):
        log.append("show \(item.identifier)")
        queue += try machine.confirm(item.matchIdentifier ?? "", shown: true).effects
      case .remove(let item):
        log.append("remove \(item.identifier)")
        queue += machine.confirmRemoved(item.matchIdentifier ?? "", removed: removes).effects
      default: break
      }
    }
    return log
  }

  /// Reference: peers, A9. The sample removes the first match only.
  @Test func threeOnTheScreenWithOneKeyAllGoBeforeTheNext() throws {
    var machine = machine()
    for id in ["a", "b", "c"] {
      let output = machine.process(message(id), at: 1)
      _ = try play(&machine, output, removes: false)
    }
    #expect(machine.state.screen.displayed.map(\.identifier) == ["a", "b", "c"])
    let output = machine.process(message("d"), at: 2)
    #expect(output.removes.count == 3 && output.shows.isEmpty, "the new one waits for the answers")
    #expect(try play(&machine, output) == ["remove a", "remove b", "remove c", "show d"])
    #expect(machine.state.screen.displayed.map(\.identifier) == ["d"])
  }

  @Test func aRetractDuringTheDisplayTakesItOffAgain() throws {
    var machine = machine()
    let item = try #require(machine.process(message("a"), at: 1).shows.first)
    let retract = machine.process(message("r", .retract), at: 1)
    #expect(retract.removes.isEmpty && retract.events.map(\.kind) == [.messageRetracted])
    let answer = try machine.confirm(item.matchIdentifier ?? "", shown: true)
    #expect(answer.removes.map(\.identifier) == ["a"])
    #expect(try play(&machine, answer) == ["remove a"])
    #expect(machine.state.screen.displayed.isEmpty)
  }

  @Test func aRetractCountsBeyondTheEndOfTheProcess() throws {
    var machine = machine()
    _ = machine.process(message("a"), at: 1)
    _ = machine.process(message("r", .retract), at: 1)
    var next = Machine(state: machine.state, feed: machine.feed)
    let output = next.recover(at: 2)
    #expect(output.events.map(\.kind) == [.notificationShown] && output.removes.map(\.identifier) == ["a"])
  }

  @Test func whatWaitsInTheQueueIsTakenBack() throws {
    var machine = machine()
    let first = machine.process(message("a"), at: 1)
    #expect(machine.process(message("b"), at: 1).shows.isEmpty, "it waits for the host's answer about the first")
    #expect(machine.state.delivery.pending.map(\.item.identifier) == ["b"])
    let third = machine.process(message("c"), at: 1)
    #expect(try play(&machine, first) == ["show a", "remove a", "show c"], "\(third)")
    #expect(machine.state.delivery.pending.isEmpty && machine.state.screen.displayed.map(\.identifier) == ["c"])
  }

  @Test func nothingIsRememberedForEver() throws {
    var machine = machine { $0.memory = 1000 }
    _ = try play(&machine, machine.process(message("a", revision: 5), at: 1))
    #expect(machine.process(message("b", revision: 4), at: 1000).events.map(\.kind) == [.messageDropped])
    #expect(machine.process(message("b", revision: 4), at: 1001).shows.isEmpty, "the first goes before it")
    _ = machine.process(message("c", key: "other"), at: 3_700_000)
    #expect(machine.state.messages.seen.count == 1 && machine.state.messages.correlations.count == 1)
  }

  @Test func theDeadlineOfAMessageLeavesTwoSeconds() throws {
    var machine = machine()
    machine.settings.hasFilter = true
    machine.settings.filterDeadline = 60_000
    machine.settings.messageDeadline = 30_000
    _ = machine.process(message("a"), at: 1000)
    #expect(machine.nextWakeup == 29_000)
    machine.settings.filterDeadline = 5000
    _ = machine.process(message("b", key: nil), at: 1000)
    #expect(machine.nextWakeup == 6000)
  }

  @Test func whateverStepIsAgainstItAHostThatCannotSuppressNeverGetsTheOriginal() throws {
    for fallback in SuppressFallback.allCases {
      for step in ["rule", "filter", "deadline", "strategy", "slot", "cooldown", "stale", "duplicate", "retracted"] {
        var host = host([], []) { settings in
          settings.messages.placeholder = "Placeholder"
          settings.messages.keepsCooldown = true
          if step == "rule" { settings.messages.rules = [MessageRule(condition: nil, action: .drop)] }
          if step == "slot" { settings.slots = Slots(count: 1, whenFull: .keep) }
          if step == "strategy" {
            settings.strategies = [Strategy(key: Identifier("s"), rule: .sameContent(.message), isEnabled: true)]
          }
        }
        host.machine.settings.canSuppress = false
        host.machine.settings.suppressFallback = fallback
        if step == "slot" || step == "cooldown" { try host.play(host.machine.process(message("z", key: "z"), at: 1)) }
        if step == "cooldown" { _ = host.machine.setCooldownPeriod(1000, at: 1) }
        if step == "strategy" {
          var same = message("z", key: "z")
          same.content.message = "Text of a"
          try host.play(host.machine.process(same, at: 1))
        }
        if step == "stale" || step == "duplicate" {
          let id = step == "stale" ? "y" : "a"
          try host.play(host.machine.process(message(id, revision: step == "stale" ? 2 : 1), at: 1))
        }
        if step == "retracted" { try host.play(host.machine.process(message("r", revision: 1, .retract), at: 1)) }
        host.machine.settings.hasFilter = step == "filter" || step == "deadline"
        var loud = message("a", revision: 1)
        loud.content.sound = "bell"
        let count = host.machine.state.screen.displayed.count
        let output = host.machine.process(loud, at: 2)
        try host.play(output)
        if step == "filter" { try host.play(host.machine.answerFilter(1, [], at: 2)) }
        if step == "deadline" { try host.play(host.machine.advance(to: 100_000)) }
        #expect(host.machine.state.screen.displayed.count == count + 1, "\(step)")
        let item = try #require(host.machine.state.screen.displayed.last)
        #expect(item.identifier == "a" && item.incoming?.isSuppressed == true, "\(step)")
        #expect(item.content.sound == nil && item.message == (fallback == .silent ? "Text of a" : "Placeholder"))
        #expect(item.incoming?.isSilent == (fallback == .silent))
      }
    }
  }

  @Test func truthsOfConditions() {
    let lists = [Identifier("l"): MessageList(version: 1, entries: [Identifier("s")], refreshed: 0)]
    var message = message("m")
    message.sender = "s"
    message.content.title = "ÄPFEL"
    let item = Item(message)
    let (yes, no) = (MessageCondition.senderIn(Identifier("l")), MessageCondition.senderNotIn(Identifier("l")))
    let unknown = MessageCondition.threadIn(Identifier("?"))
    let absent = MessageCondition.Truth.unknown(Identifier("?"))
    let cases: [(MessageCondition, MessageCondition.Truth)] = [
      (yes, .yes), (no, .no), (unknown, absent), (.not(yes), .no), (.not(no), .yes), (.not(unknown), absent),
      (.all([yes, yes]), .yes), (.all([yes, no]), .no), (.all([unknown, no]), .no), (.all([yes, unknown]), absent),
      (.any([no, yes]), .yes), (.any([no, no]), .no), (.any([unknown, yes]), .yes), (.any([no, unknown]), absent),
      (.contains("äpfel"), .yes), (.contains("of M"), .yes), (.contains("birne"), .no),
      (.contains("a much longer text than there is"), .no), (.threadIn(Identifier("l")), .no),
    ]
    for (condition, truth) in cases { #expect(condition.truth(item.facts, lists) == truth, "\(condition)") }
  }
}
