internal import ArgumentParser
import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import PlotTracks

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Replay a recorded track, and show what a phone would have shown.",
    discussion: """
      Tracks are GPX, TCX, KML, GeoJSON, CSV, FIT, NMEA 0183, logs of GnssLogger, and Google's Timeline, also packed by gzip \
      (docs/tracks.md). With --store, the engine continues in a later run: fixes that it has seen are skipped, and \
      events are added to the same file.

      To ask "what if?", change a value of the configuration or the feed with --set. --compare then \
      shows what changes, on the same inputs or on recordings (docs/simulate.md).
      """)

  @Option(help: "plotconfig.json; without it, every property has its default.", completion: .file(extensions: ["json"]))
  var config: String?

  @Option(
    help: "The campaign feed, as JSON or compiled; not needed for recordings.",
    completion: .file(extensions: ["json", "bin"]))
  var feed: String?

  @Option(
    help: "The track to replay; - is standard input. Not needed with other inputs.",
    completion: .file(extensions: ["gpx", "tcx", "kml", "geojson", "json", "csv", "fit", "nmea", "txt", "gz"]))
  var track: String?

  @Option(
    help: """
      With --pace: the track begins at this time, and its own times are ignored. Routes of GPX and lines of KML and GeoJSON \
      are tracks, too.
      """)
  var start: StartOption?

  @Option(help: "How fast the device moves: pedestrian, bicycle, auto, or kilometres an hour, 0.1 to 1000.")
  var pace: PaceOption?

  @Option(help: "Beacons that are heard on the way, as CSV or JSON Lines (docs/simulate.md).", completion: .file())
  var sightings: String?

  @Option(help: "Reports of the operating system about regions, as CSV or JSON Lines.", completion: .file())
  var hints: String?

  @Option(help: "Positions of regions that move, as CSV or JSON Lines.", completion: .file())
  var moves: String?

  @Option(
    help: """
      The actions of the app, its user and the device meanwhile, as JSON (docs/rules-file.md): a filter, a geotrigger handler, strategies, \
      displays that fail, notifications that are opened or dismissed, foreground, network, time zone and properties.
      """, completion: .file(extensions: ["json"]))
  var rules: String?

  @Option(help: "A store file, made when it is absent; without it, everything is kept in memory.", completion: .file())
  var store: String?

  @Option(help: "The policy that weighs fixes (docs/noise.md); overrides the configuration.")
  var noise: NoisePolicy?

  @Option(help: "How a device inside a region at its first fix is treated; overrides the configuration.")
  var initial: InitialPolicy?

  @Option(
    name: .customLong("property"),
    help: """
      Set a segmentation property as KEY=VALUE; may be repeated. true and false are booleans, 7 an integer, 7.5 a double, \
      2026-05-16T12:00:00Z a date, all else a string.
      """, completion: .custom { words, place, _ in TypedWords(words, at: place).properties })
  var properties: [PropertyOption] = []

  @Option(help: "The device's time zone, by its IANA name; without it, that of the place. Times are printed in it.")
  var timeZone: ZoneOption?

  @Option(help: "Write every event to this file, one JSON record a line.", completion: .file())
  var events: String?

  @Option(help: "Write every decision to this file, one JSON record a line.", completion: .file())
  var decisions: String?

  @Option(
    help: """
      Record all inputs and effects of the engine to this file (docs/recording.md); packed if its name ends in .gz. A later \
      run on a store is a recording of its own.
      """)
  var record: String?

  @Option(
    help: """
      Plan along the track which regions to register with the system, at most so many (0: the configuration's), and print each change as JSON.
      """)
  var plan: Int64?

  @Option(help: "Write the changes of the plan to this file instead, one JSON object a line.", completion: .file())
  var planFile: String?

  @OptionGroup var map: MapOptions

  @Option(
    name: .customLong("set"),
    help: """
      Change a value, as cooldownPeriod=600, engine.noise=driving, campaigns[3].trigger=exit or campaigns[ID].priority=5; may \
      be repeated. The value is JSON, or otherwise a text; null removes it.
      """, completion: .custom { words, place, _ in TypedWords(words, at: place).edits })
  var edits: [JSONEdit] = []

  @Flag(help: "Run twice, without --set and with it, and show what changes. The status is 0 even then.")
  var compare = false

  @Option(
    name: .customLong("recording"),
    help: """
      Replay this recording, or all recordings of this folder, in place of other inputs, with the answers that the app gave \
      then; may be repeated.
      """, completion: .file())
  var recordings: [String] = []

  @Flag(help: "With --compare: the result as one JSON object.")
  var json = false

  @Option(help: "Replay in real time, this many times as fast; without it, at once.")
  var speed: Double?

  @Flag(name: .shortAndLong, help: "No timeline, warnings or progress, only the last line.")
  var quiet = false

  func validate() throws {
    if let speed, !(speed > 0) { throw ValidationError("--speed must be above 0.") }
    let hasInputs = track != nil || sightings != nil || hints != nil || moves != nil
    if recordings.isEmpty {
      if feed == nil { throw ValidationError("Missing expected argument '--feed <feed>'") }
      guard hasInputs else {
        throw ValidationError("One of --track, --sightings, --hints, --moves and --recording is needed.")
      }
    } else if hasInputs || feed != nil || config != nil || rules != nil || store != nil || map.isGiven
      || record != nil || events != nil || decisions != nil || plan != nil
      || speed != nil || !properties.isEmpty
      || noise != nil || initial != nil || start != nil || pace != nil
    {
      throw ValidationError("Beside --recording only --set, --compare, --json and --quiet have a meaning.")
    }
    if compare, edits.isEmpty { throw ValidationError("--compare needs --set.") }
    if compare,
      store != nil || map.isWanted || record != nil || events != nil || decisions != nil || speed != nil
    {
      throw ValidationError("--compare runs in memory, and writes no files.")
    }
    if json, !compare { throw ValidationError("--json needs --compare.") }
    if let plan, !(0...1000).contains(plan) { throw ValidationError("--plan must be from 0 to 1000.") }
    if (start == nil) != (pace == nil) { throw ValidationError("--start and --pace go together.") }
    if start != nil, track == nil { throw ValidationError("--start and --pace need a --track.") }
    if plan != nil, track == nil { throw ValidationError("--plan needs a --track.") }
    if planFile != nil, plan == nil { throw ValidationError("--plan-file needs --plan.") }
  }

  private func way(_ path: String) throws -> PlotTracks.Track {
    let given = start.flatMap { start in pace.map { TrackPace(start: start.time, speed: $0.speed) } }
    do throws(TrackError) {
      return try TrackReader.read(path: path, pace: given)
    } catch {
      guard error.isAboutTimes else { throw error }
      var advised = error
      advised.found += "; with --start TIME and --pace PACE the way is replayed without its times"
      throw advised
    }
  }

  func run() throws {
    if compare || !recordings.isEmpty { return try compareRuns() }
    let ground = try map.ground { warn($0) }
    let simulation = try simulate(edits, quiet: quiet)
    if map.isWanted { try map.write(simulation.mapInput, on: ground) }
    if record == "-" {
      warn(simulation.summary, "")
    } else {
      try Output.show(line: simulation.summary)
    }
  }

  /// Both runs, on the inputs of the command line or on each recording.
  private func compareRuns() throws {
    let paths = try RecordingFiles.list(recordings)
    var comparisons: [Comparison] = []
    if paths.isEmpty {
      let runs = try [[], edits].map { edits in try Outcome(recording: simulate(edits, quiet: true, keeps: true).lines)
      }
      comparisons = [Comparison(name: track ?? "", before: runs[0], after: runs[1])]
    } else {
      var bar = ProgressBar(total: paths.count, unit: "recordings", quiet: quiet || paths.count == 1)
      for (index, path) in paths.enumerated() {
        let runs = try InputFault.of(path) {
          try [[], edits].map { edits in
            let reader = try LineReader(path: path, quiet: quiet || paths.count > 1)
            var whatIf = WhatIf(edits)
            try whatIf.read { try reader.next() }
            return Outcome(effects: try whatIf.run(), clock: LocalClock(whatIf.zone))
          }
        }
        comparisons.append(Comparison(name: path, before: runs[0], after: runs[1]))
        bar.update(index + 1)
      }
      bar.finish()
    }
    let report = ComparisonReport(comparisons, edits.map(\.text), hasChange: compare)
    if json { return try Output.line(report.json) }
    try Output.show(report.text(style: .standardOutput(), quiet: quiet))
  }

  private static func text(_ path: String?, or standard: String) throws -> [UInt8] {
    guard let path else { return Array(standard.utf8) }
    return try InputFault.of(path) { try InputFile.read(path, limit: Feed.sizeLimit) }
  }

  /// The text of a document with other values; the fault may be the document's or the option's.
  private func changed(_ text: [UInt8], of document: String, by edits: [JSONEdit]) throws -> [UInt8] {
    try edits.reduce(text) { text, edit in
      try InputFault.of("--set \(edit.text): \(document)") { try edit.applied(to: text) }
    }
  }

  private func read(_ feed: String, _ edits: [JSONEdit]) throws -> Feed {
    let isCompiled = InputFile.start(of: feed, count: 8).map { Feed.isCompiled($0) } ?? false
    let compiled = isCompiled ? try InputFault.of(feed) { try Feed.map(path: feed) } : nil
    if let compiled, edits.isEmpty { return compiled }
    let text = try compiled.map { Array($0.json.utf8) } ?? Self.text(feed, or: "")
    let places = try changed(text, of: feed, by: edits)
    return try InputFault.of(feed) { try Feed.parse(places) }
  }

  /// Runs it; with `keeps` in memory, and the recording is in `lines`.
  private func simulate(_ edits: [JSONEdit], quiet: Bool, keeps: Bool = false) throws -> Simulation {
    var own = edits.filter { !$0.isOfFeed }
    if let initial, let edit = JSONEdit("engine.initial=\(initial.rawValue)") { own.insert(edit, at: 0) }
    if let noise, let name = NoisePolicy.named.first(where: { $0.policy == noise })?.name,
      let edit = JSONEdit("engine.noise=\(name)")
    {
      own.insert(edit, at: 0)
    }
    let name = config ?? "configuration"
    let given = try Self.text(config, or: "{}")
    let words = try changed(given, of: name, by: own)
    try JSONEdit.check(edits.filter { !$0.isOfFeed }, from: given, to: words)
    let configuration = try InputFault.of(name) { try Configuration(parsing: words) }
    let feed = feed ?? ""
    let read = try self.read(feed, edits.filter(\.isOfFeed))
    if !properties.isEmpty {
      let names = PropertyNames(read)
      for property in properties { try names.check(property.pair.key) }
    }
    let script = try rules.map { path in
      try InputFault.of(path) { try SimulationRules.parse(InputFile.read(path, limit: SimulationRules.sizeLimit)) }
    }
    let recorded = try track.map { try way($0) } ?? Track(name: nil, points: [], warnings: [])
    var sensed: [SensedInput] = []
    for (path, kind) in [(moves, SensedInput.Kind.moves), (sightings, .sightings), (hints, .hints)] {
      if let path { sensed += try SensedReader.read(path: path, kind) }
    }
    if !keeps {
      for warning in configuration.warnings { warn("\(name): \(warning)") }
      for stranger in script?.strangers(in: read) ?? [] { warn("\(rules ?? "rules"): \(stranger)") }
      for warning in recorded.warnings { warn("\(track ?? "track"): \(warning)") }
    }
    let simulation = Simulation(
      feed: read, track: recorded, sensed: sensed,
      options: .init(
        quiet: quiet || record == "-", keepsRecording: keeps, speed: speed, clock: clock(recorded, read),
        collectsMarks: map.isWanted,
        rules: script ?? SimulationRules(), planBudget: plan))
    try simulation.openFiles(
      events: events, decisions: decisions, plans: planFile, recording: record, resuming: store != nil)
    try simulation.run(configuration, storePath: store, properties.map(\.pair))
    return simulation
  }

  /// The device's clock: of the place where the track begins, or else of the first region.
  private func clock(_ track: PlotTracks.Track, _ feed: Feed) -> LocalClock {
    if let timeZone { return timeZone.clock }
    let first = track.points.first.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    guard let place = first ?? feed.regions.lazy.compactMap({ $0.shape.circle?.center }).first else { return .utc }
    return LocalClock(zone: PlaceZones.zone(latitude: place.latitude, longitude: place.longitude)) ?? .utc
  }

  private func warn(_ text: String, _ word: String = "warning: ") {
    if quiet { return }
    Output.warn(word + text)
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
