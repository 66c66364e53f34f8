internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The state of the engine. All throw ``PlotError/Code-swift.struct/notInitialized`` before the start, and
/// ``PlotError/Code-swift.struct/closed`` after the end.
extension Engine {
  /// How long after a notification no other one is shown.
  public var cooldownPeriod: Duration {
    get throws(PlotError) { .seconds(try attempt { () throws(EngineError) in try core.cooldownPeriod() }) }
  }

  /// The IANA name of the device's zone.
  public var timeZone: String {
    get throws(PlotError) { try attempt { () throws(EngineError) in try core.timeZone() } }
  }

  /// The newest time that the engine has seen.
  public var newestDate: Date {
    get throws(PlotError) { Date(milliseconds: try attempt { () throws(EngineError) in try core.newestTime() }) }
  }

  /// The feed that is in force.
  public var feed: Feed {
    get throws(PlotError) { Feed(try attempt { () throws(EngineError) in try core.feed() }) }
  }

  /// Segmentation properties.
  public var properties: [String: PropertyValue] {
    get throws(PlotError) {
      let properties = try attempt { () throws(EngineError) in try core.properties() }
      return Dictionary(properties.map { ($0.key.text, PropertyValue($0.value)) }) { $1 }
    }
  }

  /// The same as JSON: name to `{type, value}`.
  public var propertiesJSON: String {
    get throws(PlotError) {
      ListDocument.properties(try attempt { () throws(EngineError) in try core.properties() })
    }
  }

  /// Notifications that may be shown around here, nearest first; 0 for all. Those that were shown are among them.
  public func loadedNotifications(limit: Int = 0) throws(PlotError) -> [PlotNotification] {
    try loaded(limit)
  }

  /// Geotriggers that may fire around here, nearest first; 0 for all.
  public func loadedGeotriggers(limit: Int = 0) throws(PlotError) -> [Geotrigger] {
    try loaded(limit)
  }

  /// The last hundred that were shown, newest first.
  public var sentNotifications: [PlotNotification] {
    get throws(PlotError) { try items { () throws(EngineError) in try core.sent(geotriggers: false) } }
  }

  /// The last hundred that fired, newest first.
  public var sentGeotriggers: [Geotrigger] {
    get throws(PlotError) { try items { () throws(EngineError) in try core.sent(geotriggers: true) } }
  }

  /// The notifications on the screen, oldest first.
  public var displayedNotifications: [PlotNotification] {
    get throws(PlotError) { try items { () throws(EngineError) in try core.displayed() } }
  }

  private func loaded<T: CoreItem>(_ limit: Int) throws(PlotError) -> [T] {
    try attempt { () throws(EngineError) in try core.loaded(geotriggers: T.isGeotrigger, limit: limit) }
      .map { T(.loaded($0)) }
  }

  private func items<T: CoreItem>(_ body: () throws(EngineError) -> [PlotCore.Item]) throws(PlotError) -> [T] {
    try attempt(body).map { T($0) }
  }

  /// The visits that are on.
  public var visits: [Visit] {
    get throws(PlotError) {
      records(ListDocument.visits(try attempt { () throws(EngineError) in try core.visits() }))
    }
  }

  /// The lists that rules ask about, by name.
  public var lists: [ListInfo] {
    get throws(PlotError) {
      records(ListDocument.lists(try attempt { () throws(EngineError) in try core.lists() }))
    }
  }

  /// Whether an entry is in a list. Throws ``PlotError/Code-swift.struct/notFound`` when the list is absent.
  public func list(_ name: String, contains entry: String) throws(PlotError) -> Bool {
    try attempt { () throws(EngineError) in try core.listContains(name, entry) }
  }

  /// Where the engine is.
  public var summary: Summary {
    get throws(PlotError) { try Summary(json: attempt { () throws(EngineError) in try core.summary() }) }
  }

  // MARK: Events that wait

  /// The events that wait for the app: those after a sequence, at most `limit`, 0 for all. Takes nothing. Needs `engine.events.acknowledge` in
  /// the configuration (docs/events.md, Consumers).
  public func pendingEvents(after sequence: Int = 0, limit: Int = 0) throws(PlotError) -> PendingEvents {
    try PendingEvents(
      json: attempt { () throws(EngineError) in
        try core.events(for: "app", after: Int64(sequence), limit: limit)
      })
  }

  /// The app needs no event up to this sequence any more.
  public func acknowledgeEvents(through sequence: Int) throws(PlotError) {
    try attempt { () throws(EngineError) in try core.acknowledgeEvents(for: "app", through: Int64(sequence)) }
  }

  // MARK: Why

  /// Why a campaign is not shown now, or that it would be; at one region, or at the nearest.
  public func explain(
    _ campaign: String, region: String? = nil, language: String = "en"
  ) throws(PlotError) -> Explanation {
    try Explanation(
      json: attempt { () throws(EngineError) in try core.explain(campaign, region: region, language: language) })
  }

  /// Keeps the newest decisions in memory, 0 to 100,000; 0 for none.
  public func keepDecisions(_ capacity: Int) throws(PlotError) {
    try attempt { () throws(EngineError) in try core.keepDecisions(Int64(capacity)) }
  }

  /// Decisions that are kept, oldest first: the newest `limit`, 0 for all.
  public func keptDecisions(
    campaign: String? = nil, region: String? = nil, limit: Int = 0
  ) throws(PlotError) -> [Decision] {
    records(
      try attempt { () throws(EngineError) in try core.decisions(campaign: campaign, region: region, limit: limit) })
  }

  /// Appends decisions to a file from now on, each a line of JSON; nil ends that.
  public func writeDecisions(to url: URL?) throws(PlotError) {
    try attempt { () throws(EngineError) in try core.writeDecisions(to: url?.path) }
  }

  /// Writes the newest lines of the log to a file.
  public func writeDebugLog(to url: URL) throws(PlotError) {
    try attempt { () throws(EngineError) in try core.writeDebugLog(to: url.path) }
  }

  /// Records into a new file, from the start on (docs/recording.md); without effects, the inputs alone.
  public func record(to url: URL, effects: Bool = true) throws(PlotError) {
    try attempt { () throws(EngineError) in try core.record(to: url.path, effects: effects) }
  }

  /// Ends a recording; nothing where there is none.
  public func stopRecording() throws(PlotError) {
    try attempt { () throws(EngineError) in try core.stopRecording() }
  }
}

extension Engine: CustomStringConvertible {
  /// The version, and where the engine is.
  public var description: String {
    "Engine \(Self.version): " + ((try? summary.json) ?? "not running")
  }
}
