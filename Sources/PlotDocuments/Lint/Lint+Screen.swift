internal import PlotCore

/// Campaigns side by side.
extension Lint {
  mutating func checkScreen() {
    checkCoalescing()
    checkGroups()
    checkExclusion()
    checkExclusionTimes()
    checkHoldouts()
    checkTwins()
    checkNested()
  }

  private mutating func checkCoalescing() {
    guard let feed else { return }
    let numbers = indices(of: "/settings/coalescing", feed.settings.coalescing.count)
    for (index, group) in zip(numbers, feed.settings.coalescing) where !feed.leftOut.contains(group.group.text) {
      // Each at each of its regions.
      let count = feed.known.filter { $0.campaign.coalescingGroup == group.group }
        .reduce(0) { $0 + $1.campaign.regions.count }
      guard count < group.atLeast else { continue }
      report(
        .coalescingNever, [.key("settings"), .key("coalescing"), .index(index)],
        "The group \"\(group.group.text)\" needs \(group.atLeast) notifications at once, and there can be \(count).")
    }
  }

  private mutating func checkGroups() {
    guard let feed else { return }
    let known = Set(feed.settings.coalescing.map(\.group))
    for (index, campaign) in feed.known {
      guard let group = campaign.coalescingGroup, !known.contains(group), !feed.leftOut.contains(group.text) else {
        continue
      }
      report(
        .unknownGroup, campaign: index, "coalescingGroup",
        sentence: "The \(campaign.title) names the group \"\(group.text)\", which settings.coalescing does not have.")
    }
  }

  private mutating func checkExclusion() {
    guard let feed else { return }
    var members: [Identifier: Int] = [:]
    for (_, campaign) in feed.known {
      if let group = campaign.exclusionGroup { members[group, default: 0] += campaign.regions.count }
    }
    for (index, campaign) in feed.known {
      guard let group = campaign.exclusionGroup, members[group] == 1, campaign.repeatRule == .once,
        !feed.leftOut.contains(group.text)
      else { continue }
      report(
        .lonelyExclusion, campaign: index, "exclusionGroup",
        sentence: "The exclusion group \"\(group.text)\" has nothing but the \(campaign.title) at one region.")
    }
  }

  /// One that stands for others is held out, or not, for all of them.
  private mutating func checkHoldouts() {
    guard let feed else { return }
    let groups = Dictionary(grouping: feed.known.lazy.map(\.campaign).filter { $0.coalescingGroup != nil }) {
      $0.coalescingGroup
    }
    // Of each group those two that can be another one's first: who differs from all that are like the first.
    let first = groups.mapValues { members in (members[0], members.first { $0.holdout != members[0].holdout }) }
    for (index, campaign) in feed.known {
      guard let holdout = campaign.holdout, let group = campaign.coalescingGroup, let (one, unlike) = first[group]
      else { continue }
      let other: Campaign? =
        if holdout.group == nil {
          one.id == campaign.id ? groups[group]?.dropFirst().first : one
        } else {
          one.holdout == holdout ? unlike : one
        }
      guard let other else { continue }
      report(
        .sharedHoldout, campaign: index, "holdout",
        sentence:
          "The \(campaign.title) can become one with the \(other.title), which does not hold out the same people.")
    }
  }

  /// Groups of the settings that have nothing to choose from.
  private mutating func checkExclusionTimes() {
    guard let feed else { return }
    let numbers = indices(of: "/settings/exclusion", feed.settings.exclusion.count)
    for (index, rule) in zip(numbers, feed.settings.exclusion) where !feed.leftOut.contains(rule.group.text) {
      let count = feed.known.filter { $0.campaign.exclusionGroup == rule.group }
        .reduce(0) { $0 + $1.campaign.regions.count }
      guard count < 2 else { continue }
      report(
        .lonelyExclusion, [.key("settings"), .key("exclusion"), .index(index)],
        "Of the exclusion group \"\(rule.group.text)\" the better one is to be shown, and it has \(count == 0 ? "none" : "only one")."
      )
    }
  }

  private mutating func checkTwins() {
    guard let feed else { return }
    var byText: [String: [Int]] = [:]
    for (index, campaign) in feed.known {
      var same = campaign
      let key = "\(campaign.regions) \(campaign.trigger.name) \(campaign.text.source)"
      let twin = byText[key]?.first { other in
        same.values.id = feed.campaigns[other]?.id ?? same.id
        return feed.campaigns[other] == same
      }
      guard let twin, let other = feed.campaigns[twin] else {
        byText[key, default: []].append(index)
        continue
      }
      report(
        .twinCampaigns, campaign: index,
        sentence: "The \(campaign.title) differs in nothing but its id from the \(other.title).")
    }
  }

  // MARK: Regions in regions

  /// One notification at one region.
  private struct Showing {
    var index: Int
    var campaign: Campaign
    var region: Region
    var circle: Circle
  }

  /// The same text at a region and at one inside of it, at the same trigger.
  private mutating func checkNested() {
    let isPrevented = feed?.settings.strategies.contains {
      $0.isEnabled && ($0.rule == .sameContent(.message) || $0.rule == .sameContent(.shown))
    }
    guard let feed, isPrevented == false else { return }
    var byText: [String: [Showing]] = [:]
    var count = 0
    for (index, campaign) in feed.known where campaign.isNotification && campaign.welcome == nil {
      for region in feed.regions(of: campaign) where region.shape.isPlace && !region.isMoving {
        guard let circle = region.shape.circle, let text = try? campaign.text.filled(for: region) else { continue }
        let showing = Showing(index: index, campaign: campaign, region: region, circle: circle)
        byText[campaign.trigger.name + "\u{0}" + text, default: []].append(showing)
        count += 1
      }
    }
    guard count <= Self.pairLimit else { return }
    for text in byText.keys.sorted() {
      let showings = byText[text] ?? []
      let sorted = showings.sorted { $0.circle.center.latitude < $1.circle.center.latitude }
      let reach = (showings.map(\.circle.radius).max() ?? 0) / Earth.radius * 180 / .pi
      var smallest: [Int: Int] = [:]
      for (position, one) in sorted.enumerated() {
        for number in sorted.indices.dropFirst(position + 1) {
          let other = sorted[number]
          guard other.circle.center.latitude - one.circle.center.latitude <= reach else { break }
          let isOuter = one.circle.radius >= other.circle.radius
          let (outer, inner) = isOuter ? (position, number) : (number, position)
          guard sorted[outer].region.id != sorted[inner].region.id,
            Self.contains(sorted[outer].region, sorted[inner].circle), !Self.exclude(sorted[outer], sorted[inner])
          else { continue }
          // Of several around one, the smallest is reported.
          if let known = smallest[inner], sorted[known].circle.radius <= sorted[outer].circle.radius { continue }
          smallest[inner] = outer
        }
      }
      for (inner, outer) in smallest.sorted(by: { $0.key < $1.key }) { reportNested(sorted[outer], sorted[inner]) }
    }
  }

  private mutating func reportNested(_ outer: Showing, _ inner: Showing) {
    let campaign = inner.campaign
    let position = campaign.regions.firstIndex { feed?.regions[$0]?.id == inner.region.id } ?? 0
    let what =
      outer.index == inner.index
      ? "the \(campaign.title) says the same at both"
      : "the \(outer.campaign.title) says there what the \(campaign.title) says here"
    report(
      .nestedSameMessage, [.key("campaigns"), .index(inner.index), .key("regions"), .index(position)],
      "The region \"\(inner.region.id.text)\" lies inside of \"\(outer.region.id.text)\", and \(what).")
  }

  private static func contains(_ outer: Region, _ inner: Circle) -> Bool {
    guard let edge = outer.shape.edgeDistance(from: inner.center) else { return false }
    return -edge >= inner.radius
  }

  /// Whether something keeps the two from being shown both.
  private static func exclude(_ a: Showing, _ b: Showing) -> Bool {
    func key(_ showing: Showing) -> String? {
      showing.campaign.correlationKey.flatMap { try? $0.filled(for: showing.region) }
    }
    if let key = key(a), key == (b.campaign.correlationKey.flatMap { try? $0.filled(for: b.region) }) { return true }
    if let group = a.campaign.exclusionGroup, group == b.campaign.exclusionGroup { return true }
    if let group = a.campaign.coalescingGroup, group == b.campaign.coalescingGroup { return true }
    // Others at other times, or in other countries.
    if a.campaign.times.rule == .inherit || b.campaign.times.rule == .inherit, a.region.times != b.region.times {
      return true
    }
    if a.region.zone != b.region.zone, a.campaign.times.rule != .anytime { return true }
    if a.region.country != b.region.country || a.region.travel != b.region.travel,
      a.campaign.segmentation?.mentionsPlace == true
    {
      return true
    }
    guard a.index != b.index else {
      return a.campaign.caps.contains { if case .campaign = $0.scope { $0.maximum == 1 } else { false } }
    }
    // Others for other people, at other times or after other steps.
    return a.campaign.segmentation != b.campaign.segmentation || a.campaign.times != b.campaign.times
      || a.campaign.after != b.campaign.after || a.campaign.visits != b.campaign.visits
      || a.campaign.crossing != b.campaign.crossing
      || a.campaign.trigger != b.campaign.trigger
      || (a.campaign.end ?? .max) <= (b.campaign.start ?? .min)
      || (b.campaign.end ?? .max) <= (a.campaign.start ?? .min)
  }
}

extension Segment {
  /// Whether it looks at facts of the region.
  fileprivate var mentionsPlace: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.mentionsPlace)
    case .not(let part): part.mentionsPlace
    case .country, .travel: true
    case .property, .shown, .opened: false
    }
  }
}
