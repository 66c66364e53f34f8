/// RFC 4648, section 4: bytes as text, padded.
enum Base64 {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var index = 0
    while index < bytes.count {
      let part = bytes[index..<min(index + 3, bytes.count)]
      var group = part.reduce(0) { $0 << 8 | Int($1) } << ((3 - part.count) * 8)
      for _ in 0...part.count {
        text.append(digits[group >> 18 & 63])
        group <<= 6
      }
      for _ in part.count..<3 { text.append(UInt8(ascii: "=")) }
      index += 3
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for anything but what `text` gives.
  static func bytes(_ text: String) -> [UInt8]? {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    let text = Array(text.utf8)
    let padding = text.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    for start in stride(from: 0, to: text.count, by: 4) {
      var group = 0
      for index in start..<start + 4 {
        let isPadding = index >= text.count - padding
        guard isPadding || values[Int(text[index])] < 64 else { return nil }
        group = group << 6 | (isPadding ? 0 : Int(values[Int(text[index])]))
      }
      bytes += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
    }
    bytes.removeLast(min(padding, bytes.count))
    return Self.text(bytes).utf8.elementsEqual(text) ? bytes : nil
  }
}
