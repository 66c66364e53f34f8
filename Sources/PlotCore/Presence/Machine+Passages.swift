/// Regions that the way between two fixes goes through, though both are outside (reference: peers, traccar#3779).
extension Machine {
  /// Two fixes further apart in time say nothing about the way between them.
  static let passageGap: Milliseconds = 900_000

  struct Passage {
    var enter: Crossing
    var exit: Crossing
  }

  /// The fix before, if the way from it counts.
  func passageStart(_ fix: Fix, after previous: Fix?) -> Fix? {
    guard !feed.passable.isEmpty, state.presence.hasBaseline, let previous, fix.time > previous.time,
      fix.time - previous.time <= Self.passageGap
    else { return nil }
    return previous
  }

  /// The passages of a way, in the order of their enters, times being in proportion to the way.
  mutating func passages(
    from start: Fix, to end: Fix, apartFrom crossings: [Crossing]
  ) -> [Passage] {
    var passages: [Passage] = []
    let way = Earth.distance(start.coordinate, end.coordinate)
    let speed = way / (Double(end.time - start.time) / 1000)
    let crossed = Set(crossings.map(\.region))
    for position in feed.passable {
      let (id, shape, policy) = (feed.regions[position].id, shape(at: position), noise(at: position))
      guard !visitPosition(id).found, !crossingPosition(id).found, !state.presence.newRegions.contains(id),
        !crossed.contains(id),
        let first = shape.edgeDistance(from: start.coordinate), first > 0,
        let last = shape.edgeDistance(from: end.coordinate), last > 0,
        // The way is not long enough to touch it.
        first + last <= way + 1
      else { continue }
      for part in shape.passages(from: start.coordinate, to: end.coordinate) {
        let reason: Reason? =
          if !policy.isAccurate(max(start.accuracy, end.accuracy), size: shape.size) {
            .accuracy
          } else if let most = policy.maxSpeed, speed > most {
            .speed
          } else { nil }
        func crossing(_ share: Double, isEnter: Bool) -> Crossing {
          let length = Double(end.time - start.time)
          return Crossing(
            region: id, isEnter: isEnter, since: start.time + Milliseconds(saturating: (length * share).rounded()),
            coordinate: Earth.between(start.coordinate, end.coordinate, share), source: .passage)
        }
        let passage = Passage(
          enter: crossing(part.lowerBound, isEnter: true), exit: crossing(part.upperBound, isEnter: false))
        func inputs(_ reason: Reason) -> Inputs {
          switch reason {
          case .accuracy:
            policy.inputs(.accuracy, edge: 0, shape.size, max(start.accuracy, end.accuracy))
          case .speed: ["speed": .tenths(speed), "limit": policy.maxSpeed.map { .double($0) }]
          default:
            [
              "enters": .boolean(true), "since": .time(passage.enter.since),
              "inside": .length(passage.exit.since - passage.enter.since), "needed": .length(policy.minInside),
            ]
          }
        }
        let isShort = passage.exit.since - passage.enter.since < policy.minInside
        if let reason = reason ?? (isShort ? .notConfirmed : nil) {
          tell(.hold, reason, at: id, inputs: noted(inputs(reason)))
        } else {
          passages.append(passage)
        }
      }
    }
    return passages.sorted { ($0.enter.since, $0.enter.region) < ($1.enter.since, $1.enter.region) }
  }
}
