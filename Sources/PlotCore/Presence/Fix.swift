/// Where the device is, as the host says it.
public struct Fix: Equatable, Sendable {
  public var time: Milliseconds
  public var coordinate: Coordinate
  /// Metres; 0 when not known: the policy says what it then counts as.
  public var accuracy: Double
  /// Metres a second; -1 when not known.
  public var speed: Double
  /// Degrees from north; -1 when not known.
  public var course: Double

  public init(time: Milliseconds, coordinate: Coordinate, accuracy: Double = 0, speed: Double = -1, course: Double = -1)
  {
    self.time = time
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.speed = speed
    self.course = course
  }

  /// The greatest accuracy that a host may report, in metres: half of the equator, for no place on Earth is further away.
  public static let greatestAccuracy = 20_037_508.0
  /// The greatest speed that a host may report, in metres a second: that of light.
  public static let greatestSpeed = 299_792_458.0

  /// Whether nothing is wrong with it, and it is within the limits of `excess`.
  var isGood: Bool {
    abs(coordinate.latitude) <= 90 && abs(coordinate.longitude) <= 180 && accuracy >= 0
      && accuracy <= Self.greatestAccuracy && speed >= -1 && speed <= Self.greatestSpeed && course >= -1
      && course <= 360
  }

  /// A value that a host may not report, though a machine takes it: recordings from before there were limits hold it.
  public static func excess(accuracy: Double = 0, speed: Double = -1) -> InputError? {
    func check(_ name: String, _ value: Double, _ limit: Double, _ unit: String) -> InputError? {
      guard value > limit else { return nil }
      return .invalid(name: name, expected: "\(unit), at most \(Int64(saturating: limit))", found: "\(value)")
    }
    return check("accuracy", accuracy, greatestAccuracy, "metres")
      ?? check("speed", speed, greatestSpeed, "metres a second")
  }

  /// The fault of it: the value, the expected one, the one that was found. Nil for a good fix.
  public var fault: InputError? {
    func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>, _ expected: String) -> InputError? {
      range.contains(value) ? nil : .invalid(name: name, expected: expected, found: "\(value)")
    }
    let most = Double.greatestFiniteMagnitude
    return check("latitude", coordinate.latitude, -90...90, "a number from -90 to 90")
      ?? check("longitude", coordinate.longitude, -180...180, "a number from -180 to 180")
      ?? check("accuracy", accuracy, 0...most, "metres, 0 or more")
      ?? check("speed", speed, -1...most, "metres a second, or -1 when not known")
      ?? check("course", course, -1...360, "degrees from 0 to 360, or -1 when not known")
  }
}
