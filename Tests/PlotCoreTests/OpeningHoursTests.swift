import PlotTesting
import Testing

@testable import PlotCore

/// Opening hours against a calendar that Python paints minute by minute.
@Suite struct OpeningHoursTests {
  static let year: (from: Int64, to: Int64) = (utc("2026-01-01T00:00") / 60_000, utc("2027-01-01T00:00") / 60_000)

  struct Case: CustomTestStringConvertible, Sendable {
    var zone: String
    var week: [String: [[String]]]
    var exceptions: [String: [[String]]]
    var from = OpeningHoursTests.year.from
    var to = OpeningHoursTests.year.to

    var testDescription: String { zone }
  }

  /// A shop, with a lunch break and a night shift; each zone's own nights of the change are open in some odd way.
  static func shop(_ zone: String, spring: String, autumn: String) -> Case {
    Case(
      zone: zone,
      week: [
        "mon": [["09:00", "12:30"], ["13:30", "17:30"]], "tue": [["00:00", "24:00"]],
        "thu": [["22:00", "06:00"], ["05:00", "07:00"]], "fri": [["18:00", "18:00"]],
        "sat": [["22:00", "03:30"]],
        "sun": [["01:45", "02:15"], ["02:20", "02:40"], ["02:50", "03:10"], ["23:59", "00:01"]],
      ],
      exceptions: [
        "2026-12-25": [], "2026-01-01": [["10:00", "11:00"]], "2026-07-14": [["00:30", "00:31"], ["23:30", "00:30"]],
        "2026-12-31": [["20:00", "04:00"]], spring: [["00:00", "00:20"], ["00:40", "02:30"], ["03:05", "03:10"]],
        autumn: [
          ["00:00", "00:45"], ["01:20", "01:40"], ["01:50", "02:10"], ["02:30", "03:00"], ["23:00", "23:30"],
        ],
      ])
  }

  /// Every night is open over midnight and all through the hours of a change.
  static func bar(_ zone: String) -> Case {
    Case(
      zone: zone,
      week: Dictionary(
        uniqueKeysWithValues: OpeningHours.days.map {
          ($0, [["21:30", "02:15"], ["02:45", "02:46"], ["23:15", "23:45"]])
        }),
      exceptions: ["2026-06-01": [], "2026-06-03": [["00:00", "24:00"]]])
  }

  /// A quarter of them in `make test`: a shop, and a bar where a change is half an hour.
  static let cases = stride(from: 0, to: all.count, by: all.count / steps(all.count)).map { all[$0] }

  static let all: [Case] = [
    shop("Europe/Amsterdam", spring: "2026-03-29", autumn: "2026-10-25"), bar("Europe/Amsterdam"),
    shop("America/New_York", spring: "2026-03-08", autumn: "2026-11-01"),
    shop("Australia/Lord_Howe", spring: "2026-10-04", autumn: "2026-04-05"), bar("Australia/Lord_Howe"),
    shop("America/Santiago", spring: "2026-09-06", autumn: "2026-04-04"), bar("America/Santiago"),
    shop("Asia/Kolkata", spring: "2026-03-29", autumn: "2026-10-25"),
  ]

  /// All at once: Python starts only once.
  static func answers(_ cases: [Case]) throws -> [[Int64]] {
    try Zones.ask(
      Zones.Question(
        hours: cases.map {
          Zones.Hours(zone: $0.zone, week: $0.week, exceptions: $0.exceptions, from: $0.from, to: $0.to)
        })
    ).hours
  }

  /// The minutes at which it opens and closes by turns, from asking about each one.
  static func runs(_ hours: OpeningHours, _ zone: ZoneRules, _ test: Case) -> [Int64] {
    var runs: [Int64] = []
    for minute in test.from..<test.to where hours.isOpen(at: minute * 60_000, in: zone) != (runs.count % 2 == 1) {
      runs.append(minute)
    }
    return runs
  }

  static func difference(_ a: [Int64], _ b: [Int64]) -> String {
    let place = zip(a, b).enumerated().first { $1.0 != $1.1 }?.offset ?? min(a.count, b.count)
    func text(_ runs: [Int64]) -> String { place < runs.count ? Timestamp.text(runs[place] * 60_000) : "none" }
    return "change \(place): \(text(a)) and \(text(b)) of \(a.count) and \(b.count)"
  }

  @Test func everyMinuteOfAYearAndEachNextOpening() throws {
    let answers = try Self.answers(Self.cases)
    for (test, expected) in zip(Self.cases, answers) {
      let (hours, zone) = (OpeningHours(test.week, test.exceptions), try Zones.named(test.zone))
      #expect(expected.count > 300, "the year is not empty")
      let found = Self.runs(hours, zone, test)
      #expect(found == expected, "\(test.zone), \(Self.difference(found, expected))")
      try Self.checkOpenings(hours, zone, expected, test)
    }
  }

  /// `nextOpening` from minutes at which it is closed, against the runs.
  static func checkOpenings(_ hours: OpeningHours, _ zone: ZoneRules, _ runs: [Int64], _ test: Case) throws {
    for index in stride(from: 1, to: runs.count - 1, by: 2) {
      let (closing, opening) = (runs[index] * 60_000, runs[index + 1] * 60_000)
      for time in [closing, closing + 1, (closing + opening) / 2, opening - 60_000, opening - 1] {
        guard time < opening else { continue }
        let found = hours.nextOpening(after: time, in: zone)
        #expect(found == opening, "\(test.zone) after \(Timestamp.text(time)): \(found.map(Timestamp.text) ?? "never")")
      }
      #expect(hours.isOpen(at: opening, in: zone) && !hours.isOpen(at: opening - 1, in: zone))
      #expect(!hours.isOpen(at: closing, in: zone) && hours.isOpen(at: closing - 1, in: zone))
    }
  }

  // MARK: Days of change by hand

  static let nightBar = OpeningHours(
    Dictionary(uniqueKeysWithValues: OpeningHours.days.map { ($0, [["22:00", "06:00"]]) }))

  /// Seed 001, A7: from 22:00 to 06:00.
  @Test(arguments: [
    ("2026-05-16T21:59:59", false), ("2026-05-16T22:00", true), ("2026-05-16T23:00", true), ("2026-05-17T05:59", true),
    ("2026-05-17T05:59:59", true), ("2026-05-17T06:00", false), ("2026-05-17T12:00", false),
  ])
  func overMidnight(_ time: String, _ isOpen: Bool) {
    #expect(Self.nightBar.isOpen(at: utc(time), in: .utc) == isOpen)
  }

  @Test func theSkippedHourIsNotThere() throws {
    let zone = try Zones.named("Europe/Amsterdam")
    let skipped = OpeningHours(["sun": [["02:10", "02:50"]]])
    // Sunday 29 March 2026 goes from 01:59 to 03:00; the next Sunday is in summer time.
    #expect(skipped.nextOpening(after: utc("2026-03-28T12:00"), in: zone) == utc("2026-04-05T00:10"))
    let touching = OpeningHours(["sun": [["02:30", "03:30"]]])
    #expect(touching.nextOpening(after: utc("2026-03-28T12:00"), in: zone) == utc("2026-03-29T01:00"))
    #expect(touching.isOpen(at: utc("2026-03-29T01:29"), in: zone))
    #expect(!touching.isOpen(at: utc("2026-03-29T01:30"), in: zone))
  }

  @Test func theRepeatedHourCountsTwice() throws {
    let zone = try Zones.named("Europe/Amsterdam")
    let hours = OpeningHours(["sun": [["02:10", "02:50"]]])
    let openings = ["2026-10-25T00:10", "2026-10-25T01:10", "2026-11-01T01:10"].map(utc)
    var time = utc("2026-10-24T12:00")
    for opening in openings {
      let next = try #require(hours.nextOpening(after: time, in: zone))
      #expect(next == opening)
      time = next + 40 * 60_000
      #expect(!hours.isOpen(at: time, in: zone) && hours.isOpen(at: time - 1, in: zone))
    }
    // The clocks go back into the middle of a span that had ended.
    let middle = OpeningHours(["sun": [["01:30", "02:15"]]])
    #expect(middle.nextOpening(after: utc("2026-10-25T00:20"), in: zone) == utc("2026-10-25T01:00"))
  }

  @Test func exceptionsStandForTheDayOnWhichSpansBegin() {
    var hours = Self.nightBar
    hours.exceptions[Timestamp.parseDay("2026-12-25")!] = []
    #expect(hours.isOpen(at: utc("2026-12-25T05:59"), in: .utc), "the day before runs out")
    #expect(!hours.isOpen(at: utc("2026-12-25T22:30"), in: .utc))
    #expect(!hours.isOpen(at: utc("2026-12-26T05:59"), in: .utc))
    #expect(hours.nextOpening(after: utc("2026-12-25T06:00"), in: .utc) == utc("2026-12-26T22:00"))
  }

  @Test func neverAndFarAway() {
    let never = OpeningHours([:])
    #expect(!never.isOpen(at: 0, in: .utc) && never.nextOpening(after: 0, in: .utc) == nil)
    let once = OpeningHours([:], ["2026-12-24": [["10:00", "11:00"]]])
    #expect(once.nextOpening(after: utc("2026-01-01T00:00"), in: .utc) == utc("2026-12-24T10:00"))
    #expect(once.nextOpening(after: utc("2026-12-24T10:00"), in: .utc) == nil)
    #expect(once.nextOpening(after: utc("2020-01-01T00:00"), in: .utc) == nil, "more than 400 days away")
    #expect(once.nextOpening(after: utc("2025-11-19T10:00"), in: .utc) == utc("2026-12-24T10:00"))
  }

  @Test func nextOpeningAgainstAScanOfEveryMinute() throws {
    var generator = SplitMix64(2026)
    var witnesses = Witnesses()
    let zones = try ["Europe/Amsterdam", "America/St_Johns", "Pacific/Apia", "America/Santiago", "Africa/Casablanca"]
      .map(Zones.named)
    // Years in which these clocks did something odd: changes at 00:01, a day left out, a summer within Ramadan.
    let starts = ["2026-03-28T00:00", "2010-11-06T00:00", "2011-12-29T00:00", "2026-04-04T00:00", "2026-02-14T00:00"]
    for round in 0..<steps(60) {
      let (zone, start) = (zones[round % 5], utc(starts[round % 5]))
      var week: [[OpeningHours.Span]] = []
      for _ in 0..<7 {
        let count = Int.random(in: 0...3, using: &generator)
        week.append(
          (0..<count).map { _ in
            let start = Int64.random(in: 0..<1440, using: &generator)
            let length = generator.chance(0.8) ? Int64.random(in: 1...90, using: &generator) : 1440
            return OpeningHours.Span(start: start, end: (start + length) % 1440)
          })
      }
      let hours = OpeningHours(week: week)
      var next: Milliseconds?
      for minute in stride(from: start / 60_000 + 4 * 1440, through: start / 60_000, by: -1) {
        let time = minute * 60_000
        if hours.isOpen(at: time, in: zone) {
          next = time
        } else if let next {
          let found = hours.nextOpening(after: time, in: zone)
          try #require(found == next, "\(zone.name), \(week), after \(Timestamp.text(time))")
          witnesses.see("compared")
          if next != time + 60_000 { witnesses.see("not at once") }
        }
      }
    }
    #expect(witnesses.below(["compared": steps(179_000), "not at once": steps(179_000)]) == [])
  }
}
