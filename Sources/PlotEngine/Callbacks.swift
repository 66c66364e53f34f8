public import PlotCore
internal import PlotDocuments

/// The callbacks of the host. Each is called without a lock held, on the thread of the call that led to it.
public struct Callbacks: Sendable {
  /// Hands a batch to the app.
  public typealias BatchCallback = @Sendable (_ token: UInt64, [Item]) -> Void

  /// A batch to be answered with `Engine.answerFilter`.
  public var filter: BatchCallback?
  /// A batch to be answered with `Engine.markGeotriggersHandled`.
  public var geotriggers: BatchCallback?
  /// Shows a notification; false when it could not be shown.
  public var show: (@Sendable (Item) -> Bool)?
  /// Takes a notification off the screen; false when that could not be done.
  public var remove: (@Sendable (Item) -> Bool)?
  /// In the order in which they were registered.
  public var strategies: [HostStrategy] = []
  /// Handles an opened notification; false leaves it to `open`.
  public var notificationHandler: (@Sendable (Item) -> Bool)?
  public var open: (@Sendable (OpenAction, Item) -> Void)?
  public var event: (@Sendable (_ json: String, Item?) -> Void)?
  public var decision: (@Sendable (_ json: String, Decision) -> Void)?
  /// A line of the recording, without its line end.
  public var recording: (@Sendable (_ line: String) -> Void)?
  public var log: (@Sendable (LogLevel, _ message: String) -> Void)?
  /// Asks for a fix, which is of use until this time.
  public var fixRequest: (@Sendable (_ deadline: Milliseconds) -> Void)?
  public var wakeup: (@Sendable (Milliseconds?) -> Void)?
  /// The synchronization stands elsewhere, or has its next request at another time; nil for none by itself.
  public var sync: (@Sendable (_ status: String, _ next: Milliseconds?) -> Void)?

  public init() {}
}

/// The action for an opened notification.
public enum OpenAction: Int32, Sendable {
  case app = 0
  case uri = 1
  case landingPage = 2
  case applink = 3
  /// Data that is no URI, or of a scheme that is not opened: the app knows what it means.
  case data = 4

  /// Of an opened notification, where data of these schemes is a URI. An app link names another app, by any scheme.
  init(_ item: Item, _ schemes: [String]) {
    let scheme = URISchemes.scheme(of: item.data)
    let isAllowed = scheme.map(schemes.contains) ?? false
    switch item.kind {
    case .notification(.landingPage): self = item.data.isEmpty || isAllowed ? .landingPage : .data
    case .notification(.applink):
      let isLink = scheme.map { !URISchemes.never.contains($0) } ?? false
      self = item.data.isEmpty || isLink ? .applink : .data
    case .notification(.regular), .geotrigger: self = item.data.isEmpty ? .app : isAllowed ? .uri : .data
    }
  }
}

public enum LogLevel: Int32, Sendable {
  case error = 0
  case warning = 1
  case info = 2
  case debug = 3

  var name: String {
    switch self {
    case .error: "ERROR"
    case .warning: "WARNING"
    case .info: "INFO"
    case .debug: "DEBUG"
    }
  }
}
