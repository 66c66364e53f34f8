internal import PlotCore
internal import PlotDocuments

/// The bytes of one transaction in the log, as docs/store.md says.
struct LogLine {
  /// The values that every transaction has.
  struct Head: Equatable {
    var newest: Int64
    var sequence: Int64
    var lastToken: Int64
    /// The events up to this one are done with.
    var delivered: Int64
  }

  /// The tag that each value begins with.
  enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let longText: UInt8 = 4
    static let sameText: UInt8 = 5
  }

  /// The checksum, and how many bytes follow it and these.
  static let prefixSize = 12

  private(set) var bytes: [UInt8] = []
  /// The item that was added last, and where its JSON is: a geotrigger is sent, and handed to the app, in one transaction.
  private var newest: (item: Item, place: Range<Int>)?

  mutating func begin(_ head: Head) {
    bytes.removeAll(keepingCapacity: bytes.capacity < 1 << 16)
    newest = nil
    bytes += repeatElement(0, count: Self.prefixSize)
    for value in [head.newest, head.sequence, head.lastToken, head.delivered] { add(value) }
  }

  /// Its values follow.
  mutating func add(_ statement: Statement) { bytes.append(statement.rawValue) }

  mutating func add(_ value: Column) {
    switch value {
    case .null: bytes.append(Tag.null)
    case .integer(let number):
      bytes.append(Tag.integer)
      add(number)
    case .real(let number):
      bytes.append(Tag.real)
      add(number.bitPattern, size: 8)
    case .text(let text):
      bytes.append(Tag.text)
      add(unsigned: UInt64(text.utf8.count))
      bytes.append(contentsOf: text.utf8)
    }
  }

  /// Its JSON, as a text.
  mutating func add(_ item: Item) {
    let start = bytes.count + 5
    if let newest, newest.item == item {
      bytes.append(Tag.sameText)
      add(UInt64(start - newest.place.lowerBound), size: 4)
      add(UInt64(newest.place.count), size: 4)
      return
    }
    bytes.append(Tag.longText)
    // The length, when it is known.
    add(0, size: 4)
    item.appendJSON(to: &bytes)
    put(UInt64(bytes.count - start), size: 4, at: start - 4)
    newest = (item, start..<bytes.count)
  }

  /// Gives the checksum. `seed` is that of the line before.
  mutating func end(after seed: UInt64) -> UInt64 {
    put(UInt64(bytes.count - Self.prefixSize), size: 4, at: 8)
    let sum = Self.checksum(of: bytes, 0..<bytes.count, after: seed)
    put(sum, size: 8, at: 0)
    return sum
  }

  private mutating func put(_ number: UInt64, size: Int, at position: Int) {
    for index in 0..<size { bytes[position + index] = UInt8(truncatingIfNeeded: number >> UInt64(index * 8)) }
  }

  private mutating func add(_ number: UInt64, size: Int) {
    bytes += repeatElement(0, count: size)
    put(number, size: size, at: bytes.count - size)
  }

  /// The number of so many bytes, the lowest first.
  static func number(_ bytes: [UInt8], at position: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in (0..<size).reversed() { number = number << 8 | UInt64(bytes[position + index]) }
    return number
  }

  /// Small numbers of either sign take few bytes.
  private mutating func add(_ number: Int64) {
    add(unsigned: UInt64(bitPattern: number << 1) ^ UInt64(bitPattern: number >> 63))
  }

  private mutating func add(unsigned number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Of what follows the checksum.
  static func checksum(of bytes: [UInt8], _ line: Range<Int>, after seed: UInt64) -> UInt64 {
    Checksum.fnv1a(of: bytes, line.lowerBound + 8..<line.upperBound, after: seed)
  }

  /// The lines that bytes begin with, and the checksum of the last one: up to one that is not whole, or does not follow the one before.
  static func lines(in bytes: [UInt8], from start: Int, after seed: UInt64) -> (lines: [Range<Int>], last: UInt64) {
    var lines: [Range<Int>] = []
    var (at, last) = (start, seed)
    while bytes.count - at > prefixSize {
      let length = Int(number(bytes, at: at + 8, size: 4))
      guard length > 0, length <= bytes.count - at - prefixSize else { break }
      let line = at..<at + prefixSize + length
      let sum = checksum(of: bytes, line, after: last)
      guard number(bytes, at: at, size: 8) == sum else { break }
      lines.append(line)
      (at, last) = (line.upperBound, sum)
    }
    return (lines, last)
  }
}

/// Reads a line of the log. Whatever its bytes are, it stays inside of them.
struct LogReader {
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    /// Where its UTF-8 is.
    case text(Range<Int>)
  }

  let bytes: [UInt8]
  private(set) var position: Int
  private let start: Int
  private let end: Int
  private(set) var head = LogLine.Head(newest: 0, sequence: 0, lastToken: 0, delivered: 0)

  /// Of a line that is whole.
  init(_ bytes: [UInt8], _ line: Range<Int>) throws(StoreError) {
    self.bytes = bytes
    (start, position, end) = (line.lowerBound, line.lowerBound + LogLine.prefixSize, line.upperBound)
    guard position <= end else { throw .unreadableRecord }
    let (newest, sequence, lastToken, delivered) = (try integer(), try integer(), try integer(), try integer())
    head = LogLine.Head(newest: newest, sequence: sequence, lastToken: lastToken, delivered: delivered)
  }

  /// From the first of a statement's values on.
  init(_ bytes: [UInt8], at position: Int) {
    (self.bytes, self.position) = (bytes, position)
    (start, end) = (0, bytes.count)
  }

  /// Nil at the end.
  mutating func statement() throws(StoreError) -> Statement? {
    guard position < end else { return nil }
    guard let statement = Statement(rawValue: try byte()) else { throw .unreadableRecord }
    return statement
  }

  mutating func value() throws(StoreError) -> Value {
    switch try byte() {
    case LogLine.Tag.null: return .null
    case LogLine.Tag.integer: return .integer(try integer())
    case LogLine.Tag.real:
      return .real(Double(bitPattern: try number(8)))
    case LogLine.Tag.text:
      return try text(try unsigned())
    case LogLine.Tag.longText:
      return try text(try number(4))
    case LogLine.Tag.sameText:
      let distance = try number(4)
      guard distance <= UInt64(position - start) else { throw .unreadableRecord }
      let first = position - Int(distance)
      let length = try number(4)
      guard length <= distance else { throw .unreadableRecord }
      return .text(first..<first + Int(length))
    default: throw .unreadableRecord
    }
  }

  private mutating func number(_ size: Int) throws(StoreError) -> UInt64 {
    guard end - position >= size else { throw .unreadableRecord }
    defer { position += size }
    return LogLine.number(bytes, at: position, size: size)
  }

  private mutating func text(_ length: UInt64) throws(StoreError) -> Value {
    guard length <= UInt64(end - position) else { throw .unreadableRecord }
    defer { position += Int(length) }
    return .text(position..<position + Int(length))
  }

  private mutating func integer() throws(StoreError) -> Int64 {
    let number = try unsigned()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  private mutating func unsigned() throws(StoreError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: UInt64(64), by: 7) {
      let next = try byte()
      number |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return number }
    }
    throw .unreadableRecord
  }

  private mutating func byte() throws(StoreError) -> UInt8 {
    guard position < end else { throw .unreadableRecord }
    defer { position += 1 }
    return bytes[position]
  }
}
