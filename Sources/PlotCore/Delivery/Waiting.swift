/// A notification that waits for the end of quiet hours.
public struct Waiting: Equatable, Sendable {
  /// As the filter left it.
  public var item: Item
  public var until: Milliseconds
  /// Only as long as its visit lasts.
  public var insideOnly: Bool

  public init(item: Item, until: Milliseconds, insideOnly: Bool) {
    self.item = item
    self.until = until
    self.insideOnly = insideOnly
  }
}
