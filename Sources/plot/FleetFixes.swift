import FoundationEssentials
internal import PlotCore
internal import PlotTracks

/// The fixes of many devices, as CSV files have them (docs/fleet.md), each device's together and by time.
struct FleetFixes: Sendable {
  struct Row: Sendable {
    var device: Int32
    var fix: Fix
  }

  /// The ids of devices in the order of their bytes.
  private(set) var devices: [Identifier] = []
  private(set) var rows: [Row] = []
  private var numbers: [Identifier: Int32] = [:]

  /// Reads a file. Each row needs a device and a time; a position that is none is for the engine to refuse.
  mutating func read(_ data: Data) throws(TrackError) {
    var scanner = CSVScanner(data)
    guard let header = try scanner.next() else {
      throw TrackError(
        at: .position(line: 1, column: 1), expected: "a header line with device, time, latitude and longitude",
        found: "an empty file")
    }
    let places = try Self.places(header)
    while let cells = try scanner.next(asIn: header) { rows.append(try row(cells, places)) }
  }

  /// Brings the rows into their order: by the bytes of the device's id, by time, and by their numbers.
  mutating func sort() {
    let order = devices.indices.sorted { devices[$0] < devices[$1] }
    var ranks = [Int32](repeating: 0, count: devices.count)
    for (rank, device) in order.enumerated() { ranks[device] = Int32(rank) }
    devices = order.map { devices[$0] }
    for index in rows.indices { rows[index].device = ranks[Int(rows[index].device)] }
    rows.sort { $0.isBefore($1) }
    numbers = [:]
  }

  /// Parts of about `size` rows, each with whole devices. Only when sorted.
  func parts(of size: Int) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = 0
    for index in rows.indices where index + 1 == rows.count || rows[index].device != rows[index + 1].device {
      guard index + 1 - start >= size || index + 1 == rows.count else { continue }
      parts.append(start..<index + 1)
      start = index + 1
    }
    return parts
  }

  // MARK: Columns

  private static let columns = ["device", "time", "latitude", "longitude", "accuracy", "speed", "course"]

  /// Where each column stands; nil for one that is not there.
  private static func places(_ header: [CSVCell]) throws(TrackError) -> [Int?] {
    var places: [Int?] = []
    for name in columns {
      let found = header.indices.filter { header[$0].text.trimmingBlanks() == name }
      if found.count > 1 {
        throw TrackError(
          at: header[found[1]].place, expected: "one column \(name)", found: "a second one")
      }
      if found.isEmpty, places.count < 4 {
        throw TrackError(
          at: header[0].place, expected: "a header line with a column \(name)",
          found: TrackError.quote(header.map(\.text).joined(separator: ",")))
      }
      places.append(found.first)
    }
    return places
  }

  private mutating func row(_ cells: [CSVCell], _ places: [Int?]) throws(TrackError) -> Row {
    let device = cells[places[0] ?? 0]
    if device.text.isEmpty { throw TrackError(at: device.place, expected: "the id of a device", found: "nothing") }
    let time = cells[places[1] ?? 0]
    guard let milliseconds = Self.milliseconds(time.text) else {
      let expected = CalendarTime.expectedText + ", or whole milliseconds since 1970"
      throw TrackError(at: time.place, expected: expected, found: TrackError.quoteOrNothing(time.text))
    }
    var values: (Double, Double, Double, Double, Double) = (.nan, .nan, .nan, .nan, .nan)
    for (field, place) in places.dropFirst(2).enumerated() {
      guard let place, case let cell = cells[place], case let text = cell.number.trimmingBlanks(), !text.isEmpty else {
        continue
      }
      guard let value = Double(text) else {
        throw TrackError(at: cell.place, expected: "a number", found: TrackError.quote(cell.text))
      }
      switch field {
      case 0: values.0 = value
      case 1: values.1 = value
      case 2: values.2 = value
      case 3: values.3 = value
      default: values.4 = value
      }
    }
    return Row(
      device: number(Identifier(device.text)),
      fix: Fix(
        time: milliseconds, coordinate: Coordinate(latitude: values.0, longitude: values.1),
        accuracy: values.2.isNaN ? 0 : values.2, speed: values.3.isNaN ? -1 : values.3,
        course: values.4.isNaN ? -1 : values.4))
  }

  private mutating func number(_ device: Identifier) -> Int32 {
    if let number = numbers[device] { return number }
    let number = Int32(devices.count)
    devices.append(device)
    numbers[device] = number
    return number
  }

  /// ISO 8601, also with a space for the T, and without a zone, which is UTC; or milliseconds since 1970.
  private static func milliseconds(_ text: String) -> Int64? {
    let text = text.trimmingBlanks()
    if let number = Int64(text) { return number }
    let iso = String(decoding: text.utf8.map { $0 == UInt8(ascii: " ") ? UInt8(ascii: "T") : $0 }, as: UTF8.self)
    return CalendarTime.parse(iso) ?? CalendarTime.parse(iso + "Z")
  }
}

extension FleetFixes.Row {
  /// Unknown numbers come last.
  fileprivate func isBefore(_ other: Self) -> Bool {
    if device != other.device { return device < other.device }
    let (a, b) = (fix, other.fix)
    if a.time != b.time { return a.time < b.time }
    func number(_ value: Double, unknown: Double) -> Double { value.isNaN || value == unknown ? .infinity : value }
    let mine = [
      number(a.coordinate.latitude, unknown: .nan), number(a.coordinate.longitude, unknown: .nan),
      number(a.accuracy, unknown: 0), number(a.speed, unknown: -1), number(a.course, unknown: -1),
    ]
    let theirs = [
      number(b.coordinate.latitude, unknown: .nan), number(b.coordinate.longitude, unknown: .nan),
      number(b.accuracy, unknown: 0), number(b.speed, unknown: -1), number(b.course, unknown: -1),
    ]
    return mine.lexicographicallyPrecedes(theirs)
  }
}
