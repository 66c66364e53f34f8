public import Foundation
public import PlotEngineKit
internal import Synchronization

#if canImport(UIKit)
  public import UIKit
#endif

/// The plugin, with the names of the iOS SDK as Swift imports them. All methods are static; there is one engine in the process.
///
/// An app that was written against the SDK moves over line by line. What is marked "own" the SDK does not have, because on a phone the system does it:
/// set ``system`` first, and give fixes to ``engine``.
///
/// ```swift
/// Plot.initialize(launchOptions: launchOptions, delegate: self)
/// try Plot.engine?.update(Fix(latitude: 52.3702, longitude: 4.8952, accuracy: 10))
/// ```
///
/// No method throws: what could not be done is a line in ``PlotSystem/log``, and has changed nothing.
public final class Plot: Sendable {
  private static let state = Mutex(State())

  private struct State: Sendable {
    var system: PlotSystem?
    var engine: Engine?
  }

  private init() {}

  // MARK: Own

  /// Own: what on a phone the system gives. To be set before the SDK is initialized.
  public static var system: PlotSystem {
    get { state.withLock { $0.system } ?? PlotSystem() }
    set { state.withLock { $0.system = newValue } }
  }

  /// Own: the engine beneath, to give it fixes and time. Nil before the SDK is initialized.
  public static var engine: Engine? { state.withLock { $0.engine } }

  /// Own: ends the plugin, as the end of the process does on a phone.
  public static func close() {
    let engine = state.withLock { state in
      defer { state.engine = nil }
      return state.engine
    }
    engine?.close()
  }

  // MARK: Life

  /// Starts the plugin, with `plotconfig.json` of the app. More calls change nothing.
  ///
  /// When the app was started by a notification that the person has opened, the options say so, and it is opened.
  public static func initialize(launchOptions: [AnyHashable: Any]?, delegate: (any PlotDelegate)?) {
    begin(launchOptions, delegate) { () throws(PlotError) in
      try properties(in: system.resources.appendingPathComponent("plotconfig.json"))
    }
  }

  /// Starts the engine with `plotconfig.json`, a token and a delegate.
  @available(*, deprecated, message: "put the token into plotconfig.json, and call initialize(launchOptions:delegate:)")
  public static func initialize(publicKey: String!, launchOptions: [AnyHashable: Any]?, delegate: (any PlotDelegate)?) {
    begin(launchOptions, delegate) { () throws(PlotError) in ["publicToken": .string(publicKey)] }
  }

  /// Starts the engine with `plotconfig.json` and a token.
  @available(*, deprecated, message: "put the token into plotconfig.json, and call initialize(launchOptions:delegate:)")
  public static func initialize(publicKey: String!, launchOptions: [AnyHashable: Any]?) {
    begin(launchOptions, nil) { () throws(PlotError) in ["publicToken": .string(publicKey)] }
  }

  /// Starts the engine with a configuration.
  @available(*, deprecated, message: "use plotconfig.json, and call initialize(launchOptions:delegate:)")
  public static func initialize(with configuration: PlotConfiguration!, launchOptions: [AnyHashable: Any]?) {
    begin(launchOptions, configuration.delegate) { () throws(PlotError) in configuration.properties }
  }

  private static func begin(
    _ launchOptions: [AnyHashable: Any]?, _ delegate: (any PlotDelegate)?,
    _ properties: () throws(PlotError) -> JSONObject
  ) {
    guard engine == nil else { return }
    let system = system
    let engine = Engine(clock: system.clock)
    do throws(PlotError) {
      let configuration = try Configuration(json: asOnThePhone(properties()).text)
      try register(engine, system, delegate.map(Held.init))
      try engine.start(
        configuration, feed: system.feed, store: system.storage?.appendingPathComponent("plot.store"),
        timeZone: system.timeZone)
    } catch {
      engine.close()
      return system.log(error.message)
    }
    let isFirst = state.withLock { state in
      guard state.engine == nil else { return false }
      state.engine = engine
      return true
    }
    guard isFirst else { return engine.close() }
    if let opened = launchOptions?[UIApplication.LaunchOptionsKey.localNotification] as? UILocalNotification {
      handle(opened)
    }
  }

  /// Reads the properties of a file. The configuration reads it first, because its errors name the place.
  private static func properties(in file: URL) throws(PlotError) -> JSONObject {
    let configuration = try Configuration(contentsOf: file)
    let text = ((try? String(contentsOf: file, encoding: .utf8)) ?? "").trimmingPrefix("\u{FEFF}")
    if let said = try? JSONObject(parsing: String(text)) { return said }
    return try JSONObject(parsing: configuration.json)
  }

  /// The SDK's own behaviour where the app says nothing: the filter sees a dwelling notification when its region is entered, and in the foreground
  /// the person is asked before a notification is opened.
  private static func asOnThePhone(_ properties: JSONObject) -> JSONObject {
    let behaviour: JSONObject = [
      "damagedStore": "setAside", "geotriggersKeepCooldown": true, "filterAtEnter": true, "confirmInForeground": true,
    ]
    var (properties, engine) = (properties, properties["engine"]?.object ?? [:])
    for (key, value) in behaviour where engine[key] == nil || engine[key] == .null { engine[key] = value }
    properties["engine"] = .object(engine)
    return properties
  }

  private static func register(_ engine: Engine, _ system: PlotSystem, _ delegate: Held?) throws(PlotError) {
    if let show = system.show { try engine.onShow { show(UILocalNotification($0)) } }
    if let remove = system.remove { try engine.onRemove { remove(UILocalNotification($0)) } }
    try engine.onOpen { action, notification in
      system.open?(action, UILocalNotification(notification), notification.confirms)
    }
    engine.onEvent(system.event)
    try system.prepare?(engine)
    guard let delegate else { return }
    let methods = system.delegateImplements
    if methods.contains(.filter) {
      try engine.onFilterBatch { batch in
        delegate.delegate?.plotFilterNotifications(
          PlotFilterNotifications(batch.notifications, batch.token) { shown in
            attempting(system) { () throws(PlotError) in try batch.show(shown) }
          })
      }
    }
    if methods.contains(.geotriggers) {
      try engine.onGeotriggerBatch { batch in
        delegate.delegate?.plotHandleGeotriggers(
          PlotHandleGeotriggers(batch.geotriggers, batch.token) { handled in
            attempting(system) { () throws(PlotError) in try batch.markHandled(handled) }
          })
      }
    }
    if methods.contains(.handler) {
      try engine.onNotificationOrDefault { notification in
        let opening = Opening()
        Opening.$current.withValue(opening) {
          delegate.delegate?.plotHandleNotification(UILocalNotification(notification), data: notification.data)
        }
        return !opening.isLeft
      }
    }
    engine.onEvent { event in
      system.event?(event)
      guard let notification = event.notification else { return }
      switch event.name {
      case .notificationShown: delegate.delegate?.plotNotificationSentEvent(PlotSentNotification(notification))
      case .notificationOpened: delegate.delegate?.plotNotificationOpenedEvent(PlotSentNotification(notification))
      default: break
      }
    }
  }

  /// A notification was opened: to be called from `application(_:didReceive:)`.
  public static func handle(_ notification: UILocalNotification!) {
    guard let match = notification.matchIdentifier else {
      return system.log("the notification is none of this plugin's: its userInfo has no matchIdentifier")
    }
    attempt { (engine) throws(PlotError) in try engine.openNotification(match) }
  }

  /// The same, as Objective-C has it.
  public static func handleNotification(_ notification: UILocalNotification!) { handle(notification) }

  // MARK: Settings

  /// Follows places from now on.
  public static func enable() { attempt { (engine) throws(PlotError) in try engine.setEnabled(true) } }
  /// Follows no places until ``enable()``.
  public static func disable() { attempt { (engine) throws(PlotError) in try engine.setEnabled(false) } }

  /// False before the SDK is initialized.
  public static func isEnabled() -> Bool { (try? engine?.isEnabled) ?? false }

  /// Seconds; 0 for none. It is remembered.
  public static func setCooldownPeriod(_ secondsCooldown: Int32) {
    attempt { (engine) throws(PlotError) in try engine.setCooldownPeriod(.seconds(secondsCooldown)) }
  }

  /// The version of the library.
  public static func version() -> String! { Engine.version }

  /// Nil clears, as for all of these.
  public static func setStringSegmentationProperty(_ value: String?, forKey propertyKey: String!) {
    set(propertyKey, value.map { .string($0) })
  }

  /// Sets a property of the person to a truth value.
  public static func setBooleanSegmentationProperty(_ value: Bool, forKey propertyKey: String!) {
    set(propertyKey, .boolean(value))
  }

  /// Sets a property of the person to a whole number.
  public static func setIntegerSegmentationProperty(_ value: Int64, forKey propertyKey: String!) {
    set(propertyKey, .integer(value))
  }

  /// Sets a property of the person to a number.
  public static func setDoubleSegmentationProperty(_ value: Double, forKey propertyKey: String!) {
    set(propertyKey, .double(value))
  }

  /// Sets a property of the person to a moment; nil takes it away.
  public static func setDateSegmentationProperty(_ value: Date?, forKey propertyKey: String!) {
    set(propertyKey, value.map { .date($0) })
  }

  private static func set(_ key: String?, _ value: PropertyValue?) {
    attempt { (engine) throws(PlotError) in try engine.setProperty(key ?? "", value) }
  }

  /// Events carry it from now on; without tracking they say only that.
  public static func setAdvertisingIdentifier(
    _ advertisingIdentifier: UUID!, advertisingTrackingEnabled enabled: Bool
  ) {
    attempt { (engine) throws(PlotError) in
      try engine.setAdvertisingIdentifier(advertisingIdentifier?.uuidString, limitsTracking: !enabled)
    }
  }

  // MARK: Lists

  /// Those that may be shown around here; those that were shown are among them.
  public static func loadedNotifications() -> [UILocalNotification]! {
    attempt([]) { (engine) throws(PlotError) in
      try engine.loadedNotifications().map { UILocalNotification($0) }
    }
  }

  /// The geotriggers of the feed that are near, or the nearest.
  public static func loadedGeotriggers() -> [PlotGeotrigger]! {
    attempt([]) { (engine) throws(PlotError) in
      try engine.loadedGeotriggers().map { PlotGeotrigger(userInfo: $0.userInfoOfSDK) }
    }
  }

  /// Up to a hundred, newest first.
  public static func sentNotifications() -> [PlotSentNotification]! {
    attempt([]) { (engine) throws(PlotError) in try engine.sentNotifications.map { PlotSentNotification($0) } }
  }

  /// The geotriggers that were handed over, the newest first.
  public static func sentGeotriggers() -> [PlotSentGeotrigger]! {
    attempt([]) { (engine) throws(PlotError) in try engine.sentGeotriggers.map { PlotSentGeotrigger($0) } }
  }

  /// Forgets the list of sent notifications.
  public static func clearSentNotifications() {
    attempt { (engine) throws(PlotError) in try engine.clearSentNotifications() }
  }

  /// Forgets the list of geotriggers.
  public static func clearSentGeotriggers() {
    attempt { (engine) throws(PlotError) in try engine.clearSentGeotriggers() }
  }

  /// Writes the log beside the store, or into the temporary folder; gives where. On a phone a mail is made of it.
  @discardableResult
  public static func mailDebugLog(_ viewController: AnyObject? = nil) -> URL? {
    let folder = system.storage ?? FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("plot-debug.log")
    return attempt(nil) { (engine) throws(PlotError) in
      try engine.writeDebugLog(to: file)
      return file
    }
  }

  /// Has no effect here: a warning is the app's own.
  @available(*, deprecated, message: "it does nothing")
  public static func setEnableBackgroundModeWarning(_ enabled: Bool) {}

  // MARK: Faults

  private static func attempt(_ body: (Engine) throws(PlotError) -> Void) { attempt((), body) }

  private static func attempt<T>(_ otherwise: T, _ body: (Engine) throws(PlotError) -> T) -> T {
    let system = system
    guard let engine else {
      system.log("Cannot perform requested operation because Plot hasn't been initialized")
      return otherwise
    }
    do throws(PlotError) {
      return try body(engine)
    } catch {
      system.log(error.message)
      return otherwise
    }
  }

  private static func attempting(_ system: PlotSystem, _ body: () throws(PlotError) -> Void) {
    do throws(PlotError) { try body() } catch { system.log(error.message) }
  }
}

/// In the SDK, the class with which a debug build starts.
public typealias PlotDebug = Plot
/// In the SDK, the class with which a release build starts.
public typealias PlotRelease = Plot

/// A configuration made in code, for the deprecated ``Plot/initialize(with:launchOptions:)``.
open class PlotConfiguration {
  /// The token of the app.
  public var publicToken: String!
  /// Hears what happens, and is asked.
  public weak var delegate: (any PlotDelegate)?
  /// Whether places are followed from the first start on.
  public var enableOnFirstRun = true
  /// How many regions the system is asked to watch at most.
  public var maxRegionsMonitored: Int32 = 20
  /// Seconds; 0 for none, -1 for the one of the session before.
  public var cooldownPeriod: Int32 = -1
  /// Nothing looks at it any more.
  public var enableBackgroundModeWarning = true

  /// A configuration with a token.
  public init(publicKey: String!, delegate: (any PlotDelegate)?) {
    publicToken = publicKey
    self.delegate = delegate
  }

  /// The older name of ``publicToken``.
  public var publicKey: String! {
    get { publicToken }
    set { publicToken = newValue }
  }

  var properties: JSONObject {
    var properties: JSONObject = [
      "enableOnFirstRun": .boolean(enableOnFirstRun),
      "maxRegionsMonitored": .integer(Int64(clamping: maxRegionsMonitored)),
    ]
    if let publicToken { properties["publicToken"] = .string(publicToken) }
    if cooldownPeriod >= 0 { properties["cooldownPeriod"] = .integer(Int64(clamping: cooldownPeriod)) }
    return properties
  }
}

/// The app's delegate, which the plugin does not keep alive. It is called on the thread of the call that leads to it: an app that gives its fixes on
/// the main thread hears of everything there, as on a phone.
final class Held: @unchecked Sendable {
  weak var delegate: (any PlotDelegate)?

  init(_ delegate: any PlotDelegate) { self.delegate = delegate }
}

/// The delegate is asked to handle an opened notification. One that does not implement that leaves it to the plugin.
final class Opening: Sendable {
  @TaskLocal static var current: Opening?

  private let left = Mutex(false)

  var isLeft: Bool { left.withLock { $0 } }
  func leave() { left.withLock { $0 = true } }
}
