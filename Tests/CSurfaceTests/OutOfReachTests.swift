import CPlotEngine
import Foundation
import PlotTesting
import Testing

/// Times before `engine.earliestTime`, and what a fix may say at most.
extension CSurface {
  @Suite(.serialized) struct OutOfReach {
    static let start: Int64 = 1_700_000_000_000
    static let seconds = start / 1000

    /// A phone whose configuration says nothing of times.
    private func phone(_ config: String = #"{"publicToken": "t", "engine": {"noise": "exact", "initial": "none"}}"#)
      throws -> Phone
    {
      let phone = try Phone()
      try phone.listen()
      try begin(phone, config, at: Self.start)
      return phone
    }

    private func begin(
      _ phone: Phone, _ config: String = pinned, at time: Int64, store: String? = nil
    ) throws {
      let config = try take { plot_config_parse(config, config.utf8.count, $0, $1) }
      defer { plot_config_free(config) }
      try check { plot_engine_init(phone.engine, time, config, store, $0) }
    }

    private func lines(_ phone: Phone) throws {
      let me = Unmanaged.passUnretained(phone).toOpaque()
      try check {
        plot_engine_set_recording_callback(
          phone.engine, { me, _, line, _ in Phone.from(me).log.append(String(cString: line!)) }, me, nil, $0)
      }
    }

    // MARK: Times

    @Test func anErrorSaysWhatIsWrongWithATimeInSeconds() throws {
      let phone = try phone()
      let refusal = try failure { try phone.advance(Self.seconds) }
      #expect(refusal.status == PLOT_INVALID_ARGUMENT)
      #expect(
        refusal.message
          == "time_ms: expected milliseconds since 1970, not before 631152000000 (1990-01-01T00:00:00Z, engine.earliestTime), "
          + "found 1700000000 (1970-01-20T16:13:20Z); did you give seconds? times are milliseconds")
      #expect(refusal.found == "1700000000 (1970-01-20T16:13:20Z)")
      // No number of seconds of these days.
      for time: Int64 in [0, 60_000, 631_151_999_999] {
        let other = try failure { try phone.advance(time) }
        #expect(other.status == PLOT_INVALID_ARGUMENT)
        #expect(
          other.message.hasSuffix("; did you mean such a time? then set engine.earliestTime in the configuration"))
      }
      try phone.advance(631_152_000_000)
    }

    @Test func anInitInSecondsLeavesNothing() throws {
      let phone = try Phone()
      let refusal = try failure { try begin(phone, at: Self.seconds) }
      #expect(refusal.message.hasSuffix("did you give seconds? times are milliseconds"))
      #expect(plot_engine_advance(phone.engine, Self.start, nil) == PLOT_NOT_INITIALIZED)
      try begin(phone, at: Self.start)
    }

    /// The clocks are given before the configuration that says which time is too early.
    @Test func theClockOfAStartIsCheckedByIt() throws {
      let phone = try Phone()
      try check { plot_engine_set_clock(phone.engine, Self.seconds, 5000, "boot", $0) }
      let refusal = try failure { try begin(phone, at: Self.start) }
      #expect(refusal.message.hasPrefix("plot_engine_set_clock: time_ms: expected milliseconds since 1970"))
      try check { plot_engine_set_clock(phone.engine, Self.start, 5000, "boot", $0) }
      try begin(phone, at: Self.start)
    }

    @Test func inManyFixesEachHasARecordWithItsPosition() throws {
      let phone = try phone()
      var columns = Columns()
      columns.add(Self.start, 52.4, 4.885)
      columns.add(Self.seconds, 52.36, 4.885)
      columns.add(Self.start + 1000, 52.4, 4.885)
      columns.add(0, 52.36, 4.885)
      let refused = try effects { columns.update(phone.engine, $0, $1) }
      #expect(kinds(refused) == [[1, PLOT_EFFECT_REFUSED], [3, PLOT_EFFECT_REFUSED]])
      #expect(refused.map(\.detail) == [UInt32(PLOT_INVALID_ARGUMENT), UInt32(PLOT_INVALID_ARGUMENT)])
      #expect(refused.map(\.time_ms) == [Self.seconds, 0])
    }

    /// Asked on the way through many fixes, a host does not know which one it is about.
    @Test func anAnswerOfTimeZeroIsOfTheNewestTime() throws {
      let phone = try Phone()
      try phone.listen(filter: true)
      phone.filter = { phone, token, list in
        #expect(plot_engine_answer_filter(phone.engine, Self.seconds, token, list, nil) == PLOT_INVALID_ARGUMENT)
        #expect(plot_engine_answer_filter(phone.engine, 1, token, list, nil) == PLOT_INVALID_ARGUMENT)
        #expect(plot_engine_answer_filter(phone.engine, 0, token, list, nil) == PLOT_OK)
      }
      try begin(phone, at: Self.start)
      try phone.feed(museum(notification("a")), at: Self.start)
      var columns = Columns()
      columns.add(Self.start, 52.4, 4.885)
      columns.add(Self.start + 60_000, 52.36, 4.885)
      _ = try effects { columns.update(phone.engine, $0, $1) }
      #expect(phone.shown.count == 1 && phone.batches.count == 1)
    }

    /// A thing that is due in 1970 is due at once, at a time that an engine takes.
    @Test func aStoreOfAnEarlierTimeGoesOn() throws {
      let folder = try Folder()
      let store = folder.path("store")
      do {
        let phone = try Phone()
        try phone.start(store: store, at: 1000)
        try phone.feed(museum(notification("a")), at: 1000)
        try phone.fix(2000, 52.4, 4.885)
        try phone.fix(60_000, 52.36, 4.885)
        plot_engine_close(phone.engine)
      }
      let phone = try Phone()
      try phone.listen()
      // The earliest moment there is, so that the dwelling is the only thing that is due.
      try begin(phone, at: 631_152_000_000, store: store)
      try phone.feed(
        museum(notification("stay", #", "trigger": "dwelling", "dwellingMinutes": 5"#)), at: 631_152_000_000)
      while try phone.wakeup != PLOT_NO_WAKEUP {
        let wakeup = try phone.wakeup
        #expect(wakeup >= 631_152_000_000)
        try phone.advance(wakeup)
      }
      try phone.fix(Self.start, 52.4, 4.885)
      #expect(try phone.values("event", of: "region-exit").count == 1)
    }

    // MARK: Recordings

    @Test func aRecordingKeepsTheEarliestTime() throws {
      for (setting, said) in [
        ("", #""hideCoordinates":false,"earliestTime":631152000000,"maxAhead":600,"capabilities""#),
        (#", "earliestTime": 5000"#, #""hideCoordinates":false,"earliestTime":5000,"maxAhead":600,"capabilities""#),
        (#", "maxAhead": 0, "earliestTime": 0"#, #""hideCoordinates":false,"capabilities""#),
      ] {
        let phone = try Phone()
        try lines(phone)
        try begin(
          phone, #"{"publicToken": "t", "engine": {"noise": "exact", "initial": "none"\#(setting)}}"#, at: Self.start)
        #expect(
          plot_engine_advance(phone.engine, 4999, nil) == (setting.hasSuffix(" 0") ? PLOT_OK : PLOT_INVALID_ARGUMENT))
        let recording = phone.log.map { $0 + "\n" }.joined()
        #expect(phone.log[0].contains(said), "\(phone.log[0])")
        // A replay takes it for what it was, and writes the same.
        #expect(try RecordingTests.replayed(recording) == recording)
      }
    }

    /// A recording from before there was an earliest time, and limits of a fix: it has no such key, and inputs that are refused today.
    @Test func anOldRecordingIsPlayedAsItWas() throws {
      var recording = try RecordingTests.recordedWalk()
      #expect(!recording[0].contains("earliestTime"))
      for (index, line) in recording.enumerated() where line.hasPrefix(#"{"input":"fix""#) {
        recording[index] = line.replacingOccurrences(
          of: #""accuracy":0.0}"#, with: #""accuracy":1e+300,"speed":1e+300}"#)
      }
      let inputs = recording.filter { $0.hasPrefix(#"{"rec"#) || $0.hasPrefix(#"{"input""#) }
      #expect(inputs.count { $0.contains("1e+300") } == 3)
      let replay = try take { plot_replay_new($0, $1) }
      defer { plot_replay_free(replay) }
      for line in inputs {
        let played = try text { plot_replay_take_line(replay, line, line.utf8.count, $0, $1) }
        #expect(played.hasPrefix(line + "\n"))
        if line.contains("1e+300") { #expect(!played.contains("refused")) }
      }
    }

    // MARK: Fixes

    @Test func whatIsNoNumberIsNotKnown() throws {
      let phone = try Phone()
      try lines(phone)
      try begin(phone, at: Self.start)
      try phone.feed(museum(notification("a")), at: Self.start)
      func fixes() -> [String] { phone.log.filter { $0.hasPrefix(#"{"input":"fix""#) } }
      try check { plot_engine_update_location(phone.engine, Self.start, 52.4, 4.9, .nan, .nan, .nan, $0) }
      try check { plot_engine_update_location(phone.engine, Self.start, 52.4, 4.9, 0, -1, -1, $0) }
      let (nan, one) = ([Double.nan], [52.4])
      #expect(
        try effects {
          plot_engine_update_locations(phone.engine, 1, [Self.start], one, [4.9], nan, nan, nan, $0, $1)
        }.isEmpty)
      #expect(fixes().count == 3 && Set(fixes()).count == 1, "\(fixes())")
      #expect(
        fixes().first
          == #"{"input":"fix","time":"2023-11-14T22:13:20Z","latitude":52.4,"longitude":4.9,"accuracy":0.0}"#)
      // The position of a hint and of a plan, of which only the accuracy is not known.
      try check {
        plot_engine_region_hint(phone.engine, Self.start, "museum", PLOT_HINT_OUTSIDE, 52.4, 4.9, .nan, $0)
      }
      let plan = try text { plot_engine_plan_regions(phone.engine, Self.start, 52.4, 4.9, .nan, 5, 0, $0, $1) }
      #expect(plan.contains("museum"))
      #expect(phone.log.count { $0.hasSuffix(#""latitude":52.4,"longitude":4.9,"accuracy":0.0}"#) } == 5)
      // Where it is, is needed.
      for (latitude, longitude, name) in [(Double.nan, 4.9, "latitude"), (52.4, .nan, "longitude")] {
        let refusal = try failure {
          try check {
            plot_engine_update_location(phone.engine, Self.start, latitude, longitude, .nan, -1, -1, $0)
          }
        }
        #expect(refusal.status == PLOT_INVALID_ARGUMENT && refusal.message.hasPrefix("\(name): "))
      }
    }

    @Test(arguments: [false, true]) func moreThanALimitIsRefused(_ isQuiet: Bool) throws {
      let phone = try phone()
      try phone.feed(museum(notification("a")), at: Self.start)
      // The second fix could be taken without a look at any rule.
      if isQuiet { try phone.fix(Self.start, 52.4, 4.9) }
      let cases: [(Double, Double, Double, String)] = [
        (20_037_509, -1, -1, "accuracy: expected metres, at most 20037508, found 20037509.0"),
        (.infinity, -1, -1, "accuracy: expected metres, at most 20037508, found inf"),
        (0, 299_792_459, -1, "speed: expected metres a second, at most 299792458, found 299792459.0"),
        (0, .infinity, -1, "speed: expected metres a second, at most 299792458, found inf"),
        (-1, -1, -1, "accuracy: expected metres, 0 or more, found -1.0"),
        (0, -2, -1, "speed: expected metres a second, or -1 when not known, found -2.0"),
        (0, -1, 360.5, "course: expected degrees from 0 to 360, or -1 when not known, found 360.5"),
        (0, -1, .infinity, "course: expected degrees from 0 to 360, or -1 when not known, found inf"),
      ]
      for (accuracy, speed, course, message) in cases {
        let refusal = try failure {
          try check {
            plot_engine_update_location(phone.engine, Self.start, 52.4, 4.9, accuracy, speed, course, $0)
          }
        }
        #expect(refusal.status == PLOT_INVALID_ARGUMENT && refusal.message == message)
        let refused = try effects {
          plot_engine_update_locations(
            phone.engine, 1, [Self.start], [52.4], [4.9], [accuracy], [speed], [course], $0, $1)
        }
        #expect(kinds(refused) == [[0, PLOT_EFFECT_REFUSED]])
      }
      try check {
        plot_engine_update_location(phone.engine, Self.start, 52.4, 4.9, 20_037_508, 299_792_458, 360, $0)
      }
    }
  }
}
