internal import PlotDocuments
internal import PlotFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The file beside the store that transactions are added to, until they are in its tables (docs/store.md). It is there only while the store is
/// open, or after a process has ended without closing it.
@safe final class LogFile {
  /// "PlotLog" and the version of its form.
  static let magic: [UInt8] = Array("PlotLog".utf8) + [1]
  /// The file grows by so many zeros: where bytes are already, writing others needs nothing else to be written.
  private static let step = 1 << 16
  /// The greatest size of a log.
  private static let mostBytes = (Store.longestLog + step - 1) / step * step

  private let path: String
  private var descriptor: Int32 = -1
  private var size = 0
  /// Where the next line goes.
  private(set) var end = LogFile.magic.count
  /// Only zeros are behind it; not before `end`, unless a line could not be added.
  private var used = LogFile.magic.count

  /// Whether the file may hold, beyond its end, a line that could not be added.
  private(set) var mayHoldMore = false

  var isEmpty: Bool { end == Self.magic.count }

  init(path: String) { self.path = path }

  deinit { close() }

  /// The contents of the file, as an earlier process left it; nil when there is none.
  func left() throws(StoreError) -> [UInt8]? {
    try open(creates: false)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
    // Lines end before the limit: what is longer holds none of them there, and may be longer than the memory.
    size = Int(min(status.st_size, off_t(Self.mostBytes)))
    let bytes = try read(size)
    let magic = bytes.prefix(Self.magic.count)
    guard magic.elementsEqual(Self.magic.prefix(magic.count)) || magic.allSatisfy({ $0 == 0 }) else {
      throw StoreError(kind: .damaged, message: "\(path): the file is not a log of this library")
    }
    return bytes
  }

  /// The lines that have been added.
  func lines() throws(StoreError) -> [UInt8] { try isEmpty ? [] : read(end) }

  /// Adds a line. It is in the file then, and on the disk when `waits`, with all before it. When it throws and `mayHoldMore` is true, the file
  /// or the disk may hold the line: to write zeros over it is tried, but a disk that has failed is not relied upon. Earlier lines that were
  /// not waited for may be missing on the disk then, and the next wait would not tell.
  func append(_ line: [UInt8], waits: Bool) throws(StoreError) {
    mayHoldMore = false
    try grow(to: end + line.count)
    let isZeroBehind = used <= end
    used = max(used, end + line.count)
    let count = put(line, at: end)
    if count == line.count, !waits || SystemCalls.syncData(descriptor) == 0 {
      end += line.count
      return
    }
    let code = errno
    // Without room the rest was not written; a line that lacks some of its bytes is none.
    let lacksBytes = count == 0 || (isZeroBehind && line[count...].contains { $0 != 0 })
    mayHoldMore = !((code == ENOSPC || code == EDQUOT) && lacksBytes)
    try? write([UInt8](repeating: 0, count: line.count), at: end)
    throw .system(path, code)
  }

  /// Takes all lines out. Nothing waits for that: they do not follow what the tables say any more. Nor does one whose writing has failed.
  func clear() {
    mayHoldMore = false
    guard descriptor >= 0, used > Self.magic.count else { return }
    end = Self.magic.count
    let zeros = [UInt8](repeating: 0, count: used - Self.magic.count)
    if put(zeros, at: Self.magic.count) == zeros.count { used = end }
  }

  /// Takes the file away.
  func remove() {
    guard descriptor >= 0 else { return }
    unsafe unlink(path)
    close()
  }

  /// Takes the file away, and says when that fails.
  func erase() throws(StoreError) {
    close()
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw failure() }
  }

  /// Leaves the file as it is.
  func close() {
    if descriptor >= 0 { SystemCalls.close(descriptor) }
    descriptor = -1
    (size, end, used) = (0, Self.magic.count, Self.magic.count)
  }

  private func open(creates: Bool) throws(StoreError) {
    guard descriptor < 0 else { return }
    // Not blocking, should a pipe be there.
    let flags = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK | (creates ? O_CREAT : 0)
    descriptor = SystemCalls.open(path, flags, 0o600)
    guard descriptor >= 0 || (!creates && errno == ENOENT) else { throw failure() }
  }

  private func grow(to length: Int) throws(StoreError) {
    guard length > size else { return }
    let isNew = size == 0
    try open(creates: true)
    let wanted = (length + Self.step - 1) / Self.step * Self.step
    var zeros = [UInt8](repeating: 0, count: wanted - size)
    if isNew { zeros.replaceSubrange(0..<Self.magic.count, with: Self.magic) }
    try write(zeros, at: size)
    guard !isNew || SystemCalls.syncData(descriptor) == 0 else { throw failure() }
    if isNew { try Self.syncFolder(of: path) }
    size = wanted
  }

  /// So that the file's name is on the disk, too.
  static func syncFolder(of path: String) throws(StoreError) {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
    let descriptor = SystemCalls.open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    // A folder that may be searched but not read cannot be asked.
    guard descriptor >= 0 else { return }
    defer { SystemCalls.close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .system(path, errno) }
  }

  private func read(_ count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var at = 0
    while at < count {
      let got = unsafe bytes.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress! + at, count - at, off_t(at))
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw failure() }
      guard got > 0 else { throw StoreError(kind: .damaged, message: "\(path): the file has become shorter") }
      at += got
    }
    return bytes
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(StoreError) {
    guard put(bytes, at: offset) == bytes.count else { throw failure() }
  }

  /// Gives how many bytes were written; `errno` says why they were not all.
  private func put(_ bytes: [UInt8], at offset: Int) -> Int {
    PlainFile.write(bytes[...], to: descriptor, at: offset)
  }

  private func failure() -> StoreError { .system(path, errno) }
}
