// Made from docs/calls.json by scripts/call_tables.py: do not edit.
// swift-format-ignore-file

import PlotEngine

import CPlotEngine

@_cdecl("plot_engine_set_foreground") @implementation
public func plot_engine_set_foreground(_ engine: OpaquePointer!, _ time_ms: Int64, _ foreground: Int32, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { engine in try engine.setForeground(try flag(foreground, "foreground"), at: time_ms) }
}

@_cdecl("plot_engine_set_network") @implementation
public func plot_engine_set_network(_ engine: OpaquePointer!, _ time_ms: Int64, _ available: Int32, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { engine in try engine.setNetwork(try flag(available, "available"), at: time_ms) }
}

@_cdecl("plot_engine_clear_all_data") @implementation
public func plot_engine_clear_all_data(_ engine: OpaquePointer!, _ time_ms: Int64, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { engine in try engine.clearAllData(at: time_ms) }
}

@_cdecl("plot_engine_is_enabled") @implementation
public func plot_engine_is_enabled(_ engine: OpaquePointer!, _ out: UnsafeMutablePointer<Int32>!, _ error: ErrorOut) -> Int32 {
  unsafe give(out, or: 0, error) { unsafe try needed(engine).isEnabled() ? 1 : 0 }
}
