public import PlotCore

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension FileFacts {
  /// The system's facts about a plain file; nil when it is none, or cannot be opened for reading.
  public static func of(_ path: String) -> FileFacts? {
    guard let file = try? PlainFile.open(path, O_RDONLY) else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { return nil }
    return FileFacts(size: Int64(status.st_size))
  }
}
