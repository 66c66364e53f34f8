import PlotTesting
import Testing

@testable import PlotCore

/// A host that gives no fix but the first, and only passes on what a system tells of the regions and the fence that were planned, misses
/// no crossing.
@Suite struct RegionPlanSimulationTests {
  /// 10,000 circles of 50 to 200 m in 30 by 30 km.
  static let places: [Region] = {
    var generator = SplitMix64(7)
    return (0..<10_000).map { number in
      circle(
        "p\(number)", place(north: random(&generator, 15_000), east: random(&generator, 15_000)),
        radius: Double.random(in: 50...200, using: &generator))
    }
  }()

  static func random(_ generator: inout SplitMix64, _ most: Double) -> Double {
    Double.random(in: -most...most, using: &generator)
  }

  /// Steps of at most 30 m, in long bends, with stops.
  static func track(_ seed: UInt64, steps: Int) -> [Coordinate] {
    var generator = SplitMix64(seed)
    var (north, east, course, speed) = (0.0, 0.0, 0.0, 20.0)
    return (0..<steps).map { _ in
      course += random(&generator, 0.15)
      if generator.chance(0.02) { speed = generator.chance(0.2) ? 0 : Double.random(in: 1...30, using: &generator) }
      // Back to the middle.
      if max(abs(north), abs(east)) > 13_000 { course = -3.0 * (north > 0 ? 1 : 0) + (abs(east) > 13_000 ? 1.5 : 0) }
      north = min(max(north + speed * cosine(course), -14_000), 14_000)
      east = min(max(east + speed * cosine(course - Double.pi / 2), -14_000), 14_000)
      return place(north: north, east: east)
    }
  }

  private static func cosine(_ angle: Double) -> Double {
    // Good enough for a way: Bhaskara's, folded.
    var x = angle.remainder(dividingBy: 2 * Double.pi)
    var sign = 1.0
    if abs(x) > Double.pi / 2 { (x, sign) = (Double.pi - abs(x), -1) }
    return sign * (Double.pi * Double.pi - 4 * x * x) / (Double.pi * Double.pi + x * x)
  }

  /// The regions that contain a place, by cells of a hundredth of a degree; no circle is wider than a cell.
  struct Cells {
    private var regions: [[Int32]: [(id: String, circle: Circle)]] = [:]

    init(_ all: [Region]) {
      for region in all {
        guard case .circle(let circle) = region.shape else { continue }
        regions[Self.cell(circle.center), default: []].append((region.id.text, circle))
      }
    }

    private static func cell(_ place: Coordinate) -> [Int32] {
      [Int32((place.latitude * 100).rounded(.down)), Int32((place.longitude * 100).rounded(.down))]
    }

    func containing(_ place: Coordinate) -> Set<String> {
      let cell = Self.cell(place)
      var found: Set<String> = []
      for north: Int32 in -1...1 {
        for east: Int32 in -1...1 {
          for (id, circle) in regions[[cell[0] + north, cell[1] + east]] ?? []
          where Earth.distance(place, circle.center) <= circle.radius { found.insert(id) }
        }
      }
      return found
    }
  }

  /// The system: it watches what it was told to, and knows where the device is.
  struct System {
    var watched: [String: (circle: Circle, isInside: Bool)] = [:]
    var fence: Circle?

    func isInside(_ circle: Circle, _ place: Coordinate) -> Bool {
      Earth.distance(place, circle.center) <= circle.radius
    }

    /// The changes, exits first.
    mutating func move(to place: Coordinate) -> [(Hint.Kind, String)] {
      var news: [(Hint.Kind, String)] = []
      for (id, watch) in watched {
        let isInside = isInside(watch.circle, place)
        guard isInside != watch.isInside else { continue }
        watched[id]?.isInside = isInside
        news.append((isInside ? .enter : .exit, id))
      }
      return news.sorted { ($0.0 == .exit ? 0 : 1, $0.1) < ($1.0 == .exit ? 0 : 1, $1.1) }
    }

    /// Registers, and says of each new one whether the device is inside.
    mutating func take(_ plan: RegionPlan.Difference, at place: Coordinate) -> [(Hint.Kind, String)] {
      for id in plan.remove { watched[id] = nil }
      fence = plan.fence
      return plan.add.compactMap { registration in
        guard case .circle(let circle) = registration.target else { return nil }
        let isInside = isInside(circle, place)
        watched[registration.id] = (circle, isInside)
        return (isInside ? .inside : .outside, registration.id)
      }
    }
  }

  struct Outcome {
    var steps = 0
    var crossings = 0
    var missed: [String] = []
    var extra: [String] = []
    var misplaced: [String] = []
    var plans = 0
    var densePlans = 0
    var registered = 0
    /// Crossings missed while the plan promised none.
    var broken: [String] = []
  }

  static func run(
    _ regions: [Region], _ track: [Coordinate], budget: Int64, accuracy: Double = 0, hysteresis: Bool = true,
    seed: UInt64 = 1
  ) throws -> Outcome {
    var generator = SplitMix64(seed)
    var machine = machine(regions, []) { $0.recordsDecisions = false }
    var system = System()
    let cells = Cells(regions)
    var outcome = Outcome()
    var inside: Set<String> = []
    var isDense = false
    for (step, place) in track.enumerated() {
      let time = Milliseconds(step) * 1000
      var told: [String] = []
      func take(_ output: Machine.Output) { told += output.events.names }
      func pass(_ hints: [(Hint.Kind, String)]) throws {
        for (kind, id) in hints { take(try machine.hint(Hint(time: time, region: Identifier(id), kind: kind))) }
      }
      if step == 0 { take(try machine.fix(time, place)) }
      try pass(system.move(to: place))
      let wasDense = isDense
      if step == 0 || !(system.fence.map { system.isInside($0, place) } ?? true) {
        var here = Position(place, accuracy: accuracy)
        here.coordinate.latitude += random(&generator, accuracy) / 111_195
        var request = Machine.PlanRequest(time: time, here: here, budget: budget)
        request.isFenceLeft = true
        request.usesHysteresis = hysteresis
        let (output, plan) = try machine.planRegions(request)
        take(output)
        try pass(system.take(plan, at: place))
        isDense = plan.isDense
        outcome.plans += 1
        outcome.densePlans += plan.isDense ? 1 : 0
        outcome.registered += plan.add.count
        request.isFenceLeft = false
        #expect(try machine.planRegions(request).1.isEmpty, "planned twice")
        #expect(system.watched.count + (system.fence == nil ? 0 : 1) <= budget)
      }
      let now = cells.containing(place)
      let expected =
        inside.subtracting(now).map { "region-exit \($0)" } + now.subtracting(inside).map { "region-enter \($0)" }
      inside = now
      outcome.steps += 1
      outcome.crossings += expected.count
      let missed = Set(expected).subtracting(told)
      outcome.missed += missed.map { "\(step): \($0)" }
      outcome.extra += Set(told).subtracting(expected).map { "\(step): \($0)" }
      if told.count != Set(told).count { outcome.misplaced.append("\(step): \(told)") }
      if !missed.isEmpty && !wasDense { outcome.broken.append("\(step): \(missed.sorted())") }
    }
    return outcome
  }

  @Test(arguments: [20, 100] as [Int64], UInt64(1)..<4)
  func nothingIsMissed(_ budget: Int64, _ seed: UInt64) throws {
    let count = steps(1600)
    let outcome = try Self.run(
      Self.places, Self.track(seed, steps: count), budget: budget, accuracy: seed == 3 ? 40 : 0, seed: seed)
    #expect(outcome.missed.isEmpty && outcome.extra.isEmpty && outcome.misplaced.isEmpty)
    #expect(outcome.crossings > count / 32 && outcome.densePlans == 0)
    #expect(outcome.plans < (budget == 20 ? 80 : 30))
    print(
      "region plan: budget \(budget), seed \(seed), \(outcome.steps) steps: \(outcome.crossings) crossings,",
      "\(outcome.plans) plans, \(outcome.registered) registrations")
  }

  @Test func withoutHysteresisNothingIsMissedEither() throws {
    let count = steps(4000)
    let track = Self.track(5, steps: count)
    let steady = try Self.run(Self.places, track, budget: 20)
    let nervous = try Self.run(Self.places, track, budget: 20, hysteresis: false)
    #expect(nervous.missed.isEmpty && nervous.extra.isEmpty && nervous.crossings == steady.crossings)
    #expect(steady.missed.isEmpty && steady.crossings > count / 32)
    #expect(steady.registered <= nervous.registered, "steadiness spares registrations")
  }

  /// Too small a budget: the plan says so before anything is missed.
  @Test func whatIsMissedWasSaidToBeDense() throws {
    let crowd = (0..<400).map { number in
      circle("c\(number)", place(north: Double(number / 20) * 90, east: Double(number % 20) * 90), radius: 100)
    }
    let track = (0..<400).map { place(north: -500 + Double($0) * 7, east: -500 + Double($0) * 6.5) }
    let outcome = try Self.run(crowd, track, budget: 5)
    #expect(outcome.densePlans > 0 && !outcome.missed.isEmpty)
    #expect(outcome.broken.isEmpty)
    let enough = try Self.run(crowd, track, budget: 300)
    #expect(enough.missed.isEmpty && enough.crossings > 100)
  }
}
