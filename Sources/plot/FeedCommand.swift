internal import ArgumentParser
import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotFiles
internal import PlotTracks

struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Make, check and compile campaign feeds.",
    subcommands: commands)

  private static var commands: [any ParsableCommand.Type] {
    #if os(Linux)
      [FeedNewCommand.self, Import.self, IsochroneCommand.self, Check.self, FeedDiffCommand.self, Compile.self]
    #else
      [FeedNewCommand.self, Import.self, Check.self, FeedDiffCommand.self, Compile.self]
    #endif
  }

  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Make a feed from the places of GeoJSON, KML or a table.",
      discussion: """
        Writes a feed to standard output: a circle for each point, an area for each polygon or line, and one campaign over \
        all of them. Properties other than the id \
        and the name become custom fields, which the message may name as {{field}}.
        """)

    @Argument(
      help: "A GeoJSON FeatureCollection, a KML document, or a table as CSV with latitude and longitude.",
      completion: .file(extensions: ["geojson", "json", "kml", "csv"]))
    var places: String

    @Option(help: "Radius of each circle in metres.")
    var radius = 200.0

    @Option(help: "Width in metres of the corridor along each line.")
    var width = 50.0

    @Option(help: "Text of the campaign.")
    var message = "{{name}}"

    @Option(help: "enter, exit, dwelling or inside.")
    var trigger = "enter"

    @Option(help: "Minutes of a dwelling, 5 to 720.")
    var dwellingMinutes: Int64?

    @Option(help: "Time of day of the trigger inside, as 18:00.")
    var insideAt: String?

    @Option(help: "The property that holds the id of a region.")
    var idProperty: String?

    @Option(help: "The property that holds the name of a region.")
    var nameProperty = "name"

    @Option(help: "The property that holds the radius of a circle in metres; --radius is for those without.")
    var radiusProperty = "radius"

    @Option(help: "The id of the campaign.")
    var campaign = "imported"

    @OptionGroup var quiet: QuietOption

    func run() throws {
      var options = GeoJSONImport()
      options.radius = radius
      options.width = width
      options.message = message
      options.trigger = trigger
      options.dwellingMinutes = dwellingMinutes
      options.insideAt = insideAt
      options.idProperty = idProperty
      options.nameProperty = nameProperty
      options.radiusProperty = radiusProperty
      options.campaign = campaign
      let feed = try InputFault.of(places) {
        do {
          let bytes = try InputFile.read(places, limit: Feed.sizeLimit)
          return try PlaceFile.feed(from: bytes, PlaceFile.format(of: bytes), options)
        } catch let error as DocumentError where error.document == GeoJSONImport.options {
          throw InputFault("\(Self.option(error.pointer)): expected \(error.expected), found \(error.found)")
        }
      }
      try Output.line(feed.json)
    }

    /// The option that a pointer to it means: `--dwelling-minutes` for `/dwellingMinutes`.
    private static func option(_ pointer: String) -> String {
      "--"
        + pointer.dropFirst().map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: "Read a feed, and print its contents or its fault.")

    @Argument(help: "A campaign feed.", completion: .file())
    var feed: String

    @OptionGroup var quiet: QuietOption

    func run() throws {
      let read = try InputFault.of(feed) { try Feed.open(path: feed) }
      if quiet.isOn { return }
      try Output.show(line: "\(feed): \(read.regions.count) regions, \(read.campaigns.count) campaigns")
    }
  }
  struct Compile: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "compile", abstract: "Compile a feed into a file that an engine can use without reading it all.",
      discussion: "The file is for plot_feed_map and the tool's own --feed (docs/feed-file.md).")

    @Argument(help: "A campaign feed.", completion: .file(extensions: ["json"]))
    var feed: String

    @Option(name: .shortAndLong, help: "The compiled feed to write.", completion: .file())
    var output: String

    @OptionGroup var quiet: QuietOption

    func run() throws {
      let read = try InputFault.of(feed) { try Feed.open(path: feed) }
      do throws(FileError) {
        try read.save(path: output)
      } catch {
        var fault = InputFault(error.message)
        fault.status = .io
        throw fault
      }
      if quiet.isOn { return }
      try Output.show(line: "\(output): \(read.regions.count) regions, \(read.campaigns.count) campaigns")
    }
  }
}

extension Feed {
  /// A feed from JSON text, or a compiled one.
  static func open(path: String) throws -> Feed {
    if let start = InputFile.start(of: path, count: 8), isCompiled(start) { return try map(path: path) }
    return try parse(InputFile.read(path, limit: sizeLimit))
  }
}
