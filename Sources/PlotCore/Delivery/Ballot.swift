/// A vote of the app's strategies about one notification. Nobody may change anything in a vote.
public struct Ballot: Equatable, Sendable {
  public enum Kind: Sendable {
    /// May it be shown?
    case create
    /// May it be taken off the screen?
    case delete
  }

  public var kind: Kind
  public var item: Item
  /// Of a delete: why, and what is to be shown in its place.
  public var departure: Departure?
  /// The keys of those that are asked, in the order in which they were registered.
  public var voters: [Identifier]
}

/// Why a notification leaves the screen, and what takes its place there, if anything does.
public struct Departure: Equatable, Sendable {
  public var cause: Removal.Cause
  public var next: Item?

  public init(cause: Removal.Cause, next: Item?) {
    self.cause = cause
    self.next = next
  }
}

/// A region whose end of visit is watched for from now on.
public struct Monitored: Equatable, Sendable {
  public var region: Identifier
  public var visit: String
  public var isBeacon: Bool
  /// Nil for a beacon that has none.
  public var place: Coordinate?
  /// As `matchRange` of an item.
  public var range: Int64
  /// Its campaigns with notifications, in the order of the feed.
  public var campaigns: [Identifier]
}

/// A notice to the app's strategies.
public enum Notice: Equatable, Sendable {
  /// After the attempt to show it; only a true one counts.
  case created(Item, Bool)
  /// After the attempt to take it off the screen, or after the person has dismissed it.
  case deleted(Item, Bool, Departure)
  case background
  case foreground
  case monitoring(Monitored)
  /// The parameters of one strategy, from the feed's settings, as JSON text.
  case parameters(String)
}
