// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CPlotEngine
internal import PlotCore
internal import PlotEngine

// Registering callbacks. An item or list that a callback is handed lives as long as the callback runs.

@_cdecl("plot_engine_set_filter_callback") @implementation
public func plot_engine_set_filter_callback(
  _ engine: OpaquePointer!, _ fn: plot_filter_fn!, _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!,
  _ error: ErrorOut
) -> Int32 {
  unsafe setBatchCallback(fn, Registration(engine, user_data, destroy), error, geotriggers: false)
}

@_cdecl("plot_engine_set_geotrigger_callback") @implementation
public func plot_engine_set_geotrigger_callback(
  _ engine: OpaquePointer!, _ fn: plot_geotrigger_fn!, _ user_data: UnsafeMutableRawPointer!,
  _ destroy: plot_destroy_fn!, _ error: ErrorOut
) -> Int32 {
  unsafe setBatchCallback(fn, Registration(engine, user_data, destroy), error, geotriggers: true)
}

private func setBatchCallback(
  _ fn: plot_filter_fn?, _ host: Registration, _ error: ErrorOut, geotriggers: Bool
) -> Int32 {
  unsafe call(host.engine, error) { engine in
    guard let fn = unsafe fn else { return try engine.setBatchCallback(nil, geotriggers: geotriggers) }
    let callback: Callbacks.BatchCallback = { token, items in
      let list = ListHandle(items, isEditable: !geotriggers)
      unsafe fn(host.userData, host.engine, token, list.borrowed)
      withExtendedLifetime(list) {}
    }
    try engine.setBatchCallback(callback, geotriggers: geotriggers)
  }
}

@_cdecl("plot_engine_set_show_callback") @implementation
public func plot_engine_set_show_callback(
  _ engine: OpaquePointer!, _ fn: plot_show_fn!, _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!,
  _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.show, Registration(engine, user_data, destroy), error,
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

@_cdecl("plot_engine_set_notification_handler") @implementation
public func plot_engine_set_notification_handler(
  _ engine: OpaquePointer!, _ fn: plot_notification_handler_fn!, _ user_data: UnsafeMutableRawPointer!,
  _ destroy: plot_destroy_fn!, _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.notificationHandler, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in
      { host in
        { item in
          let handle = ItemHandle(item, isEditable: false)
          let data = CText(item.data)
          unsafe fn(host.userData, host.engine, handle.borrowed, data.pointer)
          withExtendedLifetime((handle, data)) {}
          return true
        }
      }
    })
}

@_cdecl("plot_engine_set_open_callback") @implementation
public func plot_engine_set_open_callback(
  _ engine: OpaquePointer!, _ fn: plot_open_fn!, _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!,
  _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.open, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in
      { host in
        { action, item in
          let handle = ItemHandle(item, isEditable: false)
          let uri = CText(item.data)
          unsafe fn(host.userData, host.engine, action.rawValue, uri.pointer, handle.borrowed)
          withExtendedLifetime((handle, uri)) {}
        }
      }
    })
}

@_cdecl("plot_engine_set_event_callback") @implementation
public func plot_engine_set_event_callback(
  _ engine: OpaquePointer!, _ fn: plot_event_fn!, _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!,
  _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.event, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in
      { host in
        { json, item in
          let text = CText(json)
          let handle = item.map { ItemHandle($0, isEditable: false) }
          unsafe fn(host.userData, host.engine, text.pointer, text.length, handle?.borrowed)
          withExtendedLifetime((text, handle)) {}
        }
      }
    })
}

@_cdecl("plot_engine_set_decision_callback") @implementation
public func plot_engine_set_decision_callback(
  _ engine: OpaquePointer!, _ fn: plot_decision_fn!, _ user_data: UnsafeMutableRawPointer!,
  _ destroy: plot_destroy_fn!, _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.decision, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in
      { host in
        { json, _ in
          let text = CText(json)
          unsafe fn(host.userData, host.engine, text.pointer, text.length)
          withExtendedLifetime(text) {}
        }
      }
    })
}

@_cdecl("plot_engine_set_log_callback") @implementation
public func plot_engine_set_log_callback(
  _ engine: OpaquePointer!, _ fn: plot_log_fn!, _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!,
  _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.log, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in
      { host in
        { level, message in
          let text = CText(message)
          unsafe fn(host.userData, host.engine, level.rawValue, text.pointer)
          withExtendedLifetime(text) {}
        }
      }
    })
}

@_cdecl("plot_engine_set_fix_request_callback") @implementation
public func plot_engine_set_fix_request_callback(
  _ engine: OpaquePointer!, _ fn: plot_fix_request_fn!, _ user_data: UnsafeMutableRawPointer!,
  _ destroy: plot_destroy_fn!, _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.fixRequest, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in { host in { deadline in unsafe fn(host.userData, host.engine, deadline) } } })
}

@_cdecl("plot_engine_set_sync_callback") @implementation
public func plot_engine_set_sync_callback(
  _ engine: OpaquePointer!, _ fn: plot_sync_fn!, _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!,
  _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.sync, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in
      { host in
        { status, next in
          let text = CText(status)
          unsafe fn(host.userData, host.engine, text.pointer, text.length, next ?? Version.noWakeup)
          withExtendedLifetime(text) {}
        }
      }
    })
}

@_cdecl("plot_engine_set_wakeup_callback") @implementation
public func plot_engine_set_wakeup_callback(
  _ engine: OpaquePointer!, _ fn: plot_wakeup_fn!, _ user_data: UnsafeMutableRawPointer!, _ destroy: plot_destroy_fn!,
  _ error: ErrorOut
) -> Int32 {
  unsafe setCallback(
    \.wakeup, Registration(engine, user_data, destroy), error,
    unsafe fn.map { fn in { host in { time in unsafe fn(host.userData, host.engine, time ?? Version.noWakeup) } } })
}
