import Foundation
import PlotEngineKit
import PlotTesting
import Synchronization
import Testing

/// The library as an app in Swift sees it; the vectors, which run on it too, say what the engine decides.
@Suite struct KitTests {
  static let feed = """
    {"version": 1, "regions": [
      {"id": "museum", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
     "campaigns": [
      {"id": "welcome", "type": "notification", "message": "Welcome!", "data": "https://example.com", "regions": ["museum"],
       "content": {"title": "Museum", "userInfo": {"b": 1, "a": {"y": 2.5, "x": [true, null]}}, "sound": "bell", "badge": 3,
         "actions": [{"id": "tickets", "title": "Tickets", "foreground": true}]}},
      {"id": "visit", "type": "geotrigger", "name": "visit", "data": "pass", "regions": ["museum"]}]}
    """
  static let start = Date(timeIntervalSince1970: 1_779_962_400)

  static func at(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }

  static func inside(_ seconds: Double) -> Fix {
    Fix(latitude: 52.3601, longitude: 4.8851, accuracy: 10, date: at(seconds))
  }

  static func outside(_ seconds: Double) -> Fix {
    Fix(latitude: 52.4, longitude: 4.9, accuracy: 10, date: at(seconds))
  }

  /// An engine that was started, after what `prepare` does.
  static func engine(
    _ configuration: String = #"{"engine": {"noise": "exact"}}"#, _ prepare: (Engine) throws -> Void = { _ in }
  ) throws -> Engine {
    let engine = Engine()
    try prepare(engine)
    try engine.start(Configuration(json: configuration), feed: Feed(json: feed), timeZone: .stored, at: start)
    return engine
  }

  // MARK: Handlers

  @Test func theFirstProgram() throws {
    let shown = Mutex<[PlotNotification]>([])
    let engine = try Self.engine {
      try $0.onShow { notification in
        shown.withLock { $0.append(notification) }
        return true
      }
    }
    try engine.update(Self.inside(1))
    let notification = try #require(shown.withLock { $0.first })
    #expect(notification.message == "Welcome!")
    #expect(notification.title == "Museum")
    #expect(notification.trigger == .enter)
    #expect(notification.regionType == .geofence)
    #expect(notification.handlerType == .regular)
    #expect(notification.matchRange == 200)
    #expect(notification.actions == [Action(id: "tickets", title: "Tickets", foreground: true)])
    #expect(notification.userInfo["a"]?.object?["y"] == 2.5)
    #expect(notification.identifier == "welcome;museum")
    #expect(try engine.visits.map(\.region) == ["museum"])
    #expect(try engine.sentNotifications.map(\.dateSent) == [Self.at(1)])
    #expect(try engine.sentGeotriggers.map(\.name) == ["visit"])
    #expect(try engine.summary.displayed == 1)
    #expect("\(engine)".hasPrefix("Engine \(Engine.version): {"))
  }

  @Test func aFilterEditsAndLeavesOut() throws {
    let engine = try Self.engine {
      try $0.onFilter { notifications in
        notifications.map { notification in
          var notification = notification
          notification.message = "Hello Paul! \(notification.message)"
          notification.userInfo = ["b": 2, "c": "new"]
          return notification
        }
      }
      try $0.onGeotriggers { _ in [] }
    }
    try engine.update(Self.inside(1))
    let sent = try #require(try engine.sentNotifications.first)
    #expect(sent.message == "Hello Paul! Welcome!")
    // A key that an answer leaves out stays.
    #expect(sent.userInfo.text == #"{"b":2,"a":{"y":2.5,"x":[true,null]},"c":"new"}"#)
    #expect(try engine.sentGeotriggers.map(\.isHandled) == [false])
  }

  @Test func anAnswerThatComesLater() async throws {
    let (batches, batch) = AsyncStream.makeStream(of: FilterBatch.self)
    let engine = try Self.engine { try $0.onFilterBatch { batch.yield($0) } }
    try engine.update(Self.inside(1))
    #expect(try engine.summary.questions == 1)
    var iterator = batches.makeAsyncIterator()
    let waiting = try #require(await iterator.next())
    #expect(try engine.filterBatch(waiting.token).notifications == waiting.notifications)
    await Task { try? waiting.show(waiting.notifications) }.value
    #expect(try engine.sentNotifications.count == 1)
    #expect(code { try waiting.show([]) } == .alreadyAnswered)
    #expect(code { _ = try engine.geotriggerBatch(waiting.token) } == .alreadyAnswered)
  }

  /// An answer that does not belong to the batch is in the log, and the batch waits.
  @Test func anAnswerThatIsRefused() throws {
    let log = Mutex<[LogEntry]>([])
    let engine = try Self.engine {
      try $0.onFilter { $0 + $0 }
      $0.onLog { entry in log.withLock { $0.append(entry) } }
    }
    try engine.update(Self.inside(1))
    let error = try #require(log.withLock { $0.first { $0.level == .error } })
    #expect(error.message.hasPrefix("onFilter: "))
    #expect(try engine.summary.questions == 1)
    #expect(try engine.sentNotifications.isEmpty)
  }

  @Test func whatIsOpened() throws {
    let opened = Mutex<[String]>([])
    let engine = try Self.engine {
      try $0.onOpen { action, notification in opened.withLock { $0.append("\(action) \(notification.data)") } }
    }
    try engine.update(Self.inside(1))
    let match = try #require(try engine.displayedNotifications.first?.matchIdentifier)
    try engine.openNotification(match, at: Self.at(2))
    try engine.onNotification { notification in opened.withLock { $0.append("handler \(notification.data)") } }
    try engine.openNotification(match, at: Self.at(3))
    try engine.onNotification(nil)
    try engine.takeAction("tickets", of: match, at: Self.at(4))
    #expect(opened.withLock { Array($0.prefix(2)) } == ["uri https://example.com", "handler https://example.com"])
    #expect(code { try engine.takeAction("no such", of: match, at: Self.at(5)) } == .notFound)
  }

  @Test func aTestOfTheFilter() throws {
    let engine = try Self.engine { try $0.onFilter { $0.filter { $0.message == "yes" } } }
    let notifications = ["yes", "no"].map { PlotNotification(campaignId: $0, regionId: "r", message: $0) }
    let token = try engine.testFilter(notifications)
    #expect(try engine.testedNotifications(token).map(\.message) == ["yes"])
    #expect(try engine.sentNotifications.isEmpty)
    let triggers = [Geotrigger(campaignId: "c", regionId: "r", name: "n", trigger: .dwelling(minutes: 5))]
    let other = try engine.testGeotriggerHandler(triggers)
    #expect(try engine.testedGeotriggers(other) == engine.testedGeotriggers(other))
    #expect(code { _ = try engine.testedGeotriggers(7) } == .unknownToken)
  }

  // MARK: Streams

  @Test func eventsAsAStream() async throws {
    let engine = try Self.engine()
    let (one, two) = (engine.events(), engine.events())
    try engine.update(Self.inside(1))
    try engine.update(Self.outside(60))
    engine.close()
    var names: [Event.Name] = []
    for await event in one { names.append(event.name) }
    #expect(Set(names) == [.regionEnter, .geotrigger, .notificationShown, .regionExit])
    #expect(names.first == .regionEnter && names.last == .regionExit)
    var count = 0
    for await _ in two { count += 1 }
    #expect(count == names.count)
    // After the end a stream is empty.
    for await _ in engine.events() { Issue.record("a closed engine has an event") }
  }

  /// The engine writes no decisions unless somebody hears them: a stream that ends takes that back.
  @Test func aStreamThatEnds() async throws {
    let engine = try Self.engine()
    do {
      let decisions = engine.decisions()
      try engine.update(Self.inside(1))
      var iterator = decisions.makeAsyncIterator()
      #expect(await iterator.next() != nil)
    }
    let task = Task { for await _ in engine.decisions() {} }
    task.cancel()
    await task.value
    try engine.update(Self.outside(60))
    engine.close()
  }

  @Test func theOutboxLosesNothing() async throws {
    let folder = try Folder()
    let store = URL(fileURLWithPath: folder.path("store"))
    let configuration = try Configuration(json: #"{"engine": {"noise": "exact", "events": {"acknowledge": true}}}"#)
    let feed = try Feed(json: Self.feed)
    var sequences: [Int] = []
    for process in 0..<3 {
      let engine = Engine()
      try engine.start(configuration, feed: feed, store: store, timeZone: .stored, at: Self.at(Double(process) * 1000))
      if process == 0 {
        try engine.update(Self.inside(1))
        try engine.update(Self.outside(60))
      }
      // Each process takes two: the first is acknowledged when the second is asked for.
      for try await event in engine.outbox {
        sequences.append(event.sequence)
        if sequences.count % 2 == 0 { break }
      }
      engine.close()
    }
    #expect(sequences == [1, 2, 2, 3, 3, 4])
  }

  /// An app waits for events that come later, and is done when the engine is closed.
  @Test(.timeLimit(.minutes(1))) func theOutboxWaits() async throws {
    let engine = try Self.engine(#"{"engine": {"noise": "exact", "events": {"acknowledge": true}}}"#)
    let names = Task {
      var names: [Event.Name] = []
      for try await event in engine.outbox {
        names.append(event.name)
        if event.name == .regionExit { break }
      }
      return names
    }
    try engine.update(Self.inside(1))
    await Task.yield()
    try engine.update(Self.outside(60))
    #expect(try await names.value.last == .regionExit)
  }

  @Test(.timeLimit(.minutes(1))) func wakeupsByTheClock() async throws {
    // A day in a moment: who sleeps wakes up at once.
    let seconds = Mutex(0.0)
    var clock = EngineClock.dates { Self.at(seconds.withLock { $0 }) }
    clock.sleep = { duration in
      try Task.checkCancellation()
      seconds.withLock { $0 += Double(duration.components.seconds) + 1 }
    }
    let engine = Engine(clock: clock)
    let feed = """
      {"version": 1, "regions": [{"id": "r", "type": "geofence", "latitude": 52.36, "longitude": 4.885, "radius": 200}],
       "campaigns": [{"id": "stay", "type": "geotrigger", "name": "stay", "trigger": "dwelling", "dwellingMinutes": 5,
         "regions": ["r"]}]}
      """
    try engine.start(Configuration(json: #"{"engine": {"noise": "exact"}}"#), feed: Feed(json: feed), timeZone: .stored)
    let events = engine.events()
    try engine.update(Fix(latitude: 52.36, longitude: 4.885))
    let run = Task { try await engine.run() }
    for await event in events where event.name == .geotrigger { break }
    run.cancel()
    _ = await run.result
    #expect(try engine.sentGeotriggers.map(\.name) == ["stay"])
  }

  /// `run` ends with the engine.
  @Test(.timeLimit(.minutes(1))) func runEndsWithTheEngine() async throws {
    let engine = try Self.engine()
    let run = Task { try await engine.run() }
    await Task.yield()
    engine.close()
    _ = await run.result
  }

  // MARK: Values

  @Test func itemsAreCodable() throws {
    let engine = try Self.engine()
    try engine.update(Self.inside(1))
    let (coder, reader) = (JSONEncoder(), JSONDecoder())
    // A strategy of the coder changes nothing.
    coder.dateEncodingStrategy = .iso8601
    let sent = try engine.sentNotifications
    let read = try reader.decode([PlotNotification].self, from: coder.encode(sent))
    #expect(read == sent)
    #expect(read.first?.dateSent == Self.at(1))
    #expect(read.first?.userInfo == sent.first?.userInfo)
    let triggers = try engine.sentGeotriggers
    #expect(try reader.decode([Geotrigger].self, from: coder.encode(triggers)) == triggers)
    #expect(try PlotNotification(json: sent[0].json) == sent[0])
    #expect(code { _ = try PlotNotification(json: triggers[0].json) } == .invalidDocument)
    #expect(throws: DecodingError.self) { try reader.decode(PlotNotification.self, from: Data("{}".utf8)) }
  }

  /// Every event of the vectors comes back from its coding, with all its members.
  @Test func eventsAreCodable() throws {
    let folder = projectRoot.appendingPathComponent("Tests/vectors")
    var names: Set<Event.Name> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where file.hasSuffix(".jsonl") {
      for line in try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8).split(separator: "\n") {
        let effect = try JSONObject(parsing: String(line))
        #expect(effect.text == line)
        guard effect["effect"] == "event", let record = effect["record"]?.object else { continue }
        let event = try Event(record)
        names.insert(event.name)
        let copy = try JSONDecoder().decode(Event.self, from: JSONEncoder().encode(event))
        #expect(copy == event)
        #expect(copy.hashValue == event.hashValue)
        #expect(copy.time == event.time && copy.time > Date(timeIntervalSince1970: 1))
      }
    }
    #expect(names.isSubset(of: Event.Name.all))
    #expect(names.count > 12)
  }

  @Test func jsonObjects() throws {
    var object: JSONObject = ["b": 1, "a": [nil, true, 2.5, "x"]]
    #expect(object.text == #"{"b":1,"a":[null,true,2.5,"x"]}"#)
    object["c"] = ["d": "e"]
    object["b"] = nil
    #expect(object.map(\.key) == ["a", "c"])
    #expect(object == ["c": ["d": "e"], "a": [nil, true, 2.5, "x"]])
    #expect(JSON.integer(52) == .number(52))
    #expect(JSON.integer(52).hashValue == JSON.number(52).hashValue)
    #expect(JSON.integer(.max) != .integer(.max - 1))
    #expect(try JSON(parsing: object.text) == .object(object))
    #expect(code { _ = try JSON(parsing: "{") } == .invalidDocument)
    #expect(code { _ = try JSONObject(parsing: "[]") } == .invalidDocument)
    #expect(JSON.number(.nan).text == "null")
  }

  @Test func aNotificationKeepsItsForm() throws {
    var notification = PlotNotification(campaignId: "c", regionId: "r", message: "m", latitude: 1, longitude: 2)
    let original = notification
    #expect(code { try notification.set("message", json: #""""#) } == .invalidArgument)
    #expect(code { try notification.set("badge", json: #""x""#) } == .wrongType)
    #expect(code { try notification.set("badge", json: "-1") } == .invalidArgument)
    #expect(code { try notification.set("trigger", json: #""exit""#) } == .readOnlyKey)
    #expect(code { try notification.set("nothing", json: "1") } == .notFound)
    #expect(code { try notification.set("actions", json: "[1]") } == .invalidDocument)
    #expect(code { try notification.clear("message") } == .invalidArgument)
    #expect(notification == original)
    try notification.set("badge", json: "4")
    #expect(notification.badge == 4)
    try notification.clear("badge")
    #expect(notification.badge == nil)
    notification.attachments = [Attachment(id: "a", url: "file:///a.png")]
    #expect(notification.attachments.count == 1)
  }

  // MARK: Errors

  @Test func errorsSpeakSwift() throws {
    let engine = Engine()
    var error = try #require(fault { try engine.update(Self.inside(1)) })
    #expect(error.code == .notInitialized)
    #expect(error.message == "the engine has not been initialized; call Engine.start() first")
    error = try #require(fault { _ = try Feed(json: "{\n  \"version\": 1,\n  \"regions\": 5}") })
    #expect(error.code == .invalidDocument)
    #expect((error.line, error.pointer) == (3, "/regions"))
    try engine.start(timeZone: .stored, at: Self.start)
    error = try #require(fault { try engine.start(at: Self.start) })
    #expect(error.code == .alreadyInitialized)
    error = try #require(fault { try engine.advance(to: Date(timeIntervalSince1970: 5)) })
    #expect(error.argument == "date" && error.message.hasPrefix("date: "))
    #expect("\(error)".hasPrefix("PLOT_INVALID_ARGUMENT: date: "))
    #expect(fault { try engine.advance(to: .distantFuture.addingTimeInterval(1e300)) }?.code == .invalidArgument)
    #expect(fault { try engine.advance(to: Date(timeIntervalSince1970: .nan)) }?.code == .invalidArgument)
    #expect(fault { try engine.setCooldownPeriod(.milliseconds(1500)) }?.argument == "period")
    #expect(fault { try engine.setCooldownPeriod(.seconds(-1), at: Self.at(1)) }?.argument == "period")
    #expect(fault { try engine.setTimeZone("Europe/Atlantis", at: Self.at(1)) }?.argument == "timeZone")
    error = try #require(fault { try engine.setAdvertisingIdentifier("", at: Self.at(1)) })
    #expect(error.message == "identifier: expected a text that is not empty, or nil, found an empty one")
    // The host's texts stay as they were given.
    error = try #require(fault { _ = try engine.explain("plot_engine_init NULL") })
    #expect(error.message.contains(#""plot_engine_init NULL""#))
    engine.close()
    engine.close()
    #expect(fault { try engine.update(Self.inside(9)) }?.code == .closed)
    #expect(fault { try engine.onShow { _ in true } }?.code == .closed)
    #expect(
      fault { _ = try Configuration(contentsOf: URL(fileURLWithPath: "/nowhere/plotconfig.json")) }?.code == .ioError)
  }

  // MARK: Time

  /// The engine notices that the wall clock was set, by the clock that counts from the start of the device.
  @Test func aWallClockThatIsSet() throws {
    let reading = Mutex(ClockReading(date: Self.start, uptime: .seconds(100), boot: "one"))
    let engine = Engine(clock: EngineClock { reading.withLock { $0 } })
    try engine.start(Configuration(), feed: Feed(json: Self.feed), timeZone: .stored)
    func pass(_ seconds: Double, wall: Double) throws -> Date {
      reading.withLock {
        $0.date += wall
        $0.uptime = ($0.uptime ?? .zero) + .seconds(seconds)
      }
      try engine.advance()
      return try engine.newestDate
    }
    #expect(try pass(60, wall: 60) == Self.at(60))
    // Less than the engine counts as a change: its time stands still.
    #expect(try pass(0.2, wall: -0.3) == Self.at(60))
    // A year ahead, and back.
    #expect(try pass(10, wall: 31_536_000) == Self.at(31_536_059.7))
    #expect(try pass(10, wall: -31_536_000) <= Self.at(31_536_070))
    try engine.update(Fix(latitude: 52.3601, longitude: 4.8851, accuracy: 10))
    #expect(try engine.visits.count == 1)
  }

  @Test func theClockOfThisMachine() throws {
    let (one, two) = (EngineClock.system.read(), EngineClock.system.read())
    let uptime = try #require(one.uptime)
    #expect(uptime > .zero && two.uptime! >= uptime)
    #expect(one.boot == two.boot && (1...255).contains(one.boot.utf8.count))
    #expect(abs(one.date.timeIntervalSinceNow) < 60)
    let engine = Engine()
    try engine.start(feed: Feed(json: Self.feed))
    try engine.update(Fix(latitude: 52.3601, longitude: 4.8851, accuracy: 10))
    #expect(try abs(engine.newestDate.timeIntervalSinceNow) < 60)
    #expect(try engine.visits.map(\.region) == ["museum"])
    #expect(try !engine.timeZone.isEmpty)
  }

  // MARK: The rest

  @Test func everythingElse() throws {
    let folder = try Folder()
    let file = { (name: String) in URL(fileURLWithPath: folder.path(name)) }
    let lines = Mutex<[String]>([])
    let engine = Engine()
    try engine.record(to: file("recording"))
    try engine.onRecording { line in lines.withLock { $0.append(line) } }
    try engine.start(
      Configuration(json: #"{"engine": {"noise": "exact"}}"#), feed: Feed(json: Self.feed), store: file("store"),
      timeZone: .named("Europe/Amsterdam"), at: Self.start)
    #expect(try engine.timeZone == "Europe/Amsterdam")
    try engine.keepDecisions(100)
    try engine.writeDecisions(to: file("decisions"))
    try engine.setProperty("gender", "M", at: Self.at(1))
    try engine.setProperty("born", 1980, at: Self.at(1))
    try engine.setProperty("spent", 10.35, at: Self.at(1))
    try engine.setProperty("premium", true, at: Self.at(1))
    try engine.setProperty("since", .date(Self.start), at: Self.at(1))
    #expect(
      try engine.properties == [
        "gender": "M", "born": 1980, "spent": 10.35, "premium": true, "since": .date(Self.start),
      ])
    try engine.setProperty("gender", nil, at: Self.at(1))
    #expect(try engine.propertiesJSON.contains(#""born":{"type":"integer","value":1980}"#))
    try engine.setCooldownPeriod(.seconds(60), at: Self.at(2))
    #expect(try engine.cooldownPeriod == .seconds(60))
    try engine.setEnabled(false, at: Self.at(3))
    #expect(try !engine.isEnabled)
    try engine.setEnabled(true, at: Self.at(4))
    try engine.setForeground(true, at: Self.at(4))
    try engine.setNetwork(false, at: Self.at(4))
    #expect(try engine.explain("welcome").verdict != nil)
    #expect(try engine.explain("welcome", language: "de").sentence != engine.explain("welcome").sentence)
    let plan = try engine.planRegions(
      RegionPlanRequest(budget: 5, position: Position(latitude: 52.36, longitude: 4.885)), at: Self.at(5))
    #expect(plan.add.map(\.id) == ["museum"] && plan.fence == nil)
    let effects = try engine.update([Self.inside(6), Self.outside(5)])
    let feed = try engine.feed
    #expect(effects.contains { $0.kind == .event(.regionEnter) && feed.regionId(at: $0.region ?? -1) == "museum" })
    #expect(effects.last?.kind == .refused(.outOfOrder))
    #expect(try engine.update(together: [Self.outside(60)], at: Self.at(61)).last?.kind == .event(.regionExit))
    #expect(feed.campaignId(at: 0) != nil && feed.campaignId(at: 99) == nil && feed.regionId(at: -1) == nil)
    #expect(try engine.keptDecisions(campaign: "welcome", limit: 1).count == 1)
    try engine.setList("blocked", version: 1, entries: ["loki"], at: Self.at(62))
    try engine.editList("blocked", add: ["hela"], remove: ["loki"], at: Self.at(63))
    #expect(try engine.lists.map(\.count) == [1])
    #expect(try engine.list("blocked", contains: "hela"))
    try engine.setList("blocked", json: nil, at: Self.at(64))
    #expect(code { _ = try engine.list("blocked", contains: "hela") } == .notFound)
    try engine.processMessage(#"{"id": "m1", "body": "Hi", "sender": "thor"}"#, at: Self.at(65))
    var message = try #require(try engine.displayedNotifications.first { $0.isMessage })
    #expect((message.sender, message.trigger, message.regionId) == ("thor", nil, nil))
    message.body = "Hello"
    try engine.updateNotification(message, at: Self.at(66))
    #expect(try engine.displayedNotifications.contains { $0.body == "Hello" })
    try engine.removeAllNotifications(at: Self.at(67))
    #expect(try engine.displayedNotifications.isEmpty)
    try engine.update(
      Sighting(.eddystone(namespaceId: "00112233445566778899", instanceId: "000000000001"), date: Self.at(68)))
    try engine.update(RegionHint(.inside, "museum", date: Self.at(69)))
    #expect(try engine.loadedNotifications(limit: 1).count == 1)
    #expect(try engine.loadedGeotriggers().count == 1)
    try engine.clearSentNotifications(at: Self.at(70))
    try engine.clearSentGeotriggers(at: Self.at(70))
    #expect(try engine.sentNotifications.isEmpty && engine.sentGeotriggers.isEmpty)
    try engine.writeDebugLog(to: file("log"))
    try engine.clearAllData(at: Self.at(71))
    #expect(try engine.properties.isEmpty)
    try engine.stopRecording()
    engine.close()
    let recording = try String(contentsOf: file("recording"), encoding: .utf8)
    #expect(recording == lines.withLock { $0.map { $0 + "\n" }.joined() })
    let replay = Replay()
    let again = try recording.split(separator: "\n").flatMap { try replay.take(String($0)) }
    #expect(again.map { $0 + "\n" }.joined() == recording)
    try feed.save(to: file("feed"))
    #expect(try Feed(mapping: file("feed")).json == feed.json)
    #expect(Lint.findings(configuration: "{}", feed: Self.feed, at: Self.start).allSatisfy { $0.severity != "error" })
    #expect(Lint.findings(feed: "{").first?.severity == "error")
    let places =
      #"{"type": "Feature", "properties": {"name": "Dam"}, "geometry": {"type": "Point", "coordinates": [4.89, 52.37]}}"#
    var options = GeoJSONOptions()
    options.trigger = .inside(minuteOfDay: 600)
    #expect(try Feed(geoJSON: places, options: options).json.contains(#""insideAt":"10:00""#))
  }

  /// An engine that nobody holds is closed, whatever its handlers and streams hold.
  @Test func nobodyHoldsIt() throws {
    let folder = try Folder()
    weak var gone: Engine?
    var stream: AsyncStream<Event>?
    do {
      let engine = try Self.engine { engine in
        try engine.onShow { _ in true }
        try engine.onFilter { $0 }
        engine.onEvent { _ in }
      }
      stream = engine.events()
      gone = engine
      try engine.update(Self.inside(1))
    }
    #expect(gone == nil)
    withExtendedLifetime((stream, folder)) {}
  }

  // MARK: Strategies

  private final class Veto: Strategy {
    let calls = Mutex<[String]>([])

    func note(_ call: String) { calls.withLock { $0.append(call) } }

    func allowsCreation(of notification: PlotNotification, _ context: VoteContext, at date: Date) -> Bool {
      note("vote \(notification.message), \(context.visits) visits")
      return false
    }

    func load(_ state: String?, at date: Date) { note("load \(state ?? "nothing")") }
    func save(at date: Date) -> String? { "saved" }
  }

  @Test func aStrategy() throws {
    let veto = Veto()
    let engine = try Self.engine { try $0.setStrategy("veto", veto) }
    try engine.update(Self.inside(1))
    #expect(try engine.displayedNotifications.isEmpty)
    #expect(veto.calls.withLock { $0 } == ["load nothing", "vote Welcome!, 1 visits"])
    try engine.setStrategy("veto", nil)
  }

  // MARK: Trips

  @Test func tripsBeginAndEnd() throws {
    let engine = try Self.engine()
    try engine.update(Fix(latitude: 52.37, longitude: 4.885, accuracy: 10, date: Self.at(0)))
    var plan = TripPlan(id: "order-7", region: "museum")
    plan.mode = .bicycle
    plan.route = [Position(latitude: 52.37, longitude: 4.885), Position(latitude: 52.36, longitude: 4.885)]
    (plan.deadline, plan.expires) = (Self.at(3600), Self.at(7200))
    (plan.approachingSeconds, plan.approachingMetres) = (60, 250)
    plan.metadata = ["order": "A7", "items": 3]
    try engine.startTrip(plan, at: Self.at(1))
    let trip = try #require(engine.trips(at: Self.at(1)).first)
    #expect(trip.id == "order-7" && trip.region == "museum" && trip.mode == .bicycle)
    #expect(trip.started == Self.at(1) && trip.ends == Self.at(7200) && trip.deadline == Self.at(3600))
    #expect(trip.metres.map { (900...1112).contains($0) } == true && trip.speed == 4.5)
    #expect(trip.arrival.map { $0 > Self.at(150) && $0 < Self.at(320) } == true)
    #expect(trip.metadata["order"]?.string == "A7" && trip.metadata["items"]?.integer == 3)
    #expect(!trip.isApproaching && !trip.isDelayed && !trip.isStopped && !trip.isOffRoute)
    try engine.endTrip("order-7", hasArrived: true, at: Self.at(2))
    #expect(try engine.trips(at: Self.at(2)).isEmpty)
    #expect(code { try engine.endTrip("order-7", at: Self.at(3)) } == .notFound)
    #expect(code { try engine.startTrip(TripPlan(id: "x", region: "nowhere"), at: Self.at(3)) } == .notFound)
    #expect(code { try engine.startTrip(json: "{}", at: Self.at(3)) } == .invalidDocument)
  }

  // MARK: Devices near each other

  @Test func roaming() throws {
    let roaming = try Roaming(enter: 100, exit: 150, longestAge: 60)
    let news = try roaming.update(
      [(1, 0, 52.36), (7, 15, 52.362), (7, 30, 52.3608), (7, 45, 52.358)].map { device, second, latitude in
        Roaming.Fix(device: device, time: Self.at(second), latitude: latitude, longitude: 4.885)
      })
    #expect(news.map(\.kind) == [.enter, .exit] && news.map(\.fix) == [2, 3])
    #expect(news[0].time == Self.at(30) && Swift.abs(news[0].distance - 88.96) < 0.01)
    #expect(roaming.pairs.isEmpty && roaming.remove(9) == nil && roaming.remove(7) == [])
    #expect(roaming.expire(before: Self.at(60)).isEmpty && roaming.remove(1) == nil)
    #expect(code { _ = try Roaming(enter: 0) } == .invalidArgument)
  }
}

private func fault(_ body: () throws -> Void) -> PlotError? {
  do { try body() } catch { return error as? PlotError }
  return nil
}

private func code(_ body: () throws -> Void) -> PlotError.Code? { fault(body)?.code }
