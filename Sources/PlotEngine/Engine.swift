public import PlotCore
public import PlotDocuments
internal import PlotFiles
internal import PlotStore
internal import PlotSync

/// One device: it locks, runs the machine, writes the store, and then tells the host. include/plotengine.h says what each call does.
public final class Engine: Sendable {
  let session = Lock(Session())
  private let openStore: @Sendable (_ path: String, _ seed: UInt64) throws(StoreError) -> any StateStore

  public convenience init() { self.init { (path, seed) throws(StoreError) in try Store(path: path, seed: seed) } }

  /// With a store of another kind.
  init(openStore: @escaping @Sendable (_ path: String, _ seed: UInt64) throws(StoreError) -> any StateStore) {
    self.openStore = openStore
  }

  // MARK: Life

  /// Starts the engine, on a store file or in memory.
  public func initialize(
    at time: Milliseconds, _ configuration: Configuration, storePath: String?
  ) throws(EngineError) {
    try initialize(at: time, configuration, storePath: storePath, from: nil)
  }

  /// The same, from what another engine has saved.
  func initialize(
    at time: Milliseconds, _ configuration: Configuration, storePath: String?, from restored: Restored?
  ) throws(EngineError) {
    try locked { (session) throws(EngineError) in
      switch session.phase {
      case .fresh: break
      case .running: throw EngineError(.alreadyInitialized, "the engine has been initialized before")
      case .closed: throw Self.closed
      }
      try Self.check(time, session.clock, since: configuration.earliestTime)
      do {
        try start(&session, at: time, configuration, storePath, restored)
      } catch {
        session.writer.abandon()
        session.machine = Machine(state: State(), feed: .empty)
        session.hostQueue.removeAll()
        session.outbox = Outbox()
        session.syncing = nil
        session.recording.recorder = nil
        throw EngineError(error, at: time)
      }
      session.phase = .running
    }
    deliver()
  }

  private func start(
    _ session: inout Session, at time: Milliseconds, _ configuration: Configuration, _ storePath: String?,
    _ restored: Restored?
  ) throws {
    session.debug = configuration.debug
    session.earliestTime = configuration.earliestTime
    session.hidesCoordinates = configuration.hideCoordinates
    session.uriSchemes = configuration.uriSchemes
    session.confirmsInForeground = configuration.confirmInForeground
    // The next wakeup depends on them.
    var settings = Machine.Settings(configuration)
    session.takeOver(&settings)
    var isNew = false
    var hasForeignPage = false
    var saved: SyncState?
    settings.listsChanges = storePath != nil
    if let restored {
      try write(restored, storePath, configuration.damagedStore, &session)
      session.begin(configuration, with: restored.events, after: restored.state.state.sequence)
      session.machine = Machine(restored.state, feed: restored.feed ?? .empty, settings: settings)
    } else if let storePath {
      let stored = try load(&session, storePath, configuration.damagedStore)
      saved = stored.sync.flatMap { SyncState($0) }
      (isNew, hasForeignPage) = (stored.isNew, stored.hasForeignPage)
      session.begin(
        configuration, with: StoredEvents(waiting: stored.outbox, cursors: stored.cursors),
        after: stored.state.sequence)
      session.machine = Machine(
        state: stored.state, feed: stored.feed ?? .empty, settings: settings, page: stored.page)
    } else {
      isNew = true
      session.outbox = Outbox(configuration)
      session.machine = Machine(state: State(), feed: .empty, settings: settings)
    }
    session.offered = nil
    session.syncing = configuration.sync.map { Syncing(Sync($0, saved: saved), written: saved) }
    try session.beginRecording(at: time, configuration)
    // They must know what they have saved before anything is put to them.
    session.hostQueue.addFirst(session.callbacks.strategies.map { .load(Identifier($0.key)) })
    session.report(.info, "version \(Version.text) started, \(storePath == nil ? "in memory" : "with a store")")
    if hasForeignPage {
      session.report(
        .warning, "the page beside the store is not of its last transaction: the device counts as silent since then")
    }
    // All waits are counted by it.
    if let clock = session.clock { try session.take(.startClock(clock)) }
    // Before anything else: what the last run left, in the order in which it happened.
    try session.take(.recover(at: time))
    if isNew { try session.take(.begin(enabled: configuration.enableOnFirstRun, at: time)) }
    if let period = configuration.cooldownPeriod { try session.take(.cooldownPeriod(period * 1000, at: time)) }
  }

  /// Puts a state that another engine has saved into a new store, where there is a path of one.
  private func write(
    _ restored: Restored, _ path: String?, _ damaged: DamagedStore, _ session: inout Session
  ) throws {
    guard let path else {
      guard session.recording.file == nil, session.callbacks.recording == nil else {
        throw EngineError(
          .invalidArgument,
          "a recording of an engine that is restored begins with a store: expected the path of a new one")
      }
      return
    }
    guard try load(&session, path, damaged).isNew else {
      throw EngineError(argument: "store_path", expected: "a new store", found: "one that an engine has used")
    }
    let (events, sequence) = (restored.events, restored.state.state.sequence)
    try session.writer.store?.commit(
      restored.changes, of: restored.state.state, page: restored.state.page, outbox: events.waiting,
      delivered: StoredEvents.delivered(before: events.waiting, sequence), cursors: events.cursors, sync: nil,
      waitsForDisk: true)
  }

  /// Opens the store and reads it. One that is damaged is set aside if the configuration says so, and then the new one is read.
  private func load(
    _ session: inout Session, _ path: String, _ damaged: DamagedStore
  ) throws(StoreError) -> Store.Contents {
    guard damaged == .setAside else { return try open(&session, path) }
    let file = Store.Identity(path: path)
    do throws(StoreError) {
      return try open(&session, path)
    } catch {
      guard error.kind == .damaged else { throw error }
      session.writer.abandon()
      try Store.setAside(path, file, seed: Self.seed())
      session.report(
        .warning,
        "the store was damaged, and lies beside it with -damaged in its name; a new one has what could be read of it")
      return try open(&session, path)
    }
  }

  private func open(_ session: inout Session, _ path: String) throws(StoreError) -> Store.Contents {
    let store = try openStore(path, Self.seed())
    session.writer.store = store
    return try store.load(zones: ZoneFiles(), offered: session.offered)
  }

  /// The one random number: a name for the file, of which no decision knows.
  private static func seed() -> UInt64 {
    var random = SystemRandomNumberGenerator()
    return random.next()
  }

  /// Closes the store and lets go of all callbacks. Closing twice is fine.
  public func close() {
    var callbacks: Callbacks?
    session.withLock { session in
      guard session.phase != .closed else { return }
      try? session.takeUnwritten()
      session.phase = .closed
      session.writer.close(session.machine, session.positions())
      session.hostQueue.removeAll()
      session.outbox = Outbox()
      session.syncing = nil
      session.recording = Recording()
      session.ring = DecisionRing()
      session.decisionFile = nil
      callbacks = session.callbacks
      session.callbacks = Callbacks()
      session.machine = Machine(state: State(), feed: .empty)
      session.offered = nil
    }
    // Destroyed here, without the lock: what they hold may call back.
    withExtendedLifetime(callbacks) {}
  }

  deinit { close() }

  /// Registers or removes callbacks. Throws when the engine is closed.
  public func setCallback<T: Sendable>(
    _ path: any (WritableKeyPath<Callbacks, T?> & Sendable), _ callback: T?
  ) throws(EngineError) {
    var old: T?
    try locked { (session) throws(EngineError) in
      guard session.phase != .closed else { throw Self.closed }
      old = session.callbacks[keyPath: path]
      let hears = session.callbacks.event != nil
      session.callbacks[keyPath: path] = callback
      // A callback that comes later does not get events that the app has yet to acknowledge.
      if !hears, session.callbacks.event != nil, session.outbox.isActive {
        session.hostQueue.delivered = session.machine.state.sequence
      }
      session.hostQueue.endRun()
      session.updateSettings()
    }
    withExtendedLifetime(old) {}
  }

  /// Registers or removes the filter, or the geotrigger handler. A closure that is set by a key path is called through two more closures, each of
  /// them a cache miss.
  public func setBatchCallback(_ callback: Callbacks.BatchCallback?, geotriggers: Bool) throws(EngineError) {
    var old: Callbacks.BatchCallback?
    try locked { (session) throws(EngineError) in
      guard session.phase != .closed else { throw Self.closed }
      if geotriggers {
        old = session.callbacks.geotriggers
        session.callbacks.geotriggers = callback
      } else {
        old = session.callbacks.filter
        session.callbacks.filter = callback
      }
      session.hostQueue.endRun()
      session.updateSettings()
    }
    withExtendedLifetime(old) {}
  }

  /// Registers a strategy, in the place of the one with the same key, or behind all others; nil removes it. What it has saved stays.
  public func setStrategy(_ key: String, _ strategy: HostStrategy?) throws(EngineError) {
    guard Feed.isIdentifier(key) else {
      throw EngineError(argument: "key", expected: Feed.identifierForm, found: "\"\(key)\"")
    }
    var old: HostStrategy?
    try locked { (session) throws(EngineError) in
      guard session.phase != .closed else { throw Self.closed }
      let position = session.callbacks.strategies.firstIndex { Identifier($0.key) == Identifier(key) }
      if let position {
        old = session.callbacks.strategies[position]
        if let strategy {
          session.callbacks.strategies[position] = strategy
        } else {
          session.callbacks.strategies.remove(at: position)
        }
      } else if let strategy {
        session.callbacks.strategies.append(strategy)
      }
      session.updateSettings()
      // Before what waits to be told: else it would save before it knows what it had saved.
      session.hostQueue.addFirst(strategy != nil && session.phase == .running ? [.load(Identifier(key))] : [])
    }
    withExtendedLifetime(old) {}
    deliver()
  }

  // MARK: Inputs

  /// `fast` is what `takeFast` has said of it.
  public func update(_ fix: Fix, after fast: FastAnswer = .notAsked) throws(EngineError) {
    prefetch()
    try answered(.fix(fix), .debug, after: fast, saying: { $0.logLine(fix) }, giving: { _ in })
  }

  /// Asks for all that lies in the engine itself, or for so many bytes of it.
  @inline(__always)
  public func prefetch(_ byteCount: Int? = nil) {
    unsafe Prefetch.address(Unmanaged.passUnretained(self).toOpaque(), byteCount ?? MemoryLayout<Session>.size)
  }

  /// Takes a fix that changes nothing; `update` must take any other.
  public func takeFast(_ fix: Fix) -> FastAnswer { session.withLock { $0.takeFast(fix) } }

  /// The same, with what an index has said of the fix.
  public func takeFast(_ fix: Fix, known: KnownPlaces) -> FastAnswer {
    session.withLock { $0.takeFast(fix, known: known) }
  }

  /// The host says where a region is that moves.
  public func moveRegion(_ id: String, to center: Coordinate, at time: Milliseconds) throws(EngineError) {
    try input(.move(Identifier(id), to: center, at: time), .debug) {
      $0.hidesCoordinates ? "\(id) has moved" : "\(id) is at \(center.latitude), \(center.longitude)"
    }
  }

  public func advance(to time: Milliseconds) throws(EngineError) {
    try input(.advance(time))
  }

  public func setEnabled(_ enabled: Bool, at time: Milliseconds) throws(EngineError) {
    try input(.enabled(enabled, at: time), .info, enabled ? "enabled" : "disabled")
  }

  /// `seconds` from 0 to 31,536,000.
  public func setCooldownPeriod(_ seconds: Int64, at time: Milliseconds) throws(EngineError) {
    guard (0...31_536_000).contains(seconds) else {
      throw EngineError(argument: "seconds", expected: "an integer from 0 to 31536000", found: "\(seconds)")
    }
    try input(.cooldownPeriod(seconds * 1000, at: time), .info, "cooldown period \(seconds) s")
  }

  public func setFeed(_ feed: Feed, at time: Milliseconds) throws(EngineError) {
    session.withLock { $0.warnOfMissingStrategies(in: feed) }
    try input(
      .feed(feed, at: time), .info,
      "feed of \(feed.regions.count) regions and \(feed.campaigns.count) campaigns")
  }

  /// A feed that the start takes in place of the one in the store, if that is the same. Before the start only.
  public func offerFeed(_ feed: Feed) throws(EngineError) {
    try locked { (session) throws(EngineError) in
      switch session.phase {
      case .fresh: session.offered = feed
      case .running: throw EngineError(.alreadyInitialized, "a feed is offered before the engine is initialized")
      case .closed: throw Self.closed
      }
    }
  }

  /// Nil clears.
  public func setProperty(_ key: String, _ value: PropertyValue?, at time: Milliseconds) throws(EngineError) {
    guard !key.isEmpty else {
      throw EngineError(argument: "key", expected: "a text that is not empty", found: "an empty one")
    }
    switch value {
    case .double(let number) where !number.isFinite:
      throw EngineError(argument: "value", expected: "a finite number", found: "\(number)")
    case .date(let date) where !Timestamp.range.contains(date):
      throw EngineError(argument: "value", expected: Self.timeForm, found: "\(date)")
    default: break
    }
    try input(.property(Identifier(key), value, at: time))
  }

  /// The device's zone, by its IANA name.
  public func setTimeZone(_ name: String, at time: Milliseconds) throws(EngineError) {
    guard let zone = ZoneFiles().zone(name) else {
      throw EngineError(
        argument: "time_zone", expected: "the IANA name of a time zone that this system has", found: "\"\(name)\"")
    }
    try input(.timeZone(zone, at: time))
  }

  public func answerFilter(_ token: UInt64, _ kept: [Kept], at time: Milliseconds) throws(EngineError) {
    if try answerTest(token, kept, isGeotrigger: false, at: time) { return }
    try input(.filterAnswer(token, kept, at: time))
  }

  public func markGeotriggersHandled(
    _ token: UInt64, _ kept: [Kept], at time: Milliseconds
  ) throws(EngineError) {
    if try answerTest(token, kept, isGeotrigger: true, at: time) { return }
    try input(.handled(token, kept, at: time))
  }

  public func openNotification(_ matchIdentifier: String, at time: Milliseconds) throws(EngineError) {
    try input(.open(matchIdentifier, at: time))
  }

  /// The person has dismissed a notification.
  public func dismissNotification(_ matchIdentifier: String, at time: Milliseconds) throws(EngineError) {
    try input(.dismiss(matchIdentifier, at: time))
  }

  /// The app has a notification taken off the screen; nil for all.
  public func removeNotification(_ matchIdentifier: String?, at time: Milliseconds) throws(EngineError) {
    try input(.removeDisplayed(matchIdentifier, at: time))
  }

  /// The app changes the content of a notification that is on the screen.
  public func updateNotification(_ kept: Kept, at time: Milliseconds) throws(EngineError) {
    try input(.updateDisplayed(kept, at: time))
  }

  public func clearSent(geotriggers: Bool, at time: Milliseconds) throws(EngineError) {
    try input(.clearSent(isGeotrigger: geotriggers, at: time))
  }

  /// Keeps a reading of the clocks for the start; false when the engine has started.
  func holdForStart(_ reading: ClockReading) throws(EngineError) -> Bool {
    try locked { (session) throws(EngineError) in
      guard session.phase == .fresh else { return false }
      // Which time is too early, the configuration will say.
      try Self.check(reading.wall, since: 0)
      session.clock = reading
      return true
    }
  }

  /// Takes an input; `line` is what the debug log says of it.
  func input(
    _ input: Input, _ level: LogLevel = .debug, _ line: @autoclosure () -> String? = nil
  ) throws(EngineError) {
    try answered(input, level, saying: { _ in line() }, giving: { _ in })
  }

  /// The same, where the line depends on what may be said.
  func input(_ input: Input, _ level: LogLevel, line: (borrowing Session) -> String) throws(EngineError) {
    try answered(input, level, saying: line, giving: { _ in })
  }

  /// The same, with what it led to.
  func answered(
    _ input: Input, _ level: LogLevel = .debug, _ line: @autoclosure () -> String? = nil
  ) throws(EngineError) -> Machine.Output {
    try answered(input, level, saying: { _ in line() }, giving: { $0 })
  }

  /// Takes an input, and returns the result of `give`. An output that nobody needs is freed before callbacks run.
  private func answered<Given: Sendable>(
    _ input: Input, _ level: LogLevel, after fast: FastAnswer = .notAsked,
    saying line: (borrowing Session) -> String?, giving give: (consuming Machine.Output) -> Given
  ) throws(EngineError) -> Given {
    var step: Session.Step?
    var triesStore = true
    let result = try locked { (session) throws(EngineError) -> Result<Given, EngineError> in
      try Self.checkRunning(session)
      try session.check(input)
      if session.debug, let line = line(session) { session.report(level, line) }
      defer { step = session.nextStep(&triesStore) }
      do {
        return .success(give(try session.take(input, isUndone: true, after: fast)))
      } catch {
        let refusal = EngineError(error, at: input.time ?? 0)
        session.report(.warning, session.logLine(refusal))
        return .failure(refusal)
      }
    }
    deliver(step.take(), triesStore)
    return try result.get()
  }

  // MARK: Looking

  public func isEnabled() throws(EngineError) -> Bool { try look { $0.state.host.isEnabled } }

  /// Seconds.
  public func cooldownPeriod() throws(EngineError) -> Int64 { try look { $0.state.host.cooldownPeriod / 1000 } }

  /// The IANA name of the device's zone.
  public func timeZone() throws(EngineError) -> String { try look { $0.state.host.zone.name } }

  public func nextWakeup() throws(EngineError) -> Milliseconds? {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      return session.wakeup
    }
  }

  /// The newest time that the engine has seen.
  public func newestTime() throws(EngineError) -> Milliseconds { try look { $0.state.newest } }

  public func batch(_ token: UInt64) throws(EngineError) -> Batch {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      if let test = session.tests.find(token) {
        guard test.answer == nil else { throw EngineError(InputError.alreadyAnswered, at: 0) }
        return test.batch
      }
      do throws(InputError) { return try session.machine.batch(token) } catch { throw EngineError(error, at: 0) }
    }
  }

  public func loaded(geotriggers: Bool, limit: Int) throws(EngineError) -> [LoadedItem] {
    try look { $0.loaded(geotriggers: geotriggers, limit: limit) }
  }

  public func sent(geotriggers: Bool) throws(EngineError) -> [Item] {
    try look { Array(geotriggers ? $0.state.history.sentGeotriggers : $0.state.history.sentNotifications) }
  }

  /// The notifications on the screen, oldest first.
  public func displayed() throws(EngineError) -> [Item] { try look(\.state.screen.displayed) }

  /// Where the engine is, as JSON: for people, and for programs that ask about one that runs.
  public func summary() throws(EngineError) -> String {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      return ListDocument.summary(session.machine.state, session.machine.feed, nextWakeup: session.wakeup)
    }
  }

  public func visits() throws(EngineError) -> [Visit] { try look { $0.state.presence.visits } }

  public func properties() throws(EngineError) -> [Identifier: PropertyValue] { try look { $0.state.host.properties } }

  public func feed() throws(EngineError) -> Feed { try look(\.feed) }

  public func writeDebugLog(to path: String) throws(EngineError) {
    let lines = try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      return session.log.all
    }
    do throws(FileError) { try TextFile.write(lines, to: path) } catch { throw EngineError(error) }
  }

  private func look<T>(_ body: (Machine) -> T) throws(EngineError) -> T {
    try locked { (session) throws(EngineError) in
      try Self.checkRunning(session)
      return body(session.machine)
    }
  }

  func locked<T>(_ body: (inout Session) throws(EngineError) -> T) throws(EngineError) -> T {
    try session.withLock { (session) throws(EngineError) in try body(&session) }
  }
}
