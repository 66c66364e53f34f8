import PlotTesting
import Testing

@testable import PlotCore

/// The people who are held out, and that this leaves no trace (docs/feed.md, Holdout).
@Suite struct HoldoutTests {
  /// The numbers that the page's own lines of Python give.
  @Test(arguments: [("coffee", "4711", 4706), ("coffee", "4712", 1400), ("sweet", "bob", 710), ("g", "", 5590)])
  func theNumbersArePublic(_ group: String, _ value: String, _ draw: Int64) {
    #expect(Holdout.draw(group: Identifier(group), value: value) == draw)
  }

  @Test func eachGroupHoldsOutItsShareAndOthers() {
    func isHeldOut(_ group: String, _ value: Int) -> Bool {
      Holdout.draw(group: Identifier(group), value: String(value)) < 1000
    }
    // Of 10,000 people 1,000 are held out, give or take 30; of two groups at once 100, give or take 10.
    let groups = (0..<30).map { "group-\($0)" }
    for (group, next) in zip(groups, groups.dropFirst()) {
      let count = (0..<10_000).count { isHeldOut(group, $0) }
      #expect((850...1150).contains(count), "\(group): \(count)")
      let both = (0..<10_000).count { isHeldOut(group, $0) && isHeldOut(next, $0) }
      #expect((50...150).contains(both), "\(group), \(next): \(both)")
    }
  }

  @Test func aWiderShareHasTheSamePeople() {
    let person = PropertyValue.integer(4711)
    var before = false
    for percent in Int64(1)...99 {
      let place = Holdout(percent: percent).place(of: Identifier("coffee"), person)
      #expect(place?.group == Identifier("coffee"))
      #expect(!before || place?.isHeldOut == true)
      before = place?.isHeldOut == true
    }
    #expect(before)
  }

  @Test func onlyTextsAndWholeNumbersDecide() {
    let holdout = Holdout(percent: 50)
    func draw(_ value: PropertyValue?) -> Int64? { holdout.place(of: Identifier("c"), value)?.draw }
    #expect(draw(.integer(5)) == draw(.string("5")) && draw(.integer(5)) != nil)
    for value in [.double(5), .boolean(true), .date(5), nil] as [PropertyValue?] { #expect(draw(value) == nil) }
  }

  /// A campaign that is held out, and one that is not, at two places.
  private func person(_ change: (inout FeedSettings) -> Void = { _ in }) throws -> TestHost {
    var campaign = notification("c", at: [0])
    campaign.values.holdout = Holdout(percent: 48)
    campaign.values.correlationKey = try Template("k")
    var other = notification("d", at: [1], repeatRule: .always)
    other.values.correlationKey = try Template("k")
    var host = host([circle("a"), circle("b", north(1000))], [campaign, other], change)
    // 4,706 is below 4,800 for `coffee`; for `c` the number is another one.
    var value: Int64 = 0
    while Holdout.draw(group: Identifier("c"), value: String(value)) >= 4800 { value += 1 }
    try host.play(host.machine.setProperty(Holdout.standardProperty, .integer(value), at: 0))
    return host
  }

  @Test func itLeavesNoTraceButItsEvent() throws {
    var host = try person { settings in
      settings.caps = [Cap(scope: .all, maximum: 2, span: .window(LimitTests.day))]
      settings.slots = Slots(count: 1, whenFull: .replace)
    }
    #expect(try LimitTests.visit(&host, LimitTests.minute, north(1000)))
    for round in Int64(1)...3 { #expect(try !LimitTests.visit(&host, round * LimitTests.hour)) }
    let heldOut = host.decisions.filter { $0.reason == .heldOut }
    #expect(heldOut.count == 3 && heldOut.allSatisfy { $0.step == .holdout && $0.verdict == .drop && $0.detail == "c" })
    #expect(host.machine.state.history.displays.count == 1)
    #expect(host.machine.state.history.lastShown[ItemKey(campaign: Identifier("c"), region: Identifier("a"))] == nil)
    #expect(host.machine.state.screen.displayed.map(\.campaign) == [Identifier("d")])
    #expect(host.machine.state.delivery.pending.isEmpty)
    // Its property says nothing any more: it is shown as ever, in the place of the other.
    try host.play(host.machine.setProperty(Holdout.standardProperty, nil, at: 4 * LimitTests.hour))
    #expect(try LimitTests.visit(&host, 5 * LimitTests.hour))
    #expect(host.machine.state.screen.displayed.map(\.campaign) == [Identifier("c")])
  }

  @Test func theOneBehindItHasItsTurn() throws {
    var campaign = notification("c", at: [0])
    campaign.values.holdout = Holdout(percent: 99, property: Identifier("p"))
    let cooldown: Milliseconds = 60_000
    var host = host([circle("a")], [campaign, notification("d", at: [0])])
    try host.play(host.machine.setCooldownPeriod(cooldown, at: 0))
    try host.play(host.machine.setProperty(Identifier("p"), .string("ann"), at: 0))
    #expect(Holdout.draw(group: Identifier("c"), value: "ann") < 9900)
    #expect(try LimitTests.visit(&host, LimitTests.minute))
    #expect(host.machine.state.history.lastShown[ItemKey(campaign: Identifier("d"), region: Identifier("a"))] != nil)
    #expect(host.machine.state.history.lastShown[ItemKey(campaign: Identifier("c"), region: Identifier("a"))] == nil)
  }
}
