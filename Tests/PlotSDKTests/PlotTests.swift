import Foundation
import PlotEngineKit
import PlotSDK
import PlotTesting
import Synchronization
import Testing

@testable import plot

/// There is one plugin in the process: its tests run one after another.
@Suite(.serialized) struct PlotTests {
  // MARK: The manual's samples, line by line

  /// The parts of UIKit that the samples name.
  class UIResponder {}
  class UIWindow {}
  protocol UIApplicationDelegate: AnyObject {}

  /// The example implementation, and the samples of the sections before it.
  class AppDelegate: UIResponder, UIApplicationDelegate, PlotDelegate {
    var window: UIWindow?
    var opened: [URL] = []
    var lines: [String] = []

    func application(
      _ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      // Initializes the Plot library:
      Plot.initialize(launchOptions: launchOptions, delegate: self)
      return true
    }

    func application(_ application: UIApplication, didReceive notification: UILocalNotification) {
      // Pass the notification to the Plot library to pre process the notification.
      Plot.handleNotification(notification)
    }

    func plotHandleNotification(_ notification: UILocalNotification!, data action: String!) {
      // Custom handler for notifications. (optional)
      opened.append(URL(string: action)!)
    }

    func plotFilterNotifications(_ filterNotifications: PlotFilterNotifications!) {
      let notifications = filterNotifications.uiNotifications!
      for localNotification in notifications {
        // makes the notification body string personalized
        localNotification.alertBody = String(format: "Hello Paul! %@", localNotification.alertBody!)
      }
      // Always call showNotifications at the end of the method
      filterNotifications.showNotifications(notifications)
    }

    func plotHandleGeotriggers(_ geotriggerHandler: PlotHandleGeotriggers!) {
      var toPass: [PlotGeotrigger] = []
      for geotrigger in geotriggerHandler.geotriggers {
        if "pass" == geotrigger.userInfo[PlotGeotriggerDataKey] as? String {
          toPass.append(geotrigger)
        }
      }
      // Always call markGeotriggersHandled at the end of the method
      geotriggerHandler.markGeotriggersHandled(toPass)
    }

    func plotNotificationSentEvent(_ notification: PlotSentNotification!) {
      let message = notification.userInfo[PlotNotificationMessage] as! String
      lines.append("Notification Sent Event: message: \(message)")
      // Make a call to Google Analytics
    }

    func plotNotificationOpenedEvent(_ notification: PlotSentNotification!) {
      let data = notification.userInfo[PlotNotificationDataKey] as! String
      lines.append("Notification Opened Event: data: \(data)")
      // Make a call to Google Analytics
    }
  }

  private static let start = Date(timeIntervalSince1970: 1_779_962_400)
  private static let feed = """
    {"version": 1, "regions": [
      {"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200},
      {"id": "desk", "type": "beacon", "proximityUUID": "\(beaconUUID)", "majorId": 1}],
     "campaigns": [
      {"id": "welcome", "type": "notification", "message": "Welcome!", "data": "https://example.com/", "regions": ["museum"],
       "content": {"title": "Museum", "sound": "bell", "badge": 3, "userInfo": {"shop": {"id": 7}, "vip": true}}},
      {"id": "pass", "type": "geotrigger", "name": "pass", "data": "pass", "regions": ["museum"]},
      {"id": "stop", "type": "geotrigger", "name": "stop", "data": "stop", "regions": ["museum"]},
      {"id": "near", "type": "geotrigger", "name": "near", "data": "pass", "regions": ["desk"]}]}
    """

  /// A phone: its clock, its folders, and what is on its screen.
  private final class Phone: Sendable {
    let folder: Folder
    let seconds = Mutex(0.0)
    let shown = Mutex<[String]>([])
    let opened = Mutex<[String]>([])
    let log = Mutex<[String]>([])

    init(_ configuration: String? = #"{"publicToken": "REPLACE_ME", "enableOnFirstRun": true}"#, stores: Bool = false)
      throws
    {
      Plot.close()
      folder = try Folder()
      let resources = URL(fileURLWithPath: folder.path("app"))
      try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
      if let configuration {
        try Data(configuration.utf8).write(to: resources.appendingPathComponent("plotconfig.json"))
      }
      var system = PlotSystem(
        resources: resources, storage: stores ? resources : nil, feed: try Feed(json: PlotTests.feed),
        clock: .dates { [weak self] in PlotTests.start + (self?.seconds.withLock { $0 } ?? 0) }, timeZone: .stored)
      system.show = { [weak self] notification in
        self?.shown.withLock { $0.append(notification.alertBody ?? "") }
        return true
      }
      system.open = { [weak self] action, notification, confirms in
        let data = notification.userInfo?[PlotNotificationDataKey] as? String ?? ""
        self?.opened.withLock { $0.append("\(action) \(data)\(confirms ? ", confirmed" : "")") }
      }
      system.log = { [weak self] line in self?.log.withLock { $0.append(line) } }
      Plot.system = system
    }

    func enter() throws {
      seconds.withLock { $0 += 60 }
      try Plot.engine?.update(Fix(latitude: 52.3601, longitude: 4.8851, accuracy: 10))
    }

    func leave() throws {
      seconds.withLock { $0 += 60 }
      try Plot.engine?.update(Fix(latitude: 52.5, longitude: 4.9, accuracy: 10))
    }
  }

  @Test func theSamplesOfTheManual() throws {
    let phone = try Phone(stores: true)
    let app = AppDelegate()
    #expect(app.application(UIApplication.shared, didFinishLaunchingWithOptions: nil))
    #expect(Plot.isEnabled())
    try phone.enter()
    #expect(phone.shown.withLock { $0 } == ["Hello Paul! Welcome!"])
    let sent = try #require(Plot.sentNotifications().first)
    #expect(sent.userInfo[PlotNotificationMessage] as? String == "Hello Paul! Welcome!")
    #expect(sent.dateSent == Self.start + 60 && sent.dateOpened == nil)
    // Only what was passed is handled.
    let handled = Plot.sentGeotriggers().filter { $0.dateHandled == Self.start + 60 }
    #expect(handled.map { $0.userInfo[PlotGeotriggerName] as? String } == ["pass"])
    #expect(Plot.sentGeotriggers().count == 2)
    let tapped = UILocalNotification()
    tapped.userInfo = sent.userInfo
    app.application(UIApplication.shared, didReceive: tapped)
    #expect(app.opened == [URL(string: "https://example.com/")!])
    #expect(
      app.lines == [
        "Notification Sent Event: message: Hello Paul! Welcome!",
        "Notification Opened Event: data: https://example.com/",
      ])
    #expect(Plot.sentNotifications().first?.dateOpened != nil)
    // The app is started again, by a tap.
    Plot.close()
    let options = [UIApplication.LaunchOptionsKey.localNotification: tapped]
    let next = AppDelegate()
    _ = next.application(UIApplication.shared, didFinishLaunchingWithOptions: options)
    #expect(next.opened == app.opened)
    #expect(phone.log.withLock { $0 }.isEmpty)
  }

  @Test func segmentationOfTheManual() throws {
    let phone = try Phone()
    // Not before the plugin is initialized.
    Plot.setBooleanSegmentationProperty(true, forKey: "premiumMember")
    #expect(phone.log.withLock { $0.first }?.hasSuffix("Plot hasn't been initialized") == true)
    Plot.initialize(launchOptions: [:], delegate: nil)
    // Set the segment for being a premium member to true.
    Plot.setBooleanSegmentationProperty(true, forKey: "premiumMember")
    // Set the segment for gender to male.
    Plot.setStringSegmentationProperty("M", forKey: "gender")
    // Set the segment for year of birth to 1980.
    Plot.setIntegerSegmentationProperty(1980, forKey: "yearOfBirth")
    // Set the segment for money spent to $10.35.
    Plot.setDoubleSegmentationProperty(10.35, forKey: "moneySpent")
    // Set the signup date segment to now.
    Plot.setDateSegmentationProperty(Self.start, forKey: "signUp")
    #expect(
      try Plot.engine?.properties == [
        "premiumMember": true, "gender": "M", "yearOfBirth": 1980, "moneySpent": 10.35, "signUp": .date(Self.start),
      ])
    // Set value to nil to clear the property.
    Plot.setStringSegmentationProperty(nil, forKey: "gender")
    Plot.setDateSegmentationProperty(nil, forKey: "signUp")
    #expect(try Plot.engine?.properties.count == 3)
    Plot.setDoubleSegmentationProperty(.nan, forKey: "moneySpent")
    #expect(phone.log.withLock { $0.count } == 2)
    #expect(try Plot.engine?.properties["moneySpent"] == 10.35)
  }

  // MARK: Without what is optional

  /// A delegate that implements nothing.
  private final class Silent: PlotDelegate {}

  @Test func aDelegateThatImplementsNothing() throws {
    let phone = try Phone()
    let silent = Silent()
    Plot.initialize(launchOptions: nil, delegate: silent)
    try phone.enter()
    #expect(phone.shown.withLock { $0 } == ["Welcome!"])
    #expect(Plot.sentGeotriggers().count == 2)
    let tapped = UILocalNotification()
    tapped.userInfo = Plot.sentNotifications().first?.userInfo
    Plot.handle(tapped)
    try Plot.engine?.setForeground(true)
    Plot.handle(tapped)
    #expect(phone.opened.withLock { $0 } == ["uri https://example.com/", "uri https://example.com/, confirmed"])
    // One that is none of the plugin's.
    Plot.handle(UILocalNotification())
    #expect(phone.log.withLock { $0.count } == 1)
  }

  /// The plugin does not keep its delegate alive: without one, a batch waits for its deadline.
  @Test func aDelegateThatIsGone() throws {
    let phone = try Phone()
    do {
      let app = AppDelegate()
      Plot.initialize(launchOptions: nil, delegate: app)
    }
    try phone.enter()
    #expect(try Plot.engine?.summary.questions == 2)
  }

  private final class Edits: PlotDelegate {
    var waiting: PlotFilterNotifications?

    func plotFilterNotifications(_ filterNotifications: PlotFilterNotifications!) { waiting = filterNotifications }
  }

  @Test func allThatAFilterMayChange() throws {
    let phone = try Phone()
    let edits = Edits()
    Plot.initialize(launchOptions: [:], delegate: edits)
    try phone.enter()
    let batch = try #require(edits.waiting)
    let notification = try #require(batch.uiNotifications.first)
    #expect(notification.alertTitle == "Museum" && notification.soundName == "bell")
    #expect(notification.applicationIconBadgeNumber == 3)
    let info = try #require(notification.userInfo)
    #expect(info[PlotNotificationIdentifier] as? String == "welcome;museum")
    #expect(info[PlotNotificationTrigger] as? String == PlotNotificationTriggerEnter)
    #expect(info[PlotNotificationRegionType] as? String == PlotNotificationRegionTypeGeofence)
    #expect(info[PlotNotificationIsBeacon] as? String == "no")
    #expect(info[PlotNotificationGeofenceLatitude] as? Double == 52.36)
    #expect(info[PlotNotificationMatchRange] as? Int == 200)
    #expect(info[PlotNotificationHandlerType] as? String == PlotNotificationHandlerTypeRegular)
    #expect(info[PlotNotificationActionKey] as? String == "https://example.com/")
    #expect((info["shop"] as? [String: Any])?["id"] as? Int == 7)
    #expect(info["vip"] as? Bool == true)
    notification.alertTitle = "Title"
    notification.soundName = nil
    notification.category = "tickets"
    notification.applicationIconBadgeNumber = 4
    notification.userInfo?[PlotNotificationDataKey] = "new data"
    notification.userInfo?["seen"] = [1, 2.5, "x", NSNull(), ["k": false]] as [Any]
    notification.userInfo?["no JSON"] = Self.start
    batch.show([notification])
    let sent = try #require(try Plot.engine?.sentNotifications.first)
    #expect(sent.title == "Title" && sent.sound == nil && sent.category == "tickets" && sent.badge == 4)
    #expect(sent.message == "Welcome!" && sent.data == "new data")
    #expect(sent.userInfo.text == #"{"shop":{"id":7},"vip":true,"seen":[1,2.5,"x",null,{"k":false}]}"#)
    // A second answer changes nothing, and is in the log.
    batch.show([] as [UILocalNotification])
    #expect(phone.log.withLock { $0.count } == 1)
    #expect(Plot.sentNotifications().count == 1)
  }

  // MARK: Lists, settings, starts

  @Test func listsAndSettings() throws {
    let phone = try Phone()
    #expect(!Plot.isEnabled())
    #expect(Plot.loadedNotifications().isEmpty && Plot.sentGeotriggers().isEmpty)
    let app = AppDelegate()
    PlotDebug.initialize(launchOptions: [:], delegate: app)
    let first = Plot.engine
    PlotRelease.initialize(launchOptions: [:], delegate: app)
    #expect(Plot.engine === first)
    #expect(Plot.version() == Engine.version)
    try phone.enter()
    #expect(Plot.loadedNotifications().map(\.alertBody) == ["Welcome!"])
    let near = try #require(Plot.loadedGeotriggers().first { $0.userInfo[PlotGeotriggerName] as? String == "near" })
    #expect(near.userInfo[PlotGeotriggerIsBeacon] as? String == "yes")
    #expect(near.userInfo[PlotGeotriggerRegionType] as? String == PlotGeotriggerRegionTypeBeacon)
    #expect(near.userInfo[PlotGeotriggerGeofenceLatitude] == nil)
    Plot.clearSentNotifications()
    Plot.clearSentGeotriggers()
    #expect(Plot.sentNotifications().isEmpty && Plot.sentGeotriggers().isEmpty)
    Plot.setCooldownPeriod(60)
    #expect(try Plot.engine?.cooldownPeriod == .seconds(60))
    Plot.disable()
    #expect(!Plot.isEnabled())
    Plot.enable()
    #expect(Plot.isEnabled())
    Plot.setAdvertisingIdentifier(UUID(), advertisingTrackingEnabled: true)
    let file = try #require(Plot.mailDebugLog())
    #expect(FileManager.default.fileExists(atPath: file.path))
    try FileManager.default.removeItem(at: file)
    #expect(phone.log.withLock { $0.count } == 2)
  }

  @Test func whatHasNoConfiguration() throws {
    let phone = try Phone(nil)
    Plot.initialize(launchOptions: nil, delegate: nil)
    #expect(Plot.engine == nil)
    #expect(phone.log.withLock { $0.first }?.contains("plotconfig.json") == true)
    let other = try Phone("{\n  \"enableOnFirstRun\": 1\n}")
    Plot.initialize(launchOptions: nil, delegate: nil)
    #expect(Plot.engine == nil)
    #expect(other.log.withLock { $0.first }?.contains("line 2") == true)
  }

  @available(*, deprecated)
  private func startWithConfiguration(_ app: AppDelegate) {
    let configuration = PlotConfiguration(publicKey: "REPLACE_ME", delegate: app)
    configuration.enableOnFirstRun = false
    configuration.cooldownPeriod = 30
    Plot.initialize(with: configuration, launchOptions: nil)
  }

  @available(*, deprecated)
  @Test func theOlderStarts() throws {
    let phone = try Phone(nil)
    let app = AppDelegate()
    startWithConfiguration(app)
    #expect(Plot.engine != nil && !Plot.isEnabled())
    #expect(try Plot.engine?.cooldownPeriod == .seconds(30))
    Plot.close()
    Plot.initialize(publicKey: "REPLACE_ME", launchOptions: nil, delegate: app)
    try phone.enter()
    #expect(phone.shown.withLock { $0 } == ["Hello Paul! Welcome!"])
    Plot.close()
    Plot.initialize(publicKey: "REPLACE_ME", launchOptions: nil)
    Plot.setEnableBackgroundModeWarning(true)
    #expect(Plot.isEnabled())
  }

  /// The behaviour of the SDK where the app gives no handler, and with one.
  @Test func behaviourOfTheSDK() throws {
    for (said, shown) in [("", 0), (#", "engine": {"geotriggersKeepCooldown": false}"#, 1)] {
      let phone = try Phone("\u{FEFF}{\"publicToken\": \"REPLACE_ME\"\(said)}")
      let app = AppDelegate()
      Plot.initialize(launchOptions: nil, delegate: app)
      Plot.setCooldownPeriod(600)
      try phone.enter()
      // All are due at once: a geotrigger with a cooldown keeps the notification back.
      #expect(Plot.sentNotifications().count == shown, "\(said)")
    }
  }

  // MARK: Tests of a filter and a handler

  @Test func testsOfTheApp() throws {
    let app = AppDelegate()
    let notification = UILocalNotification()
    notification.alertBody = "Welcome!"
    notification.userInfo = [PlotNotificationIdentifier: "c;r", PlotNotificationDataKey: "x"]
    let shown = PlotFilterNotifications.testFilterNotifications([notification], delegate: app)!
    #expect(shown.map(\.alertBody) == ["Hello Paul! Welcome!"])
    #expect(shown.first?.userInfo?[PlotNotificationIdentifier] as? String == "c;r")
    let triggers = ["pass", "stop"].map { PlotGeotrigger.initialize(withUserInfo: [PlotGeotriggerDataKey: $0]) }
    let handled = PlotHandleGeotriggers.testHandleGeotriggers(triggers, delegate: app)!
    #expect(handled.map { $0.userInfo[PlotGeotriggerDataKey] as? String } == ["pass"])
    #expect(PlotFilterNotifications.testFilterNotifications([notification], delegate: Edits())!.isEmpty)
  }

  // MARK: Vectors

  private static let names =
    ((try? VectorsCommand.names(in: projectRoot.appendingPathComponent("Tests/vectors").path).scenarios) ?? []).sorted()

  /// Every scenario through the SDK's names, where it has one.
  @Test(arguments: names) func vector(name: String) throws {
    let folder = projectRoot.appendingPathComponent("Tests/vectors")
    let command = try #require(try VectorsCommand.parse([folder.path]) as VectorsCommand?)
    let frontEnd = SDKFrontEnd()
    defer { Plot.close() }
    let row = try command.row(name, on: frontEnd)
    #expect(row.passes, "\(row.outcome)")
  }

  @Test func theVectorsUseTheSDK() throws {
    let folder = projectRoot.appendingPathComponent("Tests/vectors")
    let command = try #require(try VectorsCommand.parse([folder.path]) as VectorsCommand?)
    var uses: Set<String> = []
    for name in Self.names
    where ["/filter", "/segment", "/cooldown", "/history"].contains(where: name.contains) {
      let frontEnd = SDKFrontEnd()
      _ = try command.row(name, on: frontEnd)
      uses.formUnion(frontEnd.uses.withLock { $0 })
    }
    Plot.close()
    #expect(uses.isSuperset(of: ["show", "uiNotifications", "setProperty", "setCooldownPeriod"]), "\(uses)")
  }
}

/// The SDK's names above the engine, in the vectors.
private final class SDKFrontEnd: VectorFrontEnd {
  let uses = Mutex<Set<String>>([])
  private let clock = Mutex<EngineClock>(.system)
  private let delegate = Mutex<VectorDelegate?>(nil)
  private let faults = Mutex<[String]>([])

  /// As the engine has it where nothing is said: a mirror of the SDK has its own behaviour.
  private static let unsaid: JSONObject = [
    "damagedStore": "refuse", "geotriggersKeepCooldown": false, "filterAtEnter": false, "confirmInForeground": false,
  ]

  func start(_ host: VectorHost, _ configuration: String, _ storePath: String?, at date: Date) throws {
    Plot.close()
    clock.withLock { $0 = host.clock }
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var properties = try JSONObject(parsing: configuration)
    var engine = properties["engine"]?.object ?? [:]
    for (key, value) in Self.unsaid where engine[key] == nil { engine[key] = value }
    properties["engine"] = .object(engine)
    try Data(properties.text.utf8).write(to: folder.appendingPathComponent("plotconfig.json"))
    var system = PlotSystem(
      resources: folder, storage: storePath.map { URL(fileURLWithPath: $0).deletingLastPathComponent() },
      clock: host.clock, timeZone: .stored)
    system.event = host.event
    system.log = { line in self.faults.withLock { $0.append(line) } }
    system.prepare = { engine throws(PlotError) in
      do {
        try host.prepare(engine)
        // The host of a scenario hears of notifications as the engine has them.
        try engine.onShow(host.show)
        try engine.onRemove(host.remove)
        try engine.onOpen(host.open)
      } catch {
        throw error as? PlotError ?? PlotError(.invalidArgument, "\(error)")
      }
    }
    if host.filter == nil { system.delegateImplements.remove(.filter) }
    if host.geotriggers == nil { system.delegateImplements.remove(.geotriggers) }
    if host.notification == nil { system.delegateImplements.remove(.handler) }
    Plot.system = system
    let delegate = VectorDelegate(host) { use in _ = self.uses.withLock { $0.insert(use) } }
    self.delegate.withLock { $0 = delegate }
    Plot.initialize(launchOptions: nil, delegate: delegate)
    let faults = faults.withLock { $0 }
    if Plot.engine == nil { throw PlotError(.invalidDocument, faults.joined()) }
    #expect(faults.isEmpty)
  }

  /// Does something with the SDK's name for it; false when that is refused, or is of another time than now.
  private func does(_ use: String, at date: Date, _ body: () -> Void) -> Bool {
    guard clock.withLock({ $0 }).read().date == date else { return false }
    faults.withLock { $0 = [] }
    body()
    let isDone = faults.withLock { $0.isEmpty }
    if isDone { _ = uses.withLock { $0.insert(use) } }
    return isDone
  }

  func setEnabled(_ isEnabled: Bool, _ engine: Engine, at date: Date) throws {
    if does("setEnabled", at: date, { isEnabled ? Plot.enable() : Plot.disable() }) { return }
    try engine.setEnabled(isEnabled, at: date)
  }

  func setCooldownPeriod(_ seconds: Int64, _ engine: Engine, at date: Date) throws {
    if let number = Int32(exactly: seconds), does("setCooldownPeriod", at: date, { Plot.setCooldownPeriod(number) }) {
      return
    }
    try engine.setCooldownPeriod(.seconds(seconds), at: date)
  }

  func setProperty(_ key: String, _ value: PropertyValue?, _ engine: Engine, at date: Date) throws {
    let isDone = does("setProperty", at: date) {
      switch value {
      case .string(let text): Plot.setStringSegmentationProperty(text, forKey: key)
      case .boolean(let flag): Plot.setBooleanSegmentationProperty(flag, forKey: key)
      case .integer(let number): Plot.setIntegerSegmentationProperty(number, forKey: key)
      case .double(let number): Plot.setDoubleSegmentationProperty(number, forKey: key)
      case .date(let date): Plot.setDateSegmentationProperty(date, forKey: key)
      case nil: Plot.setStringSegmentationProperty(nil, forKey: key)
      }
    }
    if !isDone { try engine.setProperty(key, value, at: date) }
  }

  func openNotification(_ matchIdentifier: String, _ engine: Engine, at date: Date) throws {
    let notification = UILocalNotification()
    notification.userInfo = [PlotNotificationMatchIdentifier: matchIdentifier]
    if does("handle", at: date, { Plot.handle(notification) }) { return }
    try engine.openNotification(matchIdentifier, at: date)
  }

  func clearSent(geotriggers: Bool, _ engine: Engine, at date: Date) throws {
    let isDone = does("clearSent", at: date) {
      geotriggers ? Plot.clearSentGeotriggers() : Plot.clearSentNotifications()
    }
    if isDone { return }
    try geotriggers ? engine.clearSentGeotriggers(at: date) : engine.clearSentNotifications(at: date)
  }
}

/// Passes on what the SDK asks, to the host of a scenario.
private final class VectorDelegate: PlotDelegate, Sendable {
  private let host: VectorHost
  private let note: @Sendable (String) -> Void

  init(_ host: VectorHost, _ note: @escaping @Sendable (String) -> Void) {
    self.host = host
    self.note = note
  }

  func plotFilterNotifications(_ filterNotifications: PlotFilterNotifications!) {
    guard let filter = host.filter else { return filterNotifications.show(filterNotifications.uiNotifications) }
    filter(filterNotifications.token, filterNotifications.notifications) { kept in
      note("show")
      // A change of nothing but text or data goes the SDK's way.
      let changed = kept.map { notification -> UILocalNotification? in
        guard
          let position = filterNotifications.notifications.firstIndex(where: {
            $0.matchIdentifier == notification.matchIdentifier
          })
        else { return nil }
        var plain = filterNotifications.notifications[position]
        (plain.message, plain.data) = (notification.message, notification.data)
        guard plain == notification, plain.body == nil else { return nil }
        let changed = filterNotifications.uiNotifications[position]
        changed.alertBody = notification.message
        changed.userInfo?[PlotNotificationDataKey] = notification.data
        return changed
      }
      guard changed.allSatisfy({ $0 != nil }) else { return filterNotifications.show(kept) }
      note("uiNotifications")
      filterNotifications.show(changed.compactMap { $0 })
    }
  }

  func plotHandleGeotriggers(_ geotriggerHandler: PlotHandleGeotriggers!) {
    guard let geotriggers = host.geotriggers else {
      return geotriggerHandler.markGeotriggersHandled(geotriggerHandler.geotriggers)
    }
    geotriggers(geotriggerHandler.token, geotriggerHandler.triggers) { kept in
      note("markGeotriggersHandled")
      geotriggerHandler.markGeotriggersHandled(
        geotriggerHandler.geotriggers.filter { geotrigger in
          kept.contains { $0.matchIdentifier == geotrigger.userInfo[PlotGeotriggerMatchIdentifier] as? String }
        })
    }
  }

  func plotHandleNotification(_ notification: UILocalNotification!, data: String!) {
    let match = notification.userInfo?[PlotNotificationMatchIdentifier] as? String
    guard let handler = host.notification,
      let sent = try? Plot.engine?.sentNotifications.first(where: { $0.matchIdentifier == match }),
      var object = try? JSONObject(parsing: sent.json)
    else {
      Issue.record("an opened notification is not in the sent list")
      return
    }
    note("plotHandleNotification")
    if notification.userInfo?[PlotNotificationIsAppInForegroundKey] as? Bool == true { object["isAppInForeground"] = 1 }
    do { handler(try PlotNotification(json: object.text)) } catch { Issue.record(error) }
  }
}
