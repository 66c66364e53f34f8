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
  /// All of it, as JSON.
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
    /// A visit began.
    public static let regionEnter: Name = "region-enter"
    /// The device was found inside at its first fix, and engine.initial is none (or engine.initialOnUpdate, for a
    /// region of a feed update): a visit, but no enter.
    public static let regionInside: Name = "region-inside"
    /// The visit has lasted as long as a dwelling campaign of this region, or a step at it, asks for; once per visit
    /// and length.
    public static let regionDwell: Name = "region-dwell"
    /// The visit ended.
    public static let regionExit: Name = "region-exit"
    /// The region is near, at the present course and speed, as a campaign asks for; ordinal is that of the visit to
    /// come, visit an id of its own.
    public static let regionApproach: Name = "region-approach"
    /// The app's filter left it out, or its deadline passed with the fallback drop.
    public static let notificationFiltered: Name = "notification-filtered"
    /// The host has shown it (the SDK's sent event).
    public static let notificationShown: Name = "notification-shown"
    /// The host could not show it.
    public static let notificationFailed: Name = "notification-failed"
    /// The person opened it (the SDK's opened event); each time.
    public static let notificationOpened: Name = "notification-opened"
    /// The person chose one of its actions; each time.
    public static let notificationAction: Name = "notification-action"
    /// The person dismissed it.
    public static let notificationDismissed: Name = "notification-dismissed"
    /// The engine had it taken off the screen.
    public static let notificationRemoved: Name = "notification-removed"
    /// The app handled it, or has no handler.
    public static let geotrigger: Name = "geotrigger"
    /// The app's handler left it out.
    public static let geotriggerDropped: Name = "geotrigger-dropped"
    /// A message is not to be shown; the host suppresses it.
    public static let messageDropped: Name = "message-dropped"
    /// A sender has taken back what has this correlation key; nothing is to be shown.
    public static let messageRetracted: Name = "message-retracted"
    /// The store was damaged and has another name now (engine.damagedStore); the first event of the new one.
    public static let storeSetAside: Name = "store-set-aside"
    /// It would have been shown now, but the person is in the holdout group of its campaign (feed.md).
    public static let notificationHeldOut: Name = "notification-held-out"
    /// The device was at none of a campaign's regions in the span that it asks for; region is the first of them, visit
    /// an id of its own.
    public static let absence: Name = "absence"
    /// Such a span is over, and for a part of it nothing is known of where the device was.
    public static let absenceUnknown: Name = "absence-unknown"
    /// The app has begun a trip (trips.md); region is the destination, visit an id of the event's own, here and in the
    /// events below.
    public static let tripStarted: Name = "trip-started"
    /// The destination will be reached in so many seconds, or is so many metres away, as the trip asks for; once.
    public static let tripApproaching: Name = "trip-approaching"
    /// A visit to the destination began, or the app says that the trip has arrived: it is over; ordinal is that of this
    /// visit, or of the one to come.
    public static let tripArrived: Name = "trip-arrived"
    /// The device has been near one place for five minutes on the way; again after it went on.
    public static let tripStopped: Name = "trip-stopped"
    /// The device has been beside the trip's route for 20 seconds; again after it came back.
    public static let tripOffRoute: Name = "trip-off-route"
    /// The deadline is over, or the arrival is expected clearly after it; once for each deadline.
    public static let tripDelayed: Name = "trip-delayed"
    /// A visit to one of the trip's others began; ordinal is that visit's.
    public static let tripWrongDestination: Name = "trip-wrong-destination"
    /// The trip's time is over, and it with it.
    public static let tripExpired: Name = "trip-expired"
    /// The app has ended the trip before it arrived.
    public static let tripCancelled: Name = "trip-cancelled"
    // end

    /// All that this version has.
    public static let all: [Name] = PlotCore.Event.Kind.allCases.map { Name(rawValue: $0.rawValue) }
  }

  public static let required = ["time", "event", "sequence"]
  /// All of it, as JSON.
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

  /// When it happened.
  public var time: Date { moment("time") }
  /// The kind of what happened.
  public var name: Name { Name(rawValue: text("event")) }
  /// Counts up by one per store.
  public var sequence: Int { integer("sequence") ?? 0 }
  /// Nil, as is the visit, when it is about a message.
  public var region: String? { string("region") }
  /// The id of the visit; nil where it is about none.
  public var visit: String? { string("visit") }
  /// Which visit to the region it is, from 1.
  public var ordinal: Int? { integer("ordinal") }
  /// Degrees: the fix that led to it.
  public var latitude: Double? { number("latitude") }
  /// Degrees, where the event has a place.
  public var longitude: Double? { number("longitude") }
  /// When the region was entered or left, where that was not sure at once.
  public var since: Date? { date("since") }
  /// The fix behind it came late, or the event waited for a proof.
  public var isLate: Bool { flag("late") }
  /// The source of the event: `passage`, `beacon`, `hint`, `group` or `move`; nil for a fix.
  public var source: String? { string("source") }
  /// How many seconds until the device arrives.
  public var arrivalSeconds: Int? { integer("arrivalSeconds") }
  /// Of an approach: when the device would be there.
  public var arrival: Date? { date("arrival") }
  /// After how many minutes of a dwelling.
  public var dwellingMinutes: Int? { integer("dwellingMinutes") }
  /// The id of the campaign.
  public var campaign: String? { string("campaign") }
  /// The span of an absence.
  public var from: Date? { date("from") }
  /// The end of the span that an absence is about.
  public var to: Date? { date("to") }
  /// The time in such a span of which nothing is known.
  public var unknownFrom: Date? { date("unknownFrom") }
  /// The end of the time of which nothing is known.
  public var unknownTo: Date? { date("unknownTo") }
  /// The app's id of a trip.
  public var trip: String? { string("trip") }
  /// The rest of a trip's way, in metres.
  public var metres: Double? { number("metres") }
  /// Until when the trip is to arrive.
  public var deadline: Date? { date("deadline") }
  /// How much later than the deadline a trip is, or will be; negative when it is earlier.
  public var delaySeconds: Int? { integer("delaySeconds") }
  /// Where the device is, though it is not the destination.
  public var otherRegion: String? { string("otherRegion") }
  /// The app's own values of a trip.
  public var metadata: JSONObject { object["metadata"]?.object ?? [:] }
  /// The item's ``Item/matchIdentifier``.
  public var matchIdentifier: String? { string("matchIdentifier") }
  /// The text of the notification.
  public var message: String? { string("message") }
  /// The item's `data`.
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
  /// The advertising identifier, where the app has set one.
  public var advertisingIdentifier: String? { string("advertisingIdentifier") }
  /// Nil where the app has said nothing about tracking.
  public var limitsAdTracking: Bool? { object["limitAdTracking"]?.boolean }
}

/// Why the engine has shown something, or has not (docs/decisions.md).
public struct Decision: Record {
  /// The answer of a step.
  public enum Verdict: String, Hashable, Codable, Sendable {
    /// It went on, it ended, or it waits.
    case pass, drop, hold
  }

  public static let required = ["time", "step", "verdict", "reason"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// When it was decided.
  public var time: Date { moment("time") }
  /// The id of the campaign.
  public var campaign: String? { string("campaign") }
  /// The id of the region.
  public var region: String? { string("region") }
  /// The id of the visit.
  public var visit: String? { string("visit") }
  /// The id of a message from outside.
  public var messageId: String? { string("messageId") }
  /// Which step decided; docs/decisions.md lists them.
  public var step: String { text("step") }
  /// Nil for one that a later version has added.
  public var verdict: Verdict? { Verdict(rawValue: text("verdict")) }
  /// Why; docs/decisions.md lists the reasons of each step.
  public var reason: String { text("reason") }
  /// The thing that the reason is about, such as a property.
  public var detail: String? { string("detail") }
  /// The values that the step decided on.
  public var inputs: JSONObject { object["inputs"]?.object ?? [:] }
  /// When it may be shown at the earliest.
  public var nextPossible: Date? { date("nextPossible") }
}

/// Why a campaign is not shown now, or that it would be (docs/explain.md).
public struct Explanation: Record {
  public static let required = ["campaign", "region", "sentence", "step", "reason", "verdict", "time"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The id of the campaign.
  public var campaign: String { text("campaign") }
  /// The id of the region.
  public var region: String { text("region") }
  /// For people, in the language that was asked for.
  public var sentence: String { text("sentence") }
  /// The step that decides.
  public var step: String { text("step") }
  /// Why.
  public var reason: String { text("reason") }
  /// The answer of that step; nil for one that this version does not know.
  public var verdict: Decision.Verdict? { Decision.Verdict(rawValue: text("verdict")) }
  /// The time that was asked about.
  public var time: Date { moment("time") }
  /// The thing that the reason is about, such as a property.
  public var detail: String? { string("detail") }
  /// The values that decided.
  public var inputs: JSONObject { object["inputs"]?.object ?? [:] }
  /// When it can be shown at the earliest; nil where that is not known.
  public var nextPossible: Date? { date("nextPossible") }
}

/// Where an engine is (docs/explain.md, Summary).
public struct Summary: Record {
  public static let required = [
    "time", "enabled", "foreground", "timeZone", "regions", "campaigns", "visits", "displayed", "waiting", "questions",
  ]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The newest time that the engine has seen.
  public var time: Date { moment("time") }
  /// Whether places are followed.
  public var isEnabled: Bool { flag("enabled") }
  /// Whether the app is in the foreground.
  public var isForeground: Bool { flag("foreground") }
  /// The time zone by its IANA name.
  public var timeZone: String { text("timeZone") }
  /// How many the feed has.
  public var regions: Int { integer("regions") ?? 0 }
  /// How many campaigns the feed has.
  public var campaigns: Int { integer("campaigns") ?? 0 }
  /// The ids of the regions that are visited, sorted.
  public var visits: [String] { strings("visits") }
  /// How many notifications are on the screen.
  public var displayed: Int { integer("displayed") ?? 0 }
  /// Notifications that wait for the end of quiet hours.
  public var waiting: Int { integer("waiting") ?? 0 }
  /// Batches that the app has not answered yet.
  public var questions: Int { integer("questions") ?? 0 }
  /// When the engine wants to be called next.
  public var nextWakeup: Date? { date("nextWakeup") }
}

/// The device is in a region, and has been since ``entered``.
public struct Visit: Record {
  public static let required = ["region", "visit", "ordinal", "entered"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The id of the region.
  public var region: String { text("region") }
  /// A UUID.
  public var id: String { text("visit") }
  /// Which visit to the region it is, from 1.
  public var ordinal: Int { integer("ordinal") ?? 0 }
  /// When it began.
  public var entered: Date { moment("entered") }
}

/// A list that rules ask about (docs/messages.md).
public struct ListInfo: Record {
  public static let required = ["name", "version", "count", "refreshed"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The name that rules call it by.
  public var name: String { text("name") }
  /// Its version, from the app or from the feed.
  public var version: Int { integer("version") ?? 0 }
  /// How many entries it has.
  public var count: Int { integer("count") ?? 0 }
  /// When it was set.
  public var refreshed: Date { moment("refreshed") }
}

/// A plan of the regions to register with a system that watches regions itself (docs/region-plan.md).
public struct RegionPlan: Record {
  /// Something that the system watches.
  public struct Registration: Record {
    public static let required = ["id", "kind"]
    /// All of it, as JSON.
    public let object: JSONObject

    public init(_ object: JSONObject) throws(PlotError) {
      try Self.check(object)
      self.object = object
    }

    /// The name that the system is to give it.
    public var id: String { text("id") }
    /// `circle`, `area` or `beacon`.
    public var kind: String { text("kind") }
    /// Degrees; nil for a beacon.
    public var latitude: Double? { number("latitude") }
    /// Degrees; nil for a beacon.
    public var longitude: Double? { number("longitude") }
    /// Metres.
    public var radius: Double? { number("radius") }
    /// The UUID of an iBeacon.
    public var proximityUUID: String? { string("proximityUUID") }
    /// The major number of an iBeacon.
    public var majorId: Int? { integer("majorId") }
    /// The minor number of an iBeacon; nil for any.
    public var minorId: Int? { integer("minorId") }
  }

  /// When the device leaves it, another plan is due.
  public struct Fence: Hashable, Sendable {
    /// Degrees.
    public var latitude: Double
    /// Degrees.
    public var longitude: Double
    /// Metres.
    public var radius: Double
  }

  public static let required = ["add", "remove", "fenceChanged", "dense", "unwatchedBeacons"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The regions to be registered from now on.
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

  /// Whether the fence around the device is another one.
  public var fenceChanged: Bool { flag("fenceChanged") }
  /// The places lie too close together for the budget.
  public var isDense: Bool { flag("dense") }
  /// How many beacons of the feed the budget has no room for.
  public var unwatchedBeacons: Int { integer("unwatchedBeacons") ?? 0 }
}

/// Something in a document that is wrong, or most likely not what was meant; docs/lint.md lists the codes.
public struct Finding: Record {
  public static let required = ["code", "severity", "document", "pointer", "line", "column", "sentence", "remedy"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The name of the rule (docs/lint.md).
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
  /// The fault, as a sentence.
  public var sentence: String { text("sentence") }
  /// How to mend it.
  public var remedy: String { text("remedy") }
}

/// The events that wait for the app (docs/events.md, Consumers).
public struct PendingEvents: Record {
  public static let required = ["acknowledged", "lost", "waiting", "events"]
  /// All of it, as JSON.
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
  /// The events, the oldest first.
  public var events: [Event] { object["events"]?.array?.compactMap { $0.object.flatMap { try? Event($0) } } ?? [] }
}
