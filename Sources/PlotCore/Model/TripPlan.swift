/// A way to a region, as an app describes it (docs/trips.md).
public struct TripPlan: Equatable, Sendable {
  /// The app's own.
  public var id: Identifier
  /// The destination.
  public var region: Identifier
  public var mode = TravelTime.Mode.auto
  public var route: Route?
  /// The trip is delayed when it lasts longer.
  public var deadline: Milliseconds?
  /// It is over then, whatever has become of it; nil for the standard.
  public var expires: Milliseconds?
  /// When the destination is near: so many seconds, or so many metres, before the arrival.
  public var approachingSeconds: Int64?
  public var approachingMetres: Double?
  /// Regions that are not the destination, though somebody may think so.
  public var others: [Identifier] = []
  public var metadata: [Identifier: PropertyValue] = [:]

  public static let limit = 16
  public static let approachingSecondsRange: ClosedRange<Int64> = 10...86_400
  public static let approachingMetresRange = 1.0...1_000_000
  public static let othersLimit = 100
  public static let metadataLimit = 32

  public init(id: Identifier, region: Identifier) { (self.id, self.region) = (id, region) }

  /// The end of a trip that began at a time.
  func end(after start: Milliseconds) -> Milliseconds {
    expires ?? max(start, deadline ?? start) + Self.standardLength
  }

  /// A trip without an end of its own lasts so long, or so long beyond its deadline.
  private static let standardLength: Milliseconds = 43_200_000

  /// The seconds before the arrival from which on it is near, where only that is asked.
  var approachingTime: Int64? { approachingSeconds ?? (approachingMetres == nil ? Self.standardApproaching : nil) }

  private static let standardApproaching: Int64 = 300

  /// Whether a destination so many metres away, or to be reached in so long, is near.
  func isApproaching(_ metres: Double, _ time: Milliseconds) -> Bool {
    approachingMetres.map { metres <= $0 } ?? false || approachingTime.map { time <= $0 * 1000 } ?? false
  }
}

/// The events of a trip; a campaign may wait for one.
public enum TripMoment: String, CaseIterable, Sendable {
  case started, approaching, arrived, stopped
  case offRoute = "off-route"
  case delayed
  case wrongDestination = "wrong-destination"
  case expired, cancelled

  /// Its place among all.
  var number: Int64 { Int64(Self.allCases.firstIndex(of: self) ?? 0) }

  init?(number: Int64) {
    guard Self.allCases.indices.contains(Int(clamping: number)) else { return nil }
    self = Self.allCases[Int(number)]
  }
}

extension TravelTime.Mode {
  /// Metres a second, until it is known how fast somebody is.
  package var standardSpeed: Double {
    switch self {
    case .pedestrian: 1.35
    case .bicycle: 4.5
    case .auto: 11
    }
  }
}
