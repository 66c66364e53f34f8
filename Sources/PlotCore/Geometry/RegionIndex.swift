/// Answers which circles and areas a position is in, or near. Built once for a feed; one block of bytes that needs nothing else, and may as well
/// come from a file.
///
/// Circles and areas of about one size share a level: a grid of cells, four by four of them in a block, and the blocks that have
/// anything in a hash table. A block's 64 bytes say where the entries of its cells are; an entry has the place and the radius in
/// 16 bits each, exact to a few decimetres. So a position needs one block and one run of entries of each level, and the distance
/// on the sphere only where the rim is nearer than that (docs/performance.md).
@safe public final class RegionIndex: @unchecked Sendable {
  /// What the bytes begin with, and where their parts are. Offsets count from the beginning.
  struct Header {
    static let magic: UInt64 = 0x3358_444E_4954_4C50  // "PLTINDX3"

    var magic = Header.magic
    var byteCount: UInt64 = 0
    /// Positions in the feed, places or not.
    var regionCount: UInt64 = 0
    var levelCount: UInt64 = 0
    /// Latitude, longitude and radius of each position, as doubles.
    var circles: UInt64 = 0
    /// Where each level's `Level` is.
    var levels: UInt64 = 0
    private var reserved: (UInt64, UInt64) = (0, 0)
  }

  /// What a search needs comes first, in one line of the cache.
  struct Level {
    var rows: UInt32 = 0
    /// By which a share of a meridian is shifted to be a band.
    var bandShift: UInt32 = 0
    var slotCount: UInt64 = 0
    /// Sorts of keys, a power of two of them, less one.
    var sortMask: UInt64 = 0
    var bands: UInt64 = 0
    /// Of each sort of keys, one byte that its keys are hashed with, so that each key has a slot of its own.
    var seeds: UInt64 = 0
    var slots: UInt64 = 0
    var lines: UInt64 = 0
    /// What all keys are hashed with.
    var hashSeed: UInt64 = 0
    var large: UInt64 = 0
    var lineCount: UInt64 = 0
    var largeCount: UInt64 = 0
    private var reserved: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
  }

  /// Of each band of rows.
  struct Band {
    var columns: UInt32 = 0
    /// What a reach times this is not less than, is inside, but for what is rounded; with `shrinkBits` behind the point.
    var shrink: UInt32 = 0
  }

  /// A place in the hash table.
  struct Slot {
    /// 0 for none, which is a block's own, too: then none has no lines, for all to find.
    var key: UInt64 = 0
    var base: UInt32 = 0
    /// Where the starts are if they do not fit in 16 bits, counted from 1.
    var large: UInt32 = 0
    /// Units in a column, with `unitBits` behind the point.
    var columnUnits: Int32 = 0
  }

  static let unitBits = 16

  /// Bytes of a slot: the `Slot`, and from byte 20 on where the lines of its 16 cells begin and where the last one's end, 16 bits each.
  static let slotSize = 64
  static let startsOffset = 20
  /// A line of entries: x, y and reach of each in 16 bits, and from byte 36 on their positions in the feed.
  static let lineSize = 64
  static let entriesPerLine = 6
  static let yOffset = 12
  static let reachOffset = 24
  static let positionOffset = 36
  /// In place of a reach: compare exactly; the whole cell is inside; nothing.
  static let exact = Int16.max
  static let whole = Int16.max - 1
  static let nothing: Int16 = -1
  /// In an entry's position: an area.
  static let areaFlag: UInt32 = 1 << 31
  /// Units by which a reach is more than a radius, for all that is rounded, and by which it may be too much.
  static let rounding = 2.0
  static let roundedUp = 5
  static let shrinkBits = 16

  let base: UnsafeRawPointer
  /// Keeps the bytes.
  private let owner: any AnyObject & Sendable
  private let header: Header
  let area: @Sendable (Int) -> Area?

  public convenience init(_ regions: [Region]) {
    let block = RegionIndexBuilder(regions).block()
    unsafe self.init(
      unchecked: UnsafeRawPointer(block.address), owner: block,
      area: { position in if case .area(let area) = regions[position].shape { area } else { nil } })
  }

  init(unchecked base: UnsafeRawPointer, owner: any AnyObject & Sendable, area: @escaping @Sendable (Int) -> Area?) {
    unsafe self.base = base
    self.owner = owner
    unsafe header = base.load(as: Header.self)
    self.area = area
  }

  public var byteCount: Int { Int(header.byteCount) }

  /// The bytes, to be kept somewhere: at an address that 64 divides they are an index again.
  public func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    unsafe try body(UnsafeRawBufferPointer(start: base, count: byteCount))
  }

  /// Calls `body` with the position of each region that contains the coordinate, once each.
  public func forEachContaining(_ coordinate: Coordinate, _ body: (Int) -> Void) {
    search.forEachContaining(coordinate, body)
  }

  /// For whoever keeps the index by other means.
  public var search: Search { unsafe Search(base: base, index: Unmanaged.passUnretained(self)) }

  // MARK: What is near

  /// Calls `body` with the position and the distance to the edge in metres, negative inside, of each region whose edge is at most
  /// `metres` away or that contains the coordinate, once each.
  public func forEachNear(_ coordinate: Coordinate, _ metres: Double, _ body: (Int, Double) -> Void) {
    var seen: Set<UInt32> = []
    func look(_ position: UInt32) {
      guard seen.insert(position).inserted else { return }
      let number = Int(position & ~Self.areaFlag)
      let circle = unsafe Self.circle(base, number)
      var distance = Earth.distance(coordinate, circle.center) - circle.radius
      if position & Self.areaFlag != 0 {
        guard distance <= metres + 1e-3 + circle.radius * 1e-6, let area = area(number) else { return }
        distance = area.edgeDistance(from: coordinate)
      }
      if distance <= metres { body(number, distance) }
    }
    let search = search
    let box = RegionGrid.Box(Circle(center: coordinate, radius: max(0, metres)))
    for number in 0..<Int(header.levelCount) {
      let address = unsafe (base + Int(header.levels)).assumingMemoryBound(to: Level.self) + number
      let level = unsafe address.pointee
      func lookAt(_ number: Int) {
        for lane in 0..<Self.entriesPerLine {
          let line = unsafe base + Int(level.lines) + number * Self.lineSize
          guard unsafe line.load(fromByteOffset: Self.reachOffset + lane * 2, as: Int16.self) != Self.nothing else {
            return
          }
          unsafe look(line.load(fromByteOffset: Self.positionOffset + lane * 4, as: UInt32.self))
        }
      }
      let grid = grid(level)
      if grid.count(box) > Int(level.lineCount) {
        for line in 0..<Int(level.lineCount) { lookAt(line) }
      } else {
        grid.forEachCell(box) { row, column in
          let key = Self.key(row >> 2, column >> 2)
          let slot = unsafe search.slot(address, key)
          guard unsafe slot.pointee.key == key else { return }
          let (first, count) = unsafe search.lines(address, slot, (row & 3) << 2 | column & 3)
          for line in first..<first + count { lookAt(line) }
        }
      }
    }
  }

  private func grid(_ level: Level) -> RegionGrid {
    let bands = unsafe (base + Int(level.bands)).assumingMemoryBound(to: Band.self)
    return RegionGrid(
      rows: Int(level.rows),
      columns: (0..<(1 << RegionGrid.bandBits(rows: Int(level.rows)))).map { unsafe Int(bands[$0].columns) })
  }

  static func key(_ blockRow: Int, _ blockColumn: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: blockRow &<< 32 | blockColumn)
  }

  /// Mixes twice, so that keys that meet with one seed do not with another.
  @inline(__always)
  static func hash(_ key: UInt64, _ seed: UInt64) -> UInt64 {
    var hash = key ^ seed
    hash = (hash ^ hash &>> 32) &* 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash &>> 29) &* 0xBF58_476D_1CE4_E5B9
    return hash ^ hash &>> 32
  }

  /// The slot of a key, by its hash and the seed of its sort: a number below `count`.
  @inline(__always)
  static func slot(_ hash: UInt64, _ seed: UInt8, _ count: UInt64) -> Int {
    Int(truncatingIfNeeded: (hash &* (UInt64(seed) &<< 24 | 1)).multipliedFullWidth(by: count).high)
  }
}
