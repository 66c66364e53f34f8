/// Rows of statistics, as a program takes them: columns of one type each.
struct Table: Sendable {
  struct Column: Sendable {
    var name: String
    var values: Values
  }

  enum Values: Sendable {
    case texts([String])
    /// Nil where there is no number, such as the mean of nothing.
    case integers([Int64?])
    case reals([Double?])
  }

  /// All of them have as many rows.
  var columns: [Column]

  var rowCount: Int {
    switch columns.first?.values {
    case .texts(let values): values.count
    case .integers(let values): values.count
    case .reals(let values): values.count
    case nil: 0
    }
  }

  /// As comma-separated values (RFC 4180), with a row of names.
  var csv: String {
    let cells = columns.map { column in
      switch column.values {
      case .texts(let values): values
      case .integers(let values): values.map { $0.map { "\($0)" } ?? "" }
      case .reals(let values): values.map { $0.map { "\($0)" } ?? "" }
      }
    }
    return CSV.text([columns.map(\.name)] + (0..<rowCount).map { row in cells.map { $0[row] } })
  }
}
