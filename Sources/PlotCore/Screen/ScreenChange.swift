/// A change on the screen that must survive the process.
public enum ScreenChange: Sendable {
  case displayed(Item)
  case displayedEnded(matchIdentifier: String)
  case lastItem(Item)
  /// When any notification last left the screen.
  case removed(Milliseconds)
}
