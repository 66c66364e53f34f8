import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The tables of noise.md and noise-gates.md against the code.
@Suite struct NoisePageTests {
  private static let columns = ["key", "of", "range", "unit"]

  /// The names above the columns of a table.
  private func heading(_ page: String, after line: String) throws -> [String] {
    let url = projectRoot.appendingPathComponent("docs/\(page)")
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: line))
    let row = try #require(lines[start...].first { $0.hasPrefix("|") })
    return row.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
  }

  private func read(_ json: String, ofRegion: Bool = false) throws -> NoisePolicy {
    let reader = try JSONReader(Array(json.utf8))
    return try NoisePolicy.read(reader.root, reader, ofRegion: ofRegion)
  }

  /// The tables of keys, the keys of each, and the presets that it has columns for.
  private static let tables:
    [(page: String, title: String, keys: @Sendable (Bool) -> [NoisePolicy.Key], presets: [String])] = [
      (
        "noise-gates.md", "## The keys", { NoisePolicy.gates(ofRegion: $0) + NoisePolicy.common(ofRegion: $0) },
        ["exact", "default-1", "walking-1", "driving-1", "indoor-1", "conservative-1"]
      ),
      (
        "noise.md", "## Keys of evidence",
        { NoisePolicy.evidenceKeys(ofRegion: $0) + NoisePolicy.common(ofRegion: $0) }, ["eager", "balanced", "careful"]
      ),
    ]

  @Test func keysHaveTheRangesAndUnitsOfThePage() throws {
    for (page, title, keysOf, _) in Self.tables {
      let rows = try table(of: page, after: title)
      let keys = keysOf(false)
      #expect(rows.map { words($0[0]) } == keys.map { [$0.name] })
      let ofRegion = Set(keysOf(true).map(\.name))
      for (row, key) in zip(rows, keys) {
        #expect(row[1] == (ofRegion.contains(key.name) ? "engine, region" : "engine"), "\(key.name)")
        let (range, unit) =
          switch key {
          case .limit(let name, _, let most): ("0 to \(Int(most))", name.hasSuffix("Speed") ? "m/s" : "m")
          case .number(_, _, let most): ("0 to \(Int(most))", most <= 10 ? "share" : "m")
          case .count(_, _, let range): ("\(range.lowerBound) to \(range.upperBound)", "fixes")
          case .seconds(_, _, let most): ("0 to \(most)", "s")
          }
        #expect(row[2] == range, "\(key.name)")
        #expect(row[3] == unit, "\(key.name)")
      }
    }
  }

  @Test func presetsHaveTheValuesOfThePage() throws {
    for (page, title, _, presets) in Self.tables {
      let rows = try table(of: page, after: title)
      #expect(try heading(page, after: title) == Self.columns + presets)
      for (position, name) in presets.enumerated() {
        let policy = try #require(NoisePolicy.preset(name))
        let members = rows.map { "\"\(words($0[0])[0])\": \($0[Self.columns.count + position])" }
        // Every key is given, so nothing comes from the preset that the object begins with.
        for other in presets {
          let json = "{\"preset\": \"\(other)\", " + members.joined(separator: ", ") + "}"
          #expect(try read(json) == policy, "\(name)")
        }
      }
    }
  }

  /// An object's keys say of which kind it is; a preset that has no gates any more has those of its permanent name.
  @Test func theKeysSayWhichKindAPolicyIs() throws {
    var margin = try #require(NoisePolicy.preset("default-1"))
    margin.margin = 7
    #expect(try read(#"{"margin": 7}"#) == margin)
    #expect(try read(#"{"preset": "default", "margin": 7}"#) == margin)
    var exits = NoisePolicy.balanced
    exits.evidence?.exitFixes = 2
    #expect(try read(#"{"exitFixes": 2}"#) == exits && read(#"{"preset": "balanced", "exitFixes": 2}"#) == exits)
    var late = NoisePolicy.careful
    late.maxLateness = 9000
    #expect(try read(#"{"preset": "careful", "maxLateness": 9}"#) == late)
  }

  /// The names that stand for another policy today, and for which one they stood.
  @Test func otherNamesAreThoseOfThePage() throws {
    let rows = try table(of: "noise.md", after: "### Other names").map { row in row.map { words($0)[0] } }
    let keyed = ["exact", "eager", "balanced", "careful"]
    #expect(rows.map { $0[0] } == NoisePolicy.presets.map(\.name).filter { !keyed.contains($0) })
    for row in rows {
      #expect(NoisePolicy.preset(row[0]) == NoisePolicy.preset(row[1]), "\(row)")
      #expect(NoisePolicy.preset(row[0], .first) == NoisePolicy.preset(row[2]), "\(row)")
    }
  }

  /// The page has each permanent name, with what it is called for.
  @Test func permanentNamesAreThoseOfThePage() throws {
    let rows = try table(of: "noise-gates.md", after: "## Permanent names").map { words($0[0])[0] }
    #expect(rows == NoisePolicy.permanent.map(\.name))
    for (name, policy) in NoisePolicy.permanent { #expect(try read("\"\(name)\"") == policy, "\(name)") }
  }

  @Test func rulesHaveKnownKeysAndReasons() throws {
    let rows =
      try table(of: "noise-gates.md", after: "## The rules") + table(of: "noise.md", after: "### Reasons")
    #expect(Set(rows.flatMap { words($0[1]) }) == Set(NoisePolicy.keys(ofRegion: false).map(\.name)))
    let reasons: [Reason] = [
      .accuracy, .hysteresis, .impliedSpeed, .late, .speed, .notConfirmed, .refuted, .coarse, .jump, .shift, .atRest,
    ]
    #expect(Set(rows.flatMap { words($0[2]) }) == Set(reasons.map(\.rawValue)))
  }

  @Test func presetOfARegionIsWithoutTheEnginesKeys() throws {
    for (name, policy) in NoisePolicy.presets {
      var expected = policy
      expected.maxImpliedSpeed = nil
      expected.maxLateness = 0
      expected.unknownAccuracy = 0
      if policy.evidence != nil { expected.evidence?.jumpTime = EvidencePolicy.balanced.jumpTime }
      #expect(try read("\"\(name)\"", ofRegion: true) == expected, "\(name)")
    }
    for key in ["maxImpliedSpeed", "maxLateness", "unknownAccuracy", "jumpTime"] {
      #expect(throws: DocumentError.self) { try read("{\"\(key)\": 1}", ofRegion: true) }
    }
  }
}
