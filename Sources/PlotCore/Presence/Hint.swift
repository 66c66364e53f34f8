/// A report of an operating system about one region that it watches.
public struct Hint: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    /// It was entered, or left, at this time.
    case enter, exit
    /// The device is inside, or outside, at this time; since when is not said.
    case inside, outside

    var isEnter: Bool { self == .enter || self == .inside }
    var isCrossing: Bool { self == .enter || self == .exit }
  }

  public var time: Milliseconds
  public var region: Identifier
  public var kind: Kind
  /// Where the device was, as the system says with it.
  public var position: Position?

  public init(time: Milliseconds, region: Identifier, kind: Kind, position: Position? = nil) {
    self.time = time
    self.region = region
    self.kind = kind
    self.position = position
  }
}

/// Somewhere, more or less.
public struct Position: Equatable, Sendable {
  public var coordinate: Coordinate
  /// Metres; 0 when not known: the position is then taken as exact.
  public var accuracy: Double

  public init(_ coordinate: Coordinate, accuracy: Double = 0) {
    self.coordinate = coordinate
    self.accuracy = accuracy
  }

  var fault: InputError? { Fix(time: 0, coordinate: coordinate, accuracy: accuracy).fault }
}
