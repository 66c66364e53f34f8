internal import PlotDocuments
internal import PlotFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The store files that this process holds, with a descriptor of each.
///
/// A forked child gets copies of the descriptors, and an open file description stays locked as long as one copy is open. So a handler of `fork`
/// closes them in the child: a child that outlives its parent does not keep the store busy. The child still knows the files, because SQLite's
/// state in its memory takes them for open.
@safe final class HeldFiles: @unchecked Sendable {
  /// A file, by whatever name.
  struct File: Equatable {
    let device: dev_t
    let inode: ino_t

    fileprivate init(_ facts: stat) {
      (device, inode) = (facts.st_dev, facts.st_ino)
    }

    /// The regular file, or whatever else, that a path leads to; nil for none.
    init?(path: String) {
      var facts = stat()
      guard unsafe stat(path, &facts) == 0 else { return nil }
      self.init(facts)
    }
  }

  private struct Held {
    let file: File
    /// -1 in a process that was forked from the one that holds it.
    var descriptor: Int32
    /// Opened by mistake, when a held file was moved to another path at the wrong moment. Closed with the file.
    var isStray = false
  }

  static let shared = HeldFiles()

  /// Guards `held`. Not Swift's `Mutex`, for `fork` must find it free, and leaves it locked in the child.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var held: [Held] = []
  /// How often this process, and those before it, were forked: a child sees another number than its parent.
  private(set) var forks = 0

  private init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    // `shared` is complete before anything is held; without it the handlers have nothing to do.
    pthread_atfork(
      { HeldFiles.shared.lock() }, { HeldFiles.shared.unlock() },
      {
        HeldFiles.shared.letGo()
        HeldFiles.shared.unlock()
      })
  }

  private func lock() { unsafe pthread_mutex_lock(mutex) }

  private func unlock() { unsafe pthread_mutex_unlock(mutex) }

  /// In a forked child. Memory is neither asked for nor given back.
  private func letGo() {
    forks &+= 1
    for index in held.indices where held[index].descriptor >= 0 {
      SystemCalls.close(held[index].descriptor)
      held[index].descriptor = -1
    }
  }

  /// Opens a file, or makes it, lets `take` have its descriptor, and holds it if `take` does not throw. The path leads to the file then.
  func open(
    _ path: String, take: (Int32) throws(StoreError) -> Void
  ) throws(StoreError) -> (file: File, size: Int64) {
    lock()
    defer { unlock() }
    // Others may put another file in its place at any moment, though not for ever.
    for _ in 0..<100 {
      var facts = stat()
      let isThere = unsafe stat(path, &facts) == 0
      guard isThere || errno == ENOENT else { throw .unreachable(path, errno) }
      if isThere {
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
        try checkFree(File(facts), path)
      }
      // Not blocking, should a pipe be there by now.
      let flags = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (isThere ? 0 : O_CREAT | O_EXCL)
      let descriptor = PlainFile.aboveStandard(SystemCalls.open(path, flags, 0o600))
      if descriptor < 0 {
        if isThere ? errno == ENOENT : errno == EEXIST && !isDangling(path) { continue }
        throw isThere ? .system(path, errno) : .unreachable(path, errno)
      }
      guard unsafe fstat(descriptor, &facts) == 0 else {
        let code = errno
        SystemCalls.close(descriptor)
        throw .system(path, code)
      }
      let file = File(facts)
      if held.contains(where: { $0.file == file }) {
        held.append(Held(file: file, descriptor: descriptor, isStray: true))
        try checkFree(file, path)
      }
      do throws(StoreError) {
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path) }
        try take(descriptor)
      } catch {
        SystemCalls.close(descriptor)
        throw error
      }
      // The locked file may have been moved or removed in between.
      guard File(path: path) == file else {
        SystemCalls.close(descriptor)
        continue
      }
      held.append(Held(file: file, descriptor: descriptor))
      return (file, Int64(facts.st_size))
    }
    throw StoreError(kind: .failed, message: "\(path): the file is replaced again and again while it is opened")
  }

  private func checkFree(_ file: File, _ path: String) throws(StoreError) {
    guard let holder = held.first(where: { $0.file == file && !$0.isStray }) else { return }
    guard holder.descriptor < 0 else { throw .busy(path) }
    throw StoreError(
      kind: .busy,
      message: "\(path): the process that this one was forked from had the file open; start another program to open it")
  }

  /// A link that leads nowhere.
  private func isDangling(_ path: String) -> Bool {
    var facts = stat()
    return unsafe lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK && File(path: path) == nil
  }

  func close(_ file: File) {
    lock()
    defer { unlock() }
    for one in held where one.file == file { SystemCalls.close(one.descriptor) }
    held.removeAll { $0.file == file }
  }
}

extension StoreError {
  /// For the `errno` of a file that is not there, and cannot be made.
  fileprivate static func unreachable(_ path: String, _ code: Int32) -> StoreError {
    StoreError(kind: .failed, message: "\(path): \(unsafe String(cString: strerror(code)))")
  }
}
