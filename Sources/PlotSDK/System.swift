public import Foundation
public import PlotEngineKit

#if !canImport(UIKit)
  /// A notification, as UIKit has it; for systems that have no UIKit.
  open class UILocalNotification {
    /// The line above the text.
    open var alertTitle: String?
    /// The text.
    open var alertBody: String?
    /// The name of a sound; nil for none.
    open var soundName: String?
    /// The name of its set of actions.
    open var category: String?
    /// 0 leaves the badge as it is.
    open var applicationIconBadgeNumber = 0
    /// The values of the item, under the names of the SDK.
    open var userInfo: [AnyHashable: Any]?

    /// An empty one.
    public init() {}
  }

  /// A stand-in for UIKit's class of this name, for systems without UIKit.
  public final class UIApplication: Sendable {
    /// The one application.
    public static let shared = UIApplication()

    /// A key of the options that an app is started with.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }

      /// The notification that the person has opened, which started the app.
      public static let localNotification = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsLocalNotificationKey")
    }
  }
#else
  public import UIKit
#endif

/// Own: the methods of a ``PlotDelegate`` that are questions or answers.
public struct PlotDelegateMethods: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `plotFilterNotifications(_:)`
  public static let filter = PlotDelegateMethods(rawValue: 1)
  /// `plotHandleGeotriggers(_:)`
  public static let geotriggers = PlotDelegateMethods(rawValue: 2)
  /// `plotHandleNotification(_:data:)`
  public static let handler = PlotDelegateMethods(rawValue: 4)

  /// All of them.
  public static let all: PlotDelegateMethods = [.filter, .geotriggers, .handler]
}

/// Own: what on a phone the system and the vendor's server give.
///
/// Set ``Plot/system`` before the SDK is initialized.
public struct PlotSystem: Sendable {
  /// The folder with `plotconfig.json`: the app's bundle.
  public var resources: URL
  /// The folder where the store is kept; nil keeps everything in memory.
  public var storage: URL?
  /// The campaigns. On a phone they come from the campaign service.
  public var feed: Feed?
  /// The clock that gives the time.
  public var clock: EngineClock
  /// Which zone the device is in.
  public var timeZone: Engine.StartZone
  /// Puts a notification on the screen; false when that cannot be done. Nil counts each as shown.
  public var show: (@Sendable (UILocalNotification) -> Bool)?
  /// Takes a notification off the screen; false when that cannot be done.
  public var remove: (@Sendable (UILocalNotification) -> Bool)?
  /// Opens what an opened notification has in its data, where the delegate does not handle it itself. With `confirms` the person is asked first.
  public var open: (@Sendable (_ action: OpenAction, UILocalNotification, _ confirms: Bool) -> Void)?
  /// Which methods the delegate implements. Objective-C knows that by itself, Swift does not: one that is named here and not implemented is asked, and
  /// its default answers at once.
  public var delegateImplements = PlotDelegateMethods.all
  /// Hears each event.
  public var event: (@Sendable (Event) -> Void)?
  /// Gets the engine before it is started: for what the SDK has no names for, such as a strategy or a recording.
  public var prepare: (@Sendable (Engine) throws(PlotError) -> Void)?
  /// Hears what a call could not do: the SDK's calls throw nothing.
  public var log: @Sendable (String) -> Void

  /// A system with what it has in place of the phone's.
  public init(
    resources: URL = Bundle.main.resourceURL ?? Bundle.main.bundleURL, storage: URL? = nil, feed: Feed? = nil,
    clock: EngineClock = .system, timeZone: Engine.StartZone = .system
  ) {
    self.resources = resources
    self.storage = storage
    self.feed = feed
    self.clock = clock
    self.timeZone = timeZone
    log = { FileHandle.standardError.write(Data("Plot: \($0)\n".utf8)) }
  }
}
