/// An approach that has been told, for campaigns of so many seconds.
public struct Approach: Equatable, Sendable {
  public var region: Identifier
  public var seconds: Int64
  /// Metres to the region's edge at that time.
  public var distance: Double

  public init(region: Identifier, seconds: Int64, distance: Double) {
    self.region = region
    self.seconds = seconds
    self.distance = distance
  }
}

/// Who will be at a region soon, at the present course and speed.
extension Machine {
  /// Metres a second; who is slower approaches nothing.
  static let approachSpeed = 0.5

  /// Tells approaches, each once: until the region has been visited and left, or is more than twice as far away as it was, and 500 m more.
  mutating func followApproaches(_ fix: Fix, _ motion: Motion) {
    guard !feed.approachable.isEmpty else { return }
    var candidates: [Candidate] = []
    for position in feed.approachable {
      let region = region(at: position)
      guard !visitPosition(region.id).found, let edge = region.shape.edgeDistance(from: fix.coordinate), edge > 0
      else { continue }
      if state.presence.approaches(of: region.id).contains(where: { edge > 2 * $0.distance + 500 }) {
        endApproaches(of: region.id)
      }
      guard let speed = motion.speed, speed >= Self.approachSpeed, let course = motion.course,
        noise(at: position).isAccurate(fix.accuracy, size: region.shape.size)
      else { continue }
      let waiting = feed.campaigns(at: position).compactMap { campaign in
        feed.campaigns[campaign].trigger.arrivalSeconds.map { (campaign: campaign, seconds: $0) }
      }.filter { !isTold(region.id, $0.seconds) }
      guard let longest = waiting.map(\.seconds).max(), edge <= speed * Double(longest) else { continue }
      let end = Earth.destination(from: fix.coordinate, course: course, metres: speed * Double(longest))
      guard let part = region.shape.passages(from: fix.coordinate, to: end).first else { continue }
      let arrival = Double(longest) * part.lowerBound
      let ordinal = (state.presence.ordinals[region.id] ?? 0) + 1
      for (campaign, seconds) in waiting where arrival <= Double(seconds) {
        let id = StableIdentifier.make("approach", region.id.text, String(seconds), String(fix.time))
        if !isTold(region.id, seconds) {
          keep(Approach(region: region.id, seconds: seconds, distance: edge))
          emit(.regionApproach, region: region.id, visit: id, at: now) {
            $0.ordinal = ordinal
            $0.coordinate = fix.coordinate
            $0.arrivalSeconds = seconds
            $0.arrival = fix.time + Milliseconds(saturating: (arrival * 1000).rounded())
          }
        }
        let campaign = feed.campaigns[campaign]
        candidates.append(
          Candidate(campaign: campaign, region: region, visit: id, ordinal: ordinal, steps: steps(of: campaign)))
      }
    }
    consider(candidates)
  }

  private func isTold(_ region: Identifier, _ seconds: Int64) -> Bool {
    state.presence.approaches(of: region).contains { $0.seconds == seconds }
  }

  private mutating func keep(_ approach: Approach) {
    let change = state.presence.tell(approach)
    output.note(.presence(change))
  }

  mutating func endApproaches(of region: Identifier) {
    if let change = state.presence.endApproaches(of: region) { output.note(.presence(change)) }
  }
}
