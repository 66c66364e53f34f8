extension RegionIndex {
  /// An index from bytes that `withBytes` has given, of so many regions; nil for bytes that are none. `owner` keeps them at an address that 64
  /// divides, and does not change them; `area` gives the areas of the same regions.
  public convenience init?(
    bytes: UnsafeRawBufferPointer, owner: any AnyObject & Sendable, regions count: Int,
    area: @escaping @Sendable (Int) -> Area?
  ) {
    guard let base = bytes.baseAddress, unsafe Self.isSound(bytes, count) else { return nil }
    unsafe self.init(unchecked: base, owner: owner, area: area)
  }

  /// Whether a search stays within the bytes, ends, and finds positions of regions only.
  private static func isSound(_ bytes: UnsafeRawBufferPointer, _ count: Int) -> Bool {
    guard bytes.count >= MemoryLayout<IndexLayout.Header>.size, Int(bitPattern: bytes.baseAddress) % 64 == 0 else {
      return false
    }
    func holds(_ offset: UInt64, _ number: UInt64, _ stride: Int) -> Bool {
      let (size, tooLarge) = number.multipliedReportingOverflow(by: UInt64(stride))
      let (end, tooFar) = offset.addingReportingOverflow(size)
      return !tooLarge && !tooFar && end <= UInt64(bytes.count) && offset % 8 == 0
    }
    let header = unsafe bytes.load(as: IndexLayout.Header.self)
    guard header.magic == IndexLayout.Header.magic, header.byteCount == UInt64(bytes.count),
      header.regionCount == UInt64(count),
      holds(header.circles, header.regionCount, 24),
      holds(header.levels, header.levelCount, MemoryLayout<IndexLayout.Level>.stride)
    else { return false }
    // Together, too, the parts of the levels are in the bytes: looking through all of them is looking through the bytes once.
    var room = UInt64(bytes.count)
    func takes(_ number: UInt64, _ stride: UInt64) -> Bool {
      guard number * stride <= room else { return false }
      room -= number * stride
      return true
    }
    for number in 0..<Int(header.levelCount) {
      let level = unsafe bytes.load(
        fromByteOffset: Int(header.levels) + number * MemoryLayout<IndexLayout.Level>.stride, as: IndexLayout.Level.self
      )
      let rows = Int(level.rows)
      guard RegionGrid.rowCounts.contains(rows),
        UInt64(level.bandShift) == RegionGrid.shareBits - UInt64(RegionGrid.bandBits(rows: rows)),
        level.slotCount > 0, level.lineCount > 0, level.sortMask < UInt64(bytes.count),
        level.sortMask & (level.sortMask + 1) == 0,
        holds(level.bands, 1 << UInt64(RegionGrid.bandBits(rows: rows)), MemoryLayout<IndexLayout.Band>.stride),
        holds(level.seeds, level.sortMask + 1, 1), holds(level.slots, level.slotCount, IndexLayout.slotSize),
        holds(level.large, level.largeCount, 4), holds(level.lines, level.lineCount, IndexLayout.lineSize),
        takes(1, UInt64(MemoryLayout<IndexLayout.Level>.stride)), takes(level.sortMask + 1, 1),
        takes(level.slotCount, UInt64(IndexLayout.slotSize)), takes(level.largeCount, 4),
        takes(level.lineCount, UInt64(IndexLayout.lineSize)),
        unsafe isSound(level, rows, bytes, count)
      else { return false }
    }
    return true
  }

  private static func isSound(
    _ level: IndexLayout.Level, _ rows: Int, _ bytes: UnsafeRawBufferPointer, _ count: Int
  ) -> Bool {
    for number in 0..<(1 << RegionGrid.bandBits(rows: rows)) {
      let band = unsafe bytes.load(
        fromByteOffset: Int(level.bands) + number * MemoryLayout<IndexLayout.Band>.stride, as: IndexLayout.Band.self)
      guard band.columns >= 4, band.columns % 4 == 0, band.columns <= UInt32(rows) * 2,
        band.shrink <= 1 << IndexLayout.shrinkBits
      else { return false }
    }
    for number in 0..<Int(level.slotCount) {
      let offset = Int(level.slots) + number * IndexLayout.slotSize
      let slot = unsafe bytes.load(fromByteOffset: offset, as: IndexLayout.Slot.self)
      guard UInt64(slot.large) <= level.largeCount / 17 else { return false }
      var end: UInt64 = 0
      for cell in 0...16 {
        let start: UInt64 =
          unsafe slot.large == 0
          ? UInt64(bytes.load(fromByteOffset: offset + IndexLayout.startsOffset + cell * 2, as: UInt16.self))
          : UInt64(
            bytes.load(
              fromByteOffset: Int(level.large) + ((Int(slot.large) - 1) * 17 + cell) * 4, as: UInt32.self))
        guard start >= end else { return false }
        end = start
      }
      guard UInt64(slot.base) + end <= level.lineCount else { return false }
    }
    for number in 0..<Int(level.lineCount) {
      let line = Int(level.lines) + number * IndexLayout.lineSize
      for lane in 0..<IndexLayout.entriesPerLine {
        let reach = unsafe bytes.load(fromByteOffset: line + IndexLayout.reachOffset + lane * 2, as: Int16.self)
        let position = unsafe bytes.load(fromByteOffset: line + IndexLayout.positionOffset + lane * 4, as: UInt32.self)
        guard reach >= 0 ? position & ~IndexLayout.areaFlag < UInt32(count) : reach == IndexLayout.nothing else {
          return false
        }
      }
    }
    return true
  }
}
