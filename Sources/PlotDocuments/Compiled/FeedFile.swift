internal import PlotCore

/// The compiled feed file (docs/feed-file.md): numbers are little-endian, offsets count from the beginning of the file.
enum FeedFile {
  static let magic = Array("PLOTFEED".utf8)
  static let version: UInt32 = 4
  /// Lacks the last section, whose place in the table is zero there.
  static let oldestVersion: UInt32 = 3
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
    case senderHashes, senders, absent
  }

  static func padding(_ count: Int) -> Int { (alignment - count % alignment) % alignment }
}
