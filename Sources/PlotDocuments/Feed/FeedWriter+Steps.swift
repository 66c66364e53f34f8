internal import PlotCore

// Steps and visits as JSON.
extension Feed {
  static func write(_ chain: Chain, to json: inout JSONText) {
    json.key("after")
    json.object { json in
      json.key("steps")
      json.array { json in
        for link in chain.links {
          json.object { json in
            guard link.isForbidden else { return write(link, to: &json) }
            json.key("not")
            json.object { json in write(link, to: &json) }
          }
        }
      }
      json.member("within", chain.within.map { $0 / 1000 })
    }
  }

  private static func write(_ link: Chain.Link, to json: inout JSONText) {
    json.member("region", link.region.text)
    json.member("event", link.event.name)
    if case .dwelling(let minutes) = link.event { json.member("minutes", minutes) }
  }

  static func write(_ crossing: CrossingRule, to json: inout JSONText) {
    json.key("crossing")
    json.object { json in
      json.member("direction", crossing.direction?.rawValue)
      if let course = crossing.course {
        json.key("course")
        json.array { json in
          json.value(course.from)
          json.value(course.to)
        }
      }
      json.member("leastSpeed", crossing.leastSpeed)
      json.member("mostSpeed", crossing.mostSpeed)
    }
  }

  static func write(_ visits: VisitRule, to json: inout JSONText) {
    json.key("visits")
    json.object { json in
      json.member("from", visits.from)
      json.member("to", visits.to)
      json.member("every", visits.every)
    }
  }

  /// `HH:MM` of a minute of the day.
  package static func text(ofMinute minute: Int64) -> String {
    let (hour, minute) = minute.quotientAndRemainder(dividingBy: 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
