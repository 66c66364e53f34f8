/// A notification or a geotrigger of one campaign at one region that may come: an entry of a loaded list.
public struct LoadedItem: Equatable, Sendable {
  public var kind: Campaign.Kind
  public var campaign: Identifier
  public var region: Identifier
  public var regionName: String?
  public var content: Content
  /// Nil for a beacon.
  public var coordinate: Coordinate?
  public var trigger: Trigger
  public var matchRange: Int64
  public var priority: Int64 = 0
  /// When it leaves the screen by itself, where its campaign has left the feed and cannot say.
  public var stay = Stay.forEver
  /// Of the region, where it is an isochrone.
  public var travel: TravelTime?

  public var identifier: String { "\(campaign.text);\(region.text)" }

  public var message: String { content.message }

  public var data: String { content.data }

  public var isBeacon: Bool { coordinate == nil }

  public var isGeotrigger: Bool { kind == .geotrigger }
}

// The memberwise initializer stays beside these: it copies nothing.
extension LoadedItem {
  public init(
    kind: Campaign.Kind, campaign: Identifier, region: Identifier, regionName: String? = nil, content: Content,
    coordinate: Coordinate?, trigger: Trigger, matchRange: Int64
  ) {
    self.init(
      kind: kind, campaign: campaign, region: region, regionName: regionName, content: content, coordinate: coordinate,
      trigger: trigger, matchRange: matchRange, priority: 0, stay: .forEver, travel: nil)
  }

  // Without key paths: these copy all values of a region to read one, where several are read.
  init(_ campaign: Campaign, _ region: Region, _ content: Content) {
    self.init(
      kind: campaign.boxed.values.kind, campaign: campaign.boxed.values.id, region: region.boxed.values.id,
      regionName: region.boxed.values.name, content: content, coordinate: region.coordinate,
      trigger: campaign.boxed.values.trigger, matchRange: region.matchRange,
      priority: campaign.boxed.values.priority, stay: campaign.boxed.values.stay,
      travel: region.boxed.values.travel)
  }
}

/// One occurrence of a notification or a geotrigger, as the host gets it; or a message.
@dynamicMemberLookup
public struct Item: Equatable, Sendable, BoxedValues {
  /// The values of an item; each is read as a property of its own, and so are those of its loaded item.
  public struct Values: Equatable, Sendable {
    /// Of a message, campaign and region are empty.
    public var loaded: LoadedItem
    public internal(set) var matchIdentifier: String
    /// The visit it happened in; nil for a message.
    public var visit: String?
    /// The match identifier of the display whose content it changes.
    public var updates: String?
    /// The key of the notifications that it replaces on the screen.
    public var correlationKey: String?
    /// The others that it stands for.
    public var coalesced: [ItemKey] = []
    /// Few are messages.
    var boxedIncoming: Boxed<Incoming>?
    /// Of one that is handed to the app because the person has opened it; nothing else has it.
    public var opening = Opening()

    /// Messages only.
    public var incoming: Incoming? {
      get { boxedIncoming?.values }
      set { boxedIncoming = newValue.map { Boxed($0) } }
    }
  }

  public var boxed: Boxed<Values>
  /// Of the match identifier: most differ in it. Beside the box, so that a list is searched without a look into each.
  private(set) var matchHash: UInt64
  /// `.min` for none. Beside the box, too: they change while others have the item, and the rest does not.
  private var sentDate = Milliseconds.min
  private var answeredDate = Milliseconds.min

  @inlinable
  public subscript<T>(dynamicMember path: KeyPath<LoadedItem, T>) -> T {
    _read { yield boxed.values.loaded[keyPath: path] }
  }

  /// Codes what is in the box: as a whole, for the box is copied when it changes.
  mutating func codeValues<Coder: StateCoder>(_ coder: inout Coder) {
    var values = boxed.values
    values.code(&coder)
    guard Coder.reads else { return }
    boxed = Boxed(values)
    matchHash = Self.hash(of: values.matchIdentifier)
  }

  private static func hash(of matchIdentifier: String) -> UInt64 { Identifier(matchIdentifier).stableHash }

  public var description: String { "\(boxed), sent \(sentDate), answered \(answeredDate)" }

  /// Tells the occurrence from all others.
  public var matchIdentifier: String {
    _read {
      Work.note()
      yield boxed.values.matchIdentifier
    }
    _modify {
      defer { matchHash = Self.hash(of: boxed.values.matchIdentifier) }
      yield &boxed.values.matchIdentifier
    }
  }

  public var sent: Sent? {
    get { sentDate == .min ? nil : Sent(date: sentDate, answered: answeredDate == .min ? nil : answeredDate) }
    set {
      sentDate = newValue?.date ?? .min
      answeredDate = newValue?.answered ?? .min
    }
  }

  /// Whether both have the same match identifier.
  func isOccurrence(of other: Item) -> Bool {
    matchHash == other.matchHash && matchIdentifier == other.matchIdentifier
  }

  /// When it was sent, and when it was first opened (a notification) or handled (a geotrigger).
  public struct Sent: Equatable, Sendable {
    public var date: Milliseconds
    public var answered: Milliseconds?

    public init(date: Milliseconds, answered: Milliseconds?) {
      self.date = date
      self.answered = answered
    }
  }

  public init(_ loaded: consuming LoadedItem, matchIdentifier: String, visit: String?, sent: Sent? = nil) {
    boxed = Boxed(Values(loaded: loaded, matchIdentifier: matchIdentifier, visit: visit))
    matchHash = Self.hash(of: matchIdentifier)
    self.sent = sent
  }

  public var identifier: String { incoming?.id ?? boxed.values.loaded.identifier }

  // A key path to a computed value is looked up as the program runs; these are read often.
  public var message: String { boxed.values.loaded.content.message }

  public var data: String { boxed.values.loaded.content.data }

  public var isBeacon: Bool { boxed.values.loaded.isBeacon }

  public var isGeotrigger: Bool { boxed.values.loaded.isGeotrigger }

  /// Messages only.
  public var incoming: Incoming? { boxed.values.incoming }

  var key: ItemKey { ItemKey(campaign: self.campaign, region: self.region) }
}

/// One notification in the sense of "shown once": a campaign at a region.
public struct ItemKey: Hashable, NumberTableKey {
  public var campaign: Identifier
  public var region: Identifier

  public var keyedHash: UInt64 {
    Work.note()
    var hash = KeyedHash()
    hash.add(campaign.text)
    hash.add(region.text)
    return hash.finished()
  }

  public init(campaign: Identifier, region: Identifier) {
    self.campaign = campaign
    self.region = region
  }
}

extension NumberTable where Key == ItemKey {
  /// Prefetches the slots and the place of the next entry.
  @inline(__always)
  func prefetch() {
    Prefetch.target(of: slots, at: 0, 256)
    Prefetch.targets(of: entries, and: 32 &+ count &* MemoryLayout<(key: ItemKey, value: Int64)>.stride)
  }
}

/// How a notification is opened.
public struct Opening: Equatable, Sendable {
  public var isAppInForeground = false
  /// The person is to be asked before the default is done.
  public var confirms = false

  public init(isAppInForeground: Bool = false, confirms: Bool = false) {
    self.isAppInForeground = isAppInForeground
    self.confirms = confirms
  }
}
