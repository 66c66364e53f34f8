import Testing

@testable import PlotCore

/// Device and region at common times: `Companion`.
@Suite struct CompanionTests {
  private func report(_ seconds: Int64, _ north: Double) -> Companion.Report {
    Companion.Report(
      time: 1_000_000 + seconds * 1000, coordinate: Coordinate(latitude: 52 + north / 111_195, longitude: 4))
  }

  private func fix(_ seconds: Int64, _ north: Double) -> Fix {
    let report = report(seconds, north)
    return Fix(time: report.time, coordinate: report.coordinate, accuracy: 10)
  }

  private func north(_ coordinate: Coordinate) -> Double { ((coordinate.latitude - 52) * 111_195).rounded() }

  private func companion(_ reports: [Companion.Report]) -> Companion {
    var companion = Companion(Identifier("bus"), reports[0])
    for report in reports.dropFirst() { companion.add(report) }
    return companion
  }

  @Test func aFixMeetsTheReportBetweenItAndTheOneBefore() throws {
    let bus = companion([report(0, 0), report(30, 300)])
    let meeting = try #require(bus.meeting(fix(35, 350), after: fix(25, 250)))
    #expect(meeting.time == report(30, 0).time && north(meeting.device) == 300 && north(meeting.center) == 300)
    // The next one lies behind the report, and one of the report's own time is it.
    #expect(bus.meeting(fix(45, 450), after: fix(35, 350)) == nil)
    #expect(bus.meeting(fix(30, 310), after: fix(25, 250)).map { north($0.device) } == 310)
    #expect(bus.meeting(fix(30, 310), after: nil) != nil && bus.meeting(fix(31, 310), after: nil) == nil)
    // Of too long a way nobody knows.
    #expect(bus.meeting(fix(146, 350), after: fix(25, 250)) == nil)
  }

  @Test func aReportMeetsTheFixBetweenItAndTheOneBefore() throws {
    let bus = companion([report(0, 0), report(30, 300)])
    let meeting = try #require(bus.meeting(lastFix: fix(20, 190)))
    #expect(meeting.time == fix(20, 0).time && north(meeting.device) == 190 && north(meeting.center) == 200)
    #expect(bus.meeting(lastFix: fix(0, 0)) == nil && bus.meeting(lastFix: fix(30, 0)) != nil)
    #expect(companion([report(0, 0), report(130, 300)]).meeting(lastFix: fix(20, 190)) == nil)
  }

  @Test func whoReportsSeldomStandsStill() {
    #expect(!companion([report(0, 0)]).isFollowed(at: report(1, 0).time))
    #expect(!companion([report(0, 0), report(130, 0)]).isFollowed(at: report(131, 0).time))
    let bus = companion([report(0, 0), report(30, 0)])
    #expect(bus.isFollowed(at: report(150, 0).time) && !bus.isFollowed(at: report(151, 0).time))
    // After a gap the next report is expected.
    #expect(companion([report(0, 0), report(30, 0), report(300, 0)]).isFollowed(at: report(301, 0).time))
    // Two reports of one time are one.
    #expect(!companion([report(0, 0), report(0, 10)]).isFollowed(at: report(1, 0).time))
  }

  @Test func thePageHasThem() throws {
    var observations = Observations()
    _ = observations.note(report(0, 0), of: Identifier("bus"))
    _ = observations.note(report(30, 300), of: Identifier("bus"))
    var writer = FieldWriter()
    observations.code(&writer)
    var read = Observations()
    var reader = FieldReader(writer.page)
    read.code(&reader)
    #expect(reader.isComplete && read.companions == observations.companions && read.companions.count == 1)
    #expect(read.isPossible(before: report(30, 0).time) && !read.isPossible(before: report(29, 0).time))
    // None is remembered for long, nor any number of them.
    for number in 0..<300 { _ = observations.note(report(40, 0), of: Identifier("bus \(number)")) }
    #expect(observations.companions.count == Companion.most)
    _ = observations.note(report(641, 0), of: Identifier("bus"))
    #expect(observations.companions.count == 1)
  }
}
