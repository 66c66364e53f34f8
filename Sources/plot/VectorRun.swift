internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import Synchronization

/// A scenario is not what Tests/vectors/README.md says.
struct VectorFault: Error {
  var message: String

  init(_ message: String) { self.message = message }
}

/// Plays one scenario of Tests/vectors on an engine; its format is in the README there.
final class VectorRun: Sendable {
  private struct State {
    var effects: [String] = []
    var tokens: [Bool: [UInt64]] = [:]
    var shown: [String] = []
    var hasFailed = false
    var newest: Milliseconds = 0
    var fault: VectorFault?
  }

  private let scenario: JSONValue
  private let host: JSONValue
  private let configuration: Configuration
  private let storePath: String?
  /// Whether each feed goes through a compiled one.
  private let compilesFeeds: Bool
  /// After how many inputs the engine is closed and another one opened on its store, and nobody may notice; nil for never.
  private let reopensAfter: Int?
  private let state = Mutex(State())
  private let engine = Mutex(Engine())

  /// `storePath` is where a scenario with a store has it.
  init(_ scenario: JSONValue, storePath: String, compilesFeeds: Bool = false, reopensAfter: Int? = nil) throws {
    try scenario.allow("name area description config feed start clock store decisions host inputs")
    self.scenario = scenario
    self.compilesFeeds = compilesFeeds
    self.reopensAfter = reopensAfter
    host = scenario["host"] ?? .object([])
    try host.allow("filter geotriggers show remove handler strategies")
    let config = try Array(scenario.member("config").text.utf8)
    configuration = try DocumentError.naming("configuration") { try Configuration(parsing: config) }
    self.storePath = try scenario.flag("store") || reopensAfter != nil ? storePath : nil
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
      } catch let error as EngineError {
        let message = JSONValue.quoted(error.message)
        add(#""effect":"status","input":\#(index),"status":"\#(error.status.name)","message":\#(message)"#)
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
    let (newest, told) = (try now.newestTime(), state.withLock(\.effects.count))
    now.close()
    try begin(at: newest, nil)
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

  private func begin(at time: Milliseconds, _ clock: JSONValue?) throws {
    let engine = Engine()
    self.engine.withLock { $0 = engine }
    try engine.setCallback(\.event) { json, _ in self.add(#""effect":"event","record":\#(json)"#) }
    try engine.setCallback(\.open) { action, item in
      let uri = JSONValue.quoted(item.data)
      self.add(#""effect":"open","action":\#(action.rawValue),"uri":\#(uri),"item":\#(item.json)"#)
    }
    try engine.setCallback(\.fixRequest) { self.add(#""effect":"fixRequest","deadline":\#($0)"#) }
    try engine.setCallback(\.wakeup) { self.add(#""effect":"wakeup","time":\#($0 ?? -1)"#) }
    if try scenario.flag("decisions") {
      try engine.setCallback(\.decision) { json, _ in self.add(#""effect":"decision","record":\#(json)"#) }
    }
    if try hasBatches("filter") {
      try engine.setCallback(\.filter) { self.ask($0, $1, isGeotrigger: false) }
    }
    if try hasBatches("geotriggers") {
      try engine.setCallback(\.geotriggers) { self.ask($0, $1, isGeotrigger: true) }
    }
    let show = try host.word("show", or: "ok", of: ["ok", "fail", "failOnce", "none"])
    if show != "none" { try engine.setCallback(\.show) { self.show($0, show) } }
    let remove = try host.word("remove", or: "ok", of: ["ok", "fail", "none"])
    if remove != "none" {
      try engine.setCallback(\.remove) {
        self.add(#""effect":"remove","item":\#($0.json)"#)
        return remove == "ok"
      }
    }
    for rule in try host.elements("strategies", isOptional: true) {
      let strategy = try VectorStrategy(rule) { self.add($0) }
      try engine.setStrategy(strategy.key, HostStrategy(key: strategy.key) { strategy.answer($0) })
    }
    if try host.flag("handler") {
      try engine.setCallback(\.notificationHandler) {
        self.add(#""effect":"handler","item":\#($0.json),"data":\#(JSONValue.quoted($0.data))"#)
      }
    }
    if let clock { try setClock(clock.allow("monotonic boot"), time) }
    try engine.initialize(at: time, configuration, storePath: storePath)
  }

  private func hasBatches(_ key: String) throws -> Bool {
    if case .array? = host[key] { return true }
    return try host.word(key, or: "none", of: ["none", "later"]) == "later"
  }

  private func show(_ item: Item, _ policy: String) -> Bool {
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

  private func ask(_ token: UInt64, _ items: [Item], isGeotrigger: Bool) {
    let kind = isGeotrigger ? "geotriggers" : "filter"
    add(#""effect":"\#(kind)","token":\#(token),"items":\#(ListDocument.items(items))"#)
    state.withLock { state in
      if state.tokens[isGeotrigger]?.contains(token) != true { state.tokens[isGeotrigger, default: []].append(token) }
    }
    guard case .array(let rules)? = host[kind] else { return }
    do {
      var kept: [Kept] = []
      for item in items {
        for rule in rules { try rule.allow("identifier drop" + (isGeotrigger ? "" : " message data set")) }
        let rule = rules.first { ($0["identifier"].map { $0.text == JSONValue.quoted(item.identifier) }) ?? true }
        if try rule?.flag("drop") == true { continue }
        kept.append(try edited(item, rule))
      }
      try answer(token, kept, isGeotrigger: isGeotrigger, state.withLock(\.newest))
    } catch {
      state.withLock { $0.fault = VectorFault("an answer by rules fails: \(error)") }
    }
  }

  /// An item with what a rule, or an item of an answer, says to change.
  private func edited(_ item: Item, _ changes: JSONValue?) throws -> Kept {
    var item = item
    let original = item.content
    for key in ["message", "data"] {
      if let text = try changes?.optionalString(key) { try item.set(key, to: text) }
    }
    if case .object(let members)? = changes?["set"] {
      for (key, value) in members {
        if case .null = value { try item.clear(key) } else { try item.set(key, json: Array(value.text.utf8)) }
        item.content = item.content.keepingUserInfo(of: original)
      }
    }
    return Kept(matchIdentifier: item.matchIdentifier ?? "", content: item.content)
  }

  private func answer(_ token: UInt64, _ kept: [Kept], isGeotrigger: Bool, _ time: Milliseconds) throws {
    if isGeotrigger {
      try now.markGeotriggersHandled(token, kept, at: time)
    } else {
      try now.answerFilter(token, kept, at: time)
    }
  }

  // MARK: Inputs

  private func take(_ input: JSONValue) throws {
    if input["clear"] != nil {
      try input.allow("clear time")
      let name = try input.word("clear", or: nil, of: ["sentNotifications", "sentGeotriggers"])
      return try now.clearSent(geotriggers: name == "sentGeotriggers", at: stamp(input))
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
      add(#""effect":"explain","value":\#(explanation)"#)
    case "keepDecisions": try now.keepDecisions(value.allow("capacity").integer("capacity"))
    case "getDecisions":
      try value.allow("campaign region limit")
      let limit = value["limit"] == nil ? 0 : try value.integer("limit")
      guard limit >= 0 else { throw VectorFault("limit: expected 0 or more") }
      let decisions = try now.decisions(
        campaign: value.optionalString("campaign"), region: value.optionalString("region"), limit: Int(limit))
      add(#""effect":"decisions","value":\#(decisions)"#)
    case "advanceToWakeup":
      guard let wakeup = try now.nextWakeup() else { return }
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
  private func stamp(_ value: JSONValue) throws -> Milliseconds {
    let time = try value.time("time")
    state.withLock { $0.newest = max($0.newest, time) }
    return time
  }

  private func fixes(_ value: JSONValue, _ time: Milliseconds) throws {
    try value.allow("time fixes")
    let fixes = try value.elements("fixes").map { fix in
      try fix.allow("time latitude longitude accuracy speed course")
      return try Fix(
        time: fix.time("time"), coordinate: fix.coordinate(), accuracy: fix.number("accuracy", or: 0),
        speed: fix.number("speed", or: -1), course: fix.number("course", or: -1))
    }
    var effects: [BatchEffect] = []
    try now.updateTogether(fixes.count, at: time, into: &effects) { fixes[$0] }
    for effect in effects where effect.kind == .refused {
      let status = Status(rawValue: Int32(effect.detail))?.name ?? ""
      add(#""effect":"status","fix":\#(effect.fix),"status":"\#(status)""#)
    }
  }

  private func take(_ name: String, _ value: JSONValue, _ time: Milliseconds) throws {
    switch name {
    case "fix":
      try value.allow("time latitude longitude accuracy speed course")
      try now.update(
        Fix(
          time: time, coordinate: value.coordinate(), accuracy: value.number("accuracy", or: 0),
          speed: value.number("speed", or: -1), course: value.number("course", or: -1)))
    case "fixes": try fixes(value, time)
    case "sighting": try now.update(sighting(value, time))
    case "hint":
      try value.allow("time region kind latitude longitude accuracy")
      let kinds = Hint.Kind.allCases
      let kind = try value.word("kind", or: nil, of: kinds.map(\.rawValue))
      try now.hint(
        Hint(
          time: time, region: Identifier(value.string("region")), kind: Hint.Kind(rawValue: kind) ?? kinds[0],
          position: value.position()))
    case "planRegions":
      try value.allow("time latitude longitude accuracy budget reset fenceLeft")
      var request = Machine.PlanRequest(
        time: time, here: try value.position(), budget: value["budget"] == nil ? 0 : try value.integer("budget"))
      request.isReset = try value.flag("reset")
      request.isFenceLeft = try value.flag("fenceLeft")
      let plan = try now.planRegions(request).json
      add(#""effect":"plan","value":\#(plan)"#)
    case "advance": try now.advance(to: time)
    case "enable", "disable": try now.setEnabled(name == "enable", at: time)
    case "setCooldownPeriod": try now.setCooldownPeriod(value.allow("time seconds").integer("seconds"), at: time)
    case "setTimeZone": try now.setTimeZone(value.allow("time zone").string("zone"), at: time)
    case "setProperty": try now.setProperty(value.string("key"), property(value), at: time)
    case "clearProperty": try now.setProperty(value.allow("time key").string("key"), nil, at: time)
    case "setFeed": try setFeed(value.allow("time feed").member("feed"), time)
    case "answerFilter": try answer(value, time, isGeotrigger: false)
    case "answerGeotriggers": try answer(value, time, isGeotrigger: true)
    case "open": try now.openNotification(shown(value.allow("time notification")), at: time)
    case "dismiss": try now.dismissNotification(shown(value.allow("time notification")), at: time)
    case "removeNotification":
      try value.allow("time notification")
      try now.removeNotification(value["notification"] == nil ? nil : shown(value), at: time)
    case "updateNotification":
      let match = try shown(value.allow("time notification message data set"))
      guard let item = try now.displayed().first(where: { $0.matchIdentifier == match }) else {
        throw EngineError(.notFound, "\(match): no notification on the screen has this match identifier")
      }
      try now.updateNotification(edited(item, value), at: time)
    case "takeAction":
      try value.allow("time notification action")
      try now.takeAction(value.string("action"), of: shown(value), at: time)
    case "setAdvertisingIdentifier":
      try value.allow("time identifier limitTracking")
      try now.setAdvertising(
        value.optionalString("identifier"), limitsTracking: value.flag("limitTracking"), at: time)
    case "moveRegion":
      try value.allow("time region latitude longitude")
      try now.moveRegion(value.string("region"), to: value.coordinate(), at: time)
    case "foreground": try now.setForeground(value.allow("time value").flag("value"), at: time)
    case "network": try now.setNetwork(value.allow("time value").flag("value"), at: time)
    case "clearAllData":
      try value.allow("time")
      try now.clearAllData(at: time)
    case "message":
      try value.allow("time payload text")
      let text = try value["payload"]?.text ?? value.string("text")
      try now.processMessage(Array(text.utf8), at: time)
    case "editList":
      try value.allow("time name add remove")
      let parts = ["add", "remove"].compactMap { key in value[key].map { "\"\(key)\":\($0.text)" } }
      try now.editList(value.string("name"), Array("{\(parts.joined(separator: ","))}".utf8), at: time)
    case "setList":
      try value.allow("time name list")
      try now.setList(value.string("name"), value["list"].map { Array($0.text.utf8) }, at: time)
    case "restart":
      try value.allow("time clock")
      if value["clock"] != nil { state.withLock { $0.newest = time } }
      now.close()
      try begin(at: time, value["clock"])
    default: throw VectorFault("unknown input \"\(name)\"")
    }
  }

  private func setClock(_ value: JSONValue, _ time: Milliseconds) throws {
    try now.setClock(monotonic: value.integer("monotonic"), boot: value.string("boot"), at: time)
  }

  private func setFeed(_ feed: JSONValue, _ time: Milliseconds) throws {
    let read: Feed
    do {
      let parsed = try DocumentError.naming("feed") { try Feed.parse(Array(feed.text.utf8)) }
      read = compilesFeeds ? try Feed.map(compiled: parsed.compiled()) : parsed
    } catch {
      throw EngineError(error)
    }
    try now.setFeed(read, at: time)
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

  private func sighting(_ value: JSONValue, _ time: Milliseconds) throws -> Sighting {
    try value.allow("time proximityUUID majorId minorId namespaceId instanceId proximity rssi power")
    let word = try value.word("proximity", or: "unknown", of: ["unknown"] + BeaconRange.allCases.map(\.rawValue))
    let proximity = BeaconRange(rawValue: word)
    let (rssi, power) = try (value.number("rssi", or: 0), value.number("power", or: 0))
    if value["namespaceId"] != nil {
      let sender = Sighting.Sender.eddystone(
        namespaceId: try value.string("namespaceId"), instanceId: try value.string("instanceId"))
      return Sighting(
        time: time, sender: sender, proximity: proximity, rssi: rssi, power: Sighting.power(ofFrame: power))
    }
    func part(_ key: String) throws -> UInt16 {
      let number = try value.integer(key)
      guard let part = UInt16(exactly: number) else {
        let name = key == "majorId" ? "major_id" : "minor_id"
        throw EngineError(argument: name, expected: "an integer from 0 to 65535", found: "\(number)")
      }
      return part
    }
    let sender = Sighting.Sender.iBeacon(
      proximityUUID: try value.string("proximityUUID"), majorId: try part("majorId"), minorId: try part("minorId"))
    return Sighting(time: time, sender: sender, proximity: proximity, rssi: rssi, power: power)
  }

  private func answer(_ value: JSONValue, _ time: Milliseconds, isGeotrigger: Bool) throws {
    try value.allow("time batch keep")
    let tokens = state.withLock { $0.tokens[isGeotrigger] ?? [] }
    let number = try value.integer("batch")
    guard number >= 1, number <= tokens.count else { throw VectorFault("batch: there is no batch \(number) yet") }
    let token = tokens[Int(number) - 1]
    let batch = try now.batch(token)
    var items = batch.items
    var kept: [Kept] = []
    for entry in try value.elements("keep") {
      try entry.allow("identifier" + (isGeotrigger ? "" : " message data set"))
      let identifier = try entry.string("identifier")
      guard let position = items.firstIndex(where: { $0.identifier == identifier }) else {
        throw VectorFault("keep: \"\(identifier)\" is not in the batch")
      }
      let edited = try edited(items[position], entry)
      items[position].content = edited.content
      kept.append(edited)
    }
    try answer(token, kept, isGeotrigger: isGeotrigger, time)
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
    let text =
      switch name {
      case "sentNotifications": ListDocument.items(try now.sent(geotriggers: false))
      case "sentGeotriggers": ListDocument.items(try now.sent(geotriggers: true))
      case "loadedNotifications": ListDocument.items(try now.loaded(geotriggers: false, limit: 0))
      case "loadedGeotriggers": ListDocument.items(try now.loaded(geotriggers: true, limit: 0))
      case "displayedNotifications": ListDocument.items(try now.displayed())
      case "visits": ListDocument.visits(try now.visits())
      case "summary": try now.summary()
      case "segmentation": ListDocument.properties(try now.properties())
      case "lists": ListDocument.lists(try now.lists())
      default: throw VectorFault("list: unknown list \"\(name)\"")
      }
    add(#""effect":"list","value":\#(text)"#)
  }
}

/// A strategy of a scenario; its state is the number of displays that it was told of, and until when it says no.
private final class VectorStrategy: Sendable {
  let key: String
  private let veto: [String]
  private let vetoDelete: [String]
  /// In seconds.
  private let minimumTime: Int64?
  private let add: @Sendable (String) -> Void
  private let memory = Mutex((shown: Int64(0), next: Int64(0)))

  init(_ rule: JSONValue, _ add: @escaping @Sendable (String) -> Void) throws {
    try rule.allow("key veto vetoDelete minimumTime")
    key = try rule.string("key")
    veto = try rule.strings("veto")
    vetoDelete = try rule.strings("vetoDelete")
    minimumTime = rule["minimumTime"] == nil ? nil : try rule.integer("minimumTime")
    self.add = add
  }

  /// Why a notification leaves the screen, and what takes its place.
  private func departure(_ call: StrategyCall) -> String {
    let cause = try? JSONValue(parsing: Array(call.json.utf8))["cause"]
    let next = call.next.map { #","next":\#(JSONValue.quoted($0.identifier))"# } ?? ""
    return #","cause":\#((cause ?? .null).text)"# + next
  }

  func answer(_ call: StrategyCall) -> StrategyReply {
    let about = call.item.map { #","identifier":\#(JSONValue.quoted($0.identifier))"# } ?? ""
    func line(_ effect: String, _ what: String, _ rest: String) {
      add(#""effect":"\#(effect)","strategy":\#(JSONValue.quoted(key)),"what":"\#(what)"\#(about)\#(rest)"#)
    }
    switch call.kind {
    case .voteCreate, .voteDelete:
      let isCreate = call.kind == .voteCreate
      var agrees = !(isCreate ? veto : vetoDelete).contains(call.item?.campaign.text ?? "")
      if isCreate, call.time < memory.withLock(\.next) { agrees = false }
      line("vote", isCreate ? "create" : "delete", (isCreate ? "" : departure(call)) + #","agrees":\#(agrees)"#)
      return StrategyReply(agrees: agrees)
    case .created:
      if call.isDone { memory.withLock { $0.shown += 1 } }
      line("told", "created", #","done":\#(call.isDone)"#)
    case .deleted:
      if call.isDone, let minimumTime { memory.withLock { $0.next = call.time + 1000 * minimumTime } }
      line("told", "deleted", departure(call) + #","done":\#(call.isDone)"#)
    case .updateParameters: line("told", "updateParameters", #","json":\#(call.json)"#)
    case .startMonitoring: line("told", "startMonitoring", #","json":\#(call.json)"#)
    case .background: line("told", "background", "")
    case .foreground: line("told", "foreground", "")
    case .load:
      let parts = (call.state ?? "0").split(separator: " ").map { Int64($0) ?? 0 }
      memory.withLock { $0 = (parts.first ?? 0, parts.count > 1 ? parts[1] : 0) }
      line("told", "load", #","state":\#(call.state.map(JSONValue.quoted) ?? "null")"#)
    case .save:
      let (shown, next) = memory.withLock { $0 }
      return StrategyReply(agrees: true, state: minimumTime == nil ? "\(shown)" : "\(shown) \(next)")
    }
    return StrategyReply(agrees: true)
  }
}

// MARK: Reading a scenario

extension JSONValue {
  /// Every key must be one of `keys`, words with a space between.
  @discardableResult
  fileprivate func allow(_ keys: String) throws -> JSONValue {
    let known = keys.split(separator: " ").map(String.init)
    guard case .object(let members) = self else { throw VectorFault("expected an object with \(keys)") }
    for (key, _) in members where !known.contains(key) {
      throw VectorFault("unknown key \"\(key)\"; expected \(keys)")
    }
    return self
  }

  fileprivate func member(_ key: String) throws -> JSONValue {
    guard let value = self[key] else { throw VectorFault("\(key) is missing") }
    return value
  }

  func optionalString(_ key: String) throws -> String? {
    guard let value = self[key] else { return nil }
    guard case .string(let text) = value else { throw VectorFault("\(key): expected a string") }
    return text
  }

  func string(_ key: String) throws -> String {
    guard let text = try optionalString(key) else { throw VectorFault("\(key): expected a string") }
    return text
  }

  fileprivate func word(_ key: String, or otherwise: String?, of words: [String]) throws -> String {
    guard let word = try optionalString(key) ?? otherwise, words.contains(word) else {
      throw VectorFault("\(key): expected one of \(words.joined(separator: ", "))")
    }
    return word
  }

  fileprivate func strings(_ key: String) throws -> [String] {
    try elements(key, isOptional: true).map { value in
      guard case .string(let text) = value else { throw VectorFault("\(key): expected strings") }
      return text
    }
  }

  fileprivate func integer(_ key: String) throws -> Int64 {
    guard case .integer(let number)? = self[key] else { throw VectorFault("\(key): expected an integer") }
    return number
  }

  fileprivate func number(_ key: String, or otherwise: Double? = nil) throws -> Double {
    switch self[key] {
    case .integer(let number): return Double(number)
    case .real(let number): return number
    case nil: if let otherwise { return otherwise }
    default: break
    }
    throw VectorFault("\(key): expected a number")
  }

  fileprivate func flag(_ key: String) throws -> Bool {
    guard let value = self[key] else { return false }
    guard case .boolean(let flag) = value else { throw VectorFault("\(key): expected true or false") }
    return flag
  }

  func elements(_ key: String, isOptional: Bool = false) throws -> [JSONValue] {
    if isOptional, self[key] == nil { return [] }
    guard case .array(let values)? = self[key] else { throw VectorFault("\(key): expected an array") }
    return values
  }

  fileprivate func time(_ key: String) throws -> Milliseconds {
    let text = try string(key)
    guard text.hasSuffix("Z"), let time = Timestamp.parse(text) else {
      throw VectorFault("\(key): expected a time as 2026-05-16T12:00:00Z, found \"\(text)\"")
    }
    return time
  }

  fileprivate func coordinate() throws -> Coordinate {
    Coordinate(latitude: try number("latitude"), longitude: try number("longitude"))
  }

  fileprivate func position() throws -> Position? {
    guard self["latitude"] != nil else { return nil }
    return Position(try coordinate(), accuracy: try number("accuracy", or: 0))
  }
}
