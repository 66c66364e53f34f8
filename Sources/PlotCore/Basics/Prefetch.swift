internal import CPrefetch

/// Asks for memory some time before it is needed. With many devices and places each device's own lies where the processor has to wait for it, one
/// line after the other, as long as nobody has asked for several at once. It is a hint: nothing is read, and any address will do.
public enum Prefetch {
  /// Prefetches the memory around an address.
  @inline(__always)
  public static func address(_ address: UnsafeRawPointer, _ byteCount: Int = 1) {
    var offset = 0
    while offset < byteCount {
      unsafe plot_prefetch(address + offset)
      offset &+= 64
    }
  }

  /// Prefetches the target of an array, a dictionary or a box: each is one reference, and nothing else. `offset` and `byteCount` in bytes.
  @inline(__always)
  static func target<T>(of value: borrowing T, at offset: Int = 0, _ byteCount: Int = 1) {
    guard MemoryLayout<T>.size == MemoryLayout<UInt>.size else { return }
    let bits = unsafe unsafeBitCast(value, to: UInt.self)
    if let address = unsafe UnsafeRawPointer(bitPattern: bits &+ UInt(bitPattern: offset)) {
      unsafe self.address(address, byteCount)
    }
  }

  /// Prefetches the head of an array, and the bytes at an offset into it.
  @inline(__always)
  static func targets<T>(of value: borrowing T, and offset: Int) {
    guard MemoryLayout<T>.size == MemoryLayout<UInt>.size else { return }
    let bits = unsafe unsafeBitCast(value, to: UInt.self)
    if let address = unsafe UnsafeRawPointer(bitPattern: bits) { unsafe self.address(address) }
    if let address = unsafe UnsafeRawPointer(bitPattern: bits &+ UInt(bitPattern: offset)) {
      unsafe self.address(address)
    }
  }

  /// A text that is too long to lie in itself.
  @inline(__always)
  static func text(_ text: borrowing String) {
    guard MemoryLayout<String>.size == 16 else { return }
    let bits = unsafe unsafeBitCast(text, to: (UInt64, UInt64).self).1 & 0xFF_FFFF_FFFF_FFFF
    if let address = unsafe UnsafeRawPointer(bitPattern: UInt(bits)) { unsafe self.address(address) }
  }

  /// An element of an array, which is not read.
  @inline(__always)
  static func element<T>(_ position: Int, of array: borrowing [T]) {
    target(of: array, at: 32 &+ position &* MemoryLayout<T>.stride)
  }

  /// Prefetches the target of an element of an array. The element is read, as a word: no reference is counted.
  @inline(__always)
  static func target<T>(ofElement position: Int, of array: borrowing [T], _ byteCount: Int = 1) {
    guard MemoryLayout<T>.stride == MemoryLayout<UInt>.size, position < array.count else { return }
    let bits = unsafe array.withUnsafeBytes { unsafe $0.load(fromByteOffset: position &* 8, as: UInt.self) }
    if let address = unsafe UnsafeRawPointer(bitPattern: bits) { unsafe self.address(address, byteCount) }
  }
}
