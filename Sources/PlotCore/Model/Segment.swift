/// Conditions on the device, on what it was shown, and on the place, in a tree.
public indirect enum Segment: Equatable, Sendable {
  case all([Segment])
  case any([Segment])
  case not(Segment)
  case property(Identifier, Comparison)
  /// The campaign was shown, or opened, no longer than this ago; nil for at any time.
  case shown(Identifier, within: Milliseconds?)
  case opened(Identifier, within: Milliseconds?)
  /// The region lies in one of these countries.
  case country([String])
  case travel(TravelCondition)
}

/// The value that a property is compared with.
public enum Comparison: Equatable, Sendable {
  public enum Order: String, CaseIterable, Sendable {
    case less, atMost, atLeast, greater

    func accepts(_ sign: Int) -> Bool {
      switch self {
      case .less: sign < 0
      case .atMost: sign <= 0
      case .atLeast: sign >= 0
      case .greater: sign > 0
      }
    }
  }

  case equals(Operand)
  case differs(Operand)
  case order(Order, Operand)
  /// Both ends count.
  case between(Operand, Operand)
  case isIn([Operand])
  case exists(Bool)
  case begins(String)
  case contains(String)
  /// Dotted numbers, as in 1.10.2; a missing part is 0.
  case version(Order, String)
}

/// A value, or a date that is counted from now.
public enum Operand: Equatable, Sendable {
  case value(PropertyValue)
  /// Before now, or, when negative, after it.
  case ago(Milliseconds)

  public func value(at time: Milliseconds) -> PropertyValue {
    switch self {
    case .value(let value): value
    case .ago(let period): .date(time - period)
    }
  }
}
