import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotEngine
@testable import PlotTracks
@testable import plot

/// A day between a shop and a park, recorded, and what becomes of it when something is otherwise.
@Suite struct WhatIfTests {
  static let feed =
    #"{"version":1,"regions":[{"id":"shop","type":"geofence","latitude":52.0,"longitude":5.0,"radius":100},"#
    + #"{"id":"park","type":"geofence","latitude":52.01,"longitude":5.0,"radius":100}],"campaigns":["#
    + #"{"id":"sale","type":"notification","message":"Sale","resend":true,"regions":["shop"]},"#
    + #"{"id":"walk","type":"notification","message":"Walk","resend":true,"regions":["park"]},"#
    + #"{"id":"bye","type":"notification","message":"Bye","resend":true,"trigger":"exit","regions":["shop"]}]}"#

  final class Lines: @unchecked Sendable {
    var all: [String] = []
  }

  /// A recording of it; `filter` gives what an app keeps of a batch, or nil for no answer.
  static func recording(
    config: String = #"{"publicToken":"t","engine":{"noise":"exact","earliestTime":0}}"#, delay: Int64 = 0,
    filter: (@Sendable (Item) -> Bool)? = nil
  ) throws -> [String] {
    let lines = Lines()
    let engine = Engine()
    defer { engine.close() }
    let asked = Lines()
    let tokens = Tokens()
    try engine.setRecordingCallback { lines.all.append($0) }
    if filter != nil {
      try engine.setCallback(\.filter) { token, items in
        asked.all.append("\(token)")
        tokens.batches.append((token, items))
      }
    }
    try engine.initialize(at: 0, Configuration(config), storePath: nil)
    try engine.setFeed(Feed.parse(feed), at: 0)
    for (index, latitude) in [52.005, 52.0, 52.005, 52.01, 52.005, 52.0, 52.005].enumerated() {
      let time = Int64(index + 1) * 300_000
      let place = Coordinate(latitude: latitude, longitude: 5)
      try engine.update(Fix(time: time, coordinate: place))
      guard let filter else { continue }
      while !tokens.batches.isEmpty {
        let (token, items) = tokens.batches.removeFirst()
        let kept = items.filter(filter).map(\.kept)
        try engine.answerFilter(token, kept, at: time + delay)
      }
    }
    return lines.all
  }

  final class Tokens: @unchecked Sendable {
    var batches: [(UInt64, [Item])] = []
  }

  static func run(_ lines: [String], _ edits: String...) throws -> Outcome {
    var rest = lines[...]
    var whatIf = WhatIf(try edits.map { try #require(JSONEdit($0)) })
    try whatIf.read { rest.popFirst().map { Array($0.utf8) } }
    return Outcome(effects: try whatIf.run(), clock: LocalClock(whatIf.zone))
  }

  static func words(_ outcome: Outcome, per unit: Int64 = 60_000) -> [String] {
    outcome.entries.map { "\($0.time / unit) \($0.campaign)" }
  }

  @Test func withoutAChangeItIsAsItWas() throws {
    let lines = try Self.recording()
    let expected = ["10 sale", "15 bye", "20 walk", "30 sale", "35 bye"]
    #expect(Self.words(try Outcome(recording: lines)) == expected)
    #expect(Self.words(try Self.run(lines)) == expected)
  }

  @Test func aChangedConfigurationAndAChangedFeed() throws {
    let lines = try Self.recording()
    #expect(Self.words(try Self.run(lines, "cooldownPeriod=600")) == ["10 sale", "20 walk", "30 sale"])
    #expect(
      Self.words(try Self.run(lines, "campaigns[sale].trigger=exit", "campaigns[2]=null"))
        == ["15 sale", "20 walk", "35 sale"])
    #expect(Self.words(try Self.run(lines, "enableOnFirstRun=false")).isEmpty)
  }

  /// The app answers about the same campaign and region as it did, and as late.
  @Test func theAppAnswersAsItDid() throws {
    let lines = try Self.recording(delay: 30_000) { $0.campaign.text != "walk" }
    let expected = ["630 sale", "930 bye", "1830 sale", "2130 bye"]
    #expect(Self.words(try Outcome(recording: lines), per: 1000) == expected)
    #expect(Self.words(try Self.run(lines), per: 1000) == expected)
    #expect(
      Self.words(try Self.run(lines, "campaigns[bye].trigger=enter"), per: 1000)
        == ["630 sale", "630 bye", "1830 sale", "1830 bye"])
  }

  @Test func editsThatLeadNowhereAreErrors() throws {
    let lines = try Self.recording()
    #expect(throws: EngineError.self) { try Self.run(lines, "campaigns[none].trigger=exit") }
    let fault = #expect(throws: DocumentError.self) { try Self.run(lines, "campaigns[sale].trigger=fly") }
    #expect(fault?.pointer == "/campaigns/0/trigger")
    #expect(throws: DocumentError.self) { try Self.run(lines, "cooldownPeriod=soon") }
    #expect(throws: EngineError.self) { try Self.run([], "cooldownPeriod=1") }
  }

  @Test func theReportSaysWhatChangesAndWhy() throws {
    let lines = try Self.recording()
    let comparison = Comparison(
      name: "day", before: try Self.run(lines), after: try Self.run(lines, "cooldownPeriod=600"))
    #expect(
      ComparisonReport([comparison], ["cooldownPeriod=600"], hasChange: true).text(style: .plain, quiet: false) == """
          - 1970-01-01 00:15:00  bye at shop: Bye (global-cooldown, possible from 00:20:00)
          - 1970-01-01 00:35:00  bye at shop: Bye (global-cooldown, possible from 00:40:00)

        as it is: 5 notifications, 0 geotriggers, 0 candidates dropped
        with cooldownPeriod=600: 3 notifications, 0 geotriggers, 2 candidates dropped

        """)
    let exit = Comparison(
      name: "day", before: try Self.run(lines),
      after: try Self.run(lines, "campaigns[walk].trigger=exit", "campaigns[sale].message=Big sale"))
    #expect(
      exit.changes.map { "\($0)".split(separator: "(")[0] } == ["reworded", "moved", "reworded"])
    let json = ComparisonReport([exit], ["x=1"], hasChange: true).json
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let runs = object?["runs"] as? [[String: Any]]
    let changes = runs?.first?["changes"] as? [[String: Any]]
    #expect(changes?.map { $0["change"] as? String } == ["reworded", "moved", "reworded"])
    #expect(changes?[1]["newTime"] as? String == "1970-01-01T00:25:00Z")
  }
}
