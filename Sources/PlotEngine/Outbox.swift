internal import PlotCore
internal import PlotDocuments
internal import PlotStore

/// A consumer of events (docs/events.md, Consumers). Each has a cursor of its own.
enum Consumer: String, CaseIterable {
  /// The event callback. It has acknowledged an event when it returns.
  case callback
  /// Whoever lists events and acknowledges them, with `engine.events.acknowledge`.
  case app
  /// The campaign service, with `sync.url`. It has acknowledged an event when it has answered.
  case sync
}

/// The events that an engine begins with.
struct StoredEvents: Sendable {
  /// Those that some consumer may not have.
  var waiting: [OutboxEntry]
  var cursors: [EventCursor]

  /// How far the callback had come in the run before; nil where there is no cursor for it, and what it had got is deleted.
  var callbackCursor: Int64? { cursors.first { $0.consumer == Consumer.callback.rawValue }?.acknowledged }

  /// The newest event that comes before all that are left to a consumer. `sequence`: of the newest event that was.
  static func delivered(before left: [OutboxEntry], _ sequence: Int64) -> Int64 {
    (left.first?.sequence ?? sequence + 1) - 1
  }
}

/// The events that the app and the campaign service have yet to acknowledge, and what the store knows of all consumers. What the event callback is
/// to be told is in `HostQueue`, which also knows how far it has come.
struct Outbox: Sendable {
  /// How far a consumer has come.
  struct Position: Equatable, Sendable {
    var acknowledged: Int64 = 0
    var lost: Int64 = 0
    /// How many events wait for it: the newest ones.
    var count = 0
  }

  /// Nil without `engine.events.acknowledge`.
  private(set) var app: Position?
  /// Nil where no events are sent.
  private(set) var sync: Position?
  /// How many events may wait for each. One more, and the oldest is lost.
  private let limit: Int
  private var waiting: Queue<OutboxEntry> = []
  /// The cursors as they stand in the store.
  private var written: [EventCursor] = []

  /// Whether anybody acknowledges events. Without that nothing is kept here.
  var isActive: Bool { app != nil || sync != nil }

  init() { limit = 0 }

  init(_ configuration: Configuration, found: StoredEvents? = nil) {
    limit = configuration.events.limit
    func position(_ consumer: Consumer) -> Position {
      let cursor = found?.cursors.first { $0.consumer == consumer.rawValue }
      return Position(acknowledged: cursor?.acknowledged ?? 0, lost: cursor?.lost ?? 0)
    }
    if configuration.events.acknowledge { app = position(.app) }
    if configuration.sync?.sendsEvents == true { sync = position(.sync) }
    guard let found else { return }
    written = found.cursors
    for entry in found.waiting {
      let isWanted = [app, sync].contains { $0.map { entry.sequence > $0.acknowledged } == true }
      if isWanted { waiting.append(OutboxEntry(sequence: entry.sequence, json: entry.json, item: nil)) }
    }
    app = app.map { counted($0) }
    sync = sync.map { counted($0) }
    trim()
  }

  private func counted(_ position: Position) -> Position {
    var counted = position
    counted.count = waiting.count { $0.sequence > position.acknowledged }
    return advanced(counted, adding: [])
  }

  /// A position after these new events, and after the consumer has acknowledged those up to a sequence.
  private func advanced(_ position: Position, adding entries: [OutboxEntry], through sequence: Int64 = 0) -> Position {
    var after = position
    if sequence > after.acknowledged {
      after.acknowledged = sequence
      let first = waiting.count - after.count
      // A consumer acknowledges from the oldest on.
      var index = first
      while index < waiting.count, waiting[index].sequence <= sequence { index += 1 }
      after.count -= index - first
    }
    after.count += entries.count
    let excess = after.count - limit
    guard excess > 0 else { return after }
    after.lost += Int64(excess)
    let last = waiting.count + entries.count - limit - 1
    after.acknowledged = last < waiting.count ? waiting[last].sequence : entries[last - waiting.count].sequence
    after.count = limit
    return after
  }

  /// The positions to store with these new events: up to which one all consumers are done, and which cursors have moved.
  /// `callback` is the newest event that the callback needs no more.
  /// `through`: `consumer` acknowledges the events up to this one.
  func positions(
    adding entries: [OutboxEntry], callback: Int64, _ consumer: Consumer, through sequence: Int64 = 0
  ) -> (done: Int64, cursors: [EventCursor]) {
    var cursors: [EventCursor] = []
    var done = callback
    for (name, position) in [(Consumer.app, app), (.sync, sync)] {
      guard let position else { continue }
      let after = advanced(position, adding: entries, through: name == consumer ? sequence : 0)
      cursors.append(EventCursor(consumer: name.rawValue, acknowledged: after.acknowledged, lost: after.lost))
      done = min(done, after.acknowledged)
    }
    cursors.append(EventCursor(consumer: Consumer.callback.rawValue, acknowledged: callback, lost: 0))
    return (done, cursors.filter { !written.contains($0) })
  }

  /// Takes new events. The store has them, and the cursors.
  mutating func add(_ entries: [OutboxEntry], written cursors: [EventCursor] = []) {
    note(cursors)
    app = app.map { advanced($0, adding: entries) }
    sync = sync.map { advanced($0, adding: entries) }
    // The item is the callback's.
    for entry in entries { waiting.append(OutboxEntry(sequence: entry.sequence, json: entry.json, item: nil)) }
    trim()
  }

  /// A consumer has the events up to this one. The store knows it.
  mutating func acknowledge(_ consumer: Consumer, through sequence: Int64, written cursors: [EventCursor]) {
    note(cursors)
    switch consumer {
    case .app: app = app.map { advanced($0, adding: [], through: sequence) }
    case .sync: sync = sync.map { advanced($0, adding: [], through: sequence) }
    case .callback: break
    }
    trim()
  }

  /// Lets go of what nobody waits for.
  private mutating func trim() {
    let most = max(app?.count ?? 0, sync?.count ?? 0)
    while waiting.count > most { waiting.removeFirst() }
  }

  private mutating func note(_ cursors: [EventCursor]) {
    for cursor in cursors {
      written.removeAll { $0.consumer == cursor.consumer }
      written.append(cursor)
    }
  }

  /// All is cleared, up to this event.
  mutating func clear(through sequence: Int64) {
    waiting = []
    written = []
    if app != nil { app = Position(acknowledged: sequence) }
    if sync != nil { sync = Position(acknowledged: sequence) }
  }

  /// The entries that wait for a consumer, oldest first.
  func entries(for position: Position) -> Queue<OutboxEntry>.SubSequence { waiting.suffix(position.count) }

  /// The events that wait for the app, as in docs/events.md: those after a sequence, at most so many; 0 for all.
  func json(after sequence: Int64, limit: Int) -> String {
    guard let app else { return "" }
    let later = entries(for: app).drop { $0.sequence <= sequence }
    let listed = limit > 0 ? later.prefix(limit) : later
    return ListDocument.events(
      acknowledged: app.acknowledged, lost: app.lost, waiting: app.count, listed.map(\.json))
  }
}
