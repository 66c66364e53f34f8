public import PlotCore
public import PlotFiles

extension Feed {
  /// Compiles the feed into a file that `map` takes (docs/feed-file.md). It is written beside `path` and then takes its place at once,
  /// whole. Throws `FileError`.
  public func save(path: String) throws(FileError) {
    try PartFile.replace(path, with: compiled())
  }

  /// The bytes that `save` writes.
  public func compiled() -> [UInt8] {
    var writer = FeedFileWriter(regions: regions.count, campaigns: campaigns.count)
    writer.add(.digest, Array(digest.utf8))
    writer.add(.frame, Array(frameJSON.utf8))
    writer.add(.zones, Array(JSONValue.array(zoneNames.map(JSONValue.string)).text.utf8))
    writer.add(.index, FeedFile.bytes(of: index))
    writer.add(.regionIds, .regionIdStarts, .regionOrder, regions.indices.map { regions.id(at: $0) })
    writer.add(.regions, .regionStarts, regions.count) { region, json in write(region: region, to: &json) }
    writer.add(.campaignIds, .campaignIdStarts, .campaignOrder, campaigns.indices.map { campaigns.id(at: $0) })
    writer.add(.campaigns, .campaignStarts, campaigns.count) { campaign, json in write(campaign: campaign, to: &json) }
    writer.add(.campaignRowStarts, .campaignRows, tables.campaigns)
    writer.add(.stepRowStarts, .stepRows, tables.steps)
    writer.add(.memberRowStarts, .memberRows, tables.memberships)
    writer.add(.moving, tables.moving)
    writer.add(.passable, tables.passable)
    writer.add(.approachable, tables.approachable)
    writer.add(.groups, tables.groups)
    writer.add(.senderHashes, numbers: tables.senderHashes)
    writer.add(.senders, tables.senders)
    writer.add(.absent, tables.absent)
    return writer.finished()
  }
}

/// Puts the sections of a compiled feed together, in their order.
private struct FeedFileWriter {
  private var bytes: [UInt8]

  init(regions: Int, campaigns: Int) {
    bytes = Array(repeating: 0, count: FeedFile.headerSize)
    bytes.replaceSubrange(0..<8, with: FeedFile.magic)
    put(FeedFile.version, at: FeedFile.Field.version)
    put(UInt32(FeedFile.Section.allCases.count), at: FeedFile.Field.sectionCount)
    put(UInt64(regions), at: FeedFile.Field.regionCount)
    put(UInt64(campaigns), at: FeedFile.Field.campaignCount)
  }

  private mutating func put<T: FixedWidthInteger>(_ number: T, at offset: Int) {
    for index in 0..<(T.bitWidth / 8) { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> T(8 * index)) }
  }

  private mutating func section(_ section: FeedFile.Section, _ body: (inout [UInt8]) -> Void) {
    let start = bytes.count
    body(&bytes)
    put(UInt64(start), at: FeedFile.tableOffset + 16 * section.rawValue)
    put(UInt64(bytes.count - start), at: FeedFile.tableOffset + 16 * section.rawValue + 8)
    bytes.append(contentsOf: repeatElement(0, count: FeedFile.padding(bytes.count)))
  }

  mutating func add(_ section: FeedFile.Section, _ content: [UInt8]) {
    self.section(section) { $0 += content }
  }

  mutating func add(_ section: FeedFile.Section, numbers: [some FixedWidthInteger]) {
    self.section(section) { bytes in
      for number in numbers {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) {
          bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
      }
    }
  }

  mutating func add(_ section: FeedFile.Section, _ positions: [Int]) {
    add(section, numbers: positions.map { UInt32($0) })
  }

  mutating func add(_ starts: FeedFile.Section, _ positions: FeedFile.Section, _ rows: FeedTables.Rows) {
    add(starts, rows.starts)
    add(positions, rows.positions)
  }

  /// Texts one after the other, and where each begins and the last ends.
  private mutating func add(
    _ texts: FeedFile.Section, _ starts: FeedFile.Section, _ count: Int, text: (Int) -> String
  ) {
    var offsets: [UInt64] = []
    section(texts) { bytes in
      let start = bytes.count
      for position in 0..<count {
        offsets.append(UInt64(bytes.count - start))
        bytes += text(position).utf8
      }
      offsets.append(UInt64(bytes.count - start))
    }
    add(starts, numbers: offsets)
  }

  mutating func add(
    _ records: FeedFile.Section, _ starts: FeedFile.Section, _ count: Int, _ write: (Int, inout JSONText) -> Void
  ) {
    add(records, starts, count) { position in
      var json = JSONText()
      write(position, &json)
      return json.text
    }
  }

  mutating func add(
    _ texts: FeedFile.Section, _ starts: FeedFile.Section, _ order: FeedFile.Section, _ ids: [Identifier]
  ) {
    add(texts, starts, ids.count) { position in ids[position].text }
    add(order, numbers: SortedIds.order(of: ids))
  }

  mutating func finished() -> [UInt8] {
    put(UInt64(bytes.count), at: FeedFile.Field.size)
    put(FileChecksum.of(bytes.span), at: FeedFile.Field.checksum)
    return bytes
  }
}
