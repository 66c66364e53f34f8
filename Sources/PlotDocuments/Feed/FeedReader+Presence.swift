internal import PlotCore

/// How a region is entered and left, and what a campaign makes of it (docs/feed.md).
extension FeedReader {
  func presence(_ object: Node, _ region: inout Region.Values) throws(DocumentError) {
    region.noise = try reader.member(object, "noise") { (node) throws(DocumentError) in
      try NoisePolicy.read(node, reader, ofRegion: true, names)
    }
    region.initial = try reader.member(object, "initial") { (node) throws(DocumentError) in
      try reader.choice(node, InitialPolicy.self)
    }
    let isCircle = if case .circle = region.shape { true } else { false }
    region.isMoving =
      try reader.member(object, "moving") { (node) throws(DocumentError) in
        guard isCircle else {
          throw reader.fail(expected: "no \"moving\" but of a circle", found: reader.describe(node))
        }
        return try reader.boolean(node)
      } ?? false
  }

  func arrivalSeconds(_ object: Node, isApproaching: Bool) throws(DocumentError) -> Int64? {
    guard isApproaching else {
      _ = try reader.member(object, "arrivalSeconds") { (node) throws(DocumentError) in
        throw reader.fail(
          expected: "no \"arrivalSeconds\" unless the trigger is \"approaching\"", found: reader.describe(node))
      }
      return nil
    }
    return try reader.required(object, "arrivalSeconds", "an integer from 10 to 3600") {
      (node) throws(DocumentError) in try reader.integer(node, 10...3600)
    }
  }

  func visiting(_ object: Node, _ campaign: inout Campaign.Values) throws(DocumentError) {
    let trigger = campaign.trigger
    campaign.absence = try absence(object, isAbsent: trigger == .absent)
    campaign.crossing = try crossing(object, trigger)
    let crosses = campaign.crossing != nil
    campaign.countsPassages =
      try reader.member(object, "passages") { (node) throws(DocumentError) in
        guard trigger == .enter || trigger == .exit else {
          throw reader.fail(
            expected: "no \"passages\" unless the trigger is \"enter\" or \"exit\"", found: reader.describe(node)
          )
        }
        let counts = try reader.boolean(node)
        guard counts || !crosses else {
          throw reader.mismatch(node, "no \"passages\" of false together with \"crossing\"")
        }
        return counts
      } ?? crosses
    let repeats = campaign.repeatRule != .once
    campaign.isDaily =
      try reader.member(object, "daily") { (node) throws(DocumentError) in
        guard trigger.insideMinute != nil else {
          throw reader.fail(expected: "no \"daily\" unless the trigger is \"inside\"", found: reader.describe(node))
        }
        let isDaily = try reader.boolean(node)
        guard repeats || !isDaily else {
          throw reader.mismatch(node, "no \"daily\" of true without \"resend\" or a \"cooldownPeriod\"")
        }
        return isDaily
      } ?? false
    campaign.repeatEvery = try reader.member(object, "repeatMinutes") { (node) throws(DocumentError) in
      guard trigger == .enter || trigger.dwellingMinutes > 0 else {
        throw reader.fail(
          expected: "no \"repeatMinutes\" unless the trigger is \"enter\" or \"dwelling\"",
          found: reader.describe(node))
      }
      guard repeats else {
        throw reader.fail(
          expected: "no \"repeatMinutes\" without \"resend\" or a \"cooldownPeriod\"",
          found: reader.describe(node))
      }
      guard !crosses else {
        throw reader.fail(
          expected: "no \"repeatMinutes\" together with \"crossing\"", found: reader.describe(node))
      }
      return try reader.integer(node, 1...1440) * 60_000
    }
  }

  // MARK: Trips

  func tripMoment(_ object: Node, isTrip: Bool) throws(DocumentError) -> TripMoment? {
    guard isTrip else {
      _ = try reader.member(object, "tripEvent") { (node) throws(DocumentError) in
        throw reader.fail(expected: "no \"tripEvent\" unless the trigger is \"trip\"", found: reader.describe(node))
      }
      return nil
    }
    return try reader.required(object, "tripEvent", "what happens on a trip, as \"arrived\"") {
      (node) throws(DocumentError) in try reader.choice(node, TripMoment.self)
    }
  }

  // MARK: Absence

  private func absence(_ object: Node, isAbsent: Bool) throws(DocumentError) -> AbsenceRule? {
    guard isAbsent else {
      _ = try reader.member(object, "absence") { (node) throws(DocumentError) in
        throw reader.fail(
          expected: "no \"absence\" unless the trigger is \"absent\"", found: reader.describe(node))
      }
      return nil
    }
    let expected = "an absence, an object as {\"by\": \"09:00\"} or {\"minutes\": 10080}"
    return try reader.required(object, "absence", expected) { (node) throws(DocumentError) in
      let object = try reader.object(node, expected)
      try reader.refuseUnknown(object, DocumentKeys.absence, of: "an absence")
      var rule = AbsenceRule(try absenceLength(object))
      if let minutes = try reader.member(
        object, "leastMinutes", { (node) throws(DocumentError) in try reader.integer(node, 1...10_080) })
      {
        rule.leastVisit = minutes * 60_000
      }
      if let minutes = try reader.member(
        object, "silenceMinutes", { (node) throws(DocumentError) in try reader.integer(node, 1...44_640) })
      {
        rule.longestGap = minutes * 60_000
      }
      return rule
    }
  }

  private func absenceLength(_ object: Node) throws(DocumentError) -> AbsenceRule.Length {
    let minutes = try reader.member(object, "minutes") { (node) throws(DocumentError) in
      try reader.integer(node, 1...525_600)
    }
    let by = try reader.member(object, "by") { (node) throws(DocumentError) in
      if minutes != nil {
        throw reader.fail(expected: "\"minutes\" or \"by\", not both", found: reader.describe(node))
      }
      return try minuteOfDay(node, 1...1440)
    }
    for key in ["from", "days", "fromDay"] as [StaticString] where by == nil {
      _ = try reader.member(object, key) { (node) throws(DocumentError) in
        throw reader.fail(expected: "no \"\(key)\" without \"by\"", found: reader.describe(node))
      }
    }
    if let minutes { return .lasting(minutes: minutes) }
    guard let by else { throw reader.fail(expected: "\"by\" or \"minutes\"", found: "neither") }
    var deadline = AbsenceRule.Deadline(by: by)
    deadline.fromDay = try reader.member(object, "fromDay") { (node) throws(DocumentError) in try weekday(node) }
    let isOneDay = deadline.fromDay == nil
    deadline.from =
      try reader.member(object, "from") { (node) throws(DocumentError) in
        let from = try minuteOfDay(node)
        guard !isOneDay || from < by else { throw reader.mismatch(node, "a time before \"by\"", .endBeforeStart) }
        return from
      } ?? 0
    if let days = try reader.member(object, "days", weekdays) { deadline.days = days }
    return .upTo(deadline)
  }

  private func weekday(_ node: Node) throws(DocumentError) -> Int {
    let expected = "a day of the week, as \"mon\""
    guard let day = Self.days.firstIndex(of: try reader.string(node, expected)) else {
      throw reader.mismatch(node, expected)
    }
    return day
  }

  /// Which days of the week a list has, from Monday.
  private func weekdays(_ node: Node) throws(DocumentError) -> [Bool] {
    var days = [Bool](repeating: false, count: 7)
    _ = try reader.array(node, "an array of days of the week") { (node, _) throws(DocumentError) in
      let day = try weekday(node)
      if days[day] { throw reader.mismatch(node, "each day once", .duplicate) }
      days[day] = true
    }
    guard days.contains(true) else { throw reader.fail(expected: "at least one day", found: "an empty array") }
    return days
  }

  // MARK: Crossing

  /// `crossing`: at least one of its keys.
  private func crossing(_ object: Node, _ trigger: Trigger) throws(DocumentError) -> CrossingRule? {
    try reader.member(object, "crossing") { (node) throws(DocumentError) in
      guard trigger == .enter || trigger == .exit else {
        throw reader.fail(
          expected: "no \"crossing\" unless the trigger is \"enter\" or \"exit\"", found: reader.describe(node))
      }
      let crossing = try reader.object(node, "an object, as in {\"direction\": \"leftToRight\"}")
      try reader.refuseUnknown(crossing, DocumentKeys.crossing, of: "\"crossing\"")
      if reader.has(object, "welcome") {
        throw reader.fail(expected: "no \"crossing\" together with \"welcome\"", found: "both")
      }
      var rule = CrossingRule()
      rule.direction = try reader.member(crossing, "direction") { (node) throws(DocumentError) in
        try reader.choice(node, CrossingRule.Direction.self)
      }
      rule.course = try reader.member(crossing, "course") { (node) throws(DocumentError) in try course(node) }
      rule.leastSpeed = try reader.member(crossing, "leastSpeed") { (node) throws(DocumentError) in
        try reader.number(node, CrossingRule.speeds, "metres a second, 0 to 1000")
      }
      rule.mostSpeed = try reader.member(crossing, "mostSpeed") { (node) throws(DocumentError) in
        let least = rule.leastSpeed ?? 0
        return try reader.number(node, least...1000, "metres a second, \(least) to 1000")
      }
      guard rule != CrossingRule() else {
        throw reader.fail(
          expected: "\"direction\", \"course\", \"leastSpeed\", \"mostSpeed\" or several of them", found: "none")
      }
      return rule
    }
  }

  private func course(_ node: Node) throws(DocumentError) -> CrossingRule.Course {
    let expected = "two courses from 0 to 360, as in [315, 45]"
    let courses = try reader.array(node, expected) { (node, _) throws(DocumentError) in
      try reader.number(node, 0...360, "degrees from 0 to 360")
    }
    guard courses.count == 2 else { throw reader.mismatch(node, expected) }
    return CrossingRule.Course(from: courses[0], to: courses[1])
  }
}
