/// What the host is handed: a notification or a geotrigger of one campaign at one region (reference: items.md).
public struct Item: Equatable, Sendable {
  public var kind: Campaign.Kind
  public var campaign: Identifier
  public var region: Identifier
  public var regionName: String?
  /// One occurrence; nil in the loaded lists.
  public var matchIdentifier: String?
  /// The visit it happened in; nil in the loaded lists.
  public var visit: String?
  public var content: Content
  public var coordinate: Coordinate?
  public var trigger: Trigger
  public var matchRange: Int64
  public var sent: Sent?
  public var priority: Int64 = 0
  /// What it replaces on the screen.
  public var correlationKey: String?
  /// The others that it stands for.
  public var coalesced: [ItemKey] = []
  /// Messages only; then campaign and region are empty.
  public var incoming: Incoming?

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
    self.kind = kind
    self.campaign = campaign
    self.region = region
    self.regionName = regionName
    self.matchIdentifier = matchIdentifier
    self.visit = visit
    content = Content(message: message, data: data)
    self.coordinate = coordinate
    self.trigger = trigger
    self.matchRange = matchRange
    self.sent = sent
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
