internal import PlotCore
internal import PlotFiles
internal import Synchronization

/// The context for reading a record of a compiled feed.
final class MappedContext: Sendable {
  let mapping: FeedMapping
  let zones: MappedZones
  let categories: [PlotCore.Category]

  init(mapping: FeedMapping, zones: MappedZones, categories: [PlotCore.Category]) {
    self.mapping = mapping
    self.zones = zones
    self.categories = categories
  }
}

/// The zones of a compiled feed, all read when it was mapped.
struct MappedZones: ZoneSource, Sendable {
  let zones: [String: ZoneRules]

  func zone(_ name: String) -> ZoneRules? { zones[name] }
}

/// The regions or campaigns of a compiled feed: JSON that is read when it is first asked for, and kept then.
///
/// A record that cannot be read, or is not of the id that the table of ids has, can only be in a file that was made so, for the checksum was
/// right; `Element.unreadable` stands for it. The other cause is that Jansson got no memory, and nobody could be told: so it is read a second
/// time, and never kept as unreadable.
@safe final class MappedRecords<Element: MappedElement>: FeedRecords, @unchecked Sendable {
  let count: Int
  private let context: MappedContext
  private let regions: MappedRecords<Region>?
  let ids: SortedIds
  private let texts: MappedTexts
  /// Blocks of records that were read.
  private let blocks: UnsafeMutablePointer<AtomicLazyReference<Block>>
  private let blockCount: Int

  private static var blockSize: Int { 256 }

  @safe private final class Block: @unchecked Sendable {
    let records: UnsafeMutablePointer<AtomicLazyReference<FeedRecord<Element>>>

    init() {
      unsafe records = .allocate(capacity: blockSize)
      for index in 0..<blockSize { unsafe (records + index).initialize(to: AtomicLazyReference()) }
    }

    deinit {
      unsafe records.deinitialize(count: blockSize)
      unsafe records.deallocate()
    }
  }

  /// `regions` are those that campaigns name.
  init(_ context: MappedContext, ids: SortedIds, records: MappedTexts, regions: MappedRecords<Region>?) {
    count = ids.count
    self.context = context
    self.ids = ids
    texts = records
    self.regions = regions
    blockCount = (count + Self.blockSize - 1) / Self.blockSize
    unsafe blocks = .allocate(capacity: blockCount)
    for index in 0..<blockCount { unsafe (blocks + index).initialize(to: AtomicLazyReference()) }
  }

  deinit {
    unsafe blocks.deinitialize(count: blockCount)
    unsafe blocks.deallocate()
  }

  func record(_ position: Int) -> FeedRecord<Element> {
    precondition((0..<count).contains(position))
    let place = unsafe blocks + position / Self.blockSize
    let block = unsafe place.pointee.load() ?? place.pointee.storeIfNil(Block())
    let record = unsafe block.records + position % Self.blockSize
    if let known = unsafe record.pointee.load() { return known }
    guard let element = read(position) ?? read(position) else {
      return FeedRecord(.unreadable(id(at: position)))
    }
    return unsafe record.pointee.storeIfNil(FeedRecord(element))
  }

  /// Reads a record, and nothing into the blocks; nil when it is not as it should be.
  func read(_ position: Int, isWhole: Bool = true) -> Element? {
    let reader = JSONReader(trial: ())
    let texts = texts
    let text = texts.bytes(at: position)
    guard reader.takeElement(text, depth: 2) == text.count else { return nil }
    let feedReader = FeedReader(reader, zones: context.zones)
    guard let element = try? Element.read(feedReader, reader.root, regions, context.categories),
      element.id == id(at: position)
    else { return nil }
    return isWhole ? element.completed(self) : element
  }

  /// The JSON of a record as it is in the file.
  func json(at position: Int) -> String { texts.text(at: position) }

  func id(at position: Int) -> Identifier { Identifier(ids.text(at: position)) }

  func position(of id: Identifier) -> Int? { ids.position(of: id) }
}

/// An element that a compiled feed has records of.
protocol MappedElement: FeedElement {
  static func read(
    _ reader: FeedReader, _ node: Node, _ regions: MappedRecords<Region>?, _ categories: [PlotCore.Category]
  ) throws(DocumentError) -> Self

  /// With what it takes from others of its kind; nil when they are not as they should be.
  func completed(_ records: MappedRecords<Self>) -> Self?

  /// Stands for one that cannot be read.
  static func unreadable(_ id: Identifier) -> Self
}

extension Region: MappedElement {
  static func read(
    _ reader: FeedReader, _ node: Node, _ regions: MappedRecords<Region>?, _ categories: [PlotCore.Category]
  ) throws(DocumentError) -> Region {
    try reader.region(node)
  }

  func completed(_ records: MappedRecords<Region>) -> Region? {
    guard case .group(var group) = values.shape else { return self }
    for member in group.members {
      // Only its shape: what it is a group of is not asked, so that this comes to an end.
      guard let position = records.position(of: member), let region = records.read(position, isWhole: false),
        !region.shape.isGroup
      else { return nil }
      group.place = region.shape.circle
      if group.place != nil { break }
    }
    var region = self
    region.values.shape = .group(group)
    return region
  }

  /// A place where nobody is.
  static func unreadable(_ id: Identifier) -> Region { Region(id: id, name: nil, shape: .group(Group(members: []))) }
}

extension Campaign: MappedElement {
  static func read(
    _ reader: FeedReader, _ node: Node, _ regions: MappedRecords<Region>?, _ categories: [PlotCore.Category]
  ) throws(DocumentError) -> Campaign {
    try reader.campaign(node, { regions?.position(of: $0) }, categories)
  }

  func completed(_ records: MappedRecords<Campaign>) -> Campaign? { self }

  /// It has ended long ago.
  static func unreadable(_ id: Identifier) -> Campaign {
    Campaign(id: id, kind: .geotrigger, text: .empty, data: .empty, trigger: .enter, regions: [0], end: 0)
  }
}
