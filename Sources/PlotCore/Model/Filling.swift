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

  /// Names that begin so are properties of the person.
  static let userPrefix = "user."
  /// Those that the engine knows, where the region has no field of that name.
  static let names = ["visits", "arrival", "time"]

  /// Nil where there is none.
  func value(_ name: String) -> String? {
    if name == "count", let count { return String(count) }
    if let value = region.field(name) { return value }
    switch name {
    case "visits": return ordinal.map { String($0) }
    case "arrival": return arrival.map(clock)
    case "time": return now.map(clock)
    default:
      guard name.hasPrefix(Self.userPrefix) else { return nil }
      switch properties[Identifier(String(name.dropFirst(Self.userPrefix.count)))] {
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

  /// Whether a placeholder may have a value at some region of a campaign.
  static func isKnown(_ name: String) -> Bool { names.contains(name) || name.hasPrefix(userPrefix) }
}

extension Template {
  /// Whether the engine has something for a placeholder that no region's field is.
  public static func isKnown(_ name: String) -> Bool { Filling.isKnown(name) }
}
