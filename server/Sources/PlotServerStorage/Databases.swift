public enum Databases {
  /// Opens PostgreSQL where there is a URL, and else a file of SQLite. Throws `StorageError`.
  public static func open(url: String?, path: String) throws -> any SQLDatabase {
    guard let url else { return try SQLiteDatabase(path: path) }
    guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") else {
      throw StorageError.failed("DATABASE_URL: expected postgresql://…, found something else")
    }
    return try PostgresDatabase(url: url)
  }
}
