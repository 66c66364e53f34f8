/// The schemes of URIs that a tap on a notification may open (docs/plotconfig.md, `engine.uriSchemes`).
package enum URISchemeNames {
  /// What a person expects of a link in a notification.
  package static let standard = ["http", "https", "mailto", "tel", "geo"]
  /// They run code, or read what is the device's own.
  package static let never = ["javascript", "vbscript", "file", "content", "data", "blob", "about", "intent"]

  /// Whether a configuration may name it (RFC 3986, 3.1).
  static func isScheme(_ name: String) -> Bool {
    guard let first = name.utf8.first, isLetter(first), !never.contains(name) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
