/// A name that a feed or host has given to something. Two identifiers are the same when their UTF-8 bytes are, whatever
/// Unicode thinks of them; they sort by those bytes.
public struct Identifier: Hashable, Comparable, Sendable {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  public static func == (a: Identifier, b: Identifier) -> Bool {
    Work.note()
    // Short strings are stored inline, and longer ones are often the same object.
    if MemoryLayout<String>.size == 16 {
      let first = unsafe unsafeBitCast(a.text, to: (UInt64, UInt64).self)
      let second = unsafe unsafeBitCast(b.text, to: (UInt64, UInt64).self)
      if first == second { return true }
    }
    let (a, b) = (a.text.utf8, b.text.utf8)
    guard a.count == b.count else { return false }
    let (first, second) = (a.span, b.span)
    var difference: UInt8 = 0
    for index in 0..<min(first.count, second.count) { difference |= first[index] ^ second[index] }
    return difference == 0
  }

  public static func < (a: Identifier, b: Identifier) -> Bool {
    Work.note()
    let (a, b) = (a.text.utf8, b.text.utf8)
    let (first, second) = unsafe (a.span.bytes, b.span.bytes)
    let count = min(first.byteCount, second.byteCount)
    var index = 0
    while index &+ 8 <= count {
      let one = UInt64(bigEndian: unsafe first.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let other = UInt64(bigEndian: unsafe second.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      if one != other { return one < other }
      index &+= 8
    }
    if index &+ 4 <= count {
      let one = UInt32(bigEndian: unsafe first.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self))
      let other = UInt32(bigEndian: unsafe second.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self))
      if one != other { return one < other }
      index &+= 4
    }
    while index < count {
      let one = unsafe first.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
      let other = unsafe second.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
      if one != other { return one < other }
      index &+= 1
    }
    return first.byteCount < second.byteCount
  }

  /// By Swift's hasher, SipHash with a key of the process, for ids come from outside. The seed of a table alone would not do: it is the address of
  /// the table's memory, which a stranger may know or guess, and with it `stableHash` from it is inverted at once.
  public func hash(into hasher: inout Hasher) {
    Work.note()
    unsafe text.utf8.span.bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    hasher.combine(0xFF as UInt8)
  }

  /// The same on every machine and in every run. Anyone can make identifiers that have it alike, so no table is searched by it without a bound.
  public var stableHash: UInt64 {
    Work.note()
    var hash = UInt64(truncatingIfNeeded: text.utf8.count)
    forEachWord { word in
      let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.low ^ product.high &+ 0xD6E8_FEB8_6659_FD93
    }
    return hash
  }

  /// Calls `body` with the bytes, eight at a time, the first the highest; those at the end with zeros before them.
  private func forEachWord(_ body: (UInt64) -> Void) {
    let bytes = text.utf8.span
    var index = 0
    while index + 8 <= bytes.count {
      body(UInt64(bigEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index += 8
    }
    var word: UInt64 = 0
    while index < bytes.count {
      word = word << 8 | UInt64(bytes[index])
      index += 1
    }
    body(word)
  }
}

/// Identifiers that the engine makes by itself: the same parts give the same identifier, on every machine and in every run.
public struct StableIdentifier {
  // In halves: the lower one needs nothing of the upper.
  private var high: UInt64 = 0x6c62_272e_07bb_0142
  private var low: UInt64 = 0x62b8_2175_6295_c58d

  init() {}

  /// A UUID (RFC 9562, version 8) from the 128-bit FNV-1a hash of the parts, each followed by a zero byte.
  public static func make(_ parts: String...) -> String {
    var identifier = StableIdentifier()
    for part in parts { identifier.add(part) }
    return identifier.text
  }

  /// The same of a long text: eight bytes at a time, little-endian, the rest byte by byte, and a zero byte. Each multiplication waits for the
  /// one before, so that their number is what it costs.
  public static func make(bytes: [UInt8]) -> String {
    var identifier = StableIdentifier()
    let words = bytes.count / 8
    unsafe bytes.withUnsafeBytes { bytes in
      for word in 0..<words {
        identifier.mix(
          word: UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)))
      }
    }
    for byte in bytes[(words * 8)...] { identifier.mix(byte) }
    identifier.mix(0)
    return identifier.text
  }

  mutating func add(_ part: String) {
    let bytes = part.utf8.span
    // The copy stays in registers.
    var hash = self
    var index = 0
    while index < bytes.count {
      hash.mix(unsafe bytes[unchecked: index])
      index &+= 1
    }
    hash.mix(0)
    self = hash
  }

  /// A part that is a number in decimal digits.
  mutating func add(_ number: Int64) {
    if number < 0 { mix(UInt8(ascii: "-")) }
    let (high, low) = number.magnitude.quotientAndRemainder(dividingBy: 10_000_000_000_000_000)
    if high > 0 { mix(digitsOf: high, atLeast: 1) }
    mix(digitsOf: low, atLeast: high > 0 ? 16 : 1)
    mix(0)
  }

  /// The digits of a number of at most 16. They are found from the last to the first, and kept in the 16 halves of the bytes of a word.
  private mutating func mix(digitsOf number: UInt64, atLeast least: Int) {
    var (rest, digits, count) = (number, UInt64(0), 0)
    while rest > 0 || count < least {
      digits = digits &<< 4 | rest % 10
      rest /= 10
      count &+= 1
    }
    while count > 0 {
      mix(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digits & 0xF))
      digits &>>= 4
      count &-= 1
    }
  }

  @inline(__always)
  private mutating func mix(_ byte: UInt8) { mix(word: UInt64(byte)) }

  /// The prime is 2 to the 88th, and 0x13B.
  @inline(__always)
  private mutating func mix(word: UInt64) {
    let mixed = low ^ word
    let product = mixed.multipliedFullWidth(by: 0x13B)
    high = high &* 0x13B &+ product.high &+ mixed << 24
    low = product.low
  }

  var text: String {
    // Version 8, variant 2.
    Self.text(high & ~0xF000 | 0x8000, low & ~(3 << 62) | 2 << 62)
  }

  /// A UUID in its usual form, from its upper and its lower 64 bits.
  static func text(_ high: UInt64, _ low: UInt64) -> String {
    let (first, second) = (Self.digits(high >> 32), Self.digits(high & 0xFFFF_FFFF))
    let (third, last) = (Self.digits(low >> 32), Self.digits(low & 0xFFFF_FFFF))
    return unsafe String(unsafeUninitializedCapacity: 36) { text in
      let bytes = UnsafeMutableRawBufferPointer(text)
      func put(_ digits: UInt64, at position: Int) {
        unsafe bytes.storeBytes(of: digits.bigEndian, toByteOffset: position, as: UInt64.self)
      }
      func putHalf(_ digits: UInt64, at position: Int) {
        let half = UInt32(truncatingIfNeeded: digits)
        unsafe bytes.storeBytes(of: half.bigEndian, toByteOffset: position, as: UInt32.self)
      }
      put(first, at: 0)
      putHalf(second >> 32, at: 9)
      putHalf(second, at: 14)
      putHalf(third >> 32, at: 19)
      putHalf(third, at: 24)
      put(last, at: 28)
      for position in 0..<4 { unsafe bytes[8 + 5 * position] = UInt8(ascii: "-") }
      return 36
    }
  }

  /// Eight hexadecimal digits, the first in the highest byte.
  private static func digits(_ half: UInt64) -> UInt64 {
    var digits = (half & 0xFFFF_0000) << 16 | half & 0xFFFF
    digits = (digits & 0xFF00_0000_FF00) << 8 | digits & 0x00FF_0000_00FF
    digits = (digits & 0x00F0_00F0_00F0_00F0) << 4 | digits & 0x000F_000F_000F_000F
    let ones: UInt64 = 0x0101_0101_0101_0101
    // One in each byte that is ten or more.
    let letters = (digits &+ 6 &* ones) >> 4 & ones
    return digits &+ UInt64(UInt8(ascii: "0")) &* ones &+ letters &* UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
  }
}
