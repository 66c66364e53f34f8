#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The bytes of a file that does not change, in memory: mapped, or a copy.
@safe public final class FileBytes: @unchecked Sendable {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// Maps a plain file.
  public init(mapping path: String) throws(FileError) {
    let file = try PlainFile.open(path, O_RDONLY)
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw FileError.last(path) }
    let size = Int(status.st_size)
    // The system maps no bytes.
    isMapped = size > 0
    guard isMapped else {
      unsafe bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    guard let address = unsafe mmap(nil, size, PROT_READ, SystemCalls.mapsWhole, file, 0),
      unsafe address != MAP_FAILED
    else { throw FileError.last(path) }
    unsafe bytes = UnsafeRawBufferPointer(start: address, count: size)
  }

  /// A copy, at an address that is a multiple of `alignment`.
  public init(copying bytes: [UInt8], alignment: Int) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: alignment)
    unsafe copy.copyBytes(from: bytes)
    unsafe self.bytes = UnsafeRawBufferPointer(copy)
    isMapped = false
  }

  deinit {
    if isMapped {
      unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count)
    } else {
      unsafe bytes.deallocate()
    }
  }

  @inlinable public var count: Int { unsafe bytes.count }

  /// All of them; they live as long as this does.
  @inlinable public var span: Span<UInt8> {
    @_lifetime(borrow self)
    get { unsafe _overrideLifetime(bytes.assumingMemoryBound(to: UInt8.self).span, borrowing: self) }
  }

  /// Some of them. The range is checked.
  @inlinable @_lifetime(borrow self)
  public func bytes(in range: Range<Int>) -> Span<UInt8> {
    let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
    return unsafe _overrideLifetime(part.span, borrowing: self)
  }

  /// A little-endian number. Its place is checked.
  @inlinable
  public func number<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    precondition(offset >= 0 && offset <= count - MemoryLayout<T>.size)
    return T(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }
}

extension FileBytes {
  /// The little-endian numbers of a range that holds some whole ones. The range is checked.
  @inlinable
  public func numbers<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, in range: Range<Int>) -> [T] {
    let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
    let count = range.count / MemoryLayout<T>.size
    return unsafe Array(unsafeUninitializedCapacity: count) { target, filled in
      for index in 0..<count {
        let number = unsafe part.loadUnaligned(fromByteOffset: index * MemoryLayout<T>.size, as: T.self)
        unsafe target.initializeElement(at: index, to: T(littleEndian: number))
      }
      filled = count
    }
  }
}

extension Span<UInt8> {
  /// Below 0, 0 or above it, as this one is less, the same or greater, byte by byte.
  public func order(_ other: borrowing Span<UInt8>) -> Int {
    let common = Swift.min(count, other.count)
    let order = unsafe withUnsafeBytes { first in
      unsafe other.withUnsafeBytes { second in
        common == 0 ? 0 : unsafe memcmp(first.baseAddress!, second.baseAddress!, common)
      }
    }
    return order != 0 ? Int(order) : count - other.count
  }
}
