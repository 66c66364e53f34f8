extension Machine {
  /// A request of the host for a plan.
  public struct PlanRequest: Sendable {
    public var time: Milliseconds
    /// Nil for the newest fix.
    public var here: Position?
    /// 1 to 1,000; 0 for the configuration's.
    public var budget: Int64
    /// The system has forgotten all registrations, as Android does when the device is started.
    public var isReset = false
    /// The system says that the fence was left.
    public var isFenceLeft = false
    /// For tests.
    var usesHysteresis = true

    public init(time: Milliseconds, here: Position? = nil, budget: Int64) {
      self.time = time
      self.here = here
      self.budget = budget
    }
  }

  /// Plans what to register. The position is not a fix: nothing is entered or left by it. Throws `invalid` or `noPosition`, and then
  /// nothing has changed.
  public mutating func planRegions(
    _ request: PlanRequest
  ) throws(InputError) -> (Output, RegionPlan.Difference) {
    if let fault = request.here?.fault { throw fault }
    guard (0...1000).contains(request.budget) else {
      throw .invalid(name: "budget", expected: "an integer from 0 to 1000", found: "\(request.budget)")
    }
    let unchanged = self
    output.restart()
    proceed(to: request.time)
    let here = request.here ?? lastFix.map { Position($0.coordinate, accuracy: $0.accuracy) }
    let before = request.isReset ? RegionPlan() : state.presence.plan
    guard let plan = plan(request, at: here, before) else {
      self = unchanged
      throw .noPosition
    }
    if let change = state.presence.setPlan(plan) { output.note(.presence(change)) }
    let difference = plan.difference(from: before)
    output.effects.append(.plan(difference))
    return (finish(), difference)
  }

  private func plan(_ request: PlanRequest, at here: Position?, _ before: RegionPlan) -> RegionPlan? {
    var places: [RegionPlan.Place] = []
    var beacons: [RegionPlan.BeaconPlace] = []
    let visited = Set(state.presence.visits.map(\.region))
    if state.host.isEnabled {
      for (position, region) in feed.regions.enumerated() {
        let isVisited = visited.contains(region.id)
        let (circle, isArea) = watched(position)
        if let circle {
          places.append(RegionPlan.Place(id: region.id, circle: circle, isArea: isArea, isVisited: isVisited))
        } else if case .beacon(let beacon) = region.shape {
          let filter = RegionPlan.BeaconFilter(
            proximityUUID: beacon.proximityUUID, majorId: beacon.majorId, minorId: beacon.minorId)
          beacons.append(RegionPlan.BeaconPlace(id: region.id, filter: filter, isVisited: isVisited))
        }
      }
    }
    return RegionPlan.make(
      places, beacons, at: here, budget: request.budget == 0 ? settings.regionBudget : request.budget, before: before,
      isFenceLeft: request.isFenceLeft, usesHysteresis: request.usesHysteresis)
  }
}
