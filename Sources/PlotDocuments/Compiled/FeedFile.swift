internal import PlotCore

/// The compiled feed file (docs/feed-file.md): numbers are little-endian, offsets count from the beginning of the file.
enum FeedFile {
  static let magic = Array("PLOTFEED".utf8)
  static let version: UInt32 = 3
  /// Sections begin at multiples of it, and so does the end.
  static let alignment = 64
  /// Magic, version, number of sections, size, checksum, regions, campaigns; then an offset and a length of each section.
  static let tableOffset = 64
  static let headerSize = tableOffset + Section.allCases.count * 16 + padding(tableOffset + Section.allCases.count * 16)
  /// The greatest size that the tables can count.
  static let sizeLimit = 1 << 40

  enum Field {
    static let version = 8
    static let sectionCount = 12
    static let size = 16
    static let checksum = 24
    static let regionCount = 32
    static let campaignCount = 40
  }

  /// In the order of the file.
  enum Section: Int, CaseIterable {
    case digest, frame, zones, index
    case regionIds, regionIdStarts, regionOrder, regions, regionStarts
    case campaignIds, campaignIdStarts, campaignOrder, campaigns, campaignStarts
    case campaignRowStarts, campaignRows, stepRowStarts, stepRows, memberRowStarts, memberRows
    case moving, passable, approachable, groups
    case senderHashes, senders
  }

  static func padding(_ count: Int) -> Int { (alignment - count % alignment) % alignment }

  /// Of a whole file, whose size is a multiple of 64: eight lanes, so that the processor works on eight words at once. Any change of one word
  /// changes it: each step gives different lanes for different words, and different lanes stay so.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let base = bytes.baseAddress else { return 0 }
    let words = unsafe base.assumingMemoryBound(to: UInt64.self)
    let count = bytes.count / 8
    var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64) = (1, 2, 3, 4)
    var (e, f, g, h): (UInt64, UInt64, UInt64, UInt64) = (5, 6, 7, 8)
    var index = 0
    while index < count {
      // The checksum itself counts as 0.
      let own = index == 0 ? 0 : unsafe words[index &+ 3]
      mix(&a, unsafe words[index])
      mix(&b, unsafe words[index &+ 1])
      mix(&c, unsafe words[index &+ 2])
      mix(&d, own)
      mix(&e, unsafe words[index &+ 4])
      mix(&f, unsafe words[index &+ 5])
      mix(&g, unsafe words[index &+ 6])
      mix(&h, unsafe words[index &+ 7])
      index &+= 8
    }
    var sum = UInt64(truncatingIfNeeded: count)
    for lane in [a, b, c, d, e, f, g, h] { mix(&sum, lane) }
    return sum ^ sum >> 32
  }

  @inline(__always)
  private static func mix(_ lane: inout UInt64, _ word: UInt64) {
    let product = (lane ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
    lane = product << 29 | product >> 35
  }
}
