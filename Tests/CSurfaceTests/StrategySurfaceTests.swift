import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// Strategies as a host has them: docs/strategies.md, and the header.
  @Suite(.serialized) struct StrategySurface {
    /// A strategy that writes down what it is asked and told.
    final class Witness {
      var log: [String] = []
      var agrees = true
      /// The answer when it is asked to save; nil for nothing.
      var state: String?
      var destroyed = 0
      /// Called within a call, with its name.
      var action: ((String, OpaquePointer) -> Void)?

      /// For one registration, which holds it until it is destroyed.
      var pointer: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

      static let names = [
        PLOT_STRATEGY_UPDATE_PARAMETERS: "parameters", PLOT_STRATEGY_VOTE_CREATE: "create?",
        PLOT_STRATEGY_VOTE_DELETE: "delete?", PLOT_STRATEGY_CREATED: "created", PLOT_STRATEGY_DELETED: "deleted",
        PLOT_STRATEGY_BACKGROUND: "background", PLOT_STRATEGY_FOREGROUND: "foreground",
        PLOT_STRATEGY_START_MONITORING: "monitoring", PLOT_STRATEGY_LOAD: "load", PLOT_STRATEGY_SAVE: "save",
      ]

      static let destroy: @convention(c) (UnsafeMutableRawPointer?) -> Void = {
        Unmanaged<Witness>.fromOpaque($0!).takeRetainedValue().destroyed += 1
      }

      static let call: plot_strategy_fn = { me, _, what, call in
        let witness = Witness.from(me)
        #expect(witness.destroyed == 0, "nothing is put to it after it was destroyed")
        let name = Witness.names[what] ?? "\(what)"
        if what == PLOT_STRATEGY_SAVE {
          if let state = witness.state { #expect(plot_strategy_call_set_state(call, state, nil) == PLOT_OK) }
        } else {
          witness.log.append(name + witness.rest(what, call!))
        }
        witness.action?(name, call!)
        return witness.agrees ? 1 : 0
      }

      private func rest(_ what: Int32, _ call: OpaquePointer) -> String {
        switch what {
        case PLOT_STRATEGY_LOAD:
          return " " + (plot_strategy_call_get_state(call).map { "'\(String(cString: $0))'" } ?? "nil")
        case PLOT_STRATEGY_UPDATE_PARAMETERS: return " " + String(cString: plot_strategy_call_get_json(call))
        default: break
        }
        guard let item = plot_strategy_call_get_item(call) else { return "" }
        var campaign: UnsafePointer<CChar>?
        plot_item_get_string(item, PLOT_KEY_CAMPAIGN_ID, &campaign)
        let isVote = what == PLOT_STRATEGY_VOTE_CREATE || what == PLOT_STRATEGY_VOTE_DELETE
        return " " + String(cString: campaign!) + (isVote ? "" : " \(plot_strategy_call_get_done(call))")
      }

      /// The events since the last call.
      func news() -> [String] {
        defer { log = [] }
        return log
      }

      func register(_ key: String, on engine: OpaquePointer?) throws {
        try check { plot_engine_set_strategy(engine, key, Witness.call, pointer, Witness.destroy, $0) }
      }

      static func from(_ pointer: UnsafeMutableRawPointer?) -> Witness {
        Unmanaged<Witness>.fromOpaque(pointer!).takeUnretainedValue()
      }
    }

    private static let feed = museum(notification("a", #", "resend": true, "removeOnExit": true"#))

    private func phone(_ feed: String = Self.feed, store: String? = nil) throws -> Phone {
      let phone = try Phone()
      try phone.listen()
      try phone.start(store: store)
      try phone.feed(feed)
      try phone.fix(1000, 52.4, 4.9)
      return phone
    }

    private func enter(_ phone: Phone, at time: Int64) throws { try phone.fix(time, 52.36, 4.885) }

    private func leave(_ phone: Phone, at time: Int64) throws { try phone.fix(time, 52.4, 4.9) }

    /// The store as it is now, as after a kill.
    private static func copy(_ path: String, to other: String) {
      for suffix in ["", "-wal", "-log"] {
        try? FileManager.default.removeItem(atPath: other + suffix)
        try? FileManager.default.copyItem(atPath: path + suffix, toPath: other + suffix)
      }
    }

    /// A file name, and one for a copy; both are removed at the end.
    private func withStores(_ body: (_ path: String, _ killed: String) throws -> Void) throws {
      let path = temporary("strategies")
      let killed = path + ".killed"
      defer {
        for file in [path, killed] {
          for suffix in ["", "-wal", "-log"] { try? FileManager.default.removeItem(atPath: file + suffix) }
        }
      }
      try body(path, killed)
    }

    // MARK: Registering

    @Test func beforeInitAndAfter() throws {
      let phone = try Phone()
      try phone.listen()
      let (early, late) = (Witness(), Witness())
      try early.register("early", on: phone.engine)
      #expect(early.log.isEmpty, "nothing is known before the start")
      try phone.start()
      #expect(early.news() == ["load nil"])
      try phone.feed(Self.feed)
      try late.register("late", on: phone.engine)
      #expect(late.news() == ["load nil"] && early.log.isEmpty)
      try leave(phone, at: 1000)
      try enter(phone, at: 2000)
      for witness in [early, late] { #expect(witness.news() == ["monitoring", "create? a", "created a 1"]) }
      #expect(phone.shown.count == 1)
      // All are asked, also when the first says no; no item is used up by that.
      early.agrees = false
      try leave(phone, at: 3000)
      #expect(phone.shown.count == 1)
      for witness in [early, late] { #expect(witness.news() == ["delete? a", "deleted a 0"]) }
      late.agrees = false
      early.agrees = true
      try enter(phone, at: 4000)
      for witness in [early, late] { #expect(witness.news() == ["monitoring", "create? a", "created a 0"]) }
      #expect(phone.shown.count == 1)
    }

    @Test func replacingKeepsThePlaceAndRemovingTakesTheVote() throws {
      let phone = try phone()
      var order: [String] = []
      func witness(_ name: String) -> Witness {
        let witness = Witness()
        witness.action = { what, _ in if what == "create?" { order.append(name) } }
        return witness
      }
      let (first, second, other) = (witness("first"), witness("second"), witness("other"))
      try first.register("s", on: phone.engine)
      try second.register("t", on: phone.engine)
      try other.register("s", on: phone.engine)
      #expect(first.destroyed == 1 && other.log == ["load nil"])
      try enter(phone, at: 2000)
      #expect(order == ["other", "second"])
      for key in ["s", "nobody"] { try check { plot_engine_set_strategy(phone.engine, key, nil, nil, nil, $0) } }
      #expect(other.destroyed == 1)
      second.agrees = true
      try leave(phone, at: 3000)
      try enter(phone, at: 4000)
      #expect(order == ["other", "second", "second"] && phone.shown.count == 2)
    }

    @Test func destroyRunsOnceInEachCase() throws {
      let before = plot_live_objects()
      let witnesses = (0..<9).map { _ in Witness() }
      let phone: OpaquePointer = try take { plot_engine_new($0, $1) }
      func set(_ engine: OpaquePointer?, _ key: UnsafePointer<CChar>?, _ number: Int, isNull: Bool = false) -> Int32 {
        let call: plot_strategy_fn? = isNull ? nil : Witness.call
        return plot_engine_set_strategy(engine, key, call, witnesses[number].pointer, Witness.destroy, nil)
      }
      #expect(set(phone, "kept", 0) == PLOT_OK && set(phone, "replaced", 1) == PLOT_OK)
      #expect(set(phone, "replaced", 2) == PLOT_OK && witnesses[1].destroyed == 1)
      #expect(set(phone, "removed", 3) == PLOT_OK)
      #expect(plot_engine_set_strategy(phone, "removed", nil, nil, nil, nil) == PLOT_OK && witnesses[3].destroyed == 1)
      #expect(set(phone, "kept", 4, isNull: true) == PLOT_OK)
      #expect(witnesses[4].destroyed == 1 && witnesses[0].destroyed == 1)
      #expect(set(nil, "s", 5) == PLOT_INVALID_ARGUMENT && set(phone, nil, 6) == PLOT_INVALID_ARGUMENT)
      #expect(set(phone, "a;b", 7) == PLOT_INVALID_ARGUMENT)
      for refused in 5...7 { #expect(witnesses[refused].destroyed == 1) }
      #expect(plot_engine_close(phone) == PLOT_OK && witnesses[2].destroyed == 1)
      #expect(set(phone, "late", 8) == PLOT_CLOSED && witnesses[8].destroyed == 1)
      plot_engine_free(phone)
      #expect(witnesses.map(\.destroyed) == Array(repeating: 1, count: 9))
      #expect(plot_live_objects() == before)
    }

    @Test func aVoteMayRemoveItsStrategy() throws {
      let phone = try phone()
      let witness = Witness()
      try witness.register("s", on: phone.engine)
      _ = witness.news()
      witness.action = { [unowned witness, unowned phone] what, _ in
        guard what == "create?" else { return }
        #expect(plot_engine_set_strategy(phone.engine, "s", nil, nil, nil, nil) == PLOT_OK)
        #expect(witness.destroyed == 0, "not while it is running")
      }
      try enter(phone, at: 2000)
      #expect(witness.news() == ["monitoring", "create? a"] && witness.destroyed == 1)
      #expect(phone.shown.count == 1)
    }

    @Test(arguments: [false, true]) func aVoteMayCloseOrFreeItsEngine(_ frees: Bool) throws {
      let before = plot_live_objects()
      let engine = try take { plot_engine_new($0, $1) }
      let config = try early()
      let feed = try take { plot_feed_parse(Self.feed, Self.feed.utf8.count, $0, $1) }
      try check { plot_engine_init(engine, 0, config, nil, $0) }
      try check { plot_engine_set_feed(engine, 0, feed, $0) }
      plot_config_free(config)
      plot_feed_free(feed)
      let (witness, other) = (Witness(), Witness())
      try witness.register("s", on: engine)
      try other.register("t", on: engine)
      witness.action = { what, call in
        guard what == "create?" else { return }
        if frees { plot_engine_free(engine) } else { #expect(plot_engine_close(engine) == PLOT_OK) }
        // The bytes that it was handed are its own until it returns.
        #expect(plot_strategy_call_get_time(call) == 2000 && plot_strategy_call_get_item(call) != nil)
      }
      #expect(plot_engine_update_location(engine, 1000, 52.4, 4.9, 0, -1, -1, nil) == PLOT_OK)
      #expect(plot_engine_update_location(engine, 2000, 52.36, 4.885, 0, -1, -1, nil) == PLOT_OK)
      #expect(witness.log.last == "create? a" && witness.destroyed == 1 && other.destroyed == 1)
      #expect(!other.log.contains("created a 1") && !other.log.contains("created a 0"))
      if !frees { plot_engine_free(engine) }
      #expect(plot_live_objects() == before && witness.destroyed == 1 && other.destroyed == 1)
    }

    // MARK: What is refused

    @Test func badKeys() throws {
      let phone = try phone()
      func fault(_ key: UnsafePointer<CChar>?) throws -> Phone.Failure {
        try failure { try check { plot_engine_set_strategy(phone.engine, key, Witness.call, nil, nil, $0) } }
      }
      let invalid: [CChar] = [-1, -2, 0]
      let long = String(repeating: "é", count: 128)
      for key in ["", "a;b", "a\n", long] {
        let fault = try fault(key)
        #expect(fault.status == PLOT_INVALID_ARGUMENT && fault.message.hasPrefix("key: expected "), "\(fault)")
      }
      #expect(try fault(nil).status == PLOT_INVALID_ARGUMENT)
      #expect(try fault(invalid).status == PLOT_INVALID_ARGUMENT)
      let longest = String(long.dropLast())
      #expect(
        plot_engine_set_strategy(phone.engine, longest, Witness.call, Witness().pointer, Witness.destroy, nil)
          == PLOT_OK)
      #expect(plot_engine_set_strategy(phone.engine, longest, nil, nil, nil, nil) == PLOT_OK)
    }

    @Test func aStateIsGivenToASaveOnly() throws {
      let phone = try phone()
      let witness = Witness()
      var refused: [String] = []
      let invalid: [CChar] = [-1, -2, 0]
      witness.action = { what, call in
        if what == "save" {
          #expect(plot_strategy_call_set_state(call, nil, nil) == PLOT_INVALID_ARGUMENT)
          #expect(plot_strategy_call_set_state(call, invalid, nil) == PLOT_INVALID_ARGUMENT)
          return
        }
        do {
          try check { plot_strategy_call_set_state(call, "x", $0) }
          Issue.record("taken in \(what)")
        } catch { refused.append("\(what) \(error)") }
      }
      try witness.register("s", on: phone.engine)
      try enter(phone, at: 2000)
      let message = "call: expected PLOT_STRATEGY_SAVE, found "
      #expect(
        refused == [
          "load 1: \(message)8", "monitoring 1: \(message)7", "create? 1: \(message)1", "created 1: \(message)3",
        ])
      #expect(plot_strategy_call_set_state(nil, "x", nil) == PLOT_INVALID_ARGUMENT)
      let again = Witness()
      try again.register("s", on: phone.engine)
      #expect(again.log == ["load nil"], "nothing was kept")
    }

    @Test func whatACallDoesNotHaveIsNothing() throws {
      #expect(plot_strategy_call_get_item(nil) == nil && plot_strategy_call_get_state(nil) == nil)
      #expect(plot_strategy_call_get_time(nil) == 0 && plot_strategy_call_get_done(nil) == 0)
      #expect(String(cString: plot_strategy_call_get_json(nil)) == "")
      let phone = try phone()
      let witness = Witness()
      var seen: [String] = []
      witness.action = { what, call in
        let json = String(cString: plot_strategy_call_get_json(call))
        let hasItem = plot_strategy_call_get_item(call) != nil
        seen.append("\(what) \(plot_strategy_call_get_time(call)) \(hasItem) \(json.count > 2)")
        if what != "load" { #expect(plot_strategy_call_get_state(call) == nil) }
        guard let item = plot_strategy_call_get_item(call) else { return }
        // A strategy looks, and edits nothing.
        #expect(plot_item_set_string(item, PLOT_KEY_MESSAGE, "x", nil) == PLOT_READ_ONLY_KEY)
      }
      try witness.register("s", on: phone.engine)
      try check { plot_engine_set_foreground(phone.engine, 1500, 1, $0) }
      try check { plot_engine_set_foreground(phone.engine, 1600, 1, $0) }
      try check { plot_engine_set_foreground(phone.engine, 1700, 0, $0) }
      try enter(phone, at: 2000)
      #expect(
        seen == [
          "load 1000 false false", "foreground 1500 false false", "save 1500 false false",
          "background 1700 false false", "save 1700 false false", "monitoring 2000 false true",
          "save 2000 false false", "create? 2000 true true", "created 2000 true false", "save 2000 false false",
        ])
    }

    @Test func theScreen() throws {
      let phone = try phone()
      func displayed() throws -> String {
        try phone.list { plot_engine_get_displayed_notifications(phone.engine, $0, $1) }
      }
      #expect(try displayed() == "[]")
      try enter(phone, at: 2000)
      let match = try #require(try phone.sent.first?["matchIdentifier"] as? String)
      #expect(try displayed().contains(match))
      for flag in [Int32(2), -1] {
        #expect(plot_engine_set_foreground(phone.engine, 2000, flag, nil) == PLOT_INVALID_ARGUMENT)
        #expect(plot_engine_set_network(phone.engine, 2000, flag, nil) == PLOT_INVALID_ARGUMENT)
      }
      let invalid: [CChar] = [-1, -2, 0]
      #expect(plot_engine_dismiss_notification(phone.engine, 2000, nil, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_dismiss_notification(phone.engine, 2000, invalid, nil) == PLOT_INVALID_ARGUMENT)
      #expect(plot_engine_dismiss_notification(phone.engine, 2000, "nobody", nil) == PLOT_NOT_FOUND)
      #expect(plot_engine_dismiss_notification(phone.engine, -1, match, nil) == PLOT_INVALID_ARGUMENT)
      for _ in 0..<2 { #expect(plot_engine_dismiss_notification(phone.engine, 2500, match, nil) == PLOT_OK) }
      #expect(try displayed() == "[]")
      #expect(try phone.values("campaign", of: "notification-dismissed") == ["a"])
    }

    @Test(arguments: [PLOT_OK, PLOT_IO_ERROR]) func takingAwayIsTheHosts(_ status: Int32) throws {
      let phone = try phone()
      let witness = Witness()
      try witness.register("s", on: phone.engine)
      phone.showStatus = PLOT_OK
      let box = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
      box.initialize(to: status)
      try check {
        plot_engine_set_remove_callback(
          phone.engine, { $0!.assumingMemoryBound(to: Int32.self).pointee + ($2 == nil ? 100 : 0) }, box,
          { $0!.deallocate() }, $0)
      }
      try enter(phone, at: 2000)
      _ = witness.news()
      try leave(phone, at: 3000)
      #expect(witness.news() == ["delete? a", "deleted a \(status == PLOT_OK ? 1 : 0)"])
      #expect(try phone.values("campaign", of: "notification-removed") == (status == PLOT_OK ? ["a"] : []))
    }

    // MARK: With a store

    @Test func whatItSavedIsThereAfterARestart() throws {
      try withStores { path, _ in
        var phone = try phone(store: path)
        let (one, two, silent) = (Witness(), Witness(), Witness())
        one.state = "é \"\n"
        two.state = ""
        try one.register("one", on: phone.engine)
        try two.register("two", on: phone.engine)
        try silent.register("silent", on: phone.engine)
        try enter(phone, at: 2000)
        plot_engine_close(phone.engine)
        for turn in 0..<2 {
          phone = try Phone()
          try phone.listen()
          let again = ["one", "two", "silent", "new"].map { (key: $0, witness: Witness()) }
          for (key, witness) in again { try witness.register(key, on: phone.engine) }
          try phone.start(store: path, at: 3000)
          #expect(
            again.map { $0.witness.log } == [["load 'é \"\n'"], ["load ''"], ["load nil"], ["load nil"]], "\(turn)")
          plot_engine_close(phone.engine)
        }
        // Removing leaves what was kept.
        phone = try Phone()
        try phone.start(store: path, at: 4000)
        try check { plot_engine_set_strategy(phone.engine, "one", nil, nil, nil, $0) }
        let late = Witness()
        try late.register("one", on: phone.engine)
        #expect(late.log == ["load 'é \"\n'"])
      }
    }

    /// A display and what a strategy made of it are in the store both, or neither.
    @Test(arguments: ["show", "created", "save", "shown"]) func aKillLeavesBothOrNeither(_ moment: String) throws {
      try withStores { path, killed in
        let witness = Witness()
        do {
          let phone = try phone(store: path)
          witness.state = "before"
          try witness.register("s", on: phone.engine)
          try check { plot_engine_set_foreground(phone.engine, 1500, 1, $0) }
          witness.state = "after"
          var isShown = false
          witness.action = { what, _ in
            if what == "created" { isShown = true }
            if what == moment, isShown { Self.copy(path, to: killed) }
          }
          if moment == "show" {
            try check {
              plot_engine_set_show_callback(
                phone.engine,
                { path, _, _ in
                  let path = String(cString: path!.assumingMemoryBound(to: CChar.self))
                  StrategySurface.copy(path, to: path + ".killed")
                  return PLOT_OK
                }, strdup(path), { free($0) }, $0)
            }
          }
          if moment == "shown" {
            try check {
              plot_engine_set_event_callback(
                phone.engine,
                { path, _, json, _, _ in
                  let path = String(cString: path!.assumingMemoryBound(to: CChar.self))
                  if String(cString: json!).contains("notification-shown") {
                    StrategySurface.copy(path, to: path + ".killed")
                  }
                }, strdup(path), { free($0) }, $0)
            }
          }
          // The monitoring that comes first saves too: that is not about the display.
          witness.state = "before"
          witness.action = { [action = witness.action] what, call in
            if what == "create?" { witness.state = "after" }
            action?(what, call)
          }
          try enter(phone, at: 2000)
        }
        let phone = try Phone()
        try phone.listen()
        let next = Witness()
        next.state = "counted"
        try next.register("s", on: phone.engine)
        try phone.start(store: killed, at: 3000)
        #expect(try phone.sent.count == 1 && phone.shown.isEmpty, "it is never shown twice")
        #expect(
          next.log == (moment == "shown" ? ["load 'after'"] : ["load 'before'", "created a 1"]),
          "the display is told where what was made of it is not kept")
      }
    }

    /// The start that finds a display is killed, too: the next one tells of it again, and only until the state is in the store.
    @Test(arguments: ["created", "save"]) func aStartThatIsKilledTellsAgain(_ moment: String) throws {
      try withStores { path, killed in
        let witness = Witness()
        do {
          let phone = try phone(store: path)
          witness.action = { what, _ in if what == "created" { Self.copy(path, to: killed) } }
          try witness.register("s", on: phone.engine)
          try enter(phone, at: 2000)
        }
        /// Starts an engine with a strategy that saves `state`, and gives the calls that the strategy gets.
        func heard(_ store: String, _ state: String, _ action: @escaping (String) -> Void = { _ in }) throws -> [String]
        {
          let phone = try Phone()
          try phone.listen()
          let next = Witness()
          next.state = state
          next.action = { what, _ in action(what) }
          try next.register("s", on: phone.engine)
          try phone.start(store: store, at: 3000)
          #expect(try phone.sent.count == 1 && phone.shown.isEmpty, "it is never shown twice")
          return next.log
        }
        #expect(
          try heard(killed, "first") { if $0 == moment { Self.copy(killed, to: path) } } == ["load nil", "created a 1"])
        #expect(try heard(killed, "second") == ["load 'first'"])
        #expect(try heard(path, "third") == ["load nil", "created a 1"])
        #expect(try heard(path, "fourth") == ["load 'third'"])
      }
    }

    /// An item that waits for its vote when the process ends is asked about at the next start; without a strategy it goes on.
    @Test(arguments: [true, false]) func whatWaitedForItsVote(_ hasStrategy: Bool) throws {
      try withStores { path, killed in
        let feed = museum(notification("a"), notification("b"))
        let witness = Witness()
        do {
          let phone = try phone(feed, store: path)
          witness.action = { what, _ in if what == "create?" { Self.copy(path, to: killed) } }
          witness.agrees = false
          try witness.register("s", on: phone.engine)
          try enter(phone, at: 2000)
          #expect(phone.shown.isEmpty)
        }
        // The copy is of the second vote; the first had been decided by then.
        let phone = try Phone()
        try phone.listen()
        let next = Witness()
        if hasStrategy { try next.register("s", on: phone.engine) }
        try phone.start(store: killed, at: 3000)
        #expect(phone.shown == ["b at Museum shop"])
        #expect(next.log == (hasStrategy ? ["load nil", "create? b", "created b 1"] : []))
        plot_engine_close(phone.engine)
        let last = try Phone()
        try last.listen()
        try last.start(store: killed, at: 4000)
        #expect(last.shown.isEmpty, "once")
      }
    }

    /// Its state comes first, also when it is registered while other things wait to be told.
    @Test func aLoadComesBeforeAnythingElse() throws {
      try withStores { path, _ in
        let old = Witness()
        old.state = "kept"
        let new = Witness()
        new.state = "not loaded"
        let phone = try phone(store: path)
        try old.register("s", on: phone.engine)
        try check { plot_engine_set_foreground(phone.engine, 1500, 1, $0) }
        let tally = Callbacks.Tally()
        tally.action = { [unowned tally, unowned phone] in
          if tally.calls == 1 { try? new.register("s", on: phone.engine) }
        }
        try check { plot_engine_set_event_callback(phone.engine, Callbacks.Tally.event, tally.pointer, nil, $0) }
        try enter(phone, at: 2000)
        #expect(new.log == ["load 'kept'", "monitoring", "create? a", "created a 1"])
        try check { plot_engine_set_event_callback(phone.engine, nil, nil, nil, $0) }
      }
    }
  }
}
