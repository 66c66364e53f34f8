/// A change of the history that must survive the process.
public enum HistoryChange: Sendable {
  case shown(ItemKey, Milliseconds, beginsCooldown: Bool)
  /// When any notification was last shown, where no single one says it.
  case lastNotification(Milliseconds)
  case opened(campaign: Identifier, Milliseconds)
  case anchor(ItemKey, Milliseconds)
  case display(Display)
  /// The oldest so many.
  case displaysForgotten(Int)
  case sent(Item)
  case sentRemoved(matchIdentifier: String)
  case sentCleared(isGeotrigger: Bool)
  /// Nil when nothing of it is done any more.
  case chain(Identifier, [Milliseconds?]?)
}
