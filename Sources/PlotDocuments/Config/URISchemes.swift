/// The schemes of URIs that a tap on a notification may open (docs/plotconfig.md, `engine.uriSchemes`).
package enum URISchemes {
  /// The schemes that a person expects of a link in a notification.
  package static let standard = ["http", "https", "mailto", "tel", "geo"]
  /// They run code, or read what is the device's own.
  package static let never = ["javascript", "vbscript", "file", "content", "data", "blob", "about", "intent"]

  /// Whether a configuration may name it.
  static func isAllowed(_ name: String) -> Bool { isScheme(name) && !never.contains(name) }

  /// In small letters (RFC 3986, 3.1).
  private static func isScheme(_ name: String) -> Bool {
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    guard let first = name.utf8.first, isLetter(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
  }

  /// The scheme of a URI in small letters; nil for a text that is none. Letters beyond ASCII may stand behind it, as they do in addresses that
  /// people write.
  package static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = text[..<colon]
    // Of letters beyond ASCII some have small ones within it.
    guard name.utf8.allSatisfy({ $0 < 0x80 }), isScheme(name.lowercased()) else { return nil }
    let rest = text[text.index(after: colon)...].unicodeScalars
    let isOneWord = rest.allSatisfy {
      $0.value > 0x20 && !(0x7F...0xA0).contains($0.value) && !"\"<>\\^`{|}".unicodeScalars.contains($0)
    }
    guard !rest.isEmpty, isOneWord else { return nil }
    let scheme = name.lowercased()
    let hasHost = rest.count > 2 && rest.starts(with: "//".unicodeScalars) && rest.dropFirst(2).first != "/"
    return scheme != "http" && scheme != "https" || hasHost ? scheme : nil
  }
}
