import PlotTesting
import Testing

@testable import PlotCore

/// The regions that a host registers: near, steady, within the budget, and with a fence that keeps its word.
@Suite struct RegionPlanTests {
  /// Circles of 100 m every kilometre to the north.
  static let row = (0..<50).map { circle("r\($0)", north(Double($0) * 1000), radius: 100) }

  static func request(
    _ meters: Double? = 0, budget: Int64 = 6, accuracy: Double = 0, at time: Milliseconds = 1
  ) -> Machine.PlanRequest {
    Machine.PlanRequest(time: time, here: meters.map { Position(north($0), accuracy: accuracy) }, budget: budget)
  }

  static func ids(_ difference: RegionPlan.Difference) -> [String] { difference.add.map(\.id) }

  @Test func theNearestByTheirEdges() throws {
    let wide = circle("wide", north(-5000), radius: 4950)
    var machine = machine(Self.row + [wide], [])
    let (output, plan) = try machine.planRegions(Self.request())
    #expect(Self.ids(plan) == ["r0", "r1", "r2", "r3", "wide"] && plan.remove.isEmpty)
    // The edge of r4 is 3,900 m away.
    let fence = try #require(plan.fence)
    #expect(fence.center == origin && fence.radius == (3900 * 0.99).rounded(.down) && plan.isFenceNew)
    #expect(!plan.isDense && plan.unwatchedBeacons == 0)
    #expect(output.changes.count == 1 && output.effects.count == 1)
  }

  /// Reference: peers, A12.
  @Test func nothingChangedNothingToDo() throws {
    var machine = machine(Self.row, [])
    _ = try machine.planRegions(Self.request(10_000))
    for meters in [10_000.0, 10_900, 9100] {
      let (output, plan) = try machine.planRegions(Self.request(meters))
      #expect(plan.isEmpty && output.changes.isEmpty, "\(meters)")
      #expect(plan.fence == machine.state.presence.plan.fence)
    }
    // The same places in a new feed, with other names.
    let renamed = Self.row.map { region in
      var region = region
      region.values.name = "new"
      return region
    }
    _ = machine.setFeed(feed(renamed, []), at: 2)
    #expect(try machine.planRegions(Self.request(10_000, at: 2)).1.isEmpty)
    // Another radius: out, and in again.
    var wider = renamed
    wider[10] = circle("r10", north(10_000), radius: 101)
    _ = machine.setFeed(feed(wider, []), at: 3)
    let (_, plan) = try machine.planRegions(Self.request(10_000, at: 3))
    #expect(plan.remove == ["r10"] && Self.ids(plan) == ["r10"])
    _ = machine.setFeed(feed(Array(wider[20...]), []), at: 4)
    #expect(try machine.planRegions(Self.request(10_000, at: 4)).1.remove == ["r10", "r11", "r12", "r8", "r9"])
  }

  @Test func nearTiesDoNotSwap() throws {
    let regions = [
      circle("a", north(1000), radius: 100), circle("b", north(-1000), radius: 100), circle("c", north(9000)),
    ]
    var machine = machine(regions, [])
    var request = Self.request(10, budget: 2)
    #expect(Self.ids(try machine.planRegions(request).1) == ["a"])
    // Now b is nearer, by 40 m; then by 400.
    request.here = Position(north(-20))
    request.isFenceLeft = true
    #expect(try machine.planRegions(request).1.add.isEmpty)
    request.usesHysteresis = false
    #expect(Self.ids(try machine.planRegions(request).1) == ["b"])
    request.usesHysteresis = true
    request.here = Position(north(200))
    let (_, plan) = try machine.planRegions(request)
    #expect(Self.ids(plan) == ["a"] && plan.remove == ["b"])
  }

  /// Where steadiness would cost the guarantee, the nearest win.
  @Test func steadinessIsGivenUpFirst() throws {
    let regions = [
      circle("a", north(210), radius: 100), circle("b", north(-210), radius: 100), circle("c", north(9000)),
    ]
    var machine = machine(regions, [])
    var request = Self.request(4, budget: 2)
    #expect(Self.ids(try machine.planRegions(request).1) == ["a"])
    // b is 90 m away, a 130: only with b in can the fence have 100 m.
    request.here = Position(north(-20))
    request.isFenceLeft = true
    let (_, plan) = try machine.planRegions(request)
    #expect(plan.remove == ["a"] && Self.ids(plan) == ["b"])
    #expect(!plan.isDense && plan.fence?.radius == (130 * 0.99).rounded(.down))
  }

  @Test func visitedOnesAreAlwaysIn() throws {
    var machine = machine(Self.row + [circle("country", origin, radius: 500_000)], [])
    _ = try machine.fix(1, north(40_050))
    #expect(machine.state.presence.visits.map(\.region.text) == ["country", "r40"])
    let (_, plan) = try machine.planRegions(Self.request(nil, budget: 3))
    #expect(Self.ids(plan) == ["country", "r40"])
    // 850 m to r41, and to r39 950.
    #expect(plan.fence?.radius == (850 * 0.99).rounded(.down))
  }

  @Test func dense() throws {
    let crowd = (0..<10).map { circle("c\($0)", north(Double($0)), radius: 100) }
    var machine = machine(crowd, [])
    let (_, plan) = try machine.planRegions(Self.request(150, budget: 5))
    #expect(plan.isDense && plan.fence?.radius == RegionPlan.fence.least && plan.add.count == 4)
    #expect(Self.ids(plan) == ["c6", "c7", "c8", "c9"])
    // Too rough a position for the free way around it.
    var sparse = PlotTesting.machine(Self.row, [])
    let (_, rough) = try sparse.planRegions(Self.request(0, budget: 5, accuracy: 2000))
    #expect(rough.isDense && rough.fence?.radius == 2000)
    #expect(try sparse.planRegions(Self.request(0, budget: 5, accuracy: 1000)).1.isDense == false)
  }

  @Test func allOfItNeedsNoFenceAndNoPosition() throws {
    var machine = machine(Array(Self.row[..<6]), [])
    let (_, plan) = try machine.planRegions(Self.request(nil, budget: 6))
    #expect(plan.add.count == 6 && plan.fence == nil && !plan.isFenceNew)
    let before = dump(machine)
    #expect(throws: InputError.noPosition) { try machine.planRegions(Self.request(nil, budget: 5, at: 99)) }
    for budget: Int64 in [-1, 1001] {
      #expect(throws: InputError.self) { try machine.planRegions(Self.request(budget: budget)) }
    }
    #expect(dump(machine) == before)
    _ = try machine.fix(2, origin)
    let (_, less) = try machine.planRegions(Self.request(nil, budget: 5, at: 2))
    #expect(less.remove == ["r4", "r5"] && less.add.isEmpty && less.isFenceNew)
  }

  @Test func theBudgetOfTheConfiguration() throws {
    var machine = machine(Self.row, []) { $0.regionBudget = 7 }
    #expect(try machine.planRegions(Self.request(budget: 0)).1.add.count == 6)
    #expect(try machine.planRegions(Self.request(budget: 1)).1.remove.count == 6)
    #expect(machine.state.presence.plan.fence != nil && machine.state.presence.plan.isDense)
  }

  @Test func reset() throws {
    var machine = machine(Self.row, [])
    let (_, first) = try machine.planRegions(Self.request())
    var request = Self.request()
    request.isReset = true
    let (output, again) = try machine.planRegions(request)
    #expect(again == first && output.changes.isEmpty)
  }

  @Test func theFenceWasLeft() throws {
    var machine = machine(Self.row, [])
    _ = try machine.planRegions(Self.request(20_000))
    var request = Self.request(20_100)
    #expect(try machine.planRegions(request).1.isEmpty)
    request.isFenceLeft = true
    let (_, plan) = try machine.planRegions(request)
    #expect(plan.isFenceNew && plan.fence?.center == north(20_100) && plan.add.isEmpty)
  }

  @Test func disabledNothingIsWatched() throws {
    var machine = machine(Self.row, [])
    _ = try machine.planRegions(Self.request())
    _ = machine.setEnabled(false, at: 2)
    let (_, plan) = try machine.planRegions(Self.request(at: 3))
    #expect(plan.remove.count == 5 && plan.add.isEmpty && plan.fence == nil && plan.isFenceNew)
  }

  // MARK: Beacons

  static func beacon(_ id: String, _ uuid: Int, _ major: UInt16) -> Region {
    Region(
      id: Identifier(id), name: nil,
      shape: .beacon(
        Beacon(
          proximityUUID: "f7826da6-4fa2-4e98-8024-bc5b71e0893\(uuid)", majorId: major, minorId: nil, range: .near)))
  }

  @Test func beaconsHaveAThirdAndWhatIsLeft() throws {
    let two = [Self.beacon("x", 1, 1), Self.beacon("y", 2, 1)]
    var machine = machine(Self.row + two, [])
    #expect(Self.ids(try machine.planRegions(Self.request(budget: 6)).1) == ["r0", "r1", "r2", "x", "y"])
    // Three do not fit: one for each UUID.
    let three = two + [Self.beacon("z", 1, 2)]
    _ = machine.setFeed(feed(Self.row + three, []), at: 2)
    let (_, plan) = try machine.planRegions(Self.request(budget: 6, at: 2))
    let uuids = (1...2).map { "beacons;f7826da6-4fa2-4e98-8024-bc5b71e0893\($0)" }
    #expect(Self.ids(plan) == uuids && plan.remove == ["x", "y"] && plan.unwatchedBeacons == 0)
    // Only one UUID fits: the feed's first, or that of the one visited.
    #expect(try machine.planRegions(Self.request(budget: 5, at: 2)).1.remove == [uuids[1]])
    #expect(machine.state.presence.plan.unwatchedBeacons == 1)
    _ = try machine.hint(Hint(time: 3, region: Identifier("y"), kind: .enter))
    let (_, visited) = try machine.planRegions(Self.request(budget: 5, at: 3))
    #expect(visited.add.map(\.id) == [uuids[1]] && visited.remove == [uuids[0]] && visited.unwatchedBeacons == 2)
    // Beacons may use the budget that places leave free.
    _ = machine.setFeed(feed(Array(Self.row[..<2]) + three, []), at: 4)
    #expect(try machine.planRegions(Self.request(nil, budget: 5, at: 4)).1.unwatchedBeacons == 0)
    #expect(machine.state.presence.plan.registrations.map(\.id) == ["r0", "r1", "x", "y", "z"])
  }

  /// Unicode takes the two names for the same; they are two, also in a table of a plan.
  @Test func namesThatLookAlike() throws {
    let names = ["cafe\u{301}", "caf\u{e9}"]
    let twins = names.map { circle($0, radius: 100) }
    var machine = machine(twins + Self.row, [])
    let added = try machine.planRegions(Self.request(0, budget: 4)).1.add.map { Array($0.id.utf8) }
    #expect(added == (names + ["r0"]).map { Array($0.utf8) })
    let (_, plan) = try machine.planRegions(Self.request(30_000, budget: 4))
    #expect(plan.remove.map { Array($0.utf8) } == (names + ["r0"]).map { Array($0.utf8) })
  }

  @Test func areasAsTheirCircles() throws {
    var machine = machine([HintTests.square], [])
    let (_, plan) = try machine.planRegions(Self.request(nil, budget: 5))
    guard case .area(let circle) = plan.add.first?.target else {
      Issue.record("no area")
      return
    }
    #expect(circle.radius == 142)
  }

  // MARK: Whatever the feed

  @Test func theFenceKeepsItsWord() {
    var witnesses = Witnesses()
    for seed in UInt64(0)..<40 { Self.theFenceKeepsItsWord(seed, &witnesses) }
    #expect(
      witnesses.below([
        "sparse": 910, "dense": 360, "another fence": 1200, "visited, not registered": 2,
        "not visited, not registered": 148_000,
      ]) == [])
  }

  private static func theFenceKeepsItsWord(_ seed: UInt64, _ witnesses: inout Witnesses) {
    var generator = SplitMix64(seed)
    func random(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
    func somewhere(_ spread: Double) -> Coordinate {
      Coordinate(
        latitude: origin.latitude + random(-spread...spread), longitude: origin.longitude + random(-spread...spread))
    }
    let spread = [0.02, 0.2, 2][Int(seed % 3)]
    var places = (0..<200).map { number in
      RegionPlan.Place(
        id: Identifier("p\(number)"),
        circle: Circle(
          center: somewhere(spread), radius: generator.chance(0.1) ? random(500...5000) : random(20...200)),
        isArea: false, isVisited: false)
    }
    var before = RegionPlan()
    var here = Position(somewhere(spread))
    for _ in 0..<40 {
      here.coordinate.latitude += random(-spread...spread) / 10
      here.accuracy = generator.chance(0.5) ? 0 : random(0...300)
      for index in places.indices where generator.chance(0.05) {
        let isInside = Earth.distance(here.coordinate, places[index].circle.center) <= places[index].circle.radius
        places[index].isVisited = generator.chance(0.9) ? isInside : !isInside
      }
      let budget = Int64.random(in: 2...60, using: &generator)
      guard
        let plan = RegionPlan.make(
          places, [], at: here, budget: budget, before: before, isFenceLeft: generator.chance(0.3),
          usesHysteresis: generator.chance(0.8))
      else {
        Issue.record("no plan")
        return
      }
      defer { before = plan }
      #expect(RegionPlan.make(places, [], at: here, budget: budget, before: plan) == plan, "planned twice")
      guard let fence = plan.fence else {
        Issue.record("no fence")
        return
      }
      #expect(plan.registrations.count == budget - 1)
      let registered = Set(plan.registrations.map(\.id))
      let visited = places.count { $0.isVisited }
      let visitedIn = places.count { $0.isVisited && registered.contains($0.id.text) }
      #expect(visitedIn == min(visited, Int(budget) - 1))
      #expect(fence.radius >= RegionPlan.fence.least && fence.radius <= RegionPlan.fence.most)
      if plan.fence != before.fence { witnesses.see("another fence") }
      witnesses.see(plan.isDense ? "dense" : "sparse")
      guard !plan.isDense else { continue }
      // Wherever the device really is, it is within the fence when that is registered.
      #expect(Earth.distance(here.coordinate, fence.center) + here.accuracy <= fence.radius + 1e-6)
      for place in places where !registered.contains(place.id.text) {
        let distance = Earth.distance(fence.center, place.circle.center)
        witnesses.see(place.isVisited ? "visited, not registered" : "not visited, not registered")
        // No point of the fence is in it, or for a visit none is out of it.
        if place.isVisited {
          #expect(distance + fence.radius <= place.circle.radius)
        } else {
          #expect(distance - fence.radius > place.circle.radius)
        }
      }
    }
  }
}
