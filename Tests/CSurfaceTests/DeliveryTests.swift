import CPlotEngine
import Foundation
import Testing

extension CSurface {
  @Suite(.serialized) struct Delivery {
    private func phone(_ feed: String, config: String = pinned, filter: Bool = false) throws -> Phone {
      let phone = try Phone()
      try phone.listen(filter: filter)
      try phone.start(config)
      try phone.feed(feed)
      try phone.fix(1000, 52.4, 4.9)
      return phone
    }

    @Test func aFilterEditsAndDrops() throws {
      let phone = try phone(museum(notification("a"), notification("b")), filter: true)
      phone.filter = { phone, token, list in
        #expect(plot_list_get_count(list) == 2)
        #expect(plot_item_set_string(plot_list_get(list, 0), PLOT_KEY_MESSAGE, "Hello Paul", nil) == PLOT_OK)
        for key in [PLOT_KEY_TRIGGER, PLOT_KEY_IDENTIFIER, PLOT_KEY_MATCH_RANGE, PLOT_KEY_DATE_SENT] {
          #expect(plot_item_set_string(plot_list_get(list, 0), key, "x", nil) == PLOT_READ_ONLY_KEY)
        }
        #expect(plot_item_set_string(plot_list_get(list, 0), "colour", "x", nil) == PLOT_NOT_FOUND)
        #expect(plot_item_set_string(plot_list_get(list, 0), PLOT_KEY_MESSAGE, "", nil) == PLOT_INVALID_ARGUMENT)
        #expect(plot_list_remove(list, 1, nil) == PLOT_OK)
        #expect(plot_list_remove(list, 1, nil) == PLOT_NOT_FOUND)
        #expect(plot_engine_answer_filter(phone.engine, 2000, token, list, nil) == PLOT_OK)
        #expect(plot_engine_answer_filter(phone.engine, 2000, token, list, nil) == PLOT_ALREADY_ANSWERED)
        #expect(plot_engine_answer_filter(phone.engine, 2000, token + 9, list, nil) == PLOT_UNKNOWN_TOKEN)
      }
      try phone.fix(2000, 52.36, 4.885)
      #expect(phone.shown == ["Hello Paul"])
      #expect(try phone.values("campaign", of: "notification-filtered") == ["b"])
      #expect(try phone.sent.map { $0["message"] as? String } == ["Hello Paul"])
      // Filtered out is not used up: b may trigger again, a may not.
      try phone.fix(3000, 52.4, 4.9)
      phone.filter = { phone, token, list in
        #expect(plot_list_get_count(list) == 1)
        #expect(plot_engine_answer_filter(phone.engine, 4000, token, list, nil) == PLOT_OK)
      }
      try phone.fix(4000, 52.36, 4.885)
      #expect(phone.shown == ["Hello Paul", "b at Museum shop"])
    }

    @Test func anAnswerMayComeLaterButOnce() throws {
      let phone = try phone(museum(notification("a")), filter: true)
      try phone.fix(2000, 52.36, 4.885)
      #expect(phone.shown == [] && phone.batches == [1])
      let later = try take { plot_engine_get_batch(phone.engine, 1, $0, $1) }
      defer { plot_list_free(later) }
      let twice = try take { plot_list_new($0, $1) }
      defer { plot_list_free(twice) }
      for _ in 0..<2 { try check { plot_list_append(twice, plot_list_get(later, 0), $0) } }
      let refused = try failure { try check { plot_engine_answer_filter(phone.engine, 3000, 1, twice, $0) } }
      #expect(refused.status == PLOT_UNKNOWN_ITEM && phone.shown == [])
      try check { plot_engine_answer_filter(phone.engine, 3000, 1, later, $0) }
      #expect(phone.shown == ["a at Museum shop"])
      #expect(
        try failure { _ = try take { plot_engine_get_batch(phone.engine, 1, $0, $1) } }.status == PLOT_ALREADY_ANSWERED)
      #expect(
        try failure { _ = try take { plot_engine_get_batch(phone.engine, 2, $0, $1) } }.status == PLOT_UNKNOWN_TOKEN)
    }

    @Test func theDeadlineHappensByItselfAtTheWakeup() throws {
      for (fallback, expected) in [("drop", [String]()), ("showOriginal", ["a at Museum shop"])] {
        let config =
          #"{"publicToken": "t", "engine": {"noise": "default-1", "initial": "none", "filterDeadline": 10, "filterFallback": "\#(fallback)"}}"#
        let phone = try phone(museum(notification("a")), config: config, filter: true)
        try phone.fix(2000, 52.36, 4.885)
        #expect(try phone.wakeup == 12_000)
        try phone.advance(11_999)
        #expect(phone.shown == [])
        try phone.advance(12_000)
        #expect(phone.shown == expected)
        let late = plot_engine_answer_filter(phone.engine, 12_000, 1, nil, nil)
        #expect(late == PLOT_ALREADY_ANSWERED)
        #expect(try phone.wakeup == Int64(PLOT_NO_WAKEUP))
      }
    }

    @Test func aFailedShowIsNotUsedUp() throws {
      let phone = try phone(museum(notification("a")))
      phone.showStatus = PLOT_IO_ERROR
      try phone.fix(2000, 52.36, 4.885)
      #expect(try phone.values("campaign", of: "notification-failed") == ["a"])
      #expect(try phone.sent.isEmpty)
      phone.showStatus = PLOT_OK
      try phone.fix(3000, 52.4, 4.9)
      try phone.fix(4000, 52.36, 4.885)
      #expect(phone.shown == ["a at Museum shop"])
    }

    @Test func openingLeadsToTheDefaultTheHandlerOrTheLandingPage() throws {
      let feed = museum(
        notification("plain"), notification("page", #", "handlerType": "landingPage""#),
        notification("link", #", "handlerType": "appLink""#))
      let phone = try phone(feed)
      try phone.fix(2000, 52.36, 4.885)
      func open(_ index: Int) throws {
        let match = try #require(try phone.sent[index]["matchIdentifier"] as? String)
        try check { plot_engine_open_notification(phone.engine, 5000, match, $0) }
      }
      for index in 0..<3 { try open(index) }
      #expect(
        phone.opened == [
          "\(PLOT_OPEN_URI) https://example.org/plain", "\(PLOT_OPEN_LANDING_PAGE) https://example.org/page",
          "\(PLOT_OPEN_APPLINK) https://example.org/link",
        ])
      #expect(try phone.sent[0]["dateOpened"] as? Int == 5000)
      #expect(try phone.sent[0]["isOpened"] as? Int == 1)
      try check {
        plot_engine_set_notification_handler(
          phone.engine, { me, _, _, data in Phone.from(me).log.append(String(cString: data!)) },
          Unmanaged.passUnretained(phone).toOpaque(), nil, $0)
      }
      for index in 0..<3 { try open(index) }
      #expect(phone.log == ["https://example.org/plain", "https://example.org/link"])
      #expect(phone.opened.count == 4)
      #expect(try phone.values("campaign", of: "notification-opened").count == 6)
      let unknown = try failure { try check { plot_engine_open_notification(phone.engine, 6000, "nothing", $0) } }
      #expect(unknown.status == PLOT_NOT_FOUND)
    }

    @Test func badFixesChangeNothing() throws {
      let phone = try phone(museum(notification("a")))
      let bad: [(Double, Double, Double, String)] = [
        (.nan, 4.885, 0, "latitude: expected a number from -90 to 90, found nan"),
        (52.36, .nan, 0, "longitude: expected a number from -180 to 180, found nan"),
        (52.36, 4.885, .infinity, "accuracy: expected metres, at most 20037508, found inf"),
        (90.5, 4.885, 0, "latitude: expected a number from -90 to 90, found 90.5"),
        (52.36, 4.885, -1, "accuracy: expected metres, 0 or more, found -1.0"),
        (52.36, 180.5, 0, "longitude: expected a number from -180 to 180, found 180.5"),
        (.infinity, 4.885, 0, "latitude: expected a number from -90 to 90, found inf"),
      ]
      for (latitude, longitude, accuracy, text) in bad {
        let fault = try failure { try phone.fix(9000, latitude, longitude, accuracy: accuracy) }
        #expect(fault.status == PLOT_INVALID_ARGUMENT && fault.message == text)
      }
      let old = try failure { try phone.fix(999, 52.36, 4.885) }
      #expect(old.status == PLOT_OUT_OF_ORDER)
      #expect(
        old.message
          == "the fix of 1970-01-01T00:00:00.999Z is older than the newest input, 1970-01-01T00:00:01Z")
      #expect(phone.events.isEmpty)
      // Not even the time has moved.
      try phone.fix(1000, 52.36, 4.885)
      #expect(phone.shown == ["a at Museum shop"])
      #expect(try failure { try phone.fix(-1, 0, 0) }.status == PLOT_INVALID_ARGUMENT)
      #expect(try failure { try phone.advance(.max) }.status == PLOT_INVALID_ARGUMENT)
    }

    @Test func theDebugLogIsToldAndWritten() throws {
      let phone = try Phone()
      try check {
        plot_engine_set_log_callback(
          phone.engine, { me, _, level, text in Phone.from(me).log.append("\(level) \(String(cString: text!))") },
          Unmanaged.passUnretained(phone).toOpaque(), nil, $0)
      }
      try phone.start(pinnedConfig(#","debug": true"#))
      try phone.feed(museum(notification("a")))
      try phone.fix(1000, 52.4, 4.9)
      try phone.fix(2000, 52.36, 4.885)
      #expect(try failure { try phone.fix(1, 0, 0) }.status == PLOT_OUT_OF_ORDER)
      #expect(
        phone.log.contains {
          $0.hasPrefix("\(PLOT_LOG_INFO) {\"time\":\"1970-01-01T00:00:02Z\",\"event\":\"region-enter\"")
        })
      #expect(phone.log.contains { $0.hasPrefix("\(PLOT_LOG_WARNING) the fix of 1970-01-01T00:00:00.001Z is older") })
      #expect(phone.log.contains("\(PLOT_LOG_INFO) version 0.1.0 started, in memory"))
      #expect(phone.log.contains("\(PLOT_LOG_INFO) feed of 1 regions and 1 campaigns"))
      #expect(phone.log.contains("\(PLOT_LOG_DEBUG) fix at 52.36, 4.885, accuracy 0.0 m"))
      let path = temporary("log")
      defer { try? FileManager.default.removeItem(atPath: path) }
      try check { plot_engine_write_debug_log(phone.engine, path, $0) }
      let written = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      #expect(written.count == phone.log.count)
      #expect(written.last?.hasPrefix("1970-01-01T00:00:02Z WARNING the fix of") == true)
      let nowhere = try failure { try check { plot_engine_write_debug_log(phone.engine, "/nowhere/log", $0) } }
      #expect(nowhere.status == PLOT_IO_ERROR && nowhere.message == "/nowhere/log: No such file or directory")
    }

    @Test func noTextForgesALineOfTheDebugLog() throws {
      let phone = try Phone()
      try check {
        plot_engine_set_log_callback(
          phone.engine, { me, _, _, text in Phone.from(me).log.append(String(cString: text!)) },
          Unmanaged.passUnretained(phone).toOpaque(), nil, $0)
      }
      let start: Int64 = 1_700_000_000_000
      try phone.start(pinnedConfig(#","debug": true"#), at: start)
      let forged = "x\n2026-01-01T00:00:00Z ERROR forged\u{1B}[31m\u{9B}2J\u{2028}\u{202E}\u{7F}"
      let escaped = #"x\n2026-01-01T00:00:00Z ERROR forged\u001b[31m\u009b2J\u2028\u202e\u007f"#
      _ = try failure { try check { plot_engine_open_notification(phone.engine, start, forged, $0) } }
      #expect(phone.log.contains { $0.contains(escaped) })
      let path = temporary("log")
      defer { try? FileManager.default.removeItem(atPath: path) }
      try check { plot_engine_write_debug_log(phone.engine, path, $0) }
      let written = try String(contentsOfFile: path, encoding: .utf8)
      let steering = written.unicodeScalars.filter {
        $0 != "\n" && ($0.value < 0x20 || (0x7F...0x9F).contains($0.value) || ["\u{2028}", "\u{202E}"].contains($0))
      }
      #expect(steering.isEmpty)
      #expect(written.utf8.count { $0 == 0x0A } == phone.log.count)
      #expect(!written.split(separator: "\n").contains { $0.hasPrefix("2026-") })
    }
  }
}
