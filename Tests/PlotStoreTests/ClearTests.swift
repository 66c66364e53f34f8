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
    #expect(tables.sorted() == (Statement.clearedTables + Statement.keptTables).sorted())
  }

  /// What stays in the table of settings is what the machine keeps.
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
