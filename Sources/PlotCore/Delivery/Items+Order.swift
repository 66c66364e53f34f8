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

  /// Whether an item is the better one of its exclusion group: by priority, then the smaller region, then by id.
  func isBetter(_ item: Item, than other: Item) -> Bool {
    if item.priority != other.priority { return item.priority > other.priority }
    if item.matchRange != other.matchRange { return item.matchRange < other.matchRange }
    return (item.campaign, item.region) < (other.campaign, other.region)
  }

  /// Within how long the better one of a group is shown; nil where the first one is.
  func window(of item: Item) -> (group: Identifier, within: Milliseconds)? {
    guard !settings.exclusion.isEmpty, let group = campaign(item.campaign)?.exclusionGroup else { return nil }
    return settings.exclusion.first { $0.group == group }.map { (group, $0.within) }
  }

  /// Of each exclusion group with a time the best one stays; and those that are gone, each with the campaign of the best.
  func best(of items: [Item]) -> (items: [Item], gone: [(item: Item, best: Identifier)]) {
    var best: [Identifier: Item] = [:]
    for item in items {
      guard let group = window(of: item)?.group else { continue }
      if best[group].map({ isBetter(item, than: $0) }) ?? true { best[group] = item }
    }
    guard !best.isEmpty else { return (items, []) }
    var gone: [(item: Item, best: Identifier)] = []
    let result = items.filter { item in
      guard let group = window(of: item)?.group, let chosen = best[group],
        chosen.matchIdentifier != item.matchIdentifier
      else { return true }
      gone.append((item, chosen.campaign))
      return false
    }
    return (result, gone)
  }

  /// Those of one coalescing group become one, in the place of the first; and those that are gone, each with the campaign of the first.
  /// `displayed`: what is on the screen, each with the time of its display.
  func coalesced(
    _ items: [Item], displayed: [(item: Item, shown: Milliseconds)] = [], now: Milliseconds = 0
  ) -> (items: [Item], gone: [(item: Item, first: Identifier)]) {
    var result = items
    var gone: [(item: Item, first: Identifier)] = []
    for rule in settings.coalescing {
      let members = result.filter { campaign($0.campaign)?.coalescingGroup == rule.group && $0.coalesced.isEmpty }
      // What it stands for already counts, too.
      let earlier =
        rule.within == 0
        ? []
        : displayed.filter {
          campaign($0.item.campaign)?.coalescingGroup == rule.group && now - $0.shown <= rule.within
        }.map(\.item)
      let count = members.count + earlier.reduce(0) { $0 + 1 + $1.coalesced.count }
      guard Int64(count) >= rule.atLeast, let first = members.first, let region = region(first.region),
        let message = try? rule.message.filled(for: regions[region], count: count),
        let place = result.firstIndex(where: { $0.matchIdentifier == first.matchIdentifier })
      else { continue }
      result[place].message = message
      let others = members.dropFirst()
      result[place].coalesced += others.map(\.key) + earlier.flatMap { [$0.key] + $0.coalesced }
      gone += others.map { ($0, first.campaign) }
      let matches = Set(others.map(\.matchIdentifier))
      result.removeAll { matches.contains($0.matchIdentifier) }
    }
    return (result, gone)
  }

  /// The welcome among items that wants to be alone.
  func lonely(_ items: [Item]) -> Item? { items.first { campaign($0.campaign)?.welcome?.isAlone == true } }
}
