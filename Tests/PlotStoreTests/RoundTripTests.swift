import Foundation
import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// Changes that are written are there again.
@Suite struct RoundTripTests {
  @Test func aNewStoreIsEmpty() throws {
    let folder = try Folder()
    let store = try Store(path: folder.path())
    let contents = try store.load()
    #expect(contents.isNew && contents.feed == nil && contents.outbox.isEmpty)
    #expect(dump(contents.state, lasting: true) == dump(State(), lasting: true))
    store.close()
    #expect(try Store(path: folder.path()).load().isNew, "until an engine has started on it")
  }

  /// After every one of many random inputs, and after opening again, the store holds what the machine knows.
  @Test(arguments: UInt64(0)..<12)
  func everythingIsReadBack(_ seed: UInt64) throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    var life = RandomLife(seed: seed, hasRadio: seed % 2 == 0)
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    for step in 0..<320 {
      try life.step(&device)
      if step % 20 == 0 { try device.reopen() }
      if step % 5 == 0 { try device.check("seed \(seed), step \(step)") }
    }
    let state = device.machine.state
    let (events, shown) = (state.sequence, state.history.lastShown.count)
    #expect(events >= 40 && shown >= 2, "\(events) events, \(shown) shown")
    device.store.close()
  }

  /// A machine that is made from what the store holds goes on as the old one would have.
  @Test func aRestartChangesNothing() throws {
    var witnesses = Witnesses()
    for seed in UInt64(100)..<106 { try Self.aRestartChangesNothing(seed, &witnesses) }
    #expect(
      witnesses.below([
        "region-enter": 185, "region-exit": 185, "notification-shown": 25, "geotrigger": 45,
        "asked": 110,
      ]) == [])
  }

  private static func aRestartChangesNothing(_ seed: UInt64, _ witnesses: inout Witnesses) throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    var life = RandomLife(seed: seed)
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    for _ in 0..<100 { try life.step(&device) }
    try device.settle()
    let contents = try device.store.load()
    var copy = Machine(state: contents.state, feed: contents.feed ?? .empty)
    copy.settings = device.machine.settings
    #expect(copy.nextWakeup == device.machine.nextWakeup)
    // Two hosts that answer everything, batches too.
    var hosts = [TestHost(device.machine), TestHost(copy)]
    for index in hosts.indices { hosts[index].answer = \.all }
    var time = life.time
    for _ in 0..<60 {
      time += Int64.random(in: 1...200_000, using: &life.generator)
      let place = Coordinate(
        latitude: 52.36 + Double.random(in: -0.006...0.006, using: &life.generator), longitude: 4.885)
      for index in hosts.indices { try hosts[index].go(place, at: time) }
      #expect(hosts[0].machine.state.delivery.intents == hosts[1].machine.state.delivery.intents)
    }
    #expect("\(hosts[0].effects)" == "\(hosts[1].effects)", "seed \(seed)")
    for event in hosts[0].events { witnesses.see(event.kind.rawValue) }
    witnesses.see("asked", hosts[0].log.count { $0.hasPrefix("ask ") })
    #expect(dump(hosts[1].machine.state, lasting: true) == dump(hosts[0].machine.state, lasting: true))
  }

  @Test func settingsOfAllExtremes() throws {
    let folder = try Folder()
    var state = State()
    state.newest = Timestamp.range.upperBound
    state.sequence = 1 << 61
    state.delivery = Delivery(lastToken: 1 << 40)
    state.host.apply(.cooldownPeriod(31_536_000_000))
    state.host.apply(.enabled(false))
    let changes: [Change] = [
      .host(.enabled(false)), .host(.cooldownPeriod(31_536_000_000)), .presence(.baseline(true)),
      .presence(.newRegions([Identifier("b"), Identifier("caf\u{e9}"), Identifier("cafe\u{301}")])),
      .presence(.ordinal(Identifier("a"), 1 << 62)), .host(.property(Identifier("é'\""), .string("\u{1}\n'"))),
      .host(.property(Identifier("z"), .double(-0.0))),
      .host(.property(Identifier("n"), .double(.leastNonzeroMagnitude))),
    ]
    for case .presence(let change) in changes { state.presence.apply(change) }
    for (key, value): (String, PropertyValue) in [
      ("é'\"", .string("\u{1}\n'")), ("z", .double(-0.0)), ("n", .double(.leastNonzeroMagnitude)),
    ] {
      state.host.apply(.property(Identifier(key), value))
    }
    let store = try Store(path: folder.path())
    try store.commit(changes, of: state, outbox: [], delivered: 0)
    #expect(try dump(store.load().state, lasting: true) == dump(state, lasting: true))
    store.close()
    let contents = try Store(path: folder.path()).load()
    #expect(dump(contents.state, lasting: true) == dump(state, lasting: true))
    #expect(!contents.isNew)
  }

  @Test func deliveredEventsAreDoneWith() throws {
    let folder = try Folder()
    let store = try Store(path: folder.path())
    var state = State()
    let entries = (1...5).map { OutboxEntry(sequence: $0, json: "{\"n\":\($0)}", item: nil) }
    state.sequence = 5
    try store.commit([], of: state, outbox: entries, delivered: 0)
    #expect(try store.load().outbox.map(\.sequence) == [1, 2, 3, 4, 5])
    #expect(try store.load().outbox.map(\.json) == entries.map(\.json))
    try store.commit([], of: state, outbox: [], delivered: 3)
    #expect(try store.load().outbox.map(\.sequence) == [4, 5])
    try store.commit([], of: state, outbox: [], delivered: 5)
    #expect(try store.load().outbox.isEmpty)
  }

  @Test func theSentListsHoldTheLastHundred() throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    let text =
      #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":1,"longitude":1}],"campaigns":["#
      + #"{"id":"n","type":"notification","message":"m","regions":["a"],"resend":true},"#
      + #"{"id":"g","type":"geotrigger","name":"g","regions":["a"],"resend":true}]}"#
    device.machine.settings.hasFilter = false
    device.machine.settings.hasGeotriggerHandler = false
    try device.take(device.machine.setFeed(Feed.parse(text), at: 0))
    for number in Int64(0)..<105 {
      for latitude in [1.0, 2.0] {
        let place = Coordinate(latitude: latitude, longitude: 1)
        try device.take(device.machine.update(Fix(time: number * 10 + Int64(latitude), coordinate: place)))
        while let match = device.machine.state.delivery.intents.first?.matchIdentifier {
          try device.take(device.machine.confirm(match, shown: true))
        }
      }
    }
    #expect(
      device.machine.state.history.sentNotifications.count == 100
        && device.machine.state.history.sentGeotriggers.count == 100)
    try device.check("after 105 visits")
    try device.reopen()
    try device.check("after opening again")
  }

  // MARK: All or nothing

  /// Changes of every kind, while the log's name is taken.
  @Test func aCommitIsAllOrNothing() throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    var life = RandomLife(seed: 7)
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    for _ in 0..<80 { try life.step(&device) }
    try device.reopen()
    let before = try device.store.load()
    let wall = folder.path("store.db-log")
    try FileManager.default.createDirectory(atPath: wall, withIntermediateDirectories: false)
    var item = Item(
      kind: .notification(.regular), campaign: Identifier("c"), region: Identifier("r"), regionName: nil,
      matchIdentifier: "match", visit: "v", message: "m", data: "", coordinate: nil, trigger: .enter, matchRange: 1)
    item.sent = Item.Sent(date: 1, answered: nil)
    let batch = Batch(token: 1 << 50, isGeotrigger: false, items: [item], deadline: 5)
    let changes: [Change] = [
      .host(.enabled(!before.state.host.isEnabled)), .host(.cooldownPeriod(123_000)),
      .presence(.baseline(!before.state.presence.hasBaseline)),
      .presence(.newRegions([Identifier("new")])),
      .presence(.visit(Visit(region: Identifier("v"), ordinal: 1, entered: 1, isSilent: true))),
      .presence(.ordinal(Identifier("v"), 77)), .host(.property(Identifier("q"), .integer(1))),
      .history(.shown(item.key, 5, beginsCooldown: true)),
      .history(.sent(item)), .delivery(.batch(batch)), .delivery(.intent(item)), .feed(.empty),
      .history(.sentCleared(isGeotrigger: true)),
      .host(.advertising(Advertising(identifier: "i", limitsTracking: false))),
    ]
    var state = device.machine.state
    state.newest += 1
    state.sequence += 10
    let entry = OutboxEntry(sequence: state.sequence, json: "{}", item: nil)
    let error = #expect(throws: StoreError.self) {
      try device.store.commit(changes, of: state, outbox: [entry], delivered: 0)
    }
    #expect(error == StoreError(kind: .failed, message: "\(wall): Is a directory"))
    #expect(throws: StoreError.self) { try Store(path: folder.path()) }
    try FileManager.default.removeItem(atPath: wall)
    for reopened in [false, true] {
      if reopened { try device.reopen() }
      let after = try device.store.load()
      #expect(dump(after.state, lasting: true) == dump(before.state, lasting: true), "reopened: \(reopened)")
      #expect(after.outbox.map(\.json) == before.outbox.map(\.json))
      #expect(after.feed?.digest == before.feed?.digest)
    }
    // The store goes on after that.
    try device.store.commit(changes, of: state, outbox: [entry], delivered: 0)
    #expect(try device.store.load().state.host.cooldownPeriod == 123_000)
  }

  /// Of a transaction that is too long for the log, and so is written to the tables at once.
  @Test func aFaultInTheMiddleOfTheChangesLeavesNothing() throws {
    let folder = try Folder()
    let store = try Store(path: folder.path())
    let item = Item(
      kind: .notification(.regular), campaign: Identifier("c"), region: Identifier("r"), regionName: nil,
      matchIdentifier: "match", visit: "v", message: String(repeating: "m", count: Store.longLine), data: "",
      coordinate: nil, trigger: .enter, matchRange: 1)
    let changes: [Change] = [.host(.enabled(true)), .delivery(.intent(item)), .host(.cooldownPeriod(5))]
    try store.database.execute(
      "CREATE TEMP TRIGGER fault BEFORE INSERT ON intent BEGIN SELECT RAISE(ABORT, 'no'); END")
    #expect(throws: StoreError.self) { try store.commit(changes, of: State(), outbox: [], delivered: 0) }
    let contents = try store.load()
    #expect(
      contents.isNew && contents.state.delivery.intents.isEmpty
        && dump(contents.state, lasting: true) == dump(State(), lasting: true))
    try store.database.execute("DROP TRIGGER fault")
    try store.commit(changes, of: State(), outbox: [], delivered: 0)
    #expect(try store.load().state.delivery.intents == [item])
  }

  // MARK: No writing without a change

  @Test func openingReadingAndClosingWritesNothing() throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    var life = RandomLife(seed: 9)
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    for _ in 0..<60 { try life.step(&device) }
    device.store.close()
    let before = try folder.contents()
    #expect(before.keys.sorted() == ["store.db", "store.db-feed", "store.db-page"], "a closed store has no log")
    let store = try Store(path: folder.path())
    _ = try store.load()
    #expect(try folder.contents()["store.db"] == before["store.db"])
    store.close()
    #expect(try folder.contents() == before)
  }

  @Test func anInputThatChangesNothingWritesNothing() throws {
    let folder = try Folder()
    var device = try Device(path: folder.path())
    let text =
      #"{"version":1,"regions":[{"id":"a","type":"geofence","latitude":1,"longitude":1}],"campaigns":[]}"#
    let feed = try Feed.parse(text)
    try device.take(device.machine.setFeed(feed, at: 1))
    let (inside, outside) = (Coordinate(latitude: 1, longitude: 1), Coordinate(latitude: 2, longitude: 1))
    try device.take(device.machine.update(Fix(time: 2, coordinate: inside)))
    func files() throws -> [String: Data] { try folder.contents().filter { !$0.key.hasSuffix("-page") } }
    let before = try files()
    for time in Int64(3)..<50 {
      try device.take(device.machine.update(Fix(time: time, coordinate: inside)))
      try device.take(device.machine.advance(to: time))
      try device.take(device.machine.setEnabled(true, at: time))
      try device.take(device.machine.setFeed(feed, at: time))
      try device.take(device.machine.setCooldownPeriod(0, at: time))
    }
    #expect(try files() == before, "neither the file nor its log")
    try device.take(device.machine.update(Fix(time: 60, coordinate: outside)))
    #expect(try files() != before, "a change is on the disk at once")
    device.store.close()
  }
}
