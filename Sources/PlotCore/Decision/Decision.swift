/// A step of a decision, in the order in which a candidate meets them (docs/decisions.md).
public enum Step: String, CaseIterable, Sendable {
  case presence, trigger, steps, visits, validity, times, segmentation, `repeat`, content, list, revision, rules,
    filter, strategies, cooldown, caps, quiet, slot, attachment, suppress, show, remove
}

public enum Verdict: String, CaseIterable, Sendable {
  case pass, drop, hold
}

/// Why a step came out as it did. A closed list: docs/decisions.md has a sentence for each, and a test compares them.
public enum Reason: String, CaseIterable, Sendable {
  case triggered
  case tooMany = "too-many"
  case over
  case accuracy
  case hysteresis
  case hintStale = "hint-stale"
  case hintDuplicate = "hint-duplicate"
  case hintContradicted = "hint-contradicted"
  case hintUnproven = "hint-unproven"
  case unproven
  case coarse
  case jump
  case shift
  case atRest = "at-rest"
  case impliedSpeed = "implied-speed"
  case late
  case ahead
  case speed
  case beaconRange = "beacon-range"
  case notConfirmed = "not-confirmed"
  case refuted
  case firstFix = "first-fix"
  case newRegion = "new-region"
  case regionRemoved = "region-removed"
  case disabled
  case stepsDone = "steps-done"
  case stepsMissing = "steps-missing"
  case stepsLate = "steps-late"
  case visitCounts = "visit-counts"
  case visitDoesNotCount = "visit-does-not-count"
  case valid
  case notStarted = "not-started"
  case ended
  case anytime
  case withinTimes = "within-times"
  case outsideTimes = "outside-times"
  case heldForTimes = "held"
  case left
  case matched
  case propertyMissing = "property-missing"
  case propertyDiffers = "property-differs"
  case allowed
  case onceOnly = "once-only"
  case campaignCooldown = "campaign-cooldown"
  case inFlight = "in-flight"
  case filled
  case missingField = "missing-field"
  case noFilter = "no-filter"
  case landingPage = "landing-page"
  case asked
  case kept
  case filteredOut = "filtered-out"
  case deadlineShown = "deadline-shown"
  case deadlineDropped = "deadline-dropped"
  case restartDropped = "restart-dropped"
  case agreed
  case vetoed
  case globalCooldown = "global-cooldown"
  case withinCaps = "within-caps"
  case capped
  case notQuiet = "not-quiet"
  case quietHours = "quiet-hours"
  case quietHeld = "quiet-held"
  case campaignRemoved = "campaign-removed"
  case notificationsDisabled = "notifications-disabled"
  case free
  case slotFull = "slot-full"
  case excluded
  case outranked
  case coalesced
  case welcomeAlone = "welcome-alone"
  case attached
  case attachmentKind = "attachment-kind"
  case attachmentSize = "attachment-size"
  case attachmentUnreadable = "attachment-unreadable"
  case expired
  case shown
  case showFailed = "show-failed"
  case removed
  case removeFailed = "remove-failed"
  case cannotRemove = "cannot-remove"
  case listTaken = "list-taken"
  case listOlder = "list-older"
  case listAbsent = "list-absent"
  case newest
  case duplicate
  case stale
  case retracted
  case noRule = "no-rule"
  case ruleKept = "rule-kept"
  case ruleDropped = "rule-dropped"
  case ruleMuted = "rule-muted"
  case ruleRewritten = "rule-rewritten"
  case ruleDeferred = "rule-deferred"
  case placeholder
  case silent
}

/// One record: a candidate came to a step, and this was the outcome.
public struct Decision: Equatable, Sendable {
  public var time: Milliseconds
  public var campaign: Identifier?
  public var region: Identifier?
  public var visit: String?
  /// The id of the message that it is about.
  public var message: String?
  public var step: Step
  public var verdict: Verdict
  public var reason: Reason
  /// The subject of the reason: a property, a field.
  public var detail: String?
  /// The values that the step decided on.
  public var inputs = Inputs()
  /// The earliest time at which it could pass, where that is known.
  public var nextPossible: Milliseconds?
}
