public import PlotCore

/// Hosts whose system watches regions for them.
extension Engine {
  /// A beacon was heard.
  public func update(_ sighting: Sighting) throws(EngineError) {
    try input(.sighting(sighting), .debug, "beacon \(sighting.sender), \(sighting.rssi) dBm")
  }

  /// The system reports something about a region.
  public func hint(_ hint: Hint) throws(EngineError) {
    try input(.hint(hint), .debug, "hint: \(hint.kind.rawValue) \(hint.region.text)")
  }

  /// Plans which regions to register with the system; a budget of 0 is the configuration's.
  public func planRegions(_ request: Machine.PlanRequest) throws(EngineError) -> RegionPlan.Difference {
    let output = try answered(.plan(request), .debug, "region plan for \(request.budget)")
    for case .plan(let difference) in output.effects { return difference }
    throw Self.closed
  }
}
