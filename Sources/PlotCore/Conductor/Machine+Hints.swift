/// Hints of an operating system (docs/rules.md, Hints): each is checked against what is known.
extension Machine {
  /// Takes a hint. Throws `invalid` or `unknownRegion`, and then nothing has changed.
  public mutating func hint(_ hint: Hint) throws(InputError) -> Output {
    if let fault = hint.position?.fault { throw fault }
    guard let position = feed.region(hint.region) else { throw .unknownRegion(hint.region.text) }
    guard !feed.regions[position].shape.isGroup else {
      throw .invalid(
        name: "region_id", expected: "a region that a system can watch", found: "the group \(hint.region.text)")
    }
    output.restart()
    proceed(to: hint.time)
    if let (verdict, reason, inputs) = objection(to: hint, position) {
      if reason == .hintDuplicate, hint.kind.isEnter { observations.watch(hint.region) }
      record(hint, verdict, reason, inputs)
    } else {
      observations.noteHint(at: hint.time)
      let isPending = crossingPosition(hint.region).found
      forgetCrossing(hint.region)
      if isPending, state.presence.isSo(hint) {
        record(hint, .drop, .refuted)
        // Dwellings that waited while it was not sure.
        fireDwellings()
      }
      cross([
        Crossing(
          region: hint.region, isEnter: hint.kind.isEnter, since: hint.time, coordinate: hint.position?.coordinate,
          source: .hint, isSeen: hint.kind.isCrossing)
      ])
      if hint.kind.isEnter { observations.watch(hint.region) }
      // A region that a hint has settled is not new any more.
      setNewRegions(state.presence.newRegions.subtracting([hint.region]))
    }
    return finish()
  }

  private mutating func record(_ hint: Hint, _ verdict: Verdict, _ reason: Reason, _ inputs: Inputs = [:]) {
    record(verdict, reason, at: hint.region, detail: hint.kind.rawValue, inputs: inputs)
  }

  /// Why a hint is not followed.
  private func objection(to hint: Hint, _ position: Int) -> (Verdict, Reason, Inputs)? {
    guard state.host.isEnabled else { return (.drop, .disabled, [:]) }
    let (circle, isArea) = watched(position)
    let objection = state.presence.objection(
      to: hint, circle, isArea: isArea, newestHint: observations.newestHint, lastFix: lastFix,
      provenInside: { contains(position, $0) })
    switch objection {
    case nil: return nil
    case .stale(let newest): return (.drop, .hintStale, noted(["at": .time(hint.time), "newest": .time(newest)]))
    case .duplicate(let isInside): return (.drop, .hintDuplicate, noted(["inside": .boolean(isInside)]))
    case .contradicted(let edge, let most):
      return (.drop, .hintContradicted, noted(["distance": .tenths(edge), "margin": .tenths(most)]))
    case .unproven: return (.hold, .hintUnproven, noted(["accuracy": hint.position.map { .tenths($0.accuracy) }]))
    }
  }

  // MARK: Shapes

  /// The circle that a system watches for a region, nil for beacons; an area is only somewhere in it, and it has whole metres.
  func watched(_ position: Int) -> (circle: Circle?, isArea: Bool) {
    let shape = shape(at: position)
    if case .area = shape {
      return (shape.circle.map { Circle(center: $0.center, radius: $0.radius.rounded(.up)) }, true)
    }
    return (shape.circle, false)
  }

  /// Whether a coordinate is in a region.
  private func contains(_ position: Int, _ coordinate: Coordinate) -> Bool {
    (shape(at: position).edgeDistance(from: coordinate) ?? .infinity) <= 0
  }
}
