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
    guard Self.hasPair(source) else {
      parts = []
      return
    }
    var parts: [Part] = []
    var rest = Substring(source)
    while let open = Self.pair("{", in: rest) {
      guard let close = Self.pair("}", in: rest[open.upperBound...]) else { return nil }
      let name = Self.trimmed(rest[open.upperBound..<close.lowerBound])
      guard !name.isEmpty else { return nil }
      if open.lowerBound > rest.startIndex { parts.append(.text(String(rest[..<open.lowerBound]))) }
      parts.append(.field(name))
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    self.parts = parts
  }

  /// A region lacks a field that the text asks for.
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
        guard let value = counted ?? region.field(name) else { throw MissingField(name: name) }
        result += value
      }
    }
    return result
  }

  /// Whether a `{{` may be in a text; most have none.
  private static func hasPair(_ text: String) -> Bool {
    let bytes = text.utf8.span
    var before: UInt8 = 0
    for index in bytes.indices {
      if bytes[index] == 0x7B, before == 0x7B { return true }
      before = bytes[index]
    }
    return false
  }

  /// The first two equal ASCII characters side by side. (The standard library's search would bring in its whole engine for patterns.)
  private static func pair(_ character: Unicode.Scalar, in text: Substring) -> Range<Substring.Index>? {
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let next = scalars.index(after: index)
      if scalars[index] == character, next < scalars.endIndex, scalars[next] == character {
        return index..<scalars.index(after: next)
      }
      index = next
    }
    return nil
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
