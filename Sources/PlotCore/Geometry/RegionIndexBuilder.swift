#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Packs places for a `RegionIndex`.
struct RegionIndexBuilder {
  /// A level in the making.
  private struct Draft {
    let grid: RegionGrid
    /// So many of the places that were offered are in it.
    var taken = 0
    var blocks = BlockTable()
    /// The cell of each entry, as a number of a block times 16 and of a cell in it, with the high bit for one that is whole.
    var cells: [UInt32] = []
    /// Whose the entry is, as a number among the places.
    var owners: [UInt32] = []

    static let wholeFlag: UInt32 = 1 << 31

    /// Lines of entries up to the end of each cell, and of a block's 16 one after the other.
    var lineEnds: [UInt32] = []
    var lineCount = 0

    var bytes: Int { blocks.keys.count * IndexLayout.slotSize * 9 / 8 + lineCount * IndexLayout.lineSize }

    mutating func countLines() {
      lineEnds = [UInt32](repeating: 0, count: blocks.keys.count * 16)
      for cell in cells { lineEnds[Int(cell & ~Self.wholeFlag)] += 1 }
      for block in blocks.keys.indices {
        var end: UInt32 = 0
        for cell in (block * 16)..<(block * 16 + 16) {
          end += (lineEnds[cell] + UInt32(IndexLayout.entriesPerLine) - 1) / UInt32(IndexLayout.entriesPerLine)
          lineEnds[cell] = end
        }
        lineCount += Int(end)
      }
    }
  }

  private let count: Int
  /// Of each place: its position in the feed, the circle that it is or the one round it, and metres that say how large it is. A corridor
  /// is between its width and its length.
  private var positions: [Int] = []
  private var circles: [Circle] = []
  private var boxes: [RegionGrid.Box] = []
  private var sizes: [Double] = []
  private var areas: [Int: Area] = [:]

  /// Of each position in the feed what lies there; nil for what is no place, or moves.
  init(_ places: [Place?]) {
    count = places.count
    for (position, place) in places.enumerated() {
      switch place {
      case .circle(let circle):
        circles.append(circle)
        sizes.append(circle.radius)
      case .area(let area):
        areas[circles.count] = area
        circles.append(Circle(center: area.center, radius: area.reach))
        sizes.append(min((max(area.size, 1) * area.reach).squareRoot(), area.reach))
      case nil: continue
      }
      positions.append(position)
    }
    boxes = circles.map(RegionGrid.Box.init)
  }

  // MARK: Levels

  /// A level's rows are at least so many times as high as half of its regions are large.
  private static let spread = 2.2
  /// From pole to pole, in metres.
  private static let halfway = Double.pi * Earth.radius
  /// The most cells that one region may have, and that all of a level may have on the average.
  private static let mostCells = 4096.0
  private static let cellsEach = 5.0
  /// The bytes that a level may take for each region before its cells are made larger. Few regions are all near in any case, and trying
  /// takes time.
  private var bytesEach: Int { count < 10_000 ? 66 : 44 }

  /// Splits the places by size, the smallest first, each into one level.
  private func drafts() -> [Draft] {
    var rest = sizes.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }[...]
    var drafts: [Draft] = []
    while !rest.isEmpty {
      let median = sizes[rest[rest.startIndex + rest.count / 2]]
      var rows = RegionGrid.rowCounts[...]
      while rows.count > 1, Self.halfway / Double(rows.last!) < Self.spread * median { rows.removeLast() }
      var best = draft(rest, RegionGrid(rows: rows.removeLast()))
      while var fewer = rows.popLast(), best.bytes > bytesEach * best.taken {
        // With half as many rows it takes about half as much, which would not do here.
        if best.bytes > 4 * bytesEach * best.taken { fewer = rows.popLast() ?? fewer }
        let wider = draft(rest, RegionGrid(rows: fewer))
        guard wider.bytes * best.taken < best.bytes * wider.taken else { break }
        best = wider
      }
      rest = rest.dropFirst(best.taken)
      drafts.append(best)
    }
    return drafts
  }

  /// A level of as many of the places as have few cells in it.
  private func draft(_ offered: ArraySlice<Int>, _ grid: RegionGrid) -> Draft {
    var draft = Draft(grid: grid)
    var cells = 0.0
    for number in offered {
      let expected = expectedCells(number, grid)
      if draft.taken > 0, expected > Self.mostCells || cells + expected > Self.cellsEach * Double(draft.taken) + 256 {
        break
      }
      cells += expected
      draft.taken += 1
    }
    draft.cells.reserveCapacity(draft.taken * 4)
    draft.owners.reserveCapacity(draft.taken * 4)
    // In the order of the feed, so that the entries of a cell are, too.
    for number in offered.prefix(draft.taken).sorted() {
      func add(_ row: Int, _ column: Int, _ cover: RegionGrid.Cover) {
        guard cover != .none else { return }
        let block = draft.blocks.number(IndexLayout.key(row >> 2, column >> 2))
        let cell = UInt32(truncatingIfNeeded: block << 4 | (row & 3) << 2 | column & 3)
        draft.cells.append(cover == .whole ? cell | Draft.wholeFlag : cell)
        draft.owners.append(UInt32(truncatingIfNeeded: number))
      }
      let circle = circles[number]
      let box = boxes[number]
      if !areas.isEmpty, let area = areas[number] {
        grid.forEachCell(area, box, add)
      } else {
        grid.forEachCell(circle, box, add)
      }
    }
    draft.countLines()
    return draft
  }

  private func expectedCells(_ number: Int, _ grid: RegionGrid) -> Double {
    let circle = circles[number]
    let long = circle.radius * 2 / grid.height + 1
    // Cells near a pole are narrow.
    if abs(circle.center.latitude) + long * grid.height / 111_000 > 85 {
      return Double(grid.count(boxes[number]))
    }
    guard !areas.isEmpty, let area = areas[number] else { return long * long }
    return long * (min(area.size, area.reach) * 2 / grid.height + 1)
  }

  // MARK: Bytes

  /// The bytes of an index.
  func block() -> AlignedBlock {
    let drafts = drafts()
    var header = IndexLayout.Header()
    header.regionCount = UInt64(count)
    header.levelCount = UInt64(drafts.count)
    var end = MemoryLayout<IndexLayout.Header>.size
    func reserve(_ size: Int) -> UInt64 {
      let start = (end + 63) & ~63
      end = start + size
      return UInt64(start)
    }
    header.levels = reserve(drafts.count * MemoryLayout<IndexLayout.Level>.stride)
    header.circles = reserve(count * 3 * 8)
    var packed: [PackedLevel] = []
    for draft in drafts {
      var new = PackedLevel(draft)
      new.level.bands = reserve(draft.grid.columns.count * MemoryLayout<IndexLayout.Band>.stride)
      new.level.seeds = reserve(new.slots.seeds.count)
      new.level.slots = reserve(new.slots.count * IndexLayout.slotSize)
      new.level.large = reserve(new.large.count * 4)
      new.level.lines = reserve(Int(new.level.lineCount) * IndexLayout.lineSize)
      packed.append(new)
    }
    header.byteCount = UInt64((end + 63) & ~63)
    let block = AlignedBlock(Int(header.byteCount))
    let base = unsafe block.address
    unsafe base.storeBytes(of: header, as: IndexLayout.Header.self)
    let numbers = unsafe (base + Int(header.circles)).assumingMemoryBound(to: Double.self)
    for (position, circle) in zip(positions, circles) {
      unsafe numbers[position * 3] = circle.center.latitude
      unsafe numbers[position * 3 + 1] = circle.center.longitude
      unsafe numbers[position * 3 + 2] = circle.radius
    }
    for (number, draft) in drafts.enumerated() {
      let offset = Int(header.levels) + number * MemoryLayout<IndexLayout.Level>.stride
      unsafe base.storeBytes(of: packed[number].level, toByteOffset: offset, as: IndexLayout.Level.self)
      unsafe write(draft, packed[number], base)
    }
    return block
  }

  /// Where the entries of a draft's cells go.
  private struct PackedLevel {
    var level = IndexLayout.Level()
    /// Blocks in the order of their entries, and of each where its entries are.
    var order: [Int]
    var bases: [Int]
    /// Of blocks with more lines than 16 bits can count, where each cell's begin and the last one's end; and which of them a block has,
    /// counted from 1.
    var large: [UInt32] = []
    var largeNumbers: [Int: Int] = [:]
    let slots: SlotTable

    init(_ draft: Draft) {
      let blocks = draft.blocks.keys
      // Neighbours near each other.
      order = blocks.indices.sorted { Self.interleaved(blocks[$0]) < Self.interleaved(blocks[$1]) }
      bases = [Int](repeating: 0, count: blocks.count)
      // The first line has nothing, for a search that finds no cell.
      var next = 1
      for block in order {
        bases[block] = next
        let ends = draft.lineEnds[(block * 16)..<(block * 16 + 16)]
        let count = ends.last ?? 0
        next += Int(count)
        if count > UInt32(UInt16.max) {
          large.append(0)
          large += ends
          largeNumbers[block] = large.count / 17
        }
      }
      slots = SlotTable(blocks)
      level.rows = UInt32(draft.grid.rows)
      level.bandShift = UInt32(Int(RegionGrid.shareBits) - draft.grid.bandBits)
      level.slotCount = UInt64(slots.count)
      level.sortMask = UInt64(slots.seeds.count - 1)
      level.hashSeed = slots.hashSeed
      level.lineCount = UInt64(draft.lineCount + 1)
      level.largeCount = UInt64(large.count)
    }

    /// The bits of a block's row and column, in turns.
    private static func interleaved(_ key: UInt64) -> UInt64 {
      func spread(_ value: UInt64) -> UInt64 {
        var bits = value & 0xFFFF_FFFF
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        return (bits | bits << 1) & 0x5555_5555_5555_5555
      }
      return spread(key >> 32) << 1 | spread(key)
    }
  }

  private func write(_ draft: Draft, _ packed: PackedLevel, _ base: UnsafeMutableRawPointer) {
    let (grid, level) = (draft.grid, packed.level)
    let bands = unsafe (base + Int(level.bands)).assumingMemoryBound(to: IndexLayout.Band.self)
    for band in grid.columns.indices {
      // Infinite errors make nothing of it.
      let error = min(1, grid.errors[band])
      unsafe bands[band] = IndexLayout.Band(
        columns: UInt32(grid.columns[band]),
        shrink: UInt32(saturating: (1 - error) / (1 + error) * Double(1 << IndexLayout.shrinkBits)))
    }
    let seeds = unsafe (base + Int(level.seeds)).assumingMemoryBound(to: UInt8.self)
    for (sort, seed) in packed.slots.seeds.enumerated() { unsafe seeds[sort] = seed }
    let units = draft.blocks.keys.map { columnUnits($0, grid) }
    for block in packed.order {
      let slot = unsafe base + Int(level.slots) + packed.slots.numbers[block] * IndexLayout.slotSize
      let large = packed.largeNumbers[block] ?? 0
      unsafe slot.storeBytes(
        of: IndexLayout.Slot(
          key: draft.blocks.keys[block], base: UInt32(packed.bases[block]), large: UInt32(large),
          columnUnits: Int32(saturating: units[block] * Double(1 << IndexLayout.unitBits))), as: IndexLayout.Slot.self)
      guard large == 0 else { continue }
      let starts = unsafe (slot + IndexLayout.startsOffset).assumingMemoryBound(to: UInt16.self)
      for cell in 0..<16 { unsafe starts[cell + 1] = UInt16(draft.lineEnds[block * 16 + cell]) }
    }
    let large = unsafe (base + Int(level.large)).assumingMemoryBound(to: UInt32.self)
    for (number, start) in packed.large.enumerated() { unsafe large[number] = start }
    let lines = unsafe base + Int(level.lines)
    for line in 0..<Int(level.lineCount) {
      for lane in 0..<IndexLayout.entriesPerLine {
        unsafe lines.storeBytes(
          of: IndexLayout.nothing, toByteOffset: line * IndexLayout.lineSize + IndexLayout.reachOffset + lane * 2,
          as: Int16.self)
      }
    }
    var counts = [UInt32](repeating: 0, count: draft.lineEnds.count)
    for (cell, owner) in zip(draft.cells, draft.owners) {
      let (cell, isWhole) = (Int(cell & ~Draft.wholeFlag), cell & Draft.wholeFlag != 0)
      let first = packed.bases[cell >> 4] + (cell & 15 == 0 ? 0 : Int(draft.lineEnds[cell - 1]))
      let (line, lane) = Int(counts[cell]).quotientAndRemainder(dividingBy: IndexLayout.entriesPerLine)
      counts[cell] += 1
      let number = Int(owner)
      let entry =
        isWhole
        ? (0, 0, IndexLayout.whole)
        : entry(circles[number], draft.blocks.keys[cell >> 4], units[cell >> 4], grid)
      let isArea = !areas.isEmpty && areas[number] != nil
      let position = UInt32(positions[number]) | (isArea ? IndexLayout.areaFlag : 0)
      let address = unsafe lines + (first + line) * IndexLayout.lineSize
      unsafe address.storeBytes(of: entry.0, toByteOffset: lane * 2, as: Int16.self)
      unsafe address.storeBytes(of: entry.1, toByteOffset: IndexLayout.yOffset + lane * 2, as: Int16.self)
      unsafe address.storeBytes(of: entry.2, toByteOffset: IndexLayout.reachOffset + lane * 2, as: Int16.self)
      unsafe address.storeBytes(of: position, toByteOffset: IndexLayout.positionOffset + lane * 4, as: UInt32.self)
    }
  }

  private func columnUnits(_ key: UInt64, _ grid: RegionGrid) -> Double {
    let row = Int(key >> 32)
    let band = row * 4 / grid.rowsPerBand
    // Where the plane says nothing, all is compared exactly.
    return grid.errors[band].isFinite ? grid.columnUnits(blockRow: row, band: band) : 0
  }

  /// A circle as an entry of a block: x, y and reach.
  private func entry(_ circle: Circle, _ key: UInt64, _ columnUnits: Double, _ grid: RegionGrid) -> (
    Int16, Int16, Int16
  ) {
    let (row, column) = (Int(key >> 32), Int(key & 0xFFFF_FFFF))
    let band = row * 4 / grid.rowsPerBand
    let exact = (Int16(0), Int16(0), IndexLayout.exact)
    guard grid.errors[band].isFinite, circle.radius <= grid.height * RegionGrid.mostRows else { return exact }
    let east = foldedLongitude(circle.center.longitude - Double(column * 4) / grid.columnScale(band) + 180)
    // Half a unit less, as places that are looked for are rounded down.
    let x = (east * grid.columnScale(band) * columnUnits - 0.5).rounded()
    let north = (circle.center.latitude + 90) * grid.rowScale - Double(row * 4)
    let y = (north * RegionGrid.unitsPerRow - 0.5).rounded()
    // A difference to a place in the block must fit in 16 bits.
    guard (columnUnits * 4 - 32_000...32_000).contains(x), (RegionGrid.unitsPerRow * 4 - 32_000...32_000).contains(y)
    else { return exact }
    let reach = circle.radius / grid.height * RegionGrid.unitsPerRow * (1 + grid.errors[band]) + IndexLayout.rounding
    return (Int16(saturating: x), Int16(saturating: y), Int16(saturating: reach.rounded(.up)))
  }
}

/// Bytes, all 0 at first, on a line of the cache.
@safe final class AlignedBlock: @unchecked Sendable {
  let address: UnsafeMutableRawPointer
  let count: Int

  init(_ count: Int) {
    self.count = count
    // A large index is read all over: with small pages the processor would look up most of them anew.
    let isLarge = count >= 4 << 20
    unsafe address = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: isLarge ? 2 << 20 : 64)
    #if os(Linux) || os(Android)
      if isLarge { unsafe madvise(address, count, MADV_HUGEPAGE) }
    #endif
    unsafe address.initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  deinit { unsafe address.deallocate() }
}
