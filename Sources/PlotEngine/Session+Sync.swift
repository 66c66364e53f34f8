internal import PlotCore
internal import PlotDocuments
internal import PlotFiles
internal import PlotStore
internal import PlotSync

/// The synchronization of an engine with a campaign service (docs/sync.md).
struct Syncing: Sendable {
  var sync: Sync
  /// The state that the store has.
  var written: SyncState?
  /// The feed that is being taken is the service's, or the bundled one.
  var isApplying = false
  /// Its status as the host has heard it.
  var announced: Announcement?
  /// How many events waited then.
  var announcedCount = 0
  /// When the event with this sequence happened.
  var oldest: (sequence: Int64, time: Milliseconds?)?

  struct Announcement: Equatable, Sendable {
    var stamp: Sync.Stamp
    var next: Milliseconds?
  }

  init(_ sync: Sync, written: SyncState?) {
    self.sync = sync
    self.written = written
  }
}

extension Session {
  /// The state that the store lacks; nil for none.
  var unwrittenSync: String? {
    guard let syncing, syncing.sync.saved != syncing.written else { return nil }
    return syncing.sync.saved.text
  }

  mutating func syncIsWritten() {
    guard let kept = syncing?.sync.saved else { return }
    syncing?.written = kept
  }

  /// Inputs of the host's that a synchronization acts upon.
  mutating func hear(_ input: Input) {
    guard syncing != nil else { return }
    switch input {
    case .feed where syncing?.isApplying == false: syncing?.sync.hostHasSetFeed()
    case .foreground(true, let time): syncing?.sync.foreground(at: time)
    case .network(let isThere, let time): syncing?.sync.network(isThere, at: time)
    default: break
    }
  }

  /// Facts of the rest of the engine for it.
  mutating func syncContext() -> SyncContext {
    let host = machine.state.host
    let position = outbox.sync
    var oldest: Milliseconds?
    if let position, let first = outbox.entries(for: position).first {
      if syncing?.oldest?.sequence != first.sequence {
        let time = (try? JSONValue(parsing: Array(first.json.utf8))).flatMap { value -> Milliseconds? in
          guard case .string(let text)? = value["time"] else { return nil }
          return Timestamp.parse(text)
        }
        syncing?.oldest = (first.sequence, time)
      }
      oldest = syncing?.oldest?.time
    }
    return SyncContext(
      newest: machine.state.newest, waiting: position?.count ?? 0, oldest: oldest, isForeground: host.isForeground,
      hasNetwork: host.hasNetwork, timeZone: host.zone.name, version: Version.text)
  }

  /// The next request, and how long there is none.
  mutating func nextSyncRequest(at now: Milliseconds) -> Sync.Next? {
    let context = syncContext()
    guard var seat = syncing else { return nil }
    let waiting = outbox.sync.map { outbox.entries(for: $0) }
    let next = seat.sync.next(at: now, context) { through, limit in
      (waiting ?? Queue()[...]).prefix(limit).prefix { $0.sequence <= through ?? .max }.map { ($0.sequence, $0.json) }
    }
    syncing = seat
    saveSync()
    return next
  }

  /// Keeps what has changed. What the store does not take now goes with the next transaction.
  mutating func saveSync() {
    guard let text = unwrittenSync else { return }
    guard writer.store != nil else { return syncIsWritten() }
    let positions = positions()
    if (try? writer.commit(machine, positions, sync: text)) != nil { syncIsWritten() }
  }

  /// Takes an answer, and what it leads to, in one transaction. A store that fails leaves all as it was, and the answer counts as none.
  mutating func takeSync(
    _ response: SyncResponse, to number: Int64, feed: FeedAnswer?, at now: Milliseconds
  ) throws {
    guard let before = syncing else { return }
    let outcome = syncing?.sync.take(response, to: number, feed: feed, at: now) ?? .nothing
    do {
      switch outcome {
      case .nothing: break
      case .feed(let feed): try applySynced(feed, at: now)
      case .clearFeed: try applySynced(.empty, at: now)
      case .acknowledged(let through): try acknowledgeSync(through: through)
      }
    } catch {
      syncing = before
      syncing?.sync.fail(EngineError(error, at: now).message, at: now)
      throw error
    }
    saveSync()
  }

  /// A feed that is not the host's own.
  mutating func applySynced(_ feed: Feed, at now: Milliseconds) throws {
    warnOfMissingStrategies(in: feed)
    syncing?.isApplying = true
    defer { syncing?.isApplying = false }
    try take(.feed(feed, at: now), isUndone: true)
  }

  /// The person's number, from which holdouts follow, where the app has given none. It is a property like others, so that a recording has it,
  /// and nothing of the installation.
  mutating func drawBucket(at now: Milliseconds) throws {
    guard machine.state.host.properties[Holdout.standardProperty] == nil, let bucket = syncing?.sync.bucket else {
      return
    }
    try take(.property(Holdout.standardProperty, .integer(bucket), at: now), isUndone: true)
  }

  private mutating func acknowledgeSync(through sequence: Int64) throws(StoreError) {
    let positions = positions(.sync, through: sequence)
    try writer.commit(machine, positions, sync: unwrittenSync)
    syncIsWritten()
    outbox.acknowledge(.sync, through: sequence, written: positions.cursors)
    let left = outbox.sync?.count ?? 0
    syncing?.sync.sent(left: left)
  }

  // MARK: The callback

  /// Whether the host may have to hear of it: asked for each fix of a batch, in which nothing else changes it.
  var mayHaveNewSync: Bool {
    guard callbacks.sync != nil, let syncing else { return false }
    return syncing.announced?.stamp != syncing.sync.stamp || syncing.announcedCount != outbox.sync?.count ?? 0
  }

  mutating func nextSync() -> Step? {
    guard callbacks.sync != nil, syncing != nil else { return nil }
    let context = syncContext()
    guard let sync = syncing?.sync else { return nil }
    let next = sync.nextTime(context)
    let announcement = Syncing.Announcement(stamp: sync.stamp, next: next)
    syncing?.announcedCount = context.waiting
    guard announcement != syncing?.announced else { return nil }
    syncing?.announced = announcement
    hostQueue.isDelivering = true
    // It is due now, whenever it fell due.
    return .sync(
      status: sync.statusJSON(context, revision: machine.feed.revision), next.map { max($0, context.newest) }, listeners
    )
  }
}
