import FoundationEssentials
internal import Glibc
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import PlotStory
internal import PlotTracks
internal import Synchronization

/// One replay: a track goes into an engine; records, timeline and map marks come out.
final class Simulation: Sendable {
  struct Options: Sendable {
    var quiet: Bool
    /// Whether `lines` has the recording after the run.
    var keepsRecording = false
    var speed: Double?
    /// The device's; times are told by it, too.
    var clock = LocalClock.utc
    var collectsMarks: Bool
    var rules = SimulationRules()
    /// Plan the regions to register, with this budget.
    var planBudget: Int64?
  }

  fileprivate struct State {
    var timeline: Timeline
    var progress: ProgressBar
    var entered: [String: Int64] = [:]
    var counts: [String: Int] = [:]
    /// The campaign and region of the newest batch items that the app did not answer about in time.
    var unanswered: Set<String> = []
    /// The subject of the newest decision against a notification: several strategies may be against one.
    var lastDrop = ""
    /// Of each region, how often a reason kept a fix from beginning or ending a visit.
    var held: [String: [String: Int]] = [:]
    /// Nil without a map.
    var map: MapCollector?
    var events: JSONLinesFile?
    var decisions: JSONLinesFile?
    var plans: JSONLinesFile?
    var recording: LineWriter?
    var lines: [String] = []
    /// Events up to here are in the file from an earlier run.
    var written: Int64 = 0
    var seenBefore = 0
    var refused = 0
    var firstRefusal = ""
    /// The same of what is no fix.
    var refusedInputs = 0
    var firstRefusedInput = ""
    /// Further remarks in the last line.
    var remarks = ""
    var fault: (any Error)?
  }

  private let feed: Feed
  private let track: PlotTracks.Track
  private let sensed: [SensedInput]
  fileprivate let options: Options
  fileprivate let names: [String: String]
  private let state: Mutex<State>

  init(feed: Feed, track: PlotTracks.Track, sensed: [SensedInput] = [], options: Options) {
    self.feed = feed
    self.track = track
    self.sensed = SensedInput.inOrder(sensed)
    self.options = options
    names = Dictionary(feed.regions.map { ($0.id.text, $0.name ?? $0.id.text) }) { first, _ in first }
    let progress = ProgressBar(total: track.points.count, unit: "fixes", quiet: options.quiet)
    var map = options.collectsMarks ? MapCollector() : nil
    map?.add(feed)
    map?.clock = options.clock
    state = Mutex(
      State(timeline: Timeline(style: .standardOutput(), clock: options.clock), progress: progress, map: map))
  }

  /// Opens the files for records. When `resuming` on a store, events go on where the file ends; decisions begin anew.
  func openFiles(
    events: String?, decisions: String?, plans: String? = nil, recording: String? = nil, resuming: Bool
  ) throws {
    try state.withLock { state in
      if let events {
        if resuming { state.written = try JSONLinesFile.lastSequence(path: events) }
        state.events = try JSONLinesFile(path: events, append: resuming)
      }
      if let decisions { state.decisions = try JSONLinesFile(path: decisions, append: false) }
      if let plans { state.plans = try JSONLinesFile(path: plans, append: false) }
      if let recording { state.recording = try LineWriter(path: recording) }
    }
  }

  /// Replays the whole track. Throws what a file or the engine refuses; single fixes that are refused are counted.
  func run(
    _ configuration: Configuration, storePath: String?, _ properties: [(key: String, value: PropertyValue)]
  ) throws {
    guard let first = [track.points.first?.time, sensed.first?.time].compactMap(\.self).min() else { return }
    let engine = Engine()
    defer { engine.close() }
    let host = SimulatedHost(options.rules, configuration)
    let start = min(first, host.start ?? first)
    try engine.setCallback(\.event) { json, _ in self.take(json) { try $0.event(json, $1, self) } }
    try engine.setCallback(\.decision) { json, decision in
      self.take(json) { try $0.decision(json, $1, decision.sentence(in: self.options.clock.rules), self) }
    }
    let keeps = options.keepsRecording
    if keeps || state.withLock({ $0.recording != nil }) {
      try engine.setRecordingCallback { line in
        self.state.withLock { state in
          if keeps { state.lines.append(line) }
          state.write(line)
        }
      }
    }
    try host.register(with: engine)
    try InputFault.of(storePath ?? "engine") {
      // On a store time goes on where it stood: what is due between then and now comes in its turn, like all else.
      let earliest = configuration.earliestTime
      try engine.initialize(at: storePath == nil ? start : earliest, configuration, storePath: storePath)
    }
    let newest = try engine.newestTime()
    let now = newest <= configuration.earliestTime ? start : newest
    if !host.hasSet(.timeZone(""), by: newest) {
      try InputFault.of("--time-zone") { try engine.setTimeZone(options.clock.zone, at: now) }
    }
    try engine.setFeed(feed, at: now)
    for (key, value) in properties where !host.hasSet(.property(key, nil), by: newest) {
      try engine.setProperty(key, value, at: now)
    }
    host.skip(to: newest)
    var pace = Pace(time: max(start, newest), speed: options.speed)
    // Inputs that an earlier run on the store has seen are not given again.
    var rest = sensed[...].drop { $0.time < newest }
    var planner = options.planBudget.map { RegionPlanner(budget: $0) }
    func playRest() throws {
      let input = rest.removeFirst()
      guard try play(engine, host, input, &pace), input.kind == .moves else { return }
      try write(planner?.plan(afterMoveAt: input.time, engine))
    }
    for (index, point) in track.points.enumerated() {
      while let next = rest.first, next.time < point.time || (next.time == point.time && next.kind == .moves) {
        try playRest()
      }
      try play(engine, host, to: point.time, &pace)
      pace.wait(until: point.time)
      state.withLock { state in
        state.map?.add(point)
        state.progress.update(index + 1)
      }
      if try update(engine, point) { try write(planner?.plan(after: point, engine)) }
      try host.check()
      if let fault = state.withLock({ $0.fault }) { throw fault }
    }
    while !rest.isEmpty { try playRest() }
    try state.withLock { state in
      state.remarks = host.remarks
      state.progress.finish()
      try state.events?.close()
      try state.decisions?.close()
      try state.plans?.close()
      try state.recording?.close()
    }
  }

  /// One line of the plan file, or of standard output.
  private func write(_ plan: String?) throws {
    guard let plan else { return }
    try state.withLock { state in
      if let file = state.plans { return try file.write(plan) }
      state.progress.finish()
      try Output.line(plan)
    }
  }

  /// False when the engine refuses it.
  private func play(_ engine: Engine, _ host: SimulatedHost, _ input: SensedInput, _ pace: inout Pace) throws -> Bool {
    try play(engine, host, to: input.time, &pace)
    pace.wait(until: input.time)
    var isTaken = false
    do {
      try input.play(engine)
      isTaken = true
      if case .move(let region, let place) = input.value {
        state.withLock { $0.map?.move(region, to: place, at: input.time) }
      }
    } catch {
      switch error.status {
      case .outOfOrder, .invalidArgument, .notFound:
        state.withLock { state in
          if state.refusedInputs == 0 { state.firstRefusedInput = "\(Timestamp.text(input.time)): \(error.message)" }
          state.refusedInputs += 1
        }
      default: throw error
      }
    }
    try host.check()
    if let fault = state.withLock({ $0.fault }) { throw fault }
    return isTaken
  }

  /// Lets all that is due up to `time` come, each at its own time: at one time first what the engine waits for.
  private func play(_ engine: Engine, _ host: SimulatedHost, to time: Int64, _ pace: inout Pace) throws {
    var wakeups = 0
    while true {
      let due = try host.nextTime(engine) ?? .max
      if wakeups < Version.mostWakeups, let wakeup = try engine.nextWakeup(), wakeup <= min(time, due) {
        wakeups += 1
        pace.wait(until: wakeup)
        try engine.advance(to: wakeup)
      } else if due <= time {
        pace.wait(until: due)
        try host.step(engine)
      } else {
        return
      }
    }
  }

  /// Replays in time with the clock.
  private struct Pace {
    var time: Int64
    var speed: Double?

    mutating func wait(until next: Int64) {
      guard let speed else { return }
      let seconds = Double(max(0, next - time)) / 1000 / speed
      var pause = timespec(
        tv_sec: Int(saturating: seconds), tv_nsec: Int(saturating: (seconds - seconds.rounded(.down)) * 1e9))
      _ = unsafe nanosleep(&pause, nil)
      time = max(time, next)
    }
  }

  /// False when the engine refuses it.
  private func update(_ engine: Engine, _ point: TrackPoint) throws -> Bool {
    let coordinate = Coordinate(latitude: point.latitude, longitude: point.longitude)
    let fix = Fix(
      time: point.time, coordinate: coordinate, accuracy: point.accuracy, speed: point.speed, course: point.course)
    do {
      try engine.update(fix)
      return true
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
      return false
    }
  }

  /// Runs `body` for a record that the engine gives; the first fault ends the run.
  private func take(_ json: String, _ body: (inout State, RunRecord) throws -> Void) {
    state.withLock { state in
      guard state.fault == nil else { return }
      do {
        try body(&state, RunRecord(json))
      } catch {
        state.fault = error
      }
    }
  }

  // MARK: What is left of it

  /// The map of the run, once it is over.
  var mapInput: MapInput {
    let map = state.withLock { $0.map } ?? MapCollector()
    return map.input(title: track.name ?? "Simulation")
  }

  /// The recording of the run, where it is kept.
  var lines: [String] { state.withLock(\.lines) }

  /// Where the track came nearest to a visit: the nearest region, or one that a fix was inside of, and why that proved nothing.
  private func nearestRegion(_ held: [String: [String: Int]]) -> String {
    let step = max(1, track.points.count / max(1, min(200, 4_000_000 / max(1, feed.regions.count))))
    var nearest: (region: Region, distance: Double)?
    for index in stride(from: 0, to: track.points.count, by: step) {
      let point = track.points[index]
      let place = Coordinate(latitude: point.latitude, longitude: point.longitude)
      for region in feed.regions {
        guard let distance = region.shape.edgeDistance(from: place), distance < nearest?.distance ?? .infinity else {
          continue
        }
        nearest = (region, distance)
      }
    }
    guard let (region, distance) = nearest else { return "" }
    guard distance > 0 else {
      let reason = held[region.id.text]?.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
      return "; a fix was inside \(region.name ?? region.id.text), and no visit began"
        + (reason.map { ": \($0)" } ?? "")
    }
    return "; the nearest region, \(region.name ?? region.id.text), was \(Words.distance(distance)) away"
  }

  /// One line: what went in, what came out.
  var summary: String {
    state.withLock { state in
      func count(_ kind: String, _ one: String, _ many: String) -> String {
        Words.count(state.counts[kind] ?? 0, one, many)
      }
      let inputs = SensedInput.Kind.allCases.map { kind in
        let number = sensed.count { $0.kind == kind }
        return number == 0 ? "" : ", \(number) \(kind.rawValue)"
      }.joined()
      var text = [
        "\(Words.count(track.points.count, "fix", "fixes"))\(inputs)", count("region-enter", "enter", "enters"),
        count("region-exit", "exit", "exits"),
        count("notification-shown", "notification", "notifications"), count("geotrigger", "geotrigger", "geotriggers"),
        count("dropped", "not shown", "not shown"),
      ].joined(separator: ", ")
      for (kind, name) in [
        ("notification-held-out", "held out"), ("notification-opened", "opened"), ("notification-action", "acted on"),
        ("notification-dismissed", "dismissed"),
        ("notification-removed", "removed"),
      ] {
        if let number = state.counts[kind] { text += ", \(number) \(name)" }
      }
      text += state.remarks
      if state.seenBefore > 0 { text += "; \(state.seenBefore) fixes were seen before, or out of order" }
      if state.refusedInputs > 0 {
        text += "; \(state.refusedInputs) other inputs were refused (\(state.firstRefusedInput))"
      }
      if state.refused > 0 { text += "; \(state.refused) fixes were refused (\(state.firstRefusal))" }
      if state.counts["region-enter"] == nil, state.counts["region-inside"] == nil {
        text += nearestRegion(state.held)
      }
      return text
    }
  }
}

// The effects of a record on the files, the timeline and the map.
extension Simulation.State {
  fileprivate mutating func write(_ line: String) {
    do { try recording?.write(line) } catch { fault = fault ?? error }
  }

  fileprivate mutating func event(_ json: String, _ record: RunRecord, _ simulation: Simulation) throws {
    guard (record.sequence ?? 0) > written else { return }
    try events?.write(json)
    map?.event(record)
    let kind = record.event ?? ""
    let time = Timestamp.parse(record.time) ?? 0
    counts[kind, default: 0] += 1
    if ["notification-filtered", "notification-failed", "geotrigger-dropped"].contains(kind) {
      counts["dropped", default: 0] += 1
    }
    let visit = record.visit ?? ""
    switch kind {
    case "region-enter", "region-inside": entered[visit] = record.crossed(time)
    default: break
    }
    let (symbol, text) = describe(kind, record, time)
    if kind == "region-exit" { entered[visit] = nil }
    try row(time, symbol, record, text, simulation)
  }

  fileprivate mutating func decision(
    _ json: String, _ record: RunRecord, _ sentence: @autoclosure () -> String, _ simulation: Simulation
  ) throws {
    try decisions?.write(json)
    map?.decision(record, sentence: sentence())
    if record.step == "presence", let region = record.region, let reason = record.reason {
      held[region, default: [:]][reason, default: 0] += 1
    }
    guard record.verdict == "drop", let campaign = record.campaign, let reason = record.reason, let step = record.step
    else { return }
    let key = [campaign, record.region ?? ""].joined(separator: ";")
    if reason == "filtered-out" { unanswered.remove(key) }
    if reason == "deadline-dropped" || reason == "restart-dropped" { unanswered.insert(key) }
    // Their events have rows.
    if ["filtered-out", "deadline-dropped", "restart-dropped", "show-failed"].contains(reason) { return }
    let what =
      switch step {
      case "remove": "\(campaign) stays on the screen"
      case "attachment": "an attachment of \(campaign) is left out"
      default: "\(campaign) is not shown"
      }
    var text = "\(what): \(reason)"
    if let detail = record.detail { text += " (\(detail))" }
    let time = Timestamp.parse(record.time) ?? 0
    if let next = record.nextPossible.flatMap({ Timestamp.parse($0) }) {
      text += ", possible from \(timeline.clock.text(next, besides: time))"
    }
    let drop = [record.time, step, key, record.visit ?? ""].joined(separator: ";")
    let isCounted = step != "remove" && step != "attachment" && drop != lastDrop
    if isCounted { counts["dropped", default: 0] += 1 }
    lastDrop = drop
    try row(time, "dropped", record, text, simulation)
  }

  private func describe(_ kind: String, _ record: RunRecord, _ time: Int64) -> (symbol: String, text: String) {
    let message = record.message ?? ""
    let campaign = record.campaign ?? ""
    switch kind {
    // A crossing that was not certain at once is reported later than it happened.
    case "region-enter":
      let entered = record.crossed(time)
      return ("enter", entered == time ? "" : "at \(timeline.clock.text(entered, besides: time))")
    case "region-inside": return ("inside", "already here at the first fix")
    case "region-exit":
      guard let entered = entered[record.visit ?? ""] else { return ("exit", "") }
      return ("exit", timeline.clock.stay(from: entered, to: record.crossed(time), reported: time))
    case "region-approach":
      return ("approach", "will be there at \(timeline.clock(Timestamp.parse(record.arrival ?? "") ?? time).timeOfDay)")
    case "region-dwell": return ("dwell", "here for \(record.dwellingMinutes ?? 0) min")
    case "notification-shown": return ("notification", message)
    case "geotrigger": return ("geotrigger", message)
    case "notification-failed": return ("failed", "\(campaign) could not be shown")
    case "notification-filtered", "geotrigger-dropped":
      let who = kind == "geotrigger-dropped" ? "handler" : "filter"
      let isLate = unanswered.contains("\(campaign);\(record.region ?? "")")
      return (
        "dropped", isLate ? "\(campaign): the \(who) did not answer in time" : "\(campaign) was left out by the \(who)"
      )
    case "notification-held-out":
      return ("held out", "\(campaign) would be shown, but this person is in the holdout group \(record.holdout ?? "")")
    case "notification-opened": return ("opened", "\(campaign) was opened")
    case "notification-action": return ("opened", "\(campaign): \(record.action ?? "") was chosen")
    case "notification-dismissed": return ("removed", "\(campaign) was dismissed")
    case "notification-removed": return ("removed", "\(campaign) was removed: \(record.reason ?? "")")
    case "absence", "absence-unknown": return ("absence", absence(kind, record, time))
    case "message-dropped": return ("dropped", "\(message): \(record.reason ?? "")")
    case _ where record.trip != nil: return ("trip", trip(kind, record, time))
    default: return (kind, message)
    }
  }

  /// `trip order-7: near, 442 m left, there at 11:20:00`
  private func trip(_ kind: String, _ record: RunRecord, _ time: Int64) -> String {
    let news =
      switch kind {
      case "trip-started": "begins"
      case "trip-approaching": "near"
      case "trip-arrived": "has arrived"
      case "trip-stopped": "has stopped on the way"
      case "trip-off-route": "is off its route"
      case "trip-delayed": "is late"
      case "trip-wrong-destination": "is at \(record.otherRegion ?? "another place") instead"
      case "trip-expired": "its time is over"
      default: "cancelled"
      }
    var text = "trip \(record.trip ?? ""): \(news)"
    if let metres = record.metres { text += ", \(Int64(saturating: metres.rounded())) m left" }
    if let arrival = record.arrival.flatMap({ Timestamp.parse($0) }) {
      text += ", there at \(timeline.clock.text(arrival, besides: time))"
    }
    if let delay = record.delaySeconds, delay > 0 { text += ", \(Words.length(delay * 1000)) after its deadline" }
    return text
  }

  private func absence(_ kind: String, _ record: RunRecord, _ time: Int64) -> String {
    let span = [record.from, record.to].map { $0.flatMap { Timestamp.parse($0) } ?? time }
    let ends = span.map { timeline.clock.text($0, besides: time) }
    let text = "not here from \(ends[0]) to \(ends[1])"
    return kind == "absence" ? text : "\(text)? For a part of it nothing is known"
  }

  private mutating func row(
    _ time: Int64, _ symbol: String, _ record: RunRecord, _ text: String, _ simulation: Simulation
  ) throws {
    guard !simulation.options.quiet else { return }
    progress.finish()
    let place = simulation.names[record.region ?? ""] ?? record.region ?? ""
    try Output.show(timeline.next(time: time, kind: symbol, place: place, text: text) + "\n")
  }
}
