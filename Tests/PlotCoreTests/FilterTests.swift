import PlotTesting
import Testing

@testable import PlotCore

/// The app's filter and its geotrigger handler.
@Suite struct FilterTests {
  static func three(_ configure: (inout Machine.Settings) -> Void = { _ in }) throws -> (Machine, Batch) {
    var machine = machine(
      [circle("a")],
      [notification("c", data: "x"), notification("d"), notification("page", handler: .landingPage), notification("e")]
    ) {
      $0.hasFilter = true
      configure(&$0)
    }
    let output = try machine.fix(1000, origin)
    #expect(output.shows.map(\.campaign.text) == ["page"], "landing pages skip the filter")
    #expect(output.reasons("page").suffix(2) == [.landingPage, .allowed])
    #expect(output.reasons("c").suffix(2) == [.filled, .asked])
    #expect(output.last("c")?.verdict == .hold)
    let batch = try #require(output.asks.first)
    #expect(output.asks.count == 1)
    _ = try machine.confirmAll(output)
    return (machine, batch)
  }

  @Test func theBatch() throws {
    let (machine, batch) = try Self.three()
    #expect(batch.items.map(\.identifier) == ["c;a", "d;a", "e;a"])
    #expect(batch.token == 1 && !batch.isGeotrigger && batch.deadline == 61_000)
    #expect(batch.items.allSatisfy { $0.sent == nil && $0.matchIdentifier != nil })
    #expect(machine.nextWakeup == 61_000)
    #expect(try machine.batch(1) == batch)
  }

  @Test func theAppsOrderIsKept() throws {
    var (machine, batch) = try Self.three()
    let output = try machine.answerFilter(1, [batch.items[2].kept, batch.items[0].kept], at: 2000)
    #expect(output.shows.map(\.campaign.text) == ["e", "c"])
    #expect(output.events.names == ["notification-filtered d"])
    #expect(output.reasons("d") == [.filteredOut])
    #expect(output.reasons("c") == [.kept, .allowed])
    #expect(try machine.confirmAll(output).names == ["notification-shown e", "notification-shown c"])
    #expect(machine.nextWakeup == nil)
  }

  @Test func messageAndDataAreEdited() throws {
    var (machine, batch) = try Self.three()
    var kept = batch.items[0].kept
    kept.content.message = "edited"
    kept.content.data = "edited data"
    let output = try machine.answerFilter(1, [kept], at: 2000)
    let events = try machine.confirmAll(output)
    var expected = batch.items[0]
    expected.values.loaded.content.message = "edited"
    expected.values.loaded.content.data = "edited data"
    #expect(output.shows == [expected])
    expected.sent = Item.Sent(date: 2000, answered: nil)
    #expect(machine.state.history.sentNotifications.last == expected)
    #expect(events.map(\.item) == [expected])
  }

  @Test func leavingEverythingOut() throws {
    var (machine, _) = try Self.three()
    let output = try machine.answerFilter(1, [], at: 2000)
    #expect(output.events.names == ["notification-filtered c", "notification-filtered d", "notification-filtered e"])
    #expect(machine.state.history.lastShown.keys.map(\.campaign.text) == ["page"])
    _ = try machine.fix(3000, north(5000))
    #expect(try machine.fix(4000, origin).asks.first?.items.count == 3, "left out is not used up")
  }

  @Test func wrongAnswersChangeNothing() throws {
    var (machine, batch) = try Self.three()
    let before = dump(machine)
    let match = batch.items[0].matchIdentifier ?? ""
    let stranger = Kept(matchIdentifier: "stranger", message: "m", data: "")
    #expect(throws: InputError.unknownItem("stranger")) {
      try machine.answerFilter(1, [batch.items[0].kept, stranger], at: 50_000)
    }
    #expect(throws: InputError.unknownItem(match)) {
      try machine.answerFilter(1, [batch.items[0].kept, batch.items[0].kept], at: 50_000)
    }
    #expect(throws: InputError.unknownToken) { try machine.answerFilter(2, batch.all, at: 50_000) }
    #expect(throws: InputError.unknownToken) { try machine.answerFilter(0, batch.all, at: 50_000) }
    #expect(throws: InputError.unknownToken) { try machine.answerFilter(.max, batch.all, at: 50_000) }
    #expect(throws: InputError.unknownToken) { try machine.markHandled(1, batch.all, at: 50_000) }
    #expect(throws: InputError.alreadyAnswered) { try machine.answerFilter(1, batch.all, at: 61_000) }
    #expect(dump(machine) == before)
    _ = try machine.answerFilter(1, batch.all, at: 50_000)
    let answered = dump(machine)
    #expect(throws: InputError.alreadyAnswered) { try machine.answerFilter(1, batch.all, at: 50_000) }
    #expect(throws: InputError.alreadyAnswered) { try machine.batch(1) }
    #expect(throws: InputError.unknownToken) { try machine.batch(2) }
    #expect(dump(machine) == answered)
  }

  @Test func anAnswerInTheLastMillisecondCounts() throws {
    var (machine, batch) = try Self.three()
    #expect(try machine.answerFilter(1, batch.all, at: 60_999).shows.count == 3)
  }

  @Test func anAnswerOfTheFutureComesAfterWhatWasDue() throws {
    var machine = machine([circle("a")], [notification("c"), geotrigger("g", .dwelling(minutes: 5))]) {
      $0.hasFilter = true
      $0.filterDeadline = 600_000
    }
    let batch = try #require(try machine.fix(0, origin).asks.first)
    let output = try machine.answerFilter(batch.token, batch.all, at: 400_000)
    #expect(output.events.names == ["region-dwell a", "geotrigger g"])
    #expect(output.events.map(\.time) == [300_000, 300_000])
    #expect(try machine.confirmAll(output).map(\.time) == [400_000])
  }

  @Test func theDeadlineDrops() throws {
    var (machine, batch) = try Self.three()
    #expect(machine.advance(to: 60_999).effects.isEmpty)
    let output = machine.advance(to: 61_000)
    #expect(output.events.names == ["notification-filtered c", "notification-filtered d", "notification-filtered e"])
    #expect(output.events.allSatisfy { $0.time == 61_000 })
    #expect(output.reasons("c") == [.deadlineDropped])
    #expect(output.shows.isEmpty && machine.state.delivery.batches.isEmpty && machine.nextWakeup == nil)
    #expect(throws: InputError.alreadyAnswered) { try machine.answerFilter(1, batch.all, at: 61_000) }
  }

  @Test func theDeadlineIsExactHoweverLateTheNextInput() throws {
    var (machine, _) = try Self.three()
    let output = try machine.fix(500_000, north(5000))
    #expect(output.events.names.suffix(2) == ["notification-filtered e", "region-exit a"])
    #expect(output.events.map(\.time) == [61_000, 61_000, 61_000, 500_000])
  }

  @Test func theFallbackMayShowTheOriginal() throws {
    var (machine, _) = try Self.three {
      $0.filterFallback = .showOriginal
      $0.filterDeadline = 5000
    }
    let output = machine.advance(to: 6000)
    #expect(output.shows.map(\.message) == ["message of c", "message of d", "message of e"])
    #expect(output.reasons("c") == [.deadlineShown, .allowed])
  }

  @Test func geotriggersAreHandledByTheApp() throws {
    var machine = machine([circle("a")], [geotrigger("g"), geotrigger("h"), notification("c")]) {
      $0.hasGeotriggerHandler = true
    }
    _ = machine.setCooldownPeriod(3_600_000, at: 0)
    let output = try machine.fix(1000, origin)
    let batch = try #require(output.asks.first)
    #expect(batch.isGeotrigger && batch.items.map(\.campaign.text) == ["g", "h"])
    #expect(
      machine.state.history.sentGeotriggers.map(\.sent) == [
        Item.Sent(date: 1000, answered: nil), Item.Sent(date: 1000, answered: nil),
      ])
    #expect(throws: InputError.unknownToken) { try machine.answerFilter(batch.token, [], at: 2000) }
    var edited = batch.items[1].kept
    edited.content.message = "geotriggers cannot be edited"
    let answer = try machine.markHandled(batch.token, [edited], at: 2000)
    #expect(answer.events.names == ["geotrigger-dropped g", "geotrigger h"])
    #expect(machine.state.history.sentGeotriggers.map(\.sent?.answered) == [nil, 2000])
    #expect(machine.state.history.sentGeotriggers.map(\.message) == ["name of g", "name of h"])
    #expect(machine.state.history.lastShown.keys.map(\.campaign.text) == ["h"])
    _ = try machine.fix(3000, north(5000))
    #expect(try machine.fix(4000, origin).asks.first?.items.map(\.campaign.text) == ["g"], "the other is used up")
  }

  @Test func geotriggersHaveADeadlineToo() throws {
    for fallback in FilterFallback.allCases {
      var machine = machine([circle("a")], [geotrigger("g")]) {
        $0.hasGeotriggerHandler = true
        $0.filterFallback = fallback
      }
      _ = try machine.fix(0, origin)
      let output = machine.advance(to: 60_000)
      #expect(output.events.names == [fallback == .drop ? "geotrigger-dropped g" : "geotrigger g"])
    }
  }

  /// A host that has slept is asked when it wakes, and has all of its time from then on.
  @Test func theDeadlineCountsFromTheAsking() throws {
    var machine = machine([circle("a")], [notification("c", .dwelling(minutes: 5))]) { $0.hasFilter = true }
    _ = try machine.fix(0, origin)
    let output = machine.advance(to: 3_600_000)
    #expect(output.events.map(\.time) == [300_000])
    #expect(output.asks.map(\.deadline) == [3_660_000])
    #expect(machine.nextWakeup == 3_660_000)
  }

  @Test func whatBecomesDueAtAStartIsAskedOnce() throws {
    var machine = machine([circle("a")], [notification("c", .dwelling(minutes: 5))]) { $0.hasFilter = true }
    _ = try machine.fix(0, origin)
    #expect(machine.recover(at: 310_000).asks.map(\.token) == [1])
  }

  @Test func openBatchesAreOfferedAgainAfterAStart() throws {
    let (machine, batch) = try Self.three()
    var restarted = Machine(state: machine.state, feed: machine.feed)
    restarted.settings.hasFilter = true
    #expect(restarted.recover(at: 5000).asks == [batch])
    #expect(try restarted.answerFilter(1, batch.all, at: 6000).shows.count == 3)
    var without = Machine(state: machine.state, feed: machine.feed)
    #expect(without.recover(at: 5000).shows.count == 3, "without a filter everything passes")
    #expect(without.state.delivery.batches.isEmpty)
    var late = Machine(state: machine.state, feed: machine.feed)
    late.settings.hasFilter = true
    let output = late.recover(at: 61_000)
    #expect(output.asks.isEmpty && output.events.count == 3)
  }
}
