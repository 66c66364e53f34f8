/// The names of placeholders that are no region's field (docs/feed.md, Placeholders).
public enum Placeholder {
  /// The property of the person that a placeholder asks for; nil for another one.
  public static func property(of name: String) -> String? {
    name.hasPrefix("user.") ? String(name.dropFirst("user.".count)) : nil
  }

  /// Whether the engine has something for it where the region has no field of that name.
  public static func isKnown(_ name: String) -> Bool {
    ["visits", "arrival", "time"].contains(name) || property(of: name) != nil
  }
}

/// All that may stand in the place of a placeholder (docs/feed.md, Placeholders). A field of the region comes first.
struct Filling {
  var region: Region
  /// Of a text that stands for several.
  var count: Int?
  /// Which visit to the region it is.
  var ordinal: Int64?
  /// When the region was entered, or will be reached.
  var arrival: Milliseconds?
  var now: Milliseconds?
  /// The clock on the wall.
  var zone = ZoneRules.utc
  var properties: [Identifier: PropertyValue] = [:]
  /// The language of the text, for its plurals.
  var language = Languages.standard

  init(region: Region, count: Int? = nil) { (self.region, self.count) = (region, count) }

  /// Nil where there is none.
  func value(_ name: String) -> String? {
    if name == "count", let count { return String(count) }
    if let value = region.field(name) { return value }
    switch name {
    case "visits": return ordinal.map { String($0) }
    case "arrival": return arrival.map(clock)
    case "time": return now.map(clock)
    default:
      guard let property = Placeholder.property(of: name) else { return nil }
      switch properties[Identifier(property)] {
      case .string(let text): return text
      case .integer(let number): return String(number)
      case .double(let number): return "\(number)"
      case .boolean(let isTrue): return isTrue ? "true" : "false"
      case .date(let time): return Timestamp.dayText(zone.local(time).day)
      case nil: return nil
      }
    }
  }

  /// `21:10`.
  private func clock(_ time: Milliseconds) -> String { zone.local(time).clock }
}
