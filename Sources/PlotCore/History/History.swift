/// Displays, handled geotriggers and opened notifications, and the progress of the walks of campaigns. Their consequences are for the rules to
/// say.
///
/// Invariants: `campaignShown` has the newest of `lastShown` for each campaign; `displays` are in the order of their times, at most
/// `Display.limit` of them; a sent list has each occurrence once; a walk has begun.
public struct History: Sendable {
  // The fields that each crossing reads come first. Its functions are inlined, so that a change that nobody keeps is not made.
  /// When each notification was last shown, and each geotrigger last handled.
  public private(set) var lastShown = NumberTable<ItemKey>()
  /// The newest of `lastShown` for each campaign; not stored by itself.
  public private(set) var campaignShown = NumberTable<Identifier>()
  public private(set) var sentGeotriggers = SentList()
  public private(set) var sentNotifications = SentList()
  /// From when the cooldown of a campaign with another anchor than its display counts; `.max` while it has not begun.
  public private(set) var anchors: [ItemKey: Milliseconds] = [:]
  /// How far one is in the steps of each campaign (`Chain.advance`); those that have not begun are left out.
  public private(set) var chains: [Identifier: [Milliseconds?]] = [:]
  /// When any notification was last shown.
  public private(set) var lastNotification: Milliseconds?
  /// When a notification of each campaign was last opened.
  public private(set) var lastOpened: [Identifier: Milliseconds] = [:]
  /// Confirmed displays of notifications, oldest first.
  public private(set) var displays: [Display] = []

  public init(lastNotification: Milliseconds? = nil) { self.lastNotification = lastNotification }

  /// Asks for what a crossing looks at.
  @inline(__always)
  func prefetch() {
    lastShown.prefetch()
    campaignShown.prefetch()
    sentGeotriggers.prefetch()
  }

  /// A sent notification; nil when it has left the list.
  func sentNotification(_ matchIdentifier: String) -> Item? {
    sentNotifications.last { $0.matchIdentifier == matchIdentifier }
  }

  // MARK: Changes

  /// It was shown, or handled.
  @inline(__always)
  mutating func show(_ key: ItemKey, at time: Milliseconds, beginsCooldown: Bool) -> HistoryChange {
    noteShown(key, time, beginsCooldown)
    return .shown(key, time, beginsCooldown: beginsCooldown)
  }

  private mutating func noteShown(_ key: ItemKey, _ time: Milliseconds, _ beginsCooldown: Bool) {
    lastShown.set(key, time)
    campaignShown.change(key.campaign) { max($0 ?? 0, time) }
    if beginsCooldown { lastNotification = time }
  }

  /// Its campaign was opened.
  mutating func open(_ campaign: Identifier, at time: Milliseconds) -> HistoryChange {
    let change = HistoryChange.opened(campaign: campaign, time)
    apply(change)
    return change
  }

  /// Its cooldown counts from then; `.max` for later.
  mutating func setAnchor(_ key: ItemKey, _ time: Milliseconds) -> HistoryChange {
    let change = HistoryChange.anchor(key, time)
    apply(change)
    return change
  }

  /// Puts an item into its sent list, or changes the one that is there. Another one may leave the list for it.
  @inline(__always)
  mutating func list(_ item: Item) -> (kept: HistoryChange, left: HistoryChange?) {
    let oldest = put(item)
    return (.sent(item), oldest.map { .sentRemoved(matchIdentifier: $0.matchIdentifier) })
  }

  @inline(__always)
  private mutating func put(_ item: Item) -> Item? {
    item.isGeotrigger ? sentGeotriggers.put(item) : sentNotifications.put(item)
  }

  /// Empties a sent list; nil when it is empty.
  mutating func clearSent(isGeotrigger: Bool) -> HistoryChange? {
    guard !(isGeotrigger ? sentGeotriggers : sentNotifications).isEmpty else { return nil }
    let change = HistoryChange.sentCleared(isGeotrigger: isGeotrigger)
    apply(change)
    return change
  }

  /// Counts a display, and forgets those that are too old, or too many.
  mutating func count(_ display: Display) -> (counted: HistoryChange, forgotten: HistoryChange?) {
    displays.append(display)
    let old = displays.prefix { $0.time <= display.time - Display.memory }.count
    let surplus = max(old, displays.count - Display.limit)
    guard surplus > 0 else { return (.display(display), nil) }
    displays.removeFirst(surplus)
    return (.display(display), .displaysForgotten(surplus))
  }

  /// How far a walk has come; none of its stages for one that begins anew.
  mutating func setChain(_ campaign: Identifier, _ starts: [Milliseconds?]) -> HistoryChange {
    let change = HistoryChange.chain(campaign, starts.allSatisfy { $0 == nil } ? nil : starts)
    apply(change)
    return change
  }

  /// Makes a change, new or not: what a store does with what it has kept.
  public mutating func apply(_ change: HistoryChange) {
    switch change {
    case .shown(let key, let time, let beginsCooldown): noteShown(key, time, beginsCooldown)
    case .lastNotification(let time): lastNotification = time
    case .opened(let campaign, let time): lastOpened[campaign] = time
    case .anchor(let key, let time): anchors[key] = time
    case .display(let display): displays.append(display)
    case .displaysForgotten(let count): displays.removeFirst(count)
    case .sent(let item): _ = put(item)
    // A full list has let it go by itself.
    case .sentRemoved: break
    case .sentCleared(isGeotrigger: true): sentGeotriggers = SentList()
    case .sentCleared(isGeotrigger: false): sentNotifications = SentList()
    case .chain(let campaign, let starts): chains[campaign] = starts
    }
  }

  // MARK: Time

  /// The wall clock was set: each time becomes what `moved` makes of it. What the host was told of a display keeps its date. Returned
  /// are the changes that a store cannot make by itself.
  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) -> [HistoryChange] {
    lastShown.changeAll(moved)
    campaignShown.changeAll(moved)
    lastOpened = lastOpened.mapValues(moved)
    lastNotification = lastNotification.map(moved)
    anchors = anchors.mapValues { $0 == .max ? .max : moved($0) }
    for index in displays.indices { displays[index].time = moved(displays[index].time) }
    return chains.sorted { $0.key < $1.key }.map { setChain($0.key, $0.value.map { $0.map(moved) }) }
  }
}
