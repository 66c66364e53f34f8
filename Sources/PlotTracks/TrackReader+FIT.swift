package import FoundationEssentials
internal import PlotCore

extension TrackReader {
  /// Reads FIT (Flexible and Interoperable Data Transfer): the messages `record` of activities and courses. The sizes, the definitions and the checksums
  /// are checked.
  package static func readFIT(_ data: Data, ignoresTimes: Bool = false) throws(TrackError) -> Track {
    guard !data.isEmpty else { throw TrackError(at: .file, expected: "a FIT file", found: "an empty file") }
    var reader = FITReader(Array(data), TrackCollector(ignoresTimes: ignoresTimes))
    repeat { try reader.readFile() } while !reader.isAtEnd
    return try finish(
      reader.track, name: nil, warnings: Words.leftOut(reader.unplaced, "record", because: "without a position"))
  }
}

/// Goes through the messages of a FIT file; several may stand one after another.
struct FITReader {
  private(set) var track: TrackCollector
  private(set) var unplaced = 0
  private let bytes: [UInt8]
  private var position = 0
  /// Behind the last message of the file that is read.
  private var end = 0
  /// By the local number.
  private var definitions: [UInt8: Definition] = [:]
  /// Seconds since the end of 1989.
  private var clock: UInt32?

  private struct Field {
    var number: UInt8
    var size: Int
    /// Nil for what is skipped.
    var base: UInt8?
  }

  private struct Definition {
    var message: UInt16
    var isBigEndian: Bool
    var fields: [Field]
  }

  /// The values of a message that count, by their fields; without those that are not known.
  private typealias Values = [UInt8: Int64]

  private static let record: UInt16 = 20
  private static let timestamp: UInt8 = 253
  /// Bytes of a value, by base type.
  private static let sizes: [UInt8: Int] = [
    0x00: 1, 0x01: 1, 0x02: 1, 0x83: 2, 0x84: 2, 0x85: 4, 0x86: 4, 0x07: 1, 0x88: 4, 0x89: 8, 0x0A: 1, 0x8B: 2, 0x8C: 4,
    0x0D: 1, 0x8E: 8, 0x8F: 8, 0x90: 8,
  ]
  /// Milliseconds since 1970 of 1989-12-31T00:00:00Z.
  private static let epoch: Int64 = 631_065_600_000
  /// Lower numbers are seconds since the device was turned on.
  private static let firstDate: UInt32 = 0x1000_0000

  static func isFIT(_ data: Data) -> Bool {
    data.count >= 12 && data.dropFirst(8).prefix(4).elementsEqual(".FIT".utf8)
  }

  init(_ bytes: [UInt8], _ track: TrackCollector) { (self.bytes, self.track) = (bytes, track) }

  var isAtEnd: Bool { position == bytes.count }

  // MARK: A file

  mutating func readFile() throws(TrackError) {
    let start = position
    let headerSize = Int(bytes[start])
    guard headerSize >= 12, bytes.count - start >= headerSize,
      bytes[(start + 8)..<(start + 12)].elementsEqual(".FIT".utf8)
    else { throw fault(start, "a header of FIT", "something else") }
    let size = Int(number(start + 4, 4, isBigEndian: false))
    guard size > 0 else {
      throw fault(
        start + 4, "how many bytes of messages follow",
        "0: the recording was not ended; repair the file, or export it again")
    }
    end = start + headerSize + size
    guard bytes.count >= end + 2 else {
      throw fault(
        bytes.count, "\(end + 2 - start) bytes, as the header says", "\(bytes.count - start): the file was cut short")
    }
    if headerSize >= 14, number(start + 12, 2, isBigEndian: false) != 0 {
      try check(start..<(start + 12))
    }
    try check(start..<end)
    (definitions, clock, position) = ([:], nil, start + headerSize)
    while position < end { try readMessage() }
    position = end + 2
  }

  /// The checksum of a range stands behind it.
  private func check(_ range: Range<Int>) throws(TrackError) {
    let found = UInt16(truncatingIfNeeded: number(range.upperBound, 2, isBigEndian: false))
    var sum: UInt16 = 0
    for byte in bytes[range] {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
    }
    guard found == sum else {
      throw fault(
        range.upperBound, "the checksum \(Self.hex(sum))", "\(Self.hex(found)): the file is damaged; export it again")
    }
  }

  private static func hex(_ number: UInt16) -> String {
    let digits = String(number, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  private func fault(_ byte: Int, _ expected: String, _ found: String) -> TrackError {
    TrackError(at: .byte(byte), expected: expected, found: found)
  }

  /// An unsigned number of up to 8 bytes.
  private func number(_ start: Int, _ count: Int, isBigEndian: Bool) -> UInt64 {
    let range = bytes[start..<(start + count)]
    return isBigEndian
      ? range.reduce(0) { $0 << 8 | UInt64($1) } : range.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: Messages

  private mutating func take(_ count: Int, _ what: String) throws(TrackError) -> Int {
    guard end - position >= count else {
      throw fault(
        position, "\(Words.count(count, "byte")) of \(what)", "\(end - position) up to the end of the messages")
    }
    defer { position += count }
    return position
  }

  private mutating func readMessage() throws(TrackError) {
    let start = try take(1, "a message")
    let header = bytes[start]
    if header & 0x80 != 0 {
      // The time is told by the low five bits, which only go up.
      guard let last = clock else {
        throw fault(start, "a message with a whole time first", "one with the end of a time")
      }
      let offset = UInt32(header & 0x1F)
      clock = last &+ ((offset &- last) & 0x1F)
      try readValues(header >> 5 & 3, start)
    } else if header & 0x40 != 0 {
      try readDefinition(header & 0x0F, hasDeveloperFields: header & 0x20 != 0)
    } else {
      try readValues(header & 0x0F, start)
    }
  }

  private mutating func readDefinition(_ local: UInt8, hasDeveloperFields: Bool) throws(TrackError) {
    let start = try take(5, "a definition")
    let order = bytes[start + 1]
    guard order <= 1 else { throw fault(start + 1, "0 or 1 for the order of the bytes", "\(order)") }
    var definition = Definition(
      message: UInt16(truncatingIfNeeded: number(start + 2, 2, isBigEndian: order == 1)), isBigEndian: order == 1,
      fields: [])
    for _ in 0..<bytes[start + 4] {
      let field = try take(3, "a field of a definition")
      let (size, base) = (Int(bytes[field + 1]), bytes[field + 2])
      guard let unit = Self.sizes[base] else {
        throw fault(field + 2, "a base type of FIT", Self.hex(UInt16(base)))
      }
      // An array of values, or one whose size is not right (some watches write such), is only bytes to be skipped.
      definition.fields.append(Field(number: bytes[field], size: size, base: size == unit ? base : nil))
    }
    if hasDeveloperFields {
      for _ in 0..<bytes[try take(1, "a definition")] {
        let field = try take(3, "a field of a definition")
        definition.fields.append(Field(number: bytes[field], size: Int(bytes[field + 1]), base: nil))
      }
    }
    definitions[local] = definition
  }

  private mutating func readValues(_ local: UInt8, _ start: Int) throws(TrackError) {
    guard let definition = definitions[local] else {
      throw fault(start, "the definition of message \(local) before its values", "none")
    }
    var values: Values = [:]
    for field in definition.fields {
      let place = try take(field.size, "a message")
      if let base = field.base, let value = value(place, base, definition.isBigEndian) { values[field.number] = value }
    }
    if let time = values[Self.timestamp] { clock = UInt32(truncatingIfNeeded: time) }
    if definition.message == Self.record { try add(values, start) }
  }

  /// The whole number of a field; nil for one that is not known, and for other types.
  private func value(_ place: Int, _ base: UInt8, _ isBigEndian: Bool) -> Int64? {
    let size = Self.sizes[base] ?? 0
    let bits = number(place, size, isBigEndian: isBigEndian)
    switch base {
    case 0x83: return bits == 0x7FFF ? nil : Int64(Int16(truncatingIfNeeded: bits))
    case 0x85: return bits == 0x7FFF_FFFF ? nil : Int64(Int32(truncatingIfNeeded: bits))
    case 0x02, 0x84, 0x86: return bits == UInt64(1) << (size * 8) - 1 ? nil : Int64(bits)
    default: return nil
    }
  }

  private mutating func add(_ values: Values, _ start: Int) throws(TrackError) {
    guard let north = values[0], let east = values[1] else {
      unplaced += 1
      return
    }
    // Half a turn is 2³¹.
    let semicircle = 180 / 2_147_483_648.0
    guard let latitude = TrackField.latitude.value(of: Double(north) * semicircle) else {
      throw fault(start, TrackField.latitude.expected, "\(Double(north) * semicircle) in this record")
    }
    var point = TrackPoint(time: 0, latitude: latitude, longitude: Double(east) * semicircle)
    if let speed = values[73] ?? values[6], let value = TrackField.speed.value(of: Double(speed) / 1000) {
      point.speed = value
    }
    if let accuracy = values[31] { point.accuracy = Double(accuracy) }
    let clock = clock
    let time = try track.time(.byte(start)) { () throws(TrackError) in
      guard let clock else { return nil }
      guard clock >= Self.firstDate else {
        var error = TrackError(
          at: .byte(start), expected: "a date", found: "\(clock) s since the device was turned on")
        error.isAboutTimes = true
        throw error
      }
      return Self.epoch + Int64(clock) * 1000
    }
    track.add(point, at: time)
  }
}
