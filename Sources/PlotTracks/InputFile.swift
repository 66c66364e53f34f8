import FoundationEssentials
import Glibc
package import PlotFiles
internal import Synchronization

/// Opens the files that a command reads.
///
/// A name must be that of a plain file, so that no command waits for a named pipe that nobody writes to. The exceptions
/// are descriptors that the process has already: `/dev/stdin`, and `/dev/fd/63` as a shell gives it for `<(command)`.
package enum InputFile {
  /// The contents of streams: a command may read an input twice, but a stream ends.
  private static let streams = Mutex<[Int32: [UInt8]]>([:])

  /// The descriptor that a path is another name of; nil for all other paths.
  package static func descriptor(of path: String) -> Int32? {
    let names = ["/dev/stdin": STDIN_FILENO, "/dev/stdout": STDOUT_FILENO, "/dev/stderr": STDERR_FILENO]
    if let descriptor = names[path] { return descriptor }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count)).flatMap { $0 < 0 ? nil : $0 }
    }
    return nil
  }

  /// A descriptor for reading, which the caller closes.
  ///
  /// - Throws: `FileError`.
  package static func open(_ path: String) throws(FileError) -> Int32 {
    guard let descriptor = descriptor(of: path) else {
      do throws(FileError) { return try PlainFile.open(path, O_RDONLY) } catch { throw advised(error) }
    }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .last(path) }
    return copy
  }

  /// All bytes; refuses more than `limit`.
  ///
  /// - Throws: `FileError`.
  package static func read(_ path: String, limit: Int = .max) throws(FileError) -> [UInt8] {
    let stream = descriptor(of: path)
    if let stream, let bytes = streams.withLock({ $0[stream] }) { return bytes }
    let file = try open(path)
    defer { _ = close(file) }
    let bytes = try PlainFile.read(file, path, limit: limit)
    if let stream { streams.withLock { $0[stream] = bytes } }
    return bytes
  }

  /// The first bytes of a plain file, at most `count`; nil for what is none.
  package static func start(of path: String, count: Int) -> [UInt8]? {
    guard descriptor(of: path) == nil, let file = try? PlainFile.open(path, O_RDONLY) else { return nil }
    defer { _ = close(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = unsafe bytes.withUnsafeMutableBytes { unsafe pread(file, $0.baseAddress, count, 0) }
    return Array(bytes.prefix(max(0, read)))
  }

  /// An error with advice about a pipe.
  private static func advised(_ error: FileError) -> FileError {
    guard error.reason.hasSuffix("found a named pipe") else { return error }
    return FileError(path: error.path, reason: error.reason + "; give its contents as /dev/stdin, or by <(command)")
  }
}
