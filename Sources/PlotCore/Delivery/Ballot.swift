/// A vote of the app's strategies about one notification. Nobody may change anything in a vote (seed 004).
public struct Ballot: Equatable, Sendable {
  public enum Kind: Sendable {
    /// May it be shown?
    case create
    /// May it be taken off the screen?
    case delete
  }

  public var kind: Kind
  public var item: Item
  /// The keys of those that are asked, in the order in which they were registered.
  public var voters: [Identifier]
}

/// What the app's strategies are told (reference: seed-systems, 1.a).
public enum Notice: Equatable, Sendable {
  /// After the attempt to show it; only a true one counts.
  case created(Item, Bool)
  /// After the attempt to take it off the screen, or after the person has dismissed it.
  case deleted(Item, Bool)
  case background
  case foreground
  /// From now on the end of this visit is watched for.
  case monitoring(region: Identifier, visit: String)
  /// The parameters of one strategy, from the feed's settings, as JSON text.
  case parameters(String)
}
