internal import Glibc

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder of recordings, of which the newest are kept.
final class RecordingFolder {
  private let folder: String
  private let name: String
  private let size: Int
  private let keep: Int
  private var current: String?
  /// The size of the current one at its start, when it holds the state of the store.
  private var base = 0

  init(_ folder: String, _ options: RunOptions) throws(SystemFault) {
    self.folder = folder
    name = options.name
    size = options.recordSize
    keep = options.recordKeep
    guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw SystemFault(folder) }
    guard unsafe access(folder, W_OK | X_OK) == 0 else { throw SystemFault(folder) }
  }

  /// The path of the next recording. The oldest ones beyond those that are kept are deleted.
  func next(at date: Date) -> String {
    let old = recordings
    for path in old.prefix(max(0, old.count - keep + 1)) { _ = unsafe unlink(path) }
    let stamp = date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    var path = "\(folder)/\(name)-\(stamp).jsonl"
    var number = 1
    while unsafe access(path, F_OK) == 0 {
      number += 1
      path = "\(folder)/\(name)-\(stamp)-\(number).jsonl"
    }
    current = path
    return path
  }

  /// Those of this instance, oldest first.
  private var recordings: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let own = names.filter { $0.hasPrefix(name + "-2") && $0.hasSuffix(".jsonl") }
    func age(_ path: String) -> (Int, Int) {
      var state = stat()
      guard unsafe stat(path, &state) == 0 else { return (0, 0) }
      return (state.st_mtim.tv_sec, state.st_mtim.tv_nsec)
    }
    return own.map { "\(folder)/\($0)" }.sorted { age($0) < age($1) }
  }

  /// The current one has what the engine's start has given.
  func hasBegun() { base = currentSize }

  /// Whether another recording is to begin.
  var isFull: Bool { current != nil && currentSize - base >= size }

  private var currentSize: Int {
    guard let current else { return 0 }
    var state = stat()
    return unsafe stat(current, &state) == 0 ? Int(state.st_size) : 0
  }
}
