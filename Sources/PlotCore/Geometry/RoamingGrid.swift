#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Cells of a sphere: rows of one height, each cut into columns. A circle of the reach meets four of them at most places.
struct RoamingGrid: Sendable {
  struct Cell: Hashable, Sendable {
    var row: Int32
    var column: Int32
  }

  /// Degrees that are looked around a place on its meridian, and their sine.
  private let angle: Double
  private let sine: Double
  /// Of a row, in degrees.
  private let height: Double
  private let rows: Int
  /// How many columns the rows of each degree of latitude have, from the south.
  private let columns: [Int]

  /// `reach`: metres.
  init(reach: Double) {
    // A little more, for rounding may take some away.
    let angle = (reach * (1 + 1e-9) + 1e-6) / (Earth.radius * .pi / 180)
    let rows = max(1, Int(saturating: 90 / max(angle, 1e-5)))
    let height = 180 / Double(rows)
    (self.angle, sine, self.rows, self.height) = (angle, sin(angle * .pi / 180), rows, height)
    columns = (0..<180).map { degree in
      max(1, min(Int(saturating: 360 * Earth.cosine(Double(degree) - 89.5) / height), 1 << 30))
    }
  }

  /// How many columns a row has.
  private func columns(_ row: Int) -> Int {
    let degree = min(Int(saturating: Double(row) * height), 179)
    guard degree == 0 || degree == 179 else { return columns[degree] }
    // Around a pole, where a circle may meet all columns of a row, each ring has its own number.
    return Int(saturating: 2 * .pi * Double(min(row, rows - 1 - row) + 1))
  }

  private func row(_ latitude: Double) -> Int {
    min(max(Int(saturating: (latitude + 90) / height), 0), rows - 1)
  }

  private func column(_ longitude: Double, of count: Int) -> Int {
    let part = (longitude + 180) / 360
    return min(Int(saturating: (part - part.rounded(.down)) * Double(count)), count - 1)
  }

  func cell(of coordinate: Coordinate) -> Cell {
    let row = row(coordinate.latitude)
    let column = column(coordinate.longitude, of: columns(row))
    return Cell(row: Int32(truncatingIfNeeded: row), column: Int32(truncatingIfNeeded: column))
  }

  /// The cells in which there may be a place within reach, each once.
  ///
  /// No closure is called for each: one that looks at a device would copy all that it looks into.
  struct Cells: IteratorProtocol {
    fileprivate let grid: RoamingGrid
    fileprivate let longitude: Double
    /// Degrees to either side.
    fileprivate let span: Double
    fileprivate var row: Int
    fileprivate let lastRow: Int
    fileprivate var column = 0
    fileprivate var lastColumn = 0
    fileprivate var count = 1

    fileprivate mutating func beginRow() {
      count = grid.columns(row)
      (column, lastColumn) = (0, count - 1)
      if 2 * span + 720 / Double(count) < 360 {
        column = grid.column(longitude - span, of: count)
        lastColumn = grid.column(longitude + span, of: count)
      }
    }

    @inline(__always)
    mutating func next() -> Cell? {
      guard row <= lastRow else { return nil }
      let cell = Cell(row: Int32(truncatingIfNeeded: row), column: Int32(truncatingIfNeeded: column))
      if column != lastColumn {
        column = column + 1 == count ? 0 : column + 1
      } else {
        row += 1
        if row <= lastRow { beginRow() }
      }
      return cell
    }
  }

  func cells(around middle: Coordinate) -> Cells {
    // A circle around a pole has all longitudes.
    let isPolar = abs(middle.latitude) + angle >= 90
    let ratio = isPolar ? 1 : sine / Earth.cosine(middle.latitude)
    let span = ratio >= 1 ? 360 : asin(ratio) * 180 / .pi + 1e-9
    var cells = Cells(
      grid: self, longitude: middle.longitude, span: span, row: row(max(middle.latitude - angle, -90)),
      lastRow: row(min(middle.latitude + angle, 90)))
    cells.beginRow()
    return cells
  }
}
