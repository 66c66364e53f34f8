/// The results of a search about one fix, before its device comes to its turn.
public struct KnownPlaces {
  let search: RegionIndex.Search
  /// How many places contain the fix; of more than there is room for, nothing is known.
  private(set) var count = 0
  private(set) var places = InlineArray<6, Int32>(repeating: 0)

  public init(_ search: RegionIndex.Search) { self.search = search }

  public mutating func add(_ position: Int) {
    if count < places.count { places[count] = Int32(truncatingIfNeeded: position) }
    count += 1
  }
}
