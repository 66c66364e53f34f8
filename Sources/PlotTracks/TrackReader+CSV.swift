package import FoundationEssentials

extension TrackReader {
  /// Reads CSV (RFC 4180), with commas, semicolons or tabs between its cells, and with a header line: `time` or `timestamp`, `latitude` or
  /// `lat`, `longitude`, `lon` or `lng`, and where known `accuracy` (metres), `speed` (metres a second) and `course` or `heading` (degrees), in
  /// any order and case. A time is ISO 8601 or a whole number, of seconds below 100,000,000,000 and of milliseconds from there on. Columns of
  /// other names are left out with a warning; empty cells are unknown values; blank lines are skipped.
  package static func readCSV(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    var scanner = CSVScanner(data)
    guard let header = try scanner.next() else {
      throw TrackError(
        at: .position(line: 1, column: 1), expected: "a header line with time, latitude and longitude",
        found: "an empty file")
    }
    let columns = try columns(header, needsTimes: !ignoresTimes)
    var track = TrackCollector(ignoresTimes: ignoresTimes)
    while let cells = try scanner.next(asIn: header) { try add(cells, columns, to: &track) }
    let ignored = header.enumerated().filter { columns[$0.offset] == nil }.map { TrackError.quote($0.element.text) }
    let plural = ignored.count == 1 ? "column was" : "columns were"
    let warnings = ignored.isEmpty ? [] : ["The \(plural) not read: \(ignored.joined(separator: ", "))."]
    return try finish(track, name: nil, warnings: warnings)
  }

  /// The meaning of a column of the file.
  private enum Column: Hashable {
    case time
    case field(TrackField)

    init?(header: String) {
      switch header.trimmingBlanks().lowercased() {
      case "time", "timestamp": self = .time
      case let name:
        guard let field = TrackField(column: name) else { return nil }
        self = .field(field)
      }
    }

    var name: String {
      switch self {
      case .time: "time"
      case .field(let field): field.rawValue
      }
    }
  }

  private static func columns(_ header: [CSVCell], needsTimes: Bool) throws(TrackError) -> [Column?] {
    let columns = header.map { Column(header: $0.text) }
    var seen: Set<Column> = []
    for (cell, column) in zip(header, columns) {
      guard let column else { continue }
      guard seen.insert(column).inserted else {
        throw TrackError(
          at: cell.place, expected: "one column for the \(column.name)",
          found: "a second one, \(TrackError.quote(cell.text))")
      }
    }
    let needed = (needsTimes ? [Column.time] : []) + [.field(.latitude), .field(.longitude)]
    for required in needed where !seen.contains(required) {
      let found = header.map(\.text).joined(separator: ",")
      var error = TrackError(
        at: .position(line: header[0].line, column: 1), expected: "a header line with a column \(required.name)",
        found: TrackError.quote(found))
      error.isAboutTimes = required == .time
      throw error
    }
    return columns
  }

  /// Adds the point of a row.
  private static func add(
    _ cells: [CSVCell], _ columns: [Column?], to track: inout TrackCollector
  ) throws(TrackError) {
    var point = TrackPoint(time: 0, latitude: 0, longitude: 0)
    var time: Int64?
    for (cell, column) in zip(cells, columns) {
      let isEmpty = cell.text.trimmingBlanks().isEmpty
      switch column {
      case nil: continue
      case .time:
        if isEmpty { continue }
        time = try track.time(cell.place) { () throws(TrackError) in
          guard let milliseconds = milliseconds(cell.text) else {
            let expected = CalendarTime.expectedText + ", or whole seconds or milliseconds since 1970"
            throw TrackError(at: cell.place, expected: expected, found: CalendarTime.found(cell.text))
          }
          return milliseconds
        }
      case .field(let field):
        if isEmpty, field != .latitude, field != .longitude { continue }
        guard let value = field.value(of: cell.number) else {
          let found = TrackError.quoteOrNothing(cell.text)
          throw TrackError(at: cell.place, expected: field.expected, found: found)
        }
        point.set(field, value)
      }
    }
    track.add(point, at: time)
  }

  package static func milliseconds(_ text: String) -> Int64? {
    if let number = Int64(text.trimmingBlanks()) { return CalendarTime.milliseconds(ofNumber: number) }
    return CalendarTime.parse(text)
  }
}

/// One cell of a CSV file, without its quotes; line and column of its first character count from 1, the column in Unicode
/// characters (scalars).
package struct CSVCell {
  package var text: String
  package var line: Int
  package var column: Int
  /// Whether a number in it may have a comma before its fraction.
  package var hasDecimalComma = false

  /// Its text as that of a number, with a point.
  package var number: String { hasDecimalComma ? String(text.map { $0 == "," ? "." : $0 }) : text }

  package var place: TrackError.Place { .position(line: line, column: column) }
}

/// Cuts a CSV file into rows.
package struct CSVScanner {
  private let bytes: [UInt8]
  /// Between the cells.
  private let separator: UInt8
  private var position = 0
  private var line = 1
  private var column = 1

  package init(_ data: Data) {
    bytes = Array(data)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    separator = Self.separator(of: bytes)
  }

  /// The one of comma, semicolon and tab that the header has most often; the comma of as many.
  private static func separator(of bytes: [UInt8]) -> UInt8 {
    let header = bytes.drop { $0 == 0x0A || $0 == 0x0D }.prefix { $0 != 0x0A && $0 != 0x0D }
    var (best, most) = (UInt8(ascii: ","), 0)
    for candidate in [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09] {
      let count = header.count { $0 == candidate }
      if count > most { (best, most) = (candidate, count) }
    }
    return best
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// The cells of the next row that is not blank; nil at the end of the file.
  package mutating func next() throws(TrackError) -> [CSVCell]? {
    while current != nil {
      let start = position
      var cells = [try cell()]
      while current == separator {
        advance()
        cells.append(try cell())
      }
      let isBlank = cells.count == 1 && cells[0].text.trimmingBlanks().isEmpty && bytes[start] != UInt8(ascii: "\"")
      skipLineEnd()
      if !isBlank { return cells }
    }
    return nil
  }

  /// The same, with as many cells as the header has.
  package mutating func next(asIn header: [CSVCell]) throws(TrackError) -> [CSVCell]? {
    guard let cells = try next() else { return nil }
    guard cells.count == header.count else {
      throw TrackError(
        at: cells[min(header.count, cells.count - 1)].place,
        expected: "\(Words.count(header.count, "cell")), as in the header", found: "\(cells.count)")
    }
    return cells
  }

  private mutating func cell() throws(TrackError) -> CSVCell {
    let (line, column) = (line, column)
    let content: [UInt8]
    if current == UInt8(ascii: "\"") {
      content = try quoted()
    } else {
      let start = position
      while let byte = current, byte != separator, byte != 0x0A, byte != 0x0D {
        if byte == UInt8(ascii: "\"") {
          let place = TrackError.Place.position(line: self.line, column: self.column)
          throw TrackError(at: place, expected: "quotes around the whole cell", found: "a quote within it")
        }
        advance()
      }
      content = Array(bytes[start..<position])
    }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw TrackError(
        at: .position(line: line, column: column), expected: "UTF-8", found: "bytes that are not UTF-8")
    }
    return CSVCell(text: text, line: line, column: column, hasDecimalComma: separator != UInt8(ascii: ","))
  }

  /// A cell in quotes, where two quotes stand for one.
  private mutating func quoted() throws(TrackError) -> [UInt8] {
    let opening = TrackError.Place.position(line: line, column: column)
    var content: [UInt8] = []
    advance()
    while let byte = current {
      advance()
      guard byte == UInt8(ascii: "\"") else {
        content.append(byte)
        continue
      }
      if current == UInt8(ascii: "\"") {
        content.append(byte)
        advance()
        continue
      }
      guard current == nil || current == separator || current == 0x0A || current == 0x0D else {
        let place = TrackError.Place.position(line: line, column: column)
        let name = separator == UInt8(ascii: ",") ? "a comma" : separator == 0x09 ? "a tab" : "a semicolon"
        throw TrackError(at: place, expected: "\(name) or the end of the line after a quoted cell", found: "more text")
      }
      return content
    }
    throw TrackError(at: opening, expected: "a closing quote", found: "the end of the file")
  }

  /// Goes one byte on, within a line or over a line end inside quotes.
  private mutating func advance() {
    let byte = bytes[position]
    position += 1
    if byte == 0x0A || (byte == 0x0D && current != 0x0A) {
      line += 1
      column = 1
    } else if byte & 0xC0 != 0x80 {
      column += 1
    }
  }

  /// Skips LF, CRLF or CR.
  private mutating func skipLineEnd() {
    if current == 0x0D { advance() }
    if current == 0x0A { advance() }
  }
}
