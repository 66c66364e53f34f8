import Foundation
import PlotCore
import PlotTesting
import Testing

@testable import plot

/// A run on a store that is broken off and taken up again leaves the same event file as an unbroken one.
@Suite final class RuleResumeTests {
  private let temporary: Folder
  private var folder: String { temporary.url.path }

  init() throws { temporary = try Folder() }

  /// Something of everything: batches that stay open, strategies with a state, a person, inputs.
  private let run = RuleRun(
    walk: [
      (20, "a"), (50, "-"), (70, "b"), (110, "c"), (140, "a"), (180, "-"), (200, "b"), (240, "c"), (270, "a"),
      (310, "b"),
    ], seconds: 340,
    campaigns: [
      RuleRun.campaign("x", ["a", "b", "c"], #","resend":true,"removeOnExit":true"#),
      RuleRun.campaign("y", ["a", "c"], #","resend":true,"segmentation":{"property":"level","equals":2}"#),
      RuleRun.campaign("z", ["b"], #","resend":true,"content":{"actions":[{"id":"save","title":"Save"}]}"#),
      RuleRun.campaign("v", ["c"], ""),
      #"{"id":"g","type":"geotrigger","name":"g","regions":["a","b"],"resend":true}"#,
    ].joined(separator: ","),
    settings: #"{"slots":{"count":4,"whenFull":"replace"}}"#,
    rules: #"""
      {"filter":[{"identifier":"x;b","answerAfter":23},{"identifier":"y;c","set":{"message":"edited"},"answerAfter":21},
         {"identifier":"y;a","drop":true,"answerAfter":70}],
       "geotriggers":[{"region":"a","answerAfter":17},{"region":"b","drop":true}],
       "strategies":[{"key":"some","max":6,"window":200},{"key":"pause","minimumTime":5,"after":"removed"},{"key":"keep","vetoDelete":["z"]}],
       "show":[{"campaign":"v","fails":true}],"remove":[{"identifier":"x;a","fails":true}],
       "person":[{"identifier":"x;b","opens":12},{"campaign":"y","dismisses":37},{"campaign":"z","chooses":{"action":"save","after":64}},
         {"identifier":"x;a","dismisses":155}],
       "inputs":[{"at":"2026-01-01T00:00:05Z","property":{"key":"level","value":2}},
         {"at":"2026-01-01T00:01:40Z","foreground":true},{"at":"2026-01-01T00:02:05Z","foreground":false},
         {"at":"2026-01-01T00:02:20Z","timeZone":"Europe/Amsterdam"},{"at":"2026-01-01T00:02:40Z","property":{"key":"level","value":3}},
         {"at":"2026-01-01T00:03:25Z","property":{"key":"level","value":2}},{"at":"2026-01-01T00:04:55Z","clearProperty":"level"}]}
      """#,
    engine: #""noise":"exact","filterDeadline":60"#, properties: [("level", .integer(1)), ("other", .boolean(true))])

  /// Without inputs a second run knows of nothing before its first fix.
  private var inputless: RuleRun {
    var run = run
    run.rules = run.rules.replacingOccurrences(of: "\"inputs\"", with: "\"x-inputs\"")
    run.properties = [("level", .integer(2))]
    return run
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  /// The event file of the walk in parts that begin at these fixes; with `again` each run is given the whole walk up to its end.
  private func broken(_ run: RuleRun, at starts: [Int], again: Bool) throws -> String {
    let name = "\(folder)/\(starts)-\(again)"
    let points = run.points
    for (start, end) in zip([0] + starts, starts + [points.count]) {
      _ = try run.replay(Array(points[(again ? 0 : start)..<end]), events: name, store: name + ".store")
    }
    return try text(name)
  }

  @Test(arguments: [true, false]) func anywhere(hasInputs: Bool) throws {
    let run = hasInputs ? run : inputless
    let path = folder + "/whole"
    _ = try run.replay(run.points, events: path)
    let whole = try text(path)
    // There is something to break.
    let kinds = Set(try RuleRun.short(whole).map { $0.split(separator: " ")[1] })
    #expect(
      kinds == [
        "region-enter", "region-exit", "notification-shown", "notification-failed", "notification-filtered",
        "notification-opened", "notification-action", "notification-dismissed", "notification-removed", "geotrigger",
        "geotrigger-dropped",
      ])
    #expect(try broken(run, at: [], again: false) == whole)
    for start in 1..<run.points.count {
      #expect(try broken(run, at: [start], again: false) == whole, "in two parts, at fix \(start)")
    }
    #expect(try broken(run, at: Array(1..<run.points.count), again: false) == whole, "each fix a run of its own")
    for start in [3, 8, 15, 26] {
      #expect(try broken(run, at: [start], again: true) == whole, "taken up from the beginning, at fix \(start)")
    }
  }

  @Test func openBatchesAreDroppedWhereTheConfigurationSaysSo() throws {
    var run = run
    run.engine += #","filterRecovery":"drop""#
    let points = run.points
    let path = folder + "/dropped"
    for part in [points[..<8], points[8...]] {
      _ = try run.replay(Array(part), events: path, store: path + ".store")
    }
    // Asked about at 70, answered at 93; the second run begins at 70, where the first has ended.
    #expect(try RuleRun.short(text(path)).contains("70 notification-filtered x at b"))
  }
}
