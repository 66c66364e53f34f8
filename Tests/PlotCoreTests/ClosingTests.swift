import PlotTesting
import Testing

@testable import PlotCore

/// When an opening ends, against the calendar that Python paints, and a scan of every minute.
@Suite struct ClosingTests {
  @Test func eachClosingOfAYear() throws {
    let cases = OpeningHoursTests.cases
    for (test, runs) in zip(cases, try OpeningHoursTests.answers(cases)) {
      let (hours, zone) = (OpeningHours(test.week, test.exceptions), try Zones.named(test.zone))
      for index in stride(from: 0, to: runs.count - 1, by: 2) {
        let (opening, closing) = (runs[index] * 60_000, runs[index + 1] * 60_000)
        for time in [opening, opening + 1, (opening + closing) / 2, closing - 60_000, closing - 1]
        where time >= opening && time < closing {
          let found = hours.nextClosing(after: time, in: zone)
          #expect(
            found == closing, "\(test.zone) after \(Timestamp.text(time)): \(found.map(Timestamp.text) ?? "never")")
        }
      }
    }
  }

  @Test func spansThatTouchAreOne() {
    let hours = OpeningHours([
      "mon": [["09:00", "12:00"], ["12:00", "14:00"], ["13:00", "24:00"]], "tue": [["00:00", "02:00"]],
    ])
    // A Monday.
    #expect(hours.nextClosing(after: utc("2026-05-18T09:00"), in: .utc) == utc("2026-05-19T02:00"))
    let week = OpeningHours(Dictionary(uniqueKeysWithValues: OpeningHours.days.map { ($0, [["00:00", "24:00"]]) }))
    #expect(week.nextClosing(after: utc("2026-05-18T09:00"), in: .utc) == nil, "never")
    var once = week
    once.exceptions[Timestamp.parseDay("2026-12-25")!] = [OpeningHours.Span(start: 0, end: 600)]
    #expect(once.nextClosing(after: utc("2026-05-18T09:00"), in: .utc) == utc("2026-12-25T10:00"))
  }

  @Test func againstAScanOfEveryMinute() throws {
    var generator = SplitMix64(2027)
    var witnesses = Witnesses()
    let zones = try ["Europe/Amsterdam", "America/St_Johns", "Pacific/Apia", "America/Santiago", "Africa/Casablanca"]
      .map(Zones.named)
    let starts = ["2026-10-24T00:00", "2010-11-06T00:00", "2011-12-29T00:00", "2026-04-04T00:00", "2026-02-14T00:00"]
    for round in 0..<steps(60) {
      let (zone, start) = (zones[round % 5], utc(starts[round % 5]))
      let week: [[OpeningHours.Span]] = (0..<7).map { _ in
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
          let start = Int64.random(in: 0..<1440, using: &generator)
          return OpeningHours.Span(start: start, end: (start + Int64.random(in: 1...900, using: &generator)) % 1440)
        }
      }
      let hours = OpeningHours(week: week)
      var next: Milliseconds?
      for minute in stride(from: start / 60_000 + 4 * 1440, through: start / 60_000, by: -1) {
        let time = minute * 60_000
        if !hours.isOpen(at: time, in: zone) {
          next = time
        } else if let next {
          let found = hours.nextClosing(after: time, in: zone)
          try #require(found == next, "\(zone.name), \(week), after \(Timestamp.text(time))")
          witnesses.see("compared")
          if next != time + 60_000 { witnesses.see("not at once") }
        }
      }
    }
    #expect(witnesses.below(["compared": steps(114_000), "not at once": steps(114_000)]) == [])
  }
}
