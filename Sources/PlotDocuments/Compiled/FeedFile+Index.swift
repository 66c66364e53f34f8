internal import PlotCore

// The spatial index as a section of a compiled feed.
extension FeedFile {
  static func bytes(of index: RegionIndex) -> [UInt8] { [] }

  static func index(_ mapping: FeedMapping, _ regions: FeedList<Region>) throws(DocumentError) -> RegionIndex {
    RegionIndex(Array(regions))
  }
}
