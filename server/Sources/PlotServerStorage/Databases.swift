public enum Databases {
  /// Opens PostgreSQL where there is a URL, and else a file of SQLite. Throws `StorageError`.
  public static func open(url: String?, path: String) throws -> any SQLDatabase {
    guard let url else { return try SQLiteDatabase(path: path) }
    throw StorageError.failed("PostgreSQL is not there yet: \(url.prefix(13))")
  }
}
