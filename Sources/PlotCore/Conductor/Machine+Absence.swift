/// Absences: spans in which nobody was at any of a campaign's regions. They are told by evidence, and never for a time in which nothing was known.
extension Machine {
  /// A fix that is followed says where the device is, and how long that was not known.
  mutating func noteEvidence(_ fix: Fix, after previous: Fix?) {
    guard !feed.absent.isEmpty else { return }
    let wasOff = observations.takeOff()
    for position in feed.absent {
      let campaign = feed.campaigns[position]
      guard let rule = campaign.absence else { continue }
      guard var watch = state.presence.absences[campaign.id] else {
        put(AbsenceWatch(campaign: campaign.id, since: fix.time))
        continue
      }
      let longest = wasOff ? min(rule.longestGap, Self.longestRestart) : rule.longestGap
      if watch.take(fixAt: fix.time, after: previous?.time, longestGap: longest) { put(watch) }
    }
    reportAbsences(after: previous)
  }

  /// A device that was off is not missed for so long, whatever a campaign allows.
  private static let longestRestart: Milliseconds = 3_600_000

  /// A visit is over.
  mutating func noteAbsence(after visit: Visit, until end: Milliseconds) {
    guard !feed.absent.isEmpty, let place = visit.place else { return }
    for position in feed.absent where feed.campaigns[position].regions.contains(place) {
      let campaign = feed.campaigns[position]
      guard let rule = campaign.absence, var watch = state.presence.absences[campaign.id] else { continue }
      if watch.take(visit: min(visit.since, end)..<end, rule, in: absenceZone(campaign)) { put(watch) }
    }
  }

  /// Judges the spans that are over. `previous`: the fix before the newest one, as that comes.
  mutating func reportAbsences(after previous: Fix? = nil) {
    guard !feed.absent.isEmpty else { return }
    var candidates: [Candidate] = []
    for position in feed.absent {
      let campaign = feed.campaigns[position]
      guard let (watch, rule, span) = awaited(campaign), let span, span.to <= now else { continue }
      switch standing(of: campaign, watch, rule, span, previous) {
      case .waits: break
      case .visited: skip(watch, campaign, span, unknown: nil)
      case .unknown(let unknown):
        skip(watch, campaign, span, unknown: unknown)
        emitAbsence(.absenceUnknown, campaign, span, unknown: unknown)
      case .absent:
        var watch = watch
        watch.reported = span.to
        put(watch)
        emitAbsence(.absence, campaign, span, unknown: nil)
        candidates.append(absenceCandidate(campaign, span))
      }
    }
    consider(candidates)
  }

  /// The knowledge about the absence that a campaign waits for, and its span, where no visit must come first; nil before the first fix.
  func awaited(_ campaign: Campaign) -> (watch: AbsenceWatch, rule: AbsenceRule, span: AbsenceSpan?)? {
    guard let rule = campaign.absence, let watch = state.presence.absences[campaign.id] else { return nil }
    return (watch, rule, watch.span(rule, at: now, in: absenceZone(campaign)))
  }

  /// Whether a visit is on after which an absence that lasts begins anew.
  func isPaused(_ rule: AbsenceRule, _ span: AbsenceSpan, _ regions: [Identifier]) -> Bool {
    if case .lasting = rule.length { state.presence.isVisited(regions, in: span, rule) } else { false }
  }

  func regionIDs(of campaign: Campaign) -> [Identifier] { campaign.regions.map { feed.regions.id(at: $0) } }

  private enum AbsenceStanding {
    case waits, visited, absent
    case unknown(Range<Milliseconds>)
  }

  private mutating func standing(
    of campaign: Campaign, _ watch: AbsenceWatch, _ rule: AbsenceRule, _ span: AbsenceSpan, _ previous: Fix?
  ) -> AbsenceStanding {
    let regions = regionIDs(of: campaign)
    if state.presence.isEntering(regions) || isPaused(rule, span, regions) { return .waits }
    if state.presence.isVisited(regions, in: span, rule) || watch.visited ?? .min > span.from { return .visited }
    if let unknown = watch.unknown(in: span) { return .unknown(unknown) }
    guard isKnown(upTo: span.to, rule) else { return .waits }
    // Nobody knows when between two fixes the device has come.
    if let visit = state.presence.newestVisit(regions), visit > span.to, rule.leastVisit == 0 {
      let start = min(previous?.time ?? span.to, span.to)
      return .unknown(start..<visit)
    }
    return .absent
  }

  /// Whether a fix has said where the device was at a time that is past, or shortly before.
  private mutating func isKnown(upTo time: Milliseconds, _ rule: AbsenceRule) -> Bool {
    guard let newest = lastFix?.time else { return false }
    if newest >= time { return true }
    let needsProof = settings.proof.maxAge > 0 && settings.noise.evidence != nil
    if !needsProof { return newest >= time - rule.longestGap }
    if newest >= inputTime - settings.proof.maxAge { return true }
    wantsFix = true
    return false
  }

  /// The span was judged, and nothing is to be reported.
  private mutating func skip(
    _ watch: AbsenceWatch, _ campaign: Campaign, _ span: AbsenceSpan, unknown: Range<Milliseconds>?
  ) {
    var watch = watch
    switch campaign.absence?.length {
    case .lasting: if let unknown { watch.since = max(watch.since, unknown.upperBound) }
    case .upTo, nil: watch.reported = span.to
    }
    put(watch)
    record(
      Decision(
        time: now, campaign: campaign.id, region: feed.regions.id(at: campaign.regions[0]), step: .presence,
        verdict: .drop, reason: unknown == nil ? .absenceVisited : .absenceUnknown,
        inputs: noted([
          "spanStart": .time(span.from), "spanEnd": .time(span.to),
          "unknownFrom": unknown.map { .time($0.lowerBound) }, "unknownTo": unknown.map { .time($0.upperBound) },
        ])))
  }

  private mutating func put(_ watch: AbsenceWatch) {
    let change = state.presence.put(watch)
    output.note(.presence(change))
  }

  private func absenceZone(_ campaign: Campaign) -> ZoneRules {
    feed.regions[campaign.regions[0]].clockZone(campaign.times.zone, device: state.host.zone)
  }

  private func absenceID(_ campaign: Campaign, _ span: AbsenceSpan) -> String {
    StableIdentifier.make("absence", campaign.id.text, String(span.from), String(span.to))
  }

  private func absenceCandidate(_ campaign: Campaign, _ span: AbsenceSpan) -> Candidate {
    let region = region(at: campaign.regions[0])
    return Candidate(
      campaign: campaign, region: region, visit: absenceID(campaign, span),
      ordinal: (state.presence.ordinals[region.id] ?? 0) + 1, steps: steps(of: campaign))
  }

  private mutating func emitAbsence(
    _ kind: Event.Kind, _ campaign: Campaign, _ span: AbsenceSpan, unknown: Range<Milliseconds>?
  ) {
    let region = feed.regions.id(at: campaign.regions[0])
    emit(kind, region: region, visit: absenceID(campaign, span), at: now) {
      $0.absence = Event.Absence(campaign: campaign.id, from: span.from, to: span.to, unknown: unknown)
    }
  }

  /// When a span ends by itself; `.max` for never. One that is over waits for a fix.
  var nextAbsence: Milliseconds {
    var next = Milliseconds.max
    for position in feed.absent {
      let campaign = feed.campaigns[position]
      guard let (_, rule, span) = awaited(campaign), let span, span.to > now,
        !isPaused(rule, span, regionIDs(of: campaign))
      else { continue }
      next = min(next, span.to)
    }
    return next
  }

  /// A campaign of a new feed that waits for the same absence at the same regions goes on, others begin anew.
  mutating func carryAbsences(for new: Feed, _ isKept: (Identifier) -> Bool) {
    for id in state.presence.absences.keys.sorted() {
      if let before = feed.campaign(id), let after = new.campaign(id), before.absence == after.absence,
        before.times.zone == after.times.zone,
        regionIDs(of: before) == after.regions.map({ new.regions.id(at: $0) }), regionIDs(of: before).allSatisfy(isKept)
      {
        continue
      }
      endAbsence(id)
    }
  }

  mutating func forgetAbsences() { for id in state.presence.absences.keys.sorted() { endAbsence(id) } }

  private mutating func endAbsence(_ campaign: Identifier) {
    if let change = state.presence.endAbsence(of: campaign) { output.note(.presence(change)) }
  }
}
