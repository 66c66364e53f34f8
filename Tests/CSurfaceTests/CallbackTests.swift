import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// The calls that a callback may make: docs in the header, CALLBACKS.
  @Suite(.serialized) struct Callbacks {
    /// Counts how often `destroy` runs.
    final class Tally {
      var destroyed = 0
      var calls = 0
      var action: (() -> Void)?

      var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

      static let destroy: @convention(c) (UnsafeMutableRawPointer?) -> Void = { Tally.from($0).destroyed += 1 }

      static let event: plot_event_fn = { me, _, _, _, _ in
        let tally = Tally.from(me)
        tally.calls += 1
        tally.action?()
      }

      static func from(_ pointer: UnsafeMutableRawPointer?) -> Tally {
        Unmanaged<Tally>.fromOpaque(pointer!).takeUnretainedValue()
      }
    }

    private func engine(_ tally: Tally) throws -> OpaquePointer {
      let engine = try take { plot_engine_new($0, $1) }
      let config = try early()
      defer { plot_config_free(config) }
      try check { plot_engine_init(engine, 0, config, nil, $0) }
      let json = museum(notification("a"))
      let feed = try take { plot_feed_parse(json, json.utf8.count, $0, $1) }
      defer { plot_feed_free(feed) }
      try check { plot_engine_set_feed(engine, 0, feed, $0) }
      try check { plot_engine_set_event_callback(engine, Tally.event, tally.pointer, Tally.destroy, $0) }
      try check { plot_engine_update_location(engine, 1, 52.4, 4.9, 0, -1, -1, $0) }
      return engine
    }

    private func enter(_ engine: OpaquePointer) -> Int32 {
      plot_engine_update_location(engine, 2, 52.36, 4.885, 0, -1, -1, nil)
    }

    @Test func destroyRunsOnceWhenReplacedRemovedClosedOrRefused() throws {
      let replaced = Tally()
      let engine = try engine(replaced)
      let second = Tally()
      try check { plot_engine_set_event_callback(engine, Tally.event, second.pointer, Tally.destroy, $0) }
      #expect(replaced.destroyed == 1)
      try check { plot_engine_set_event_callback(engine, nil, nil, nil, $0) }
      #expect(second.destroyed == 1)
      let third = Tally()
      try check { plot_engine_set_event_callback(engine, Tally.event, third.pointer, Tally.destroy, $0) }
      #expect(plot_engine_close(engine) == PLOT_OK)
      #expect(third.destroyed == 1)
      let late = Tally()
      #expect(plot_engine_set_event_callback(engine, Tally.event, late.pointer, Tally.destroy, nil) == PLOT_CLOSED)
      #expect(late.destroyed == 1)
      plot_engine_free(engine)
      let nowhere = Tally()
      let status = plot_engine_set_event_callback(nil, Tally.event, nowhere.pointer, Tally.destroy, nil)
      #expect(status == PLOT_INVALID_ARGUMENT && nowhere.destroyed == 1)
      let without = Tally()
      let fourth = Tally()
      let other = try self.engine(fourth)
      try check { plot_engine_set_event_callback(other, nil, without.pointer, Tally.destroy, $0) }
      #expect(without.destroyed == 1)
      plot_engine_free(other)
      #expect([replaced, second, third, fourth].map(\.destroyed) == [1, 1, 1, 1])
    }

    @Test func aCallbackMayRemoveItself() throws {
      let tally = Tally()
      let engine = try engine(tally)
      tally.action = { #expect(plot_engine_set_event_callback(engine, nil, nil, nil, nil) == PLOT_OK) }
      #expect(enter(engine) == PLOT_OK)
      #expect(tally.calls == 1 && tally.destroyed == 1)
      plot_engine_free(engine)
      #expect(tally.destroyed == 1)
    }

    @Test func aCallbackMayCallTheEngine() throws {
      let tally = Tally()
      let engine = try engine(tally)
      var order: [String] = []
      tally.action = {
        order.append("event \(tally.calls)")
        if tally.calls == 1 {
          #expect(plot_engine_update_location(engine, 3, 52.4, 4.9, 0, -1, -1, nil) == PLOT_OK)
          order.append("called")
        }
      }
      #expect(enter(engine) == PLOT_OK)
      // The effects of the inner call come after the callback has returned, in order.
      #expect(order == ["event 1", "called", "event 2", "event 3"])
      plot_engine_free(engine)
    }

    @Test func aCallbackMayCloseOrFreeTheEngine() throws {
      let before = plot_live_objects()
      let closing = Tally()
      let engine = try engine(closing)
      closing.action = { #expect(plot_engine_close(engine) == PLOT_OK) }
      #expect(enter(engine) == PLOT_OK)
      #expect(closing.calls == 1 && closing.destroyed == 1)
      plot_engine_free(engine)
      let freeing = Tally()
      let other = try self.engine(freeing)
      freeing.action = { plot_engine_free(other) }
      #expect(enter(other) == PLOT_OK)
      #expect(freeing.calls == 1 && freeing.destroyed == 1)
      #expect(plot_live_objects() == before)
    }

    @Test func twoThreadsTakeTurns() throws {
      let phone = try Phone()
      try phone.listen()
      try phone.start()
      try phone.feed(museum(notification("a", #", "resend": true"#)))
      let address = UInt(bitPattern: phone.engine)
      let threads = (0..<4).map { _ in
        Thread {
          let engine = OpaquePointer(bitPattern: address)
          for step in 0..<500 {
            // An older time is refused; that is one of the two right answers here.
            let inside = step % 2 == 0
            let status = plot_engine_update_location(
              engine, Int64(step) * 1000, inside ? 52.36 : 52.4, 4.885, 0, -1, -1, nil)
            #expect(status == PLOT_OK || status == PLOT_OUT_OF_ORDER)
          }
        }
      }
      for thread in threads { thread.start() }
      while threads.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
      let kinds = try phone.events.map { try #require(try record($0)["event"] as? String) }
      let crossings = kinds.filter { $0 == "region-exit" || $0 == "region-enter" || $0 == "region-inside" }
      for (index, kind) in crossings.enumerated() { #expect((kind == "region-exit") == (index % 2 == 1)) }
      let sequences = try phone.events.map { try #require(try record($0)["sequence"] as? Int) }
      #expect(sequences == Array(1...sequences.count))
    }
  }
}
