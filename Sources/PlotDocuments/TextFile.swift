internal import Glibc

/// A file could not be read or written.
public struct FileError: Error, Equatable, Sendable {
  public var path: String
  /// What the operating system says.
  public var reason: String

  public var message: String { "\(path): \(reason)" }

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  public static func last(_ path: String) -> FileError {
    FileError(path: path, reason: unsafe String(cString: strerror(errno)))
  }
}

/// Whole files, read and written without Foundation.
public enum TextFile {
  /// All bytes of a file; refuses one above `limit` bytes.
  public static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    guard let file = unsafe fopen(path, "rbe") else { throw .last(path) }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    let chunk = 1 << 16
    while true {
      let old = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: chunk))
      let count = unsafe bytes.withUnsafeMutableBytes { unsafe fread($0.baseAddress! + old, 1, chunk, file) }
      bytes.removeLast(chunk - count)
      if unsafe ferror(file) != 0 { throw .last(path) }
      if bytes.count > limit { throw FileError(path: path, reason: "larger than \(limit) bytes") }
      if count < chunk { return bytes }
    }
  }

  /// Writes lines, each with a newline, in place of what the file held.
  public static func write(_ lines: some Sequence<String>, to path: String) throws(FileError) {
    try put(lines, to: path, O_TRUNC)
  }

  /// Writes lines behind what the file holds; makes it where it is missing.
  public static func append(_ lines: some Sequence<String>, to path: String) throws(FileError) {
    try put(lines, to: path, O_APPEND)
  }

  /// A new file is readable by its owner alone: lines say where somebody was.
  private static func put(_ lines: some Sequence<String>, to path: String, _ mode: Int32) throws(FileError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | mode, 0o600)
    guard descriptor >= 0 else { throw .last(path) }
    guard let file = unsafe fdopen(descriptor, mode == O_APPEND ? "a" : "w") else {
      let error = FileError.last(path)
      close(descriptor)
      throw error
    }
    var isGood = true
    for line in lines {
      isGood = unsafe isGood && fputs(line, file) >= 0 && fputc(0x0A, file) >= 0
    }
    let error: FileError? = isGood ? nil : .last(path)
    let closed = unsafe fclose(file)
    if let error { throw error }
    if closed != 0 { throw .last(path) }
  }
}
