// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotEngine

@_cdecl("plot_engine_get_events") @implementation
public func plot_engine_get_events(
  _ engine: OpaquePointer!, _ consumer: UnsafePointer<CChar>!, _ after_sequence: Int64, _ limit: Int, _ out: Out,
  _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    return unsafe StringHandle(
      try engine.events(for: try text(consumer, "consumer"), after: after_sequence, limit: limit))
  }
}

@_cdecl("plot_engine_acknowledge_events") @implementation
public func plot_engine_acknowledge_events(
  _ engine: OpaquePointer!, _ consumer: UnsafePointer<CChar>!, _ sequence: Int64, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.acknowledgeEvents(for: try text(consumer, "consumer"), through: sequence)
  }
}
