/// Whether a campaign may be shown at all now: the steps after the trigger (docs/decisions.md).
struct Eligibility {
  struct Outcome {
    private struct Rest: Equatable {
      var detail: String?
      var nextPossible: Milliseconds?
      var done: Int64?
      var start: Milliseconds?
    }

    var verdict: Verdict
    var step: Step
    var reason: Reason
    /// Nil for most outcomes, which keeps them small enough for registers.
    private var boxed: Boxed<Rest>?

    private var rest: Rest {
      get { boxed?.values ?? Rest() }
      set { boxed = Boxed(newValue) }
    }

    var detail: String? { boxed?.values.detail }

    var nextPossible: Milliseconds? { boxed?.values.nextPossible }

    /// Of steps: how many are done, and when the first of them was.
    var done: Int64? {
      get { boxed?.values.done }
      set { rest.done = newValue }
    }

    var start: Milliseconds? {
      get { boxed?.values.start }
      set { rest.start = newValue }
    }

    static func pass(_ step: Step, _ reason: Reason) -> Outcome {
      Outcome(.pass, step, reason, nil, nil)
    }

    static func drop(
      _ step: Step, _ reason: Reason, _ detail: String? = nil, nextPossible: Milliseconds? = nil
    ) -> Outcome {
      Outcome(.drop, step, reason, detail, nextPossible)
    }

    /// It waits until then.
    static func hold(_ step: Step, _ reason: Reason, until next: Milliseconds) -> Outcome {
      Outcome(.hold, step, reason, nil, next)
    }

    var passes: Bool { verdict == .pass }

    private init(_ verdict: Verdict, _ step: Step, _ reason: Reason, _ detail: String?, _ nextPossible: Milliseconds?) {
      self.verdict = verdict
      self.step = step
      self.reason = reason
      if detail != nil || nextPossible != nil { rest = Rest(detail: detail, nextPossible: nextPossible) }
    }
  }

  /// Active from `start` on and before `end`.
  static func validity(_ campaign: Campaign, at time: Milliseconds) -> Outcome {
    if let start = campaign.start, time < start {
      return .drop(.validity, .notStarted, nextPossible: start)
    }
    if let end = campaign.end, time >= end { return .drop(.validity, .ended) }
    return .pass(.validity, .valid)
  }

  /// Within the campaign's times, in the zone that counts; or it waits for them, where the campaign and its visit allow.
  static func times(
    _ campaign: Campaign, _ region: Region, device: ZoneRules, at time: Milliseconds
  ) -> Outcome {
    guard let times = region.campaignTimes(campaign.times) else { return .pass(.times, .anytime) }
    let zone = region.clockZone(campaign.times.zone, device: device)
    if times.contains(time, in: zone) { return .pass(.times, .withinTimes) }
    let next = times.next(after: time, in: zone)
    if campaign.times.outside == .hold, campaign.trigger.isInVisit, let next, next < campaign.end ?? .max {
      return .hold(.times, .held, until: next)
    }
    return .drop(.times, .outsideTimes, nextPossible: next)
  }

  /// The tree must be true; a missing property never matches.
  static func segmentation(_ campaign: Campaign, _ context: SegmentContext) -> Outcome {
    switch campaign.segmentation?.truth(context) ?? .yes {
    case .yes: .pass(.segmentation, .matched)
    case .no(let name): .drop(.segmentation, .propertyDiffers, name?.text)
    case .unknown(let name, let isMissing):
      .drop(.segmentation, isMissing ? .propertyMissing : .propertyDiffers, name.text)
    }
  }

  /// Once only, or not before the campaign's own cooldown has passed.
  static func repetition(
    _ campaign: Campaign, lastShown: @autoclosure () -> Milliseconds?, isInFlight: Bool, at time: Milliseconds
  ) -> Outcome {
    if isInFlight { return .drop(.repeat, .inFlight) }
    var rule = campaign.repeatRule
    if campaign.isWelcome, let welcome = campaign.welcome { rule = .after(welcome.period) }
    guard rule != .always, let lastShown = lastShown() else { return .pass(.repeat, .allowed) }
    switch rule {
    case .once: return .drop(.repeat, .onceOnly)
    case .always: return .pass(.repeat, .allowed)
    case .after(let period):
      // The moment that the cooldown counts from has not come yet.
      guard lastShown < .max else { return .drop(.repeat, .campaignCooldown) }
      let next = lastShown + period
      return time >= next
        ? .pass(.repeat, .allowed) : .drop(.repeat, .campaignCooldown, nextPossible: next)
    }
  }
}
