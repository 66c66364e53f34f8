@testable import PlotCore

/// A host that answers everything, as the shell does, and notes what it was asked and told.
struct Host {
  var machine: Machine
  var time: Milliseconds = 0
  /// Whether a strategy says no.
  var vetoes: (_ strategy: String, _ isCreate: Bool, _ campaign: String) -> Bool = { _, _, _ in false }
  var canShow: (_ campaign: String) -> Bool = { _ in true }
  var canRemove = true
  var removal: (_ campaign: String) -> Bool = { _ in true }
  /// What was asked and told, in order, in short words.
  var log: [String] = []
  var decisions: [Decision] = []

  init(_ machine: Machine) { self.machine = machine }

  mutating func play(_ output: Machine.Output) throws {
    var queue = output.effects
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .decision(let decision): decisions.append(decision)
      case .event(let event): log.append("\(event.kind.rawValue) \(event.item?.campaign.text ?? event.region.text)")
      case .show(let item):
        log.append("show \(item.campaign.text)")
        let shown = canShow(item.campaign.text)
        for voter in machine.voters { log.append("\(voter.text): created \(item.campaign.text) \(shown)") }
        queue += try machine.confirm(item.matchIdentifier ?? "", shown: shown).effects
      case .vote(let ballot):
        let isCreate = ballot.kind == .create
        log.append("vote \(isCreate ? "create" : "delete") \(ballot.item.campaign.text)")
        let no = ballot.voters.filter { vetoes($0.text, isCreate, ballot.item.campaign.text) }
        queue += machine.answerVote(ballot, vetoes: no).effects
      case .remove(let item):
        log.append("remove \(item.campaign.text)")
        let removed = removal(item.campaign.text)
        queue += machine.confirmRemoved(item.matchIdentifier ?? "", removed: removed).effects
      case .tell(let notice, let keys):
        for key in keys { log.append("\(key.text): \(Self.word(notice))") }
      case .ask(let batch):
        log.append("ask \(batch.items.map(\.campaign.text).joined(separator: " "))")
      case .open, .plan: break
      }
    }
  }

  private static func word(_ notice: Notice) -> String {
    switch notice {
    case .created(let item, let done): "created \(item.campaign.text) \(done)"
    case .deleted(let item, let done): "deleted \(item.campaign.text) \(done)"
    case .background: "background"
    case .foreground: "foreground"
    case .monitoring(let region, _): "monitoring \(region.text)"
    case .parameters(let json): "parameters \(json)"
    }
  }

  mutating func go(_ place: Coordinate, at time: Milliseconds) throws {
    self.time = time
    try play(machine.fix(time, place))
  }

  mutating func wait(until time: Milliseconds) throws {
    self.time = time
    try play(machine.advance(to: time))
  }

  mutating func dismiss(_ campaign: String) throws {
    for item in machine.state.screen.displayed where item.campaign.text == campaign {
      try play(machine.dismiss(item.matchIdentifier ?? "", at: time))
    }
  }

  /// What happened since the last call.
  mutating func news() -> [String] {
    defer { log = [] }
    return log
  }

  /// The same, without events of regions.
  mutating func delivery() -> [String] { news().filter { !$0.hasPrefix("region-") } }

  func reasons(_ campaign: String) -> [Reason] {
    decisions.filter { $0.campaign == Identifier(campaign) }.map(\.reason)
  }
}

extension Campaign {
  func with(_ change: (inout Campaign) -> Void) -> Campaign {
    var copy = self
    change(&copy)
    return copy
  }
}

func feed(
  _ regions: some Sequence<Region>, _ campaigns: some Sequence<Campaign>, _ change: (inout FeedSettings) -> Void
) -> Feed {
  let (regions, campaigns) = (Array(regions), Array(campaigns))
  var settings = FeedSettings()
  change(&settings)
  return Feed(
    revision: nil, regions: regions, campaigns: campaigns, settings: settings,
    digest: "\(regions) \(campaigns) \(settings)")
}

func host(
  _ regions: [Region], _ campaigns: [Campaign], strategies: [String] = [],
  _ change: (inout FeedSettings) -> Void = { _ in }
) -> Host {
  var machine = Machine(state: State(), feed: feed(regions, campaigns, change))
  machine.settings.noise = .exact
  machine.settings.initial = .enter
  machine.settings.recordsDecisions = true
  machine.settings.strategies = strategies.map(Identifier.init)
  return Host(machine)
}
