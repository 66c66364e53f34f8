import PlotTesting
import Testing

@testable import PlotCore

/// Visits: first fixes, noise, new feeds, disabling.
@Suite struct PresenceTests {
  static let away = north(5000)

  @Test func insideAtTheFirstFix() throws {
    let campaigns = [
      notification("enter"), notification("exit", .exit), notification("dwell", .dwelling(minutes: 5)),
    ]
    var silent = machine([circle("a")], campaigns) { $0.initial = .none }
    #expect(try silent.fixShowing(0, origin).names == ["region-inside a"])
    #expect(silent.state.presence.visits.first?.isSilent == true && silent.nextWakeup == nil)
    #expect(silent.advance(to: 3_600_000).effects.isEmpty, "no dwelling either")
    #expect(try silent.fixShowing(4_000_000, Self.away).names == ["region-exit a", "notification-shown exit"])
    #expect(try silent.fixShowing(5_000_000, origin).names == ["region-enter a", "notification-shown enter"])
    var loud = machine([circle("a")], campaigns)
    #expect(try loud.fixShowing(0, origin).names == ["region-enter a", "notification-shown enter"])
    #expect(loud.advance(to: 300_000).events.names == ["region-dwell a"])
  }

  @Test func theEventHasTheFixAndTheOrdinal() throws {
    var machine = machine([circle("a")], [])
    let enter = try #require(try machine.fix(7, north(100)).events.first)
    #expect(enter.coordinate == north(100) && enter.ordinal == 1 && enter.time == 7 && enter.item == nil)
    let exit = try #require(try machine.fix(8, Self.away).events.first)
    #expect(exit.coordinate == Self.away && exit.ordinal == 1 && exit.visit == enter.visit)
    let again = try #require(try machine.fix(9, origin).events.first)
    #expect(again.ordinal == 2 && again.visit != enter.visit)
  }

  @Test func exitsComeFirstAndAllAreSortedById() throws {
    let east = north(10_000)
    let regions = ["m", "B", "é", "a"].map { circle($0) } + ["z", "C", "b"].map { circle($0, east) }
    var machine = machine(regions, [notification("exit", .exit, at: [0]), notification("enter", at: [4])])
    #expect(try machine.fix(0, origin).events.names == ["B", "a", "m", "é"].map { "region-enter \($0)" })
    let output = try machine.fix(1, east)
    let names = ["B", "a", "m", "é"].map { "region-exit \($0)" } + ["C", "b", "z"].map { "region-enter \($0)" }
    #expect(output.events.names == names)
    #expect(output.shows.map(\.campaign.text) == ["exit", "enter"])
  }

  @Test func dwellingIsToldOncePerVisitAndLength() throws {
    let campaigns = [
      notification("ten", .dwelling(minutes: 10), repeatRule: .always),
      notification("five", .dwelling(minutes: 5), repeatRule: .always),
      geotrigger("five too", .dwelling(minutes: 5), repeatRule: .always),
    ]
    var machine = machine([circle("a")], campaigns)
    _ = try machine.fix(1000, origin)
    #expect(machine.nextWakeup == 301_000)
    #expect(machine.advance(to: 300_999).effects.isEmpty)
    let five = machine.advance(to: 301_000)
    #expect(five.events.names == ["region-dwell a", "geotrigger five too"])
    #expect(five.events.first?.dwellingMinutes == 5)
    #expect(five.shows.map(\.campaign.text) == ["five"])
    #expect(machine.nextWakeup == 601_000)
    let ten = try machine.fix(900_000, origin)
    #expect(ten.events.names == ["region-dwell a"] && ten.events.first?.time == 601_000)
    #expect(machine.state.presence.visits.first?.dwelt == [5, 10] && machine.nextWakeup == nil)
    // A new visit begins anew; one that ends in time has no dwelling; at the very moment it has.
    _ = try machine.fix(1_000_000, Self.away)
    _ = try machine.fix(2_000_000, origin)
    #expect(try machine.fix(2_299_999, Self.away).events.names == ["region-exit a"])
    _ = try machine.fix(3_000_000, origin)
    #expect(try machine.fix(3_300_000, Self.away).events.names.prefix(2) == ["region-dwell a", "geotrigger five too"])
  }

  /// A new feed may ask for lengths that a visit has passed already: they are told at the next input, shortest first.
  @Test func lengthsThatHavePassedAreToldAtTheNextInput() throws {
    var machine = machine([circle("a")], [])
    _ = try machine.fix(0, origin)
    let campaigns = [10, 30, 5].map { geotrigger("g\($0)", .dwelling(minutes: $0)) }
    #expect(machine.setFeed(feed([circle("a")], campaigns), at: 1_200_000).events.isEmpty)
    let output = try machine.fix(1_300_000, origin)
    #expect(output.events.compactMap(\.dwellingMinutes) == [5, 10])
    #expect(output.events.names == ["region-dwell a", "region-dwell a", "geotrigger g5", "geotrigger g10"])
    #expect(machine.nextWakeup == 1_800_000)
  }

  @Test func inaccurateFixesDecideNothing() throws {
    var machine = machine([circle("a", radius: 50)], []) { $0.noise = .gates }
    _ = try machine.fix(0, Self.away)
    let held = try machine.fix(1, origin, accuracy: 101)
    #expect(held.events.isEmpty)
    #expect(held.decisions.map(\.reason) == [.accuracy])
    #expect(held.decisions.map(\.verdict) == [.hold] && held.decisions[0].visit == nil)
    #expect(try machine.fix(2, origin, accuracy: 100).events.names == ["region-enter a"])
    let margin = try machine.fix(3, north(60), accuracy: 5)
    #expect(margin.events.isEmpty && margin.decisions.map(\.reason) == [.hysteresis])
    #expect(margin.decisions[0].visit == machine.state.presence.visits[0].id)
    #expect(try machine.fix(4, Self.away, accuracy: 200).decisions.map(\.reason) == [.accuracy])
    #expect(try machine.fix(5, north(80), accuracy: 5).events.names == ["region-exit a"])
  }

  @Test func disablingEndsVisitsInSilence() throws {
    var machine = machine([circle("a")], [notification("exit", .exit), notification("dwell", .dwelling(minutes: 5))]) {
      $0.initial = .none
    }
    _ = try machine.fix(0, Self.away)
    _ = try machine.fix(1, origin)
    let output = machine.setEnabled(false, at: 2)
    #expect(output.events.isEmpty && output.decisions.map(\.reason) == [.disabled])
    #expect(machine.state.presence.visits.isEmpty && machine.nextWakeup == nil && !machine.state.host.isEnabled)
    #expect(try machine.fix(3, Self.away).effects.isEmpty)
    #expect(try machine.fix(4, origin).changes.isEmpty, "fixes are taken and ignored")
    #expect(machine.setEnabled(false, at: 5).changes.isEmpty)
    _ = machine.setEnabled(true, at: 6)
    #expect(try machine.fix(7, origin).events.names == ["region-inside a"], "a first fix again")
  }

  @Test func aNewFeedKeepsVisitsToUnchangedRegions() throws {
    var machine = machine([circle("a"), circle("b"), circle("c")], []) { $0.initial = .none }
    _ = try machine.fix(0, Self.away)
    _ = try machine.fix(1, origin)
    let kept = machine.state.presence.visits[0]
    let far = circle("b", Self.away)
    let next = feed([circle("new"), far, circle("a")], [notification("n", .exit, at: [0, 1, 2])])
    let output = machine.setFeed(next, at: 2)
    #expect(output.events.isEmpty)
    #expect(output.decisions.map(\.endsVisit) == [true, true])
    #expect(output.decisions.map(\.region) == [Identifier("b"), Identifier("c")])
    #expect(machine.state.presence.visits == [kept])
    #expect(machine.state.presence.newRegions == [Identifier("new"), Identifier("b")])
    let met = try machine.fix(3, origin)
    #expect(met.events.names == ["region-inside new"], "met anew, as at a first fix")
    #expect(met.events.map(\.ordinal) == [1])
    #expect(machine.state.presence.newRegions.isEmpty)
    let left = try machine.fix(4, Self.away)
    #expect(left.events.names == ["region-exit a", "region-exit new", "region-enter b"])
    #expect(left.events.last?.ordinal == 2 && left.shows.count == 2)
  }

  /// Whoever is still inside of a region that was edited goes on with his visit.
  @Test func anEditedRegionKeepsItsVisit() throws {
    let dwelling = notification("d", .dwelling(minutes: 5))
    var machine = machine([circle("a", radius: 100)], [dwelling]) {
      $0.initial = .enter
      $0.noise = .exact
    }
    _ = try machine.fix(0, north(40))
    let visit = machine.state.presence.visits[0]
    for (radius, minute) in [(250.0, 1), (41.0, 2), (300.0, 3)] as [(Double, Int64)] {
      let edited = machine.setFeed(feed([circle("a", radius: radius)], [dwelling]), at: minute * 60_000)
      #expect(edited.events.isEmpty && edited.decisions.isEmpty, "\(radius)")
      #expect(machine.state.presence.visits == [visit] && machine.state.presence.newRegions.isEmpty)
      #expect(try machine.fix(minute * 60_000 + 1, north(40)).events.isEmpty)
    }
    let dwelt = machine.advance(to: 300_000)
    #expect(dwelt.events.names == ["region-dwell a"] && dwelt.shows.count == 1)
    #expect(dwelt.events.first?.visit == visit.id)
    let cut = machine.setFeed(feed([circle("a", radius: 39)], [dwelling]), at: 310_000)
    #expect(cut.events.isEmpty && cut.decisions.map(\.endsVisit) == [true])
    #expect(machine.state.presence.visits.isEmpty)
  }

  /// After a restart nothing says where the device is: the next fix does, and its exit is one like any other.
  @Test func withoutAFixTheNextOneSays() throws {
    var machine = machine([circle("a", radius: 100)], [notification("e", .exit)]) {
      $0.initial = .enter
      $0.noise = .exact
    }
    _ = try machine.fix(0, north(40))
    var other = Machine(state: machine.state, feed: machine.feed, settings: machine.settings)
    let edited = other.setFeed(feed([circle("a", radius: 30)], [notification("e", .exit)]), at: 1)
    #expect(edited.decisions.isEmpty && other.state.presence.visits.count == 1)
    let left = try other.fix(2, north(40))
    #expect(left.events.names == ["region-exit a"] && left.shows.count == 1)
  }

  @Test func ordinalsOutliveTheirRegion() throws {
    var machine = machine([circle("a")], [])
    let visit = try machine.fix(0, origin).events.map(\.visit)
    let there = machine.feed
    _ = machine.setFeed(.empty, at: 0)
    _ = machine.setFeed(there, at: 0)
    let again = try machine.fix(0, origin).events
    #expect(again.map(\.ordinal) == [2])
    #expect(again.map(\.visit) != visit, "another visit, even at the same moment")
  }

  @Test func aRegionThatIsNotMetAtOnceIsEnteredLater() throws {
    var machine = machine([circle("a")], []) { $0.initial = .none }
    _ = try machine.fix(0, Self.away)
    _ = machine.setFeed(feed([circle("b")], []), at: 1)
    #expect(try machine.fix(2, Self.away).events.isEmpty)
    #expect(try machine.fix(3, origin).events.names == ["region-enter b"])
  }

  @Test func beaconsAreNeverEntered() throws {
    var machine = machine([beacon("a")], [notification("c")])
    #expect(try machine.fix(0, Coordinate(latitude: 0, longitude: 0)).events.isEmpty)
    #expect(machine.loaded(geotriggers: false, limit: 0).map(\.identifier) == ["c;a"])
  }

  @Test func refusedFixesChangeNothing() throws {
    var machine = machine([circle("a")], [notification("c", .dwelling(minutes: 5))])
    _ = try machine.fix(5000, origin)
    let before = dump(machine)
    for (name, fix) in NoisePolicyTests.bad {
      var fix = fix
      fix.time = 9_000_000
      let error = #expect(throws: InputError.self) { try machine.update(fix) }
      #expect(error == fix.fault, "\(name)")
    }
    #expect(throws: InputError.outOfOrder(newest: 5000, limit: nil)) { try machine.fix(4999, Self.away) }
    #expect(throws: InputError.unknownMatch("x")) { try machine.confirm("x", shown: true) }
    #expect(throws: InputError.unknownMatch("x")) { try machine.open("x", at: 9_000_000) }
    #expect(dump(machine) == before)
    #expect(try machine.fix(5000, Self.away).events.count == 1, "the same time is in order")
  }

  @Test func otherInputsOfThePastCountAsOfTheNewestTime() throws {
    var machine = machine([circle("a")], [])
    _ = try machine.fix(5000, origin)
    let before = dump(machine)
    #expect(machine.advance(to: 100).effects.isEmpty)
    #expect(dump(machine) == before)
    _ = machine.setEnabled(false, at: 100)
    #expect(machine.state.newest == 5000)
  }

  @Test func whatChangesNothingHasNoChanges() throws {
    var machine = machine([circle("a")], [notification("c")])
    _ = try machine.fixShowing(0, origin)
    _ = machine.setProperty(Identifier("p"), .integer(1), at: 0)
    #expect(try machine.fix(1, north(10)).changes.isEmpty)
    #expect(machine.advance(to: 2).changes.isEmpty)
    #expect(machine.setEnabled(true, at: 3).changes.isEmpty)
    #expect(machine.setCooldownPeriod(0, at: 4).changes.isEmpty)
    #expect(machine.setProperty(Identifier("p"), .integer(1), at: 5).changes.isEmpty)
    #expect(machine.setProperty(Identifier("q"), nil, at: 6).changes.isEmpty)
    #expect(machine.setFeed(machine.feed, at: 7).changes.isEmpty)
    #expect(machine.clearSent(isGeotrigger: true, at: 8).changes.isEmpty)
    #expect(machine.recover(at: 9).changes.isEmpty)
  }

  @Test func anEventKnowsWhereItsRegionStandsInAnyFeed() throws {
    let (here, there) = (circle("here"), circle("there", north(5000)))
    let first = machine([here, there], [])
    var walker = first
    _ = try walker.update(Fix(time: 1000, coordinate: north(2500)))
    let output = try walker.update(Fix(time: 61_000, coordinate: north(5000)))
    var positions: [[Int?]] = []
    for case .event(let event) in output.effects {
      #expect(event.place == 1)
      let feeds = [first.feed, machine([there, here], []).feed, machine([there], []).feed, machine([here], []).feed]
      positions.append(feeds.map { event.position(in: $0) })
    }
    #expect(positions == [[1, 0, 0, nil]])
  }
}

extension Decision {
  /// The vectors have the reason.
  fileprivate var endsVisit: Bool { Reason.endsVisit.contains(reason) }
}
