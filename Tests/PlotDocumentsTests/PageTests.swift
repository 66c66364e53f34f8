import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The tables of the pages against the lists of the code, both ways.
@Suite struct PageTests {
  // MARK: Items

  @Test func itemKeysAreThoseOfThePageInItsOrder() throws {
    let rows = try table(of: "items.md", after: "# Items")
    #expect(rows.flatMap { words($0[0]) } == HostItem.keys)
    #expect(Set(HostItem.keys).count == HostItem.keys.count)
  }

  @Test func itemsHaveTheirKeysInThisOrder() {
    var seen: Set<String> = []
    for (item, _) in RecordTests.items {
      let positions = item.members.map { HostItem.keys.firstIndex(of: $0.key) }
      #expect(!positions.contains(nil))
      let known = positions.compactMap(\.self)
      #expect(known == known.sorted() && Set(known).count == known.count)
      seen.formUnion(item.members.map(\.key))
    }
    #expect(seen == Set(HostItem.keys), "each key is in some item")
  }

  @Test func itemTypesAreThoseOfThePage() throws {
    var types: [String: String] = [:]
    for row in try table(of: "items.md", after: "# Items") { for key in words(row[0]) { types[key] = row[1] } }
    for (item, _) in RecordTests.items {
      for (key, value) in item.members {
        let type =
          switch value {
          case .string: "string"
          case .integer: "integer"
          case .double: "number"
          case .json(let json): json.hasPrefix("[") ? "array" : "object"
          }
        #expect(types[key] == type, "\(key)")
      }
    }
  }

  @Test func itemKeysThatAreAlwaysPresent() throws {
    for row in try table(of: "items.md", after: "# Items") where row[2] == "always" {
      for (item, _) in RecordTests.items {
        for key in words(row[0]) { #expect(item.members.contains { $0.key == key }, "\(key)") }
      }
    }
  }

  // MARK: Events

  @Test func eventKindsAreThoseOfThePage() throws {
    let rows = try table(of: "events.md", after: "# Events", number: 1)
    #expect(rows.flatMap { words($0[0]) } == Event.Kind.allCases.map(\.rawValue))
  }

  @Test func eventKeysStandInTheOrderOfThePage() throws {
    let keys = try table(of: "events.md", after: "# Events").flatMap { words($0[0]) }
    var event = Event(time: 0, kind: .notificationShown, sequence: 1, region: Identifier("r"), visit: "v")
    event.ordinal = 1
    event.coordinate = Coordinate(latitude: 1, longitude: 2)
    event.since = 0
    event.source = .beacon
    event.arrivalSeconds = 60
    event.arrival = 0
    event.dwellingMinutes = 5
    event.item = RecordTests.notification
    event.action = "a"
    event.recovered = true
    event.isLate = true
    event.advertising = Advertising(identifier: "i", limitsTracking: false)
    event.reason = "exit"
    event.holdout = Identifier("g")
    event.absence = Event.Absence(campaign: Identifier("c"), from: 0, to: 1, unknown: 0..<1)
    var plan = TripPlan(id: Identifier("t"), region: Identifier("r"))
    (plan.deadline, plan.metadata) = (0, [Identifier("k"): .boolean(true)])
    event.trip = Event.Trip(plan: plan, metres: 1, delay: 1000, other: Identifier("o"))
    event.lost = [.visits]
    #expect(Self.keys(event.json) == keys.filter { $0 != "messageId" })
    (event.item, event.absence, event.trip) = (RecordTests.message, nil, nil)
    #expect(
      Self.keys(event.json)
        == keys.filter {
          ![
            "region", "visit", "campaign", "from", "to", "unknownFrom", "unknownTo", "trip", "metres", "deadline",
            "delaySeconds", "otherRegion", "metadata",
          ].contains($0)
        })
  }

  // MARK: Decisions

  @Test func decisionKeysStandInTheOrderOfThePage() throws {
    let keys = try table(of: "decisions.md", after: "# Decisions").flatMap { words($0[0]) }
    let decision = Decision(
      time: 0, campaign: Identifier("c"), region: Identifier("r"), visit: "v", message: "m", step: .show,
      verdict: .pass, reason: .shown,
      detail: "d", inputs: ["count": .integer(1)], nextPossible: 0)
    #expect(Self.keys(decision.json) == keys)
  }

  @Test func stepsReasonsAndVerdictsAreThoseOfThePage() throws {
    let rows = try table(of: "decisions.md", after: "# Decisions", number: 1)
    #expect(Set(rows.map { words($0[0])[0] }) == Set(Step.allCases.map(\.rawValue)))
    #expect(Set(rows.map { words($0[1])[0] }) == Set(Reason.allCases.map(\.rawValue)))
    #expect(Set(rows.map { $0[2] }) == Set(Verdict.allCases.map(\.rawValue)))
    #expect(rows.allSatisfy { $0.count == 4 && $0[3].hasSuffix(".") }, "each has a sentence")
    let keys = try table(of: "decisions.md", after: "# Decisions")
    #expect(words(keys.first { words($0[0]) == ["verdict"] }?[2] ?? "") == Verdict.allCases.map(\.rawValue))
  }

  /// Looks each decision of the tours and of the vectors up in the table.
  @Test func everyDecisionIsInTheTableAndEachRowHappens() throws {
    let rows = try table(of: "decisions.md", after: "# Decisions", number: 1)
    let known = Set(rows.map { "\(words($0[0])[0]) \(words($0[1])[0]) \($0[2])" })
    #expect(known.count == rows.count)
    var happened: Set<String> = []
    for decision in try DecisionTour.all() {
      happened.insert("\(decision.step.rawValue) \(decision.reason.rawValue) \(decision.verdict.rawValue)")
    }
    for vector in try InputsTests.vectors() { happened.insert("\(vector.name) \(vector.verdict)") }
    #expect(happened.subtracting(known) == [], "not in the table")
    #expect(known.subtracting(happened) == [], "did not happen")
  }

  /// The keys of an object, in their order.
  static func keys(_ json: String) -> [String] {
    guard let reader = try? JSONReader(Array(json.utf8)) else { return [] }
    return reader.keys(reader.root)
  }
}

/// A walk on which every decision is made at least once.
struct DecisionTour {
  /// The decisions of all tours.
  static func all() throws -> [Decision] {
    try DecisionTour().decisions() + ShowingTour.decisions() + StayTour.decisions() + StepsTour.decisions()
      + LimitsTour.decisions()
      + MessageTour.decisions() + PresenceTour.decisions() + HintTour.decisions() + beyondTheLimit()
  }

  /// One candidate more than an instant may have; the decision about that one.
  private static func beyondTheLimit() throws -> [Decision] {
    let campaigns = (0...Machine.candidateLimit).map {
      #"{"id": "g\#($0)", "type": "geotrigger", "name": "n", "regions": ["a"], "trigger": "exit"}"#
    }
    let region = #"{"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50}"#
    let feed = #"{"version": 1, "regions": [\#(region)], "campaigns": [\#(campaigns.joined(separator: ","))]}"#
    var host = TestHost(try Feed.parse(feed))
    for (time, latitude) in [(Milliseconds(0), 10.0), (1000, 11)] {
      try host.go(Coordinate(latitude: latitude, longitude: 10), at: time)
    }
    return host.decisions.filter { $0.reason == .tooMany }
  }

  private static let feed = #"""
    {"version": 1, "regions": [{"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50}],
     "campaigns": [
       {"id": "early", "type": "notification", "message": "m", "regions": ["a"], "start": "2026-01-01T00:00:00Z"},
       {"id": "late", "type": "notification", "message": "m", "regions": ["a"], "end": "1970-01-01T00:00:01Z"},
       {"id": "field", "type": "notification", "message": "{{offer}}", "regions": ["a"]},
       {"id": "missing", "type": "notification", "message": "m", "regions": ["a"],
        "segmentation": {"all": [{"property": "p", "equals": 1}]}},
       {"id": "differs", "type": "notification", "message": "m", "regions": ["a"],
        "segmentation": {"all": [{"property": "q", "equals": 1}]}},
       {"id": "once", "type": "notification", "message": "m", "regions": ["a"]},
       {"id": "hourly", "type": "notification", "message": "m", "regions": ["a"], "cooldownPeriod": 3600},
       {"id": "page", "type": "notification", "message": "m", "handlerType": "landingPage", "regions": ["a"],
        "resend": true},
       {"id": "again", "type": "notification", "message": "m", "regions": ["a"], "resend": true},
       {"id": "rich", "type": "notification", "message": "m", "regions": ["a"], "content": {"attachments": [
        {"id": "good", "url": "/a.png"}, {"id": "far", "url": "http://a/a.png"}, {"id": "odd", "url": "/a.txt"},
        {"id": "large", "url": "/large.png"}]}},
       {"id": "open", "type": "notification", "message": "m", "regions": ["a"],
        "triggerTimes": {"type": "timespans", "timespans": [{"end": "2026-01-01T00:00:00Z"}]}},
       {"id": "closed", "type": "notification", "message": "m", "regions": ["a"],
        "triggerTimes": {"type": "timespans", "timespans": [{"start": "2026-01-01T00:00:00Z"}]}},
       {"id": "waiting", "type": "notification", "message": "m", "regions": ["a"], "triggerTimes":
        {"type": "timespans", "timespans": [{"start": "2026-01-01T00:00:00Z"}], "outside": "hold"}}
     ]}
    """#

  private static let inside = Coordinate(latitude: 10, longitude: 10)
  private static let outside = Coordinate(latitude: 11, longitude: 10)
  private static let near = Coordinate(latitude: 10.0005, longitude: 10)

  func decisions() throws -> [Decision] {
    var host = TestHost(try Feed.parse(Self.feed)) {
      $0.initial = .enter
      $0.inspect = FileInspection { FileFacts(size: $0 == "/large.png" ? .max : 1) }
    }
    host.time = 10_000
    func visit(shown: Bool = true) throws {
      host.canShow = { _ in shown }
      let time = host.time
      try host.go(Self.inside, at: time)
      host.canShow = { _ in true }
      try host.go(Self.outside, at: time + 1000)
      host.time = time + 10_000
    }
    func answer(_ keeping: Bool) throws {
      let batch = try #require(host.machine.state.delivery.batches.first)
      try host.play(host.machine.answerFilter(batch.token, keeping ? batch.all : [], at: host.time))
    }
    _ = host.machine.setProperty(Identifier("q"), .integer(2), at: host.time)
    try host.fix(Fix(time: host.time, coordinate: Self.inside, accuracy: 5000))
    try visit(shown: false)
    try visit()
    try visit()
    _ = host.machine.setCooldownPeriod(60_000, at: host.time)
    try visit()
    _ = host.machine.setCooldownPeriod(0, at: host.time)
    host.machine.settings.hasFilter = true
    try visit()
    try visit()
    try answer(true)
    try visit()
    try answer(false)
    for fallback in FilterFallback.allCases {
      host.machine.settings.filterFallback = fallback
      try visit()
      try host.wait(until: host.time + 600_000)
    }
    try host.go(Self.inside, at: host.time)
    try host.go(Self.near, at: host.time)
    try host.play(host.machine.setEnabled(false, at: host.time))
    try host.play(host.machine.setEnabled(true, at: host.time))
    try host.go(Self.inside, at: host.time)
    // The region stays, and what waited there is gone.
    try host.play(
      host.machine.setFeed(
        Feed(revision: nil, regions: host.machine.feed.regions, campaigns: [], digest: "x"), at: host.time))
    try host.play(host.machine.setFeed(.empty, at: host.time))
    return host.decisions
  }
}
