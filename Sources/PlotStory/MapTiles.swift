/// Pictures of streets from a server, as most maps on the web have them: squares of Web Mercator.
package struct MapTiles: Equatable, Sendable {
  /// With `{z}`, `{x}` and `{y}`.
  package let template: String
  /// Shown on the map.
  package let credit: String
  /// The scheme, host and port.
  package let origin: String

  /// Nil unless it is a URL of http or https with the three places.
  package init?(template: String, credit: String? = nil) {
    let parts = template.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "http:" || parts[0] == "https:", parts[1].isEmpty, !parts[2].isEmpty,
      parts[2].utf8.allSatisfy({ Self.isOfHost($0) }), template.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
      ["{z}", "{x}", "{y}"].allSatisfy({ parts[3].contains($0) })
    else { return nil }
    self.template = template
    origin = "\(parts[0])//\(parts[2])"
    let isOpenStreetMap = parts[2].hasSuffix("openstreetmap.org")
    self.credit = credit ?? (isOpenStreetMap ? "© OpenStreetMap contributors" : "")
  }

  private static func isOfHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
