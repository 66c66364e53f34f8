internal import PlotCore
internal import PlotDocuments
internal import PlotStore

/// Something to be told to the host, in its turn.
enum Delivery: Sendable {
  case event(json: String, item: Item?, sequence: Int64)
  case decision(json: String, Decision)
  /// A line of a recording.
  case recording(String)
  case ask(Batch)
  case show(Item)
  case open(Item)
  case vote(Ballot)
  case remove(Item)
  case tell(Notice, [Identifier])
  /// A strategy gets what it has saved, and its parameters.
  case load(Identifier)
  case log(LogLevel, String)
}

/// What an engine's lock protects.
struct Session: Sendable {
  enum Phase {
    case fresh
    case running
    case closed
  }

  // What the quiet path looks at comes first.
  var phase = Phase.fresh
  var isDelivering = false
  /// Somebody wants to hear of inputs that change nothing.
  private var isWatched = false
  var toldWakeup: Milliseconds?
  /// What is earlier is refused (`engine.earliestTime`).
  var earliestTime: Milliseconds = 0
  /// Of the queue, which lies elsewhere.
  private var isQueueEmpty = true
  var machine = Machine(state: State(), feed: .empty)
  var queue: Queue<Delivery> = [] { didSet { isQueueEmpty = queue.isEmpty } }
  var store: Store?
  var callbacks = Callbacks() {
    didSet {
      told = Told(callbacks)
      watch()
    }
  }
  /// The same for whoever tells the host: a copy counts one reference.
  private(set) var told = Told.nobody
  var debug = false { didSet { watch() } }
  /// Logs, events and decisions are without places (docs/privacy.md).
  var hidesCoordinates = false
  /// The newest lines of the debug log.
  var log = Ring<String>(capacity: 1000)
  /// The last event that the host has got.
  var delivered: Int64 = 0
  /// What the clocks showed before the engine was initialized.
  var clock: ClockReading?
  /// What may stand for the feed that the store holds.
  var offered: Feed?
  var tests = TestBatches()
  /// What a recording that begins with the engine is written to, and whether effects are in it.
  var recordingFile: RecordingFile?
  var recordsEffects = true
  var recorder: Recorder? { didSet { watch() } }

  var ring = DecisionRing()
  /// Where decisions are written; nil for nowhere.
  var decisionFile: String?

  /// Answers of the host's that the store has not taken yet, in their order. They come before any other input.
  private var unwritten: Queue<Input> = []

  /// What is led to while the host is told of one of many fixes; nil else.
  var collected: [BatchEffect]?

  private mutating func watch() { isWatched = debug || recorder != nil || callbacks.wakeup != nil }

  /// Takes a fix that changes nothing, and of which nobody is told. False for any other, and then nothing has happened.
  mutating func takeQuietly(_ fix: Fix) -> Bool { maySkip(fix) && machine.takeQuietly(fix) }

  /// The same, with what an index has said of the fix.
  mutating func takeQuietly(_ fix: Fix, known: KnownPlaces) -> Bool {
    maySkip(fix) && machine.takeQuietly(fix, known: known)
  }

  /// When the host is to come again: never before what it may say.
  var wakeup: Milliseconds? { machine.nextWakeup.map { max($0, earliestTime) } }

  /// Whether nobody is told of a fix that changes nothing, and nothing waits that comes before it.
  @inline(__always)
  private func maySkip(_ fix: Fix) -> Bool {
    guard phase == .running, isQueueEmpty || isDelivering, unwritten.isEmpty, fix.time >= earliestTime,
      fix.time <= Timestamp.range.upperBound
    else { return false }
    if isWatched, debug || recorder != nil || toldWakeup != machine.nextWakeup { return false }
    return true
  }

  final class Told: Sendable {
    let callbacks: Callbacks
    static let nobody = Told(Callbacks())

    init(_ callbacks: Callbacks) { self.callbacks = callbacks }
  }

  /// Takes over what the machine has to know about the host.
  mutating func updateSettings() {
    takeOver(&machine.settings)
    record { [settings = machine.settings] (recorder) throws(FileError) in try recorder.note(settings) }
  }

  func takeOver(_ settings: inout Machine.Settings) {
    settings.hasFilter = callbacks.filter != nil
    settings.hasGeotriggerHandler = callbacks.geotriggers != nil
    settings.strategies = callbacks.strategies.map { Identifier($0.key) }
    settings.recordsDecisions =
      callbacks.decision != nil || debug || recorder?.hasEffects == true || ring.capacity > 0 || decisionFile != nil
  }

  /// Runs the machine, commits, and records. Throws what the input is refused for, or what the store says; if the store fails, and with
  /// `isUndone`, the machine is as it was before.
  @discardableResult
  mutating func take(_ input: Input, isUndone: Bool = false) throws -> Machine.Output {
    try takeUnwritten()
    if isUndone, store != nil { return try takeOrUndo(input) }
    let output = try taken(input)
    // What cannot be written has happened all the same.
    defer { record(input, output) }
    try commit(output, of: input)
    return output
  }

  /// Takes an answer of the host's, which is not asked again. What the store does not take now is taken before the next input.
  mutating func take(answer: Input) throws(StoreError) {
    unwritten.append(answer)
    try takeUnwritten()
  }

  /// Takes the answers that the store did not take when they came. Throws when it still does not.
  mutating func takeUnwritten() throws(StoreError) {
    while let answer = unwritten.first {
      do {
        _ = try takeOrUndo(answer)
      } catch let error as StoreError {
        throw error
      } catch {
        // About a notification that waits for none any more.
      }
      unwritten.removeFirst()
    }
  }

  /// Clears the machine, the store and all that is kept in memory (docs/privacy.md). The store's answer may come too late for anything to be undone.
  mutating func clearAllData(at time: Milliseconds) throws {
    let before = machine
    let input = Input.clearAllData(at: time)
    let output = try taken(input)
    var isCleared = false
    var fault: StoreError?
    do throws(StoreError) {
      try store?.clear(output.changes, of: machine.state, delivered: machine.state.sequence, isCleared: &isCleared)
    } catch {
      guard isCleared else {
        machine = before
        throw error
      }
      fault = error
      fault?.message += "; all is cleared, but bytes may be left in the file: clear once more"
    }
    delivered = machine.state.sequence
    // What waits to be told is about what is gone; the lines of a recording are the app's.
    queue = queue.filter { if case .recording = $0 { true } else { false } }
    log.clear()
    ring.clear()
    tests.clear()
    collected = collected.map { _ in [] }
    unwritten.removeAll()
    record(input, output)
    // Strategies hear that nothing of theirs is saved.
    queue += callbacks.strategies.map { .load(Identifier($0.key)) }
    report(.info, "all data cleared")
    if let fault { throw fault }
  }

  private mutating func takeOrUndo(_ input: Input) throws -> Machine.Output {
    let before = store == nil ? nil : machine
    let output = try taken(input)
    do {
      try commit(output, of: input)
    } catch {
      if let before { machine = before }
      throw error
    }
    record(input, output)
    return output
  }

  /// Runs the machine. What it refuses is recorded.
  private mutating func taken(_ input: Input) throws -> Machine.Output {
    do throws(InputError) {
      return try machine.take(input)
    } catch {
      var decision: Decision?
      if case .outOfOrder = error {
        decision = machine.lateRefusal
        if let decision { record(decision) }
      }
      record { [wakeup = machine.nextWakeup] (recorder) throws(FileError) in
        try recorder.write(input, refused: error, decision, wakeup)
      }
      throw error
    }
  }

  private mutating func record(_ input: Input, _ output: Machine.Output) {
    guard recorder != nil else { return }
    record { [wakeup = machine.nextWakeup] (recorder) throws(FileError) in
      try recorder.write(input, output, wakeup)
    }
  }

  /// Begins the recording that was asked for before the start.
  mutating func beginRecording(at time: Milliseconds, _ configuration: Configuration) throws {
    guard recordingFile != nil || callbacks.recording != nil else { return }
    let hasCallback = callbacks.recording != nil
    var recorder = Recorder(
      file: recordingFile, hasCallback: hasCallback, hasEffects: hasCallback || recordsEffects, &machine.settings)
    let image = machine.state.newest == 0 ? nil : try store?.image()
    let names = Set(machine.feed.zoneNames + [machine.state.host.zone.name]).sorted()
    try recorder.begin(at: time, configuration, image: image, zoneNames: names)
    self.recorder = recorder
    takeOver(&machine.settings)
    queue += self.recorder?.takeLines().map { .recording($0) } ?? []
  }

  /// Writes to the recording, while there is one. A file that cannot be written ends it; the engine goes on.
  mutating func record(_ body: (inout Recorder) throws(FileError) -> Void) {
    guard recorder != nil else { return }
    do throws(FileError) {
      try body(&recorder!)
      if let lines = recorder?.takeLines(), !lines.isEmpty { queue += lines.map { .recording($0) } }
    } catch {
      endRecording()
      report(.error, "the recording has ended: \(error.message)")
    }
  }

  mutating func endRecording() {
    recorder = nil
    recordingFile = nil
    machine.settings.inspect = FileInspection { FileFacts.of($0) }
    takeOver(&machine.settings)
  }

  /// Writes what an input has changed, and queues what it leads to.
  mutating func commit(_ output: Machine.Output, of input: Input) throws(StoreError) {
    var outbox: [OutboxEntry] = []
    var hasEvent = false
    var deliveries: [Delivery] = []
    var decisions: [Decision] = []
    let tellsEvents = debug || callbacks.event != nil
    for position in output.effects.indices {
      // Looked at where it lies: events are large.
      if !tellsEvents, output.effects[position].isEvent {
        hasEvent = true
        continue
      }
      switch output.effects[position] {
      case .event(let event):
        hasEvent = true
        let json = hidesCoordinates ? event.withoutPlace.json : event.json
        note(.info, json, to: &deliveries)
        guard callbacks.event != nil else { continue }
        outbox.append(OutboxEntry(sequence: event.sequence, json: json, item: event.item))
        deliveries.append(.event(json: json, item: event.item, sequence: event.sequence))
      case .decision(var decision):
        if hidesCoordinates { decision.hidePlace() }
        decisions.append(decision)
        add(decision, to: &deliveries)
      case .ask(let batch): deliveries.append(.ask(batch))
      case .show(let item): deliveries.append(.show(item))
      case .open(let item): deliveries.append(.open(item))
      case .vote(let ballot): deliveries.append(.vote(ballot))
      case .remove(let item): deliveries.append(.remove(item))
      case .tell(let notice, let keys): deliveries.append(.tell(notice, keys))
      case .plan: break
      }
    }
    if let store, hasEvent || !output.changes.isEmpty {
      try store.commit(
        output.changes, of: machine.state, outbox: outbox, delivered: delivered,
        waitsForDisk: !(outbox.isEmpty && output.onlyAnswers(input)))
    }
    // Always behind what waits: events reach the host in the order of their sequence, which is how they are acknowledged.
    if output.leftOut > 0 {
      note(
        .warning, "\(output.leftOut) candidates beyond the \(Machine.candidateLimit) of one instant are dropped",
        to: &deliveries)
    }
    if queue.isEmpty { queue = Queue(deliveries) } else { queue += deliveries }
    keep(decisions)
    collect(output)
  }

  /// What was decided about an input that was refused.
  mutating func record(_ decision: Decision) {
    var decision = decision
    if hidesCoordinates { decision.hidePlace() }
    var deliveries: [Delivery] = []
    add(decision, to: &deliveries)
    queue += deliveries
    keep([decision])
  }

  private mutating func add(_ decision: Decision, to deliveries: inout [Delivery]) {
    guard callbacks.decision != nil || debug else { return }
    let json = decision.json
    note(.debug, json, to: &deliveries)
    if callbacks.decision != nil { deliveries.append(.decision(json: json, decision)) }
  }

  /// A line for the debug log, while it is on: the only place that makes one. Ids and texts come from documents and
  /// hosts, and must neither forge a line nor steer the terminal that shows it.
  mutating func note(_ level: LogLevel, _ message: @autoclosure () -> String, to deliveries: inout [Delivery]) {
    guard debug else { return }
    let message = message().visible
    log.add("\(Timestamp.text(machine.state.newest)) \(level.name) \(message)")
    if callbacks.log != nil { deliveries.append(.log(level, message)) }
  }

  /// A line about something that went wrong.
  mutating func report(_ level: LogLevel, _ message: String) {
    var lines: [Delivery] = []
    note(level, message, to: &lines)
    queue += lines
  }
}

extension Machine.Effect {
  fileprivate var isEvent: Bool { if case .event = self { true } else { false } }
}

extension Machine.Output {
  /// Whether all that was done is that the app's answer about geotriggers was taken, and the host is told nothing that it could act upon. Were that
  /// lost, the geotriggers would be offered again, as they are while there is no answer.
  fileprivate func onlyAnswers(_ input: Input) -> Bool {
    guard case .handled = input else { return false }
    return effects.allSatisfy { effect in
      switch effect {
      case .event, .decision: true
      case .ask, .show, .open, .vote, .remove, .tell, .plan: false
      }
    }
  }
}
