/// A text with placeholders: `{{field}}` stands for a field of the region.
public struct Template: Equatable, Sendable {
  private enum Part: Equatable, Sendable {
    case text(String)
    case field(String)
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
    try expanded { (name, room) throws(MissingField) in
      let counted = name == "count" ? count.map(String.init) : nil
      guard let value = counted ?? region.field(name), value.utf8.count <= room else { throw MissingField(name: name) }
      return value
    }
  }

  /// The text with `value` in the place of each field; a value that would make it longer than `TextLimit` is left out.
  func filled(_ value: (String) -> String) -> String {
    expanded { (name, room) in
      let value = value(name)
      return value.utf8.count <= room ? value : ""
    }
  }

  /// The text with `value` in the place of each field. `value` gets the field's name, and how many bytes the text may still grow by.
  private func expanded<Failure>(
    _ value: (_ name: String, _ room: Int) throws(Failure) -> String
  ) throws(Failure) -> String {
    if parts.isEmpty { return source }
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .field(let name): result += try value(name, TextLimit.bytes - result.utf8.count)
      }
    }
    return result
  }

  /// The names of its fields, in their order.
  public var fields: [String] {
    parts.compactMap { if case .field(let name) = $0 { name } else { nil } }
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
