import PlotTesting
import Testing

@testable import PlotCore

/// A hint of an operating system is believed as far as nothing speaks against it.
@Suite struct HintTests {
  static let minute: Milliseconds = 60_000
  static let square = Region(
    id: Identifier("square"), name: nil,
    shape: .area(
      Area(.polygons([[[(-100, -100), (100, -100), (100, 100), (-100, 100), (-100, -100)].map(place(north:east:))]]))))

  static func hint(
    _ kind: Hint.Kind, _ region: String = "a", at time: Milliseconds, _ position: Position? = nil
  ) -> Hint {
    Hint(time: time, region: Identifier(region), kind: kind, position: position)
  }

  /// `event region`, or the reason.
  static func words(_ output: Machine.Output) -> [String] {
    output.effects.compactMap {
      switch $0 {
      case .event(let event): "\(event.kind.rawValue) \(event.region.text)"
      case .decision(let decision) where decision.step == .presence:
        "\(decision.verdict.rawValue) \(decision.reason.rawValue)"
      default: nil
      }
    }
  }

  @Test func aVisitFromHintsAlone() throws {
    var machine = machine([circle("a")], [notification("hello")]) { $0.initial = .none }
    let enter = try machine.hint(Self.hint(.enter, at: Self.minute))
    #expect(Self.words(enter) == ["region-enter a"], "somebody saw it: no first fix")
    #expect(enter.shows.map(\.campaign.text) == ["hello"])
    let event = try #require(enter.events.first)
    #expect(event.source == .hint && event.coordinate == nil && event.since == nil && event.time == Self.minute)
    let exit = try machine.hint(Self.hint(.exit, at: 2 * Self.minute, Position(north(250), accuracy: 20)))
    #expect(Self.words(exit) == ["region-exit a"] && exit.events.first?.coordinate == north(250))
    #expect(machine.lastFix == nil && !machine.state.presence.hasBaseline, "the position of a hint is no fix")
  }

  @Test func theSameThriceIsOne() throws {
    var machine = machine([circle("a")], [])
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: 5))) == ["region-enter a"])
    for time: Milliseconds in [5, 5, 6] {
      let again = try machine.hint(Self.hint(.enter, at: time))
      #expect(Self.words(again) == ["drop hint-duplicate"])
      #expect(
        again.decisions.first?.detail == "enter" && again.decisions.first?.visit == machine.state.presence.visits[0].id)
      #expect(again.changes.isEmpty)
    }
    #expect(Self.words(try machine.hint(Self.hint(.inside, at: 7))) == ["drop hint-duplicate"])
    #expect(Self.words(try machine.hint(Self.hint(.outside, at: 8))) == ["region-exit a"])
    for kind in [Hint.Kind.exit, .outside] {
      #expect(Self.words(try machine.hint(Self.hint(kind, at: 9))) == ["drop hint-duplicate"])
    }
  }

  /// Reference: peers, A19.
  @Test func aHintFarFromTheFixIsRefused() throws {
    var machine = machine([circle("a")], [])
    _ = try machine.fix(0, north(8000), accuracy: 50)
    // 7,800 m from the edge; 150 m are doubt, the others take 109.3 s at 70 m/s.
    for time: Milliseconds in [0, 10_000, 109_000] {
      #expect(Self.words(try machine.hint(Self.hint(.enter, at: time))) == ["drop hint-contradicted"])
    }
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: 110_000))) == ["region-enter a"])
  }

  @Test func anExitFromTheMiddleIsRefused() throws {
    var machine = machine([circle("a", radius: 1000)], [])
    _ = try machine.fix(0, origin, accuracy: 10)
    #expect(Self.words(try machine.hint(Self.hint(.exit, at: 12_000))) == ["drop hint-contradicted"])
    #expect(Self.words(try machine.hint(Self.hint(.exit, at: 13_000))) == ["region-exit a"])
  }

  @Test func theHintsOwnPositionCountsToo() throws {
    var machine = machine([circle("a")], [])
    let far = Position(north(500), accuracy: 150)
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: 0, far))) == ["drop hint-contradicted"])
    let near = Position(north(440), accuracy: 150)
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: 0, near))) == ["region-enter a"])
  }

  @Test func olderThanTheNewestWordIsStale() throws {
    var machine = machine([circle("a"), circle("b")], [])
    _ = try machine.fix(10_000, north(300))
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: 9999))) == ["drop hint-stale"])
    _ = machine.advance(to: 30_000)
    // Time alone says nothing about places: the hint counts, and says since when.
    let late = try machine.hint(Self.hint(.enter, at: 20_000))
    #expect(Self.words(late) == ["region-enter a"])
    #expect(late.events.first?.time == 30_000 && late.events.first?.since == 20_000)
    #expect(machine.state.presence.visits.first?.entered == 20_000)
    #expect(Self.words(try machine.hint(Self.hint(.enter, "b", at: 19_999))) == ["drop hint-stale"])
    #expect(Self.words(try machine.hint(Self.hint(.exit, at: 20_000))) == ["region-exit a"])
  }

  /// A process that the system has started for the hint: what the last one knew is older.
  @Test func afterAStart() throws {
    var machine = machine([circle("a")], [])
    _ = try machine.fix(50_000, north(300))
    var next = Machine(state: machine.state, feed: machine.feed)
    next.settings = machine.settings
    #expect(Self.words(try next.hint(Self.hint(.enter, at: 49_999))) == ["drop hint-stale"])
    #expect(Self.words(try next.hint(Self.hint(.enter, at: 50_000))) == ["region-enter a"])
  }

  @Test(arguments: [(InitialPolicy.none, "region-inside"), (.enter, "region-enter")])
  func insideWithoutABaselineFollowsThePolicy(_ policy: InitialPolicy, _ event: String) throws {
    var machine = machine([circle("a"), circle("b", north(2000))], []) {
      ($0.initial, $0.initialOnUpdate) = (policy, policy)
    }
    // A silent visit has an event of its own.
    func told(_ reason: String) -> [String] { policy == .enter ? ["pass \(reason)"] : [] }
    #expect(Self.words(try machine.hint(Self.hint(.inside, at: 1))) == told("first-fix") + ["\(event) a"])
    // With one, it was outside before.
    _ = try machine.fix(2, north(100))
    #expect(Self.words(try machine.hint(Self.hint(.inside, "b", at: 100_000))) == ["region-enter b"])
    // A region that came later is met by its first hint.
    let region = circle("c", north(3000))
    _ = machine.setFeed(feed(machine.feed.regions + [region], []), at: 100_001)
    #expect(machine.state.presence.newRegions == [region.id])
    #expect(Self.words(try machine.hint(Self.hint(.inside, "c", at: 200_000))) == told("new-region") + ["\(event) c"])
    #expect(machine.state.presence.newRegions.isEmpty)
  }

  @Test func anEnterIsAnEnterWithoutABaseline() throws {
    var machine = machine([circle("a")], [notification("dwell", .dwelling(minutes: 5))]) { $0.initial = .none }
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: 1))) == ["region-enter a"])
    #expect(machine.nextWakeup == 300_001)
  }

  @Test func theCircleOfAnAreaProvesExitsOnly() throws {
    var machine = machine([Self.square], [])
    #expect(Self.words(try machine.hint(Self.hint(.enter, "square", at: 1))) == ["hold hint-unproven"])
    // In its circle, and beside it.
    let beside = Position(place(north: -10, east: 120), accuracy: 5)
    #expect(Self.words(try machine.hint(Self.hint(.inside, "square", at: 2, beside))) == ["hold hint-unproven"])
    let rough = Position(origin, accuracy: 250)
    #expect(Self.words(try machine.hint(Self.hint(.enter, "square", at: 2, rough))) == ["hold hint-unproven"])
    #expect(machine.state.presence.visits.isEmpty)
    let within = Position(place(north: -10, east: 90), accuracy: 5)
    #expect(Self.words(try machine.hint(Self.hint(.enter, "square", at: 3, within))) == ["region-enter square"])
    #expect(Self.words(try machine.hint(Self.hint(.exit, "square", at: 4))) == ["region-exit square"])
  }

  @Test func beaconsAreBelieved() throws {
    var machine = machine([beacon("b")], [])
    _ = try machine.fix(0, north(90_000))
    #expect(Self.words(try machine.hint(Self.hint(.enter, "b", at: 1))) == ["region-enter b"])
    #expect(Self.words(try machine.hint(Self.hint(.exit, "b", at: 2))) == ["region-exit b"])
  }

  @Test func whatCannotBeTakenChangesNothing() throws {
    var machine = machine([circle("a")], [])
    let before = dump(machine)
    #expect(throws: InputError.unknownRegion("x")) { try machine.hint(Self.hint(.enter, "x", at: 5)) }
    for bad in [Position(Coordinate(latitude: 91, longitude: 0)), Position(origin, accuracy: .nan)] {
      #expect(throws: InputError.self) { try machine.hint(Self.hint(.enter, at: 5, bad)) }
    }
    #expect(dump(machine) == before)
    _ = machine.setEnabled(false, at: 6)
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: 7))) == ["drop disabled"])
    #expect(machine.state.presence.visits.isEmpty)
  }

  /// Whatever the clock, a hint after the setting is not stale, and travel is counted in real time.
  @Test func theClockIsSetBack() throws {
    var machine = machine([circle("a")], [])
    let day: Milliseconds = 86_400_000
    _ = try machine.setClock(ClockReading(wall: 2 * day, monotonic: 0, boot: "b"))
    _ = try machine.fix(2 * day, north(8000))
    _ = try machine.setClock(ClockReading(wall: day + 1000, monotonic: 1000, boot: "b"))
    #expect(machine.lastFix?.time == day)
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: day + 2000))) == ["drop hint-contradicted"])
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: day + 200_000))) == ["region-enter a"])
  }

  /// A hint settles a state that fixes have left open, and one that they have decided.
  @Test func aHintSettlesWhatIsPending() throws {
    func walking() -> Machine { machine([circle("a")], []) { $0.noise = .walkingGates } }
    var entering = walking()
    _ = try entering.fix(0, north(1000))
    #expect(Self.words(try entering.fix(60_000, north(150))) == ["hold not-confirmed"])
    var left = entering
    #expect(Self.words(try entering.hint(Self.hint(.enter, at: 61_000))) == ["region-enter a"])
    #expect(entering.state.presence.crossings.isEmpty)
    #expect(Self.words(entering.advance(to: 600_000)).isEmpty)
    #expect(Self.words(try left.hint(Self.hint(.exit, at: 61_000))) == ["drop refuted"])
    #expect(left.state.presence.crossings.isEmpty && left.advance(to: 600_000).effects.isEmpty)
    _ = try entering.fix(610_000, north(100))
    #expect(Self.words(try entering.fix(700_000, north(300))) == ["hold not-confirmed"])
    #expect(Self.words(try entering.hint(Self.hint(.inside, at: 701_000))) == ["drop refuted"])
    #expect(entering.state.presence.visits.count == 1 && entering.advance(to: 900_000).effects.isEmpty)
    #expect(Self.words(try entering.hint(Self.hint(.inside, at: 901_000))) == ["drop hint-duplicate"])
  }

  @Test func aRegionThatMovesIsWhereItIs() throws {
    var bus = circle("a")
    bus.values.isMoving = true
    var machine = machine([bus, circle("b", north(90_000))], [])
    _ = try machine.fix(0, north(8000))
    _ = try machine.moveRegion(bus.id, to: north(8250), at: 1)
    #expect(Self.words(try machine.hint(Self.hint(.enter, at: 2))) == ["region-enter a"])
    let request = Machine.PlanRequest(time: 3, here: Position(north(8300)), budget: 2)
    let moved = RegionPlan.Registration(id: "a", target: .circle(Circle(center: north(8250), radius: 200)))
    #expect(try machine.planRegions(request).1.add.first == moved)
    _ = try machine.moveRegion(bus.id, to: north(8400), at: 4)
    let (_, plan) = try machine.planRegions(request)
    #expect(plan.remove == ["a"] && plan.add.map(\.id) == ["a"])
  }
}
