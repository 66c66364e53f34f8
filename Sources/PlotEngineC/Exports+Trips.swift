// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

@_cdecl("plot_engine_start_trip") @implementation
public func plot_engine_start_trip(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ json: UnsafePointer<CChar>!, _ length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.startTrip(try bytes(json, length, "json", most: TripPlan.sizeLimit), at: time_ms)
  }
}

@_cdecl("plot_engine_end_trip") @implementation
public func plot_engine_end_trip(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ trip_id: UnsafePointer<CChar>!, _ arrived: Int32, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.endTrip(try text(trip_id, "trip_id"), hasArrived: arrived != 0, at: time_ms)
  }
}

@_cdecl("plot_engine_get_trips") @implementation
public func plot_engine_get_trips(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle(try needed(engine).trips(at: time_ms)) }
}
