/// An input that cannot be taken. Nothing has changed.
public enum InputError: Error, Equatable {
  case invalid(name: String, expected: String, found: String)
  case outOfOrder(newest: Milliseconds)
  case unknownToken
  case alreadyAnswered
  /// An item of the answer that is not in the batch, or is there twice.
  case unknownItem(String)
  case unknownMatch(String)
  case unknownRegion(String)
  case unknownCampaign(String)
  /// The plan depends on where the device is, and that is not known.
  case noPosition
  /// The notification has actions, and this is none of them.
  case unknownAction(String)
}
