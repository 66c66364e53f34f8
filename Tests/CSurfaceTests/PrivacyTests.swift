import CPlotEngine
import Foundation
import PlotTesting
import Testing

/// The promises of docs/privacy.md. The bytes of all files are searched, not what a reader of them would find.
extension CSurface {
  @Suite(.serialized) struct PrivacyTests {
    /// Ids, texts and numbers that are nowhere else. "plant" is in each of the texts.
    static let token = "plantedTOKEN4711"
    static let latitude = 51.987654321
    static let longitude = 4.123456789
    static let near = (latitude: 51.9876912345, longitude: 4.1234912345)
    static let far = (latitude: 52.3456787654, longitude: 5.4321012345)
    static let moved = (latitude: 52.7654345678, longitude: 5.9876543212)
    static let numbers = [
      latitude, longitude, near.latitude, near.longitude, far.latitude, far.longitude, moved.latitude, moved.longitude,
    ]

    static let feed = """
      {"version": 1, "regions": [
        {"id": "planted-region", "type": "geofence", "name": "planted name", "latitude": \(latitude),
          "longitude": \(longitude), "radius": 100, "customFields": {"shop": "planted field"}},
        {"id": "planted-bus", "type": "geofence", "latitude": 10, "longitude": 10, "radius": 100, "moving": true}],
      "campaigns": [
        {"id": "planted-enter", "type": "notification", "message": "planted message", "data": "planted data",
          "regions": ["planted-region"], "resend": true},
        {"id": "planted-trigger", "type": "geotrigger", "name": "planted geotrigger", "regions": ["planted-region"]},
        {"id": "planted-wait", "type": "notification", "message": "planted wait", "regions": ["planted-region"],
          "segmentation": {"property": "plantedLater", "equals": true}}]}
      """

    static func config(_ engine: String = "") -> String {
      #"{"publicToken": "\#(token)", "debug": true, "engine": {"noise": "default-1", "initial": "none"\#(engine)}}"#
    }

    /// How many of the traces are in some bytes: texts with "plant", and each number as text and as a double in both byte orders.
    static func traces(_ data: Data, also texts: [String] = []) -> [String] {
      var found: [String] = []
      if data.range(of: Data("plant".utf8)) != nil { found.append("plant") }
      for text in texts where data.range(of: Data(text.utf8)) != nil { found.append(text) }
      for number in numbers {
        // The last digits may have been rounded away.
        if data.range(of: Data("\(number)".prefix(9).utf8)) != nil { found.append("\(number) as text") }
        for (order, bits) in [("big", number.bitPattern.bigEndian), ("little", number.bitPattern.littleEndian)] {
          let bytes = withUnsafeBytes(of: bits) { Data($0) }
          if data.range(of: bytes) != nil { found.append("\(number) \(order)") }
        }
      }
      return found
    }

    /// The traces in all files of a folder.
    static func traces(in folder: Folder, also texts: [String] = []) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted().flatMap { name in
        try traces(Data(contentsOf: folder.url.appendingPathComponent(name)), also: texts).map { "\(name): \($0)" }
      }
    }

    /// A device that has been at the place, with everything that leaves a trace.
    private func live(_ phone: Phone, _ store: String) throws {
      try phone.listen(filter: true)
      phone.filter = { phone, token, list in
        #expect(plot_engine_answer_filter(phone.engine, 4000, token, list, nil) == PLOT_OK)
      }
      try phone.start(Self.config(), store: store, at: 1000)
      try check { plot_engine_set_time_zone(phone.engine, 1000, "Europe/Amsterdam", $0) }
      try phone.feed(Self.feed, at: 1000)
      try check { plot_engine_set_string_segmentation_property(phone.engine, 1000, "plantedKey", "planted value", $0) }
      try check { plot_engine_set_advertising_identifier(phone.engine, 1000, "planted-advertising", 0, $0) }
      try check {
        plot_engine_set_list(phone.engine, 1000, "plantedList", #"{"version": 1, "entries": ["planted"]}"#, 38, $0)
      }
      try check {
        plot_engine_move_region(phone.engine, 1000, "planted-bus", Self.moved.latitude, Self.moved.longitude, $0)
      }
      try phone.fix(2000, Self.far.latitude, Self.far.longitude)
      try phone.fix(3000, Self.near.latitude, Self.near.longitude, accuracy: 5)
      try phone.fix(4000, Self.near.latitude, Self.near.longitude, accuracy: 5)
      let message = #"{"id": "planted-message", "body": "planted body", "correlationKey": "planted-key"}"#
      try check { plot_engine_process_message(phone.engine, 5000, message, message.utf8.count, $0) }
      _ = try text {
        plot_engine_plan_regions(phone.engine, 6000, Self.near.latitude, Self.near.longitude, 5, 0, 0, $0, $1)
      }
    }

    @Test func afterClearingNoByteTellsWhere() throws {
      let folder = try Folder()
      let store = folder.path("store")
      var phone = try Phone()
      try live(phone, store)
      let visits = try text { plot_engine_get_visits(phone.engine, $0, $1) }
      let uuids = visits.components(separatedBy: "\"").filter { $0.utf8.count == 36 }
      #expect(uuids.count == 1)
      let others = uuids + ["Europe/Amsterdam"]
      // All kinds of traces are there, or this test would find nothing.
      var before = try Self.traces(in: folder, also: others)
      #expect(before.contains { $0.hasPrefix("store-log") && $0.hasSuffix("little") })
      plot_engine_close(phone.engine)
      phone = try Phone()
      try phone.start(Self.config(), store: store, at: 7000)
      before += try Self.traces(in: folder, also: others)
      for number in [Self.latitude, Self.longitude] { #expect(before.contains { $0.hasSuffix("\(number) as text") }) }
      #expect(before.contains { $0.hasPrefix("store:") && $0.hasSuffix("big") })
      for text in others { #expect(before.contains { $0.hasSuffix(text) }, "\(text)") }
      try phone.fix(8000, Self.near.latitude, Self.near.longitude)

      try check { plot_engine_clear_all_data(phone.engine, 9000, $0) }
      #expect(try Self.traces(in: folder, also: others) == [])
      let log = folder.path("debug.log")
      try check { plot_engine_write_debug_log(phone.engine, log, $0) }
      #expect(try Self.traces(in: folder, also: others) == [])
      // And so it stays when the engine goes on, and is closed and opened again.
      try phone.fix(10_000, 1, 1)
      #expect(try Self.traces(in: folder, also: others) == [])
      plot_engine_close(phone.engine)
      #expect(try Self.traces(in: folder, also: others) == [])
      phone = try Phone()
      try phone.start(Self.config(), store: store, at: 11_000)
      #expect(try text { plot_engine_get_visits(phone.engine, $0, $1) } == "[]")
      #expect(try phone.list { plot_engine_get_sent_notifications(phone.engine, $0, $1) } == "[]")
      #expect(try phone.list { plot_engine_get_loaded_notifications(phone.engine, 0, $0, $1) } == "[]")
      #expect(try text { plot_engine_get_time_zone(phone.engine, $0, $1) } == "UTC")
    }

    @Test func settingsStayAndNumbersGoOn() throws {
      let folder = try Folder()
      let store = folder.path("store")
      var phone = try Phone()
      try live(phone, store)
      try check { plot_engine_set_cooldown_period(phone.engine, 6000, 77, $0) }
      try check { plot_engine_disable(phone.engine, 6000, $0) }
      let last = try #require(try phone.events.map { try record($0)["sequence"] as? Int ?? 0 }.max())
      try check { plot_engine_clear_all_data(phone.engine, 7000, $0) }
      plot_engine_close(phone.engine)
      phone = try Phone()
      try phone.listen()
      try phone.start(pinned, store: store, at: 8000)
      var period: Int64 = 0
      try check { plot_engine_get_cooldown_period(phone.engine, &period, $0) }
      var enabled: Int32 = 7
      try check { plot_engine_is_enabled(phone.engine, &enabled, $0) }
      #expect(period == 77 && enabled == 0)
      try check { plot_engine_enable(phone.engine, 8000, $0) }
      // The same place once more is a first visit, but not a first event.
      try phone.feed(Self.feed, at: 8000)
      try phone.fix(9000, Self.far.latitude, Self.far.longitude)
      try phone.fix(10_000, Self.near.latitude, Self.near.longitude)
      let enter = try #require(
        try phone.events.map { try record($0) }.first { $0["event"] as? String == "region-enter" })
      #expect(enter["ordinal"] as? Int == 1)
      #expect(try #require(enter["sequence"] as? Int) > last)
    }

    @Test func whatWaitsIsNotTold() throws {
      let phone = try Phone()
      try phone.listen(filter: true)
      try phone.start()
      try phone.feed(museum(notification("a"), notification("b", #", "trigger": "dwelling", "dwellingMinutes": 5"#)))
      try phone.fix(1000, 52.4, 4.9)
      try phone.fix(2000, 52.36, 4.885)
      #expect(phone.batches == [1])
      // The dwelling and the batch's deadline are due by then.
      try check { plot_engine_clear_all_data(phone.engine, 600_000, $0) }
      #expect(try phone.wakeup == PLOT_NO_WAKEUP)
      #expect(plot_engine_answer_filter(phone.engine, 600_000, 1, nil, nil) == PLOT_ALREADY_ANSWERED)
      try phone.advance(700_000)
      #expect(phone.shown == [] && phone.events.count == 1)
    }

    /// From inside a callback, too, what is behind it in the queue is gone.
    @Test func clearingInACallbackEndsWhatIsQueued() throws {
      let phone = try Phone()
      try phone.listen(filter: true)
      phone.filter = { phone, token, list in
        phone.filter = nil
        #expect(plot_engine_answer_filter(phone.engine, 2000, token, list, nil) == PLOT_OK)
        #expect(plot_engine_clear_all_data(phone.engine, 2000, nil) == PLOT_OK)
      }
      try phone.start()
      try phone.feed(museum(notification("a")))
      try phone.fix(1000, 52.4, 4.9)
      try phone.fix(2000, 52.36, 4.885)
      #expect(phone.shown == [])
      #expect(try phone.sent.count == 0)
    }

    /// All that is told while a device comes to the place: log lines, events, decisions, the debug log, the file and the list of decisions.
    private func told(_ more: String, in folder: Folder) throws -> (output: Data, recording: Data) {
      let log = folder.path("log")
      let decisions = folder.path("decisions")
      let recording = folder.path("recording")
      let phone = try Phone()
      try check { plot_engine_record_to_file(phone.engine, recording, 0, $0) }
      try phone.listen()
      let me = Unmanaged.passUnretained(phone).toOpaque()
      try check {
        plot_engine_set_log_callback(
          phone.engine, { me, _, _, message in Phone.from(me).log.append(String(cString: message!)) }, me, nil, $0)
      }
      try check {
        plot_engine_set_decision_callback(
          phone.engine, { me, _, json, _ in Phone.from(me).log.append(String(cString: json!)) }, me, nil, $0)
      }
      try phone.start(Self.config(more), at: 1000)
      try check { plot_engine_keep_decisions(phone.engine, 100, $0) }
      try check { plot_engine_write_decisions_to(phone.engine, decisions, $0) }
      try phone.feed(Self.feed, at: 1000)
      try check {
        plot_engine_move_region(phone.engine, 1000, "planted-bus", Self.moved.latitude, Self.moved.longitude, $0)
      }
      // An hour later inside, then a little outside, then who knows where.
      let later: Int64 = 3_602_000
      try phone.fix(2000, Self.far.latitude, Self.far.longitude)
      try phone.fix(later, Self.near.latitude, Self.near.longitude, accuracy: 5)
      try phone.fix(later + 60_000, Self.near.latitude, Self.near.longitude, accuracy: 5)
      try phone.fix(later + 120_000, Self.latitude + 0.00093, Self.near.longitude, accuracy: 30)
      try phone.fix(later + 180_000, Self.near.latitude, Self.near.longitude, accuracy: 400)
      try check {
        plot_engine_region_hint(
          phone.engine, later + 200_000, "planted-region", PLOT_HINT_EXIT, Self.near.latitude, Self.near.longitude, 5,
          $0)
      }
      // Exchanged, and then out of range.
      _ = plot_engine_update_location(
        phone.engine, later + 210_000, 92.123456789, Self.far.longitude, 5, -1, -1, nil)
      _ = try text {
        plot_engine_plan_regions(
          phone.engine, later + 220_000, Self.near.latitude, Self.near.longitude, 5, 0, 0, $0, $1)
      }
      let kept = try text { plot_engine_get_decisions(phone.engine, nil, nil, 0, $0, $1) }
      try check { plot_engine_write_debug_log(phone.engine, log, $0) }
      var output = Data((phone.log + phone.events + [kept]).joined(separator: "\n").utf8)
      for path in [log, decisions] {
        output += try Data(contentsOf: URL(fileURLWithPath: path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600, "\(path)")
      }
      return (output, try Data(contentsOf: URL(fileURLWithPath: recording)))
    }

    @Test func coordinatesCanBeHidden() throws {
      let mask = umask(0)
      defer { umask(mask) }
      func numbers(_ data: Data) -> [String] {
        Self.traces(data).filter { $0 != "plant" }
          + ["92.123456", #""distance":"#, #""latitude""#].filter { data.range(of: Data($0.utf8)) != nil }
      }
      let folder = try Folder()
      let open = try told("", in: folder)
      let seen = numbers(open.output)
      #expect(seen.count == 9 && seen.contains(#""distance":"#) && seen.contains("92.123456"), "\(seen)")
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent("recording"))
      for name in ["log", "decisions"] {
        try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
      }
      let hidden = try told(#", "hideCoordinates": true"#, in: folder)
      #expect(numbers(hidden.output) == [])
      // The rest is told: as many lines, and the same decisions. A recording has all.
      #expect(hidden.output.count { $0 == 0x0A } == open.output.count { $0 == 0x0A })
      #expect(hidden.output.range(of: Data(#""reason":"hysteresis""#.utf8)) != nil)
      #expect(numbers(hidden.recording).contains("\(Self.near.latitude) as text"))
    }

    @Test func theTokenIsNowhere() throws {
      let folder = try Folder()
      let told = try told("", in: folder)
      for data in [told.output, told.recording] { #expect(data.range(of: Data(Self.token.utf8)) == nil) }
      let store = folder.path("store")
      let phone = try Phone()
      try live(phone, store)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
        let data = try Data(contentsOf: folder.url.appendingPathComponent(name))
        #expect(data.range(of: Data(Self.token.utf8)) == nil, "\(name)")
      }
      // Errors that point at it, and at what stands beside it.
      for text in [
        #"{"publicToken": "\#(Self.token)"#, #"{"publicToken": "\#(Self.token)" "x"}"#,
        #"{"publicToken": ["\#(Self.token)"]}"#,
        #"{"publicToken": "\#(Self.token)", "debug": 1}"#,
        #"{"publicToken": "\#(Self.token)", "publicToken": "\#(Self.token)"}"#,
        #"{"\#(Self.token)": 1, "publicToken": ""}"#, #"["\#(Self.token)"]"#,
      ] {
        let failure = try failure { _ = try take { plot_config_parse(text, text.utf8.count, $0, $1) } }
        #expect(
          !"\(failure.message) \(failure.found) \(failure.expected) \(failure.pointer)".contains(Self.token), "\(text)")
      }
    }
  }
}
