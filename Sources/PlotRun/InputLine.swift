internal import PlotEngineKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Something for the engine as a line of JSON: one object with the kind of input as a key, and `time` where it is not of now (docs/linux.md).
struct InputLine: Equatable {
  enum Value: Equatable {
    case fix(PlaceReport)
    case sighting(Sighting)
    /// A segmentation property; nil takes it away.
    case properties([PropertyChange])
    /// The JSON of a message.
    case push(String)
    case open(String)
    case dismiss(String)
    case action(String, of: String)
    case foreground(Bool)
    case network(Bool)
    /// The JSON of a trip.
    case startTrip(String)
    case endTrip(String, hasArrived: Bool)
  }

  struct PropertyChange: Equatable {
    var key: String
    var value: PropertyValue?
  }

  var value: Value
  var time: Date?

  static let kinds = [
    "fix", "sighting", "property", "push", "open", "dismiss", "action", "foreground", "network", "startTrip", "endTrip",
  ]

  init(parsing line: [UInt8]) throws(PlotError) {
    try self.init(JSONObject(parsing: String(decoding: line, as: UTF8.self)))
  }

  init(_ object: JSONObject) throws(PlotError) {
    let kinds = object.map(\.key).filter { $0 != "time" }
    guard kinds.count == 1, let kind = kinds.first, Self.kinds.contains(kind), let given = object[kind] else {
      let list = Self.kinds.joined(separator: ", ")
      throw Self.fault("input", "an object with one of \(list), and perhaps time", object)
    }
    if let text = object["time"] {
      time = try Self.date(text, "time")
    }
    switch kind {
    case "fix": value = .fix(try Self.fix(try Self.object(given, kind)))
    case "sighting": value = .sighting(try Self.sighting(try Self.object(given, kind)))
    case "property": value = .properties(try Self.properties(try Self.object(given, kind)))
    case "push": value = .push(try Self.object(given, kind).text)
    case "open": value = .open(try Self.text(given, kind))
    case "dismiss": value = .dismiss(try Self.text(given, kind))
    case "action":
      let action = try Self.object(given, kind)
      value = .action(
        try Self.text(action["id"] ?? .null, "action.id"),
        of: try Self.text(action["matchIdentifier"] ?? .null, "action.matchIdentifier"))
    case "foreground": value = .foreground(try Self.flag(given, kind))
    case "network": value = .network(try Self.flag(given, kind))
    case "startTrip": value = .startTrip(try Self.object(given, kind).text)
    default:
      let trip = try Self.object(given, kind)
      value = .endTrip(
        try Self.text(trip["id"] ?? .null, "endTrip.id"),
        hasArrived: try trip["arrived"].map { (arrived) throws(PlotError) in try Self.flag(arrived, "endTrip.arrived") }
          ?? false)
    }
  }

  // MARK: Values

  private static func fault(_ place: String, _ expected: String, _ found: some CustomStringConvertible) -> PlotError {
    let text = "\(found)"
    let short = text.count > 80 ? String(text.prefix(80)) + "…" : text
    return PlotError(
      .invalidArgument, "\(place): expected \(expected), found \(short)", argument: place, expected: expected,
      found: short)
  }

  private static func object(_ value: JSON, _ place: String) throws(PlotError) -> JSONObject {
    guard let object = value.object else { throw fault(place, "an object", value) }
    return object
  }

  private static func text(_ value: JSON, _ place: String) throws(PlotError) -> String {
    guard let text = value.string, !text.isEmpty else { throw fault(place, "a text", value) }
    return text
  }

  private static func date(_ value: JSON, _ place: String) throws(PlotError) -> Date {
    guard let date = value.string.flatMap(Moment.parse) else { throw fault(place, "ISO 8601 in UTC", value) }
    return date
  }

  private static func flag(_ value: JSON, _ place: String) throws(PlotError) -> Bool {
    guard let flag = value.boolean else { throw fault(place, "true or false", value) }
    return flag
  }

  private static func number(_ object: JSONObject, _ key: String, _ place: String) throws(PlotError) -> Double? {
    guard let value = object[key] else { return nil }
    guard let number = value.number else { throw fault("\(place).\(key)", "a number", value) }
    return number
  }

  private static func fix(_ object: JSONObject) throws(PlotError) -> PlaceReport {
    guard let latitude = try number(object, "latitude", "fix"), let longitude = try number(object, "longitude", "fix")
    else { throw fault("fix", "latitude and longitude", JSON.object(object)) }
    let report = PlaceReport(
      latitude: latitude, longitude: longitude, accuracy: try number(object, "accuracy", "fix"),
      speed: try number(object, "speed", "fix"), course: try number(object, "course", "fix"))
    guard report.isInRange else { throw fault("fix", "degrees", JSON.object(object)) }
    return report
  }

  private static func sighting(_ object: JSONObject) throws(PlotError) -> Sighting {
    func short(_ key: String) throws(PlotError) -> UInt16 {
      guard let number = object[key]?.integer.flatMap({ UInt16(exactly: $0) }) else {
        throw fault("sighting.\(key)", "an integer from 0 to 65535", object[key] ?? .null)
      }
      return number
    }
    let beacon: Sighting.Beacon
    if let uuid = object["proximityUUID"] {
      beacon = .iBeacon(
        proximityUUID: try text(uuid, "sighting.proximityUUID"), majorId: try short("majorId"),
        minorId: try short("minorId"))
    } else {
      beacon = .eddystone(
        namespaceId: try text(object["namespaceId"] ?? .null, "sighting.namespaceId"),
        instanceId: try text(object["instanceId"] ?? .null, "sighting.instanceId"))
    }
    var proximity: Sighting.Proximity?
    if let word = object["proximity"], word.string != "unknown" {
      proximity = word.string.flatMap(Sighting.Proximity.init)
      if proximity == nil { throw fault("sighting.proximity", "unknown, immediate, near or far", word) }
    }
    return Sighting(
      beacon, proximity: proximity, rssi: try number(object, "rssi", "sighting"),
      power: try number(object, "power", "sighting"))
  }

  private static func properties(_ object: JSONObject) throws(PlotError) -> [PropertyChange] {
    var changes: [PropertyChange] = []
    for (key, value) in object {
      changes.append(PropertyChange(key: key, value: try property(value, "property.\(key)")))
    }
    return changes
  }

  /// A JSON value; a date as `{"type": "date", "value": "2026-05-16T12:00:00Z"}`.
  private static func property(_ value: JSON, _ place: String) throws(PlotError) -> PropertyValue? {
    switch value {
    case .null: return nil
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .number(let number): return .double(number)
    case .string(let text): return .string(text)
    case .object(let object) where object["type"]?.string == "date":
      return .date(try date(object["value"] ?? .null, place + ".value"))
    default: throw fault(place, "a value, or a date as an object of type and value", value)
    }
  }
}
