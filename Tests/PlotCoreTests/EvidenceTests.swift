import PlotTesting
import Testing

@testable import PlotCore

/// Policies that weigh evidence: the plane that a track lies in, what is known of the regions around, and what must hold for any walk.
@Suite struct EvidenceTests {
  private static func random(_ generator: inout SplitMix64, around middle: Coordinate = origin, metres: Double)
    -> Coordinate
  {
    Earth.destination(
      from: middle, course: Double.random(in: 0..<360, using: &generator),
      metres: Double.random(in: 0..<metres, using: &generator))
  }

  @Test(arguments: [0.0, 52, -67, 80]) func thePlaneIsFlatEnough(_ latitude: Double) {
    var generator = SplitMix64(11)
    for longitude in [4.9, 179.999, -179.99] {
      let middle = Coordinate(latitude: latitude, longitude: longitude)
      let plane = Plane(around: middle)
      for _ in 0..<200 {
        let (course, metres) = (
          Double.random(in: 0..<360, using: &generator), Double.random(in: 0..<2000, using: &generator)
        )
        let place = Earth.destination(from: middle, course: course, metres: metres)
        let point = plane.point(place)
        #expect(abs(point.length - metres) < 1 + metres * 0.002, "\(latitude) \(longitude) \(course) \(metres)")
        #expect(Earth.distance(plane.coordinate(point), place) < 0.001)
      }
    }
  }

  /// Within the clearance of a place the same regions contain everything: also at the rim of a band of the grid, and of the longitudes.
  @Test(arguments: 0..<18) func theClearanceIsClear(_ seed: Int) {
    var generator = SplitMix64(UInt64(seed) + 31)
    let middles = [origin, Coordinate(latitude: 45, longitude: 180), Coordinate(latitude: -61.875, longitude: -179.99)]
    let middle = middles[seed / 6]
    let count = [3, 40, 400][seed % 3]
    let regions = (0..<count).map { number in
      var region = circle(
        "r\(number)", Self.random(&generator, around: middle, metres: 4000),
        radius: Double.random(in: 20...(number % 20 == 0 ? 6000 : 300), using: &generator))
      if number % 7 == 0 {
        let center = Self.random(&generator, around: middle, metres: 4000)
        let corners = [0, 90, 180, 270].map { course in
          Earth.destination(
            from: center, course: Double(course), metres: Double.random(in: 30..<500, using: &generator))
        }
        region.values.shape = .area(Area(.polygons([[corners]])))
      }
      return region
    }
    let feed = feed(regions, [])
    func containing(_ place: Coordinate) -> Set<Int> {
      var found: Set<Int> = []
      feed.index.forEachContaining(place) { found.insert($0) }
      return found
    }
    var clear = 0
    for _ in 0..<400 {
      let place = Self.random(&generator, around: middle, metres: 5000)
      let clearance = feed.index.search.clearance(place)
      guard clearance > 0 else { continue }
      clear += 1
      let here = containing(place)
      for _ in 0..<20 {
        let other = Earth.destination(
          from: place, course: Double.random(in: 0..<360, using: &generator),
          metres: clearance * Double.random(in: 0.5..<1, using: &generator))
        #expect(containing(other) == here, "seed \(seed), \(clearance) m")
      }
    }
    #expect(clear > (count > 100 ? 100 : 250), "\(clear)")
  }

  /// Far from all regions the rim of a cell of the index is no end of what is clear.
  @Test func theClearanceReachesOverTheRim() {
    var generator = SplitMix64(7)
    let regions = (0..<400).map { circle("r\($0)", Self.random(&generator, metres: 4000), radius: 100) }
    let feed = feed(regions, [])
    let least = (0..<1000).map { number in
      feed.index.search.clearance(
        Earth.destination(from: origin, course: 90, metres: 30_000 + 50 * Double(number)))
    }.min()
    #expect(least! > 100, "\(least!) m")
  }

  /// For random tracks and regions: enters and exits alternate, a crossing never begins before the one before, and each policy enters and leaves.
  @Test(arguments: [EvidencePolicy.eager, .balanced, .careful]) func entersAndExitsAlternate(
    _ evidence: EvidencePolicy
  ) throws {
    var witnesses = Witnesses()
    for seed in UInt64(0)..<20 {
      var generator = SplitMix64(seed + 900)
      let regions = (0..<8).map { number in
        circle(
          "r\(number)", north(Double.random(in: -600...600, using: &generator)),
          radius: Double.random(in: 30...300, using: &generator))
      }
      var machine = machine(regions, []) {
        $0.initial = .enter
        $0.noise.evidence = evidence
      }
      var inside: Set<Identifier> = []
      var last: [Identifier: Milliseconds] = [:]
      var (time, place, speed): (Milliseconds, Double, Double) = (0, 0, 0)
      for step in 0..<800 {
        let period: Milliseconds = [1000, 1000, 10_000, 60_000][step / 200]
        time += period
        if step % 40 == 0 { speed = [0, 0, 1.4, -1.4, 12, -12].randomElement(using: &generator)! }
        place = max(-900, min(900, place + speed * Double(period) / 1000))
        let wild = generator.chance(0.03) ? Double.random(in: -500...500, using: &generator) : 0
        let fix = Fix(
          time: time, coordinate: north(place + wild + Double.random(in: -12...12, using: &generator)),
          accuracy: [5, 15, 40, 300].randomElement(using: &generator)!)
        for case .event(let event) in try machine.update(fix).effects {
          let since = event.since ?? event.time
          witnesses.see(event.kind.rawValue)
          if since < event.time { witnesses.see("since before") }
          if event.kind == .regionEnter {
            #expect(inside.insert(event.region).inserted, "seed \(seed)")
          } else {
            #expect(inside.remove(event.region) != nil, "seed \(seed)")
          }
          #expect(since >= last[event.region] ?? 0 && since <= event.time, "seed \(seed)")
          last[event.region] = since
        }
        #expect(machine.observations.seenInJump.isEmpty || machine.track.waits, "seed \(seed)")
      }
    }
    #expect(witnesses.below(["region-enter": 370, "region-exit": 370, "since before": 240]) == [])
  }

  /// At rest the anchor decides about a region that weighs evidence, and the fix about one with gates, told or not.
  @Test(arguments: [false, true]) func gatesOfARegionAreHeldAgainstTheFix(_ recordsDecisions: Bool) throws {
    var exact = circle("exact", radius: 20)
    exact.noise = .exact
    var machine = machine([exact, circle("weighed", radius: 21)], []) {
      $0.initial = .enter
      $0.noise = .balanced
      $0.recordsDecisions = recordsDecisions
    }
    var crossings: [String] = []
    func fix(_ second: Milliseconds, _ metres: Double) throws {
      let output = try machine.update(Fix(time: second * 1000, coordinate: north(metres), accuracy: 10))
      for case .event(let event) in output.effects {
        crossings.append("\(second) \(event.kind.rawValue) \(event.region.text)")
      }
    }
    for second in 0..<40 { try fix(Milliseconds(second) * 10, Double(second % 3)) }
    #expect(machine.track.isResting && crossings == ["0 region-enter exact", "0 region-enter weighed"])
    for second: Milliseconds in [400, 410] { try fix(second, 24) }
    try fix(420, 0)
    #expect(crossings.dropFirst(2) == ["400 region-exit exact", "420 region-enter exact"])
  }

  /// Two fixes of one time are one witness of a jump.
  @Test func aFixThatComesTwiceIsOneWitness() throws {
    var machine = machine([circle("a", radius: 50)], []) {
      $0.initial = .enter
      $0.noise = .balanced
    }
    for second in 0..<30 {
      let fix = Fix(time: Milliseconds(second) * 1000, coordinate: north(800 + Double(second)), accuracy: 8)
      _ = try machine.update(fix)
    }
    for _ in 0..<5 {
      let output = try machine.update(Fix(time: 30_000, coordinate: origin, accuracy: 8))
      #expect(output.events.isEmpty && machine.track.count == 1)
    }
    #expect(machine.observations.seenInJump.map(\.fixes) == [1])
  }

  /// Twenty kilometres away the plane is another one, and nothing else is.
  @Test func aLongWayKeepsWhatIsKnown() throws {
    let regions = (0...60).map { circle("r\($0)", north(Double($0) * 1000), radius: 200) }
    var machine = machine(regions, []) {
      $0.initial = .enter
      $0.noise = .balanced
    }
    var crossings: [String] = []
    for step in 0...2400 {
      let fix = Fix(time: Milliseconds(step) * 1000, coordinate: north(Double(step) * 25), accuracy: 8)
      for case .event(let event) in try machine.update(fix).effects {
        crossings.append("\(event.kind.rawValue) \(event.region.text)")
      }
    }
    #expect(machine.track.plane.origin != origin)
    let expected = (0...60).flatMap { ["region-enter r\($0)", "region-exit r\($0)"] }
    #expect(crossings == Array(expected.dropLast()))
  }
}
