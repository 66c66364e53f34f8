/// What was sent, oldest first, at most so many (seed 001, 2.7). A ring, so that none moves when the oldest goes. Beside it lies a byte of each
/// match identifier's hash: so an item is found with a look at hardly any other, which lie all over the memory.
public struct SentList: Sendable, RandomAccessCollection, CustomStringConvertible {
  public static let limit = 100

  private var items: [Item] = []
  /// Where the oldest lies.
  private var first = 0
  /// Of the items at the same places, by 16.
  private var marks = InlineArray<7, SIMD16<UInt8>>(repeating: SIMD16())

  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { items.count }

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
      marks[items.count / 16][items.count % 16] = Self.mark(item)
      items.append(item)
      return nil
    }
    let oldest = items[first]
    marks[first / 16][first % 16] = Self.mark(item)
    items[first] = item
    first = first + 1 < items.count ? first + 1 : 0
    return oldest
  }

  private static func mark(_ item: Item) -> UInt8 { UInt8(truncatingIfNeeded: item.matchHash) }

  /// Where an item of the same match identifier lies.
  private func place(of item: Item) -> Int? {
    let mark = SIMD16(repeating: Self.mark(item))
    for start in stride(from: 0, to: items.count, by: 16) where any(marks[start / 16] .== mark) {
      for place in start..<Swift.min(start + 16, items.count)
      where marks[start / 16][place - start] == mark[0] && items[place].isOccurrence(of: item) { return place }
    }
    return nil
  }
}
