/// Codes items, too. A small number takes few bytes, and a text or an item that was there before takes one or two.
protocol ItemCoder: StateCoder {
  mutating func code(_ item: inout Item)
}

/// Appends.
struct StateWriter: ItemCoder {
  static var reads: Bool { false }
  var version: UInt8 { StateVersion.newest }

  private(set) var bytes: [UInt8] = []
  /// By their bytes: Swift takes two texts for the same where Unicode does.
  private var texts: [Identifier: UInt64] = [:]
  /// By their match identifiers.
  private var items: [Identifier: (number: UInt64, item: Item)] = [:]
  private var itemCount: UInt64 = 0

  init() {
    bytes.reserveCapacity(1024)
    texts.reserveCapacity(48)
  }

  mutating func reject() {}
  func expects(_ count: Int) -> Bool { true }

  mutating func code(_ word: inout UInt64) {
    var rest = word
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func code(_ value: inout Int64) {
    var word = UInt64(bitPattern: value << 1) ^ UInt64(bitPattern: value >> 63)
    code(&word)
  }

  /// The bytes of most numbers end with zeros.
  mutating func code(_ value: inout Double) {
    var word = value.bitPattern.byteSwapped
    code(&word)
  }

  mutating func code(_ text: inout String) {
    if let number = Self.number(in: &texts[Identifier(text)], else: UInt64(texts.count)) {
      var word = number << 2 | StateText.known
      return code(&word)
    }
    if let uuid = StateText.uuid(text) {
      bytes.append(UInt8(StateText.uuid))
      bytes += uuid
      return
    }
    var word = UInt64(text.utf8.count) << 2
    code(&word)
    bytes += text.utf8
  }

  /// The number in a place; an empty place becomes `next`.
  private static func number(in place: inout UInt64?, else next: UInt64) -> UInt64? {
    guard place == nil else { return place }
    place = next
    return nil
  }

  mutating func code(_ item: inout Item) {
    var word: UInt64 = 0
    if let match = item.matchIdentifier.map(Identifier.init) {
      if let known = items[match], known.item == item, known.item.visit == item.visit {
        word = known.number
        return code(&word)
      }
      items[match] = (itemCount + 1, item)
    }
    itemCount += 1
    code(&word)
    item.code(&self)
  }
}

/// Reads what a `StateWriter` wrote. Whatever the bytes are, it stays inside of them, and is not sound where they are none of it.
struct StateReader: ItemCoder {
  static var reads: Bool { true }
  let version: UInt8

  private let bytes: [UInt8]
  private var position: Int
  private let end: Int
  private var isSound = true
  private var texts: [String] = []
  private var items: [Item] = []

  init(_ bytes: [UInt8], _ range: Range<Int>, version: UInt8) {
    self.bytes = bytes
    self.version = version
    (position, end) = (range.lowerBound, range.upperBound)
  }

  /// Whether every field was there, and none is left.
  var isComplete: Bool { isSound && position == end }

  mutating func reject() { isSound = false }
  /// Each takes a byte at least.
  func expects(_ count: Int) -> Bool { isSound && count <= end - position }

  mutating func code(_ word: inout UInt64) {
    var number: UInt64 = 0
    for shift in stride(from: 0, to: UInt64(64), by: 7) {
      guard position < end else { break }
      let byte = bytes[position]
      position += 1
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 {
        word = number
        return
      }
    }
    reject()
    word = 0
  }

  mutating func code(_ value: inout Int64) {
    var word: UInt64 = 0
    code(&word)
    value = Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1)
  }

  mutating func code(_ value: inout Double) {
    var word: UInt64 = 0
    code(&word)
    value = Double(bitPattern: word.byteSwapped)
  }

  mutating func code(_ text: inout String) {
    text = ""
    var word: UInt64 = 0
    code(&word)
    if word & 3 == StateText.known {
      guard let number = Int(exactly: word >> 2), number < texts.count else { return reject() }
      text = texts[number]
      return
    }
    let isUUID = word == StateText.uuid
    guard isUUID || word & 3 == 0, let count = isUUID ? 16 : Int(exactly: word >> 2), count <= end - position else {
      return reject()
    }
    let range = position..<position + count
    position += count
    guard let read = isUUID ? StateText.text(uuid: bytes[range]) : String(validating: bytes[range], as: UTF8.self)
    else {
      return reject()
    }
    text = read
    texts.append(read)
  }

  mutating func code(_ item: inout Item) {
    var word: UInt64 = 0
    code(&word)
    guard word == 0 else {
      guard let number = Int(exactly: word - 1), number < items.count else { return reject() }
      item = items[number]
      return
    }
    item.code(&self)
    items.append(item)
  }
}

/// The kind of a text, in the two lowest bits of its first number: its length, or where it was before; or it is a UUID.
private enum StateText {
  static let uuid: UInt64 = 1
  static let known: UInt64 = 2

  private static let dashes = [8, 13, 18, 23]

  /// The bytes of a UUID in its usual form, with small letters.
  static func uuid(_ text: String) -> [UInt8]? {
    let utf8 = text.utf8.span
    guard utf8.count == 36, dashes.allSatisfy({ utf8[$0] == UInt8(ascii: "-") }) else { return nil }
    var (bytes, half) = ([UInt8](), UInt8?.none)
    bytes.reserveCapacity(16)
    for index in utf8.indices where !dashes.contains(index) {
      let digit: UInt8
      switch utf8[index] {
      case 0x30...0x39: digit = utf8[index] - 0x30
      case 0x61...0x66: digit = utf8[index] - 0x61 + 10
      default: return nil
      }
      if let high = half { bytes.append(high << 4 | digit) }
      half = half == nil ? digit : nil
    }
    return bytes
  }

  static func text(uuid bytes: ArraySlice<UInt8>) -> String? {
    var (text, rest) = ([UInt8](), bytes)
    text.reserveCapacity(36)
    while let byte = rest.popFirst() {
      if dashes.contains(text.count) { text.append(UInt8(ascii: "-")) }
      let (high, low) = (byte >> 4, byte & 15)
      text.append(high < 10 ? 0x30 + high : 0x61 + high - 10)
      text.append(low < 10 ? 0x30 + low : 0x61 + low - 10)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
