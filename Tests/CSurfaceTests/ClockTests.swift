import CPlotEngine
import Foundation
import Testing

extension CSurface {
  /// Clocks that are set.
  @Suite(.serialized) struct Clocks {
    private static let start: Int64 = 1_778_932_800_000
    private static let hour: Int64 = 3_600_000

    private func clock(_ phone: Phone, _ time: Int64, _ monotonic: Int64, _ boot: String) throws {
      try check { plot_engine_set_clock(phone.engine, time, monotonic, boot, $0) }
    }

    private func enter(_ phone: Phone, at time: Int64) throws {
      try phone.fix(time, 52.4, 4.9)
      try phone.fix(time, 52.36, 4.885)
    }

    @Test func whatIsRefused() throws {
      let phone = try Phone()
      try phone.start()
      try clock(phone, Self.start, 5000, "one")
      #expect(
        try failure { try clock(phone, Self.start, 4999, "one") }.message
          == "monotonic_ms: expected 5000 or more, as before in this boot, found 4999")
      #expect(
        try failure { try clock(phone, Self.start, -1, "one") }.message
          == "monotonic_ms: expected milliseconds since the device was started, 0 or more, found -1")
      #expect(try failure { try clock(phone, -1, 6000, "one") }.status == PLOT_INVALID_ARGUMENT)
      #expect(
        try failure { try clock(phone, Self.start, 6000, "") }.message
          == "boot_id: expected a text of 1 to 255 bytes, found 0 bytes")
      let long = String(repeating: "é", count: 128)
      #expect(try failure { try clock(phone, Self.start, 6000, long) }.found == "256 bytes")
      #expect(plot_engine_set_clock(phone.engine, Self.start, 6000, nil, nil) == PLOT_INVALID_ARGUMENT)
      try clock(phone, Self.start, 0, "two")
    }

    /// A wakeup can always be followed: near the last of all times there is none, rather than one that is refused.
    @Test func aWakeupIsATimeThatIsTaken() throws {
      let last: Int64 = 253_402_300_799_999
      let dwelling =
        #"{"id": "d", "type": "geotrigger", "name": "d", "regions": ["museum"], "#
        + #""trigger": "dwelling", "dwellingMinutes": 10}"#
      for left in [Int64(0), 1, 599_999, 600_000, 600_001, 3_600_000] {
        let phone = try Phone()
        try phone.start(at: last - left)
        try phone.feed(museum(dwelling), at: last - left)
        try enter(phone, at: last - left)
        var wakeup: Int64 = 0
        try check { plot_engine_next_wakeup(phone.engine, &wakeup, $0) }
        #expect((wakeup == PLOT_NO_WAKEUP) == (left < 600_000), "\(left)")
        if wakeup != PLOT_NO_WAKEUP { try check { plot_engine_advance(phone.engine, wakeup, $0) } }
        try check { plot_engine_advance(phone.engine, last, $0) }
        try check { plot_engine_next_wakeup(phone.engine, &wakeup, $0) }
        #expect(wakeup == PLOT_NO_WAKEUP)
      }
    }

    /// The word that comes before `plot_engine_init` counts before all that is due.
    @Test func beforeTheStart() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      let feed = museum(notification("a", #", "resend": true, "caps": [{"max": 1, "window": 3600}]"#))
      var phone = try Phone()
      try phone.listen()
      try clock(phone, Self.start, 0, "one")
      try phone.start(store: path, at: Self.start)
      try phone.feed(feed, at: Self.start)
      try enter(phone, at: Self.start + 1000)
      #expect(phone.shown.count == 1)
      plot_engine_close(phone.engine)
      // Half an hour later, by a clock that was set a day ahead.
      phone = try Phone()
      try phone.listen()
      let day = 24 * Self.hour
      try clock(phone, Self.start + day + Self.hour / 2, Self.hour / 2, "one")
      try phone.start(store: path, at: Self.start + day + Self.hour / 2)
      try enter(phone, at: Self.start + day + Self.hour / 2)
      #expect(phone.shown.isEmpty, "the cap is full")
      try enter(phone, at: Self.start + day + Self.hour + 1000)
      #expect(phone.shown.count == 1)
      plot_engine_close(phone.engine)
    }

    @Test func aRefusedWordIsTheStartsOwn() throws {
      let path = temporary("store")
      defer { try? FileManager.default.removeItem(atPath: path) }
      let phone = try Phone()
      try phone.start(store: path, at: Self.start)
      try clock(phone, Self.start, 5000, "one")
      plot_engine_close(phone.engine)
      let next = try Phone()
      try clock(next, Self.start, 4000, "one")
      #expect(try failure { try next.start(store: path, at: Self.start) }.status == PLOT_INVALID_ARGUMENT)
      try clock(next, Self.start, 5001, "one")
      try next.start(store: path, at: Self.start)
      plot_engine_close(next.engine)
    }
  }
}
