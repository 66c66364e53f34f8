internal import ArgumentParser
import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotStory
internal import PlotTracks

struct FeedDiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Say how two feeds differ, object by object.",
    discussion: """
      Both are read first, so the order of keys, spaces and the form of numbers are no difference. Ends with 0 when there is none, with 1 when \
      there is one.
      """)

  @Argument(help: "The feed before, as JSON or compiled.", completion: .file())
  var before: String

  @Argument(help: "The feed after.", completion: .file())
  var after: String

  @Flag(help: "The differences as one JSON object (docs/feed.md, Differences).")
  var json = false

  @OptionGroup var quiet: QuietOption

  func run() throws {
    let feeds = try [before, after].map { path in try InputFault.of(path) { try Feed.open(path: path) } }
    let difference = FeedDifference(from: Array(feeds[0].json.utf8), to: Array(feeds[1].json.utf8))
    if json {
      try Output.line(Self.json(difference))
    } else {
      for change in difference.changes { try Output.show(Self.text(change, feeds, .standardOutput())) }
      if difference.changes.isEmpty, !quiet.isOn { try Output.show(line: "no difference") }
    }
    try Output.flush()
    if !difference.changes.isEmpty { throw ExitStatus.finding.code }
  }

  // MARK: For people

  private static func text(_ change: FeedDifference.Change, _ feeds: [Feed], _ style: Style) -> String {
    let title = [change.kind.rawValue, change.id].filter { !$0.isEmpty }.joined(separator: " ")
    let name = change.name.map { ", " + short(JSONValue.string($0).text) } ?? ""
    switch change.state {
    case .added: return style.green("+ \(title)") + name + "\n"
    case .removed: return style.red("- \(title)") + name + "\n"
    case .changed:
      return style.yellow("~ \(title)") + moved(change, feeds) + "\n"
        + change.values.map { "    " + line($0, style) + "\n" }.joined()
    }
  }

  private static func moved(_ change: FeedDifference.Change, _ feeds: [Feed]) -> String {
    guard change.kind == .region, change.values.contains(where: { ["latitude", "longitude"].contains($0.path) })
    else { return "" }
    let centers = feeds.compactMap { feed in
      feed.region(Identifier(change.id)).flatMap { feed.regions[$0].shape.circle?.center }
    }
    return centers.count == 2 ? ", moved by \(Words.distance(Earth.distance(centers[0], centers[1])))" : ""
  }

  private static func line(_ value: FeedDifference.Value, _ style: Style) -> String {
    if let before = texts(value.before), let after = texts(value.after), !before.isEmpty || !after.isEmpty {
      let added = after.filter { !before.contains($0) }.map { style.green("+ \(short($0))") }
      let removed = before.filter { !after.contains($0) }.map { style.red("- \(short($0))") }
      let words = (removed + added).prefix(8).joined(separator: ", ")
      let more = removed.count + added.count - 8
      if !words.isEmpty { return "\(value.path): \(words)\(more > 0 ? " and \(more) more" : "")" }
    }
    return
      "\(value.path): \(style.red(value.before.map(short) ?? "none")) → \(style.green(value.after.map(short) ?? "none"))"
  }

  /// The elements of a list of texts, which has none where it is missing; nil for another value.
  private static func texts(_ json: String?) -> [String]? {
    guard let json else { return [] }
    guard case .array(let elements)? = try? JSONValue(parsing: Array(json.utf8)) else { return nil }
    let texts = elements.compactMap { element in if case .string = element { element.text } else { nil } }
    return texts.count == elements.count ? texts : nil
  }

  private static func short(_ text: String) -> String {
    // A number that is whole has no fraction for people.
    if text.hasSuffix(".0"), Double(text) != nil { return String(text.dropLast(2)) }
    return text.count <= 70 ? text : text.prefix(69) + "…"
  }

  // MARK: For programs

  private static func json(_ difference: FeedDifference) -> String {
    func value(_ text: String?) -> JSONValue { text.flatMap { try? JSONValue(parsing: Array($0.utf8)) } ?? .null }
    let changes = difference.changes.map { change in
      JSONValue.object([
        ("kind", .string(change.kind.rawValue)), ("id", change.id.isEmpty ? .null : .string(change.id)),
        ("state", .string(change.state.rawValue)),
        (
          "values",
          .array(
            change.values.map {
              .object([("path", .string($0.path)), ("before", value($0.before)), ("after", value($0.after))])
            })
        ),
      ])
    }
    return JSONValue.object([("changes", .array(changes))]).text
  }
}
