import CPlotEngine
import Foundation
import PlotEngine
import PlotTesting
import Testing

/// Everything of this target counts live objects, so nothing runs beside it.
@Suite(.serialized, .leavesNothing) struct CSurface {}

extension CSurface {
  @Suite(.serialized) struct Life {
    @Test func nothingIsLeftBehind() throws {
      let before = plot_live_objects()
      do {
        let phone = try Phone()
        try phone.listen(filter: true)
        phone.filter = { phone, token, list in
          #expect(plot_engine_answer_filter(phone.engine, 2000, token, list, nil) == PLOT_OK)
        }
        try phone.start()
        try phone.feed(museum(notification("a"), notification("b")))
        try phone.fix(1000, 52.4, 4.9)
        try phone.fix(2000, 52.36, 4.885)
        #expect(phone.shown == ["a at Museum shop", "b at Museum shop"])
        #expect(try phone.sent.count == 2)
      }
      #expect(plot_live_objects() == before)
    }

    @Test func statusesHaveTheHeadersNumbersAndNames() {
      let header: [(Int32, String)] = [
        (PLOT_OK, "PLOT_OK"), (PLOT_INVALID_ARGUMENT, "PLOT_INVALID_ARGUMENT"),
        (PLOT_NOT_INITIALIZED, "PLOT_NOT_INITIALIZED"), (PLOT_ALREADY_INITIALIZED, "PLOT_ALREADY_INITIALIZED"),
        (PLOT_CLOSED, "PLOT_CLOSED"), (PLOT_OUT_OF_ORDER, "PLOT_OUT_OF_ORDER"),
        (PLOT_INVALID_DOCUMENT, "PLOT_INVALID_DOCUMENT"), (PLOT_IO_ERROR, "PLOT_IO_ERROR"),
        (PLOT_STORE_FAILED, "PLOT_STORE_FAILED"), (PLOT_STORE_DAMAGED, "PLOT_STORE_DAMAGED"),
        (PLOT_STORE_BUSY, "PLOT_STORE_BUSY"), (PLOT_STORE_READ_ONLY, "PLOT_STORE_READ_ONLY"),
        (PLOT_STORE_NEWER, "PLOT_STORE_NEWER"), (PLOT_NOT_FOUND, "PLOT_NOT_FOUND"),
        (PLOT_READ_ONLY_KEY, "PLOT_READ_ONLY_KEY"), (PLOT_WRONG_TYPE, "PLOT_WRONG_TYPE"),
        (PLOT_UNKNOWN_TOKEN, "PLOT_UNKNOWN_TOKEN"), (PLOT_ALREADY_ANSWERED, "PLOT_ALREADY_ANSWERED"),
        (PLOT_UNKNOWN_ITEM, "PLOT_UNKNOWN_ITEM"), (PLOT_STORE_IN_DOUBT, "PLOT_STORE_IN_DOUBT"),
      ]
      #expect(header.map(\.0) == Status.allCases.map(\.rawValue))
      for (number, name) in header { #expect(String(cString: plot_status_name(number)) == name) }
      #expect(String(cString: plot_status_name(999)) == "PLOT_UNKNOWN_STATUS")
    }

    @Test func versionIsTheOneOfTheFile() throws {
      let file = projectRoot.appendingPathComponent("VERSION")
      let version = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(String(cString: plot_version()) == version)
      let header = projectRoot.appendingPathComponent("include/plotengine.h")
      let abi = "The version of this ABI: \(plot_abi_version())."
      #expect(try String(contentsOf: header, encoding: .utf8).contains(abi))
    }

    /// Calls that need a running engine, by name.
    static var calls: [(String, (OpaquePointer?) -> Int32)] {
      [
        ("enable", { plot_engine_enable($0, 1, nil) }),
        ("disable", { plot_engine_disable($0, 1, nil) }),
        ("is_enabled", { engine in withValue(Int32(7), 0) { plot_engine_is_enabled(engine, $0, nil) } }),
        ("set_cooldown_period", { plot_engine_set_cooldown_period($0, 1, 1, nil) }),
        (
          "get_cooldown_period",
          { engine in withValue(Int64(7), 0) { plot_engine_get_cooldown_period(engine, $0, nil) } }
        ),
        ("set_time_zone", { plot_engine_set_time_zone($0, 1, "UTC", nil) }),
        ("set_clock", { plot_engine_set_clock($0, 1, 1, "boot", nil) }),
        ("get_time_zone", { engine in withObject { plot_engine_get_time_zone(engine, $0, nil) } }),
        ("set_string", { plot_engine_set_string_segmentation_property($0, 1, "k", "v", nil) }),
        ("set_boolean", { plot_engine_set_boolean_segmentation_property($0, 1, "k", 1, nil) }),
        ("set_integer", { plot_engine_set_integer_segmentation_property($0, 1, "k", 1, nil) }),
        ("set_double", { plot_engine_set_double_segmentation_property($0, 1, "k", 1, nil) }),
        ("set_date", { plot_engine_set_date_segmentation_property($0, 1, "k", 1, nil) }),
        ("clear", { plot_engine_clear_segmentation_property($0, 1, "k", nil) }),
        ("properties", { engine in withObject { plot_engine_get_segmentation_properties(engine, $0, nil) } }),
        ("update_location", { plot_engine_update_location($0, 1, 0, 0, 0, -1, -1, nil) }),
        ("update_locations", { engine in withObject { Columns.visits(true).update(engine, $0, nil) } }),
        (
          "update_locations_together",
          { engine in withObject { Columns.visits(true).updateTogether(engine, at: 1, $0, nil) } }
        ),
        ("engines_update_locations", { engine in withObject { Columns.visits(true).update([engine], $0, nil) } }),
        (
          "ibeacon",
          { plot_engine_update_ibeacon($0, 1, "f7826da6-4fa2-4e98-8024-bc5b71e0893e", 1, 2, 0, -60, -59, nil) }
        ),
        (
          "eddystone", { plot_engine_update_eddystone($0, 1, "00112233445566778899", "001122334455", 0, -60, -20, nil) }
        ),
        ("region_hint", { plot_engine_region_hint($0, 1, "museum", PLOT_HINT_ENTER, 0, 0, -1, nil) }),
        (
          "plan_regions", { engine in withObject { plot_engine_plan_regions(engine, 1, 0, 0, 0, 0, 0, $0, nil) } }
        ),
        ("advance", { plot_engine_advance($0, 1, nil) }),
        ("next_wakeup", { engine in withValue(Int64(7), -1) { plot_engine_next_wakeup(engine, $0, nil) } }),
        ("get_batch", { engine in withObject { plot_engine_get_batch(engine, 1, $0, nil) } }),
        ("answer_filter", { plot_engine_answer_filter($0, 1, 1, nil, nil) }),
        ("mark_handled", { plot_engine_mark_geotriggers_handled($0, 1, 1, nil, nil) }),
        ("take_action", { plot_engine_take_action($0, 1, "m", "a", nil) }),
        ("set_advertising", { plot_engine_set_advertising_identifier($0, 1, "i", 0, nil) }),
        ("open", { plot_engine_open_notification($0, 1, "m", nil) }),
        ("dismiss", { plot_engine_dismiss_notification($0, 1, "m", nil) }),
        ("move region", { plot_engine_move_region($0, 1, "r", 0, 0, nil) }),
        ("foreground", { plot_engine_set_foreground($0, 1, 1, nil) }),
        ("network", { plot_engine_set_network($0, 1, 0, nil) }),
        ("displayed", { engine in withObject { plot_engine_get_displayed_notifications(engine, $0, nil) } }),
        (
          "test_filter",
          { engine in
            var list: OpaquePointer?
            plot_list_new(&list, nil)
            defer { plot_list_free(list) }
            return withValue(UInt64(7), 0) { plot_engine_test_filter(engine, list, $0, nil) }
          }
        ),
        (
          "test_geotrigger_handler",
          { engine in
            var list: OpaquePointer?
            plot_list_new(&list, nil)
            defer { plot_list_free(list) }
            return withValue(UInt64(7), 0) { plot_engine_test_geotrigger_handler(engine, list, $0, nil) }
          }
        ),
        ("get_test_answer", { engine in withObject { plot_engine_get_test_answer(engine, 1, $0, nil) } }),
        ("process_message", { plot_engine_process_message($0, 1, #"{"id":"m","body":"b"}"#, 21, nil) }),
        ("set_list", { plot_engine_set_list($0, 1, "l", nil, 0, nil) }),
        ("get_lists", { engine in withObject { plot_engine_get_lists(engine, $0, nil) } }),
        ("loaded_notifications", { engine in withObject { plot_engine_get_loaded_notifications(engine, 0, $0, nil) } }),
        ("loaded_geotriggers", { engine in withObject { plot_engine_get_loaded_geotriggers(engine, 0, $0, nil) } }),
        ("sent_notifications", { engine in withObject { plot_engine_get_sent_notifications(engine, $0, nil) } }),
        ("sent_geotriggers", { engine in withObject { plot_engine_get_sent_geotriggers(engine, $0, nil) } }),
        ("clear_sent_notifications", { plot_engine_clear_sent_notifications($0, 1, nil) }),
        ("clear_sent_geotriggers", { plot_engine_clear_sent_geotriggers($0, 1, nil) }),
        ("clear_all_data", { plot_engine_clear_all_data($0, 1, nil) }),
        ("visits", { engine in withObject { plot_engine_get_visits(engine, $0, nil) } }),
        ("write_debug_log", { plot_engine_write_debug_log($0, "/dev/null", nil) }),
        ("keep_decisions", { plot_engine_keep_decisions($0, 0, nil) }),
        ("get_decisions", { engine in withObject { plot_engine_get_decisions(engine, nil, nil, 0, $0, nil) } }),
        ("write_decisions_to", { plot_engine_write_decisions_to($0, nil, nil) }),
        ("explain", { engine in withObject { plot_engine_explain(engine, "c", nil, nil, $0, nil) } }),
      ]
    }

    @Test func callsBeforeInitAndAfterCloseHaveAClearStatus() throws {
      let phone = try Phone()
      for (name, call) in Self.calls where name != "set_clock" {
        #expect(call(phone.engine) == PLOT_NOT_INITIALIZED, "\(name)")
      }
      let early = try failure { try phone.advance(1) }
      #expect(early.message == "the engine has not been initialized; call plot_engine_init first")
      try phone.start()
      let again = try failure { try phone.start() }
      #expect(again.status == PLOT_ALREADY_INITIALIZED)
      #expect(again.message == "the engine has been initialized before")
      #expect(plot_engine_close(phone.engine) == PLOT_OK)
      #expect(plot_engine_close(phone.engine) == PLOT_OK)
      for (name, call) in Self.calls { #expect(call(phone.engine) == PLOT_CLOSED, "\(name)") }
      #expect(try failure { try phone.start() }.status == PLOT_CLOSED)
      #expect(try failure { try phone.listen() }.status == PLOT_CLOSED)
    }

    @Test func nullIsAStatusAndOutIsWritten() {
      for (name, call) in Self.calls { #expect(call(nil) == PLOT_INVALID_ARGUMENT, "\(name)") }
      #expect(plot_engine_close(nil) == PLOT_INVALID_ARGUMENT)
      plot_engine_free(nil)
      #expect(plot_engine_new(nil, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_config_load(nil, nil, nil) == PLOT_INVALID_ARGUMENT)
      #expect(withObject { plot_config_load(nil, $0, nil) } == PLOT_INVALID_ARGUMENT)
      #expect(withObject { plot_config_load("/nowhere/at/all", $0, nil) } == PLOT_IO_ERROR)
      #expect(withObject { plot_feed_parse(nil, 3, $0, nil) } == PLOT_INVALID_ARGUMENT)
      #expect(withObject { plot_feed_load("/nowhere/at/all", $0, nil) } == PLOT_IO_ERROR)
      #expect(withObject { plot_feed_map(nil, $0, nil) } == PLOT_INVALID_ARGUMENT)
      #expect(withObject { plot_feed_map("/nowhere/at/all", $0, nil) } == PLOT_IO_ERROR)
      #expect(plot_feed_map("/nowhere/at/all", nil, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_feed_save(nil, "/nowhere/at/all", nil) == PLOT_INVALID_ARGUMENT)
      let badText: [CChar] = [-1, -2, 0]
      #expect(withObject { plot_feed_load(badText, $0, nil) } == PLOT_INVALID_ARGUMENT)
      #expect(plot_list_get(nil, 0) == nil)
      #expect(plot_config_get_warning(nil, 0) == nil)
      #expect(String(cString: plot_error_get_message(nil)) == "")
    }

    /// The whole life of an engine that asks nobody: read, written, run.
    @Test(arguments: ["{}", #"{"publicToken": null}"#, #"{"engine": {"noise": "exact"}}"#])
    func aTokenIsOptional(_ words: String) throws {
      let config = try take { plot_config_parse(words, words.utf8.count, $0, $1) }
      defer { plot_config_free(config) }
      #expect(plot_config_get_warning_count(config) == 0)
      let json = try text { plot_config_to_json(config, $0, $1) }
      #expect(try record(json)["publicToken"] is NSNull)
      let phone = try Phone()
      try phone.listen()
      let start: Int64 = 1_778_925_600_000
      try check { plot_engine_init(phone.engine, start, config, nil, $0) }
      try phone.feed(museum(notification("a")), at: start)
      try phone.fix(start, 52.3791, 4.9003)
      try phone.fix(start + 60_000, 52.36, 4.885)
      #expect(phone.shown.count == 1)
    }

    @Test func errorsSayWhere() throws {
      let config = """
        {
          "publicToken": "t",
          "maxRegionsMonitored": 21
        }
        """
      func parse(_ config: String) throws {
        plot_config_free(try take { plot_config_parse(config, config.utf8.count, $0, $1) })
      }
      let range = try failure { try parse(config) }
      #expect(range.status == PLOT_INVALID_DOCUMENT)
      #expect(range.line == 3 && range.column == 26 && range.pointer == "/maxRegionsMonitored")
      #expect(range.expected == "an integer from 5 to 20" && range.found == "the number 21")
      let text =
        "configuration: line 3, column 26: /maxRegionsMonitored: expected an integer from 5 to 20, found the number 21"
      #expect(range.message == text)
      let comma = try failure { try parse("{\"publicToken\": \"t\",}") }
      #expect(comma.message == "configuration: line 1, column 21: expected a key after the comma, found '}'")
      #expect(comma.line == 1 && comma.column == 21)
      let old = try Phone()
      try old.start()
      try old.feed(museum(notification("a")))
      let feed = try failure { try old.feed(museum(notification("b", #", "radius": 3"#))) }
      #expect(feed.pointer == "/campaigns/0/radius")
      #expect(try old.list { plot_engine_get_loaded_notifications(old.engine, 0, $0, $1) }.contains("a at Museum shop"))
    }
  }
}

/// Calls with an out-parameter that is not NULL before; it must be `expected` after a failure.
func withValue<T: Equatable>(_ before: T, _ expected: T, _ call: (UnsafeMutablePointer<T>) -> Int32) -> Int32 {
  var value = before
  let status = call(&value)
  #expect(status == PLOT_OK || value == expected)
  return status
}

/// Calls with an object out-parameter that is not NULL before; it must be NULL after a failure.
func withObject(_ call: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) -> Int32 {
  var object = OpaquePointer(bitPattern: 1)
  let status = call(&object)
  #expect(status == PLOT_OK || object == nil)
  return status
}
