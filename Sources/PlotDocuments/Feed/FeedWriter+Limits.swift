internal import PlotCore

// Tags, caps and quiet hours as JSON.
extension Feed {
  static func writeLimits(_ settings: FeedSettings, to json: inout JSONText) {
    write(settings.caps, besides: nil, to: &json)
    write(settings.quietHours, to: &json)
  }

  static func writeLimits(_ region: Region, to json: inout JSONText) {
    write(region.caps, besides: .region, to: &json)
    write(region.quietHours, to: &json)
  }

  static func writeLimits(_ campaign: Campaign, to json: inout JSONText) {
    if !campaign.tags.isEmpty {
      json.key("tags")
      json.array { json in for tag in campaign.tags { json.value(tag.text) } }
    }
    write(campaign.caps, besides: .campaign, to: &json)
    write(campaign.quietHours, to: &json)
  }

  /// The scope `usual` goes without saying.
  private static func write(_ caps: [Cap], besides usual: Cap.Scope?, to json: inout JSONText) {
    guard !caps.isEmpty else { return }
    json.key("caps")
    json.array { json in
      for cap in caps {
        json.object { json in
          if cap.scope != usual {
            switch cap.scope {
            case .all: json.member("per", "all")
            case .tag(let tag):
              json.member("per", "tag")
              json.member("tag", tag.text)
            case .campaign: json.member("per", "campaign")
            case .region: json.member("per", "region")
            case .visit: json.member("per", "visit")
            }
          }
          json.member("max", cap.maximum)
          switch cap.span {
          case .window(let window): json.member("window", window / 1000)
          case .days(let days, let zone):
            json.member("days", days)
            if zone != .device { json.member("zone", zone.name) }
          case .visit: break
          }
        }
      }
    }
  }

  private static func write(_ rules: [QuietHours], to json: inout JSONText) {
    guard !rules.isEmpty else { return }
    json.key("quietHours")
    json.array { json in
      for rule in rules {
        json.object { json in
          json.member("tag", rule.tag?.text)
          json.key("hours")
          write(rule.hours, to: &json)
          if rule.zone != .device { json.member("zone", rule.zone.name) }
          if rule.during != .drop { json.member("during", rule.during.rawValue) }
        }
      }
    }
  }
}
