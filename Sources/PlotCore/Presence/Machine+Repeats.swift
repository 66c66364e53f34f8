/// Triggers that come again and again while a visit lasts (reference: peers, cordova#108).
extension Machine {
  /// Calls `body` with each campaign that repeats in a visit, and when its trigger came first.
  private func forEachRepeating(_ visit: Visit, _ body: (Campaign, Milliseconds, Milliseconds) -> Void) {
    guard let position = visit.place else { return }
    for campaign in feed.campaigns(at: position) {
      let campaign = feed.campaigns[campaign]
      guard let period = campaign.repeatEvery, campaign.trigger != .enter || !visit.isSilent else { continue }
      body(campaign, visit.since + campaign.trigger.dwellingMinutes * 60_000, period)
    }
  }

  /// When a trigger comes again. Of several times up to `seen`, that is the last: however far a clock has jumped, each trigger has one.
  func nextRepeat(of visit: Visit, seen: Milliseconds = 0) -> Milliseconds? {
    let end = leaving(visit)
    let seen = min(seen, end - 1)
    var next: Milliseconds?
    forEachRepeating(visit) { _, first, period in
      let told = max(visit.repeated ?? visit.since, first)
      let due = first + max((told - first) / period + 1, (seen - first) / period) * period
      if due < end { next = min(next ?? due, due) }
    }
    return next
  }

  /// The campaigns whose triggers come again now in the visit at a position, as candidates. Of several times that nobody was there to see, only
  /// the last counts.
  mutating func tellRepeats(_ position: Int) -> [Candidate] {
    let visit = state.presence.visits[position]
    guard let due = nextRepeat(of: visit), due <= now, let region = visit.place else { return [] }
    var candidates: [Candidate] = []
    let (told, now, seen) = (visit.repeated ?? visit.since, now, min(inputTime, leaving(visit) - 1))
    forEachRepeating(visit) { campaign, first, period in
      let count = now < first ? 0 : (now - first) / period
      guard count > 0, first + count * period > told, first + (count + 1) * period > seen else { return }
      var candidate = candidate(campaign, region, visit)
      candidate.repetition = count
      candidates.append(candidate)
    }
    let change = state.presence.update(position) { $0.repeated = now }
    output.note(.presence(change))
    return candidates
  }
}
