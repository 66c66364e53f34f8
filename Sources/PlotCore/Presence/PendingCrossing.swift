/// A region that fixes say was entered, or left, and that the noise policy does not believe yet.
public struct PendingCrossing: Equatable, Sendable {
  public var region: Identifier
  public var isEnter: Bool
  /// The first fix that said so; moved when the wall clock is set.
  public var since: Milliseconds
  public var coordinate: Coordinate
  /// How many have said so.
  public var fixes: Int64

  public init(region: Identifier, isEnter: Bool, since: Milliseconds, coordinate: Coordinate, fixes: Int64 = 1) {
    self.region = region
    self.isEnter = isEnter
    self.since = since
    self.coordinate = coordinate
    self.fixes = fixes
  }

  /// When it is sure if nothing speaks against it; nil when that takes more fixes.
  func due(_ policy: NoisePolicy) -> Milliseconds? {
    let least = isEnter ? policy.minInside : policy.minOutside
    if fixes >= policy.confirmFixes { return since + least }
    // Leaving can wait: two wild fixes in a row are rare, but there are many rows.
    let times = [isEnter && fixes >= 2 ? policy.confirmTime : 0, policy.confirmAlone]
    return times.filter { $0 > 0 }.min().map { since + max($0, least) }
  }
}

extension Machine {
  /// The place of a region among the pending crossings, or where it would stand. Not of the state: that would be copied for each call.
  func crossingPosition(_ region: Identifier) -> (position: Int, found: Bool) {
    var low = 0
    var high = state.crossings.count
    while low < high {
      let middle = (low + high) / 2
      if state.crossings[middle].region < region { low = middle + 1 } else { high = middle }
    }
    return (low, low < state.crossings.count && state.crossings[low].region == region)
  }

  mutating func keep(_ crossing: PendingCrossing) {
    let (position, found) = crossingPosition(crossing.region)
    if found {
      state.crossings[position] = crossing
    } else {
      state.crossings.insert(crossing, at: position)
    }
    output.note(.presence(.crossing(crossing)))
  }

  mutating func forgetCrossing(_ region: Identifier) {
    let (position, found) = crossingPosition(region)
    guard found else { return }
    state.crossings.remove(at: position)
    output.note(.presence(.crossingEnded(region)))
  }

  func due(_ crossing: PendingCrossing) -> Milliseconds? {
    feed.region(crossing.region).flatMap { crossing.due(noise(at: $0)) }
  }

  /// What has stood for long enough happens now.
  mutating func confirmCrossings() {
    let due = state.crossings.filter { (self.due($0) ?? .max) <= now }
    guard !due.isEmpty else { return }
    let regions = Set(due.map(\.region))
    state.crossings.removeAll { regions.contains($0.region) }
    for crossing in due { output.note(.presence(.crossingEnded(crossing.region))) }
    cross(due.map { Crossing($0) })
  }
}

extension Crossing {
  init(_ pending: PendingCrossing, _ source: Source = .fix, place: Int? = nil) {
    self.init(
      region: pending.region, isEnter: pending.isEnter, since: pending.since, coordinate: pending.coordinate,
      source: source, place: place)
  }
}
