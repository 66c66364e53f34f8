/// A notification or a geotrigger of one campaign at one region, as the host gets it.
public struct Item: Equatable, Sendable, CustomStringConvertible {
  struct Values: Equatable, Sendable {
    var kind: Campaign.Kind
    var campaign: Identifier
    var region: Identifier
    var regionName: String?
    var matchIdentifier: String?
    var visit: String?
    var content: Content
    var coordinate: Coordinate?
    var trigger: Trigger
    var matchRange: Int64
    var priority: Int64 = 0
    var stay = Stay.forEver
    var updates: String?
    var correlationKey: String?
    var coalesced: [ItemKey] = []
    var incoming: Boxed<Incoming>?
    var travel: TravelTime?
    var opening = Opening()
  }

  private var boxed: Boxed<Values>
  /// Of the match identifier: most differ in it. Beside the box, so that a list is searched without a look into each.
  private(set) var matchHash: UInt64 = 0
  /// `.min` for none. Beside the box, too: they change while others have the item, and the rest does not.
  private var sentDate = Milliseconds.min
  private var answeredDate = Milliseconds.min

  /// Codes what is in the box: as a whole, for the box is copied when it changes.
  mutating func codeValues<Coder: StateCoder>(_ coder: inout Coder) {
    var values = boxed.values
    values.code(&coder)
    guard Coder.reads else { return }
    boxed = Boxed(values)
    noteMatch()
  }

  private mutating func noteMatch() { matchHash = matchIdentifier.map { Identifier($0).stableHash } ?? 0 }

  public var description: String { "\(boxed), sent \(sentDate), answered \(answeredDate)" }

  public var kind: Campaign.Kind {
    _read { yield boxed.values.kind }
    _modify { yield &boxed.values.kind }
  }

  public var campaign: Identifier {
    _read { yield boxed.values.campaign }
    _modify { yield &boxed.values.campaign }
  }

  public var region: Identifier {
    _read { yield boxed.values.region }
    _modify { yield &boxed.values.region }
  }

  public var regionName: String? {
    _read { yield boxed.values.regionName }
    _modify { yield &boxed.values.regionName }
  }

  /// One occurrence; nil in the loaded lists.
  public var matchIdentifier: String? {
    _read {
      Work.note()
      yield boxed.values.matchIdentifier
    }
    _modify {
      defer { noteMatch() }
      yield &boxed.values.matchIdentifier
    }
  }

  /// The visit it happened in; nil in the loaded lists.
  public var visit: String? {
    _read { yield boxed.values.visit }
    _modify { yield &boxed.values.visit }
  }

  /// Of one that is handed to the app because the person has opened it; nothing else has it.
  public var opening: Opening {
    _read { yield boxed.values.opening }
    _modify { yield &boxed.values.opening }
  }

  public var content: Content {
    _read { yield boxed.values.content }
    _modify { yield &boxed.values.content }
  }

  public var coordinate: Coordinate? {
    _read { yield boxed.values.coordinate }
    _modify { yield &boxed.values.coordinate }
  }

  public var trigger: Trigger {
    _read { yield boxed.values.trigger }
    _modify { yield &boxed.values.trigger }
  }

  public var matchRange: Int64 {
    _read { yield boxed.values.matchRange }
    _modify { yield &boxed.values.matchRange }
  }

  /// Of the region, where it is an isochrone.
  public var travel: TravelTime? {
    _read { yield boxed.values.travel }
    _modify { yield &boxed.values.travel }
  }

  public var sent: Sent? {
    get { sentDate == .min ? nil : Sent(date: sentDate, answered: answeredDate == .min ? nil : answeredDate) }
    set {
      sentDate = newValue?.date ?? .min
      answeredDate = newValue?.answered ?? .min
    }
  }

  public var priority: Int64 {
    _read { yield boxed.values.priority }
    _modify { yield &boxed.values.priority }
  }

  /// When it leaves the screen by itself, where its campaign has left the feed and cannot say.
  public var stay: Stay {
    _read { yield boxed.values.stay }
    _modify { yield &boxed.values.stay }
  }

  /// The match identifier of the display whose content it changes.
  public var updates: String? {
    _read { yield boxed.values.updates }
    _modify { yield &boxed.values.updates }
  }

  /// The key of the notifications that it replaces on the screen.
  public var correlationKey: String? {
    _read { yield boxed.values.correlationKey }
    _modify { yield &boxed.values.correlationKey }
  }

  /// The others that it stands for.
  public var coalesced: [ItemKey] {
    _read { yield boxed.values.coalesced }
    _modify { yield &boxed.values.coalesced }
  }

  /// Messages only; then campaign and region are empty.
  public var incoming: Incoming? {
    get { boxed.values.incoming?.values }
    set { boxed.values.incoming = newValue.map { Boxed($0) } }
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

  public init(
    kind: Campaign.Kind, campaign: Identifier, region: Identifier, regionName: String?, matchIdentifier: String?,
    visit: String?, message: String, data: String, coordinate: Coordinate?, trigger: Trigger, matchRange: Int64,
    sent: Sent? = nil
  ) {
    self.init(
      Values(
        kind: kind, campaign: campaign, region: region, regionName: regionName, matchIdentifier: matchIdentifier,
        visit: visit, content: Content(message: message, data: data), coordinate: coordinate, trigger: trigger,
        matchRange: matchRange))
    self.sent = sent
  }

  init(_ campaign: Campaign, _ region: Region, _ content: Content, visit: String?, match: String?) {
    self.init(
      Values(
        kind: campaign.kind, campaign: campaign.id, region: region.id, regionName: region.name, matchIdentifier: match,
        visit: visit, content: content, coordinate: region.coordinate, trigger: campaign.trigger,
        matchRange: region.matchRange, priority: campaign.priority, stay: campaign.stay, travel: region.travel))
  }

  private init(_ values: Values) {
    boxed = Boxed(values)
    noteMatch()
  }

  public var message: String {
    get { content.message }
    set { content.message = newValue }
  }

  public var data: String {
    get { content.data }
    set { content.data = newValue }
  }

  public var identifier: String { incoming?.id ?? "\(campaign.text);\(region.text)" }

  public var isBeacon: Bool { coordinate == nil }

  public var isGeotrigger: Bool { kind == .geotrigger }

  var key: ItemKey { ItemKey(campaign: campaign, region: region) }
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
