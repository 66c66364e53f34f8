internal import CRunLibraries
internal import Glibc
internal import PlotDocuments
public import PlotEngineKit

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The options of `plot run`.
public nonisolated struct RunOptions: Sendable {
  public nonisolated enum Clock: String, Sendable, CaseIterable {
    /// The clocks of the device.
    case system
    /// The times of what the sources give: for what was recorded, and is played as fast as it comes.
    case sources
  }

  public nonisolated enum ScreenMode: String, Sendable, CaseIterable {
    /// The desktop where there is one.
    case automatic
    /// The desktop alone: without one, a notification is not shown, and may come again.
    case desktop
    case terminal
  }

  /// Of this instance: 1 to 40 letters, digits, `-` and `_`.
  public var name = "default"
  public var config: String?
  public var feed = ""
  public var store: String?
  public var properties: [(key: String, value: PropertyValue)] = []
  public var clock = Clock.system
  /// An IANA name; nil follows the system's.
  public var timeZone: String?
  /// `ADDRESS[:PORT]`; nil for none.
  public var gpsd: String? = "127.0.0.1:2947"
  public var geoclue = true
  public var bluetooth = true
  /// A named pipe, or `-`.
  public var input: String?
  public var screen = ScreenMode.automatic
  public var filter: String?
  public var onGeotrigger: String?
  public var onOpen: String?
  public var webhook: String?
  /// A file with a token for the header `Authorization`.
  public var webhookToken: String?
  /// In the ids of events; nil for an id of this machine.
  public var device: String?
  /// A folder for recordings.
  public var record: String?
  /// Bytes of a recording at which the next one begins.
  public var recordSize = 16 << 20
  /// How many recordings are kept.
  public var recordKeep = 8

  public init() {}
}

/// The engine could not go on, for a reason that another start may not meet.
public nonisolated struct HostFailure: LocalizedError, CustomStringConvertible {
  public var description: String
  public var errorDescription: String? { description }
}

/// The engine's host on Linux: an event loop that gives it positions and beacons, and does what it asks for.
///
/// Everything is on one thread. What the engine has to say comes within the call of an input; commands, requests and answers come later, as
/// inputs of their own.
public final class Host {
  private let options: RunOptions
  private let journal: Journal
  private let loop: EventLoop
  private var documents: HostDocuments
  private var engine: Engine?
  private let systemBus: Bus?
  private let sessionBus: Bus?
  private var screen: Screen
  private let gpsdAddress: SourceGPSD.Address?
  private var gpsd: SourceGPSD?
  private var geoclue: SourceGeoClue?
  private var bluez: SourceBlueZ?
  private var lines: SourceLines?
  private var control: ControlSocket?
  private var webhook: Webhook?
  private var recorder: RecordingFolder?
  private let onEvent: ((Event) throws -> Void)?
  private var wakeup: LoopTimer?
  private var kept: [LoopSource] = []
  private var lock: Int32 = -1
  private let started = EventLoop.uptime()
  private var zone = ""
  private var isStopping = false
  private var failure: HostFailure?
  private let itemCommands: ItemCommands
  private var openers: [Int: LoopSource] = [:]
  private var running: [Int: ChildCommand] = [:]
  private var opened = 0
  /// By the clock of the sources: what has not been given to the engine yet.
  private var queue: [(PlaceReport?, InputLine?)] = []
  private var isDraining = false
  private var lastPlaceOfGPSD: Int64?
  private var clockFault = Complaint()
  private var refusal = Complaint()
  private var refused = 0

  /// Reads the documents, takes the instance's lock and gets everything ready. `onEvent` gets each event.
  public init(_ options: RunOptions, _ journal: Journal, onEvent: ((Event) throws -> Void)? = nil) throws {
    self.options = options
    self.onEvent = onEvent
    self.journal = journal
    gpsdAddress = try options.gpsd.map { text throws(SystemFault) in
      if let address = SourceGPSD.Address(text) { return address }
      throw SystemFault("--gpsd \(text): expected an IP address or localhost, and perhaps :PORT", code: 0)
    }
    documents = try HostDocuments(options)
    loop = try EventLoop()
    let commands = [ItemCommands.Kind.filter: options.filter, .geotrigger: options.onGeotrigger]
    itemCommands = ItemCommands(commands.compactMapValues(\.self), loop, journal)
    let folder = try? RuntimeFolder.make()
    if let folder {
      lock = try Self.lock("\(folder)/\(options.name).lock", options.name)
    } else {
      journal.warning("XDG_RUNTIME_DIR is not set: there is no control socket")
    }
    let wantsSystem = options.geoclue || options.bluetooth
    systemBus = wantsSystem ? try Bus(.system, loop, journal) : nil
    sessionBus = options.screen == .terminal ? nil : try Bus(.session, loop, journal)
    screen = Screen(
      options.screen, sessionBus, journal, appName: "plotengine",
      memory: folder.map { "\($0)/\(options.name).notifications" })
    if let path = options.record { recorder = try RecordingFolder(path, options) }
    wakeup = try loop.timer { [weak self] in self?.due() }
    if let folder {
      control = try ControlSocket("\(folder)/\(options.name).sock", loop, journal) { [weak self] request in
        self?.answer(request) ?? [:]
      }
    }
    screen.onOpen = { [weak self] id in
      self?.give("open") { (engine, now) throws(PlotError) in try engine.openNotification(id, at: now) }
    }
    screen.onAction = { [weak self] id, action in
      self?.give("action") { (engine, now) throws(PlotError) in try engine.takeAction(action, of: id, at: now) }
    }
    screen.onDismiss = { [weak self] id in
      self?.give("dismiss") { (engine, now) throws(PlotError) in try engine.dismissNotification(id, at: now) }
    }
    screen.clock = { [weak self] in self?.now ?? Date() }
    if let url = options.webhook { webhook = try makeWebhook(url) }
  }

  /// Only one process of a user has a name.
  private static func lock(_ path: String, _ name: String) throws(SystemFault) -> Int32 {
    let file = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw SystemFault(path) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      throw SystemFault("another plot run named \"\(name)\" is running; give this one another --name", code: 0)
    }
    return file
  }

  private func makeWebhook(_ url: String) throws -> Webhook {
    var token: String?
    if let path = options.webhookToken {
      guard let text = RuntimeFolder.read(path) else { throw SystemFault(path) }
      token = text.split(whereSeparator: \.isNewline).first.map(String.init)
    }
    let device = "\(options.device ?? Self.machine)-\(options.name)"
    return try Webhook(.init(url: url, token: token, device: device), loop, journal) { [weak self] in self?.engine }
  }

  /// An id of this machine that says nothing of the system's own.
  private static var machine: String {
    // Drawn once for this program.
    var application = sd_id128_t()
    unsafe withUnsafeMutableBytes(of: &application) { bytes in
      unsafe bytes.copyBytes(from: [
        0x3c, 0x1f, 0x6b, 0x0e, 0x97, 0x52, 0x4d, 0xa8, 0x8f, 0x21, 0xd4, 0x70, 0xb9, 0x5e, 0xc3, 0x16,
      ])
    }
    var id = sd_id128_t()
    guard unsafe sd_id128_get_machine_app_specific(application, &id) >= 0 else { return "device" }
    return unsafe withUnsafeBytes(of: &id) { unsafe Array($0).hexadecimal }
  }

  // MARK: Life

  /// Milliseconds that the start waits for the desktop.
  private static let screenPatience: Int64 = 2000

  /// Runs until SIGTERM, SIGINT, or the end of an input that is the only source.
  public func run() throws {
    try watchSystem()
    warn()
    // The start of the engine may show and remove something.
    sessionBus?.open()
    try loop.run(for: Self.screenPatience) { screen.isKnown }
    if options.clock == .system { try begin(at: nil) }
    systemBus?.open()
    try openSources()
    notify("READY=1\nSTATUS=running")
    try loop.run()
    notify("STOPPING=1")
    journal.info("stopped")
    control?.close()
    engine?.close()
    engine = nil
    if lock >= 0 { close(lock) }
    if let failure { throw failure }
  }

  private func openSources() throws(SystemFault) {
    if let address = gpsdAddress {
      gpsd = try SourceGPSD(address, loop, journal) { [weak self] report in
        self?.lastPlaceOfGPSD = EventLoop.uptime()
        self?.take(report)
      }
      gpsd?.connect()
    }
    if let path = options.input {
      lines = try SourceLines(path, loop, journal) { [weak self] (line) throws(PlotError) in
        try self?.take(line)
      } onEnd: { [weak self] in
        self?.inputHasEnded()
      }
    }
  }

  /// Reports what is unusual in the documents.
  private func warn() {
    for warning in documents.warnings {
      journal.warning("\(options.config ?? "configuration"): \(warning)")
    }
  }

  private func inputHasEnded() {
    let isOnly = options.gpsd == nil && !options.geoclue && !options.bluetooth
    if isOnly, queue.isEmpty { stop() }
  }

  private func stop() {
    isStopping = true
    loop.stop()
  }

  /// Signals, the wall clock and the time zone of the system.
  private func watchSystem() throws(SystemFault) {
    for number in [SIGTERM, SIGINT] { kept.append(try loop.signal(number) { [weak self] in self?.stop() }) }
    kept.append(try loop.signal(SIGHUP) { [weak self] in _ = self?.reload() })
    if let bus = systemBus {
      if options.geoclue {
        geoclue = try SourceGeoClue(bus, loop, journal, desktopId: "plotengine") { [weak self] report in
          // Where a receiver is at work, the network's guess adds nothing.
          if let last = self?.lastPlaceOfGPSD, EventLoop.uptime() - last < 10_000 { return }
          self?.take(report)
        }
      }
      if options.bluetooth {
        bluez = try SourceBlueZ(bus, loop, journal) { [weak self] sighting in
          self?.give("sighting") { (engine, now) throws(PlotError) in
            var sighting = sighting
            sighting.date = now
            try engine.update(sighting)
          }
        }
        bluez?.isWanted = documents.hasBeacons
      }
    }
    guard options.clock == .system else { return }
    let timer = timerfd_create(Int32(CLOCK_REALTIME), Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    guard timer >= 0 else { throw SystemFault("timer") }
    Self.watchChanges(of: timer)
    kept.append(
      try loop.watch(timer, EPOLLIN.rawValue) { [weak self] _ in
        var count: UInt64 = 0
        unsafe read(timer, &count, MemoryLayout<UInt64>.size)
        Self.watchChanges(of: timer)
        self?.journal.info("the clock was set")
        self?.due()
      })
    if options.timeZone == nil, Environment["TZ"] == nil {
      kept.append(try loop.changes(of: "/etc") { [weak self] in self?.followZone() })
    }
  }

  /// The descriptor is ready when the wall clock is set: its time never comes.
  private static func watchChanges(of timer: Int32) {
    var never = itimerspec()
    never.it_value.tv_sec = .max
    unsafe timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET), &never, nil)
  }

  private func followZone() {
    let name = options.timeZone ?? LocalZone.name
    guard name != zone, let engine else { return }
    do throws(PlotError) {
      if try engine.timeZone != name {
        try engine.setTimeZone(name, at: options.clock == .system ? nil : engine.newestDate)
        journal.info("the time zone is \(name)")
      }
      zone = name
      finishInput()
    } catch {
      journal.warning("time zone: \(error.message)")
    }
  }

  private func notify(_ text: String) { unsafe sd_notify(0, text) }

  // MARK: The engine

  /// Starts an engine on the store. `date` is that of the first input by the clock of the sources; nil is now.
  private func begin(at date: Date?, from state: [UInt8]? = nil) throws(PlotError) {
    let engine = Engine()
    try connect(engine)
    if let recorder {
      try engine.record(to: URL(fileURLWithPath: recorder.next(at: Date())))
    }
    let store = options.store.map { URL(fileURLWithPath: $0) }
    // On a store, the time of the sources goes on where it stood.
    let start = date.map { store == nil ? $0 : documents.earliest }
    if let state {
      try engine.restore(state, documents.configuration, feed: documents.feed, store: nil, at: date)
    } else {
      try engine.start(documents.configuration, feed: nil, store: store, timeZone: .stored, at: start)
    }
    self.engine = engine
    let at = try date.map { (date) throws(PlotError) in max(date, try engine.newestDate) }
    zone = options.timeZone ?? LocalZone.name
    do throws(PlotError) {
      if try engine.timeZone != zone { try engine.setTimeZone(zone, at: at) }
    } catch {
      guard options.timeZone == nil else { throw error }
      journal.warning("the time zone of the system is not taken over: \(error.message)")
    }
    if state == nil { try engine.setFeed(documents.feed, at: at) }
    for (key, value) in options.properties where try engine.properties[key] != value {
      try engine.setProperty(key, value, at: at)
    }
    recorder?.hasBegun()
    finishInput()
  }

  private func connect(_ engine: Engine) throws(PlotError) {
    engine.onLog { [weak self] entry in
      MainActor.assumeIsolated { self?.journal.log(entry.level, entry.message) }
    }
    engine.onWakeup { [weak self] date in MainActor.assumeIsolated { self?.plan(date) } }
    engine.onFixRequest { [weak self] until in
      MainActor.assumeIsolated {
        self?.journal.debug("a fix is wanted until \(Moment.text(until))")
        self?.geoclue?.request()
      }
    }
    if onEvent != nil {
      engine.onEvent { [weak self] event in
        MainActor.assumeIsolated {
          do { try self?.onEvent?(event) } catch { self?.journal.error("events: \(error)") }
        }
      }
    }
    try engine.onShow { [weak self] notification in
      MainActor.assumeIsolated { self?.screen.show(notification, replacing: notification.updates) ?? false }
    }
    try engine.onRemove { [weak self] notification in
      MainActor.assumeIsolated { self?.screen.remove(notification) ?? false }
    }
    try engine.onOpen { [weak self] action, notification in
      MainActor.assumeIsolated { self?.open(action, notification) }
    }
    if options.filter != nil {
      try engine.onFilterBatch { [weak self] batch in
        MainActor.assumeIsolated { self?.ask(.filter, batch.token, batch.notifications.map(\.json)) }
      }
    }
    if options.onGeotrigger != nil {
      try engine.onGeotriggerBatch { [weak self] batch in
        MainActor.assumeIsolated { self?.ask(.geotrigger, batch.token, batch.geotriggers.map(\.json)) }
      }
    }
  }

  /// A batch waits for the answers of commands.
  private var isAsking: Bool { itemCommands.count > 0 }

  /// The time, for lines of text.
  private var now: Date {
    options.clock == .system ? Date() : (try? engine?.newestDate) ?? Date()
  }

  /// Gives something to the engine, with the time of an input that has none: nil for now, or the newest time of the sources. A refusal is a
  /// line in the log, once for each kind in a row.
  @discardableResult
  private func give(_ what: String, _ body: (Engine, Date?) throws(PlotError) -> Void) -> PlotError? {
    guard let engine else { return nil }
    defer { finishInput() }
    do throws(PlotError) {
      try body(engine, options.clock == .system ? nil : try engine.newestDate)
      refusal.end()
      return nil
    } catch {
      refused += 1
      if refusal.isNew("\(what) \(error.code)") { journal.warning("\(what): \(error.message)") }
      return error
    }
  }

  /// After everything that the engine was given.
  private func finishInput() {
    screen.closeReplaced()
    webhook?.proceed()
    guard let recorder, recorder.isFull, !isStopping, !isAsking else { return }
    do throws(PlotError) { try restart() } catch { fail(error) }
  }

  /// An engine that cannot start again: the service manager starts the process anew.
  private func fail(_ error: PlotError) {
    failure = HostFailure(description: "the engine does not start: \(error.message)")
    stop()
  }

  /// Another engine in place of this one, with the same state.
  private func restart() throws(PlotError) {
    guard let old = engine else { return }
    let date = options.clock == .system ? nil : try old.newestDate
    let state = options.store == nil ? try old.save(events: true) : nil
    engine = nil
    old.close()
    try begin(at: date, from: state)
  }

  // MARK: Time

  private func plan(_ date: Date?) {
    guard options.clock == .system else { return }
    wakeup?.set(after: date.map { Int64(($0.timeIntervalSince(Date()) * 1000).rounded(.up)) + 1 })
  }

  private func due() {
    give("timer") { (engine, _) throws(PlotError) in
      try engine.advance()
      plan(try engine.nextWakeup)
    }
  }

  /// Milliseconds by which a receiver may be ahead of the device's clock, and the age up to which a position is one of its time.
  private static let tolerance = (ahead: 0.0, age: 60.0)

  /// The time of a position by the device's clock: its own where the two agree, now where they do not; nothing for one that is old.
  private func moment(of report: PlaceReport) -> Date?? {
    guard let time = report.time else { return .some(nil) }
    let age = Date().timeIntervalSince(time)
    if age > 86_400 || age < -60 {
      // A receiver that does not know the date yet, or a device that does not.
      if clockFault.isNew("clock") {
        journal.info(
          "a position is of \(Moment.text(time)): its time is not believed, and that of its arrival is taken")
      }
      return .some(nil)
    }
    clockFault.end()
    if age > Self.tolerance.age { return nil }
    return .some(age < Self.tolerance.ahead ? nil : time)
  }

  // MARK: Inputs

  private func take(_ report: PlaceReport) {
    guard options.clock == .sources else {
      guard let date = moment(of: report) else { return }
      give("fix") { (engine, _) throws(PlotError) in try engine.update(report.fix(at: date)) }
      return
    }
    queue.append((report, nil))
    drain()
  }

  private func take(_ line: InputLine) throws(PlotError) {
    if options.clock == .sources {
      queue.append((nil, line))
      drain()
    } else if let error = play(line) {
      throw error
    }
  }

  /// Gives the engine what the sources have given, in its own time, as long as no command is asked.
  private func drain() {
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    var position = 0
    while position < queue.count, !isAsking {
      let (report, line) = queue[position]
      position += 1
      if let time = report?.time ?? line?.time {
        pass(to: time)
      } else if engine == nil {
        // A receiver may have a place before it has a time.
        if line != nil { journal.warning("input: by the clock of the sources, the first one must have a time") }
        continue
      }
      if let report {
        give("fix") { (engine, now) throws(PlotError) in try engine.update(report.fix(at: report.time ?? now)) }
      }
      if let line, let error = play(line) { journal.warning("input: \(error.message)") }
    }
    queue.removeFirst(position)
    lines?.isPaused = queue.count > 1000
    gpsd?.isPaused = queue.count > 1000
    if queue.isEmpty, lines?.isOver == true { inputHasEnded() }
  }

  /// Advances through everything due until then, at its own time.
  private func pass(to time: Date) {
    do throws(PlotError) {
      if engine == nil { try begin(at: time) }
      guard let engine else { return }
      var last = Date.distantPast
      while let due = try engine.nextWakeup, due <= time, due > last {
        last = due
        try engine.advance(to: due)
      }
    } catch {
      fail(error)
    }
  }

  private func play(_ line: InputLine) -> PlotError? {
    give("input") { (engine, now) throws(PlotError) in
      let time = line.time ?? now
      switch line.value {
      case .fix(let report): try engine.update(report.fix(at: time))
      case .sighting(var sighting):
        sighting.date = time
        try engine.update(sighting)
      case .properties(let changes):
        for change in changes { try engine.setProperty(change.key, change.value, at: time) }
      case .push(let message): try engine.processMessage(message, at: time)
      case .open(let id): try engine.openNotification(id, at: time)
      case .dismiss(let id): try engine.dismissNotification(id, at: time)
      case .action(let action, let id): try engine.takeAction(action, of: id, at: time)
      case .foreground(let isForeground): try engine.setForeground(isForeground, at: time)
      case .network(let isAvailable): try engine.setNetwork(isAvailable, at: time)
      case .startTrip(let trip): try engine.startTrip(json: trip, at: time)
      case .endTrip(let id, let hasArrived): try engine.endTrip(id, hasArrived: hasArrived, at: time)
      }
    }
  }

  // MARK: Commands

  /// Has the filter or the geotrigger handler judge each item of a batch, and then answers the batch.
  private func ask(_ kind: ItemCommands.Kind, _ token: UInt64, _ items: [String]) {
    itemCommands.ask(kind, token, items, documents.answering) { [weak self] answers in
      self?.answer(kind, token, answers)
      self?.drain()
    }
  }

  private func answer(_ kind: ItemCommands.Kind, _ token: UInt64, _ answers: [String]?) {
    // Where no command has answered, the engine's own deadline and fallback hold.
    guard let answers else { return }
    give("\(kind.rawValue) command") { (engine, _) throws(PlotError) in
      switch kind {
      case .filter:
        var shown: [PlotNotification] = []
        for text in answers { shown.append(try PlotNotification(json: text)) }
        try engine.answerFilter(token, shown)
      case .geotrigger:
        var handled: [Geotrigger] = []
        for text in answers { handled.append(try Geotrigger(json: text)) }
        try engine.markGeotriggersHandled(token, handled)
      }
    }
  }

  /// Opens what an opened notification has: by the user's command, or by the desktop.
  private func open(_ action: OpenAction, _ notification: PlotNotification) {
    do throws(SystemFault) {
      if let command = options.onOpen {
        let text = #"{"action":"\#(action.rawValue)","notification":\#(notification.json)}"# + "\n"
        opened += 1
        let number = opened
        let child = try ChildCommand(command, input: Array(text.utf8), timeout: 60_000, loop) { [weak self] outcome in
          self?.running[number] = nil
          switch outcome {
          case .lines: break
          case .status(let status): self?.journal.warning("open command: it ended with status \(status)")
          case .failed(let why): self?.journal.warning("open command: \(why)")
          }
        }
        running[number] = child
        return
      }
      switch action {
      case .uri, .landingPage: openByPortal(notification.data)
      // No option of the program.
      case .applink where notification.data.hasPrefix("-"): journal.warning("\(notification.data): no name of an app")
      case .applink: try launch(["gtk-launch", notification.data])
      case .app, .data: journal.debug("opened: \(notification.identifier)")
      }
    } catch {
      journal.warning("a notification was not opened: \(error)")
    }
  }

  private static let portal = Bus.Target(
    service: "org.freedesktop.portal.Desktop", path: "/org/freedesktop/portal/desktop",
    interface: "org.freedesktop.portal.OpenURI")

  /// Has the desktop open a URI: by its portal, so that what opens is no child of this service, or else by xdg-open.
  private func openByPortal(_ uri: String) {
    func fallBack() {
      do throws(SystemFault) { try launch(["xdg-open", uri]) } catch {
        journal.warning("\(uri) was not opened: \(error)")
      }
    }
    guard let bus = sessionBus, bus.isConnected else { return fallBack() }
    bus.call(Self.portal, "OpenURI", [.text(""), .text(uri), .options([])], timeout: 5000) { answer in
      if case .failure = answer { fallBack() }
    }
  }

  private func launch(_ words: [String]) throws(SystemFault) {
    let process = try ChildProgram.spawn(words, nil, nil)
    opened += 1
    let number = opened
    openers[number] = try loop.child(process) { [weak self] status in
      self?.openers[number] = nil
      if status != 0 { self?.journal.warning("\(words.joined(separator: " ")): status \(status)") }
    }
  }

  // MARK: Operations

  /// Reads feed and configuration again; gives why they are not taken.
  private func reload() -> String? {
    notify("RELOADING=1")
    defer { notify("READY=1") }
    let new: HostDocuments
    do {
      new = try HostDocuments(options)
    } catch {
      journal.error("not read again, the old ones hold: \(error)")
      return "\(error)"
    }
    let isSame = new.configuration.json == documents.configuration.json
    let old = documents
    documents = new
    bluez?.isWanted = new.hasBeacons
    do throws(PlotError) {
      if !isSame {
        try restart()
      } else if let engine {
        try engine.setFeed(new.feed, at: options.clock == .system ? nil : engine.newestDate)
        finishInput()
      }
    } catch {
      documents = old
      journal.error("not taken over: \(error.message)")
      if engine == nil { do throws(PlotError) { try begin(at: nil) } catch { fail(error) } }
      return error.message
    }
    warn()
    journal.info("read again: \(new.feed.regionCount) regions, \(new.feed.campaignCount) campaigns")
    return nil
  }

  /// Answers a request at the control socket.
  private func answer(_ request: JSONObject) -> JSONObject {
    do throws(PlotError) {
      if request["status"] != nil { return status }
      if request["reload"] != nil { return reload().map { ["error": .string($0)] } ?? ["ok": true] }
      if let campaign = request["explain"]?.string {
        guard let engine else { return ["error": "the engine waits for the first input"] }
        let explanation = try engine.explain(
          campaign, region: request["region"]?.string, language: request["language"]?.string ?? "en")
        return ["explanation": .object(explanation.object)]
      }
      try take(InputLine(request))
      return ["ok": true]
    } catch {
      return ["error": .string(error.message)]
    }
  }

  private var status: JSONObject {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func milliseconds(_ time: timeval) -> Int64 { Int64(time.tv_sec) * 1000 + Int64(time.tv_usec) / 1000 }
    var sources = JSONObject()
    func source(_ name: String, _ state: String, _ taken: String, _ count: Int, _ faults: Int) {
      let object: JSONObject = [
        "state": .string(state), taken: .integer(Int64(count)), "faults": .integer(Int64(faults)),
      ]
      sources[name] = .object(object)
    }
    if let gpsd { source("gpsd", gpsd.state, "fixes", gpsd.fixes, gpsd.faults) }
    if let geoclue { source("geoclue", geoclue.state, "fixes", geoclue.fixes, geoclue.faults) }
    if let bluez { source("bluez", bluez.state, "sightings", bluez.sightings, bluez.faults) }
    if let lines { source("input", lines.isOver ? "ended" : "open", "lines", lines.taken, lines.faults) }
    var status: JSONObject = [
      "version": .string(Engine.version), "name": .string(options.name), "pid": .integer(Int64(getpid())),
      "runningSeconds": .integer((EventLoop.uptime() - started) / 1000), "clock": .string(options.clock.rawValue),
      "feed": .string(options.feed), "store": options.store.map { .string($0) } ?? .null,
      "sources": .object(sources), "screen": .string(screen.isDesktop ? "desktop" : "terminal"),
      "commands": .integer(Int64(itemCommands.count)), "refused": .integer(Int64(refused)),
      "wakeups": .integer(Int64(clamping: loop.wakeups)),
      "cpuMilliseconds": .integer(milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)),
    ]
    if let webhook {
      let waiting = (try? engine?.pendingEvents(limit: 1).waiting) ?? 0
      status["webhook"] = .object([
        "delivered": .integer(Int64(webhook.delivered)), "waiting": .integer(Int64(waiting)),
        "refused": .integer(Int64(webhook.refused)),
      ])
    }
    if let summary = try? engine?.summary { status["engine"] = .object(summary.object) }
    return status
  }
}
