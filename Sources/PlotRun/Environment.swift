internal import Glibc

/// Variables of the process's environment.
nonisolated enum Environment {
  /// Nil for one that is not set, or empty.
  static subscript(name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}
