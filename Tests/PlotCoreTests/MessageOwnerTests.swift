import PlotTesting
import Testing

@testable import PlotCore

/// The owner of what is known about messages: its changes are complete, and its invariants hold whatever comes.
@Suite struct MessageOwnerTests {
  static let memory: Milliseconds = 300

  static func item(_ match: String, _ key: String) -> Item {
    var item = Item(Item.Incoming(id: match), Content(message: "", data: ""), matchIdentifier: match)
    item.values.correlationKey = key
    return item
  }

  static func isSame(_ a: MessageState, _ b: MessageState) -> Bool {
    a.lists == b.lists && a.correlations == b.correlations && a.seen == b.seen && a.deferred == b.deferred
  }

  /// A copy that gets the changes alone, as a store does, knows the same; what is no change is not told.
  @Test(arguments: UInt64(0)..<4) func changesAreComplete(_ seed: UInt64) {
    var generator = SplitMix64(seed)
    var (state, copy) = (MessageState(), MessageState())
    var (seen, unseen, forgotten, waits, taken, lists, older, removed, silent) = (0, 0, 0, 0, 0, 0, 0, 0, 0)
    for time in Int64(1)...2000 {
      let match = "m\(Int.random(in: 0..<40, using: &generator))"
      let key = Identifier("k\(Int.random(in: 0..<10, using: &generator))")
      let name = Identifier("l\(Int.random(in: 0..<3, using: &generator))")
      let before = state
      var changes: [MessageChange] = []
      switch Int.random(in: 0..<9, using: &generator) {
      case 0, 1:
        changes = [
          state.see(match, at: time),
          state.correlate(
            key, Correlation(revision: nil, matchIdentifier: match, isRetracted: generator.chance(0.3), time: time)),
        ]
        seen += 1
        #expect(state.firstSeen(match, now: time, memory: Self.memory) == time)
        #expect(state.newest(key, now: time + Self.memory, memory: Self.memory) == nil)
        let other = state.outdated(Self.item("other", key.text), now: time, memory: Self.memory)
        #expect(other == (state.correlations[key]?.isRetracted == true ? .retracted : .stale))
        #expect(state.outdated(Self.item(match, key.text), now: time, memory: Self.memory) == nil)
      case 2:
        changes = state.unsee(match).map { [$0] } ?? []
        if !changes.isEmpty { unseen += 1 }
        #expect(state.seen[match] == nil)
      case 3:
        changes = state.forget(upTo: time - Self.memory).map { [$0] } ?? []
        if !changes.isEmpty { forgotten += 1 }
        #expect(state.seen.values.allSatisfy { $0 > time - Self.memory })
      case 4, 5:
        guard !state.deferred.contains(where: { $0.item.matchIdentifier == match }) else { continue }
        changes = [state.wait(DeferredMessage(item: Self.item(match, key.text), until: time + 50, isTimeOfDay: false))]
        waits += 1
      case 6:
        let due = state.takeDeferred { $0.until <= time }
        changes = due.map { .deferredEnded(matchIdentifier: $0.item.matchIdentifier ?? "") }
        taken += due.count
        #expect(state.nextDue > time)
      case 7:
        let list = MessageList(
          version: time / 4 - Int64.random(in: 0..<4, using: &generator), entries: [key], refreshed: time)
        switch state.take(name, list) {
        case .taken(let change):
          changes = change.map { [$0] } ?? []
          lists += 1
          #expect(state.lists[name] == list)
        case .older(let inForce):
          older += 1
          #expect(inForce > list.version && state.lists[name]?.version == inForce)
        }
      default:
        changes = state.removeList(name).map { [$0] } ?? []
        if changes.isEmpty { silent += 1 } else { removed += 1 }
        #expect(state.lists[name] == nil)
      }
      for change in changes { copy.apply(change) }
      #expect(Self.isSame(copy, state))
      #expect(!changes.isEmpty || Self.isSame(state, before))
      let matches = state.deferred.map(\.item.matchIdentifier)
      #expect(Set(matches).count == matches.count)
    }
    #expect(
      seen > 300 && unseen > 30 && forgotten > 15 && waits > 80 && taken > 60,
      "\(seen) \(unseen) \(forgotten) \(waits) \(taken)")
    #expect(lists > 100 && older > 5 && removed > 50 && silent > 50, "\(lists) \(older) \(removed) \(silent)")
  }

  @Test func aClockThatIsSetMovesWhatIsRemembered() {
    var state = MessageState()
    _ = state.see("m", at: 100)
    let newest = Correlation(revision: 1, matchIdentifier: "m", isRetracted: false, time: 100)
    _ = state.correlate(Identifier("k"), newest)
    _ = state.wait(DeferredMessage(item: Self.item("d", "k"), until: 500, isTimeOfDay: true))
    let changes = state.moveTimes({ $0 - 50 }, until: { _ in 700 })
    #expect(state.seen["m"] == 50 && state.correlations[Identifier("k")]?.time == 50 && state.nextDue == 700)
    #expect(changes.count == 1, "a store moves the other times by itself")
  }
}
