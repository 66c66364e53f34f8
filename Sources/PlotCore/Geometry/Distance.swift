#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Distances on a sphere of the Earth's mean radius.
public enum Earth {
  /// Metres.
  public static let radius = 6_371_008.8

  /// Haversine distance in metres.
  public static func distance(_ a: Coordinate, _ b: Coordinate) -> Double {
    let degree = Double.pi / 180
    let sinLatitude = sin((b.latitude - a.latitude) * degree / 2)
    let sinLongitude = sin((b.longitude - a.longitude) * degree / 2)
    let h =
      sinLatitude * sinLatitude + cos(a.latitude * degree) * cos(b.latitude * degree) * sinLongitude * sinLongitude
    return 2 * radius * asin(min(1, h.squareRoot()))
  }
}

extension Earth {
  /// Of an angle in degrees.
  static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

  /// The course from one position to another, in degrees from north, 0 to 360.
  static func bearing(from a: Coordinate, to b: Coordinate) -> Double {
    let degree = Double.pi / 180
    let longitude = (b.longitude - a.longitude) * degree
    let (from, to) = (a.latitude * degree, b.latitude * degree)
    let angle = atan2(sin(longitude) * cos(to), cos(from) * sin(to) - sin(from) * cos(to) * cos(longitude)) / degree
    return angle < 0 ? angle + 360 : angle
  }

  /// Where one comes to from a position on a course, in degrees from north.
  static func destination(from start: Coordinate, course: Double, metres: Double) -> Coordinate {
    let degree = Double.pi / 180
    let (angle, latitude, course) = (metres / radius, start.latitude * degree, course * degree)
    let sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(course)
    let east = atan2(sin(course) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sine) / degree
    return Coordinate(latitude: asin(max(-1, min(1, sine))) / degree, longitude: folded(start.longitude + east))
  }

  /// The position at a share of the shortest way between two that are near each other.
  static func between(_ a: Coordinate, _ b: Coordinate, _ share: Double) -> Coordinate {
    let east = folded(b.longitude - a.longitude)
    return Coordinate(
      latitude: a.latitude + (b.latitude - a.latitude) * share, longitude: folded(a.longitude + east * share))
  }

  /// Of one that goes round at most once too often.
  @inline(__always)
  static func folded(_ longitude: Double) -> Double {
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  }
}
