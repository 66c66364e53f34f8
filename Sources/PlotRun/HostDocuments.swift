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
  /// About the configuration as it was read.
  let warnings: [String]

  /// Throws what is wrong with either file.
  init(_ options: RunOptions) throws {
    let path = options.config.map { URL(fileURLWithPath: $0) }
    let read = try path.map { try PlotEngineKit.Configuration(contentsOf: $0) } ?? PlotEngineKit.Configuration()
    warnings = read.warnings
    if options.webhook != nil, let edit = JSONEdit("engine.events.acknowledge=true") {
      let text = try edit.applied(to: Array(read.json.utf8))
      configuration = try PlotEngineKit.Configuration(json: String(decoding: text, as: UTF8.self))
    } else {
      configuration = read
    }
    let url = URL(fileURLWithPath: options.feed)
    let isCompiled = PlotCore.Feed.isCompiled(RuntimeFolder.start(of: options.feed, count: 8))
    feed = isCompiled ? try PlotEngineKit.Feed(mapping: url) : try PlotEngineKit.Feed(contentsOf: url)
  }

  var hasBeacons: Bool { !feed.core.tables.senders.isEmpty }

  var answering: ItemCommands.Terms {
    ItemCommands.Terms(
      deadline: configuration.core.filterDeadline * 1000,
      showsOriginal: configuration.core.filterFallback == .showOriginal)
  }

  /// The earliest time that the engine takes.
  var earliest: Date { Date(milliseconds: configuration.core.earliestTime) }
}
