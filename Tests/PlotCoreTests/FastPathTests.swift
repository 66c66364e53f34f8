import PlotTesting
import Testing

@testable import PlotCore

/// The fast path is a short cut: a machine that never takes it comes to the same, at every fix.
@Suite struct FastPathTests {
  private static func world(
    _ generator: inout SplitMix64, kind: Int, _ own: [NoisePolicy] = [.walkingGates, .indoorGates, .exact]
  ) -> (
    [Region], [Campaign]
  ) {
    var regions: [Region] = []
    for number in 0..<60 {
      let center = Earth.destination(
        from: origin, course: Double.random(in: 0..<360, using: &generator),
        metres: Double.random(in: 0..<3000, using: &generator))
      var region = circle("r\(number)", center, radius: Double.random(in: 40...900, using: &generator))
      if number % 9 == 0 {
        let corners = [0, 72, 144, 216, 288].map { course in
          Earth.destination(
            from: center, course: Double(course), metres: Double.random(in: 50..<600, using: &generator))
        }
        region.values.shape = .area(Area(.polygons([[corners]])))
      }
      if number % 13 == 0 { region.noise = own[number / 13 % own.count] }
      regions.append(region)
    }
    if kind == 1 { regions[3].values.isMoving = true }
    var campaigns: [Campaign] = []
    for number in regions.indices {
      let trigger: [Trigger] = [.enter, .exit, .dwelling(minutes: 5), .enter]
      campaigns.append(geotrigger("g\(number)", trigger[number % 4], at: [number], repeatRule: .always))
      campaigns.append(notification("n\(number)", .enter, at: [number], repeatRule: .after(600_000)))
    }
    if kind == 2 { campaigns[0].values.countsPassages = true }
    if kind == 3 { campaigns[0].values.trigger = .approaching(seconds: 60) }
    return (regions, campaigns)
  }

  /// Of the seeds from 9 on, and of the regions that have one of their own: gates, and what weighs evidence.
  private static let weighed: [(engine: NoisePolicy, regions: [NoisePolicy])] = [
    (.balanced, [.balanced]), (.balanced, [.exact, .careful, .walkingGates]), (.eager, [.exact]),
    (.careful, [.balanced]),
    (.balanced, [.eager, .exact]), (.walkingGates, [.balanced, .exact, .careful]),
  ]

  /// A dwelling that is due waits for a fix: that one does not take it, whoever listens. Fixes come every quarter of an hour, and wakeups between.
  @Test(arguments: 0..<6) func theFixThatProvesIsNotQuiet(_ seed: Int) throws {
    var generator = SplitMix64(UInt64(seed) + 5000)
    var machine = machine([circle("a", origin, radius: 120)], [geotrigger("d", .dwelling(minutes: 15), at: [0])]) {
      $0.noise = [.balanced, .eager, .careful][seed % 3]
      $0.initial = .enter
      $0.recordsDecisions = false
    }
    var told = machine
    told.settings.recordsDecisions = true
    var (time, dwellings) = (Milliseconds(1_000_000), 0)
    var (isInside, rest) = (false, 1)
    for step in 0..<steps(400) {
      time += 900_000 + Milliseconds.random(in: -60_000...60_000, using: &generator)
      rest -= 1
      if rest < 0 { (isInside, rest) = (!isInside, Int.random(in: 0...3, using: &generator)) }
      let place = Earth.destination(
        from: isInside ? origin : north(1000), course: Double.random(in: 0..<360, using: &generator),
        metres: Double.random(in: 0..<20, using: &generator))
      func events(_ machine: inout Machine) throws -> [String] {
        var effects: [Machine.Effect] = []
        while let wakeup = machine.nextWakeup, wakeup < time { effects += machine.advance(to: wakeup).effects }
        effects += try machine.update(Fix(time: time, coordinate: place, accuracy: 15)).effects
        return effects.compactMap { if case .event(let event) = $0 { "\(event.kind) \(event.time)" } else { nil } }
      }
      let (quiet, heard) = try (events(&machine), events(&told))
      try #require(quiet == heard, "step \(step)")
      dwellings += quiet.count { $0.hasPrefix("regionDwell") }
    }
    #expect(dwellings > steps(400) / 40)
  }

  @Test(arguments: 0..<15) func itChangesNoEffect(_ seed: Int) throws {
    var generator = SplitMix64(UInt64(seed) + 400)
    // Something moves, a way between fixes counts, an approach does; in the others nothing of that.
    let kind = seed < 9 ? max(0, seed - 5) : 0
    let weighed = seed < 9 ? nil : Self.weighed[seed - 9]
    let (regions, campaigns) =
      weighed.map { Self.world(&generator, kind: kind, $0.regions) } ?? Self.world(&generator, kind: kind)
    var short = machine(regions, campaigns) {
      $0.recordsDecisions = seed % 2 == 0
      if seed == 4 { $0.noise = .drivingGates }
      if seed == 5 { $0.noise = .exact }
      if let weighed { $0.noise = weighed.engine }
    }
    var long = short
    // A host that hears of decisions sees more fixes looked at, and must see the same events.
    var other = short
    other.settings.recordsDecisions.toggle()
    // Without a store nobody asks what has changed.
    var unlisted = short
    unlisted.settings.listsChanges = false
    var place = origin
    var time: Milliseconds = 1_000_000
    var (quiet, eventful) = (0, 0)
    let count = steps(1600)
    for step in 0..<count {
      time += Milliseconds.random(in: 0...20_000, using: &generator)
      // At rest for a while, so that anchors are; then on the way.
      let stays = generator.chance(weighed == nil ? 0.4 : step / 60 % 2 == 0 ? 1 : 0.1)
      place = Earth.destination(
        from: generator.chance(0.002) ? origin : place, course: Double.random(in: 0..<360, using: &generator),
        metres: stays ? 3 : Double.random(in: 0..<150, using: &generator))
      let late: Milliseconds = generator.chance(0.02) ? 3000 : 0
      // Each of six hundred steps from another source: of the sky, of cells.
      let accuracy =
        weighed != nil && step / 100 % 6 == 5
        ? Double.random(in: 200..<900, using: &generator)
        : generator.chance(0.1) ? 150 : Double.random(in: 0..<30, using: &generator)
      let fix = Fix(time: time - late, coordinate: place, accuracy: accuracy)
      if step % 500 == 250, kind == 1 {
        let moved = Earth.destination(from: place, course: 90, metres: 500)
        let outputs = try (
          short.moveRegion(Identifier("r3"), to: moved, at: time),
          long.moveRegion(Identifier("r3"), to: moved, at: time)
        )
        _ = try other.moveRegion(Identifier("r3"), to: moved, at: time)
        _ = try unlisted.moveRegion(Identifier("r3"), to: moved, at: time)
        #expect("\(outputs.0)" == "\(outputs.1)")
      }
      if step % 1000 == 700 || step % 1000 == 720 {
        let isEnabled = step % 1000 == 720
        _ = (short.setEnabled(isEnabled, at: time), long.setEnabled(isEnabled, at: time))
        _ = (other.setEnabled(isEnabled, at: time), unlisted.setEnabled(isEnabled, at: time))
      }
      func outcome(withDecisions: Bool = true, _ body: () throws(InputError) -> Machine.Output) -> String {
        do throws(InputError) {
          var output = try body()
          if !withDecisions { output.effects.removeAll { if case .decision = $0 { true } else { false } } }
          let changes = output.changes.map { change in
            // A set has no order.
            if case .presence(.newRegions(let regions)) = change { "\(regions.sorted())" } else { "\(change)" }
          }
          return "\(changes) \(output.effects)"
        } catch {
          return "\(error)"
        }
      }
      var (probe, told) = (short, long)
      var known = KnownPlaces(short.feed.index.search)
      short.feed.index.forEachContaining(fix.coordinate) { known.add($0) }
      let isQuiet = probe.takeFast(fix)
      var knowing = short
      try #require(knowing.takeFast(fix, known: known) == isQuiet, "step \(step)")
      // The machine that takes the fix next, below, comes to the same.
      var listing = short
      let (listed, bare) = (try? listing.update(fix), try? unlisted.update(fix))
      try #require(bare?.changes.isEmpty != false, "step \(step)")
      try #require("\(bare?.effects as Any)" == "\(listed?.effects as Any)", "step \(step)")
      try #require(
        unlisted.state.presence.visits == listing.state.presence.visits && unlisted.nextWakeup == listing.nextWakeup)
      let first = outcome { () throws(InputError) in try short.update(fix) }
      let second = outcome { () throws(InputError) in try long.takeInFull(fix) }
      try #require(first == second, "step \(step)")
      let heard = outcome(withDecisions: false) { () throws(InputError) in try told.takeInFull(fix) }
      let unheard = outcome(withDecisions: false) { () throws(InputError) in try other.update(fix) }
      try #require(heard == unheard, "step \(step)")
      try #require(short.nextWakeup == long.nextWakeup && short.state.newest == long.state.newest)
      try #require(short.track == long.track, "step \(step)")
      try #require(short.lastFix == long.lastFix && short.state.presence.visits == long.state.presence.visits)
      if isQuiet { quiet += 1 }
      if first != "[] []" { eventful += 1 }
      if isQuiet { #expect(first == "[] []") }
    }
    #expect(eventful > count / 20)
    // Then every fix is looked at in full.
    // In an engine of gates none is, once a region has weighed evidence; who hears of decisions hears of fixes at rest.
    let least =
      switch weighed {
      case nil: count / 4
      case (let engine, _)?: engine.evidence == nil ? 0 : seed % 2 == 0 ? count / 25 : count / 4
      }
    #expect(kind != 0 ? quiet == 0 : quiet > least, "\(quiet) of \(count)")
  }

  @Test(arguments: [false, true]) func manyPlacesAtOnceAreEachEnteredAndLeftOnce(_ recordsDecisions: Bool) throws {
    let circles = (1...60).map { circle("r\($0)", north(Double($0 % 7) * 10), radius: Double($0) * 20) }
    var machine = machine(circles, []) {
      $0.noise = .exact
      $0.recordsDecisions = recordsDecisions
    }
    _ = try machine.update(Fix(time: 0, coordinate: north(5000)))
    var generator = SplitMix64(77)
    var witnesses = Witnesses()
    for step in 1...500 {
      let place = north(Double.random(in: -1500...1500, using: &generator))
      let before = Set(machine.state.presence.visits.map(\.region))
      let output = try machine.update(Fix(time: Milliseconds(step) * 10_000, coordinate: place))
      let inside = Set(circles.filter { ($0.shape.edgeDistance(from: place) ?? 1) <= 0 }.map(\.id))
      #expect(machine.state.presence.visits.map(\.region) == inside.sorted())
      var (entered, left): ([Identifier], [Identifier]) = ([], [])
      for case .event(let event) in output.effects {
        if event.kind == .regionEnter { entered.append(event.region) } else { left.append(event.region) }
      }
      #expect(entered == inside.subtracting(before).sorted() && left == before.subtracting(inside).sorted())
      witnesses.see("entered", entered.count)
      witnesses.see("left", left.count)
      if entered.count > 10 { witnesses.see("many at once") }
    }
    #expect(witnesses.below(["entered": 4700, "left": 4600, "many at once": 140]) == [])
  }

  @Test func aBadFixIsNotQuiet() throws {
    var machine = machine([circle("a")], [])
    _ = try machine.update(Fix(time: 1000, coordinate: north(5000)))
    for (latitude, longitude, accuracy, speed, course) in [
      (90.5, 0, 0, 0, 0), (0, 181, 0, 0, 0), (Double.nan, 0, 0, 0, 0), (0, .nan, 0, 0, 0), (0, 0, -1, 0, 0),
      (0, 0, .infinity, 0, 0), (0, 0, .nan, 0, 0), (0, 0, 0, -2, 0), (0, 0, 0, .nan, 0), (0, 0, 0, 0, 361),
      (0, 0, 0, 0, .nan),
    ] as [(Double, Double, Double, Double, Double)] {
      let coordinate = Coordinate(latitude: latitude, longitude: longitude)
      let fix = Fix(time: 2000, coordinate: coordinate, accuracy: accuracy, speed: speed, course: course)
      let isQuiet = machine.takeFast(fix)
      #expect(!isQuiet)
      #expect(throws: InputError.self) { try machine.update(fix) }
    }
    let (again, late) = (
      machine.takeFast(Fix(time: 1000, coordinate: north(5000))),
      machine.takeFast(Fix(time: 999, coordinate: north(5000)))
    )
    #expect(again && !late)
  }
}
