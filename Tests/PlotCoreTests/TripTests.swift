import PlotTesting
import Testing

@testable import PlotCore

/// Somebody is on the way (docs/trips.md).
@Suite struct TripTests {
  static let minute: Milliseconds = 60_000
  static let start = utc("2026-05-16T10:00")

  static func plan(_ id: String = "t", _ change: (inout TripPlan) -> Void = { _ in }) -> TripPlan {
    var plan = TripPlan(id: Identifier(id), region: Identifier("a"))
    plan.mode = .pedestrian
    change(&plan)
    return plan
  }

  /// A campaign for each event of a trip; the shop `a` has a radius of 100 m, `b` lies 3 km in the north.
  static func host(evidence: Bool = false) -> TestHost {
    let campaigns = TripMoment.allCases.map {
      notification($0.rawValue, .trip($0), repeatRule: .always)
    }
    return TestHost(feed([circle("a", radius: 100), circle("b", north(3000), radius: 100)], campaigns)) {
      $0.noise = evidence ? .standard : .exact
    }
  }

  static func begin(_ host: inout TestHost, _ plan: TripPlan = plan(), at time: Milliseconds = start) throws {
    try host.play(host.machine.startTrip(plan, at: time))
  }

  /// The events of trips, each with the minute.
  static func told(_ host: TestHost) -> [String] {
    host.events.filter { $0.trip != nil }.map { "\(($0.time - start) / minute) \($0.kind.rawValue.dropFirst(5))" }
  }

  /// Walks along the meridian, from so many metres in the north to so many, with a fix each so many seconds.
  static func walk(
    _ host: inout TestHost, from: Double, to: Double, speed: Double = 1.4, each seconds: Double = 20, east: Double = 0
  ) throws {
    let count = Int((abs(to - from) / (speed * seconds)).rounded(.up))
    let begin = max(host.time, start)
    for step in 1...max(1, count) {
      let part = min(1, Double(step) * speed * seconds / abs(to - from))
      try host.go(
        place(north: from + (to - from) * part, east: east), at: begin + Milliseconds(Double(step) * seconds * 1000))
    }
  }

  static func standing(_ host: TestHost, _ id: String = "t") -> TripStanding? {
    host.machine.state.trips.find(Identifier(id)).flatMap { host.machine.standing(of: $0) }
  }

  // MARK: From start to end

  @Test func aWalkStartsComesNearAndArrives() throws {
    var host = Self.host()
    try host.go(north(2100), at: Self.start)
    try Self.begin(&host)
    try Self.walk(&host, from: 2100, to: 0)
    // 2,000 m at 1.35 m/s and 30 % more at first; near five minutes before the edge, as it then seems: 300 s × 1.4 m/s = 420 m, of which 323 straight.
    #expect(Self.told(host).map { String($0.split(separator: " ")[1]) } == ["started", "approaching", "arrived"])
    #expect(host.log.filter { $0.hasPrefix("show") } == ["show started", "show approaching", "show arrived"])
    let near = try #require(host.events.first { $0.kind == .tripApproaching })
    let left = try #require(near.trip?.metres)
    #expect((380...430).contains(left) && abs(Earth.distance(near.coordinate!, origin) - 100 - left / 1.3) < 1)
    let arrived = try #require(host.events.first { $0.kind == .tripArrived })
    #expect(arrived.ordinal == 1 && host.machine.state.trips.isEmpty && host.machine.nextWakeup == nil)
  }

  @Test func whoIsThereHasArrived() throws {
    var host = Self.host()
    try host.go(origin, at: Self.start)
    try Self.begin(&host, at: Self.start + Self.minute)
    #expect(Self.told(host) == ["1 started", "1 arrived"])
    let arrived = try #require(host.events.first { $0.kind == .tripArrived })
    #expect(arrived.since == Self.start && arrived.trip?.delay == nil)
  }

  @Test func theAppEndsIt() throws {
    var host = Self.host()
    try host.go(north(2000), at: Self.start)
    try Self.begin(&host)
    try Self.begin(&host, Self.plan("u"))
    try host.play(host.machine.endTrip(Identifier("t"), hasArrived: false, at: Self.start + Self.minute))
    try host.play(host.machine.endTrip(Identifier("u"), hasArrived: true, at: Self.start + 2 * Self.minute))
    #expect(Self.told(host) == ["0 started", "0 started", "1 cancelled", "2 arrived"])
    #expect(throws: InputError.unknownTrip("t")) {
      try host.machine.endTrip(Identifier("t"), hasArrived: true, at: Self.start + 3 * Self.minute)
    }
  }

  @Test func itExpiresByItself() throws {
    var host = Self.host()
    try Self.begin(&host, Self.plan { $0.expires = Self.start + 30 * Self.minute })
    try Self.begin(&host, Self.plan("u") { $0.deadline = Self.start + 60 * Self.minute })
    #expect(host.machine.nextWakeup == Self.start + 30 * Self.minute)
    try host.wait(until: Self.start + 30 * Self.minute)
    #expect(Self.told(host) == ["0 started", "0 started", "30 expired"])
    try host.wait(until: Self.start + 13 * 60 * Self.minute)
    #expect(Self.told(host).suffix(2) == ["60 delayed", "780 expired"] && host.machine.state.trips.isEmpty)
  }

  // MARK: Refusals

  @Test func whatCannotBeIsRefusedAndChangesNothing() throws {
    var host = Self.host()
    try host.go(north(2000), at: Self.start)
    for number in 0..<TripPlan.limit { try Self.begin(&host, Self.plan("t\(number)")) }
    let before = host.machine.stateBytes
    func refused(_ plan: TripPlan) -> InputError? {
      do throws(InputError) { _ = try host.machine.startTrip(plan, at: Self.start) } catch { return error }
      return nil
    }
    guard case .invalid(name: "trip", _, _)? = refused(Self.plan("more")) else {
      Issue.record("one more")
      return
    }
    #expect(refused(Self.plan("t1") { $0.region = Identifier("x") }) == .unknownRegion("x"))
    #expect(refused(Self.plan("t1") { $0.others = [Identifier("y")] }) == .unknownRegion("y"))
    guard case .invalid(name: "expires", _, _)? = refused(Self.plan("t1") { $0.expires = Self.start }) else {
      Issue.record("over")
      return
    }
    #expect(host.machine.stateBytes == before)
    // Another plan for one of them is no more.
    #expect(refused(Self.plan("t1")) == nil)
  }

  // MARK: On the way

  @Test func aStopIsToldOnceUntilItGoesOn() throws {
    var host = Self.host()
    try host.go(north(2900), at: Self.start)
    try Self.begin(&host)
    try Self.walk(&host, from: 2900, to: 2400)
    let stopped = host.time
    for step in 1...20 { try host.go(north(2400), at: stopped + Milliseconds(step) * 30_000) }
    #expect(host.events.filter { $0.kind == .tripStopped }.count == 1)
    let rest = try #require(Self.standing(host))
    #expect(rest.speed > 1.3, "a stop does not slow it")
    #expect(host.machine.state.trips.all[0].isStopped)
    try Self.walk(&host, from: 2400, to: 2000)
    #expect(!host.machine.state.trips.all[0].isStopped)
    let again = host.time
    for step in 1...20 { try host.go(north(2000), at: again + Milliseconds(step) * 30_000) }
    #expect(host.events.filter { $0.kind == .tripStopped }.count == 2)
  }

  static let route = Route([north(2900), north(1500), north(0)])

  @Test func whoLeavesTheRouteIsToldAndMayComeBack() throws {
    var host = Self.host()
    try host.go(north(2900), at: Self.start)
    try Self.begin(&host, Self.plan { $0.route = Self.route })
    try Self.walk(&host, from: 2900, to: 2600)
    let direct = try #require(Self.standing(host)).metres
    #expect(abs(direct - 2500) < 1, "along the route to the edge")
    try Self.walk(&host, from: 2600, to: 2500, east: 300)
    #expect(host.events.filter { $0.kind == .tripOffRoute }.count == 1)
    let beside = try #require(Self.standing(host)).metres
    #expect(abs(beside - (2400 + 1.3 * 300)) < 5, "and back to it")
    try Self.walk(&host, from: 2500, to: 2300)
    #expect(!host.machine.state.trips.all[0].isOffRoute)
    try Self.walk(&host, from: 2300, to: 2200, east: 300)
    #expect(host.events.filter { $0.kind == .tripOffRoute }.count == 2)
  }

  /// Out and back on the same street: what counts is where somebody comes from.
  @Test func aRouteThatComesBackIsFollowed() throws {
    let route = Route([origin, north(1000), origin, place(north: 0, east: -900)])
    var progress: [Double] = []
    var along: Double?
    for metres in stride(from: 0.0, through: 2000, by: 50) {
      let at = metres <= 1000 ? north(metres) : north(2000 - metres)
      let place = try #require(route.place(of: at, expected: along.map { ($0 - 50)...($0 + 175) }))
      along = place.along
      progress.append(place.along - metres)
      #expect(place.beside < 0.01)
    }
    #expect(progress.allSatisfy { abs($0) < 1 }, "\(progress)")
    #expect(abs(route.length - 2900) < 2)
  }

  @Test func aDelayIsSeenBeforeItIsThere() throws {
    var host = Self.host()
    try host.go(north(2900), at: Self.start)
    // 2,800 m and 30 % more take 45 minutes at 1.35 m/s.
    try Self.begin(&host, Self.plan { $0.deadline = Self.start + 30 * Self.minute })
    #expect(Self.told(host) == ["0 started", "0 delayed"])
    let late = try #require(host.events.first { $0.kind == .tripDelayed }?.trip?.delay)
    #expect((14 * Self.minute...16 * Self.minute).contains(late))
    // A new deadline that is far enough is none, until it is over.
    try Self.begin(&host, Self.plan { $0.deadline = Self.start + 60 * Self.minute }, at: Self.start + Self.minute)
    try host.wait(until: Self.start + 60 * Self.minute)
    #expect(Self.told(host).suffix(1) == ["60 delayed"])
    try Self.walk(&host, from: 2900, to: 0, speed: 10)
    let arrived = try #require(host.events.first { $0.kind == .tripArrived })
    #expect(arrived.trip?.delay == arrived.time - Self.start - 60 * Self.minute)
  }

  /// Somebody who is perhaps there is not late yet.
  @Test func aDelayWaitsForACrossingThatIsNotSure() throws {
    var host = TestHost(feed([circle("a", radius: 100)], [])) {
      $0.noise = .exact
      $0.noise.confirmFixes = 3
    }
    try host.go(north(500), at: Self.start)
    try Self.begin(
      &host,
      Self.plan {
        $0.deadline = Self.start + 10 * Self.minute
        $0.approachingMetres = 1
      })
    try host.go(origin, at: Self.start + 9 * Self.minute)
    try host.wait(until: Self.start + 11 * Self.minute)
    #expect(
      Self.told(host) == ["0 started", "9 approaching"]
        && host.machine.nextWakeup.map { $0 > Self.start + 11 * Self.minute } ?? true)
    var sure = host
    for second in 1...3 { try sure.go(origin, at: Self.start + 11 * Self.minute + Milliseconds(second) * 1000) }
    #expect(Self.told(sure) == ["0 started", "9 approaching", "11 arrived"])
    #expect(sure.events.last?.trip?.delay == -Self.minute)
    for second in 1...3 { try host.go(north(500), at: Self.start + 12 * Self.minute + Milliseconds(second) * 1000) }
    #expect(Self.told(host) == ["0 started", "9 approaching", "12 delayed"])
  }

  @Test func theWrongPlaceIsToldOnceForEachVisit() throws {
    var host = Self.host()
    try host.go(north(2000), at: Self.start)
    try Self.begin(&host, Self.plan { $0.others = [Identifier("b")] })
    try Self.walk(&host, from: 2000, to: 3000)
    let wrong = try #require(host.events.first { $0.kind == .tripWrongDestination })
    #expect(wrong.trip?.other == Identifier("b") && wrong.region == Identifier("a") && wrong.ordinal == 1)
    #expect(host.log.contains("show wrong-destination"))
    try Self.walk(&host, from: 3000, to: 2000)
    try Self.walk(&host, from: 2000, to: 3000)
    #expect(host.events.filter { $0.kind == .tripWrongDestination }.count == 2)
  }

  // MARK: What else happens

  /// The way through a region between two fixes is no arrival.
  @Test func aPassageIsNoArrival() throws {
    var host = TestHost(
      feed(
        [circle("a", radius: 100)], [notification("p", .enter, repeatRule: .always).with { $0.countsPassages = true }])
    ) { $0.noise = .exact }
    try host.go(north(400), at: Self.start)
    try Self.begin(&host)
    try host.go(north(-400), at: Self.start + Self.minute)
    #expect(host.events.map(\.kind).prefix(4) == [.tripStarted, .tripApproaching, .regionEnter, .regionExit])
    #expect(host.machine.state.trips.all.count == 1)
  }

  /// A destination that is known in several ways is reached when the first of them says so.
  @Test func aGroupIsReachedByItsBeacon() throws {
    let group = Region(
      id: Identifier("shop"), name: nil, shape: .group(Group(members: [Identifier("a"), Identifier("door")])))
    var host = TestHost(
      feed([circle("a", radius: 100), beacon("door", minor: 2), group], [notification("x", .trip(.arrived), at: [2])])
    ) { $0.noise = .exact }
    try host.go(north(500), at: Self.start)
    try Self.begin(&host, Self.plan { $0.region = Identifier("shop") })
    try Self.begin(
      &host,
      Self.plan("u") {
        ($0.region, $0.others) = (Identifier("a"), [Identifier("shop")])
      })
    let sender = Sighting.Sender.iBeacon(proximityUUID: beaconUUID, majorId: 1, minorId: 2)
    for second in Int64(1)...3 {
      try host.play(
        host.machine.update(
          Sighting(time: Self.start + Self.minute + second * 1000, sender: sender, proximity: .near)))
    }
    #expect(Set(Self.told(host)).isSuperset(of: ["1 arrived", "1 wrong-destination"]), "\(Self.told(host))")
    #expect(host.log.contains("show x") && host.machine.state.trips.all.map(\.id) == [Identifier("u")])
  }

  @Test func nothingIsFollowedWhileDisabledAndTimesGoOn() throws {
    var host = Self.host()
    try host.go(north(2000), at: Self.start)
    try Self.begin(&host, Self.plan { $0.expires = Self.start + 30 * Self.minute })
    try host.play(host.machine.setEnabled(false, at: Self.start + Self.minute))
    #expect(Self.standing(host) == nil)
    try host.go(origin, at: Self.start + 2 * Self.minute)
    try host.wait(until: Self.start + 30 * Self.minute)
    #expect(Self.told(host) == ["0 started", "30 expired"])
  }

  @Test func aFeedWithoutTheRegionLetsItWait() throws {
    var host = Self.host()
    try host.go(north(2000), at: Self.start)
    try Self.begin(&host)
    try host.set(feed([circle("b", north(3000), radius: 100)], []), at: Self.start + Self.minute)
    #expect(Self.standing(host) == nil && host.machine.state.trips.all.count == 1)
    try host.set(feed([circle("a", radius: 100)], []), at: Self.start + 2 * Self.minute)
    try host.go(origin, at: Self.start + 3 * Self.minute)
    #expect(Self.told(host) == ["0 started", "3 arrived"])
  }

  @Test func whenThePersonIsForgottenTripsAre() throws {
    var host = Self.host()
    try Self.begin(&host)
    try host.play(host.machine.clearAllData(at: Self.start + Self.minute))
    #expect(host.machine.state.trips.isEmpty && host.machine.nextWakeup == nil)
  }

  @Test func theClockMovesTheBeginningAndNotTheDeadline() throws {
    var host = Self.host()
    try host.play(host.machine.setClock(ClockReading(wall: Self.start, monotonic: 0, boot: "1")))
    try Self.begin(&host, Self.plan { $0.deadline = Self.start + 60 * Self.minute })
    try host.play(
      host.machine.setClock(ClockReading(wall: Self.start + 20 * Self.minute, monotonic: Self.minute, boot: "1")))
    let trip = try #require(host.machine.state.trips.find(Identifier("t")))
    #expect(trip.started == Self.start + 19 * Self.minute && trip.plan.deadline == Self.start + 60 * Self.minute)
  }

  /// Nothing of a trip is lost with the process, whatever is read: state bytes, or a store's page and changes.
  @Test(arguments: [3, 11, 29, 60, 90]) func aTripSurvivesTheProcess(_ cut: Int) throws {
    func life(cutAt cut: Int?) throws -> [String] {
      var host = Self.host(evidence: true)
      try host.go(north(2900), at: Self.start)
      try Self.begin(
        &host,
        Self.plan {
          ($0.route, $0.deadline) = (Self.route, Self.start + 25 * Self.minute)
          $0.metadata = [Identifier("order"): .string("7"), Identifier("big"): .boolean(true)]
        })
      var (time, count) = (Self.start, 0)
      for (from, to, east) in [
        (2900.0, 2400.0, 0.0), (2400, 2300, 300), (2300, 2300, 300), (2300, 1500, 0), (1500, 0, 0),
      ] {
        for step in 1...20 {
          time += 30_000
          try host.go(
            place(north: from + (to - from) * Double(step) / 20, east: east), at: time)
          count += 1
          if count == cut {
            let bytes = try StateBytes(StateBytes.wrap(host.machine.stateBytes, events: [], digest: ""))
            let restored = try #require(Machine.restored(from: bytes, listsChanges: true) { _ in nil })
            var changed = State()
            for case .trips(let change) in restored.changes { changed.trips.apply(change) }
            #expect(changed.trips.all == host.machine.state.trips.all)
            let page = host.machine.page
            let machine = Machine(restored, feed: host.machine.feed, settings: host.machine.settings)
            #expect(machine.stateBytes == host.machine.stateBytes && machine.page.bytes == page.bytes)
            host.machine = machine
          }
        }
      }
      return Self.told(host) + host.events.compactMap { $0.trip?.metres.map { "\($0)" } }
    }
    let whole = try life(cutAt: nil)
    #expect(
      Set(whole.prefix(12).compactMap { $0.split(separator: " ").last }).isSuperset(of: [
        "started", "delayed", "arrived",
      ]))
    #expect(try life(cutAt: cut) == whole)
  }

  /// A recording that is shared goes on elsewhere.
  @Test func aPageElsewhereKnowsHowFarTripsHaveCome() throws {
    var host = Self.host()
    try host.go(north(2000), at: Self.start)
    try Self.begin(&host, Self.plan { $0.route = Self.route })
    let page = try #require(Machine.page(host.machine.page) { $0 + 10 })
    let machine = Machine(
      state: host.machine.state, feed: host.machine.feed, settings: host.machine.settings, page: page)
    let (here, there) = (host.machine.state.trips, machine.state.trips)
    let id = Identifier("t")
    #expect(
      there.progress(of: id)?.along == here.progress(of: id)?.along && there.progress(of: id) != here.progress(of: id))
    #expect(there.progress(of: id).map { abs($0.rest.longitude - origin.longitude - 10) < 1e-9 } == true)
  }

  /// A trip of another state is not taken for one of this.
  @Test func aPageOfTripsThatAreOverIsTaken() throws {
    var host = Self.host()
    try host.go(north(2000), at: Self.start)
    try Self.begin(&host)
    let page = host.machine.page
    var state = host.machine.state
    state.trips.apply(.ended(Identifier("t")))
    let machine = Machine(state: state, feed: host.machine.feed, settings: host.machine.settings, page: page)
    #expect(machine.lastFix != nil && !machine.state.trips.hasProgress)
  }
}
