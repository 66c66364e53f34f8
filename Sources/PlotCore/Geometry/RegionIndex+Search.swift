extension RegionIndex {
  /// Searches an index that somebody else keeps. Copying it counts no reference.
  @safe struct Search: @unchecked Sendable {
    let base: UnsafeRawPointer
    let index: Unmanaged<RegionIndex>

    func isOf(_ other: RegionIndex) -> Bool { unsafe base == other.base }

    /// Calls `body` with the position of each region that contains the coordinate, once each.
    @inline(__always)
    func forEachContaining(_ coordinate: Coordinate, _ body: (Int) -> Void) {
      let header = unsafe base.assumingMemoryBound(to: Header.self)
      for number in 0..<Int(truncatingIfNeeded: unsafe header.pointee.levelCount) {
        unsafe search(
          (base + Int(truncatingIfNeeded: header.pointee.levels)).assumingMemoryBound(to: Level.self) + number,
          coordinate, body)
      }
    }

    @inline(__always)
    private func search(
      _ level: UnsafePointer<Level>, _ coordinate: Coordinate, _ body: (Int) -> Void
    ) {
      let (latitude, longitude) = (coordinate.latitude + 90, coordinate.longitude + 180)
      let y = unsafe latitude * level.pointee.rowScale
      let row = unsafe max(0, min(1 &<< Int(level.pointee.bits) &- 1, Int(y)))
      let band =
        unsafe (base + Int(truncatingIfNeeded: level.pointee.bands)).assumingMemoryBound(to: Band.self)
        + row &>> Int(level.pointee.bandShift)
      var x = unsafe longitude * band.pointee.columnScale
      var column = Int(x)
      let columns = unsafe Int(band.pointee.columns)
      if column >= columns {
        column -= columns
        x -= Double(columns)
      }
      guard let block = unsafe block(level, row, column) else { return }
      let (first, last) = unsafe lines(level, block, row, column)
      guard first < last else { return }
      let lines = unsafe base + Int(truncatingIfNeeded: level.pointee.lines)
      let atX = Self.nearest(unsafe Float(x - Double(column & ~3 + 2)) * block.pointee.columnUnits)
      let atY = Self.nearest(Float((y - Double(row & ~3 + 2)) * RegionGrid.unitsPerRow))
      let (xs, ys) = (SIMD8(repeating: atX), SIMD8(repeating: atY))
      let shrink = unsafe band.pointee.shrink
      for number in first..<last {
        let line = unsafe lines + number &* RegionIndex.lineSize
        let east = unsafe xs &- line.loadUnaligned(as: SIMD8<Int16>.self)
        let north = unsafe ys &- line.loadUnaligned(fromByteOffset: RegionIndex.yOffset, as: SIMD8<Int16>.self)
        let reach = unsafe line.loadUnaligned(fromByteOffset: RegionIndex.reachOffset, as: SIMD8<Int16>.self)
        let far = pointwiseMax(pointwiseMax(east, 0 &- east), pointwiseMax(north, 0 &- north))
        // One bit for each of the six that may be in reach.
        var near = SIMD8<Int16>(1, 2, 4, 8, 16, 32, 0, 0).replacing(with: 0, where: far .> reach).wrappedSum()
        while near != 0 {
          let lane = near.trailingZeroBitCount
          near &= near &- 1
          let position = unsafe line.load(fromByteOffset: RegionIndex.positionOffset &+ lane &* 4, as: UInt32.self)
          let reach = unsafe line.load(fromByteOffset: RegionIndex.reachOffset &+ lane &* 2, as: Int16.self)
          if reach < RegionIndex.whole {
            let east = unsafe Float(atX &- line.load(fromByteOffset: lane &* 2, as: Int16.self))
            let north = unsafe Float(
              atY &- line.load(fromByteOffset: RegionIndex.yOffset &+ lane &* 2, as: Int16.self))
            let square = east * east + north * north
            let most = Float(reach)
            if square > most * most { continue }
            let least = most * shrink - RegionIndex.roundedUp
            if position & RegionIndex.areaFlag == 0, least > 0, square < least * least {
              body(Int(position))
              continue
            }
          }
          if reach == RegionIndex.whole || isInside(coordinate, position) {
            body(Int(position & ~RegionIndex.areaFlag))
          }
        }
      }
    }

    /// The block that a cell is in; nil where nothing is.
    @inline(__always)
    func block(_ level: UnsafePointer<Level>, _ row: Int, _ column: Int) -> UnsafePointer<Slot>? {
      let key = RegionIndex.key(row >> 2, column >> 2)
      let slots = unsafe base + Int(truncatingIfNeeded: level.pointee.slots)
      let count = unsafe level.pointee.slotCount
      var number = RegionIndex.hash(key, count)
      while true {
        let slot = unsafe (slots + number &* RegionIndex.slotSize).assumingMemoryBound(to: Slot.self)
        if unsafe slot.pointee.key == key { return unsafe slot }
        if unsafe slot.pointee.key == 0 { return nil }
        number = number &+ 1 == Int(truncatingIfNeeded: count) ? 0 : number &+ 1
      }
    }

    /// The lines of a cell of a block: the first, and the one behind the last.
    @inline(__always)
    func lines(
      _ level: UnsafePointer<Level>, _ block: UnsafePointer<Slot>, _ row: Int, _ column: Int
    ) -> (Int, Int) {
      let cell = (row & 3) << 2 | column & 3
      let first = unsafe Int(block.pointee.base)
      if unsafe block.pointee.large == 0 {
        let starts = unsafe (UnsafeRawPointer(block) + RegionIndex.startsOffset).assumingMemoryBound(to: UInt16.self)
        return unsafe (first &+ Int(starts[cell]), first &+ Int(starts[cell &+ 1]))
      }
      let starts =
        unsafe (base + Int(level.pointee.large)).assumingMemoryBound(to: UInt32.self)
        + (Int(block.pointee.large) - 1) * 17
      return unsafe (first + Int(starts[cell]), first + Int(starts[cell + 1]))
    }

    /// Whether the distance on the sphere says so.
    @inline(never)
    private func isInside(_ coordinate: Coordinate, _ position: UInt32) -> Bool {
      let number = Int(position & ~RegionIndex.areaFlag)
      let circle = unsafe RegionIndex.circle(base, number)
      let distance = Earth.distance(coordinate, circle.center) - circle.radius
      guard position & RegionIndex.areaFlag != 0 else { return distance <= 0 }
      return distance <= 1e-3 + circle.radius * 1e-6
        && isInside(area: number, coordinate)
    }

    private func isInside(area number: Int, _ coordinate: Coordinate) -> Bool {
      guard let area = unsafe index.takeUnretainedValue().area(number) else { return false }
      return area.edgeDistance(from: coordinate) <= 0
    }

    /// To the nearest integer, of numbers that fit by far.
    @inline(__always)
    private static func nearest(_ number: Float) -> Int16 {
      Int16(truncatingIfNeeded: Int32(number + 32_768.5) &- 32_768)
    }
  }

  /// A circle, or the one round an area.
  static func circle(_ base: UnsafeRawPointer, _ position: Int) -> Circle {
    let header = unsafe base.assumingMemoryBound(to: Header.self)
    let numbers = unsafe (base + Int(header.pointee.circles)).assumingMemoryBound(to: Double.self) + position * 3
    return unsafe Circle(center: Coordinate(latitude: numbers[0], longitude: numbers[1]), radius: numbers[2])
  }
}
