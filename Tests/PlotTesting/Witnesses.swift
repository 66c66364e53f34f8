/// Counts what happened in a random test, by name, so that the test can expect that it happened often enough.
///
/// A loop that compares two sides is passed by two sides that do nothing. Each such test therefore counts the cases that
/// it is about, and expects about 80 % of what its seeds give. A lower count means that the test, or what it tests,
/// has become weaker:
///
///     #expect(witnesses.below(["enters": 9000, "exits": 8000]) == [])
package struct Witnesses {
  private var counts: [String: Int] = [:]

  package init() {}

  package mutating func see(_ name: String, _ count: Int = 1) { counts[name, default: 0] += count }

  package subscript(_ name: String) -> Int { counts[name, default: 0] }

  /// The names that were counted less often than this, each with its count.
  package func below(_ least: KeyValuePairs<String, Int>) -> [String] {
    least.filter { self[$0.key] < $0.value }.map { "\($0.key): \(self[$0.key]) of at least \($0.value)" }
  }
}
