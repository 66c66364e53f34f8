/// A name that a feed or host has given to something. Two identifiers are the same when their UTF-8 bytes are, whatever
/// Unicode thinks of them; they sort by those bytes.
public struct Identifier: Hashable, Comparable, Sendable {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  public static func == (a: Identifier, b: Identifier) -> Bool {
    a.text.utf8.elementsEqual(b.text.utf8)
  }

  public static func < (a: Identifier, b: Identifier) -> Bool {
    a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8(0xFF))
  }
}

/// Identifiers that the engine makes by itself: the same parts give the same identifier, on every machine and in every run.
public enum StableIdentifier {
  /// A UUID (RFC 9562, version 8) from the 128-bit FNV-1a hash of the parts, each followed by a zero byte.
  public static func make(_ parts: String...) -> String {
    var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    func mix(_ byte: UInt8) {
      hash ^= UInt128(byte)
      hash &*= 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
    for part in parts {
      for byte in part.utf8 { mix(byte) }
      mix(0)
    }
    hash = hash & ~(0xF << 76) | (0x8 << 76)
    hash = hash & ~(0x3 << 62) | (0x2 << 62)
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for position in 0..<32 {
      if position == 8 || position == 12 || position == 16 || position == 20 { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(truncatingIfNeeded: hash >> UInt128(124 - 4 * position)) & 0xF])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
