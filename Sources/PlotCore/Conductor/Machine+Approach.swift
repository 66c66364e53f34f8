/// Approaches: regions that the device will be at soon, at the present course and speed.
extension Machine {
  /// Tells approaches, each once: until the region has been visited and left, or is more than twice as far away as it was, and 500 m more.
  mutating func followApproaches(_ fix: Fix, _ motion: Motion) {
    guard !feed.approachable.isEmpty else { return }
    var candidates: [Candidate] = []
    for position in feed.approachable {
      let region = region(at: position)
      guard !visitPosition(region.id).found, let edge = region.shape.edgeDistance(from: fix.coordinate), edge > 0
      else { continue }
      if state.presence.approaches(of: region.id).contains(where: { $0.isOver(at: edge) }) {
        endApproaches(of: region.id)
      }
      guard let approaching = Approach.Way(motion),
        noise(at: position).isAccurate(fix.accuracy, size: region.shape.size)
      else { continue }
      let waiting = feed.campaigns(at: position).compactMap { campaign in
        feed.campaigns[campaign].trigger.arrivalSeconds.map { (campaign: campaign, seconds: $0) }
      }.filter { !isReported(region.id, $0.seconds) }
      guard let longest = waiting.map(\.seconds).max(),
        let arrival = approaching.arrival(at: region.shape, edge: edge, from: fix.coordinate, within: longest)
      else { continue }
      let ordinal = (state.presence.ordinals[region.id] ?? 0) + 1
      let reached = fix.time + Milliseconds(saturating: (arrival * 1000).rounded())
      for (campaign, seconds) in waiting where arrival <= Double(seconds) {
        let id = StableIdentifier.make("approach", region.id.text, String(seconds), String(fix.time))
        if !isReported(region.id, seconds) {
          remember(Approach(region: region.id, seconds: seconds, distance: edge))
          emit(.regionApproach, region: region.id, visit: id, at: now) {
            $0.ordinal = ordinal
            $0.coordinate = fix.coordinate
            $0.arrivalSeconds = seconds
            $0.arrival = reached
          }
        }
        let campaign = feed.campaigns[campaign]
        candidates.append(
          Candidate(
            campaign: campaign, region: region, visit: id, ordinal: ordinal, arrival: reached,
            steps: steps(of: campaign)))
      }
    }
    consider(candidates)
  }

  private func isReported(_ region: Identifier, _ seconds: Int64) -> Bool {
    state.presence.approaches(of: region).contains { $0.seconds == seconds }
  }

  private mutating func remember(_ approach: Approach) {
    let change = state.presence.add(approach)
    output.note(.presence(change))
  }

  mutating func endApproaches(of region: Identifier) {
    if let change = state.presence.endApproaches(of: region) { output.note(.presence(change)) }
  }
}
