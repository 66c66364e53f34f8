import FoundationEssentials
internal import PlotEngineKit

/// The host of a scenario: what an engine calls.
struct VectorHost: Sendable {
  /// Takes the answer to a batch.
  typealias Answer<T> = ([T]) throws -> Void

  var clock: EngineClock
  var filter: (@Sendable (_ token: UInt64, [PlotNotification], Answer<PlotNotification>) -> Void)?
  var geotriggers: (@Sendable (_ token: UInt64, [Geotrigger], Answer<Geotrigger>) -> Void)?
  var show: (@Sendable (PlotNotification) -> Bool)?
  var remove: (@Sendable (PlotNotification) -> Bool)?
  var notification: (@Sendable (PlotNotification) -> Void)?
  var open: @Sendable (OpenAction, PlotNotification) -> Void = { _, _ in }
  var event: @Sendable (Event) -> Void = { _ in }
  /// Does the rest, before the engine is started.
  var prepare: @Sendable (Engine) throws -> Void = { _ in }

  init(clock: EngineClock) { self.clock = clock }
}

/// The interface that a scenario is played on: the engine, or names of another SDK above it.
protocol VectorFrontEnd: Sendable {
  func start(_ host: VectorHost, _ configuration: String, _ storePath: String?, at date: Date) throws
  /// The same, from what an engine has saved.
  func restore(_ host: VectorHost, _ configuration: String, _ saved: VectorSaved, at date: Date) throws
  func setEnabled(_ isEnabled: Bool, _ engine: Engine, at date: Date) throws
  func setCooldownPeriod(_ seconds: Int64, _ engine: Engine, at date: Date) throws
  func setProperty(_ key: String, _ value: PropertyValue?, _ engine: Engine, at date: Date) throws
  func openNotification(_ matchIdentifier: String, _ engine: Engine, at date: Date) throws
  func clearSent(geotriggers: Bool, _ engine: Engine, at date: Date) throws
}

/// The saved state of an engine, and the feed that it had.
struct VectorSaved {
  var bytes: [UInt8]
  var feed: PlotEngineKit.Feed
}

extension VectorFrontEnd {
  func restore(_ host: VectorHost, _ configuration: String, _ saved: VectorSaved, at date: Date) throws {
    throw VectorFault("this front end restores nothing")
  }

  func setEnabled(_ isEnabled: Bool, _ engine: Engine, at date: Date) throws {
    try engine.setEnabled(isEnabled, at: date)
  }

  func setCooldownPeriod(_ seconds: Int64, _ engine: Engine, at date: Date) throws {
    try engine.setCooldownPeriod(.seconds(seconds), at: date)
  }

  func setProperty(_ key: String, _ value: PropertyValue?, _ engine: Engine, at date: Date) throws {
    try engine.setProperty(key, value, at: date)
  }

  func openNotification(_ matchIdentifier: String, _ engine: Engine, at date: Date) throws {
    try engine.openNotification(matchIdentifier, at: date)
  }

  func clearSent(geotriggers: Bool, _ engine: Engine, at date: Date) throws {
    try geotriggers ? engine.clearSentGeotriggers(at: date) : engine.clearSentNotifications(at: date)
  }
}

/// The engine itself.
struct EngineFrontEnd: VectorFrontEnd {
  func start(_ host: VectorHost, _ configuration: String, _ storePath: String?, at date: Date) throws {
    try engine(for: host).start(
      PlotEngineKit.Configuration(json: configuration), store: storePath.map { URL(fileURLWithPath: $0) },
      timeZone: .stored, at: date)
  }

  func restore(_ host: VectorHost, _ configuration: String, _ saved: VectorSaved, at date: Date) throws {
    try engine(for: host).restore(
      saved.bytes, PlotEngineKit.Configuration(json: configuration), feed: saved.feed, at: date)
  }

  private func engine(for host: VectorHost) throws -> Engine {
    let engine = Engine(clock: host.clock)
    engine.onEvent(host.event)
    try engine.onOpen(host.open)
    try engine.onShow(host.show)
    try engine.onRemove(host.remove)
    try engine.onNotification(host.notification)
    if let filter = host.filter {
      try engine.onFilterBatch { batch in filter(batch.token, batch.notifications) { try batch.show($0) } }
    }
    if let geotriggers = host.geotriggers {
      try engine.onGeotriggerBatch { batch in
        geotriggers(batch.token, batch.geotriggers) { try batch.markHandled($0) }
      }
    }
    try host.prepare(engine)
    return engine
  }
}
