/// A plan of the regions that a host registers with its system, which watches only so many (docs/region-plan.md).
///
/// While the device stays within `fence`, no place that is not registered is entered or left; when it leaves, the host plans again.
public struct RegionPlan: Equatable, Sendable {
  /// 0 before the first plan.
  public var budget: Int64 = 0
  /// Sorted by id.
  public var registrations: [Registration] = []
  /// Nil when every place is registered.
  public var fence: Circle?
  /// A place that is not registered may be entered or left within the fence: they lie too close together for the budget.
  public var isDense = false
  /// How many beacon regions nothing registered stands for.
  public var unwatchedBeacons: Int64 = 0

  public init() {}

  /// One thing that the system watches.
  public struct Registration: Equatable, Sendable {
    public enum Target: Equatable, Sendable {
      case circle(Circle)
      /// The circle around an area.
      case area(Circle)
      case beacon(BeaconFilter)
    }

    /// The region's; `beacons;UUID` for all beacons of one UUID, which no region can be called.
    public var id: String
    public var target: Target

    public init(id: String, target: Target) {
      self.id = id
      self.target = target
    }
  }

  /// Beacons: one, or with no minor all of a major, or with neither all of a UUID.
  public struct BeaconFilter: Equatable, Sendable {
    public var proximityUUID: String
    public var majorId: UInt16?
    public var minorId: UInt16?

    public init(proximityUUID: String, majorId: UInt16? = nil, minorId: UInt16? = nil) {
      self.proximityUUID = proximityUUID
      self.majorId = majorId
      self.minorId = minorId
    }
  }

  /// The least and most metres of a fence: below, systems are not to be relied on; beyond, some refuse it.
  public static let fence = (least: 100.0, most: 50_000.0)
  /// The advantage of a place that is registered already: metres, and a share.
  static let hysteresis = (meters: 50.0, share: 0.1)
  /// The part of a distance that counts: systems measure on an ellipsoid, this engine on a sphere.
  static let caution = 0.99
  /// Beacons get one part in so many of the budget, and what the places leave free.
  public static let beaconShare = 3

  /// A region with a position.
  struct Place {
    var id: Identifier
    var circle: Circle
    var isArea: Bool
    var isVisited: Bool

    /// How far one can go, in metres, before it is entered, or left; 0 when that is due.
    func gap(from coordinate: Coordinate) -> Double {
      let edge = Earth.distance(coordinate, circle.center) - circle.radius
      return max(0, isVisited ? -edge : edge)
    }

    var registration: Registration { Registration(id: id.text, target: isArea ? .area(circle) : .circle(circle)) }
  }

  /// A region that is a beacon.
  struct BeaconPlace {
    var id: Identifier
    var filter: BeaconFilter
    var isVisited: Bool
  }

  /// The plan for all of these within a budget, as near as may be to the one `before`. Nil when it depends on where the device is, and that
  /// is not known. `isFenceLeft`: the system says so, wherever the device seems to be.
  static func make(
    _ places: [Place], _ beacons: [BeaconPlace], at here: Position?, budget: Int64, before: RegionPlan,
    isFenceLeft: Bool = false, usesHysteresis: Bool = true
  ) -> RegionPlan? {
    var plan = RegionPlan()
    plan.budget = budget
    let room = plan.register(beacons, share: max(Int(budget) / beaconShare, Int(budget) - places.count))
    guard places.count > room else {
      plan.register(places)
      return plan
    }
    guard let here else { return nil }
    if !isFenceLeft, before.isValid(places, plan, at: here) { return before }
    let known = before.targets
    let ranked = places.map { place in
      let registration = place.registration
      return Ranked(
        place: place, gap: place.gap(from: here.coordinate),
        isRegistered: known[Identifier(registration.id)] == registration.target)
    }
    plan.choose(ranked, room: room - 1, at: here, usesHysteresis: usesHysteresis)
    // Steadiness does not cost what the budget allows.
    if plan.isDense, usesHysteresis {
      var plain = plan
      plain.choose(ranked, room: room - 1, at: here, usesHysteresis: false)
      if !plain.isDense { plan = plain }
    }
    return plan
  }

  /// A place in the order in which they are registered.
  private struct Ranked {
    var place: Place
    var gap: Double
    var isRegistered: Bool

    /// Visited ones first, then by whole metres; ties by id.
    func comes(before other: Ranked, usesHysteresis: Bool) -> Bool {
      if place.isVisited != other.place.isVisited { return place.isVisited }
      let (mine, others) = (rank(usesHysteresis), other.rank(usesHysteresis))
      return mine == others ? place.id < other.place.id : mine < others
    }

    private func rank(_ usesHysteresis: Bool) -> Double {
      let nearer = isRegistered && usesHysteresis
      return (nearer ? gap * (1 - hysteresis.share) - hysteresis.meters : gap).rounded()
    }
  }

  private mutating func choose(_ ranked: [Ranked], room: Int, at here: Position, usesHysteresis: Bool) {
    let sorted = ranked.sorted { $0.comes(before: $1, usesHysteresis: usesHysteresis) }
    let chosen = sorted.prefix(max(room, 0))
    registrations.removeAll { if case .beacon = $0.target { false } else { true } }
    register(chosen.map(\.place))
    let nearest = sorted[chosen.count...].reduce(Double.infinity) { min($0, $1.gap) }
    let free = (min(nearest * Self.caution, Self.fence.most) - here.accuracy).rounded(.down)
    // The device must be within it when it is registered.
    let least = min(max(Self.fence.least, here.accuracy.rounded(.up)), Self.fence.most)
    isDense = free < least || here.accuracy > Self.fence.most
    fence = Circle(center: here.coordinate, radius: max(free, least))
  }

  private mutating func register(_ places: [Place]) {
    registrations += places.map(\.registration)
    registrations.sort { Identifier($0.id) < Identifier($1.id) }
  }

  /// Registers beacons, in the order of the feed, visited ones first: each by itself if they are no more than `share`, else one for each
  /// UUID. Gives what is left for places.
  private mutating func register(_ beacons: [BeaconPlace], share: Int) -> Int {
    guard beacons.count > share else {
      registrations = beacons.map { Registration(id: $0.id.text, target: .beacon($0.filter)) }
      registrations.sort { Identifier($0.id) < Identifier($1.id) }
      return Int(budget) - registrations.count
    }
    var uuids: [String] = []
    var known: Set<String> = []
    for beacon in beacons.filter(\.isVisited) + beacons where known.insert(beacon.filter.proximityUUID).inserted {
      uuids.append(beacon.filter.proximityUUID)
    }
    let watched = Set(uuids.prefix(share))
    registrations = watched.sorted().map {
      Registration(id: "beacons;" + $0, target: .beacon(BeaconFilter(proximityUUID: $0)))
    }
    unwatchedBeacons = Int64(beacons.count { !watched.contains($0.filter.proximityUUID) })
    return Int(budget) - registrations.count
  }

  /// Whether this plan still holds with the device at `here`; `beacons` is a plan with the beacons of now.
  private func isValid(_ places: [Place], _ beacons: RegionPlan, at here: Position) -> Bool {
    guard let fence, !isDense, budget == beacons.budget, unwatchedBeacons == beacons.unwatchedBeacons,
      Earth.distance(here.coordinate, fence.center) + here.accuracy <= fence.radius
    else { return false }
    let known = targets
    let beaconCount = registrations.count { if case .beacon = $0.target { true } else { false } }
    guard beaconCount == beacons.registrations.count,
      beacons.registrations.allSatisfy({ known[Identifier($0.id)] == $0.target })
    else { return false }
    var registered = beaconCount
    for place in places {
      let registration = place.registration
      if let target = known[Identifier(registration.id)] {
        guard target == registration.target else { return false }
        registered += 1
      } else if place.isVisited || place.gap(from: fence.center) * Self.caution < fence.radius {
        return false
      }
    }
    // None of what is registered is gone.
    return registered == registrations.count
  }

  /// By their ids, of which each is there once.
  private var targets: [Identifier: Registration.Target] {
    Dictionary(registrations.map { (Identifier($0.id), $0.target) }, uniquingKeysWith: { first, _ in first })
  }

  /// The steps from one plan to another: first remove, then add.
  public struct Difference: Equatable, Sendable {
    public var add: [Registration]
    public var remove: [String]
    /// The fence to watch, nil for none, and whether it is another one than before.
    public var fence: Circle?
    public var isFenceNew: Bool
    public var isDense: Bool
    public var unwatchedBeacons: Int64

    public var isEmpty: Bool { add.isEmpty && remove.isEmpty && !isFenceNew }
  }

  /// One whose circle is another than before is removed, and added.
  func difference(from before: RegionPlan) -> Difference {
    let (old, new) = (before.targets, targets)
    return Difference(
      add: registrations.filter { old[Identifier($0.id)] != $0.target },
      remove: before.registrations.filter { new[Identifier($0.id)] != $0.target }.map(\.id), fence: fence,
      isFenceNew: fence != before.fence, isDense: isDense, unwatchedBeacons: unwatchedBeacons)
  }
}
