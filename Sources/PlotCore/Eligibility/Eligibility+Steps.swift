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

  /// The edge was crossed as the rule says. A value that is not known meets no rule.
  static func crossing(_ rule: CrossingRule, _ crossing: EdgeCrossing) -> Outcome {
    if let direction = rule.direction {
      if crossing.from == direction.to || crossing.to == direction.from {
        return .drop(.crossing, .otherDirection)
      }
      if crossing.from == nil || !crossing.isEnter && crossing.to == nil {
        return .drop(.crossing, .crossingUnknown, "direction")
      }
    }
    if let range = rule.course {
      guard let course = crossing.course else { return .drop(.crossing, .crossingUnknown, "course") }
      if !range.contains(course) { return .drop(.crossing, .otherCourse) }
    }
    if rule.leastSpeed != nil || rule.mostSpeed != nil {
      guard let speed = crossing.speed else { return .drop(.crossing, .crossingUnknown, "speed") }
      if speed < rule.leastSpeed ?? 0 || speed > rule.mostSpeed ?? .infinity { return .drop(.crossing, .otherSpeed) }
    }
    return .pass(.crossing, .crossingCounts)
  }

  static func visits(_ rule: VisitRule, ordinal: Int64) -> Outcome {
    rule.counts(ordinal) ? .pass(.visits, .visitCounts) : .drop(.visits, .visitDoesNotCount, String(ordinal))
  }
}

extension CrossingRule {
  /// The values that it was held against: all that it asks for, or those that differ.
  func inputs(_ crossing: EdgeCrossing, _ reason: Reason) -> Inputs {
    var inputs: Inputs = [:]
    if let direction, reason == .crossingCounts || reason == .otherDirection {
      inputs = [
        "direction": .text(direction.rawValue), "cameFrom": crossing.from.map { .text($0.rawValue) },
        "leftFor": crossing.to.map { .text($0.rawValue) },
      ]
    }
    if let course, reason == .crossingCounts || reason == .otherCourse {
      inputs =
        inputs + [
          "course": crossing.course.map { .tenths($0) }, "courseFrom": .double(course.from),
          "courseTo": .double(course.to),
        ]
    }
    if leastSpeed != nil || mostSpeed != nil, reason == .crossingCounts || reason == .otherSpeed {
      inputs =
        inputs + [
          "speed": crossing.speed.map { .tenths($0) }, "leastSpeed": leastSpeed.map { .double($0) },
          "mostSpeed": mostSpeed.map { .double($0) },
        ]
    }
    return inputs
  }
}
