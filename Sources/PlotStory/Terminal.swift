import FoundationEssentials
internal import Glibc
internal import PlotCore

/// The abilities of the terminal. Everything is off where the output is a file or a pipe.
package enum Terminal {
  package static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  package static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether the environment wants colours: `NO_COLOR` is not set (https://no-color.org) and the terminal is not dumb.
  package static func allowsStyle(_ environment: [String: String]) -> Bool {
    (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// Whether standard error shows a bar that is redrawn in its line.
  package static func allowsProgress(
    isTerminal: Bool = isErrorTerminal, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    isTerminal && environment["TERM"] != "dumb"
  }

  /// In the help of `plot`, the man pages and docs/tool.md.
  package static let help = """
    Environment:
      NO_COLOR        Not empty: no colours and no other emphasis.
      CLICOLOR_FORCE  Neither empty nor 0: colours also in files and pipes.
      TERM            dumb: no colours and no progress.
    """

  /// Text from a feed or a file as it stands in a table: line ends and tabs become spaces, and other control characters take
  /// one column.
  package static func clean(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }) else {
      return text
    }
    var cleaned = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09...0x0D: cleaned.append(" ")
      case 0..<0x20, 0x7F...0x9F: cleaned.append("\u{FFFD}")
      default: cleaned.append(scalar)
      }
    }
    return String(cleaned)
  }

  /// Text as it may go to a terminal: the emphasis of `Style` as ANSI sequences, and everything else that could steer the terminal
  /// written out (`String.visible`). Line ends stay with `keepsLines`.
  package static func visible(_ text: String, keepsLines: Bool) -> String {
    let parts = text.split(separator: Style.mark, omittingEmptySubsequences: false).map { String($0) }
    var shown = parts[0].visible(keepsLines: keepsLines)
    for part in parts.dropFirst() {
      let code = part.prefix { $0 != "m" }
      shown += "\u{1B}[\(code)m" + String(part.dropFirst(code.count + 1)).visible(keepsLines: keepsLines)
    }
    return shown
  }

  /// How many columns a text takes on a terminal: none for combining marks, two for East Asian wide characters and emoji.
  package static func width(_ text: String) -> Int {
    text.reduce(0) { sum, character in
      guard let scalar = character.unicodeScalars.first else { return sum }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format, .control: return sum
      default: break
      }
      let isWide =
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
          0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
          0x20000...0x3FFFD:
          true
        default: scalar.properties.isEmojiPresentation
        }
      return sum + (isWide ? 2 : 1)
    }
  }
}

/// Emphasis for standard output by ANSI sequences, or none. The sequences are made by `Terminal.visible`, which writes out those that came
/// with a document; until then each is a mark that no document can hold.
package struct Style: Equatable, Sendable {
  fileprivate static let mark = "\u{F8F0}" + String(UInt64.random(in: 0 ... .max), radix: 16) + "\u{F8F1}"

  package var isEnabled: Bool

  /// No emphasis at all.
  package static let plain = Style(isEnabled: false)
  package static let ansi = Style(isEnabled: true)

  /// Emphasis only when standard output is a terminal, or `CLICOLOR_FORCE` says so, and the environment allows it.
  package static func standardOutput(
    isTerminal: Bool = Terminal.isOutputTerminal, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Style {
    let isForced = !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "")
    return Style(isEnabled: (isTerminal || isForced) && Terminal.allowsStyle(environment))
  }

  package func bold(_ text: String) -> String { wrap(text, "1") }
  package func dim(_ text: String) -> String { wrap(text, "2") }
  package func red(_ text: String) -> String { wrap(text, "31") }
  package func green(_ text: String) -> String { wrap(text, "32") }
  package func yellow(_ text: String) -> String { wrap(text, "33") }
  package func blue(_ text: String) -> String { wrap(text, "34") }
  package func magenta(_ text: String) -> String { wrap(text, "35") }
  package func cyan(_ text: String) -> String { wrap(text, "36") }

  private func wrap(_ text: String, _ code: String) -> String {
    isEnabled && !text.isEmpty ? "\(Self.mark)\(code)m\(text)\(Self.mark)0m" : text
  }
}
