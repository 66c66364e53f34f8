/// Writes JSON: UTF-8, no white space, keys in the order they are given, numbers in their shortest form that reads back the same.
///
/// Jansson reads all JSON here. It is not used for writing, because one precision holds for its whole output (at 17 digits 0.1 becomes
/// 0.10000000000000001, at 15 a coordinate may change), and records are promised to be the same bytes everywhere.
struct JSONText {
  private var bytes: [UInt8] = []
  private var needsComma = false

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Writes behind what is there already.
  static func append(to bytes: inout [UInt8], _ body: (inout JSONText) -> Void) {
    var json = JSONText()
    swap(&json.bytes, &bytes)
    body(&json)
    swap(&json.bytes, &bytes)
  }

  mutating func object(_ body: (inout JSONText) -> Void) {
    open("{")
    body(&self)
    close("}")
  }

  mutating func array(_ body: (inout JSONText) -> Void) {
    open("[")
    body(&self)
    close("]")
  }

  mutating func key(_ key: String) { self.key(key.utf8.span) }
  mutating func value(_ value: String) { self.value(value.utf8.span) }

  /// Of UTF-8.
  mutating func key(_ key: Span<UInt8>) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func value(_ value: Span<UInt8>) {
    separate()
    quote(value)
    needsComma = true
  }

  mutating func value(_ value: Int64) { literal(String(value)) }
  mutating func value(_ value: Bool) { literal(value ? "true" : "false") }
  /// `value` must be finite.
  mutating func value(_ value: Double) { literal("\(value)") }
  /// JSON text as it is.
  mutating func raw(_ json: String) { literal(json) }

  mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: Int64?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: Bool?) {
    guard let value else { return }
    self.key(key)
    self.value(value)
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma = false
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    bytes.append(UInt8(ascii: bracket))
    needsComma = true
  }

  private mutating func literal(_ literal: String) {
    separate()
    bytes.append(contentsOf: literal.utf8)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  /// A text as a JSON string.
  static func string(_ text: String) -> String {
    var json = JSONText()
    json.quote(text.utf8.span)
    return json.text
  }

  private mutating func quote(_ text: Span<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var plain = 0
    while plain < text.count, !Self.isEscaped(text[plain]) { plain += 1 }
    if plain == text.count {
      unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    } else {
      for index in text.indices { escape(text[index]) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

  private mutating func escape(_ byte: UInt8) {
    func digit(_ half: UInt8) -> UInt8 { half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10 }
    switch byte {
    case 0x22, 0x5C: bytes += [0x5C, byte]
    case 0x08: bytes += [0x5C, UInt8(ascii: "b")]
    case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
    case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
    case 0x0C: bytes += [0x5C, UInt8(ascii: "f")]
    case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
    case 0..<0x20: bytes += [0x5C, UInt8(ascii: "u"), 0x30, 0x30, digit(byte >> 4), digit(byte & 15)]
    default: bytes.append(byte)
    }
  }
}
