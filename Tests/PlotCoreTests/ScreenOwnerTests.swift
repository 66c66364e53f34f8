import PlotTesting
import Testing

@testable import PlotCore

/// The owner of what is on the screen: its changes are complete, and its invariants hold whatever comes.
@Suite struct ScreenOwnerTests {
  static func item(_ match: String, _ number: Int64) -> Item {
    var item = Item(
      LoadedItem(notification("c", at: [0]), circle("r", origin), Content(message: "\(number)", data: "")),
      matchIdentifier: match, visit: nil)
    item.sent = Item.Sent(date: number, answered: nil)
    return item
  }

  /// Whether both are as a store keeps them.
  static func isSame(_ a: Screen, _ b: Screen) -> Bool {
    a.displayed == b.displayed && a.lastItem == b.lastItem && a.lastRemoved == b.lastRemoved
  }

  static func check(_ screen: Screen) {
    let matches = screen.displayed.map(\.matchIdentifier)
    #expect(Set(matches).count == matches.count && matches.count <= Screen.limit)
    let underWay = screen.removals.filter { !$0.isOver }.map(\.item.matchIdentifier)
    #expect(Set(underWay).count == underWay.count)
  }

  /// A copy that gets the changes alone, as a store does, knows the same; what is no change is not told.
  @Test(arguments: UInt64(0)..<4) func changesAreComplete(_ seed: UInt64) {
    var generator = SplitMix64(seed)
    var (screen, copy) = (Screen(), Screen())
    var (shown, ended, silent, pushedOut, begun, refused, made) = (0, 0, 0, 0, 0, 0, 0)
    for time in Int64(1)...3000 {
      let match = "m\(Int.random(in: 0..<(time < 700 ? 12 : 4000), using: &generator))"
      let before = screen
      var changes: [ScreenChange] = []
      switch Int.random(in: 0..<(time < 700 ? 6 : 10), using: &generator) {
      case 0:
        changes = screen.end(match, at: time)
        if changes.isEmpty { silent += 1 } else { ended += 1 }
        #expect(screen.item(match) == nil && (changes.isEmpty || screen.lastRemoved == time))
      case 1:
        let item = Self.item(match, time)
        let isNew = screen.removal(of: match) == nil
        let hasBegun = screen.beginRemoval(
          item, [Removal.Cause.exit, .slot, .replaced, .retracted][Int.random(in: 0..<4, using: &generator)])
        #expect(hasBegun == isNew && screen.removal(of: match) != nil && screen.isLeaving(item))
        if hasBegun { begun += 1 } else { refused += 1 }
      case 2:
        for removal in screen.removals where generator.chance(0.7) {
          screen.endRemoval(removal.item, isGone: generator.chance(0.5))
          #expect(screen.removal(of: removal.item.matchIdentifier) == nil)
        }
        if screen.removals.contains(where: \.cause.makesPlace), screen.takePlaceMade() {
          made += 1
          #expect(!screen.removals.contains { $0.cause.makesPlace })
        }
      default:
        changes = screen.show(Self.item(match, time))
        shown += 1
        if changes.count == 3 { pushedOut += 1 }
        #expect(screen.displayed.last?.matchIdentifier == match && screen.lastItem?.sent?.date == time)
      }
      for change in changes { copy.apply(change) }
      #expect(Self.isSame(copy, screen))
      #expect(!changes.isEmpty || Self.isSame(screen, before))
      Self.check(screen)
    }
    #expect(shown > 700 && ended > 60 && silent > 20 && pushedOut > 100, "\(shown) \(ended) \(silent) \(pushedOut)")
    #expect(begun > 60 && refused > 5 && made > 20, "\(begun) \(refused) \(made)")
  }

  @Test func aClockThatIsSetMovesTheLastRemoval() {
    var screen = Screen()
    screen.moveTimes { $0 - 50 }
    #expect(screen.lastRemoved == nil)
    _ = screen.show(Self.item("m", 10))
    _ = screen.end("m", at: 100)
    screen.moveTimes { $0 - 50 }
    #expect(screen.lastRemoved == 50 && screen.lastItem?.sent?.date == 10, "what the host was told keeps its date")
  }

  @Test func anotherProcessKnowsNothingOfRemovals() {
    var machine = machine([circle("r", origin)], [notification("c", at: [0])])
    let begun = machine.state.screen.beginRemoval(Self.item("m", 1), .exit)
    #expect(begun)
    #expect(Machine(state: machine.state, feed: machine.feed).state.screen.removals.isEmpty)
  }
}
