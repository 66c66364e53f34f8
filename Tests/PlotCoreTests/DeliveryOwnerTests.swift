import PlotTesting
import Testing

@testable import PlotCore

/// The owner of what is on its way to a display: its changes are complete, and its invariants hold whatever comes.
@Suite struct DeliveryOwnerTests {
  static func item(_ number: Int, _ time: Milliseconds) -> Item {
    Item(
      LoadedItem(notification("c\(number)", at: [0]), circle("r", origin), Content(message: "\(time)", data: "")),
      matchIdentifier: "m\(number)", visit: nil)
  }

  /// Whether both are as a store keeps them.
  static func isSame(_ a: Delivery, _ b: Delivery) -> Bool {
    a.held == b.held && a.batches == b.batches && a.intents == b.intents && a.unreported == b.unreported
      && a.prefiltered == b.prefiltered
      && a.waiting == b.waiting && a.lastToken == b.lastToken && a.pending.map(\.item) == b.pending.map(\.item)
  }

  static func check(_ delivery: Delivery) {
    let keys = delivery.held.map { [$0.region, $0.campaign] }
    #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) } && Set(keys).count == keys.count)
    let tokens = delivery.batches.map(\.token)
    #expect(tokens == tokens.sorted() && Set(tokens).count == tokens.count && tokens.last ?? 0 <= delivery.lastToken)
    let firstNew = delivery.pending.firstIndex { !$0.isStored } ?? delivery.pending.endIndex
    #expect(delivery.pending[firstNew...].allSatisfy { !$0.isStored })
    #expect(delivery.pending.dropFirst().allSatisfy { $0.phase == .new || $0.phase == .voted })
    let due = delivery.batches.map(\.deadline) + delivery.held.compactMap(\.until) + delivery.waiting.map(\.until)
    #expect(delivery.nextDue() == due.min() ?? .max)
    // Where is it? The one answer, the list of all, and each list agree.
    var places: [ItemKey: Delivery.Place] = [:]
    delivery.forAll { places[$0.key] = $1 }
    for number in 0..<8 {
      let key = item(number, 0).key
      #expect(delivery.place { $0.key == key } == places[key])
      #expect(InFlight(delivery).find(key, notification("c\(number)", at: [0])) == places[key])
    }
  }

  /// A copy that gets the changes alone, as a store does, knows the same.
  @Test(arguments: UInt64(0)..<4) func changesAreComplete(_ seed: UInt64) throws {
    var generator = SplitMix64(seed)
    var (delivery, copy) = (Delivery(), Delivery())
    var seen: [String: Int] = [:]
    func see(_ what: String, _ isSeen: Bool = true) { if isSeen { seen[what, default: 0] += 1 } }
    for step in Int64(0)..<1500 {
      let number = Int.random(in: 0..<8, using: &generator)
      let item = Self.item(number, step)
      let isUnreported = delivery.unreported.contains { $0.key == item.key }
      let isNew = !isUnreported && delivery.place { $0.key == item.key } == nil
      let region = Identifier("r\(Int.random(in: 0..<3, using: &generator))")
      var changes: [DeliveryChange?] = []
      switch Int.random(in: 0..<15, using: &generator) {
      case 0:
        let until = generator.chance(0.3) ? nil : step + 10
        changes = [delivery.hold(Held(campaign: item.campaign, region: region, until: until))]
      case 1:
        let ended =
          generator.chance(0.3)
          ? delivery.takeHeld(at: region) : delivery.takeHeld { $0.until ?? .max <= step }
        changes = ended.map { .heldEnded(campaign: $0.campaign, region: $0.region) }
        see("held ended", !ended.isEmpty)
      case 2 where isNew:
        let batch = delivery.ask(
          [item], isGeotrigger: false, until: step + 30, isAtEnter: generator.chance(0.2))
        #expect(try delivery.batch(batch.token) == batch)
        changes = [.batch(batch)]
      case 3, 4:
        guard let batch = delivery.batches.randomElement(using: &generator) else { continue }
        changes = [delivery.close(batch)]
        #expect(throws: InputError.alreadyAnswered) { try delivery.batch(batch.token) }
        see("closed")
      case 5 where isNew, 6 where isNew: delivery.enqueue(item, generator.chance(0.2) ? .voted : .new)
      case 7, 8:
        guard let first = delivery.pending.first else { continue }
        delivery.setPhase([.voting, .voted, .removing, .cleared][Int.random(in: 0..<4, using: &generator)])
        guard generator.chance(0.7) else { break }
        changes = [delivery.endTurn()]
        #expect((changes[0] != nil) == first.isStored)
        see(first.isStored ? "stored turn" : "quick turn")
        if generator.chance(0.5) { changes.append(delivery.show(first.item)) }
      case 9:
        guard !delivery.intents.isEmpty else { continue }
        let position = Int.random(in: 0..<delivery.intents.count, using: &generator)
        var (taken, change) = delivery.takeIntent(at: position)
        #expect(delivery.place { $0.key == taken.key } == nil)
        changes = [change]
        see("answered")
        guard generator.chance(0.4) else { break }
        taken.sent = Item.Sent(date: step, answered: nil)
        changes.append(delivery.keepUnreported(taken))
        #expect(delivery.place { $0.key == taken.key } == nil)
      case 10 where isNew: changes = [delivery.wait(Waiting(item: item, until: step + 20, insideOnly: false))]
      case 11:
        let all = delivery.takeWaiting { _ in true }
        var staying: [Waiting] = []
        for var one in all {
          if one.until <= step {
            changes.append(.waitingEnded(matchIdentifier: one.item.matchIdentifier ?? ""))
            see("waited")
            continue
          }
          if generator.chance(0.3) {
            one.until += 5
            changes.append(.waiting(one))
          }
          staying.append(one)
        }
        delivery.putBack(staying)
      case 12:
        let answer = Prefiltered(campaign: item.campaign, region: region, item: generator.chance(0.5) ? item : nil)
        changes = [delivery.remember(answer)]
        #expect(delivery.prefiltered.find(item.campaign, region) == answer)
      case 13:
        guard let answer = delivery.prefiltered.all.randomElement(using: &generator) else { continue }
        changes = [delivery.end(answer)]
        #expect(delivery.prefiltered.find(answer.campaign, answer.region) == nil)
        see("forgotten")
      case 14:
        let match = "m\(number)"
        changes = [delivery.endUnreported(match)]
        #expect((changes[0] != nil) == isUnreported && !delivery.unreported.contains { $0.matchIdentifier == match })
        see("told", isUnreported)
      default: continue
      }
      if step % 3 == 0 || changes.contains(where: { if case .batchClosed = $0 { true } else { false } }) {
        changes += delivery.storeTurns()
        #expect(delivery.pending.allSatisfy { $0.isStored })
      }
      for case let change? in changes { copy.apply(change) }
      Self.check(delivery)
      if delivery.pending.allSatisfy(\.isStored) {
        #expect(Self.isSame(copy, delivery))
        see("compared")
      }
    }
    for (what, least) in [
      "held ended": 10, "closed": 10, "stored turn": 10, "quick turn": 1, "answered": 10, "told": 10, "waited": 5,
      "forgotten": 10,
      "compared": 500,
    ] {
      #expect(seen[what, default: 0] >= least, "\(what): \(seen)")
    }
  }

  @Test func aClockThatIsSetLeavesTheAppAsLong() {
    var delivery = Delivery()
    _ = delivery.ask([Self.item(0, 0)], isGeotrigger: false, until: 100, isAtEnter: false)
    _ = delivery.hold(Held(campaign: Identifier("c"), region: Identifier("r"), until: 300))
    delivery.moveDeadlines(by: 50, latest: 120)
    #expect(delivery.batches[0].deadline == 120 && delivery.nextDue() == 120)
    delivery.moveDeadlines(by: -500, latest: 120)
    #expect(delivery.batches[0].deadline == 0 && delivery.held[0].until == 300, "a time on the wall stays")
  }

  @Test func noTokenComesTwiceAfterClearing() {
    var delivery = Delivery()
    let first = delivery.ask([Self.item(0, 0)], isGeotrigger: false, until: 100, isAtEnter: false)
    var cleared = delivery.withoutThePerson
    #expect(cleared.batches.isEmpty)
    #expect(throws: InputError.alreadyAnswered) { try cleared.batch(first.token) }
    #expect(throws: InputError.unknownToken) { try cleared.batch(first.token + 1) }
    #expect(cleared.ask([], isGeotrigger: true, until: 1, isAtEnter: false).token == first.token + 1)
  }
}
