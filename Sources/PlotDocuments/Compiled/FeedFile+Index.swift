internal import PlotCore

// The spatial index as a section of a compiled feed.
extension FeedFile {
  static func bytes(of index: RegionIndex) -> [UInt8] { unsafe index.withBytes { unsafe Array($0) } }

  static func index(_ mapping: FeedMapping, _ regions: FeedList<Region>) throws(DocumentError) -> RegionIndex {
    let index = unsafe mapping.bytes(in: mapping.range(.index)).withUnsafeBytes { bytes in
      unsafe RegionIndex(bytes: bytes, owner: mapping.file, regions: regions.count) { position in
        if case .area(let area) = regions[position].shape { area } else { nil }
      }
    }
    guard let index else { throw FeedMapping.damaged("an index in the section \"index\"", "something else") }
    return index
  }
}
