import ArgumentParser
import Foundation
import PlotTesting
import Testing

@testable import PlotDocuments
@testable import PlotStory
@testable import plot

@Suite struct LintReportTests {
  static func report(_ text: String, path: String = "a b/é.json") -> LintReport {
    let bytes = Array(text.utf8)
    return LintReport(
      entries: Lint.findings(configuration: bytes, feed: nil).map {
        LintReport.Entry(path: path, finding: $0, text: bytes)
      })
  }

  static let faults = report(#"{"publicToken": "é", "debug": 1, "x\u001b": 2}"#)

  @Test func textIsAsOfACompiler() {
    #expect(
      Self.faults.text(.plain).first
        == "a b/é.json:1:32: error: /debug: expected true or false, found the number 1. [invalid-value]\n"
        + "  Write a value as expected.")
    #expect(
      Self.faults.summary == "1 error, 1 warning" && Self.report(#"{"publicToken":"t"}"#).summary == "nothing found")
    #expect(
      Terminal.visible(Self.faults.text(.ansi).first ?? "", keepsLines: true).contains("\u{1B}[31merror\u{1B}[0m"))
    #expect(!Self.faults.text(.plain).joined().contains("\u{1B}"), "what a file says steers no terminal")
  }

  @Test func sarifNamesRulesAndPlaces() throws {
    let log = try #require(try JSONSerialization.jsonObject(with: Data(Self.faults.sarif().utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    #expect(rules.compactMap { $0["id"] as? String } == LintCode.allCases.map(\.rawValue))
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.compactMap { $0["ruleId"] as? String } == ["invalid-value", "unknown-property"])
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
    }
    let location = try #require((results[0]["locations"] as? [[String: Any]])?.first)
    let place = try #require(location["physicalLocation"] as? [String: Any])
    // The é is two bytes, and one code point.
    #expect(place["region"] as? [String: Int] == ["startLine": 1, "startColumn": 31])
    #expect((place["artifactLocation"] as? [String: String])?["uri"] == "a%20b/%C3%A9.json")
    #expect(LintReport.uri("/a/b.json") == "file:///a/b.json")
  }

  @Test func jsonHasTheFile() throws {
    let array = try #require(try JSONSerialization.jsonObject(with: Data(Self.faults.json.utf8)) as? [[String: Any]])
    #expect(array.count == 2 && array[0]["file"] as? String == "a b/é.json" && array[0]["column"] as? Int == 32)
  }

  // MARK: The command

  private static func status(_ arguments: [String]) -> Int32 {
    do {
      let command = try LintCommand.parse(arguments + ["--format", "json"])
      try command.run()
      return 0
    } catch {
      let code = LintCommand.exitCode(for: error)
      return !(error is ExitCode) && code == .failure ? ExitStatus(error).rawValue : code.rawValue
    }
  }

  @Test func statusesForCI() throws {
    let folder = try Folder()
    func file(_ name: String, _ text: String) throws -> String {
      let url = folder.url.appendingPathComponent(name)
      try Data(text.utf8).write(to: url)
      return url.path
    }
    let good = try file("good.json", #"{"publicToken":"t"}"#)
    let warned = try file("warned.json", #"{"publicToken":"t","x":1}"#)
    let bad = try file("bad.json", #"{"version":1,"regions":[]}"#)
    let over = try file(
      "over.json",
      #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":1,"longitude":1}],"campaigns":[{"id":"c","type":"#
        + #""notification","message":"m","regions":["a"],"end":"2020-01-01T00:00:00Z"}]}"#)
    #expect(Self.status([good]) == 0 && Self.status([warned]) == 0 && Self.status(["--strict", warned]) == 1)
    #expect(
      Self.status([bad]) == 1 && Self.status([good, bad]) == 1 && Self.status(["--config", good, "--feed", bad]) == 1)
    #expect(Self.status(["--strict", over]) == 0 && Self.status(["--strict", "--at", "now", over]) == 1)
    #expect(Self.status(["--strict", "--at", "2019-12-31T23:59:59Z", over]) == 0)
    #expect(Self.status([try file("none.json", "[]")]) == 65 && Self.status([folder.path("absent")]) == 65)
    #expect(Self.status([]) == 64 && Self.status(["--at", "soon", good]) == 64)
  }
}
