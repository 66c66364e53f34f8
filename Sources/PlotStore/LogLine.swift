internal import PlotCore
internal import PlotDocuments

/// The bytes of one transaction in the log, as docs/store.md says.
struct LogLine {
  /// What every transaction says.
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
    for _ in 0..<Self.prefixSize { bytes.append(0) }
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
      for shift in stride(from: 0, to: UInt64(64), by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: number.bitPattern >> shift))
      }
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
      for _ in 0..<8 { bytes.append(0) }
      Self.put(UInt64(start - newest.place.lowerBound), size: 4, in: &bytes, at: start - 4)
      Self.put(UInt64(newest.place.count), size: 4, in: &bytes, at: start)
      return
    }
    bytes.append(Tag.longText)
    for _ in 0..<4 { bytes.append(0) }
    item.appendJSON(to: &bytes)
    Self.put(UInt64(bytes.count - start), size: 4, in: &bytes, at: start - 4)
    newest = (item, start..<bytes.count)
  }

  /// Gives the checksum. `seed` is that of the line before.
  mutating func end(after seed: UInt64) -> UInt64 {
    Self.put(UInt64(bytes.count - Self.prefixSize), size: 4, in: &bytes, at: 8)
    let sum = Self.checksum(of: bytes, 0..<bytes.count, after: seed)
    Self.put(sum, size: 8, in: &bytes, at: 0)
    return sum
  }

  private static func put(_ number: UInt64, size: Int, in bytes: inout [UInt8], at position: Int) {
    for index in 0..<size { bytes[position + index] = UInt8(truncatingIfNeeded: number >> UInt64(index * 8)) }
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

  /// FNV-1a over eight bytes at a time, of what follows the checksum: no change within eight bytes leaves it as it is.
  static func checksum(of bytes: [UInt8], _ line: Range<Int>, after seed: UInt64) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed
    unsafe bytes.withUnsafeBytes { bytes in
      var at = line.lowerBound + 8
      while at + 8 <= line.upperBound {
        let word = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        sum = (sum ^ word) &* 0x100_0000_01b3
        at += 8
      }
      while at < line.upperBound {
        sum = (sum ^ UInt64(unsafe bytes[at])) &* 0x100_0000_01b3
        at += 1
      }
    }
    return sum
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
    guard position <= end else { throw Self.damaged }
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
    guard let statement = Statement(rawValue: try byte()) else { throw Self.damaged }
    return statement
  }

  mutating func value() throws(StoreError) -> Value {
    switch try byte() {
    case LogLine.Tag.null: return .null
    case LogLine.Tag.integer: return .integer(try integer())
    case LogLine.Tag.real:
      var bits: UInt64 = 0
      for shift in stride(from: 0, to: UInt64(64), by: 8) { bits |= UInt64(try byte()) << shift }
      return .real(Double(bitPattern: bits))
    case LogLine.Tag.text:
      return try text(try unsigned())
    case LogLine.Tag.longText:
      return try text(try fourBytes())
    case LogLine.Tag.sameText:
      let distance = try fourBytes()
      guard distance <= UInt64(position - start) else { throw Self.damaged }
      let first = position - Int(distance)
      let length = try fourBytes()
      guard length <= distance else { throw Self.damaged }
      return .text(first..<first + Int(length))
    default: throw Self.damaged
    }
  }

  private mutating func fourBytes() throws(StoreError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: UInt64(32), by: 8) { number |= UInt64(try byte()) << shift }
    return number
  }

  private mutating func text(_ length: UInt64) throws(StoreError) -> Value {
    guard length <= UInt64(end - position) else { throw Self.damaged }
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
    throw Self.damaged
  }

  private mutating func byte() throws(StoreError) -> UInt8 {
    guard position < end else { throw Self.damaged }
    defer { position += 1 }
    return bytes[position]
  }

  static var damaged: StoreError { StoreError(kind: .damaged, message: "a record of the store cannot be read") }
}
