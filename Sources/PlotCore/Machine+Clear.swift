/// What an app that is asked to forget a person needs (docs/privacy.md; the SDK's clearAllDataAndResetDeviceId).
extension Machine {
  /// Forgets all but what the host says of itself and of its settings. Nothing that is due happens first, and nothing is told.
  public mutating func clearAllData(at time: Milliseconds) -> Output {
    var kept = State()
    kept.newest = max(state.newest, time)
    kept.isEnabled = state.isEnabled
    kept.cooldownPeriod = state.cooldownPeriod
    kept.clock = state.clock
    kept.isForeground = state.isForeground
    kept.backgroundSince = state.backgroundSince
    kept.hasNetwork = state.hasNetwork
    // No event's number and no batch's token comes twice.
    kept.sequence = state.sequence
    kept.lastToken = state.lastToken
    let foregroundSince = foregroundSince
    self = Machine(state: kept, feed: .empty, settings: settings)
    self.foregroundSince = foregroundSince
    output.note(.allCleared)
    return finish()
  }
}
