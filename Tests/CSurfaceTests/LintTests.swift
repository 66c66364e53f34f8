import CPlotEngine
import Testing

extension CSurface {
  /// The lint through the header.
  @Suite struct LintSurface {
    static func lint(_ config: String?, _ feed: String?, _ time: Int64 = -1) throws -> String {
      try text { plot_lint(config, config?.utf8.count ?? 0, feed, feed?.utf8.count ?? 0, time, $0, $1) }
    }

    static let over =
      #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":1,"longitude":1}],"campaigns":[{"id":"c","type":"#
      + #""notification","message":"m","regions":["a"],"end":"2026-01-01T00:00:00Z"}]}"#

    @Test func findingsAreJSON() throws {
      #expect(try Self.lint(#"{"publicToken":"t"}"#, Self.over) == "[]")
      let found = try Self.lint(#"{"publicToken":"t","debgu":true}"#, nil)
      #expect(
        found == #"[{"code":"unknown-property","severity":"warning","document":"configuration","pointer":"/debgu","#
          + #""line":1,"column":28,"sentence":"The key \"debgu\" is unknown; it is ignored.","#
          + #""remedy":"Write \"debug\", or leave it out."}]"#)
      let syntax = try Self.lint(nil, "{")
      #expect(syntax.hasPrefix(#"[{"code":"syntax","severity":"error","document":"feed","#))
    }

    @Test func noTokenIsANote() throws {
      #expect(
        try Self.lint(#"{"debug":true}"#, Self.over)
          == #"[{"code":"no-public-token","severity":"note","document":"configuration","pointer":"","line":1,"column":1,"#
          + #""sentence":"There is no publicToken; it is needed only when the engine asks a campaign service.","#
          + #""remedy":"Add publicToken if the engine asks a campaign service; otherwise nothing needs to change."}]"#)
    }

    @Test func whatIsOverNeedsATime() throws {
      #expect(try Self.lint(nil, Self.over, 1_767_225_600_000).contains(#""code":"campaign-over""#))
      #expect(try Self.lint(nil, Self.over, 1_767_225_599_999) == "[]")
    }

    @Test func argumentsAreChecked() throws {
      #expect(withObject { plot_lint(nil, 0, nil, 0, -1, $0, nil) } == PLOT_INVALID_ARGUMENT)
      #expect(withObject { plot_lint("{}", 2, nil, 0, -2, $0, nil) } == PLOT_INVALID_ARGUMENT)
      #expect(plot_lint("{}", 2, nil, 0, -1, nil, nil) == PLOT_INVALID_ARGUMENT)
    }
  }
}
