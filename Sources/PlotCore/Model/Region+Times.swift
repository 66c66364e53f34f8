/// The times of a campaign at one place.
extension Region {
  /// The times of campaigns with this rule; nil for always.
  func campaignTimes(_ rule: TriggerTimes) -> Times? {
    switch rule.rule {
    case .inherit: boxed.values.times
    case .anytime: nil
    case .own(let times): times
    }
  }

  /// The zone whose clock counts.
  func clockZone(_ choice: TriggerTimes.Zone, device: ZoneRules) -> ZoneRules {
    choice.rules(region: boxed.values.zone, device: device)
  }
}
