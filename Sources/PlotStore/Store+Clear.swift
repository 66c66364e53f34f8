public import PlotCore

/// Cleared data is in none of the files' bytes either (docs/privacy.md).
extension Store {
  /// Writes a transaction after which nothing is left of what it clears, in the file and beside it. When it throws and `isCleared` is false,
  /// nothing has changed; when it is true, the tables are empty, and bytes may be left: to clear once more takes them away.
  public func clear(
    _ changes: [Change], of state: State, delivered: Int64, sync: String? = nil, isCleared: inout Bool
  ) throws(StoreError) {
    begin(changes, of: state, outbox: [], delivered: delivered)
    if let sync { write(.sync, .text(sync)) }
    _ = line.end(after: last)
    try foldForCertain(adding: line)
    isCleared = true
    line = LogLine()
    try log?.erase()
    try pageFile?.erase()
    try feedCopy?.erase()
    if log != nil { StoreNames(resolved: database.resolvedPath).removeAside() }
    // With `secure_delete` what was deleted is zeros, but a page in use may still have a copy of a row that has moved.
    try database.run("VACUUM")
    var isBusy = true
    try database.run("PRAGMA wal_checkpoint(TRUNCATE)") { isBusy = $0[0].integer != 0 }
    guard !isBusy else { throw StoreError(kind: .failed, message: "the store's -wal is in use") }
  }
}
