/// What the host is handed: a notification or a geotrigger of one campaign at one region (reference: items.md).
public struct Item: Equatable, Sendable, CustomStringConvertible {
  /// All that it is, behind one reference: copies go from hand to hand.
  private struct Values: Equatable {
    var kind: Campaign.Kind
    var campaign: Identifier
    var region: Identifier
    var regionName: String?
    var matchIdentifier: String? { didSet { noteMatch() } }
    var visit: String?
    var content: Content
    var coordinate: Coordinate?
    var trigger: Trigger
    var matchRange: Int64
    var sent: Sent?
    var priority: Int64 = 0
    var correlationKey: String?
    var coalesced: [ItemKey] = []
    var incoming: Incoming?
    /// Of the match identifier: most differ in it.
    private(set) var matchHash: UInt64 = 0

    mutating func noteMatch() { matchHash = matchIdentifier.map { Identifier($0).stableHash } ?? 0 }
  }

  private final class Box: @unchecked Sendable {
    @exclusivity(unchecked) var values: Values

    init(_ values: Values) { unsafe self.values = values }
  }

  private var box: Box

  private mutating func ownBox() {
    if !isKnownUniquelyReferenced(&box) { box = unsafe Box(box.values) }
  }

  public var description: String { unsafe "\(box.values)" }

  public static func == (a: Item, b: Item) -> Bool { unsafe a.box === b.box || a.box.values == b.box.values }

  public var kind: Campaign.Kind {
    _read { yield unsafe box.values.kind }
    _modify {
      ownBox()
      yield unsafe &box.values.kind
    }
  }

  public var campaign: Identifier {
    _read { yield unsafe box.values.campaign }
    _modify {
      ownBox()
      yield unsafe &box.values.campaign
    }
  }

  public var region: Identifier {
    _read { yield unsafe box.values.region }
    _modify {
      ownBox()
      yield unsafe &box.values.region
    }
  }

  public var regionName: String? {
    _read { yield unsafe box.values.regionName }
    _modify {
      ownBox()
      yield unsafe &box.values.regionName
    }
  }

  /// One occurrence; nil in the loaded lists.
  public var matchIdentifier: String? {
    _read { yield unsafe box.values.matchIdentifier }
    _modify {
      ownBox()
      yield unsafe &box.values.matchIdentifier
    }
  }

  /// The visit it happened in; nil in the loaded lists.
  public var visit: String? {
    _read { yield unsafe box.values.visit }
    _modify {
      ownBox()
      yield unsafe &box.values.visit
    }
  }

  public var content: Content {
    _read { yield unsafe box.values.content }
    _modify {
      ownBox()
      yield unsafe &box.values.content
    }
  }

  public var coordinate: Coordinate? {
    _read { yield unsafe box.values.coordinate }
    _modify {
      ownBox()
      yield unsafe &box.values.coordinate
    }
  }

  public var trigger: Trigger {
    _read { yield unsafe box.values.trigger }
    _modify {
      ownBox()
      yield unsafe &box.values.trigger
    }
  }

  public var matchRange: Int64 {
    _read { yield unsafe box.values.matchRange }
    _modify {
      ownBox()
      yield unsafe &box.values.matchRange
    }
  }

  public var sent: Sent? {
    _read { yield unsafe box.values.sent }
    _modify {
      ownBox()
      yield unsafe &box.values.sent
    }
  }

  public var priority: Int64 {
    _read { yield unsafe box.values.priority }
    _modify {
      ownBox()
      yield unsafe &box.values.priority
    }
  }

  /// What it replaces on the screen.
  public var correlationKey: String? {
    _read { yield unsafe box.values.correlationKey }
    _modify {
      ownBox()
      yield unsafe &box.values.correlationKey
    }
  }

  /// The others that it stands for.
  public var coalesced: [ItemKey] {
    _read { yield unsafe box.values.coalesced }
    _modify {
      ownBox()
      yield unsafe &box.values.coalesced
    }
  }

  /// Messages only; then campaign and region are empty.
  public var incoming: Incoming? {
    _read { yield unsafe box.values.incoming }
    _modify {
      ownBox()
      yield unsafe &box.values.incoming
    }
  }

  /// Whether both have the same match identifier.
  func isOccurrence(of other: Item) -> Bool {
    guard unsafe box.values.matchHash == other.box.values.matchHash else { return false }
    return matchIdentifier == other.matchIdentifier
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
    var values = Values(
      kind: kind, campaign: campaign, region: region, regionName: regionName, matchIdentifier: matchIdentifier,
      visit: visit, content: Content(message: message, data: data), coordinate: coordinate, trigger: trigger,
      matchRange: matchRange, sent: sent)
    values.noteMatch()
    box = Box(values)
  }

  init(_ campaign: Campaign, _ region: Region, _ content: Content, visit: String?, match: String?) {
    self.init(
      kind: campaign.kind, campaign: campaign.id, region: region.id, regionName: region.name, matchIdentifier: match,
      visit: visit, message: content.message, data: content.data, coordinate: region.coordinate,
      trigger: campaign.trigger, matchRange: region.matchRange)
    self.content = content
    priority = campaign.priority
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
public struct ItemKey: Hashable, Sendable {
  public var campaign: Identifier
  public var region: Identifier

  public init(campaign: Identifier, region: Identifier) {
    self.campaign = campaign
    self.region = region
  }
}
