internal import ArgumentParser
import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import PlotTracks
internal import Synchronization

struct ReplayFleetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay-fleet", abstract: "Replay recorded fixes of many devices, and write the effects as CSV.",
    discussion: """
      Fixes are CSV files with the columns device, time, latitude and longitude, and where known accuracy, speed and course, in any order \
      (docs/fleet.md). Each device is an engine of its own. All processors work; the rows are the same with any number of them, and the \
      same as those of python -m plotengine replay-fleet, which reads Parquet, too.
      """)

  @Argument(help: "CSV files with fixes.", completion: .file(extensions: ["csv"]))
  var fixes: [String]

  @Option(help: "The campaign feed, as JSON or compiled.", completion: .file(extensions: ["json", "bin"]))
  var feed: String

  @Option(help: "plotconfig.json; without it, every property has its default.", completion: .file(extensions: ["json"]))
  var config: String?

  @Option(help: "Write the rows to this file; without it, to standard output.", completion: .file(extensions: ["csv"]))
  var out: String?

  @Option(help: "The devices' time zone, by its IANA name.")
  var timeZone = "UTC"

  @Option(help: "When the devices end, as 2026-06-01T00:00:00Z; without it, each ends with its last fix.")
  var until: String?

  @OptionGroup var quiet: QuietOption

  private var end: Milliseconds? {
    get throws {
      guard let until else { return nil }
      guard let time = CalendarTime.parse(until) else {
        throw ValidationError("--until: expected \(CalendarTime.expectedText); found '\(until)'")
      }
      return time
    }
  }

  func validate() throws { _ = try end }

  func run() throws {
    let places = try InputFault.of(feed) { try Feed.open(path: feed) }
    let settings = try InputFault.of(config ?? "configuration") {
      try Configuration(parsing: config.map { try InputFile.read($0) } ?? Array("{}".utf8))
    }
    if !quiet.isOn { for warning in settings.warnings { Output.warn("warning: \(config ?? ""): \(warning)") } }
    var given = FleetFixes()
    for path in fixes {
      let data = try InputFault.of(path) { Data(try InputFile.read(path)) }
      do throws(TrackError) {
        try given.read(data)
      } catch {
        throw InputFault(
          TrackError(file: path, at: error.place, expected: error.expected, found: error.found).description)
      }
    }
    given.sort()
    let replay = FleetReplay(feed: places, configuration: settings, timeZone: timeZone, until: try end)
    let bar = Mutex(ProgressBar(total: given.rows.count, unit: "fixes", quiet: quiet.isOn))
    let rows = try replay.rows(of: given, parts: given.parts(of: 50_000)) { done in bar.withLock { $0.update(done) } }
    bar.withLock { $0.finish() }
    let text = FleetRows.header + "\n" + rows.joined()
    if let out { try OutputFile.write(text, to: out) } else { try Output.write(text) }
  }
}
