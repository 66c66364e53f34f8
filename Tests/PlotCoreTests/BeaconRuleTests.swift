import PlotTesting
import Testing

@testable import PlotCore

/// Limits of a silence and of a group.
@Suite struct BeaconRuleTests {
  static func group(
    _ members: [Region], enter: Group.Enter = .any, hold: Group.Hold = .any, initial: InitialPolicy? = nil
  ) -> Region {
    var region = Region(
      id: Identifier("g"), name: nil, shape: .group(Group(members: members.map(\.id), enter: enter, hold: hold)))
    region.values.initial = initial
    return region
  }

  static func events(_ phone: TestHost) -> [String] { phone.presence.filter { $0.contains(" region-") } }

  @Test func twoSightingsOfOneMomentAreOne() throws {
    var phone = BeaconTests.phone([beacon("b", minor: 7)])
    try phone.hear(10)
    try phone.hear(10)
    #expect(Self.events(phone) == [])
    try phone.hear(11)
    #expect(Self.events(phone) == ["11 region-enter b since 10 by beacon"])
  }

  /// The next wakeup after a start depends on the settings.
  @Test func theSilenceOfTheConfigurationCountsAfterAStart() throws {
    var phone = BeaconTests.phone([beacon("b", minor: 7)])
    try phone.hear(10)
    try phone.hear(12)
    var settings = phone.machine.settings
    settings.beacons.silenceInBackground = 300_000
    var again = Machine(state: phone.machine.state, feed: phone.machine.feed, settings: settings)
    let events = again.recover(at: 400_000).events
    #expect(events.map(\.kind) == [.regionExit] && events.map(\.time) == [315_000])
  }

  /// A group that a feed brings is met at once, as its `initial` says; not when one of its regions is left.
  @Test func aNewGroupIsMetAtOnce() throws {
    let (hall, till) = (circle("hall", radius: 100), beacon("till", minor: 7))
    for (initial, kind) in [(InitialPolicy?.none, "region-inside"), (.enter, "region-enter")] {
      var phone = BeaconTests.phone([hall, till])
      try phone.at(1, 500)
      try phone.at(2, 0)
      try phone.hear(10)
      try phone.hear(12)
      let regions = [hall, till, Self.group([hall, till], initial: initial)]
      try phone.play(
        phone.machine.setFeed(Feed(revision: nil, regions: regions, campaigns: [], digest: "2"), at: 20_000))
      #expect(Self.events(phone).last == "20 \(kind) g by group")
      try phone.at(30, 500)
      #expect(Self.events(phone).last == "30 region-exit hall")
    }
  }

  /// A campaign that does not ask for passages gets none, at a group either.
  @Test func passagesDoNotMoveGroups() throws {
    let hall = circle("hall", north(500), radius: 50)
    var passing = notification("p", .enter)
    passing.values.countsPassages = true
    var phone = BeaconTests.phone([hall, Self.group([hall])], [passing, notification("stop", .enter, at: [1])])
    try phone.at(0, 0)
    try phone.at(60, 1000)
    #expect(Self.events(phone).map { $0.split(separator: " ")[2] } == ["hall", "hall"])
  }

  /// `since` is that of the region that the group was left with, not of another that changed at the same moment.
  @Test func aGroupIsLeftWhenItsRegionWas() throws {
    var hall = circle("hall", radius: 100)
    hall.noise = .exact
    hall.noise?.confirmFixes = 2
    let other = circle("other", north(1000), radius: 100)
    var phone = BeaconTests.phone([hall, other, Self.group([hall])])
    try phone.at(0, 500)
    try phone.at(1, 0)
    try phone.at(2, 0)
    try phone.at(10, 500)
    try phone.at(20, 1000)
    #expect(
      Self.events(phone).suffix(3) == [
        "20 region-exit hall since 10", "20 region-enter other", "20 region-exit g since 10 by group",
      ])
  }
}
