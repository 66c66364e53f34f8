public import PlotCore

extension Engine {
  /// Forgets what is known of the person, in memory and in the store's bytes; include/plotengine.h says what stays.
  public func clearAllData(at time: Milliseconds) throws(EngineError) {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      try session.check(time)
      do { try session.clearAllData(at: time) } catch { throw EngineError(error, at: time) }
    }
    deliver()
  }
}
