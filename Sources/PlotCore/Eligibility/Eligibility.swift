/// Whether a campaign may be shown at all now: steps 2 to 4 of a decision (docs/decisions.md).
struct Eligibility {
  struct Outcome {
    var passes: Bool
    var step: Step
    var reason: Reason
    var detail: String?
    var nextPossible: Milliseconds?

    static func pass(_ step: Step, _ reason: Reason) -> Outcome {
      Outcome(true, step, reason, nil, nil)
    }

    static func drop(
      _ step: Step, _ reason: Reason, _ detail: String? = nil, nextPossible: Milliseconds? = nil
    ) -> Outcome {
      Outcome(false, step, reason, detail, nextPossible)
    }

    private init(_ passes: Bool, _ step: Step, _ reason: Reason, _ detail: String?, _ nextPossible: Milliseconds?) {
      self.passes = passes
      self.step = step
      self.reason = reason
      self.detail = detail
      self.nextPossible = nextPossible
    }
  }

  /// Active from `start` on and before `end` (seed 001, 1.1).
  static func validity(_ campaign: Campaign, at time: Milliseconds) -> Outcome {
    if let start = campaign.start, time < start {
      return .drop(.validity, .notStarted, nextPossible: start)
    }
    if let end = campaign.end, time >= end { return .drop(.validity, .ended) }
    return .pass(.validity, .valid)
  }

  /// All conditions must match; a missing property never does (seed 001, 2.14).
  static func segmentation(
    _ campaign: Campaign, _ properties: [Identifier: PropertyValue]
  ) -> Outcome {
    for condition in campaign.segmentation {
      guard let value = properties[condition.property] else {
        return .drop(.segmentation, .propertyMissing, condition.property.text)
      }
      guard matches(value, condition.equals) else {
        return .drop(.segmentation, .propertyDiffers, condition.property.text)
      }
    }
    return .pass(.segmentation, .matched)
  }

  /// Once only, or not before the campaign's own cooldown has passed (seed 001, 1.1 and 1.3).
  static func repetition(
    _ campaign: Campaign, lastShown: Milliseconds?, isInFlight: Bool, at time: Milliseconds
  ) -> Outcome {
    if isInFlight { return .drop(.repeat, .inFlight) }
    guard let lastShown else { return .pass(.repeat, .allowed) }
    switch campaign.repeatRule {
    case .once: return .drop(.repeat, .onceOnly)
    case .always: return .pass(.repeat, .allowed)
    case .after(let period):
      let next = lastShown + period
      return time >= next
        ? .pass(.repeat, .allowed) : .drop(.repeat, .campaignCooldown, nextPossible: next)
    }
  }

  /// Equal in type and value; strings by their bytes; an integer and a double when their numbers are exactly equal.
  static func matches(_ value: PropertyValue, _ expected: PropertyValue) -> Bool {
    switch (value, expected) {
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.integer(let a), .double(let b)), (.double(let b), .integer(let a)): Int64(exactly: b) == a
    case (.date(let a), .date(let b)): a == b
    default: false
    }
  }
}
