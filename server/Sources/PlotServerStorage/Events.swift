internal import PlotCore
internal import PlotDocuments

/// An event of a device, as it is kept.
public struct EventRecord: Sendable {
  public var sequence: Int64
  public var time: Int64
  /// The word of docs/events.md.
  public var kind: String
  public var campaign: String
  public var region: String
  /// The id of the visit that begins or ends here; "" for others.
  public var visit: String
  /// When the crossing happened.
  public var since: Int64
  public var json: String

  public init(
    sequence: Int64, time: Int64, kind: String, campaign: String, region: String, visit: String, since: Int64,
    json: String
  ) {
    (self.sequence, self.time, self.kind, self.campaign) = (sequence, time, kind, campaign)
    (self.region, self.visit, self.since, self.json) = (region, visit, since, json)
  }

  public var beginsVisit: Bool { kind == "region-enter" || kind == "region-inside" }
  public var endsVisit: Bool { kind == "region-exit" }
}

/// The events of one installation that came in one request.
public struct EventBatch: Sendable {
  public var app: Int64
  public var installation: Int64
  public var events: [EventRecord]

  public init(app: Int64, installation: Int64, events: [EventRecord]) {
    (self.app, self.installation, self.events) = (app, installation, events)
  }
}

/// A row of the statistics.
public struct StatisticKey: Hashable, Comparable, Sendable {
  /// In UTC, as in `2026-05-16`.
  public var day: String
  /// The word of an event, or `dwell`, which counts visits that have ended and sums their seconds.
  public var kind: String
  public var campaign: String
  public var region: String

  public init(day: String, kind: String, campaign: String, region: String) {
    (self.day, self.kind, self.campaign, self.region) = (day, kind, campaign, region)
  }

  public static func < (a: Self, b: Self) -> Bool {
    (a.day, a.kind, a.campaign, a.region) < (b.day, b.kind, b.campaign, b.region)
  }
}

public struct StatisticCount: Equatable, Sendable {
  public var number: Int64 = 0
  public var seconds: Int64 = 0

  public init(number: Int64 = 0, seconds: Int64 = 0) { (self.number, self.seconds) = (number, seconds) }

  mutating func add(_ seconds: Int64 = 0) {
    number += 1
    self.seconds += seconds
  }
}

/// The people for whom a campaign with a holdout came to a showing.
public struct ExposureCounts: Equatable, Sendable {
  public struct Group: Equatable, Sendable {
    public var people: Int64 = 0
    /// Those who came within the time.
    public var came: Int64 = 0

    public init(people: Int64 = 0, came: Int64 = 0) { (self.people, self.came) = (people, came) }
  }

  public var shown = Group()
  public var heldOut = Group()
  /// Those whose time is not over.
  public var waiting: Int64 = 0

  public init() {}
}

extension SQLSession {
  /// Keeps events and counts them, in one transaction; those that are there already are left out. Gives for each batch the sequences that are new.
  public func take(_ batches: [EventBatch], at now: Int64) throws(StorageError) -> [Set<Int64>] {
    var accepted: [Set<Int64>] = []
    /// Whether somebody is told of an app's events.
    var listeners: [Int64: Bool] = [:]
    var counts: [Int64: [StatisticKey: StatisticCount]] = [:]
    for batch in batches {
      var new: Set<Int64> = []
      var rest = batch.events[...]
      while !rest.isEmpty {
        new.formUnion(try insert(rest.prefix(Self.rowsAtOnce), batch.installation, now))
        rest = rest.dropFirst(Self.rowsAtOnce)
      }
      var seen: Set<Int64> = []
      for event in batch.events where new.contains(event.sequence) && seen.insert(event.sequence).inserted {
        counts[batch.app, default: [:]][Statistics.key(event), default: StatisticCount()].add()
        if let (key, seconds) = try dwell(event, batch.installation) {
          counts[batch.app, default: [:]][key, default: StatisticCount()].add(seconds)
        }
      }
      accepted.append(new)
      if listeners[batch.app] == nil {
        listeners[batch.app] = try webhooks(ofApp: batch.app).contains { $0.kinds.contains(.events) }
      }
      if !new.isEmpty, listeners[batch.app] == true { try tell(batch, new, at: now) }
    }
    // In one order, so that two transactions do not wait for each other.
    for (app, counts) in counts.sorted(by: { $0.key < $1.key }) {
      for (key, count) in counts.sorted(by: { $0.key < $1.key }) { try add(count, to: key, ofApp: app) }
    }
    return accepted
  }

  private static var rowsAtOnce: Int { 20 }

  /// Gives the sequences that are new.
  private func insert(
    _ events: ArraySlice<EventRecord>, _ installation: Int64, _ now: Int64
  ) throws(StorageError) -> [Int64] {
    var values: [SQLValue] = []
    for event in events {
      values += [
        .integer(installation), .integer(event.sequence), .integer(event.time), .integer(now), .text(event.kind),
        .text(event.campaign), .text(event.region), .text(event.visit), .text(event.json),
      ]
    }
    let places = events.indices.map { index in
      let first = 9 * (index - events.startIndex)
      return "(" + (1...9).map { "$\(first + $0)" }.joined(separator: ", ") + ")"
    }
    let sql = """
      INSERT INTO event(installation, sequence, time, received, kind, campaign, region, visit, json)
      VALUES \(places.joined(separator: ", ")) ON CONFLICT(installation, sequence) DO NOTHING RETURNING sequence
      """
    return try rows(sql, values).compactMap { $0.integer(0) }
  }

  /// Notes that a visit begins or ends; gives its length when both are known, in whatever order they came.
  private func dwell(_ event: EventRecord, _ installation: Int64) throws(StorageError) -> (StatisticKey, Int64)? {
    guard !event.visit.isEmpty, event.beginsVisit || event.endsVisit else { return nil }
    let (own, other) = event.beginsVisit ? ("began", "ended") : ("ended", "began")
    let sql = """
      INSERT INTO visit(installation, id, \(own)) VALUES ($1, $2, $3)
      ON CONFLICT(installation, id) DO UPDATE SET \(own) = excluded.\(own) WHERE visit.\(own) IS NULL RETURNING \(other)
      """
    guard let row = try row(sql, .integer(installation), .text(event.visit), .integer(event.since)),
      let time = row.integer(0)
    else { return nil }
    let (began, ended) = event.beginsVisit ? (event.since, time) : (time, event.since)
    return (Statistics.dwellKey(region: event.region, ended: ended), Statistics.seconds(from: began, to: ended))
  }

  // MARK: Statistics

  private func add(_ count: StatisticCount, to key: StatisticKey, ofApp app: Int64) throws(StorageError) {
    try run(
      """
      INSERT INTO statistic(app, day, kind, campaign, region, number, seconds, erased_number, erased_seconds)
      VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0) ON CONFLICT(app, day, kind, campaign, region) DO UPDATE SET
        number = statistic.number + excluded.number, seconds = statistic.seconds + excluded.seconds
      """, .integer(app), .text(key.day), .text(key.kind), .text(key.campaign), .text(key.region),
      .integer(count.number), .integer(count.seconds))
  }

  /// All that was counted, with the part that was erased since. `days`: the first and the last, in UTC, as in `2026-05-16`; nil for all.
  public func statistics(
    ofApp app: Int64, from first: String? = nil, to last: String? = nil
  ) throws(StorageError) -> [StatisticKey: (all: StatisticCount, erased: StatisticCount)] {
    var found: [StatisticKey: (all: StatisticCount, erased: StatisticCount)] = [:]
    let sql = """
      SELECT day, kind, campaign, region, number, seconds, erased_number, erased_seconds FROM statistic
      WHERE app = $1 AND day >= $2 AND day <= $3
      """
    for row in try rows(sql, .integer(app), .text(first ?? ""), .text(last ?? "~")) {
      let key = StatisticKey(
        day: row.text(0) ?? "", kind: row.text(1) ?? "", campaign: row.text(2) ?? "", region: row.text(3) ?? "")
      found[key] = (
        StatisticCount(number: row.integer(4) ?? 0, seconds: row.integer(5) ?? 0),
        StatisticCount(number: row.integer(6) ?? 0, seconds: row.integer(7) ?? 0)
      )
    }
    return found
  }

  /// How many events of a kind happened in each hour since 1970 that has some; of a campaign and a region, where they are named. `from` and `to` are
  /// milliseconds since 1970. Only of events that are still kept.
  public func hours(
    ofApp app: Int64, kind: String, campaign: String?, region: String?, from: Int64, to: Int64
  ) throws(StorageError) -> [(hour: Int64, count: Int64)] {
    var values: [SQLValue] = [.integer(app), .text(kind), .integer(from), .integer(to)]
    var sql = """
      SELECT time / 3600000 AS hour, COUNT(*) FROM event
      WHERE installation IN (SELECT key FROM installation WHERE app = $1) AND kind = $2 AND time >= $3 AND time < $4
      """
    for (column, value) in [("campaign", campaign), ("region", region)] {
      guard let value else { continue }
      values.append(.text(value))
      sql += " AND \(column) = $\(values.count)"
    }
    return try rows(sql + " GROUP BY hour ORDER BY hour", values).compactMap { row in
      row.integer(0).flatMap { hour in row.integer(1).map { (hour, $0) } }
    }
  }

  /// Those for whom a campaign with a holdout came to a showing in `from`..<`to`, each once: by what happened the first time, and how many of
  /// them came into one of `regions` in the `within` milliseconds after it, in another visit. Only of events that are still kept.
  public func exposures(
    ofApp app: Int64, campaign: String, regions: [String], within: Int64, from: Int64, to: Int64, now: Int64,
    _ dialect: SQLDialect
  ) throws(StorageError) -> ExposureCounts {
    let values: [SQLValue] = [
      .integer(within), .integer(now), .text(JSONValue.array(regions.map { .string($0) }).text), .integer(app),
      .text(campaign), .integer(from),
      .integer(to),
    ]
    // A quotation mark within a text of the event has a backslash before it, so that only a key looks like this.
    let sql = """
      SELECT kind, is_over, COUNT(*), SUM(came) FROM (
        SELECT first.kind AS kind, CASE WHEN first.time + $1 <= $2 THEN 1 ELSE 0 END AS is_over,
          CASE WHEN EXISTS(SELECT 1 FROM event WHERE event.installation = first.installation
            AND event.kind IN ('region-enter', 'region-inside') AND event.region IN \(dialect.texts(of: "$3"))
            AND event.time > first.time AND event.time <= first.time + $1 AND event.visit <> first.visit)
            THEN 1 ELSE 0 END AS came
        FROM (SELECT installation, kind, visit, time, ROW_NUMBER() OVER (PARTITION BY installation ORDER BY time, sequence) AS number
          FROM event WHERE installation IN (SELECT key FROM installation WHERE app = $4) AND campaign = $5
            AND kind IN ('notification-shown', 'notification-held-out') AND time >= $6 AND time < $7
            AND json LIKE '%"holdout":%') AS first
        WHERE first.number = 1) AS people
      GROUP BY kind, is_over
      """
    var counts = ExposureCounts()
    for row in try rows(sql, values) {
      let group = ExposureCounts.Group(people: row.integer(2) ?? 0, came: row.integer(3) ?? 0)
      if row.integer(1) != 1 {
        counts.waiting += group.people
      } else if row.text(0) == "notification-shown" {
        counts.shown = group
      } else {
        counts.heldOut = group
      }
    }
    return counts
  }

  /// The statistics of an app counted anew, from its events.
  public func recount(app: Int64) throws(StorageError) -> [StatisticKey: StatisticCount] {
    try recount("event.installation IN (SELECT key FROM installation WHERE app = $1)", [.integer(app)])
  }

  func recount(_ condition: String, _ values: [SQLValue]) throws(StorageError) -> [StatisticKey: StatisticCount] {
    var found: [StatisticKey: StatisticCount] = [:]
    var visits: [RecountedVisit.Key: RecountedVisit] = [:]
    let sql = """
      SELECT event.installation, sequence, time, kind, campaign, region, visit, json FROM event WHERE \(condition)
      ORDER BY event.installation, received, sequence
      """
    for row in try rows(sql, values) {
      let event = EventRecord(
        sequence: row.integer(1) ?? 0, time: row.integer(2) ?? 0, kind: row.text(3) ?? "", campaign: row.text(4) ?? "",
        region: row.text(5) ?? "", visit: row.text(6) ?? "", since: 0, json: row.text(7) ?? "")
      found[Statistics.key(event), default: StatisticCount()].add()
      guard !event.visit.isEmpty, event.beginsVisit || event.endsVisit else { continue }
      let key = RecountedVisit.Key(installation: row.integer(0) ?? 0, id: event.visit)
      let since = Statistics.since(event.json) ?? event.time
      if event.beginsVisit, visits[key]?.began == nil { visits[key, default: RecountedVisit()].began = since }
      if event.endsVisit, visits[key]?.ended == nil {
        visits[key, default: RecountedVisit()].ended = (since, event.region)
      }
    }
    for visit in visits.values {
      guard let began = visit.began, let ended = visit.ended else { continue }
      found[Statistics.dwellKey(region: ended.region, ended: ended.time), default: StatisticCount()].add(
        Statistics.seconds(from: began, to: ended.time))
    }
    return found
  }
}

/// A visit, put together from its events.
private struct RecountedVisit {
  struct Key: Hashable {
    var installation: Int64
    var id: String
  }

  var began: Int64?
  var ended: (time: Int64, region: String)?
}

/// How events are counted.
public enum Statistics {
  static func key(_ event: EventRecord) -> StatisticKey {
    StatisticKey(day: day(event.time), kind: event.kind, campaign: event.campaign, region: event.region)
  }

  static func dwellKey(region: String, ended: Int64) -> StatisticKey {
    StatisticKey(day: day(ended), kind: "dwell", campaign: "", region: region)
  }

  static func seconds(from began: Int64, to ended: Int64) -> Int64 { max(0, (ended - began) / 1000) }

  static func day(_ time: Int64) -> String { String(text(time).prefix(10)) }

  static func text(_ time: Int64) -> String { Timestamp.text(time) }

  /// The `since` of an event's JSON.
  static func since(_ json: String) -> Int64? {
    guard let value = try? JSONValue(parsing: Array(json.utf8)), case .string(let text)? = value["since"] else {
      return nil
    }
    return Timestamp.parse(text)
  }
}
