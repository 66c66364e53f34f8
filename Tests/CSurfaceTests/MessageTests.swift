import CPlotEngine
import Foundation
import PlotTesting
import Testing

extension CSurface {
  /// Messages and lists through the header.
  @Suite(.serialized) struct Messages {
    private func send(_ phone: Phone, _ time: Int64, _ json: String) throws {
      try check { plot_engine_process_message(phone.engine, time, json, json.utf8.count, $0) }
    }

    private func set(_ phone: Phone, _ name: String, _ json: String) throws {
      try check { plot_engine_set_list(phone.engine, 1, name, json, json.utf8.count, $0) }
    }

    private func lists(_ phone: Phone) throws -> String {
      var out: OpaquePointer?
      try check { plot_engine_get_lists(phone.engine, &out, $0) }
      defer { plot_string_free(out) }
      return String(cString: plot_string_get(out))
    }

    private func start(_ rules: String, store: String? = nil) throws -> Phone {
      let phone = try Phone()
      try phone.listen()
      try phone.start(store: store)
      try phone.feed(
        #"{"version": 1, "regions": [], "campaigns": [], "settings": {"messages": {"rules": \#(rules)}}}"#)
      return phone
    }

    @Test func aListOf100000OutlivesTheEngine() throws {
      let folder = try Folder()
      let path = folder.path()
      let rules = #"[{"if": {"senderIn": "blocked"}, "then": "drop"}]"#
      do {
        let phone = try start(rules, store: path)
        let entries = (0..<100_000).map { "\"user-\($0)\"" }.joined(separator: ",")
        try set(phone, "blocked", #"{"version": 9, "entries": [\#(entries)]}"#)
        #expect(plot_engine_close(phone.engine) == PLOT_OK)
      }
      let phone = try Phone()
      try phone.listen()
      try phone.start(store: path)
      #expect(try lists(phone).hasPrefix(#"[{"name":"blocked","version":9,"count":100000,"refreshed":"#))
      try send(phone, 5000, #"{"id": "a", "body": "from the last", "sender": "user-99999"}"#)
      try send(phone, 6000, #"{"id": "b", "body": "from another", "sender": "user-100000"}"#)
      #expect(phone.shown == ["from another"])
    }

    @Test func aMessageOfTheFilterIsEditedLikeANotification() throws {
      let phone = try Phone()
      try phone.listen(filter: true)
      try phone.start()
      phone.filter = { phone, token, list in
        let item = plot_list_get(list, 0)
        var text: UnsafePointer<CChar>?
        var number: Int64 = 7
        #expect(plot_item_get_string(item, PLOT_KEY_SENDER, &text) == PLOT_OK && String(cString: text!) == "s")
        #expect(plot_item_get_integer(item, PLOT_KEY_REVISION, &number) == PLOT_OK && number == 3)
        #expect(plot_item_get_string(item, PLOT_KEY_CAMPAIGN_ID, &text) == PLOT_NOT_FOUND)
        #expect(plot_item_get_integer(item, PLOT_KEY_SILENT, &number) == PLOT_NOT_FOUND)
        for key in [PLOT_KEY_SENDER, PLOT_KEY_THREAD, PLOT_KEY_IDENTIFIER, PLOT_KEY_CORRELATION_KEY] {
          #expect(plot_item_set_string(item, key, "x", nil) == PLOT_READ_ONLY_KEY)
        }
        #expect(plot_item_set_integer(item, PLOT_KEY_SUPPRESSED, 0, nil) == PLOT_READ_ONLY_KEY)
        #expect(plot_item_set_string(item, PLOT_KEY_MESSAGE, "edited", nil) == PLOT_OK)
        #expect(plot_engine_answer_filter(phone.engine, 1, token, list, nil) == PLOT_OK)
      }
      try send(phone, 1, #"{"id": "a", "body": "b", "sender": "s", "revision": 3}"#)
      #expect(phone.shown == ["edited"])
    }

    @Test func whatIsNoTextIsRefused() throws {
      let phone = try start("[]")
      #expect(plot_engine_process_message(phone.engine, 1, nil, 0, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_process_message(phone.engine, 1, "{", -1, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_process_message(phone.engine, 1, "{}", 2, nil) == PLOT_INVALID_DOCUMENT)
      let message = #"{"id": "a", "body": "b"}"#
      #expect(plot_engine_process_message(phone.engine, -1, message, message.utf8.count, nil) == PLOT_INVALID_ARGUMENT)
      #expect(phone.shown.isEmpty)
      let badText: [CChar] = [-1, -2, 0]
      #expect(plot_engine_set_list(phone.engine, 1, nil, "{}", 2, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_set_list(phone.engine, 1, badText, "{}", 2, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_set_list(phone.engine, 1, "l", "{}", 2, nil) == PLOT_INVALID_DOCUMENT)
      #expect(plot_engine_set_list(phone.engine, 1, "", nil, 0, nil) == PLOT_INVALID_ARGUMENT)
      #expect(try lists(phone) == "[]")
    }
  }
}
