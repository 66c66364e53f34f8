extension Batch {
  /// What the app keeps, in its order, with its edits. Throws `unknownItem`.
  public func chosen(_ kept: [Machine.Kept]) throws(InputError) -> [Item] {
    var chosen: [Item] = []
    chosen.reserveCapacity(kept.count)
    // Most often the app answers in the order in which it was asked.
    var places: [String: Int]?
    var next = 0
    func place(of match: String) -> Int? {
      if next < items.count, items[next].matchIdentifier == match { return next }
      if places == nil {
        places = Dictionary(
          items.indices.map { (items[$0].matchIdentifier ?? "", $0) }, uniquingKeysWith: { first, _ in first })
      }
      return places?[match]
    }
    var isChosen = [Bool](repeating: false, count: items.count)
    for entry in kept {
      guard let place = place(of: entry.matchIdentifier), !isChosen[place] else {
        throw .unknownItem(entry.matchIdentifier)
      }
      isChosen[place] = true
      next = place + 1
      var item = items[place]
      if !isGeotrigger { item.content = entry.content.keepingUserInfo(of: item.content) }
      chosen.append(item)
    }
    return chosen
  }
}
