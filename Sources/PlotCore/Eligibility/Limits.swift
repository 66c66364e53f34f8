/// Caps and quiet hours of one notification at one time (docs/rules.md, Caps and Quiet hours).
struct Limits {
  /// Nil when they are gone from the feed.
  var campaign: Campaign?
  var region: Region?
  /// The notification's own.
  var key: ItemKey
  var visit: String?
  var settings: FeedSettings
  var device: ZoneRules
  var time: Milliseconds

  // MARK: Caps

  /// A cap, its name in decisions, and the displays that it counts.
  private struct Rule {
    var cap: Cap
    var name: String
    var counts: (Display) -> Bool
  }

  var hasCaps: Bool { !rules.isEmpty }

  private var rules: [Rule] {
    var rules: [Rule] = []
    for cap in settings.caps { add(cap, nil, to: &rules) { _ in true } }
    for cap in region?.caps ?? [] { add(cap, nil, to: &rules) { $0.region == key.region } }
    for cap in campaign?.caps ?? [] { add(cap, "campaign", to: &rules) { $0.campaign == key.campaign } }
    return rules
  }

  /// Adds a cap where it is about this notification. `owner` is whose displays alone it counts.
  private func add(
    _ cap: Cap, _ owner: String?, to rules: inout [Rule], _ isOwn: @escaping (Display) -> Bool
  ) {
    // Messages have no campaign, and no region.
    if key.campaign.text.isEmpty, cap.scope == .campaign || cap.scope == .region { return }
    switch cap.scope {
    case .all: rules.append(Rule(cap: cap, name: "all", counts: isOwn))
    case .tag(let tag):
      guard campaign?.tags.contains(tag) == true else { return }
      rules.append(Rule(cap: cap, name: "tag \(tag.text)") { isOwn($0) && $0.tags.contains(tag) })
    case .campaign: rules.append(Rule(cap: cap, name: "campaign") { isOwn($0) && $0.campaign == key.campaign })
    case .region:
      let name = owner.map { "\($0) at region" } ?? "region"
      rules.append(Rule(cap: cap, name: name) { isOwn($0) && $0.region == key.region })
    case .visit:
      guard let visit else { return }
      rules.append(Rule(cap: cap, name: owner.map { "\($0) in visit" } ?? "visit") { isOwn($0) && $0.visit == visit })
    }
  }

  /// Whether every cap has room; nil when there is none. `displays` oldest first. Of several full ones the decision names the one that
  /// has room last.
  func caps(_ displays: [Display]) -> Eligibility.Outcome? {
    let rules = rules
    guard !rules.isEmpty else { return nil }
    guard let full = full(rules, displays) else { return .pass(.caps, .withinCaps) }
    return .drop(.caps, .capped, full.rule.name, nextPossible: full.next == .max ? nil : full.next)
  }

  private func full(_ rules: [Rule], _ displays: [Display]) -> (rule: Rule, next: Milliseconds)? {
    var full: (rule: Rule, next: Milliseconds)?
    for rule in rules {
      let counted = displays.filter(rule.counts)
      guard let next = room(in: rule.cap, counted), next > full?.next ?? .min else { continue }
      full = (rule, next)
    }
    return full
  }

  /// The inputs of caps.
  func inputs(_ displays: [Display]) -> Inputs {
    let rules = rules
    guard let full = full(rules, displays) else { return ["caps": .integer(Int64(rules.count))] }
    let (cap, counted) = (full.rule.cap, displays.filter(full.rule.counts))
    var (count, per, length) = (counted.count, "visit", InputValue?.none)
    switch cap.span {
    case .window(let window):
      count = counted.count { time < $0.time + window }
      (per, length) = ("window", .length(window))
    case .days(let days, let zone):
      let zone = self.zone(zone)
      let today = zone.local(time).day
      count = counted.count { today - zone.local($0.time).day < days }
      (per, length) = ("days", .integer(days))
    case .visit: break
    }
    return [
      "count": .integer(Int64(count)), "limit": .integer(cap.maximum), "per": .text(per),
      "seconds": per == "window" ? length : nil, "days": per == "days" ? length : nil,
    ]
  }

  /// When a full cap has room again, `.max` when not before the visit ends; nil while it has room.
  private func room(in cap: Cap, _ displays: [Display]) -> Milliseconds? {
    switch cap.span {
    case .window(let window): return Self.room(for: cap.maximum, in: window, displays, at: time)
    case .days(let count, let zone):
      let zone = self.zone(zone)
      let today = zone.local(time).day
      // A clock that goes back over midnight may show the day before again, hence the order.
      let days = displays.map { zone.local($0.time).day }.filter { today - $0 < count }.sorted()
      guard days.count >= cap.maximum else { return nil }
      let midnights = zone.times(of: LocalTime(day: days[days.count - Int(cap.maximum)] + count, minute: 0))
      return midnights.first { $0 > time } ?? midnights.last
    case .visit: return displays.count >= cap.maximum ? .max : nil
    }
  }

  /// When there is room for one more of at most `maximum` in any stretch of this length; nil for now.
  static func room(
    for maximum: Int64, in window: Milliseconds, _ displays: [Display], at time: Milliseconds
  ) -> Milliseconds? {
    let counted = displays.filter { time < $0.time + window }
    return counted.count >= maximum ? counted[counted.count - Int(maximum)].time + window : nil
  }

  private func zone(_ zone: TriggerTimes.Zone) -> ZoneRules {
    zone.rules(region: region?.zone, device: device)
  }

  // MARK: Quiet hours

  /// Quiet hours that are on.
  struct Quiet {
    /// The strictest.
    var during: QuietHours.During
    /// Their name in decisions.
    var name: String
    /// The latest end of those that are on; nil when one has no end.
    var until: Milliseconds?
  }

  private var quietHours: [(rule: QuietHours, name: String)] {
    var all: [(QuietHours, String)] = []
    for rule in settings.quietHours {
      if let tag = rule.tag {
        if campaign?.tags.contains(tag) == true { all.append((rule, "tag \(tag.text)")) }
      } else {
        all.append((rule, "all"))
      }
    }
    all += (region?.quietHours ?? []).map { ($0, "region") }
    all += (campaign?.quietHours ?? []).map { ($0, "campaign") }
    return all
  }

  /// The zone of the first quiet hours of this name that are on.
  func quietZone(_ name: String) -> ZoneRules {
    let rule = quietHours.first { $0.name == name && $0.rule.hours.isOpen(at: time, in: zone($0.rule.zone)) }
    return rule.map { zone($0.rule.zone) } ?? device
  }

  var hasQuietHours: Bool { !quietHours.isEmpty }

  /// Nil when it is not quiet.
  func quiet() -> Quiet? {
    guard var quiet = quiet(at: time) else { return nil }
    if let until = quiet.until, !ends(after: until) { quiet.until = nil }
    return quiet
  }

  /// So many quiet hours may follow each other without a gap; more have no end.
  static let mostInARow = 100

  /// Whether what waits until `time` comes to an end: not where other quiet hours are on by then, and others after them, for ever.
  private func ends(after time: Milliseconds) -> Bool {
    var time = time
    for _ in 0..<Self.mostInARow {
      guard let next = quiet(at: time), next.during != .drop, let until = next.until else { return true }
      time = until
    }
    return false
  }

  private func quiet(at time: Milliseconds) -> Quiet? {
    var quiet: Quiet?
    for (rule, name) in quietHours {
      let zone = zone(rule.zone)
      guard rule.hours.isOpen(at: time, in: zone) else { continue }
      let end = rule.hours.nextClosing(after: time, in: zone)
      guard var found = quiet else {
        quiet = Quiet(during: rule.during, name: name, until: end)
        continue
      }
      if rule.during > found.during { (found.during, found.name) = (rule.during, name) }
      found.until = if let end, let until = found.until { max(until, end) } else { nil }
      quiet = found
    }
    return quiet
  }
}

extension QuietHours.During: Comparable {
  private var strictness: Int {
    switch self {
    case .hold: 0
    case .holdInside: 1
    case .drop: 2
    }
  }

  public static func < (a: Self, b: Self) -> Bool { a.strictness < b.strictness }
}
