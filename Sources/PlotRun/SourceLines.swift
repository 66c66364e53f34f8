internal import CRunLibraries
internal import Glibc
internal import PlotEngineKit

/// Lines of JSON from standard input, or from a named pipe.
final class SourceLines {
  private static let longestLine = 1 << 20

  let path: String
  private let journal: Journal
  private let take: (InputLine) throws(PlotError) -> Void
  private let onEnd: () -> Void
  private let descriptor: Int32
  private var source: LoopSource?
  private var lines = LineSplitter(limit: longestLine)
  private var number = 0
  private(set) var taken = 0
  private(set) var faults = 0
  private(set) var isOver = false
  /// No more lines are read until this is false.
  var isPaused = false {
    didSet { if isPaused != oldValue { source?.setEvents(isPaused ? 0 : EPOLLIN.rawValue) } }
  }

  /// `-` is standard input. `onEnd` is called when there is no more; a named pipe has no end.
  init(
    _ path: String, _ loop: EventLoop, _ journal: Journal, take: @escaping (InputLine) throws(PlotError) -> Void,
    onEnd: @escaping () -> Void
  ) throws(SystemFault) {
    self.path = path
    self.journal = journal
    self.take = take
    self.onEnd = onEnd
    if path == "-" {
      descriptor = STDIN_FILENO
    } else {
      // Also for writing: so it has no end when the last writer goes.
      descriptor = unsafe Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemFault(path) }
      var state = stat()
      guard unsafe fstat(descriptor, &state) == 0, state.st_mode & S_IFMT == S_IFIFO else {
        close(descriptor)
        throw SystemFault("\(path): expected a named pipe (mkfifo), or - for standard input", code: 0)
      }
    }
    do throws(SystemFault) {
      let read: (UInt32) -> Void = { [weak self] _ in self?.read() }
      source =
        path == "-"
        ? try loop.watch(descriptor, EPOLLIN.rawValue, read)
        : try loop.watch(owning: descriptor, EPOLLIN.rawValue, read)
    } catch {
      if path != "-" { close(descriptor) }
      // A plain file cannot be waited for.
      guard path == "-", error.code == EPERM else { throw error }
      let timer = try loop.timer { [weak self] in self?.readFile() }
      self.timer = timer
      timer.set(after: 0)
    }
  }

  private var timer: LoopTimer?

  private func readFile() {
    if !isPaused { read() }
    if !isOver { timer?.set(after: isPaused ? 20 : 0) }
  }

  private func read() {
    switch Reading.of(descriptor) {
    case .bytes(let bytes): readLines(in: bytes)
    case .nothing: return
    case .end, .failed:
      isOver = true
      source?.cancel()
      if let last = lines.finish() { read(last) }
      onEnd()
    }
  }

  private func readLines(in bytes: ArraySlice<UInt8>) {
    let overlong = lines.overlong
    for line in lines.add(bytes) { read(line) }
    if lines.overlong > overlong {
      faults += lines.overlong - overlong
      journal.warning(
        "input: expected lines of at most \(Self.longestLine) bytes, found a longer one; it is passed over")
    }
  }

  private func read(_ line: [UInt8]) {
    number += 1
    do throws(PlotError) {
      try take(InputLine(parsing: line))
      taken += 1
    } catch {
      faults += 1
      journal.warning("input, line \(number): \(error.message)")
    }
  }
}
