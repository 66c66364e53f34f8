extension Limits {
  /// What quiet hours make of a notification.
  enum QuietAnswer {
    case drop(name: String, next: Milliseconds?)
    case wait(Waiting, name: String)
  }

  /// Nil when it is not quiet. `isVisited`: whether its visit is still on.
  func quiet(_ item: Item, isVisited: () -> Bool) -> QuietAnswer? {
    guard let quiet = quiet() else { return nil }
    // Nobody waits for ever, beyond the campaign's end, or inside of a place that was left.
    guard quiet.during != .drop, let until = quiet.until, until < campaign?.end ?? .max,
      quiet.during == .hold || isVisited()
    else { return .drop(name: quiet.name, next: quiet.until) }
    return .wait(Waiting(item: item, until: until, insideOnly: quiet.during == .holdInside), name: quiet.name)
  }
}
