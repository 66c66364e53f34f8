/// A fault in a JSON text: where, what was expected, what was found.
public struct DocumentError: Error, Equatable, Sendable {
  /// Counted from 1; 0 when the fault has no place in a text.
  public var line: Int
  /// Counted from 1, in bytes.
  public var column: Int
  /// JSON pointer (RFC 6901) to the value, or to the object that lacks one; empty for the whole text.
  public var pointer: String
  public var expected: String
  public var found: String

  public init(line: Int, column: Int, pointer: String, expected: String, found: String) {
    self.line = line
    self.column = column
    self.pointer = pointer
    self.expected = expected
    self.found = found
  }

  /// One sentence for people.
  public var message: String {
    var text = line > 0 ? "line \(line), column \(column): " : ""
    if !pointer.isEmpty { text += "\(pointer): " }
    return text + "expected \(expected), found \(found)"
  }
}
