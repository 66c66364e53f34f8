import FoundationEssentials

/// A fault in a track file: where it is, what was expected there and what was found.
package struct TrackError: LocalizedError, CustomStringConvertible, Equatable {
  /// Where in the file the fault is.
  package enum Place: Equatable, Sendable {
    /// The file as a whole.
    case file
    /// A place in text; line and column count from 1.
    case position(line: Int, column: Int)
    /// A line of text, from 1.
    case line(Int)
    /// A byte of a file that is no text, from 0.
    case byte(Int)
    /// A JSON pointer (RFC 6901); the empty one is the whole document.
    case pointer(String)
  }

  /// The file's path as the person gave it; nil when the data came from elsewhere.
  package var file: String?
  package var place: Place
  package var expected: String
  package var found: String
  /// The times of the file are wrong, or it has none: another start and a pace help (`TrackPace`).
  package var isAboutTimes = false

  package init(file: String? = nil, at place: Place, expected: String, found: String) {
    self.file = file
    self.place = place
    self.expected = expected
    self.found = found
  }

  /// `track.csv:3:7: expected a latitude from -90 to 90, found "north"`
  package var description: String { "\(Self.prefix(file, place))expected \(expected), found \(found)" }

  /// `track.csv:3:7: `
  package static func prefix(_ file: String?, _ place: Place) -> String {
    switch (file, place) {
    case (let file?, .file): "\(file): "
    case (nil, .file): ""
    case (let file?, .position(let line, let column)): "\(file):\(line):\(column): "
    case (nil, .position(let line, let column)): "line \(line), column \(column): "
    case (let file?, .line(let line)): "\(file):\(line): "
    case (nil, .line(let line)): "line \(line): "
    case (let file?, .byte(let byte)): "\(file): byte \(byte): "
    case (nil, .byte(let byte)): "byte \(byte): "
    case (let file?, .pointer("")): "\(file): the document: "
    case (nil, .pointer("")): "the document: "
    case (let file?, .pointer(let pointer)): "\(file): \(pointer): "
    case (nil, .pointer(let pointer)): "\(pointer): "
    }
  }

  package var errorDescription: String? { description }

  /// A piece of a file in quotes, cut to a legible length and without control characters.
  package static func quote(_ text: String) -> String {
    let limit = 40
    var quoted = "\""
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if index == limit {
        quoted += "…"
        break
      }
      let isControl = scalar.properties.generalCategory == .control
      quoted.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
    }
    return quoted + "\""
  }

  /// `nothing` for text that is empty or blank, otherwise the text in quotes.
  package static func quoteOrNothing(_ text: String) -> String {
    text.trimmingBlanks().isEmpty ? "nothing" : quote(text)
  }
}
