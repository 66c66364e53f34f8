/// The tables by which a feed finds its regions and campaigns: only positions, so that a compiled feed has them without reading those.
public struct FeedTables: Equatable, Sendable {
  /// Lists of positions, one for each region; none at all stands for as many empty ones.
  public struct Rows: Equatable, Sendable {
    /// Where each list begins in `positions`, and where the last ends.
    public var starts: [Int] = []
    public var positions: [Int] = []

    public init(starts: [Int], positions: [Int]) {
      self.starts = starts
      self.positions = positions
    }

    /// `entries` in the order that each list has.
    init(count: Int, _ entries: [(row: Int, position: Int)]) {
      guard !entries.isEmpty else { return }
      var starts = [Int](repeating: 0, count: count + 1)
      for entry in entries { starts[entry.row + 1] += 1 }
      for row in 0..<count { starts[row + 1] += starts[row] }
      self.starts = starts
      positions = [Int](repeating: 0, count: entries.count)
      // From here on, where the next of each list goes.
      for entry in entries {
        positions[starts[entry.row]] = entry.position
        starts[entry.row] += 1
      }
    }

    /// Asks for where a list begins, and then, some time later, for the list.
    @inline(__always)
    func prefetchPlace(_ row: Int) { Prefetch.element(row, of: starts) }

    @inline(__always)
    func prefetch(_ row: Int) { if row < starts.count { Prefetch.element(starts[row], of: positions) } }

    /// The range of a list in `positions`. Iterating over it counts no reference, unlike a slice.
    @inline(__always)
    func places(_ row: Int) -> Range<Int> { starts.isEmpty ? 0..<0 : starts[row]..<starts[row + 1] }

    subscript(row: Int) -> ArraySlice<Int> { starts.isEmpty ? [] : positions[starts[row]..<starts[row + 1]] }
  }

  /// Regions that move, those whose passages count, those whose approach does, and groups; by id.
  public var moving: [Int] = []
  public var passable: [Int] = []
  public var approachable: [Int] = []
  public var groups: [Int] = []
  /// Campaigns that wait for an absence, in the order of the feed.
  public var absent: [Int] = []
  /// Of each region: its campaigns, and those whose steps name it, in the order of the feed; the groups that it is in, by id.
  public var campaigns: Rows
  public var steps: Rows
  public var memberships: Rows
  /// Beacons by what they send: hashes, ascending, and regions.
  public var senderHashes: [UInt64] = []
  public var senders: [Int] = []
  /// Those that the feed names, sorted.
  public var zoneNames: [String] = []

  public init() {
    campaigns = Rows(starts: [], positions: [])
    steps = campaigns
    memberships = campaigns
  }

  /// The zones that rules name.
  private static func name(_ caps: [Cap], _ quietHours: [QuietHours], _ zones: inout Set<String>) {
    for cap in caps { if case .days(_, .named(let zone)) = cap.span { zones.insert(zone.name) } }
    for rule in quietHours { if case .named(let zone) = rule.zone { zones.insert(zone.name) } }
  }

  /// Of lists in memory.
  init(_ all: FeedList<Region>, _ list: FeedList<Campaign>, _ settings: FeedSettings) {
    self.init()
    let (regions, campaigns) = (all.elements, list.elements)
    func byId(_ positions: [Int]) -> [Int] {
      positions.isEmpty ? [] : Set(positions).sorted { regions[$0].id < regions[$1].id }
    }
    var zone: ZoneRules?
    var zones: Set<String> = []
    var sending: [(hash: UInt64, position: Int)] = []
    for position in regions.indices {
      if regions[position].isMoving { moving.append(position) }
      if regions[position].shape.isGroup { groups.append(position) }
      if let key = regions[position].shape.senderKey { sending.append((key.stableHash, position)) }
      // Regions of one zone mostly follow each other.
      if let other = regions[position].zone, other !== zone {
        zones.insert(other.name)
        zone = other
      }
      Self.name(regions[position].caps, regions[position].quietHours, &zones)
    }
    for campaign in campaigns {
      if case .named(let zone) = campaign.times.zone { zones.insert(zone.name) }
      Self.name(campaign.caps, campaign.quietHours, &zones)
    }
    Self.name(settings.caps, settings.quietHours, &zones)
    zoneNames = zones.sorted()
    sending.sort { ($0.hash, $0.position) < ($1.hash, $1.position) }
    senderHashes = sending.map(\.hash)
    senders = sending.map(\.position)
    moving = byId(moving)
    groups = byId(groups)
    var members: [(row: Int, position: Int)] = []
    for position in groups {
      guard case .group(let group) = regions[position].shape else { continue }
      for member in group.members { if let row = all.position(of: member) { members.append((row, position)) } }
    }
    memberships = Rows(count: regions.count, members)
    var triggering: [(row: Int, position: Int)] = []
    var naming: [(row: Int, position: Int)] = []
    triggering.reserveCapacity(campaigns.count)
    for position in campaigns.indices {
      if campaigns[position].countsPassages || campaigns[position].crossing != nil {
        passable += campaigns[position].regions
      }
      if campaigns[position].trigger.arrivalSeconds != nil { approachable += campaigns[position].regions }
      if campaigns[position].absence != nil { absent.append(position) }
      for region in campaigns[position].regions { triggering.append((region, position)) }
      guard let chain = campaigns[position].after else { continue }
      var named: Set<Identifier> = []
      for link in chain.links where named.insert(link.region).inserted {
        if let row = all.position(of: link.region) { naming.append((row, position)) }
      }
    }
    passable = byId(passable)
    approachable = byId(approachable)
    self.campaigns = Rows(count: regions.count, triggering)
    steps = Rows(count: regions.count, naming)
  }
}

extension Feed {
  /// The campaigns whose steps name a region, in the order of the feed.
  func campaigns(naming region: Identifier) -> ArraySlice<Int> {
    guard !tables.steps.starts.isEmpty, let row = self.region(region) else { return [] }
    return tables.steps[row]
  }

  /// The dwelling times, in minutes, that steps wait for at a region.
  func dwellings(at region: Identifier) -> [Int64] {
    var dwellings: [Int64] = []
    for position in campaigns(naming: region) {
      for link in campaigns[position].after?.links ?? [] where link.region == region {
        if case .dwelling(let minutes) = link.event, !dwellings.contains(minutes) { dwellings.append(minutes) }
      }
    }
    return dwellings
  }

  /// The steps before a campaign's trigger; nil when it is not of this feed, or has none.
  func chain(of campaign: Identifier) -> Chain? { campaigns.position(of: campaign).flatMap { campaigns[$0].after } }

  /// The groups that a region is in.
  func groups(of region: Identifier) -> ArraySlice<Int> {
    guard !tables.memberships.starts.isEmpty, let row = self.region(region) else { return [] }
    return tables.memberships[row]
  }

  /// The regions that a sender may be in: those of its own, then those of all of its kind.
  func positions(of sender: Sighting.Sender) -> [Int] {
    let keys =
      switch sender {
      case .iBeacon(let uuid, let major, let minor): [Beacon.key(uuid, major, minor), Beacon.key(uuid, major, nil)]
      case .eddystone(let namespace, let instance):
        [Eddystone.key(namespace, instance), Eddystone.key(namespace, nil)]
      }
    return keys.flatMap { key in
      let hash = key.stableHash
      var place = Bisection.place(in: tables.senderHashes.count) { tables.senderHashes[$0] < hash }
      var found: [Int] = []
      while place < tables.senderHashes.count, tables.senderHashes[place] == hash {
        let position = tables.senders[place]
        // A compiled feed says what the hash is. Where that is not so, the file was made to be searched for long: it ends here.
        guard let own = regions[position].shape.senderKey, own.stableHash == hash else { break }
        if own == key { found.append(position) }
        place += 1
      }
      return found
    }
  }
}

extension Beacon {
  static func key(_ uuid: String, _ major: UInt16, _ minor: UInt16?) -> Identifier {
    Identifier("i \(uuid.lowercased()) \(major) \(minor.map { String($0) } ?? "*")")
  }
}

extension Eddystone {
  static func key(_ namespace: String, _ instance: String?) -> Identifier {
    Identifier("e \(namespace.lowercased()) \(instance?.lowercased() ?? "*")")
  }
}

extension Region.Shape {
  /// The identifiers that a beacon sends, as one text.
  fileprivate var senderKey: Identifier? {
    switch self {
    case .beacon(let beacon): Beacon.key(beacon.proximityUUID, beacon.majorId, beacon.minorId)
    case .eddystone(let beacon): Eddystone.key(beacon.namespaceId, beacon.instanceId)
    case .circle, .area, .group: nil
    }
  }
}
