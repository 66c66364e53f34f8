/// How the bytes of a `RegionIndex` are laid out; its builder writes them so, and its search reads them.
enum IndexLayout {
  /// The beginning of the bytes: where their parts are. Offsets count from the beginning.
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

  /// The fields that a search needs come first, in one line of the cache.
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
    /// The seed of the hash of all keys.
    var hashSeed: UInt64 = 0
    var large: UInt64 = 0
    var lineCount: UInt64 = 0
    var largeCount: UInt64 = 0
    private var reserved: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)
  }

  /// Of each band of rows.
  struct Band {
    var columns: UInt32 = 0
    /// A point is inside, but for rounding, if its reach times this is not less; with `shrinkBits` behind the point.
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
