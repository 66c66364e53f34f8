import Foundation
import PlotCore
import PlotDocuments
import PlotTesting
import Testing

@testable import PlotStory
@testable import PlotTracks
@testable import plot

/// A replay with rules: a feed of places a, b and c, a walk between them, and the events that come of it.
struct RuleRun {
  static let start: Int64 = 1_767_225_600_000
  /// A place, or `-` for none, from this second on; a fix each 10 seconds.
  var walk: [(second: Int64, place: String)]
  var seconds: Int64
  var campaigns: String
  var settings = "{}"
  var rules = "{}"
  var engine = #""noise":"exact""#
  var properties: [(key: String, value: PropertyValue)] = []
  var timeZone = "UTC"

  static let places: [String: (latitude: Double, longitude: Double)] = [
    "a": (52.0, 4.0), "b": (52.01, 4.0), "c": (52.02, 4.0), "-": (52.1, 4.0),
  ]

  var feed: Feed {
    get throws {
      let regions = ["a", "b", "c"].map { id in
        #"{"id":"\#(id)","type":"geofence","latitude":\#(Self.places[id]!.latitude),"longitude":4.0,"radius":100}"#
      }
      return try Feed.parse(
        Array(
          #"{"version":1,"regions":[\#(regions.joined(separator: ","))],"campaigns":[\#(campaigns)],"settings":\#(settings)}"#
            .utf8))
    }
  }

  var points: [TrackPoint] {
    stride(from: 0, through: seconds, by: 10).map { second in
      let place = Self.places[walk.last { $0.second <= second }?.place ?? "-"]!
      return TrackPoint(
        time: Self.start + second * 1_000, latitude: place.latitude, longitude: place.longitude)
    }
  }

  /// Replays points; the events go to a file at `path`.
  func replay(_ points: [TrackPoint], events path: String, store: String? = nil) throws -> Simulation {
    let simulation = Simulation(
      feed: try feed, track: Track(name: "walk", points: points, warnings: []),
      options: .init(
        quiet: true, speed: nil, clock: LocalClock(zone: timeZone) ?? .utc, collectsMarks: true,
        rules: try SimulationRules.parse(Array(rules.utf8))))
    try simulation.openFiles(events: path, decisions: nil, resuming: store != nil)
    try simulation.run(
      Configuration(#"{"publicToken":"test","engine":{\#(engine)}}"#), storePath: store, properties
    )
    return simulation
  }

  /// The whole walk in one run: `10 notification-shown c at a`, with the second, and the simulation.
  func events() throws -> (events: [String], simulation: Simulation) {
    let folder = try Folder()
    let path = folder.path("events.jsonl")
    let simulation = try replay(points, events: path)
    return (try Self.short(String(contentsOfFile: path, encoding: .utf8)), simulation)
  }

  /// Those about notifications and geotriggers.
  func messages() throws -> [String] { try events().events.filter { !$0.contains("region-") } }

  static func short(_ text: String) throws -> [String] {
    try text.split(separator: "\n").map { line in
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let time = try #require((object["time"] as? String).flatMap(Timestamp.parse))
      var words = ["\((time - start) / 1_000)", object["event"] as? String ?? ""]
      if let campaign = object["campaign"] as? String { words.append(campaign) }
      words += ["at", object["region"] as? String ?? ""]
      for key in ["action", "reason"] { if let word = object[key] as? String { words.append(word) } }
      return words.joined(separator: " ")
    }
  }

  /// A notification's campaign at some places.
  static func campaign(_ id: String, _ regions: [String], _ more: String = "") -> String {
    let list = regions.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"id":"\#(id)","type":"notification","message":"\#(id)!","regions":[\#(list)]\#(more)}"#
  }
}

/// Each kind of rule has its effect.
@Suite struct RuleRunTests {
  private func run(
    _ walk: [(Int64, String)], to seconds: Int64, _ campaigns: [String], rules: String, settings: String = "{}",
    engine: String = #""noise":"exact""#
  ) -> RuleRun {
    RuleRun(
      walk: walk.map { (second: $0.0, place: $0.1) }, seconds: seconds, campaigns: campaigns.joined(separator: ","),
      settings: settings, rules: rules, engine: engine)
  }

  private let campaign = RuleRun.campaign
  private let deadline = #""noise":"exact","filterDeadline":60"#

  // MARK: The app

  @Test func filterDropsAndSets() throws {
    let run = run(
      [(20, "a"), (40, "b"), (60, "c")], to: 80, [campaign("x", ["a", "b"], ""), campaign("y", ["c"], "")],
      rules: #"{"filter":[{"identifier":"x;a","drop":true},{"campaign":"x","set":{"message":"new"}}]}"#)
    let (events, simulation) = try run.events()
    #expect(
      events.filter { !$0.contains("region-") } == [
        "20 notification-filtered x at a", "40 notification-shown x at b", "60 notification-shown y at c",
      ])
    #expect(
      simulation.mapInput.marks.filter { ["notification", "dropped"].contains($0.kind) }.map(\.title) == [
        "x was left out by the filter", "new", "y!",
      ])
    #expect(simulation.summary == "9 fixes, 3 enters, 2 exits, 2 notifications, 0 geotriggers, 1 not shown")
  }

  @Test func laterAnswersAndDeadlines() throws {
    func shown(after seconds: Int, fallback: String = "drop") throws -> [String] {
      try run(
        [(20, "a")], to: 100, [campaign("x", ["a"], ""), campaign("y", ["a"], "")],
        rules: #"{"filter":[{"campaign":"x","answerAfter":\#(seconds)}]}"#,
        engine: deadline + #","filterFallback":"\#(fallback)""#
      ).messages()
    }
    // The batch waits for the longest of its answers.
    #expect(try shown(after: 0) == ["20 notification-shown x at a", "20 notification-shown y at a"])
    #expect(try shown(after: 33) == ["53 notification-shown x at a", "53 notification-shown y at a"])
    #expect(try shown(after: 59) == ["79 notification-shown x at a", "79 notification-shown y at a"])
    #expect(try shown(after: 60) == ["80 notification-filtered x at a", "80 notification-filtered y at a"])
    #expect(
      try shown(after: 61, fallback: "showOriginal") == [
        "80 notification-shown x at a", "80 notification-shown y at a",
      ])
    // Not before the end of the track.
    let (events, simulation) = try run(
      [(20, "a")], to: 40, [campaign("x", ["a"], "")], rules: #"{"filter":[{"answerAfter":21}]}"#
    ).events()
    #expect(events == ["20 region-enter at a"])
    #expect(simulation.summary == "5 fixes, 1 enter, 0 exits, 0 notifications, 0 geotriggers, 0 not shown")
  }

  @Test func geotriggerHandler() throws {
    let geotriggers = #"{"id":"g","type":"geotrigger","name":"g","regions":["a","b","c"]}"#
    let run = run(
      [(20, "a"), (40, "b"), (60, "c")], to: 100, [geotriggers, campaign("x", ["a"], "")],
      rules: #"{"geotriggers":[{"region":"a","drop":true},{"region":"b","answerAfter":15}]}"#)
    #expect(
      try run.messages() == [
        "20 geotrigger-dropped g at a", "20 notification-shown x at a", "55 geotrigger g at b", "60 geotrigger g at c",
      ])
  }

  @Test func displaysThatFail() throws {
    let run = run(
      [(20, "a"), (40, "-"), (60, "a"), (80, "b")], to: 100, [campaign("x", ["a", "b"], "")],
      rules: #"{"show":[{"region":"a","fails":true}]}"#)
    // Not used up.
    #expect(
      try run.messages() == [
        "20 notification-failed x at a", "60 notification-failed x at a", "80 notification-shown x at b",
      ])
    let remove = self.run(
      [(20, "a"), (40, "b"), (60, "-")], to: 80, [campaign("x", ["a", "b"], #","removeOnExit":true"#)],
      rules: #"{"remove":[{"region":"a","fails":true}]}"#)
    #expect(
      try remove.messages() == [
        "20 notification-shown x at a", "40 notification-shown x at b", "60 notification-removed x at b exit",
      ])
  }

  // MARK: Strategies

  @Test func vetoes() throws {
    let run = run(
      [(20, "a"), (40, "b"), (60, "-")], to: 80,
      [campaign("x", ["a", "b"], #","removeOnExit":true"#), campaign("y", ["a", "b"], #","removeOnExit":true"#)],
      rules: #"{"strategies":[{"key":"k","vetoDelete":["x"]},{"key":"l","veto":["y"]},{"key":"m","veto":["y"]}]}"#)
    let (events, simulation) = try run.events()
    #expect(
      events.filter { !$0.contains("region-") } == ["20 notification-shown x at a", "40 notification-shown x at b"])
    // Two vetoes are one notification that is not shown; what stays on the screen is none.
    #expect(simulation.summary.hasSuffix("2 notifications, 0 geotriggers, 2 not shown"))
    #expect(
      simulation.mapInput.marks.filter { $0.kind == "dropped" }.map(\.title) == [
        "y is not shown: vetoed (l)", "y is not shown: vetoed (l)",
      ])
  }

  @Test func strategiesCountWhatWasShown() throws {
    let walk: [(Int64, String)] = [(20, "a"), (40, "b"), (60, "c"), (80, "a"), (100, "b"), (120, "c"), (140, "-")]
    func shown(_ strategy: String, _ more: String = "") throws -> [String] {
      try run(
        walk, to: 150, [campaign("x", ["a", "b", "c"], #","resend":true"# + more)],
        rules:
          #"{"strategies":[{"key":"k",\#(strategy)}],"show":[{"region":"c","fails":true}],"person":[{"region":"a","dismisses":10}]}"#
      ).messages().filter { $0.contains("shown") || $0.contains("failed") }
        .map { String($0.prefix { $0 != " " }) + ($0.contains("failed") ? "!" : "") }
    }
    #expect(try shown(#""veto":[]"#) == ["20", "40", "60!", "80", "100", "120!"])
    #expect(try shown(#""minimumTime":20"#) == ["20", "40", "60!", "80", "100", "120!"])
    // One that failed does not count.
    #expect(try shown(#""minimumTime":21"#) == ["20", "60!", "80", "120!"])
    #expect(try shown(#""max":2,"window":80"#) == ["20", "40", "100", "120!"])
    #expect(try shown(#""max":1,"window":60,"minimumTime":1"#) == ["20", "80"])
    // The one at a is dismissed 10 seconds after its display.
    #expect(try shown(#""minimumTime":11,"after":"removed""#) == ["20", "60!", "80", "120!"])
    #expect(try shown(#""minimumTime":10,"after":"removed""#) == ["20", "40", "60!", "80", "100", "120!"])
  }

  @Test func strategiesKnowTheBackground() throws {
    let run = run(
      [(20, "a"), (40, "b"), (60, "c"), (80, "a"), (100, "b")], to: 120,
      [campaign("x", ["a", "b", "c"], #","resend":true"#)],
      rules: #"""
        {"strategies":[{"key":"k","minimumTime":30,"after":"background"}],
         "inputs":[{"at":"2026-01-01T00:00:30Z","foreground":true},{"at":"2026-01-01T00:00:50Z","foreground":false}]}
        """#)
    #expect(
      try run.messages() == [
        "20 notification-shown x at a", "80 notification-shown x at a", "100 notification-shown x at b",
      ])
  }

  @Test func theFeedSwitchesAStrategyOff() throws {
    func shown(_ enabled: Bool) throws -> [String] {
      try run(
        [(20, "a")], to: 40, [campaign("x", ["a"], "")], rules: #"{"strategies":[{"key":"k","veto":["x"]}]}"#,
        settings: #"{"strategies":[{"key":"k","type":"custom","enabled":\#(enabled)}]}"#
      ).messages()
    }
    #expect(try shown(true) == [])
    #expect(try shown(false) == ["20 notification-shown x at a"])
  }

  // MARK: The person

  @Test func thePersonActsOnWhatIsOnTheScreen() throws {
    let actions = #","content":{"actions":[{"id":"save","title":"Save"}]}"#
    let run = run(
      [(20, "a"), (40, "b"), (60, "c")], to: 100,
      [campaign("x", ["a", "b", "c"], ""), campaign("y", ["a", "b"], actions), campaign("z", ["b"], "")],
      rules: #"""
        {"person":[
          {"identifier":"x;a","opens":13},{"identifier":"x;b"},{"campaign":"x","dismisses":0},
          {"identifier":"y;a","chooses":{"action":"save","after":25}},{"campaign":"y","chooses":{"action":"sell","after":26}},
          {"campaign":"z","opens":61}]}
        """#)
    let (events, simulation) = try run.events()
    #expect(
      events.filter { !$0.contains("region-") && !$0.contains("shown") } == [
        "33 notification-opened x at a", "45 notification-action y at a save", "60 notification-dismissed x at c",
      ])
    #expect(
      simulation.summary
        == "11 fixes, 3 enters, 2 exits, 6 notifications, 0 geotriggers, 0 not shown, 1 opened, 1 acted on, 1 dismissed"
        + "; 1 of what the person did was refused (2026-01-01T00:01:06Z: the notification has no action \"sell\")")
    let marks = simulation.mapInput.marks.filter { $0.kind == "notification" }
    #expect(
      marks.map(\.outcomes) == [
        ["opened at 00:00:33"], ["save at 00:00:45"], [], [], [], ["dismissed at 00:01:00"],
      ])
    let page = MapPage.render(simulation.mapInput)
    #expect(page.contains("<span>opened at 00:00:33</span>") && page.contains("<span>dismissed at 00:01:00</span>"))
  }

  @Test func whatHasLeftTheScreenIsNotActedOn() throws {
    let run = run(
      [(20, "a"), (40, "-")], to: 80, [campaign("x", ["a"], #","removeOnExit":true"#)],
      rules: #"{"person":[{"opens":21}]}"#)
    #expect(try run.messages() == ["20 notification-shown x at a", "40 notification-removed x at a exit"])
    var inTime = run
    inTime.rules = #"{"person":[{"opens":20}]}"#
    #expect(try inTime.messages() == ["20 notification-shown x at a", "40 notification-opened x at a"])
  }

  // MARK: The device

  @Test func inputsCountBetweenFixes() throws {
    let segment = #","segmentation":{"property":"p","equals":"yes"}"#
    func shown(_ inputs: [String], _ given: String?) throws -> [String] {
      var run = run(
        [(20, "a"), (40, "-"), (60, "b")], to: 80, [campaign("x", ["a", "b"], segment)],
        rules: #"{"inputs":[\#(inputs.joined(separator: ","))]}"#)
      run.properties = given.map { [("p", .string($0))] } ?? []
      return try run.messages()
    }
    func set(_ second: Int64, _ value: String) -> String {
      let time = Timestamp.text(RuleRun.start + second * 1_000)
      return #"{"at":"\#(time)","property":{"key":"p","value":"\#(value)"}}"#
    }
    let clear = #"{"at":"2026-01-01T00:00:50Z","clearProperty":"p"}"#
    #expect(try shown([], "yes") == ["20 notification-shown x at a", "60 notification-shown x at b"])
    #expect(try shown([clear], "yes") == ["20 notification-shown x at a"])
    #expect(try shown([set(60, "yes")], "no") == ["60 notification-shown x at b"])
    #expect(try shown([set(61, "yes")], "no") == ["61 notification-shown x at b"])
    // Of those at one time the last stands; the order in the file does not matter else.
    #expect(try shown([clear, set(50, "yes")], "no") == ["60 notification-shown x at b"])
    #expect(try shown([set(50, "yes"), clear], "no") == [])
    #expect(try shown([set(55, "no"), set(45, "yes")], "no") == [])
  }

  @Test func inputsBeforeAndAfterTheTrack() throws {
    let run = run(
      [(0, "-"), (20, "a")], to: 40,
      [campaign("x", ["a"], #","segmentation":{"property":"p","equals":1}"#)],
      rules: #"""
        {"inputs":[{"at":"2025-12-31T00:00:00Z","property":{"key":"p","value":1}},
          {"at":"2026-01-01T00:00:41Z","network":false},{"at":"2026-01-01T00:01:00Z","network":true}]}
        """#)
    let (events, simulation) = try run.events()
    #expect(events == ["20 region-enter at a", "20 notification-shown x at a"])
    #expect(simulation.summary.hasSuffix("0 not shown; 2 inputs come after the last fix"))
  }

  @Test func tripsBeginAndEnd() throws {
    let arrived = campaign("x", ["a"], #","trigger":"trip","tripEvent":"arrived""#)
    let run = run(
      [(0, "-"), (20, "a")], to: 40, [arrived],
      rules: #"""
        {"inputs":[{"at":"2026-01-01T00:00:05Z","startTrip":{"id":"t","region":"a"}},
          {"at":"2026-01-01T00:00:30Z","endTrip":{"id":"t"}}]}
        """#)
    let (events, simulation) = try run.events()
    #expect(
      events == [
        "5 trip-started at a", "20 region-enter at a", "20 trip-arrived at a", "20 notification-shown x at a",
      ])
    #expect(simulation.summary.hasSuffix("; to end, and not on: the trip t"))
  }

  @Test func networkAndTimeZone() throws {
    let welcome = #","welcome":{"period":60,"offline":{"message":"offline"}}"#
    let offline = run(
      [(20, "a")], to: 40, [campaign("x", ["a"], welcome)],
      rules: #"{"inputs":[{"at":"2026-01-01T00:00:10Z","network":false}]}"#)
    #expect(try offline.events().simulation.mapInput.marks.last?.title == "offline")
    // Midnight in UTC is one o'clock in Amsterdam.
    let hours = #","triggerTimes":{"type":"openinghours","openingHours":{"thu":[["01:00","02:00"]]}}"#
    var zone = run(
      [(20, "a"), (40, "b")], to: 60, [campaign("x", ["a", "b"], hours)],
      rules: #"{"inputs":[{"at":"2026-01-01T00:00:30Z","timeZone":"Europe/Amsterdam"}]}"#)
    #expect(try zone.messages() == ["40 notification-shown x at b"])
    zone.timeZone = "Europe/Berlin"
    zone.rules = #"{"inputs":[{"at":"2026-01-01T00:00:30Z","timeZone":"UTC"}]}"#
    #expect(try zone.messages() == ["20 notification-shown x at a"])
  }

  // MARK: The command

  @Test func faultsOfTheFile() throws {
    let folder = try Folder()
    let path = folder.path("rules.json")
    func fault() throws -> String? {
      let demo = projectRoot.path + "/demo/"
      let command = try SimulateCommand.parse([
        "--feed", demo + "feed.json", "--track", demo + "walk.gpx", "--rules", path, "--quiet",
      ])
      return #expect(throws: InputFault.self) { try command.run() }?.description
    }
    #expect(try fault() == "\(path): No such file or directory")
    try "{\n  \"filter\": [\n    {\"campain\": \"x\"}]}".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(
      try fault()
        == "\(path): line 3, column 17: /filter/0/campain: expected a key of a rule of \"filter\" "
        + "(campaign, region, identifier, drop, set, answerAfter), found the unknown key \"campain\"; did you mean \"campaign\"?"
    )
    try "{\"person\": [}".write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try fault()?.hasPrefix("\(path): line 1, column 13: expected ") == true)
  }

  // MARK: Map and timeline

  @Test func theMapListsWhatWasNotShown() throws {
    let run = run(
      [(20, "a")], to: 40, [campaign("x", ["a"], ""), campaign("y", ["a"], "")],
      rules: #"{"filter":[{"campaign":"y","drop":true}]}"#)
    let page = MapPage.render(try run.events().simulation.mapInput)
    #expect(page.contains("Not shown <small>1</small>"))
    #expect(page.contains("y was left out by the filter"))
    #expect(page.contains("class=\"visit dropped\" data-i="))
    var plain = run
    plain.rules = "{}"
    let other = MapPage.render(try plain.events().simulation.mapInput)
    #expect(other.contains("Not shown <small>0</small>") && !other.contains("class=\"visit dropped\""))
  }

  @Test func theTimelineHasSymbols() {
    func row(_ kind: String) -> String {
      Timeline.row(time: 0, kind: kind, place: "a", text: "t", style: .plain, clock: .utc)
    }
    #expect(row("opened").contains("◉ a") && row("removed").contains("◌ a") && row("dropped").contains("○ a"))
  }
}
