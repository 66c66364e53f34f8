internal import Foundation
internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

/// Counts of campaigns and regions in some days.
struct StatisticsReport: Sendable {
  struct Campaign: Equatable, Sendable {
    var campaign: String
    var shown: Int64 = 0
    var opened: Int64 = 0
    var actions: Int64 = 0
    var dismissed: Int64 = 0
    var failed: Int64 = 0
    var filtered: Int64 = 0
    var geotriggers: Int64 = 0
    var heldOut: Int64 = 0
  }

  struct Region: Equatable, Sendable {
    var region: String
    var visits: Int64 = 0
    /// Visits that have ended, and how long they were together.
    var ended: Int64 = 0
    var seconds: Int64 = 0
  }

  /// Sorted by id.
  private(set) var campaigns: [Campaign] = []
  private(set) var regions: [Region] = []

  init(_ counts: [StatisticKey: StatisticCount]) {
    var campaigns: [String: Campaign] = [:]
    var regions: [String: Region] = [:]
    for (key, count) in counts {
      if !key.campaign.isEmpty {
        var one = campaigns[key.campaign] ?? Campaign(campaign: key.campaign)
        switch key.kind {
        case "notification-shown": one.shown += count.number
        case "notification-opened": one.opened += count.number
        case "notification-action": one.actions += count.number
        case "notification-dismissed": one.dismissed += count.number
        case "notification-failed": one.failed += count.number
        case "notification-filtered": one.filtered += count.number
        case "geotrigger": one.geotriggers += count.number
        case "notification-held-out": one.heldOut += count.number
        default: break
        }
        campaigns[key.campaign] = one
      } else if !key.region.isEmpty {
        var one = regions[key.region] ?? Region(region: key.region)
        switch key.kind {
        case "region-enter", "region-inside": one.visits += count.number
        case "dwell": (one.ended, one.seconds) = (one.ended + count.number, one.seconds + count.seconds)
        default: break
        }
        regions[key.region] = one
      }
    }
    self.campaigns = campaigns.values.sorted { $0.campaign < $1.campaign }
    self.regions = regions.values.sorted { $0.region < $1.region }
  }

  /// The share of a count, and where it lies with 95 percent certainty: Wilson's interval, which holds for small counts, too (E. B. Wilson, 1927).
  /// Nil for a share of nothing.
  static func rate(_ part: Int64, of whole: Int64) -> (value: Double, low: Double, high: Double)? {
    // Each event is counted when it comes: one of the part may be there before its whole.
    guard whole > 0 else { return nil }
    let (n, p, z) = (Double(whole), Double(min(part, whole)) / Double(whole), 1.959964)
    let middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    let reach = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot() / (1 + z * z / n)
    return (p, max(0, middle - reach), min(1, middle + reach))
  }

  var json: JSONValue {
    .object([
      (
        "campaigns",
        .array(
          campaigns.map { one in
            var members: [(key: String, value: JSONValue)] = [
              ("campaign", .string(one.campaign)), ("shown", .integer(one.shown)), ("opened", .integer(one.opened)),
              ("actions", .integer(one.actions)), ("dismissed", .integer(one.dismissed)),
              ("failed", .integer(one.failed)), ("filtered", .integer(one.filtered)),
              ("geotriggers", .integer(one.geotriggers)), ("heldOut", .integer(one.heldOut)),
            ]
            if let rate = Self.rate(one.opened, of: one.shown) {
              members.append(
                (
                  "openRate",
                  .object([
                    ("value", .real(Self.rounded(rate.value))), ("low", .real(Self.rounded(rate.low))),
                    ("high", .real(Self.rounded(rate.high))),
                  ])
                ))
            }
            return .object(members)
          })
      ),
      (
        "regions",
        .array(
          regions.map { one in
            var members: [(key: String, value: JSONValue)] = [
              ("region", .string(one.region)), ("visits", .integer(one.visits)), ("ended", .integer(one.ended)),
            ]
            if one.ended > 0 { members.append(("meanSeconds", .integer(one.seconds / one.ended))) }
            return .object(members)
          })
      ),
    ])
  }

  static func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }

  // MARK: Tables

  private typealias Column = Table.Column

  var campaignTable: Table {
    func counts(_ name: String, _ count: (Campaign) -> Int64) -> Column {
      Column(name: name, values: .integers(campaigns.map(count)))
    }
    let rates = campaigns.map { Self.rate($0.opened, of: $0.shown) }
    func shares(_ name: String, _ values: [Double?]) -> Column {
      Column(name: name, values: .reals(values.map { $0.map(Self.rounded) }))
    }
    return Table(columns: [
      Column(name: "campaign", values: .texts(campaigns.map(\.campaign))),
      counts("shown", \.shown), counts("opened", \.opened), counts("actions", \.actions),
      counts("dismissed", \.dismissed), counts("failed", \.failed), counts("filtered", \.filtered),
      counts("geotriggers", \.geotriggers),
      shares("openRate", rates.map { $0?.value }), shares("openRateLow", rates.map { $0?.low }),
      shares("openRateHigh", rates.map { $0?.high }),
      counts("heldOut", \.heldOut),
    ])
  }

  var regionTable: Table {
    Table(columns: [
      Column(name: "region", values: .texts(regions.map(\.region))),
      Column(name: "visits", values: .integers(regions.map(\.visits))),
      Column(name: "ended", values: .integers(regions.map(\.ended))),
      Column(name: "meanSeconds", values: .integers(regions.map { $0.ended > 0 ? $0.seconds / $0.ended : nil })),
    ])
  }

  /// The counts, day by day.
  static func dayTable(_ counts: [StatisticKey: StatisticCount]) -> Table {
    let rows = counts.sorted { $0.key < $1.key }
    return Table(columns: [
      Column(name: "day", values: .texts(rows.map(\.key.day))),
      Column(name: "kind", values: .texts(rows.map(\.key.kind))),
      Column(name: "campaign", values: .texts(rows.map(\.key.campaign))),
      Column(name: "region", values: .texts(rows.map(\.key.region))),
      Column(name: "count", values: .integers(rows.map(\.value.number))),
      Column(name: "seconds", values: .integers(rows.map(\.value.seconds))),
    ])
  }
}

/// Comma-separated values (RFC 4180).
enum CSV {
  static func text(_ rows: [[String]]) -> String {
    rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
  }

  /// A text that a spreadsheet would take for a formula gets an apostrophe first (OWASP, CSV injection).
  private static func cell(_ text: String) -> String {
    let isNumber = Double(text) != nil
    let isFormula = !isNumber && text.unicodeScalars.first.map { "=+-@\t\r".unicodeScalars.contains($0) } == true
    let plain = isFormula ? "'" + text : text
    guard plain.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return plain }
    return "\"" + plain.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

/// When things happen in a week: by weekday, Monday first, and hour of a time zone.
struct WeekReport: Sendable {
  /// The kinds of events that it is of.
  static let kinds = [
    "region-enter", "region-exit", "notification-shown", "notification-opened", "notification-filtered",
    "notification-dismissed", "notification-held-out", "geotrigger",
  ]

  let zone: String
  let kind: String
  private(set) var counts = [[Int64]](repeating: [Int64](repeating: 0, count: 24), count: 7)

  /// Nil for a zone that the system does not have. `hours`: hours since 1970. Of a zone that is not whole hours from UTC, an hour counts as the one that
  /// it begins in.
  init?(_ hours: [(hour: Int64, count: Int64)], kind: String, zone name: String) {
    guard let zone = name == "UTC" ? TimeZone(secondsFromGMT: 0) : TimeZone(identifier: name) else { return nil }
    (self.zone, self.kind) = (name, kind)
    for (hour, count) in hours {
      let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(hour) * 3600))
      let local = (hour * 3600 + Int64(offset)).quotientDown(by: 3600)
      // The first of January 1970 was a Thursday.
      let weekday = (local.quotientDown(by: 24) + 3).remainderUp(by: 7)
      counts[Int(weekday)][Int(local.remainderUp(by: 24))] += count
    }
  }

  /// A day as in 2026-05-16.
  static func isDay(_ text: String) -> Bool { text.utf8.count == 10 && Timestamp.parse(text + "T00:00:00Z") != nil }

  /// Milliseconds since 1970: the start of the first day, and the end of the last.
  static func times(from first: String?, to last: String?) -> (from: Int64, to: Int64) {
    func time(_ day: String?) -> Int64? { day.flatMap { Timestamp.parse($0 + "T00:00:00Z") } }
    return (time(first) ?? 0, time(last).map { $0 + Retention.day } ?? .max)
  }

  var most: Int64 { counts.joined().max() ?? 0 }

  var json: JSONValue {
    .object([
      ("kind", .string(kind)), ("zone", .string(zone)),
      ("weekdays", .array(counts.map { .array($0.map { .integer($0) }) })),
    ])
  }
}

extension Int64 {
  fileprivate func quotientDown(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }

  fileprivate func remainderUp(by divisor: Int64) -> Int64 { self - quotientDown(by: divisor) * divisor }
}

extension Service {
  /// The week of an app's events of a kind. `days`: the first and the last; nil for all.
  func week(
    _ app: AppRecord, kind: String, campaign: String?, region: String?, from first: String?, to last: String?,
    zone: String
  ) async throws -> WeekReport {
    guard WeekReport.kinds.contains(kind) else {
      throw RequestFault.invalid("?kind", "one of \(WeekReport.kinds.joined(separator: ", "))", .string(kind))
    }
    let (from, to) = WeekReport.times(from: first, to: last)
    let hours = try await storage.read {
      try $0.hours(ofApp: app.key, kind: kind, campaign: campaign, region: region, from: from, to: to)
    }
    guard let report = WeekReport(hours, kind: kind, zone: zone) else {
      throw RequestFault.invalid("?zone", "an IANA name of a time zone, as Europe/Amsterdam", .string(zone))
    }
    return report
  }
}
