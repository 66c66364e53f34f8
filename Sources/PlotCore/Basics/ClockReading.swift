/// A reading of the host's clocks at one moment (docs/rules.md, Clocks).
public struct ClockReading: Equatable, Sendable {
  /// Milliseconds since 1970.
  public var wall: Milliseconds
  /// Milliseconds since the device was started.
  public var monotonic: Milliseconds
  /// Tells one start of the device from another.
  public var boot: String

  public init(wall: Milliseconds, monotonic: Milliseconds, boot: String) {
    self.wall = wall
    self.monotonic = monotonic
    self.boot = boot
  }
}
