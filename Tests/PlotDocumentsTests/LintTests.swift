import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Findings in short: `code pointer`.
func lint(_ config: String?, _ feed: String?, at time: Int64? = nil) -> [Finding] {
  Lint.findings(configuration: config.map { Array($0.utf8) }, feed: feed.map { Array($0.utf8) }, at: time)
}

private func brief(_ findings: [Finding]) -> [String] { findings.map { "\($0.code.rawValue) \($0.pointer)" } }

@Suite struct LintTests {
  // MARK: Rules

  /// Each finds what it is for, and nothing else is found.
  @Test(arguments: LintCase.all) func isFound(_ lintCase: LintCase) {
    let findings = lint(lintCase.config, lintCase.feed, at: lintCase.time)
    #expect(brief(findings) == ["\(lintCase.code.rawValue) \(lintCase.pointer)"])
    for finding in findings {
      #expect(finding.line == 1 && finding.column > 0)
      #expect(finding.sentence.last == "." && finding.remedy.last == ".")
    }
  }

  /// A document that is almost the same has no finding.
  @Test(arguments: LintCase.all) func isNotFound(_ lintCase: LintCase) {
    let findings = lint(lintCase.nearConfig, lintCase.nearFeed, at: lintCase.time)
    #expect(findings.filter { $0.code == lintCase.code && $0.pointer == lintCase.pointer }.isEmpty)
    let others = findings.filter { !LintCase.tolerated.contains($0.code) }
    #expect(brief(others) == [])
  }

  @Test func eachCodeHasACase() {
    #expect(Set(LintCase.all.map(\.code)).union([.byteOrderMark]) == Set(LintCode.allCases))
  }

  // MARK: Pages

  @Test func codesAreThoseOfThePage() throws {
    let rows = try table(of: "lint.md", after: "## Codes")
    #expect(rows.map { words($0[0])[0] } == LintCode.allCases.map(\.rawValue))
    for (row, code) in zip(rows, LintCode.allCases) {
      #expect(row[1...] == [code.severity.rawValue, code.meaning, code.remedy])
    }
    let known = try table(of: "lint.md", after: "## A finding")
    let found = try #require(lint(nil, "{").first)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(Finding.json([found]).utf8)) as? [[String: Any]])
    #expect(Set(object[0].keys) == Set(known.map { words($0[0])[0] }))
  }

  // MARK: The demo

  @Test func theDemoHasNothing() throws {
    func demo(_ name: String) throws -> [UInt8] {
      Array(try Data(contentsOf: projectRoot.appendingPathComponent("demo/\(name)")))
    }
    let (config, feed) = (try demo("plotconfig.json"), try demo("feed.json"))
    #expect(Lint.findings(configuration: config, feed: feed) == [])
    #expect(Lint.findings(configuration: nil, feed: feed) == [])
    // Its campaign of the King's Day is over, and that is said only to who asks.
    let later = Lint.findings(configuration: config, feed: feed, at: 1_778_925_600_000)
    #expect(brief(later) == ["campaign-over /campaigns/15/end"])
  }

  /// Each campaign of a group against the first one that holds out others, among all groups of three.
  @Test func sharedHoldoutsAreThoseOfEachPair() throws {
    let kinds: [String?] = [nil, #"{"percent":10}"#, #"{"percent":10,"group":"h"}"#, #"{"percent":20,"group":"h"}"#]
    for a in kinds {
      for b in kinds {
        for c in kinds {
          let all = [a, b, c]
          let campaigns = all.enumerated().map { number, holdout in
            let more = holdout.map { #","holdout":\#($0)"# } ?? ""
            return LintCase.note("c\(number)", #""coalescingGroup":"g""# + more)
          }
          let text = LintCase.doc(
            [LintCase.circle("a")], campaigns, #""coalescing":[{"group":"g","message":"m"}]"#)
          let expected = all.indices.compactMap { one -> String? in
            guard let own = all[one] else { return nil }
            let other = all.indices.first { $0 != one && !(all[$0] == own && own.contains("group")) }
            return other.map { "\(one) c\($0)" }
          }
          let found = Lint.findings(configuration: nil, feed: Array(text.utf8)).filter { $0.code == .sharedHoldout }
          let said = found.map { finding in
            let other = finding.sentence.split(separator: "\"").filter { $0.hasPrefix("c") && $0.count == 2 }.last ?? ""
            return "\(finding.pointer.split(separator: "/")[1]) \(other)"
          }
          #expect(said == expected, "\(text)")
        }
      }
    }
  }

  // MARK: Reading on

  @Test func aFaultHidesNoOther() {
    let feed = """
      {"version": 2, "regions": [
        {"id": "a", "type": "geofence", "latitude": 91, "longitude": 5},
        {"id": "b", "type": "geofence", "latitude": 53, "longitude": 5, "radius": 5},
        {"id": "b", "type": "geofence", "latitude": 54, "longitude": 5},
        7],
       "campaigns": [
        {"id": "c", "type": "notification", "message": "m {{x}}", "regions": ["a"], "tags": ["t"]},
        {"id": "d", "type": "notification", "message": "", "regions": ["b"], "tags": ["u"]},
        {"id": "e", "type": "notification", "message": "m", "regions": ["b", "x"]}],
       "settings": {"caps": [{"per": "al"}, {"per": "tag", "tag": "u", "max": 1, "days": 1}, {"per": "tag", "tag": "v", "max": 1, "days": 1}],
         "slots": {"count": 0}, "messages": {"rules": [{"then": "x"}, {"then": "drop"}, {"then": "keep"}]}}}
      """
    let expected = [
      "1:13 invalid-value /version", "2:47 invalid-value /regions/0/latitude",
      "3:77 region-too-small /regions/1/radius",
      "4:10 duplicate-id /regions/2/id", "5:3 invalid-value /regions/3", "8:50 invalid-value /campaigns/1/message",
      "10:32 invalid-value /settings/caps/0/per", "10:110 unused-tag /settings/caps/2/tag",
      "11:23 invalid-value /settings/slots/count", "11:59 invalid-value /settings/messages/rules/0/then",
      "11:83 rule-unreachable /settings/messages/rules/2",
    ]
    let found = lint(nil, feed).map { "\($0.line):\($0.column) \($0.code.rawValue) \($0.pointer)" }
    // Nothing is reported that cannot be known because a region has no id: "x" may be the 7.
    #expect(found == expected)
    #expect(
      brief(lint(nil, feed.replacingOccurrences(of: ",\n  7]", with: "]"))).contains(
        "unknown-region /campaigns/2/regions/1"))
  }

  @Test func aFaultOfTheConfigurationHidesNoOther() {
    let config = """
      {"maxRegionsMonitored": 50, "debug": 1, "cooldwnPeriod": 5,
       "engine": {"noise": {"margin": -1}, "initial": "x", "beacons": {"window": 0, "sightings": 0, "x": 1}, "y": 1}}
      """
    let found = lint(config, nil).map { "\($0.line) \($0.code.rawValue) \($0.pointer)" }
    #expect(
      found == [
        "1 no-public-token ", "1 invalid-value /maxRegionsMonitored", "1 invalid-value /debug",
        "1 unknown-property /cooldwnPeriod", "2 invalid-value /engine/noise/margin", "2 invalid-value /engine/initial",
        "2 invalid-value /engine/beacons/window", "2 invalid-value /engine/beacons/sightings",
        "2 unknown-property /engine/beacons/x", "2 unknown-property /engine/y",
      ])
  }

  /// As many as the reader has, and about the same keys.
  @Test func warningsOfTheReaderAreFindings() throws {
    let config =
      "\u{FEFF}"
      + #"{"publicToken":"t","notificationFilterEnabled":true,"enableCombinedMonitoring":"true","engine":{"x":1}}"#
    let warnings = try Configuration(config).warnings
    let found = lint(config, nil)
    #expect(found.count == warnings.count && warnings.count == 4)
    #expect(
      brief(found) == [
        "byte-order-mark ", "unknown-property /notificationFilterEnabled", "loose-value /enableCombinedMonitoring",
        "unknown-property /engine/x",
      ])
    #expect(found[1].sentence.contains("initPlot"))
  }

  @Test func tokensAreNotQuoted() {
    let found = lint(#"{"publicToken":["secret"],"debug":"secret"}"#, nil)
    #expect(found.count == 2 && !Finding.json(found.filter { $0.pointer == "/publicToken" }).contains("secret"))
  }

  /// A note, which fails no build, and said only where there is a configuration that lacks a token.
  @Test func aTokenThatIsNotThereIsANote() throws {
    let missing = try #require(lint("\n {}", nil).first)
    #expect(missing.code == .noPublicToken && missing.severity == .note && missing.severity < .warning)
    #expect(missing.pointer == "" && missing.line == 2 && missing.column == 2)
    #expect(
      missing.sentence == "There is no publicToken; it is needed only when the engine asks a campaign service.")
    #expect(brief(lint("{}", LintCase.one(""))) == ["no-public-token "])
    #expect(brief(lint(#"{"publicToken":null}"#, nil)) == ["no-public-token /publicToken"])
    // One that cannot be read is an error, and not said to be missing.
    for wrong in ["\"\"", "4711", "[]"] {
      #expect(brief(lint(#"{"publicToken":\#(wrong)}"#, nil)) == ["invalid-value /publicToken"])
    }
    for text in ["[]", "", "{", "null"] {
      #expect(!lint(text, nil).contains { $0.code == .noPublicToken }, "\(text)")
    }
    #expect(lint(nil, LintCase.one("")) == [])
  }

  @Test func whichIsWhich() {
    func kind(_ text: String) -> Finding.Document? { Lint.document(of: Array(text.utf8)) }
    #expect(kind(LintCase.one("")) == .feed && kind(#"{"campaigns":["#) == .feed)
    #expect(kind(#"{"publicToken":"t"}"#) == .configuration && kind(#"{"engine":{},}"#) == .configuration)
    #expect(kind("\u{FEFF}" + #"{"debug":true}"#) == .configuration)
    #expect(kind("[]") == nil && kind("{}") == nil && kind("") == nil)
  }
}

extension LintCase {
  /// Findings that the near documents may have: notes about things that they do not need.
  static let tolerated: Set<LintCode> = [.regionTooSmall, .repeatBelowCooldown, .segmentationAlways]
}
