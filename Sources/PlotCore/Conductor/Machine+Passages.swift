/// Regions that the way between two fixes goes through.
extension Machine {
  /// The passages of the way between two fixes, in the order of their enters.
  mutating func passages(from previous: Fix?, to fix: Fix, apartFrom crossings: [Crossing]) -> [Passage] {
    guard !feed.passable.isEmpty, state.presence.hasBaseline, let previous,
      let way = Passage.Way(from: previous, to: fix)
    else { return [] }
    var passages: [Passage] = []
    let crossed = Set(crossings.map(\.region))
    for position in feed.passable {
      let (id, shape, policy) = (feed.regions[position].id, shape(at: position), noise(at: position))
      guard !visitPosition(id).found, !crossingPosition(id).found, !state.presence.newRegions.contains(id),
        !crossed.contains(id)
      else { continue }
      for passage in way.passages(through: id, shape) {
        if let reason = way.objection(to: passage, size: shape.size, policy) {
          record(.hold, reason, at: id, inputs: noted(way.inputs(reason, passage, size: shape.size, policy)))
        } else {
          passages.append(passage)
        }
      }
    }
    return passages.sorted { ($0.enter.since, $0.enter.region) < ($1.enter.since, $1.enter.region) }
  }

  // MARK: How an edge is crossed

  /// The side of a region's line that a fix lies on, beside the corridor; nil inside, and for a region without a line.
  private func side(_ fix: Fix?, of shape: Region.Shape) -> LineSide? {
    guard shape.isLine, let fix, case .area(let area) = shape, area.edgeDistance(from: fix.coordinate) > 0 else {
      return nil
    }
    return area.side(of: fix.coordinate)
  }

  /// Notes the side that the device came from to lines that a fix lies in, while it is there.
  mutating func noteSides(from previous: Fix?, to fix: Fix) {
    guard !feed.passable.isEmpty else { return observations.forgetSides { _ in false } }
    let feed = feed
    var inside: Set<Identifier> = []
    for position in feed.passable {
      let (id, shape) = (feed.regions[position].id, feed.regions[position].shape)
      guard shape.isLine, shape.edgeDistance(from: fix.coordinate) ?? 1 <= 0 else { continue }
      inside.insert(id)
      noteSide(from: previous, to: fix.time, at: id, shape)
    }
    let presence = state.presence
    observations.forgetSides {
      inside.contains($0) || presence.visitPosition($0).found || presence.crossingPosition($0).found
    }
  }

  private mutating func noteSide(from previous: Fix?, to time: Milliseconds, at id: Identifier, _ shape: Region.Shape) {
    guard observations.side(cameFrom: id) == nil, !visitPosition(id).found, let previous,
      time - previous.time <= Passage.longest, let side = side(previous, of: shape)
    else { return }
    observations.note(side, cameFrom: id)
  }

  /// Tells candidates of a crossing how the edge was crossed, where their campaigns ask for that.
  mutating func note(
    _ crossing: Crossing, _ motion: Motion, at position: Int, of candidates: inout ArraySlice<Candidate>
  ) {
    let (id, shape) = (feed.regions[position].id, feed.regions[position].shape)
    if crossing.isEnter, let fix = motion.fix { noteSide(from: motion.previous, to: fix.time, at: id, shape) }
    defer { if !crossing.isEnter { observations.forgetSides { $0 != id } } }
    guard candidates.contains(where: { $0.campaign.crossing != nil }) else { return }
    let edge = EdgeCrossing(
      isEnter: crossing.isEnter, from: observations.side(cameFrom: id),
      to: crossing.isEnter ? nil : side(motion.fix, of: shape), course: motion.course, speed: motion.speed)
    for index in candidates.indices where candidates[index].campaign.crossing != nil {
      candidates[index].origin = .crossing(Boxed(edge))
    }
  }

  /// Of the newest fix, while that is new.
  var lastMotion: Motion {
    guard let fix = lastFix, now - fix.time <= Motion.longest else { return Motion() }
    return Motion(fix: fix)
  }
}
