import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// A compiled feed through the header.
  @Suite(.serialized) struct CompiledFeeds {
    /// Walks a phone through the feed, from a file or not, and gives what came of it.
    private static func walk(_ json: String, compiled: Bool, store: String) throws -> [String] {
      let path = temporary(".bin")
      defer { try? FileManager.default.removeItem(atPath: path) }
      var told: [String] = []
      for life in 0..<2 {
        let phone = try Phone()
        try phone.listen()
        try phone.start(store: store, at: Int64(life) * 100_000)
        var feed = try take { plot_feed_parse(json, json.utf8.count, $0, $1) }
        if compiled {
          try check { plot_feed_save(feed, path, $0) }
          plot_feed_free(feed)
          feed = try take { plot_feed_map(path, $0, $1) }
          // The name may go; the feed stays.
          try FileManager.default.removeItem(atPath: path)
        }
        let time = Int64(life) * 100_000
        try check { plot_engine_set_feed(phone.engine, time, feed, $0) }
        #expect(plot_feed_get_region_count(feed) == 1 && plot_feed_get_campaign_count(feed) == 3)
        told.append(try text { plot_feed_to_json(feed, $0, $1) })
        plot_feed_free(feed)
        try phone.fix(time + 1000, 52.4, 4.9)
        try phone.fix(time + 2000, 52.36, 4.885)
        try phone.fix(time + 3000, 52.4, 4.9)
        told += phone.events
        told.append(try phone.list { plot_engine_get_loaded_notifications(phone.engine, 0, $0, $1) })
        #expect(plot_engine_close(phone.engine) == PLOT_OK)
      }
      return told
    }

    @Test func itGivesWhatItsJSONGives() throws {
      let before = plot_live_objects()
      let json = museum(notification("a"), notification("b"), notification("c"))
      let stores = [temporary(".store"), temporary(".store")]
      defer { for store in stores { try? FileManager.default.removeItem(atPath: store) } }
      let expected = try Self.walk(json, compiled: false, store: stores[0])
      #expect(try Self.walk(json, compiled: true, store: stores[1]) == expected)
      #expect(expected.count > 6)
      #expect(plot_live_objects() == before)
    }

    @Test func aFeedIsOfferedBeforeTheStart() throws {
      let store = temporary(".store")
      defer { try? FileManager.default.removeItem(atPath: store) }
      let json = museum(notification("a"))
      let feed = try take { plot_feed_parse(json, json.utf8.count, $0, $1) }
      defer { plot_feed_free(feed) }
      for life in 0..<2 {
        let phone = try Phone()
        #expect(plot_engine_offer_feed(phone.engine, nil, nil) == PLOT_INVALID_ARGUMENT)
        #expect(plot_engine_offer_feed(phone.engine, feed, nil) == PLOT_OK)
        try phone.start(store: store, at: Int64(life) * 1000)
        let late = try failure { try check { plot_engine_offer_feed(phone.engine, feed, $0) } }
        #expect(late.status == PLOT_ALREADY_INITIALIZED)
        // It only stands for what the store holds: in the first life that is nothing.
        let loaded = try phone.list { plot_engine_get_loaded_notifications(phone.engine, 0, $0, $1) }
        #expect((loaded == "[]") == (life == 0))
        try check { plot_engine_set_feed(phone.engine, Int64(life) * 1000, feed, $0) }
        #expect(plot_engine_close(phone.engine) == PLOT_OK)
        #expect(plot_engine_offer_feed(phone.engine, feed, nil) == PLOT_CLOSED)
      }
      #expect(plot_engine_offer_feed(nil, feed, nil) == PLOT_INVALID_ARGUMENT)
    }

    @Test func aDamagedFileIsRefused() throws {
      let json = museum(notification("a"))
      let path = temporary(".bin")
      defer { try? FileManager.default.removeItem(atPath: path) }
      let feed = try take { plot_feed_parse(json, json.utf8.count, $0, $1) }
      defer { plot_feed_free(feed) }
      try check { plot_feed_save(feed, path, $0) }
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes[bytes.count / 2] ^= 0x10
      try bytes.write(to: URL(fileURLWithPath: path))
      let fault = try failure { _ = try take { plot_feed_map(path, $0, $1) } }
      #expect(fault.status == PLOT_INVALID_DOCUMENT)
    }
  }
}
