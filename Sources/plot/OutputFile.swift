import FoundationEssentials
import Glibc
internal import PlotTracks

/// Opens the files that a command writes, and writes those that are written at once.
enum OutputFile {
  /// A descriptor for writing, which the caller closes; -1 with `errno` as open(2) gives it.
  ///
  /// Devices and pipes may be written to, but nothing is waited for: a named pipe must have a reader already. The
  /// names of descriptors that the process has, such as `/dev/stdout`, stand for these descriptors.
  static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0o666) -> Int32 {
    if let descriptor = InputFile.descriptor(of: path) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }
    var status = stat()
    let isSpecial = unsafe stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
    let wanted = isSpecial ? flags & ~(O_ACCMODE | O_CREAT) | O_WRONLY : flags
    let file = unsafe Glibc.open(path, wanted | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode)
    if file >= 0 { _ = fcntl(file, F_SETFL, flags & O_APPEND) }
    return file
  }

  /// The system's words about a file that cannot be `action`.
  static func reason(_ action: String, _ code: Int32) -> String {
    let isUnread = action == "opened" && code == ENXIO
    return unsafe "cannot be \(action): "
      + (isUnread ? "expected a file, or a pipe that is being read; found neither" : String(cString: strerror(code)))
  }

  /// Makes the file, or replaces what is in it.
  ///
  /// - Throws: `OutputFileError`.
  static func write(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC)
    guard descriptor >= 0, let file = unsafe fdopen(descriptor, "w") else {
      throw OutputFileError(path: path, action: "opened", code: errno)
    }
    var text = text
    errno = 0
    let isWritten = text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return true }
      return unsafe fwrite(base, 1, bytes.count, file) == bytes.count
    }
    var code = isWritten ? 0 : errno
    if unsafe fclose(file) != 0, code == 0 { code = errno }
    if code != 0 { throw OutputFileError(path: path, action: "written", code: code) }
  }
}

/// A file cannot be written.
struct OutputFileError: LocalizedError, CustomStringConvertible, Equatable {
  var path: String
  var action: String
  /// The `errno` of the call.
  var code: Int32
  var description: String { "\(path): \(OutputFile.reason(action, code))" }
  var errorDescription: String? { description }
}
