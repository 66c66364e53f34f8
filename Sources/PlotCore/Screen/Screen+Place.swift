/// A place on the screen, and what must leave it.
extension Screen {
  /// Where there is a place for a notification.
  struct Place {
    /// The notifications that must leave first; empty where the place is free.
    var leaving: [(item: Item, cause: Removal.Cause)] = []
    /// Why there is none.
    var refusal: Refusal?
    /// The notification that it should replace stays, for the host cannot take it off.
    var cannotReplace = false

    enum Refusal {
      /// Another notification of its exclusion group is displayed.
      case excluded(by: Identifier)
      case full
    }
  }

  /// Looks for a place: in that of its correlation key, or a slot, where the feed has so many. Nil when nothing limits them.
  /// `rivals` make place for it.
  func place(for item: Item, in feed: Feed, rivals: [Item], canRemove: Bool) -> Place? {
    let group = feed.campaign(item.campaign)?.exclusionGroup
    guard feed.settings.slots != nil || group != nil || item.correlationKey != nil || !rivals.isEmpty else {
      return nil
    }
    var place = Place()
    // The notification that it updates gives it its place.
    var staying = displayed.filter { $0.matchIdentifier != item.updates }
    if canRemove {
      let matches = Set(rivals.map(\.matchIdentifier))
      place.leaving = staying.filter { matches.contains($0.matchIdentifier) }.map { ($0, .slot) }
      staying.removeAll { matches.contains($0.matchIdentifier) }
    }
    if let key = item.correlationKey {
      let replaced = staying.filter { $0.correlationKey == key }
      if !canRemove, !replaced.isEmpty {
        place.cannotReplace = true
      } else {
        place.leaving += replaced.map { ($0, .replaced) }
        staying.removeAll { $0.correlationKey == key }
      }
    }
    if let other = Self.excluding(group, staying, feed) {
      place.refusal = .excluded(by: other)
      return place
    }
    if let slots = feed.settings.slots {
      while Int64(staying.count) >= slots.count {
        // The oldest of the least priority.
        guard canRemove, let lowest = staying.map(\.priority).min(),
          item.priority > lowest || (item.priority == lowest && slots.whenFull == .replace),
          let victim = staying.firstIndex(where: { $0.priority == lowest })
        else {
          place.refusal = .full
          return place
        }
        place.leaving.append((staying.remove(at: victim), .slot))
      }
    }
    return place
  }

  /// The campaign of what is displayed of an item's exclusion group; nil for none.
  func excluding(_ item: Item, in feed: Feed) -> Identifier? {
    Self.excluding(
      feed.campaign(item.campaign)?.exclusionGroup, displayed.filter { $0.matchIdentifier != item.updates }, feed)
  }

  private static func excluding(_ group: Identifier?, _ items: [Item], _ feed: Feed) -> Identifier? {
    guard let group else { return nil }
    return items.first { feed.campaign($0.campaign)?.exclusionGroup == group }?.campaign
  }

  /// Whether all slots are taken.
  func isFull(_ slots: Slots?) -> Bool { slots.map { Int64(displayed.count) >= $0.count } ?? false }
}
