internal import PlotCore
internal import PlotDocuments
internal import PlotStore

/// The consequences of an output outside the machine.
struct Composed {
  /// Reports to the host, in order.
  var deliveries: [Delivery] = []
  /// Events that the store keeps until each consumer has them.
  var events: [OutboxEntry] = []
  var decisions: [Decision] = []
  /// Also one that nobody hears.
  var hasEvent = false
}

extension Session {
  /// Makes of an output what the host hears of, and what the store keeps until it has. No JSON is made that nobody has asked for.
  mutating func compose(_ output: borrowing Machine.Output) -> Composed {
    var composed = Composed()
    let deliversEvents = debug || callbacks.event != nil || outbox.isActive
    for position in output.effects.indices {
      // Looked at where it lies: events are large.
      if !deliversEvents, output.effects[position].isEvent {
        composed.hasEvent = true
        continue
      }
      switch output.effects[position] {
      case .event(let event):
        composed.hasEvent = true
        let json = hidesCoordinates ? event.withoutPlace.json : event.json
        note(.info, json, to: &composed.deliveries)
        guard callbacks.event != nil || outbox.isActive else { continue }
        composed.events.append(OutboxEntry(sequence: event.sequence, json: json, item: event.item))
        guard callbacks.event != nil else { continue }
        composed.deliveries.append(.event(json: json, item: event.item, sequence: event.sequence))
      case .decision(let decision): add(decision, to: &composed)
      case .ask(let batch): composed.deliveries.append(.ask(batch))
      case .show(let item): composed.deliveries.append(.show(item))
      case .open(let item): composed.deliveries.append(.open(item))
      case .vote(let ballot): composed.deliveries.append(.vote(ballot))
      case .remove(let item): composed.deliveries.append(.remove(item))
      case .inform(let notice, let keys): composed.deliveries.append(.inform(notice, keys))
      case .requestFix(let deadline):
        if callbacks.fixRequest != nil { composed.deliveries.append(.fixRequest(deadline)) }
      case .plan: break
      }
    }
    if output.leftOut > 0 {
      note(
        .warning, "\(output.leftOut) candidates beyond the \(Machine.candidateLimit) of one instant are dropped",
        to: &composed.deliveries)
    }
    return composed
  }

  /// Records a decision about an input that was refused.
  mutating func record(_ decision: Decision) {
    var composed = Composed()
    add(decision, to: &composed)
    hostQueue.add(composed.deliveries)
    add(composed.decisions)
  }

  private mutating func add(_ decision: Decision, to composed: inout Composed) {
    var decision = decision
    if hidesCoordinates { decision.hidePlace() }
    composed.decisions.append(decision)
    guard callbacks.decision != nil || debug else { return }
    let json = decision.json
    note(.debug, json, to: &composed.deliveries)
    if callbacks.decision != nil { composed.deliveries.append(.decision(json: json, decision)) }
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
    hostQueue.add(lines)
  }

  // MARK: The next thing to tell

  enum Step: Sendable {
    case run(HostQueue.Run)
    case wakeup(Milliseconds?, Listeners)
    case sync(status: String, Milliseconds?, Listeners)
  }

  /// Whether there is a wakeup that the host wants to hear of and has not.
  private var hasNewWakeup: Bool { callbacks.wakeup != nil && hostQueue.announcedWakeup != machine.nextWakeup }

  /// Whether the host is to be told something, and nobody is telling it yet.
  var hasToDeliver: Bool { !hostQueue.isDelivering && (!hostQueue.isEmpty || hasNewWakeup || mayHaveNewSync) }

  /// The next reports to the host, if there are any, and if nobody delivers them yet. The caller delivers them.
  /// `triesStore` is for what the disk did not take a moment ago: it may take it now, and is asked once.
  mutating func nextStep(_ triesStore: inout Bool) -> Step? {
    guard !hostQueue.isDelivering, phase == .running else { return nil }
    if let run = hostQueue.nextRun(listeners) { return .run(run) }
    if triesStore {
      triesStore = false
      try? takeUnwritten()
      if let run = hostQueue.nextRun(listeners) { return .run(run) }
    }
    guard hasNewWakeup else { return nextSync() }
    hostQueue.announcedWakeup = machine.nextWakeup
    hostQueue.isDelivering = true
    return .wakeup(wakeup, listeners)
  }
}

extension Machine.Effect {
  fileprivate var isEvent: Bool { if case .event = self { true } else { false } }
}
