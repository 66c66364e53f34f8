import FoundationEssentials
internal import PlotDocuments
internal import PlotEngineKit
internal import Synchronization

/// Plays one scenario of Tests/vectors on an engine; its format is in the README there.
final class VectorRun: Sendable {
  private struct State {
    var effects: [String] = []
    var tokens: [String: [UInt64]] = [:]
    var shown: [String] = []
    var hasFailed = false
    var newest = Date(milliseconds: 0)
    var fault: VectorFault?
  }

  private let scenario: JSONValue
  private let host: JSONValue
  private let frontEnd: any VectorFrontEnd
  private let storePath: String?
  /// Whether each feed goes through a compiled one.
  private let compilesFeeds: Bool
  /// After how many inputs the engine is closed and another one opened on its store, and nobody may notice; nil for never.
  private let reopensAfter: Int?
  /// It goes on from what the engine before it has saved, and not from a store.
  private let saves: Bool
  private let state = Mutex(State())
  private let engine = Mutex(Engine(clock: .dates { Date(milliseconds: 0) }))

  /// `storePath` is where a scenario with a store has it.
  init(
    _ scenario: JSONValue, storePath: String, compilesFeeds: Bool = false, reopensAfter: Int? = nil,
    saves: Bool = false,
    on frontEnd: any VectorFrontEnd = EngineFrontEnd()
  ) throws {
    try scenario.allow("name area description config feed start clock store decisions host inputs")
    self.scenario = scenario
    self.frontEnd = frontEnd
    self.compilesFeeds = compilesFeeds
    self.reopensAfter = reopensAfter
    host = scenario["host"] ?? .object([])
    try host.allow("filter geotriggers show remove handler strategies sync")
    self.saves = saves
    self.storePath = try scenario.flag("store") || (reopensAfter != nil && !saves) ? storePath : nil
  }

  /// The effects, one line each.
  func play() throws -> [String] {
    let start = try scenario.time("start")
    state.withLock { $0.newest = start }
    defer { now.close() }
    try begin(at: start, scenario["clock"])
    try setFeed(scenario.member("feed"), start)
    for (index, input) in try scenario.elements("inputs").enumerated() {
      do {
        try take(input)
      } catch let error as PlotError {
        let message = JSONValue.quoted(error.original)
        add(#""effect":"status","input":\#(index),"status":"\#(error.code)","message":\#(message)"#)
      } catch let fault as VectorFault {
        throw VectorFault("input \(index): \(fault.message)")
      }
      if let fault = state.withLock(\.fault) { throw VectorFault("input \(index): \(fault.message)") }
      if let reopensAfter, (index + 1) % reopensAfter == 0 { try reopen() }
    }
    return state.withLock(\.effects)
  }

  /// Another process goes on. Its start repeats what is open: the next wakeup, questions that wait for an answer, what strategies have saved.
  private func reopen() throws {
    let (newest, told) = (try now.newestDate, state.withLock(\.effects.count))
    let saved = saves ? VectorSaved(bytes: try now.save(), feed: try now.feed) : nil
    now.close()
    try begin(at: newest, nil, from: saved)
    if let saved {
      guard try now.save() == saved.bytes else {
        throw VectorFault("what a restored engine saves is not what it was restored from")
      }
    }
    try state.withLock { state in
      let repeated = state.effects[told...]
      state.effects.removeSubrange(told...)
      for line in repeated where line.hasPrefix(#"{"effect":"event""#) || line.hasPrefix(#"{"effect":"show""#) {
        throw VectorFault("a new process on the store said \(line)")
      }
    }
  }

  private var now: Engine { engine.withLock { $0 } }

  private func add(_ members: String) { state.withLock { $0.effects.append("{\(members)}") } }

  // MARK: The host

  private func begin(at time: Date, _ clock: JSONValue?, from saved: VectorSaved? = nil) throws {
    // Every input has its date, and answers are of the newest.
    var host = VectorHost(clock: .dates { self.state.withLock(\.newest) })
    host.event = { self.add(#""effect":"event","record":\#($0.json)"#) }
    host.open = { action, item in
      let uri = JSONValue.quoted(item.data)
      self.add(#""effect":"open","action":\#(action.number),"uri":\#(uri),"item":\#(item.json)"#)
    }
    if try hasBatches("filter") { host.filter = { self.ask($0, $1, "filter", $2) } }
    if try hasBatches("geotriggers") { host.geotriggers = { self.ask($0, $1, "geotriggers", $2) } }
    let show = try self.host.word("show", or: "ok", of: ["ok", "fail", "failOnce", "none"])
    if show != "none" { host.show = { self.show($0, show) } }
    let remove = try self.host.word("remove", or: "ok", of: ["ok", "fail", "none"])
    if remove != "none" {
      host.remove = {
        self.add(#""effect":"remove","item":\#($0.json)"#)
        return remove == "ok"
      }
    }
    if try self.host.flag("handler") {
      host.notification = {
        self.add(#""effect":"handler","item":\#($0.json),"data":\#(JSONValue.quoted($0.data))"#)
      }
    }
    host.prepare = { engine in
      self.engine.withLock { $0 = engine }
      engine.onFixRequest { self.add(#""effect":"fixRequest","deadline":\#($0.milliseconds)"#) }
      engine.onWakeup { self.add(#""effect":"wakeup","time":\#($0?.milliseconds ?? -1)"#) }
      if try self.host.flag("sync") {
        try engine.onSync { status, next in
          self.add(#""effect":"syncStatus","next":\#(next?.milliseconds ?? -1),"value":\#(status.json)"#)
        }
      }
      if try self.scenario.flag("decisions") {
        engine.onDecision { self.add(#""effect":"decision","record":\#($0.json)"#) }
      }
      for rule in try self.host.elements("strategies", isOptional: true) {
        let strategy = try VectorStrategy(rule) { self.add($0) }
        try engine.setStrategy(strategy.key, strategy)
      }
      if let clock { try self.setClock(clock.allow("monotonic boot"), time) }
    }
    let configuration = try scenario.member("config").text
    guard let saved else { return try frontEnd.start(host, configuration, storePath, at: time) }
    try frontEnd.restore(host, configuration, saved, at: time)
  }

  private func hasBatches(_ key: String) throws -> Bool {
    if case .array? = host[key] { return true }
    return try host.word(key, or: "none", of: ["none", "later"]) == "later"
  }

  private func show(_ item: PlotNotification, _ policy: String) -> Bool {
    add(#""effect":"show","item":\#(item.json)"#)
    return state.withLock { state in
      if policy == "fail" || (policy == "failOnce" && !state.hasFailed) {
        state.hasFailed = true
        return false
      }
      state.shown.append(item.matchIdentifier ?? "")
      return true
    }
  }

  private func ask<T: Item>(
    _ token: UInt64, _ items: [T], _ kind: String, _ answer: ([T]) throws -> Void
  ) {
    let list = items.map(\.json).joined(separator: ",")
    add(#""effect":"\#(kind)","token":\#(token),"items":[\#(list)]"#)
    state.withLock { state in
      if state.tokens[kind]?.contains(token) != true { state.tokens[kind, default: []].append(token) }
    }
    guard case .array(let rules)? = host[kind] else { return }
    do {
      var kept: [T] = []
      for item in items {
        for rule in rules { try rule.allow("identifier drop" + (kind == "filter" ? " message data set" : "")) }
        let rule = rules.first { ($0["identifier"].map { $0.text == JSONValue.quoted(item.identifier) }) ?? true }
        if try rule?.flag("drop") == true { continue }
        kept.append(try edited(item, rule))
      }
      try answer(kept)
    } catch {
      state.withLock { $0.fault = VectorFault("an answer by rules fails: \(error)") }
    }
  }

  /// An item with what a rule, or an item of an answer, says to change.
  private func edited<T: Item>(_ item: T, _ changes: JSONValue?) throws -> T {
    guard var notification = item as? PlotNotification else { return item }
    for key in ["message", "data"] {
      if let text = try changes?.optionalString(key) { try notification.set(key, json: JSONValue.quoted(text)) }
    }
    if case .object(let members)? = changes?["set"] {
      for (key, value) in members {
        if case .null = value { try notification.clear(key) } else { try notification.set(key, json: value.text) }
      }
    }
    return notification as? T ?? item
  }

  // MARK: Inputs

  private func take(_ input: JSONValue) throws {
    if input["clear"] != nil {
      try input.allow("clear time")
      let name = try input.word("clear", or: nil, of: ["sentNotifications", "sentGeotriggers"])
      return try frontEnd.clearSent(geotriggers: name == "sentGeotriggers", now, at: stamp(input))
    }
    guard case .object(let members) = input, members.count == 1, let (name, value) = members.first else {
      throw VectorFault("expected an object with one key")
    }
    switch name {
    case "list": try list(input.string("list"))
    case "explain":
      try value.allow("campaign region language")
      let explanation = try now.explain(
        value.string("campaign"), region: value.optionalString("region"),
        language: value.optionalString("language") ?? "en")
      add(#""effect":"explain","value":\#(explanation.json)"#)
    case "sync": try synchronize(value)
    case "keepDecisions": try now.keepDecisions(Int(value.allow("capacity").integer("capacity")))
    case "getDecisions":
      try value.allow("campaign region limit")
      let limit = value["limit"] == nil ? 0 : try value.integer("limit")
      guard limit >= 0 else { throw VectorFault("limit: expected 0 or more") }
      let decisions = try now.keptDecisions(
        campaign: value.optionalString("campaign"), region: value.optionalString("region"), limit: Int(limit))
      add(#""effect":"decisions","value":[\#(decisions.map(\.json).joined(separator: ","))]"#)
    case "advanceToWakeup":
      guard let wakeup = try now.nextWakeup else { return }
      state.withLock { $0.newest = max($0.newest, wakeup) }
      try now.advance(to: wakeup)
    case "setClock":
      try value.allow("time monotonic boot")
      let time = try value.time("time")
      let newest = state.withLock(\.newest)
      state.withLock { $0.newest = time }
      do {
        try setClock(value, time)
      } catch {
        state.withLock { $0.newest = max(newest, time) }
        throw error
      }
    default: try take(name, value, stamp(value))
    }
  }

  /// The time of an input, which is then the newest.
  private func stamp(_ value: JSONValue) throws -> Date {
    let time = try value.time("time")
    state.withLock { $0.newest = max($0.newest, time) }
    return time
  }

  private func fixes(_ value: JSONValue, _ time: Date) throws {
    let fixes = try value.allow("time fixes").elements("fixes").map { try $0.fix() }
    for effect in try now.update(together: fixes, at: time) {
      guard case .refused(let code) = effect.kind else { continue }
      add(#""effect":"status","fix":\#(effect.fix),"status":"\#(code)""#)
    }
  }

  private func take(_ name: String, _ value: JSONValue, _ time: Date) throws {
    switch name {
    case "fix": try now.update(value.fix())
    case "fixes": try fixes(value, time)
    case "sighting": try now.update(sighting(value, time))
    case "hint":
      try value.allow("time region kind latitude longitude accuracy")
      let kind = try value.word("kind", or: nil, of: RegionHint.Kind.allCases.map(\.rawValue))
      try now.update(
        RegionHint(
          RegionHint.Kind(rawValue: kind) ?? .enter, value.string("region"), position: value.position(), date: time))
    case "planRegions":
      try value.allow("time latitude longitude accuracy budget reset fenceLeft")
      let request = try RegionPlanRequest(
        budget: value["budget"] == nil ? nil : Int(value.integer("budget")), position: value.position(),
        reset: value.flag("reset"), fenceLeft: value.flag("fenceLeft"))
      try add(#""effect":"plan","value":\#(now.planRegions(request, at: time).json)"#)
    case "advance": try now.advance(to: time)
    case "enable", "disable": try frontEnd.setEnabled(name == "enable", now, at: time)
    case "setCooldownPeriod":
      try frontEnd.setCooldownPeriod(value.allow("time seconds").integer("seconds"), now, at: time)
    case "setTimeZone": try now.setTimeZone(value.allow("time zone").string("zone"), at: time)
    case "setProperty": try frontEnd.setProperty(value.string("key"), property(value), now, at: time)
    case "clearProperty":
      try frontEnd.setProperty(value.allow("time key").string("key"), nil, now, at: time)
    case "setFeed": try setFeed(value.allow("time feed").member("feed"), time)
    case "answerFilter":
      let token = try token(value, "filter")
      try now.answerFilter(token, kept(value, now.filterBatch(token).notifications), at: time)
    case "answerGeotriggers":
      let token = try token(value, "geotriggers")
      try now.markGeotriggersHandled(token, kept(value, now.geotriggerBatch(token).geotriggers), at: time)
    case "open":
      try frontEnd.openNotification(shown(value.allow("time notification")), now, at: time)
    case "dismiss": try now.dismissNotification(shown(value.allow("time notification")), at: time)
    case "removeNotification":
      try value.allow("time notification")
      if value["notification"] == nil {
        try now.removeAllNotifications(at: time)
      } else {
        try now.removeNotification(shown(value), at: time)
      }
    case "updateNotification":
      let match = try shown(value.allow("time notification message data set"))
      guard let item = try now.displayedNotifications.first(where: { $0.matchIdentifier == match }) else {
        throw PlotError(.notFound, "\(match): no notification on the screen has this match identifier")
      }
      try now.updateNotification(edited(item, value), at: time)
    case "takeAction":
      try value.allow("time notification action")
      try now.takeAction(value.string("action"), of: shown(value), at: time)
    case "setAdvertisingIdentifier":
      try value.allow("time identifier limitTracking")
      try now.setAdvertisingIdentifier(
        value.optionalString("identifier"), limitsTracking: value.flag("limitTracking"), at: time)
    case "moveRegion":
      try value.allow("time region latitude longitude")
      try now.moveRegion(
        value.string("region"), latitude: value.number("latitude"), longitude: value.number("longitude"), at: time)
    case "message":
      try value.allow("time payload text")
      let text = try value["payload"]?.text ?? value.string("text")
      try now.processMessage(text, at: time)
    case "startTrip":
      try value.allow("time trip")
      try now.startTrip(json: value["trip"]?.text ?? "", at: time)
    case "endTrip":
      try value.allow("time trip arrived")
      try now.endTrip(
        value.string("trip"), hasArrived: value["arrived"] == nil ? false : value.flag("arrived"), at: time)
    case "trips":
      try value.allow("time")
      let trips = try now.tripsText(at: time)
      add(#""effect":"trips","value":\#(trips)"#)
    case "editList":
      try value.allow("time name add remove")
      try now.editList(value.string("name"), add: value.strings("add"), remove: value.strings("remove"), at: time)
    case "setList":
      try value.allow("time name list")
      try now.setList(value.string("name"), json: value["list"]?.text, at: time)
    case "restart":
      try value.allow("time clock")
      if value["clock"] != nil { state.withLock { $0.newest = time } }
      now.close()
      try begin(at: time, value["clock"])
    default:
      guard try handOver(name, value, now, at: time) else { throw VectorFault("unknown input \"\(name)\"") }
    }
  }

  /// The synchronization: one call of it.
  private func synchronize(_ value: JSONValue) throws {
    let call = try value.string("call")
    func told(_ json: String) { add(#""effect":"sync","call":"\#(call)","value":\#(json)"#) }
    guard call != "status" else {
      try value.allow("call")
      return told(try now.syncStatus.json)
    }
    let time = try stamp(value)
    switch call {
    case "begin":
      try value.allow("call time facts feed seed")
      let feed = try value["feed"].map { try PlotEngineKit.Feed(json: $0.text) }
      try now.beginSync(value.texts("facts"), feed: feed, seed: Array(value.string("seed").utf8), at: time)
    case "next":
      try value.allow("call time")
      switch try now.nextSyncStep(at: time) {
      case .request(let request): told(request.json)
      case .wait(let until): told(#"{"until":\#(until.map { "\($0.milliseconds)" } ?? "null")}"#)
      }
    case "response":
      try value.allow("call time request status headers body")
      try now.takeSyncResponse(
        to: Int(value.integer("request")), status: Int(value.integer("status")), headers: value.texts("headers"),
        body: Array((value.optionalString("body") ?? "").utf8), at: time)
    case "failure":
      try value.allow("call time request reason")
      try now.takeSyncFailure(of: Int(value.integer("request")), because: value.string("reason"), at: time)
    case "receive":
      try value.allow("call time request text")
      try now.takeSyncBytes(Array(value.string("text").utf8), of: Int(value.integer("request")), at: time)
    case "message": try now.takeSyncMessage(value.allow("call time payload").member("payload").text, at: time)
    case "now":
      try value.allow("call time")
      try now.syncNow(at: time)
    case "stop":
      try value.allow("call time")
      try now.stopSync(at: time)
    default: throw VectorFault("sync: unknown call \"\(call)\"")
    }
  }

  private func setClock(_ value: JSONValue, _ time: Date) throws {
    try now.setClock(
      ClockReading(date: time, uptime: .milliseconds(value.integer("monotonic")), boot: value.string("boot")))
  }

  private func setFeed(_ json: JSONValue, _ time: Date) throws {
    let feed = try PlotEngineKit.Feed(json: json.text)
    guard compilesFeeds else { return try now.setFeed(feed, at: time) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try feed.save(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try now.setFeed(PlotEngineKit.Feed(mapping: file), at: time)
  }

  private func property(_ value: JSONValue) throws -> PropertyValue {
    try value.allow("time key type value")
    switch try value.word("type", or: nil, of: ["string", "boolean", "integer", "double", "date"]) {
    case "string": return .string(try value.string("value"))
    case "boolean": return .boolean(try value.flag("value"))
    case "integer": return .integer(try value.integer("value"))
    case "double": return .double(try value.number("value"))
    default: return .date(try value.time("value"))
    }
  }

  private func sighting(_ value: JSONValue, _ time: Date) throws -> Sighting {
    try value.allow("time proximityUUID majorId minorId namespaceId instanceId proximity rssi power")
    let ranges = Sighting.Proximity.allCases
    let word = try value.word("proximity", or: "unknown", of: ["unknown"] + ranges.map(\.rawValue))
    func part(_ key: String) throws -> UInt16 {
      let number = try value.integer(key)
      guard let part = UInt16(exactly: number) else {
        let name = key == "majorId" ? "major_id" : "minor_id"
        throw PlotError(.invalidArgument, "\(name): expected an integer from 0 to 65535, found \(number)")
      }
      return part
    }
    let beacon: Sighting.Beacon =
      if value["namespaceId"] != nil {
        .eddystone(namespaceId: try value.string("namespaceId"), instanceId: try value.string("instanceId"))
      } else {
        .iBeacon(
          proximityUUID: try value.string("proximityUUID"), majorId: try part("majorId"), minorId: try part("minorId"))
      }
    return Sighting(
      beacon, proximity: Sighting.Proximity(rawValue: word), rssi: try value.number("rssi", or: 0),
      power: try value.number("power", or: 0), date: time)
  }

  /// The token of the batch that an answer is for.
  private func token(_ value: JSONValue, _ kind: String) throws -> UInt64 {
    try value.allow("time batch keep")
    let tokens = state.withLock { $0.tokens[kind] ?? [] }
    let number = try value.integer("batch")
    guard number >= 1, number <= tokens.count else { throw VectorFault("batch: there is no batch \(number) yet") }
    return tokens[Int(number) - 1]
  }

  /// Those of the items that an answer keeps.
  private func kept<T: Item>(_ value: JSONValue, _ batch: [T]) throws -> [T] {
    var items = batch
    var kept: [T] = []
    for entry in try value.elements("keep") {
      try entry.allow("identifier" + (T.self == PlotNotification.self ? " message data set" : ""))
      let identifier = try entry.string("identifier")
      guard let position = items.firstIndex(where: { $0.identifier == identifier }) else {
        throw VectorFault("keep: \"\(identifier)\" is not in the batch")
      }
      items[position] = try edited(items[position], entry)
      kept.append(items[position])
    }
    return kept
  }

  /// The matchIdentifier of the notification that an input is about.
  private func shown(_ value: JSONValue) throws -> String {
    let shown = state.withLock(\.shown)
    let number = try value.integer("notification")
    guard number >= 1, number <= shown.count else {
      throw VectorFault("notification: \(shown.count) were shown so far")
    }
    return shown[Int(number) - 1]
  }

  private func list(_ name: String) throws {
    func array(_ records: [some CustomStringConvertible]) -> String {
      "[" + records.map(\.description).joined(separator: ",") + "]"
    }
    let text =
      switch name {
      case "sentNotifications": array(try now.sentNotifications)
      case "sentGeotriggers": array(try now.sentGeotriggers)
      case "loadedNotifications": array(try now.loadedNotifications())
      case "loadedGeotriggers": array(try now.loadedGeotriggers())
      case "displayedNotifications": array(try now.displayedNotifications)
      case "visits": array(try now.visits)
      case "summary": try now.summary.json
      case "segmentation": try now.propertiesJSON
      case "lists": array(try now.lists)
      default: throw VectorFault("list: unknown list \"\(name)\"")
      }
    add(#""effect":"list","value":\#(text)"#)
  }
}

/// A strategy of a scenario; its state is the number of displays that it was told of, and until when it says no.
private final class VectorStrategy: Strategy {
  let key: String
  private let veto: [String]
  private let vetoDelete: [String]
  /// In seconds.
  private let minimumTime: Int64?
  private let add: @Sendable (String) -> Void
  private let memory = Mutex((shown: Int64(0), next: Date(milliseconds: 0)))

  init(_ rule: JSONValue, _ add: @escaping @Sendable (String) -> Void) throws {
    try rule.allow("key veto vetoDelete minimumTime")
    key = try rule.string("key")
    veto = try rule.strings("veto")
    vetoDelete = try rule.strings("vetoDelete")
    minimumTime = rule["minimumTime"] == nil ? nil : try rule.integer("minimumTime")
    self.add = add
  }

  /// Why a notification leaves the screen, and what takes its place.
  private func departure(_ cause: String?, _ next: PlotNotification?) -> String {
    let next = next.map { #","next":\#(JSONValue.quoted($0.identifier))"# } ?? ""
    return #","cause":\#(cause.map(JSONValue.quoted) ?? "null")"# + next
  }

  private func line(_ effect: String, _ what: String, _ notification: PlotNotification? = nil, _ rest: String = "") {
    let about = notification.map { #","identifier":\#(JSONValue.quoted($0.identifier))"# } ?? ""
    add(#""effect":"\#(effect)","strategy":\#(JSONValue.quoted(key)),"what":"\#(what)"\#(about)\#(rest)"#)
  }

  func allowsCreation(of notification: PlotNotification, _ context: VoteContext, at date: Date) -> Bool {
    let agrees = !veto.contains(notification.campaignId ?? "") && date >= memory.withLock(\.next)
    line("vote", "create", notification, #","agrees":\#(agrees)"#)
    return agrees
  }

  func allowsDeletion(
    of notification: PlotNotification, next: PlotNotification?, _ context: VoteContext, at date: Date
  ) -> Bool {
    let agrees = !vetoDelete.contains(notification.campaignId ?? "")
    line("vote", "delete", notification, departure(context.cause, next) + #","agrees":\#(agrees)"#)
    return agrees
  }

  func created(_ notification: PlotNotification, isShown: Bool, at date: Date) {
    if isShown { memory.withLock { $0.shown += 1 } }
    line("told", "created", notification, #","done":\#(isShown)"#)
  }

  func deleted(
    _ notification: PlotNotification, isRemoved: Bool, next: PlotNotification?, cause: String, at date: Date
  ) {
    if isRemoved, let minimumTime { memory.withLock { $0.next = date.addingTimeInterval(Double(minimumTime)) } }
    line("told", "deleted", notification, departure(cause, next) + #","done":\#(isRemoved)"#)
  }

  func update(parameters: JSONObject, at date: Date) {
    line("told", "updateParameters", nil, #","json":\#(parameters.text)"#)
  }

  func startedMonitoring(_ monitored: Monitored, at date: Date) {
    line("told", "startMonitoring", nil, #","json":\#(monitored.json)"#)
  }

  func enteredBackground(at date: Date) { line("told", "background") }
  func enteredForeground(at date: Date) { line("told", "foreground") }

  func load(_ state: String?, at date: Date) {
    let parts = (state ?? "0").split(separator: " ").map { Int64($0) ?? 0 }
    memory.withLock { $0 = (parts.first ?? 0, Date(milliseconds: parts.count > 1 ? parts[1] : 0)) }
    line("told", "load", nil, #","state":\#(state.map(JSONValue.quoted) ?? "null")"#)
  }

  func save(at date: Date) -> String? {
    let (shown, next) = memory.withLock { $0 }
    return minimumTime == nil ? "\(shown)" : "\(shown) \(next.milliseconds)"
  }
}
