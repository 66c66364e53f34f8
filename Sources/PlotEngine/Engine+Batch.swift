public import PlotCore

/// Many fixes at once (docs/batch.md): what single calls lead to, with the lock taken anew only where the host is told something between two
/// of them.
extension Engine {
  /// Throws when the engine does not run.
  public func checkRunning() throws(EngineError) {
    try locked { (session) throws(EngineError) in try Self.checkRunning(session) }
  }

  /// Takes the fixes of one device at these positions, and adds what they have led to. `fast` is what `takeFast` has said of the first.
  /// With `wakesUp`, each wakeup that comes before a fix, or is due with the last one, is an input of its own, as from a host that calls `advance`
  /// then.
  public func update(
    _ positions: Range<Int>, of device: UInt32, wakesUp: Bool = false, after fast: FastAnswer = .notAsked,
    into effects: inout [BatchEffect], _ fix: (Int) -> Fix
  ) {
    var fast = fast
    var next = positions.lowerBound
    var last = UInt32(next)
    var met = Milliseconds.min
    // A fix on the fast path leaves nothing due.
    var mayBeDue = wakesUp
    prefetch()
    takeTurns(of: device, into: &effects) { session, effects in
      while mayBeDue || next < positions.upperBound {
        if mayBeDue {
          mayBeDue = session.takeWakeup(
            before: session.machine.state.newest + 1, after: &met, at: last, device, into: &effects)
          if mayBeDue { fast = .notAsked }
          if session.hasToDeliver { return last }
          continue
        }
        let given = fix(next)
        last = UInt32(next)
        if fast != .refused { fast = session.takeFast(given) }
        if fast == .taken {
          next += 1
          continue
        }
        if wakesUp, session.mayTake(given),
          session.takeWakeup(before: given.time, after: &met, at: last, device, into: &effects)
        {
          fast = .notAsked
        } else {
          next += 1
          session.take(given, at: last, device, after: fast, into: &effects)
          fast = .notAsked
          mayBeDue = wakesUp
        }
        if session.hasToDeliver { return last }
      }
      return nil
    }
  }

  /// Takes each wakeup up to a time, and adds what they have led to, with no position of a fix.
  public func wakeUp(through time: Milliseconds, of device: UInt32, into effects: inout [BatchEffect]) {
    var met = Milliseconds.min
    let position = BatchEffect.none
    takeTurns(of: device, into: &effects) { session, effects in
      while session.takeWakeup(before: time + 1, after: &met, at: position, device, into: &effects) {
        if session.hasToDeliver { return position }
      }
      return nil
    }
  }

  /// Lets `take` work under the lock until it gives nil. In between it gives the position of a fix: then the host is told, and what that leads to is
  /// added under the position.
  @inline(__always)
  private func takeTurns(
    of device: UInt32, into effects: inout [BatchEffect],
    _ take: (inout Session, inout [BatchEffect]) -> UInt32?
  ) {
    var told: UInt32?
    repeat {
      told = session.withLock { session in
        if let told { session.endCollecting(of: told, device, into: &effects) }
        guard let position = take(&session, &effects) else { return nil }
        session.collected = []
        return position
      }
      if told != nil { deliver() }
    } while told != nil
  }
}

extension Engine {
  /// Takes the fixes of one device in one moment, and adds what they have led to. Throws what the whole is refused for.
  public func updateTogether(
    _ count: Int, at time: Milliseconds, into effects: inout [BatchEffect], _ fix: (Int) -> Fix
  ) throws(EngineError) {
    let given = (0..<count).map(fix)
    let last = try locked { (session) throws(EngineError) -> Int? in
      try Self.checkRunning(session)
      return try session.take(given, at: time, into: &effects)
    }
    guard let last else { return }
    deliver()
    session.withLock { $0.endCollecting(of: UInt32(last), 0, into: &effects) }
  }
}

extension Session {
  /// Takes fixes in one moment, as `Engine.updateTogether` does. Where the host is to be told something, the position of the last fix.
  fileprivate mutating func take(
    _ given: [Fix], at time: Milliseconds, into effects: inout [BatchEffect]
  ) throws(EngineError) -> Int? {
    try check(time)
    var taken: [Int] = []
    for (position, fix) in given.enumerated() {
      do throws(EngineError) {
        try check(.fix(fix))
        if let fault = fix.fault { throw EngineError(fault, at: fix.time) }
        taken.append(position)
      } catch {
        refuse(error, fix, at: position, into: &effects)
      }
    }
    let outer = collected
    collected = nil
    defer { if collected == nil { collected = outer } }
    if debug { report(.debug, "\(taken.count) fixes together") }
    let output: Machine.Output
    do {
      output = try take(.fixes(taken.map { given[$0] }, at: time), isUndone: true)
    } catch {
      let refusal = EngineError(error, at: time)
      report(.warning, logLine(refusal))
      throw refusal
    }
    for (number, error) in output.refused {
      refuse(EngineError(error, at: given[taken[number]].time), given[taken[number]], at: taken[number], into: &effects)
    }
    add(output, to: &effects) { taken[$0] }
    guard hasToDeliver else { return nil }
    collected = []
    return output.fixEnds.last.map { taken[$0.fix] } ?? 0
  }

  private mutating func refuse(
    _ error: EngineError, _ fix: Fix, at position: Int, into effects: inout [BatchEffect]
  ) {
    if debug { report(.debug, logLine(fix)) }
    report(.warning, logLine(error))
    var effect = BatchEffect(refused: error.status, at: fix.time)
    effect.fix = UInt32(position)
    effects.append(effect)
  }

  /// Whether a fix is not refused for what it is: time passes only by those that are taken.
  fileprivate func mayTake(_ fix: Fix) -> Bool {
    guard fix.fault == nil else { return false }
    do throws(EngineError) { try check(.fix(fix)) } catch { return false }
    return true
  }

  /// Takes the next wakeup before a time as an input; false where there is none. `met` is the newest that was taken.
  fileprivate mutating func takeWakeup(
    before time: Milliseconds, after met: inout Milliseconds, at position: UInt32, _ device: UInt32,
    into effects: inout [BatchEffect]
  ) -> Bool {
    guard phase == .running, let wakeup, wakeup < time, wakeup > met else { return false }
    met = wakeup
    let outer = collected
    collected = nil
    defer { collected = outer }
    let first = effects.count
    // Where the store refuses it, the fix says so.
    guard let output = try? take(.advance(wakeup), isUndone: true) else { return false }
    add(output, to: &effects)
    for index in first..<effects.count {
      effects[index].fix = position
      effects[index].device = device
    }
    return true
  }

  /// Takes one fix of many, as `Engine.update` does.
  mutating func take(
    _ fix: Fix, at position: UInt32, _ device: UInt32, after fast: FastAnswer, into effects: inout [BatchEffect]
  ) {
    // Inside a callback of another call of this kind: what this one gives is not for that one.
    let outer = collected
    collected = nil
    defer { collected = outer }
    let first = effects.count
    do throws(EngineError) {
      let output = try taken(fix, after: fast)
      guard !output.effects.isEmpty else { return }
      add(output, to: &effects)
    } catch {
      effects.append(BatchEffect(refused: error.status, at: fix.time))
    }
    for index in first..<effects.count {
      effects[index].fix = position
      effects[index].device = device
    }
  }

  private mutating func taken(_ fix: Fix, after fast: FastAnswer) throws(EngineError) -> Machine.Output {
    try Engine.checkRunning(self)
    try check(.fix(fix))
    if debug { report(.debug, logLine(fix)) }
    do {
      return try take(.fix(fix), isUndone: true, after: fast)
    } catch {
      let refusal = EngineError(error, at: fix.time)
      report(.warning, logLine(refusal))
      throw refusal
    }
  }

  /// Ends the collection of effects that reporting to the host has had.
  mutating func endCollecting(of position: UInt32, _ device: UInt32, into effects: inout [BatchEffect]) {
    for var effect in collected ?? [] {
      effect.fix = position
      effect.device = device
      effects.append(effect)
    }
    collected = nil
  }

  /// Notes what an input has led to, while the host is told of one of many fixes.
  mutating func collect(_ output: Machine.Output) {
    guard var effects = collected else { return }
    collected = nil
    add(output, to: &effects)
    collected = effects
  }

  private func add(_ output: borrowing Machine.Output, to effects: inout [BatchEffect]) {
    for position in output.effects.indices { machine.add(output.effects[position], to: &effects) }
  }

  /// The same of fixes that were taken together: each effect is that of a fix, and what comes behind them all is the last one's.
  private func add(_ output: Machine.Output, to effects: inout [BatchEffect], _ position: (Int) -> Int) {
    var ends = output.fixEnds[...]
    for index in output.effects.indices {
      while let end = ends.first, end.effects <= index, ends.count > 1 { ends.removeFirst() }
      let first = effects.count
      machine.add(output.effects[index], to: &effects)
      for added in first..<effects.count { effects[added].fix = UInt32(ends.first.map { position($0.fix) } ?? 0) }
    }
  }
}

extension Machine {
  /// Of an effect that is somewhere else and stays there: events are large.
  fileprivate func add(_ effect: borrowing Effect, to effects: inout [BatchEffect]) {
    switch effect {
    case .event(let event): effects.append(BatchEffect(event, in: feed))
    case .ask(let batch):
      for item in batch.items {
        effects.append(BatchEffect(asking: batch, about: item, in: feed, at: state.newest))
      }
    case .decision, .show, .open, .vote, .inform, .remove, .requestFix, .plan: break
    }
  }
}
