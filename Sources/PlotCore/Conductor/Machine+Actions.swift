/// The person's actions on a notification beside opening it.
extension Machine {
  /// The person chose an action of a sent notification: it counts as opened, and opens the app when the action says so. Throws
  /// `unknownMatch`, or `unknownAction` when the notification has actions and this is none of them; then nothing has changed.
  public mutating func takeAction(
    _ action: String, of matchIdentifier: String, at time: Milliseconds
  ) throws(InputError) -> Output {
    guard let known = known(matchIdentifier)?.content.actions else { throw .unknownMatch(matchIdentifier) }
    let chosen = known.first { $0.id == action }
    guard known.isEmpty || chosen != nil else { throw .unknownAction(action) }
    output.restart()
    proceed(to: time)
    guard let item = markOpened(matchIdentifier) else { return finish() }
    emit(.notificationAction, region: item.region, visit: item.visit ?? "", at: now) {
      $0.item = item
      $0.action = action
    }
    if chosen?.foreground == true { opened(item) } else { undisplay(matchIdentifier) }
    return finish()
  }

  /// The device's advertising identifier, for the events from now on; nil takes it away. One whose tracking is limited is not kept.
  public mutating func setAdvertising(
    _ identifier: String?, limitsTracking: Bool, at time: Milliseconds
  ) -> Output {
    output.restart()
    proceed(to: time)
    let advertising = identifier.map {
      Advertising(identifier: limitsTracking ? nil : $0, limitsTracking: limitsTracking)
    }
    learn(.advertising(advertising))
    return finish()
  }
}
