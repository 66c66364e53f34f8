extension Limits {
  /// The answer of quiet hours about a notification.
  enum QuietAnswer {
    case drop(name: String, next: Milliseconds?)
    case wait(Waiting, name: String)
  }

  /// From then on it is not shown.
  private var lastTime: Milliseconds { min(campaign?.end ?? .max, campaign?.stay.expireAt ?? .max) }

  /// Nil when it is not quiet. `isVisited`: whether its visit is still on.
  func quiet(_ item: Item, isVisited: () -> Bool) -> QuietAnswer? {
    guard let quiet = quiet() else { return nil }
    // Nobody waits for ever, beyond the campaign's end, or inside of a place that was left.
    let insideOnly = quiet.during == .holdInside || campaign?.belongsToVisit == true
    guard quiet.during != .drop, let until = quiet.until, until < lastTime, !insideOnly || isVisited()
    else { return .drop(name: quiet.name, next: quiet.until) }
    return .wait(Waiting(item: item, until: until, insideOnly: insideOnly), name: quiet.name)
  }
}
