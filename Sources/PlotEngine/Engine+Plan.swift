public import PlotCore

/// Hosts whose system watches regions for them.
extension Engine {
  /// A beacon was heard.
  public func update(_ sighting: Sighting) throws(EngineError) {
    try input(at: sighting.time, .debug, "beacon \(sighting.sender), \(sighting.rssi) dBm") {
      (machine) throws(InputError) in try machine.update(sighting)
    }
  }

  /// What the system says of a region.
  public func hint(_ hint: Hint) throws(EngineError) {
    try input(at: hint.time, .debug, "hint: \(hint.kind.rawValue) \(hint.region.text)") {
      (machine) throws(InputError) in try machine.hint(hint)
    }
  }

  /// What to register with the system; a budget of 0 is the configuration's.
  public func planRegions(_ request: Machine.PlanRequest) throws(EngineError) -> RegionPlan.Difference {
    var difference: RegionPlan.Difference?
    try input(at: request.time, .debug, "region plan for \(request.budget)") { (machine) throws(InputError) in
      let (output, answer) = try machine.planRegions(request)
      difference = answer
      return output
    }
    guard let difference else { throw Self.closed }
    return difference
  }
}
