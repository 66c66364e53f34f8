/// The keys that an object of some kind may have, for one look at each key that it has.
struct KeySet: Sendable {
  /// In the order in which errors name them.
  let keys: [String]
  /// Whether keys that begin with `x-` are the maker's own.
  let allowsOwn: Bool
  /// A word without bytes where there is no key.
  private let slots: [KeyWord]
  private let mask: Int

  init(_ keys: [String], allowsOwn: Bool = false) {
    self.keys = keys
    self.allowsOwn = allowsOwn
    var size = 16
    while size < 4 * keys.count { size *= 2 }
    mask = size - 1
    var slots = [KeyWord](repeating: .none, count: size)
    for key in keys {
      let word = KeyWord(key.utf8.span)
      guard word.isWhole else { continue }
      var slot = word.hash & mask
      while slots[slot].count > 0, slots[slot] != word { slot = (slot + 1) & mask }
      slots[slot] = word
    }
    self.slots = slots
  }

  /// Whether a key is one of them; false for keys that are not whole words.
  func contains(_ word: KeyWord) -> Bool {
    guard word.isWhole else { return false }
    var slot = word.hash & mask
    while slots[slot].count > 0 {
      if slots[slot] == word { return true }
      slot = (slot + 1) & mask
    }
    return false
  }
}

/// The cases of an enumeration by their words, for texts that are read often.
struct Choices<T: CaseIterable & RawRepresentable & Sendable>: Sendable where T.RawValue == String {
  private let words: [KeyWord]
  private let cases: [T]

  init(_ type: T.Type) {
    cases = Array(T.allCases)
    words = cases.map { KeyWord($0.rawValue.utf8.span) }
  }

  /// Nil as well for one that is longer than a word.
  subscript(word: KeyWord) -> T? {
    guard word.isWhole else { return nil }
    for index in words.indices where words[index] == word { return cases[index] }
    return nil
  }
}

/// The bytes of a key at a glance: all of them, when there are at most 16; else how many, and the first and last eight. Made of a literal,
/// it is known when the library is built.
struct KeyWord: Equatable, Sendable {
  let count: Int
  private let head: UInt64
  private let tail: UInt64

  static let none = unsafe KeyWord(UnsafeBufferPointer(start: nil, count: 0))

  @inline(__always)
  init(_ text: UnsafeBufferPointer<UInt8>) {
    count = text.count
    guard count > 0, let bytes = unsafe UnsafeRawPointer(text.baseAddress) else {
      head = 0
      tail = 0
      return
    }
    // The two parts may overlap.
    if count >= 8 {
      head = unsafe bytes.loadUnaligned(as: UInt64.self)
      tail = unsafe bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else if count >= 4 {
      head = UInt64(unsafe bytes.loadUnaligned(as: UInt32.self))
      tail = UInt64(unsafe bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    } else {
      head = UInt64(unsafe text[0]) | UInt64(unsafe text[count / 2]) << 8
      tail = UInt64(unsafe text[count - 1])
    }
  }

  @inline(__always)
  init(_ text: Span<UInt8>) { self = unsafe text.withUnsafeBufferPointer { unsafe KeyWord($0) } }

  @inline(__always)
  init(_ key: StaticString) {
    self = unsafe KeyWord(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
  }

  var isWhole: Bool { count <= 16 }

  /// Whether it begins with `x-`, as keys of a maker's own do.
  var isOwn: Bool { count >= 2 && head & 0xFFFF == 0x2D78 }

  @inline(__always)
  private var mixed: UInt64 {
    (head ^ tail &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
  }

  @inline(__always)
  var hash: Int { Int(truncatingIfNeeded: mixed >> 40) }

  /// One of 64.
  @inline(__always)
  var place: Int { Int(truncatingIfNeeded: mixed >> 58) }
}
