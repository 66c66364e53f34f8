/// A fault in a JSON text: where, what was expected, what was found.
public struct DocumentError: Error, Equatable, Sendable {
  /// The class of a fault.
  public enum Kind: Equatable, Sendable {
    /// A value, or a text that is no JSON, that cannot be used.
    case value
    case missingKey
    case unknownKey(String, known: [String])
    /// A text that is none of some words.
    case unknownWord(String, known: [String])
    /// Something that may be there once is there again.
    case duplicate
    /// A reference to a region that is not in the feed.
    case unknownRegion
    /// A campaign or a group without a region.
    case noRegions
    /// An end that does not come after its start.
    case endBeforeStart
  }

  public var kind: Kind
  /// Counted from 1; 0 when the fault has no place in a text.
  public var line: Int
  /// Counted from 1, in bytes.
  public var column: Int
  /// JSON pointer (RFC 6901) to the value, or to the object that lacks one; empty for the whole text.
  public var pointer: String
  public var expected: String
  public var found: String
  /// Which text it is in, where there are several; the message begins with it.
  public var document = ""

  public init(line: Int, column: Int, pointer: String, expected: String, found: String, kind: Kind = .value) {
    self.kind = kind
    self.line = line
    self.column = column
    self.pointer = pointer
    self.expected = expected
    self.found = found
  }

  /// Runs `body`, and says which document it has read when that has a fault.
  public static func naming<T>(_ document: String, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as DocumentError {
      if error.document.isEmpty { error.document = document }
      throw error
    }
  }

  /// Throws for a document that is longer than it may be.
  static func checkSize(of bytes: [UInt8], most limit: Int) throws(DocumentError) {
    try checkSize(bytes.count, most: limit)
  }

  /// The same, for a document of which only the length has been looked at.
  public static func checkSize(_ count: Int, most limit: Int) throws(DocumentError) {
    guard count <= limit else {
      throw DocumentError(line: 0, column: 0, pointer: "", expected: "at most \(limit) bytes", found: "\(count)")
    }
  }

  /// One sentence for people.
  public var message: String {
    var text = document.isEmpty ? "" : "\(document): "
    text += line > 0 ? "line \(line), column \(column): " : ""
    if !pointer.isEmpty { text += "\(pointer): " }
    text += "expected \(expected), found \(found)"
    return text + (nearest.map { "; did you mean \"\($0)\"?" } ?? "")
  }

  /// The key or the word that was most likely meant: one that is spelt almost so.
  public var nearest: String? {
    switch kind {
    case .unknownKey(let word, let known), .unknownWord(let word, let known): Spelling.nearest(to: word, of: known)
    default: nil
    }
  }
}

extension [UInt8] {
  /// UTF-8's mark at the start of a text, which is none of it.
  var hasByteOrderMark: Bool { starts(with: [0xEF, 0xBB, 0xBF]) }
  var withoutByteOrderMark: [UInt8] { hasByteOrderMark ? Array(dropFirst(3)) : self }
}
