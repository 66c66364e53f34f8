import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// The SDK's entry points for trying a filter and a handler.
  @Suite(.serialized) struct Trials {
    private static func start(filter: Bool = true) throws -> Phone {
      let phone = try Phone()
      try phone.listen(filter: filter)
      try phone.start()
      try phone.feed(museum(notification("a"), notification("b")))
      return phone
    }

    private static func test(_ phone: Phone) throws -> UInt64 {
      let list = try take { plot_engine_get_loaded_notifications(phone.engine, 0, $0, $1) }
      defer { plot_list_free(list) }
      var token: UInt64 = 0
      try check { plot_engine_test_filter(phone.engine, list, &token, $0) }
      return token
    }

    private static func answer(_ phone: Phone, _ token: UInt64) throws -> [[String: Any]] {
      let json = try phone.list { plot_engine_get_test_answer(phone.engine, token, $0, $1) }
      return try #require(try record(#"{"items":\#(json)}"#)["items"] as? [[String: Any]])
    }

    @Test func theFilterIsTriedAndNothingElseHappens() throws {
      let phone = try Self.start()
      phone.filter = { phone, token, list in
        plot_item_set_string(plot_list_get(list, 0), PLOT_KEY_MESSAGE, "edited", nil)
        plot_list_remove(list, 1, nil)
        #expect(plot_engine_answer_filter(phone.engine, 5, token, list, nil) == PLOT_OK)
        #expect(plot_engine_answer_filter(phone.engine, 5, token, list, nil) == PLOT_ALREADY_ANSWERED)
      }
      let token = try Self.test(phone)
      #expect(token > 1 << 52)
      let items = try Self.answer(phone, token)
      #expect(items.map { $0["message"] as? String } == ["edited"])
      #expect(items[0]["identifier"] as? String == "a;museum" && items[0]["matchIdentifier"] != nil)
      #expect(phone.events.isEmpty && phone.shown.isEmpty)
      #expect(try phone.sent.isEmpty && phone.wakeup == PLOT_NO_WAKEUP)
      // A real one comes with the first token of its own.
      try phone.fix(10, 53, 5)
      try phone.fix(20, 52.36, 4.885)
      #expect(phone.batches.last == 1)
    }

    @Test func anAnswerMayComeLater() throws {
      let phone = try Self.start()
      let token = try Self.test(phone)
      #expect(try failure { _ = try Self.answer(phone, token) }.status == PLOT_NOT_FOUND)
      let batch = try take { plot_engine_get_batch(phone.engine, token, $0, $1) }
      defer { plot_list_free(batch) }
      #expect(plot_list_get_count(batch) == 2)
      let other = try take { plot_list_new($0, $1) }
      defer { plot_list_free(other) }
      for _ in 0..<2 { try check { plot_list_append(other, plot_list_get(batch, 1), $0) } }
      #expect(
        try failure { try check { plot_engine_answer_filter(phone.engine, 1, token, other, $0) } }.status
          == PLOT_UNKNOWN_ITEM)
      #expect(plot_engine_mark_geotriggers_handled(phone.engine, 1, token, nil, nil) == PLOT_UNKNOWN_TOKEN)
      try check { plot_list_remove(other, 1, $0) }
      try check { plot_engine_answer_filter(phone.engine, 1, token, other, $0) }
      #expect(try Self.answer(phone, token).map { $0["identifier"] as? String } == ["b;museum"])
      #expect(plot_engine_get_batch(phone.engine, token, nil, nil) == PLOT_INVALID_ARGUMENT)
      let again = try failure { _ = try take { plot_engine_get_batch(phone.engine, token, $0, $1) } }
      #expect(again.status == PLOT_ALREADY_ANSWERED)
    }

    @Test func withoutAFilterEverythingPasses() throws {
      let phone = try Self.start(filter: false)
      #expect(try Self.answer(phone, Self.test(phone)).count == 2)
    }

    @Test func theOtherKindIsRefused() throws {
      let phone = try Self.start()
      let list = try take { plot_engine_get_loaded_notifications(phone.engine, 0, $0, $1) }
      defer { plot_list_free(list) }
      var token: UInt64 = 7
      let fault = try failure { try check { plot_engine_test_geotrigger_handler(phone.engine, list, &token, $0) } }
      #expect(fault.status == PLOT_INVALID_ARGUMENT && token == 0)
      #expect(fault.message == "geotriggers: expected geotriggers, found a notification")
      #expect(plot_engine_test_filter(phone.engine, nil, &token, nil) == PLOT_INVALID_ARGUMENT)
      let unknown = try failure { _ = try take { plot_engine_get_test_answer(phone.engine, 1, $0, $1) } }
      #expect(unknown.status == PLOT_UNKNOWN_TOKEN)
    }

    @Test func theHandlerIsTriedToo() throws {
      let phone = try Self.start()
      try phone.feed(museum(#"{"id": "g", "type": "geotrigger", "name": "n", "regions": ["museum"]}"#), at: 1)
      try check {
        plot_engine_set_geotrigger_callback(
          phone.engine,
          { _, engine, token, list in
            #expect(plot_engine_answer_filter(engine, 1, token, list, nil) == PLOT_UNKNOWN_TOKEN)
            #expect(plot_engine_mark_geotriggers_handled(engine, 1, token, list, nil) == PLOT_OK)
          }, nil, nil, $0)
      }
      let list = try take { plot_engine_get_loaded_geotriggers(phone.engine, 0, $0, $1) }
      defer { plot_list_free(list) }
      var token: UInt64 = 0
      try check { plot_engine_test_geotrigger_handler(phone.engine, list, &token, $0) }
      #expect(try Self.answer(phone, token).map { $0["name"] as? String } == ["n"])
      #expect(phone.events.isEmpty)
    }

    @Test func aStrategyThatNobodyHasRegisteredIsInTheDebugLog() throws {
      let phone = try Phone()
      try phone.start(pinnedConfig(#","debug": true"#))
      try phone.feed(
        #"{"version": 1, "regions": [], "campaigns": [], "settings": {"strategies": [{"key": "mine", "type": "custom"}]}}"#
      )
      let path = temporary("log")
      try check { plot_engine_write_debug_log(phone.engine, path, $0) }
      let log = try String(contentsOfFile: path, encoding: .utf8)
      #expect(log.contains("WARNING no strategy is registered as \"mine\""))
    }

    /// A batch that was open when the process ended.
    @Test(arguments: ["offerAgain", "drop"]) func recovery(_ policy: String) throws {
      let path = temporary("recovery.db")
      let config =
        #"{"publicToken": "t", "engine": {"noise": "default-1", "filterRecovery": "\#(policy)", "initial": "enter"}}"#
      do {
        let phone = try Phone()
        try phone.listen(filter: true)
        try phone.start(config, store: path)
        try phone.feed(museum(notification("a")))
        try phone.fix(20, 52.36, 4.885)
        #expect(phone.batches == [1])
      }
      let phone = try Phone()
      try phone.listen(filter: true)
      try phone.start(config, store: path, at: 30)
      #expect(phone.batches == (policy == "drop" ? [] : [1]))
      #expect(try phone.values("campaign", of: "notification-filtered") == (policy == "drop" ? ["a"] : []))
      #expect(try phone.wakeup == (policy == "drop" ? PLOT_NO_WAKEUP : 60_020))
    }
  }
}
