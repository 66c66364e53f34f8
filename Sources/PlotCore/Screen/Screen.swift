/// The notifications on the screen, and those that are being taken off it. Which notification comes or goes is for the rules to say.
///
/// Invariants: each notification is displayed once, the oldest first, at most `limit` of them; of those that are being taken off, each
/// is so once; whatever has left the screen did so at `lastRemoved` or before.
public struct Screen: Sendable {
  /// How many notifications are known to be displayed; a new one beyond that takes the place of the oldest. No system shows as many of one app.
  public static let limit = 500

  /// Oldest first.
  public private(set) var displayed: [Item] = []
  /// The notification that was shown last.
  public private(set) var lastItem: Item?
  /// When any notification last left the screen.
  public private(set) var lastRemoved: Milliseconds?
  /// Not kept across restarts: what must go is found anew.
  private(set) var removals: [Removal] = []

  public init() {}

  func item(_ matchIdentifier: String) -> Item? { position(of: matchIdentifier).map { displayed[$0] } }

  /// Most differ in the hash, so that few are looked into.
  private func position(of matchIdentifier: String) -> Int? {
    let hash = Identifier(matchIdentifier).stableHash
    return displayed.firstIndex { $0.matchHash == hash && $0.matchIdentifier == matchIdentifier }
  }

  // MARK: Changes

  /// It has come to the screen.
  mutating func show(_ item: Item) -> [ScreenChange] {
    var changes: [ScreenChange] = [.displayed(item)]
    apply(.displayed(item))
    while displayed.count > Self.limit {
      changes.append(.displayedEnded(matchIdentifier: displayed.removeFirst().matchIdentifier))
    }
    lastItem = item
    changes.append(.lastItem(item))
    return changes
  }

  /// Another display takes its place.
  mutating func replace(_ matchIdentifier: String) -> [ScreenChange] {
    let change = ScreenChange.displayedEnded(matchIdentifier: matchIdentifier)
    apply(change)
    return [change]
  }

  /// It is gone from the screen, whoever did it; nothing when it is not displayed.
  mutating func end(_ matchIdentifier: String, at time: Milliseconds) -> [ScreenChange] {
    guard item(matchIdentifier) != nil else { return [] }
    let changes: [ScreenChange] = [.displayedEnded(matchIdentifier: matchIdentifier), .removed(time)]
    for change in changes { apply(change) }
    return changes
  }

  /// Makes a change, new or not: what a store does with what it has kept.
  public mutating func apply(_ change: ScreenChange) {
    switch change {
    case .displayed(let item):
      displayed.removeAll { $0.isOccurrence(of: item) }
      displayed.append(item)
    case .displayedEnded(let matchIdentifier):
      if let position = position(of: matchIdentifier) { displayed.remove(at: position) }
    case .lastItem(let item): lastItem = item
    case .removed(let time): lastRemoved = time
    }
  }

  // MARK: Taking off

  /// The removal of a notification that is not over.
  func removal(of matchIdentifier: String?) -> Removal? {
    removals.first { $0.item.matchIdentifier == matchIdentifier && !$0.isOver }
  }

  /// Whether it is being taken off, or was, while another one waits for its place.
  func isLeaving(_ item: Item) -> Bool { removals.contains { $0.item.matchIdentifier == item.matchIdentifier } }

  /// Begins to take it off; false when that has begun before.
  mutating func beginRemoval(_ item: Item, _ cause: Removal.Cause) -> Bool {
    guard removal(of: item.matchIdentifier) == nil else { return false }
    removals.append(Removal(item: item, cause: cause))
    return true
  }

  /// It is off the screen, or stays there.
  mutating func endRemoval(_ item: Item, isGone: Bool) {
    for index in removals.indices where removals[index].item.matchIdentifier == item.matchIdentifier {
      removals[index].isGone = isGone
    }
    removals.removeAll { !$0.cause.makesPlace && $0.isOver }
  }

  /// Whether all that was to make place has been answered for; from then on it is forgotten.
  mutating func takePlaceMade() -> Bool {
    guard removals.allSatisfy({ !$0.cause.makesPlace || $0.isOver }) else { return false }
    removals.removeAll(where: \.cause.makesPlace)
    return true
  }

  /// The process is another one, or this is a trial: nobody answers for what was being taken off.
  mutating func forgetRemovals() { removals = [] }

  // MARK: Time

  /// The wall clock was set: each time becomes what `moved` makes of it.
  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) { lastRemoved = lastRemoved.map(moved) }
}
