/// What the host is handed: a notification or a geotrigger of one campaign at one region (reference: items.md).
public struct Item: Equatable, Sendable {
  /// All that an item is, behind one reference: items go from list to list.
  private struct Values: Equatable {
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
    var sent: Sent?
    var priority: Int64 = 0
    var correlationKey: String?
    var coalesced: [ItemKey] = []
    var incoming: Incoming?
  }

  private final class Box: @unchecked Sendable {
    var values: Values

    init(_ values: Values) { self.values = values }
  }

  private var box: Box

  private mutating func ownBox() {
    if !isKnownUniquelyReferenced(&box) { box = Box(box.values) }
  }

  public static func == (a: Item, b: Item) -> Bool { a.box === b.box || a.box.values == b.box.values }

  public var kind: Campaign.Kind {
    _read { yield box.values.kind }
    _modify {
      ownBox()
      yield &box.values.kind
    }
  }

  public var campaign: Identifier {
    _read { yield box.values.campaign }
    _modify {
      ownBox()
      yield &box.values.campaign
    }
  }

  public var region: Identifier {
    _read { yield box.values.region }
    _modify {
      ownBox()
      yield &box.values.region
    }
  }

  public var regionName: String? {
    _read { yield box.values.regionName }
    _modify {
      ownBox()
      yield &box.values.regionName
    }
  }

  /// One occurrence; nil in the loaded lists.
  public var matchIdentifier: String? {
    _read { yield box.values.matchIdentifier }
    _modify {
      ownBox()
      yield &box.values.matchIdentifier
    }
  }

  /// The visit it happened in; nil in the loaded lists.
  public var visit: String? {
    _read { yield box.values.visit }
    _modify {
      ownBox()
      yield &box.values.visit
    }
  }

  public var content: Content {
    _read { yield box.values.content }
    _modify {
      ownBox()
      yield &box.values.content
    }
  }

  public var coordinate: Coordinate? {
    _read { yield box.values.coordinate }
    _modify {
      ownBox()
      yield &box.values.coordinate
    }
  }

  public var trigger: Trigger {
    _read { yield box.values.trigger }
    _modify {
      ownBox()
      yield &box.values.trigger
    }
  }

  public var matchRange: Int64 {
    _read { yield box.values.matchRange }
    _modify {
      ownBox()
      yield &box.values.matchRange
    }
  }

  public var sent: Sent? {
    _read { yield box.values.sent }
    _modify {
      ownBox()
      yield &box.values.sent
    }
  }

  public var priority: Int64 {
    _read { yield box.values.priority }
    _modify {
      ownBox()
      yield &box.values.priority
    }
  }

  /// What it replaces on the screen.
  public var correlationKey: String? {
    _read { yield box.values.correlationKey }
    _modify {
      ownBox()
      yield &box.values.correlationKey
    }
  }

  /// The others that it stands for.
  public var coalesced: [ItemKey] {
    _read { yield box.values.coalesced }
    _modify {
      ownBox()
      yield &box.values.coalesced
    }
  }

  /// Messages only; then campaign and region are empty.
  public var incoming: Incoming? {
    _read { yield box.values.incoming }
    _modify {
      ownBox()
      yield &box.values.incoming
    }
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
    box = Box(
      Values(
        kind: kind, campaign: campaign, region: region, regionName: regionName, matchIdentifier: matchIdentifier,
        visit: visit, content: Content(message: message, data: data), coordinate: coordinate, trigger: trigger,
        matchRange: matchRange, sent: sent))
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
