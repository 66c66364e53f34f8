public import PlotCore
public import PlotDocuments
internal import PlotFiles
internal import PlotStore

/// A device's state as bytes (docs/state-bytes.md).
extension Engine {
  /// All that a store keeps, but for the feed; `events`: also those that the app has yet to acknowledge. The same state gives the same bytes.
  public func save(events: Bool) throws(EngineError) -> [UInt8] {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      // The host's answers belong to the state.
      do { try session.takeUnwritten() } catch { throw EngineError(error) }
      let feed = session.machine.feed
      return StateBytes.wrap(
        session.machine.stateBytes, events: events ? session.outbox.stateBytes : [],
        digest: feed.digest)
    }
  }

  /// Starts the engine with what `save` gave, in place of `initialize`. `feed` is the one that is in force from now on. One that has another digest
  /// than the one of then is a new feed: since the old one is not there, regions of one name are taken for the same, and visits to others end. With
  /// a store, all of it is in that from now on; it must be a new one.
  ///
  /// `time`: of the start; nil for the newest one that the state knows.
  public func restore(
    _ bytes: [UInt8], at time: Milliseconds?, _ configuration: Configuration, feed: Feed?, storePath: String?
  ) throws(EngineError) {
    let restored = try Restored(bytes, listsChanges: storePath != nil)
    let time = time ?? restored.state.state.newest
    if feed?.digest ?? "" != restored.digest {
      restored.state.adoptFeed(feed ?? .empty, Machine.Settings(configuration))
    }
    restored.feed = feed
    try initialize(at: time, configuration, storePath: storePath, from: restored)
  }

  /// A state that an engine starts from in place of a store. One object, for a copy of a state counts all that it has.
  final class Restored {
    var state: Machine.RestoredState
    /// Of the feed with which it was saved.
    let digest: String
    var feed: Feed?
    /// As a store has them. The callback of the new engine hears of what is new.
    let events: StoredEvents

    init(_ bytes: [UInt8], listsChanges: Bool) throws(EngineError) {
      let saved: StateBytes
      do throws(StateBytes.Fault) {
        saved = try StateBytes(bytes)
      } catch {
        switch error {
        case .newer(let version):
          throw EngineError(
            .storeNewer, "the state has version \(version), this library knows \(StateVersion.newest)")
        case .foreign: throw Engine.foreign(bytes)
        }
      }
      let zones = ZoneFiles()
      let pending = saved.events.isEmpty ? nil : saved.pendingEvents
      guard let state = Machine.restored(from: saved, listsChanges: listsChanges, zone: { zones.zone($0) }),
        saved.events.isEmpty || pending != nil
      else { throw Engine.foreign(bytes) }
      let sequence = state.state.sequence
      let entries = pending?.entries.filter { $0.sequence <= sequence } ?? []
      events = StoredEvents(
        waiting: entries.map { OutboxEntry(sequence: $0.sequence, json: $0.json, item: nil) },
        cursors: [
          EventCursor(
            consumer: Consumer.app.rawValue, acknowledged: min(pending?.acknowledged ?? sequence, sequence),
            lost: pending?.lost ?? 0),
          EventCursor(consumer: Consumer.callback.rawValue, acknowledged: sequence, lost: 0),
        ])
      digest = saved.digest
      self.state = state
    }

    /// Those that make a new store out of it.
    var changes: [Change] { (feed.map { [.feed($0)] } ?? []) + state.changes }
  }

  fileprivate static func foreign(_ bytes: [UInt8]) -> EngineError {
    var error = EngineError(
      .invalidDocument, "the bytes are not a state that this library has saved, or they are damaged")
    error.expected = "what \(CallName.save) gave"
    error.found = "\(bytes.count) other bytes"
    return error
  }
}

extension Outbox {
  /// The events that wait for the app.
  var stateBytes: [UInt8] {
    guard let app else { return [] }
    return StateBytes.events(
      acknowledged: app.acknowledged, lost: app.lost, entries(for: app).map { (sequence: $0.sequence, json: $0.json) })
  }
}
