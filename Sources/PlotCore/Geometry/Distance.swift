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
