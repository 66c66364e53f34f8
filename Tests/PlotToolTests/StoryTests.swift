import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotEngine
@testable import PlotStory
@testable import PlotTracks
@testable import plot

/// Why nothing was shown, each time by another cause, as `plot explain` says it of a recording.
@Suite struct StoryTests {
  struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    /// More of the campaign `c` at the region `a`, of the feed's settings, of `a`, and of the configuration's `engine`.
    var campaign = ""
    var settings = ""
    var region = ""
    var engine = ""
    var noise = "exact"
    var cooldown = ""
    var story: @Sendable (Phone) throws -> Void = { try $0.enter() }
    /// The sentences of the campaign's story.
    var expected: String
    var testDescription: String { name }
  }

  /// An engine that is recorded. Minutes count from noon of a Saturday.
  final class Phone: Sendable {
    let engine = Engine()
    private let recorded = WhatIfTests.Lines()

    init(_ scenario: Scenario) throws {
      let recorded = recorded
      try engine.setRecordingCallback { recorded.all.append($0) }
      let config =
        #"{"publicToken":"t"\#(scenario.cooldown),"engine":{"noise":"\#(scenario.noise)"\#(scenario.engine)}}"#
      let feed = """
        {"version": 1, "regions": [
          {"id": "a", "type": "geofence", "name": "Shop", "latitude": 10, "longitude": 10, "radius": 100 \(scenario.region)},
          {"id": "b", "type": "geofence", "latitude": 10.1, "longitude": 10, "radius": 100}],
        "settings": {\(scenario.settings)},
        "campaigns": [
          {"id": "c", "type": "notification", "message": "m", "regions": ["a"] \(scenario.campaign)},
          {"id": "other", "type": "notification", "message": "o", "regions": ["b"], "resend": true,
            "exclusionGroup": "g", "coalescingGroup": "k"}]}
        """
      if scenario.name.contains("app") {
        let answers = scenario.name == "the app leaves it out"
        try engine.setCallback(\.filter) { [engine] token, _ in
          if answers { try? engine.answerFilter(token, [], at: Walk.saturday.start + 60_000) }
        }
      }
      if scenario.name == "the display fails" { try engine.setCallback(\.show) { _ in false } }
      if scenario.name == "a strategy says no" {
        try engine.setStrategy("mine", HostStrategy(key: "mine") { _ in StrategyReply(agrees: false) })
      }
      try engine.initialize(at: Walk.saturday.start, Configuration(config), storePath: nil)
      try engine.setFeed(Feed.parse(feed), at: Walk.saturday.start)
    }

    deinit { engine.close() }

    /// A fix so many minutes after noon, and so many metres north of the middle of `a`.
    func fix(_ minutes: Int64, _ meters: Double, accuracy: Double = 5, speed: Double = -1) throws {
      try engine.update(Walk.saturday.fix(minutes, meters, accuracy: accuracy, speed: speed))
    }

    func enter(_ minutes: Int64 = 1) throws {
      for fix in Walk.saturday.enter(minutes) { try engine.update(fix) }
    }

    /// Into `b`, which is 11 km to the north.
    func enterOther(_ minutes: Int64 = 1) throws { try fix(minutes, 11_120) }

    func story() throws -> Story {
      var lines = recorded.all[...]
      return try Story { lines.popFirst().map { Array($0.utf8) } }
    }
  }

  static func text(_ story: Story) -> StoryText { StoryText(story: story, language: "en", style: .plain, clock: .utc) }

  static let scenarios: [Scenario] = [
    Scenario(name: "no fix", story: { _ in }, expected: "Shop: never entered; no fix came"),
    Scenario(
      name: "too far", story: { try $0.fix(0, 1000) },
      expected: "Shop: never entered; the nearest fix was 900 m from its edge, at 12:00:00"),
    Scenario(
      name: "too inaccurate", noise: "default-1",
      story: {
        try $0.fix(0, 1000)
        try $0.fix(1, 0, accuracy: 400)
      }, expected: "1 × The fix is too inaccurate to tell inside from outside of this region: 400 m, not 100 m."),
    Scenario(
      name: "too fast", region: #", "noise": "conservative-1""#,
      story: {
        try $0.fix(0, 1000)
        try $0.fix(1, 0, speed: 20)
      }, expected: "The device is too fast to enter: 20 m/s, where 8 m/s is the most; it passes by."),
    Scenario(
      name: "inside from the first", engine: #","initial":"none""#, story: { try $0.fix(0, 0) },
      expected: "Shop: found inside at 12:00:00, which is no enter (engine.initial in plotconfig.json)"),
    Scenario(
      name: "disabled",
      story: {
        try $0.engine.setEnabled(false, at: Walk.saturday.start)
        try $0.enter()
      }, expected: "at the end: The engine is disabled: it follows no places."),
    Scenario(
      name: "not long enough", campaign: #", "trigger": "dwelling", "dwellingMinutes": 30"#,
      story: {
        try $0.enter()
        try $0.fix(6, 0)
        try $0.fix(7, 1000)
      }, expected: "Shop: visited once, 6 min at the longest; it waits for 30 min"),
    Scenario(
      name: "long enough, and nothing proved it", campaign: #", "trigger": "dwelling", "dwellingMinutes": 30"#,
      noise: "balanced",
      story: {
        try $0.enter()
        try $0.fix(90, 1000)
        try $0.fix(95, 1000)
      },
      expected:
        "it waits for 30 min. 1 × It was due at 2026-05-16 12:31 UTC, and no fix has shown in time that the device was still"
    ),
    Scenario(
      name: "not left yet", campaign: #", "trigger": "exit""#, expected: "Shop: visited once, and not left yet"),
    Scenario(
      name: "not started", campaign: #", "start": "2026-06-01T00:00:00Z""#,
      expected: "not shown: The campaign has not started: it does at 2026-06-01 00:00 UTC."),
    Scenario(
      name: "ended", campaign: #", "end": "2026-05-01T00:00:00Z""#,
      expected: "not shown: The campaign has ended, at 2026-05-01 00:00 UTC."),
    Scenario(
      name: "switched off", settings: #""notificationsEnabled": false"#,
      expected: "not shown: The feed's settings have switched notifications off."),
    Scenario(
      name: "outside its times",
      campaign: #", "triggerTimes": {"type": "openinghours", "openingHours": {"sat": [["18:00", "20:00"]]}}"#,
      expected: "not shown: It is outside its times: the clock shows 12:01 (UTC). Possible from 18:00:00."),
    Scenario(
      name: "a property is missing", campaign: #", "segmentation": {"all": [{"property": "vip", "equals": true}]}"#,
      expected: "not shown: The device has no value for the property vip."),
    Scenario(
      name: "a property differs", campaign: #", "segmentation": {"all": [{"property": "vip", "equals": true}]}"#,
      story: {
        try $0.engine.setProperty("vip", .boolean(false), at: Walk.saturday.start)
        try $0.enter()
      }, expected: "not shown: The conditions are not true, because of vip (here: false)."),
    Scenario(
      name: "once only",
      story: {
        try $0.enter()
        try $0.enter(10)
      }, expected: "not shown: It was shown at 2026-05-16 12:01 UTC, and is shown only once."),
    Scenario(
      name: "its own cooldown", campaign: #", "cooldownPeriod": 3600"#,
      story: {
        try $0.enter()
        try $0.enter(10)
      }, expected: "Possible from 13:01:00."),
    Scenario(
      name: "the global cooldown", cooldown: #","cooldownPeriod":3600"#,
      story: {
        try $0.fix(0, 5000)
        try $0.enterOther()
        try $0.enter(10)
      }, expected: "Possible from 13:01:00."),
    Scenario(
      name: "a cap", settings: #""caps": [{"per": "all", "max": 1, "window": 7200}]"#,
      story: {
        try $0.fix(0, 5000)
        try $0.enterOther()
        try $0.enter(10)
      }, expected: "not shown: The cap all is full: 1 of 1. Possible from 14:01:00."),
    Scenario(
      name: "quiet hours", settings: #""quietHours": [{"hours": {"sat": [["11:00", "15:00"]]}}]"#,
      expected: "Possible from 15:00:00."),
    Scenario(
      name: "no slot", settings: #""slots": {"count": 1}"#,
      story: {
        try $0.fix(0, 5000)
        try $0.enterOther()
        try $0.enter(10)
      }, expected: "not shown: Every slot is taken"),
    Scenario(
      name: "excluded", campaign: #", "exclusionGroup": "g""#,
      story: {
        try $0.fix(0, 5000)
        try $0.enterOther()
        try $0.enter(10)
      }, expected: "other"),
    Scenario(
      name: "a field is missing", campaign: #", "data": "{{url}}""#,
      expected: "not shown: The region lacks the field url"),
    Scenario(
      name: "steps are missing", campaign: #", "after": {"steps": [{"event": "enter", "region": "b"}]}"#,
      expected: "not shown: "),
    Scenario(name: "another visit counts", campaign: #", "visits": {"from": 3}"#, expected: "not shown: "),
    Scenario(name: "the app leaves it out", expected: "not shown: The app left it out."),
    Scenario(
      name: "the app is late", engine: #","filterDeadline":60"#,
      story: {
        try $0.enter()
        try $0.engine.advance(to: Walk.saturday.start + 3_600_000)
      }, expected: "not shown: The app did not answer within 1 min; the fallback drops it."),
    Scenario(
      name: "the app has not answered", engine: #","filterDeadline":600"#, expected: "waits: The app was asked"),
    Scenario(name: "a strategy says no", expected: "not shown: The strategy mine has said no"),
    Scenario(name: "the display fails", expected: "not shown: The host could not show it; it is not used up."),
  ]

  @Test(arguments: scenarios) func theCauseIsNamed(_ scenario: Scenario) throws {
    let phone = try Phone(scenario)
    try scenario.story(phone)
    let story = try phone.story()
    let text = Self.text(story).campaign("c")
    #expect(text.contains(scenario.expected), "\(text)")
  }

  /// Each scenario has a cause of its own.
  @Test func theCausesDiffer() throws {
    var causes: [String] = []
    for scenario in Self.scenarios {
      let phone = try Phone(scenario)
      try scenario.story(phone)
      let story = try phone.story()
      let last = story.candidates.last { $0.campaign == "c" }
      switch last?.result {
      case .stopped(let decision): causes.append("\(decision.step.rawValue) \(decision.reason.rawValue)")
      case .shown, .open: Issue.record("\(scenario.name) was shown")
      case nil: causes.append(scenario.name)
      }
    }
    #expect(Set(causes).count == causes.count, "\(causes)")
    #expect(causes.count >= 20)
  }

  @Test func theTableCounts() throws {
    let phone = try Phone(Scenario(name: "", expected: ""))
    try phone.enter()
    let shown = try #require(try phone.engine.sent(geotriggers: false).first?.matchIdentifier)
    try phone.engine.openNotification(shown, at: Walk.saturday.start + 120_000)
    try phone.enter(10)
    try phone.enter(20)
    let story = try phone.story()
    let row = try #require(StorySummary(story).rows.first)
    #expect("\(row.candidates) \(row.shown) \(row.opened)" == "3 1 1")
    #expect(row.stops == [StorySummary.Stop(step: "repeat", reason: "once-only", count: 2)])
    let text = Self.text(story).summary()
    #expect(text.hasPrefix("2026-05-16 12:00:00 to 12:20:00 UTC: 6 fixes, 3 visits\n"))
    #expect(text.contains("c                  3      1       1  2 × once-only (repeat)\n"))
    #expect(text.contains("other was never a candidate:\n  b: never entered; the nearest fix was"))
  }

  /// A recording that begins on a store knows the visits that are on.
  @Test func aVisitOfAnEarlierLifeIsAVisit() throws {
    let folder = try Folder()
    let config = try Configuration(#"{"publicToken":"t","engine":{"noise":"exact","earliestTime":0}}"#)
    let lines = WhatIfTests.Lines()
    for life in 0..<2 {
      let engine = Engine()
      defer { engine.close() }
      if life == 1 { try engine.setRecordingCallback { lines.all.append($0) } }
      let time = Int64(life) * 600_000
      try engine.initialize(at: time, config, storePath: folder.path())
      try engine.setFeed(Feed.parse(WhatIfTests.feed), at: time)
      for (step, latitude) in [52.005, life == 0 ? 52 : 52.01].enumerated() {
        try engine.update(
          Fix(time: time + Int64(step + 1) * 60_000, coordinate: Coordinate(latitude: latitude, longitude: 5)))
      }
    }
    var rest = lines.all[...]
    let story = try Story { rest.popFirst().map { Array($0.utf8) } }
    #expect(story.visits.map(\.region) == ["shop", "park"])
    #expect(story.visits.first?.entered == 120_000 && story.visits.first?.left == 660_000)
    #expect(Self.text(story).campaign("sale").contains("shop: entered at 00:02:00, before the recording begins"))
    #expect(Self.text(story).campaign("bye").contains("shop: shown"))
  }

  @Test func aRegionAndAMinute() throws {
    let phone = try Phone(Scenario(name: "", expected: ""))
    try phone.enter()
    try phone.fix(10, 1000)
    let text = Self.text(try phone.story())
    #expect(text.region("a") == "Shop (UTC)\n  12:01:00  visit 1 until 12:10:00, 9 min\n    12:01:00  c: shown\n")
    let minute = text.minute(from: Walk.saturday.start + 60_000)
    #expect(
      minute.hasPrefix("2026-05-16 12:01 UTC\n  12:01:00  fix at 10.0, 10.0, to 5 m\n  12:01:00  Shop: region enter\n"))
    #expect(minute.contains("c at Shop: It has not been shown, or may be shown again. [repeat: pass]"))
    #expect(minute.contains("c at Shop: notification shown, \"m\""))
    #expect(text.minute(from: Walk.saturday.start + 300_000).contains("nothing happened"))
  }

  /// A map of a recording is the map of the run that was recorded.
  @Test func theMapIsThatOfTheRun() throws {
    let project = projectRoot.appendingPathComponent("demo")
    let feed = try Feed.load(path: project.appendingPathComponent("feed.json").path)
    let track = try TrackReader.read(path: project.appendingPathComponent("walk.gpx").path)
    let simulation = Simulation(
      feed: feed, track: track,
      options: .init(quiet: true, keepsRecording: true, speed: nil, collectsMarks: true))
    try simulation.run(Configuration(#"{"publicToken":"t"}"#), storePath: nil, [])
    var map: MapCollector? = MapCollector()
    var lines = simulation.lines[...]
    _ = try Story({ lines.popFirst().map { Array($0.utf8) } }, drawingOn: &map)
    let own = try #require(map?.input(title: simulation.mapInput.title))
    let run = simulation.mapInput
    #expect(own.marks == run.marks && own.decisions == run.decisions && own.changes == run.changes)
    #expect(own.points.map(\.time) == run.points.map(\.time))
    #expect(MapPicture(theme: .light).render(own) == MapPicture(theme: .light).render(run))
    #expect(!own.marks.isEmpty && own.decisions.contains { $0.sentence?.isEmpty == false })
  }

  /// Sentences of the JSON are in UTC, as its times are, wherever the device was.
  @Test func theJSONIsInUTC() throws {
    let phone = try Phone(Scenario(name: "", expected: ""))
    try phone.engine.setTimeZone("Europe/Amsterdam", at: Walk.saturday.start)
    try phone.fix(0, 1000)
    let story = try phone.story()
    #expect(story.clock(story.last).timeOfDay == "14:00:00")
    let json = StoryDocument(story, ["c"], [], "en").json
    #expect(json.contains("the nearest fix was 900 m from its edge, at 12:00:00"))
  }

  @Test func theJSONHasItAll() throws {
    let phone = try Phone(Scenario(name: "", expected: ""))
    try phone.enter()
    try phone.enter(10)
    let story = try phone.story()
    func object(_ campaigns: [String], _ regions: [String]) throws -> [String: Any] {
      let json = StoryDocument(story, campaigns, regions, "de").json
      return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }
    let all = try object([], [])
    let candidates = try #require(all["candidates"] as? [[String: Any]])
    #expect(candidates.map { $0["result"] as? String } == ["shown", "dropped"])
    #expect(candidates[1]["reason"] as? String == "once-only")
    #expect((candidates[1]["sentence"] as? String)?.isEmpty == false)
    #expect((candidates[0]["steps"] as? [String])?.first == "trigger: triggered")
    #expect((all["visits"] as? [Any])?.count == 2)
    #expect((all["never"] as? [[String: Any]])?.map { $0["campaign"] as? String } == ["other"])
    #expect((all["now"] as? [Any])?.count == 2)
    #expect((try object(["other"], [])["candidates"] as? [Any])?.isEmpty == true)
    #expect((try object([], ["b"])["visits"] as? [Any])?.isEmpty == true)
  }
}
