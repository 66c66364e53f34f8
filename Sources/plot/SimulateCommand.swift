internal import ArgumentParser
import Foundation
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Replay a recorded track, and show what a phone would have shown.",
    discussion: """
      Tracks are GPX 1.0 or 1.1, GeoJSON LineStrings with times, or CSV (time,latitude,longitude[,accuracy[,speed[,course]]]). With \
      --store the engine's memory outlives the run: fixes that it has seen are skipped, and the events go on in the same file.
      """)

  @Option(help: "plotconfig.json; without it, every property has its default.", completion: .file(extensions: ["json"]))
  var config: String?

  @Option(help: "The campaign feed.", completion: .file(extensions: ["json"]))
  var feed: String

  @Option(
    help: "The track to replay; not needed beside other inputs.",
    completion: .file(extensions: ["gpx", "geojson", "json", "csv"]))
  var track: String?

  @Option(help: "Beacons that are heard on the way, as CSV or JSON Lines (docs/simulate.md).", completion: .file())
  var sightings: String?

  @Option(help: "What the operating system says of regions, as CSV or JSON Lines.", completion: .file())
  var hints: String?

  @Option(help: "Where regions that move are, as CSV or JSON Lines.", completion: .file())
  var moves: String?

  @Option(
    help: """
      What the app, its person and the device do on the way, as JSON (docs/rules-file.md): a filter, a geotrigger handler, strategies, \
      displays that fail, notifications that are opened or dismissed, foreground, network, time zone and properties.
      """, completion: .file(extensions: ["json"]))
  var rules: String?

  @Option(help: "A store file, made when it is absent; without it, everything is kept in memory.", completion: .file())
  var store: String?

  @Option(help: "The policy that weighs fixes (docs/noise.md); overrides the configuration.")
  var noise: NoisePolicy?

  @Option(help: "What being inside at the first fix means; overrides the configuration.")
  var initial: InitialPolicy?

  @Option(
    name: .customLong("property"),
    help: """
      Set a segmentation property as KEY=VALUE; may be repeated. true and false are booleans, 7 an integer, 7.5 a double, \
      2026-05-16T12:00:00Z a date, all else a string.
      """)
  var properties: [PropertyOption] = []

  @Option(help: "The device's time zone, by its IANA name.")
  var timeZone = "UTC"

  @Option(help: "Write every event to this file, one JSON record a line.", completion: .file())
  var events: String?

  @Option(help: "Write every decision to this file, one JSON record a line.", completion: .file())
  var decisions: String?

  @Option(
    help: """
      Record all that the engine is given and gives back to this file (docs/recording.md); packed, when its name ends in .gz. A later run \
      on a store is a recording of its own.
      """)
  var record: String?

  @Option(
    help: """
      Plan along the track which regions to register with the system, at most so many (0: the configuration's), and print each change as JSON.
      """)
  var plan: Int64?

  @Option(help: "Write the changes of the plan to this file instead, one JSON object a line.", completion: .file())
  var planFile: String?

  @Option(
    name: .customLong("map"), help: "Draw a map of the run: one HTML page that needs no network.",
    completion: .file(extensions: ["html"]))
  var mapPath: String?

  @Option(help: "Replay in time with the clock, this many times as fast as it was; without it, at once.")
  var speed: Double?

  @Flag(name: .shortAndLong, help: "No timeline, warnings or progress, only the last line.")
  var quiet = false

  func validate() throws {
    if let speed, !(speed > 0) { throw ValidationError("--speed must be above 0.") }
    guard track != nil || sightings != nil || hints != nil || moves != nil else {
      throw ValidationError("One of --track, --sightings, --hints and --moves is needed.")
    }
    if let plan, !(0...1000).contains(plan) { throw ValidationError("--plan must be from 0 to 1000.") }
    if plan != nil, track == nil { throw ValidationError("--plan needs a --track.") }
    if planFile != nil, plan == nil { throw ValidationError("--plan-file needs --plan.") }
    if mapPath != nil, track == nil { throw ValidationError("--map needs a --track.") }
  }

  func run() throws {
    var configuration =
      try config.map { path in try InputFault.of(path) { try Configuration(path: path) } }
      ?? Configuration(parsing: Array(#"{"publicToken": "simulation"}"#.utf8))
    if let noise { configuration.noise = noise }
    if let initial { configuration.initial = initial }
    let read = try InputFault.of(feed) { try Feed.load(path: feed) }
    let script = try rules.map { path in try InputFault.of(path) { try SimulationRules.load(path: path) } }
    let recorded = try track.map { try TrackReader.read(path: $0) } ?? Track(name: nil, points: [], warnings: [])
    var sensed: [SensedInput] = []
    for (path, kind) in [(moves, SensedInput.Kind.moves), (sightings, .sightings), (hints, .hints)] {
      if let path { sensed += try SensedReader.read(path: path, kind) }
    }
    for warning in configuration.warnings { warn("\(config ?? "configuration"): \(warning)") }
    for stranger in script?.strangers(in: read) ?? [] { warn("\(rules ?? "rules"): \(stranger)") }
    for warning in recorded.warnings { warn("\(track ?? "track"): \(warning)") }
    let simulation = Simulation(
      feed: read, track: recorded, sensed: sensed,
      options: .init(
        quiet: quiet, speed: speed, timeZone: timeZone, collectsMarks: mapPath != nil,
        rules: script ?? SimulationRules(), planBudget: plan))
    try simulation.openFiles(
      events: events, decisions: decisions, plans: planFile, recording: record, resuming: store != nil)
    try simulation.run(configuration, storePath: store, properties.map(\.pair))
    if let mapPath {
      try OutputFile.write(MapPage.render(simulation.mapInput), to: mapPath)
    }
    try Output.line(simulation.summary)
  }

  private func warn(_ text: String) {
    if quiet { return }
    try? FileHandle.standardError.write(contentsOf: Data("warning: \(text)\n".utf8))
  }
}

/// `KEY=VALUE` on the command line.
struct PropertyOption: ExpressibleByArgument {
  let pair: (key: String, value: PropertyValue)

  init?(argument: String) {
    guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
    let text = String(argument[argument.index(after: equals)...])
    let value: PropertyValue
    if let flag = Bool(text) {
      value = .boolean(flag)
    } else if let number = Int64(text) {
      value = .integer(number)
    } else if let time = Timestamp.parse(text) {
      value = .date(time)
    } else if let number = Double(text), number.isFinite {
      value = .double(number)
    } else {
      value = .string(text)
    }
    pair = (String(argument[..<equals]), value)
  }
}
