internal import PlotCore
internal import PlotDocuments
internal import PlotServerStorage

/// The effect of a campaign: those to whom it was shown beside those who were held out (docs/server.md, Lift).
struct LiftReport: Sendable {
  static let days: ClosedRange<Int64> = 1...90

  var campaign: String
  var days: Int64
  var regions: [String]
  /// The percentage of the draft's holdout; nil without one.
  var percent: Int64?
  var counts: ExposureCounts

  /// A difference of two shares, and where it lies with 95 percent certainty.
  struct Difference: Equatable {
    var value: Double
    var low: Double
    var high: Double
    /// Parts of the share of those who were held out; nil where that is 0.
    var relative: Double?
  }

  /// Newcombe's interval, made of two of Wilson's (R. G. Newcombe, 1998, method 10). Nil while one of the groups has nobody.
  static func difference(
    _ part: Int64, of whole: Int64, _ otherPart: Int64, of otherWhole: Int64
  ) -> Difference? {
    guard let a = StatisticsReport.rate(part, of: whole), let b = StatisticsReport.rate(otherPart, of: otherWhole)
    else {
      return nil
    }
    func root(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    let value = a.value - b.value
    return Difference(
      value: value, low: value - root(a.value - a.low, b.high - b.value),
      high: value + root(a.high - a.value, b.value - b.low), relative: b.value > 0 ? value / b.value : nil)
  }

  var lift: Difference? {
    Self.difference(counts.shown.came, of: counts.shown.people, counts.heldOut.came, of: counts.heldOut.people)
  }

  var heldOutShare: (value: Double, low: Double, high: Double)? {
    StatisticsReport.rate(counts.heldOut.people, of: counts.heldOut.people + counts.shown.people)
  }

  var json: JSONValue {
    func number(_ value: Double) -> JSONValue { .real(StatisticsReport.rounded(value)) }
    func share(_ rate: (value: Double, low: Double, high: Double)) -> JSONValue {
      .object([("value", number(rate.value)), ("low", number(rate.low)), ("high", number(rate.high))])
    }
    func group(_ group: ExposureCounts.Group) -> JSONValue {
      let rate = StatisticsReport.rate(group.came, of: group.people)
      return .object(
        [("people", .integer(group.people)), ("came", .integer(group.came))]
          + (rate.map { [("rate", share($0))] } ?? []))
    }
    var members: [(key: String, value: JSONValue)] = [
      ("campaign", .string(campaign)), ("days", .integer(days)), ("regions", .array(regions.map { .string($0) })),
      ("shown", group(counts.shown)), ("heldOut", group(counts.heldOut)), ("waiting", .integer(counts.waiting)),
    ]
    if let percent { members.append(("percent", .integer(percent))) }
    if let heldOutShare { members.append(("heldOutShare", share(heldOutShare))) }
    if let lift {
      members.append(
        (
          "lift",
          .object(
            [("value", number(lift.value)), ("low", number(lift.low)), ("high", number(lift.high))]
              + (lift.relative.map { [("relative", number($0))] } ?? []))
        ))
    }
    return .object(members)
  }
}

extension Service {
  /// `region`: whose visits count; nil for the campaign's. Nil for a campaign that the draft does not have.
  func lift(
    _ app: AppRecord, campaign id: String, region: String?, days: Int64, from first: String?, to last: String?
  ) async throws -> LiftReport? {
    guard let value = try await draftCampaign(id, app) else { return nil }
    let regions = region.map { [$0] } ?? value["regions"]?.texts ?? []
    let (from, to) = WeekReport.times(from: first, to: last)
    let now = now()
    let counts = try await storage.read { [dialect = storage.dialect] session in
      try session.exposures(
        ofApp: app.key, campaign: id, regions: regions, within: days * Retention.day,
        from: from, to: to, now: now, dialect)
    }
    var percent: Int64?
    if case .integer(let number)? = value["holdout"]?["percent"] { percent = number }
    return LiftReport(campaign: id, days: days, regions: regions, percent: percent, counts: counts)
  }
}
