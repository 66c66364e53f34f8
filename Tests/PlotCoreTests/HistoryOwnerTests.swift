import PlotTesting
import Testing

@testable import PlotCore

/// The owner of what was shown and done: its changes are complete, and its invariants hold whatever comes.
@Suite struct HistoryOwnerTests {
  /// Whether both are as a store keeps them.
  static func isSame(_ a: History, _ b: History) -> Bool {
    a.lastShown == b.lastShown && a.campaignShown == b.campaignShown && a.lastNotification == b.lastNotification
      && a.lastOpened == b.lastOpened && a.anchors == b.anchors && a.chains == b.chains && a.displays == b.displays
      && a.sentGeotriggers.elementsEqual(b.sentGeotriggers) && a.sentNotifications.elementsEqual(b.sentNotifications)
  }

  static func check(_ history: History) {
    var newest: [Identifier: Milliseconds] = [:]
    for (key, time) in history.lastShown { newest[key.campaign] = max(newest[key.campaign] ?? 0, time) }
    #expect(history.campaignShown == NumberTable(newest.map { ($0, $1) }))
    #expect(history.displays.map(\.time) == history.displays.map(\.time).sorted())
    #expect(history.displays.count <= Display.limit)
    for list in [history.sentGeotriggers, history.sentNotifications] {
      #expect(Set(list.map(\.matchIdentifier)).count == list.count && list.count <= SentList.limit)
    }
    #expect(history.chains.values.allSatisfy { starts in starts.contains { $0 != nil } })
    #expect((history.lastNotification ?? 0) <= newest.values.max() ?? 0)
  }

  /// A copy that gets the changes alone, as a store does, knows the same; also after a clock that was set, which a store follows by itself but for
  /// the walks.
  @Test(arguments: UInt64(0)..<4) func changesAreComplete(_ seed: UInt64) {
    var generator = SplitMix64(seed)
    var (history, copy, now) = (History(), History(), Int64(1))
    var seen: [String: Int] = [:]
    for _ in 0..<1200 {
      now += .random(in: 0...5, using: &generator)
      let number = Int.random(in: 0..<6, using: &generator)
      let campaign = Identifier("c\(number)")
      let key = ItemKey(campaign: campaign, region: Identifier("r\(Int.random(in: 0..<4, using: &generator))"))
      var changes: [HistoryChange?] = []
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: changes = [history.show(key, at: now, beginsCooldown: generator.chance(0.5))]
      case 1: changes = [history.open(campaign, at: now)]
      case 2: changes = [history.setAnchor(key, generator.chance(0.3) ? .max : now)]
      case 3, 4:
        let isGeotrigger = generator.chance(0.7)
        let match = "m\(Int.random(in: 0..<400, using: &generator))"
        var item = Item(
          LoadedItem(
            isGeotrigger ? geotrigger("g", at: [0]) : notification("c", at: [0]), circle("r", origin),
            Content(message: "", data: "")),
          matchIdentifier: match, visit: nil)
        item.sent = Item.Sent(date: now, answered: nil)
        let (kept, left) = history.list(item)
        changes = [kept, left]
        if left != nil { seen["left", default: 0] += 1 }
        #expect(isGeotrigger || history.sentNotification(match) == item)
      case 5:
        let age = generator.chance(0.02) ? Display.memory : 0
        now += age
        let (counted, forgotten) = history.count(
          Display(time: now, campaign: campaign, region: key.region, visit: nil, tags: []))
        changes = [counted, forgotten]
        if forgotten != nil { seen["forgotten", default: 0] += 1 }
      case 6: changes = [history.setChain(campaign, generator.chance(0.3) ? [nil, nil] : [now, nil])]
      default:
        if generator.chance(0.1) {
          let (wall, move) = (now, Int64.random(in: -50...50, using: &generator))
          func moved(_ time: Milliseconds) -> Milliseconds { max(0, min(time + move, wall)) }
          changes = history.moveTimes(moved)
          let chains = copy.moveTimes(moved)
          #expect(chains.count == changes.count && changes.count == history.chains.count)
          seen["moved", default: 0] += 1
        } else if generator.chance(0.05) {
          let isGeotrigger = generator.chance(0.5)
          let wasEmpty = (isGeotrigger ? history.sentGeotriggers : history.sentNotifications).isEmpty
          changes = [history.clearSent(isGeotrigger: isGeotrigger)]
          #expect((changes[0] == nil) == wasEmpty)
          seen["cleared", default: 0] += 1
        }
      }
      for case let change? in changes { copy.apply(change) }
      #expect(Self.isSame(copy, history))
      Self.check(history)
    }
    #expect(seen["left", default: 0] > 3 && seen["moved", default: 0] > 3, "\(seen)")
    #expect(seen["forgotten", default: 0] > 0 && seen["cleared", default: 0] > 0, "\(seen)")
  }

  @Test func moreDisplaysThanAreRememberedForgetTheOldest() {
    var history = History()
    for time in 0..<Int64(Display.limit + 3) {
      let (_, forgotten) = history.count(
        Display(time: time, campaign: Identifier("c"), region: Identifier("r"), visit: nil, tags: []))
      #expect((forgotten != nil) == (time >= Display.limit))
    }
    #expect(history.displays.count == Display.limit && history.displays.first?.time == 3)
  }
}
