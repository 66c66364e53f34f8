/// The keys that an object of some kind may have, for one look at each key that it has.
struct KeySet: Sendable {
  /// In the order in which errors name them.
  let keys: [String]
  private let slots: [Word?]
  private let mask: Int

  /// A key of at most 16 bytes, wholly; longer ones are compared as texts.
  struct Word: Equatable, Sendable {
    var count = 0
    var head: UInt64 = 0
    var tail: UInt64 = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
      count = text.count
      guard count <= 16 else { return }
      for index in 0..<min(8, count) { head |= UInt64(unsafe text[index]) << UInt64(8 * index) }
      if count > 8 { for index in 8..<count { tail |= UInt64(unsafe text[index]) << UInt64(8 * (index - 8)) } }
    }

    var hash: Int {
      let mixed = (head ^ (tail &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(truncatingIfNeeded: count)) &* 0xD6E8_FEB8_6659_FD93
      return Int(truncatingIfNeeded: mixed >> 40)
    }
  }

  init(_ keys: [String]) {
    self.keys = keys
    var size = 16
    while size < 4 * keys.count { size *= 2 }
    mask = size - 1
    var slots = [Word?](repeating: nil, count: size)
    for key in keys {
      var key = key
      let word = key.withUTF8 { unsafe Word($0) }
      var slot = word.hash & mask
      while slots[slot] != nil, slots[slot] != word { slot = (slot + 1) & mask }
      slots[slot] = word
    }
    self.slots = slots
  }

  func contains(_ key: UnsafeBufferPointer<UInt8>) -> Bool {
    if key.count > 16 { return keys.contains(unsafe String(decoding: key, as: UTF8.self)) }
    let word = unsafe Word(key)
    var slot = word.hash & mask
    while let other = slots[slot] {
      if other == word { return true }
      slot = (slot + 1) & mask
    }
    return false
  }
}
