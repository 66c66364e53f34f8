import PlotTesting
import Testing

@testable import PlotCore

/// A table of numbers by names knows what a dictionary knows, in the order in which the names came.
@Suite struct NumberTableTests {
  @Test(arguments: UInt64(0)..<4) func knowsWhatADictionaryKnows(_ seed: UInt64) {
    var generator = SplitMix64(seed)
    var (table, model, names) = (NumberTable<ItemKey>(), [ItemKey: Int64](), [ItemKey]())
    for round in 0..<3000 {
      let number = Int.random(in: 0..<(round + 2), using: &generator)
      let key = ItemKey(
        campaign: Identifier(String(repeating: "c", count: number % 19)), region: Identifier("region \(number / 19)"))
      #expect(table[key] == model[key])
      if model[key] == nil { names.append(key) }
      switch round % 3 {
      case 0:
        table.set(key, Int64(round))
        model[key] = Int64(round)
      case 1:
        let value = table.change(key) { ($0 ?? 7) + 1 }
        model[key] = (model[key] ?? 7) + 1
        #expect(value == model[key])
      default:
        let copy = table
        table.set(key, -1)
        #expect(copy[key] == model[key], "a copy stays as it was")
        model[key] = -1
      }
    }
    #expect(table.count == model.count && table.keys == names && table.values == names.map { model[$0] })
    #expect(names.allSatisfy { table[$0] == model[$0] })
    #expect(table == NumberTable(model.map { ($0, $1) }), "in another order, too")
    table.changeAll { $0 * 2 }
    #expect(names.allSatisfy { table[$0] == model[$0]! * 2 })
    #expect(table[ItemKey(campaign: Identifier("none"), region: Identifier(""))] == nil)
  }

  @Test func tablesDiffer() {
    let (a, b) = (Identifier("a"), Identifier("b"))
    #expect(([a: 1, b: 2] as NumberTable) == [b: 2, a: 1])
    #expect(([a: 1] as NumberTable) != [a: 2] && ([a: 1] as NumberTable) != [b: 1] && ([a: 1] as NumberTable) != [:])
  }

  /// A text may lie in its reference or elsewhere; the same bytes are the same name.
  @Test(arguments: ["", "a", "seven77", "eight888", "fifteen15151515", "sixteen161616161", "größer", "日本語の名前"])
  func whereverTheTextLies(_ text: String) {
    var other = ""
    other.reserveCapacity(200)
    other += text
    #expect(Identifier(text) == Identifier(other) && Identifier(text).keyedHash == Identifier(other).keyedHash)
    var table: NumberTable = [Identifier(text): 1]
    table.set(Identifier(other), 2)
    #expect(table.count == 1 && table[Identifier(text)] == 2)
  }

  /// Where one text ends and the next begins is part of the key.
  @Test func keysAreNotRunTogether() {
    let keys = [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc")]
      .map { ItemKey(campaign: Identifier($0), region: Identifier($1)) }
    #expect(Set(keys.map(\.keyedHash)).count == keys.count)
  }
}
