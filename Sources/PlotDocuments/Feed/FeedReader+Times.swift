internal import PlotCore

// Times and zones of a feed (docs/feed.md, Times).
extension FeedReader {
  private enum RuleName: String, CaseIterable { case inherit, anytime, timespans, openinghours }

  static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  func country(_ node: Node) throws(DocumentError) -> String {
    let expected = "a country's three letters, as in \"NLD\""
    let text = try reader.string(node, expected)
    guard text.utf8.count == 3, text.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw reader.mismatch(node, expected)
    }
    return text
  }

  private static let zoneForm = "the IANA name of a time zone that this system has, as in \"Europe/Amsterdam\""

  func zone(_ node: Node, _ expected: String = Self.zoneForm) throws(DocumentError) -> ZoneRules? {
    guard let zone = zones.zone(try reader.string(node, expected)) else {
      if toleratesUnknownZones { return nil }
      throw reader.mismatch(node, expected)
    }
    return zone
  }

  /// The clock that counts for a rule; nil where it does not say.
  func clock(_ object: Node) throws(DocumentError) -> TriggerTimes.Zone? {
    try reader.member(object, "zone") { (node) throws(DocumentError) in
      let expected = "\"region\", \"device\" or \(Self.zoneForm)"
      switch try reader.string(node, expected) {
      case "region": return .region
      case "device": return .device
      default: return try zone(node, expected).map { .named($0) }
      }
    } ?? nil
  }

  /// The times of a region: spans or opening hours, not both.
  func times(_ object: Node) throws(DocumentError) -> Times? {
    let spans = try reader.member(object, "timespans") { (node) throws(DocumentError) in
      try timespans(node)
    }
    let hours = try reader.member(object, "openingHours") { (node) throws(DocumentError) in
      if spans != nil {
        throw reader.fail(expected: "\"timespans\" or \"openingHours\", not both", found: reader.describe(node))
      }
      return try openingHours(node)
    }
    return spans ?? hours
  }

  private func timespans(_ node: Node) throws(DocumentError) -> Times {
    let spans = try reader.array(node, "an array of spans") { (node, _) throws(DocumentError) in
      let object = try reader.object(node, "a span, an object")
      try reader.refuseUnknown(object, DocumentKeys.span, of: "a span")
      return try timespan(object)
    }
    guard !spans.isEmpty else { throw reader.fail(expected: "at least one span", found: "an empty array") }
    return .spans(spans)
  }

  /// Both ends with an offset, or both without: then they are of a clock on the wall.
  private func timespan(_ object: Node) throws(DocumentError) -> TimeSpan {
    let expected =
      "an ISO 8601 date and time, as in \"2026-05-16T12:00:00Z\", or without an offset for the time on the wall"
    var isLocal: Bool?
    func time(_ node: Node) throws(DocumentError) -> Milliseconds {
      let text = try reader.string(node, expected)
      let offset = Timestamp.parse(text)
      guard let time = offset ?? Timestamp.parse(text + "Z") else { throw reader.mismatch(node, expected) }
      guard isLocal == nil || isLocal == (offset == nil) else {
        throw reader.mismatch(
          node,
          isLocal == true
            ? "a time without an offset, as \"start\" has none" : "a time with an offset, as \"start\" has one")
      }
      isLocal = offset == nil
      return time
    }
    let start = try reader.member(object, "start", time)
    let end = try reader.member(object, "end") { (node) throws(DocumentError) in
      let end = try time(node)
      if let start, end <= start { throw reader.mismatch(node, "a time after \"start\"", .endBeforeStart) }
      return end
    }
    guard let isLocal else { throw reader.fail(expected: "\"start\", \"end\" or both", found: "neither") }
    return TimeSpan(start: start, end: end, isLocal: isLocal)
  }

  private func openingHours(_ node: Node) throws(DocumentError) -> Times {
    .hours(try hours(node, allowsDaily: false))
  }

  /// Spans for the days of the week, with exceptions; where `allowsDaily`, also one list of spans for all days.
  func hours(_ node: Node, allowsDaily: Bool) throws(DocumentError) -> OpeningHours {
    let object = try reader.object(
      node, "an object, as in {\"\(allowsDaily ? "daily" : "mon")\": [[\"09:00\", \"17:30\"]]}")
    try reader.refuseUnknown(
      object, allowsDaily ? DocumentKeys.hours : DocumentKeys.openingHours, of: allowsDaily ? "hours" : "opening hours")
    let daily = try reader.member(object, "daily", spansOfDay)
    var week: [[OpeningHours.Span]] = []
    for day in Self.days {
      week.append(
        try reader.member(object, day) { (node) throws(DocumentError) in
          if daily != nil {
            throw reader.fail(
              expected: "\"daily\" or the days of the week, not both", found: reader.describe(node))
          }
          return try spansOfDay(node)
        } ?? daily ?? [])
    }
    var exceptions: [Int64: [OpeningHours.Span]] = [:]
    _ = try reader.member(object, "exceptions") { (node) throws(DocumentError) in
      let object = try reader.object(node)
      for key in reader.keys(object) {
        _ = try reader.member(object, key) { (node) throws(DocumentError) in
          guard let day = Timestamp.parseDay(key) else {
            throw reader.fail(expected: "a day as \"2026-12-25\"", found: "\"\(key)\"")
          }
          exceptions[day] = try spansOfDay(node)
        }
      }
    }
    return OpeningHours(week: week, exceptions: exceptions)
  }

  private func spansOfDay(_ node: Node) throws(DocumentError) -> [OpeningHours.Span] {
    let expected = "[start, end], as in [\"09:00\", \"17:30\"]"
    return try reader.array(node, "an array of spans [start, end]") { (node, _) throws(DocumentError) in
      let minutes = try reader.array(node, expected) { (node, index) throws(DocumentError) in
        try minuteOfDay(node, 0...(index == 0 ? 1439 : 1440))
      }
      guard minutes.count == 2 else { throw reader.fail(expected: expected, found: "\(minutes.count) elements") }
      return OpeningHours.Span(start: minutes[0], end: minutes[1])
    }
  }

  /// A time of day, as a minute of it.
  func minuteOfDay(_ node: Node, _ range: ClosedRange<Int64> = 0...1439) throws(DocumentError) -> Int64 {
    func expected() -> String {
      let (first, last) = (Feed.text(ofMinute: range.lowerBound), Feed.text(ofMinute: range.upperBound))
      return "a time from \"\(first)\" to \"\(last)\""
    }
    guard let minute = Self.minute(try reader.string(node, expected())), range.contains(minute) else {
      throw reader.mismatch(node, expected())
    }
    return minute
  }

  /// `HH:MM` as a minute of the day, up to 24:00.
  static func minute(_ text: String) -> Int64? {
    let bytes = text.utf8.span
    guard bytes.count == 5, bytes[2] == 0x3A else { return nil }
    for index in 0..<5 where index != 2 && !(0x30...0x39).contains(bytes[index]) { return nil }
    func number(_ tens: UInt8, _ ones: UInt8) -> Int64 { Int64(tens) * 10 + Int64(ones) - 0x30 * 11 }
    let (hour, minute) = (number(bytes[0], bytes[1]), number(bytes[3], bytes[4]))
    return minute < 60 && hour * 60 + minute <= 1440 ? hour * 60 + minute : nil
  }

  func triggerTimes(_ object: Node, _ trigger: Trigger) throws(DocumentError) -> TriggerTimes {
    try reader.member(object, "triggerTimes") { (node) throws(DocumentError) in
      let object = try reader.object(node, "an object, as in {\"type\": \"anytime\"}")
      let name = try reader.required(object, "type", Self.choices(RuleName.self)) {
        (node) throws(DocumentError) in
        try reader.choice(node, RuleName.self)
      }
      let known =
        switch name {
        case .timespans: DocumentKeys.timesOfSpans
        case .openinghours: DocumentKeys.timesOfHours
        case .inherit, .anytime: DocumentKeys.timesOfOthers
        }
      try reader.refuseUnknown(object, known, of: "times of type \(name.rawValue)")
      let rule: TriggerTimes.Rule
      switch name {
      case .inherit: rule = .inherit
      case .anytime: rule = .anytime
      case .timespans:
        rule = .own(try reader.required(object, "timespans", "an array of spans", timespans))
      case .openinghours:
        rule = .own(try reader.required(object, "openingHours", "opening hours, an object", openingHours))
      }
      let zone = try clock(object)
      let outside = try reader.member(object, "outside") { (node) throws(DocumentError) in
        let outside = try reader.choice(node, TriggerTimes.Outside.self)
        if outside == .hold, trigger == .exit {
          throw reader.fail(expected: "\"drop\", for nobody is inside after an exit", found: "\"hold\"")
        }
        return outside
      }
      return TriggerTimes(rule: rule, zone: zone ?? .region, outside: outside ?? .drop)
    } ?? .standard
  }

  static func choices<T: CaseIterable & RawRepresentable>(_ type: T.Type) -> String where T.RawValue == String {
    T.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
  }
}
