/// When a fix counts as inside or outside of a circle. The one place where inaccuracy is weighed.
public enum NoisePolicy: String, CaseIterable, Sendable {
  /// Every fix is the truth: inside means a distance of at most the radius.
  case exact
  /// Accuracy and a margin count: a visit begins within the radius, and ends only beyond radius and margin; a fix that is
  /// far less accurate than the circle is wide changes nothing (reference: peers.md, 2.15 and appendix A11, A17).
  case standard = "default"

  enum Answer: Equatable {
    case inside
    case outside
    case hold(Reason)
  }

  /// The least and most metres of the margin that a visit must be left by.
  static let margin = (least: 20.0, most: 100.0)
  /// A fix of at most this accuracy in metres is good enough for every circle; for larger circles, one as good as their radius.
  static let accuracy = 100.0

  /// `distance`, `radius` and `accuracy` in metres; `visiting`: whether a visit is in progress.
  func answer(distance: Double, radius: Double, accuracy: Double, visiting: Bool) -> Answer {
    let within = distance <= radius
    guard self == .standard, within != visiting else { return within ? .inside : .outside }
    guard accuracy <= max(radius, Self.accuracy) else { return .hold(.accuracy) }
    guard visiting else { return .inside }
    let margin = min(max(Self.margin.least, radius / 10, accuracy), Self.margin.most)
    return distance > radius + margin ? .outside : .hold(.hysteresis)
  }
}

/// What being inside at the first fix means.
public enum InitialPolicy: String, CaseIterable, Sendable {
  /// A visit, but neither an enter nor a dwelling comes of it.
  case none
  /// An enter like any other.
  case enter
}
