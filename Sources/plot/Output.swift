import FoundationEssentials
internal import Glibc
internal import PlotStory

/// Makes a write to a closed pipe an error (EPIPE) instead of the end of the process. Call it first of all.
func ignoreBrokenPipe() { _ = signal(SIGPIPE, SIG_IGN) }

/// Standard output could not be written.
struct OutputError: LocalizedError, CustomStringConvertible, Equatable {
  /// The `errno` of the write.
  var code: Int32
  var description: String { unsafe "standard output cannot be written: \(String(cString: strerror(code)))" }
  var errorDescription: String? { description }
}

/// Standard output, buffered as the C library does it (by line on a terminal). When the reader is gone, as after
/// `plot … | head`, the process ends quietly with status 0; `ignoreBrokenPipe` must have been called. Do not mix it with
/// `print`, which has a buffer of its own.
enum Output {
  /// Writes text as it is.
  ///
  /// - Throws: `OutputError` on any fault but a broken pipe.
  static func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { bytes in
      guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
      errno = 0
      let written = unsafe stream.map { unsafe fwrite(base, 1, bytes.count, $0) } ?? 0
      if written < bytes.count { try fail() }
    }
  }

  /// Writes text for people and a line end. What a document or a file name has in it cannot steer the terminal, or make
  /// a line of its own.
  ///
  /// - Throws: `OutputError` on any fault but a broken pipe.
  static func show(line: String) throws { try write(Terminal.visible(line, keepsLines: false) + "\n") }

  /// The same for a text of several lines, in which line ends are the command's own.
  ///
  /// - Throws: `OutputError` on any fault but a broken pipe.
  static func show(_ text: String) throws { try write(Terminal.visible(text, keepsLines: true)) }

  /// Writes a line for people to standard error; `keepsLines` for a text whose line ends are the command's own. What
  /// cannot be written is no reason to stop.
  static func warn(_ text: String, keepsLines: Bool = false) {
    draw(Terminal.visible(text, keepsLines: keepsLines) + "\n")
  }

  /// Writes to standard error as it is. What cannot be written is no reason to stop.
  static func draw(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress!, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Writes text for machines, such as JSON, and a line end.
  ///
  /// - Throws: `OutputError` on any fault but a broken pipe.
  static func line(_ text: String = "") throws { try write(text + "\n") }

  /// Hands everything to the system. Call it at the end of a command: a full disk shows only then.
  ///
  /// - Throws: `OutputError` on any fault but a broken pipe.
  static func flush() throws {
    errno = 0
    if let stream = unsafe stream, unsafe fflush(stream) != 0 { try fail() }
  }

  private static func fail() throws {
    let code = errno
    // _exit, not exit: what is still buffered has no reader, and must not be tried again.
    if code == EPIPE { _exit(0) }
    throw OutputError(code: code)
  }

  /// A stream of our own on standard output: the C library's `stdout` is a variable that Swift cannot know to be constant.
  nonisolated(unsafe) private static let stream: UnsafeMutablePointer<FILE>? = unsafe fdopen(STDOUT_FILENO, "w")
}
