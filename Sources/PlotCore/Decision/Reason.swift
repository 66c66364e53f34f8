// Made from docs/decisions.json by scripts/decision_tables.py: do not edit.
// swift-format-ignore-file

/// A step of a decision, in the order in which a candidate meets them (docs/decisions.md).
public enum Step: String, CaseIterable, Sendable {
  /// Whether the device is inside; it may be about a region alone.
  case presence
  /// Whether the visit does what the campaign waits for.
  case trigger
  /// The steps that must have been done before; only with after.
  case steps
  /// Whether this visit counts; only with visits.
  case visits
  /// How the edge of the region was crossed; only with crossing.
  case crossing
  /// The start and the end of the campaign, and notificationsEnabled.
  case validity
  /// The times of the campaign and of the region.
  case times
  /// The conditions on the device and the person.
  case segmentation
  /// Whether it may be shown again.
  case `repeat`
  /// The fields that the text asks for.
  case content
  /// Whether a list that the host gives takes the place of the one in force.
  case list
  /// Whether a message is newer than what is known; a message begins here.
  case revision
  /// The rules of the feed about messages.
  case rules
  /// The answer of the app.
  case filter
  /// The answers of the strategies; only where there are some.
  case strategies
  /// The time since the last notification.
  case cooldown
  /// How many notifications there have been; only where a cap is about it.
  case caps
  /// The hours in which nothing is shown; only where some are about it.
  case quiet
  /// The place on the screen; only where the feed has slots, or the campaign an exclusion group or a correlation key.
  case slot
  /// Whether the person is one of those to whom it is not shown, so that its effect can be measured; only with holdout.
  case holdout
  /// Whether an attachment can be shown.
  case attachment
  /// A message that must not be shown, where the host cannot prevent it.
  case suppress
  /// The answer of the host.
  case show
  /// Taking a notification off the screen.
  case remove
}

/// How a step came out.
public enum Verdict: String, CaseIterable, Sendable {
  case pass
  case drop
  case hold
}

/// Why a step came out as it did. A closed list: docs/decisions.md has a sentence for each.
public enum Reason: String, CaseIterable, Sendable {
  /// The fix is too inaccurate to tell inside from outside of this region.
  case accuracy
  /// The fix is outside, but within the margin that keeps a visit.
  case hysteresis
  case stale
  /// The system's hint is older than what is known. The detail of each decision about a hint is its kind.
  case hintStale = "hint-stale"
  /// The hint says only what is known already.
  case hintDuplicate = "hint-duplicate"
  /// A position speaks clearly against the hint.
  case hintContradicted = "hint-contradicted"
  /// The fix knows less than is known already; it counts for nothing.
  case coarse
  case jump
  case shift
  /// The device is at rest, and all its fixes together say something else than this one.
  case atRest = "at-rest"
  /// The circle around an area was entered; whether the area was is not known.
  case hintUnproven = "hint-unproven"
  /// Something is due in a visit, and the newest fix is too old to prove that the device is still there: the app was asked for another.
  case unproven
  /// A span is over in which a campaign waits for an absence, and one of its regions was visited.
  case absenceVisited = "absence-visited"
  /// A span is over in which a campaign waits for an absence, and for a part of it nothing is known of where the device was.
  case absenceUnknown = "absence-unknown"
  /// The device is too fast to enter: it passes by.
  case speed
  /// The region seems to be entered, or left, and that is not sure yet.
  case notConfirmed = "not-confirmed"
  /// The beacon is not in the region's range.
  case beaconRange = "beacon-range"
  /// The device is inside when it is first located, and that is an enter (`initial`).
  case firstFix = "first-fix"
  /// A feed update brought the region around the device, and that is an enter (`initialOnUpdate`).
  case newRegion = "new-region"
  /// The region is gone from the feed, or was changed so that the device is outside; its visit ended in silence.
  case regionRemoved = "region-removed"
  case disabled
  /// An enter, or an exit, that was not sure was none; the detail is the kind of the hint that said so.
  case refuted
  /// Nobody could have come here since the fix before; it is left out.
  case impliedSpeed = "implied-speed"
  /// The fix is older than the newest input, and was refused.
  case late
  /// The time of the input is later than the clocks allow, and it was refused.
  case ahead
  /// The visit did what the campaign waits for.
  case triggered
  /// More campaigns were triggered at the same moment than the engine takes; this one is beyond the limit.
  case tooMany = "too-many"
  /// The visit was over when the fixes that show it were handed over.
  case over
  /// All that must have happened before has happened.
  case stepsDone = "steps-done"
  /// A step has not been done, or something forbidden came after it; the detail names the step.
  case stepsMissing = "steps-missing"
  /// The steps took too long.
  case stepsLate = "steps-late"
  /// This visit is one that counts.
  case visitCounts = "visit-counts"
  /// It is another visit; the detail is its number.
  case visitDoesNotCount = "visit-does-not-count"
  /// The edge was crossed as the campaign asks.
  case crossingCounts = "crossing-counts"
  /// The line was crossed from its other side, or not crossed.
  case otherDirection = "other-direction"
  /// The device went on another course.
  case otherCourse = "other-course"
  /// The device was slower or faster.
  case otherSpeed = "other-speed"
  /// It is not known how the edge was crossed; the detail is `direction`, `course` or `speed`.
  case crossingUnknown = "crossing-unknown"
  /// The campaign is within its start and end.
  case valid
  /// The campaign has not started.
  case notStarted = "not-started"
  case ended
  /// The feed's settings have switched notifications off.
  case notificationsDisabled = "notifications-disabled"
  /// Neither the campaign nor the region has times.
  case anytime
  /// It is within its times.
  case withinTimes = "within-times"
  /// It is outside its times.
  case outsideTimes = "outside-times"
  /// It is outside its times, and waits for them.
  case held
  case left
  case campaignRemoved = "campaign-removed"
  /// The conditions are true, or there are none.
  case matched
  /// The device has no value for a property that decides.
  case propertyMissing = "property-missing"
  /// The conditions are not true; the detail names the property or campaign, and is absent for a country and a travel time.
  case propertyDiffers = "property-differs"
  case allowed
  /// It has been shown, and is shown only once.
  case onceOnly = "once-only"
  /// Its own cooldown has not passed.
  case campaignCooldown = "campaign-cooldown"
  /// The same notification is waiting for an answer of the app.
  case inFlight = "in-flight"
  /// Every placeholder has a field.
  case filled
  /// The region lacks a field that the text asks for.
  case missingField = "missing-field"
  /// The list is in force; the detail names it.
  case listTaken = "list-taken"
  /// The list in force has a greater version.
  case listOlder = "list-older"
  /// The message is newer than all that is known of its correlation key, which the detail names.
  case newest
  /// The same message has come before.
  case duplicate
  /// Its sender has taken it back.
  case retracted
  /// A list is absent that a rule needs to know; the detail names it, and the rule says what then.
  case listAbsent = "list-absent"
  /// No rule is about this message.
  case noRule = "no-rule"
  /// A rule keeps it; the detail names the rule.
  case ruleKept = "rule-kept"
  /// A rule takes its sound away.
  case ruleMuted = "rule-muted"
  /// A rule gives it another text.
  case ruleRewritten = "rule-rewritten"
  /// A rule lets it wait.
  case ruleDeferred = "rule-deferred"
  /// A rule drops it.
  case ruleDropped = "rule-dropped"
  /// The app has no filter, or no geotrigger handler.
  case noFilter = "no-filter"
  /// Landing pages skip the filter.
  case landingPage = "landing-page"
  /// The app was asked.
  case asked
  /// The app kept it.
  case kept
  /// The app left it out.
  case filteredOut = "filtered-out"
  /// The app did not answer in time; the fallback shows the original.
  case deadlineShown = "deadline-shown"
  /// The app did not answer in time; the fallback drops it.
  case deadlineDropped = "deadline-dropped"
  /// The process ended before the app answered, and such batches are dropped.
  case restartDropped = "restart-dropped"
  /// Every strategy agrees.
  case agreed
  case vetoed
  /// Another notification was shown too short a time ago.
  case globalCooldown = "global-cooldown"
  /// Every cap has room for one more.
  case withinCaps = "within-caps"
  /// A cap is full; the detail names it: `all`, `tag` and the tag, `campaign`, `campaign at region`, `campaign in visit`, `region`, `visit`.
  case capped
  /// No quiet hours are on.
  case notQuiet = "not-quiet"
  /// Quiet hours are on, and it does not wait; the detail names them: `all`, `tag` and the tag, `region`, `campaign`.
  case quietHours = "quiet-hours"
  /// Quiet hours are on, and it waits for their end; the detail names the strictest.
  case quietHeld = "quiet-held"
  /// There is a place on the screen, or one has been made.
  case free
  /// Every slot is taken by a notification that it may not replace.
  case slotFull = "slot-full"
  /// Another one of its exclusion group is on the screen, or one that it should take the place of stays there; the detail names its campaign.
  case excluded
  /// A better one of its exclusion group, or of the places where the device is, comes at the same moment or came shortly before; the detail names its campaign.
  case outranked
  /// It came together with others of its group; the detail names the campaign that stands for all.
  case coalesced
  /// A welcome of the same instant wants to be alone; the detail names it.
  case welcomeAlone = "welcome-alone"
  /// All speaks for showing it, but the person is in the holdout group that the detail names.
  case heldOut = "held-out"
  /// The person is not in the holdout group that the detail names.
  case drawn
  /// Nobody is held out: the property that the detail names has no text and no whole number.
  case noDraw = "no-draw"
  /// The attachment can be shown.
  case attached
  /// The attachment is of no kind that can be shown; the rest is.
  case attachmentKind = "attachment-kind"
  /// The attachment is larger than its kind may be; the rest is shown.
  case attachmentSize = "attachment-size"
  /// The attachment is no file here that can be read; the rest is shown.
  case attachmentUnreadable = "attachment-unreadable"
  /// It must not be shown, and this host cannot suppress it: another text stands for it.
  case placeholder
  /// It must not be shown, and this host cannot suppress it: it is shown without sound.
  case silent
  /// The host has shown it, or the geotrigger is handled.
  case shown
  /// The host could not show it; it is not used up.
  case showFailed = "show-failed"
  /// Its turn had come after its `expireAt`.
  case expired
  /// The host has taken it off the screen.
  case removed
  /// The host could not take it off the screen.
  case removeFailed = "remove-failed"
  /// This host cannot take anything off the screen.
  case cannotRemove = "cannot-remove"
}

extension Reason {
  /// At the step `presence`: a visit has ended in silence.
  public static let endsVisit: [Reason] = [.regionRemoved, .disabled]
}
