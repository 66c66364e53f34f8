extension String {
  /// The text with every character that would steer a terminal, or begin a new line, written out as JSON writes it:
  /// `\n`, `\u001b`.
  ///
  /// These are the control characters of ASCII and of Latin-1, the marks that change the direction of what follows, and
  /// the separators of lines and paragraphs. JSON stays JSON, with the same meaning.
  public var visible: String { visible(keepsLines: false) }

  /// The same; with `keepsLines` line feeds stay what they are.
  public func visible(keepsLines: Bool) -> String {
    guard unicodeScalars.contains(where: { Self.isSteering($0) }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if !Self.isSteering(scalar) || keepsLines && scalar == "\n" {
        text.unicodeScalars.append(scalar)
        continue
      }
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      default:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      }
    }
    return text
  }

  private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F: true
    // Arabic letter mark, left-to-right and right-to-left marks; embeddings, overrides, isolates.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0x2028, 0x2029: true
    default: false
    }
  }
}
