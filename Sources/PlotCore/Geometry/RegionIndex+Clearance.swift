extension RegionIndex.Search {
  /// Beyond this latitude a degree of longitude changes too much within a cell.
  private static let mostLatitude = 75.0
  /// A cell with more lines is not looked through.
  private static let mostLines = 4
  /// In metres: a plane that is larger is none, and a cell that is has other widths in its north than in its south.
  private static let most = 20_000.0

  /// Metres around a coordinate within which the same regions contain all; 0 where that is not easily told. What lies around is known of some
  /// cells only, so it is never more than the way to their rim.
  func clearance(_ coordinate: Coordinate) -> Double {
    guard abs(coordinate.latitude) < Self.mostLatitude else { return 0 }
    let plane = Plane(around: coordinate)
    var least = Self.most
    unsafe forEachLevel(coordinate) { level, entry in
      guard least > 0 else { return }
      let columns = unsafe columns(level, coordinate)
      let cell = unsafe Point(x: 360 * plane.east / Double(columns), y: 180 * Plane.north / Double(level.pointee.rows))
      // A block that has nothing is four cells wide and high.
      let ofBlock = unsafe isEmpty(level, entry) ? rim(level, entry, columns, plane, 4 * cell, bits: 2) : 0
      guard ofBlock < min(cell.x, cell.y) / 2 else {
        least = min(least, ofBlock)
        return
      }
      least = unsafe min(least, max(ofBlock, rim(level, entry, columns, plane, cell, bits: 0)))
    }
    // The error of a plane.
    return max(0, least * 0.97 - 0.1)
  }

  /// Metres from a plane's origin to what is in its cell and in those on the nearer sides, or to what is not known of. With two bits, for
  /// a block that has nothing: the same of blocks.
  private func rim(
    _ level: UnsafePointer<IndexLayout.Level>, _ entry: Pending, _ columns: UInt32, _ plane: Plane, _ size: Point,
    bits: UInt64
  ) -> Double {
    let shareBits = RegionGrid.shareBits
    let one = UInt64(1) << (shareBits + bits)
    let (x, y) = (Double(entry.x & (one - 1)) / Double(one), Double(entry.y & (one - 1)) / Double(one))
    let near = Point(x: min(x, 1 - x) * size.x, y: min(y, 1 - y) * size.y)
    var least = min(size.x - near.x, size.y - near.y)
    if bits == 0 { unsafe look(through: lines(level, entry), plane, isOwn: true, &least) }
    let round = UInt64(columns) << shareBits
    let beside = x < 0.5 ? (entry.x < one ? entry.x + round - one : entry.x - one) : (entry.x + one) % round
    // Beyond the band, columns are others.
    let rowsPerBand = unsafe UInt64(level.pointee.rows) >> (shareBits - UInt64(level.pointee.bandShift))
    let above = y < 0.5 ? entry.y &- one : entry.y + one
    let isInBand = (above >> shareBits) / rowsPerBand == (entry.y >> shareBits) / rowsPerBand

    func see(_ x: UInt64, _ y: UInt64, beyond rim: Double) {
      guard rim < least else { return }
      let other = unsafe self.entry(level, y: y, x: x, shrink: entry.shrink)
      if unsafe isEmpty(level, other) { return }
      var within = least
      if bits == 0 { unsafe look(through: lines(level, other), plane, isOwn: false, &within) }
      least = bits == 0 ? max(within, rim) : rim
    }
    see(beside, entry.y, beyond: near.x)
    if isInBand {
      see(entry.x, above, beyond: near.y)
      see(beside, above, beyond: near.length)
    } else {
      least = min(least, near.y)
    }
    return least
  }

  /// Takes the way from a plane's origin to the nearest edge of what is in a cell.
  private func look(through found: Found, _ plane: Plane, isOwn: Bool, _ least: inout Double) {
    guard found.count <= Self.mostLines else {
      least = 0
      return
    }
    for number in 0..<found.count {
      let line = unsafe found.line + number &* IndexLayout.lineSize
      for lane in 0..<IndexLayout.entriesPerLine {
        let reach = unsafe line.load(fromByteOffset: IndexLayout.reachOffset &+ lane &* 2, as: Int16.self)
        guard reach != IndexLayout.nothing, !isOwn || reach != IndexLayout.whole else { continue }
        let position = unsafe line.load(fromByteOffset: IndexLayout.positionOffset &+ lane &* 4, as: UInt32.self)
        let circle = circle(Int(position & ~IndexLayout.areaFlag))
        let distance = plane.point(circle.center).length
        // In the circle round an area the area's edge is somewhere.
        let isArea = position & IndexLayout.areaFlag != 0
        let edge = isArea ? distance - circle.radius : abs(distance - circle.radius)
        least = min(least, edge - 0.01 * distance)
      }
    }
  }
}
