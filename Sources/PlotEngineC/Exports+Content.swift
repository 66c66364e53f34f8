// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

// Rich content: keys of items of any type, actions, the advertising identifier.

@_cdecl("plot_item_get_json") @implementation
public func plot_item_get_json(_ item: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ out: Out) -> Int32 {
  unsafe give(out, nil) {
    let item: ItemHandle = unsafe try needed(item, "item")
    return unsafe StringHandle(try item.found(try text(key, "key")).json)
  }
}

@_cdecl("plot_item_set_integer") @implementation
public func plot_item_set_integer(
  _ item: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ value: Int64, _ error: ErrorOut
) -> Int32 {
  unsafe attempt(error) {
    let key = unsafe try text(key, "key")
    unsafe try (try needed(item, "item") as ItemHandle).edit(key) { (item) throws(HostItem.SetError) in
      try item.set(key, to: value)
    }
  }
}

@_cdecl("plot_item_set_json") @implementation
public func plot_item_set_json(
  _ item: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ json: UnsafePointer<CChar>!, _ length: Int,
  _ error: ErrorOut
) -> Int32 {
  unsafe attempt(error) {
    let key = unsafe try text(key, "key")
    let json = unsafe try bytes(json, length, "json", most: TextLimit.bytes)
    unsafe try (try needed(item, "item") as ItemHandle).edit(key) { (item) throws(HostItem.SetError) in
      try item.set(key, json: json)
    }
  }
}

@_cdecl("plot_item_clear") @implementation
public func plot_item_clear(_ item: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ error: ErrorOut) -> Int32 {
  unsafe attempt(error) {
    let key = unsafe try text(key, "key")
    unsafe try (try needed(item, "item") as ItemHandle).edit(key) { (item) throws(HostItem.SetError) in
      try item.clear(key)
    }
  }
}

@_cdecl("plot_engine_take_action") @implementation
public func plot_engine_take_action(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ match_identifier: UnsafePointer<CChar>!,
  _ action_id: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let match = unsafe try text(match_identifier, "match_identifier")
    unsafe try engine.takeAction(try text(action_id, "action_id"), of: match, at: time_ms)
  }
}

@_cdecl("plot_engine_set_advertising_identifier") @implementation
public func plot_engine_set_advertising_identifier(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ identifier: UnsafePointer<CChar>!, _ limit_tracking: Int32,
  _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let limitsTracking = try flag(limit_tracking, "limit_tracking")
    let identifier = unsafe identifier == nil ? nil : try text(identifier, "identifier")
    try engine.setAdvertising(identifier, limitsTracking: limitsTracking, at: time_ms)
  }
}
