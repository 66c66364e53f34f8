internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import Synchronization

/// The state of a simulated phone beside places: the app, its person, and the device's settings (docs/rules-file.md). Anything still to come
/// follows from the rules and from what the engine keeps, so that it is the same after a restart on a store.
final class SimulatedHost: Sendable {
  /// An answer of the app that comes later.
  private struct Answer {
    var time: Milliseconds
    var token: UInt64
    var isGeotrigger: Bool
  }

  private enum Next {
    case answer(Answer)
    case act(SimulationRules.Act, matchIdentifier: String)
    case input(at: Int)
  }

  private struct State {
    /// By their times.
    var answers: [Answer] = []
    var nextInput = 0
    /// Trips that were to end, and were not on.
    var strangeTrips: [String] = []
    /// The actions that the person has tried in vain.
    var refused: Set<String> = []
    var firstRefusal = ""
    var fault: (any Error)?
  }

  private let rules: SimulationRules
  /// How long the app may take to answer.
  private let deadline: Milliseconds
  private let state = Mutex(State())

  init(_ rules: SimulationRules, _ configuration: Configuration) {
    self.rules = rules
    deadline = configuration.filterDeadline * 1000
  }

  /// Registers the app's callbacks with an engine that has not been initialized.
  func register(with engine: Engine) throws {
    if rules.filter != nil {
      try engine.setCallback(\.filter) { [weak engine] token, items in
        if let engine { self.ask(engine, token, items, isGeotrigger: false) }
      }
    }
    if rules.geotriggers != nil {
      try engine.setCallback(\.geotriggers) { [weak engine] token, items in
        if let engine { self.ask(engine, token, items, isGeotrigger: true) }
      }
    }
    try engine.setCallback(\.show) { self.rules.show.outcome(for: $0) != true }
    try engine.setCallback(\.remove) { self.rules.remove.outcome(for: $0) != true }
    for rule in rules.strategies { try engine.setStrategy(rule.key.text, RuleStrategy(rule).strategy) }
  }

  // MARK: The app's answers

  /// A batch has one answer: it comes when the app is done with all of it.
  private func ask(_ engine: Engine, _ token: UInt64, _ items: [Item], isGeotrigger: Bool) {
    attempt {
      let after = items.compactMap { rule(for: $0)?.after }.max() ?? 0
      let asked = try engine.batch(token).deadline - deadline
      let answer = Answer(time: asked + after, token: token, isGeotrigger: isGeotrigger)
      guard after > 0 else { return try give(answer, engine) }
      state.withLock { state in
        let place = state.answers.firstIndex { $0.time > answer.time } ?? state.answers.endIndex
        state.answers.insert(answer, at: place)
      }
    }
  }

  private func rule(for item: Item) -> SimulationRules.Answer? {
    (item.isGeotrigger ? rules.geotriggers : rules.filter)?.outcome(for: item)
  }

  private func give(_ answer: Answer, _ engine: Engine) throws {
    do {
      let kept = try engine.batch(answer.token).items.compactMap { item -> Kept? in
        let rule = rule(for: item)
        guard rule?.keeps != false else { return nil }
        return Kept(
          matchIdentifier: item.matchIdentifier, content: rule?.edit.applied(to: item.content) ?? item.content)
      }
      let time = max(answer.time, try engine.newestTime())
      if answer.isGeotrigger {
        try engine.markGeotriggersHandled(answer.token, kept, at: time)
      } else {
        try engine.answerFilter(answer.token, kept, at: time)
      }
    } catch {
      // Too late: the deadline has closed the batch.
      guard error.status == .alreadyAnswered else { throw error }
    }
  }

  // MARK: What comes by itself

  /// On a store, what was set before its newest time has been set. What was set at that very time is set again, which changes nothing.
  func skip(to newest: Milliseconds) {
    state.withLock { $0.nextInput = rules.inputs.firstIndex { $0.time >= newest } ?? rules.inputs.endIndex }
  }

  /// Whether an input up to this time has set the same.
  func hasSet(_ kind: SimulationRules.Input.Kind, by time: Milliseconds) -> Bool {
    rules.inputs.contains { $0.time <= time && $0.kind.isAboutTheSame(as: kind) }
  }

  /// The time of the first input.
  var start: Milliseconds? { rules.inputs.first?.time }

  /// When something comes next: an answer, what the person does, an input.
  func nextTime(_ engine: Engine) throws -> Milliseconds? { try next(engine)?.time }

  /// Lets it come.
  func step(_ engine: Engine) throws {
    guard let (time, next) = try next(engine) else { return }
    switch next {
    case .answer(let answer):
      state.withLock { state in state.answers.removeAll { $0.token == answer.token } }
      try give(answer, engine)
    case .act(let act, let matchIdentifier): try perform(act, matchIdentifier, engine, at: time)
    case .input(let position):
      state.withLock { $0.nextInput = position + 1 }
      let input = rules.inputs[position]
      // Of those at one time the last stands.
      let later = rules.inputs[(position + 1)...].prefix { $0.time == input.time }
      if !later.contains(where: { $0.kind.isAboutTheSame(as: input.kind) }) { try set(input, engine) }
    }
  }

  /// Throws what went wrong within a callback.
  func check() throws {
    if let fault = state.withLock(\.fault) { throw fault }
  }

  /// At one time answers come first, then the person, then inputs.
  private func next(_ engine: Engine) throws -> (time: Milliseconds, Next)? {
    var first: (time: Milliseconds, Next)?
    func consider(_ time: Milliseconds, _ next: @autoclosure () -> Next) {
      if time < first?.time ?? .max { first = (time, next()) }
    }
    let (answer, position) = state.withLock { ($0.answers.first, $0.nextInput) }
    if let answer { consider(answer.time, .answer(answer)) }
    if !rules.person.isEmpty {
      let refused = state.withLock(\.refused)
      for item in try engine.displayed() {
        let match = item.matchIdentifier
        guard !refused.contains(match), let shown = item.sent?.date,
          let act = rules.person.outcome(for: item) ?? nil
        else { continue }
        consider(shown + act.after, .act(act, matchIdentifier: match))
      }
    }
    if position < rules.inputs.count { consider(rules.inputs[position].time, .input(at: position)) }
    return first
  }

  private func perform(
    _ act: SimulationRules.Act, _ matchIdentifier: String, _ engine: Engine, at time: Milliseconds
  ) throws {
    do {
      switch act.kind {
      case .open: try engine.openNotification(matchIdentifier, at: time)
      case .dismiss: try engine.dismissNotification(matchIdentifier, at: time)
      case .choose(let action): try engine.takeAction(action, of: matchIdentifier, at: time)
      }
    } catch {
      guard error.status == .notFound else { throw error }
      state.withLock { state in
        if state.refused.isEmpty { state.firstRefusal = "\(Timestamp.text(time)): \(error.message)" }
        state.refused.insert(matchIdentifier)
      }
    }
  }

  private func set(_ input: SimulationRules.Input, _ engine: Engine) throws {
    switch input.kind {
    case .foreground(let isForeground): try engine.setForeground(isForeground, at: input.time)
    case .network(let hasNetwork): try engine.setNetwork(hasNetwork, at: input.time)
    case .timeZone(let name): try engine.setTimeZone(name, at: input.time)
    case .startTrip(let plan): try engine.startTrip(plan, at: input.time)
    case .endTrip(let id, let hasArrived):
      do throws(EngineError) {
        try engine.endTrip(id, hasArrived: hasArrived, at: input.time)
      } catch {
        guard error.status == .notFound else { throw error }
        state.withLock { $0.strangeTrips.append(id) }
      }
    case .property(let key, let value): try engine.setProperty(key, value, at: input.time)
    }
  }

  /// Within a callback nothing can be thrown: `check` does it later.
  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { state.withLock { if $0.fault == nil { $0.fault = error } } }
  }

  // MARK: What is left of it

  /// Remarks for the last line of the run: none, or actions that did not come to pass, each with `; ` before it.
  var remarks: String {
    state.withLock { state in
      var text = ""
      let late = rules.inputs.count - state.nextInput
      if late > 0 { text += "; \(late) \(late == 1 ? "input comes" : "inputs come") after the last fix" }
      if !state.refused.isEmpty {
        text += "; \(state.refused.count) of what the person did \(state.refused.count == 1 ? "was" : "were") refused"
        text += " (\(state.firstRefusal))"
      }
      if !state.strangeTrips.isEmpty {
        text += "; to end, and not on: \(state.strangeTrips.count == 1 ? "the trip" : "the trips") "
        text += state.strangeTrips.joined(separator: ", ")
      }
      return text
    }
  }
}
