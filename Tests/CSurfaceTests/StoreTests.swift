import CPlotEngine
import Foundation
import Testing

extension CSurface {
  @Suite(.serialized) struct Storing {
    private func on(
      _ path: String, at time: Int64 = 0, config: String = pinned, filter: Bool = false
    ) throws -> Phone {
      let phone = try Phone()
      try phone.listen(filter: filter)
      try phone.start(config, store: path, at: time)
      return phone
    }

    @Test func everythingIsThereAfterReopening() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      var phone = try on(path)
      try phone.feed(
        museum(
          notification("a"), notification("stay", #", "trigger": "dwelling", "dwellingMinutes": 5"#),
          #"{"id": "g", "type": "geotrigger", "name": "g", "regions": ["museum"]}"#))
      try check { plot_engine_set_cooldown_period(phone.engine, 0, 60, $0) }
      try check { plot_engine_set_string_segmentation_property(phone.engine, 0, "gender", "M", $0) }
      try check { plot_engine_set_double_segmentation_property(phone.engine, 0, "spent", 10.35, $0) }
      try check { plot_engine_set_date_segmentation_property(phone.engine, 0, "signUp", 1_426_503_567_000, $0) }
      try phone.fix(1000, 52.4, 4.9)
      try phone.fix(2000, 52.36, 4.885)
      #expect(phone.shown == ["a at Museum shop"])
      func snapshot(_ phone: Phone) throws -> [String] {
        [
          try phone.list { plot_engine_get_sent_notifications(phone.engine, $0, $1) },
          try phone.list { plot_engine_get_sent_geotriggers(phone.engine, $0, $1) },
          try phone.list { plot_engine_get_loaded_notifications(phone.engine, 0, $0, $1) },
          try text { plot_engine_get_visits(phone.engine, $0, $1) },
          try text { plot_engine_get_segmentation_properties(phone.engine, $0, $1) },
          "\(try phone.wakeup)",
        ]
      }
      let before = try snapshot(phone)
      #expect(before[4].contains(#""signUp":{"type":"date","value":"2015-03-16T10:59:27Z"}"#))
      plot_engine_close(phone.engine)
      phone = try on(path, at: 3000)
      #expect(try snapshot(phone) == before)
      #expect(phone.events == [])
      // The same visit: no second enter; the dwelling comes at its time.
      try phone.fix(4000, 52.36, 4.885)
      #expect(phone.events == [])
      #expect(try phone.wakeup == 302_000)
      try phone.advance(302_000)
      #expect(phone.shown == ["stay at Museum shop"])
      var period: Int64 = 0
      try check { plot_engine_get_cooldown_period(phone.engine, &period, $0) }
      #expect(period == 60)
    }

    @Test func enableOnFirstRunCountsOnce() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      func isEnabled(_ phone: Phone) throws -> Int32 {
        var enabled: Int32 = -1
        try check { plot_engine_is_enabled(phone.engine, &enabled, $0) }
        return enabled
      }
      let off = #"{"publicToken": "t", "enableOnFirstRun": false}"#
      var phone = try on(path, config: off)
      #expect(try isEnabled(phone) == 0)
      plot_engine_close(phone.engine)
      phone = try on(path)
      #expect(try isEnabled(phone) == 0)
      try check { plot_engine_enable(phone.engine, 0, $0) }
      plot_engine_close(phone.engine)
      phone = try on(path, config: off)
      #expect(try isEnabled(phone) == 1)
      try check { plot_engine_disable(phone.engine, 0, $0) }
      plot_engine_close(phone.engine)
      phone = try on(path)
      #expect(try isEnabled(phone) == 0)
    }

    @Test func anOpenBatchIsOfferedAgain() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      var phone = try on(path, filter: true)
      try phone.feed(museum(notification("a")))
      try phone.fix(1000, 52.4, 4.9)
      try phone.fix(2000, 52.36, 4.885)
      #expect(phone.batches == [1])
      plot_engine_close(phone.engine)
      phone = try on(path, at: 3000, filter: true)
      #expect(phone.batches == [1] && phone.shown == [])
      let list = try take { plot_engine_get_batch(phone.engine, 1, $0, $1) }
      defer { plot_list_free(list) }
      try check { plot_engine_answer_filter(phone.engine, 4000, 1, list, $0) }
      #expect(phone.shown == ["a at Museum shop"])
      plot_engine_close(phone.engine)
      phone = try on(path, at: 5000, filter: true)
      #expect(phone.batches == [] && phone.shown == [])
    }

    /// Runs in a child that dies inside the show callback, when the host has shown it and the engine does not know yet.
    @Test func dyingWhileShowingNeverShowsTwice() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      do {
        let phone = try on(path)
        try phone.feed(museum(notification("a", #", "resend": false"#)))
        try phone.fix(1000, 52.4, 4.9)
        // The copy is the file as it is in the middle of the show callback.
        try check {
          plot_engine_set_show_callback(
            phone.engine,
            { path, _, _ in
              let path = String(cString: path!.assumingMemoryBound(to: CChar.self))
              for suffix in ["", "-wal", "-log"] {
                try? FileManager.default.copyItem(atPath: path + suffix, toPath: path + ".killed" + suffix)
              }
              return PLOT_OK
            }, strdup(path), { free($0) }, $0)
        }
        try phone.fix(2000, 52.36, 4.885)
      }
      let killed = path + ".killed"
      defer { for suffix in ["", "-wal", "-log"] { try? FileManager.default.removeItem(atPath: killed + suffix) } }
      let phone = try on(killed, at: 3000)
      let shown = try phone.events.map { try record($0) }.filter { $0["event"] as? String == "notification-shown" }
      #expect(shown.count == 1 && shown[0]["recovered"] as? Bool == true)
      // The region-enter had not been acknowledged either, and comes again with its old number.
      #expect(try phone.events.map { try #require(try record($0)["sequence"] as? Int) } == [1, 2])
      #expect(phone.shown == [])
      try phone.fix(4000, 52.4, 4.9)
      try phone.fix(5000, 52.36, 4.885)
      #expect(phone.shown == [])
      #expect(try phone.sent.count == 1)
    }

    @Test func aStoreIsHeldByOneEngine() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      let first = try on(path)
      let second = try Phone()
      let busy = try failure { try second.start(store: path) }
      #expect(busy.status == PLOT_STORE_BUSY)
      #expect(busy.message == "\(path): another engine has the file open")
      #expect(plot_engine_close(first.engine) == PLOT_OK)
      // After a failure it may be called again.
      try second.start(store: path)
    }

    @Test func whatIsNoStoreIsLeftAlone() throws {
      let path = temporary("letter.txt")
      defer { try? FileManager.default.removeItem(atPath: path) }
      let letter = Data("Dear reader, this is not a database, but it is long enough to look like one.".utf8)
      try letter.write(to: URL(fileURLWithPath: path))
      let refused = try failure { _ = try on(path) }
      #expect(refused.status == PLOT_STORE_DAMAGED)
      #expect(refused.message == "\(path): the file is not a store, or is damaged")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == letter)
      #expect(try failure { _ = try on("/nowhere/at/all/store") }.status == PLOT_STORE_FAILED)
    }
  }
}
