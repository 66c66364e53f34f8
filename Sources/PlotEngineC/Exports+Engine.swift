// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

// MARK: Life

@_cdecl("plot_engine_new") @implementation
public func plot_engine_new(_ out: Out, _ error: ErrorOut) -> Int32 { unsafe give(out, error) { EngineHandle() } }

@_cdecl("plot_engine_init") @implementation
public func plot_engine_init(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ config: OpaquePointer!, _ store_path: UnsafePointer<CChar>!,
  _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let config: ConfigHandle = unsafe try needed(config, "config")
    let path = unsafe store_path == nil ? nil : try text(store_path, "store_path")
    try engine.initialize(at: time_ms, config.configuration, storePath: path)
  }
}

@_cdecl("plot_engine_close") @implementation
public func plot_engine_close(_ engine: OpaquePointer!) -> Int32 { unsafe call(engine, nil) { $0.close() } }

@_cdecl("plot_engine_free") @implementation
public func plot_engine_free(_ engine: OpaquePointer!) {
  (unsafe object(engine) as EngineHandle?)?.engine.close()
  unsafe Handle.free(engine)
}

// MARK: Settings

@_cdecl("plot_engine_enable") @implementation
public func plot_engine_enable(_ engine: OpaquePointer!, _ time_ms: Int64, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { try $0.setEnabled(true, at: time_ms) }
}

@_cdecl("plot_engine_disable") @implementation
public func plot_engine_disable(_ engine: OpaquePointer!, _ time_ms: Int64, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { try $0.setEnabled(false, at: time_ms) }
}

@_cdecl("plot_engine_set_cooldown_period") @implementation
public func plot_engine_set_cooldown_period(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ seconds: Int64, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { try $0.setCooldownPeriod(seconds, at: time_ms) }
}

@_cdecl("plot_engine_get_cooldown_period") @implementation
public func plot_engine_get_cooldown_period(
  _ engine: OpaquePointer!, _ out: UnsafeMutablePointer<Int64>!, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, or: 0, error) { unsafe try needed(engine).cooldownPeriod() }
}

@_cdecl("plot_engine_set_time_zone") @implementation
public func plot_engine_set_time_zone(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ time_zone: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in unsafe try engine.setTimeZone(try text(time_zone, "time_zone"), at: time_ms) }
}

@_cdecl("plot_engine_set_clock") @implementation
public func plot_engine_set_clock(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ monotonic_ms: Int64, _ boot_id: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.setClock(monotonic: monotonic_ms, boot: try text(boot_id, "boot_id"), at: time_ms)
  }
}

@_cdecl("plot_engine_get_time_zone") @implementation
public func plot_engine_get_time_zone(_ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle(try needed(engine).timeZone()) }
}

@_cdecl("plot_engine_set_feed") @implementation
public func plot_engine_set_feed(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ feed: OpaquePointer!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.setFeed((try needed(feed, "feed") as FeedHandle).feed, at: time_ms)
  }
}

@_cdecl("plot_engine_offer_feed") @implementation
public func plot_engine_offer_feed(_ engine: OpaquePointer!, _ feed: OpaquePointer!, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { engine in unsafe try engine.offerFeed((try needed(feed, "feed") as FeedHandle).feed) }
}

@_cdecl("plot_engine_set_string_segmentation_property") @implementation
public func plot_engine_set_string_segmentation_property(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ key: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!,
  _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let value: PropertyValue? = unsafe value == nil ? nil : .string(try text(value, "value"))
    unsafe try engine.setProperty(try text(key, "key"), value, at: time_ms)
  }
}

@_cdecl("plot_engine_set_boolean_segmentation_property") @implementation
public func plot_engine_set_boolean_segmentation_property(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ key: UnsafePointer<CChar>!, _ value: Int32, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let value = try flag(value, "value")
    unsafe try engine.setProperty(try text(key, "key"), .boolean(value), at: time_ms)
  }
}

@_cdecl("plot_engine_set_integer_segmentation_property") @implementation
public func plot_engine_set_integer_segmentation_property(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ key: UnsafePointer<CChar>!, _ value: Int64, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.setProperty(try text(key, "key"), .integer(value), at: time_ms)
  }
}

@_cdecl("plot_engine_set_double_segmentation_property") @implementation
public func plot_engine_set_double_segmentation_property(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ key: UnsafePointer<CChar>!, _ value: Double, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.setProperty(try text(key, "key"), .double(value), at: time_ms)
  }
}

@_cdecl("plot_engine_set_date_segmentation_property") @implementation
public func plot_engine_set_date_segmentation_property(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ key: UnsafePointer<CChar>!, _ value: Int64, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.setProperty(try text(key, "key"), .date(value), at: time_ms)
  }
}

@_cdecl("plot_engine_clear_segmentation_property") @implementation
public func plot_engine_clear_segmentation_property(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ key: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in unsafe try engine.setProperty(try text(key, "key"), nil, at: time_ms) }
}

@_cdecl("plot_engine_get_segmentation_properties") @implementation
public func plot_engine_get_segmentation_properties(
  _ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle(ListDocument.properties(try needed(engine).properties())) }
}

// MARK: Inputs

@_cdecl("plot_engine_update_location") @implementation
public func plot_engine_update_location(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ latitude: Double, _ longitude: Double, _ accuracy: Double,
  _ speed: Double, _ course: Double, _ error: ErrorOut
) -> Int32 {
  let coordinate = Coordinate(latitude: latitude, longitude: longitude)
  let fix = Fix(
    time: time_ms, coordinate: coordinate, accuracy: known(accuracy, or: 0), speed: known(speed, or: -1),
    course: known(course, or: -1))
  let fast = unsafe EngineHandle.takeFast(engine, fix)
  // Most fixes end here.
  if fast == .taken {
    if let error = unsafe error { unsafe error.pointee = nil }
    return Status.ok.rawValue
  }
  return unsafe call(engine, error) { engine in try engine.update(fix, after: fast) }
}

@_cdecl("plot_engine_move_region") @implementation
public func plot_engine_move_region(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ region: UnsafePointer<CChar>!, _ latitude: Double, _ longitude: Double,
  _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let id = unsafe try text(region, "region")
    try engine.moveRegion(id, to: Coordinate(latitude: latitude, longitude: longitude), at: time_ms)
  }
}

@_cdecl("plot_engine_advance") @implementation
public func plot_engine_advance(_ engine: OpaquePointer!, _ time_ms: Int64, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { try $0.advance(to: time_ms) }
}

@_cdecl("plot_engine_next_wakeup") @implementation
public func plot_engine_next_wakeup(
  _ engine: OpaquePointer!, _ out: UnsafeMutablePointer<Int64>!, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, or: Version.noWakeup, error) { unsafe try needed(engine).nextWakeup() ?? Version.noWakeup }
}

@_cdecl("plot_engine_get_batch") @implementation
public func plot_engine_get_batch(
  _ engine: OpaquePointer!, _ token: UInt64, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let batch = unsafe try needed(engine).batch(token)
    return ListHandle(batch.items, isEditable: !batch.isGeotrigger)
  }
}

@_cdecl("plot_engine_answer_filter") @implementation
public func plot_engine_answer_filter(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ token: UInt64, _ kept_items: OpaquePointer!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in unsafe try engine.answerFilter(token, kept(kept_items), at: time_ms) }
}

@_cdecl("plot_engine_mark_geotriggers_handled") @implementation
public func plot_engine_mark_geotriggers_handled(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ token: UInt64, _ handled: OpaquePointer!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in unsafe try engine.markGeotriggersHandled(token, kept(handled), at: time_ms) }
}

@_cdecl("plot_engine_open_notification") @implementation
public func plot_engine_open_notification(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ match_identifier: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.openNotification(try text(match_identifier, "match_identifier"), at: time_ms)
  }
}

// MARK: Lists

@_cdecl("plot_engine_get_loaded_notifications") @implementation
public func plot_engine_get_loaded_notifications(
  _ engine: OpaquePointer!, _ limit: Int, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    unsafe ListHandle(
      try needed(engine).loaded(geotriggers: false, limit: Size(limit).limit).map(HostItem.loaded), isEditable: false)
  }
}

@_cdecl("plot_engine_get_loaded_geotriggers") @implementation
public func plot_engine_get_loaded_geotriggers(
  _ engine: OpaquePointer!, _ limit: Int, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    unsafe ListHandle(
      try needed(engine).loaded(geotriggers: true, limit: Size(limit).limit).map(HostItem.loaded), isEditable: false)
  }
}

@_cdecl("plot_engine_get_sent_notifications") @implementation
public func plot_engine_get_sent_notifications(_ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe ListHandle(try needed(engine).sent(geotriggers: false), isEditable: false) }
}

@_cdecl("plot_engine_get_sent_geotriggers") @implementation
public func plot_engine_get_sent_geotriggers(_ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe ListHandle(try needed(engine).sent(geotriggers: true), isEditable: false) }
}

@_cdecl("plot_engine_clear_sent_notifications") @implementation
public func plot_engine_clear_sent_notifications(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { try $0.clearSent(geotriggers: false, at: time_ms) }
}

@_cdecl("plot_engine_clear_sent_geotriggers") @implementation
public func plot_engine_clear_sent_geotriggers(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { try $0.clearSent(geotriggers: true, at: time_ms) }
}

@_cdecl("plot_engine_get_visits") @implementation
public func plot_engine_get_visits(_ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle(ListDocument.visits(try needed(engine).visits())) }
}

@_cdecl("plot_engine_get_summary") @implementation
public func plot_engine_get_summary(_ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle(try needed(engine).summary()) }
}

@_cdecl("plot_engine_write_debug_log") @implementation
public func plot_engine_write_debug_log(
  _ engine: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in unsafe try engine.writeDebugLog(to: try text(path, "path")) }
}

func needed(_ engine: OpaquePointer?) throws(EngineError) -> Engine {
  unsafe (try needed(engine, "engine") as EngineHandle).engine
}
