import Foundation
import Glibc

/// A file that is written at once.
enum OutputFile {
  /// Makes the file, or replaces what is in it.
  ///
  /// - Throws: `OutputFileError`.
  static func write(_ text: String, to path: String) throws {
    guard let file = unsafe fopen(path, "we") else {
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
  var description: String { unsafe "\(path): cannot be \(action): \(String(cString: strerror(code)))" }
  var errorDescription: String? { description }
}
