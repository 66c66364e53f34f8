import CPlotEngine
import Foundation
import PlotTesting
import Testing

/// Eight threads on the same engines and the same feeds, one of them mapped. What each call gives depends on who was first. Whether the engines
/// lock what they share is said by the thread sanitizer over a program in C, Tests/sanitize/threads.c (`make sanitize`).
extension CSurface {
  @Suite(.serialized) struct ThreadTests {
    private final class Shared: @unchecked Sendable {
      let engines: [OpaquePointer]
      let feeds: [OpaquePointer]
      private let lock = NSLock()
      private var statuses: [Int32: Int] = [:]
      private var destroyed = 0

      init(engines: [OpaquePointer], feeds: [OpaquePointer]) { (self.engines, self.feeds) = (engines, feeds) }

      func note(_ status: Int32) { lock.withLock { statuses[status, default: 0] += 1 } }
      func destroy() { lock.withLock { destroyed += 1 } }
      var seen: [Int32: Int] { lock.withLock { statuses } }
      var ended: Int { lock.withLock { destroyed } }
    }

    private func work(_ number: Int, _ shared: Shared, closes: Bool) {
      for turn in 0..<150 {
        let engine = shared.engines[(number + turn) % shared.engines.count]
        let time = Int64(1000 + turn * 500)
        switch (number + turn) % 8 {
        case 0, 1:
          let isNear = turn % 16 < 8
          shared.note(plot_engine_update_location(engine, time, isNear ? 52.36 : 52.4, 4.885, 5, -1, -1, nil))
        case 2: shared.note(plot_engine_set_feed(engine, time, shared.feeds[turn % shared.feeds.count], nil))
        case 3:
          var list: OpaquePointer?
          shared.note(plot_engine_get_sent_notifications(engine, &list, nil))
          plot_list_free(list)
        case 4:
          var text: OpaquePointer?
          shared.note(plot_engine_get_visits(engine, &text, nil))
          plot_string_free(text)
          shared.note(plot_engine_advance(engine, time, nil))
        case 5:
          let me = Unmanaged.passRetained(shared).toOpaque()
          shared.note(
            plot_engine_set_event_callback(
              engine,
              { me, engine, _, _, _ in
                var text: OpaquePointer?
                Unmanaged<Shared>.fromOpaque(me!).takeUnretainedValue().note(plot_engine_get_visits(engine, &text, nil))
                plot_string_free(text)
              }, me,
              { me in
                let shared = Unmanaged<Shared>.fromOpaque(me!).takeRetainedValue()
                shared.destroy()
              }, nil))
        case 6:
          shared.note(plot_engine_set_string_segmentation_property(engine, time, "k", "v\(turn)", nil))
          if turn % 40 == 0 { shared.note(plot_engine_clear_all_data(engine, time, nil)) }
        default:
          let feed = shared.feeds[turn % shared.feeds.count]
          #expect(plot_feed_get_campaign_count(feed) == 1)
          var text: OpaquePointer?
          shared.note(plot_feed_to_json(feed, &text, nil))
          plot_string_free(text)
        }
        if closes, number == 7, turn == 120 { shared.note(plot_engine_close(engine)) }
      }
    }

    @Test func eightThreadsOnSharedEnginesAndFeeds() throws {
      let before = plot_live_objects()
      let folder = try Folder()
      let json = museum(notification("a"))
      let path = folder.path("feed")
      do {
        let parsed = try take { plot_feed_parse(json, json.utf8.count, $0, $1) }
        try check { plot_feed_save(parsed, path, $0) }
        let mapped = try take { plot_feed_map(path, $0, $1) }
        var engines: [OpaquePointer] = []
        for number in 0..<3 {
          let engine = try take { plot_engine_new($0, $1) }
          let config = try early()
          let store = folder.path("store\(number)")
          try check { plot_engine_init(engine, 0, config, number == 0 ? nil : store, $0) }
          plot_config_free(config)
          engines.append(engine)
        }
        let shared = Shared(engines: engines, feeds: [parsed, mapped])
        let threads = (0..<8).map { number in
          let done = DispatchSemaphore(value: 0)
          let thread = Thread {
            work(number, shared, closes: true)
            done.signal()
          }
          thread.stackSize = 1 << 22
          thread.start()
          return done
        }
        for done in threads { done.wait() }
        // Late fixes, and what comes after the close, are refused; nothing else is.
        #expect(Set(shared.seen.keys).isSubset(of: [PLOT_OK, PLOT_OUT_OF_ORDER, PLOT_CLOSED]), "\(shared.seen)")
        #expect(shared.seen[PLOT_OK, default: 0] > 300 && shared.seen[PLOT_CLOSED, default: 0] > 0, "\(shared.seen)")
        for engine in engines { plot_engine_free(engine) }
        for feed in [parsed, mapped] { plot_feed_free(feed) }
        #expect(shared.ended > 0)
      }
      #expect(plot_live_objects() == before)
    }

    /// A text is kept with its item when it is first read, by whichever thread that is.
    @Test func eightThreadsReadTheSameItems() throws {
      let engine = try take { plot_engine_new($0, $1) }
      defer { plot_engine_free(engine) }
      let config = try early()
      defer { plot_config_free(config) }
      try check { plot_engine_init(engine, 0, config, nil, $0) }
      let json = museum((0..<200).map { notification("a\($0)") }.joined(separator: ","))
      let feed = try take { plot_feed_parse(json, json.utf8.count, $0, $1) }
      defer { plot_feed_free(feed) }
      try check { plot_engine_set_feed(engine, 0, feed, $0) }
      let list = try take { plot_engine_get_loaded_notifications(engine, 0, $0, $1) }
      defer { plot_list_free(list) }
      #expect(plot_list_get_count(list) == 200)
      let shared = Shared(engines: [list], feeds: [])
      let ends = (0..<8).map { _ in
        let done = DispatchSemaphore(value: 0)
        Thread {
          for index in 0..<200 {
            for key in [PLOT_KEY_IDENTIFIER, PLOT_KEY_MESSAGE, PLOT_KEY_CAMPAIGN_ID, PLOT_KEY_REGION_ID] {
              var text: UnsafePointer<CChar>?
              shared.note(plot_item_get_string(plot_list_get(shared.engines[0], index), key, &text))
            }
          }
          done.signal()
        }.start()
        return done
      }
      for end in ends { end.wait() }
      #expect(shared.seen == [PLOT_OK: 8 * 200 * 4])
    }
  }
}
