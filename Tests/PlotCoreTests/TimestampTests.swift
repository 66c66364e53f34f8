import Foundation
import PlotTesting
import Testing

@testable import PlotCore

@Suite struct TimestampTests {
  static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0)!
    return calendar
  }()

  @Test func randomTimesAgreeWithFoundation() throws {
    var generator = SplitMix64(1)
    for _ in 0..<10_000 {
      let time = Int64.random(in: Timestamp.range, using: &generator)
      let date = Date(timeIntervalSince1970: Double(time / 1000))
      let parts = Self.calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
      var expected = String(
        format: "%04d-%02d-%02dT%02d:%02d:%02d", parts.year!, parts.month!, parts.day!, parts.hour!, parts.minute!,
        parts.second!)
      if time % 1000 != 0 { expected += String(format: ".%03d", Int(time % 1000)) }
      #expect(Timestamp.text(time) == expected + "Z")
      #expect(Timestamp.parse(expected + "Z") == time)
    }
  }

  @Test func everyDayOfFourCenturiesHasItsOwnText() {
    var calendarDay = DateComponents(year: 1970, month: 1, day: 1)
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for day in 0..<Int64(400 * 365 + 97) {
      let year = calendarDay.year!
      let month = calendarDay.month!
      let text = String(format: "%04d-%02d-%02dT00:00:00Z", year, month, calendarDay.day!)
      #expect(Timestamp.text(day * 86_400_000) == text)
      #expect(Timestamp.parse(text) == day * 86_400_000)
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      calendarDay.day! += 1
      if calendarDay.day! > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) {
        calendarDay.day = 1
        calendarDay.month = month % 12 + 1
        if month == 12 { calendarDay.year = year + 1 }
      }
    }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.001Z"), (10, "1970-01-01T00:00:00.010Z"),
      (1000, "1970-01-01T00:00:01Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00Z"), (1_778_932_800_250, "2026-05-16T12:00:00.250Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ] as [(Int64, String)])
  func knownTimes(_ time: Int64, _ text: String) {
    #expect(Timestamp.text(time) == text)
    #expect(Timestamp.parse(text) == time)
  }

  @Test func timesOutOfRangeAreClamped() {
    #expect(Timestamp.text(-1) == "1970-01-01T00:00:00Z")
    #expect(Timestamp.text(.min) == "1970-01-01T00:00:00Z")
    #expect(Timestamp.text(253_402_300_800_000) == "9999-12-31T23:59:59.999Z")
    #expect(Timestamp.text(.max) == "9999-12-31T23:59:59.999Z")
  }

  @Test(
    arguments: [
      ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:00:00-01:00", 0),
      ("2026-05-16T14:00:00+02:00", 1_778_932_800_000),
      ("2026-05-16T06:30:00-05:30", 1_778_932_800_000), ("2026-05-16T12:00:00+00:00", 1_778_932_800_000),
      ("2026-05-16T12:00:00-00:00", 1_778_932_800_000), ("2026-05-17T11:59:00+23:59", 1_778_932_800_000),
      ("2026-05-16t12:00:00z", 1_778_932_800_000), ("2026-05-16T12:00:00.2Z", 1_778_932_800_200),
      ("2026-05-16T12:00:00.25Z", 1_778_932_800_250), ("2026-05-16T12:00:00.250999999Z", 1_778_932_800_250),
      ("2026-05-16T12:00:00.0009+00:00", 1_778_932_800_000),
      ("9999-12-31T23:59:59.9999Z", 253_402_300_799_999), ("9999-12-31T22:59:59-01:00", 253_402_300_799_000),
    ] as [(String, Int64)])
  func offsetsAndFractions(_ text: String, _ time: Int64) {
    #expect(Timestamp.parse(text) == time)
  }

  @Test(arguments: [
    "2026-05-16T12:00:00." + String(repeating: "0", count: 43) + "Zgarbage",
    "", "2026", "2026-05-16", "2026-05-16T12:00Z", "2026-05-16T12:00:00", "2026-05-16 12:00:00Z",
    "2026-05-16T12:00:00 Z", " 2026-05-16T12:00:00Z", "2026-05-16T12:00:00Z ", "2026-05-16T12:00:00ZZ",
    "2026-05-16T12:00:00.Z", "2026-05-16T12:00:00,5Z", "2026-05-16T12:00:00+0200", "2026-05-16T12:00:00+02",
    "2026-05-16T12:00:00+24:00", "2026-05-16T12:00:00+02:60", "2026-05-16T12:00:00~02:00", "2026-05-16T24:00:00Z",
    "2026-05-16T23:60:00Z", "2026-05-16T23:59:60Z", "2026-00-16T12:00:00Z", "2026-13-16T12:00:00Z",
    "2026-05-00T12:00:00Z", "2026-05-32T12:00:00Z", "2026-04-31T12:00:00Z", "2026-02-29T12:00:00Z",
    "2100-02-29T12:00:00Z", "26-05-16T12:00:00Z", "12026-05-16T12:00:00Z", "+2026-05-16T12:00:00Z",
    "20260516T120000Z", "2026-5-16T12:00:00Z", "2026-05-16T1:00:00Z", "2026-05-16T12:00:0aZ", "1969-12-31T23:59:59Z",
    "1970-01-01T00:59:59+01:00", "9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00Z", "２０２６-05-16T12:00:00Z",
    "2026-05-16T12:00:00.Ｚ", "tomorrow",
  ])
  func refusals(_ text: String) {
    #expect(Timestamp.parse(text) == nil)
  }

  @Test func onlyTheLastDayOfFebruaryInLeapYears() {
    for year in [1972, 2000, 2024, 2400, 9996] {
      #expect(Timestamp.parse("\(year)-02-29T00:00:00Z") != nil)
      #expect(Timestamp.parse("\(year)-02-30T00:00:00Z") == nil)
    }
    for year in [1971, 1973, 2026, 2100, 2200, 2300, 9999] {
      #expect(Timestamp.parse("\(year)-02-29T00:00:00Z") == nil)
    }
  }
}
