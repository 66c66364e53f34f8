#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file could not be read or written.
public struct FileError: Error, Equatable, Sendable {
  public var path: String
  /// The fault: mostly in the words of the operating system.
  public var reason: String

  public var message: String { "\(path): \(reason)" }

  /// The `errno` of the call that failed; 0 when it was not one.
  public var code: Int32

  public init(path: String, reason: String, code: Int32 = 0) {
    self.path = path
    self.reason = reason
    self.code = code
  }

  /// A fault that the operating system reports.
  public init(path: String, code: Int32) {
    self.init(path: path, reason: unsafe String(cString: strerror(code)), code: code)
  }

  public static func last(_ path: String) -> FileError { FileError(path: path, code: errno) }
}

/// Whole files, read and written without Foundation.
public enum TextFile {
  /// All bytes of a file; refuses one above `limit` bytes.
  public static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = try PlainFile.open(path, O_RDONLY)
    defer { close(file) }
    return try PlainFile.read(file, path, limit: limit)
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
    let descriptor = try PlainFile.open(path, O_WRONLY | O_CREAT | mode)
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
