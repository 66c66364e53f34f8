internal import PlotCore
internal import PlotEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A rule of the app's with a vote about every notification (docs/strategies.md).
///
/// Every requirement has a default: a strategy that implements none agrees to all, and keeps nothing. The engine calls a strategy on the thread of
/// the call that leads to it, without a lock held.
public protocol Strategy: Sendable {
  /// The parameters that the feed has for it.
  func update(parameters: JSONObject, at date: Date)
  /// Whether a notification may be shown.
  func allowsCreation(of notification: PlotNotification, _ context: VoteContext, at date: Date) -> Bool
  /// A notification was shown, or could not be.
  func created(_ notification: PlotNotification, isShown: Bool, at date: Date)
  /// Whether a notification may leave the screen; `next` is to take its place.
  func allowsDeletion(of notification: PlotNotification, next: PlotNotification?, _ context: VoteContext, at date: Date)
    -> Bool
  /// A notification has left the screen, or could not be taken off.
  func deleted(_ notification: PlotNotification, isRemoved: Bool, next: PlotNotification?, cause: String, at date: Date)
  /// The app has gone to the background.
  func enteredBackground(at date: Date)
  /// The app has come to the foreground.
  func enteredForeground(at date: Date)
  /// The end of a visit is watched for from now on.
  func startedMonitoring(_ monitored: Monitored, at date: Date)
  /// Gets the saved state; nil the first time.
  func load(_ state: String?, at date: Date)
  /// Returns the state to save; nil keeps the saved one.
  func save(at date: Date) -> String?
}

extension Strategy {
  public func update(parameters: JSONObject, at date: Date) {}
  public func allowsCreation(of notification: PlotNotification, _ context: VoteContext, at date: Date) -> Bool { true }
  public func created(_ notification: PlotNotification, isShown: Bool, at date: Date) {}
  public func allowsDeletion(
    of notification: PlotNotification, next: PlotNotification?, _ context: VoteContext, at date: Date
  ) -> Bool { true }
  public func deleted(
    _ notification: PlotNotification, isRemoved: Bool, next: PlotNotification?, cause: String, at date: Date
  ) {}
  /// Nothing.
  public func enteredBackground(at date: Date) {}
  /// Nothing.
  public func enteredForeground(at date: Date) {}
  public func startedMonitoring(_ monitored: Monitored, at date: Date) {}
  public func load(_ state: String?, at date: Date) {}
  public func save(at date: Date) -> String? { nil }
}

/// The facts that a strategy may use in a vote.
public struct VoteContext: Record {
  public static let required = ["time", "foreground", "network", "visits", "displayed"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// Why the notification is to leave the screen; nil where one is to be shown.
  public var cause: String? { string("cause") }
  /// When the vote is.
  public var time: Date { moment("time") }
  /// Whether the app is in the foreground.
  public var isForeground: Bool { flag("foreground") }
  /// Since when the app is in the background.
  public var backgroundSince: Date? { date("backgroundSince") }
  /// Whether there is a network.
  public var hasNetwork: Bool { flag("network") }
  /// `backendSuccess` or `networkError`.
  public var feedStatus: String? { string("feedStatus") }
  /// `complete`, `partial` or `empty`.
  public var informationStatus: String? { string("informationStatus") }
  /// How many visits are on.
  public var visits: Int { integer("visits") ?? 0 }
  /// How many notifications are on the screen.
  public var displayed: Int { integer("displayed") ?? 0 }
  /// When a notification was shown last.
  public var lastShown: Date? { date("lastShown") }
  /// When one left the screen last.
  public var lastRemoved: Date? { date("lastRemoved") }
}

/// A region whose end of visit is watched for.
public struct Monitored: Record {
  public static let required = ["region", "visit", "regionType", "matchRange", "campaigns"]
  /// All of it, as JSON.
  public let object: JSONObject

  public init(_ object: JSONObject) throws(PlotError) {
    try Self.check(object)
    self.object = object
  }

  /// The id of the region.
  public var region: String { text("region") }
  /// The id of the visit.
  public var visit: String { text("visit") }
  /// Whether it is a place or a beacon.
  public var regionType: RegionType { RegionType(rawValue: text("regionType")) ?? .geofence }
  /// Nil for a beacon.
  public var latitude: Double? { number("latitude") }
  /// Degrees, of the region's centre.
  public var longitude: Double? { number("longitude") }
  /// Metres.
  public var matchRange: Int { integer("matchRange") ?? 0 }
  /// Those with notifications.
  public var campaigns: [String] { strings("campaigns") }
}

extension HostStrategy {
  init(key: String, _ strategy: any Strategy) {
    self.init(key: key) { Self.answer($0, strategy) }
  }

  private static func answer(_ call: StrategyCall, _ strategy: any Strategy) -> StrategyReply {
    let date = Date(milliseconds: call.time)
    let next = call.next.map { PlotNotification($0) }
    let object = (try? JSONObject(parsing: call.json)) ?? [:]
    switch (call.kind, call.item.map { PlotNotification($0) }) {
    case (.voteCreate, let item?):
      if let context = try? VoteContext(object) {
        return StrategyReply(agrees: strategy.allowsCreation(of: item, context, at: date))
      }
    case (.voteDelete, let item?):
      if let context = try? VoteContext(object) {
        return StrategyReply(agrees: strategy.allowsDeletion(of: item, next: next, context, at: date))
      }
    case (.created, let item?): strategy.created(item, isShown: call.isDone, at: date)
    case (.deleted, let item?):
      strategy.deleted(
        item, isRemoved: call.isDone, next: next, cause: object["cause"]?.string ?? "", at: date)
    case (.updateParameters, _): strategy.update(parameters: object, at: date)
    case (.startMonitoring, _): if let region = try? Monitored(object) { strategy.startedMonitoring(region, at: date) }
    case (.background, _): strategy.enteredBackground(at: date)
    case (.foreground, _): strategy.enteredForeground(at: date)
    case (.load, _): strategy.load(call.state, at: date)
    case (.save, _): return StrategyReply(agrees: true, state: strategy.save(at: date))
    case (.voteCreate, nil), (.voteDelete, nil), (.created, nil), (.deleted, nil): break
    }
    return StrategyReply(agrees: true)
  }
}
