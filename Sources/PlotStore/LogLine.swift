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
  }

  static let checksumSize = 8

  private(set) var bytes: [UInt8] = []

  mutating func begin(_ head: Head) {
    bytes.removeAll(keepingCapacity: bytes.capacity < 1 << 16)
    for _ in 0..<Self.checksumSize { bytes.append(0) }
    for value in [head.newest, head.sequence, head.lastToken, head.delivered] { add(value) }
  }

  mutating func add(_ statement: Statement, _ values: [Column]) {
    assert(values.count == statement.rule.values)
    bytes.append(statement.rawValue)
    for value in values {
      switch value {
      // A blob is never written; it would read as nothing.
      case .null, .blob: bytes.append(Tag.null)
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
  }

  mutating func end() {
    let sum = Self.checksum(of: bytes)
    for index in 0..<Self.checksumSize { bytes[index] = UInt8(truncatingIfNeeded: sum >> UInt64(index * 8)) }
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
  static func checksum(of bytes: [UInt8]) -> UInt64 {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    unsafe bytes.withUnsafeBytes { bytes in
      var at = checksumSize
      while at + 8 <= bytes.count {
        let word = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        sum = (sum ^ word) &* 0x100_0000_01b3
        at += 8
      }
      while at < bytes.count {
        sum = (sum ^ UInt64(unsafe bytes[at])) &* 0x100_0000_01b3
        at += 1
      }
    }
    return sum
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
  private(set) var position = LogLine.checksumSize
  private(set) var head = LogLine.Head(newest: 0, sequence: 0, lastToken: 0, delivered: 0)

  init(_ bytes: [UInt8]) throws(StoreError) {
    self.bytes = bytes
    guard bytes.count >= LogLine.checksumSize else { throw Self.damaged }
    var sum: UInt64 = 0
    for index in (0..<LogLine.checksumSize).reversed() { sum = sum << 8 | UInt64(bytes[index]) }
    guard sum == LogLine.checksum(of: bytes) else { throw Self.damaged }
    let (newest, sequence, lastToken, delivered) = (try integer(), try integer(), try integer(), try integer())
    head = LogLine.Head(newest: newest, sequence: sequence, lastToken: lastToken, delivered: delivered)
  }

  /// From the first of so many values on.
  init(_ bytes: [UInt8], at position: Int) { (self.bytes, self.position) = (bytes, position) }

  /// Nil at the end.
  mutating func statement() throws(StoreError) -> Statement? {
    guard position < bytes.count else { return nil }
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
      let length = try unsigned()
      guard length <= UInt64(bytes.count - position) else { throw Self.damaged }
      defer { position += Int(length) }
      return .text(position..<position + Int(length))
    default: throw Self.damaged
    }
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
    guard position < bytes.count else { throw Self.damaged }
    defer { position += 1 }
    return bytes[position]
  }

  static var damaged: StoreError { StoreError(kind: .damaged, message: "a record of the store cannot be read") }
}
