internal import PlotCore
internal import PlotEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Notifications that wait for the app's filter.
public struct FilterBatch: Sendable {
  /// Those that the filter is asked about.
  public let notifications: [PlotNotification]
  /// Names the batch, also after a restart.
  public let token: UInt64
  let engine: Engine

  /// The answer: these are shown, with the content that they now have; the others are not. Call it once, with an empty list too.
  public func show(_ notifications: [PlotNotification], at date: Date? = nil) throws(PlotError) {
    try engine.answerFilter(token, notifications, at: date)
  }
}

/// Geotriggers that wait for the app's handler.
public struct GeotriggerBatch: Sendable {
  /// Those that are to be handled.
  public let geotriggers: [Geotrigger]
  /// Names the batch, also after a restart.
  public let token: UInt64
  let engine: Engine

  /// The answer: these were handled; the others may fire again. Call it once, with an empty list too.
  public func markHandled(_ geotriggers: [Geotrigger], at date: Date? = nil) throws(PlotError) {
    try engine.markGeotriggersHandled(token, geotriggers, at: date)
  }
}

/// Handlers: each takes the place of the one before it, and nil takes it away. All throw ``PlotError/Code-swift.struct/closed`` only.
extension Engine {
  /// Before notifications are shown: gives those that are, with their content changed or not.
  ///
  /// An answer that does not belong to the batch, such as a notification that is there twice, is refused: the batch then waits for its deadline, and
  /// an error is in the log.
  public func onFilter(_ handler: (@Sendable ([PlotNotification]) -> [PlotNotification])?) throws(PlotError) {
    guard let handler else { return try onFilterBatch(nil) }
    try onFilterBatch { batch in
      let shown = handler(batch.notifications)
      batch.engine.answering("onFilter") { () throws(PlotError) in try batch.show(shown) }
    }
  }

  /// The same for a filter that may answer later: it calls ``FilterBatch/show(_:at:)`` before the deadline of the batch.
  public func onFilterBatch(_ handler: (@Sendable (FilterBatch) -> Void)?) throws(PlotError) {
    var callback: Callbacks.BatchCallback?
    if let handler {
      callback = batchCallback { handler(FilterBatch(notifications: $1, token: $0, engine: $2)) }
    }
    try attempt { () throws(EngineError) in try core.setBatchCallback(callback, geotriggers: false) }
  }

  /// When geotriggers fire: gives those that were handled.
  public func onGeotriggers(_ handler: (@Sendable ([Geotrigger]) -> [Geotrigger])?) throws(PlotError) {
    guard let handler else { return try onGeotriggerBatch(nil) }
    try onGeotriggerBatch { batch in
      let handled = handler(batch.geotriggers)
      batch.engine.answering("onGeotriggers") { () throws(PlotError) in try batch.markHandled(handled) }
    }
  }

  /// The same for a handler that may answer later: it calls ``GeotriggerBatch/markHandled(_:at:)`` before the deadline of the batch.
  public func onGeotriggerBatch(_ handler: (@Sendable (GeotriggerBatch) -> Void)?) throws(PlotError) {
    var callback: Callbacks.BatchCallback?
    if let handler {
      callback = batchCallback { handler(GeotriggerBatch(geotriggers: $1, token: $0, engine: $2)) }
    }
    try attempt { () throws(EngineError) in try core.setBatchCallback(callback, geotriggers: true) }
  }

  /// The engine's core does not hold this engine.
  private func batchCallback<T: CoreItem>(
    _ body: @escaping @Sendable (UInt64, [T], Engine) -> Void
  ) -> Callbacks.BatchCallback {
    { [weak self] token, items in
      guard let self else { return }
      body(token, items.map { T($0) }, self)
    }
  }

  private func answering(_ name: String, _ body: () throws(PlotError) -> Void) {
    do throws(PlotError) {
      try body()
    } catch {
      logHub.send(LogEntry(level: .error, message: "\(name): \(error.message)"))
    }
  }

  private func setItemCallback(
    _ path: any (WritableKeyPath<Callbacks, (@Sendable (PlotCore.Item) -> Bool)?> & Sendable),
    _ handler: (@Sendable (PlotNotification) -> Bool)?
  ) throws(PlotError) {
    var callback: (@Sendable (PlotCore.Item) -> Bool)?
    if let handler { callback = { handler(PlotNotification($0)) } }
    try attempt { () throws(EngineError) in try core.setCallback(path, callback) }
  }

  /// Shows a notification now; false when it could not be shown, and then it is not used up.
  public func onShow(_ handler: (@Sendable (PlotNotification) -> Bool)?) throws(PlotError) {
    try setItemCallback(\.show, handler)
  }

  /// Takes a notification off the screen; false when that could not be done, and then it stays.
  public func onRemove(_ handler: (@Sendable (PlotNotification) -> Bool)?) throws(PlotError) {
    try setItemCallback(\.remove, handler)
  }

  /// Handles opened notifications in place of ``onOpen(_:)``, landing pages apart.
  public func onNotification(_ handler: (@Sendable (PlotNotification) -> Void)?) throws(PlotError) {
    guard let handler else { return try onNotificationOrDefault(nil) }
    try onNotificationOrDefault { notification in
      handler(notification)
      return true
    }
  }

  /// The same for a handler that may leave a notification to ``onOpen(_:)``, by giving false.
  package func onNotificationOrDefault(_ handler: (@Sendable (PlotNotification) -> Bool)?) throws(PlotError) {
    try setItemCallback(\.notificationHandler, handler)
  }

  /// Opens what an opened notification has in its data.
  public func onOpen(_ handler: (@Sendable (OpenAction, PlotNotification) -> Void)?) throws(PlotError) {
    var callback: (@Sendable (PlotEngine.OpenAction, PlotCore.Item) -> Void)?
    if let handler { callback = { handler(OpenAction($0), PlotNotification($1)) } }
    try attempt { () throws(EngineError) in try core.setCallback(\.open, callback) }
  }

  /// Hears each event before the call that led to it returns. The engine counts it as delivered then.
  public func onEvent(_ handler: (@Sendable (Event) -> Void)?) { eventHub.set(handler) }

  /// Hears each decision (docs/decisions.md).
  public func onDecision(_ handler: (@Sendable (Decision) -> Void)?) { decisionHub.set(handler) }

  /// Hears the log.
  public func onLog(_ handler: (@Sendable (LogEntry) -> Void)?) { logHub.set(handler) }

  /// Hears when something is due next; nil when nothing is.
  public func onWakeup(_ handler: (@Sendable (Date?) -> Void)?) { wakeupHub.set(handler) }

  /// The engine asks for a fix, which is of use until this date.
  public func onFixRequest(_ handler: (@Sendable (Date) -> Void)?) { fixRequestHub.set(handler) }

  /// Gets each line of a recording, from the start on (docs/recording.md). To be set before the start; nil ends it.
  public func onRecording(_ handler: (@Sendable (String) -> Void)?) throws(PlotError) {
    try attempt { () throws(EngineError) in try core.setRecordingCallback(handler) }
  }

  /// Registers a rule with a vote about every notification, or takes it away; what it has saved stays.
  public func setStrategy(_ key: String, _ strategy: (any Strategy)?) throws(PlotError) {
    let host = strategy.map { HostStrategy(key: key, $0) }
    try attempt { () throws(EngineError) in try core.setStrategy(key, host) }
  }
}

/// Streams: each is of what happens from the call on, until the engine is closed, and does not hold the engine.
extension Engine {
  /// Events as they happen.
  ///
  /// A stream that nobody reads keeps everything. An event counts as delivered when it is in the stream: what the process has not read when it ends is
  /// lost. ``outbox`` loses nothing.
  public func events(
    bufferingPolicy: AsyncStream<Event>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Event> { eventHub.stream(bufferingPolicy) }

  /// Decisions as they are made.
  public func decisions(
    bufferingPolicy: AsyncStream<Decision>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Decision> { decisionHub.stream(bufferingPolicy) }

  /// The log.
  public func log(
    bufferingPolicy: AsyncStream<LogEntry>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<LogEntry> { logHub.stream(bufferingPolicy) }

  /// When something is due next, each time that changes; only the newest is kept.
  public func wakeups() -> AsyncStream<Date?> { wakeupHub.stream(.bufferingNewest(1)) }

  /// Requests for a fix.
  public func fixRequests() -> AsyncStream<Date> { fixRequestHub.stream(.unbounded) }

  /// The events that wait for the app, and then those that come, each until it is acknowledged: that is done when the next one is asked for.
  ///
  /// Needs `engine.events.acknowledge` in the configuration (docs/events.md, Consumers). With a store nothing is lost: what was not acknowledged
  /// comes again after a restart.
  ///
  /// ```swift
  /// for try await event in engine.outbox { try await upload(event) }
  /// ```
  public var outbox: Outbox { Outbox(engine: self) }

  /// The events that wait for the app, one after another, without an end.
  public struct Outbox: AsyncSequence {
    public typealias Element = Event

    let engine: Engine

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(engine: engine) }

    public struct AsyncIterator: AsyncIteratorProtocol {
      private let engine: Engine
      private var news: AsyncStream<Event>.Iterator
      private var handed: Int?

      init(engine: Engine) {
        self.engine = engine
        news = engine.events(bufferingPolicy: .bufferingNewest(1)).makeAsyncIterator()
      }

      public mutating func next() async throws -> Event? {
        if let handed { try engine.acknowledgeEvents(through: handed) }
        handed = nil
        while !Task.isCancelled {
          if let event = try engine.pendingEvents(limit: 1).events.first {
            handed = event.sequence
            return event
          }
          if await news.next() == nil { return nil }
        }
        return nil
      }
    }
  }
}
