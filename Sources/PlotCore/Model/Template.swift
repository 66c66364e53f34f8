/// A text with placeholders: `{{field}}` stands for a field of the region, or for something that the engine knows (`Filling`).
public struct Template: Equatable, Sendable {
  private enum Part: Equatable, Sendable {
    case text(String)
    /// `{{field}}`, or `{{field|instead}}`.
    case field(String, instead: String?)
    /// `{{field, plural, one {# visit} other {# visits}}}`.
    case plural(String, [PluralForm])
  }

  private struct PluralForm: Equatable, Sendable {
    var selector: PluralSelector
    /// The pieces between the signs `#`.
    var pieces: [String]
  }

  /// The text as it was written.
  public let source: String
  /// None when it is all plain text.
  private let parts: [Part]

  public static let empty = Template(plain: "")

  private init(plain source: String) {
    self.source = source
    parts = []
  }

  /// Nil when a `{{` has no `}}`, nothing stands between them, or a plural has no form `other`, or one that does not exist.
  public init?(_ source: String) {
    self.source = source
    var parts: [Part] = []
    let bytes = source.utf8.span
    var start = 0
    while let open = Self.pair(0x7B, in: bytes, from: start) {
      if parts.isEmpty { parts.reserveCapacity(3) }
      if open > start { parts.append(.text(Self.text(source, start, open))) }
      if let (part, end) = Self.plural(source, open + 2) {
        guard let part else { return nil }
        parts.append(part)
        start = end
        continue
      }
      guard let close = Self.pair(0x7D, in: bytes, from: open + 2) else { return nil }
      var instead: String?
      var end = open + 2
      while end < close, bytes[end] != UInt8(ascii: "|") { end += 1 }
      if end < close { instead = Self.text(source, end + 1, close) }
      guard let name = Self.trimmed(source, open + 2, end) else { return nil }
      parts.append(.field(name, instead: instead))
      start = close + 2
    }
    if !parts.isEmpty, start < bytes.count { parts.append(.text(Self.text(source, start, bytes.count))) }
    self.parts = parts
  }

  /// Whether a text that is none means to have a plural.
  public static func hasPlural(_ text: String) -> Bool {
    text.split { " {},".contains($0) }.contains("plural")
  }

  /// Whether it is the same for everybody.
  public var isPlain: Bool { parts.isEmpty }

  // MARK: Plurals

  /// The plural that begins behind `{{`, and where what follows it begins. Nil for another placeholder; a part of nil for a wrong one.
  private static func plural(_ source: String, _ start: Int) -> (part: Part?, end: Int)? {
    let bytes = source.utf8.span
    var comma = start
    while comma < bytes.count, bytes[comma] != UInt8(ascii: ","), bytes[comma] != UInt8(ascii: "}") { comma += 1 }
    guard comma < bytes.count, bytes[comma] == UInt8(ascii: ",") else { return nil }
    var second = comma + 1
    while second < bytes.count, bytes[second] != UInt8(ascii: ","), bytes[second] != UInt8(ascii: "}") { second += 1 }
    guard second < bytes.count, bytes[second] == UInt8(ascii: ","), trimmed(source, comma + 1, second) == "plural"
    else { return nil }
    guard let name = trimmed(source, start, comma) else { return (nil, start) }
    var forms: [PluralForm] = []
    var index = second + 1
    while true {
      while index < bytes.count, bytes[index] == 0x20 { index += 1 }
      if index + 1 < bytes.count, bytes[index] == 0x7D, bytes[index + 1] == 0x7D { break }
      var open = index
      while open < bytes.count, bytes[open] != 0x7B, bytes[open] != 0x7D { open += 1 }
      var close = open + 1
      while close < bytes.count, bytes[close] != 0x7D { close += 1 }
      guard close < bytes.count, bytes[open] == 0x7B, let word = trimmed(source, index, open),
        let selector = PluralSelector(word), !forms.contains(where: { $0.selector == selector })
      else { return (nil, start) }
      forms.append(PluralForm(selector: selector, pieces: pieces(source, open + 1, close)))
      index = close + 1
    }
    guard forms.contains(where: { $0.selector == .category(.other) }) else { return (nil, start) }
    return (.plural(name, forms), index + 2)
  }

  private static func pieces(_ source: String, _ start: Int, _ end: Int) -> [String] {
    let bytes = source.utf8.span
    var pieces: [String] = []
    var begin = start
    for index in start..<end where bytes[index] == UInt8(ascii: "#") {
      pieces.append(text(source, begin, index))
      begin = index + 1
    }
    return pieces + [text(source, begin, end)]
  }

  // MARK: Filling

  /// A region lacks a field that the text asks for, or the text would become longer than `TextLimit` by it.
  public struct MissingField: Error, Equatable {
    public let name: String
  }

  /// The text for one region, of which nothing else is known.
  public func filled(for region: Region, count: Int? = nil) throws(MissingField) -> String {
    isPlain ? source : try filled(Filling(region: region, count: count))
  }

  func filled(_ filling: Filling) throws(MissingField) -> String {
    try expanded(filling.language) { (name, instead) throws(MissingField) in
      guard let value = filling.value(name) ?? instead else { throw MissingField(name: name) }
      return value
    } tooLong: { (name) throws(MissingField) in
      throw MissingField(name: name)
    }
  }

  /// The text with `value` in the place of each field; a value that would make it longer than `TextLimit` is left out.
  func filled(_ value: (String) -> String) -> String {
    expanded(Languages.standard) { (name, instead) in
      let known = value(name)
      return known.isEmpty ? instead ?? "" : known
    } tooLong: { _ in
    }
  }

  /// The text with `value` in the place of each field. `value` gets the field's name, and what stands in where there is none. A plural of a text that is
  /// no whole number has the form `other`. What the text has no room for is left out, unless `tooLong` throws.
  private func expanded<Failure>(
    _ language: String, _ value: (_ name: String, _ instead: String?) throws(Failure) -> String,
    tooLong: (_ name: String) throws(Failure) -> Void
  ) throws(Failure) -> String {
    if parts.isEmpty { return source }
    var result = ""
    for part in parts {
      let (name, text): (String, String)
      switch part {
      case .text(let text):
        result += text
        continue
      case .field(let field, let instead): (name, text) = (field, try value(field, instead))
      case .plural(let field, let forms):
        let number = try value(field, nil)
        let selectors = PluralSelector.matching(number, in: language)
        let form = selectors.lazy.compactMap { selector in forms.first { $0.selector == selector } }.first
        (name, text) = (field, form.map { $0.pieces.joined(separator: number) } ?? "")
      }
      if text.utf8.count <= TextLimit.bytes - result.utf8.count { result += text } else { try tooLong(name) }
    }
    return result
  }

  /// The names of its fields, in their order.
  public var fields: [String] {
    parts.compactMap {
      switch $0 {
      case .text: nil
      case .field(let name, _), .plural(let name, _): name
      }
    }
  }

  /// Those for which nothing stands in.
  public var neededFields: [String] {
    parts.compactMap {
      switch $0 {
      case .text, .field(_, instead: .some): nil
      case .field(let name, instead: nil), .plural(let name, _): name
      }
    }
  }

  // MARK: Characters

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

  /// Without spaces at its ends; nil for nothing.
  private static func trimmed(_ source: String, _ start: Int, _ end: Int) -> String? {
    let bytes = source.utf8.span
    var (first, last) = (start, end)
    while first < last, bytes[first] == 0x20 { first += 1 }
    while first < last, bytes[last - 1] == 0x20 { last -= 1 }
    return first < last ? text(source, first, last) : nil
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
