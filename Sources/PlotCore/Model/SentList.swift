/// What was sent, oldest first, at most so many (seed 001, 2.7). A ring, so that none moves when the oldest goes; and one item is found by the
/// hash of its match identifier, without a look at the others, which lie all over the memory.
public struct SentList: Sendable, RandomAccessCollection, CustomStringConvertible {
  public static let limit = 100

  private var items: [Item] = []
  /// Of the items at the same places.
  private var hashes: [UInt64] = []
  /// Where the oldest lies.
  private var first = 0

  public init() {}

  public var startIndex: Int { 0 }
  public var endIndex: Int { items.count }

  public var description: String { "\(Array(self))" }

  public subscript(position: Int) -> Item { items[place(position)] }

  private func place(_ position: Int) -> Int {
    let place = first + position
    return place < items.count ? place : place - items.count
  }

  /// Puts an item in the place of its occurrence, or behind all. The oldest leaves a full list, and is returned.
  @discardableResult
  public mutating func put(_ item: Item) -> Item? {
    if let place = place(of: item) {
      items[place] = item
      return nil
    }
    guard items.count == Self.limit else {
      items.append(item)
      hashes.append(item.matchHash)
      return nil
    }
    let oldest = items[first]
    items[first] = item
    hashes[first] = item.matchHash
    first = first + 1 < items.count ? first + 1 : 0
    return oldest
  }

  /// Where an item of the same match identifier lies; most often it is the newest, if it is there at all.
  private func place(of item: Item) -> Int? {
    let newest = first == 0 ? items.count - 1 : first - 1
    if newest >= 0, items[newest].isOccurrence(of: item) { return newest }
    return hashes.indices.first { hashes[$0] == item.matchHash && items[$0].isOccurrence(of: item) }
  }
}
