public import PlotCore
public import PlotDocuments
internal import PlotFiles
internal import PlotStore

/// Plays what a person did in a recording on a configuration and a feed that are changed in some places, with an app that answers as it did:
/// about the same campaign and region the same, in the same order and as late, and about others it keeps and shows everything.
///
/// The app repeats its recorded actions (opening, dismissing, taking an action) on notifications of the same campaign and region. Anything due
/// between two inputs comes at its time. To see what a change does, compare with a run without changes, and not with the recording.
public struct WhatIf {
  /// The recorded answers about one campaign and region, in order.
  private struct Answers {
    /// Whether it was kept, with which content, and how long after it was asked; nil where no answer came.
    var filter: [(content: Content?, delay: Milliseconds)?] = []
    var shown: [Bool] = []
    var removed: [Bool] = []
    var vetoes: [Bool: [[Identifier]]] = [:]
  }

  private let edits: [JSONEdit]
  private var answers: [String: Answers] = [:]
  private var inputs: [RecordedInput] = []
  private var start: RecordingStart?
  private var hosts: [(index: Int, host: RecordingHost)] = []
  /// The identifiers of recorded notifications, by match identifier.
  private var identifiers: [String: String] = [:]
  /// When the recording ends.
  private var end: Milliseconds = 0
  private let zones = ZoneFiles()

  private var machine = Machine(state: State(), feed: .empty)
  private var asked: [String: Int] = [:]
  private var due: [(time: Milliseconds, input: Input)] = []
  private var effects: [Machine.Effect] = []
  private var foundPaths: Set<String> = []

  /// The device's, after the run.
  public var zone: ZoneRules { machine.state.host.zone }

  public init(_ edits: [JSONEdit] = []) {
    self.edits = edits
  }

  // MARK: Reading

  /// Reads a recording. Throws what is wrong with a line.
  public mutating func read(_ next: () throws -> [UInt8]?) throws {
    let replay = Replay()
    var open: [UInt64: (items: [Item], time: Milliseconds)] = [:]
    var newest: Milliseconds = 0
    func key(_ match: String) -> String { identifiers[match] ?? match }
    while let line = try next() {
      let played = try replay.play(line)
      switch played.line {
      case .start(let start): self.start = start
      case .host(let host): hosts.append((inputs.count, host))
      case .effect, .sync: continue
      case .input(let recorded):
        newest = replay.machine?.state.newest ?? newest
        switch recorded.value {
        case .machine(.filterAnswer(let token, let kept, _)), .machine(.handled(let token, let kept, _)):
          guard played.refusal == nil, let batch = open.removeValue(forKey: token) else { break }
          for item in batch.items {
            let own = kept.first { $0.matchIdentifier == item.matchIdentifier }
            let count = answers[item.identifier]?.filter.lastIndex { $0 == nil }
            let answer = (content: own?.content, delay: newest - batch.time)
            if let count { answers[item.identifier]?.filter[count] = answer }
          }
        case .machine(.confirm(let match, let shown, _)): answers[key(match), default: Answers()].shown.append(shown)
        case .machine(.confirmRemoved(let match, let removed, _)):
          answers[key(match), default: Answers()].removed.append(removed)
        case .machine(.states): break
        case .vote(let kind, let match, let vetoes):
          answers[key(match), default: Answers()].vetoes[kind == .create, default: []].append(vetoes)
        case .machine: inputs.append(recorded)
        }
      }
      for effect in played.effects {
        switch effect {
        case .ask(let batch):
          open[batch.token] = (batch.items, newest)
          for item in batch.items {
            answers[item.identifier, default: Answers()].filter.append(nil)
            identifiers[item.matchIdentifier] = item.identifier
          }
        case .show(let item), .remove(let item): identifiers[item.matchIdentifier] = item.identifier
        case .vote(let ballot): identifiers[ballot.item.matchIdentifier] = ballot.item.identifier
        default: break
        }
      }
    }
    end = replay.machine?.state.newest ?? 0
    guard start != nil else {
      throw EngineError(
        DocumentError(line: 1, column: 1, pointer: "", expected: "a recording", found: "an empty file"))
    }
  }

  // MARK: Playing

  /// Plays it, and gives all that came out. Throws where an edit leads nowhere, or to a document that is refused.
  public mutating func run() throws -> [Machine.Effect] {
    guard let start else { return [] }
    var text = Array(start.configuration.json.utf8)
    for edit in edits where !edit.isOfFeed {
      text = try DocumentError.naming("\(edit.text): configuration") { try edit.applied(to: text) }
    }
    let configuration = try DocumentError.naming("configuration") { try Configuration(parsing: text) }
    var settings = Machine.Settings(configuration)
    settings.take(start.host)
    settings.inspect = nil
    settings.recordsDecisions = true
    var state = State()
    var feed = Feed.empty
    var page: Page?
    if let image = start.image {
      let contents = try Store.contents(ofImage: image, zones: zones)
      (state, page) = (contents.state, contents.page)
      if let own = contents.feed { feed = try changed(own) }
    }
    machine = Machine(state: state, feed: feed, settings: settings, page: page)
    let oldPeriod = start.configuration.cooldownPeriod
    for (index, recorded) in inputs.enumerated() {
      for host in hosts where host.index == index { machine.settings.take(host.host) }
      guard case .machine(let input) = recorded.value else { continue }
      if let time = input.time { proceed(to: time) }
      switch input {
      case .feed(let feed, let time): take(.feed(try changed(feed), at: time))
      case .cooldownPeriod(let period, let time):
        // The start says what the configuration says.
        let isOfStart = oldPeriod.map { $0 * 1000 == period } == true && effects.isEmpty
        let own = isOfStart ? configuration.cooldownPeriod.map { $0 * 1000 } : nil
        take(.cooldownPeriod(own ?? period, at: time))
      case .begin(_, let time):
        take(.begin(enabled: configuration.enableOnFirstRun, at: time))
        if oldPeriod == nil, let period = configuration.cooldownPeriod {
          take(.cooldownPeriod(period * 1000, at: time))
        }
      case .open(let match, let time): with(match) { .open($0, at: time) }
      case .dismiss(let match, let time): with(match) { .dismiss($0, at: time) }
      case .removeDisplayed(let match?, let time): with(match) { .removeDisplayed($0, at: time) }
      case .updateDisplayed(let kept, let time):
        with(kept.matchIdentifier) { .updateDisplayed(Kept(matchIdentifier: $0, content: kept.content), at: time) }
      case .action(let action, let match, let time): with(match) { .action(action, of: $0, at: time) }
      default: take(input)
      }
    }
    proceed(to: end)
    for edit in edits where edit.isOfFeed && !foundPaths.contains(edit.path) {
      throw EngineError(.notFound, "\(edit.path): the recording has no feed with such a place")
    }
    return effects
  }

  private mutating func changed(_ feed: Feed) throws -> Feed {
    var text = Array(feed.json.utf8)
    var isChanged = false
    var fault: DocumentError?
    for edit in edits where edit.isOfFeed {
      do throws(DocumentError) {
        text = try edit.applied(to: text)
        isChanged = true
        foundPaths.insert(edit.path)
      } catch {
        fault = error
        fault?.document = "\(edit.text): feed"
      }
    }
    if let fault, !isChanged, foundPaths.isEmpty { throw EngineError(fault) }
    guard isChanged else { return feed }
    return try DocumentError.naming("feed") { try Feed.parse(text, toleratesUnknownZones: true, zones: zones) }
  }

  /// Plays everything that is due before an input: wakeups, and answers that came late.
  private mutating func proceed(to time: Milliseconds) {
    var wakeups = 0
    while true {
      // A host that is never given a time for years does not follow each minute of them.
      let wakeup = wakeups < Version.mostWakeups ? machine.nextWakeup ?? .max : .max
      let answer = due.first?.time ?? .max
      if answer <= time, answer <= wakeup {
        take(due.removeFirst().input)
      } else if wakeup <= time {
        wakeups += 1
        take(.advance(wakeup))
      } else {
        return
      }
    }
  }

  /// The newest notification of the same campaign and region, in place of the recorded one.
  private mutating func with(_ match: String, _ input: (String) -> Input) {
    let identifier = identifiers[match]
    let item =
      machine.state.screen.displayed.last { $0.identifier == identifier }
      ?? machine.state.history.sentNotifications.last { $0.identifier == identifier }
    if let found = item?.matchIdentifier { take(input(found)) }
  }

  private mutating func take(_ input: Input) {
    var queue = Queue(run(input))
    while !queue.isEmpty {
      switch queue.removeFirst() {
      case .ask(let batch): answer(batch, &queue)
      case .show(let item):
        let shown = recorded(item, "show") { $0.shown } ?? true
        queue += run(.confirm(item.matchIdentifier, shown: shown, states: [:]))
      case .remove(let item):
        let removed = recorded(item, "remove") { $0.removed } ?? true
        queue += run(.confirmRemoved(item.matchIdentifier, removed: removed, states: [:]))
      case .vote(let ballot):
        let isCreate = ballot.kind == .create
        let vetoes = recorded(ballot.item, isCreate ? "create" : "delete") { $0.vetoes[isCreate] ?? [] } ?? []
        queue += run(.vote(ballot, vetoes: vetoes.filter(ballot.voters.contains)))
      default: break
      }
    }
  }

  private mutating func run(_ input: Input) -> [Machine.Effect] {
    // An input that is refused here has lost its sense by the change.
    guard let output = try? machine.take(input) else { return [] }
    effects += output.effects
    return output.effects
  }

  private mutating func answer(_ batch: Batch, _ queue: inout Queue<Machine.Effect>) {
    var kept: [Kept] = []
    var delay: Milliseconds = 0
    for item in batch.items {
      let match = item.matchIdentifier
      guard let own = recorded(item, "ask", { $0.filter }) else {
        kept.append(Kept(matchIdentifier: match, content: item.content))
        continue
      }
      // No answer came then, and none comes now.
      guard let own else { return }
      delay = max(delay, own.delay)
      if let content = own.content { kept.append(Kept(matchIdentifier: match, content: content)) }
    }
    let time = machine.state.newest + delay
    let input: Input =
      batch.isGeotrigger ? .handled(batch.token, kept, at: time) : .filterAnswer(batch.token, kept, at: time)
    if delay == 0 {
      queue += run(input)
    } else {
      let position = due.firstIndex { $0.time > time } ?? due.endIndex
      due.insert((time, input), at: position)
    }
  }

  /// The n-th recorded value, and the last one from then on; nil where nothing was recorded.
  private mutating func recorded<T>(_ item: Item, _ what: String, _ list: (Answers) -> [T]) -> T? {
    guard let all = answers[item.identifier].map(list), !all.isEmpty else { return nil }
    let count = asked["\(what) \(item.identifier)", default: 0]
    asked["\(what) \(item.identifier)"] = count + 1
    return all[min(count, all.count - 1)]
  }
}
