import CPlotEngine
import Testing

extension CSurface {
  /// The limit on every text that the host gives, at its edge.
  @Suite(.serialized) struct TextLimit {
    private static let most = 1 << 20

    @Test func aTextOfTheHost() throws {
      let phone = try Phone()
      try phone.start()
      let longest = String(repeating: "v", count: Self.most)
      try check { plot_engine_set_string_segmentation_property(phone.engine, 1000, "key", longest, $0) }
      try check { plot_engine_clear_segmentation_property(phone.engine, 1000, longest, $0) }
      for (name, call) in [
        ("value", { plot_engine_set_string_segmentation_property(phone.engine, 1000, "key", longest + "v", $0) }),
        ("key", { plot_engine_set_string_segmentation_property(phone.engine, 1000, longest + "v", "value", $0) }),
      ] as [(String, (UnsafeMutablePointer<OpaquePointer?>) -> Int32)] {
        let refused = #expect(throws: Phone.Failure.self) { try check(call) }
        #expect(refused?.status == PLOT_INVALID_ARGUMENT && refused?.message.hasPrefix(name) == true)
        #expect(refused?.expected == "a text of at most 1048576 bytes" && refused?.found == "a longer one")
      }
      let kept = try take { plot_engine_get_segmentation_properties(phone.engine, $0, $1) }
      defer { plot_string_free(kept) }
      #expect(plot_string_get_length(kept) > Self.most, "the first value is there still")
    }
  }
}
