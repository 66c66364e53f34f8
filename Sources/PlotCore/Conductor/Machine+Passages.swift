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
}
