/// The values behind a decision about a candidate or an item, while decisions are recorded (docs/decisions.md, Inputs).
extension Machine {
  func inputs(_ candidate: Candidate, _ step: Step, _ reason: Reason, _ detail: String?) -> Inputs {
    let campaign = candidate.campaign
    let key = ItemKey(campaign: campaign.id, region: candidate.region.id)
    switch (step, reason) {
    case (.trigger, .tooMany), (.trigger, .over):
      return ["trigger": .text(campaign.trigger.name), "ordinal": .integer(candidate.ordinal)]
    case (.trigger, _):
      return [
        "trigger": .text(campaign.trigger.name),
        "minutes": campaign.trigger.dwellingMinutes > 0 ? .integer(campaign.trigger.dwellingMinutes) : nil,
        "insideAt": campaign.trigger.insideMinute.map { .text(LocalTime.clock(minute: $0)) },
        "seconds": campaign.trigger.arrivalSeconds.map { .integer($0) },
        "tripEvent": campaign.trigger.tripMoment.map { .text($0.rawValue) },
        "trip": candidate.trip.map { .text($0.values.id.text) }, "ordinal": .integer(candidate.ordinal),
        "repetition": candidate.repetition > 0 ? .integer(candidate.repetition) : nil,
      ]
    case (.steps, _):
      let count = Int64(campaign.after?.stages.count ?? 0)
      return [
        "done": reason == .stepsMissing ? .integer(candidate.steps?.done ?? 0) : nil, "steps": .integer(count),
        "start": reason == .stepsLate ? candidate.steps?.start.map { .time($0) } : nil,
        "within": reason == .stepsLate ? campaign.after?.within.map { .length($0) } : nil,
      ]
    case (.visits, _):
      return [
        "ordinal": .integer(candidate.ordinal), "from": campaign.visits.map { .integer($0.from) },
        "to": campaign.visits?.to.map { .integer($0) }, "every": campaign.visits.map { .integer($0.every) },
      ]
    case (.crossing, _):
      return candidate.crossing.map { crossed in campaign.crossing?.inputs(crossed.values, reason) ?? [:] } ?? [:]
    case (.validity, .valid), (.validity, .notStarted), (.validity, .ended): return Self.validity(campaign)
    case (.times, .withinTimes), (.times, .outsideTimes), (.times, .held):
      return localTime(in: candidate.region.clockZone(campaign.times.zone, device: state.host.zone))
    case (.segmentation, .propertyDiffers): return differing(campaign, candidate.region, detail)
    case (.repeat, .inFlight): return ["waitsFor": .text(whatWaits(key, campaign))]
    case (.repeat, _):
      let shown = campaign.welcome == nil ? state.history.lastShown[key] : state.history.campaignShown[campaign.id]
      let since = cooldownStart(campaign, key)
      let rule = campaign.welcome.map { RepeatRule.after($0.period) } ?? campaign.repeatRule
      var cooldown: InputValue?
      if case .after(let period) = rule { cooldown = .length(period) }
      return [
        "lastShown": shown.map { .time($0) },
        "since": since != shown && since != .max && cooldown != nil ? since.map { .time($0) } : nil,
        "cooldown": cooldown,
      ]
    case (.filter, .asked):
      let match = candidate.matchIdentifier
      if let inFlight { return ["deadline": inFlight.deadlineAtEnter(match).map { .time($0) }] }
      return deadline { $0.matchIdentifier == match }
    default: return [:]
    }
  }

  func inputs(_ item: Item, _ step: Step, _ reason: Reason) -> Inputs {
    switch (step, reason) {
    case (.validity, .notStarted), (.validity, .ended):
      return feed.campaign(item.campaign).map { Self.validity($0) } ?? [:]
    case (.filter, .asked): return deadline { $0.matchIdentifier == item.matchIdentifier }
    case (.filter, .deadlineShown), (.filter, .deadlineDropped):
      return ["seconds": .length(filterDeadline([item]))]
    case (.strategies, _): return ["strategies": .texts((builtInStrategies.map(\.key) + voters).map(\.text))]
    case (.cooldown, _):
      return [
        "lastShown": state.history.lastNotification.map { .time($0) }, "cooldown": .length(state.host.cooldownPeriod),
      ]
    case (.caps, _): return limits(item).inputs(state.history.displays)
    case (.quiet, .quietHours), (.quiet, .quietHeld):
      let limits = limits(item)
      guard let quiet = limits.quiet() else { return [:] }
      return ["during": .text(quiet.during.rawValue)] + localTime(in: limits.quietZone(quiet.name))
        + ["until": quiet.until.map { .time($0) }]
    case (.slot, .free), (.slot, .slotFull):
      return [
        "slots": feed.settings.slots.map { .integer($0.count) },
        "displayed": .integer(Int64(state.screen.displayed.count)),
      ]
    case (.slot, .excluded), (.slot, .outranked):
      return ["group": feed.campaign(item.campaign)?.exclusionGroup.map { .text($0.text) }]
    case (.slot, .coalesced):
      return ["group": feed.campaign(item.campaign)?.coalescingGroup.map { .text($0.text) }]
    case (.holdout, .heldOut), (.holdout, .drawn):
      return holdout(of: item)?.place.map { ["draw": .integer($0.draw), "limit": .integer($0.limit)] } ?? [:]
    case (.remove, _):
      // The notification that is being taken away; otherwise the item that would take its place.
      let removal = state.screen.removals.first { $0.item.matchIdentifier == item.matchIdentifier }
      return ["cause": .text((removal?.cause ?? .replaced).rawValue)]
    case (.revision, _):
      let newest = item.correlationKey.flatMap { state.messages.correlations[Identifier($0)] }
      return [
        "revision": item.incoming?.revision.map { .integer($0) },
        "known": reason == .newest ? nil : newest?.revision.map { .integer($0) },
        "since": reason == .newest ? nil : newest.map { .time($0.time) },
      ]
    default: return [:]
    }
  }

  private static func validity(_ campaign: Campaign) -> Inputs {
    ["start": campaign.start.map { .time($0) }, "end": campaign.end.map { .time($0) }]
  }

  private func localTime(in zone: ZoneRules) -> Inputs {
    ["localTime": .text(zone.local(now).clock), "zone": .text(zone.name)]
  }

  private func differing(_ campaign: Campaign, _ region: Region, _ detail: String?) -> Inputs {
    guard let detail else {
      return [
        "country": region.country.map { .text($0) },
        "travelMinutes": region.travel.map { .integer($0.minutes) },
        "travelMode": region.travel?.mode.map { .text($0.rawValue) },
      ]
    }
    let name = Identifier(detail)
    if campaign.segmentation?.mentions(name) == true {
      return ["value": state.host.properties[name].map { .property($0) }]
    }
    return [
      "lastShown": state.history.campaignShown[name].map { .time($0) },
      "lastOpened": state.history.lastOpened[name].map { .time($0) },
    ]
  }

  /// The name of what the same notification waits for.
  func whatWaits(_ key: ItemKey, _ campaign: Campaign) -> String {
    func isSame(_ item: Item) -> Bool { campaign.welcome == nil ? item.key == key : item.campaign == key.campaign }
    let place = inFlight.map { $0.find(key, campaign) } ?? state.delivery.place(where: isSame)
    return (place ?? .turn).rawValue
  }

  private func deadline(_ isIt: (Item) -> Bool) -> Inputs {
    ["deadline": state.delivery.batches.last { $0.items.contains(where: isIt) }.map { .time($0.deadline) }]
  }
}
