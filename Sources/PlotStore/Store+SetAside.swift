internal import PlotCore
internal import PlotDocuments
public import PlotFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A damaged store does not silence an app for ever: its files get other names, and a new store takes their place, with what can still be
/// read (docs/store.md, A store that is set aside).
extension Store {
  /// Which file a path leads to.
  public struct Identity: Sendable {
    fileprivate let file: HeldFiles.File?

    public init(path: String) { file = HeldFiles.File(path: path) }
  }

  /// Puts a new store in the place of a damaged one, whose file and what belongs to it are found under `-damaged` from then on. Killed at any
  /// instant, it is done again by the next start, or is done. Does nothing where the path leads to another file meanwhile.
  ///
  /// Throws for a file that shows no sign of a store, and where the new one cannot be written; the old one is as it was then.
  public static func setAside(
    _ path: String, _ damaged: Identity, seed: UInt64, zones: ZoneFiles = ZoneFiles()
  ) throws(StoreError) {
    let names = try StoreNames(path)
    let lock = try StoreLock(path: names.base)
    defer { lock.release() }
    guard HeldFiles.File(path: names.base) == damaged.file else { return }
    names.removeScratch()
    defer { names.removeScratch() }
    let size = try names.copyToRead()
    let old = try DamagedTables(names, size: size)
    let new = try Store(path: names.replacement, seed: seed)
    defer { new.close() }
    var salvage = Salvage(of: old, into: new, zones)
    try salvage.takeOver(names.source("-log"))
    old.close()
    new.close()
    try names.swap()
  }

  /// Which parts the store lacks something of; nil where it was not made in the place of a damaged one, or where that was told.
  func loadLoss() throws(StoreError) -> [StorePart]? {
    var parts: [StorePart]?
    try database.run("SELECT parts FROM loss") { row throws(StoreError) in
      parts = (row[0].text ?? "").split(separator: " ").compactMap { StorePart(rawValue: String($0)) }
    }
    return parts
  }
}

/// The files of a store, and those that are there while it is set aside.
struct StoreNames {
  /// Where the file is when all links are followed.
  let base: String
  private static let ends = ["", "-log", "-wal", "-journal", "-page", "-feed"]

  /// The name of the damaged store afterwards.
  var aside: String { base + "-damaged" }
  /// A copy that SQLite may write to.
  var copy: String { base + "-salvage" }
  var replacement: String { base + "-replacement" }

  init(_ path: String) throws(StoreError) {
    guard let real = unsafe realpath(path, nil) else { throw .system(path, errno) }
    base = unsafe String(cString: real)
    unsafe free(real)
  }

  /// Of a path whose links are followed.
  init(resolved path: String) { base = path }

  private func isThere(_ name: String) -> Bool { HeldFiles.File(path: name) != nil }

  /// A damaged file: one that has got its new name already, by a start that was ended, or the one in its place.
  func source(_ end: String) -> String {
    let isBegun = HeldFiles.File(path: aside) == HeldFiles.File(path: base)
    return isBegun && isThere(aside + end) ? aside + end : base + end
  }

  func removeScratch() {
    for name in [copy, replacement] { remove(name, Self.ends + ["-shm"]) }
  }

  /// The files of a store that was set aside are about the person, too.
  func removeAside() {
    remove(aside, Self.ends)
    removeScratch()
  }

  private func remove(_ name: String, _ ends: [String]) {
    for end in ends { unsafe unlink(name + end) }
  }

  /// Gives how many bytes there are.
  func copyToRead() throws(StoreError) -> Int {
    var size = 0
    for end in ["", "-wal", "-journal"] {
      do throws(FileError) {
        let name = source(end)
        if isThere(name) { size += try Self.copy(name, to: copy + end) }
      } catch {
        throw StoreError(kind: .failed, message: "\(copy + end): \(error.reason)")
      }
    }
    return size
  }

  private static func copy(_ name: String, to copy: String) throws(FileError) -> Int {
    let bytes = try TextFile.read(name, limit: .max)
    let file = try PlainFile.open(copy, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(file) }
    guard PlainFile.write(bytes[...], to: file, at: 0) == bytes.count else { throw .last(copy) }
    return bytes.count
  }

  /// The damaged files get their new names, and the replacement its own. A hard link first, so that a store lies at the path at every
  /// instant; a file system without links has an instant in which there is none.
  func swap() throws(StoreError) {
    if HeldFiles.File(path: aside) != HeldFiles.File(path: base) { remove(aside, Self.ends) }
    for end in Self.ends where isThere(base + end) && !isThere(aside + end) {
      if unsafe link(base + end, aside + end) == 0 { continue }
      guard unsafe rename(base + end, aside + end) == 0 else { throw .system(base + end, errno) }
    }
    // Before the new file is there, which SQLite would take them for a part of.
    remove(base, Self.ends.filter { !$0.isEmpty })
    guard unsafe rename(replacement, base) == 0 else { throw .system(base, errno) }
    try LogFile.syncFolder(of: base)
  }
}
