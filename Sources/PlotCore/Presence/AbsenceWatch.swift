/// The knowledge about the absence that a campaign waits for.
public struct AbsenceWatch: Equatable, Sendable {
  public var campaign: Identifier
  /// From when on it is known whether the device was there.
  public var since: Milliseconds
  /// The end of the newest visit that counts; nil for none.
  public var visited: Milliseconds?
  /// The newest time in which the device may have been anywhere.
  public var gap: Range<Milliseconds>?
  /// The end of the newest span that was judged; of an absence that lasts, of the one that was reported.
  public var reported: Milliseconds?

  public init(
    campaign: Identifier, since: Milliseconds, visited: Milliseconds? = nil, gap: Range<Milliseconds>? = nil,
    reported: Milliseconds? = nil
  ) {
    self.campaign = campaign
    self.since = since
    self.visited = visited
    self.gap = gap
    self.reported = reported
  }

  /// The span that is to be judged: the last that is over, or else the one to come; nil where a visit must come first.
  func span(_ rule: AbsenceRule, at time: Milliseconds, in zone: ZoneRules) -> AbsenceSpan? {
    switch rule.length {
    case .lasting(let minutes):
      let start = max(since, visited ?? .min)
      return reported ?? .min < start ? AbsenceSpan(from: start, to: start + minutes * 60_000) : nil
    case .upTo(let deadline):
      let judged = max(since, reported ?? .min)
      // Where clocks of another zone show the same day again, it is not judged twice.
      func isMeant(_ span: AbsenceSpan) -> Bool {
        span.to > judged && (deadline.fromDay != nil || span.from >= reported ?? .min)
      }
      if let last = deadline.last(upTo: time, in: zone), isMeant(last) { return last }
      return deadline.next(after: max(time, judged), in: zone, isMeant)
    }
  }

  /// Takes a visit that is over, where it counts; whether it does.
  mutating func take(visit: Range<Milliseconds>, _ rule: AbsenceRule, in zone: ZoneRules) -> Bool {
    var start = visit.lowerBound
    if case .upTo(let deadline) = rule.length, let span = deadline.next(after: visit.upperBound - 1, in: zone) {
      start = max(start, span.from)
    }
    guard visit.upperBound - start >= rule.leastVisit, visit.upperBound > visited ?? .min else { return false }
    visited = visit.upperBound
    return true
  }

  /// Nothing is known of the time between two fixes that lie further apart than the rule allows; whether that is so.
  mutating func take(fixAt time: Milliseconds, after previous: Milliseconds?, longestGap: Milliseconds) -> Bool {
    let start = max(previous ?? since, gap?.upperBound ?? .min)
    guard time > start, time - start > longestGap else { return false }
    gap = start..<time
    return true
  }

  /// The time within a span in which nothing was known; nil for none.
  func unknown(in span: AbsenceSpan) -> Range<Milliseconds>? {
    if since > span.from { return span.from..<since }
    guard let gap, gap.upperBound > span.from, gap.lowerBound < span.to else { return nil }
    return gap
  }

  mutating func moveTimes(_ moved: (Milliseconds) -> Milliseconds) {
    since = moved(since)
    visited = visited.map(moved)
    reported = reported.map(moved)
    gap = gap.map { moved($0.lowerBound)..<max(moved($0.lowerBound), moved($0.upperBound)) }
  }
}

extension Presence {
  /// Whether a visit that is on counts for a span.
  func isVisited(_ regions: [Identifier], in span: AbsenceSpan, _ rule: AbsenceRule) -> Bool {
    regions.contains { region in
      let (position, found) = visitPosition(region)
      guard found else { return false }
      let start = max(visits[position].since, span.from)
      return start <= span.to && span.to - start >= rule.leastVisit
    }
  }

  /// Whether it is not sure yet that one of the regions is entered.
  func isEntering(_ regions: [Identifier]) -> Bool {
    !crossings.isEmpty
      && regions.contains { region in
        let (position, found) = crossingPosition(region)
        return found && crossings[position].isEnter
      }
  }

  /// When the newest of the visits to some regions has begun that are on; nil for none.
  func newestVisit(_ regions: [Identifier]) -> Milliseconds? {
    regions.compactMap { region in
      let (position, found) = visitPosition(region)
      return found ? visits[position].since : nil
    }.max()
  }
}
