// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotEngine

@_cdecl("plot_engine_keep_decisions") @implementation
public func plot_engine_keep_decisions(_ engine: OpaquePointer!, _ capacity: Int64, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { try $0.keepDecisions(capacity) }
}

@_cdecl("plot_engine_get_decisions") @implementation
public func plot_engine_get_decisions(
  _ engine: OpaquePointer!, _ campaign_id: UnsafePointer<CChar>!, _ region_id: UnsafePointer<CChar>!, _ limit: Int,
  _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    let campaign = unsafe campaign_id == nil ? nil : try text(campaign_id, "campaign_id")
    let region = unsafe region_id == nil ? nil : try text(region_id, "region_id")
    return StringHandle(try engine.decisions(campaign: campaign, region: region, limit: Size(limit).limit))
  }
}

@_cdecl("plot_engine_write_decisions_to") @implementation
public func plot_engine_write_decisions_to(
  _ engine: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    try engine.writeDecisions(to: unsafe path == nil ? nil : try text(path, "path"))
  }
}

@_cdecl("plot_engine_explain") @implementation
public func plot_engine_explain(
  _ engine: OpaquePointer!, _ campaign_id: UnsafePointer<CChar>!, _ region_id: UnsafePointer<CChar>!,
  _ language: UnsafePointer<CChar>!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    let campaign = unsafe try text(campaign_id, "campaign_id")
    let region = unsafe region_id == nil ? nil : try text(region_id, "region_id")
    let language = unsafe language == nil ? "en" : try text(language, "language")
    return StringHandle(try engine.explain(campaign, region: region, language: language))
  }
}
