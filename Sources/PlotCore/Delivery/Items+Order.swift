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

  /// Of those that compete for one place the best stays; and those that are gone, each with the campaign of the best. `place` is the
  /// same for those that compete, and nil for what competes with nothing.
  func best<Place: Hashable>(
    of items: [Item], by place: (Item) -> Place?
  ) -> (items: [Item], gone: [(item: Item, best: Identifier)]) {
    let places = items.map(place)
    var best: [Place: Item] = [:]
    for case (let item, let place?) in zip(items, places) where best[place].map({ isBetter(item, than: $0) }) ?? true {
      best[place] = item
    }
    var (result, gone): ([Item], [(item: Item, best: Identifier)]) = ([], [])
    for (item, place) in zip(items, places) {
      if let place, let chosen = best[place], chosen.matchIdentifier != item.matchIdentifier {
        gone.append((item, chosen.campaign))
      } else {
        result.append(item)
      }
    }
    return (result, gone)
  }

  /// Those of one coalescing group become one, in the place of the first; and those that are gone, each with the campaign of the one that
  /// stands for them.
  /// `displayed`: what is on the screen, each with the time of its display. Of a rule with a time the best stands for all, also one that is
  /// on the screen: it is shown anew, as an update of itself.
  func coalesced(
    _ items: [Item], displayed: [(item: Item, shown: Milliseconds)] = [], now: Milliseconds = 0
  ) -> (items: [Item], gone: [(item: Item, first: Identifier)]) {
    var result = items
    var gone: [(item: Item, first: Identifier)] = []
    for rule in settings.coalescing {
      let members = result.filter { campaign($0.campaign)?.coalescingGroup == rule.group && $0.coalesced.isEmpty }
      guard let first = members.first else { continue }
      // The items that it stands for already count, too.
      let earlier =
        rule.within == 0
        ? []
        : displayed.filter {
          campaign($0.item.campaign)?.coalescingGroup == rule.group && now - $0.shown <= rule.within
        }.map(\.item)
      let count = members.count + earlier.reduce(0) { $0 + 1 + $1.coalesced.count }
      let chosen = rule.within == 0 ? first : (members + earlier).min { isBetter($0, than: $1) } ?? first
      guard Int64(count) >= rule.atLeast, let region = region(chosen.region),
        let message = try? rule.message.filled(for: regions[region], count: count),
        let place = result.firstIndex(where: { $0.matchIdentifier == first.matchIdentifier })
      else { continue }
      let others = (members + earlier).filter { $0.matchIdentifier != chosen.matchIdentifier }
      var standing = chosen
      standing.values.loaded.content.message = message
      standing.values.coalesced += others.flatMap { [$0.key] + $0.coalesced }
      if chosen.sent != nil { (standing.values.updates, standing.sent) = (chosen.matchIdentifier, nil) }
      let matches = Set(members.map(\.matchIdentifier))
      gone += members.filter { $0.matchIdentifier != chosen.matchIdentifier }.map { ($0, chosen.campaign) }
      result[place] = standing
      result = result.enumerated().filter { $0.offset == place || !matches.contains($0.element.matchIdentifier) }.map(
        \.element)
    }
    return (result, gone)
  }

  /// The welcome among items that wants to be alone.
  func lonely(_ items: [Item]) -> Item? { items.first { campaign($0.campaign)?.welcome?.isAlone == true } }
}
