#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

private let degree = Double.pi / 180

/// The cells of one level of a `RegionIndex`: rows from pole to pole, and so many columns in each band of rows that cells are about square.
/// Four rows by four columns are a block.
struct RegionGrid {
  /// Units of an entry's numbers in a row's height.
  static let unitsPerRow = 4096.0
  /// A circle larger than so many rows is compared exactly.
  static let mostRows = 4.0

  let rows: Int
  let rowScale: Double
  /// 2^bandBits bands, each of as many rows.
  let bandBits: Int
  let rowsPerBand: Int
  /// Columns of each band, multiples of 4.
  let columns: [Int]
  /// Of each band: by what share a distance in the plane may differ from that on the sphere, near enough to an entry's rim to matter;
  /// infinite where the plane says nothing.
  private(set) var errors: [Double] = []
  /// Metres.
  let height: Double

  /// How many rows a grid may have: 5,000 km to 19 m high.
  static let rowCounts = (2...20).map { 1 << $0 }

  init(rows: Int) {
    let bands = 1 << Self.bandBits(rows: rows)
    let columns = (0..<bands).map { band in
      let latitude = (Double(band) + 0.5) * 180 / Double(bands) - 90
      return max(4, Int(saturating: Double(rows) * 2 * cos(latitude * degree) / 4) * 4)
    }
    self.init(rows: rows, columns: columns)
    errors = columns.indices.map(error)
  }

  /// As it was made elsewhere.
  init(rows: Int, columns: [Int]) {
    self.rows = rows
    self.columns = columns
    rowScale = Double(rows) / 180
    height = Double.pi * Earth.radius / Double(rows)
    bandBits = Self.bandBits(rows: rows)
    rowsPerBand = rows >> bandBits
  }

  /// Blocks do not reach over the rim of a band.
  static func bandBits(rows: Int) -> Int { min(6, (rows / 4).trailingZeroBitCount) }

  /// Columns for each degree.
  func columnScale(_ band: Int) -> Double { Double(columns[band]) / 360 }

  /// The share of an extent that some degrees are, as a number of so many bits. Cells are looked for with it: it is wrong by some
  /// micrometres, and cells have what reaches them within some tenths of a millimetre.
  static let shareBits: UInt64 = 42

  /// From the south pole on. The north pole is just below all of a meridian.
  @inline(__always)
  static func northShare(_ latitude: Double) -> UInt64 { share(latitude, 0x1p42 - 2, 180) }

  /// From the antimeridian on. All round is nothing again.
  @inline(__always)
  static func eastShare(_ longitude: Double) -> UInt64 { share(longitude, 0x1p42, 360) }

  /// A number this large has its integer in its last bits. Takes any number, and what is none.
  @inline(__always)
  private static func share(_ degrees: Double, _ all: Double, _ extent: Double) -> UInt64 {
    (degrees * (all / extent) + (0x1.8p52 + 0x1p41)).bitPattern & (1 &<< shareBits &- 1)
  }

  func row(_ latitude: Double) -> Int { max(0, min(rows - 1, Int(saturating: (latitude + 90) * rowScale))) }

  /// With `h` a row's height in radians: both latitudes are within 6 h of the block's middle, so that the mean that squeezes longitudes is
  /// within 4 h.
  private func error(_ band: Int) -> Double {
    let h = Double.pi / Double(rows)
    let edge = 180 / Double(columns.count) * degree
    let south = Double(band) * edge - .pi / 2
    let most = max(abs(south), abs(south + edge)) + 8 * h
    guard most < 89 * degree else { return .infinity }
    let east = 6 * h / cos(most)
    let error = 8.8 * h * tan(most) + 20 * h * h + east * east
    return error < 0.2 ? error * 0.55 : .infinity
  }

  /// Units of an entry's numbers in a column of a block.
  func columnUnits(blockRow: Int, band: Int) -> Double {
    let middle = Double(blockRow * 4 + 2) / rowScale - 90
    return Self.unitsPerRow * rowScale / columnScale(band) * cos(middle * degree)
  }

  /// Of rows or columns: the range that an extent in degrees covers.
  struct Box {
    var south: Double
    var north: Double
    var west: Double
    /// 360 for all round.
    var width: Double

    init(_ circle: Circle) {
      let angle = circle.radius / Earth.radius * (1 + 1e-9)
      let reach = angle / degree + 2e-9
      south = circle.center.latitude - reach
      north = circle.center.latitude + reach
      let sine = sin(angle) / cos(circle.center.latitude * degree)
      if north >= 90 || south <= -90 || sine >= 1 {
        (west, width) = (-180, 360)
      } else {
        let half = asin(sine) / degree * (1 + 1e-9) + 2e-9
        west = circle.center.longitude - half
        width = min(360, half * 2)
      }
    }
  }

  /// How many cells a box has, about.
  func count(_ box: Box) -> Int {
    let rows = row(box.north) - row(box.south) + 1
    let band = row((box.south + box.north) / 2) / rowsPerBand
    return rows * min(columns[band], Int(saturating: box.width * columnScale(band)) + 2)
  }

  /// Calls `body` with the row and the column of each cell of a box, once each.
  func forEachCell(_ box: Box, _ body: (_ row: Int, _ column: Int) -> Void) {
    for row in row(box.south)...row(box.north) {
      let band = row / rowsPerBand
      for column in columnRange(box, band) { body(row, folded(column, band)) }
    }
  }

  /// Columns from west to east, which may lie beyond the antimeridian; at most all of a row.
  private func columnRange(_ box: Box, _ band: Int) -> Range<Int> {
    let first = Int(saturating: ((box.west + 180) * columnScale(band)).rounded(.down))
    let last = Int(saturating: ((box.west + box.width + 180) * columnScale(band)).rounded(.down))
    return last - first + 1 < columns[band] ? first..<(last + 1) : 0..<columns[band]
  }

  private func folded(_ column: Int, _ band: Int) -> Int {
    column < 0 ? column + columns[band] : column >= columns[band] ? column - columns[band] : column
  }

  /// How much of a cell belongs to something.
  enum Cover { case none, part, whole }

  /// Calls `body` with each cell of a circle's box, once each, and what the circle covers of it; `part` where it is not easily told.
  func forEachCell(_ circle: Circle, _ box: Box, _ body: (_ row: Int, _ column: Int, Cover) -> Void) {
    let rows = row(box.south)...row(box.north)
    // All of the box in one cell: it is neither missed nor covered, and no cosine is needed to say so.
    if rows.count == 1 {
      let (row, band) = (rows.lowerBound, rows.lowerBound / rowsPerBand)
      let columns = columnRange(box, band)
      if columns.count == 1 {
        body(row, folded(columns.lowerBound, band), .part)
        return
      }
    }
    let latitude = circle.center.latitude
    let isClear = circle.radius < 50_000 && abs(latitude) < 80
    let cosCenter = isClear ? cos(latitude * degree) : 0
    let metres = Earth.radius * degree
    func edge(_ row: Int) -> (latitude: Double, cosine: Double) {
      let latitude = Double(row) / rowScale - 90
      return (latitude, isClear ? cos(latitude * degree) : 0)
    }
    var next = edge(rows.lowerBound)
    for row in rows {
      let band = row / rowsPerBand
      // A row's northern edge is the next one's southern.
      let (south, cosSouth) = next
      next = edge(row + 1)
      let (north, cosNorth) = next
      guard isClear, abs(south) < 80, abs(north) < 80 else {
        for column in columnRange(box, band) { body(row, folded(column, band), .part) }
        continue
      }
      let (least, most) = (min(cosSouth, cosNorth, cosCenter), max(cosSouth, cosNorth, cosCenter))
      let nearNorth = max(0, max(south - latitude, latitude - north)) * metres
      let farNorth = max(north - latitude, latitude - south) * metres
      let width = 360 / Double(columns[band])
      for column in columnRange(box, band) {
        let column = folded(column, band)
        let east = abs(foldedLongitude((Double(column) + 0.5) * width - 180 - circle.center.longitude))
        let nearEast = max(0, east - width / 2) * metres * least
        if (nearNorth * nearNorth + nearEast * nearEast).squareRoot() * 0.998 > circle.radius + 0.01 {
          body(row, column, .none)
          continue
        }
        let farEast = (east + width / 2) * metres * most
        let farthest = (farNorth * farNorth + farEast * farEast).squareRoot() * 1.002 + 0.01
        // Where a cell is on both sides of the equator, the cosine may be greater still.
        body(row, column, south < 0 && north > 0 ? .part : farthest <= circle.radius ? .whole : .part)
      }
    }
  }

  /// Calls `body` with each cell that an area covers in whole or in part, once each.
  func forEachCell(_ area: Area, _ box: Box, _ body: (_ row: Int, _ column: Int, Cover) -> Void) {
    let (first, last) = (row(box.south), row(box.north))
    for band in (first / rowsPerBand)...(last / rowsPerBand) {
      let rows = max(first, band * rowsPerBand)..<min(last + 1, (band + 1) * rowsPerBand)
      visit(area, band, rows, columnRange(box, band), body)
    }
  }

  private func visit(
    _ area: Area, _ band: Int, _ rows: Range<Int>, _ columns: Range<Int>, _ body: (Int, Int, Cover) -> Void
  ) {
    let cover = cover(area, band, rows, columns)
    if cover == .none { return }
    if cover == .whole || (rows.count == 1 && columns.count == 1) {
      for row in rows { for column in columns { body(row, folded(column, band), cover) } }
    } else if rows.count > columns.count {
      let middle = rows.lowerBound + rows.count / 2
      visit(area, band, rows.lowerBound..<middle, columns, body)
      visit(area, band, middle..<rows.upperBound, columns, body)
    } else {
      let middle = columns.lowerBound + columns.count / 2
      visit(area, band, rows, columns.lowerBound..<middle, body)
      visit(area, band, rows, middle..<columns.upperBound, body)
    }
  }

  /// The cover of some cells by an area: no edge of it comes in where the nearest is further from the middle than a corner is.
  private func cover(_ area: Area, _ band: Int, _ rows: Range<Int>, _ columns: Range<Int>) -> Cover {
    let width = 360 / Double(self.columns[band])
    let half = Double(columns.count) * width / 2
    guard half <= 45 else { return .part }
    let south = Double(rows.lowerBound) / rowScale - 90
    let north = Double(rows.upperBound) / rowScale - 90
    let middle = Coordinate(
      latitude: (south + north) / 2, longitude: foldedLongitude((Double(columns.lowerBound)) * width - 180 + half))
    let most = max(
      Earth.distance(middle, Coordinate(latitude: south, longitude: middle.longitude + half)),
      Earth.distance(middle, Coordinate(latitude: north, longitude: middle.longitude + half)))
    guard most < 500_000 else { return .part }
    let edge = area.edgeDistance(from: middle)
    return edge > most * 1.01 + 1 ? .none : edge < -most * 1.01 - 1 ? .whole : .part
  }
}
