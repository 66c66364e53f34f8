import FoundationEssentials
import Glibc
internal import PlotDocuments
internal import PlotFiles

/// A fault with a file of JSON lines.
struct JSONLinesError: LocalizedError, CustomStringConvertible, Equatable {
  var path: String
  /// The fault, without the path.
  var reason: String
  /// Whether it cannot be written, rather than read.
  var isOfOutput = false
  var description: String { "\(path): \(reason)" }
  var errorDescription: String? { description }

  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// A fault of the system during `action`: `cannot be written: No space left on device`.
  init(path: String, action: String, code: Int32) {
    self.init(path: path, reason: OutputFile.reason(action, code))
    isOfOutput = action != "read"
  }
}

/// A file of one JSON text a line. Each line goes to the system whole, in one write, so that a process that is killed at
/// any instant leaves whole lines; should the system still leave a torn last line (a power cut), it is cut off when the file
/// is next opened for appending. One writer at a time.
final class JSONLinesFile {
  let path: String
  private var descriptor: Int32
  /// Whether it can be cut back: a pipe or a terminal cannot.
  private let isRegular: Bool

  /// Opens or creates the file.
  ///
  /// - Parameters:
  ///   - append: true keeps the whole lines that are there; false empties the file.
  ///   - mode: Who may open a file that is made.
  /// - Throws: `JSONLinesError`.
  init(path: String, append: Bool, mode: mode_t = 0o666) throws {
    self.path = path
    descriptor = OutputFile.open(path, O_RDWR | O_CREAT | O_APPEND | (append ? 0 : O_TRUNC), mode)
    guard descriptor >= 0 else { throw JSONLinesError(path: path, action: "opened", code: errno) }
    var status = stat()
    isRegular = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard append, isRegular else { return }
    do {
      let end = try JSONLinesFile.endOfLastLine(descriptor, size: status.st_size, path: path)
      if end < status.st_size, ftruncate(descriptor, end) != 0 {
        throw JSONLinesError(path: path, action: "repaired", code: errno)
      }
    } catch {
      _ = Glibc.close(descriptor)
      descriptor = -1
      throw error
    }
  }

  deinit {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
  }

  /// Writes one line; the line end is added. A line that could not be written whole is taken back.
  ///
  /// - Throws: `JSONLinesError`, also when the line holds a line end.
  func write(_ line: String) throws {
    guard descriptor >= 0 else { throw JSONLinesError(path: path, reason: "is closed") }
    var bytes = Array(line.utf8)
    guard !bytes.contains(0x0A) else { throw JSONLinesError(path: path, reason: "a line must not hold a line end") }
    bytes.append(0x0A)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      }
      if count > 0 {
        written += count
        continue
      }
      let code = count < 0 ? errno : ENOSPC
      if code == EINTR { continue }
      takeBack(written)
      throw JSONLinesError(path: path, action: "written", code: code)
    }
  }

  /// Closes the file. Closing again does nothing.
  ///
  /// - Throws: `JSONLinesError` when the system reports a late fault of a write.
  func close() throws {
    guard descriptor >= 0 else { return }
    let result = Glibc.close(descriptor)
    let code = errno
    descriptor = -1
    if result != 0, code != EINTR { throw JSONLinesError(path: path, action: "closed", code: code) }
  }

  /// The last whole line without its line end, read from the end of the file; nil when there is no such line or no file. A
  /// torn line after it does not count.
  ///
  /// - Throws: `JSONLinesError`, also when the line is not UTF-8.
  static func lastLine(path: String) throws -> String? {
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try PlainFile.open(path, O_RDONLY)
    } catch {
      if error.code == ENOENT { return nil }
      throw JSONLinesError(path: path, reason: "cannot be opened: \(error.reason)")
    }
    defer { _ = Glibc.close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw JSONLinesError(path: path, action: "read", code: errno)
    }
    let end = try endOfLastLine(descriptor, size: status.st_size, path: path)
    guard end > 0 else { return nil }
    let start = try endOfLastLine(descriptor, size: end - 1, path: path)
    let bytes = try read(descriptor, at: start, count: end - 1 - start, path: path)
    guard let line = String(validating: bytes, as: UTF8.self) else {
      throw JSONLinesError(path: path, reason: "its last line is not UTF-8")
    }
    return line
  }

  /// The sequence of the last event in a file of events; 0 when there is none.
  ///
  /// - Throws: `JSONLinesError`, or what is wrong with the line.
  static func lastSequence(path: String) throws -> Int64 {
    struct Event: Decodable {
      var sequence: Int64?
    }
    guard let line = try lastLine(path: path) else { return 0 }
    return try JSONDecoder().decode(Event.self, from: Data(line.utf8)).sequence ?? 0
  }

  /// Where the last line end within the first `size` bytes ends: the length of the whole lines; 0 without a line end.
  private static func endOfLastLine(_ descriptor: Int32, size: Int, path: String) throws -> Int {
    let block = 65_536
    var end = size
    while end > 0 {
      let start = max(0, end - block)
      let bytes = try read(descriptor, at: start, count: end - start, path: path)
      if let index = bytes.lastIndex(of: 0x0A) { return start + index + 1 }
      end = start
    }
    return 0
  }

  private static func read(_ descriptor: Int32, at offset: Int, count: Int, path: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled, offset + filled)
      }
      if result > 0 {
        filled += result
      } else if result == 0 {
        throw JSONLinesError(path: path, reason: "became shorter while it was read")
      } else if errno != EINTR {
        throw JSONLinesError(path: path, action: "read", code: errno)
      }
    }
    return bytes
  }

  /// Cuts off the first part of a line that could not be written whole.
  private func takeBack(_ written: Int) {
    guard written > 0, isRegular else { return }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_size >= written else { return }
    _ = ftruncate(descriptor, status.st_size - written)
  }
}
