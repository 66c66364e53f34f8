import Foundation
import PlotCore
import PlotDocuments
import PlotFiles
import PlotStore
import PlotTesting
import Synchronization

@testable import PlotEngine

/// A store that fails when it is told to, and then has written nothing.
final class FailingStore: StateStore {
  private let store: Store
  /// Asked before each commit, with its number from 1.
  private let fails: @Sendable (Int) -> Bool
  private let counts = Mutex((commits: 0, failures: 0))
  let clearing = Mutex(Clearing.whole)

  enum Clearing {
    case whole
    case refused
    /// All is cleared, and then the disk fails.
    case late
  }

  init(_ path: String, _ seed: UInt64, fails: @escaping @Sendable (Int) -> Bool) throws(StoreError) {
    store = try Store(path: path, seed: seed)
    self.fails = fails
  }

  static let fault = StoreError(kind: .failed, message: "the disk is full")

  var failures: Int { counts.withLock(\.failures) }

  func load(zones: ZoneFiles, offered: Feed?) throws(StoreError) -> Store.Contents {
    try store.load(zones: zones, offered: offered)
  }

  func commit(
    _ changes: [Change], of state: State, page: Page?, outbox: [OutboxEntry], delivered: Int64,
    cursors: [EventCursor], sync: String?, waitsForDisk: Bool
  ) throws(StoreError) {
    let number = counts.withLock { counts in
      counts.commits += 1
      return counts.commits
    }
    if fails(number) {
      counts.withLock { $0.failures += 1 }
      throw Self.fault
    }
    try store.commit(
      changes, of: state, page: page, outbox: outbox, delivered: delivered, cursors: cursors, sync: sync,
      waitsForDisk: waitsForDisk)
  }

  func clear(
    _ changes: [Change], of state: State, delivered: Int64, sync: String?, isCleared: inout Bool
  ) throws(StoreError) {
    let how = clearing.withLock { $0 }
    if how == .refused { throw Self.fault }
    try store.clear(changes, of: state, delivered: delivered, sync: sync, isCleared: &isCleared)
    if how == .late { throw Self.fault }
  }

  func save(_ page: borrowing Page) { store.save(page) }
  func save(_ fix: borrowing Fix) -> Bool { store.save(fix) }
  var pageFault: StoreError? { store.pageFault }

  func image(page: Page?) throws(StoreError) -> [UInt8] { try store.image(page: page) }
  func close() { store.close() }
}

/// An engine with what its host has heard, in order.
final class Device: Sendable {
  let engine: Engine
  private let words = Mutex<[String]>([])

  init(fails: @escaping @Sendable (Int) -> Bool = { _ in false }) {
    let made = Made()
    engine = Engine { (path, seed) throws(StoreError) in
      let store = try FailingStore(path, seed) { number in fails(number) || made.isFull.load(ordering: .relaxed) }
      made.store.withLock { $0 = store }
      return store
    }
    self.made = made
  }

  private final class Made: Sendable {
    let store = Mutex<FailingStore?>(nil)
    let isFull = Atomic<Bool>(false)
  }
  private let made: Made

  var failing: FailingStore { made.store.withLock { $0! } }
  /// From now on no commit succeeds, or all do but those that fail by their number.
  func fill(_ isFull: Bool) { made.isFull.store(isFull, ordering: .relaxed) }

  var heard: [String] { words.withLock { $0 } }
  var locks: Int { engine.session.count.load(ordering: .relaxed) }

  func hear(_ word: String) { words.withLock { $0.append(word) } }

  /// Hears of events, of what is to be shown, and of wakeups; `after` is called within each callback.
  func listen(after: @escaping @Sendable (String) -> Void = { _ in }) throws {
    @Sendable func note(_ word: String) {
      hear(word)
      after(word)
    }
    try engine.setCallback(\.event) { json, _ in note(word(json)) }
    try engine.setCallback(\.show) { item in
      note("show \(item.campaign.text)")
      return true
    }
    try engine.setCallback(\.wakeup) { time in note("wakeup \(time.map { "\($0)" } ?? "none")") }
  }

  func start(
    _ configuration: String = #"{"engine": {"noise": "exact", "initial": "enter"}}"#, store: String? = nil,
    at time: Milliseconds = World.begin
  ) throws {
    try engine.initialize(at: time, Configuration(configuration), storePath: store)
  }

  /// Listens, starts, takes the feed, and goes to the origin a minute later.
  func enter(_ feed: Feed, store: String? = nil, after: @escaping @Sendable (String) -> Void = { _ in }) throws {
    try listen(after: after)
    try start(store: store)
    try engine.setFeed(feed, at: World.begin)
    try go(origin, at: World.begin + 60_000)
  }

  func go(_ place: Coordinate, at time: Milliseconds) throws {
    try engine.update(Fix(time: time, coordinate: place, accuracy: 0))
  }

  var state: State { engine.session.withLock { $0.machine.state } }
}

/// The kind of an event, and what it is about.
private func word(_ json: String) -> String {
  func value(_ key: String) -> String? {
    json.range(of: "\"\(key)\":\"").map { json[$0.upperBound...].prefix { $0 != "\"" } }.map(String.init)
  }
  return [value("event"), value("campaign") ?? value("region")].compactMap { $0 }.joined(separator: " ")
}
