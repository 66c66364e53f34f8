public import PlotEngineKit

/// Where the host reports what happens: lines of a log, and, without a desktop, notifications.
public struct Journal {
  private let write: (LogEntry.Level, String) -> Void
  /// A line for the person at the terminal.
  let show: (String) -> Void

  public init(write: @escaping (LogEntry.Level, String) -> Void, show: @escaping (String) -> Void) {
    self.write = write
    self.show = show
  }

  /// No line is longer than so many characters, whatever it quotes.
  private static let longest = 400

  func log(_ level: LogEntry.Level, _ text: String) {
    write(level, text.count > Self.longest ? text.prefix(Self.longest) + "…" : text)
  }

  func error(_ text: String) { log(.error, text) }
  func warning(_ text: String) { log(.warning, text) }
  func info(_ text: String) { log(.info, text) }
  func debug(_ text: String) { log(.debug, text) }
}

/// Reports a condition once, until it is over: a source that is absent, a peer that sends nonsense.
struct Complaint {
  private var last: String?

  /// Whether this is new.
  mutating func isNew(_ text: String) -> Bool {
    defer { last = text }
    return last != text
  }

  mutating func end() { last = nil }
}
