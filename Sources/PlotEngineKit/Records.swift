internal import PlotCore

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A record that the engine writes as one JSON object: an event, a decision, a summary.
///
/// A record keeps all members, those too that have no property here because a later version has added them. Its coding is that object.
public protocol Record: Codable, Hashable, Sendable, CustomStringConvertible {
  /// The members that every record of this kind has.
  static var required: [String] { get }
  /// All members, in the order of the documents.
  var members: [String] { get }
  /// A member, by its name in the documents.
  subscript(member name: String) -> JSON? { get }
  /// The record as JSON without white space.
  var json: String { get }
  /// Reads a record. Throws ``PlotError/Code-swift.struct/invalidDocument`` where a required member is missing.
  init(_ object: JSONObject) throws(PlotError)
  var object: JSONObject { get }
}

extension Record {
  /// Reads a record from its JSON.
  public init(json: String) throws(PlotError) { try self.init(JSONObject(parsing: json)) }

  public init(from decoder: any Decoder) throws {
    let object = try JSONObject(from: decoder)
    do {
      try self.init(object)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: error.message, underlyingError: error))
    }
  }

  public func encode(to encoder: any Encoder) throws { try object.encode(to: encoder) }

  public var members: [String] { object.map(\.key) }
  public subscript(member name: String) -> JSON? { object[name] }
  public var json: String { object.text }
  public var description: String { json }

  static func check(_ object: JSONObject) throws(PlotError) {
    if let missing = required.first(where: { object[$0] == nil }) {
      throw PlotError(
        .invalidDocument, "\(missing): expected the member, found none in \(object.text)", expected: missing)
    }
  }

  func string(_ name: String) -> String? { object[name]?.string }
  func integer(_ name: String) -> Int? { object[name]?.integer.map(Int.init) }
  func number(_ name: String) -> Double? { object[name]?.number }
  func flag(_ name: String) -> Bool { object[name]?.boolean ?? false }
  func strings(_ name: String) -> [String] { object[name]?.array?.compactMap(\.string) ?? [] }
  func date(_ name: String) -> Date? {
    string(name).flatMap { Timestamp.parse($0) }.map(Date.init(milliseconds:))
  }

  /// Of a required member.
  func text(_ name: String) -> String { string(name) ?? "" }
  func moment(_ name: String) -> Date { date(name) ?? Date(milliseconds: 0) }
}

/// Something that happened (docs/events.md).
public struct Event: Record {
  /// The name of an event. New names may appear.
  public struct Name: RawRepresentable, Hashable, Codable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible
  {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    public var description: String { rawValue }

    // docs/events.json
    public static let regionEnter: Name = "region-enter"
    public static let regionInside: Name = "region-inside"
    public static let regionDwell: Name = "region-dwell"
    public static let regionExit: Name = "region-exit"
    public static let regionApproach: Name = "region-approach"
    public static let notificationFiltered: Name = "notification-filtered"
    public static let notificationShown: Name = "notification-shown"
    public static let notificationFailed: Name = "notification-failed"
    public static let notificationOpened: Name = "notification-opened"
    public static let notificationAction: Name = "notification-action"
    public static let notificationDismissed: Name = "notification-dismissed"
    public static let notificationRemoved: Name = "notification-removed"
    public static let geotrigger: Name = "geotrigger"
    public static let geotriggerDropped: Name = "geotrigger-dropped"
    public static let messageDropped: Name = "message-dropped"
    public static let messageRetracted: Name = "message-retracted"
    public static let storeSetAside: Name = "store-set-aside"
    public static let notificationHeldOut: Name = "notification-held-out"
    public static let absence: Name = "absence"
    public static let absenceUnknown: Name = "absence-unknown"
    public static let tripStarted: Name = "trip-started"
    public static let tripApproaching: Name = "trip-approaching"
    public static let tripArrived: Name = "trip-arrived"
    public static let tripStopped: Name = "trip-stopped"
    public static let tripOffRoute: Name = "trip-off-route"
    public static let tripDelayed: Name = "trip-delayed"
    public static let tripWrongDestination: Name = "trip-wrong-destination"
    public static let tripExpired: Name = "trip-expired"
    public static let tripCancelled: Name = "trip-cancelled"
    // end

    /// All that this version has.
    public static let all: [Name] = PlotCore.Event.Kind.allCases.map { Name(rawValue: $0.rawValue) }
  }

  public static let required = ["time", "event", "sequence"]
  public let object: JSONObject
  /// The notification that it is about, where there is one. Only the engine's own records have it: it is not in the JSON.
  public private(set) var notification: PlotNotification?
  /// The geotrigger that it is about, in the same way.
  public private(set) var geotrigger: Geotrigger?

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  init(json: String, _ item: PlotCore.Item?) throws(PlotError) {
    try self.init(JSONObject(parsing: json))
    guard let item else { return }
    if item.isGeotrigger { geotrigger = Geotrigger(item) } else { notification = PlotNotification(item) }
  }

  public static func == (a: Event, b: Event) -> Bool { a.object == b.object }
  public func hash(into hasher: inout Hasher) { hasher.combine(object) }

  public var time: Date { moment("time") }
  public var name: Name { Name(rawValue: text("event")) }
  /// Counts up by one per store.
  public var sequence: Int { integer("sequence") ?? 0 }
  /// Nil, as is the visit, when it is about a message.
  public var region: String? { string("region") }
  public var visit: String? { string("visit") }
  /// Which visit to the region it is, from 1.
  public var ordinal: Int? { integer("ordinal") }
  /// Degrees: the fix that led to it.
  public var latitude: Double? { number("latitude") }
  public var longitude: Double? { number("longitude") }
  /// When the region was entered or left, where that was not sure at once.
  public var since: Date? { date("since") }
  /// The fix behind it came late, or the event waited for a proof.
  public var isLate: Bool { flag("late") }
  /// The source of the event: `passage`, `beacon`, `hint`, `group` or `move`; nil for a fix.
  public var source: String? { string("source") }
  public var arrivalSeconds: Int? { integer("arrivalSeconds") }
  /// Of an approach: when the device would be there.
  public var arrival: Date? { date("arrival") }
  public var dwellingMinutes: Int? { integer("dwellingMinutes") }
  public var campaign: String? { string("campaign") }
  /// The span of an absence.
  public var from: Date? { date("from") }
  public var to: Date? { date("to") }
  /// The time in such a span of which nothing is known.
  public var unknownFrom: Date? { date("unknownFrom") }
  public var unknownTo: Date? { date("unknownTo") }
  /// The app's id of a trip.
  public var trip: String? { string("trip") }
  /// The rest of a trip's way, in metres.
  public var metres: Double? { number("metres") }
  public var deadline: Date? { date("deadline") }
  /// How much later than the deadline a trip is, or will be; negative when it is earlier.
  public var delaySeconds: Int? { integer("delaySeconds") }
  /// Where the device is, though it is not the destination.
  public var otherRegion: String? { string("otherRegion") }
  /// The app's own values of a trip.
  public var metadata: JSONObject { object["metadata"]?.object ?? [:] }
  public var matchIdentifier: String? { string("matchIdentifier") }
  public var message: String? { string("message") }
  public var data: String? { string("data") }
  /// The id of the action that was taken.
  public var action: String? { string("action") }
  /// The process ended between handing a notification to the host and its answer.
  public var isRecovered: Bool { flag("recovered") }
  /// The holdout group in which it is known whether the person is.
  public var holdout: String? { string("holdout") }
  /// Why a notification was removed, or a message dropped.
  public var reason: String? { string("reason") }
  /// Of a store that was set aside: the parts of which something could not be read.
  public var lost: [String] { strings("lost") }
  /// The id of the message that it is about.
  public var messageId: String? { string("messageId") }
  public var advertisingIdentifier: String? { string("advertisingIdentifier") }
  /// Nil where the app has said nothing about tracking.
  public var limitsAdTracking: Bool? { object["limitAdTracking"]?.boolean }
}

/// Why the engine has shown something, or has not (docs/decisions.md).
public struct Decision: Record {
  public enum Verdict: String, Hashable, Codable, Sendable {
    case pass, drop, hold
  }

  public static let required = ["time", "step", "verdict", "reason"]
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  public var time: Date { moment("time") }
  public var campaign: String? { string("campaign") }
  public var region: String? { string("region") }
  public var visit: String? { string("visit") }
  public var messageId: String? { string("messageId") }
  public var step: String { text("step") }
  /// Nil for one that a later version has added.
  public var verdict: Verdict? { Verdict(rawValue: text("verdict")) }
  public var reason: String { text("reason") }
  public var detail: String? { string("detail") }
  /// The values that the step decided on.
  public var inputs: JSONObject { object["inputs"]?.object ?? [:] }
  /// When it may be shown at the earliest.
  public var nextPossible: Date? { date("nextPossible") }
}

/// Why a campaign is not shown now, or that it would be (docs/explain.md).
public struct Explanation: Record {
  public static let required = ["campaign", "region", "sentence", "step", "reason", "verdict", "time"]
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  public var campaign: String { text("campaign") }
  public var region: String { text("region") }
  /// For people, in the language that was asked for.
  public var sentence: String { text("sentence") }
  public var step: String { text("step") }
  public var reason: String { text("reason") }
  public var verdict: Decision.Verdict? { Decision.Verdict(rawValue: text("verdict")) }
  public var time: Date { moment("time") }
  public var detail: String? { string("detail") }
  public var inputs: JSONObject { object["inputs"]?.object ?? [:] }
  public var nextPossible: Date? { date("nextPossible") }
}

/// Where an engine is (docs/explain.md, Summary).
public struct Summary: Record {
  public static let required = [
    "time", "enabled", "foreground", "timeZone", "regions", "campaigns", "visits", "displayed", "waiting", "questions",
  ]
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The newest time that the engine has seen.
  public var time: Date { moment("time") }
  public var isEnabled: Bool { flag("enabled") }
  public var isForeground: Bool { flag("foreground") }
  public var timeZone: String { text("timeZone") }
  /// How many the feed has.
  public var regions: Int { integer("regions") ?? 0 }
  public var campaigns: Int { integer("campaigns") ?? 0 }
  /// The ids of the regions that are visited, sorted.
  public var visits: [String] { strings("visits") }
  public var displayed: Int { integer("displayed") ?? 0 }
  /// Notifications that wait for the end of quiet hours.
  public var waiting: Int { integer("waiting") ?? 0 }
  /// Batches that the app has not answered yet.
  public var questions: Int { integer("questions") ?? 0 }
  public var nextWakeup: Date? { date("nextWakeup") }
}

/// The device is in a region, and has been since ``entered``.
public struct Visit: Record {
  public static let required = ["region", "visit", "ordinal", "entered"]
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  public var region: String { text("region") }
  /// A UUID.
  public var id: String { text("visit") }
  /// Which visit to the region it is, from 1.
  public var ordinal: Int { integer("ordinal") ?? 0 }
  public var entered: Date { moment("entered") }
}

/// A list that rules ask about (docs/messages.md).
public struct ListInfo: Record {
  public static let required = ["name", "version", "count", "refreshed"]
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  public var name: String { text("name") }
  public var version: Int { integer("version") ?? 0 }
  public var count: Int { integer("count") ?? 0 }
  /// When it was set.
  public var refreshed: Date { moment("refreshed") }
}

/// A plan of the regions to register with a system that watches regions itself (docs/region-plan.md).
public struct RegionPlan: Record {
  /// Something that the system watches.
  public struct Registration: Record {
    public static let required = ["id", "kind"]
    public let object: JSONObject

    public init(_ object: JSONObject) throws(PlotError) {
      try Self.check(object)
      self.object = object
    }

    public var id: String { text("id") }
    /// `circle`, `area` or `beacon`.
    public var kind: String { text("kind") }
    public var latitude: Double? { number("latitude") }
    public var longitude: Double? { number("longitude") }
    /// Metres.
    public var radius: Double? { number("radius") }
    public var proximityUUID: String? { string("proximityUUID") }
    public var majorId: Int? { integer("majorId") }
    public var minorId: Int? { integer("minorId") }
  }

  /// When the device leaves it, another plan is due.
  public struct Fence: Hashable, Sendable {
    public var latitude: Double
    public var longitude: Double
    /// Metres.
    public var radius: Double
  }

  public static let required = ["add", "remove", "fenceChanged", "dense", "unwatchedBeacons"]
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  public var add: [Registration] {
    object["add"]?.array?.compactMap { $0.object.flatMap { try? Registration($0) } } ?? []
  }

  /// Ids.
  public var remove: [String] { strings("remove") }
  /// Nil when every place is registered.
  public var fence: Fence? {
    guard let fence = object["fence"]?.object, let latitude = fence["latitude"]?.number,
      let longitude = fence["longitude"]?.number, let radius = fence["radius"]?.number
    else { return nil }
    return Fence(latitude: latitude, longitude: longitude, radius: radius)
  }

  public var fenceChanged: Bool { flag("fenceChanged") }
  /// The places lie too close together for the budget.
  public var isDense: Bool { flag("dense") }
  public var unwatchedBeacons: Int { integer("unwatchedBeacons") ?? 0 }
}

/// Something in a document that is wrong, or most likely not what was meant; docs/lint.md lists the codes.
public struct Finding: Record {
  public static let required = ["code", "severity", "document", "pointer", "line", "column", "sentence", "remedy"]
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  public var code: String { text("code") }
  /// `error`, `warning` or `note`.
  public var severity: String { text("severity") }
  /// `configuration` or `feed`.
  public var document: String { text("document") }
  /// A JSON pointer to the value.
  public var pointer: String { text("pointer") }
  /// From 1; 0 when there is no place in the text.
  public var line: Int { integer("line") ?? 0 }
  /// In bytes, from 1.
  public var column: Int { integer("column") ?? 0 }
  public var sentence: String { text("sentence") }
  public var remedy: String { text("remedy") }
}

/// The events that wait for the app (docs/events.md, Consumers).
public struct PendingEvents: Record {
  public static let required = ["acknowledged", "lost", "waiting", "events"]
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// Up to which sequence the app needs no events.
  public var acknowledged: Int { integer("acknowledged") ?? 0 }
  /// How many it has lost, since they were more than `engine.events.limit`.
  public var lost: Int { integer("lost") ?? 0 }
  /// How many wait, listed or not.
  public var waiting: Int { integer("waiting") ?? 0 }
  public var events: [Event] { object["events"]?.array?.compactMap { $0.object.flatMap { try? Event($0) } } ?? [] }
}
