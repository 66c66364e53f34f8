#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A compiled feed in memory, as its file has it, whole and unchanged since it was written. Never changes.
@safe final class FeedMapping: @unchecked Sendable {
  private let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// Maps a file. Throws `FileError` where that cannot be, and `DocumentError` where it is no compiled feed, or one that is damaged.
  convenience init(path: String) throws {
    let file = try PlainFile.open(path, O_RDONLY)
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw FileError.last(path) }
    let size = Int(status.st_size)
    guard size >= FeedFile.headerSize else { throw Self.tooShort(size) }
    guard let address = unsafe mmap(nil, size, PROT_READ, SystemCalls.mapsWhole, file, 0),
      unsafe address != MAP_FAILED
    else { throw FileError.last(path) }
    unsafe self.init(UnsafeRawBufferPointer(start: address, count: size), isMapped: true)
    try check()
  }

  /// The same of bytes in memory.
  convenience init(_ bytes: [UInt8]) throws(DocumentError) {
    guard bytes.count >= FeedFile.headerSize else { throw Self.tooShort(bytes.count) }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: FeedFile.alignment)
    unsafe copy.copyBytes(from: bytes)
    unsafe self.init(UnsafeRawBufferPointer(copy), isMapped: false)
    try check()
  }

  private init(_ bytes: UnsafeRawBufferPointer, isMapped: Bool) {
    unsafe self.bytes = bytes
    self.isMapped = isMapped
  }

  deinit {
    if isMapped {
      unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count)
    } else {
      unsafe bytes.deallocate()
    }
  }

  // MARK: Faults

  static func damaged(_ expected: String, _ found: String) -> DocumentError {
    DocumentError(line: 0, column: 0, pointer: "", expected: expected, found: found)
  }

  private static func tooShort(_ size: Int) -> DocumentError {
    damaged("a compiled feed, of \(FeedFile.headerSize) bytes or more", "\(size) bytes")
  }

  private func check() throws(DocumentError) {
    guard unsafe bytes.prefix(8).elementsEqual(FeedFile.magic) else {
      throw Self.damaged("a compiled feed, which begins with \"PLOTFEED\"", "a file that does not")
    }
    let version = number(UInt32.self, at: FeedFile.Field.version)
    guard version == FeedFile.version else {
      throw Self.damaged("a compiled feed of version \(FeedFile.version), at byte 8", "version \(version)")
    }
    let size = number(UInt64.self, at: FeedFile.Field.size)
    let given = unsafe bytes.count
    guard size == UInt64(given), given % FeedFile.alignment == 0 else {
      throw Self.damaged("a compiled feed of \(size) bytes, as it says at byte 16", "\(given) bytes")
    }
    let sum = unsafe FeedFile.checksum(bytes)
    guard number(UInt64.self, at: FeedFile.Field.checksum) == sum else {
      throw Self.damaged("the checksum that the compiled feed has at byte 24", "another, for the file is damaged")
    }
    let count = number(UInt32.self, at: FeedFile.Field.sectionCount)
    guard count == UInt32(FeedFile.Section.allCases.count) else {
      throw Self.damaged("\(FeedFile.Section.allCases.count) sections, at byte 12", "\(count)")
    }
    for section in FeedFile.Section.allCases {
      let at = FeedFile.tableOffset + 16 * section.rawValue
      let (offset, length) = (number(UInt64.self, at: at), number(UInt64.self, at: at + 8))
      guard offset <= size, length <= size - offset, offset % UInt64(FeedFile.alignment) == 0 else {
        throw Self.damaged("the section \"\(section)\" in the file, at byte \(at)", "\(length) bytes from \(offset) on")
      }
    }
  }

  // MARK: What is in it

  /// At an offset that is in the file and aligned.
  func number<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    T(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: T.self))
  }

  func range(_ section: FeedFile.Section) -> Range<Int> {
    let at = FeedFile.tableOffset + 16 * section.rawValue
    let start = Int(truncatingIfNeeded: number(UInt64.self, at: at))
    return start..<(start + Int(truncatingIfNeeded: number(UInt64.self, at: at + 8)))
  }

  func bytes(in range: Range<Int>) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
  }

  func bytes(of section: FeedFile.Section) -> [UInt8] { unsafe Array(bytes(in: range(section))) }

  /// All numbers of a section.
  func numbers<T: FixedWidthInteger & BitwiseCopyable>(
    _ section: FeedFile.Section, _ type: T.Type = T.self
  ) throws(DocumentError) -> [T] {
    let range = range(section)
    let size = MemoryLayout<T>.size
    guard range.count % size == 0 else {
      throw Self.damaged("numbers of \(size) bytes in the section \"\(section)\"", "\(range.count) bytes")
    }
    return unsafe Array(unsafeUninitializedCapacity: range.count / size) { target, count in
      for index in 0..<(range.count / size) {
        unsafe target.initializeElement(at: index, to: number(T.self, at: range.lowerBound + index * size))
      }
      count = range.count / size
    }
  }

  /// The same as positions, each below a limit.
  func positions(_ section: FeedFile.Section, below limit: Int) throws(DocumentError) -> [Int] {
    let numbers = try numbers(section, UInt32.self)
    if let wrong = numbers.first(where: { Int($0) >= limit }) {
      throw Self.damaged("numbers below \(limit) in the section \"\(section)\"", "\(wrong)")
    }
    return numbers.map { Int($0) }
  }
}
