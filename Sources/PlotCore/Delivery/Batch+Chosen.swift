extension Batch {
  /// The items that the app keeps, in its order, with its edits. Throws `unknownItem`.
  public func chosen(_ kept: [Kept]) throws(InputError) -> [Item] {
    var chosen: [Item] = []
    chosen.reserveCapacity(kept.count)
    var places: [String: Int] = [:]
    // Empty while those chosen are the first ones, in the order in which the app was asked: most often they all are.
    var isChosen: [Bool] = []
    for entry in kept {
      var place = chosen.count
      if !isChosen.isEmpty || place >= items.count || items[place].matchIdentifier != entry.matchIdentifier {
        if isChosen.isEmpty {
          isChosen = items.indices.map { $0 < chosen.count }
          places = Dictionary(
            items.indices.map { (items[$0].matchIdentifier, $0) }, uniquingKeysWith: { first, _ in first })
        }
        guard let found = places[entry.matchIdentifier], !isChosen[found] else {
          throw .unknownItem(entry.matchIdentifier)
        }
        place = found
        isChosen[place] = true
      }
      var item = items[place]
      if !isGeotrigger { item.values.loaded.content = entry.content.keepingUserInfo(of: item.content) }
      chosen.append(item)
    }
    return chosen
  }
}
