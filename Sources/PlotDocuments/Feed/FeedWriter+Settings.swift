internal import PlotCore

extension Feed {
  /// The settings, where they are not the defaults.
  static func write(_ settings: FeedSettings, to json: inout JSONText) {
    guard settings != FeedSettings() else { return }
    json.key("settings")
    json.object { json in
      if !settings.notificationsEnabled { json.member("notificationsEnabled", false) }
      if !settings.strategies.isEmpty {
        json.key("strategies")
        json.array { json in for strategy in settings.strategies { write(strategy, to: &json) } }
      }
      if let slots = settings.slots {
        json.key("slots")
        json.object { json in
          json.member("count", slots.count)
          if slots.whenFull != .keep { json.member("whenFull", slots.whenFull.rawValue) }
        }
      }
      if let within = settings.specificWithin {
        json.key("specificFirst")
        json.object { json in json.member("within", within / 1000) }
      } else if settings.specificFirst {
        json.member("specificFirst", true)
      }
      if !settings.coalescing.isEmpty {
        json.key("coalescing")
        json.array { json in for rule in settings.coalescing { write(rule, to: &json) } }
      }
      if !settings.exclusion.isEmpty {
        json.key("exclusion")
        json.array { json in
          for rule in settings.exclusion {
            json.object { json in
              json.member("group", rule.group.text)
              json.member("within", rule.within / 1000)
            }
          }
        }
      }
      writeLimits(settings, to: &json)
      write(settings.messages, to: &json)
    }
  }

  private static func write(_ strategy: Strategy, to json: inout JSONText) {
    json.object { json in
      json.member("key", strategy.key.text)
      switch strategy.rule {
      case .maximum(let max, let window):
        json.member("type", "maximum")
        json.member("max", max)
        json.member("window", window / 1000)
      case .minimumTime(let period, let anchor):
        json.member("type", "minimumTime")
        json.member("seconds", period / 1000)
        json.member("after", anchor.rawValue)
      case .sameContent(let field):
        json.member("type", "sameContent")
        json.member("field", field.rawValue)
      case .custom(let parameters):
        json.member("type", "custom")
        if let parameters {
          json.key("parameters")
          json.raw(parameters)
        }
      }
      if !strategy.isEnabled { json.member("enabled", false) }
    }
  }

  private static func write(_ rule: Coalescing, to json: inout JSONText) {
    json.object { json in
      json.member("group", rule.group.text)
      if rule.atLeast != 2 { json.member("atLeast", rule.atLeast) }
      json.member("message", rule.message.source)
      if rule.within > 0 { json.member("within", rule.within / 1000) }
    }
  }

  /// How a campaign's notification stands beside others.
  static func writeShowing(_ campaign: Campaign, to json: inout JSONText) {
    if campaign.cooldownAnchor != .shown { json.member("cooldownFrom", campaign.cooldownAnchor.rawValue) }
    if campaign.priority != 0 { json.member("priority", campaign.priority) }
    let stay = campaign.stay
    if stay.endsAtExit { json.member("removeOnExit", true) }
    if stay.endsWithCampaign != stay.endsAtExit { json.member("removeAtEnd", stay.endsWithCampaign) }
    if let time = stay.expireAfter { json.member("expireAfter", time / 1000) }
    if let time = stay.expireAt { json.member("expireAt", Timestamp.text(time)) }
    if campaign.showsLate { json.member("showLate", true) }
    json.member("correlationKey", campaign.correlationKey?.source)
    json.member("exclusionGroup", campaign.exclusionGroup?.text)
    json.member("coalescingGroup", campaign.coalescingGroup?.text)
    json.member("filterAt", campaign.filtersAtEnter.map { $0 ? "enter" : "fire" })
    if let holdout = campaign.holdout {
      json.key("holdout")
      json.object { json in
        json.member("percent", holdout.percent)
        json.member("group", holdout.group?.text)
        if holdout.property != Holdout.standardProperty { json.member("property", holdout.property.text) }
      }
    }
    guard let welcome = campaign.welcome else { return }
    json.key("welcome")
    json.object { json in
      json.member("period", welcome.period / 1000)
      if welcome.minimumDisplay != 0 { json.member("minDisplayTime", welcome.minimumDisplay / 1000) }
      if welcome.isAlone { json.member("alone", true) }
      guard let offline = welcome.offline else { return }
      json.key("offline")
      json.object { json in
        json.member("message", offline.message.source)
        if !offline.data.source.isEmpty { json.member("data", offline.data.source) }
      }
    }
  }
}
