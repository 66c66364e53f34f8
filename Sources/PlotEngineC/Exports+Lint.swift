// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotDocuments
internal import PlotEngine

@_cdecl("plot_lint") @implementation
public func plot_lint(
  _ config: UnsafePointer<CChar>!, _ config_length: Int, _ feed: UnsafePointer<CChar>!, _ feed_length: Int,
  _ time_ms: Int64, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    guard unsafe config != nil || feed != nil else {
      throw EngineError(argument: "config and feed", expected: "a text in one of them", found: "NULL")
    }
    guard time_ms >= -1 else {
      throw EngineError(argument: "time_ms", expected: "a time, or -1", found: "\(time_ms)")
    }
    let configuration = unsafe config == nil ? nil : try bytes(config, config_length, "config")
    let document = unsafe feed == nil ? nil : try bytes(feed, feed_length, "feed")
    return StringHandle(
      Finding.json(Lint.findings(configuration: configuration, feed: document, at: time_ms == -1 ? nil : time_ms)))
  }
}
