/// A hash table of numbers by key, in the order of insertion. Entries are never removed.
///
/// It replaces `Dictionary` where every crossing looks: `Dictionary` hashes in memory, hashes all keys again when it grows, and stores keys apart
/// from values. Entries lie in one array here, so the address of the next one is known and can be prefetched.
public struct NumberTable<Key: NumberTableKey>: Sendable, RandomAccessCollection {
  private(set) var entries: [(key: Key, value: Int64)] = []
  /// The number of entries. Stored, so that `prefetch` does not have to wait for the array.
  public private(set) var count = 0
  /// A power of two of slots, at most three quarters of them in use: the upper half of the hash, and the position plus one; 0 if free.
  private(set) var slots: [UInt64] = []

  public init() {}

  /// For so many keys it does not grow.
  init(minimumCapacity: Int) {
    entries.reserveCapacity(minimumCapacity)
    var size = 8
    while size / 4 * 3 < minimumCapacity { size *= 2 }
    slots = Array(repeating: 0, count: size)
  }

  public init(_ numbers: some Sequence<(key: Key, value: Int64)>) {
    for (key, value) in numbers { set(key, value) }
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { count }

  public subscript(position: Int) -> (key: Key, value: Int64) { entries[position] }

  public var keys: [Key] { entries.map(\.key) }
  public var values: [Int64] { entries.map(\.value) }

  public subscript(key: Key) -> Int64? { count == 0 ? nil : find(key, key.keyedHash).map { entries[$0].value } }

  public mutating func set(_ key: Key, _ value: Int64) { change(key) { _ in value } }

  /// Replaces a number by the result of `body`, which gets nil if there is none yet. Returns the new number.
  @inline(__always) @discardableResult
  mutating func change(_ key: Key, _ body: (Int64?) -> Int64) -> Int64 {
    let hash = key.keyedHash
    if let position = find(key, hash) {
      entries[position].value = body(entries[position].value)
      return entries[position].value
    }
    let value = body(nil)
    add(key, hash, value)
    return value
  }

  /// Replaces each number by the result of `body`.
  mutating func changeAll(_ body: (Int64) -> Int64) {
    for position in entries.indices { entries[position].value = body(entries[position].value) }
  }

  private func find(_ key: Key, _ hash: UInt64) -> Int? {
    guard !slots.isEmpty else { return nil }
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: hash &>> 32) & mask
    while slots[slot] != 0 {
      if (slots[slot] ^ hash) &>> 32 == 0 {
        let position = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) &- 1
        if entries[position].key == key { return position }
      }
      slot = (slot &+ 1) & mask
    }
    return nil
  }

  private mutating func add(_ key: Key, _ hash: UInt64, _ value: Int64) {
    if count >= slots.count / 4 * 3 { grow() }
    entries.append((key, value))
    count = entries.count
    put((hash &>> 32) &<< 32 | UInt64(truncatingIfNeeded: count))
  }

  /// Puts an entry into the first free slot from the one that its hash selects.
  private mutating func put(_ entry: UInt64) {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: entry &>> 32) & mask
    while slots[slot] != 0 { slot = (slot &+ 1) & mask }
    slots[slot] = entry
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: Swift.max(8, old.count * 2))
    for entry in old where entry != 0 { put(entry) }
  }
}

// In generic code the compiler counts a reference of the array, which waits for the very memory that is to be prefetched.
extension NumberTable where Key == Identifier {
  /// Prefetches the slots and the place of the next entry.
  @inline(__always)
  func prefetch() {
    Prefetch.target(of: slots, at: 0, 256)
    Prefetch.targets(of: entries, and: 32 &+ count &* MemoryLayout<(key: Identifier, value: Int64)>.stride)
  }
}

extension NumberTable: CustomStringConvertible {
  /// Sorted: equal tables have equal descriptions.
  public var description: String { "\(entries.map { "\($0.key): \($0.value)" }.sorted())" }
}

extension NumberTable: Equatable {
  public static func == (a: NumberTable, b: NumberTable) -> Bool {
    a.count == b.count && a.entries.allSatisfy { b[$0.key] == $0.value }
  }
}

extension NumberTable: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (Key, Int64)...) {
    for (key, value) in elements { set(key, value) }
  }
}
