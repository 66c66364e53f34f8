/// A trip that is on: its plan, and what was told of it.
public struct Trip: Equatable, Sendable {
  public var plan: TripPlan
  public var started: Milliseconds
  /// The destination was told to be near, and the trip to be late.
  public var isApproaching = false
  public var isDelayed = false
  /// The device rests on the way, or is beside the route.
  public var isStopped = false
  public var isOffRoute = false
  /// The newest visit to one of the other regions that was told.
  public var wrongVisit: String?

  public init(plan: TripPlan, started: Milliseconds) { (self.plan, self.started) = (plan, started) }

  public var id: Identifier { plan.id }

  /// The same on another plan: what was told of the old one, and is not true of the new one, may be told again.
  func with(_ plan: TripPlan) -> Trip {
    var trip = self
    trip.plan = plan
    if plan.deadline != self.plan.deadline || plan.region != self.plan.region { trip.isDelayed = false }
    if plan.region != self.plan.region { (trip.isApproaching, trip.wrongVisit) = (false, nil) }
    if plan.route != self.plan.route { trip.isOffRoute = false }
    return trip
  }

  /// When it ends by itself.
  public var end: Milliseconds { plan.end(after: started) }

  /// When it is late, as far as that was not told; nil for never.
  var lateAt: Milliseconds? { isDelayed ? nil : plan.deadline }
}

/// Where a trip stands.
public struct TripStanding: Equatable, Sendable {
  /// The rest of the way, in metres.
  public var metres: Double
  /// When the device is expected at the destination.
  public var arrival: Milliseconds
  /// Metres a second, on the way.
  public var speed: Double
}

/// How far a trip has come. It follows from the fixes since it began, and lies in the store's page.
struct TripProgress: Equatable, Sendable {
  /// Metres a second, on the way.
  private(set) var speed: Double
  /// Metres from the beginning of the route; negative where that is not known.
  private(set) var along = -1.0
  /// Since when the device has been near a place; where, and how sure that place is.
  private(set) var rest: Coordinate
  private(set) var since: Milliseconds
  /// When a fix was first beside the route; 0 for none.
  private(set) var besideSince: Milliseconds = 0

  enum Constant {
    /// Somebody who is within so many metres of a place for so long has stopped.
    static let (stopMetres, stopTime): (Double, Milliseconds) = (50, 300_000)
    /// Somebody who is so far beside the route, beyond the accuracy of a fix, for so long, is off it.
    static let (offMetres, offTime): (Double, Milliseconds) = (100, 20_000)
    /// The way without a route is longer than the straight line.
    static let detour = 1.3
    /// The speed of so many seconds counts as much as all before.
    static let memory = 120.0
    /// Slower than this nobody is on the way: metres a second.
    static let slowest = 0.5
    /// A fix says for so long where somebody is who is on the way.
    static let underWay: Milliseconds = 60_000
    /// An arrival that is expected so much after the deadline is late, and a tenth of the way to come more.
    static let lateness: Milliseconds = 60_000
  }

  init(_ plan: TripPlan, at fix: Fix) {
    (speed, rest, since) = (plan.mode.standardSpeed, fix.coordinate, fix.time)
    if fix.speed >= Constant.slowest { speed = (speed + fix.speed) / 2 }
    find(plan, fix, nil)
  }

  /// For what is read.
  init() { (speed, rest, since) = (1, Coordinate(latitude: 0, longitude: 0), 0) }

  /// The plan is another one.
  mutating func replan(_ plan: TripPlan, at fix: Fix) {
    (along, besideSince) = (-1, 0)
    find(plan, fix, nil)
  }

  mutating func take(_ fix: Fix, after previous: Fix?, _ plan: TripPlan) {
    let accuracy = EvidencePolicy.accuracy(fix.accuracy)
    if let previous, fix.time > previous.time {
      let (metres, seconds) = (
        Earth.distance(previous.coordinate, fix.coordinate), Double(fix.time - previous.time) / 1000
      )
      // At rest only errors move.
      let isSure = metres > accuracy + EvidencePolicy.accuracy(previous.accuracy) || fix.speed >= Constant.slowest
      let pace = fix.speed >= 0 && seconds <= 10 ? fix.speed : metres / seconds
      if isSure, pace >= Constant.slowest {
        speed += (pace - speed) * (seconds / (seconds + Constant.memory))
      }
      find(plan, fix, metres)
    }
    if Earth.distance(rest, fix.coordinate) > Constant.stopMetres + accuracy {
      (rest, since) = (fix.coordinate, fix.time)
    }
  }

  private mutating func find(_ plan: TripPlan, _ fix: Fix, _ moved: Double?) {
    let expected = along >= 0 ? (along - 50)...(along + 1.5 * (moved ?? 0) + 100) : nil
    guard let place = plan.route?.place(of: fix.coordinate, expected: expected) else { return }
    along = place.along
    let most = Constant.offMetres + fix.accuracy
    // The way back ends at half of that.
    if place.beside > (besideSince > 0 ? most / 2 : most) {
      if besideSince == 0 { besideSince = max(1, fix.time) }
    } else {
      besideSince = 0
    }
  }

  func isStopped(at fix: Fix) -> Bool { fix.time - since >= Constant.stopTime }

  func isOffRoute(at fix: Fix) -> Bool { besideSince > 0 && fix.time - besideSince >= Constant.offTime }

  /// Metres that are left on the way from a fix to a shape; nil where the shape is no place.
  func metres(_ plan: TripPlan, to shape: Region.Shape, from fix: Fix) -> Double? {
    guard let edge = shape.edgeDistance(from: fix.coordinate) else { return nil }
    if edge <= 0 { return 0 }
    guard let route = plan.route, let end = route.points.last, along >= 0 else { return Constant.detour * edge }
    let place = route.place(of: fix.coordinate, expected: along...along)
    let beside = place.map { $0.beside > Constant.offMetres ? Constant.detour * $0.beside : 0 } ?? 0
    // A route that ends within goes on to the middle; one that ends before is not all of the way.
    let rest = shape.edgeDistance(from: end) ?? 0
    let way = max(0, route.length - along + rest) + beside + (rest > 0 ? (Constant.detour - 1) * rest : 0)
    return max(way, edge)
  }

  /// When the device arrives, as far as is known at a time.
  func arrival(_ metres: Double, from fix: Fix, at time: Milliseconds) -> Milliseconds {
    let start = max(fix.time, time - (isStopped(at: fix) ? 0 : Constant.underWay))
    let seconds = Milliseconds(saturating: (metres / max(speed, 0.1)).rounded())
    return min(max(time, start + seconds * 1000), Timestamp.range.upperBound)
  }

  /// Whether an arrival is so late that it must be told before the deadline.
  static func isLate(_ arrival: Milliseconds, _ deadline: Milliseconds, at time: Milliseconds) -> Bool {
    arrival - deadline > Constant.lateness + (arrival - time) / 10
  }

  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    since = moved(since)
    if besideSince > 0 { besideSince = max(1, moved(besideSince)) }
  }

  mutating func code(_ coder: inout some FieldCoder) {
    coder.code(&speed)
    coder.code(&along)
    coder.code(&rest.latitude)
    coder.code(&rest.longitude)
    coder.code(&since)
    coder.code(&besideSince)
  }

  func isPossible(before newest: Milliseconds) -> Bool {
    speed.isFinite && speed >= 0 && along.isFinite && abs(rest.latitude) <= 90 && abs(rest.longitude) <= 180
      && (0...newest).contains(since) && (0...newest).contains(besideSince)
  }

  mutating func movePlaces(_ moved: (Double) -> Double) { rest.longitude = moved(rest.longitude) }
}
