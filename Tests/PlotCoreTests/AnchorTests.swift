import PlotTesting
import Testing

@testable import PlotCore

/// A cooldown that counts from something that is still to come ends its waiting, whatever happens to its campaign meanwhile.
@Suite struct AnchorTests {
  private static let minute: Milliseconds = 60_000
  private static let away = north(5000)

  private static func campaign(_ id: String, _ anchor: CooldownAnchor) -> Campaign {
    notification(id, repeatRule: .after(10 * minute)).with {
      $0.cooldownAnchor = anchor
      $0.coalescingGroup = Identifier("many")
    }
  }

  /// One of two that became one is shown with the other, and leaves the screen with it.
  @Test func theCooldownOfACoalescedOneBeginsWhenTheOtherLeaves() throws {
    var host = host([circle("a")], [Self.campaign("c", .removed), Self.campaign("d", .removed)]) {
      $0.coalescing = [Coalescing(group: Identifier("many"), atLeast: 2, message: Template("{{count}}")!)]
    }
    try host.go(origin, at: 0)
    try host.go(Self.away, at: Self.minute)
    host.time = 2 * Self.minute
    try host.dismiss("c")
    try host.go(origin, at: 5 * Self.minute)
    #expect(host.machine.state.screen.displayed.isEmpty)
    for id in ["c", "d"] {
      #expect(host.decisions.last { $0.campaign == Identifier(id) }?.nextPossible == 12 * Self.minute, "\(id)")
    }
    try host.go(Self.away, at: 11 * Self.minute)
    try host.go(origin, at: 12 * Self.minute)
    #expect(host.machine.state.screen.displayed.map(\.message) == ["2"])
  }

  /// The event from which the cooldown counts happens while the campaign is not in the feed.
  @Test(arguments: [CooldownAnchor.exit, .removed])
  func aCampaignThatWasGoneComesBack(_ anchor: CooldownAnchor) throws {
    let (with, without) = (
      Feed(revision: nil, regions: [circle("a")], campaigns: [Self.campaign("c", anchor)], digest: "with"),
      Feed(revision: nil, regions: [circle("a")], campaigns: [], digest: "without")
    )
    var host = host([circle("a")], [Self.campaign("c", anchor)])
    try host.go(origin, at: 0)
    try host.play(host.machine.setFeed(without, at: Self.minute))
    try host.go(Self.away, at: 2 * Self.minute)
    host.time = 2 * Self.minute
    try host.dismiss("c")
    try host.play(host.machine.setFeed(with, at: 3 * Self.minute))
    try host.go(origin, at: 5 * Self.minute)
    #expect(host.decisions.last?.reason == .campaignCooldown)
    #expect(host.decisions.last?.nextPossible == 12 * Self.minute)
  }

  /// The campaign's anchor is another one when what the old one waited for happens.
  @Test func anotherAnchorInBetween() throws {
    var host = host([circle("a")], [Self.campaign("c", .removed)])
    func feed(_ anchor: CooldownAnchor) -> Feed {
      Feed(revision: nil, regions: [circle("a")], campaigns: [Self.campaign("c", anchor)], digest: anchor.rawValue)
    }
    try host.go(origin, at: 0)
    try host.play(host.machine.setFeed(feed(.exit), at: Self.minute))
    host.time = 2 * Self.minute
    try host.dismiss("c")
    try host.play(host.machine.setFeed(feed(.removed), at: 3 * Self.minute))
    try host.go(Self.away, at: 4 * Self.minute)
    try host.go(origin, at: 5 * Self.minute)
    #expect(host.decisions.last?.reason == .campaignCooldown)
    #expect(host.decisions.last?.nextPossible == 10 * Self.minute, "as from its display")
  }
}
