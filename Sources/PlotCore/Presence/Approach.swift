/// An approach that has been told, for campaigns of so many seconds.
public struct Approach: Equatable, Sendable {
  public var region: Identifier
  public var seconds: Int64
  /// Metres to the region's edge at that time.
  public var distance: Double

  public init(region: Identifier, seconds: Int64, distance: Double) {
    self.region = region
    self.seconds = seconds
    self.distance = distance
  }

  /// Whether the device, now so many metres from the edge, has given it up.
  func isOver(at edge: Double) -> Bool { edge > 2 * distance + 500 }

  /// Where a device goes that may come to a region.
  struct Way {
    /// Metres a second; who is slower approaches nothing.
    static let leastSpeed = 0.5

    private var speed: Double
    private var course: Double

    init?(_ motion: Motion) {
      guard let speed = motion.speed, speed >= Self.leastSpeed, let course = motion.course else { return nil }
      (self.speed, self.course) = (speed, course)
    }

    /// In how many seconds one arrives at a shape whose edge is so many metres away; nil when not so soon.
    func arrival(at shape: Region.Shape, edge: Double, from start: Coordinate, within seconds: Int64) -> Double? {
      let length = speed * Double(seconds)
      guard edge <= length else { return nil }
      let end = Earth.destination(from: start, course: course, metres: length)
      return shape.passages(from: start, to: end).first.map { Double(seconds) * $0.lowerBound }
    }
  }
}
