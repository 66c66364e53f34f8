#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A new file beside another, whose name it takes when it is whole: `NAME.part0`, or another number.
///
/// Until it is whole it begins with `mark` instead of what it will begin with, and its writer holds a lock on it (`flock`, which ends with the
/// writer). A file that begins so, or is empty, and that nobody has locked, was left by a writer that died, and is removed. Any other file of such
/// a name is not ours and stays; the next number is taken, and numbers do not run out.
public struct PartFile {
  public let path: String
  public let file: Int32

  /// As long as what a compiled feed begins with.
  public static let mark = Array("PLOTPART".utf8)

  /// Makes one. The caller closes `file`.
  public init(beside target: String) throws(FileError) {
    var number: UInt64 = 0
    while true {
      let path = "\(target).part\(number)"
      let file = PlainFile.aboveStandard(unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666))
      if file >= 0 {
        if Self.hold(file, path, orWithoutLocks: true) {
          self.path = path
          self.file = file
          return
        }
        // Another writer has taken it for a leftover before it was locked.
        close(file)
        number += 1
      } else if errno != EEXIST {
        throw .last(target)
      } else if !Self.removeLeftover(path) {
        number += 1
      }
    }
  }

  /// Writes all of it, and gives it the name of `target`. Throws with nothing left but what was there before.
  public func take(_ bytes: [UInt8], placeOf target: String) throws(FileError) {
    let begin = Self.mark.count
    guard
      put(Self.mark[...], at: 0), put(bytes.dropFirst(begin), at: begin), fsync(file) == 0,
      put(bytes.prefix(begin), at: 0), fsync(file) == 0,
      unsafe rename(path, target) == 0
    else {
      let fault = FileError.last(target)
      unsafe unlink(path)
      throw fault
    }
  }

  /// Writes a new file and gives it the name of the old one, or of the one that a link leads to. What is no plain file is left alone.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw FileError(path: path, reason: "not a plain file")
    }
    var target = path
    if let real = unsafe realpath(path, nil) {
      target = unsafe String(cString: real)
      unsafe free(real)
    }
    do throws(FileError) {
      let part = try PartFile(beside: target)
      defer { close(part.file) }
      try part.take(bytes, placeOf: target)
    } catch {
      throw FileError(path: path, reason: error.reason)
    }
  }

  private func put(_ bytes: ArraySlice<UInt8>, at start: Int) -> Bool {
    PlainFile.write(bytes, to: file, at: start) == bytes.count
  }

  /// Locks a file, if nobody else has and it is still the one of that name. `orWithoutLocks`: also where the file system has no locks.
  private static func hold(_ file: Int32, _ path: String, orWithoutLocks: Bool) -> Bool {
    guard flock(file, LOCK_EX | LOCK_NB) == 0 || (orWithoutLocks && errno != EWOULDBLOCK) else { return false }
    var (own, named) = (stat(), stat())
    return unsafe fstat(file, &own) == 0 && lstat(path, &named) == 0 && own.st_dev == named.st_dev
      && own.st_ino == named.st_ino
  }

  /// Removes what a writer that died has left. True when there is no file of this name any more.
  private static func removeLeftover(_ path: String) -> Bool {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { return errno == ENOENT }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
      hold(file, path, orWithoutLocks: false)
    else { return false }
    var bytes = [UInt8](repeating: 0, count: mark.count)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, $0.count, 0) }
    guard count == 0 || (count == mark.count && bytes == mark) else { return false }
    return unsafe unlink(path) == 0
  }
}
