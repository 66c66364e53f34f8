internal import PlotCore

/// Refusals of calls before a machine sees them.
extension Engine {
  static let closed = EngineError(.closed, "the engine is closed")
  static let timeForm = "milliseconds since 1970, up to the end of the year 9999"

  static func checkRunning(_ session: borrowing Session) throws(EngineError) {
    switch session.phase {
    case .running: return
    case .closed: throw closed
    case .fresh:
      throw EngineError(.notInitialized, "the engine has not been initialized; call \(CallName.initialize) first")
    }
  }

  /// A recording begins before the engine.
  static func checkFresh(_ session: borrowing Session) throws(EngineError) {
    switch session.phase {
    case .fresh: return
    case .closed: throw closed
    case .running:
      throw EngineError(
        .alreadyInitialized,
        "the engine has been initialized; a recording begins before \(CallName.initialize)")
    }
  }

  /// Throws for a time that no input may have, or that is before `earliest` (`engine.earliestTime`).
  static func check(_ time: Milliseconds, since earliest: Milliseconds) throws(EngineError) {
    guard Timestamp.range.contains(time) else {
      throw EngineError(argument: "time_ms", expected: timeForm, found: "\(time)")
    }
    guard time < earliest else { return }
    var error = EngineError(
      argument: "time_ms",
      expected: "milliseconds since 1970, not before \(earliest) (\(Timestamp.text(earliest)), engine.earliestTime)",
      found: "\(time) (\(Timestamp.text(time)))")
    // In the range, a thousandfold does not overflow.
    let areSeconds = Timestamp.range.contains(time * 1000) && time * 1000 >= earliest
    error.message +=
      areSeconds
      ? "; did you give seconds? times are milliseconds"
      : "; did you mean such a time? then set engine.earliestTime in the configuration"
    throw error
  }

  /// The times of a start: its own, and that of the clocks, which were given before anybody knew what is too early.
  static func check(
    _ time: Milliseconds, _ clock: ClockReading?, since earliest: Milliseconds
  ) throws(EngineError) {
    try check(time, since: earliest)
    guard let clock else { return }
    do throws(EngineError) { try check(clock.wall, since: earliest) } catch { throw error.of(CallName.setClock) }
  }
}

extension Session {
  /// Throws when the time of an input, or what it says of a position, is out of reach. A machine takes more than a host may give, because
  /// recordings hold more: so this is the one place for it, and what it refuses is in no recording.
  borrowing func check(_ input: Input) throws(EngineError) {
    if let time = input.time, !(time == 0 && input.isAnswer) { try check(time) }
    if let excess = input.excess { throw EngineError(excess, at: 0) }
  }

  borrowing func check(_ time: Milliseconds) throws(EngineError) { try Engine.check(time, since: earliestTime) }
}

extension Input {
  /// Whether it answers a batch. One of time 0 is of the newest time: a host that is asked on the way through many fixes knows no other.
  fileprivate var isAnswer: Bool {
    switch self {
    case .filterAnswer, .handled: true
    default: false
    }
  }
}
