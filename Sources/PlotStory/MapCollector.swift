import FoundationEssentials
package import PlotCore
package import PlotTracks

/// Gathers what a map shows while a run goes on: the feed, the fixes and moves as the engine takes them, and the records that it gives.
/// Feed it in the order in which things happen; any command with a run, or with a recording of one, can.
package struct MapCollector: Sendable {
  /// Times are told by it.
  package var clock = LocalClock.utc
  private var points: [TrackPoint] = []
  private var regions: [MapRegion] = []
  private var positions: [String: Int] = [:]
  private var marks: [MapMark] = []
  private var occurrences: [String: Int] = [:]
  private var decisions: [MapDecision] = []
  private var changes: [MapChange] = []
  private var visits: [String: (state: MapChange.State, since: Int64)] = [:]
  private var doubts: [String: Doubt] = [:]
  /// The subject of the newest drop: several strategies may be against one notification.
  private var lastDrop = ""

  package init() {}

  /// A crossing that is not sure yet.
  private struct Doubt {
    /// When it is taken to be over: nothing says so of a beacon that was heard once, or of a short passage.
    var end: Int64?
  }

  /// The steps of what was about to be shown; those before them are about campaigns that are not for this visit.
  private static let lateSteps = ["filter", "strategies", "cooldown", "caps", "quiet", "slot"]

  /// A feed, at the beginning or later: regions of an earlier one stay on the map.
  package mutating func add(_ feed: Feed) {
    for region in feed.regions {
      let circle = region.shape.circle
      var area: Area?
      if case .area(let own) = region.shape { area = own }
      var drawn = MapRegion(
        id: region.id.text, name: region.name ?? "", latitude: circle?.center.latitude ?? 0,
        longitude: circle?.center.longitude ?? 0, radius: circle?.radius ?? 0, area: area, isPlaced: circle != nil)
      if let position = positions[drawn.id] {
        drawn.moves = regions[position].moves
        regions[position] = drawn
      } else {
        positions[drawn.id] = regions.count
        regions.append(drawn)
      }
    }
  }

  /// A fix, whether the engine takes it or not.
  package mutating func add(_ point: TrackPoint) { points.append(point) }

  /// A region has moved; `time` in milliseconds since 1970.
  package mutating func move(_ region: String, to place: Coordinate, at time: Int64) {
    guard let position = positions[region] else { return }
    regions[position].moves.append(MapMove(time: time, place: place))
  }

  /// An event record.
  package mutating func event(_ record: RunRecord) {
    let time = Timestamp.parse(record.time) ?? 0
    let region = record.region ?? ""
    let campaign = record.campaign ?? record.messageId ?? ""
    var title = record.message ?? ""
    let kind: String
    switch record.event ?? "" {
    case "region-enter", "region-inside":
      kind = record.event == "region-enter" ? "enter" : "inside"
      title = record.ordinal.map { "visit \($0)" } ?? ""
      if let source = record.source { title += ", by \(source)" }
      set(region, .inside, since: record.crossed(time), at: time)
    case "region-dwell":
      kind = "dwell"
      title = "for \(record.dwellingMinutes ?? 0) min"
      set(region, .dwelling, since: visits[region]?.since ?? time, at: time)
    case "region-exit":
      kind = "exit"
      if let since = visits[region]?.since {
        title = clock.stay(from: since, to: record.crossed(time), reported: time)
      }
      set(region, .outside, since: nil, at: time)
    case "region-approach":
      kind = "approach"
      title = "there at \(clock(record.arrival.flatMap { Timestamp.parse($0) } ?? time).timeOfDay)"
    case "notification-shown": kind = "notification"
    case "geotrigger": kind = "geotrigger"
    case "notification-failed":
      kind = "dropped"
      title = "\(campaign) could not be shown"
    case "notification-held-out":
      kind = "dropped"
      title = "\(campaign) was held out, to measure its effect"
    case "notification-filtered":
      kind = "dropped"
      title = "\(campaign) was left out by the filter"
    case "geotrigger-dropped":
      kind = "dropped"
      title = "\(campaign) was left out by the handler"
    case "message-dropped":
      kind = "dropped"
      title = "\(campaign) is not shown: \(record.reason ?? "")"
    case "notification-opened", "notification-action", "notification-dismissed", "notification-removed":
      kind = record.event == "notification-opened" || record.event == "notification-action" ? "opened" : "removed"
      let word = record.action ?? record.event?.split(separator: "-").last.map { String($0) } ?? ""
      title = "\(campaign): \(word)\(record.reason.map { " (\($0))" } ?? "")"
      if let mark = record.matchIdentifier.flatMap({ occurrences[$0] }) {
        marks[mark].outcomes.append("\(word) at \(clock(time).timeOfDay)")
      }
    case let other:
      kind = other
      if title.isEmpty { title = campaign }
    }
    let own = record.latitude.flatMap { latitude in
      record.longitude.map { Coordinate(latitude: latitude, longitude: $0) }
    }
    let mark = MapMark(
      kind: kind, time: time, place: own ?? place(region), region: region, title: title,
      campaign: record.campaign ?? record.messageId, matchIdentifier: record.matchIdentifier)
    if mark.isPinned, let match = record.matchIdentifier { occurrences[match] = marks.count }
    marks.append(mark)
  }

  /// A decision record, with the sentence about it, where there is one.
  ///
  /// - Throws: what is no record.
  package mutating func decision(_ record: RunRecord, sentence: String? = nil) {
    let decision = MapDecision(
      time: Timestamp.parse(record.time) ?? 0, campaign: record.campaign, region: record.region,
      message: record.messageId, step: record.step ?? "", verdict: record.verdict ?? "", reason: record.reason ?? "",
      detail: record.detail, sentence: sentence, nextPossible: record.nextPossible.flatMap { Timestamp.parse($0) })
    decisions.append(decision)
    if decision.step == "presence" { presence(decision) }
    // Actions of the app and the host have events.
    guard decision.holdsBack, Self.lateSteps.contains(decision.step),
      !["filtered-out", "deadline-dropped", "restart-dropped"].contains(decision.reason)
    else { return }
    let campaign = record.campaign ?? record.messageId ?? ""
    let region = record.region ?? ""
    let drop = [record.time, decision.step, campaign, region].joined(separator: "\u{0}")
    guard drop != lastDrop else { return }
    lastDrop = drop
    let detail = record.detail.map { " (\($0))" } ?? ""
    marks.append(
      MapMark(
        kind: "dropped", time: decision.time, place: place(region), region: region,
        title: "\(campaign) is not shown: \(decision.reason)\(detail)", campaign: record.campaign))
  }

  /// The collected marks, as a map.
  package func input(title: String) -> MapInput {
    var changes = changes
    for (region, doubt) in doubts.sorted(by: { $0.key < $1.key }) {
      guard let end = doubt.end, let newest, end <= newest else { continue }
      changes.append(withoutDoubt(region, at: end))
    }
    return MapInput(
      title: title, points: points, regions: regions, marks: marks, decisions: decisions, changes: changes,
      clock: clock)
  }

  // MARK: Presence

  private var newest: Int64? { [points.last?.time, marks.last?.time, decisions.last?.time].compactMap(\.self).max() }

  private mutating func presence(_ decision: MapDecision) {
    guard let region = decision.region else { return }
    switch (decision.verdict, decision.reason) {
    case ("hold", "not-confirmed"), ("hold", "hint-unproven"):
      doubt(region, at: decision.time, due: decision.nextPossible)
    case ("drop", "refuted"):
      guard doubts[region] != nil else { return }
      doubts[region] = nil
      changes.append(withoutDoubt(region, at: decision.time))
    case ("drop", let reason) where Reason.endsVisit.contains { $0.rawValue == reason }:
      if visits[region] != nil || doubts[region] != nil { set(region, .outside, since: nil, at: decision.time) }
    default: break
    }
  }

  private mutating func doubt(_ region: String, at time: Int64, due: Int64?) {
    let end = due == nil ? time + 60_000 : nil
    if let before = doubts[region] {
      if before.end.map({ $0 >= time }) ?? true {
        doubts[region]?.end = end
        return
      }
      changes.append(withoutDoubt(region, at: before.end ?? time))
    }
    let visit = visits[region]
    doubts[region] = Doubt(end: end)
    changes.append(
      MapChange(time: time, region: region, state: visit == nil ? .pending : .leaving, since: visit?.since))
  }

  private mutating func set(_ region: String, _ state: MapChange.State, since: Int64?, at time: Int64) {
    if let doubt = doubts.removeValue(forKey: region), let end = doubt.end, end < time {
      changes.append(withoutDoubt(region, at: end))
    }
    visits[region] = since.map { (state, $0) }
    changes.append(MapChange(time: time, region: region, state: state, since: since))
  }

  /// The state without the doubt.
  private func withoutDoubt(_ region: String, at time: Int64) -> MapChange {
    let visit = visits[region]
    return MapChange(time: time, region: region, state: visit?.state ?? .outside, since: visit?.since)
  }

  /// Where the device is, or else the region.
  private func place(_ region: String) -> Coordinate? {
    if let point = points.last { return Coordinate(latitude: point.latitude, longitude: point.longitude) }
    guard let position = positions[region], regions[position].isPlaced else { return nil }
    let own = regions[position]
    return own.moves.last?.place ?? Coordinate(latitude: own.latitude, longitude: own.longitude)
  }

}
