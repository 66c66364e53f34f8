import Foundation
import PlotTesting
import Testing

@testable import PlotCore

/// The way in which an edge is crossed (docs/feed.md, Crossing).
@Suite struct CrossingTests {
  /// 40 m wide.
  private func corridor(_ positions: [Coordinate]) -> Area { Area(.corridor(positions, width: 40)) }

  /// Metres east and north of the origin.
  private func place(_ east: Double, _ north: Double) -> Coordinate {
    Earth.destination(
      from: Earth.destination(from: origin, course: 90, metres: east), course: 0, metres: north)
  }

  // MARK: Sides

  @Test func northOfALineToTheEastIsLeft() {
    let street = corridor([place(-500, 0), place(500, 0)])
    #expect(street.side(of: place(0, 100)) == .left && street.side(of: place(0, -1)) == .right)
    // Beyond its ends it goes straight on.
    #expect(street.side(of: place(900, 5)) == .left && street.side(of: place(-900, -5)) == .right)
    let back = corridor([place(500, 0), place(-500, 0)])
    #expect(back.side(of: place(0, 100)) == .right)
    #expect(Area(.polygons([[[origin, north(100), place(100, 0), origin]]])).side(of: origin) == nil)
  }

  @Test func acrossTheAntimeridianAndAtACorner() {
    let strait = corridor([Coordinate(latitude: 0, longitude: 179.99), Coordinate(latitude: 0, longitude: -179.99)])
    for longitude in [179.995, 180, -180, -179.995] {
      #expect(strait.side(of: Coordinate(latitude: 0.001, longitude: longitude)) == .left, "\(longitude)")
      #expect(strait.side(of: Coordinate(latitude: -0.001, longitude: longitude)) == .right, "\(longitude)")
    }
    // A hairpin: outside of its corner one piece has the position on its left, the other does not tell.
    let hairpin = corridor([place(0, 0), place(1000, 0), place(0, 100)])
    #expect(hairpin.side(of: place(1100, 5)) == .right)
    #expect(hairpin.side(of: place(1010, -200)) == .right)
    #expect(hairpin.side(of: place(300, 40)) == .left)
  }

  /// Against the number of times that the way from a position to a far place on the left meets the line: a river from
  /// one end of the world of the test to the other has all places on one side of it or the other.
  @Test(arguments: UInt64(1)...60) func sidesAgreeWithCounting(_ seed: UInt64) {
    var generator = SplitMix64(seed)
    var line: [(x: Double, y: Double)] = [(-20_000, 0)]
    for number in -9...9 {
      line.append((Double(number) * 300, Double.random(in: -400...400, using: &generator)))
    }
    line.append((20_000, 0))
    let river = corridor(line.map { place($0.x, $0.y) })
    for _ in 0..<50 {
      let (x, y) = (
        Double.random(in: -2500...2500, using: &generator), Double.random(in: -900...900, using: &generator)
      )
      // Its height at x, as it never turns back.
      let next = line.indices.first { line[$0].x > x }!
      let (a, b) = (line[next - 1], line[next])
      let slope: Double = (b.y - a.y) / (b.x - a.x)
      let height: Double = a.y + slope * (x - a.x)
      guard Swift.abs(y - height) > 3 else { continue }
      #expect(river.side(of: place(x, y)) == (y > height ? .left : .right), "\(x) \(y)")
    }
  }

  // MARK: Rules

  @Test(arguments: [
    (315.0, 45.0, 0.0, true), (315, 45, 360, true), (315, 45, 45, true), (315, 45, 46, false), (315, 45, 180, false),
    (45, 315, 180, true), (45, 315, 0, false), (0, 360, 0, true), (0, 360, 90, false), (90, 90, 90, true),
  ])
  func coursesGoClockwise(_ from: Double, _ to: Double, _ course: Double, _ counts: Bool) {
    #expect(CrossingRule.Course(from: from, to: to).contains(course) == counts)
  }

  /// A street from west to east, 40 m wide, and a campaign about it.
  private func street(_ rule: CrossingRule, _ trigger: Trigger, noise: NoisePolicy = .exact) -> TestHost {
    let street = Region(
      id: Identifier("street"), name: "Street", shape: .area(corridor([place(-5000, 0), place(5000, 0)])))
    var campaign = notification("c", trigger, repeatRule: .always)
    (campaign.values.crossing, campaign.values.countsPassages) = (rule, true)
    var host = host([street], [campaign])
    (host.machine.settings.noise, host.machine.settings.initial) = (noise, InitialPolicy.none)
    return host
  }

  /// The reasons that a walk of fixes so many metres north of the line gives, one each half minute.
  private func reasons(
    _ rule: CrossingRule, _ trigger: Trigger, _ walk: [Double], noise: NoisePolicy = .exact
  ) throws -> [Reason] {
    var host = street(rule, trigger, noise: noise)
    for (number, metres) in walk.enumerated() { try host.at(Int64(number) * 30, metres, accuracy: 5) }
    return host.decisions.filter { $0.step == .crossing }.map(\.reason)
  }

  @Test func anExitCountsOnTheOtherSideOnly() throws {
    let (down, up) = (CrossingRule(direction: .leftToRight), CrossingRule(direction: .rightToLeft))
    #expect(try reasons(down, .exit, [60, 5, -60]) == [.crossingCounts])
    #expect(try reasons(up, .exit, [60, 5, -60]) == [.otherDirection])
    #expect(try reasons(down, .exit, [60, 5, 60]) == [.otherDirection])
    #expect(try reasons(up, .exit, [60, 5, 60]) == [.otherDirection])
    // The side of the last fix beside it counts, and not where the first one in it lies.
    #expect(try reasons(down, .exit, [60, -15, 10, -60]) == [.crossingCounts])
    // Each visit has its own side.
    #expect(
      try reasons(down, .exit, [60, 5, -60, 5, 60, 5, -60]) == [.crossingCounts, .otherDirection, .crossingCounts])
  }

  @Test func anEnterCountsFromItsSide() throws {
    let down = CrossingRule(direction: .leftToRight)
    #expect(try reasons(down, .enter, [60, 5]) == [.crossingCounts])
    #expect(try reasons(down, .enter, [-60, 5]) == [.otherDirection])
    // Found in it: nobody knows from where, nor on which side one comes out; by leaving on the left one has not crossed.
    #expect(try reasons(down, .exit, [5, -60]) == [.crossingUnknown])
    #expect(try reasons(down, .exit, [5, 60]) == [.otherDirection])
  }

  @Test func passagesHaveBothSides() throws {
    let (down, up) = (CrossingRule(direction: .leftToRight), CrossingRule(direction: .rightToLeft))
    for trigger in [Trigger.enter, .exit] {
      #expect(try reasons(down, trigger, [60, -60]) == [.crossingCounts], "\(trigger)")
      #expect(try reasons(up, trigger, [60, -60]) == [.otherDirection], "\(trigger)")
      // The side of the passage before is not that of this visit.
      #expect(try reasons(down, trigger, [-60, 60, 5, -60]) == [.otherDirection, .crossingCounts], "\(trigger)")
    }
  }

  @Test func aSideOutlivesAnEnterThatTakesTime() throws {
    var slow = NoisePolicy.exact
    slow.confirmFixes = 3
    let down = CrossingRule(direction: .leftToRight)
    #expect(try reasons(down, .enter, [60, 5, -5, -10], noise: slow) == [.crossingCounts])
    #expect(try reasons(down, .enter, [-60, -5, 5, 10], noise: slow) == [.otherDirection])
    // One who has left again before it was sure has not come; then a passage, and an enter from the other side.
    #expect(
      try reasons(down, .enter, [60, 5, 60, -60, 5, 0, -5], noise: slow) == [.crossingCounts, .otherDirection])
  }

  @Test func courseAndSpeedAreOfTheFixOrFollowFromTheOneBefore() throws {
    let south = CrossingRule(course: .init(from: 135, to: 225))
    #expect(try reasons(south, .enter, [60, 5]) == [.crossingCounts])
    #expect(try reasons(south, .enter, [-60, 5]) == [.otherCourse])
    // 55 m in 30 s.
    #expect(try reasons(CrossingRule(leastSpeed: 1.8, mostSpeed: 1.9), .enter, [60, 5]) == [.crossingCounts])
    #expect(try reasons(CrossingRule(mostSpeed: 1.8), .enter, [60, 5]) == [.otherSpeed])
    #expect(try reasons(CrossingRule(leastSpeed: 1.9), .enter, [60, 5]) == [.otherSpeed])
    // A passage has those of its way.
    #expect(try reasons(CrossingRule(leastSpeed: 3.9, mostSpeed: 4.1), .exit, [60, -60]) == [.crossingCounts])
    var host = street(south, .enter)
    try host.at(0, 60)
    try host.at(300, 5)
    #expect(host.reasons("c").last == .crossingUnknown)
    var driver = street(CrossingRule(course: .init(from: 80, to: 100), leastSpeed: 10), .enter)
    try driver.at(0, 60)
    try driver.at(300, 5, speed: 12, course: 90)
    #expect(driver.decisions.contains { $0.reason == .crossingCounts })
    let inputs = driver.decisions.first { $0.step == .crossing }?.inputs
    #expect(inputs?["course"] == .tenths(90) && inputs?["speed"] == .tenths(12))
  }
}
