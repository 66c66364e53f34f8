import PlotTesting
import Testing

@testable import PlotCore
@testable import PlotStore

@Suite struct ClearTests {
  @Test func everyTableIsClearedOrKept() throws {
    let folder = try Folder()
    let store = try Store(path: folder.path())
    defer { store.close() }
    var tables: [String] = []
    try store.database.run("SELECT name FROM sqlite_schema WHERE type = 'table'") { tables.append($0[0].text ?? "") }
    #expect(tables.count > 30)
    let owned = OwnedTables.all.flatMap { $0.tables + $0.lastingTables }
    #expect(tables.sorted() == owned.sorted())
    for time in OwnedTables.all.flatMap(\.times) {
      #expect(owned.contains(time.table))
      var columns: [String] = []
      try store.database.run("SELECT name FROM pragma_table_info('\(time.table)')") { columns.append($0[0].text ?? "") }
      #expect(columns.contains(time.column) && columns.contains(time.otherwise ?? time.column), "\(time)")
    }
  }

  /// Each single number has one owner, and each time among them is one of them.
  @Test func everyNumberHasAnOwner() throws {
    let owned = OwnedTables.all.flatMap { $0.numbers + $0.lastingNumbers }
    #expect(Set(owned).count == owned.count)
    #expect(Set(owned).isSuperset(of: OwnedTables.all.flatMap(\.numberTimes)))
    // All that a life writes.
    let folder = try Folder()
    var device = try Device(path: folder.path())
    defer { device.store.close() }
    var life = RandomLife(seed: 3, hasRadio: true)
    try device.take(device.machine.setFeed(life.feed(), at: life.time))
    for _ in 0..<200 { try life.step(&device) }
    _ = try device.store.load()
    var keys: [String] = []
    try device.store.database.run("SELECT key FROM setting") { keys.append($0[0].text ?? "") }
    #expect(keys.count > 6 && Set(keys).isSubset(of: owned), "\(keys)")
  }

  /// The table of settings holds the facts that the machine keeps.
  @Test func whatIsReadBackIsWhatTheMachineKept() throws {
    let folder = try Folder()
    let store = try Store(path: folder.path())
    var machine = Machine(state: State(), feed: .empty)
    var changes = machine.begin(enabled: false, at: 5).changes
    changes += machine.setCooldownPeriod(9000, at: 6).changes + machine.setForeground(false, at: 7).changes
    changes += machine.setNetwork(false, at: 8).changes
    changes += try machine.setClock(ClockReading(wall: 9, monotonic: 4, boot: "b")).changes
    changes += machine.setProperty(Identifier("p"), .string("v"), at: 10).changes
    machine.state.sequence = 17
    machine.state.delivery = Delivery(lastToken: 18)
    try store.commit(changes, of: machine.state, outbox: [], delivered: 0)
    let output = machine.clearAllData(at: 11)
    var isCleared = false
    try store.clear(output.changes, of: machine.state, delivered: 17, isCleared: &isCleared)
    #expect(isCleared)
    store.close()
    let loaded = try Store(path: folder.path()).load()
    #expect(!loaded.isNew && loaded.feed == nil && loaded.outbox.isEmpty)
    #expect(dump(loaded.state, lasting: true) == dump(machine.state, lasting: true))
    #expect(
      loaded.state.sequence == 17 && loaded.state.delivery.lastToken == 18 && loaded.state.host.clock?.boot == "b")
    #expect(!loaded.state.host.isEnabled && loaded.state.host.cooldownPeriod == 9000 && loaded.state.newest == 11)
  }
}
