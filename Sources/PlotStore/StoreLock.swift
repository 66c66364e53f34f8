internal import PlotDocuments
internal import PlotFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Keeps one store file for one engine, against engines of this process and of others.
///
/// SQLite has a lock of its own, a POSIX one, which the system drops as soon as the process closes any descriptor of the file. So the store
/// holds a second lock, of an open file description (`F_OFD_SETLK`), which only closing that very descriptor ends. The descriptor is opened
/// before SQLite opens the file, and closed after SQLite has closed it. `HeldFiles` knows the files that this process holds, so that none of
/// them is opened once more: closing that descriptor would drop SQLite's lock.
@safe final class StoreLock {
  /// The file's size when the lock was taken.
  let size: Int64
  private let file: HeldFiles.File
  private let path: String
  /// The process that took it. In a forked child it is the parent's.
  private let process = getpid()
  private var isHeld = true

  /// A byte that SQLite locks none of (its own are 0x4000_0000 to 0x4000_01FF), and that need not be there.
  private static let byte: off_t = 0x4000_1000

  /// Opens the file, or makes it, readable by its owner alone, and locks it. Nothing is written.
  init(path: String) throws(StoreError) {
    self.path = path
    let found = try HeldFiles.shared.open(path) { (descriptor) throws(StoreError) in
      try Self.lock(descriptor, path)
    }
    (file, size) = (found.file, found.size)
  }

  deinit { release() }

  /// Whether the path still leads to the file that is locked.
  var isAtPath: Bool { HeldFiles.File(path: path) == file }

  /// To be called when SQLite has closed the file. Does nothing in a forked child, which has no descriptor of it.
  func release() {
    guard isHeld, getpid() == process else { return }
    isHeld = false
    HeldFiles.shared.close(file)
  }

  private static func lock(_ descriptor: Int32, _ path: String) throws(StoreError) {
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    (range.l_start, range.l_len) = (byte, 1)
    while unsafe fcntl(descriptor, SystemCalls.setFileLock, &range) != 0 {
      switch errno {
      case EINTR: continue
      case EAGAIN, EACCES: throw .busy(path)
      // A file system or kernel without such locks: SQLite's lock, and the list of held files, must do.
      case EINVAL, ENOSYS, ENOTSUP: return
      default: throw .system(path, errno)
      }
    }
  }
}

extension StoreError {
  static func busy(_ path: String) -> StoreError {
    StoreError(kind: .busy, message: "\(path): another engine has the file open")
  }

  /// For an `errno`.
  static func system(_ path: String, _ code: Int32) -> StoreError {
    let isReadOnly = code == EACCES || code == EROFS || code == EPERM
    return StoreError(
      kind: isReadOnly ? .readOnly : .failed, message: "\(path): \(unsafe String(cString: strerror(code)))")
  }

  /// For what is not a regular file.
  static func notAFile(_ path: String) -> StoreError {
    StoreError(kind: .failed, message: "\(path): expected a regular file, found a folder, device, pipe or socket")
  }
}
