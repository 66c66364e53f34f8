import PlotTesting
import Testing

@testable import PlotCore

/// A ring must tell the same as a list whose oldest are taken off.
@Suite struct SentListTests {
  private func item(_ match: Int, sent: Milliseconds) -> Item {
    var item = Item(
      LoadedItem(geotrigger("g", .enter, at: [0]), circle("a"), Content(message: "m", data: "")),
      matchIdentifier: "m\(match)", visit: "v")
    item.sent = Item.Sent(date: sent, answered: nil)
    return item
  }

  @Test(arguments: 0..<4) func itIsAListOfTheNewest(_ seed: Int) {
    var generator = SplitMix64(UInt64(seed))
    var list = SentList()
    var expected: [Item] = []
    var witnesses = Witnesses()
    for time in 0..<1000 {
      // Some come again, and stay where they are; others had left.
      let item = item(Int.random(in: max(0, time - 130)...time, using: &generator), sent: Milliseconds(time))
      var oldest: Item?
      if let position = expected.firstIndex(where: { $0.isOccurrence(of: item) }) {
        expected[position] = item
        witnesses.see("again")
      } else {
        expected.append(item)
        if expected.count > SentList.limit {
          oldest = expected.removeFirst()
          witnesses.see("pushed out")
        }
      }
      #expect(list.put(item) == oldest)
      #expect(Array(list) == expected && list.count == expected.count)
      #expect(list.last == expected.last && list.first == expected.first)
    }
    #expect(expected.count == 100)
    #expect(witnesses.below(["again": 290, "pushed out": 400]) == [])
  }
}
