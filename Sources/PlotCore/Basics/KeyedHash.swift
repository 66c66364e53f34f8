/// SipHash-1-3 with a random key per process, computed in registers. Identifiers come from outside, and their author must not be able to choose
/// colliding ones.
struct KeyedHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  /// Derived from the key of Swift's own hasher, which is fixed under `SWIFT_DETERMINISTIC_HASHING`.
  private static let key = (UInt64(bitPattern: Int64(1.hashValue)), UInt64(bitPattern: Int64(2.hashValue)))

  @inline(__always)
  init() {
    let (k0, k1) = Self.key
    v0 = k0 ^ 0x736f_6d65_7073_6575
    v1 = k1 ^ 0x646f_7261_6e64_6f6d
    v2 = k0 ^ 0x6c79_6765_6e65_7261
    v3 = k1 ^ 0x7465_6462_7974_6573
  }

  @inline(__always)
  private mutating func mix() {
    v0 &+= v1
    v2 &+= v3
    v1 = v1 &<< 13 | v1 &>> 51
    v3 = v3 &<< 16 | v3 &>> 48
    v1 ^= v0
    v3 ^= v2
    v0 = v0 &<< 32 | v0 &>> 32
    v2 &+= v1
    v0 &+= v3
    v1 = v1 &<< 17 | v1 &>> 47
    v3 = v3 &<< 21 | v3 &>> 43
    v1 ^= v2
    v3 ^= v0
    v2 = v2 &<< 32 | v2 &>> 32
  }

  @inline(__always)
  mutating func add(_ word: UInt64) {
    v3 ^= word
    mix()
    v0 ^= word
  }

  /// Adds the bytes, eight at a time; the last word contains the length.
  @inline(__always)
  mutating func add(_ text: String) {
    let bytes = text.utf8.span
    let count = bytes.count
    var index = 0
    while index &+ 8 <= count {
      add(UInt64(littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index &+= 8
    }
    var last = UInt64(truncatingIfNeeded: count) &<< 56
    var shift: UInt64 = 0
    while index < count {
      last |= UInt64(unsafe bytes.bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)) &<< shift
      shift &+= 8
      index &+= 1
    }
    add(last)
  }

  @inline(__always)
  consuming func finished() -> UInt64 {
    v2 ^= 0xFF
    mix()
    mix()
    mix()
    return v0 ^ v1 ^ v2 ^ v3
  }
}

/// A key of a `NumberTable`.
public protocol NumberTableKey: Equatable, Sendable {
  /// Equal for equal keys, within one process.
  var keyedHash: UInt64 { get }
}

extension Identifier: NumberTableKey {
  public var keyedHash: UInt64 {
    Work.note()
    var hash = KeyedHash()
    hash.add(text)
    return hash.finished()
  }
}
