/// The newest decisions, as values.
public typealias DecisionRing = Ring<Decision>

extension Ring<Decision> {
  public static var limit: Int { 100_000 }

  /// The newest of those about a campaign, or a region, or both, oldest first; at most `limit`, 0 for all.
  public func decisions(campaign: Identifier?, region: Identifier?, limit: Int) -> [Decision] {
    let chosen = all.filter {
      (campaign == nil || $0.campaign == campaign) && (region == nil || $0.region == region)
    }
    return limit > 0 ? Array(chosen.suffix(limit)) : chosen
  }

  /// The newest obstacle of a campaign at a region; nil when it was shown since.
  public func lastObstacle(_ campaign: Identifier, _ region: Identifier) -> Decision? {
    let about = all.last {
      $0.region == region && ($0.campaign == campaign || ($0.campaign == nil && $0.step == .presence))
        && ![.remove, .attachment].contains($0.step) && ($0.step != .trigger || $0.verdict == .drop)
    }
    return about.flatMap { $0.verdict == .pass ? nil : $0 }
  }
}
