internal import PlotCore
internal import Synchronization

/// Something to be told to the host, in its turn. Items are large, and this is handed on several times: so it lies elsewhere.
indirect enum Delivery: Sendable {
  case event(json: String, item: Item?, sequence: Int64)
  case decision(json: String, Decision)
  /// A line of a recording.
  case recording(String)
  case ask(Batch)
  case show(Item)
  case open(Item)
  case vote(Ballot)
  case remove(Item)
  case inform(Notice, [Identifier])
  /// A strategy gets what it has saved, and its parameters.
  case load(Identifier)
  case log(LogLevel, String)
  case fixRequest(Milliseconds)

  /// The host hears it, and nothing is to be done afterwards.
  fileprivate var isOnlyHeard: Bool {
    switch self {
    case .event, .decision, .recording, .log: true
    case .ask, .show, .open, .vote, .remove, .inform, .load, .fixRequest: false
    }
  }
}

/// The reports that wait for the host, in their order. Events reach the host in the order of their sequence, which is how they are
/// acknowledged: so what is added goes behind what waits.
///
/// It is told in runs: some deliveries, taken together under the lock and told without it, that end with the first one that has to be answered. All
/// but the first stay in the queue until the run ends, so that a call from within a callback finds it as if each were taken by itself.
struct HostQueue: Sendable {
  // The fields that the fast path reads come first.
  private(set) var isEmpty = true
  /// Somebody is telling the host.
  var isDelivering = false
  /// The wakeup that the host was told of last.
  var announcedWakeup: Milliseconds?
  private var queue: Queue<Delivery> = [] { didSet { isEmpty = queue.isEmpty } }
  private let progress = Progress()
  /// The run that is told has more than one delivery.
  private var hasRest = false

  /// The last event that the host has got.
  var delivered: Int64 {
    get { progress.delivered.load(ordering: .relaxed) }
    nonmutating set { progress.delivered.store(newValue, ordering: .relaxed) }
  }

  mutating func add(_ deliveries: [Delivery]) {
    if deliveries.isEmpty { return }
    if queue.isEmpty { queue = Queue(deliveries) } else { queue += deliveries }
  }

  mutating func add(_ delivery: Delivery) { queue.append(delivery) }

  /// Before all that waits.
  mutating func addFirst(_ deliveries: [Delivery]) {
    endRun()
    queue.insert(contentsOf: deliveries, at: 0)
  }

  mutating func removeAll() {
    endRun()
    queue = []
  }

  /// All but the lines of a recording, which are the app's.
  mutating func removeAllButRecordings() {
    endRun()
    queue = queue.filter { if case .recording = $0 { true } else { false } }
  }

  // MARK: Runs

  /// How many deliveries a run has at most after its first.
  private static let most = 16

  struct Run: Sendable {
    let listeners: Session.Listeners
    fileprivate let progress: Progress
    fileprivate let number: UInt64
    let first: Delivery
    let rest: [Delivery]

    /// Whether the delivery at this position of the rest is still to be told, from now on by the caller.
    func begin(_ position: Int) -> Bool {
      let word = Progress.word(number, UInt64(position))
      return progress.begun.compareExchange(
        expected: word, desired: word + 1, ordering: .acquiringAndReleasing
      ).exchanged
    }

    /// Whether the callbacks are still those of the run, and nothing has come before what is left of it.
    var isCurrent: Bool { progress.begun.load(ordering: .acquiring) / Progress.positions == number }

    func hasDelivered(_ sequence: Int64) { progress.delivered.max(sequence, ordering: .relaxed) }
  }

  /// The next run of reports to the host; nil when nothing waits. The caller delivers it, and nobody else does meanwhile.
  mutating func nextRun(_ listeners: Session.Listeners) -> Run? {
    if hasRest { endRun() }
    guard !isEmpty else { return nil }
    let first = queue.removeFirst()
    var count = 0
    if first.isOnlyHeard {
      while count < min(queue.count, Self.most) {
        count += 1
        guard queue[count - 1].isOnlyHeard else { break }
      }
    }
    hasRest = count > 0
    isDelivering = true
    return Run(
      listeners: listeners, progress: progress, number: progress.begun.load(ordering: .relaxed) / Progress.positions,
      first: first, rest: count == 0 ? [] : Array(queue[0..<count]))
  }

  /// Takes the delivered part of the run out of the queue; the rest, if the run goes on, is for the next one.
  mutating func endRun() {
    // Only the lock's owner changes the number; whoever tells may begin one more meanwhile.
    let number = progress.begun.load(ordering: .relaxed) / Progress.positions
    let last = progress.begun.exchange(Progress.word(number &+ 1, 0), ordering: .acquiringAndReleasing)
    for _ in 0..<last % Progress.positions { queue.removeFirst() }
    hasRest = false
  }

  /// How far whoever tells the host has come. It is looked at with the lock and without it.
  fileprivate final class Progress: Sendable {
    /// The number of the run, and how many of its deliveries have been begun.
    let begun = Atomic<UInt64>(0)
    let delivered = Atomic<Int64>(0)

    static let positions: UInt64 = 32

    static func word(_ number: UInt64, _ position: UInt64) -> UInt64 { number &* positions &+ position }
  }
}
