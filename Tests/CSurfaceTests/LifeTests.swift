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

    /// That each call has this status, of an engine and of NULL, is in the table of Tests/abuse.
    @Test func callsBeforeInitAndAfterCloseHaveAClearStatus() throws {
      let phone = try Phone()
      let early = try failure { try phone.advance(1) }
      #expect(early.message == "the engine has not been initialized; call plot_engine_init first")
      try phone.start()
      let again = try failure { try phone.start() }
      #expect(again.status == PLOT_ALREADY_INITIALIZED)
      #expect(again.message == "the engine has been initialized before")
      #expect(plot_engine_close(phone.engine) == PLOT_OK)
      #expect(plot_engine_close(phone.engine) == PLOT_OK)
      #expect(try failure { try phone.start() }.status == PLOT_CLOSED)
      #expect(try failure { try phone.listen() }.status == PLOT_CLOSED)
    }

    @Test func nullIsAStatusAndOutIsWritten() {
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

/// Calls with an object out-parameter that is not NULL before; it must be NULL after a failure.
func withObject(_ call: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) -> Int32 {
  var object = OpaquePointer(bitPattern: 1)
  let status = call(&object)
  #expect(status == PLOT_OK || object == nil)
  return status
}
