/// All that a device's engine knows. A plain value: copying it is taking a snapshot.
public struct State: Sendable {
  /// The newest time that any input had.
  public var newest: Milliseconds = 0
  public var host = HostFacts()
  public var screen = Screen()
  public var history = History()
  public var delivery = Delivery()
  /// A fix has been seen since the engine was enabled: from then on, a region that is not visited has been left.
  public var hasBaseline = false
  /// Regions that came with a feed after the baseline, and have not met a fix yet.
  public var newRegions: Set<Identifier> = []
  /// Sorted by region.
  public var visits: [Visit] = []
  /// Crossings that are not sure yet; sorted by region.
  public var crossings: [PendingCrossing] = []
  /// When a beacon of each visited region was last heard in range, to a tenth of the silence that ends the visit.
  public var heard: [Identifier: Milliseconds] = [:]
  /// Where regions that move are.
  public var moved: [Identifier: Coordinate] = [:]
  /// Approaches that have been told, and are not over; sorted by region and seconds.
  public var approaches: [Approach] = []
  /// How many visits each region has had; also of regions that are gone, for they may come back.
  public var ordinals: [Identifier: Int64] = [:]
  public var sequence: Int64 = 0
  public var messages = MessageState()
  /// What the host was last told to register.
  public var plan = RegionPlan()

  public init() {}

  /// Asks for what a crossing looks at.
  @inline(__always)
  func prefetch() {
    Prefetch.target(of: visits, at: 0, 128)
    Prefetch.target(of: ordinals, at: 0, 128)
    history.prefetch()
    delivery.prefetch()
  }

  /// The ordinal of a visit that begins.
  mutating func countVisit(_ region: Identifier) -> Int64 {
    func next(_ count: inout Int64) -> Int64 {
      count += 1
      return count
    }
    return next(&ordinals[region, default: 0])
  }
}

/// What has changed in a `State` and must outlive the process: the changes of its owners, and those of all together.
public enum Change: Sendable {
  case presence(PresenceChange)
  case history(HistoryChange)
  case delivery(DeliveryChange)
  case screen(ScreenChange)
  case messages(MessageChange)
  case host(HostChange)
  case feed(Feed)
  /// All from which a length of time is counted has moved, up to this time at the latest; deadlines up to that one.
  case clockMoved(by: Milliseconds, to: Milliseconds, latestDeadline: Milliseconds)
  /// All but settings is gone (`Machine.clearAllData`).
  case allCleared
}
