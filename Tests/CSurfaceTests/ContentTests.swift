import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// Rich content through the header: keys of items, files, actions, the advertising identifier.
  @Suite(.serialized) struct Content {
    private func phone(
      _ content: String, config: String = pinned, filter: Bool = false, store: String? = nil
    ) throws -> Phone {
      let phone = try Phone()
      try phone.listen(filter: filter)
      try phone.start(config, store: store)
      try phone.feed(museum(notification("a", #", "content": \#(content)"#)))
      try phone.fix(1000, 52.4, 4.9)
      return phone
    }

    private func json(_ item: OpaquePointer?, _ key: String) -> String? {
      var out = OpaquePointer(bitPattern: 1)
      let status = plot_item_get_json(item, key, &out)
      defer { plot_string_free(out) }
      guard status == PLOT_OK else {
        #expect(status == PLOT_NOT_FOUND && out == nil)
        return nil
      }
      return String(cString: plot_string_get(out))
    }

    private func set(_ item: OpaquePointer?, _ key: String, _ json: String) throws {
      try check { plot_item_set_json(item, key, json, json.utf8.count, $0) }
    }

    static let content =
      #"{"title": "At {{name}}", "badge": 2, "category": "own", "attachments": [{"id": "p", "url": "/nowhere.png"}], "#
      + #""actions": [{"id": "x", "title": "X"}], "userInfo": {"b": [1, 2.50], "a": {"c": null}}}"#

    @Test func everyKeyIsReadAndSetInAFilter() throws {
      let phone = try phone(Self.content, filter: true)
      phone.filter = { phone, token, list in
        let item = plot_list_get(list, 0)
        #expect(self.json(item, PLOT_KEY_TITLE) == #""At Museum shop""#)
        #expect(self.json(item, PLOT_KEY_BADGE) == "2")
        #expect(self.json(item, PLOT_KEY_GEOFENCE_LATITUDE) == "52.36")
        #expect(self.json(item, PLOT_KEY_ATTACHMENTS) == #"[{"id":"p","url":"/nowhere.png"}]"#)
        #expect(self.json(item, PLOT_KEY_USER_INFO) == #"{"b":[1,2.5],"a":{"c":null}}"#)
        #expect(self.json(item, PLOT_KEY_SUBTITLE) == nil && self.json(item, "colour") == nil)
        var text: UnsafePointer<CChar>?
        var number: Int64 = 7
        #expect(plot_item_get_string(item, PLOT_KEY_ACTIONS, &text) == PLOT_WRONG_TYPE)
        #expect(plot_item_get_double(item, PLOT_KEY_USER_INFO, nil) == PLOT_INVALID_ARGUMENT)
        #expect(plot_item_get_integer(item, PLOT_KEY_BADGE, &number) == PLOT_OK && number == 2)
        #expect(plot_item_set_integer(item, PLOT_KEY_BADGE, 5, nil) == PLOT_OK)
        #expect(plot_item_set_integer(item, PLOT_KEY_BADGE, -1, nil) == PLOT_INVALID_ARGUMENT)
        #expect(plot_item_set_integer(item, PLOT_KEY_TITLE, 1, nil) == PLOT_WRONG_TYPE)
        #expect(plot_item_set_integer(item, PLOT_KEY_MATCH_RANGE, 1, nil) == PLOT_READ_ONLY_KEY)
        #expect(plot_item_set_string(item, PLOT_KEY_BADGE, "1", nil) == PLOT_WRONG_TYPE)
        #expect(plot_item_set_string(item, PLOT_KEY_SUBTITLE, "under it", nil) == PLOT_OK)
        #expect(plot_item_clear(item, PLOT_KEY_TITLE, nil) == PLOT_OK)
        #expect(plot_item_clear(item, PLOT_KEY_TITLE, nil) == PLOT_OK, "it is absent already")
        #expect(plot_item_clear(item, PLOT_KEY_MESSAGE, nil) == PLOT_INVALID_ARGUMENT)
        #expect(plot_item_clear(item, PLOT_KEY_TRIGGER, nil) == PLOT_READ_ONLY_KEY)
        #expect(plot_item_clear(item, "colour", nil) == PLOT_NOT_FOUND)
        #expect(throws: Never.self) {
          try self.set(item, PLOT_KEY_USER_INFO, #"{"new": 1, "a": "changed"}"#)
          try self.set(item, PLOT_KEY_ACTIONS, #"[{"id": "y", "title": "Y", "compact": false}]"#)
          try self.set(item, PLOT_KEY_ATTACHMENTS, "[]")
        }
        #expect(self.json(item, PLOT_KEY_USER_INFO) == #"{"b":[1,2.5],"a":"changed","new":1}"#, "at once")
        // A copy, and an item of another list, know what was there at first.
        let copy = try? take { plot_item_copy(item, $0, $1) }
        #expect(plot_item_clear(copy, PLOT_KEY_USER_INFO, nil) == PLOT_OK)
        #expect(self.json(copy, PLOT_KEY_USER_INFO) == #"{"b":[1,2.5],"a":{"c":null}}"#)
        plot_item_free(copy)
        #expect(plot_engine_answer_filter(phone.engine, 2000, token, list, nil) == PLOT_OK)
      }
      try phone.fix(2000, 52.36, 4.885)
      #expect(phone.shown == ["a at Museum shop"] && phone.batches == [1])
      let sent = try phone.list { plot_engine_get_sent_notifications(phone.engine, $0, $1) }
      #expect(
        sent.contains(
          #""data":"https://example.org/a","subtitle":"under it","badge":5,"category":"own","#
            + #""actions":[{"id":"y","title":"Y","foreground":false,"destructive":false,"compact":true}],"#
            + #""userInfo":{"b":[1,2.5],"a":"changed","new":1},"geofenceLatitude""#), "\(sent)")
    }

    @Test func whatIsRefusedChangesNothingAndSaysWhere() throws {
      let phone = try phone(Self.content)
      try phone.fix(2000, 52.36, 4.885)
      let list = try take { plot_engine_get_sent_notifications(phone.engine, $0, $1) }
      defer { plot_list_free(list) }
      let sent = plot_list_get(list, 0)
      #expect(try failure { try set(sent, PLOT_KEY_TITLE, #""t""#) }.status == PLOT_READ_ONLY_KEY, "no filter's item")
      let item = try take { plot_item_copy(sent, $0, $1) }
      defer { plot_item_free(item) }
      let before = json(item, PLOT_KEY_ACTIONS)
      let fault = try failure { try set(item, PLOT_KEY_ACTIONS, "[{\"id\": \"x\",\n \"title\": 5}]") }
      #expect(fault.status == PLOT_INVALID_DOCUMENT && fault.pointer == "/0/title")
      #expect(fault.line == 2 && fault.column == 11 && fault.found == "the number 5")
      #expect(try failure { try set(item, PLOT_KEY_ACTIONS, "{") }.status == PLOT_INVALID_DOCUMENT)
      let type = try failure { try set(item, PLOT_KEY_ACTIONS, "{}") }
      #expect(type.status == PLOT_WRONG_TYPE && type.message == "actions: the key holds an array")
      #expect(try failure { try set(item, PLOT_KEY_TITLE, #""""#) }.status == PLOT_INVALID_ARGUMENT)
      #expect(try failure { try set(item, PLOT_KEY_MATCH_RANGE, "5") }.status == PLOT_READ_ONLY_KEY)
      #expect(try failure { try set(item, "colour", "5") }.status == PLOT_NOT_FOUND)
      #expect(json(item, PLOT_KEY_ACTIONS) == before)
      #expect(plot_item_set_json(item, PLOT_KEY_TITLE, nil, 0, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_item_set_json(nil, PLOT_KEY_TITLE, "1", 1, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_item_set_json(item, nil, "1", 1, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_item_set_integer(nil, PLOT_KEY_BADGE, 1, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_item_set_integer(item, nil, 1, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_item_clear(nil, PLOT_KEY_TITLE, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_item_clear(item, nil, nil) == PLOT_INVALID_ARGUMENT)
      #expect(withObject { plot_item_get_json(nil, PLOT_KEY_TITLE, $0) } == PLOT_INVALID_ARGUMENT)
      #expect(withObject { plot_item_get_json(item, nil, $0) } == PLOT_INVALID_ARGUMENT)
      #expect(plot_item_get_json(item, PLOT_KEY_TITLE, nil) == PLOT_INVALID_ARGUMENT)
    }

    /// Sparse files on both sides of each limit.
    @Test func filesAreCheckedBeforeTheyAreShown() throws {
      let folder = temporary("files")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var attachments: [String] = []
      for (type, limit) in [("mp3", 5), ("png", 10), ("mp4", 50)] {
        for (name, size) in [("good", limit * 1_000_000), ("large", limit * 1_000_000 + 1)] {
          let path = "\(folder)/\(name) \(type).\(type)"
          #expect(FileManager.default.createFile(atPath: path, contents: nil))
          #expect(truncate(path, size) == 0)
          attachments.append(#"{"id": "\#(name) \#(type)", "url": "\#(name) \#(type).\#(type)"}"#)
        }
      }
      let encoded = folder.replacingOccurrences(of: " ", with: "%20")
      attachments.append(#"{"id": "absolute", "url": "\#(folder)/good png.png"}"#)
      attachments.append(#"{"id": "url", "url": "file://\#(encoded)/good%20png.png"}"#)
      attachments.append(#"{"id": "folder", "url": "\#(folder)", "type": "png"}"#)
      attachments.append(#"{"id": "outside", "url": "../x.png"}"#)
      attachments.append(#"{"id": "typed", "url": "large mp3.mp3", "type": "mpeg"}"#)
      let content = #"{"attachments": [\#(attachments.joined(separator: ","))]}"#
      let good = ["good mp3", "good png", "good mp4", "absolute", "url", "typed"]
      for (config, ids) in [
        (
          #"{"publicToken": "t", "engine": {"noise": "default-1", "initial": "none", "attachmentFolder": "\#(folder)"}}"#,
          good
        ),
        (pinned, ["absolute", "url"]),
      ] {
        let phone = try phone(content, config: config)
        try check {
          plot_engine_set_decision_callback(
            phone.engine, { me, _, json, _ in Phone.from(me).log.append(String(cString: json!)) },
            Unmanaged.passUnretained(phone).toOpaque(), nil, $0)
        }
        try phone.fix(2000, 52.36, 4.885)
        #expect(phone.shown == ["a at Museum shop"], "the text is shown all the same")
        let sent = try #require(phone.sent.first?["attachments"] as? [[String: String]])
        #expect(sent.map { $0["id"] } == ids)
        let decisions = try phone.log.map(record).filter { $0["step"] as? String == "attachment" }
        #expect(decisions.count == attachments.count)
        guard ids == good else { continue }
        let dropped = decisions.filter { $0["verdict"] as? String == "drop" }
        #expect(
          dropped.map { "\($0["detail"] ?? "") \($0["reason"] ?? "")" } == [
            "large mp3 attachment-size", "large png attachment-size", "large mp4 attachment-size",
            "folder attachment-unreadable", "outside attachment-unreadable",
          ])
      }
    }

    @Test func anActionIsTaken() throws {
      let phone = try phone(
        #"{"actions": [{"id": "save", "title": "Save"}, {"id": "go", "title": "Go", "foreground": true}]}"#)
      try phone.fix(2000, 52.36, 4.885)
      let match = try #require(try phone.sent[0]["matchIdentifier"] as? String)
      func take(_ action: String, _ match: String, _ time: Int64) throws {
        try check { plot_engine_take_action(phone.engine, time, match, action, $0) }
      }
      try take("save", match, 3000)
      #expect(phone.opened.isEmpty)
      #expect(try phone.sent[0]["dateOpened"] as? Int == 3000)
      try take("go", match, 4000)
      #expect(phone.opened == ["\(PLOT_OPEN_URI) https://example.org/a"])
      #expect(try phone.values("action", of: "notification-action") == ["save", "go"])
      #expect(try phone.values("time", of: "notification-opened") == ["1970-01-01T00:00:04Z"])
      #expect(try phone.sent[0]["dateOpened"] as? Int == 3000)
      let count = phone.events.count
      let other = try failure { try take("other", match, 5000) }
      #expect(other.status == PLOT_NOT_FOUND && other.message == #"the notification has no action "other""#)
      let unknown = try failure { try take("save", "nobody", 5000) }
      #expect(unknown.status == PLOT_NOT_FOUND)
      #expect(unknown.message == #"no notification on the screen or in the sent list has the matchIdentifier "nobody""#)
      #expect(try failure { try take("", match, 5000) }.status == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_take_action(phone.engine, 5000, nil, "save", nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_take_action(phone.engine, 5000, match, nil, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_take_action(phone.engine, -1, match, "save", nil) == PLOT_INVALID_ARGUMENT)
      #expect(phone.events.count == count)
    }

    @Test func theAdvertisingIdentifierIsRememberedUnlessTrackingIsLimited() throws {
      let path = temporary("store")
      defer { for suffix in ["", "-wal", "-log"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
      func set(_ phone: Phone, _ identifier: String?, _ limited: Int32) throws {
        try check { plot_engine_set_advertising_identifier(phone.engine, 1000, identifier, limited, $0) }
      }
      func carried(_ phone: Phone) throws -> [String] {
        let last = try record(try #require(phone.events.last))
        return ["\(last["advertisingIdentifier"] ?? "none")", "\(last["limitAdTracking"] ?? "none")"]
      }
      do {
        let phone = try phone("{}", store: path)
        #expect(try failure { try set(phone, "", 0) }.status == PLOT_INVALID_ARGUMENT)
        #expect(try failure { try set(phone, "secret", 2) }.status == PLOT_INVALID_ARGUMENT)
        try set(phone, "known", 0)
        try phone.fix(2000, 52.36, 4.885)
        #expect(try carried(phone) == ["known", "0"])
      }
      do {
        let phone = try Phone()
        try phone.listen()
        try phone.start(store: path, at: 3000)
        try phone.fix(4000, 52.4, 4.9)
        #expect(try carried(phone) == ["known", "0"])
        try set(phone, "secret", 1)
        try phone.fix(5000, 52.36, 4.885)
        #expect(try carried(phone) == ["none", "1"])
        for suffix in ["", "-wal", "-log"] {
          let file = try Data(contentsOf: URL(fileURLWithPath: path + suffix))
          #expect(file.range(of: Data("secret".utf8)) == nil, "it is not kept")
        }
      }
      let phone = try Phone()
      try phone.listen()
      try phone.start(store: path, at: 6000)
      try phone.fix(7000, 52.4, 4.9)
      #expect(try carried(phone) == ["none", "1"])
      try set(phone, nil, 1)
      try phone.fix(8000, 52.36, 4.885)
      #expect(try carried(phone) == ["none", "none"])
    }
  }
}
