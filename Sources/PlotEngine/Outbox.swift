internal import PlotCore
internal import PlotDocuments
internal import PlotStore

/// A consumer of events (docs/events.md, Consumers). Each has a cursor of its own.
enum Consumer: String, CaseIterable {
  /// The event callback. It has acknowledged an event when it returns.
  case callback
  /// Whoever lists events and acknowledges them, with `engine.events.acknowledge`.
  case app
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

/// The events that the app has yet to acknowledge, and what the store knows of both consumers. What the event callback is to be told is in
/// `HostQueue`, which also knows how far it has come.
struct Outbox: Sendable {
  /// Whether the app acknowledges events. Without it nothing is kept here.
  let isActive: Bool
  /// How many events may wait for the app. One more, and the oldest is lost.
  private let limit: Int
  private var waiting: Queue<OutboxEntry> = []
  private(set) var acknowledged: Int64 = 0
  private(set) var lost: Int64 = 0
  /// The cursors as they stand in the store.
  private var written: [EventCursor] = []

  init(_ policy: EventPolicy = EventPolicy(), found: StoredEvents? = nil) {
    isActive = policy.acknowledge
    limit = policy.limit
    guard let found else { return }
    written = found.cursors
    guard isActive else { return }
    let cursor = found.cursors.first { $0.consumer == Consumer.app.rawValue }
    acknowledged = cursor?.acknowledged ?? 0
    lost = cursor?.lost ?? 0
    add(found.waiting.filter { $0.sequence > acknowledged })
  }

  /// The positions to store with these new events: up to which one all consumers are done, and which cursors have moved.
  /// `callback` is the newest event that the callback needs no more.
  /// `through`: the app acknowledges the events up to this one.
  func positions(
    adding entries: [OutboxEntry], callback: Int64, through sequence: Int64 = 0
  ) -> (done: Int64, cursors: [EventCursor]) {
    var after = (acknowledged: max(acknowledged, sequence), lost: lost)
    let excess = waiting.count + entries.count - limit
    if excess > 0 {
      after.lost += Int64(excess)
      after.acknowledged =
        excess <= waiting.count ? waiting[excess - 1].sequence : entries[excess - waiting.count - 1].sequence
    }
    let cursors = [
      EventCursor(consumer: Consumer.app.rawValue, acknowledged: after.acknowledged, lost: after.lost),
      EventCursor(consumer: Consumer.callback.rawValue, acknowledged: callback, lost: 0),
    ]
    return (min(callback, after.acknowledged), cursors.filter { !written.contains($0) })
  }

  /// Takes new events. The store has them, and the cursors.
  mutating func add(_ entries: [OutboxEntry], written cursors: [EventCursor] = []) {
    note(cursors)
    // The item is the callback's.
    for entry in entries { waiting.append(OutboxEntry(sequence: entry.sequence, json: entry.json, item: nil)) }
    while waiting.count > limit {
      acknowledged = waiting.removeFirst().sequence
      lost += 1
    }
  }

  /// The app has the events up to this one. The store knows it.
  mutating func acknowledge(through sequence: Int64, written cursors: [EventCursor]) {
    note(cursors)
    while let first = waiting.first, first.sequence <= sequence { waiting.removeFirst() }
    acknowledged = max(acknowledged, sequence)
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
    (acknowledged, lost, written) = (sequence, 0, [])
  }

  /// The entries that wait for the app, oldest first.
  var waitingEntries: [OutboxEntry] { Array(waiting) }

  /// The events that wait for the app, as in docs/events.md: those after a sequence, at most so many; 0 for all.
  func json(after sequence: Int64, limit: Int) -> String {
    let later = waiting.drop { $0.sequence <= sequence }
    let listed = limit > 0 ? later.prefix(limit) : later[...]
    return ListDocument.events(
      acknowledged: acknowledged, lost: lost, waiting: waiting.count, listed.map(\.json))
  }
}
