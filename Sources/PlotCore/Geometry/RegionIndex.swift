/// Answers which circles and areas a position is in, or near. Built once for a feed; one block of bytes that needs nothing else, and may as well
/// come from a file.
///
/// Circles and areas of about one size share a level: a grid of cells, four by four of them in a block, and the blocks that have
/// anything in a hash table. A block's 64 bytes say where the entries of its cells are; an entry has the place and the radius in
/// 16 bits each, exact to a few decimetres. So a position needs one block and one run of entries of each level, and the distance
/// on the sphere only where the rim is nearer than that (docs/performance.md).
@safe public final class RegionIndex: @unchecked Sendable {
  let base: UnsafeRawPointer
  /// Keeps the bytes.
  private let owner: any AnyObject & Sendable
  private let header: IndexLayout.Header
  let area: @Sendable (Int) -> Area?

  /// Of each position in the feed what lies there; nil for what is no place, or moves. `area` gives the area at a position that has one.
  public convenience init(_ places: [Place?], area: @escaping @Sendable (Int) -> Area?) {
    let block = RegionIndexBuilder(places).block()
    unsafe self.init(unchecked: UnsafeRawPointer(block.address), owner: block, area: area)
  }

  init(unchecked base: UnsafeRawPointer, owner: any AnyObject & Sendable, area: @escaping @Sendable (Int) -> Area?) {
    unsafe self.base = base
    self.owner = owner
    unsafe header = base.load(as: IndexLayout.Header.self)
    self.area = area
  }

  public var byteCount: Int { Int(header.byteCount) }

  /// The bytes, to be kept somewhere: at an address that 64 divides they are an index again.
  public func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    unsafe try body(UnsafeRawBufferPointer(start: base, count: byteCount))
  }

  /// Calls `body` with the position of each region that contains the coordinate, once each.
  public func forEachContaining(_ coordinate: Coordinate, _ body: (Int) -> Void) {
    search.forEachContaining(coordinate, body)
  }

  /// For whoever keeps the index by other means.
  public var search: Search { unsafe Search(base: base, index: Unmanaged.passUnretained(self)) }

  // MARK: What is near

  /// Calls `body` with the position and the distance to the edge in metres, negative inside, of each region whose edge is at most
  /// `metres` away or that contains the coordinate, once each.
  public func forEachNear(_ coordinate: Coordinate, _ metres: Double, _ body: (Int, Double) -> Void) {
    var seen: Set<UInt32> = []
    func look(_ position: UInt32) {
      guard seen.insert(position).inserted else { return }
      let number = Int(position & ~IndexLayout.areaFlag)
      let circle = unsafe Self.circle(base, number)
      var distance = Earth.distance(coordinate, circle.center) - circle.radius
      if position & IndexLayout.areaFlag != 0 {
        guard distance <= metres + 1e-3 + circle.radius * 1e-6, let area = area(number) else { return }
        distance = area.edgeDistance(from: coordinate)
      }
      if distance <= metres { body(number, distance) }
    }
    let search = search
    let box = RegionGrid.Box(Circle(center: coordinate, radius: max(0, metres)))
    for number in 0..<Int(header.levelCount) {
      let address = unsafe (base + Int(header.levels)).assumingMemoryBound(to: IndexLayout.Level.self) + number
      let level = unsafe address.pointee
      func lookAt(_ number: Int) {
        for lane in 0..<IndexLayout.entriesPerLine {
          let line = unsafe base + Int(level.lines) + number * IndexLayout.lineSize
          guard
            unsafe line.load(fromByteOffset: IndexLayout.reachOffset + lane * 2, as: Int16.self) != IndexLayout.nothing
          else {
            return
          }
          unsafe look(line.load(fromByteOffset: IndexLayout.positionOffset + lane * 4, as: UInt32.self))
        }
      }
      let grid = grid(level)
      if grid.count(box) > Int(level.lineCount) {
        for line in 0..<Int(level.lineCount) { lookAt(line) }
      } else {
        grid.forEachCell(box) { row, column in
          let key = IndexLayout.key(row >> 2, column >> 2)
          let slot = unsafe search.slot(address, key)
          guard unsafe slot.pointee.key == key else { return }
          let (first, count) = unsafe search.lines(address, slot, (row & 3) << 2 | column & 3)
          for line in first..<first + count { lookAt(line) }
        }
      }
    }
  }

  private func grid(_ level: IndexLayout.Level) -> RegionGrid {
    let bands = unsafe (base + Int(level.bands)).assumingMemoryBound(to: IndexLayout.Band.self)
    return RegionGrid(
      rows: Int(level.rows),
      columns: (0..<(1 << RegionGrid.bandBits(rows: Int(level.rows)))).map { unsafe Int(bands[$0].columns) })
  }
}
