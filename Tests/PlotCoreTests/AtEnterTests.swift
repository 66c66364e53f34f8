import PlotTesting
import Testing

@testable import PlotCore

/// Dwelling campaigns whose filter is asked at the enter.
@Suite struct AtEnterTests {
  static let away = north(5000)
  static let minute: Milliseconds = 60_000

  static func machine(_ change: (inout Campaign.Values) -> Void = { _ in }) -> Machine {
    PlotTesting.machine(
      [circle("a")],
      [
        notification("c", .dwelling(minutes: 5), repeatRule: .always).with {
          $0.filtersAtEnter = true
          change(&$0)
        }, notification("late", .dwelling(minutes: 5)), notification("now"),
      ]
    ) {
      $0.hasFilter = true
      $0.filterDeadline = 1000 * minute
    }
  }

  @Test func theAnswerIsKeptUntilTheTimeComes() throws {
    var machine = Self.machine()
    let output = try machine.fix(0, origin)
    #expect(output.asks.map { $0.items.map(\.campaign.text) } == [["now"], ["c"]])
    #expect(output.asks.map(\.isAtEnter) == [false, true])
    var kept = output.asks[1].items[0].kept
    kept.content.message = "edited"
    #expect(try machine.answerFilter(2, [kept], at: 1).shows.isEmpty)
    let due = machine.advance(to: 5 * Self.minute)
    #expect(due.shows.map(\.message) == ["edited"])
    #expect(due.asks.map { $0.items.map(\.campaign.text) } == [["late"]])
    #expect(due.reasons("c") == [.triggered, .valid, .anytime, .matched, .allowed, .filled, .kept, .allowed])
    #expect(machine.state.delivery.prefiltered.isEmpty)
  }

  @Test func leavingBeforeDropsIt() throws {
    var machine = Self.machine()
    let batch = try machine.fix(0, origin).asks[1]
    _ = try machine.answerFilter(2, batch.all, at: 1)
    let output = try machine.fix(2, Self.away)
    #expect(output.reasons("c") == [.left] && machine.state.delivery.prefiltered.isEmpty)
    // The next visit asks anew.
    #expect(try machine.fix(3, origin).asks.contains { $0.isAtEnter })
  }

  @Test func whatIsLeftOutStaysOutForTheVisit() throws {
    var machine = Self.machine()
    _ = try machine.fix(0, origin)
    #expect(try machine.answerFilter(2, [], at: 1).events.names == ["notification-filtered c"])
    let due = machine.advance(to: 5 * Self.minute)
    #expect(due.reasons("c").last == .filteredOut && due.shows.isEmpty)
    _ = try machine.fix(6 * Self.minute, Self.away)
    #expect(try machine.fix(7 * Self.minute, origin).asks.contains { $0.isAtEnter })
  }

  @Test func anAnswerAfterTheTimeCountsAtOnce() throws {
    var machine = Self.machine()
    let batch = try machine.fix(0, origin).asks[1]
    let due = machine.advance(to: 5 * Self.minute)
    #expect(due.reasons("c") == [.triggered, .asked] && due.shows.isEmpty)
    let output = try machine.answerFilter(2, batch.all, at: 6 * Self.minute)
    #expect(output.shows.map(\.campaign.text) == ["c"] && machine.state.delivery.prefiltered.isEmpty)
  }

  @Test func anAnswerAfterTheVisitIsTooLate() throws {
    var machine = Self.machine()
    let batch = try machine.fix(0, origin).asks[1]
    _ = try machine.fix(1, Self.away)
    let output = try machine.answerFilter(2, batch.all, at: 2)
    #expect(
      output.shows.isEmpty && output.reasons("c") == [.kept, .left] && machine.state.delivery.prefiltered.isEmpty)
  }

  @Test(arguments: FilterFallback.allCases) func theDeadline(_ fallback: FilterFallback) throws {
    var machine = Self.machine()
    machine.settings.filterFallback = fallback
    machine.settings.filterDeadline = Self.minute
    _ = try machine.fix(0, origin)
    #expect(machine.advance(to: Self.minute).shows.map(\.campaign.text) == (fallback == .drop ? [] : ["now"]))
    let due = machine.advance(to: 5 * Self.minute)
    #expect(due.shows.map(\.campaign.text) == (fallback == .drop ? [] : ["c"]))
  }

  @Test func theCampaignMustBeEligibleWhenItsTimeComes() throws {
    var machine = Self.machine { $0.end = 3 * Self.minute }
    let batch = try machine.fix(0, origin).asks[1]
    _ = try machine.answerFilter(2, batch.all, at: 1)
    let due = machine.advance(to: 5 * Self.minute)
    #expect(due.reasons("c").last == .ended && due.shows.isEmpty)
  }

  @Test func whoIsNotMeantIsNotAskedAbout() throws {
    var machine = Self.machine { $0.segmentation = equals("p", .boolean(true)) }
    #expect(!(try machine.fix(0, origin).asks.contains { $0.isAtEnter }))
    _ = machine.setProperty(Identifier("p"), .boolean(true), at: 1)
    let due = machine.advance(to: 5 * Self.minute)
    #expect(due.asks.map { $0.items.map(\.campaign.text) } == [["c", "late"]], "it is asked about when the time comes")
  }
}
