internal import PlotCore
internal import PlotDocuments
internal import PlotStore

/// How the host is told what is queued: one thing after another, without the lock. A call from inside a callback, or from another thread meanwhile,
/// leaves its part to whoever is telling already.
extension Engine {
  func deliver() {
    var triesStore = true
    deliver(session.withLock { $0.nextStep(&triesStore) }, triesStore)
  }

  /// Tells what was found under the lock, and all that waits after it: the lock is taken once for each step.
  func deliver(_ first: consuming Session.Step?, _ triesStore: Bool) {
    var triesStore = triesStore
    var next = first
    while let step = next.take() {
      var answer: Input?
      switch consume step {
      case .wakeup(let time, let listeners): listeners.callbacks.wakeup?(time)
      case .sync(let status, let next, let listeners): listeners.callbacks.sync?(status, next)
      case .run(let run): answer = deliver(run)
      }
      next = session.withLock { session in
        if let answer { session.answer(answer) }
        session.hostQueue.isDelivering = false
        return session.nextStep(&triesStore)
      }
    }
  }

  /// Tells a run. What the machine is to be answered about its last delivery, if that is all that is left to do about it.
  private func deliver(_ run: HostQueue.Run) -> Input? {
    var answer = deliver(run.first, run)
    for position in run.rest.indices {
      guard run.begin(position) else { break }
      answer = deliver(run.rest[position], run)
    }
    return answer
  }

  private func deliver(_ delivery: Delivery, _ run: HostQueue.Run) -> Input? {
    // A copy of them all would count a reference of each.
    let listeners = run.listeners
    switch delivery {
    case .fixRequest(let deadline): listeners.callbacks.fixRequest?(deadline)
    case .log(let level, let message): listeners.callbacks.log?(level, message)
    case .decision(let json, let decision): listeners.callbacks.decision?(json, decision)
    case .recording(let line): listeners.callbacks.recording?(line)
    case .event(let json, let item, let sequence):
      listeners.callbacks.event?(json, item)
      run.hasDelivered(sequence)
    case .ask(let batch): ask(batch, listeners)
    case .show(let item):
      let isShown = listeners.callbacks.show?(item) ?? true
      return .confirm(
        item.matchIdentifier, shown: isShown, states: saved(run) { _ in .created(item, isShown) })
    case .remove(let item):
      let isRemoved = listeners.callbacks.remove?(item) ?? true
      let match = item.matchIdentifier
      return .confirmRemoved(
        match, removed: isRemoved,
        states: saved(run) { machine in
          .deleted(item, isRemoved, machine.departure(of: match) ?? Departure(cause: .exit, next: nil))
        })
    case .vote(let ballot):
      let board = session.withLock { $0.board(for: ballot) }
      return .vote(ballot, vetoes: board.vetoes(ballot))
    case .inform(let notice, let keys):
      let board = session.withLock { $0.board() }
      let states = board.inform(StrategyCall(notice, board.time), keys)
      // That of a display comes with the host's answer, unless a start has found the display.
      if case .created(let item, true) = notice { return .states(states, display: item.matchIdentifier) }
      return .states(states, display: nil)
    case .load(let key): return load(key)
    case .open(var item):
      let (isForeground, schemes, confirms) = session.withLock {
        ($0.machine.state.host.isForeground, $0.uriSchemes, $0.confirmsInForeground)
      }
      if isForeground { item.values.opening = Opening(isAppInForeground: true, confirms: false) }
      let isHandled =
        item.kind != .notification(.landingPage) && listeners.callbacks.notificationHandler?(item) ?? false
      if !isHandled {
        // Only what is done by itself needs a word of the person.
        if isForeground, confirms { item.values.opening.confirms = true }
        listeners.callbacks.open?(OpenAction(item, schemes), item)
      }
    }
    return nil
  }

  /// The app's strategies hear what has become of an item, and save what they will. An app without any costs no lock.
  private func saved(_ run: HostQueue.Run, _ notice: @Sendable (Machine) -> Notice) -> [Identifier: String] {
    if run.listeners.callbacks.strategies.isEmpty, run.isCurrent { return [:] }
    let (board, voters, notice) = session.withLock { ($0.board(), $0.machine.voters, notice($0.machine)) }
    return board.inform(StrategyCall(notice, board.time), voters)
  }

  private func ask(_ batch: Batch, _ listeners: Session.Listeners) {
    if let callback = batch.isGeotrigger ? listeners.callbacks.geotriggers : listeners.callbacks.filter {
      callback(batch.token, batch.items)
      return
    }
    if TestBatches.isTest(batch.token) {
      session.withLock { $0.tests.answer(batch.token, batch.items) }
      return
    }
    // The callback was removed after the batch was made: without one, everything passes.
    let all = batch.items.map {
      Kept(matchIdentifier: $0.matchIdentifier, content: $0.content)
    }
    session.withLock { session in
      guard session.phase == .running else { return }
      let time = session.machine.state.newest
      let input: Input =
        batch.isGeotrigger ? .handled(batch.token, all, at: time) : .filterAnswer(batch.token, all, at: time)
      _ = try? session.take(input, isUndone: true)
    }
  }

  /// A strategy gets what it has saved, and its parameters from the feed.
  private func load(_ key: Identifier) -> Input? {
    let (board, parameters) = session.withLock { session in
      let strategy = session.machine.feed.settings.strategies.first { $0.key == key }
      guard case .custom(let parameters) = strategy?.rule else { return (session.board(), String?.none) }
      return (session.board(), parameters)
    }
    guard let strategy = board.find(key) else { return nil }
    var load = board.call(.load)
    load.state = board.states[key]
    _ = strategy.call(load)
    guard let parameters else { return nil }
    return .states(board.inform(StrategyCall(.parameters(parameters), board.time), [key]), display: nil)
  }
}

extension Session {
  /// Gives the machine an answer of the host's. If the store fails here, the answer is taken before the next input; if the process ends first, the
  /// next start finds the state of before; an intent stays in it, and that start counts it as shown.
  mutating func answer(_ input: Input) {
    guard phase == .running else { return }
    do throws(StoreError) {
      try take(answer: input)
    } catch {
      report(.error, error.message)
    }
  }
}
