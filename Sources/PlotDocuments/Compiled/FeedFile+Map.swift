public import PlotCore
internal import PlotFiles

extension Feed {
  /// Takes a compiled feed from its file, without reading its regions and campaigns: each is read when it is first needed
  /// (docs/feed-file.md). The file must not be written to as long as the feed lives; another may take its name. Throws `FileError` or `DocumentError`.
  public static func map(path: String) throws -> Feed {
    try FeedFile.feed(FeedMapping(path: path))
  }

  /// The same from memory.
  public static func map(compiled bytes: [UInt8]) throws(DocumentError) -> Feed {
    try FeedFile.feed(FeedMapping(bytes))
  }

  /// The same of bytes that must be of the version that this library writes: an older one may lack a table of what has come since.
  public static func map(compiledHere bytes: [UInt8]) throws(DocumentError) -> Feed {
    let mapping = try FeedMapping(bytes)
    let version = mapping.number(UInt32.self, at: FeedFile.Field.version)
    guard version == FeedFile.version else {
      throw FeedMapping.damaged("a compiled feed of version \(FeedFile.version), at byte 8", "version \(version)")
    }
    return try FeedFile.feed(mapping)
  }

  /// The version of the compiled form that this library writes (docs/feed-file.md).
  public static var compiledVersion: Int { Int(FeedFile.version) }

  /// Whether a file or a text begins as a compiled feed does.
  public static func isCompiled(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: FeedFile.magic) }
}

extension FeedFile {
  static func feed(_ mapping: FeedMapping) throws(DocumentError) -> Feed {
    func count(_ offset: Int) throws(DocumentError) -> Int {
      let number = mapping.number(UInt64.self, at: offset)
      guard number <= UInt64(Feed.countLimit) else {
        throw FeedMapping.damaged("at most \(Feed.countLimit), at byte \(offset)", "\(number)")
      }
      return Int(number)
    }
    let (regionCount, campaignCount) = (try count(Field.regionCount), try count(Field.campaignCount))
    guard campaignCount == 0 || regionCount > 0 else {
      throw FeedMapping.damaged("a region of the campaigns", "\(campaignCount) campaigns and no region")
    }
    let shell = try Feed.parse(mapping.bytes(of: .frame))
    let context = MappedContext(mapping: mapping, zones: try zones(mapping), categories: shell.categories)
    let regions = try MappedRecords<Region>(
      context, ids: SortedIds(mapping, count: regionCount, .regionIds, .regionIdStarts, .regionOrder),
      records: MappedTexts(mapping, count: regionCount, .regions, .regionStarts), regions: nil)
    let campaigns = try MappedRecords<Campaign>(
      context, ids: SortedIds(mapping, count: campaignCount, .campaignIds, .campaignIdStarts, .campaignOrder),
      records: MappedTexts(mapping, count: campaignCount, .campaigns, .campaignStarts), regions: regions)
    var tables = FeedTables()
    tables.zoneNames = context.zones.zones.keys.sorted()
    tables.moving = try mapping.positions(.moving, below: regionCount)
    tables.passable = try mapping.positions(.passable, below: regionCount)
    tables.approachable = try mapping.positions(.approachable, below: regionCount)
    tables.absent = try mapping.positions(.absent, below: campaignCount)
    tables.groups = try mapping.positions(.groups, below: regionCount)
    tables.campaigns = try rows(mapping, .campaignRowStarts, .campaignRows, regionCount, below: campaignCount)
    tables.steps = try rows(mapping, .stepRowStarts, .stepRows, regionCount, below: campaignCount)
    tables.memberships = try rows(mapping, .memberRowStarts, .memberRows, regionCount, below: regionCount)
    tables.senderHashes = try mapping.numbers(.senderHashes, UInt64.self)
    tables.senders = try mapping.positions(.senders, below: regionCount)
    guard tables.senders.count == tables.senderHashes.count else {
      throw FeedMapping.damaged(
        "\(tables.senderHashes.count) numbers in the section \"senders\"", "\(tables.senders.count)")
    }
    let senders = zip(tables.senderHashes, tables.senders)
    guard zip(senders, senders.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw FeedMapping.damaged("ascending numbers in the section \"senderHashes\"", "others")
    }
    let list = FeedList(regions)
    return Feed(
      revision: shell.revision, regions: list, campaigns: FeedList(campaigns), settings: shell.settings,
      categories: shell.categories, digest: String(decoding: mapping.bytes(of: .digest), as: UTF8.self),
      index: try index(mapping, list), tables: tables)
  }

  /// All that the feed names; they must be there, as for a feed of JSON.
  private static func zones(_ mapping: FeedMapping) throws(DocumentError) -> MappedZones {
    guard case .array(let names) = try JSONValue(parsing: mapping.bytes(of: .zones)) else {
      throw FeedMapping.damaged("an array in the section \"zones\"", "something else")
    }
    let files = ZoneFiles()
    var zones: [String: ZoneRules] = [:]
    for name in names {
      guard case .string(let name) = name, let zone = files.zone(name) else {
        throw FeedMapping.damaged(
          "the IANA name of a time zone that this system has, as in \"Europe/Amsterdam\"", name.text)
      }
      zones[name] = zone
    }
    return MappedZones(zones: zones)
  }

  private static func rows(
    _ mapping: FeedMapping, _ startSection: Section, _ section: Section, _ count: Int, below limit: Int
  ) throws(DocumentError) -> FeedTables.Rows {
    let positions = try mapping.positions(section, below: limit)
    let starts = try mapping.positions(startSection, below: positions.count + 1)
    let isEmpty = starts.isEmpty && positions.isEmpty
    guard isEmpty || (starts.count == count + 1 && zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 })) else {
      throw FeedMapping.damaged("\(count + 1) ascending numbers in the section \"\(startSection)\"", "others")
    }
    return FeedTables.Rows(starts: starts, positions: positions)
  }
}
