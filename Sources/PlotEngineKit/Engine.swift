internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One device: its places, visits, history and settings.
///
/// Register handlers, start the engine with a configuration, give it a feed, and then everything that happens: fixes, beacons, and what the person
/// does. It decides which notification is shown and which geotrigger fires, and reports both to the handlers and streams.
///
/// ```swift
/// let engine = Engine()
/// try engine.onShow { notification in
///   print(notification.message)
///   return true
/// }
/// try engine.start(Configuration(), feed: Feed(contentsOf: url), store: storeURL)
/// try engine.update(Fix(latitude: 52.3702, longitude: 4.8952, accuracy: 10))
/// ```
///
/// An engine may be used from every thread and task. Handlers are called on the thread of the call that leads to them, before it returns, without a
/// lock held: they may call the engine. A call that fails throws a ``PlotError``, and nothing has changed.
///
/// Times are dates; the engine counts whole milliseconds. An input without a date is of the engine's ``EngineClock``.
public final class Engine: Sendable {
  let core = PlotEngine.Engine()
  private let clock: EngineClock
  private let time = Mutex(Time())

  let eventHub: Hub<Event>
  let decisionHub: Hub<Decision>
  let logHub: Hub<LogEntry>
  let wakeupHub: Hub<Date?>
  let fixRequestHub: Hub<Date>

  private struct Time: Sendable {
    /// The host gives no readings of its own.
    var isClockOurs = true
    /// Only from a start by the clock on.
    var watch: ClockWatch?
    /// It was started without a date: what comes without one is of now.
    var isLive = false
  }

  /// An engine that has not been started. `clock` gives the time of every input that comes without a date.
  public init(clock: EngineClock = .system) {
    self.clock = clock
    let core = self.core
    // An engine that is closed reports nothing any more: there is nothing to be done about that.
    eventHub = Hub { hub in try? core.setCallback(\.event, hub.map { Report.event($0) }) }
    decisionHub = Hub { hub in try? core.setCallback(\.decision, hub.map { Report.decision($0) }) }
    logHub = Hub { hub in try? core.setCallback(\.log, hub.map { Report.log($0) }) }
    wakeupHub = Hub { hub in try? core.setCallback(\.wakeup, hub.map { Report.wakeup($0) }) }
    fixRequestHub = Hub { hub in try? core.setCallback(\.fixRequest, hub.map { Report.fixRequest($0) }) }
  }

  deinit { close() }

  /// The version of this package.
  public static let version = Version.text

  // MARK: Life

  /// Which time zone the device is in, when the engine starts.
  public enum StartZone: Hashable, Sendable {
    /// That of this machine. One that the engine has no data of leaves the one in the store, and a line in the log.
    case system
    /// That in the store, and UTC at first.
    case stored
    /// By its IANA name.
    case named(String)
  }

  /// Starts the engine.
  ///
  /// - Parameters:
  ///   - configuration: Read from a `plotconfig.json`, or made from JSON.
  ///   - feed: Taken in place of the one in the store. When it is the same, the store's is not read.
  ///   - store: The file that remembers everything, made when absent. Without one the engine remembers until it is closed.
  ///   - timeZone: The device's.
  ///   - date: The time of the start. Without one it is that of the clock, and so is every later input without a date.
  public func start(
    _ configuration: Configuration = Configuration(), feed: Feed? = nil, store: URL? = nil,
    timeZone: StartZone = .system, at date: Date? = nil
  ) throws(PlotError) {
    let at = try startMoment(date)
    try attempt { () throws(EngineError) in
      if let feed, store != nil, !isRunning { try core.offerFeed(feed.core) }
      try core.initialize(at: at, configuration.core, storePath: store?.path)
    }
    time.withLock { $0.isLive = date == nil }
    try setStartZone(timeZone, at)
    if let feed { try attempt { () throws(EngineError) in try core.setFeed(feed.core, at: at) } }
  }

  /// All that a store keeps, but for the feed, as bytes (docs/state-bytes.md). The same state gives the same bytes. With `events`, also the events
  /// that the app has yet to acknowledge.
  public func save(events: Bool = false) throws(PlotError) -> [UInt8] {
    try attempt { () throws(EngineError) in try core.save(events: events) }
  }

  /// Starts the engine with what ``save(events:)`` gave, in place of ``start(_:feed:store:timeZone:at:)``.
  ///
  /// - Parameters:
  ///   - bytes: What another engine has saved. Restored twice they are two engines that go on alike: drop one.
  ///   - configuration: As for a start.
  ///   - feed: The one that is in force from now on. One that has another digest than that of then is taken as a new feed is.
  ///   - store: A new file that remembers everything from now on, the state included.
  ///   - timeZone: As for a start; `stored` is the one of the state.
  ///   - date: When that is; nil is now.
  ///
  /// Throws ``PlotError/Code-swift.struct/invalidDocument`` for bytes that are no state, and ``PlotError/Code-swift.struct/storeNewer`` for those of
  /// a newer version.
  public func restore(
    _ bytes: [UInt8], _ configuration: Configuration = Configuration(), feed: Feed? = nil, store: URL? = nil,
    timeZone: StartZone = .stored, at date: Date? = nil
  ) throws(PlotError) {
    let at = try startMoment(date)
    try attempt { () throws(EngineError) in
      try core.restore(bytes, at: at, configuration.core, feed: feed?.core, storePath: store?.path)
    }
    time.withLock { $0.isLive = date == nil }
    try setStartZone(timeZone, at)
  }

  /// The time of a start. Without a date the engine is told what the clocks show.
  private func startMoment(_ date: Date?) throws(PlotError) -> Int64 {
    let reading = clock.read()
    let at = (date ?? reading.date).milliseconds
    // An engine that runs already is not told of the clock: the start is refused.
    if date == nil, let uptime = reading.uptime, time.withLock({ $0.isClockOurs }), !isRunning {
      try attempt { () throws(EngineError) in
        try core.setClock(monotonic: uptime.milliseconds, boot: reading.boot, at: at)
      }
      time.withLock { $0.watch = ClockWatch(told: at, uptime: uptime.milliseconds, boot: reading.boot) }
    }
    return at
  }

  private func setStartZone(_ zone: StartZone, _ at: Int64) throws(PlotError) {
    let name: String
    switch zone {
    case .system: name = TimeZone.current.identifier
    case .stored: return
    case .named(let given): name = given
    }
    if try timeZone == name { return }
    do throws(EngineError) {
      try core.setTimeZone(name, at: at)
    } catch {
      guard zone == .system else { throw PlotError(error) }
      logHub.send(LogEntry(level: .warning, message: "the zone of this machine is not taken over: \(error.message)"))
    }
  }

  private var isRunning: Bool { (try? core.isEnabled()) != nil }

  /// Closes the store, and lets go of all handlers. Every stream ends. Closing twice is fine.
  public func close() {
    core.close()
    eventHub.close()
    decisionHub.close()
    logHub.close()
    wakeupHub.close()
    fixRequestHub.close()
  }

  // MARK: Time

  /// Runs a call of the engine's core, and throws what it throws in the words of this module.
  func attempt<T>(_ body: () throws(EngineError) -> T) throws(PlotError) -> T {
    do throws(EngineError) { return try body() } catch { throw PlotError(error) }
  }

  /// The time of an input. The engine is first told what the clocks show where it must know.
  func moment(_ date: Date?) throws(PlotError) -> Int64 {
    let watched = time.withLock { $0.isClockOurs && $0.watch != nil }
    if let date, !watched { return date.milliseconds }
    let reading = clock.read()
    let wall = reading.date.milliseconds
    guard watched, let uptime = reading.uptime?.milliseconds else { return date?.milliseconds ?? wall }
    if let date {
      guard ClockWatch.isBeyond(date.milliseconds, wall) else { return date.milliseconds }
    } else if let now = time.withLock({ $0.watch?.time(wall, uptime: uptime, boot: reading.boot) }) {
      return now
    }
    try attempt { () throws(EngineError) in try core.setClock(monotonic: uptime, boot: reading.boot, at: wall) }
    time.withLock { $0.watch = ClockWatch(told: wall, uptime: uptime, boot: reading.boot) }
    return date?.milliseconds ?? wall
  }

  /// The time of an answer: 0, which stands for the newest time, in an engine that does not follow its clock.
  func answerMoment(_ date: Date?) throws(PlotError) -> Int64 {
    if let date { return date.milliseconds }
    return time.withLock { $0.isLive } ? try moment(nil) : 0
  }

  /// Tells what the host's own clocks show. From then on the engine does not read its clock for changes of the wall clock.
  public func setClock(_ reading: ClockReading) throws(PlotError) {
    guard let uptime = reading.uptime else {
      throw PlotError(
        .invalidArgument, "uptime: expected the time since the device was started, found none", argument: "uptime",
        expected: "the time since the device was started", found: "nil")
    }
    try attempt { () throws(EngineError) in
      try core.setClock(monotonic: uptime.milliseconds, boot: reading.boot, at: reading.date.milliseconds)
    }
    time.withLock { ($0.isClockOurs, $0.watch) = (false, nil) }
  }

  /// Something may be due now, or by this date.
  public func advance(to date: Date? = nil) throws(PlotError) {
    let at = try moment(date)
    try attempt { () throws(EngineError) in try core.advance(to: at) }
  }

  /// When something is due next, without another input; nil when nothing is.
  public var nextWakeup: Date? {
    get throws(PlotError) {
      try attempt { () throws(EngineError) in try core.nextWakeup() }.map(Date.init(milliseconds:))
    }
  }

  /// Follows the wakeups by the engine's clock, until the engine is closed or the task is cancelled.
  ///
  /// ```swift
  /// try await withThrowingTaskGroup { group in
  ///   group.addTask { try await engine.run() }
  ///   for await event in engine.events() { print(event) }
  ///   group.cancelAll()
  /// }
  /// ```
  public func run() async throws {
    let wakeups = wakeupHub.stream(.bufferingNewest(1))
    var next = try nextWakeup
    // One task hears of new wakeups, the other sleeps until the next one; whoever is first has both begin again.
    var changes = Changes(wakeups)
    while !Task.isCancelled {
      guard let change = try await changes.next(before: next, clock) else { return }
      switch change {
      case .wakeup(let date): next = date
      case .due:
        try advance()
        next = try nextWakeup
      }
    }
  }
}

/// The callbacks of the engine's core that report to a hub.
private enum Report {
  static func event(_ hub: Hub<Event>) -> @Sendable (String, PlotCore.Item?) -> Void {
    { json, item in if let event = try? Event(json: json, item) { hub.send(event) } }
  }

  static func decision(_ hub: Hub<Decision>) -> @Sendable (String, PlotCore.Decision) -> Void {
    { json, _ in if let decision = try? Decision(json: json) { hub.send(decision) } }
  }

  static func log(_ hub: Hub<LogEntry>) -> @Sendable (LogLevel, String) -> Void {
    { level, message in hub.send(LogEntry(level: LogEntry.Level(level), message: message)) }
  }

  static func wakeup(_ hub: Hub<Date?>) -> @Sendable (Int64?) -> Void {
    { time in hub.send(time.map(Date.init(milliseconds:))) }
  }

  static func fixRequest(_ hub: Hub<Date>) -> @Sendable (Int64) -> Void {
    { deadline in hub.send(Date(milliseconds: deadline)) }
  }
}

/// Wakeups as they change, and the moments at which one is due.
private struct Changes {
  enum Change: Sendable {
    case wakeup(Date?)
    case due
  }

  private let wakeups: AsyncStream<Date?>

  init(_ wakeups: AsyncStream<Date?>) { self.wakeups = wakeups }

  /// The next change; nil when the engine is closed.
  mutating func next(before date: Date?, _ clock: EngineClock) async throws -> Change? {
    let wakeups = wakeups
    return try await withThrowingTaskGroup(of: Change?.self) { group in
      group.addTask {
        for await date in wakeups { return .wakeup(date) }
        try Task.checkCancellation()
        return nil
      }
      if let date {
        group.addTask {
          // A clock that was set meanwhile is looked at again.
          while case let rest = date.timeIntervalSince(clock.read().date), rest > 0 {
            try await clock.sleep(.seconds(min(rest, 60)))
          }
          return .due
        }
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}

extension Duration {
  /// Whole milliseconds; the greatest number that there is for more.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? (seconds > 0 ? .max : .min) : whole + attoseconds / 1_000_000_000_000_000
  }
}
