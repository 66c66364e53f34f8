/// Where the device is, as far as inputs have told: visits, what is not sure yet, and what the host was told to register. What an input
/// means is for the rules to say.
///
/// Invariants: visits and crossings have each region once, in the order of regions; approaches each region and number of seconds once, in
/// that order; a visit's ordinal is at most its region's; without a baseline no region is new.
public struct Presence: Sendable {
  // The fields that each crossing reads come first. Its functions are inlined, so that a change that nobody keeps is not made.
  public private(set) var visits: [Visit] = []
  /// How many visits each region has had; also of regions that are gone, for they may come back.
  public private(set) var ordinals = NumberTable<Identifier>()
  /// Crossings that are not sure yet.
  public private(set) var crossings: [PendingCrossing] = []
  /// When a beacon of each visited region was last heard in range, to a tenth of the silence that ends the visit.
  public private(set) var heard: [Identifier: Milliseconds] = [:]
  /// Approaches that have been told, and are not over.
  public private(set) var approaches: [Approach] = []
  /// Regions that came with a feed after the baseline, and have not met a fix yet.
  public private(set) var newRegions: Set<Identifier> = []
  /// A fix has been seen since the engine was enabled: from then on, a region that is not visited has been left.
  public private(set) var hasBaseline = false
  /// Where regions that move are.
  public private(set) var moved: [Identifier: Coordinate] = [:]
  /// The knowledge about absences, by campaign.
  public private(set) var absences: [Identifier: AbsenceWatch] = [:]
  /// The newest plan that the host was given.
  public private(set) var plan = RegionPlan()

  public init() {}

  /// Asks for what a crossing looks at.
  @inline(__always)
  func prefetch() {
    Prefetch.target(of: visits, at: 0, 128)
    ordinals.prefetch()
  }

  // MARK: Visits

  /// The place of a region among the visits, or where it would stand.
  @inline(__always)
  func visitPosition(_ region: Identifier) -> (position: Int, found: Bool) {
    let place = Bisection.place(in: visits.count) { visits[$0].region < region }
    return (place, place < visits.count && visits[place].region == region)
  }

  /// The ordinal of a visit that begins; `ordinal` tells it.
  @inline(__always)
  mutating func countVisit(_ region: Identifier) -> Int64 { ordinals.change(region) { ($0 ?? 0) + 1 } }

  /// A visit to a region that is not visited; `visit` tells it.
  @inline(__always)
  mutating func begin(_ visit: consuming Visit) {
    let position = visitPosition(visit.region).position
    visits.insert(visit, at: position)
  }

  /// Takes a visit out; `visitEnded` tells it.
  @inline(__always)
  mutating func endVisit(at position: Int) -> Visit { visits.remove(at: position) }

  /// Puts in those that have begun, and takes out those that have ended; both by region.
  mutating func change(begun: [Visit], ended: [Int]) {
    guard !begun.isEmpty || !ended.isEmpty else { return }
    var changed: [Visit] = []
    changed.reserveCapacity(visits.count + begun.count - ended.count)
    var (begun, ended) = (begun[...], ended[...])
    for position in visits.indices {
      while let visit = begun.first, visit.region < visits[position].region {
        changed.append(visit)
        begun = begun.dropFirst()
      }
      if ended.first == position { ended = ended.dropFirst() } else { changed.append(visits[position]) }
    }
    visits = changed + begun
  }

  /// Something was told of a visit.
  mutating func update(_ position: Int, _ body: (inout Visit) -> Void) -> PresenceChange {
    body(&visits[position])
    return .visit(visits[position])
  }

  /// The feed is another: says of each visit where its region stands in that. A store does not keep it.
  mutating func place(_ body: (inout Visit) -> Void) { for position in visits.indices { body(&visits[position]) } }

  // MARK: What is not sure yet

  /// The place of a region among the pending crossings, or where it would stand.
  @inline(__always)
  func crossingPosition(_ region: Identifier) -> (position: Int, found: Bool) {
    let place = Bisection.place(in: crossings.count) { crossings[$0].region < region }
    return (place, place < crossings.count && crossings[place].region == region)
  }

  /// It waits until it is sure, in place of what is known of the region.
  mutating func hold(_ crossing: PendingCrossing) -> PresenceChange {
    let (position, found) = crossingPosition(crossing.region)
    if found { crossings[position] = crossing } else { crossings.insert(crossing, at: position) }
    return .crossing(crossing)
  }

  /// Nil when nothing waits.
  @inline(__always)
  mutating func forgetCrossing(_ region: Identifier) -> PresenceChange? {
    if crossings.isEmpty { return nil }
    let (position, found) = crossingPosition(region)
    guard found else { return nil }
    crossings.remove(at: position)
    return .crossingEnded(region)
  }

  /// They are sure, or forgotten; the end of each must be noted.
  mutating func endCrossings(_ ended: [PendingCrossing]) {
    let regions = Set(ended.map(\.region))
    crossings.removeAll { regions.contains($0.region) }
  }

  mutating func setBaseline(_ isKnown: Bool) -> PresenceChange {
    hasBaseline = isKnown
    return .baseline(isKnown)
  }

  /// Nil when they are the same.
  mutating func setNewRegions(_ regions: Set<Identifier>) -> PresenceChange? {
    guard regions != newRegions else { return nil }
    newRegions = regions
    return .newRegions(regions)
  }

  // MARK: Beacons, regions that move, approaches, the plan

  mutating func hear(_ region: Identifier, at time: Milliseconds) -> PresenceChange {
    heard[region] = time
    return .heard(region, time)
  }

  /// Nil when none was heard.
  @inline(__always)
  mutating func forgetHeard(_ region: Identifier) -> PresenceChange? {
    guard !heard.isEmpty, heard.removeValue(forKey: region) != nil else { return nil }
    return .heard(region, nil)
  }

  /// Nil when it is there already; `center` nil when it does not move any more.
  mutating func move(_ region: Identifier, to center: Coordinate?) -> PresenceChange? {
    guard moved[region] != center else { return nil }
    moved[region] = center
    return .moved(region, center)
  }

  /// Those of a region, which lie together.
  func approaches(of region: Identifier) -> ArraySlice<Approach> {
    if approaches.isEmpty { return [] }
    return approaches[approachPosition(region, .min)..<approachPosition(region, .max)]
  }

  /// Where the first one of a region lies that has more seconds, or would lie.
  private func approachPosition(_ region: Identifier, _ seconds: Int64) -> Int {
    Bisection.place(in: approaches.count) {
      let other = approaches[$0]
      return other.region == region ? other.seconds <= seconds : other.region < region
    }
  }

  /// An approach that is new.
  mutating func add(_ approach: Approach) -> PresenceChange {
    approaches.insert(approach, at: approachPosition(approach.region, approach.seconds))
    return .approach(approach)
  }

  /// Nil when there is none.
  @inline(__always)
  mutating func endApproaches(of region: Identifier) -> PresenceChange? {
    let all = approaches(of: region)
    guard !all.isEmpty else { return nil }
    approaches.removeSubrange(all.indices)
    return .approachesEnded(region)
  }

  mutating func put(_ watch: AbsenceWatch) -> PresenceChange {
    absences[watch.campaign] = watch
    return .absence(watch)
  }

  /// Nil when there is none.
  mutating func endAbsence(of campaign: Identifier) -> PresenceChange? {
    absences.removeValue(forKey: campaign) == nil ? nil : .absenceEnded(campaign)
  }

  /// Nil when it is the same.
  mutating func setPlan(_ plan: RegionPlan) -> PresenceChange? {
    guard plan != self.plan else { return nil }
    self.plan = plan
    return .plan(plan)
  }

  // MARK: Changes

  /// Makes a change, new or not: what a store does with what it has kept.
  public mutating func apply(_ change: PresenceChange) {
    switch change {
    case .baseline(let isKnown): hasBaseline = isKnown
    case .newRegions(let regions): newRegions = regions
    case .visit(let visit):
      let (position, found) = visitPosition(visit.region)
      if found { visits[position] = visit } else { visits.insert(visit, at: position) }
    case .visitEnded(let region):
      let (position, found) = visitPosition(region)
      if found { visits.remove(at: position) }
    case .crossing(let crossing): _ = hold(crossing)
    case .crossingEnded(let region): _ = forgetCrossing(region)
    case .moved(let region, let center): moved[region] = center
    case .heard(let region, let time): heard[region] = time
    case .approach(let approach):
      approaches.removeAll { $0.region == approach.region && $0.seconds == approach.seconds }
      _ = add(approach)
    case .approachesEnded(let region): _ = endApproaches(of: region)
    case .ordinal(let region, let ordinal): ordinals.set(region, ordinal)
    case .absence(let watch): _ = put(watch)
    case .absenceEnded(let campaign): _ = endAbsence(of: campaign)
    case .plan(let plan): self.plan = plan
    }
  }

  // MARK: Time

  /// The wall clock was set: each time becomes what `moved` makes of it.
  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    for index in visits.indices {
      visits[index].since = moved(visits[index].since)
      visits[index].repeated = visits[index].repeated.map(moved)
    }
    heard = heard.mapValues(moved)
    for index in crossings.indices { crossings[index].since = moved(crossings[index].since) }
    for campaign in absences.keys { absences[campaign]?.moveTimes(moved) }
  }
}
