import Testing

@testable import PlotTracks

/// Time zones of places, and times in them.
@Suite struct LocalClockTests {
  private static let amsterdam = LocalClock(zone: "Europe/Amsterdam")
  private static let day: Int64 = 86_400_000

  @Test func timesOfDay() throws {
    let clock = try #require(Self.amsterdam)
    let (winter, summer) = (try #require(CalendarTime.parse("2026-01-15T23:30:00Z")), TrackFormatTests.start)
    #expect(clock.text(winter) == "2026-01-16 00:30:00" && clock(winter).weekday == "Friday")
    #expect(clock.text(summer) == "2026-05-16 12:00:00" && LocalClock.utc.text(summer) == "2026-05-16 10:00:00")
    #expect(clock.text(summer + 60_000, besides: summer) == "12:01:00")
    #expect(clock.text(summer + Self.day, besides: summer) == "2026-05-17 12:00:00")
    #expect(LocalClock(zone: "Europe/Atlantis") == nil)
  }

  @Test func anHourThatComesTwiceHasTwoMoments() throws {
    let clock = try #require(Self.amsterdam)
    let hours = ["2026-10-25T02:30", "2026-10-25T03:30"].map { clock.moments(of: $0)?.count }
    #expect(hours == [2, 1] && clock.moments(of: "noon") == nil)
  }

  @Test func offsetsOfAYear() throws {
    let clock = try #require(Self.amsterdam)
    let (first, last) = (
      try #require(CalendarTime.parse("2026-01-01T00:00:00Z")), try #require(CalendarTime.parse("2027-01-01T00:00:00Z"))
    )
    let offsets = clock.offsets(in: first...last)
    #expect(offsets.map { $0.offset / 3_600_000 } == [1, 2, 1])
    #expect(
      offsets.dropFirst().map { LocalClock.utc.text($0.time) } == ["2026-03-29 01:00:00", "2026-10-25 01:00:00"])
    #expect(clock.offsets(in: first...first).count == 1)
  }

  /// Also beside borders, over the antimeridian, and at sea.
  @Test(arguments: [
    (52.37, 4.89, "Europe/Amsterdam"), (51.44, 5.47, "Europe/Amsterdam"), (42.88, -8.54, "Europe/Madrid"),
    (41.15, -8.61, "Europe/Lisbon"), (40.71, -74.0, "America/New_York"), (-33.87, 151.2, "Australia/Sydney"),
    (27.7, 85.3, "Asia/Kathmandu"), (-18.14, 178.4, "Pacific/Fiji"), (-17.0, -179.9, "Pacific/Fiji"),
    (35.47, -97.5, "America/Chicago"), (33.45, -112.07, "America/Phoenix"), (90, 0, "Arctic/Longyearbyen"),
  ]) func zonesOfPlaces(_ latitude: Double, _ longitude: Double, _ zone: String) {
    #expect(PlaceZones.zone(latitude: latitude, longitude: longitude) == zone)
  }

  @Test func lengthsAsPeopleSayThem() {
    let lengths: [(Int64, String)] = [
      (0, "0 s"), (59_999, "59 s"), (60_000, "1 min"), (140_000, "2 min 20 s"), (3_600_000, "1 h"),
      (6_120_000, "1 h 42 min"), (Self.day, "1 day"), (3 * Self.day + 7_200_000, "3 days 2 h"), (-5, "0 s"),
    ]
    for (length, words) in lengths { #expect(Words.length(length) == words) }
  }

  /// The end that was certain only later has its time, and on another day its date.
  @Test func staysCountFromCrossingToCrossing() {
    let noon = 43_200_000 as Int64
    #expect(LocalClock.utc.stay(from: noon, to: noon + 60_000, reported: noon + 60_000) == "after 1 min")
    #expect(LocalClock.utc.stay(from: noon, to: noon + 60_000, reported: noon + 180_000) == "after 1 min, at 12:01:00")
    #expect(
      LocalClock.utc.stay(from: noon, to: Self.day - 60_000, reported: Self.day + 60_000)
        == "after 11 h 59 min, at 1970-01-01 23:59:00")
  }
}
