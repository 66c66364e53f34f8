extension RegionIndex.Search {
  /// Beyond this latitude a degree of longitude changes too much within a cell.
  private static let mostLatitude = 75.0
  /// A cell with more lines is not looked through.
  private static let mostLines = 4

  /// Metres around a coordinate within which the same regions contain all; 0 where that is not easily told. What lies around is known of the
  /// cell only, so it is never more than the way to the cell's rim.
  func clearance(_ coordinate: Coordinate) -> Double {
    guard abs(coordinate.latitude) < Self.mostLatitude else { return 0 }
    let plane = Plane(around: coordinate)
    var least = Double.infinity
    unsafe forEachLevel(coordinate) { level, entry in
      guard least > 0 else { return }
      let isEmpty = unsafe isEmpty(level, entry)
      let height = unsafe 180 * Plane.north / Double(level.pointee.rows)
      let width = unsafe 360 * plane.east / Double(columns(level, coordinate))
      // A block that has nothing is four cells wide and high.
      let bits = RegionGrid.shareBits + (isEmpty ? 2 : 0)
      let (y, x) = (Self.rim(entry.y, bits), Self.rim(entry.x, bits))
      let cells = isEmpty ? 4.0 : 1.0
      least = min(least, y * height * cells, x * width * cells)
      if !isEmpty { unsafe look(through: lines(level, entry), plane, &least) }
    }
    // The error of a plane.
    return least.isFinite ? max(0, least * 0.97 - 0.1) : 0
  }

  /// The share of an extent up to its nearer end.
  private static func rim(_ value: UInt64, _ bits: UInt64) -> Double {
    let share = Double(value & (1 &<< bits &- 1)) / Double(UInt64(1) << bits)
    return min(share, 1 - share)
  }

  /// Takes the way from a plane's origin to the nearest edge of what is in a cell.
  private func look(through found: Found, _ plane: Plane, _ least: inout Double) {
    guard found.count <= Self.mostLines else {
      least = 0
      return
    }
    for number in 0..<found.count {
      let line = unsafe found.line + number &* IndexLayout.lineSize
      for lane in 0..<IndexLayout.entriesPerLine {
        let reach = unsafe line.load(fromByteOffset: IndexLayout.reachOffset &+ lane &* 2, as: Int16.self)
        guard reach != IndexLayout.nothing, reach != IndexLayout.whole else { continue }
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
