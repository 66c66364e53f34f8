package import PlotCore

/// A host around a machine: it answers each effect at once, as an app and a person would, and keeps all effects.
///
/// The closures say how it answers. By default it shows and removes everything, agrees to every vote, and leaves
/// batches of a filter open.
package struct TestHost {
  package var machine: Machine
  /// The time of the last input.
  package var time: Milliseconds = 0
  /// Whether a strategy vetoes.
  package var vetoes: (_ strategy: String, _ isCreate: Bool, _ campaign: String) -> Bool = { _, _, _ in false }
  /// Whether a display succeeds; nil leaves it unanswered.
  package var canShow: (_ campaign: String) -> Bool? = { _ in true }
  /// Whether a removal succeeds.
  package var removal: (_ campaign: String) -> Bool = { _ in true }
  /// The items of a batch that the app keeps; nil leaves it open.
  package var answer: (_ batch: Batch) -> [Kept]? = { _ in nil }
  /// Everything that the machine said, in order.
  package var effects: [Machine.Effect] = []
  /// The events, the questions and the notices, in order and in short words.
  package var log: [String] = []

  package init(_ machine: Machine) { self.machine = machine }

  /// A new device, which records its decisions. It has gates, and a silent first fix, as the first releases had.
  package init(_ feed: Feed, _ configure: (inout Machine.Settings) -> Void = { _ in }) {
    machine = Machine(state: State(), feed: feed)
    machine.settings.recordsDecisions = true
    (machine.settings.noise, machine.settings.initial) = (.gates, .none)
    configure(&machine.settings)
  }

  package var events: [Event] { effects.events }
  package var decisions: [Decision] { effects.decisions }

  package func reasons(_ campaign: String) -> [Reason] { decisions.reasons(campaign) }

  /// Answers an output, and all that the answers lead to.
  package mutating func play(_ output: Machine.Output) throws {
    var queue = Queue(output.effects)
    while !queue.isEmpty {
      let effect = queue.removeFirst()
      effects.append(effect)
      switch effect {
      case .decision, .open, .plan, .requestFix: break
      case .event(let event): log.append("\(event.kind.rawValue) \(event.item?.campaign.text ?? event.region.text)")
      case .show(let item):
        log.append("show \(item.campaign.text)")
        guard let shown = canShow(item.campaign.text) else { continue }
        for voter in machine.voters { log.append("\(voter.text): created \(item.campaign.text) \(shown)") }
        queue += try machine.confirm(item.matchIdentifier, shown: shown).effects
      case .vote(let ballot):
        let isCreate = ballot.kind == .create
        log.append("vote \(isCreate ? "create" : "delete") \(ballot.item.campaign.text)")
        let no = ballot.voters.filter { vetoes($0.text, isCreate, ballot.item.campaign.text) }
        queue += machine.answerVote(ballot, vetoes: no).effects
      case .remove(let item):
        log.append("remove \(item.campaign.text)")
        let removed = removal(item.campaign.text)
        queue += machine.confirmRemoved(item.matchIdentifier, removed: removed).effects
      case .inform(let notice, let keys):
        for key in keys { log.append("\(key.text): \(Self.word(notice))") }
      case .ask(let batch):
        log.append("ask \(batch.items.map(\.campaign.text).joined(separator: " "))")
        guard let kept = answer(batch) else { continue }
        let answered =
          batch.isGeotrigger
          ? try machine.markHandled(batch.token, kept, at: time)
          : try machine.answerFilter(batch.token, kept, at: time)
        queue += answered.effects
      }
    }
  }

  private static func word(_ notice: Notice) -> String {
    switch notice {
    case .created(let item, let done): "created \(item.campaign.text) \(done)"
    case .deleted(let item, let done, _): "deleted \(item.campaign.text) \(done)"
    case .background: "background"
    case .foreground: "foreground"
    case .monitoring(let monitored): "monitoring \(monitored.region.text)"
    case .parameters(let json): "parameters \(json)"
    }
  }

  // MARK: Inputs

  package mutating func fix(_ fix: Fix) throws {
    time = fix.time
    try play(machine.update(fix))
  }

  /// An exact fix.
  package mutating func go(_ place: Coordinate, at time: Milliseconds) throws {
    try fix(Fix(time: time, coordinate: place))
  }

  package mutating func wait(until time: Milliseconds) throws {
    self.time = time
    try play(machine.advance(to: time))
  }

  package mutating func set(_ feed: Feed, at time: Milliseconds) throws {
    self.time = time
    try play(machine.setFeed(feed, at: time))
  }

  /// A fix so many metres north of the origin, at a time in seconds.
  package mutating func at(
    _ second: Int64, _ meters: Double, accuracy: Double = 0, speed: Double = -1, course: Double = -1
  ) throws {
    try fix(Fix(time: second * 1000, coordinate: north(meters), accuracy: accuracy, speed: speed, course: course))
  }

  /// Advances to a time in seconds.
  package mutating func wait(till second: Int64) throws { try wait(until: second * 1000) }

  /// The user dismisses all notifications of a campaign, or all there are.
  package mutating func dismiss(_ campaign: String? = nil) throws {
    for item in machine.state.screen.displayed where campaign == nil || item.campaign.text == campaign {
      try play(machine.dismiss(item.matchIdentifier, at: time))
    }
  }

  // MARK: Reports

  /// The log since the last call.
  package mutating func news() -> [String] {
    defer { log = [] }
    return log
  }

  /// The log since the last call, without the events of regions.
  package mutating func delivery() -> [String] { news().filter { !$0.hasPrefix("region-") } }
}

/// A host on a device as `machine` makes it, with settings of the feed and strategies of the app.
package func host(
  _ regions: [Region], _ campaigns: [Campaign], strategies: [String] = [],
  _ change: (inout FeedSettings) -> Void = { _ in }
) -> TestHost {
  TestHost(feed(regions, campaigns, change)) {
    $0.noise = .exact
    $0.initial = .enter
    $0.strategies = strategies.map { Identifier($0) }
  }
}
