/// Something that happened (docs/events.md).
public struct Event: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case regionEnter = "region-enter"
    case regionInside = "region-inside"
    case regionDwell = "region-dwell"
    case regionExit = "region-exit"
    case regionApproach = "region-approach"
    case notificationFiltered = "notification-filtered"
    case notificationShown = "notification-shown"
    case notificationFailed = "notification-failed"
    case notificationOpened = "notification-opened"
    case notificationAction = "notification-action"
    case notificationDismissed = "notification-dismissed"
    case notificationRemoved = "notification-removed"
    case geotrigger = "geotrigger"
    case geotriggerDropped = "geotrigger-dropped"
    case messageDropped = "message-dropped"
    case messageRetracted = "message-retracted"

    /// The number in records of many fixes (docs/batch.md); it never changes.
    public var number: UInt32 {
      switch self {
      case .regionEnter: 1
      case .regionInside: 2
      case .regionDwell: 3
      case .regionExit: 4
      case .regionApproach: 5
      case .notificationFiltered: 6
      case .notificationShown: 7
      case .notificationFailed: 8
      case .notificationOpened: 9
      case .notificationAction: 10
      case .notificationDismissed: 11
      case .notificationRemoved: 12
      case .geotrigger: 13
      case .geotriggerDropped: 14
      case .messageDropped: 15
      case .messageRetracted: 16
      }
    }
  }

  public var time: Milliseconds
  public var kind: Kind
  /// Counts up by one per store.
  public var sequence: Int64
  /// Empty for a message, as is the visit.
  public var region: Identifier
  public var visit: String
  /// Where the region stands in the feed that was in force, when that was known without a look; `position(in:)` says it always.
  var place: Int?
  /// Region events only.
  public var ordinal: Int64?
  /// The fix that led to it.
  public var coordinate: Coordinate?
  /// When the region was entered or left; nil when that was at `time`.
  public var since: Milliseconds?
  /// What said so; nil for a fix.
  public var source: Source?
  public var dwellingMinutes: Int64?
  /// Of an approach: the campaign's seconds, and when the device would arrive.
  public var arrivalSeconds: Int64?
  public var arrival: Milliseconds?
  /// The notification or geotrigger it is about.
  public var item: Item?
  /// The id of the action that was taken.
  public var action: String?
  /// The process ended between handing a notification to the host and its answer.
  public var recovered = false
  /// Why a notification was taken off the screen, or a message not shown.
  public var reason: String?
  public var advertising: Advertising?

  /// Where its region stands in a feed; nil when it does not.
  public func position(in feed: Feed) -> Int? {
    if let place, feed.regions.indices.contains(place), feed.regions.id(at: place) == region { return place }
    return feed.region(region)
  }
}

/// What says that a region was entered or left.
public enum Source: String, CaseIterable, Sendable {
  /// A fix, inside or outside.
  case fix
  /// The way between two fixes that are both outside.
  case passage
  /// Sightings of a beacon, or their absence.
  case beacon
  /// The operating system.
  case hint
  /// A region of a group.
  case group
  /// The region has moved.
  case move
}

/// What the person lets others know the device by.
public struct Advertising: Equatable, Sendable {
  /// Nil when tracking is limited.
  public var identifier: String?
  public var limitsTracking: Bool

  public init(identifier: String?, limitsTracking: Bool) {
    self.identifier = identifier
    self.limitsTracking = limitsTracking
  }
}
