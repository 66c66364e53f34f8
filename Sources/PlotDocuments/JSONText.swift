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

  mutating func key(_ key: String) {
    separate()
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  mutating func value(_ value: String) {
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
  static func string(_ text: String) -> String { "\"\(escaped(text))\"" }

  private mutating func quote(_ string: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes.append(contentsOf: string.utf8)
    var at = start
    while at < bytes.count, !Self.isEscaped(bytes[at]) { at += 1 }
    if at < bytes.count {
      bytes.removeSubrange(start...)
      bytes.append(contentsOf: Self.escaped(string).utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

  static func escaped(_ string: String) -> String {
    if !string.utf8.contains(where: isEscaped) { return string }
    let digits = Array("0123456789abcdef".utf8)
    var bytes: [UInt8] = []
    for byte in string.utf8 {
      switch byte {
      case 0x22: bytes += [0x5C, 0x22]
      case 0x5C: bytes += [0x5C, 0x5C]
      case 0x08: bytes += [0x5C, UInt8(ascii: "b")]
      case 0x09: bytes += [0x5C, UInt8(ascii: "t")]
      case 0x0A: bytes += [0x5C, UInt8(ascii: "n")]
      case 0x0C: bytes += [0x5C, UInt8(ascii: "f")]
      case 0x0D: bytes += [0x5C, UInt8(ascii: "r")]
      case 0..<0x20: bytes += [0x5C, UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
