internal import PlotCore
internal import PlotEngineKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Times as text, as the engine reads and writes them.
enum Moment {
  /// Nil for a text that is no time.
  static func parse(_ text: String) -> Date? { Timestamp.parse(text).map(Date.init(milliseconds:)) }

  static func text(_ date: Date) -> String { Timestamp.text(date.milliseconds) }
}
