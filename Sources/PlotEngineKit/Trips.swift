internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A way to a region, as an app describes it (docs/trips.md).
public struct TripPlan: Sendable {
  /// How somebody goes.
  public enum Mode: String, CaseIterable, Sendable {
    /// On foot, by bicycle, by car.
    case pedestrian, bicycle, auto
  }

  /// The app's own.
  public var id: String
  /// The destination, a region of the feed.
  public var region: String
  /// How somebody goes.
  public var mode = Mode.auto
  /// The way as a line; two positions at least.
  public var route: [Position] = []
  /// Until when the trip is to arrive.
  public var deadline: Date?
  /// When the trip is over, whatever has become of it.
  public var expires: Date?
  /// When the destination is near: so many seconds before the arrival, or so many metres.
  public var approachingSeconds: Int?
  /// So many metres before the place the trip is approaching.
  public var approachingMetres: Double?
  /// Regions that somebody may take for the destination.
  public var others: [String] = []
  /// Strings, numbers and booleans.
  public var metadata: JSONObject = [:]

  /// A trip to a region of the feed.
  public init(id: String, region: String) { (self.id, self.region) = (id, region) }

  /// A JSON text.
  public var json: String {
    var object: JSONObject = ["id": .string(id), "region": .string(region), "mode": .string(mode.rawValue)]
    if !route.isEmpty {
      let points = route.map { JSON.array([.number($0.longitude), .number($0.latitude)]) }
      object["route"] = .object(["type": "LineString", "coordinates": .array(points)])
    }
    object["deadline"] = deadline.map { .string(Timestamp.text($0.milliseconds)) }
    object["expires"] = expires.map { .string(Timestamp.text($0.milliseconds)) }
    object["approachingSeconds"] = approachingSeconds.map { .integer(Int64($0)) }
    object["approachingMetres"] = approachingMetres.map { .number($0) }
    if !others.isEmpty { object["others"] = .array(others.map(JSON.string)) }
    if !metadata.isEmpty { object["metadata"] = .object(metadata) }
    return object.text
  }
}

/// The events of a trip; a campaign may wait for one.
public enum TripEvent: String, CaseIterable, Hashable, Sendable {
  /// It has begun; it is near; it is there; it stands still.
  case started, approaching, arrived, stopped
  /// It has left its route.
  case offRoute = "off-route"
  /// It will not be there in time.
  case delayed
  /// It has come to another place of those that count as wrong.
  case wrongDestination = "wrong-destination"
  /// Its time is over; the app has ended it.
  case expired, cancelled
}

/// A trip that is on.
public struct Trip: Record {
  public static let required = ["id", "region", "mode", "started", "ends"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The id that the app gave it.
  public var id: String { text("id") }
  /// The id of the region that it goes to.
  public var region: String { text("region") }
  /// How somebody goes.
  public var mode: TripPlan.Mode { TripPlan.Mode(rawValue: text("mode")) ?? .auto }
  /// Until when it is to arrive.
  public var deadline: Date? { date("deadline") }
  /// When it began.
  public var started: Date { moment("started") }
  /// When it ends by itself.
  public var ends: Date { moment("ends") }
  /// The rest of the way, in metres; nil where that is not known.
  public var metres: Double? { number("metres") }
  /// When the device is expected at the destination; nil where that is not known.
  public var arrival: Date? { date("arrival") }
  /// Metres a second, on the way.
  public var speed: Double? { number("speed") }
  /// Whether it is near.
  public var isApproaching: Bool { flag("approaching") }
  /// Whether it will not be there in time.
  public var isDelayed: Bool { flag("delayed") }
  /// Whether it stands still.
  public var isStopped: Bool { flag("stopped") }
  /// Whether it has left its route.
  public var isOffRoute: Bool { flag("offRoute") }
  /// The values that the app gave with it.
  public var metadata: JSONObject { object["metadata"]?.object ?? [:] }
}

extension Engine {
  /// Begins a trip to a region, or gives one of this id that is on another plan.
  public func startTrip(_ plan: TripPlan, at date: Date? = nil) throws(PlotError) {
    try startTrip(json: plan.json, at: date)
  }

  /// The same with a JSON text (docs/trips.md).
  public func startTrip(json: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.startTrip(Array(json.utf8), at: at) }
  }

  /// A trip is over: the device has arrived, or will not.
  public func endTrip(_ id: String, hasArrived: Bool = false, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.endTrip(id, hasArrived: hasArrived, at: at) }
  }

  /// The trips that are on, by id, and where they stand at a time.
  public func trips(at date: Date? = nil) throws(PlotError) -> [Trip] {
    records(try tripsText(at: date))
  }

  /// The same as a JSON text.
  public func tripsText(at date: Date? = nil) throws(PlotError) -> String {
    let at = try moment(date)
    return try attempt { () throws(EngineError) in try core.trips(at: at) }
  }
}
