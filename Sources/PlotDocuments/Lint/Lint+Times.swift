internal import PlotCore

/// Start and end, times and quiet hours.
extension Lint {
  mutating func checkTimes() {
    checkOver()
    checkInTimes()
    checkQuietAllDay()
    checkQuietInTimes()
  }

  private mutating func checkOver() {
    guard let feed, let time else { return }
    for (index, campaign) in feed.known {
      guard let end = campaign.end, end <= time else { continue }
      report(
        .campaignOver, campaign: index, "end",
        sentence: "The \(campaign.title) ended at \(Timestamp.text(end)), before \(Timestamp.text(time)).")
    }
  }

  private mutating func checkInTimes() {
    guard let feed else { return }
    for (index, campaign) in feed.known {
      let regions = feed.regions(of: campaign)
      let never = regions.filter { !Moments(campaign, at: $0, [])!.exist }
      guard !never.isEmpty else { continue }
      let isOwn = if case .own = campaign.times.rule { true } else { false }
      if isOwn || never.count == campaign.regions.count {
        report(
          .neverInTimes, campaign: index, isOwn ? "triggerTimes" : "regions",
          sentence: isOwn
            ? "The triggerTimes of the \(campaign.title) never come\(Self.when(campaign))."
            : "No region of the \(campaign.title) has times that come\(Self.when(campaign)).")
        continue
      }
      for region in never {
        report(
          .neverInTimesHere,
          [.key("campaigns"), .index(index), .key("regions"), .index(place(of: region, in: campaign))],
          "The times of the region \"\(region.id.text)\" never come\(Self.when(campaign)) of the \(campaign.title).")
      }
    }
  }

  private static func when(_ campaign: Campaign) -> String {
    if let minute = campaign.trigger.insideMinute, campaign.times.outside == .drop {
      let clock = [minute / 60, minute % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
      return campaign.start == nil && campaign.end == nil ? " at \(clock)" : " at \(clock) within the start and end"
    }
    return campaign.start == nil && campaign.end == nil ? " at all" : " within the start and end"
  }

  /// Which of a campaign's regions it is.
  private func place(of region: Region, in campaign: Campaign) -> Int {
    campaign.regions.firstIndex { feed?.regions[$0]?.id == region.id } ?? 0
  }

  // MARK: Quiet hours

  /// Quiet hours that drop all day, every day.
  private mutating func checkQuietAllDay() {
    guard let feed else { return }
    let kept = indices(of: "/settings/quietHours", feed.settings.quietHours.count)
    for (index, quiet) in zip(kept, feed.settings.quietHours) where quiet.isAlways {
      let whose = quiet.tag.map { "with the tag \"\($0.text)\"" } ?? "of the feed"
      report(
        .alwaysQuiet, [.key("settings"), .key("quietHours"), .index(index)],
        "These quiet hours are on at all times, and drop every notification \(whose).")
    }
    for (index, region) in feed.regions.enumerated() {
      guard let region, region.quietHours.contains(where: \.isAlways) else { continue }
      report(
        .alwaysQuiet, region: index, "quietHours",
        sentence: "The quiet hours of the region \"\(region.id.text)\" are on at all times, and drop everything there.")
    }
    for (index, campaign) in feed.known where campaign.quietHours.contains(where: \.isAlways) {
      report(
        .alwaysQuiet, campaign: index, "quietHours",
        sentence: "The quiet hours of the \(campaign.title) are on at all times, and drop it.")
    }
  }

  /// Quiet hours that drop for as long as the campaign's times last.
  private mutating func checkQuietInTimes() {
    guard let feed else { return }
    for (index, campaign) in feed.known where campaign.isNotification {
      let common =
        feed.settings.quietHours.filter { $0.tag.map(campaign.tags.contains) ?? true } + campaign.quietHours
      let regions = feed.regions(of: campaign)
      guard !common.isEmpty || regions.contains(where: { !$0.quietHours.isEmpty }) else { continue }
      let quiet = regions.filter { region in
        guard Moments(campaign, at: region, [])!.exist else { return false }
        let dropping = (common + region.quietHours).filter { $0.during == .drop && !$0.isAlways }
        return Moments.zones(of: dropping).contains { zone in
          Moments(campaign, at: region, dropping.filter { $0.zone == zone })?.exist == false
        }
      }
      guard !quiet.isEmpty else { continue }
      if quiet.count == campaign.regions.count {
        report(
          .alwaysQuiet, campaign: index,
          sentence: "Whenever the \(campaign.title) could be shown, quiet hours are on, and drop it.")
      } else {
        for region in quiet {
          report(
            .alwaysQuietHere,
            [.key("campaigns"), .index(index), .key("regions"), .index(place(of: region, in: campaign))],
            "Whenever the \(campaign.title) could be shown at the region \"\(region.id.text)\", quiet hours are"
              + " on, and drop it."
          )
        }
      }
    }
  }

  /// The numbers in the document of so many elements that were read.
  func indices(of array: String, _ count: Int) -> [Int] {
    var found: [Int] = []
    var index = 0
    while found.count < count {
      if feedReader?.skipped.contains("\(array)/\(index)") != true { found.append(index) }
      index += 1
    }
    return found
  }
}

extension QuietHours {
  /// Whether they drop at all times: every day of the week is covered, and no exception opens one.
  fileprivate var isAlways: Bool {
    during == .drop
      && !Moments(within: nil, nil, zone: nil, hours: nil, minute: nil, quiet: [hours]).exist
  }
}

/// When a campaign may be shown at a region: whether there is any such moment. In doubt there is one.
struct Moments {
  let exist: Bool

  static func zones(of quiet: [QuietHours]) -> [TriggerTimes.Zone] {
    quiet.map(\.zone).reduce(into: []) { zones, zone in if !zones.contains(zone) { zones.append(zone) } }
  }

  /// Apart from quiet hours, which have one zone. Nil when they cannot be compared with the times, for those have
  /// another.
  init?(_ campaign: Campaign, at region: Region, _ quiet: [QuietHours]) {
    let times: Times? =
      switch campaign.times.rule {
      case .inherit: region.times
      case .anytime: nil
      case .own(let times): times
      }
    /// Nil for the device's.
    func rules(_ zone: TriggerTimes.Zone) -> ZoneRules? {
      switch zone {
      case .region: region.zone
      case .device: nil
      case .named(let zone): zone
      }
    }
    let zone = rules(campaign.times.zone)
    let quietZone = quiet.first.map { rules($0.zone) } ?? zone
    let minute = campaign.times.outside == .drop ? campaign.trigger.insideMinute : nil
    let hours = quiet.map(\.hours)
    switch times {
    case .hours(let opening)?:
      guard quiet.isEmpty || quietZone == zone else { return nil }
      self.init(within: campaign.start, campaign.end, zone: zone, hours: opening, minute: minute, quiet: hours)
    case .spans(let spans)?:
      let found = spans.contains { span in
        let span = span.widest(in: zone)
        let start = [span.start, campaign.start].compactMap { $0 }.max()
        let end = [span.end, campaign.end].compactMap { $0 }.min()
        if let start, let end, start >= end { return false }
        return Moments(within: start, end, zone: quietZone, hours: nil, minute: nil, quiet: hours).exist
      }
      self.init(exist: found)
    case nil:
      self.init(within: campaign.start, campaign.end, zone: quietZone, hours: nil, minute: nil, quiet: hours)
    }
  }

  private init(exist: Bool) { self.exist = exist }

  /// Times of a wall clock: open by `hours`, at this minute of the day, and not quiet. `zone` is nil for a device's,
  /// which may be any.
  init(
    within start: Milliseconds?, _ end: Milliseconds?, zone: ZoneRules?, hours: OpeningHours?, minute: Int64?,
    quiet: [OpeningHours]
  ) {
    guard hours != nil || !quiet.isEmpty else {
      self.init(exist: true)
      return
    }
    // Clocks that are changed move a time by an hour at the most; a device may be in any zone.
    let hour: Milliseconds = 3_600_000
    let low = start.map { time in zone.map { $0.local(time).milliseconds - hour } ?? time - 12 * hour }
    let high = end.map { time in zone.map { $0.local(time).milliseconds + hour } ?? time + 14 * hour }
    let first = low.map { LocalTime($0).day } ?? high.map { LocalTime($0).day - 60 } ?? 20_000
    let last = high.map { LocalTime($0).day } ?? .max
    let special = ([hours].compactMap { $0 } + quiet).flatMap(\.exceptions.keys).flatMap { [$0 - 1, $0, $0 + 1] }
    // Sixty days have every day of the week, exceptions or not.
    let days = Set(
      Array(first...min(last, first + 60)) + [last == .max ? first : last, last == .max ? first : last - 1] + special
    )
    .filter { $0 >= first - 1 && $0 <= last }
    let found = days.contains { day in
      var free = hours.map { Self.parts(of: $0, on: day) } ?? [0..<1440]
      if let minute { free = free.compactMap { Self.overlap($0, minute..<(minute + 1)) } }
      for rule in quiet {
        for part in Self.parts(of: rule, on: day) { free = free.flatMap { Self.without(part, $0) } }
      }
      let midnight = LocalTime(day: day, minute: 0).milliseconds
      return free.contains { part in
        midnight + part.upperBound * 60_000 > low ?? .min && midnight + part.lowerBound * 60_000 < high ?? .max
      }
    }
    self.init(exist: found)
  }

  /// The minutes of a day that hours cover.
  private static func parts(of hours: OpeningHours, on day: Int64) -> [Range<Int64>] {
    func spans(_ day: Int64) -> [Range<Int64>] {
      (hours.exceptions[day] ?? hours.week[LocalTime.weekday(day)]).map { span in
        span.start..<(span.end > span.start ? span.end : span.end + 1440)
      }
    }
    return (spans(day) + spans(day - 1).map { ($0.lowerBound - 1440)..<($0.upperBound - 1440) })
      .compactMap { overlap($0, 0..<1440) }
  }

  private static func overlap(_ a: Range<Int64>, _ b: Range<Int64>) -> Range<Int64>? {
    let both = a.clamped(to: b)
    return both.isEmpty ? nil : both
  }

  private static func without(_ part: Range<Int64>, _ whole: Range<Int64>) -> [Range<Int64>] {
    guard whole.overlaps(part) else { return [whole] }
    var left: [Range<Int64>] = []
    if whole.lowerBound < part.lowerBound { left.append(whole.lowerBound..<part.lowerBound) }
    if part.upperBound < whole.upperBound { left.append(part.upperBound..<whole.upperBound) }
    return left
  }
}

extension TimeSpan {
  /// With both ends in UTC. `zone` is nil for a device's, which may be any.
  fileprivate func widest(in zone: ZoneRules?) -> TimeSpan {
    guard isLocal else { return self }
    let hour: Milliseconds = 3_600_000
    return TimeSpan(
      start: start.map { start in zone.map { $0.times(of: LocalTime(start))[0] } ?? start - 14 * hour },
      end: end.map { end in zone.map { $0.times(of: LocalTime(end)).last ?? end } ?? end + 12 * hour })
  }
}
