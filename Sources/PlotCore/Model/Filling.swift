/// The names of placeholders that are no region's field (docs/feed.md, Placeholders).
public enum Placeholder {
  /// The property of the person that a placeholder asks for; nil for another one.
  public static func property(of name: String) -> String? {
    name.hasPrefix("user.") ? String(name.dropFirst("user.".count)) : nil
  }

  /// Whether it asks for a trip, or for a value of its metadata.
  public static func isOfTrip(_ name: String) -> Bool { name == "trip" || name.hasPrefix(tripPrefix) }

  fileprivate static let tripPrefix = "trip."

  /// Whether the engine has something for it where the region has no field of that name.
  public static func isKnown(_ name: String) -> Bool {
    ["visits", "arrival", "time"].contains(name) || property(of: name) != nil || isOfTrip(name)
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
  var trip: Boxed<TripPlan>?
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
    case "trip": return trip?.values.id.text
    default:
      if Placeholder.isOfTrip(name) {
        return text(trip?.values.metadata[Identifier(String(name.dropFirst(Placeholder.tripPrefix.count)))])
      }
      return Placeholder.property(of: name).flatMap { text(properties[Identifier($0)]) }
    }
  }

  private func text(_ value: PropertyValue?) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): "\(number)"
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .date(let time): Timestamp.dayText(zone.local(time).day)
    case nil: nil
    }
  }

  /// `21:10`.
  private func clock(_ time: Milliseconds) -> String { zone.local(time).clock }
}
