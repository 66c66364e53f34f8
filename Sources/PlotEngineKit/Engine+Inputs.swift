internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Inputs. One without a date is of the engine's clock.
extension Engine {
  /// Runs an input of the engine's core at a date.
  func input(_ date: Date?, _ body: (Int64) throws(EngineError) -> Void) throws(PlotError) {
    let at = try moment(date)
    try attempt { () throws(EngineError) in try body(at) }
  }

  // MARK: Where the device is

  /// The device is here.
  public func update(_ fix: Fix) throws(PlotError) {
    try input(fix.date) { (at) throws(EngineError) in try core.update(fix.core(at: at)) }
  }

  /// Takes fixes one after another; gives what they have led to (docs/batch.md). One that is refused is among that.
  public func update(_ fixes: [Fix]) throws(PlotError) -> [FixEffect] {
    var given: [PlotCore.Fix] = []
    for fix in fixes { given.append(fix.core(at: try moment(fix.date))) }
    var effects: [BatchEffect] = []
    try attempt { () throws(EngineError) in try core.checkRunning() }
    core.update(0..<given.count, of: 0, into: &effects) { given[$0] }
    return effects.map { FixEffect($0) }
  }

  /// Takes fixes that came together, and weighs them before anybody hears of any: as a system hands them over that has kept them.
  public func update(together fixes: [Fix], at date: Date? = nil) throws(PlotError) -> [FixEffect] {
    let at = try moment(date)
    var given: [PlotCore.Fix] = []
    for fix in fixes { given.append(fix.core(at: fix.date.map(\.milliseconds) ?? at)) }
    var effects: [BatchEffect] = []
    try attempt { () throws(EngineError) in
      try core.updateTogether(given.count, at: at, into: &effects) { given[$0] }
    }
    return effects.map { FixEffect($0) }
  }

  /// A beacon was heard.
  public func update(_ sighting: Sighting) throws(PlotError) {
    try input(sighting.date) { (at) throws(EngineError) in try core.update(sighting.core(at: at)) }
  }

  /// The system says something of a region that it watches.
  public func update(_ hint: RegionHint) throws(PlotError) {
    let kind = Hint.Kind(rawValue: hint.kind.rawValue) ?? .enter
    try input(hint.date) { (at) throws(EngineError) in
      try core.hint(Hint(time: at, region: Identifier(hint.region), kind: kind, position: hint.position?.core))
    }
  }

  /// Plans which regions to register with a system that watches regions itself.
  public func planRegions(
    _ request: RegionPlanRequest = RegionPlanRequest(), at date: Date? = nil
  ) throws(PlotError) -> RegionPlan {
    let at = try moment(date)
    var asked = Machine.PlanRequest(time: at, here: request.position?.core, budget: Int64(request.budget ?? 0))
    asked.isReset = request.reset
    asked.isFenceLeft = request.fenceLeft
    let plan = try attempt { () throws(EngineError) in try core.planRegions(asked).json }
    return try RegionPlan(json: plan)
  }

  /// A region that moves is here now.
  public func moveRegion(_ id: String, latitude: Double, longitude: Double, at date: Date? = nil) throws(PlotError) {
    let place = Coordinate(latitude: latitude, longitude: longitude)
    try input(date) { (at) throws(EngineError) in try core.moveRegion(id, to: place, at: at) }
  }

  // MARK: Settings

  /// Switches the engine on or off; that is remembered.
  public func setEnabled(_ isEnabled: Bool, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.setEnabled(isEnabled, at: at) }
  }

  /// The least time between two notifications, whole seconds, at most a year; zero for none. It is remembered.
  public func setCooldownPeriod(_ period: Duration, at date: Date? = nil) throws(PlotError) {
    guard period.components.attoseconds == 0 else {
      throw PlotError(
        .invalidArgument, "period: expected whole seconds, found \(period)", argument: "period",
        expected: "whole seconds", found: "\(period)")
    }
    try input(date) { (at) throws(EngineError) in try core.setCooldownPeriod(period.components.seconds, at: at) }
  }

  /// The device is in this zone, by its IANA name.
  public func setTimeZone(_ name: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.setTimeZone(name, at: at) }
  }

  /// Takes another feed. Visits of regions that it has go on.
  public func setFeed(_ feed: Feed, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.setFeed(feed.core, at: at) }
  }

  /// A segmentation property; nil takes it away.
  public func setProperty(_ key: String, _ value: PropertyValue?, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.setProperty(key, value?.core, at: at) }
  }

  /// Sets the identifier that events carry from now on; nil removes it.
  public func setAdvertisingIdentifier(
    _ identifier: String?, limitsTracking: Bool = false, at date: Date? = nil
  ) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in
      try core.setAdvertising(identifier, limitsTracking: limitsTracking, at: at)
    }
  }

  // MARK: Answers

  /// Answers a batch of notifications, as ``FilterBatch/show(_:at:)`` does.
  public func answerFilter(_ token: UInt64, _ shown: [PlotNotification], at date: Date? = nil) throws(PlotError) {
    let at = try answerMoment(date)
    try attempt { () throws(EngineError) in try core.answerFilter(token, shown.map(\.kept), at: at) }
  }

  /// Answers a batch of geotriggers, as ``GeotriggerBatch/markHandled(_:at:)`` does.
  public func markGeotriggersHandled(
    _ token: UInt64, _ handled: [Geotrigger], at date: Date? = nil
  ) throws(PlotError) {
    let at = try answerMoment(date)
    try attempt { () throws(EngineError) in try core.markGeotriggersHandled(token, handled.map(\.kept), at: at) }
  }

  /// A batch that waits for its answer, by its token.
  public func filterBatch(_ token: UInt64) throws(PlotError) -> FilterBatch {
    FilterBatch(notifications: try items(of: token), token: token, engine: self)
  }

  /// A batch that waits for its answer, by its token.
  public func geotriggerBatch(_ token: UInt64) throws(PlotError) -> GeotriggerBatch {
    GeotriggerBatch(geotriggers: try items(of: token), token: token, engine: self)
  }

  private func items<T: CoreItem>(of token: UInt64) throws(PlotError) -> [T] {
    let batch = try attempt { () throws(EngineError) in try core.batch(token) }
    guard batch.isGeotrigger == T.isGeotrigger else {
      throw PlotError(.unknownToken, "no batch has this token")
    }
    return batch.items.map { T($0) }
  }

  /// Puts notifications to the app's filter, without any consequence; gives the token of the answer.
  public func testFilter(_ notifications: [PlotNotification]) throws(PlotError) -> UInt64 {
    try attempt { () throws(EngineError) in try core.test(notifications.map(\.core), geotriggers: false) }
  }

  /// Puts geotriggers to the app's handler, without any consequence; gives the token of the answer.
  public func testGeotriggerHandler(_ geotriggers: [Geotrigger]) throws(PlotError) -> UInt64 {
    try attempt { () throws(EngineError) in try core.test(geotriggers.map(\.core), geotriggers: true) }
  }

  /// The answer of the filter to a test. Throws ``PlotError/Code-swift.struct/notFound`` while it has not answered.
  public func testedNotifications(_ token: UInt64) throws(PlotError) -> [PlotNotification] { try tested(token) }

  /// The answer of the handler to a test.
  public func testedGeotriggers(_ token: UInt64) throws(PlotError) -> [Geotrigger] { try tested(token) }

  private func tested<T: CoreItem>(_ token: UInt64) throws(PlotError) -> [T] {
    let items = try attempt { () throws(EngineError) in try core.testAnswer(token) }
    return items.filter { $0.isGeotrigger == T.isGeotrigger }.map { T($0) }
  }

  // MARK: What the person does

  /// The person has opened a notification.
  public func openNotification(_ matchIdentifier: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.openNotification(matchIdentifier, at: at) }
  }

  /// The person has chosen an action of a notification.
  public func takeAction(_ action: String, of matchIdentifier: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.takeAction(action, of: matchIdentifier, at: at) }
  }

  /// The person has dismissed a notification.
  public func dismissNotification(_ matchIdentifier: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.dismissNotification(matchIdentifier, at: at) }
  }

  /// The app takes a notification off the screen.
  public func removeNotification(_ matchIdentifier: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.removeNotification(matchIdentifier, at: at) }
  }

  /// The app takes all notifications off the screen.
  public func removeAllNotifications(at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.removeNotification(nil, at: at) }
  }

  /// The app changes the content of a notification that is on the screen: one of ``displayedNotifications`` with its edits.
  public func updateNotification(_ notification: PlotNotification, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.updateNotification(notification.kept, at: at) }
  }

  // MARK: Messages and lists

  /// A message has come, such as a push: a JSON text (docs/messages.md).
  public func processMessage(_ payload: String, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.processMessage(Array(payload.utf8), at: at) }
  }

  /// Sets a list that rules ask about: a JSON object with `version` and `entries`; nil makes it absent.
  public func setList(_ name: String, json: String?, at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.setList(name, json.map { Array($0.utf8) }, at: at) }
  }

  /// Sets a list that rules ask about.
  public func setList(_ name: String, version: Int, entries: [String], at date: Date? = nil) throws(PlotError) {
    let list: JSONObject = ["version": .integer(Int64(version)), "entries": .array(entries.map(JSON.string))]
    try setList(name, json: list.text, at: date)
  }

  /// Adds entries to a list, and takes others away. A list that is absent is there from now on.
  public func editList(
    _ name: String, add: [String] = [], remove: [String] = [], at date: Date? = nil
  ) throws(PlotError) {
    var edit = JSONObject()
    if !add.isEmpty { edit["add"] = .array(add.map(JSON.string)) }
    if !remove.isEmpty { edit["remove"] = .array(remove.map(JSON.string)) }
    try input(date) { (at) throws(EngineError) in try core.editList(name, Array(edit.text.utf8), at: at) }
  }

  // MARK: Forgetting

  /// Forgets the list of sent notifications. What is on the screen stays there.
  public func clearSentNotifications(at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.clearSent(geotriggers: false, at: at) }
  }

  /// Forgets the list of geotriggers.
  public func clearSentGeotriggers(at date: Date? = nil) throws(PlotError) {
    try input(date) { (at) throws(EngineError) in try core.clearSent(geotriggers: true, at: at) }
  }
}
