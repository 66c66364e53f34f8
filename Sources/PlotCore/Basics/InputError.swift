/// An input that cannot be taken. Nothing has changed.
public enum InputError: Error, Equatable {
  case invalid(name: String, expected: String, found: String)
  /// Not newer than the newest fix, or sighting, where one may come late.
  case overtaken(by: Milliseconds, isFix: Bool)
  /// `limit`: what is older than `newest` by more is told that `newest` itself may be wrong; nil where the clocks are known.
  case outOfOrder(newest: Milliseconds, limit: Milliseconds?)
  /// Later than the clocks can show, or than what came before lets one believe.
  case ahead(latest: Milliseconds, isByClock: Bool)
  case unknownToken
  case alreadyAnswered
  /// An item of the answer that is not in the batch, or is there twice.
  case unknownItem(String)
  case unknownMatch(String)
  case unknownRegion(String)
  case unknownCampaign(String)
  case unknownTrip(String)
  /// The plan depends on where the device is, and that is not known.
  case noPosition
  /// The notification has actions, and this is none of them.
  case unknownAction(String)
}
