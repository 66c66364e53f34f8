internal import PlotCore
internal import PlotDocuments

/// Which data of a notification is opened as a URI (docs/plotconfig.md, `engine.uriSchemes`).
struct URISchemes: Sendable {
  let allowed: [String]

  init(_ names: [String] = URISchemeNames.standard) { allowed = names }

  /// What an opened notification leads to. An app link names another app, by any scheme.
  func action(_ item: Item) -> OpenAction {
    let scheme = Self.scheme(of: item.data)
    let isAllowed = scheme.map(allowed.contains) ?? false
    return switch item.kind {
    case .notification(.landingPage): item.data.isEmpty || isAllowed ? .landingPage : .data
    case .notification(.applink):
      item.data.isEmpty || scheme.map { !URISchemeNames.never.contains($0) } ?? false ? .applink : .data
    case .notification(.regular), .geotrigger: item.data.isEmpty ? .app : isAllowed ? .uri : .data
    }
  }

  /// The scheme of a URI in small letters (RFC 3986, 3.1); nil for a text that is none. Letters beyond ASCII may stand in it, as they do in
  /// addresses that people write.
  static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon != text.startIndex else { return nil }
    let scheme = text[..<colon].utf8
    func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") }
    guard let first = scheme.first, isLetter(first),
      scheme.allSatisfy({ isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) })
    else { return nil }
    let rest = text[text.index(after: colon)...].unicodeScalars
    let isOneWord = rest.allSatisfy {
      $0.value > 0x20 && !(0x7F...0xA0).contains($0.value) && !"\"<>\\^`{|}".unicodeScalars.contains($0)
    }
    guard !rest.isEmpty, isOneWord else { return nil }
    let name = text[..<colon].lowercased()
    let hasHost = rest.count > 2 && rest.starts(with: "//".unicodeScalars) && rest.dropFirst(2).first != "/"
    return name != "http" && name != "https" || hasHost ? name : nil
  }
}
