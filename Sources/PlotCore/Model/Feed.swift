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
  public init(
    revision: String?, regions: [Region], campaigns: [Campaign], settings: FeedSettings = FeedSettings(),
    categories: [Category] = [], digest: String
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
    moving = byId(regions.indices.filter { regions[$0].isMoving })
    passable = byId(campaigns.filter(\.countsPassages).flatMap(\.regions))
    approachable = byId(campaigns.filter { $0.trigger.arrivalSeconds != nil }.flatMap(\.regions))
    var starts = [Int](repeating: 0, count: regions.count + 1)
    for campaign in campaigns {
      for region in campaign.regions { starts[region + 1] += 1 }
    }
    for region in regions.indices { starts[region + 1] += starts[region] }
    var next = starts
    var positions = [Int](repeating: 0, count: starts[regions.count])
    for (position, campaign) in campaigns.enumerated() {
      for region in campaign.regions {
        positions[next[region]] = position
        next[region] += 1
      }
    }
    campaignStarts = starts
    campaignPositions = positions
    campaignIds = Dictionary(campaigns.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    regionPositions = Dictionary(regions.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
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

  /// The position of a campaign.
  public func campaignPosition(_ id: Identifier) -> Int? { campaignIds[id] }

  /// The position of a region.
  public func region(_ id: Identifier) -> Int? {
    regionPositions[id]
  }

  public func category(_ id: Identifier) -> Category? {
    categoryPositions[id].map { categories[$0] }
  }
}
