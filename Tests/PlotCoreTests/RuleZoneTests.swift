import PlotTesting
import Testing

@testable import PlotCore

/// A zone for each rule: the region's, the device's, or one by its name, against Python's zoneinfo.
@Suite struct RuleZoneTests {
  static let names = [
    "Europe/Amsterdam", "Europe/London", "Europe/Dublin", "Africa/Casablanca", "America/New_York", "America/Santiago",
    "America/Havana", "Asia/Kolkata", "Asia/Tehran", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Auckland",
  ]

  /// Spans of a clock on the wall from 1971 to 2060: half of them end or begin at a change of the clocks.
  static func spans() throws -> [Zones.Question.Span] {
    var generator = SplitMix64(31)
    return try names.flatMap { name -> [Zones.Question.Span] in
      let zone = try Zones.named(name)
      return try (0..<8).map { round in
        let year = Int64.random(in: 1971...2060, using: &generator)
        var start = utc("\(year)-01-01T00:00") + .random(in: 0..<365 * 1440, using: &generator) * 60_000
        if round % 2 == 0 {
          // The next change of the clocks, if there is one in that year.
          var hour = start
          while hour < start + 366 * 86_400_000, zone.offset(at: hour) == zone.offset(at: hour + 3_600_000) {
            hour += 3_600_000
          }
          start = zone.local(hour).milliseconds + .random(in: -90...90, using: &generator) * 60_000
          start -= start % 60_000
        }
        let end = start + .random(in: 1..<2 * 1440, using: &generator) * 60_000
        func text(_ time: Milliseconds) -> String { String(Timestamp.text(time).prefix(16)) }
        return Zones.Question.Span(
          zone: name, start: text(start), end: text(end), from: start / 60_000 - 1500, to: end / 60_000 + 1500)
      }
    }
  }

  @Test func spansOfTheWallAgainstZoneinfo() throws {
    let spans = try Self.spans()
    let answers = try Zones.ask(Zones.Question(spans: spans)).spans
    for (question, expected) in zip(spans, answers) {
      let zone = try Zones.named(question.zone)
      func time(_ text: String) -> Milliseconds { utc(text) }
      let span = TimeSpan(start: time(question.start), end: time(question.end), isLocal: true)
      var runs: [Int64] = []
      for minute in question.from..<question.to
      where span.contains(minute * 60_000, in: zone) != (runs.count % 2 == 1) { runs.append(minute) }
      #expect(runs == expected, "\(question)")
      // One that waits is released when it begins, at the latest at the change of the clocks that skips it.
      guard let first = expected.first else { continue }
      let next = try #require(span.beginning(after: question.from * 60_000, in: zone))
      #expect(next == first * 60_000, "\(question)")
    }
  }

  private static func outcome(_ zone: TriggerTimes.Zone, region: ZoneRules?, device: ZoneRules, at time: Milliseconds)
    -> [Bool]
  {
    var place = circle("a")
    place.values.zone = region
    var campaign = notification("c", at: [0])
    let nights = OpeningHours([
      "mon": [["22:00", "07:30"]], "thu": [["00:00", "12:15"]], "sun": [["09:00", "21:00"]],
    ])
    campaign.values.times = TriggerTimes(rule: .own(.hours(nights)), zone: zone, outside: .drop)
    campaign.values.quietHours = [QuietHours(hours: nights, zone: zone)]
    campaign.values.caps = [Cap(scope: .campaign, maximum: 1, span: .days(2, zone))]
    let limits = Limits(
      campaign: campaign, region: place, key: ItemKey(campaign: campaign.id, region: place.id), visit: nil,
      settings: FeedSettings(), device: device, time: time)
    let shown = [5, 20, 30, 44, 70].map { hours in
      Display(
        time: time - hours * 3_600_000, campaign: campaign.id, region: place.id, visit: nil, tags: [])
    }
    let times = Eligibility.times(campaign, place, device: device, at: time)
    return [times.passes, limits.quiet() != nil] + shown.map { limits.caps([$0])?.passes == true }
  }

  @Test func aNamedZoneIsAsThatOfThePlace() throws {
    var generator = SplitMix64(7)
    let device = try Zones.named("America/Los_Angeles")
    var differences = 0
    for name in Self.names {
      let zone = try Zones.named(name)
      for _ in 0..<60 {
        let time = Milliseconds.random(in: utc("1971-02-01T00:00")...utc("2060-01-01T00:00"), using: &generator)
        let named = Self.outcome(.named(zone), region: device, device: device, at: time)
        #expect(named == Self.outcome(.region, region: zone, device: device, at: time), "\(name) \(time)")
        #expect(named == Self.outcome(.device, region: device, device: zone, at: time), "\(name) \(time)")
        if named != Self.outcome(.device, region: zone, device: device, at: time) { differences += 1 }
      }
    }
    #expect(differences > 100, "zones make a difference")
  }

  @Test func daysOfCapsAgainstZoneinfo() throws {
    var generator = SplitMix64(3)
    let questions = Self.names.map { name in
      Zones.Question.Days(
        zone: name,
        times: (0..<200).map { _ in .random(in: 31_536_000...2_840_140_800, using: &generator) / 1800 * 1800 })
    }
    let answers = try Zones.ask(Zones.Question(days: questions)).days
    for (question, days) in zip(questions, answers) {
      let zone = try Zones.named(question.zone)
      #expect(question.times.map { zone.local($0 * 1000).day } == days, "\(question.zone)")
      for (second, day) in zip(question.times, days) {
        let time = second * 1000
        let limits = Limits(
          campaign: nil, region: nil, key: ItemKey(campaign: Identifier("c"), region: Identifier("a")), visit: nil,
          settings: {
            var settings = FeedSettings()
            settings.caps = [Cap(scope: .all, maximum: 1, span: .days(1, .named(zone)))]
            return settings
          }(), device: .utc, time: time)
        for hours in [1, 7, 23, 25] as [Int64] {
          let before = time - hours * 3_600_000
          let display = Display(
            time: before, campaign: Identifier("c"), region: Identifier("a"), visit: nil, tags: [])
          #expect((limits.caps([display])?.passes == false) == (zone.local(before).day == day))
        }
      }
    }
  }
}
