// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CPlotEngine
internal import PlotCore
internal import PlotEngine

// Strategies, and what is on the screen.

/// The handle that a strategy's callback gets.
final class StrategyCallHandle: Handle {
  let call: StrategyCall
  let item: ItemHandle?
  let next: ItemHandle?
  let json: CText
  let state: CText?
  /// The state that a save returned.
  var saved: String?

  init(_ call: StrategyCall) {
    self.call = call
    item = call.item.map { ItemHandle($0, isEditable: false) }
    next = call.next.map { ItemHandle($0, isEditable: false) }
    json = CText(call.json)
    state = call.state.map(CText.init)
  }
}

@_cdecl("plot_engine_set_strategy") @implementation
public func plot_engine_set_strategy(
  _ engine: OpaquePointer!, _ key: UnsafePointer<CChar>!, _ fn: plot_strategy_fn!,
  _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!, _ error: ErrorOut
) -> Int32 {
  let host = unsafe Registration(engine, user_data, destroy)
  return unsafe call(engine, error) { engine in
    let key = unsafe try text(key, "key")
    let strategy = unsafe fn.map { fn in
      HostStrategy(key: key) { call in
        let handle = StrategyCallHandle(call)
        let agrees = unsafe fn(host.userData, host.engine, call.kind.rawValue, handle.borrowed) != 0
        return StrategyReply(agrees: agrees, state: handle.saved)
      }
    }
    try engine.setStrategy(key, strategy)
  }
}

@_cdecl("plot_strategy_call_get_item") @implementation
public func plot_strategy_call_get_item(_ call: OpaquePointer!) -> OpaquePointer! {
  unsafe (object(call) as StrategyCallHandle?)?.item?.borrowed
}

@_cdecl("plot_strategy_call_get_next") @implementation
public func plot_strategy_call_get_next(_ call: OpaquePointer!) -> OpaquePointer! {
  unsafe (object(call) as StrategyCallHandle?)?.next?.borrowed
}

@_cdecl("plot_strategy_call_get_time") @implementation
public func plot_strategy_call_get_time(_ call: OpaquePointer!) -> Int64 {
  (unsafe object(call) as StrategyCallHandle?)?.call.time ?? 0
}

@_cdecl("plot_strategy_call_get_done") @implementation
public func plot_strategy_call_get_done(_ call: OpaquePointer!) -> Int32 {
  (unsafe object(call) as StrategyCallHandle?)?.call.isDone == true ? 1 : 0
}

@_cdecl("plot_strategy_call_get_json") @implementation
public func plot_strategy_call_get_json(_ call: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(call) as StrategyCallHandle?)?.json.pointer ?? StaticText.empty.pointer
}

@_cdecl("plot_strategy_call_get_state") @implementation
public func plot_strategy_call_get_state(_ call: OpaquePointer!) -> UnsafePointer<CChar>! {
  unsafe (object(call) as StrategyCallHandle?)?.state?.pointer
}

@_cdecl("plot_strategy_call_set_state") @implementation
public func plot_strategy_call_set_state(
  _ call: OpaquePointer!, _ state: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe attempt(error) {
    let handle: StrategyCallHandle = unsafe try needed(call, "call")
    guard handle.call.kind == .save else {
      throw EngineError(argument: "call", expected: "PLOT_STRATEGY_SAVE", found: "\(handle.call.kind.rawValue)")
    }
    handle.saved = unsafe try text(state, "state")
  }
}

// MARK: On the screen

@_cdecl("plot_engine_set_remove_callback") @implementation
public func plot_engine_set_remove_callback(
  _ engine: OpaquePointer!, _ fn: plot_remove_fn!, _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!,
  _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.remove, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in
      { host in
        { item in
          let handle = ItemHandle(item, isEditable: false)
          let status = unsafe fn(host.userData, host.engine, handle.borrowed)
          withExtendedLifetime(handle) {}
          return status == Status.ok.rawValue
        }
      }
    })
}

@_cdecl("plot_engine_dismiss_notification") @implementation
public func plot_engine_dismiss_notification(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ match_identifier: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.dismissNotification(try text(match_identifier, "match_identifier"), at: time_ms)
  }
}

@_cdecl("plot_engine_remove_notification") @implementation
public func plot_engine_remove_notification(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ match_identifier: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let match = unsafe match_identifier == nil ? nil : try text(match_identifier, "match_identifier")
    try engine.removeNotification(match, at: time_ms)
  }
}

@_cdecl("plot_engine_update_notification") @implementation
public func plot_engine_update_notification(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ item: OpaquePointer!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    guard let handle = unsafe object(item) as ItemHandle? else {
      throw EngineError(.invalidArgument, "item: expected an item, found NULL")
    }
    try engine.updateNotification(handle.kept, at: time_ms)
  }
}

@_cdecl("plot_engine_get_displayed_notifications") @implementation
public func plot_engine_get_displayed_notifications(
  _ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let handle: EngineHandle = unsafe try needed(engine, "engine")
    return ListHandle(try handle.engine.displayed(), isEditable: true)
  }
}

// MARK: Trying the app's filter

@_cdecl("plot_engine_test_filter") @implementation
public func plot_engine_test_filter(
  _ engine: OpaquePointer!, _ notifications: OpaquePointer!, _ token: UnsafeMutablePointer<UInt64>!,
  _ error: ErrorOut
) -> Int32 {
  unsafe test(engine, notifications, "notifications", token, error)
}

@_cdecl("plot_engine_test_geotrigger_handler") @implementation
public func plot_engine_test_geotrigger_handler(
  _ engine: OpaquePointer!, _ geotriggers: OpaquePointer!, _ token: UnsafeMutablePointer<UInt64>!, _ error: ErrorOut
) -> Int32 {
  unsafe test(engine, geotriggers, "geotriggers", token, error)
}

private func test(
  _ engine: OpaquePointer?, _ items: OpaquePointer?, _ name: String, _ token: UnsafeMutablePointer<UInt64>?,
  _ error: ErrorOut
) -> Int32 {
  unsafe give(token, "token", or: 0, error) {
    let handle: EngineHandle = unsafe try needed(engine, "engine")
    let list: ListHandle = unsafe try needed(items, name)
    return try handle.engine.test(list.items.map(\.item), geotriggers: name == "geotriggers")
  }
}

@_cdecl("plot_engine_get_test_answer") @implementation
public func plot_engine_get_test_answer(
  _ engine: OpaquePointer!, _ token: UInt64, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let handle: EngineHandle = unsafe try needed(engine, "engine")
    return ListHandle(try handle.engine.testAnswer(token), isEditable: false)
  }
}
