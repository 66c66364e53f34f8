// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
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
    let time = try number(time_ms, "time_ms", in: -1...Timestamp.range.upperBound, "a time, or -1")
    let configuration = unsafe try linted(config, config_length, "config", most: Configuration.textLimit)
    let feed = unsafe try linted(feed, feed_length, "feed", most: Feed.sizeLimit)
    return StringHandle(
      Finding.json(Lint.findings(configuration: configuration, feed: feed, at: time == -1 ? nil : time)))
  }
}

/// Nil for NULL. A text that is too long is a finding, and is not copied.
private func linted(
  _ pointer: UnsafePointer<CChar>?, _ length: Int, _ name: String, most limit: Int
) throws -> Lint.Text? {
  guard unsafe pointer != nil else { return nil }
  do {
    return .bytes(unsafe try bytes(pointer, length, name, most: limit, lengthName: "\(name)_length"))
  } catch let fault as DocumentError {
    return .refused(fault)
  }
}
