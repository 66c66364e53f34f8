import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// The tables of noise.md against the code.
@Suite struct NoisePageTests {
  private static let columns = ["key", "of", "range", "unit"]

  /// The names above the columns of a table.
  private func heading(after line: String) throws -> [String] {
    let url = projectRoot.appendingPathComponent("docs/noise.md")
    let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex(of: line))
    let row = try #require(lines[start...].first { $0.hasPrefix("|") })
    return row.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
  }

  private func read(_ json: String, ofRegion: Bool = false) throws -> NoisePolicy {
    let reader = try JSONReader(Array(json.utf8))
    return try NoisePolicy.read(reader.root, reader, ofRegion: ofRegion)
  }

  @Test func keysHaveTheRangesAndUnitsOfThePage() throws {
    let rows = try table(of: "noise.md", after: "## The keys")
    let keys = NoisePolicy.keys(ofRegion: false)
    #expect(rows.map { words($0[0]) } == keys.map { [$0.name] })
    let ofRegion = Set(NoisePolicy.keys(ofRegion: true).map(\.name))
    for (row, key) in zip(rows, keys) {
      #expect(row[1] == (ofRegion.contains(key.name) ? "engine, region" : "engine"), "\(key.name)")
      let (range, unit) =
        switch key {
        case .limit(let name, _, let most): ("0 to \(Int(most))", name.hasSuffix("Speed") ? "m/s" : "m")
        case .number(_, _, let most): ("0 to \(Int(most))", most == 1 ? "share" : "m")
        case .count(_, _, let range): ("\(range.lowerBound) to \(range.upperBound)", "fixes")
        case .seconds(_, _, let most): ("0 to \(most)", "s")
        }
      #expect(row[2] == range, "\(key.name)")
      #expect(row[3] == unit, "\(key.name)")
    }
  }

  @Test func presetsHaveTheValuesOfThePage() throws {
    let rows = try table(of: "noise.md", after: "## The keys")
    #expect(try heading(after: "## The keys") == Self.columns + NoisePolicy.presets.map(\.name))
    for (position, (name, policy)) in NoisePolicy.presets.enumerated() {
      let members = rows.map { "\"\(words($0[0])[0])\": \($0[Self.columns.count + position])" }
      // Every key is given, so nothing comes from the preset that the object begins with.
      for other in NoisePolicy.presets.map(\.name) {
        let json = "{\"preset\": \"\(other)\", " + members.joined(separator: ", ") + "}"
        #expect(try read(json) == policy, "\(name)")
      }
    }
  }

  /// The page has each permanent name, with what it is called for.
  @Test func permanentNamesAreThoseOfThePage() throws {
    let rows = try table(of: "noise.md", after: "## Permanent names").map { words($0[0])[0] }
    #expect(rows == NoisePolicy.permanent.map(\.name))
    for (name, policy) in NoisePolicy.permanent { #expect(try read("\"\(name)\"") == policy, "\(name)") }
  }

  @Test func rulesHaveKnownKeysAndReasons() throws {
    let rows = try table(of: "noise.md", after: "## The rules")
    #expect(Set(rows.flatMap { words($0[1]) }) == Set(NoisePolicy.keys(ofRegion: false).map(\.name)))
    let reasons: [Reason] = [.accuracy, .hysteresis, .impliedSpeed, .late, .speed, .notConfirmed, .refuted]
    #expect(Set(rows.flatMap { words($0[2]) }) == Set(reasons.map(\.rawValue)))
  }

  @Test func presetOfARegionIsWithoutTheEnginesKeys() throws {
    for (name, policy) in NoisePolicy.presets {
      var expected = policy
      expected.maxImpliedSpeed = nil
      expected.maxLateness = 0
      #expect(try read("\"\(name)\"", ofRegion: true) == expected, "\(name)")
    }
    for key in ["maxImpliedSpeed", "maxLateness"] {
      #expect(throws: DocumentError.self) { try read("{\"\(key)\": 1}", ofRegion: true) }
    }
  }
}
