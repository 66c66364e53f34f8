extension Eligibility {
  /// All steps are done, and not too long ago.
  static func steps(_ chain: Chain, _ starts: [Milliseconds?], at time: Milliseconds) -> Outcome {
    guard let last = starts.last else { return .pass(.steps, .stepsDone) }
    guard let start = last else {
      let reached = starts.lastIndex { $0 != nil } ?? -1
      var outcome = Outcome.drop(.steps, .stepsMissing, chain.stages[reached + 1].step.text)
      outcome.done = Int64(reached + 1)
      return outcome
    }
    if let within = chain.within, time - start > within {
      var outcome = Outcome.drop(.steps, .stepsLate)
      outcome.start = start
      return outcome
    }
    return .pass(.steps, .stepsDone)
  }

  static func visits(_ rule: VisitRule, ordinal: Int64) -> Outcome {
    rule.counts(ordinal) ? .pass(.visits, .visitCounts) : .drop(.visits, .visitDoesNotCount, String(ordinal))
  }
}
