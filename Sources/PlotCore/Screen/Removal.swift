/// A notification that is being taken off the screen.
public struct Removal: Sendable {
  /// Why (docs/events.md).
  public enum Cause: String, Sendable {
    /// Its region was left.
    case exit
    /// Another one takes its slot.
    case slot
    /// Another one with its correlation key comes.
    case replaced
    /// Its sender takes it back.
    case retracted
    /// Its campaign has ended.
    case ended
    /// Its campaign, or its region, has left the feed.
    case feed
    /// It was to be there for so long.
    case expired
    /// The app has it taken off.
    case app
    /// The app has changed its content: another display takes its place.
    case updated
    /// The person has dismissed it.
    case dismissed

    /// Why a notification that waits for its turn is not shown.
    var reason: Reason {
      switch self {
      case .ended: .ended
      case .feed: .campaignRemoved
      case .expired: .expired
      case .exit, .slot, .replaced, .retracted, .app, .updated, .dismissed: .left
      }
    }

    /// Another one waits for the place.
    var makesPlace: Bool { self == .slot || self == .replaced }
  }

  var item: Item
  var cause: Cause
  /// Nil while it is not known.
  var isGone: Bool?

  var isOver: Bool { isGone != nil }
}
