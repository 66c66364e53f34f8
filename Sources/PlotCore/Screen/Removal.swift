/// A notification that is being taken off the screen.
struct Removal: Sendable {
  /// Why (docs/events.md).
  enum Cause: String, Sendable {
    /// Its region was left.
    case exit
    /// Another one takes its slot.
    case slot
    /// Another one with its correlation key comes.
    case replaced
    /// Its sender takes it back.
    case retracted

    /// Another one waits for the place.
    var makesPlace: Bool { self == .slot || self == .replaced }
  }

  var item: Item
  var cause: Cause
  /// Nil while it is not known.
  var isGone: Bool?

  var isOver: Bool { isGone != nil }
}
