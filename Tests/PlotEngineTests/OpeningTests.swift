import PlotCore
import PlotDocuments
import PlotTesting
import Synchronization
import Testing

@testable import PlotEngine

/// The calls to the app when the person opens a notification.
@Suite struct OpeningTests {
  private static func opened(_ configuration: String, isForeground: Bool?, hasHandler: Bool = false) throws -> Opening?
  {
    let device = Device()
    let opened = Mutex<Opening?>(nil)
    try device.engine.setCallback(\.open) { _, item in opened.withLock { $0 = item.opening } }
    if hasHandler {
      try device.engine.setCallback(\.notificationHandler) { item in
        opened.withLock { $0 = item.opening }
        return true
      }
    }
    try device.start(#"{"engine": {"noise": "exact", "initial": "enter"\#(configuration)}}"#)
    try device.engine.setFeed(feed([circle("museum")], [notification("hello")]), at: World.begin)
    try device.go(origin, at: World.begin + 60_000)
    if let isForeground { try device.engine.setForeground(isForeground, at: World.begin + 70_000) }
    let item = try #require(device.state.screen.displayed.first)
    try device.engine.openNotification(item.matchIdentifier, at: World.begin + 80_000)
    // Only what is handed over says so.
    #expect(device.state.history.sentNotifications.first?.opening == Opening())
    return opened.withLock { $0 }
  }

  @Test func theAppLearnsWhetherItIsInTheForeground() throws {
    #expect(try Self.opened("", isForeground: nil) == Opening())
    #expect(try Self.opened("", isForeground: false) == Opening())
    #expect(try Self.opened("", isForeground: true) == Opening(isAppInForeground: true))
  }

  /// The default is asked about; a handler of the app's does what it does.
  @Test func theAppAsksFirst() throws {
    let confirming = #", "confirmInForeground": true"#
    #expect(try Self.opened(confirming, isForeground: false) == Opening())
    #expect(try Self.opened(confirming, isForeground: true) == Opening(isAppInForeground: true, confirms: true))
    #expect(
      try Self.opened(confirming, isForeground: true, hasHandler: true) == Opening(isAppInForeground: true))
  }
}
