import CSQLite
import Foundation
import Glibc
import PlotTesting
import Synchronization
import Testing

@testable import PlotCore
@testable import PlotDocuments
@testable import PlotStore

/// A connection of the test's own, past the store's.
final class RawConnection {
  private var connection: OpaquePointer?

  init(_ path: String) throws {
    try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK)
  }

  deinit { sqlite3_close_v2(connection) }

  func execute(_ sql: String) throws {
    try #require(
      sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(connection)))")
  }

  /// The integer that a statement gives.
  func integer(_ sql: String) throws -> Int64 {
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    try #require(sqlite3_step(statement) == SQLITE_ROW)
    return sqlite3_column_int64(statement, 0)
  }

  /// The first column of all rows.
  func texts(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
    }
    return texts
  }
}

/// Seeds as an engine draws them, another one for each store, and the same ones in each run.
private let seeds = Mutex(SplitMix64(0x5EED))

extension Store {
  convenience init(path: String) throws(StoreError) {
    try self.init(path: path, seed: seeds.withLock { $0.next() })
  }
}

/// The kind of the error that opening and reading a file gives; nil when it is good.
func failure(at path: String) -> StoreError.Kind? {
  do throws(StoreError) {
    let store = try Store(path: path)
    defer { store.close() }
    _ = try store.load()
    return nil
  } catch { return error.kind }
}

/// A device on a store: a machine whose outputs are written as an engine writes them.
struct Device {
  var machine: Machine
  var store: Store
  let path: String
  /// The events that were written to the outbox, and how many of them have been delivered.
  var outbox: [OutboxEntry] = []
  var delivered: Int64 = 0
  /// The newest time at the last commit.
  var newest: Milliseconds = 0
  /// Votes that were called, and notifications that were to be taken off the screen.
  var ballots: [Ballot] = []
  var leaving: [String] = []
  var observer: (LogTests.Commit) -> Void = { _ in }

  init(path: String) throws {
    self.path = path
    store = try Store(path: path)
    machine = Machine(state: State(), feed: .empty)
    machine.settings.noise = .gates
    machine.settings.initial = .enter
    machine.settings.hasFilter = true
    machine.settings.hasGeotriggerHandler = true
    // Inputs are minutes apart.
    machine.settings.filterDeadline = 600_000
    try take(machine.begin(enabled: true, at: 0))
  }

  /// Writes what an input has changed; nothing when it has changed nothing.
  mutating func take(_ output: Machine.Output) throws {
    var entries: [OutboxEntry] = []
    for effect in output.effects {
      switch effect {
      case .event(let event):
        entries.append(OutboxEntry(sequence: event.sequence, json: event.json, item: event.item))
      case .vote(let ballot): ballots.append(ballot)
      case .remove(let item): leaving.append(item.matchIdentifier ?? "")
      default: break
      }
    }
    guard !entries.isEmpty || !output.changes.isEmpty else { return store.save(machine.page) }
    outbox = outbox.filter { $0.sequence > delivered } + entries
    try store.commit(
      output.changes, of: machine.state, page: machine.page, outbox: entries, delivered: delivered)
    observer(LogTests.Commit(changes: output.changes, state: machine.state, outbox: entries, delivered: delivered))
    outbox.removeAll { $0.sequence <= delivered }
    newest = machine.state.newest
  }

  mutating func reopen() throws {
    store.close()
    store = try Store(path: path)
  }

  /// Another process goes on.
  mutating func restart() throws {
    try reopen()
    let contents = try store.load()
    machine = Machine(
      state: contents.state, feed: contents.feed ?? .empty, settings: machine.settings, page: contents.page)
  }

  /// The store holds the machine's state.
  func check(_ comment: String) throws {
    let contents = try store.load()
    var expected = machine.state
    expected.newest = newest
    // How far its turn has come is asked anew.
    expected.delivery = asStored(expected.delivery)
    let (found, wanted) = (dump(contents.state, lasting: true), dump(expected, lasting: true))
    for (field, value) in wanted { #expect(found[field] == value, "\(field), \(comment)") }
    #expect(!contents.isNew)
    #expect(contents.outbox.map(\.sequence) == outbox.map(\.sequence), "\(comment)")
    #expect(contents.outbox.map(\.json) == outbox.map(\.json), "\(comment)")
    #expect(contents.outbox.map(\.item) == outbox.map(\.item), "\(comment)")
    #expect((contents.feed?.digest ?? "") == machine.feed.digest, "\(comment)")
    #expect((contents.feed?.regions ?? []) == machine.feed.regions, "\(comment)")
    #expect((contents.feed?.campaigns ?? []) == machine.feed.campaigns, "\(comment)")
    #expect((contents.feed?.settings ?? FeedSettings()) == machine.feed.settings, "\(comment)")
    #expect(contents.feed?.revision == machine.feed.revision, "\(comment)")
  }
}
