import Foundation
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import Synchronization

/// One replay: a track goes into an engine; records, timeline and map marks come out.
final class Simulation: Sendable {
  struct Options: Sendable {
    var quiet: Bool
    var speed: Double?
    var timeZone: String
    var collectsMarks: Bool
  }

  /// An event or decision record, as far as the timeline needs it (docs/events.md, docs/decisions.md).
  struct Record: Decodable {
    var time: String
    var event: String?
    var sequence: Int64?
    var region: String?
    var visit: String?
    var campaign: String?
    var message: String?
    var dwellingMinutes: Int?
    var verdict: String?
    var reason: String?
    var detail: String?
    var nextPossible: String?
  }

  fileprivate struct State {
    var timeline: Timeline
    var progress: ProgressBar
    var position: TrackPoint?
    var entered: [String: Int64] = [:]
    var counts: [String: Int] = [:]
    var marks: [MapMark] = []
    var events: JSONLinesFile?
    var decisions: JSONLinesFile?
    /// Events up to here are in the file from an earlier run.
    var written: Int64 = 0
    var seenBefore = 0
    var refused = 0
    var firstRefusal = ""
    var fault: (any Error)?
  }

  private let feed: Feed
  private let track: Track
  fileprivate let options: Options
  fileprivate let names: [String: String]
  private let state: Mutex<State>

  init(feed: Feed, track: Track, options: Options) {
    self.feed = feed
    self.track = track
    self.options = options
    names = Dictionary(feed.regions.map { ($0.id.text, $0.name ?? $0.id.text) }) { first, _ in first }
    let progress = ProgressBar(total: track.points.count, unit: "fixes", quiet: options.quiet)
    state = Mutex(State(timeline: Timeline(style: .standardOutput()), progress: progress))
  }

  /// Opens the files for records. When `resuming` on a store, events go on where the file ends; decisions begin anew.
  func openFiles(events: String?, decisions: String?, resuming: Bool) throws {
    try state.withLock { state in
      if let events {
        if resuming, FileManager.default.fileExists(atPath: events), let last = try JSONLinesFile.lastLine(path: events)
        {
          state.written = try JSONDecoder().decode(Record.self, from: Data(last.utf8)).sequence ?? 0
        }
        state.events = try JSONLinesFile(path: events, append: resuming)
      }
      if let decisions { state.decisions = try JSONLinesFile(path: decisions, append: false) }
    }
  }

  /// Replays the whole track. Throws what a file or the engine refuses; single fixes that are refused are counted.
  func run(
    _ configuration: Configuration, storePath: String?, _ properties: [(key: String, value: PropertyValue)]
  ) throws {
    guard let start = track.points.first?.time else { return }
    let engine = Engine()
    defer { engine.close() }
    try engine.setCallback(\.event) { json, _ in self.take(json) { try $0.event(json, $1, self) } }
    try engine.setCallback(\.decision) { json in self.take(json) { try $0.decision(json, $1, self) } }
    try InputFault.of(storePath ?? "engine") {
      try engine.initialize(at: start, configuration, storePath: storePath)
    }
    try InputFault.of("--time-zone") { try engine.setTimeZone(options.timeZone, at: start) }
    try engine.setFeed(feed, at: start)
    for (key, value) in properties { try engine.setProperty(key, value, at: start) }
    var previous = start
    for (index, point) in track.points.enumerated() {
      while let wakeup = try engine.nextWakeup(), wakeup <= point.time { try engine.advance(to: wakeup) }
      if let speed = options.speed {
        Thread.sleep(forTimeInterval: max(0, Double(point.time - previous)) / 1000 / speed)
        previous = point.time
      }
      state.withLock { state in
        state.position = point
        state.progress.update(index + 1)
      }
      try update(engine, point)
      if let fault = state.withLock({ $0.fault }) { throw fault }
    }
    try state.withLock { state in
      state.progress.finish()
      try state.events?.close()
      try state.decisions?.close()
    }
  }

  private func update(_ engine: Engine, _ point: TrackPoint) throws {
    let coordinate = Coordinate(latitude: point.latitude, longitude: point.longitude)
    let fix = Fix(
      time: point.time, coordinate: coordinate, accuracy: point.accuracy, speed: point.speed, course: point.course)
    do {
      try engine.update(fix)
    } catch {
      switch error.status {
      case .outOfOrder: state.withLock { $0.seenBefore += 1 }
      case .invalidArgument:
        state.withLock { state in
          if state.refused == 0 { state.firstRefusal = "\(Timestamp.text(point.time)): \(error.message)" }
          state.refused += 1
        }
      default: throw error
      }
    }
  }

  /// Runs `body` for a record that the engine gives; the first fault ends the run.
  private func take(_ json: String, _ body: (inout State, Record) throws -> Void) {
    state.withLock { state in
      guard state.fault == nil else { return }
      do {
        try body(&state, JSONDecoder().decode(Record.self, from: Data(json.utf8)))
      } catch {
        state.fault = error
      }
    }
  }

  // MARK: What is left of it

  var mapInput: MapInput {
    let regions = feed.regions.compactMap { region -> MapRegion? in
      guard case .circle(let circle) = region.shape else { return nil }
      return MapRegion(
        id: region.id.text, name: region.name ?? "", latitude: circle.center.latitude,
        longitude: circle.center.longitude, radius: circle.radius)
    }
    return MapInput(
      title: track.name ?? "Simulation", points: track.points, regions: regions, marks: state.withLock { $0.marks })
  }

  /// One line: what went in, what came out.
  var summary: String {
    state.withLock { state in
      func count(_ kind: String, _ one: String, _ many: String) -> String {
        let number = state.counts[kind] ?? 0
        return "\(number) \(number == 1 ? one : many)"
      }
      var text = [
        "\(track.points.count) fixes", count("region-enter", "enter", "enters"), count("region-exit", "exit", "exits"),
        count("notification-shown", "notification", "notifications"), count("geotrigger", "geotrigger", "geotriggers"),
        count("dropped", "not shown", "not shown"),
      ].joined(separator: ", ")
      if state.seenBefore > 0 { text += "; \(state.seenBefore) fixes were seen before, or out of order" }
      if state.refused > 0 { text += "; \(state.refused) fixes were refused (\(state.firstRefusal))" }
      return text
    }
  }
}

// What a record does to the files, the timeline and the map.
extension Simulation.State {
  fileprivate mutating func event(_ json: String, _ record: Simulation.Record, _ simulation: Simulation) throws {
    guard (record.sequence ?? 0) > written else { return }
    try events?.write(json)
    let kind = record.event ?? ""
    let time = Timestamp.parse(record.time) ?? 0
    counts[kind, default: 0] += 1
    let visit = record.visit ?? ""
    switch kind {
    case "region-enter", "region-inside": entered[visit] = time
    default: break
    }
    let (symbol, text) = describe(kind, record, time)
    if kind == "region-exit" { entered[visit] = nil }
    try row(time, symbol, record, text, simulation)
    mark(symbol, time, record, text, simulation)
  }

  fileprivate mutating func decision(_ json: String, _ record: Simulation.Record, _ simulation: Simulation) throws {
    try decisions?.write(json)
    guard record.verdict == "drop", let campaign = record.campaign, let reason = record.reason,
      !["filtered-out", "deadline-dropped", "show-failed"].contains(reason)
    else { return }
    counts["dropped", default: 0] += 1
    var text = "\(campaign) is not shown: \(reason)"
    if let detail = record.detail { text += " (\(detail))" }
    if let next = record.nextPossible { text += ", possible from \(next)" }
    try row(Timestamp.parse(record.time) ?? 0, "dropped", record, text, simulation)
  }

  private func describe(_ kind: String, _ record: Simulation.Record, _ time: Int64) -> (symbol: String, text: String) {
    let message = record.message ?? ""
    let campaign = record.campaign ?? ""
    switch kind {
    case "region-enter": return ("enter", "")
    case "region-inside": return ("inside", "already here at the first fix")
    case "region-exit":
      guard let entered = entered[record.visit ?? ""] else { return ("exit", "") }
      return ("exit", "after \(Self.length(time - entered))")
    case "region-dwell": return ("dwell", "here for \(record.dwellingMinutes ?? 0) min")
    case "notification-shown": return ("notification", message)
    case "geotrigger": return ("geotrigger", message)
    case "notification-failed": return ("failed", "\(campaign) could not be shown")
    case "notification-filtered": return ("dropped", "\(campaign) was left out by the filter")
    case "geotrigger-dropped": return ("dropped", "\(campaign) was left out by the handler")
    default: return (kind, message)
    }
  }

  private static func length(_ milliseconds: Int64) -> String {
    let seconds = milliseconds / 1000
    return seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
  }

  private mutating func row(
    _ time: Int64, _ symbol: String, _ record: Simulation.Record, _ text: String, _ simulation: Simulation
  ) throws {
    guard !simulation.options.quiet else { return }
    progress.finish()
    let place = simulation.names[record.region ?? ""] ?? record.region ?? ""
    try Output.line(timeline.next(time: time, kind: symbol, place: place, text: text))
  }

  private mutating func mark(
    _ symbol: String, _ time: Int64, _ record: Simulation.Record, _ text: String, _ simulation: Simulation
  ) {
    guard simulation.options.collectsMarks, let position = position,
      ["notification", "geotrigger", "enter", "exit", "dwell"].contains(symbol)
    else { return }
    marks.append(
      MapMark(
        kind: symbol, time: time, latitude: position.latitude, longitude: position.longitude,
        region: record.region ?? "", title: text, campaign: record.campaign))
  }
}
