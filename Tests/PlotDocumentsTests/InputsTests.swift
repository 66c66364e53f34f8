import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The values behind decisions, against the table of docs/decisions.md.
@Suite struct InputsTests {
  struct Row {
    var key: String
    var isOptional: Bool
  }

  /// By `step reason`.
  static func table() throws -> [String: [Row]] {
    var table: [String: [Row]] = [:]
    for row in try PlotDocumentsTests.table(of: "decisions.md", after: "## Inputs") {
      let keys = row[2].split(separator: ",").map { cell in
        Row(key: words(String(cell))[0], isOptional: cell.hasSuffix("?"))
      }
      for reason in words(row[1]) { table["\(words(row[0])[0]) \(reason)"] = keys }
    }
    return table
  }

  @Test func eachDecisionHasTheInputsOfThePage() throws {
    let table = try Self.table()
    var seen: [String: Set<String>] = [:]
    var missing: [String: Set<String>] = [:]
    for decision in try DecisionTour.all() + InputsTour.decisions() {
      let name = "\(decision.step.rawValue) \(decision.reason.rawValue)"
      let keys = decision.inputs.entries.map(\.key)
      let rows = table[name] ?? []
      #expect(rows.map(\.key).filter(keys.contains) == keys, "\(name): \(keys)")
      for row in rows where !row.isOptional { #expect(keys.contains(row.key), "\(name) lacks \(row.key)") }
      seen[name, default: []].formUnion(keys)
      missing[name, default: []].formUnion(Set(rows.map(\.key)).subtracting(keys))
    }
    for (name, _, keys) in try Self.vectors() {
      let rows = table[name] ?? []
      #expect(Set(rows.map(\.key)).isSuperset(of: keys), "\(name): \(keys)")
      for row in rows where !row.isOptional { #expect(keys.contains(row.key), "\(name) lacks \(row.key)") }
      seen[name, default: []].formUnion(keys)
      missing[name, default: []].formUnion(Set(rows.map(\.key)).subtracting(keys))
    }
    for (name, rows) in table {
      for row in rows where row.isOptional {
        #expect(missing[name]?.contains(row.key) == true, "\(name) always has \(row.key)")
      }
      for row in rows { #expect(seen[name]?.contains(row.key) == true, "\(name) never has \(row.key)") }
    }
    #expect(table.count > 40)
  }

  /// The decisions in the vectors' effects: `step reason`, the verdict, and the keys of the inputs.
  static func vectors() throws -> [(name: String, verdict: String, keys: Set<String>)] {
    let folder = projectRoot.appendingPathComponent("Tests/vectors")
    var all: [(String, String, Set<String>)] = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".effects.jsonl")
    {
      for line in try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8).split(separator: "\n")
      where line.contains("\"verdict\":") {
        let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        guard let decision = record["record"] as? [String: Any], decision["step"] != nil else { continue }
        let name = "\(decision["step"] as? String ?? "") \(decision["reason"] as? String ?? "")"
        let verdict = decision["verdict"] as? String ?? ""
        all.append((name, verdict, Set((decision["inputs"] as? [String: Any] ?? [:]).keys)))
      }
    }
    return all
  }

  @Test func valuesAreWrittenByTheirKind() {
    var decision = Decision(time: 0, step: .caps, verdict: .drop, reason: .capped)
    decision.inputs = [
      "a": .integer(1), "b": .seconds(60), "c": .double(1.5), "d": .text("t\""), "e": .texts(["x", "y"]),
      "f": .time(1000), "g": .boolean(false), "h": nil,
    ]
    let json = #"{"a":1,"b":60,"c":1.5,"d":"t\"","e":["x","y"],"f":"1970-01-01T00:00:01Z","g":false}"#
    #expect(decision.json.contains(#""reason":"capped","inputs":\#(json)}"#), "\(decision.json)")
    decision.inputs = [:]
    #expect(!decision.json.contains("inputs"))
  }

  @Test func metresHaveOneDecimalAndNoMinusBeforeNothing() {
    #expect(InputValue.tenths(12.34) == .double(12.3))
    #expect(InputValue.tenths(-0.01) == .double(0))
    if case .double(let zero) = InputValue.tenths(-0.01) { #expect(zero.sign == .plus) }
  }

  /// Off: what is only for the record is not worked out.
  @Test func nothingIsNotedWhileNothingIsRecorded() {
    var machine = Machine(state: State(), feed: .empty)
    var count = 0
    func inputs() -> Inputs {
      count += 1
      return ["a": .integer(1)]
    }
    #expect(machine.noted(inputs()).isEmpty && count == 0)
    machine.settings.recordsDecisions = true
    #expect(!machine.noted(inputs()).isEmpty && count == 1)
  }
}

/// Inputs that only few decisions have.
enum InputsTour {
  private static let feed = #"""
    {"version": 1, "regions": [
      {"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 50, "country": "NLD"},
      {"id": "p", "type": "geofence", "latitude": 10.01, "longitude": 10, "radius": 50,
       "noise": {"preset": "exact", "minInside": 60}},
      {"id": "s", "type": "geofence", "latitude": 10, "longitude": 11, "radius": 50, "noise": "walking-1"}],
     "settings": {"quietHours": [{"tag": "t", "hours": {"daily": [["00:00", "24:00"]]}}]},
     "campaigns": [
       {"id": "land", "type": "notification", "message": "m", "regions": ["a"],
        "segmentation": {"country": ["BEL"]}},
       {"id": "again", "type": "notification", "message": "m", "regions": ["a"], "resend": true, "repeatMinutes": 10},
       {"id": "not", "type": "notification", "message": "m", "regions": ["a"], "resend": true, "repeatMinutes": 10,
        "segmentation": {"not": {"campaign": "again", "shown": true}}},
       {"id": "new", "type": "notification", "message": "m", "regions": ["a"], "resend": true, "repeatMinutes": 10,
        "segmentation": {"campaign": "again", "opened": {"within": 1}}},
       {"id": "way", "type": "notification", "message": "m", "regions": ["p"], "resend": true, "passages": true},
       {"id": "quiet", "type": "notification", "message": "m", "regions": ["a"], "tags": ["t"]}
     ]}
    """#

  static func decisions() throws -> [Decision] {
    var host = TestHost(try Feed.parse(feed)) { $0.initial = .enter }
    func fix(_ time: Milliseconds, _ latitude: Double, _ longitude: Double = 10) throws {
      try host.go(Coordinate(latitude: latitude, longitude: longitude), at: time * 1000)
    }
    try fix(0, 10)
    try host.play(host.machine.open(host.machine.state.history.sentNotifications[0].matchIdentifier ?? "", at: 1000))
    try host.wait(until: 700_000)
    try fix(800, 10.005)
    try fix(830, 10.015)
    try fix(900, 10, 11)
    try host.play(host.machine.hint(Hint(time: 901_000, region: Identifier("s"), kind: .exit)))
    return host.decisions
  }
}
