import Foundation
import PlotCore
import PlotDocuments
import PlotTesting
import Testing

@testable import PlotEngine

/// The kinds of errors of docs/errors.md.
@Suite struct ErrorKindTests {
  private static let region = #"{"id":"r","type":"geofence","latitude":52,"longitude":4}"#

  private func feed(_ campaign: String, region: String = region) -> String {
    #"{"version":1,"regions":[\#(region)],"campaigns":[\#(campaign)]}"#
  }

  private func fault(_ feed: String) -> EngineError? {
    do {
      _ = try Feed.parse(Array(feed.utf8))
      return nil
    } catch {
      return EngineError(error)
    }
  }

  @Test(arguments: [
    ("missing-key", #"{"id":"c","type":"notification","regions":["r"]}"#),
    ("unknown-key", #"{"id":"c","type":"notification","message":"m","regions":["r"],"cooldwnPeriod":5}"#),
    ("unknown-word", #"{"id":"c","type":"notification","message":"m","regions":["r"],"trigger":"entre"}"#),
    ("invalid-value", #"{"id":"c","type":"notification","message":"","regions":["r"]}"#),
    ("unknown-region", #"{"id":"c","type":"notification","message":"m","regions":["s"]}"#),
    ("no-regions", #"{"id":"c","type":"notification","message":"m","regions":[]}"#),
    (
      "end-before-start",
      #"{"id":"c","type":"notification","message":"m","regions":["r"],"start":"2026-02-01T00:00:00Z","end":"2026-01-01T00:00:00Z"}"#
    ),
    (
      "duplicate",
      #"{"id":"c","type":"geotrigger","name":"n","regions":["r"]},{"id":"c","type":"geotrigger","name":"n","regions":["r"]}"#
    ),
  ])
  func ofDocuments(kind: String, campaign: String) throws {
    let error = try #require(fault(feed(campaign)))
    #expect(error.status == .invalidDocument)
    #expect(error.kind.rawValue == kind, "\(error.message)")
    #expect(error.page == "docs/errors.md#\(kind)")
    #expect(error.cure.hasSuffix("."))
  }

  /// Where one word was most likely meant, the cure is that word.
  @Test func theCureOfASlip() throws {
    let slip = try #require(
      fault(feed(#"{"id":"c","type":"notification","message":"m","regions":["r"],"cooldwnPeriod":5}"#)))
    #expect(slip.cure == #"Write "cooldownPeriod"."#)
    let far = try #require(fault(feed(#"{"id":"c","type":"notification","message":"m","regions":["r"],"zzzzzz":5}"#)))
    #expect(far.cure == ErrorKind.unknownKey.cure)
  }

  @Test func everyStatusHasAKind() throws {
    for status in Status.allCases where status != .ok {
      let error = EngineError(status, "why")
      if status != .invalidDocument {
        #expect(error.kind.rawValue.replacing("-", with: "") == "\(status)".lowercased())
      }
      #expect(error.cure == error.kind.cure)
    }
    let page = try String(contentsOf: projectRoot.appendingPathComponent("docs/errors.md"), encoding: .utf8)
    for kind in ErrorKind.allCases { #expect(page.contains("\n### \(kind.rawValue)\n\n")) }
  }

  /// The example of the page is as the page says.
  @Test func theExampleOfThePage() throws {
    let page = try String(contentsOf: projectRoot.appendingPathComponent("docs/errors.md"), encoding: .utf8)
    let parts = page.components(separatedBy: "```")
    let slip = try #require(fault(String(parts[1].dropFirst("json\n".count))))
    let said = parts[2].components(separatedBy: "New kinds")[0]
    #expect(said.contains("feed: line \(slip.line), column \(slip.column): \(slip.pointer): expected"))
    #expect(said.contains("found \(slip.found); did you mean"))
    for word in [slip.kind.rawValue, slip.page, slip.cure] { #expect(said.contains(" \(word)\n")) }
  }
}
