/// A point in a plane, in metres east and north of its origin. Both numbers in one register: written apart and read together soon after, they
/// would make the processor wait.
struct Point: Equatable, Sendable {
  private var numbers: SIMD2<Double>

  var x: Double {
    get { numbers.x }
    set { numbers.x = newValue }
  }
  var y: Double {
    get { numbers.y }
    set { numbers.y = newValue }
  }

  init(x: Double = 0, y: Double = 0) { numbers = SIMD2(x, y) }
  private init(_ numbers: SIMD2<Double>) { self.numbers = numbers }

  static func + (a: Point, b: Point) -> Point { Point(a.numbers + b.numbers) }
  static func - (a: Point, b: Point) -> Point { Point(a.numbers - b.numbers) }
  static func * (a: Double, b: Point) -> Point { Point(a * b.numbers) }

  var square: Double {
    let squares = numbers * numbers
    return squares.x + squares.y
  }
  var length: Double { square.squareRoot() }
  func distance(to other: Point) -> Double { (self - other).length }
}

extension FieldCoder {
  @inline(__always)
  mutating func code(_ point: inout Point) {
    code(&point.x)
    code(&point.y)
  }
}

/// The plane around a position, as flat as the ground is within some kilometres: within 20 km of it, distances are true to a two-hundredth up
/// to 60 degrees of latitude.
struct Plane: Equatable, Sendable {
  private(set) var origin: Coordinate
  /// Metres of a degree of longitude; not less than at the last ten kilometres before a pole.
  let east: Double

  /// Metres of a degree of latitude.
  static let north = Earth.radius * .pi / 180
  private static let furthest = 20_000.0

  init(around origin: Coordinate) {
    self.origin = origin
    east = Self.north * max(0.0015, Earth.cosine(origin.latitude))
  }

  @inline(__always)
  func point(_ coordinate: Coordinate) -> Point {
    Point(
      x: Earth.folded(coordinate.longitude - origin.longitude) * east,
      y: (coordinate.latitude - origin.latitude) * Self.north)
  }

  func coordinate(_ point: Point) -> Coordinate {
    Coordinate(
      latitude: max(-90, min(90, origin.latitude + point.y / Self.north)),
      longitude: Earth.folded(origin.longitude + point.x / east))
  }

  /// Whether its origin is a place.
  var isOnEarth: Bool { abs(origin.latitude) <= 90 && abs(origin.longitude) <= 180 }

  /// It follows from its origin.
  @inline(__always)
  mutating func code(_ coder: inout some FieldCoder) {
    let before = origin
    coder.code(&origin.latitude)
    coder.code(&origin.longitude)
    if origin != before { self = Plane(around: origin) }
  }

  /// Whether a point is so far from the origin that the plane should be another one.
  @inline(__always)
  func isFar(_ point: Point) -> Bool { abs(point.x) > Self.furthest || abs(point.y) > Self.furthest }
}
