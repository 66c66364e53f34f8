internal import PlotFiles

/// A compiled feed in memory, as its file has it, whole and unchanged since it was written. Never changes.
struct FeedMapping: Sendable {
  let file: FileBytes

  /// Maps a file. Throws `FileError` where that cannot be, and `DocumentError` where it is no compiled feed, or one that is damaged.
  init(path: String) throws {
    try self.init(FileBytes(mapping: path))
  }

  /// The same of bytes in memory.
  init(_ bytes: [UInt8]) throws(DocumentError) {
    try self.init(FileBytes(copying: bytes, alignment: FeedFile.alignment))
  }

  private init(_ file: FileBytes) throws(DocumentError) {
    guard file.count >= FeedFile.headerSize else { throw Self.tooShort(file.count) }
    self.file = file
    try check()
  }

  // MARK: Faults

  static func damaged(_ expected: String, _ found: String) -> DocumentError {
    DocumentError(line: 0, column: 0, pointer: "", expected: expected, found: found)
  }

  private static func tooShort(_ size: Int) -> DocumentError {
    damaged("a compiled feed, of \(FeedFile.headerSize) bytes or more", "\(size) bytes")
  }

  private func check() throws(DocumentError) {
    let magic = FeedFile.magic
    guard magic.span.order(file.bytes(in: magic.indices)) == 0 else {
      throw Self.damaged("a compiled feed, which begins with \"PLOTFEED\"", "a file that does not")
    }
    let version = number(UInt32.self, at: FeedFile.Field.version)
    guard (FeedFile.oldestVersion...FeedFile.version).contains(version) else {
      let known = "\(FeedFile.oldestVersion) or \(FeedFile.version)"
      throw Self.damaged("a compiled feed of version \(known), at byte 8", "version \(version)")
    }
    let size = number(UInt64.self, at: FeedFile.Field.size)
    let given = file.count
    guard size == UInt64(given), given % FeedFile.alignment == 0 else {
      throw Self.damaged("a compiled feed of \(size) bytes, as it says at byte 16", "\(given) bytes")
    }
    let sum = FileChecksum.of(file.span)
    guard number(UInt64.self, at: FeedFile.Field.checksum) == sum else {
      throw Self.damaged("the checksum that the compiled feed has at byte 24", "another, for the file is damaged")
    }
    let count = number(UInt32.self, at: FeedFile.Field.sectionCount)
    let expected = UInt32(FeedFile.Section.allCases.count) - (FeedFile.version - version)
    guard count == expected else { throw Self.damaged("\(expected) sections, at byte 12", "\(count)") }
    for section in FeedFile.Section.allCases {
      let at = FeedFile.tableOffset + 16 * section.rawValue
      let (offset, length) = (number(UInt64.self, at: at), number(UInt64.self, at: at + 8))
      guard offset <= size, length <= size - offset, offset % UInt64(FeedFile.alignment) == 0 else {
        throw Self.damaged("the section \"\(section)\" in the file, at byte \(at)", "\(length) bytes from \(offset) on")
      }
    }
  }

  // MARK: What is in it

  /// At an offset that is in the file.
  func number<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, at offset: Int) -> T {
    file.number(type, at: offset)
  }

  func range(_ section: FeedFile.Section) -> Range<Int> {
    let at = FeedFile.tableOffset + 16 * section.rawValue
    let start = Int(truncatingIfNeeded: number(UInt64.self, at: at))
    return start..<(start + Int(truncatingIfNeeded: number(UInt64.self, at: at + 8)))
  }

  @_lifetime(borrow self)
  func bytes(in range: Range<Int>) -> Span<UInt8> { file.bytes(in: range) }

  func bytes(of section: FeedFile.Section) -> [UInt8] { file.numbers(UInt8.self, in: range(section)) }

  /// All numbers of a section.
  func numbers<T: FixedWidthInteger & BitwiseCopyable>(
    _ section: FeedFile.Section, _ type: T.Type = T.self
  ) throws(DocumentError) -> [T] {
    let range = range(section)
    let size = MemoryLayout<T>.size
    guard range.count % size == 0 else {
      throw Self.damaged("numbers of \(size) bytes in the section \"\(section)\"", "\(range.count) bytes")
    }
    return file.numbers(type, in: range)
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
