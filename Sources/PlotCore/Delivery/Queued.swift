/// A campaign whose trigger has come, and which may still be shown in the same visit.
public struct Held: Equatable, Sendable {
  public var campaign: Identifier
  public var region: Identifier
  /// When its times come; nil when it waits for a segmentation property.
  public var until: Milliseconds?

  public init(campaign: Identifier, region: Identifier, until: Milliseconds?) {
    self.campaign = campaign
    self.region = region
    self.until = until
  }
}

/// Notifications, or geotriggers, that wait for the app's answer.
public struct Batch: Equatable, Sendable {
  public var token: UInt64
  public var isGeotrigger: Bool
  public var items: [Item]
  public var deadline: Milliseconds
  /// The app is asked at the enter about dwellings to come.
  public var isAtEnter: Bool

  public init(
    token: UInt64, isGeotrigger: Bool, items: [Item], deadline: Milliseconds, isAtEnter: Bool = false
  ) {
    self.token = token
    self.isGeotrigger = isGeotrigger
    self.items = items
    self.deadline = deadline
    self.isAtEnter = isAtEnter
  }
}

extension Batch {
  /// How long the app may take to answer about items: less for messages, where the system waits only so long.
  static func time(
    toAnswer items: [Item], _ deadline: Milliseconds, ofMessages messageDeadline: Milliseconds?
  ) -> Milliseconds {
    guard let messageDeadline, items.contains(where: \.isMessage) else { return deadline }
    return min(deadline, messageDeadline - messageMargin)
  }

  /// The time that remains for the engine and the host when the filter's time is up.
  static let messageMargin: Milliseconds = 2000
}

/// A notification that has passed the filter and waits for its turn.
public struct Pending: Equatable, Sendable {
  enum Phase: Equatable {
    case new
    /// The app's strategies are asked.
    case voting
    case voted
    /// The notification that it replaces is being taken off the screen.
    case removing
    case cleared
  }

  public var item: Item
  var phase = Phase.new
  /// It has been written, and must be struck out when its turn is over.
  public internal(set) var isStored: Bool

  public init(item: Item, isStored: Bool) {
    self.item = item
    self.isStored = isStored
  }
}

/// The filter's word about a dwelling to come.
public struct Prefiltered: Equatable, Sendable {
  public var campaign: Identifier
  public var region: Identifier
  /// As the app wants it; nil when it was left out.
  public var item: Item?

  public init(campaign: Identifier, region: Identifier, item: Item?) {
    self.campaign = campaign
    self.region = region
    self.item = item
  }
}

/// An item that the app keeps of a batch, with its edits.
public struct Kept: Sendable {
  public var matchIdentifier: String
  public var content: Content

  public init(matchIdentifier: String, content: Content) {
    self.matchIdentifier = matchIdentifier
    self.content = content
  }

  /// Of an item that has nothing beside message and data.
  public init(matchIdentifier: String, message: String, data: String) {
    self.init(matchIdentifier: matchIdentifier, content: Content(message: message, data: data))
  }
}
