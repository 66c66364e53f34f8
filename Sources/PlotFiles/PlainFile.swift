#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Opens files by name without ever waiting for one.
///
/// Opening a named pipe waits for its other end, and reading a device may never end. A host calls the engine from the
/// thread of its user interface, and a document may name any path. Every file that the library opens by a name from
/// outside therefore goes through here, and anything but a plain file is refused at once.
public enum PlainFile {
  /// Opens the plain file of this name. `O_TRUNC` takes effect only once the file is known to be plain.
  ///
  /// - Parameters:
  ///   - flags: as for open(2); `O_CLOEXEC` and `O_NOCTTY` are added.
  ///   - mode: the permissions of a new file; by default its owner alone may read it.
  /// - Returns: a descriptor, which the caller closes.
  public static func open(_ path: String, _ flags: Int32, _ mode: UInt32 = 0o600) throws(FileError) -> Int32 {
    // Before the open: to open a device can be an action of its own.
    var status = stat()
    if unsafe stat(path, &status) == 0 { try check(status, path) }
    let wanted = flags & ~O_TRUNC | O_CLOEXEC | O_NOCTTY
    var file = SystemCalls.open(path, wanted | O_NONBLOCK, mode)
    // A plain file under a lease (fcntl(2), F_SETLEASE): the holder gives it up within a time that the system limits.
    if file < 0, errno == EWOULDBLOCK { file = SystemCalls.open(path, wanted, mode) }
    guard file >= 0 else {
      // A pipe, for writing, that has taken the name since.
      throw errno == ENXIO ? FileError(path: path, reason: reason("a named pipe, a socket or a device")) : .last(path)
    }
    do throws(FileError) {
      guard unsafe fstat(file, &status) == 0 else { throw .last(path) }
      try check(status, path)
      guard fcntl(file, F_SETFL, flags & O_APPEND) == 0 else { throw .last(path) }
      if flags & O_TRUNC != 0, ftruncate(file, 0) != 0 { throw .last(path) }
    } catch {
      close(file)
      throw error
    }
    return file
  }

  /// A descriptor that stays open, from 3 on: an app may have closed its standard output, and what it prints must not end up in a file of ours.
  /// Takes what `open` gave, a fault included.
  public static func aboveStandard(_ descriptor: Int32) -> Int32 {
    guard (0...2).contains(descriptor) else { return descriptor }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    let code = errno
    close(descriptor)
    errno = code
    return copy
  }

  private static func check(_ status: stat, _ path: String) throws(FileError) {
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: ""
      case S_IFDIR: "a directory"
      case S_IFIFO: "a named pipe"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    if !kind.isEmpty { throw FileError(path: path, reason: reason(kind)) }
  }

  private static func reason(_ kind: String) -> String { "expected a plain file, found \(kind)" }

  /// The bytes that are left in an open file; refuses more than `limit`. `path` is for errors only.
  public static func read(_ file: Int32, _ path: String, limit: Int) throws(FileError) -> [UInt8] {
    func check(_ count: Int) throws(FileError) {
      if count > limit { throw FileError(path: path, reason: "larger than \(limit) bytes") }
    }
    var status = stat()
    let size = unsafe fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    // Before anything is read; a file may still grow.
    try check(size)
    var bytes: [UInt8] = []
    // Room for one more read, which finds the end.
    let least = size > 0 ? 1 << 12 : 1 << 16
    bytes.reserveCapacity(size + least)
    while true {
      let old = bytes.count
      let chunk = max(least, size - old)
      bytes.append(contentsOf: repeatElement(0, count: chunk))
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe SystemCalls.read(file, $0.baseAddress! + old, chunk) }
      let code = errno
      bytes.removeLast(chunk - max(0, count))
      if count == 0 { return bytes }
      if count < 0, code != EINTR { throw FileError(path: path, code: code) }
      try check(bytes.count)
    }
  }

  /// Writes bytes at a place of a file. Gives how many were written; `errno` says why they were not all.
  public static func write(_ bytes: ArraySlice<UInt8>, to file: Int32, at offset: Int) -> Int {
    var at = 0
    while at < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe pwrite(file, $0.baseAddress! + at, $0.count - at, off_t(offset + at))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      at += count
    }
    return at
  }
}
