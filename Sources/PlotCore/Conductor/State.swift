/// All that a device's engine knows. A plain value: copying it is taking a snapshot.
public struct State: Sendable {
  /// The newest time that any input had.
  public var newest: Milliseconds = 0
  public var host = HostFacts()
  public var presence = Presence()
  public var screen = Screen()
  public var history = History()
  public var delivery = Delivery()
  public var sequence: Int64 = 0
  public var messages = MessageState()
  public var trips = Trips()
  /// The store was made in the place of a damaged one, of which it lacks something of these parts; nil when that was told, or never happened.
  public var lost: [StorePart]?

  public init() {}

  /// Asks for what a crossing looks at.
  @inline(__always)
  func prefetch() {
    presence.prefetch()
    history.prefetch()
    delivery.prefetch()
  }
}

/// A change in a `State` that must survive the process: one of its owners, or of all together.
public enum Change: Sendable {
  case presence(PresenceChange)
  case history(HistoryChange)
  case delivery(DeliveryChange)
  case screen(ScreenChange)
  case messages(MessageChange)
  case trips(TripChange)
  case host(HostChange)
  case feed(Feed)
  /// All from which a length of time is counted has moved, up to this time at the latest; deadlines up to that one.
  case clockMoved(by: Milliseconds, to: Milliseconds, latestDeadline: Milliseconds)
  /// All but settings is gone (`Machine.clearAllData`).
  case allCleared
  /// The loss of the store was reported.
  case setAsideReported
}
