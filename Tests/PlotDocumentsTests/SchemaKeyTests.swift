import PlotCore
import Testing

@testable import PlotDocuments

/// `$schema` leads an editor to the schema of a document; it changes nothing, and stands in the document itself only.
@Suite struct SchemaKeyTests {
  private static let schema = ##""$schema":"feed.schema.json","##
  private static func feed(_ start: String, _ inside: String = "") -> String {
    #"{\#(start)"version":1,"regions":[{\#(inside)"id":"a","type":"geofence","latitude":1,"longitude":2}],"campaigns":[]}"#
  }

  @Test func feeds() throws {
    let plain = try Feed.parse(Array(Self.feed("").utf8))
    #expect(try Feed.parse(Array(Self.feed(Self.schema).utf8)).json == plain.json && !plain.json.contains("schema"))
    #expect(
      Lint.findings(configuration: nil, feed: Array(Self.feed(Self.schema).utf8)).allSatisfy { $0.code != .syntax })
    do throws(DocumentError) {
      _ = try Feed.parse(Array(Self.feed("", Self.schema).utf8))
      Issue.record("taken in a region")
    } catch { #expect(error.pointer == "/regions/0/$schema") }
  }

  @Test func configurationsAndRules() throws {
    let text = Array(##"{"$schema":"x","publicToken":"REPLACE_ME_16CHR"}"##.utf8)
    #expect(try Configuration(parsing: text).warnings.isEmpty)
    #expect(Lint.findings(configuration: text, feed: nil).isEmpty)
    #expect(try Configuration(parsing: Array(##"{"engine":{"$schema":"x"}}"##.utf8)).warnings.count == 1)
    _ = try SimulationRules.parse(Array(##"{"$schema":"x","filter":[]}"##.utf8))
    #expect(throws: DocumentError.self) {
      try SimulationRules.parse(Array(##"{"inputs":[{"$schema":"x","time":"2026-05-16T10:00:00Z"}]}"##.utf8))
    }
  }
}
