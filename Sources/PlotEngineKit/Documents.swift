package import PlotCore
package import PlotDocuments
internal import PlotEngine
internal import PlotFiles

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A `plotconfig.json` that was read (docs/plotconfig.md).
public struct Configuration: Sendable {
  package let core: PlotDocuments.Configuration

  /// Reads a configuration from its JSON. Throws ``PlotError/Code-swift.struct/invalidDocument``, with line and column.
  public init(json: String) throws(PlotError) {
    core = try reading("configuration") { try PlotDocuments.Configuration(parsing: Array(json.utf8)) }
  }

  /// Reads a file.
  public init(contentsOf url: URL) throws(PlotError) {
    core = try reading(url.path) { try PlotDocuments.Configuration(path: url.path) }
  }

  /// A configuration of defaults, for an app that asks no campaign service.
  public init() { core = Self.standard }

  private static let standard: PlotDocuments.Configuration = {
    do { return try PlotDocuments.Configuration(parsing: Array("{}".utf8)) } catch { fatalError("\(error)") }
  }()

  /// Warnings about unusual values, a sentence each.
  public var warnings: [String] { core.warnings }
  /// The configuration with all defaults.
  public var json: String { core.json }
}

/// A campaign feed: regions, campaigns and settings (docs/feed.md). Several engines may share it.
public struct Feed: Sendable {
  package let core: PlotCore.Feed

  /// Reads a feed from its JSON. Throws ``PlotError/Code-swift.struct/invalidDocument``, with line and column.
  public init(json: String) throws(PlotError) {
    core = try reading("feed") { try PlotCore.Feed.parse(Array(json.utf8)) }
  }

  /// Reads a JSON file.
  public init(contentsOf url: URL) throws(PlotError) {
    core = try reading(url.path) { try PlotCore.Feed.load(path: url.path) }
  }

  /// Opens a file that ``save(to:)`` has written, without reading it whole (docs/feed-file.md).
  public init(mapping url: URL) throws(PlotError) {
    core = try reading(url.path) { try PlotCore.Feed.map(path: url.path) }
  }

  init(_ core: PlotCore.Feed) { self.core = core }

  /// Makes a feed of one campaign from the features of a GeoJSON text.
  public init(geoJSON: String, options: GeoJSONOptions = GeoJSONOptions()) throws(PlotError) {
    core = try reading("GeoJSON") { try options.core.feed(from: Array(geoJSON.utf8)) }
  }

  /// Writes it as a file that ``init(mapping:)`` opens.
  public func save(to url: URL) throws(PlotError) {
    do throws(FileError) { try core.save(path: url.path) } catch { throw PlotError(error) }
  }

  /// The feed as JSON; reading it gives an equal feed.
  public var json: String { core.json }
  /// How many regions it has.
  public var regionCount: Int { core.regions.count }
  /// How many campaigns it has.
  public var campaignCount: Int { core.campaigns.count }

  /// The id of a region, by its place in the feed, as in a ``FixEffect``; nil when there is none.
  public func regionId(at position: Int) -> String? {
    core.regions.indices.contains(position) ? core.regions.id(at: position).text : nil
  }

  /// The id of a campaign, by its place in the feed; nil when there is none.
  public func campaignId(at position: Int) -> String? {
    core.campaigns.indices.contains(position) ? core.campaigns[position].id.text : nil
  }
}

/// How a feed is made from GeoJSON; docs/feed.md says what each does.
public struct GeoJSONOptions: Hashable, Sendable {
  /// Metres around a point.
  public var radius = 200.0
  /// Metres to either side of a line.
  public var width = 50.0
  /// The text of the campaign, with placeholders.
  public var message = "{{name}}"
  /// When the campaign is shown.
  public var trigger = Trigger.enter
  /// The property with a region's id; nil for the feature's own.
  public var idProperty: String?
  /// The property that has a region's name.
  public var nameProperty = "name"
  /// The property with the radius of a circle, in metres; where a feature has none, `radius` counts.
  public var radiusProperty = "radius"
  /// The id of the campaign.
  public var campaign = "imported"

  /// The options with their defaults.
  public init() {}

  var core: GeoJSONImport {
    var options = GeoJSONImport()
    (options.radius, options.width, options.message) = (radius, width, message)
    options.trigger = trigger.name
    if case .dwelling(let minutes) = trigger { options.dwellingMinutes = Int64(minutes) }
    if case .inside(let minute) = trigger { options.insideAt = PlotCore.Feed.text(ofMinute: Int64(minute)) }
    (options.idProperty, options.nameProperty, options.campaign) = (idProperty, nameProperty, campaign)
    options.radiusProperty = radiusProperty
    return options
  }
}

/// Says what is wrong in documents, or most likely not what was meant (docs/lint.md).
public enum Lint {
  /// Findings in the order of the texts, the configuration first. With a date, also what is over by then.
  public static func findings(configuration: String? = nil, feed: String? = nil, at date: Date? = nil) -> [Finding] {
    let findings = PlotDocuments.Lint.findings(
      configuration: configuration.map { Array($0.utf8) }, feed: feed.map { Array($0.utf8) },
      at: date.map(\.milliseconds))
    return records(PlotDocuments.Finding.json(findings))
  }
}

/// Plays a recording, line by line (docs/recording.md).
public final class Replay: Sendable {
  private let core = PlotEngine.Replay()

  /// A replay with the recording's own configuration and feed.
  public init() {}

  /// Takes the next line, without its line end; gives the lines that an engine would write for it.
  public func take(_ line: String) throws(PlotError) -> [String] {
    do throws(EngineError) { return try core.take(Array(line.utf8)) } catch { throw PlotError(error) }
  }
}

/// Reads a document, and names it in what is thrown.
private func reading<T>(_ name: String, _ body: () throws -> T) throws(PlotError) -> T {
  do { return try DocumentError.naming(name, body) } catch { throw PlotError(error) }
}

/// The records of a JSON array that the engine has written.
func records<T: Record>(_ json: String) -> [T] {
  guard case .array(let values)? = try? JSON(parsing: json) else { return [] }
  return values.compactMap { $0.object.flatMap { try? T($0) } }
}
