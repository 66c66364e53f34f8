import Foundation
import PlotEngineKit
import PlotSDK

/// As an app has it that was written against the SDK.
final class AppDelegate: PlotDelegate {
  func plotFilterNotifications(_ filterNotifications: PlotFilterNotifications!) {
    for notification in filterNotifications.uiNotifications {
      notification.alertBody = "Hello Paul! \(notification.alertBody ?? "")"
    }
    filterNotifications.show(filterNotifications.uiNotifications)
  }

  func plotHandleNotification(_ notification: UILocalNotification!, data: String!) {
    print("opens \(data!)")
  }

  func plotNotificationSentEvent(_ notification: PlotSentNotification!) {
    print("sent: \(notification.userInfo[PlotNotificationMessage]!)")
  }
}

// The part of a phone's system: it says where the app's files are, and shows what it is given.
let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
Plot.system = PlotSystem(resources: here, feed: try Feed(contentsOf: here.appendingPathComponent("feed.json")))
Plot.system.show = { notification in
  print("shows \(notification.alertBody!)")
  return true
}

let delegate = AppDelegate()
Plot.initialize(launchOptions: [:], delegate: delegate)
Plot.setStringSegmentationProperty("M", forKey: "gender")
try Plot.engine?.update(Fix(latitude: 52.3601, longitude: 4.8851, accuracy: 10))

// The person taps on it.
let tapped = UILocalNotification()
tapped.userInfo = Plot.sentNotifications().first?.userInfo
Plot.handle(tapped)
Plot.close()
