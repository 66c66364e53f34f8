/// A region that the way between two fixes goes through, though both are outside.
struct Passage {
  var enter: Crossing
  var exit: Crossing
  /// Along the straight way.
  var motion: Motion

  /// Two fixes further apart in time say nothing about the way between them.
  static let longest: Milliseconds = 900_000

  /// The straight way from one fix to a later one.
  struct Way {
    var start: Fix
    var end: Fix
    /// Metres.
    let length: Double

    /// Nil when the fixes are too far apart in time.
    init?(from start: Fix, to end: Fix) {
      guard end.time > start.time, end.time - start.time <= Passage.longest else { return nil }
      (self.start, self.end) = (start, end)
      length = Earth.distance(start.coordinate, end.coordinate)
    }

    /// Metres a second.
    var speed: Double { length / (Double(end.time - start.time) / 1000) }
    /// At its speed, straight ahead.
    private var motion: Motion {
      var end = end
      (end.speed, end.course) = (speed, Earth.bearing(from: start.coordinate, to: end.coordinate))
      return Motion(fix: end, previous: start)
    }
    /// Metres, of the less accurate end.
    var accuracy: Double { max(start.accuracy, end.accuracy) }

    /// Its passages through a region, times being in proportion to the way. None where an end is inside.
    func passages(through region: Identifier, _ shape: Region.Shape) -> [Passage] {
      guard let first = shape.edgeDistance(from: start.coordinate), first > 0,
        let last = shape.edgeDistance(from: end.coordinate), last > 0,
        // The way is not long enough to touch it.
        first + last <= length + 1
      else { return [] }
      func crossing(_ share: Double, isEnter: Bool) -> Crossing {
        let time = Double(end.time - start.time)
        return Crossing(
          region: region, isEnter: isEnter, since: start.time + Milliseconds(saturating: (time * share).rounded()),
          coordinate: Earth.between(start.coordinate, end.coordinate, share), source: .passage)
      }
      return shape.passages(from: start.coordinate, to: end.coordinate).map { part in
        Passage(
          enter: crossing(part.lowerBound, isEnter: true), exit: crossing(part.upperBound, isEnter: false),
          motion: motion)
      }
    }

    /// Why a passage does not count; nil when it does. `size`: the shape's, in metres.
    func objection(to passage: Passage, size: Double, _ policy: NoisePolicy) -> Reason? {
      if !policy.isAccurate(accuracy, size: size) { return .accuracy }
      if let most = policy.maxSpeed, speed > most { return .speed }
      return passage.exit.since - passage.enter.since < policy.minInside ? .notConfirmed : nil
    }

    /// The inputs of `objection`.
    func inputs(_ reason: Reason, _ passage: Passage, size: Double, _ policy: NoisePolicy) -> Inputs {
      switch reason {
      case .accuracy: policy.inputs(.accuracy, edge: 0, size, accuracy)
      case .speed: ["speed": .tenths(speed), "limit": policy.maxSpeed.map { .double($0) }]
      default:
        [
          "enters": .boolean(true), "since": .time(passage.enter.since),
          "inside": .length(passage.exit.since - passage.enter.since), "needed": .length(policy.minInside),
        ]
      }
    }
  }
}
