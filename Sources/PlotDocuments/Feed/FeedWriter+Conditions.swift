internal import PlotCore

// Times and segmentation as JSON.
extension Feed {
  static func write(_ times: TriggerTimes, to json: inout JSONText) {
    guard times != .standard else { return }
    json.key("triggerTimes")
    json.object { json in
      switch times.rule {
      case .inherit: json.member("type", "inherit")
      case .anytime: json.member("type", "anytime")
      case .own(.spans(let spans)):
        json.member("type", "timespans")
        write(.spans(spans), to: &json)
      case .own(.hours(let hours)):
        json.member("type", "openinghours")
        write(.hours(hours), to: &json)
      }
      json.member("zone", times.zone.name)
      json.member("outside", times.outside.rawValue)
    }
  }

  static func write(_ times: Times, to json: inout JSONText) {
    switch times {
    case .spans(let spans):
      json.key("timespans")
      json.array { json in
        for span in spans {
          json.object { json in
            json.member("start", span.start.map(span.text))
            json.member("end", span.end.map(span.text))
          }
        }
      }
    case .hours(let hours):
      json.key("openingHours")
      write(hours, to: &json)
    }
  }

  static func write(_ hours: OpeningHours, to json: inout JSONText) {
    json.object { json in
      for (day, spans) in zip(FeedReader.days, hours.week) where !spans.isEmpty {
        json.key(day)
        write(spans, to: &json)
      }
      guard !hours.exceptions.isEmpty else { return }
      json.key("exceptions")
      json.object { json in
        for (day, spans) in hours.exceptions.sorted(by: { $0.key < $1.key }) {
          json.key(Timestamp.dayText(day))
          write(spans, to: &json)
        }
      }
    }
  }

  private static func write(_ spans: [OpeningHours.Span], to json: inout JSONText) {
    json.array { json in
      for span in spans {
        json.array { json in
          json.value(text(ofMinute: span.start))
          json.value(text(ofMinute: span.end))
        }
      }
    }
  }

  static func write(_ segment: Segment, to json: inout JSONText) {
    json.object { json in
      switch segment {
      case .all(let parts):
        json.key("all")
        json.array { json in for part in parts { write(part, to: &json) } }
      case .any(let parts):
        json.key("any")
        json.array { json in for part in parts { write(part, to: &json) } }
      case .not(let part):
        json.key("not")
        write(part, to: &json)
      case .property(let name, let comparison):
        json.member("property", name.text)
        write(comparison, to: &json)
      case .shown(let campaign, let within): write(campaign, "shown", within, to: &json)
      case .opened(let campaign, let within): write(campaign, "opened", within, to: &json)
      case .country(let countries):
        json.key("country")
        json.array { json in for country in countries { json.value(country) } }
      case .travel(.minutes(let order, let minutes)):
        json.key("travelMinutes")
        json.object { $0.member(order.rawValue, minutes) }
      case .travel(.mode(let modes)):
        json.key("travelMode")
        json.array { json in for mode in modes { json.value(mode.rawValue) } }
      }
    }
  }

  private static func write(_ campaign: Identifier, _ key: String, _ within: Milliseconds?, to json: inout JSONText) {
    json.member("campaign", campaign.text)
    json.key(key)
    if let within { json.object { $0.member("within", within / 1000) } } else { json.value(true) }
  }

  private static func write(_ comparison: Comparison, to json: inout JSONText) {
    switch comparison {
    case .equals(let operand): write("equals", operand, to: &json)
    case .differs(let operand): write("differs", operand, to: &json)
    case .order(let order, let operand): write(order.rawValue, operand, to: &json)
    case .between(let low, let high): write("between", [low, high], to: &json)
    case .isIn(let operands): write("in", operands, to: &json)
    case .exists(let wanted): json.member("exists", wanted)
    case .begins(let text): json.member("begins", text)
    case .contains(let text): json.member("contains", text)
    case .version(let order, let version):
      json.key("version")
      json.object { $0.member(order.rawValue, version) }
    }
  }

  private static func write(_ key: String, _ operands: [Operand], to json: inout JSONText) {
    json.key(key)
    json.array { json in for operand in operands { write(operand, to: &json) } }
  }

  private static func write(_ key: String, _ operand: Operand, to json: inout JSONText) {
    json.key(key)
    write(operand, to: &json)
  }

  private static func write(_ operand: Operand, to json: inout JSONText) {
    switch operand {
    case .ago(let period): json.object { $0.member(period >= 0 ? "ago" : "ahead", abs(period) / 1000) }
    case .value(.string(let value)): json.value(value)
    case .value(.boolean(let value)): json.value(value)
    case .value(.integer(let value)): json.value(value)
    case .value(.double(let value)): json.value(value)
    case .value(.date(let value)): json.object { $0.member("date", Timestamp.text(value)) }
    }
  }
}

extension TimeSpan {
  /// One of its ends.
  fileprivate func text(_ time: Milliseconds) -> String {
    let text = Timestamp.text(time)
    return isLocal ? String(text.dropLast()) : text
  }
}
