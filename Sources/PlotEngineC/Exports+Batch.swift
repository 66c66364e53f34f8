// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CPlotEngine
internal import PlotCore
internal import PlotEngine

@_cdecl("plot_engine_update_locations") @implementation
public func plot_engine_update_locations(
  _ engine: OpaquePointer!, _ count: Int, _ times_ms: UnsafePointer<Int64>!, _ latitudes: UnsafePointer<Double>!,
  _ longitudes: UnsafePointer<Double>!, _ accuracies: UnsafePointer<Double>!, _ speeds: UnsafePointer<Double>!,
  _ courses: UnsafePointer<Double>!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    let columns = unsafe try Columns(count, times_ms, latitudes, longitudes, accuracies, speeds, courses)
    return EffectsHandle(try columns.update(engine))
  }
}

@_cdecl("plot_engine_update_locations_together") @implementation
public func plot_engine_update_locations_together(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ count: Int, _ times_ms: UnsafePointer<Int64>!,
  _ latitudes: UnsafePointer<Double>!, _ longitudes: UnsafePointer<Double>!, _ accuracies: UnsafePointer<Double>!,
  _ speeds: UnsafePointer<Double>!, _ courses: UnsafePointer<Double>!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    let columns = unsafe try Columns(count, times_ms, latitudes, longitudes, accuracies, speeds, courses)
    return EffectsHandle(try columns.update(engine, togetherAt: time_ms))
  }
}

@_cdecl("plot_engines_update_locations") @implementation
public func plot_engines_update_locations(
  _ engines: UnsafePointer<OpaquePointer?>!, _ engine_count: Int, _ devices: UnsafePointer<UInt32>!, _ count: Int,
  _ times_ms: UnsafePointer<Int64>!, _ latitudes: UnsafePointer<Double>!, _ longitudes: UnsafePointer<Double>!,
  _ accuracies: UnsafePointer<Double>!, _ speeds: UnsafePointer<Double>!, _ courses: UnsafePointer<Double>!,
  _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let columns = unsafe try Columns(count, times_ms, latitudes, longitudes, accuracies, speeds, courses)
    return EffectsHandle(unsafe try Fleet(engines, Size(engine_count), devices, columns).update())
  }
}

@_cdecl("plot_engines_replay") @implementation
public func plot_engines_replay(
  _ engines: UnsafePointer<OpaquePointer?>!, _ engine_count: Int, _ devices: UnsafePointer<UInt32>!, _ count: Int,
  _ times_ms: UnsafePointer<Int64>!, _ latitudes: UnsafePointer<Double>!, _ longitudes: UnsafePointer<Double>!,
  _ accuracies: UnsafePointer<Double>!, _ speeds: UnsafePointer<Double>!, _ courses: UnsafePointer<Double>!,
  _ until_ms: Int64, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let columns = unsafe try Columns(count, times_ms, latitudes, longitudes, accuracies, speeds, courses)
    let everyone = try Size(engine_count).count("engine_count", in: 0...Int(UInt32.max - 1))
    let until = until_ms == -1 ? nil : until_ms
    if let until, !Timestamp.range.contains(until) {
      throw EngineError(argument: "until_ms", expected: "-1, or a time as of any input", found: "\(until)")
    }
    let fleet = unsafe try Fleet(engines, Size(engine_count), devices, columns, everyone: everyone)
    return EffectsHandle(fleet.replay(through: until))
  }
}

@_cdecl("plot_effects_get_count") @implementation
public func plot_effects_get_count(_ effects: OpaquePointer!) -> Int {
  (unsafe object(effects) as EffectsHandle?)?.count ?? 0
}

@_cdecl("plot_effects_get_records") @implementation
public func plot_effects_get_records(_ effects: OpaquePointer!) -> UnsafePointer<plot_effect>! {
  unsafe (unsafe object(effects) as EffectsHandle?)?.records
}

@_cdecl("plot_effects_free") @implementation
public func plot_effects_free(_ effects: OpaquePointer!) { unsafe Handle.free(effects) }

@_cdecl("plot_feed_get_region_id") @implementation
public func plot_feed_get_region_id(_ feed: OpaquePointer!, _ position: Int) -> UnsafePointer<CChar>! {
  unsafe (unsafe object(feed) as FeedHandle?)?.regionIds[Size(position)]
}

@_cdecl("plot_feed_get_campaign_id") @implementation
public func plot_feed_get_campaign_id(_ feed: OpaquePointer!, _ position: Int) -> UnsafePointer<CChar>! {
  unsafe (unsafe object(feed) as FeedHandle?)?.campaignIds[Size(position)]
}
