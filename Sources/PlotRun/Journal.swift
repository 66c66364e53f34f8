public import PlotEngineKit

/// Where the host reports what happens: lines of a log, and, without a desktop, notifications.
public struct Journal {
  var write: (LogEntry.Level, String) -> Void
  /// A line for the person at the terminal.
  var show: (String) -> Void

  public init(write: @escaping (LogEntry.Level, String) -> Void, show: @escaping (String) -> Void) {
    self.write = write
    self.show = show
  }

  func error(_ text: String) { write(.error, text) }
  func warning(_ text: String) { write(.warning, text) }
  func info(_ text: String) { write(.info, text) }
  func debug(_ text: String) { write(.debug, text) }
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
