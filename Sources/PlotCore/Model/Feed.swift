/// A campaign feed: places, and what happens there. Immutable, so that many engines may share one.
public final class Feed: Sendable {
  public let revision: String?
  public let regions: FeedList<Region>
  public let campaigns: FeedList<Campaign>
  public let settings: FeedSettings
  public let categories: [Category]
  /// Stands for the contents: feeds of equal text have equal digests.
  public let digest: String
  public let index: RegionIndex
  public let tables: FeedTables
  /// Whether a campaign's cooldown counts from something else than its display; of a compiled feed that is not known, and taken to be so.
  let hasAnchors: Bool
  /// Whether a notification of some campaign leaves the screen by itself.
  let hasStays: Bool
  private let categoryPositions: [Identifier: Int]

  public static let empty = Feed(revision: nil, regions: [], campaigns: [], digest: "")

  /// `campaigns` refer to `regions` by position; ids must be unique.
  public convenience init(
    revision: String?, regions: FeedList<Region>, campaigns: FeedList<Campaign>,
    settings: FeedSettings = FeedSettings(), categories: [Category] = [], digest: String
  ) {
    self.init(
      revision: revision, regions: regions, campaigns: campaigns, settings: settings, categories: categories,
      digest: digest, index: RegionIndex(regions.elements), tables: FeedTables(regions, campaigns, settings))
  }

  public convenience init(
    revision: String?, regions: [Region], campaigns: [Campaign], settings: FeedSettings = FeedSettings(),
    categories: [Category] = [], digest: String
  ) {
    self.init(
      revision: revision, regions: FeedList(regions), campaigns: FeedList(campaigns), settings: settings,
      categories: categories, digest: digest)
  }

  /// With all that follows from the regions and campaigns, as a compiled feed has it.
  public init(
    revision: String?, regions: FeedList<Region>, campaigns: FeedList<Campaign>, settings: FeedSettings,
    categories: [Category], digest: String, index: RegionIndex, tables: FeedTables
  ) {
    self.revision = revision
    self.regions = regions
    self.campaigns = campaigns
    self.settings = settings
    self.categories = categories
    self.digest = digest
    self.index = index
    self.tables = tables
    hasStays =
      campaigns.records != nil || campaigns.elements.contains { $0.stay != .forEver || $0.welcome != nil }
    hasAnchors = campaigns.records != nil || campaigns.elements.contains { $0.cooldownAnchor != .shown }
    categoryPositions = Dictionary(
      categories.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Regions that move, those whose passages count, and those whose approach does, as positions by id.
  var moving: [Int] { tables.moving }
  var passable: [Int] { tables.passable }
  var approachable: [Int] { tables.approachable }
  var absent: [Int] { tables.absent }

  /// The zones that it names.
  public var zoneNames: [String] { tables.zoneNames }

  /// The campaigns of a region, as positions, in the order of the feed.
  public func campaigns(at region: Int) -> ArraySlice<Int> { tables.campaigns[region] }

  /// Asks for where a region and its campaigns are said to be, and then for what will be looked at of them.
  @inline(__always)
  func prefetchPlace(_ region: Int) {
    regions.prefetchPlace(region)
    tables.campaigns.prefetchPlace(region)
  }

  @inline(__always)
  func prefetch(_ region: Int) {
    regions.prefetch(region)
    tables.campaigns.prefetch(region)
  }

  /// A campaign.
  public func campaign(_ id: Identifier) -> Campaign? {
    campaigns.position(of: id).map { campaigns[$0] }
  }

  /// The position of a campaign.
  public func campaignPosition(_ id: Identifier) -> Int? { campaigns.position(of: id) }

  /// The position of a campaign that is about a region; nil when it is not.
  func campaignPosition(_ id: Identifier, at region: Int) -> Int? {
    guard let position = campaignPosition(id) else { return nil }
    let all = campaigns(at: region)
    let place = all.startIndex + Bisection.place(in: all.count) { all[all.startIndex + $0] < position }
    return place < all.endIndex && all[place] == position ? position : nil
  }

  /// The position of a region.
  public func region(_ id: Identifier) -> Int? {
    regions.position(of: id)
  }

  public func category(_ id: Identifier) -> Category? {
    categoryPositions[id].map { categories[$0] }
  }
}
