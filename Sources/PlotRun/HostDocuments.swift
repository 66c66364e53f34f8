internal import PlotCore
internal import PlotDocuments
internal import PlotEngineKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Configuration and feed, read from their files.
struct HostDocuments {
  let configuration: PlotEngineKit.Configuration
  let feed: PlotEngineKit.Feed
  let hasBeacons: Bool
  let answering: ItemCommands.Terms
  /// The earliest time that the engine takes.
  let earliest: Date

  /// Throws what is wrong with either file.
  init(_ options: RunOptions) throws {
    var text = Array("{}".utf8)
    if let path = options.config {
      // With its own words for a file that is none.
      _ = try PlotEngineKit.Configuration(contentsOf: URL(fileURLWithPath: path))
      text = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    if options.webhook != nil, let edit = JSONEdit("engine.events.acknowledge=true") {
      text = try edit.applied(to: text)
    }
    configuration = try PlotEngineKit.Configuration(json: String(decoding: text, as: UTF8.self))
    let url = URL(fileURLWithPath: options.feed)
    let isCompiled = PlotCore.Feed.isCompiled(RuntimeFolder.start(of: options.feed, count: 8))
    feed = isCompiled ? try PlotEngineKit.Feed(mapping: url) : try PlotEngineKit.Feed(contentsOf: url)
    let engine = try JSONObject(parsing: configuration.json)["engine"]?.object ?? [:]
    answering = ItemCommands.Terms(
      deadline: (engine["filterDeadline"]?.integer ?? 60) * 1000,
      showsOriginal: engine["filterFallback"]?.string == "showOriginal")
    earliest = Date(timeIntervalSince1970: Double(engine["earliestTime"]?.integer ?? 0) / 1000)
    hasBeacons =
      try JSONObject(parsing: feed.json)["regions"]?.array?.contains { $0.object?["type"]?.string == "beacon" } ?? false
  }
}
