/// Forgetting a person, for an app that is asked to (docs/privacy.md; the SDK's clearAllDataAndResetDeviceId).
extension Machine {
  /// Forgets all but what the host says of itself and of its settings. Nothing that is due happens first, and nothing is told.
  public mutating func clearAllData(at time: Milliseconds) -> Output {
    var kept = State()
    kept.newest = max(state.newest, time)
    kept.host = state.host.withoutThePerson
    kept.delivery = state.delivery.withoutThePerson
    // No event's number comes twice.
    kept.sequence = state.sequence
    self = Machine(state: kept, feed: .empty, settings: settings)
    output.note(.allCleared)
    return finish()
  }
}
