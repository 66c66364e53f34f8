internal import PlotCore
internal import PlotDocuments
internal import PlotStore

/// Something to be told to the host, in its turn.
enum Delivery: Sendable {
  case event(json: String, item: Item?, sequence: Int64)
  case decision(json: String)
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

  var phase = Phase.fresh
  var machine = Machine(state: State(), feed: .empty)
  var store: Store?
  var callbacks = Callbacks()
  var debug = false
  /// The newest lines of the debug log.
  var log = LogRing()
  var queue: [Delivery] = []
  var isDelivering = false
  /// The last event that the host has got.
  var delivered: Int64 = 0
  var toldWakeup: Milliseconds?
  /// What the clocks showed before the engine was initialized.
  var clock: ClockReading?
  var tests = TestBatches()
  var ring = DecisionRing()
  /// Where decisions are written; nil for nowhere.
  var decisionFile: String?

  /// Takes over what the machine has to know about the host.
  mutating func updateSettings() {
    machine.settings.hasFilter = callbacks.filter != nil
    machine.settings.hasGeotriggerHandler = callbacks.geotriggers != nil
    machine.settings.strategies = callbacks.strategies.map { Identifier($0.key) }
    machine.settings.recordsDecisions =
      callbacks.decision != nil || debug || ring.capacity > 0 || decisionFile != nil
  }

  /// Writes what an input has changed, and queues what it leads to. On failure the machine is as it was `before`.
  mutating func commit(_ output: Machine.Output, before: Machine?) throws(StoreError) {
    var outbox: [OutboxEntry] = []
    var hasEvent = false
    var deliveries: [Delivery] = []
    var decisions: [Decision] = []
    for effect in output.effects {
      switch effect {
      case .event(let event):
        hasEvent = true
        let json = event.json
        note(.info, json, to: &deliveries)
        guard callbacks.event != nil else { continue }
        outbox.append(OutboxEntry(sequence: event.sequence, json: json, item: event.item))
        deliveries.append(.event(json: json, item: event.item, sequence: event.sequence))
      case .decision(let decision):
        decisions.append(decision)
        add(decision, to: &deliveries)
      case .ask(let batch): deliveries.append(.ask(batch))
      case .show(let item): deliveries.append(.show(item))
      case .open(let item): deliveries.append(.open(item))
      case .vote(let ballot): deliveries.append(.vote(ballot))
      case .remove(let item): deliveries.append(.remove(item))
      case .tell(let notice, let keys): deliveries.append(.tell(notice, keys))
      }
    }
    if let store, hasEvent || !output.changes.isEmpty {
      do {
        try store.commit(output.changes, of: machine.state, outbox: outbox, delivered: delivered)
      } catch {
        if let before { machine = before }
        throw error
      }
    }
    // Always behind what waits: events reach the host in the order of their sequence, which is how they are acknowledged.
    queue += deliveries
    keep(decisions)
  }

  /// What was decided about an input that was refused.
  mutating func record(_ decision: Decision) {
    var deliveries: [Delivery] = []
    add(decision, to: &deliveries)
    queue += deliveries
    keep([decision])
  }

  private mutating func add(_ decision: Decision, to deliveries: inout [Delivery]) {
    guard callbacks.decision != nil || debug else { return }
    let json = decision.json
    note(.debug, json, to: &deliveries)
    if callbacks.decision != nil { deliveries.append(.decision(json: json)) }
  }

  /// A line for the debug log, while it is on.
  mutating func note(_ level: LogLevel, _ message: @autoclosure () -> String, to deliveries: inout [Delivery]) {
    guard debug else { return }
    let message = message()
    log.append("\(Timestamp.text(machine.state.newest)) \(level.name) \(message)")
    if callbacks.log != nil { deliveries.append(.log(level, message)) }
  }

  /// A line about something that went wrong.
  mutating func report(_ level: LogLevel, _ message: String) {
    var lines: [Delivery] = []
    note(level, message, to: &lines)
    queue += lines
  }
}

/// The last 1,000 lines.
struct LogRing: Sendable {
  private var lines: [String] = []
  private var start = 0
  static let limit = 1000

  mutating func append(_ line: String) {
    if lines.count < Self.limit {
      lines.append(line)
    } else {
      lines[start] = line
      start = (start + 1) % Self.limit
    }
  }

  var all: [String] { Array(lines[start...] + lines[..<start]) }
}
