// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

@_cdecl("plot_engine_region_hint") @implementation
public func plot_engine_region_hint(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ region_id: UnsafePointer<CChar>!, _ kind: Int32, _ latitude: Double,
  _ longitude: Double, _ accuracy: Double, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let region = Identifier(unsafe try text(region_id, "region_id"))
    let kind = Hint.Kind.allCases[Int(try number(kind, "kind", in: 0...3, "a PLOT_HINT_ value, 0 to 3"))]
    try engine.hint(
      Hint(time: time_ms, region: region, kind: kind, position: position(latitude, longitude, accuracy)))
  }
}

@_cdecl("plot_engine_plan_regions") @implementation
public func plot_engine_plan_regions(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ latitude: Double, _ longitude: Double, _ accuracy: Double,
  _ budget: Int32, _ flags: Int32, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    let flags = try number(flags, "flags", in: 0...3, "PLOT_PLAN_ values, 0 to 3")
    var request = Machine.PlanRequest(
      time: time_ms, here: position(latitude, longitude, accuracy), budget: Int64(budget))
    request.isReset = flags & PLOT_PLAN_RESET != 0
    request.isFenceLeft = flags & PLOT_PLAN_FENCE_LEFT != 0
    return StringHandle(try engine.planRegions(request).json)
  }
}

/// Nil for an accuracy of -1: there is none.
private func position(_ latitude: Double, _ longitude: Double, _ accuracy: Double) -> Position? {
  accuracy == -1
    ? nil
    : Position(
      Coordinate(latitude: latitude, longitude: longitude), accuracy: known(accuracy, or: 0))
}
