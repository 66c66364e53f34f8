import CPlotEngine
import PlotTesting
import Testing

/// Fences that move with devices, through the header (docs/roaming.md).
@Suite struct RoamingSurfaceTests {
  private static func roaming(_ enter: Double, _ exit: Double, age: Int64 = 0, flags: UInt32 = 0) -> OpaquePointer? {
    var roaming: OpaquePointer?
    return plot_roaming_new(enter, exit, age, flags, &roaming, nil) == PLOT_OK ? roaming : nil
  }

  /// Of a call that gives pairs.
  private static func records(_ call: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) -> [plot_pair]? {
    var pairs: OpaquePointer?
    guard call(&pairs) == PLOT_OK else { return nil }
    defer { plot_pairs_free(pairs) }
    return Array(UnsafeBufferPointer(start: plot_pairs_get_records(pairs), count: plot_pairs_get_count(pairs)))
  }

  @Test func aRecordIsAsTheHeaderSays() {
    #expect(MemoryLayout<plot_pair>.size == 32 && MemoryLayout<plot_pair>.stride == 32)
    let roaming = Self.roaming(100, 150, flags: UInt32(PLOT_ROAMING_DISTANCES))
    defer { plot_roaming_free(roaming) }
    let news = Self.records {
      plot_roaming_update_locations(
        roaming, [4_000_000_000, 7, 7], 3, [1000, 2000, 3000], [52.36, 52.36, 52.3602], [4.885, 4.885, 4.885], $0, nil)
    }
    #expect(news?.map(\.kind) == [UInt32(PLOT_PAIR_ENTER), UInt32(PLOT_PAIR_NEAR)])
    #expect(news?.map(\.fix) == [1, 2] && news?.map(\.time_ms) == [2000, 3000])
    #expect(news?.allSatisfy { $0.first == 7 && $0.second == 4_000_000_000 } == true)
    #expect(news.map { Swift.abs($0[1].metres - 22.239) < 0.001 } == true)
    let gone = Self.records { plot_roaming_remove(roaming, 4_000_000_000, $0, nil) }
    #expect(gone?.map(\.fix) == [UInt32(PLOT_NO_POSITION)] && gone?.map(\.kind) == [UInt32(PLOT_PAIR_EXIT)])
    #expect(Self.records { plot_roaming_list_pairs(roaming, $0, nil) }?.isEmpty == true)
    #expect(Self.records { plot_roaming_expire(roaming, 4000, $0, nil) }?.isEmpty == true)
  }

  @Test func aFaultNamesTheElementAndNothingHasHappened() {
    let roaming = Self.roaming(100, 100)
    defer { plot_roaming_free(roaming) }
    func fault(_ times: [Int64], _ latitudes: [Double], _ longitudes: [Double]) -> String {
      var (pairs, error): (OpaquePointer?, OpaquePointer?)
      let status = plot_roaming_update_locations(
        roaming, [1, 2], times.count, times, latitudes, longitudes, &pairs, &error)
      defer { plot_error_free(error) }
      #expect(status == PLOT_INVALID_ARGUMENT && pairs == nil)
      return String(cString: plot_error_get_message(error))
    }
    #expect(fault([0, -1], [1, 1], [1, 1]).hasPrefix("times_ms[1]: expected milliseconds since 1970"))
    #expect(fault([0, 0], [1, .nan], [1, 1]) == "latitudes[1]: expected a number from -90 to 90, found nan")
    #expect(fault([0, 0], [1, 1], [200, 1]) == "longitudes[0]: expected a number from -180 to 180, found 200.0")
    #expect(Self.records { plot_roaming_remove(roaming, 1, $0, nil) } == nil, "nothing is known of it")
    #expect(Self.roaming(100, 99) == nil && Self.roaming(.infinity, .infinity) == nil)
    #expect(Self.roaming(1, 1, flags: 2) == nil)
  }
}
