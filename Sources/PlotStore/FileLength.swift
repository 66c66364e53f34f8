internal import Glibc

/// SQLite takes the rest of a last page that was cut off for zeros.
enum FileLength {
  /// The bytes of a file to which no journal belongs, for one may still bring the rest; nil when there is no such file.
  static func alone(_ path: String) -> Int64? {
    guard ["-wal", "-journal"].allSatisfy({ (of(path + $0) ?? 0) == 0 }) else { return nil }
    return of(path)
  }

  private static func of(_ path: String) -> Int64? {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 ? Int64(facts.st_size) : nil
  }
}
