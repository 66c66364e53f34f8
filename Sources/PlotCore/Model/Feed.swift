/// A campaign feed: places, and what happens there. Immutable, so that many engines may share one.
public final class Feed: Sendable {
  public let revision: String?
  public let regions: [Region]
  public let campaigns: [Campaign]
  public let settings: FeedSettings
  public let categories: [Category]
  /// Stands for the contents: feeds of equal text have equal digests.
  public let digest: String
  let index: RegionIndex
  let chains: ChainIndex
  let beacons: BeaconIndex
  /// Regions that move, those whose passages count, and those whose approach does, as positions by id.
  let moving: [Int]
  let passable: [Int]
  let approachable: [Int]
  private let campaignStarts: [Int]
  private let campaignPositions: [Int]
  private let regionPositions: [Identifier: Int]
  private let categoryPositions: [Identifier: Int]
  private let campaignIds: [Identifier: Int]

  public static let empty = Feed(revision: nil, regions: [], campaigns: [], digest: "")

  /// `campaigns` refer to `regions` by position; ids must be unique.
  public convenience init(
    revision: String?, regions: [Region], campaigns: [Campaign], settings: FeedSettings = FeedSettings(),
    categories: [Category] = [], digest: String
  ) {
    var regionPositions: [Identifier: Int] = [:]
    var campaignPositions: [Identifier: Int] = [:]
    for position in regions.indices.reversed() { regionPositions[regions[position].id] = position }
    for position in campaigns.indices.reversed() { campaignPositions[campaigns[position].id] = position }
    self.init(
      revision: revision, regions: regions, campaigns: campaigns, settings: settings, categories: categories,
      digest: digest, regionPositions: regionPositions, campaignPositions: campaignPositions)
  }

  /// The same, with the positions of all ids.
  public init(
    revision: String?, regions: [Region], campaigns: [Campaign], settings: FeedSettings, categories: [Category],
    digest: String, regionPositions: [Identifier: Int], campaignPositions: [Identifier: Int]
  ) {
    self.revision = revision
    self.regions = regions
    self.campaigns = campaigns
    self.settings = settings
    self.categories = categories
    self.digest = digest
    index = RegionIndex(regions)
    chains = ChainIndex(campaigns)
    beacons = BeaconIndex(regions)
    func byId(_ positions: [Int]) -> [Int] { Set(positions).sorted { regions[$0].id < regions[$1].id } }
    var (passable, approachable): ([Int], [Int]) = ([], [])
    // Of each region, where its campaigns begin in `positions`: counted one place further, for they are added up.
    var starts = [Int](repeating: 0, count: regions.count + 1)
    for position in campaigns.indices {
      if campaigns[position].countsPassages { passable += campaigns[position].regions }
      if campaigns[position].trigger.arrivalSeconds != nil { approachable += campaigns[position].regions }
      for region in campaigns[position].regions { starts[region + 1] += 1 }
    }
    moving = byId(regions.indices.filter { regions[$0].isMoving })
    self.passable = byId(passable)
    self.approachable = byId(approachable)
    for region in regions.indices { starts[region + 1] += starts[region] }
    var next = starts
    var positions = [Int](repeating: 0, count: starts[regions.count])
    for position in campaigns.indices {
      for region in campaigns[position].regions {
        positions[next[region]] = position
        next[region] += 1
      }
    }
    campaignStarts = starts
    self.campaignPositions = positions
    campaignIds = campaignPositions
    self.regionPositions = regionPositions
    categoryPositions = Dictionary(
      categories.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The campaigns of a region, as positions, in the order of the feed.
  public func campaigns(at region: Int) -> ArraySlice<Int> {
    campaignPositions[campaignStarts[region]..<campaignStarts[region + 1]]
  }

  /// A campaign.
  public func campaign(_ id: Identifier) -> Campaign? {
    campaignIds[id].map { campaigns[$0] }
  }

  /// The position of a region.
  public func region(_ id: Identifier) -> Int? {
    regionPositions[id]
  }

  public func category(_ id: Identifier) -> Category? {
    categoryPositions[id].map { categories[$0] }
  }
}
