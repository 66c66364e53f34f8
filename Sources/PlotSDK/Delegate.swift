public import PlotEngineKit

#if canImport(UIKit)
  public import UIKit
#endif

/// The methods that an app may implement. Every method is optional, as in Objective-C: those that are left out have the SDK's own behaviour.
public protocol PlotDelegate: AnyObject {
  /// A notification was opened. Without it, its data is opened as a URI.
  func plotHandleNotification(_ notification: UILocalNotification!, data: String!)
  /// Before notifications are shown. To be answered with ``PlotFilterNotifications/show(_:)-([UILocalNotification])``, at once or later.
  func plotFilterNotifications(_ filterNotifications: PlotFilterNotifications!)
  /// When geotriggers fire. To be answered with ``PlotHandleGeotriggers/markGeotriggersHandled(_:)``, at once or later.
  func plotHandleGeotriggers(_ geotriggerHandler: PlotHandleGeotriggers!)
  /// A notification was shown.
  func plotNotificationSentEvent(_ notification: PlotSentNotification!)
  /// A notification was opened.
  func plotNotificationOpenedEvent(_ notification: PlotSentNotification!)
}

extension PlotDelegate {
  public func plotHandleNotification(_ notification: UILocalNotification!, data: String!) { Opening.current?.leave() }

  public func plotFilterNotifications(_ filterNotifications: PlotFilterNotifications!) {
    filterNotifications.show(filterNotifications.uiNotifications)
  }

  public func plotHandleGeotriggers(_ geotriggerHandler: PlotHandleGeotriggers!) {
    geotriggerHandler.markGeotriggersHandled(geotriggerHandler.geotriggers)
  }

  /// Nothing.
  public func plotNotificationSentEvent(_ notification: PlotSentNotification!) {}
  /// Nothing.
  public func plotNotificationOpenedEvent(_ notification: PlotSentNotification!) {}
}

/// Notifications that wait for the filter.
open class PlotFilterNotifications {
  /// Those that the app is asked about.
  public let uiNotifications: [UILocalNotification]!
  /// Own: the same as the engine has them, with all of their content.
  public let notifications: [PlotNotification]
  /// Own: names the batch, also after a restart.
  public let token: UInt64
  private let answer: ([PlotNotification]) -> Void

  init(_ notifications: [PlotNotification], _ token: UInt64, _ answer: @escaping ([PlotNotification]) -> Void) {
    self.notifications = notifications
    self.token = token
    uiNotifications = notifications.map { UILocalNotification($0) }
    self.answer = answer
  }

  /// The answer: these are shown, as they now are; the others are not. Call it once, with an empty list too.
  open func show(_ notifications: [UILocalNotification]!) {
    answer(
      notifications.compactMap { changed in
        self.notifications.first { $0.matchIdentifier == changed.matchIdentifier }?.edited(by: changed)
      })
  }

  /// The same, as Objective-C has it.
  public func showNotifications(_ notifications: [UILocalNotification]!) { show(notifications) }

  /// Own: the same with the engine's notifications.
  public func show(_ notifications: [PlotNotification]) { answer(notifications) }

  /// Tries a filter; gives what it shows. Nothing when it does not answer at once.
  public static func testFilterNotifications(
    _ notifications: [UILocalNotification]!, delegate: (any PlotDelegate)!
  ) -> [UILocalNotification]! {
    var shown: [UILocalNotification] = []
    let made = notifications.enumerated().map { number, notification in
      PlotNotification(testing: notification, "test \(number)")
    }
    let test = PlotFilterNotifications(made, 0) { shown = $0.map { UILocalNotification($0) } }
    delegate.plotFilterNotifications(test)
    return shown
  }
}

/// Geotriggers that wait for the handler.
open class PlotHandleGeotriggers {
  /// Those that are to be handled.
  public let geotriggers: [PlotGeotrigger]!
  /// Own: the same as the engine has them.
  public let triggers: [Geotrigger]
  /// Own: names the batch, also after a restart.
  public let token: UInt64
  private let answer: ([Geotrigger]) -> Void

  init(_ triggers: [Geotrigger], _ token: UInt64, _ answer: @escaping ([Geotrigger]) -> Void) {
    self.triggers = triggers
    self.token = token
    geotriggers = triggers.map { PlotGeotrigger(userInfo: $0.userInfoOfSDK) }
    self.answer = answer
  }

  /// The answer: these were handled; the others may fire again. Call it once, with an empty list too.
  open func markGeotriggersHandled(_ geotriggers: [PlotGeotrigger]!) {
    answer(
      geotriggers.compactMap { handled in
        let match = handled.userInfo[PlotGeotriggerMatchIdentifier] as? String
        return triggers.first { $0.matchIdentifier == match }
      })
  }

  /// Tries a handler; gives what it has handled. Nothing when it does not answer at once.
  public static func testHandleGeotriggers(
    _ geotriggers: [PlotGeotrigger]!, delegate: (any PlotDelegate)!
  ) -> [PlotGeotrigger]! {
    var handled: [PlotGeotrigger] = []
    let made = geotriggers.enumerated().map { number, geotrigger in
      Geotrigger(testing: geotrigger, "test \(number)")
    }
    delegate.plotHandleGeotriggers(
      PlotHandleGeotriggers(made, 0) { handled = $0.map { PlotGeotrigger(userInfo: $0.userInfoOfSDK) } })
    return handled
  }
}
