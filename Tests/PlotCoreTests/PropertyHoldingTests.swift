import PlotTesting
import Testing

@testable import PlotCore

/// A property that is set inside a visit, and feeds and restarts while something waits.
@Suite struct PropertyHoldingTests {
  static let premium = Identifier("premium")
  static let member = equals("premium", .boolean(true))

  static func inside(_ campaigns: Campaign...) throws -> Machine {
    var machine = machine([circle("a")], campaigns)
    _ = try machine.fix(1000, origin)
    return machine
  }

  @Test func settingFiresAtOnceAndOnlyOnce() throws {
    var machine = try Self.inside(notification("c", segmentation: Self.member))
    #expect(machine.state.delivery.held == [Held(campaign: Identifier("c"), region: Identifier("a"), until: nil)])
    #expect(machine.nextWakeup == nil, "no time is waited for")
    let output = machine.setProperty(Self.premium, .boolean(true), at: 5000)
    #expect(output.shows.map(\.identifier) == ["c;a"] && output.decisions.allSatisfy { $0.time == 5000 })
    _ = try machine.confirmAll(output)
    #expect(machine.state.delivery.held.isEmpty)
    for value in [PropertyValue.boolean(false), .boolean(true)] {
      #expect(machine.setProperty(Self.premium, value, at: 6000).effects.isEmpty)
    }
  }

  @Test func aValueThatDoesNotMatchWaitsOn() throws {
    var machine = try Self.inside(notification("c", segmentation: Self.member, repeatRule: .always))
    let wrong = machine.setProperty(Self.premium, .string("true"), at: 2000)
    #expect(
      wrong.reasons("c") == [.triggered, .valid, .anytime, .propertyDiffers] && machine.state.delivery.held.count == 1)
    #expect(machine.setProperty(Self.premium, .string("true"), at: 3000).effects.isEmpty, "nothing has changed")
    #expect(machine.setProperty(Identifier("other"), .boolean(true), at: 3000).effects.isEmpty)
    #expect(machine.setProperty(Self.premium, .boolean(true), at: 4000).shows.count == 1)
    #expect(machine.state.delivery.held.isEmpty)
  }

  @Test func clearingCountsToo() throws {
    let absent = Segment.property(Self.premium, .exists(false))
    var machine = machine([circle("a")], [notification("c", segmentation: absent)])
    _ = machine.setProperty(Self.premium, .boolean(true), at: 0)
    #expect(try machine.fix(1000, origin).last("c")?.reason == .propertyDiffers)
    #expect(machine.setProperty(Self.premium, nil, at: 2000).shows.count == 1)
  }

  @Test func onlyTheTreesThatMentionItAreLookedAt() throws {
    var machine = try Self.inside(
      notification("c", segmentation: Self.member), notification("d", segmentation: .not(Self.member)),
      notification("e", segmentation: .any([equals("x", .integer(1)), Self.member])),
      notification("f", segmentation: .shown(Identifier("c"), within: nil)))
    let output = machine.setProperty(Self.premium, .boolean(false), at: 2000)
    #expect(Set(output.decisions.compactMap(\.campaign?.text)) == ["c", "d", "e"])
    #expect(output.shows.map(\.campaign.text) == ["d"])
    #expect(machine.state.delivery.held.map(\.campaign.text) == ["c", "e", "f"])
  }

  @Test func exitsDoNotWait() throws {
    var machine = machine([circle("a")], [notification("c", .exit, segmentation: Self.member)])
    _ = try machine.fix(1000, origin)
    let output = try machine.fix(2000, north(5000))
    #expect(output.last("c")?.reason == .propertyMissing && machine.state.delivery.held.isEmpty)
    #expect(machine.setProperty(Self.premium, .boolean(true), at: 3000).effects.isEmpty)
  }

  @Test func leavingIsTheEndOfTheWaiting() throws {
    var machine = try Self.inside(notification("c", segmentation: Self.member))
    let output = try machine.fix(2000, north(5000))
    #expect(output.reasons("c").isEmpty, "it was dropped before")
    #expect(machine.state.delivery.held.isEmpty)
    #expect(machine.setProperty(Self.premium, .boolean(true), at: 3000).effects.isEmpty)
  }

  /// An hour after the last fix nobody knows whether the device is still there.
  @Test(arguments: [true, false]) func aMatchAfterLongSilenceNeedsAProof(isThere: Bool) throws {
    var machine = machine([circle("a")], [notification("c", segmentation: Self.member)]) { $0.noise = .balanced }
    _ = try machine.fix(1000, origin)
    func asks(_ output: Machine.Output) -> Bool {
      output.effects.contains { if case .requestFix = $0 { true } else { false } }
    }
    #expect(!asks(machine.setProperty(Self.premium, .boolean(false), at: 3_600_000)))
    let output = machine.setProperty(Self.premium, .boolean(true), at: 3_601_000)
    #expect(output.shows.isEmpty && asks(output))
    let answer = try machine.fix(3_605_000, isThere ? origin : north(5000))
    #expect(answer.shows.map(\.identifier) == (isThere ? ["c;a"] : []))
    #expect(machine.state.delivery.held.isEmpty)
  }

  @Test func dwellingsWaitForAProperty() throws {
    var machine = try Self.inside(notification("c", .dwelling(minutes: 5), segmentation: Self.member))
    #expect(machine.setProperty(Self.premium, .boolean(true), at: 2000).effects.isEmpty, "before its time")
    _ = machine.setProperty(Self.premium, .boolean(false), at: 3000)
    #expect(machine.advance(to: 301_000).last("c")?.reason == .propertyDiffers)
    #expect(machine.setProperty(Self.premium, .boolean(true), at: 302_000).shows.count == 1)
  }

  @Test func silentVisitsDoNotWait() throws {
    var machine = machine([circle("a")], [notification("c", segmentation: Self.member)]) { $0.initial = .none }
    #expect(try machine.fix(1000, origin).events.names == ["region-inside a"])
    #expect(machine.setProperty(Self.premium, .boolean(true), at: 2000).effects.isEmpty)
  }

  @Test func timesComeBeforeTheProperty() throws {
    let times = HoldingTests.times(.spans([TimeSpan(start: 10_000, end: 20_000), TimeSpan(start: 30_000, end: nil)]))
    var machine = machine([circle("a")], [notification("c", times: times, segmentation: Self.member)])
    #expect(try machine.fix(1000, origin).last("c")?.nextPossible == 10_000)
    #expect(machine.setProperty(Self.premium, .boolean(false), at: 2000).effects.isEmpty, "it waits for its times")
    #expect(machine.advance(to: 10_000).last("c")?.reason == .propertyDiffers)
    // Right, but too late: it waits for its times again.
    let late = machine.setProperty(Self.premium, .boolean(true), at: 20_000)
    #expect(late.last("c")?.reason == .held && machine.nextWakeup == 30_000)
    #expect(machine.advance(to: 30_000).shows.count == 1)
  }

  @Test func manyWaitInTheOrderOfRegionAndCampaign() throws {
    let regions = ["m", "a", "z"].map { circle($0) }
    var machine = machine(
      regions, ["x", "b"].map { notification($0, at: [0, 1, 2], segmentation: Self.member) })
    _ = try machine.fix(1000, origin)
    let order = ["b;a", "x;a", "b;m", "x;m", "b;z", "x;z"]
    #expect(machine.state.delivery.held.map { "\($0.campaign.text);\($0.region.text)" } == order)
    let output = machine.setProperty(Self.premium, .boolean(true), at: 2000)
    #expect(output.shows.map(\.identifier) == ["x;a", "b;a", "x;m", "b;m", "x;z", "b;z"], "in the feed's order")
  }

  // MARK: Feeds

  @Test func aNewFeedIsLookedAtAtOnce() throws {
    var machine = try Self.inside(
      notification("c", segmentation: Self.member), notification("gone", segmentation: Self.member))
    let output = machine.setFeed(feed([circle("a")], [notification("c")]), at: 2000)
    #expect(output.shows.map(\.identifier) == ["c;a"] && machine.state.delivery.held.isEmpty)
    var later = machine
    #expect(later.setFeed(feed([circle("a")], [notification("c"), notification("gone")]), at: 3000).shows.isEmpty)
  }

  @Test func aNewFeedMayMoveTheOpening() throws {
    func hours(_ start: Milliseconds) -> Campaign {
      notification("c", times: HoldingTests.times(.spans([TimeSpan(start: start, end: nil)])))
    }
    var machine = try Self.inside(hours(100_000))
    #expect(machine.nextWakeup == 100_000)
    #expect(machine.setFeed(feed([circle("a")], [hours(50_000)]), at: 2000).last("c")?.nextPossible == 50_000)
    #expect(machine.nextWakeup == 50_000 && machine.state.delivery.held.count == 1)
    let exit = feed([circle("a")], [notification("c", .exit)])
    #expect(machine.setFeed(exit, at: 3000).shows.isEmpty)
    #expect(machine.state.delivery.held.isEmpty && machine.nextWakeup == nil)
  }

  @Test func aNewTriggerIsWaitedForAnew() throws {
    var machine = try Self.inside(notification("c", segmentation: Self.member))
    let dwelling = notification("c", .dwelling(minutes: 5), segmentation: Self.member, repeatRule: .always)
    _ = machine.setFeed(feed([circle("a")], [dwelling]), at: 2000)
    _ = machine.setProperty(Self.premium, .boolean(false), at: 3000)
    _ = machine.advance(to: 301_000)
    #expect(machine.state.delivery.held.count == 1, "one for each campaign and region")
    #expect(machine.setProperty(Self.premium, .boolean(true), at: 302_000).shows.count == 1)
  }

  @Test func aNewTriggerDoesNotFireBeforeItsTime() throws {
    var machine = try Self.inside(notification("c", segmentation: Self.member))
    let dwelling = notification("c", .dwelling(minutes: 5))
    #expect(machine.setFeed(feed([circle("a")], [dwelling]), at: 2000).shows.isEmpty, "five minutes have not passed")
    #expect(machine.advance(to: 301_000).shows.count == 1)
  }

  // MARK: History

  @Test func shownAndOpenedAreRemembered() throws {
    let first = Identifier("first")
    var machine = machine(
      [circle("a")],
      [
        notification("first"),
        notification("second", segmentation: .shown(first, within: 60_000), repeatRule: .always),
        notification("third", segmentation: .opened(first, within: nil), repeatRule: .always),
        notification("others", segmentation: .not(.shown(first, within: nil)), repeatRule: .always),
      ])
    var time: Milliseconds = 1000
    func visit() throws -> [String] {
      let output = try machine.fix(time, origin)
      _ = try machine.confirmAll(output)
      _ = try machine.fix(time + 1000, north(5000))
      return output.shows.map(\.campaign.text)
    }
    #expect(try visit() == ["first", "others"])
    let match = machine.state.history.sentNotifications.first { $0.campaign == first }?.matchIdentifier ?? ""
    time = 61_000
    #expect(try visit() == ["second"])
    time = 61_000 + 1001
    _ = try machine.open(match, at: time)
    time += 1000
    #expect(try visit() == ["third"])
    #expect(machine.state.history.campaignShown[first] == 1000 && machine.state.history.lastOpened == [first: 62_001])
  }
}
