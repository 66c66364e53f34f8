public import PlotCore

/// What one of many fixes has led to (docs/batch.md): a record of include/plotengine.h.
public struct BatchEffect: Equatable, Sendable {
  public var time: Milliseconds
  /// An event's sequence, or the token of what was asked.
  public var number: UInt64 = 0
  /// The position of the fix.
  public var fix: UInt32 = 0
  public var device: UInt32 = 0
  public var kind: Kind
  public var detail: UInt32 = 0
  /// Positions in the feed.
  public var region = Self.none
  public var campaign = Self.none

  public static let none = UInt32.max

  /// The numbers of include/plotengine.h; they never change.
  public enum Kind: UInt32, CaseIterable, Sendable {
    case refused = 0
    case regionEnter = 1
    case regionInside = 2
    case regionDwell = 3
    case regionExit = 4
    case regionApproach = 5
    case notificationFiltered = 6
    case notificationShown = 7
    case notificationFailed = 8
    case notificationOpened = 9
    case notificationAction = 10
    case notificationDismissed = 11
    case notificationRemoved = 12
    case geotrigger = 13
    case geotriggerDropped = 14
    case messageDropped = 15
    case messageRetracted = 16
    case filterAsked = 64
    case geotriggersAsked = 65

    init(_ kind: Event.Kind) {
      switch kind {
      case .regionEnter: self = .regionEnter
      case .regionInside: self = .regionInside
      case .regionDwell: self = .regionDwell
      case .regionExit: self = .regionExit
      case .regionApproach: self = .regionApproach
      case .notificationFiltered: self = .notificationFiltered
      case .notificationShown: self = .notificationShown
      case .notificationFailed: self = .notificationFailed
      case .notificationOpened: self = .notificationOpened
      case .notificationAction: self = .notificationAction
      case .notificationDismissed: self = .notificationDismissed
      case .notificationRemoved: self = .notificationRemoved
      case .geotrigger: self = .geotrigger
      case .geotriggerDropped: self = .geotriggerDropped
      case .messageDropped: self = .messageDropped
      case .messageRetracted: self = .messageRetracted
      }
    }
  }

  /// A fix that was not taken.
  init(refused status: Status, at time: Milliseconds) {
    self.time = time
    kind = .refused
    detail = UInt32(status.rawValue)
  }

  init(_ event: Event, in feed: Feed) {
    time = event.time
    number = UInt64(event.sequence)
    kind = Kind(event.kind)
    detail = UInt32(clamping: event.dwellingMinutes ?? event.arrivalSeconds ?? event.ordinal ?? 0)
    region = Self.position(event.position(in: feed))
    if let item = event.item { campaign = Self.position(feed.campaignPosition(item.campaign)) }
  }

  /// The host is asked about an item of a batch.
  init(asking batch: Batch, about item: Item, in feed: Feed, at time: Milliseconds) {
    self.time = time
    number = batch.token
    kind = batch.isGeotrigger ? .geotriggersAsked : .filterAsked
    region = Self.position(feed.region(item.region))
    campaign = Self.position(feed.campaignPosition(item.campaign))
  }

  private static func position(_ position: Int?) -> UInt32 { position.flatMap { UInt32(exactly: $0) } ?? none }
}
