import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments

/// Why something is not shown, each time by another cause (docs/explain.md).
@Suite struct ExplainTests {
  struct Scenario: Sendable, CustomTestStringConvertible {
    var name: String
    /// More of the campaign, of the feed's settings, and of the region.
    var campaign = ""
    var settings = ""
    var region = ""
    var configure: @Sendable (inout Machine.Settings) -> Void = { _ in }
    /// The inputs before the question.
    var story: @Sendable (inout TestHost) throws -> Void
    var expected: String
    var sentence: String
    var testDescription: String { name }
  }

  static func phone(_ scenario: Scenario) throws -> TestHost {
    let feed = """
      {"version": 1, "regions": [{"id": "a", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 100
      \(scenario.region)}, {"id": "b", "type": "geofence", "latitude": 50, "longitude": 10, "radius": 100}],
      "settings": {\(scenario.settings)},
      "campaigns": [{"id": "c", "type": "notification", "message": "m", "regions": ["a"] \(scenario.campaign)},
      {"id": "other", "type": "notification", "message": "o", "regions": ["b"], "resend": true}]}
      """
    return TestHost(try Feed.parse(feed), scenario.configure)
  }

  static let scenarios: [Scenario] = [
    Scenario(
      name: "no fix", story: { _ in }, expected: "explain no-fix drop",
      sentence: "Nothing is known yet of where the device is."),
    Scenario(
      name: "disabled", story: { try $0.play($0.machine.setEnabled(false, at: Walk.saturday.start)) },
      expected: "explain disabled drop", sentence: "The engine is disabled: it follows no places."),
    Scenario(
      name: "not inside", story: { try $0.fix(0, 1100) }, expected: "explain not-inside drop",
      sentence: "The device is not inside the region: the newest fix is 1000 m away."),
    Scenario(
      name: "inaccurate",
      story: {
        try $0.fix(0, 1000)
        try $0.fix(1, 0, accuracy: 400)
      }, expected: "presence accuracy hold",
      sentence: "The fix is too inaccurate to tell inside from outside of this region: 400 m, not 100 m."),
    Scenario(
      name: "not confirmed", region: #", "noise": "walking-1""#, story: { try $0.enter() },
      expected: "explain entering hold",
      sentence: "The region seems to be entered since 2026-05-16 12:01 UTC, and that is not sure yet: 1 of 2 fixes; "
        + "it could be shown at 2026-05-16 12:06 UTC at the earliest."),
    Scenario(
      name: "too fast", region: #", "noise": "conservative-1""#,
      story: {
        try $0.fix(0, 1000)
        try $0.fix(1, 0, speed: 20)
      }, expected: "presence speed hold",
      sentence: "The device is too fast to enter: 20 m/s, where 8 m/s is the most; it passes by."),
    Scenario(
      name: "inside from the first", story: { try $0.fix(0, 0) }, expected: "explain silent drop",
      sentence: "The device was found inside at 2026-05-16 12:00 UTC, which is no enter: it waits for the next visit."),
    Scenario(
      name: "dwelling", campaign: #", "trigger": "dwelling", "dwellingMinutes": 30"#, story: { try $0.enter() },
      expected: "explain dwelling hold",
      sentence: "It waits until 2026-05-16 12:31 UTC, when the visit has lasted 30 min; it could be shown at "
        + "2026-05-16 12:31 UTC at the earliest."),
    Scenario(
      name: "exit", campaign: #", "trigger": "exit""#, story: { try $0.enter() }, expected: "explain exit hold",
      sentence: "It waits for the exit: the device is inside since 2026-05-16 12:01 UTC."),
    Scenario(
      // While one is inside, its trigger does not come again.
      name: "starts while one is inside", campaign: #", "start": "2026-06-01T00:00:00Z""#, story: { try $0.enter() },
      expected: "validity not-started drop",
      sentence: "The campaign has not started: it does at 2026-06-01 00:00 UTC."),
    Scenario(
      name: "ended", campaign: #", "end": "2026-05-01T00:00:00Z""#, story: { try $0.enter() },
      expected: "validity ended drop", sentence: "The campaign has ended, at 2026-05-01 00:00 UTC."),
    Scenario(
      name: "switched off", settings: #""notificationsEnabled": false"#, story: { try $0.enter() },
      expected: "validity notifications-disabled drop",
      sentence: "The feed's settings have switched notifications off."),
    Scenario(
      name: "outside its times",
      campaign: #", "triggerTimes": {"type": "openinghours", "openingHours": {"sat": [["18:00", "20:00"]]}}"#,
      story: { try $0.enter() }, expected: "times outside-times drop",
      sentence: "It is outside its times: the clock shows 12:01 (UTC); it could be shown at 2026-05-16 18:00 UTC at "
        + "the earliest."),
    Scenario(
      name: "waits for its times",
      campaign: #", "triggerTimes": {"type": "openinghours", "openingHours": {"sat": [["18:00", "20:00"]]}, "#
        + #""outside": "hold"}"#,
      story: { try $0.enter() }, expected: "times held hold",
      sentence: "It is outside its times, and waits for them: the clock shows 12:01 (UTC); it could be shown at "
        + "2026-05-16 18:00 UTC at the earliest."),
    Scenario(
      name: "property missing", campaign: #", "segmentation": {"property": "vip", "equals": true}"#,
      story: { try $0.enter() }, expected: "segmentation property-missing hold",
      sentence: "The device has no value for the property vip."),
    Scenario(
      name: "property differs", campaign: #", "segmentation": {"property": "age", "atLeast": 18}"#,
      story: {
        try $0.play($0.machine.setProperty(Identifier("age"), .integer(12), at: Walk.saturday.start))
        try $0.enter()
      }, expected: "segmentation property-differs hold",
      sentence: "The conditions are not true, because of age (here: 12)."),
    Scenario(
      name: "shown once",
      story: {
        try $0.enter()
        try $0.fix(10, 1000)
      }, expected: "repeat once-only drop",
      sentence: "It was shown at 2026-05-16 12:01 UTC, and is shown only once."),
    Scenario(
      name: "its own cooldown", campaign: #", "cooldownPeriod": 3600"#,
      story: {
        try $0.enter()
        try $0.fix(10, 1000)
        try $0.fix(20, 0)
      }, expected: "repeat campaign-cooldown drop",
      sentence: "It was shown at 2026-05-16 12:01 UTC, and its own cooldown of 1 h has not passed; it could be shown "
        + "at 2026-05-16 13:01 UTC at the earliest."),
    Scenario(
      name: "just shown", campaign: #", "resend": true"#, story: { try $0.enter() }, expected: "explain shown pass",
      sentence: "It was shown at 2026-05-16 12:01 UTC."),
    Scenario(
      name: "field missing", campaign: #", "data": "{{offer}}""#, story: { try $0.enter() },
      expected: "content missing-field drop", sentence: "The region lacks the field offer that the text asks for."),
    Scenario(
      name: "the app thinks", configure: { $0.hasFilter = true }, story: { try $0.enter() },
      expected: "filter asked hold", sentence: "The app was asked, and may answer until 2026-05-16 12:02 UTC."),
    Scenario(
      name: "the app said no", configure: { $0.hasFilter = true },
      story: {
        try $0.enter()
        try $0.play($0.machine.answerFilter(1, [], at: Walk.saturday.start + 61_000))
      }, expected: "filter filtered-out drop", sentence: "The app left it out."),
    Scenario(
      name: "the app said nothing", configure: { $0.hasFilter = true },
      story: {
        try $0.enter()
        try $0.wait(until: Walk.saturday.time(10))
      }, expected: "filter deadline-dropped drop",
      sentence: "The app did not answer within 1 min; the fallback drops it."),
    Scenario(
      name: "global cooldown",
      story: {
        _ = $0.machine.setCooldownPeriod(7_200_000, at: Walk.saturday.start)
        try Self.showOther(&$0)
        try $0.enter(10)
      }, expected: "cooldown global-cooldown drop",
      sentence: "Another notification was shown at 2026-05-16 12:02 UTC, and 2 h must pass between two; it could be "
        + "shown at 2026-05-16 14:02 UTC at the earliest."),
    Scenario(
      name: "capped", settings: #""caps": [{"per": "all", "max": 1, "window": 3600}]"#,
      story: {
        try Self.showOther(&$0)
        try $0.enter(10)
      }, expected: "caps capped drop",
      sentence: "The cap all is full: 1 of 1; it could be shown at 2026-05-16 13:02 UTC at the earliest."),
    Scenario(
      name: "quiet hours", settings: #""quietHours": [{"hours": {"daily": [["11:00", "14:00"]]}}]"#,
      story: { try $0.enter() }, expected: "quiet quiet-hours drop",
      sentence: "Quiet hours are on (all), and it does not wait: the clock shows 12:01 (UTC); it could be shown at "
        + "2026-05-16 14:00 UTC at the earliest."),
    Scenario(
      name: "waits for the end of quiet hours",
      settings: #""quietHours": [{"hours": {"daily": [["11:00", "14:00"]]}, "during": "hold"}]"#,
      story: { try $0.enter() }, expected: "quiet quiet-held hold",
      sentence: "Quiet hours are on (all), and it waits for their end at 2026-05-16 14:00 UTC; it could be shown at "
        + "2026-05-16 14:00 UTC at the earliest."),
    Scenario(
      name: "slots full", settings: #""slots": {"count": 1}"#,
      story: {
        try Self.showOther(&$0)
        try $0.enter(10)
      }, expected: "slot slot-full drop",
      sentence: "Every slot is taken by a notification that it may not replace: 1 of 1."),
    Scenario(
      name: "visit does not count", campaign: #", "visits": {"from": 3}"#, story: { try $0.enter() },
      expected: "visits visit-does-not-count drop", sentence: "Visit number 1 is none that counts."),
    Scenario(
      name: "steps missing", campaign: #", "after": {"steps": [{"region": "b", "event": "enter"}]}"#,
      story: { try $0.enter() }, expected: "steps steps-missing drop",
      sentence: "A step has not been done, or something forbidden came after it: enter b (0 of 1 are done)."),
    Scenario(
      name: "the host thinks",
      story: {
        $0.canShow = { _ in nil }
        try $0.enter()
      }, expected: "explain showing hold",
      sentence: "The host was asked to show it, and has not answered yet."),
  ]

  /// The other campaign is shown at 12:02.
  static func showOther(_ phone: inout TestHost) throws {
    try phone.fix(0, 1000)
    try phone.fix(
      Fix(time: Walk.saturday.time(2), coordinate: Coordinate(latitude: 50, longitude: 10), accuracy: 5))
  }

  static func summary(_ explanation: Explanation) -> String {
    switch explanation.cause {
    case .state(let state, _): "explain \(state.rawValue) \(state.verdict.rawValue)"
    case .decision(let decision): "\(decision.step.rawValue) \(decision.reason.rawValue) \(decision.verdict.rawValue)"
    }
  }

  @Test(arguments: scenarios) func theCauseIsNamed(_ scenario: Scenario) throws {
    var phone = try Self.phone(scenario)
    try scenario.story(&phone)
    let before = phone.machine.state
    let explanation = try phone.explain()
    #expect(Self.summary(explanation) == scenario.expected)
    #expect(explanation.sentence() == scenario.sentence)
    #expect(explanation.region == Identifier("a"))
    #expect("\(before)" == "\(phone.machine.state)", "nothing has changed")
    for language in Sentences.languages {
      let text = explanation.sentence(language)
      #expect(!text.contains("?") && !text.contains("{"), "\(text)")
      #expect(language == "en" || text != explanation.sentence())
    }
  }

  /// It has a time where its trigger is still to come: outside, and where a dwelling is due after the start.
  @Test func aStartIsNamedAsATimeOnlyWhereItCanBeOne() throws {
    func next(_ campaign: String, _ story: @escaping @Sendable (inout TestHost) throws -> Void) throws -> Milliseconds?
    {
      var phone = try Self.phone(
        Scenario(name: "", campaign: campaign, story: story, expected: "", sentence: ""))
      try story(&phone)
      return try phone.explain().nextPossible
    }
    let soon = #", "start": "2026-05-16T12:04:00Z""#
    #expect(try next(soon) { try $0.fix(0, 1100) } == Timestamp.parse("2026-05-16T12:04:00Z"))
    #expect(try next(soon) { try $0.enter() } == nil)
    let dwelling = soon + #", "trigger": "dwelling", "dwellingMinutes": 30"#
    #expect(try next(dwelling) { try $0.enter() } == Timestamp.parse("2026-05-16T12:31:00Z"))
    #expect(try next(soon + #", "trigger": "exit""#) { try $0.enter() } == Timestamp.parse("2026-05-16T12:04:00Z"))
  }

  @Test func theCausesAreDifferent() {
    #expect(Set(Self.scenarios.map(\.expected)).count == Self.scenarios.count)
    #expect(Self.scenarios.count >= 20)
  }

  /// Without a ring, what stands in the way now is still found.
  @Test func itNeedsNoRing() throws {
    for name in ["capped", "slots full", "quiet hours", "global cooldown", "outside its times", "shown once"] {
      let scenario = try #require(Self.scenarios.first { $0.name == name })
      var phone = try Self.phone(scenario)
      try scenario.story(&phone)
      let explanation = try phone.explain(false)
      #expect(Self.summary(explanation) == scenario.expected)
      #expect(explanation.sentence() == scenario.sentence)
    }
  }

  /// The cap ends first, then the quiet hours: it could be shown after both.
  @Test func whatHasATimeIsTakenTogether() throws {
    let caps = #""caps": [{"per": "all", "max": 1, "window": 3600}], "#
    let scenario = Scenario(
      name: "", settings: caps + #""quietHours": [{"hours": {"daily": [["12:30", "14:00"]]}}]"#,
      story: { _ in }, expected: "", sentence: "")
    var phone = try Self.phone(scenario)
    try Self.showOther(&phone)
    try phone.enter(10)
    let explanation = try phone.explain(false)
    #expect(explanation.nextPossible == Timestamp.parse("2026-05-16T14:00:00Z"))
    // And it is true: one minute earlier it is not shown, and then it is.
    for (minutes, isShown) in [(Int64(119), false), (120, true)] {
      var later = phone
      try later.fix(minutes - 2, 1000)
      try later.fix(minutes, 0)
      #expect((later.machine.state.history.lastShown.keys.contains { $0.campaign == Identifier("c") }) == isShown)
    }
  }

  @Test func whatIsNotThere() throws {
    let phone = try Self.phone(Self.scenarios[0])
    #expect(throws: InputError.unknownCampaign("x")) { try phone.machine.explain(Identifier("x")) }
    #expect(throws: InputError.unknownRegion("x")) { try phone.machine.explain(Identifier("c"), at: Identifier("x")) }
    let elsewhere = try phone.machine.explain(Identifier("c"), at: Identifier("b"))
    #expect(elsewhere.sentence() == "The campaign is not at this region.")
  }

  @Test func statesAreThoseOfThePage() throws {
    let rows = try table(of: "explain.md", after: "# Explain", number: 1)
    #expect(rows.map { words($0[0])[0] } == Explanation.State.allCases.map(\.rawValue))
    #expect(rows.map { $0[1] } == Explanation.State.allCases.map(\.verdict.rawValue))
  }

  @Test func theDocument() throws {
    var phone = try Self.phone(try #require(Self.scenarios.first { $0.name == "capped" }))
    try Self.showOther(&phone)
    try phone.enter(10)
    let json = try phone.explain(false).json("nl")
    #expect(
      json == #"{"campaign":"c","region":"a","sentence":"Het maximum all is bereikt: 1 van 1; het kan op zijn vroegst "#
        + #"om 2026-05-16 13:02 UTC getoond worden.","step":"caps","reason":"capped","verdict":"drop","#
        + #""time":"2026-05-16T12:10:00Z","detail":"all","inputs":{"count":1,"limit":1,"per":"window","seconds":3600},"#
        + #""nextPossible":"2026-05-16T13:02:00Z"}"#)
  }

  // MARK: The ring

  @Test func theRingKeepsTheNewest() {
    var ring = DecisionRing()
    func decision(_ time: Milliseconds, _ campaign: String = "c") -> Decision {
      Decision(
        time: time, campaign: Identifier(campaign), region: Identifier("a"), step: .caps, verdict: .drop,
        reason: .capped)
    }
    ring.add(decision(0))
    #expect(ring.all.isEmpty, "off at first")
    ring.setCapacity(3)
    for time in 1...5 { ring.add(decision(Int64(time), time == 4 ? "d" : "c")) }
    #expect(ring.all.map(\.time) == [3, 4, 5])
    #expect(ring.decisions(campaign: Identifier("c"), region: nil, limit: 0).map(\.time) == [3, 5])
    #expect(ring.decisions(campaign: nil, region: Identifier("a"), limit: 1).map(\.time) == [5])
    #expect(ring.decisions(campaign: nil, region: Identifier("b"), limit: 0).isEmpty)
    ring.setCapacity(2)
    #expect(ring.all.map(\.time) == [4, 5])
    ring.add(decision(6))
    #expect(ring.all.map(\.time) == [5, 6])
    ring.setCapacity(4)
    ring.add(decision(7))
    #expect(ring.all.map(\.time) == [5, 6, 7])
    ring.setCapacity(0)
    #expect(ring.all.isEmpty)
  }
}

extension TestHost {
  /// A fix so many minutes after noon, and so many metres north of the middle of `a`.
  fileprivate mutating func fix(_ minutes: Int64, _ meters: Double, accuracy: Double = 5, speed: Double = -1) throws {
    try fix(Walk.saturday.fix(minutes, meters, accuracy: accuracy, speed: speed))
  }

  fileprivate mutating func enter(_ minutes: Int64 = 1) throws {
    for fix in Walk.saturday.enter(minutes) { try self.fix(fix) }
  }

  /// Why `c` is not shown, with what was decided so far or without it.
  fileprivate func explain(_ remembers: Bool = true) throws -> Explanation {
    var ring = DecisionRing()
    ring.setCapacity(1000)
    for decision in decisions { ring.add(decision) }
    let campaign = Identifier("c")
    return try machine.explain(campaign) { remembers ? ring.lastObstacle(campaign, $0) : nil }
  }
}
