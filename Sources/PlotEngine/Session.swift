internal import PlotCore
internal import PlotDocuments
internal import PlotFiles
internal import PlotStore

/// The answer of the fast path to a fix. Unless the fix was taken, nothing has happened, and it is to be taken in full.
public enum FastAnswer: Sendable {
  case refused
  case taken
  /// Somebody hears also of what changes nothing, or something has to come first.
  case notAsked
}

/// The values that an engine's lock protects.
struct Session: Sendable {
  enum Phase {
    case fresh
    case running
    case closed
  }

  // The fields that the fast path reads come first.
  var phase = Phase.fresh
  /// Somebody wants to hear of inputs that change nothing.
  private var isWatched = false
  /// An earlier time is refused (`engine.earliestTime`).
  var earliestTime: Milliseconds = 0
  var hostQueue = HostQueue()
  var machine = Machine(state: State(), feed: .empty)
  var writer = StoreWriter()
  var callbacks = Callbacks() {
    didSet {
      listeners = Listeners(callbacks)
      watch()
    }
  }
  /// The same for whoever tells the host: a copy counts one reference.
  private(set) var listeners = Listeners.nobody
  var debug = false { didSet { watch() } }
  /// Logs, events and decisions are without places (docs/privacy.md).
  var hidesCoordinates = false
  /// Which data of an opened notification is a URI.
  var uriSchemes = URISchemes.standard
  /// While the app is in the foreground the person is asked before a notification is opened.
  var confirmsInForeground = false
  /// The newest lines of the debug log.
  var log = Ring<String>(capacity: 1000)
  /// The reading of the clocks before the engine was initialized.
  var clock: ClockReading?
  /// A feed that may replace the one in the store.
  var offered: Feed?
  var tests = TestBatches()
  var recording = Recording() { didSet { watch() } }

  var ring = DecisionRing()
  /// Where decisions are written; nil for nowhere.
  var decisionFile: String?

  /// The events that the app has yet to acknowledge.
  var outbox = Outbox()

  /// The synchronization with a campaign service; without one it takes no room.
  var syncing: Syncing? {
    get { seats.first }
    set {
      if let newValue { seats = [newValue] } else { seats = [] }
    }
  }
  private var seats: [Syncing] = []

  /// The effects of one of many fixes, while they are reported to the host; otherwise nil.
  var collected: [BatchEffect]?

  private mutating func watch() { isWatched = debug || recording.isOn || callbacks.wakeup != nil }

  /// Takes a fix that changes nothing, and of which nobody is told.
  mutating func takeFast(_ fix: Fix) -> FastAnswer {
    guard maySkip(fix) else { return .notAsked }
    guard machine.takeFast(fix) else { return .refused }
    if let store = writer.store, !store.save(fix) { store.save(machine.page) }
    return .taken
  }

  /// The same, with what an index has said of the fix.
  mutating func takeFast(_ fix: Fix, known: KnownPlaces) -> FastAnswer {
    guard maySkip(fix) else { return .notAsked }
    guard machine.takeFast(fix, known: known) else { return .refused }
    if let store = writer.store, !store.save(fix) { store.save(machine.page) }
    return .taken
  }

  /// The consumers' positions to store with these new events. Where there is no callback, it needs none of those up to now.
  func positions(
    adding entries: [OutboxEntry] = [], _ consumer: Consumer = .app, through sequence: Int64 = 0
  ) -> (done: Int64, cursors: [EventCursor]) {
    guard outbox.isActive else { return (hostQueue.delivered, []) }
    return outbox.positions(
      adding: entries, callback: callbacks.event != nil ? hostQueue.delivered : machine.state.sequence,
      consumer, through: sequence)
  }

  /// When the host is to come again: never before what it may say.
  var wakeup: Milliseconds? { machine.nextWakeup.map { max($0, earliestTime) } }

  /// Whether nobody is told of a fix that changes nothing, and nothing waits that comes before it.
  @inline(__always)
  private func maySkip(_ fix: Fix) -> Bool {
    guard phase == .running, hostQueue.isEmpty || hostQueue.isDelivering, writer.unwritten.isEmpty,
      fix.time >= earliestTime,
      fix.time <= Timestamp.range.upperBound
    else { return false }
    if isWatched, debug || recording.isOn || hostQueue.announcedWakeup != machine.nextWakeup { return false }
    return true
  }

  final class Listeners: Sendable {
    let callbacks: Callbacks
    static let nobody = Listeners(Callbacks())

    init(_ callbacks: Callbacks) { self.callbacks = callbacks }
  }

  /// Takes over what the machine has to know about the host.
  mutating func updateSettings() {
    takeOver(&machine.settings)
    record { [settings = machine.settings] (recorder) throws(FileError) in try recorder.note(settings) }
  }

  /// `sequence`: of the newest event that was.
  mutating func begin(_ configuration: Configuration, with found: StoredEvents, after sequence: Int64) {
    outbox = Outbox(configuration, found: found)
    let delivered = found.callbackCursor ?? 0
    let undelivered = found.waiting.filter { $0.sequence > delivered }
    hostQueue.add(undelivered.map { .event(json: $0.json, item: $0.item, sequence: $0.sequence) })
    hostQueue.delivered = StoredEvents.delivered(before: undelivered, sequence)
    writer.delivered = StoredEvents.delivered(before: found.waiting, sequence)
  }

  func takeOver(_ settings: inout Machine.Settings) {
    settings.hasFilter = callbacks.filter != nil
    settings.hasGeotriggerHandler = callbacks.geotriggers != nil
    settings.strategies = callbacks.strategies.map { Identifier($0.key) }
    settings.recordsDecisions =
      callbacks.decision != nil || debug || recording.recorder?.hasEffects == true || ring.capacity > 0
      || decisionFile != nil
  }
}
