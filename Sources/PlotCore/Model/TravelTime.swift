/// The way that an isochrone stands for: from anywhere on its edge to its middle, or back.
public struct TravelTime: Equatable, Hashable, Sendable {
  public enum Mode: String, CaseIterable, Sendable {
    case pedestrian, bicycle, auto
  }

  /// 0 to 1,440.
  public var minutes: Int64
  /// Nil where the feed does not say.
  public var mode: Mode?

  public init(minutes: Int64, mode: Mode? = nil) { (self.minutes, self.mode) = (minutes, mode) }

  public static let range: ClosedRange<Int64> = 0...1440

  /// The value of a placeholder, of whose name all letters are small.
  func field(_ folded: String) -> String? {
    switch folded {
    case "travelminutes": String(minutes)
    case "travelmode": mode?.rawValue
    default: nil
    }
  }
}

/// A condition about the way that a region stands for; a region without one fulfils none.
public enum TravelCondition: Equatable, Sendable {
  case minutes(Comparison.Order, Int64)
  case mode([TravelTime.Mode])

  public func accepts(_ travel: TravelTime?) -> Bool {
    guard let travel else { return false }
    switch self {
    case .minutes(let order, let minutes):
      return order.accepts(Int(truncatingIfNeeded: (travel.minutes - minutes).signum()))
    case .mode(let modes): return travel.mode.map(modes.contains) ?? false
    }
  }
}
