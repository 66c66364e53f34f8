/// A finding of `Lint`: a closed list (docs/lint.md). Codes only grow.
public enum LintCode: String, CaseIterable, Sendable {
  // Refusals of the readers.
  case syntax
  case unknownKey = "unknown-key"
  case missingKey = "missing-key"
  case invalidValue = "invalid-value"
  case duplicateId = "duplicate-id"
  case unknownRegion = "unknown-region"
  case noRegions = "no-regions"
  case contradictoryWindow = "contradictory-window"
  // The configuration.
  case unknownProperty = "unknown-property"
  case looseValue = "loose-value"
  case byteOrderMark = "byte-order-mark"
  case provisionalPermission = "provisional-permission"
  case idleKey = "idle-key"
  case noPublicToken = "no-public-token"
  // Times.
  case campaignOver = "campaign-over"
  case neverInTimes = "never-in-times"
  case neverInTimesHere = "never-in-times-here"
  case alwaysQuiet = "always-quiet"
  case alwaysQuietHere = "always-quiet-here"
  // How often.
  case repeatsNever = "repeats-never"
  case repeatBelowCooldown = "repeat-below-cooldown"
  case silenceHidesAbsence = "silence-hides-absence"
  case pauseOutlastsCampaign = "pause-outlasts-campaign"
  case capWithoutEffect = "cap-without-effect"
  case unusedTag = "unused-tag"
  case notificationsDisabled = "notifications-disabled"
  // Side by side.
  case coalescingNever = "coalescing-never"
  case unknownGroup = "unknown-group"
  case lonelyExclusion = "lonely-exclusion"
  case untranslated
  case sharedHoldout = "shared-holdout"
  case twinCampaigns = "twin-campaigns"
  case nestedSameMessage = "nested-same-message"
  // Regions.
  case unusedRegion = "unused-region"
  case regionTooSmall = "region-too-small"
  case unreachableAccuracy = "unreachable-accuracy"
  case contradictoryNoise = "contradictory-noise"
  case noiseOutlastsDwelling = "noise-outlasts-dwelling"
  case twinRegions = "twin-regions"
  case strayRegion = "stray-region"
  case groupNeverEntered = "group-never-entered"
  case budgetTooSmall = "budget-too-small"
  case unwatchedBeacons = "unwatched-beacons"
  // Triggers, steps and conditions.
  case triggerNever = "trigger-never"
  case stepsNever = "steps-never"
  case segmentationNever = "segmentation-never"
  case segmentationAlways = "segmentation-always"
  case mixedTypes = "mixed-types"
  case unknownCampaign = "unknown-campaign"
  // Texts.
  case missingField = "missing-field"
  case misspeltField = "misspelt-field"
  case noLink = "no-link"
  case noAttachmentFolder = "no-attachment-folder"
  // Messages from outside.
  case ruleNever = "rule-never"
  case ruleUnreachable = "rule-unreachable"
}

public enum LintSeverity: String, CaseIterable, Comparable, Sendable {
  /// Something cannot be read, or can never happen.
  case error
  /// Something is most likely not what was meant.
  case warning
  /// Something is worth a look.
  case note

  private var rank: Int { self == .error ? 2 : self == .warning ? 1 : 0 }

  public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
}

extension LintCode {
  public var severity: LintSeverity {
    switch self {
    case .syntax, .unknownKey, .missingKey, .invalidValue, .duplicateId, .unknownRegion, .noRegions,
      .contradictoryWindow, .neverInTimes, .alwaysQuiet, .unreachableAccuracy, .groupNeverEntered, .triggerNever,
      .stepsNever, .segmentationNever, .missingField:
      .error
    case .byteOrderMark, .idleKey, .noPublicToken, .repeatBelowCooldown, .capWithoutEffect, .lonelyExclusion,
      .untranslated, .unusedRegion, .twinRegions, .segmentationAlways, .unknownCampaign:
      .note
    default: .warning
    }
  }

  /// Its meaning, in one sentence.
  public var meaning: String {
    switch self {
    case .syntax: "The text is not JSON, or too large or too deep."
    case .unknownKey: "A key is not one of the feed's; it may be a slip of the pen."
    case .missingKey: "A key that must be there is not."
    case .invalidValue: "A value has another type, form or range than its key asks for."
    case .duplicateId: "An id, key or name that must be there once is there twice."
    case .unknownRegion: "A region is named that the feed does not have."
    case .noRegions: "A campaign has no regions."
    case .contradictoryWindow: "An end is not after its start."
    case .unknownProperty: "A key of the configuration is unknown, and is ignored."
    case .looseValue: "A boolean is written as a string; it is taken as the boolean."
    case .byteOrderMark: "The text begins with a byte-order mark."
    case .provisionalPermission: "Provisional permission is to be asked for, but the location is not."
    case .idleKey: "A key has no effect beside others that are there, or not there."
    case .noPublicToken:
      "The configuration has no publicToken; it is needed only when the engine asks a campaign service."
    case .campaignOver: "A campaign has ended."
    case .neverInTimes: "A campaign's times never come within its start and end, at none of its regions."
    case .neverInTimesHere: "A campaign's times never come within its start and end, at one of its regions."
    case .alwaysQuiet: "Quiet hours leave no time in which a notification could be shown."
    case .alwaysQuietHere: "Quiet hours leave no time in which a notification could be shown at one of its regions."
    case .repeatsNever: "A campaign may be shown again, but only after its end."
    case .repeatBelowCooldown: "A trigger comes again more often than the campaign may be shown."
    case .silenceHidesAbsence: "An absence may be reported for a device that was silent for the whole span."
    case .pauseOutlastsCampaign:
      "One notification of any campaign keeps this one from being shown for as long as it lasts."
    case .capWithoutEffect: "A cap never has an effect, for another one beside it is as strict or stricter."
    case .unusedTag: "A cap or quiet hours are about a tag that no campaign has."
    case .notificationsDisabled: "The settings switch off all notifications of the feed."
    case .coalescingNever: "Fewer notifications can come at once than a group needs to become one."
    case .unknownGroup: "A campaign names a group for coalescing that the settings do not have."
    case .lonelyExclusion: "An exclusion group has at most one notification, which excludes nothing."
    case .untranslated: "A text of the content lacks a language that the messages have."
    case .sharedHoldout: "A notification with a holdout can become one with others, which are not shown then either."
    case .twinCampaigns: "Two campaigns differ in nothing but their ids: everything comes twice."
    case .nestedSameMessage: "A region lies inside another, and the same message comes at both."
    case .unusedRegion: "No campaign, group or step uses the region."
    case .regionTooSmall: "A region is smaller than the accuracy that phones achieve."
    case .unreachableAccuracy:
      "The noise policy asks for an accuracy that phones do not achieve, so nothing is ever entered."
    case .contradictoryNoise: "Two values of a noise policy contradict each other."
    case .noiseOutlastsDwelling: "The noise policy confirms an enter only after the dwelling is over."
    case .twinRegions: "Two regions are the same place."
    case .strayRegion: "A region lies far from all others: its coordinates may be swapped, or 0."
    case .groupNeverEntered: "A group can never be entered."
    case .budgetTooSmall: "More regions lie close together than the system may watch at once."
    case .unwatchedBeacons: "There are more beacon UUIDs than the system may watch at once."
    case .triggerNever: "The trigger never comes at regions of this kind."
    case .stepsNever: "The steps can never be done in this order and time."
    case .segmentationNever: "The segmentation can never match."
    case .segmentationAlways: "The segmentation always matches."
    case .mixedTypes: "A property is compared with values of different types."
    case .unknownCampaign: "A condition is about a campaign that the feed does not have."
    case .missingField: "A placeholder names a field that none of the regions has, so nothing is shown."
    case .misspeltField: "A region lacks a field that a placeholder names, and has one that is spelt almost so."
    case .noLink: "A landing page or app link has no data to open."
    case .noAttachmentFolder: "An attachment has a relative path, but the configuration has no folder for it."
    case .ruleNever: "A rule for messages can never be true."
    case .ruleUnreachable: "A rule for messages is never asked, for one before it decides."
    }
  }

  /// How to mend it, in one sentence.
  public var remedy: String {
    switch self {
    case .syntax: "Mend the text at this place."
    case .unknownKey: "Correct the key, leave it out, or begin it with x- if it is your own."
    case .missingKey: "Add the key."
    case .invalidValue: "Write a value as expected."
    case .duplicateId: "Give each its own, or leave one out."
    case .unknownRegion: "Correct the id, or add the region."
    case .noRegions: "Name at least one region, or leave the campaign out."
    case .contradictoryWindow: "Put the end after the start."
    case .unknownProperty: "Correct the key, or leave it out."
    case .looseValue: "Write the boolean without quotes."
    case .byteOrderMark: "Save the file as UTF-8 without a byte-order mark."
    case .provisionalPermission:
      "Set automaticallyAskLocationPermission to true, or leave provisionalNotificationPermission out."
    case .idleKey: "Leave the key out, or add what it needs."
    case .noPublicToken: "Add publicToken if the engine asks a campaign service; otherwise nothing needs to change."
    case .campaignOver: "Move its end, or leave the campaign out."
    case .neverInTimes: "Change the times, or the start and end, so that they overlap."
    case .neverInTimesHere: "Change the region's times, or leave the region out of the campaign."
    case .alwaysQuiet: "Shorten the quiet hours, or let them hold in place of dropping."
    case .alwaysQuietHere: "Shorten the quiet hours, or leave the region out of the campaign."
    case .repeatsNever: "Shorten the cooldown or the cap's time, or leave the repetition out."
    case .repeatBelowCooldown: "Make repeatMinutes at least as long as cooldownPeriod."
    case .silenceHidesAbsence: "Make silenceMinutes shorter than the span, at most half of it."
    case .pauseOutlastsCampaign: "Shorten the pause, or let the campaign last longer."
    case .capWithoutEffect: "Leave the cap out, or make it the stricter one."
    case .unusedTag: "Correct the tag, or give it to a campaign."
    case .notificationsDisabled: "Set notificationsEnabled to true when notifications are to be shown."
    case .coalescingNever: "Lower atLeast, or give the group to more campaigns."
    case .unknownGroup: "Correct the name, or add the group to settings.coalescing."
    case .lonelyExclusion: "Give the group to another campaign too, or leave it out."
    case .untranslated: "Add the text in this language."
    case .sharedHoldout:
      "Give all campaigns of the group one holdout group and percentage, or leave coalescingGroup out."
    case .twinCampaigns: "Leave one of them out."
    case .nestedSameMessage: "Give both one correlationKey or exclusionGroup, or leave the inner region out."
    case .unusedRegion: "Leave it out, or add it to a campaign; a place less leaves room in the budget."
    case .regionTooSmall: "Make it at least 10 metres; 50 and more are entered reliably."
    case .unreachableAccuracy: "Make maxAccuracy at least 20 metres, or the region larger."
    case .contradictoryNoise: "Make the greatest value the greater one."
    case .noiseOutlastsDwelling: "Shorten minInside, or wait longer for the dwelling."
    case .twinRegions: "Use one region in all campaigns."
    case .strayRegion: "Look whether latitude and longitude are right."
    case .groupNeverEntered: "Change what enters it, or its regions."
    case .budgetTooSmall: "Leave regions out, make one of several, or raise maxRegionsMonitored (at most 20)."
    case .unwatchedBeacons: "Use fewer UUIDs, with majors and minors to tell beacons apart."
    case .triggerNever: "Use another trigger, or regions that are geofences."
    case .stepsNever: "Give the steps more time, or another order."
    case .segmentationNever: "Change the conditions that contradict each other."
    case .segmentationAlways: "Leave the segmentation out, or change it."
    case .mixedTypes: "Compare with values of the type that the app sets."
    case .unknownCampaign: "Correct the id, unless the campaign was in an earlier feed."
    case .missingField: "Correct the placeholder, or add the field to the regions."
    case .misspeltField: "Correct the name of the field."
    case .noLink: "Give data the page or link to open."
    case .noAttachmentFolder: "Set engine.attachmentFolder, or write a whole path."
    case .ruleNever:
      "Change the conditions that contradict each other, name in paths the place of what they ask for, or leave the rule out."
    case .ruleUnreachable: "Put it before the rule that decides, or leave it out."
    }
  }
}

extension DocumentError {
  /// Which finding a fault is.
  var code: LintCode {
    switch kind {
    case .value, .unknownWord: .invalidValue
    case .missingKey: .missingKey
    case .unknownKey: .unknownKey
    case .duplicate: .duplicateId
    case .unknownRegion: .unknownRegion
    case .noRegions: .noRegions
    case .endBeforeStart: .contradictoryWindow
    }
  }
}
