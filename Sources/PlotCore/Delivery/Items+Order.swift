extension Feed {
  /// Items of one instant: by priority, then, where the feed says so, the smallest region first; else as they came.
  func inOrder(_ items: [Item]) -> [Item] {
    guard items.count > 1 else { return items }
    let isSpecificFirst = settings.specificFirst
    return items.enumerated().sorted { a, b in
      if a.element.priority != b.element.priority { return a.element.priority > b.element.priority }
      if isSpecificFirst, a.element.matchRange != b.element.matchRange {
        return a.element.matchRange < b.element.matchRange
      }
      return a.offset < b.offset
    }.map(\.element)
  }

  /// Those of one coalescing group become one, in the place of the first; and those that are gone, each with the campaign of the first.
  func coalesced(_ items: [Item]) -> (items: [Item], gone: [(item: Item, first: Identifier)]) {
    var result = items
    var gone: [(item: Item, first: Identifier)] = []
    for rule in settings.coalescing {
      let members = result.filter { campaign($0.campaign)?.coalescingGroup == rule.group && $0.coalesced.isEmpty }
      guard Int64(members.count) >= rule.atLeast, let first = members.first, let region = region(first.region),
        let message = try? rule.message.filled(for: regions[region], count: members.count),
        let place = result.firstIndex(where: { $0.matchIdentifier == first.matchIdentifier })
      else { continue }
      result[place].message = message
      let others = members.dropFirst()
      result[place].coalesced += others.map(\.key)
      gone += others.map { ($0, first.campaign) }
      let matches = Set(others.map(\.matchIdentifier))
      result.removeAll { matches.contains($0.matchIdentifier) }
    }
    return (result, gone)
  }

  /// The welcome among items that wants to be alone.
  func lonely(_ items: [Item]) -> Item? { items.first { campaign($0.campaign)?.welcome?.isAlone == true } }
}
