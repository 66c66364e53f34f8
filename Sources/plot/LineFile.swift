internal import CZlib
import FoundationEssentials
import Glibc
internal import PlotDocuments
internal import PlotFiles
internal import PlotTracks

/// Reads a text file line by line, also one that gzip has packed; `-` is standard input.
@safe final class LineReader {
  private let path: String
  private let file: gzFile
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false
  /// How far the file was read; nothing of a stream, whose end nobody knows.
  private var bar: ProgressBar

  /// Not `quiet`: shows on a terminal how far it was read.
  init(path: String, quiet: Bool = true) throws {
    self.path = path
    let descriptor: Int32
    do throws(FileError) {
      descriptor = try InputFile.open(path == "-" ? "/dev/stdin" : path)
    } catch {
      throw JSONLinesError(path: path, reason: "cannot be read: \(error.reason)")
    }
    var status = stat()
    let isFile = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    bar = ProgressBar(total: isFile ? Int(status.st_size) : 0, unit: ProgressBar.bytes, quiet: quiet)
    errno = 0
    guard let file = unsafe gzdopen(descriptor, "rb") else {
      let code = errno
      _ = Glibc.close(descriptor)
      throw JSONLinesError(path: path, action: "read", code: code)
    }
    unsafe self.file = unsafe file
  }

  deinit { unsafe gzclose(file) }

  /// The next line without its line end; nil at the end. A last line without one counts.
  func next() throws -> [UInt8]? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return Array(buffer[start..<end])
      }
      if isAtEnd {
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return Array(buffer[start...])
      }
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      try fill()
    }
  }

  private func fill() throws {
    let chunk = 1 << 16
    let old = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: chunk))
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe gzread(file, bytes.baseAddress.map { unsafe $0 + old }, UInt32(chunk))
    }
    guard count >= 0 else {
      buffer.removeLast(chunk)
      throw JSONLinesError(path: path, reason: "cannot be read: it is packed by gzip, and damaged")
    }
    buffer.removeLast(chunk - Int(count))
    // A packed file that ends too soon is an error only when it is asked for.
    var code: Int32 = 0
    _ = unsafe gzerror(file, &code)
    if code == Z_BUF_ERROR { throw JSONLinesError(path: path, reason: "ends too soon: it is packed by gzip") }
    isAtEnd = count == 0
    if isAtEnd { bar.finish() } else { bar.update(Int(unsafe gzoffset(file))) }
  }
}

/// Writes lines to a file in place of what it held, packed by gzip when its name ends in `.gz`; `-` is standard output.
final class LineWriter {
  private let path: String
  private let plain: JSONLinesFile?
  @safe private final class Packed {
    let file: gzFile
    init(_ file: gzFile) { unsafe self.file = unsafe file }
  }
  private var packed: Packed?

  init(path: String) throws {
    self.path = path
    if path.hasSuffix(".gz") {
      // No name and no time in the header: the same lines give the same bytes.
      let descriptor = OutputFile.open(path, O_WRONLY | O_CREAT | O_TRUNC)
      guard descriptor >= 0, let file = unsafe gzdopen(descriptor, "wb9") else {
        throw JSONLinesError(path: path, action: "opened", code: errno)
      }
      packed = unsafe Packed(file)
      plain = nil
    } else {
      plain = path == "-" ? nil : try JSONLinesFile(path: path, append: false)
    }
  }

  func write(_ line: String) throws {
    if let plain { return try plain.write(line) }
    guard let packed else { return try Output.line(line) }
    var text = line + "\n"
    let count = text.withUTF8 { bytes in unsafe gzwrite(packed.file, bytes.baseAddress, UInt32(bytes.count)) }
    guard count == text.utf8.count else { throw JSONLinesError(path: path, action: "written", code: errno) }
  }

  func close() throws {
    try plain?.close()
    guard let packed else { return }
    self.packed = nil
    guard unsafe gzclose(packed.file) == Z_OK else {
      throw JSONLinesError(path: path, action: "closed", code: errno == 0 ? EIO : errno)
    }
  }
}
