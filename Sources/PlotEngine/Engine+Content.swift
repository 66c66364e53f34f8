public import PlotCore

/// The person's actions on notifications, and the identifier that events carry.
extension Engine {
  public func takeAction(
    _ action: String, of matchIdentifier: String, at time: Milliseconds
  ) throws(EngineError) {
    guard !action.isEmpty else {
      throw EngineError(argument: "action_id", expected: "a text that is not empty", found: "an empty one")
    }
    try input(.action(action, of: matchIdentifier, at: time))
  }

  /// Nil takes the identifier away.
  public func setAdvertising(
    _ identifier: String?, limitsTracking: Bool, at time: Milliseconds
  ) throws(EngineError) {
    if identifier?.isEmpty == true {
      throw EngineError(
        argument: "identifier", expected: "a text that is not empty, or NULL", found: "an empty one")
    }
    try input(.advertising(identifier, limitsTracking: limitsTracking, at: time))
  }
}
