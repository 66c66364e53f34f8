extension NoisePolicy {
  enum Answer: Equatable {
    case inside
    case outside
    case hold(Reason)
  }

  /// `edge`: metres to the region's edge, negative inside; `size`: metres, a circle's radius; `accuracy` in metres; `visiting`: whether a
  /// visit is in progress.
  ///
  /// Of a policy that weighs evidence, this is what a fix says by itself.
  func answer(edge: Double, size: Double, accuracy: Double, visiting: Bool) -> Answer {
    if evidence != nil {
      let isOut =
        edge - EvidencePolicy.exitError(EvidencePolicy.accuracy(accuracy), size)
        > EvidencePolicy.exitMargin(size)
      return edge <= 0 ? .inside : !visiting || isOut ? .outside : .hold(.hysteresis)
    }
    guard (edge <= 0) != visiting else { return edge <= 0 ? .inside : .outside }
    guard isAccurate(accuracy, size: size) else { return .hold(.accuracy) }
    if visiting {
      return edge > exitMargin(size: size, accuracy: accuracy) ? .outside : .hold(.hysteresis)
    }
    return edge <= -min(enterShare * accuracy, size / 2) ? .inside : .hold(.accuracy)
  }

  /// The inputs of `answer`.
  func inputs(_ reason: Reason, edge: Double, _ size: Double, _ accuracy: Double) -> Inputs {
    let margin: Double? =
      if reason == .hysteresis { exitMargin(size: size, accuracy: accuracy) } else if isAccurate(accuracy, size: size) {
        min(enterShare * accuracy, size / 2)
      } else { nil }
    return [
      "accuracy": .tenths(accuracy), "limit": margin == nil ? .tenths(max(size, maxAccuracy ?? size)) : nil,
      "distance": margin == nil ? nil : .tenths(edge), "margin": margin.map { .tenths($0) },
    ]
  }

  /// How many fixes in a row enter for sure.
  func fixesToEnter(isResting: Bool) -> Int64 {
    guard let evidence else { return confirmFixes }
    return isResting ? EvidencePolicy.fixesAtRest : max(2, evidence.enterFixes)
  }

  /// Whether a fix decides anything about a region.
  func isAccurate(_ accuracy: Double, size: Double) -> Bool {
    accuracy <= max(size, evidence == nil ? maxAccuracy ?? .infinity : EvidencePolicy.coarse)
  }

  /// Metres beyond a region's edge at which a visit ends.
  func exitMargin(size: Double, accuracy: Double) -> Double {
    min(max(margin, size * marginShare, accuracy * exitShare), maxMargin)
  }
}
