/// The newest decisions, as values.
public struct DecisionRing: Sendable {
  public static let limit = 100_000
  private var decisions: [Decision] = []
  private var start = 0
  public private(set) var capacity = 0

  public init() {}

  /// Keeps the newest that fit.
  public mutating func setCapacity(_ capacity: Int) {
    guard capacity != self.capacity else { return }
    decisions = Array(all.suffix(capacity))
    start = 0
    self.capacity = capacity
  }

  public mutating func add(_ decision: Decision) {
    guard capacity > 0 else { return }
    if decisions.count < capacity {
      decisions.append(decision)
    } else {
      decisions[start] = decision
      start = (start + 1) % capacity
    }
  }

  /// Oldest first.
  public var all: [Decision] { Array(decisions[start...] + decisions[..<start]) }

  /// The newest of those about a campaign, or a region, or both, oldest first; at most `limit`, 0 for all.
  public func decisions(campaign: Identifier?, region: Identifier?, limit: Int) -> [Decision] {
    let chosen = all.filter {
      (campaign == nil || $0.campaign == campaign) && (region == nil || $0.region == region)
    }
    return limit > 0 ? Array(chosen.suffix(limit)) : chosen
  }

  /// What last stood in the way of a campaign at a region; nil when it was shown since.
  public func lastObstacle(_ campaign: Identifier, _ region: Identifier) -> Decision? {
    let about = all.last {
      $0.region == region && ($0.campaign == campaign || ($0.campaign == nil && $0.step == .presence))
        && ![.remove, .attachment, .trigger].contains($0.step)
    }
    return about.flatMap { $0.verdict == .pass ? nil : $0 }
  }
}
