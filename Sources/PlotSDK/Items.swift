public import Foundation
internal import PlotEngineKit

#if canImport(UIKit)
  public import UIKit
#endif

/// A geotrigger of the SDK.
open class PlotGeotrigger {
  /// The keys are the `PlotGeotrigger…` names.
  open var userInfo: [AnyHashable: Any]

  /// A geotrigger of these values.
  public init(userInfo: [AnyHashable: Any]) { self.userInfo = userInfo }

  /// As Objective-C has it.
  public static func initialize(withUserInfo userInfo: [AnyHashable: Any]!) -> PlotGeotrigger {
    PlotGeotrigger(userInfo: userInfo)
  }
}

/// A notification that was shown.
open class PlotSentNotification {
  /// The keys are the `PlotNotification…` names.
  public let userInfo: [AnyHashable: Any]
  /// When it was shown.
  public let dateSent: Date
  /// Nil when it was not opened.
  public let dateOpened: Date?

  /// One that was shown then, and opened then or not.
  public init(userInfo: [AnyHashable: Any], dateSent: Date, dateOpened: Date?) {
    self.userInfo = userInfo
    self.dateSent = dateSent
    self.dateOpened = dateOpened
  }

  convenience init(_ notification: PlotNotification) {
    self.init(
      userInfo: notification.userInfoOfSDK, dateSent: notification.dateSent ?? Date(timeIntervalSince1970: 0),
      dateOpened: notification.dateOpened)
  }
}

/// A geotrigger that fired.
open class PlotSentGeotrigger {
  /// The keys are the `PlotGeotrigger…` names.
  public let userInfo: [AnyHashable: Any]
  /// When it was handed over.
  public let dateSent: Date
  /// Nil when it was not handled.
  public let dateHandled: Date?

  /// One that was handed over then, and handled then or not.
  public init(userInfo: [AnyHashable: Any], dateSent: Date, dateHandled: Date?) {
    self.userInfo = userInfo
    self.dateSent = dateSent
    self.dateHandled = dateHandled
  }

  convenience init(_ geotrigger: Geotrigger) {
    self.init(
      userInfo: geotrigger.userInfoOfSDK, dateSent: geotrigger.dateSent ?? Date(timeIntervalSince1970: 0),
      dateHandled: geotrigger.dateHandled)
  }
}

// MARK: Between the two

extension Item {
  /// The values that both kinds have.
  fileprivate var commonUserInfo: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [PlotNotificationIdentifier: identifier, PlotNotificationDataKey: data]
    if let matchIdentifier { info[PlotNotificationMatchIdentifier] = matchIdentifier }
    if let regionType {
      info[PlotNotificationRegionType] = regionType.rawValue
      info[PlotNotificationIsBeacon] = regionType == .beacon ? "yes" : "no"
    }
    if let trigger { info[PlotNotificationTrigger] = trigger.name }
    if let matchRange { info[PlotNotificationMatchRange] = matchRange }
    // The keys of a beacon's place are left out.
    if let latitude = geofenceLatitude, let longitude = geofenceLongitude {
      info[PlotNotificationGeofenceLatitude] = latitude
      info[PlotNotificationGeofenceLongitude] = longitude
    }
    return info
  }
}

extension Geotrigger {
  var userInfoOfSDK: [AnyHashable: Any] {
    var info = commonUserInfo
    info[PlotGeotriggerName] = name
    return info
  }
}

extension PlotNotification {
  /// The SDK's keys, and the notification's own.
  var userInfoOfSDK: [AnyHashable: Any] {
    var info: [AnyHashable: Any] = [:]
    for (key, value) in userInfo { info[key] = value.any }
    info.merge(commonUserInfo) { $1 }
    info[PlotNotificationMessage] = message
    info[PlotNotificationHandlerType] = handlerType.rawValue
    if case .dwelling(let minutes)? = trigger { info[PlotNotificationDwellingMinutes] = minutes }
    if isAppInForeground { info[PlotNotificationIsAppInForegroundKey] = true }
    return info
  }

  fileprivate static let keys: Set<String> = [
    PlotNotificationIdentifier, PlotNotificationMatchIdentifier, PlotNotificationMessage, PlotNotificationDataKey,
    PlotNotificationIsAppInForegroundKey, PlotNotificationIsBeacon, PlotNotificationTrigger, PlotNotificationRegionType,
    PlotNotificationGeofenceLatitude, PlotNotificationGeofenceLongitude, PlotNotificationMatchRange,
    PlotNotificationDwellingMinutes, PlotNotificationHandlerType,
  ]

  /// The same with what an app has changed in the SDK's form of it. What did not change stays as it was.
  func edited(by changed: UILocalNotification) -> PlotNotification {
    var result = self
    let original = UILocalNotification(self)
    let info = changed.userInfo ?? [:]
    if changed.alertBody != original.alertBody {
      if body == nil { result.message = changed.alertBody ?? "" } else { result.body = changed.alertBody }
    } else if let text = info[PlotNotificationMessage] as? String, !text.isEmpty {
      result.message = text
    }
    if let text = info[PlotNotificationDataKey] as? String { result.data = text }
    if changed.alertTitle != original.alertTitle { result.title = changed.alertTitle }
    if changed.soundName != original.soundName { result.sound = changed.soundName }
    if changed.category != original.category { result.category = changed.category }
    if changed.applicationIconBadgeNumber != original.applicationIconBadgeNumber {
      result.badge = changed.applicationIconBadgeNumber
    }
    for (key, value) in info.map({ ("\($0.key)", $0.value) }).sorted(by: { $0.0 < $1.0 })
    where !Self.keys.contains(key) {
      // The app's own keys; what is no JSON cannot be kept.
      if let json = JSON(any: value), result.userInfo[key] != json { result.userInfo[key] = json }
    }
    return result
  }
}

extension UILocalNotification {
  convenience init(_ notification: PlotNotification) {
    self.init()
    alertTitle = notification.title
    alertBody = notification.body ?? notification.message
    soundName = notification.sound
    category = notification.category
    applicationIconBadgeNumber = notification.badge ?? 0
    userInfo = notification.userInfoOfSDK
  }

  var matchIdentifier: String? { userInfo?[PlotNotificationMatchIdentifier] as? String }
}

extension JSON {
  /// As Foundation has it.
  var any: Any {
    switch self {
    case .null: NSNull()
    case .boolean(let flag): flag
    case .integer(let number): Int(clamping: number)
    case .number(let number): number
    case .string(let text): text
    case .array(let values): values.map(\.any)
    case .object(let object): Dictionary(object.map { ($0.key, $0.value.any) }) { $1 }
    }
  }

  init?(any value: Any) {
    switch value {
    case is NSNull: self = .null
    case let flag as Bool: self = .boolean(flag)
    case let number as Int: self = .integer(Int64(clamping: number))
    case let number as Int64: self = .integer(number)
    case let number as Double where number.isFinite: self = .number(number)
    case let text as String: self = .string(text)
    case let values as [Any]:
      let elements = values.compactMap { JSON(any: $0) }
      guard elements.count == values.count else { return nil }
      self = .array(elements)
    case let members as [String: Any]:
      var object = JSONObject()
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        guard let json = JSON(any: value) else { return nil }
        object[key] = json
      }
      self = .object(object)
    default: return nil
    }
  }
}

// MARK: Tests

extension PlotNotification {
  /// One that a test has made by hand; `match` tells it from the others.
  init(testing notification: UILocalNotification, _ match: String) {
    let info = notification.userInfo ?? [:]
    var object = testing(info, match)
    object["message"] = .string(notification.alertBody ?? info[PlotNotificationMessage] as? String ?? "")
    object["notificationHandlerType"] = .string(info[PlotNotificationHandlerType] as? String ?? "regular")
    self = made(object)
    title = notification.alertTitle
    sound = notification.soundName
    category = notification.category
  }
}

extension Geotrigger {
  init(testing geotrigger: PlotGeotrigger, _ match: String) {
    var object = testing(geotrigger.userInfo, match)
    object["message"] = .string(geotrigger.userInfo[PlotGeotriggerName] as? String ?? "")
    self = made(object)
  }
}

/// An item's keys, as far as a test has given them.
private func testing(_ info: [AnyHashable: Any], _ match: String) -> JSONObject {
  let identifier = (info[PlotNotificationIdentifier] as? String ?? "test;test").split(separator: ";", maxSplits: 1)
  var object: JSONObject = [
    "campaignId": .string(String(identifier.first ?? "test")), "regionId": .string(String(identifier.last ?? "test")),
    "matchIdentifier": .string(info[PlotNotificationMatchIdentifier] as? String ?? match),
    "data": .string(info[PlotNotificationDataKey] as? String ?? ""),
    "trigger": .string(info[PlotNotificationTrigger] as? String ?? "enter"),
    "dwellingMinutes": .integer(Int64(clamping: info[PlotNotificationDwellingMinutes] as? Int ?? 0)),
    "matchRange": .integer(Int64(clamping: info[PlotNotificationMatchRange] as? Int ?? 200)),
  ]
  if let latitude = info[PlotNotificationGeofenceLatitude] as? Double,
    let longitude = info[PlotNotificationGeofenceLongitude] as? Double
  {
    object["geofenceLatitude"] = .number(latitude)
    object["geofenceLongitude"] = .number(longitude)
  }
  return object
}

/// All keys that an item must have are there.
private func made<T: Item>(_ object: JSONObject) -> T {
  do { return try T(json: object.text) } catch { preconditionFailure("\(error)") }
}
