import Foundation
import PlotTesting
import Testing

@testable import PlotCore

/// Zones against Python's reader of the same files, against Foundation, and with damaged bytes.
@Suite struct ZoneRulesTests {
  /// Rules of all kinds: none, plain, at midnight, by half an hour, in the southern summer, twice a year around Ramadan, negative.
  static let names = [
    "Europe/Amsterdam", "Europe/Dublin", "Europe/London", "Europe/Lisbon", "Europe/Moscow", "Europe/Chisinau",
    "America/New_York", "America/Los_Angeles", "America/St_Johns", "America/Sao_Paulo", "America/Santiago",
    "America/Havana", "America/Nuuk", "America/Asuncion", "Africa/Casablanca", "Africa/Cairo", "Africa/Monrovia",
    "Asia/Kolkata", "Asia/Kathmandu", "Asia/Tehran", "Asia/Gaza", "Asia/Jerusalem", "Asia/Pyongyang", "Asia/Tokyo",
    "Australia/Lord_Howe", "Australia/Sydney", "Pacific/Apia", "Pacific/Chatham", "Pacific/Kiritimati",
    "Pacific/Auckland", "Antarctica/Troll", "Etc/GMT+12", "Etc/GMT-14", "UTC",
  ]

  /// Times from 1900 to 2100, thousands of them, most in the years to come.
  static func times(_ generator: inout SplitMix64) -> [Int64] {
    let (first, last) = (Int64(-2_208_988_800), Int64(4_133_980_799))
    var times = [first, last, 0, -1, 2_147_483_647, 2_147_483_648, -2_147_483_648, -2_147_483_649]
    for _ in 0..<1500 { times.append(Int64.random(in: first...last, using: &generator)) }
    for _ in 0..<1500 { times.append(Int64.random(in: 1_600_000_000...2_300_000_000, using: &generator)) }
    return times
  }

  @Test func offsetsAreThoseOfPython() throws {
    var generator = SplitMix64(1)
    var times = Self.times(&generator)
    // Also the seconds around each change that the first zones make in this and the next decades.
    for name in ["Europe/Amsterdam", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Europe/Dublin"] {
      times += try Self.changes(Zones.named(name), from: 2020, to: 2060).flatMap { [$0 - 1, $0] }
    }
    let answer = try Zones.ask(Zones.Question(offsets: .init(zones: Self.names, times: times)))
    for (name, expected) in zip(Self.names, try #require(answer.offsets)) {
      let zone = try Zones.named(name)
      for (time, offset) in zip(times, expected) {
        try #require(zone.offset(at: time * 1000) == offset, "\(name) at \(time)")
        try #require(zone.offset(at: time * 1000 + 999) == offset, "\(name) at \(time), the last millisecond")
      }
    }
  }

  /// The first second of each offset, found by looking at every six hours.
  static func changes(_ zone: ZoneRules, from: Int64, to: Int64) -> [Int64] {
    var changes: [Int64] = []
    let (first, last) = (CivilDate.days(year: from, month: 1, day: 1), CivilDate.days(year: to, month: 1, day: 1))
    for step in (first * 4)..<(last * 4) {
      let (low, high) = (step * 21_600_000, (step + 1) * 21_600_000)
      if zone.offset(at: low) != zone.offset(at: high) { changes.append(zone.change(between: low, and: high) / 1000) }
    }
    return changes
  }

  /// Foundation has data of its own (ICU), maybe of another release: zones that have been quiet for long.
  @Test func offsetsAreThoseOfFoundation() throws {
    let names = [
      "Europe/Amsterdam", "Europe/Paris", "Europe/London", "America/New_York", "America/Los_Angeles", "America/Chicago",
      "America/St_Johns", "Australia/Lord_Howe", "Australia/Sydney", "Pacific/Auckland", "Pacific/Apia", "Asia/Tokyo",
      "Asia/Kolkata", "Asia/Kathmandu", "Africa/Johannesburg", "UTC",
    ]
    var generator = SplitMix64(2)
    for name in names {
      let (zone, other) = (try Zones.named(name), try #require(TimeZone(identifier: name)))
      // Before 1970 some releases give Amsterdam the clocks of Brussels.
      for time in Self.times(&generator) where name != "Europe/Amsterdam" || time > 0 {
        let expected = other.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time)))
        #expect(
          zone.offset(at: time * 1000) == Int64(expected), "\(name) at \(Date(timeIntervalSince1970: Double(time)))")
      }
    }
  }

  // MARK: What a wall shows

  @Test func timesOfAWallInGapAndFold() throws {
    let amsterdam = try Zones.named("Europe/Amsterdam")
    #expect(amsterdam.times(of: wall("2026-05-16T12:00")) == [utc("2026-05-16T10:00")])
    #expect(amsterdam.times(of: wall("2026-03-29T01:59:59")) == [utc("2026-03-29T00:59:59")])
    for gap in ["2026-03-29T02:00", "2026-03-29T02:30", "2026-03-29T02:59:59"] {
      #expect(amsterdam.times(of: wall(gap)) == [utc("2026-03-29T01:00")], "the moment of the change for \(gap)")
    }
    #expect(amsterdam.times(of: wall("2026-03-29T03:00")) == [utc("2026-03-29T01:00")])
    #expect(amsterdam.times(of: wall("2026-10-25T01:59:59")) == [utc("2026-10-24T23:59:59")])
    #expect(amsterdam.times(of: wall("2026-10-25T02:00")) == ["2026-10-25T00:00", "2026-10-25T01:00"].map(utc))
    #expect(amsterdam.times(of: wall("2026-10-25T02:59")) == ["2026-10-25T00:59", "2026-10-25T01:59"].map(utc))
    #expect(amsterdam.times(of: wall("2026-10-25T03:00")) == [utc("2026-10-25T02:00")])
    let lordHowe = try Zones.named("Australia/Lord_Howe")
    #expect(lordHowe.times(of: wall("2026-10-04T02:15")) == [utc("2026-10-03T15:30")])
    #expect(lordHowe.times(of: wall("2026-04-05T01:45")) == ["2026-04-04T14:45", "2026-04-04T15:15"].map(utc))
    #expect(lordHowe.times(of: wall("2026-04-05T02:00")) == [utc("2026-04-04T15:30")])
    // Samoa had no 30 December 2011.
    let apia = try Zones.named("Pacific/Apia")
    for gap in ["2011-12-30T00:00", "2011-12-30T12:00", "2011-12-30T23:59"] {
      #expect(apia.times(of: wall(gap)) == [utc("2011-12-30T10:00")], "\(gap)")
    }
    #expect(apia.times(of: wall("2011-12-31T00:00")) == [utc("2011-12-30T10:00")])
    #expect(apia.times(of: wall("2011-12-29T23:59")) == [utc("2011-12-30T09:59")])
  }

  /// Over every minute of the weeks around a change: what the wall shows leads back to the minute.
  @Test(arguments: ["Europe/Amsterdam", "America/Havana", "America/Santiago", "Australia/Lord_Howe", "America/Nuuk"])
  func everyMinuteIsAmongTheTimesOfWhatTheWallShows(_ name: String) throws {
    let zone = try Zones.named(name)
    var seen: [Int64: [Milliseconds]] = [:]
    for change in Self.changes(zone, from: 2026, to: 2027) {
      for minute in (change / 60 - 3 * 1440)..<(change / 60 + 3 * 1440) {
        let time = minute * 60_000
        let local = zone.local(time)
        seen[local.milliseconds, default: []].append(time)
        #expect(local.milliseconds == local.day * 86_400_000 + local.ofDay && (0..<86_400_000).contains(local.ofDay))
      }
    }
    #expect(!seen.isEmpty)
    for (local, times) in seen {
      #expect(zone.times(of: LocalTime(local)) == times, "\(name), \(Timestamp.text(local))")
    }
  }

  @Test func weekdays() {
    #expect(LocalTime(0).weekday == 3, "1 January 1970 was a Thursday")
    #expect(wall("2026-05-18T00:00").weekday == 0 && wall("2026-05-17T23:59").weekday == 6)
    #expect(LocalTime(-1).day == -1 && LocalTime(-1).ofDay == 86_399_999 && LocalTime(-1).weekday == 2)
    #expect((-4...4).map { LocalTime.weekday($0) } == [6, 0, 1, 2, 3, 4, 5, 6, 0])
  }

  // MARK: Footers

  @Test func footersOfAllThreeForms() throws {
    // The same days once by month, once by Julian day, once by number (2026 is no leap year, 2028 is).
    let monthly = try #require(Zones.posix("CET-1CEST,M3.5.0,M10.5.0/3"))
    let julian = try #require(Zones.posix("CET-1CEST,J88,J298/3"))
    let numbered = try #require(Zones.posix("CET-1CEST,87,297/3"))
    let (spring, autumn) = (utc("2026-03-29T01:00"), utc("2026-10-25T01:00"))
    for zone in [monthly, julian, numbered] {
      let times = [spring - 1, spring, autumn - 1, autumn]
      #expect(times.map { zone.offset(at: $0) } == [3600, 7200, 7200, 3600], "\(zone.name)")
    }
    // In a leap year a Julian day is the same date, a numbered one is a day earlier.
    func changes(_ zone: ZoneRules) -> [String] {
      Self.changes(zone, from: 2028, to: 2029).map { Timestamp.text($0 * 1000) }
    }
    #expect(changes(monthly) == ["2028-03-26T01:00:00Z", "2028-10-29T01:00:00Z"])
    #expect(changes(julian) == ["2028-03-29T01:00:00Z", "2028-10-25T01:00:00Z"])
    #expect(changes(numbered) == ["2028-03-28T01:00:00Z", "2028-10-24T01:00:00Z"])
    // Around the leap day: a Julian day never counts it, a numbered one does.
    let leap = try #require(Zones.posix("AAA0BBB,58/0,J60/0"))
    #expect(changes(leap) == ["2028-02-28T00:00:00Z", "2028-02-29T23:00:00Z"])
  }

  /// text, time, offset.
  @Test(arguments: [
    ("UTC0", "2026-01-01T00:00", 0), ("IST-5:30", "2026-01-01T00:00", 19_800),
    ("XXX3:30:15", "2026-01-01T00:00", -12_615),
    ("<+0330>-3:30", "2026-01-01T00:00", 12_600), ("<-02>+2<-01>,M3.5.0/-1,M10.5.0/0", "2026-07-01T00:00", -3600),
    // Summer over the new year, as in the south; a change by half an hour.
    ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01T00:00", 39_600),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01T00:00", 39_600),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-07-01T00:00", 37_800),
    // Ireland: winter time is the exception, and the offset is less.
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-01T00:00", 3600), ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00", 0),
    // Summer all year (RFC 8536, 3.3.1), also in the moment of the new year.
    ("EST5EDT,0/0,J365/25", "2026-01-01T05:00", -14_400), ("EST5EDT,0/0,J365/25", "2026-01-01T04:59:59", -14_400),
    ("EST5EDT,0/0,J365/25", "2028-12-31T23:00", -14_400), ("EST5EDT,0/0,J365/25", "2026-07-01T00:00", -14_400),
    // A day later than the day itself.
    ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-27T23:59:59", 7200),
    ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00", 10_800),
  ])
  func footers(_ text: String, _ time: String, _ offset: Int64) throws {
    #expect(try #require(Zones.posix(text)).offset(at: utc(time)) == offset)
  }

  @Test(arguments: [
    "X", "XX0", "XXX", "XXX0Y", "XXX0YYY", "XXX0YYY,", "XXX0YYY,M3.5.0", "XXX0YYY,M3.5.0,", "XXX0YYY,M13.1.0,M4.1.0",
    "XXX0YYY,M0.1.0,M4.1.0", "XXX0YYY,M3.0.0,M4.1.0", "XXX0YYY,M3.6.0,M4.1.0", "XXX0YYY,M3.5.7,M4.1.0", "XXX0YYY,J0,J9",
    "XXX0YYY,J366,J9", "XXX0YYY,366,9", "XXX0YYY,M3.5.0/168,M4.1.0", "XXX0YYY,M3.5.0,M4.1.0 ", "XXX0:60", "XXX0:0:60",
    "<X0", "<+03>", "XXX168", "XXX0YYY,M3.5.0/,M4.1.0", "XXX99", "XXX-167", "XXX0YYY99,M3.5.0,M4.1.0", "XXX0é",
    "  XXX0",
  ])
  func badFooters(_ text: String) { #expect(Zones.posix(text) == nil) }

  // MARK: Bytes

  /// Whatever the bytes, there is a zone or none, and a zone answers.
  static func use(_ bytes: [UInt8]) -> Bool {
    guard let zone = ZoneRules(name: "damaged", tzif: bytes) else { return false }
    for time in [Timestamp.range.lowerBound, 1_778_932_800_000, 4_000_000_000_000, Timestamp.range.upperBound] {
      let local = zone.local(time)
      if abs(local.milliseconds - time) > 90_000_000 { Issue.record("an offset of \(local.milliseconds - time) ms") }
      if zone.times(of: local).isEmpty { Issue.record("no time at all") }
    }
    return true
  }

  @Test func truncatedAtEveryLength() throws {
    for name in ["Europe/Amsterdam", "Asia/Kolkata", "Africa/Casablanca", "UTC"] {
      let bytes = try Zones.bytes(name)
      for count in bytes.indices { #expect(!Self.use(Array(bytes[..<count])), "\(name) cut at \(count)") }
      #expect(Self.use(bytes) && Self.use(bytes + [0]), "what follows is not looked at")
    }
  }

  @Test func flippedBytes() throws {
    var generator = SplitMix64(3)
    var taken = 0
    for name in ["Europe/Amsterdam", "Asia/Kolkata", "Africa/Casablanca", "UTC"] {
      let bytes = try Zones.bytes(name)
      for _ in 0..<1500 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let place =
            generator.chance(0.5)
            ? Int.random(in: 0..<min(120, bytes.count), using: &generator)
            : bytes.count - 1
              - Int.random(in: 0..<min(60, bytes.count), using: &generator)
          damaged[place] = UInt8.random(in: 0...255, using: &generator)
        }
        if Self.use(damaged) { taken += 1 }
      }
    }
    #expect(taken >= 2000 && taken < 5900, "\(taken) taken")
  }

  @Test func noiseIsNoZone() {
    var generator = SplitMix64(4)
    for _ in 0..<2000 {
      let noise = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      #expect(!Self.use(noise))
      _ = Self.use(Array("TZif2".utf8) + noise)
    }
  }

  @Test func filesOfAllVersions() throws {
    let transitions: [(Int64, UInt8)] = [(1_000_000_000, 1), (1_100_000_000, 0)]
    for version in [UInt8(0), 0x32, 0x33, 0x34] {
      let bytes = Zones.file(transitions: transitions, offsets: [3600, -7200], version: version)
      let zone = try #require(ZoneRules(name: "made", tzif: bytes))
      let times: [Milliseconds] = [
        0, 999_999_999_999, 1_000_000_000_000, 1_099_999_999_999, 1_100_000_000_000, .max / 4000,
      ]
      #expect(times.map { zone.offset(at: $0) } == [3600, 3600, -7200, -7200, 3600, 3600], "version \(version)")
    }
    // Only a file of version 2 or more knows the time before 1901.
    let early: [(Int64, UInt8)] = [(-10_000_000_000, 1)]
    let zone = try #require(ZoneRules(name: "made", tzif: Zones.file(transitions: early, offsets: [0, 60])))
    #expect(zone.offset(at: -10_000_000_001_000) == 0 && zone.offset(at: -10_000_000_000_000) == 60)
  }

  @Test func filesThatMakeNoSense() {
    func isTaken(_ transitions: [(Int64, UInt8)], _ offsets: [Int32], _ footer: String = "") -> Bool {
      ZoneRules(name: "made", tzif: Zones.file(transitions: transitions, offsets: offsets, footer: footer)) != nil
    }
    #expect(isTaken([(1, 0), (2, 0)], [0]))
    #expect(!isTaken([(2, 0), (1, 0)], [0]) && !isTaken([(1, 0), (1, 0)], [0]), "the times must ascend")
    #expect(!isTaken([(1, 1)], [0]), "no such offset")
    #expect(!isTaken([], []), "no offset at all")
    #expect(isTaken([], [90_000]) && !isTaken([], [90_001]) && !isTaken([], [-90_001]))
    #expect(isTaken([], [0], "UTC0") && !isTaken([], [0], "UTC"))
  }
}
