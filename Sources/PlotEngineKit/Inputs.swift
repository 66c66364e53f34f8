package import PlotCore
internal import PlotEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where the device is.
public struct Fix: Hashable, Sendable {
  /// Degrees.
  public var latitude: Double
  /// Degrees, -180 to 180.
  public var longitude: Double
  /// Metres; nil when not known.
  public var accuracy: Double?
  /// Metres a second; nil when not known.
  public var speed: Double?
  /// Degrees from north; nil when not known.
  public var course: Double?
  /// When; nil for now, by the engine's clock.
  public var date: Date?

  /// A fix; without a date, of now.
  public init(
    latitude: Double, longitude: Double, accuracy: Double? = nil, speed: Double? = nil, course: Double? = nil,
    date: Date? = nil
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
    self.speed = speed
    self.course = course
    self.date = date
  }

  func core(at time: Int64) -> PlotCore.Fix {
    PlotCore.Fix(
      time: time, coordinate: Coordinate(latitude: latitude, longitude: longitude), accuracy: known(accuracy, or: 0),
      speed: known(speed, or: -1), course: known(course, or: -1))
  }
}

/// Not a number means "not known".
private func known(_ value: Double?, or unknown: Double) -> Double {
  value.map { $0.isNaN ? unknown : $0 } ?? unknown
}

/// A beacon that was heard.
public struct Sighting: Hashable, Sendable {
  /// The identity that a beacon sends.
  public enum Beacon: Hashable, Sendable {
    /// An iBeacon, by its three numbers.
    case iBeacon(proximityUUID: String, majorId: UInt16, minorId: UInt16)
    /// A beacon with UID frames, both ids in hexadecimal digits.
    case eddystone(namespaceId: String, instanceId: String)
  }

  /// How near the system says that it is.
  public enum Proximity: String, Hashable, Codable, Sendable, CaseIterable {
    /// Below 1 m, about 2 m, about 30 m.
    case immediate, near, far
  }

  /// Which beacon was heard.
  public var beacon: Beacon
  /// The system's own word; nil when it has none.
  public var proximity: Proximity?
  /// How strongly it was heard, in dBm; nil when not known.
  public var rssi: Double?
  /// How strongly it is heard at one metre, in dBm; of an Eddystone as its frames say it. Nil when not known.
  public var power: Double?
  /// When; nil for now, by the engine's clock.
  public var date: Date?

  /// A sighting; without a date, of now.
  public init(
    _ beacon: Beacon, proximity: Proximity? = nil, rssi: Double? = nil, power: Double? = nil, date: Date? = nil
  ) {
    self.beacon = beacon
    self.proximity = proximity
    self.rssi = rssi
    self.power = power
    self.date = date
  }

  func core(at time: Int64) -> PlotCore.Sighting {
    let range = proximity.flatMap { BeaconRange(rawValue: $0.rawValue) }
    let (rssi, power) = (known(rssi, or: 0), known(power, or: 0))
    switch beacon {
    case .iBeacon(let uuid, let major, let minor):
      return PlotCore.Sighting(
        time: time, sender: .iBeacon(proximityUUID: uuid, majorId: major, minorId: minor), proximity: range,
        rssi: rssi, power: power)
    case .eddystone(let namespace, let instance):
      return PlotCore.Sighting(
        time: time, sender: .eddystone(namespaceId: namespace, instanceId: instance), proximity: range, rssi: rssi,
        power: PlotCore.Sighting.power(ofFrame: power))
    }
  }
}

/// Somewhere, more or less.
public struct Position: Hashable, Sendable {
  /// Degrees.
  public var latitude: Double
  /// Degrees, -180 to 180.
  public var longitude: Double
  /// Metres; nil when not known: the position is then taken as exact.
  public var accuracy: Double?

  /// A place, with its accuracy in metres where that is known.
  public init(latitude: Double, longitude: Double, accuracy: Double? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.accuracy = accuracy
  }

  var core: PlotCore.Position {
    PlotCore.Position(Coordinate(latitude: latitude, longitude: longitude), accuracy: known(accuracy, or: 0))
  }
}

/// A report of the operating system about a region that it watches.
public struct RegionHint: Hashable, Sendable {
  /// The change that the system reports.
  public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    /// It was entered, or left, at this time.
    case enter, exit
    /// The device is inside, or outside, at this time; since when is not said.
    case inside, outside
  }

  /// The id of the region.
  public var region: String
  /// The kind of what happened.
  public var kind: Kind
  /// Where the device was, where the system says so.
  public var position: Position?
  /// When; nil for now, by the engine's clock.
  public var date: Date?

  /// A hint; without a date, of now.
  public init(_ kind: Kind, _ region: String, position: Position? = nil, date: Date? = nil) {
    self.kind = kind
    self.region = region
    self.position = position
    self.date = date
  }
}

/// A request to ``Engine/planRegions(_:at:)``.
public struct RegionPlanRequest: Hashable, Sendable {
  /// How many registrations the system allows, 1 to 1,000; nil for `maxRegionsMonitored` of the configuration.
  public var budget: Int?
  /// Nil for the newest fix.
  public var position: Position?
  /// The system has forgotten all registrations, as Android does when the device is started.
  public var reset = false
  /// The system says that the fence was left.
  public var fenceLeft = false

  /// A request; without a position, about the newest fix.
  public init(budget: Int? = nil, position: Position? = nil, reset: Bool = false, fenceLeft: Bool = false) {
    self.budget = budget
    self.position = position
    self.reset = reset
    self.fenceLeft = fenceLeft
  }
}

/// The value of a segmentation property.
public enum PropertyValue: Hashable, Sendable {
  /// A text.
  case string(String)
  /// A truth value.
  case boolean(Bool)
  /// A whole number.
  case integer(Int64)
  /// A number.
  case double(Double)
  /// A moment.
  case date(Date)

  package init(_ value: PlotCore.PropertyValue) {
    switch value {
    case .string(let text): self = .string(text)
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let number): self = .integer(number)
    case .double(let number): self = .double(number)
    case .date(let time): self = .date(Date(milliseconds: time))
    }
  }

  var core: PlotCore.PropertyValue {
    switch self {
    case .string(let text): .string(text)
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .double(let number): .double(number)
    case .date(let date): .date(date.milliseconds)
    }
  }
}

extension PropertyValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
}

/// An effect of one of many fixes (docs/batch.md).
public struct FixEffect: Hashable, Sendable {
  /// The kind of an effect.
  public enum Kind: Hashable, Sendable {
    /// The fix was not taken.
    case refused(PlotError.Code)
    /// An event.
    case event(Event.Name)
    /// The app was asked which notifications it keeps.
    case filterAsked
    /// The app was given geotriggers to handle.
    case geotriggersAsked
  }

  /// The position of the fix among those that were given.
  public var fix: Int
  /// The kind of the effect.
  public var kind: Kind
  /// When it happened.
  public var date: Date
  /// An event's sequence, or the token of what was asked.
  public var number: UInt64
  /// The ordinal of the visit, at a dwelling its minutes, at an approach its seconds.
  public var detail: Int
  /// Places in the feed: ``Feed/regionId(at:)``, ``Feed/campaignId(at:)``.
  public var region: Int?
  /// The position of the campaign in the feed, ``Feed/campaignId(at:)``.
  public var campaign: Int?

  init(_ effect: BatchEffect) {
    fix = Int(effect.fix)
    kind =
      switch effect.kind {
      case .refused: .refused(PlotError.Code(rawValue: Int32(effect.detail)))
      case .event(let kind): .event(Event.Name(rawValue: kind.rawValue))
      case .filterAsked: .filterAsked
      case .geotriggersAsked: .geotriggersAsked
      }
    date = Date(milliseconds: effect.time)
    number = effect.number
    detail = Int(effect.detail)
    region = effect.region == BatchEffect.none ? nil : Int(effect.region)
    campaign = effect.campaign == BatchEffect.none ? nil : Int(effect.campaign)
  }
}

/// The action for an opened notification.
public enum OpenAction: String, Hashable, Codable, Sendable, CaseIterable {
  /// Open the app.
  case app
  /// Open the URI.
  case uri
  /// Show the URI in the app.
  case landingPage
  /// Open another app.
  case applink
  /// The data is no URI, or of a scheme that is not opened (`engine.uriSchemes`): the app knows what it means.
  case data

  init(_ action: PlotEngine.OpenAction) {
    self =
      switch action {
      case .app: .app
      case .uri: .uri
      case .landingPage: .landingPage
      case .applink: .applink
      case .data: .data
      }
  }

  /// As in `plotengine.h`.
  public var number: Int32 {
    switch self {
    case .app: 0
    case .uri: 1
    case .landingPage: 2
    case .applink: 3
    case .data: 4
    }
  }
}

/// A line of the log.
public struct LogEntry: Hashable, Sendable {
  /// How much a line matters.
  public enum Level: String, Hashable, Codable, Sendable, CaseIterable, Comparable {
    /// From what has failed down to what is of use to developers alone.
    case error, warning, info, debug

    public static func < (a: Level, b: Level) -> Bool { a.rank < b.rank }

    private var rank: Int {
      switch self {
      case .debug: 0
      case .info: 1
      case .warning: 2
      case .error: 3
      }
    }

    init(_ level: LogLevel) {
      self =
        switch level {
        case .error: .error
        case .warning: .warning
        case .info: .info
        case .debug: .debug
        }
    }
  }

  /// How much it matters.
  public var level: Level
  /// The line, without its time.
  public var message: String
}
