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

  /// When it is sure if nothing speaks against it; nil when that takes more fixes. `heard`: when the newest fix came in that was not coarse.
  func due(_ policy: NoisePolicy, heard: Milliseconds) -> Milliseconds? {
    if policy.evidence != nil { return isEnter ? nil : silenceEnd(heard: heard) }
    let least = isEnter ? policy.minInside : policy.minOutside
    if fixes >= policy.confirmFixes { return since + least }
    // Leaving can wait: two wild fixes in a row are rare, but there are many rows.
    let times = [isEnter && fixes >= 2 ? policy.confirmTime : 0, policy.confirmAlone]
    return times.filter { $0 > 0 }.min().map { since + max($0, least) }
  }
}

extension PendingCrossing {
  /// A device that was seen outside and then falls silent has left by then. To enter takes more.
  func silenceEnd(heard: Milliseconds) -> Milliseconds { max(since, heard) + Track.Constant.silence }
}

extension Crossing {
  init(_ pending: PendingCrossing, _ source: Source = .fix, place: Int? = nil) {
    self.init(
      region: pending.region, isEnter: pending.isEnter, since: pending.since, coordinate: pending.coordinate,
      source: source, place: place)
  }
}
