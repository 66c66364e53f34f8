internal import FoundationEssentials
internal import PlotDocuments
internal import PlotEngineKit
internal import Synchronization

/// A walk of one person: fixes, and what the person's app has set before.
struct TrialWalk: Sendable {
  var person: String
  var fixes: [PlotEngineKit.Fix]
  var properties: [(key: String, value: PlotEngineKit.PropertyValue)]
  /// Until when time goes on; nil for the last fix.
  var end: Date?
}

/// The outcome of a walk.
struct TrialOutcome: Sendable {
  struct Shown: Sendable {
    var time: Date
    var campaign: String
    var region: String
    /// As the app gets it.
    var json: String
  }

  var shown: [Shown] = []
  /// JSON, as the engine has given it.
  var events: [String] = []
  var decisions: [String] = []
  var explanations: [String] = []
  var refused: [(fix: Int, reason: String)] = []
  /// Whether a cap has held something back.
  var isCapped = false
}

/// A feed and a configuration in which walks are tried, by the engine that devices have: an engine of its own for each walk, in memory.
struct Trial: Sendable {
  private let feed: PlotEngineKit.Feed
  private let configuration: PlotEngineKit.Configuration

  /// Throws `PlotError` for what cannot be read.
  init(feed json: String, configuration: String) throws(PlotError) {
    feed = try PlotEngineKit.Feed(json: json)
    self.configuration = try PlotEngineKit.Configuration(json: configuration)
  }

  private final class Notes: Sendable {
    let outcome = Mutex(TrialOutcome())
  }

  /// `records`: events and decisions are kept. `explained`: campaigns that are explained at the end.
  func play(_ walk: TrialWalk, records: Bool, explained: [String] = []) throws(PlotError) -> TrialOutcome {
    let notes = Notes()
    let start = walk.fixes.first?.date
    let engine = Engine()
    defer { engine.close() }
    try engine.onShow { _ in true }
    engine.onEvent { event in
      notes.outcome.withLock { outcome in
        if event.name == .notificationShown {
          outcome.shown.append(
            TrialOutcome.Shown(
              time: event.time, campaign: event.campaign ?? "", region: event.region ?? "",
              json: event.notification?.json ?? "null"))
        }
        if records { outcome.events.append(event.json) }
      }
    }
    engine.onDecision { decision in
      notes.outcome.withLock { outcome in
        if decision.step == "caps", decision.reason == "capped" { outcome.isCapped = true }
        if records { outcome.decisions.append(decision.json) }
      }
    }
    try engine.start(configuration, feed: feed, timeZone: .stored, at: start)
    for (key, value) in walk.properties { try engine.setProperty(key, value, at: start) }
    for (index, fix) in walk.fixes.enumerated() {
      do {
        try engine.update(fix)
      } catch {
        notes.outcome.withLock { $0.refused.append((index, error.message)) }
      }
    }
    if let end = walk.end { try engine.advance(to: end) }
    for campaign in explained {
      let explanation = try engine.explain(campaign)
      notes.outcome.withLock { $0.explanations.append(explanation.json) }
    }
    return notes.outcome.withLock { $0 }
  }
}

/// A walk tried with two feeds: what is shown with one and not with the other.
struct TrialComparison: Sendable {
  private struct Count: Sendable {
    var before: Int64 = 0
    var after: Int64 = 0
    /// The first walk in which the two differ, and when.
    var witness: (walk: Int, person: String, time: Date)?
  }

  private var walks: Int64 = 0
  private var campaigns: [String: Count] = [:]
  private var regions: [String: Count] = [:]
  private var people: [String: Count] = [:]
  private var cappedBefore: Set<String> = []
  private var cappedAfter: Set<String> = []
  private var more: Int64 = 0
  private var fewer: Int64 = 0

  mutating func add(_ walk: TrialWalk, _ index: Int, before: TrialOutcome, after: TrialOutcome) {
    walks += 1
    if before.isCapped { cappedBefore.insert(walk.person) }
    if after.isCapped { cappedAfter.insert(walk.person) }
    var rest: [String: Int64] = [:]
    for one in before.shown {
      campaigns[one.campaign, default: Count()].before += 1
      regions[one.region, default: Count()].before += 1
      people[walk.person, default: Count()].before += 1
      rest["\(one.campaign)\n\(one.region)", default: 0] += 1
    }
    for one in after.shown {
      campaigns[one.campaign, default: Count()].after += 1
      regions[one.region, default: Count()].after += 1
      people[walk.person, default: Count()].after += 1
      let key = "\(one.campaign)\n\(one.region)"
      rest[key, default: 0] -= 1
      if rest[key] ?? 0 < 0 {
        more += 1
        rest[key] = 0
        note((index, walk.person, one.time), one)
      }
    }
    for one in before.shown {
      let key = "\(one.campaign)\n\(one.region)"
      guard let left = rest[key], left > 0 else { continue }
      rest[key] = left - 1
      fewer += 1
      note((index, walk.person, one.time), one)
    }
  }

  private mutating func note(_ witness: (Int, String, Date), _ shown: TrialOutcome.Shown) {
    if campaigns[shown.campaign]?.witness == nil { campaigns[shown.campaign]?.witness = witness }
    if regions[shown.region]?.witness == nil { regions[shown.region]?.witness = witness }
    if people[witness.1]?.witness == nil { people[witness.1]?.witness = witness }
  }

  /// The lists have those that differ, the greatest difference first, at most 100 of each.
  var json: JSONValue {
    func list(_ counts: [String: Count], _ name: String) -> JSONValue {
      let changed = counts.filter { $0.value.witness != nil }.sorted { a, b in
        let (left, right) = (abs(a.value.after - a.value.before), abs(b.value.after - b.value.before))
        return left == right ? a.key < b.key : left > right
      }
      return .array(
        changed.prefix(100).map { id, count in
          var members: [(key: String, value: JSONValue)] = [
            (name, .string(id)), ("before", .integer(count.before)), ("after", .integer(count.after)),
          ]
          if let witness = count.witness {
            members.append(
              (
                "witness",
                .object([
                  ("walk", .integer(Int64(witness.walk))), ("person", .string(witness.person)),
                  ("time", .string(TrialReader.text(witness.time))),
                ])
              ))
          }
          return .object(members)
        })
    }
    return .object([
      ("walks", .integer(walks)), ("more", .integer(more)), ("fewer", .integer(fewer)),
      (
        "capped",
        .object([
          ("before", .integer(Int64(cappedBefore.count))), ("after", .integer(Int64(cappedAfter.count))),
        ])
      ),
      ("sentence", .string(sentence)), ("campaigns", list(campaigns, "campaign")), ("regions", list(regions, "region")),
      ("people", list(people, "person")),
    ])
  }

  private var sentence: String {
    if more == 0, fewer == 0 { return "Nothing differs in \(walks) walks." }
    let people = cappedAfter.subtracting(cappedBefore).count
    let capped = people == 0 ? "" : ", \(people) more \(people == 1 ? "person meets" : "people meet") a cap"
    return "\(more) more notification\(more == 1 ? "" : "s"), \(fewer) fewer\(capped)."
  }
}
