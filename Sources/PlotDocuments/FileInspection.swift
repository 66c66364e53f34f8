internal import Glibc
public import PlotCore

extension FileFacts {
  /// What the system says of a plain file; nil when it is none, or cannot be opened for reading.
  public static func of(_ path: String) -> FileFacts? {
    // A pipe without a writer must not make it wait.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return FileFacts(size: Int64(status.st_size))
  }
}
