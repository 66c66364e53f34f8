/// The sent items, oldest first, at most so many. A ring, so that none moves when the oldest goes. Beside it lies a byte of each
/// match identifier's hash: so an item is found with a look at hardly any other, which lie all over the memory.
public struct SentList: Sendable, RandomAccessCollection, CustomStringConvertible {
  public static let limit = 100

  private var items: [Item] = []
  /// The place of the next item: behind all others, or in a full list that of the oldest.
  private var next = 0
  /// Of the items at the same places, by 16.
  private var marks = InlineArray<7, SIMD16<UInt8>>(repeating: SIMD16())

  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { items.count }

  /// Where the oldest lies.
  private var first: Int { next < items.count ? next : 0 }

  public var description: String { "\(Array(self))" }

  public subscript(position: Int) -> Item {
    let place = first + position
    return items[place < items.count ? place : place - items.count]
  }

  /// Puts an item in the place of its occurrence, or behind all. The oldest leaves a full list, and is returned.
  @discardableResult
  public mutating func put(_ item: Item) -> Item? {
    if let place = place(of: item) {
      items[place] = item
      return nil
    }
    guard items.count == Self.limit else {
      marks[next / 16][next % 16] = Self.mark(item)
      items.append(item)
      next = items.count < Self.limit ? items.count : 0
      return nil
    }
    let oldest = items[next]
    marks[next / 16][next % 16] = Self.mark(item)
    items[next] = item
    next = next + 1 < items.count ? next + 1 : 0
    return oldest
  }

  /// Asks for what the next item to be put looks at.
  @inline(__always)
  func prefetch() {
    Prefetch.targets(of: items, and: 32 &+ next &* MemoryLayout<Item>.stride)
  }

  private static func mark(_ item: Item) -> UInt8 { UInt8(truncatingIfNeeded: item.matchHash) }

  /// Where an item of the same match identifier lies; it may well be the newest.
  private func place(of item: Item) -> Int? {
    guard !items.isEmpty else { return nil }
    // Where they lie: a look at one of the array's elements would copy them all.
    let marks = marks.span
    let mark = Self.mark(item)
    let newest = (first == 0 ? items.count : first) - 1
    if marks[newest / 16][newest % 16] == mark, items[newest].isOccurrence(of: item) { return newest }
    let wanted = SIMD16(repeating: mark)
    for group in 0...(items.count - 1) / 16 where any(marks[group] .== wanted) {
      let places = group * 16..<Swift.min(group * 16 + 16, items.count)
      if let place = places.first(where: { marks[group][$0 % 16] == mark && items[$0].isOccurrence(of: item) }) {
        return place
      }
    }
    return nil
  }
}
