/// A text with placeholders: `{{field}}` stands for a field of the region (seed 001, glossary: custom region fields).
public struct Template: Equatable, Sendable {
  enum Part: Equatable, Sendable {
    case text(String)
    case field(String)
  }

  /// The text as it was written.
  public let source: String
  /// None when it is all plain text.
  let parts: [Part]

  public static let empty = Template(plain: "")

  private init(plain source: String) {
    self.source = source
    parts = []
  }

  /// Nil when a `{{` has no `}}`, or nothing stands between them.
  public init?(_ source: String) {
    self.source = source
    var parts: [Part] = []
    let bytes = source.utf8.span
    var start = 0
    while let open = Self.pair(0x7B, in: bytes, from: start) {
      if parts.isEmpty { parts.reserveCapacity(3) }
      guard let close = Self.pair(0x7D, in: bytes, from: open + 2) else { return nil }
      var (first, last) = (open + 2, close)
      while first < last, bytes[first] == 0x20 { first += 1 }
      while first < last, bytes[last - 1] == 0x20 { last -= 1 }
      guard first < last else { return nil }
      if open > start { parts.append(.text(Self.text(source, start, open))) }
      parts.append(.field(Self.text(source, first, last)))
      start = close + 2
    }
    if !parts.isEmpty, start < bytes.count { parts.append(.text(Self.text(source, start, bytes.count))) }
    self.parts = parts
  }

  /// A region lacks a field that the text asks for, or the text would become longer than `TextLimit` by it.
  public struct MissingField: Error, Equatable {
    public let name: String
  }

  /// The text for one region.
  public func filled(for region: Region, count: Int? = nil) throws(MissingField) -> String {
    if parts.isEmpty { return source }
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .field(let name):
        let counted = name == "count" ? count.map(String.init) : nil
        guard let value = counted ?? region.field(name), result.utf8.count + value.utf8.count <= TextLimit.bytes else {
          throw MissingField(name: name)
        }
        result += value
      }
    }
    return result
  }

  /// Where the first two equal ASCII characters side by side are. (The standard library's search would bring in its whole engine for patterns.)
  private static func pair(_ character: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] != character {
        index += 2
      } else if bytes[index - 1] == character {
        return index - 1
      } else {
        index += 1
      }
    }
    return nil
  }

  /// Between two places in the bytes that are no bytes of one character.
  private static func text(_ source: String, _ start: Int, _ end: Int) -> String {
    unsafe String(unsafeUninitializedCapacity: end - start) { text in
      let bytes = source.utf8.span
      for index in start..<end { unsafe text[index - start] = bytes[index] }
      return end - start
    }
  }
}
