extension RegionIndex {
  /// Searches an index that somebody else keeps. Copying it counts no reference.
  @safe public struct Search: @unchecked Sendable {
    let base: UnsafeRawPointer
    let index: Unmanaged<RegionIndex>

    func isOf(_ other: RegionIndex) -> Bool { unsafe base == other.base }

    func isOf(_ other: Search) -> Bool { unsafe base == other.base }

    /// Calls `body` with the position of each region that contains the coordinate, once each.
    ///
    /// The next one is rarely like the last one, and a branch that was guessed wrong costs as much as all else here. So a block or a cell
    /// that has nothing has a line with nothing, and the only branch is whether there is more to do.
    @inline(__always)
    func forEachContaining(_ coordinate: Coordinate, _ body: (Int) -> Void) {
      unsafe forEachLevel(coordinate) { unsafe look(lines($0, $1), coordinate, body) }
    }

    /// The same, of all levels but the first.
    func forEachContainingInOthers(_ coordinate: Coordinate, _ body: (Int) -> Void) {
      unsafe forEachLevel(from: 1, coordinate) { unsafe look(lines($0, $1), coordinate, body) }
    }

    var levelCount: Int { unsafe Int(base.assumingMemoryBound(to: IndexLayout.Header.self).pointee.levelCount) }

    /// Where something is at the first level, which must be there.
    @inline(__always)
    func entry(_ coordinate: Coordinate) -> Pending {
      unsafe entry(
        firstLevel, RegionGrid.northShare(coordinate.latitude), RegionGrid.eastShare(coordinate.longitude))
    }

    @inline(__always)
    func lines(_ entry: Pending) -> Found { unsafe lines(firstLevel, entry) }

    private var firstLevel: UnsafePointer<IndexLayout.Level> {
      let header = unsafe base.assumingMemoryBound(to: IndexLayout.Header.self)
      return unsafe (base + Int(truncatingIfNeeded: header.pointee.levels)).assumingMemoryBound(
        to: IndexLayout.Level.self)
    }

    /// Calls `body` for what is in a cell.
    @inline(__always)
    func look(_ found: Found, _ coordinate: Coordinate, _ body: (Int) -> Void) {
      let near = unsafe Self.near(found.line, found.place)
      if near != 0 || found.count > 1 {
        unsafe visit(found.line, found.count, near, found.place, coordinate, body)
      }
    }

    /// Where something is, before its block is known.
    @safe struct Pending {
      let slot: UnsafePointer<IndexLayout.Slot>
      let key: UInt64
      let cell: Int
      let y: UInt64
      let x: UInt64
      let shrink: UInt32
    }

    /// Where something is in a block.
    struct Place {
      /// In units from the south-west corner, rounded down.
      let x: Int16
      let y: Int16
      /// That of the block's band.
      let shrink: UInt32
    }

    /// The same when it is.
    @safe struct Found {
      let line: UnsafeRawPointer
      let count: Int
      let place: Place
    }

    /// The circle at a position that has one.
    func circle(_ position: Int) -> Circle { unsafe RegionIndex.circle(base, position) }

    @inline(__always)
    func forEachLevel(
      from first: UInt64 = 0, _ coordinate: Coordinate, _ body: (UnsafePointer<IndexLayout.Level>, Pending) -> Void
    ) {
      let header = unsafe base.assumingMemoryBound(to: IndexLayout.Header.self)
      let north = RegionGrid.northShare(coordinate.latitude)
      let east = RegionGrid.eastShare(coordinate.longitude)
      var level = unsafe (base + Int(truncatingIfNeeded: header.pointee.levels)).assumingMemoryBound(
        to: IndexLayout.Level.self)
      unsafe level += Int(truncatingIfNeeded: first)
      var rest = unsafe header.pointee.levelCount &- first
      while rest > 0 {
        unsafe body(level, entry(level, north, east))
        unsafe level += 1
        rest &-= 1
      }
    }

    /// Whether a whole block has nothing.
    func isEmpty(_ level: UnsafePointer<IndexLayout.Level>, _ entry: Pending) -> Bool {
      unsafe entry.slot.pointee.key != entry.key
    }

    /// The columns of the band that a coordinate is in.
    func columns(_ level: UnsafePointer<IndexLayout.Level>, _ coordinate: Coordinate) -> UInt32 {
      let bands = unsafe (base + Int(truncatingIfNeeded: level.pointee.bands)).assumingMemoryBound(
        to: IndexLayout.Band.self)
      let north = RegionGrid.northShare(coordinate.latitude)
      return unsafe bands[Int(truncatingIfNeeded: north &>> UInt64(level.pointee.bandShift))].columns
    }

    /// Where to look for something at a level: the slot of its block, and the cell in it. Rows and columns have 42 bits behind the point.
    @inline(__always)
    private func entry(_ level: UnsafePointer<IndexLayout.Level>, _ north: UInt64, _ east: UInt64) -> Pending {
      let band =
        unsafe (base + Int(truncatingIfNeeded: level.pointee.bands)).assumingMemoryBound(to: IndexLayout.Band.self)
        + Int(truncatingIfNeeded: north &>> UInt64(level.pointee.bandShift))
      return unsafe entry(
        level, y: north &* UInt64(level.pointee.rows), x: east &* UInt64(band.pointee.columns),
        shrink: band.pointee.shrink)
    }

    /// The same, with the row and the column.
    @inline(__always)
    func entry(_ level: UnsafePointer<IndexLayout.Level>, y: UInt64, x: UInt64, shrink: UInt32) -> Pending {
      let pointBits = RegionGrid.shareBits
      let key = IndexLayout.key(
        Int(truncatingIfNeeded: y &>> (pointBits &+ 2)), Int(truncatingIfNeeded: x &>> (pointBits &+ 2)))
      let cell = y &>> (pointBits &- 2) & 12 | x &>> pointBits & 3
      return unsafe Pending(
        slot: slot(level, key), key: key, cell: Int(truncatingIfNeeded: cell), y: y, x: x, shrink: shrink)
    }

    /// The lines of the cell that something is in, and where it is there. Where there are none, the first line of all, which has nothing.
    @inline(__always)
    func lines(_ level: UnsafePointer<IndexLayout.Level>, _ entry: Pending) -> Found {
      let pointBits = RegionGrid.shareBits
      let (first, count) = unsafe lines(level, entry.slot, entry.cell)
      let isEmpty = unsafe entry.slot.pointee.key != entry.key || count == 0
      let line =
        unsafe base + Int(truncatingIfNeeded: level.pointee.lines) + (isEmpty ? 0 : first) &* IndexLayout.lineSize
      let columns = Int(truncatingIfNeeded: entry.x &>> (pointBits &- 22) & 0xFF_FFFF)
      let units = unsafe columns &* Int(entry.slot.pointee.columnUnits)
      let place = Place(
        x: Int16(truncatingIfNeeded: units &>> (22 &+ IndexLayout.unitBits)),
        y: Int16(truncatingIfNeeded: entry.y &>> (pointBits &- 12) & 0x3FFF), shrink: entry.shrink)
      return unsafe Found(line: line, count: isEmpty ? 0 : count, place: place)
    }

    /// Calls `body` for some lines of a cell, of which it is known what is near in the first.
    @inline(never)
    private func visit(
      _ first: UnsafeRawPointer, _ count: Int, _ nearInFirst: UInt64, _ place: Place, _ coordinate: Coordinate,
      _ body: (Int) -> Void
    ) {
      var (line, near, rest) = unsafe (first, nearInFirst, count)
      while true {
        while near != 0 {
          let lane = near.trailingZeroBitCount &>> 4 | (near.trailingZeroBitCount & 1) &<< 2
          near &= near &- 1
          let position = unsafe line.load(fromByteOffset: IndexLayout.positionOffset &+ lane &* 4, as: UInt32.self)
          let reach = unsafe line.load(fromByteOffset: IndexLayout.reachOffset &+ lane &* 2, as: Int16.self)
          if reach < IndexLayout.whole {
            let east = unsafe Int(place.x &- line.load(fromByteOffset: lane &* 2, as: Int16.self))
            let north = unsafe Int(
              place.y &- line.load(fromByteOffset: IndexLayout.yOffset &+ lane &* 2, as: Int16.self))
            let square = east &* east &+ north &* north
            let most = Int(reach)
            if square > most &* most { continue }
            let least = (most &* Int(place.shrink)) &>> IndexLayout.shrinkBits &- IndexLayout.roundedUp
            if position & IndexLayout.areaFlag == 0, least > 0, square < least &* least {
              body(Int(position))
              continue
            }
          }
          if reach == IndexLayout.whole || isInside(coordinate, position) {
            body(Int(position & ~IndexLayout.areaFlag))
          }
        }
        rest &-= 1
        guard rest > 0 else { return }
        unsafe line += IndexLayout.lineSize
        near = unsafe Self.near(line, place)
      }
    }

    /// Which of a line's six entries may be in reach: of entry n, bit 16 (n mod 4) + n / 4.
    @inline(__always)
    private static func near(_ line: UnsafeRawPointer, _ place: Place) -> UInt64 {
      let (placeX, placeY) = (SIMD8(repeating: place.x), SIMD8(repeating: place.y))
      let x = unsafe line.loadUnaligned(as: SIMD8<Int16>.self)
      let y = unsafe line.loadUnaligned(fromByteOffset: IndexLayout.yOffset, as: SIMD8<Int16>.self)
      let reach = unsafe line.loadUnaligned(fromByteOffset: IndexLayout.reachOffset, as: SIMD8<Int16>.self)
      let isFar = (placeX &- x .> reach) .| (x &- placeX .> reach) .| (placeY &- y .> reach) .| (y &- placeY .> reach)
      // All 16 bits for each that is far; the last two lanes say nothing.
      let far = unsafe unsafeBitCast(isFar, to: SIMD2<UInt64>.self)
      return ~(far[0] & 0x1_0001_0001_0001 | far[1] & 0x1_0001 &<< 1) & 0x1_0001_0003_0003
    }

    /// The one slot where the block of a key can be; another key is there, or none, where nothing is in the block.
    @inline(__always)
    func slot(_ level: UnsafePointer<IndexLayout.Level>, _ key: UInt64) -> UnsafePointer<IndexLayout.Slot> {
      let hash = unsafe IndexLayout.hash(key, level.pointee.hashSeed)
      let seeds = unsafe (base + Int(truncatingIfNeeded: level.pointee.seeds)).assumingMemoryBound(to: UInt8.self)
      let seed = unsafe seeds[Int(truncatingIfNeeded: hash & level.pointee.sortMask)]
      let number = unsafe IndexLayout.slot(hash, seed, level.pointee.slotCount)
      let slots = unsafe base + Int(truncatingIfNeeded: level.pointee.slots)
      return unsafe (slots + number &* IndexLayout.slotSize).assumingMemoryBound(to: IndexLayout.Slot.self)
    }

    /// The lines of a cell of a block, 0 to 15: the first, and how many.
    @inline(__always)
    func lines(_ level: UnsafePointer<IndexLayout.Level>, _ slot: UnsafePointer<IndexLayout.Slot>, _ cell: Int) -> (
      Int, Int
    ) {
      let first = unsafe Int(slot.pointee.base)
      if unsafe slot.pointee.large == 0 {
        let starts = unsafe (UnsafeRawPointer(slot) + IndexLayout.startsOffset).assumingMemoryBound(to: UInt16.self)
        return unsafe (first &+ Int(starts[cell]), Int(starts[cell &+ 1]) &- Int(starts[cell]))
      }
      let starts =
        unsafe (base + Int(truncatingIfNeeded: level.pointee.large)).assumingMemoryBound(to: UInt32.self)
        + (Int(slot.pointee.large) &- 1) &* 17
      return unsafe (first &+ Int(starts[cell]), Int(starts[cell &+ 1]) &- Int(starts[cell]))
    }

    /// Whether the distance on the sphere says so.
    @inline(never)
    private func isInside(_ coordinate: Coordinate, _ position: UInt32) -> Bool {
      let number = Int(position & ~IndexLayout.areaFlag)
      let circle = unsafe RegionIndex.circle(base, number)
      let distance = Earth.distance(coordinate, circle.center) - circle.radius
      guard position & IndexLayout.areaFlag != 0 else { return distance <= 0 }
      return distance <= 1e-3 + circle.radius * 1e-6
        && isInside(area: number, coordinate)
    }

    private func isInside(area number: Int, _ coordinate: Coordinate) -> Bool {
      guard let area = unsafe index.takeUnretainedValue().area(number) else { return false }
      return area.edgeDistance(from: coordinate) <= 0
    }
  }

  /// A circle, or the one round an area.
  static func circle(_ base: UnsafeRawPointer, _ position: Int) -> Circle {
    let header = unsafe base.assumingMemoryBound(to: IndexLayout.Header.self)
    let numbers = unsafe (base + Int(header.pointee.circles)).assumingMemoryBound(to: Double.self) + position * 3
    return unsafe Circle(center: Coordinate(latitude: numbers[0], longitude: numbers[1]), radius: numbers[2])
  }
}
