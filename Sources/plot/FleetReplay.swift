internal import Dispatch
import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import PlotStory
internal import PlotTracks
internal import Synchronization

/// Replays the fixes of many devices through an engine each, on all processors (docs/fleet.md).
struct FleetReplay: Sendable {
  let feed: Feed
  let configuration: Configuration
  let timeZone: String
  /// Devices end then, if that is later than their last fix.
  let until: Milliseconds?

  /// The rows of fixes in their order, as lines of CSV; the same with any number of processors. `progress` gets how many fixes are
  /// done, from any thread, one call at a time.
  func rows(
    of fixes: FleetFixes, parts: [Range<Int>], progress: @escaping @Sendable (Int) -> Void
  ) throws -> [String] {
    let state = Mutex<(texts: [String], done: Int, fault: InputFault?)>(
      ([String](repeating: "", count: parts.count), 0, nil))
    DispatchQueue.concurrentPerform(iterations: parts.count) { part in
      guard state.withLock({ $0.fault == nil }) else { return }
      do {
        let text = try InputFault.of("replay-fleet") { try self.text(of: fixes, parts[part]) }
        state.withLock { state in
          state.texts[part] = text
          state.done += parts[part].count
          progress(state.done)
        }
      } catch {
        state.withLock { $0.fault = error as? InputFault ?? InputFault("\(error)") }
      }
    }
    return try state.withLock { state in
      if let fault = state.fault { throw fault }
      return state.texts
    }
  }

  private func text(of fixes: FleetFixes, _ part: Range<Int>) throws -> String {
    var lines = FleetRows(feed)
    var start = part.lowerBound
    while start < part.upperBound {
      let device = fixes.rows[start].device
      var end = start + 1
      while end < part.upperBound, fixes.rows[end].device == device { end += 1 }
      let effects = try effects(of: fixes.rows[start..<end])
      for effect in effects { lines.add(effect, fixes.devices[Int(device)]) }
      start = end
    }
    return lines.text
  }

  /// A device begins with its first fix that has a possible time.
  private func effects(of rows: ArraySlice<FleetFixes.Row>) throws -> [BatchEffect] {
    let engine = Engine()
    defer { engine.close() }
    let earliest = configuration.earliestTime
    let start = rows.first { $0.fix.time >= earliest }?.fix.time ?? earliest
    try engine.initialize(at: start, configuration, storePath: nil)
    if timeZone != "UTC" { try engine.setTimeZone(timeZone, at: start) }
    try engine.setFeed(feed, at: start)
    var effects: [BatchEffect] = []
    engine.update(rows.indices, of: 0, wakesUp: true, into: &effects) { rows[$0].fix }
    if let until { engine.wakeUp(through: until, of: 0, into: &effects) }
    return effects
  }
}

/// The rows of docs/fleet.md as CSV: texts in quotes, and nothing between the commas for what is not there.
struct FleetRows {
  private(set) var text = ""
  private let feed: Feed

  static let header =
    #""device","time","event","sequence","region","campaign","ordinal","dwelling_minutes","arrival_seconds","status""#

  init(_ feed: Feed) { self.feed = feed }

  mutating func add(_ effect: BatchEffect, _ device: Identifier) {
    let time = CalendarTime(effect.time)
    var cells = [Self.quoted(device.text), "\(time.date) \(time.timeOfDay).\(Self.three(time.millisecond))Z"]
    let detail = String(effect.detail)
    switch effect.kind {
    case .filterAsked, .geotriggersAsked: return
    case .refused:
      cells += [#""fix-refused""#, "", "", "", "", "", ""]
      let name = Status(rawValue: Int32(effect.detail))?.name ?? detail
      cells.append(Self.quoted(name.hasPrefix("PLOT_") ? String(name.dropFirst(5)) : name))
    case .event(let kind):
      cells += [Self.quoted(kind.rawValue), String(effect.number)]
      cells.append(effect.region == BatchEffect.none ? "" : Self.quoted(feed.regions.id(at: Int(effect.region)).text))
      cells.append(
        effect.campaign == BatchEffect.none ? "" : Self.quoted(feed.campaigns.id(at: Int(effect.campaign)).text))
      cells.append([.regionEnter, .regionInside, .regionExit].contains(kind) ? detail : "")
      cells.append(kind == .regionDwell ? detail : "")
      cells.append(kind == .regionApproach ? detail : "")
      cells.append("")
    }
    text += cells.joined(separator: ",") + "\n"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  private static func three(_ number: Int64) -> String { String(String(number + 1000).dropFirst()) }
}
