import FoundationEssentials
internal import Glibc
internal import PlotStory
internal import PlotTracks

/// A bar on standard error that shows how far a long run has come, and after two seconds how long it will still take, as fast as it was. It draws
/// only on a terminal, and not at all when quiet. It is redrawn by the count of what is done, never by the clock.
struct ProgressBar {
  /// How many steps there are.
  let total: Int
  /// The name of the steps, as in the bar: `fixes`.
  let unit: String
  private let isVisible: Bool
  private let step: Int
  private var next = 0
  private let draw: (String) -> Void
  /// Milliseconds.
  private let now: () -> Int64
  private let start: Int64

  /// A bar for standard error.
  init(total: Int, unit: String, quiet: Bool) {
    self.init(total: total, unit: unit, isVisible: Terminal.allowsProgress() && !quiet) { Output.draw($0) }
  }

  /// A bar that hands what it draws to `draw`.
  init(
    total: Int, unit: String, isVisible: Bool, now: @escaping () -> Int64 = Self.clock, draw: @escaping (String) -> Void
  ) {
    self.total = max(0, total)
    self.unit = unit
    self.isVisible = isVisible && total > 0
    step = max(1, total / 200)
    self.draw = draw
    self.now = now
    start = now()
  }

  /// Shows that `done` steps are done. Cheap unless there is something new to see.
  mutating func update(_ done: Int) {
    guard isVisible, done >= next || done >= total else { return }
    next = done + step
    let part = min(1, max(0, Double(done) / Double(total)))
    let count = unit == Self.bytes ? "" : "  \(done) of \(total) \(unit)"
    draw("\r" + ProgressBar.bar(part) + " \(Int(saturating: part * 100))%\(count)\(left(part))\u{1B}[K")
  }

  /// The unit of a file that is read: its bytes are told as a share only.
  static let bytes = "bytes"

  private static func clock() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private func left(_ part: Double) -> String {
    let elapsed = now() - start
    guard elapsed >= 2_000, part > 0, part < 1 else { return "" }
    return ", \(Words.length(Int64(saturating: Double(elapsed) * (1 - part) / part))) left"
  }

  /// Clears the line.
  mutating func finish() {
    guard isVisible, next > 0 else { return }
    next = 0
    draw("\r\u{1B}[2K")
  }

  /// A bar of 24 columns, filled to an eighth of a column.
  static func bar(_ part: Double) -> String {
    let width = 24
    let eighths = Int(saturating: part * Double(width * 8))
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    let filled = String(repeating: "█", count: eighths / 8) + partial
    return filled + String(repeating: "·", count: max(0, width - eighths / 8 - (partial.isEmpty ? 0 : 1)))
  }
}
