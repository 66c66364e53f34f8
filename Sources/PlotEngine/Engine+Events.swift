internal import PlotCore
internal import PlotDocuments
internal import PlotStore

/// The events that wait for a consumer (docs/events.md, Consumers).
extension Engine {
  /// Those after a sequence, at most so many, as JSON; 0 for all.
  public func events(for consumer: String, after sequence: Int64, limit: Int) throws(EngineError) -> String {
    try locked { (session) throws(EngineError) in
      try Self.check(consumer, session)
      return session.outbox.json(after: sequence, limit: limit)
    }
  }

  /// Says that a consumer needs no event up to this one any more.
  public func acknowledgeEvents(for consumer: String, through sequence: Int64) throws(EngineError) {
    try locked { (session) throws(EngineError) in
      try Self.check(consumer, session)
      let newest = session.machine.state.sequence
      guard (0...newest).contains(sequence) else {
        throw EngineError(
          argument: "sequence", expected: "a sequence from 0 to \(newest), that of the newest event",
          found: "\(sequence)")
      }
      do throws(StoreError) { try session.acknowledge(through: sequence) } catch { throw EngineError(error) }
    }
  }

  private static func check(_ consumer: String, _ session: borrowing Session) throws(EngineError) {
    try checkRunning(session)
    let expected = "\"app\", with engine.events.acknowledge in the configuration"
    guard consumer == Consumer.app.rawValue else {
      throw EngineError(argument: "consumer", expected: expected, found: "\"\(consumer)\"")
    }
    guard session.outbox.app != nil else {
      throw EngineError(argument: "consumer", expected: expected, found: "\"app\", without it")
    }
  }
}

extension Session {
  /// The app has what comes up to this event. A store that does not take that leaves all as it was.
  fileprivate mutating func acknowledge(through sequence: Int64) throws(StoreError) {
    guard let app = outbox.app, sequence > app.acknowledged else { return }
    // Waiting events are not copied: an app may acknowledge each event by itself.
    let positions = positions(through: sequence)
    try writer.commit(machine, positions)
    outbox.acknowledge(.app, through: sequence, written: positions.cursors)
  }
}
