/// Looks for many coordinates in an index, in their order and in groups: faster than one after the other, for the memory that a group needs is
/// asked for while the one before it is looked at. Of an index with several levels, the first is looked at ahead.
@safe public struct SearchAhead {
  /// Coordinates in a group.
  public static let together = 16

  private let search: RegionIndex.Search
  private let total: Int
  private let levelCount: Int
  /// The group that is looked at next: where it begins, and its entries. Of the one behind it only the blocks are known.
  private var next = -1
  private var found: InlineArray<16, RegionIndex.Search.Found>
  private var pending: InlineArray<16, RegionIndex.Search.Pending>

  /// Of `total` coordinates, in an index that somebody else keeps.
  public init(_ search: RegionIndex.Search, _ total: Int) {
    self.search = search
    levelCount = search.levelCount
    self.total = levelCount > 0 ? total : 0
    let none = unsafe RegionIndex.Search.Pending(slot: search.base)
    pending = InlineArray(repeating: none)
    found = unsafe InlineArray(repeating: RegionIndex.Search.Found(line: search.base))
  }

  /// Looks for the coordinates from `position` on, up to `together` of them. Calls `body` with the number of each and the position of each
  /// region that contains it, once each. Fastest when `position` is where the group before has ended.
  @inline(__always)
  public mutating func look(
    from position: Int, _ coordinate: (Int) -> Coordinate, _ body: (_ number: Int, _ position: Int) -> Void
  ) {
    if position != next {
      begin(position, coordinate)
      ask(position)
      begin(position + Self.together, coordinate)
    }
    for number in size(position) {
      let coordinate = coordinate(position + number)
      search.look(unsafe found[unchecked: number], coordinate) { body(number, $0) }
      if levelCount > 1 { search.forEachContainingInOthers(coordinate) { body(number, $0) } }
    }
    next = position + Self.together
    ask(next)
    begin(next + Self.together, coordinate)
  }

  private func size(_ position: Int) -> Range<Int> { 0..<max(0, min(Self.together, total - position)) }

  /// Finds the blocks of a group, and asks for them.
  @inline(__always)
  private mutating func begin(_ position: Int, _ coordinate: (Int) -> Coordinate) {
    for number in size(position) {
      let entry = search.entry(coordinate(position + number))
      unsafe Prefetch.address(entry.slot)
      unsafe pending[unchecked: number] = entry
    }
  }

  /// Finds the entries of the group of which the blocks are known, and asks for them.
  @inline(__always)
  private mutating func ask(_ position: Int) {
    for number in size(position) {
      let entry = search.lines(unsafe pending[unchecked: number])
      unsafe Prefetch.address(entry.line)
      unsafe found[unchecked: number] = entry
    }
  }
}

extension RegionIndex.Search.Pending {
  /// Nothing yet; the address stands for any.
  fileprivate init(slot: UnsafeRawPointer) {
    unsafe self.init(
      slot: slot.assumingMemoryBound(to: IndexLayout.Slot.self), key: 0, cell: 0, y: 0, x: 0, shrink: 0)
  }
}

extension RegionIndex.Search.Found {
  fileprivate init(line: UnsafeRawPointer) {
    unsafe self.init(line: line, count: 0, place: RegionIndex.Search.Place(x: 0, y: 0, shrink: 0))
  }
}
