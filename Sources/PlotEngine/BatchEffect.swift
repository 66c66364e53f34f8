public import PlotCore

/// An effect of one of many fixes (docs/batch.md): a record of include/plotengine.h.
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

  public enum Kind: Equatable, Sendable {
    case refused
    case event(Event.Kind)
    case filterAsked
    case geotriggersAsked

    /// The numbers of include/plotengine.h; they never change.
    public var number: UInt32 {
      switch self {
      case .refused: 0
      case .event(let kind): kind.number
      case .filterAsked: 64
      case .geotriggersAsked: 65
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
    kind = .event(event.kind)
    detail = UInt32(clamping: event.dwellingMinutes ?? event.arrivalSeconds ?? event.ordinal ?? 0)
    region = Self.position(event.position(in: feed))
    if let id = event.item?.campaign ?? event.absence?.campaign {
      campaign = Self.position(feed.campaignPosition(id))
    }
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
