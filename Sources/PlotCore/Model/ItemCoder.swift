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
  private var texts = NumberTable<Identifier>(minimumCapacity: 48)
  /// The places in `items` of their match identifiers; the newest where there are several.
  private var matches = NumberTable<Identifier>()
  private var items: [Item] = []

  init() { bytes.reserveCapacity(1536) }

  mutating func reject() {}
  func expects(_ count: Int) -> Bool { true }

  @inline(__always)
  mutating func code(_ word: inout UInt64) {
    if word > 0x7F { append(word) } else { bytes.append(UInt8(truncatingIfNeeded: word)) }
  }

  private mutating func append(_ word: UInt64) {
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
    let next = Int64(texts.count)
    let number = texts.change(Identifier(text)) { $0 ?? next }
    if number < next {
      var word = UInt64(number) << 2 | StateText.known
      return code(&word)
    }
    if let uuid = StateText.uuid(text) {
      bytes.append(UInt8(StateText.uuid))
      for half in [uuid.high, uuid.low] {
        unsafe withUnsafeBytes(of: half.bigEndian) { unsafe bytes.append(contentsOf: $0) }
      }
      return
    }
    var word = UInt64(text.utf8.count) << 2
    code(&word)
    bytes += text.utf8
  }

  mutating func code(_ item: inout Item) {
    var word: UInt64 = 0
    let match = Identifier(item.matchIdentifier)
    if let place = matches[match], items[Int(place)] == item, items[Int(place)].visit == item.visit {
      word = UInt64(place) + 1
      return code(&word)
    }
    matches.set(match, Int64(items.count))
    items.append(item)
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
    guard let read = StateText.text(bytes.span.extracting(range), isUUID: isUUID) else { return reject() }
    text = read
    texts.append(text)
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

  private static let dash = UInt8(ascii: "-")

  @inline(__always)
  private static func isDash(at index: Int) -> Bool { index == 8 || index == 13 || index == 18 || index == 23 }

  /// The bits of a UUID in its usual form, with small letters.
  static func uuid(_ text: String) -> (high: UInt64, low: UInt64)? {
    let utf8 = text.utf8.span
    guard utf8.count == 36, utf8[8] == dash else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in 0..<36 {
      let digit: UInt8
      switch utf8[index] {
      case dash where isDash(at: index): continue
      case _ where isDash(at: index): return nil
      case 0x30...0x39: digit = utf8[index] - 0x30
      case 0x61...0x66: digit = utf8[index] - 0x61 + 10
      default: return nil
      }
      (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
    }
    return (high, low)
  }

  /// Nil for bytes that are not UTF-8.
  static func text(_ bytes: Span<UInt8>, isUUID: Bool) -> String? {
    guard isUUID else {
      guard let valid = try? UTF8Span(validating: bytes) else { return nil }
      return String(copying: valid)
    }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in 0..<8 {
      (high, low) = (high << 8 | UInt64(bytes[index]), low << 8 | UInt64(bytes[index + 8]))
    }
    return StableIdentifier.text(high, low)
  }
}
