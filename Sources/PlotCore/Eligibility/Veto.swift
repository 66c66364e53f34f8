/// The word of a strategy that needs no app against a notification (docs/strategies.md).
struct Veto {
  /// When it ends; nil when nobody knows.
  var until: Milliseconds?

  /// The veto of a strategy about an item; nil for none. `displays`: oldest first; `lastItem`: the newest display; `background`: since when
  /// the app is there, `.max` while it is not, nil when nobody has said so.
  static func of(
    _ strategy: Strategy, about item: Item, now: Milliseconds, displays: [Display], lastNotification: Milliseconds?,
    lastRemoved: Milliseconds?, lastItem: Item?, background: Milliseconds?
  ) -> Veto? {
    func veto(until time: Milliseconds?) -> Veto? { time.flatMap { now < $0 ? Veto(until: $0) : nil } }
    switch strategy.rule {
    case .custom: return nil
    case .maximum(let count, let window):
      return veto(until: Limits.room(for: count, in: window, displays, at: now))
    case .minimumTime(let period, let anchor):
      switch anchor {
      case .shown:
        let last = max(lastNotification ?? .min, displays.last?.time ?? .min)
        return last == .min ? nil : veto(until: last + period)
      case .removed: return veto(until: lastRemoved.map { $0 + period })
      case .background: return background == .max ? Veto() : veto(until: background.map { $0 + period })
      }
    case .sameContent(let field):
      guard let lastItem else { return nil }
      let isSame =
        switch field {
        case .shown: lastItem.content.looksAs(item.content)
        case .message: lastItem.message == item.message
        case .data: lastItem.data == item.data
        }
      return isSame ? Veto() : nil
    }
  }
}
