/// A change of the items on their way to a display that must survive the process.
public enum DeliveryChange: Sendable {
  case held(Held)
  case heldEnded(campaign: Identifier, region: Identifier)
  case batch(Batch)
  case batchClosed(token: UInt64)
  /// Handed to the host to be shown; with the time of its display, kept until the strategies were called about it.
  case intent(Item)
  case intentClosed(matchIdentifier: String)
  case pending(Item)
  case pendingEnded(matchIdentifier: String)
  case prefiltered(Prefiltered)
  case prefilteredEnded(campaign: Identifier, region: Identifier)
  /// New, or with another end.
  case waiting(Waiting)
  case waitingEnded(matchIdentifier: String)
}
