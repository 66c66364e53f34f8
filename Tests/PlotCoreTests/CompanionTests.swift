import PlotTesting
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

  private func metres(_ coordinate: Coordinate) -> Double { ((coordinate.latitude - 52) * 111_195).rounded() }

  private func companion(_ reports: [Companion.Report]) -> Companion {
    var companion = Companion(Identifier("bus"), reports[0])
    for report in reports.dropFirst() { companion.add(report) }
    return companion
  }

  @Test func aFixMeetsTheReportBetweenItAndTheOneBefore() throws {
    let bus = companion([report(0, 0), report(30, 300)])
    let meeting = try #require(bus.meeting(fix(35, 350), after: fix(25, 250)))
    #expect(meeting.time == report(30, 0).time && metres(meeting.device) == 300 && metres(meeting.center) == 300)
    // The next one lies behind the report, and one of the report's own time is it.
    #expect(bus.meeting(fix(45, 450), after: fix(35, 350)) == nil)
    #expect(bus.meeting(fix(30, 310), after: fix(25, 250)).map { metres($0.device) } == 310)
    #expect(bus.meeting(fix(30, 310), after: nil) != nil && bus.meeting(fix(31, 310), after: nil) == nil)
    // Of too long a way nobody knows.
    #expect(bus.meeting(fix(146, 350), after: fix(25, 250)) == nil)
  }

  @Test func aReportMeetsTheFixBetweenItAndTheOneBefore() throws {
    let bus = companion([report(0, 0), report(30, 300)])
    let meeting = try #require(bus.meeting(lastFix: fix(20, 190)))
    #expect(meeting.time == fix(20, 0).time && metres(meeting.device) == 190 && metres(meeting.center) == 200)
    #expect(bus.meeting(lastFix: fix(0, 0)) == nil && bus.meeting(lastFix: fix(30, 0)) != nil)
    #expect(companion([report(0, 0), report(130, 300)]).meeting(lastFix: fix(20, 190)) == nil)
  }

  /// A fix that comes late meets the reports of its time.
  @Test func aLateFixMeetsTheReportsAroundIt() throws {
    let bus = companion((0...60).map { report($0 * 30, Double($0) * 300) })
    #expect(bus.reports.count == Companion.mostReports)
    let late = try #require(bus.meeting(fix(1510, 15_090), after: fix(1505, 15_050)))
    #expect(late.time == fix(1510, 0).time && metres(late.center) == 15_100)
    let between = try #require(bus.meeting(fix(1510, 15_090), after: fix(1490, 14_900)))
    #expect(between.time == report(1500, 0).time && metres(between.center) == 15_000)
    #expect(bus.meeting(fix(600, 0), after: fix(590, 0)) == nil)
    // Of one that reports each second, some are remembered, and the newest two.
    let often = companion((0...900).map { report($0, Double($0)) })
    #expect(often.reports.count == Companion.mostReports)
    #expect(often.reports.suffix(2) == [report(899, 899), report(900, 900)])
    #expect(often.reports[0].time < report(400, 0).time)
  }

  /// A passenger whose fixes come in deliveries of ten minutes, while the bus reports every 30 s.
  @Test(arguments: [NoisePolicy.eager, .balanced, .careful]) func deliveriesOfARide(_ policy: NoisePolicy) throws {
    var region = circle("bus", north(0), radius: 50)
    region.values.isMoving = true
    var machine = machine([region], [geotrigger("d", .dwelling(minutes: 5))]) { $0.noise = policy }
    var (bus, device, told) = (0.0, 0.0, [Event]())
    var fixes: [Fix] = []
    for second in 1...5400 {
      let time = 1_000_000 + Milliseconds(second) * 1000
      // It stops for a minute in five; the passenger alights after an hour.
      if second % 300 > 60 { bus += 12 }
      if second <= 3600 { device = bus }
      if second % 30 == 0 { told += try machine.moveRegion(region.id, to: north(bus), at: time).events }
      if second % 10 == 3 { fixes.append(Fix(time: time, coordinate: north(device), accuracy: 10)) }
      guard second % 600 == 0 else { continue }
      told += try machine.handOver(fixes, at: time).events
      fixes = []
    }
    let visits = told.filter { [.regionEnter, .regionDwell, .regionExit].contains($0.kind) }
    #expect(visits.map(\.kind) == [.regionEnter, .regionDwell, .regionExit])
    let left = try #require(visits.last.map { $0.since ?? $0.time })
    #expect((1_000_000 + 3_590_000...1_000_000 + 3_760_000).contains(left))
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

  /// A bus that stops and goes, reports now and then, and a device that rides along, walks or rests: a process for each few inputs comes to the
  /// same as one.
  @Test(arguments: 0..<max(9, steps(24))) func aRideInManyProcesses(_ seed: Int) throws {
    var generator = SplitMix64(UInt64(seed))
    var region = circle("bus", north(0), radius: 50)
    region.values.isMoving = true
    let campaigns = [
      geotrigger("d", .dwelling(minutes: 5), repeatRule: .always), geotrigger("e", .enter, repeatRule: .always),
    ]
    var whole = machine([region], campaigns) {
      $0.noise = [NoisePolicy.eager, .balanced, .careful][seed % 3]
      $0.recordsDecisions = true
    }
    var broken = whole
    let every = [1, 2, 7][seed / 3 % 3]
    var (bus, device, speed, rides, time) = (0.0, 0.0, 10.0, true, Milliseconds(1_000_000))
    var heard: [Event.Kind: Int] = [:]
    for step in 0..<600 {
      time += Int64.random(in: 1...20, using: &generator) * 1000
      if generator.chance(0.05) { speed = generator.chance(0.4) ? 0 : 12 }
      if generator.chance(0.01) { rides.toggle() }
      bus += speed * 10
      device = rides ? bus : device + (generator.chance(0.5) ? 10 : 0)
      let error = Double.random(in: -15...15, using: &generator)
      func both(_ take: (inout Machine) throws -> Machine.Output) throws {
        let (a, b) = (try take(&whole), try take(&broken))
        #expect("\(a.effects)" == "\(b.effects)", "seed \(seed), step \(step)")
        for event in a.events { heard[event.kind, default: 0] += 1 }
      }
      switch Int.random(in: 0..<5, using: &generator) {
      case 0...1: try both { try $0.moveRegion(region.id, to: north(bus), at: time) }
      case 2...3: try both { try $0.update(Fix(time: time, coordinate: north(device + error), accuracy: 12)) }
      default: try both { $0.advance(to: time) }
      }
      if step % every == 0 {
        broken = Machine(state: broken.state, feed: broken.feed, settings: broken.settings, page: broken.page)
      }
    }
    #expect(heard[.regionEnter] ?? 0 > 0 && heard[.regionDwell] ?? 0 > 0)
  }
}
