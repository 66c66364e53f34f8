/// A position on the Earth in degrees (WGS 84).
public struct Coordinate: Equatable, Sendable {
  public var latitude: Double
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A circle on the ground; `radius` in metres.
public struct Circle: Equatable, Sendable {
  public var center: Coordinate
  public var radius: Double

  public init(center: Coordinate, radius: Double) {
    self.center = center
    self.radius = radius
  }
}

/// A part of the ground that a position can be inside of.
public enum Place: Equatable, Sendable {
  case circle(Circle)
  case area(Area)
}

extension Coordinate {
  mutating func code(_ coder: inout some StateCoder) {
    coder.code(&latitude)
    coder.code(&longitude)
    let isOnEarth = abs(latitude) <= 90 && abs(longitude) <= 180
    coder.require(isOnEarth)
  }
}
