internal import PlotCore
internal import PlotDocuments
internal import PlotFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// The store's feed once more, compiled, in a file beside it: a process that is started for one fix need not read the JSON
/// (docs/store.md, The compiled feed).
///
/// The tables are what counts. Where the file is missing, damaged, of another feed or of another release, their JSON is read, and the file
/// is written anew. Nobody waits for it to reach the disk, and nobody is told where it cannot be written.
struct FeedCopy {
  let path: String

  /// The feed, if the file has the one of this digest.
  func feed(digest: String) -> Feed? {
    // Read, not mapped: a file that somebody cuts off would end the process.
    guard let bytes = try? TextFile.read(path, limit: .max), let feed = try? Feed.map(compiledHere: bytes),
      feed.digest == digest
    else { return nil }
    return feed
  }

  /// Puts this feed in the place of another one.
  func save(_ feed: Feed) {
    remove()
    let file = PlainFile.aboveStandard(
      SystemCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
    guard file >= 0 else { return }
    defer { SystemCalls.close(file) }
    let bytes = feed.compiled()
    if PlainFile.write(bytes[...], to: file, at: 0) != bytes.count { remove() }
  }

  func erase() throws(StoreError) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw .system(path, errno) }
  }

  private func remove() { unsafe unlink(path) }
}
