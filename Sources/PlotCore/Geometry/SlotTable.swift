/// The blocks of a level, each with a number, in the order in which they came.
struct BlockTable {
  private(set) var keys: [UInt64] = []
  /// A dictionary of Swift's, with a key of the process: whoever makes a feed chooses its places, and so the blocks.
  private var numbers: [UInt64: Int] = [:]
  /// The cells of a region mostly lie in the block of the cell before.
  private var last = (key: UInt64.max, number: 0)

  mutating func number(_ key: UInt64) -> Int {
    if key == last.key { return last.number }
    let number = numbers[key] ?? keys.count
    if number == keys.count {
      numbers[key] = number
      keys.append(key)
    }
    last = (key, number)
    return number
  }
}

/// A slot for each of some keys, where one look finds it: the keys of a sort are hashed with a seed that takes all of them to slots that are
/// free. Sorts of many keys come first, while much is free.
///
/// The same keys give the same table, so the hash has no secret, and keys can be made that meet in one sort. Then the next hash is taken, which
/// mixes them anew; the table grows only when several have failed. Keys that meet by all of them cannot be found among those that there are.
struct SlotTable {
  private(set) var count: Int
  private(set) var seeds: [UInt8] = []
  /// Of each key.
  private(set) var numbers: [Int]
  /// The seed of the hash of all keys.
  private(set) var hashSeed: UInt64 = 0
  /// How often the keys were tried to be placed.
  private(set) var tries = 1

  /// Hashes that are tried before the table grows.
  private static let hashesEach = 8

  init(_ keys: [UInt64]) {
    count = keys.count + keys.count / 8 + 1
    numbers = [Int](repeating: 0, count: keys.count)
    var sortCount = 1
    while sortCount * 4 < keys.count { sortCount *= 2 }
    while !place(keys.map { IndexLayout.hash($0, hashSeed) }, sortCount) {
      hashSeed = IndexLayout.hash(UInt64(tries), 0)
      if tries.isMultiple(of: Self.hashesEach) { count += count / 8 + 1 }
      tries += 1
    }
  }

  private mutating func place(_ hashes: [UInt64], _ sortCount: Int) -> Bool {
    seeds = [UInt8](repeating: 0, count: sortCount)
    var sorts = [[Int]](repeating: [], count: sortCount)
    for (number, hash) in hashes.enumerated() { sorts[Int(hash & UInt64(sortCount - 1))].append(number) }
    var isTaken = [Bool](repeating: false, count: count)
    for sort in sorts.indices.sorted(by: { (sorts[$1].count, $0) < (sorts[$0].count, $1) }) {
      let seed = (0...UInt8.max).first { seed in
        for (place, number) in sorts[sort].enumerated() {
          numbers[number] = IndexLayout.slot(hashes[number], seed, UInt64(count))
          guard !isTaken[numbers[number]] else {
            for earlier in sorts[sort].prefix(place) { isTaken[numbers[earlier]] = false }
            return false
          }
          isTaken[numbers[number]] = true
        }
        return true
      }
      guard let seed else { return false }
      seeds[sort] = seed
    }
    return true
  }
}
