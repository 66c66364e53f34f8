/// From when a campaign's own cooldown counts (docs/rules.md, Cooldown).
extension History {
  /// When the campaign's cooldown began; nil when it was never shown, `.max` when it has not begun. `background`: since when the app is there,
  /// `.max` while it is not, nil when nobody has said so.
  func cooldownStart(_ campaign: Campaign, _ key: ItemKey, background: Milliseconds?) -> Milliseconds? {
    if campaign.isWelcome { return campaignShown[campaign.id] }
    guard let shown = lastShown[key] else { return nil }
    switch campaign.cooldownAnchor {
    case .shown: return shown
    case .enter: return anchors[key].map { $0 == .max ? shown : $0 } ?? shown
    case .exit, .removed: return anchors[key] ?? shown
    case .background: return max(shown, background ?? shown)
    }
  }

  /// The keys of a region whose cooldowns have not begun, by campaign. `known`: all that have anchors, by region, where that was found for
  /// many regions at once.
  func waitingAnchors(at region: Identifier, _ known: [Identifier: [ItemKey]]?) -> [ItemKey] {
    if anchors.isEmpty { return [] }
    let keys = known.map { $0[region] ?? [] } ?? anchors.keys.filter { $0.region == region }
    return keys.filter { anchors[$0] == .max }.sorted { $0.campaign < $1.campaign }
  }
}

extension CooldownAnchor {
  /// The time to note when a notification is shown: from when its cooldown counts, `.max` for later; nil for nothing. `visitSince`: when the visit
  /// to its region began, nil without one.
  func start(shown now: Milliseconds, visitSince: Milliseconds?) -> Milliseconds? {
    switch self {
    case .enter: visitSince ?? now
    case .exit: visitSince == nil ? now : .max
    case .removed: .max
    case .shown, .background: nil
    }
  }
}
