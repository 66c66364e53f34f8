import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotStory
internal import PlotTracks

/// The effect of a change, for people and as JSON (docs/simulate.md).
struct ComparisonReport {
  private let comparisons: [Comparison]
  private let edits: [String]
  private let hasChange: Bool

  init(_ comparisons: [Comparison], _ edits: [String], hasChange: Bool) {
    self.comparisons = comparisons
    self.edits = edits
    self.hasChange = hasChange
  }

  private static func total(_ outcomes: [Outcome]) -> (shown: Int, geotriggers: Int, dropped: Int) {
    outcomes.reduce((0, 0, 0)) { ($0.0 + $1.shown, $0.1 + $1.geotriggers, $0.2 + $1.dropped) }
  }

  private static func words(_ total: (shown: Int, geotriggers: Int, dropped: Int)) -> String {
    return [
      Words.count(total.shown, "notification"), Words.count(total.geotriggers, "geotrigger"),
      Words.count(total.dropped, "candidate dropped", "candidates dropped"),
    ].joined(separator: ", ")
  }

  func text(style: Style, quiet: Bool) -> String {
    var text = ""
    let isMany = comparisons.count > 1
    for comparison in comparisons {
      let changes = hasChange ? comparison.changes : []
      if isMany {
        let after = hasChange ? comparison.after : comparison.before
        text += "\(Terminal.clean(comparison.name)): \(Self.words(Self.total([after])))"
        text += hasChange ? "; \(Words.count(changes.count, "change"))\n" : "\n"
      }
      if quiet { continue }
      for change in changes { text += Self.line(change, comparison, style) + "\n" }
    }
    let before = Self.total(comparisons.map(\.before))
    let after = Self.total(comparisons.map(\.after))
    guard hasChange else { return text + Self.words(edits.isEmpty ? before : after) + "\n" }
    let changes = comparisons.reduce(0) { $0 + $1.changes.count }
    if changes > 0, !quiet, !isMany { text += "\n" }
    text += "as it is: \(Self.words(before))\n"
    text += "with \(edits.joined(separator: ", ")): \(Self.words(after))\n"
    return text + (changes == 0 ? "nothing changes\n" : "")
  }

  private static func line(_ change: Comparison.Change, _ comparison: Comparison, _ style: Style) -> String {
    func row(_ entry: Outcome.Entry, _ words: String) -> String {
      return
        "\(comparison.clock.text(entry.time))  \(Terminal.clean(entry.campaign)) at \(Terminal.clean(entry.region)): "
        + Terminal.clean(words)
    }
    func what(_ entry: Outcome.Entry) -> String {
      ["notification", "geotrigger"].contains(entry.kind) ? entry.text : entry.kind
    }
    switch change {
    case .onlyBefore(let entry):
      let why = comparison.obstacle(entry).map { decision in
        " (\(decision.reason.rawValue)\(decision.nextPossible.map { ", possible from \(comparison.clock.text($0, besides: entry.time))" } ?? ""))"
      }
      return style.red("  - ") + row(entry, what(entry)) + style.dim(why ?? "")
    case .onlyAfter(let entry): return style.green("  + ") + row(entry, what(entry))
    case .moved(let entry, let time):
      return style.yellow("  ~ ") + row(entry, what(entry))
        + style.dim(" (now at \(comparison.clock.text(time, besides: entry.time)))")
    case .reworded(let entry, let text):
      return style.yellow("  ~ ") + row(entry, what(entry)) + style.dim(" (now: \(Terminal.clean(text)))")
    }
  }

  // MARK: JSON

  private struct Document: Encodable {
    var set: [String]
    var runs: [Run]
    var before: Total
    var after: Total
  }

  private struct Total: Encodable {
    var notifications: Int
    var geotriggers: Int
    var dropped: Int

    init(_ total: (shown: Int, geotriggers: Int, dropped: Int)) {
      (notifications, geotriggers, dropped) = total
    }
  }

  private struct Run: Encodable {
    var name: String
    var before: Total
    var after: Total
    var changes: [Row]
  }

  private struct Row: Encodable {
    var change: String
    var time: String
    var what: String
    var campaign: String
    var region: String
    var text: String
    var newTime: String?
    var newText: String?
    var reason: String?
    var nextPossible: String?
  }

  /// One object; keys sorted.
  var json: String {
    let runs = comparisons.map { comparison in
      Run(
        name: comparison.name, before: Total(Self.total([comparison.before])),
        after: Total(Self.total([comparison.after])), changes: comparison.changes.map { Self.row($0, comparison) })
    }
    let document = Document(
      set: edits, runs: runs, before: Total(Self.total(comparisons.map(\.before))),
      after: Total(Self.total(comparisons.map(\.after))))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(document)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  private static func row(_ change: Comparison.Change, _ comparison: Comparison) -> Row {
    func row(_ name: String, _ entry: Outcome.Entry) -> Row {
      Row(
        change: name, time: Timestamp.text(entry.time), what: entry.kind, campaign: entry.campaign,
        region: entry.region, text: entry.text)
    }
    switch change {
    case .onlyBefore(let entry):
      var row = row("gone", entry)
      let obstacle = comparison.obstacle(entry)
      row.reason = obstacle?.reason.rawValue
      row.nextPossible = obstacle?.nextPossible.map(Timestamp.text)
      return row
    case .onlyAfter(let entry): return row("new", entry)
    case .moved(let entry, let time):
      var row = row("moved", entry)
      row.newTime = Timestamp.text(time)
      return row
    case .reworded(let entry, let text):
      var row = row("reworded", entry)
      row.newText = text
      return row
    }
  }
}
