internal import CJansson

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The members of the objects that were looked into last, by their keys: a reader asks most objects for far more keys than they have.
@safe final class ObjectShapes {
  @safe private struct Entry {
    let word: KeyWord
    let key: UnsafePointer<UInt8>
    let value: UnsafeMutablePointer<json_t>
    /// Another one at the same place; `end` for none.
    let next: UInt8
  }

  @safe private struct Shape {
    /// Its address; 0 for none.
    var object: UInt = 0
    var count = 0
    /// Which places have entries.
    var places: UInt64 = 0
    let entries: UnsafeMutablePointer<Entry>
    /// For each place that has any, its first one.
    let first: UnsafeMutablePointer<UInt8>
  }

  private static let end: UInt8 = .max
  private static let shapeCount = 8
  /// An object with more keys is left to Jansson.
  private static let capacity = 32

  private let shapes: UnsafeMutablePointer<Shape>
  private let entries: UnsafeMutablePointer<Entry>
  private let first: UnsafeMutablePointer<UInt8>

  init() {
    unsafe shapes = .allocate(capacity: Self.shapeCount)
    unsafe entries = .allocate(capacity: Self.shapeCount * Self.capacity)
    unsafe first = .allocate(capacity: Self.shapeCount * 64)
    for index in 0..<Self.shapeCount {
      unsafe (shapes + index).initialize(
        to: Shape(entries: entries + index * Self.capacity, first: first + index * 64))
    }
  }

  deinit {
    unsafe shapes.deallocate()
    unsafe entries.deallocate()
    unsafe first.deallocate()
  }

  /// To be called when objects go: others may come to lie at the same addresses.
  func forget() {
    for index in 0..<Self.shapeCount { unsafe shapes[index].object = 0 }
  }

  /// The value of a key; nil when the object has no such key.
  @inline(__always) @_lifetime(copy object)
  func value(_ object: Node, _ key: StaticString) -> Node? {
    let word = KeyWord(key)
    let shape = unsafe shape(of: object)
    guard unsafe shape.pointee.places & 1 << UInt64(word.place) != 0,
      let value = unsafe value(object, shape, word, key.utf8Start)
    else { return nil }
    return unsafe Node(value, beside: object)
  }

  @_lifetime(copy object)
  func value(_ object: Node, _ key: String) -> Node? {
    var key = key
    let value = key.withUTF8 { bytes -> UnsafeMutablePointer<json_t>? in
      guard let start = bytes.baseAddress else { return unsafe json_object_get(object.value, "") }
      let word = unsafe KeyWord(bytes)
      let shape = unsafe shape(of: object)
      guard unsafe shape.pointee.places & 1 << UInt64(word.place) != 0 else { return nil }
      return unsafe self.value(object, shape, word, start)
    }
    guard let value = unsafe value else { return nil }
    return unsafe Node(value, beside: object)
  }

  /// How many keys of an object are in a set; nil when there are too many to tell.
  func count(_ object: Node, in set: KeySet) -> Int? {
    let shape = unsafe shape(of: object)
    let count = unsafe shape.pointee.count
    guard count <= Self.capacity else { return nil }
    var found = 0
    for index in 0..<count where set.contains(unsafe shape.pointee.entries[index].word) { found += 1 }
    return found
  }

  /// Whether all keys of an object are known, as far as can be told at a glance.
  func isOf(_ object: Node, _ known: KeySet) -> Bool {
    let shape = unsafe shape(of: object)
    let count = unsafe shape.pointee.count
    guard count <= Self.capacity else { return false }
    for index in 0..<count {
      let word = unsafe shape.pointee.entries[index].word
      if !known.contains(word), !(known.allowsOwn && word.isOwn) { return false }
    }
    return true
  }

  private func value(
    _ object: Node, _ shape: UnsafeMutablePointer<Shape>, _ word: KeyWord, _ key: UnsafePointer<UInt8>
  ) -> UnsafeMutablePointer<json_t>? {
    if unsafe shape.pointee.count > Self.capacity {
      return unsafe json_object_get(
        object.value, String(decoding: UnsafeBufferPointer(start: key, count: word.count), as: UTF8.self))
    }
    let entries = unsafe shape.pointee.entries
    var index = unsafe shape.pointee.first[word.place]
    while index != Self.end {
      let entry = unsafe entries + Int(index)
      if unsafe entry.pointee.word == word, unsafe word.isWhole || memcmp(entry.pointee.key, key, word.count) == 0 {
        return unsafe entry.pointee.value
      }
      unsafe index = entry.pointee.next
    }
    return nil
  }

  @inline(__always)
  private func shape(of object: Node) -> UnsafeMutablePointer<Shape> {
    let address = unsafe UInt(bitPattern: object.value)
    let shape = unsafe shapes + Int(truncatingIfNeeded: (UInt64(address) &* 0x9E37_79B9_7F4A_7C15) >> 61)
    if unsafe shape.pointee.object != address { unsafe fill(shape, object) }
    return unsafe shape
  }

  @inline(never)
  private func fill(_ shape: UnsafeMutablePointer<Shape>, _ object: Node) {
    unsafe shape.pointee.object = UInt(bitPattern: object.value)
    var count = 0
    var places: UInt64 = 0
    var iterator = unsafe json_object_iter(object.value)
    while let current = unsafe iterator {
      if count < Self.capacity, let key = unsafe json_object_iter_key(current),
        let value = unsafe json_object_iter_value(current)
      {
        let bytes = unsafe UnsafeRawPointer(key).assumingMemoryBound(to: UInt8.self)
        let word = unsafe KeyWord(UnsafeBufferPointer(start: bytes, count: strlen(key)))
        let bit: UInt64 = 1 << UInt64(word.place)
        let other = unsafe places & bit == 0 ? Self.end : shape.pointee.first[word.place]
        unsafe (shape.pointee.entries + count).initialize(to: Entry(word: word, key: bytes, value: value, next: other))
        unsafe shape.pointee.first[word.place] = UInt8(count)
        places |= bit
      }
      count += 1
      unsafe iterator = json_object_iter_next(object.value, current)
    }
    unsafe shape.pointee.count = count
    unsafe shape.pointee.places = count > Self.capacity ? .max : places
  }
}
