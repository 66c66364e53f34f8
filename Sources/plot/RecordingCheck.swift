import FoundationEssentials
internal import PlotDocuments
internal import PlotEngine
internal import PlotStory

/// Replays a recording and compares what comes out with what it says.
struct RecordingCheck {
  enum Comparison {
    /// Every line, byte for byte.
    case bytes
    /// The decisions, but for the values that they were made on: the replay is of another place.
    case decisions
  }

  /// Where the two part ways.
  struct Difference: Equatable {
    /// The line of the recording, counted from 1.
    var line: Int
    /// The recorded line, and that of the replay; nil for nothing more.
    var recorded: String?
    var replayed: String?
    /// The newest input before it.
    var input: String
    var inputLine: Int
  }

  private(set) var inputs = 0
  private(set) var effects = 0
  private(set) var hasEffects = true
  /// The first one. The replay goes on behind it, for those who want what it gives.
  private(set) var difference: Difference?

  private let replay: Replay
  private let comparison: Comparison
  private var line = 0
  private var expected: ArraySlice<String> = []
  private var input = ""
  private var inputLine = 0

  init(comparing comparison: Comparison = .bytes, _ replay: Replay = Replay()) {
    self.comparison = comparison
    self.replay = replay
  }

  /// Takes the next line; gives what the replay gives for it.
  mutating func take(_ text: [UInt8]) throws(EngineError) -> [String] {
    line += 1
    let given = try replay.take(text)
    let recorded = String(decoding: text, as: UTF8.self)
    guard let first = given.first else {
      effects += 1
      compare(recorded)
      return given
    }
    reportMissing()
    (input, inputLine) = (recorded, line)
    if first.hasPrefix(#"{"input":"#) { inputs += 1 }
    if line == 1 { hasEffects = recorded.contains(#""effects":true"#) }
    if comparison == .bytes, first != recorded { differ(recorded, first) }
    expected = given.dropFirst()
    return given
  }

  /// Comes behind the last line. Throws when there was none.
  mutating func finish(_ path: String) throws {
    reportMissing()
    if line == 0 { throw InputFault("\(path): expected a recording, found an empty file") }
  }

  /// Reports a difference for each effect that the recording lacks.
  private mutating func reportMissing() {
    while hasEffects, let missing = expected.popFirst() {
      if counts(missing) { differ(nil, missing) }
    }
    expected = []
  }

  private func counts(_ line: String) -> Bool { comparison == .bytes || line.hasPrefix(#"{"decision":"#) }

  private mutating func compare(_ recorded: String) {
    guard counts(recorded) else { return }
    while let next = expected.first, !counts(next) { expected.removeFirst() }
    let replayed = expected.popFirst()
    if replayed.map(Self.withoutInputs) != Self.withoutInputs(recorded) || comparison == .bytes && replayed != recorded
    {
      differ(recorded, replayed)
    }
  }

  private mutating func differ(_ recorded: String?, _ replayed: String?) {
    guard difference == nil else { return }
    difference = Difference(
      line: line, recorded: recorded, replayed: replayed, input: input, inputLine: inputLine)
  }

  /// A decision's line without what it was made on.
  private static func withoutInputs(_ line: String) -> [String: String] {
    guard case .object(let members)? = JSONValue.of(line)?["decision"] else { return ["": line] }
    return Dictionary(uniqueKeysWithValues: members.filter { $0.key != "inputs" }.map { ($0.key, $0.value.text) })
  }
}

extension JSONValue {
  /// The value of a line; nil where it is no JSON.
  fileprivate static func of(_ line: String) -> JSONValue? { try? JSONValue(parsing: Array(line.utf8)) }

  /// The only member of an object; nil for another value.
  fileprivate var onlyMember: (key: String, value: JSONValue)? {
    guard case .object(let members) = self, members.count == 1 else { return nil }
    return members[0]
  }
}

/// A difference for people: both lines side by side, value by value.
enum DifferenceText {
  private static let width = 48

  static func text(_ difference: RecordingCheck.Difference, style: Style) -> String {
    let recorded = values(difference.recorded)
    let replayed = values(difference.replayed)
    var rows: [(name: String, left: String, right: String)] = []
    for name in Set(recorded.keys).union(replayed.keys).sorted() {
      rows.append((name, recorded[name] ?? "", replayed[name] ?? ""))
    }
    let names = max(8, rows.map { Terminal.width($0.name) }.max() ?? 0)
    func pad(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - Terminal.width(text)))
    }
    func cut(_ text: String) -> String { text.count <= width ? text : String(text.prefix(width - 1)) + "…" }
    var text = "line \(difference.line) differs\n"
    text += "    \(pad("", names))  " + style.bold(pad("recorded", width) + "  replayed") + "\n"
    text += "    \(pad("", names))  \(pad(kind(difference.recorded), width))  \(kind(difference.replayed))\n"
    for row in rows {
      let isSame = row.left == row.right
      // Around the first value that differs a long text is cut, so that the difference is seen.
      let (left, right) = isSame ? (row.left, row.right) : apart(row.left, row.right)
      text += isSame ? "    " : "  ≠ "
      text += "\(pad(row.name, names))  "
      text += isSame ? style.dim(pad(cut(left), width)) : style.red(pad(cut(left), width))
      text += "  " + (isSame ? style.dim(cut(right)) : style.green(cut(right))) + "\n"
    }
    return text + "  after line \(difference.inputLine): \(style.dim(Terminal.clean(difference.input)))"
  }

  /// Two texts without most of what they begin with in common.
  private static func apart(_ left: String, _ right: String) -> (String, String) {
    let common = zip(left, right).prefix { $0 == $1 }.count
    guard common > width / 2 else { return (left, right) }
    return ("…" + left.dropFirst(common - 10), "…" + right.dropFirst(common - 10))
  }

  /// The kind of a line, or that there is none.
  private static func kind(_ line: String?) -> String {
    guard let line else { return "nothing more" }
    return JSONValue.of(line)?.onlyMember?.key ?? "input"
  }

  /// The values of a line by name, each as text.
  private static func values(_ line: String?) -> [String: String] {
    guard let line, let whole = JSONValue.of(line) else { return [:] }
    var shown = whole
    if let inner = whole.onlyMember?.value, case .object = inner { shown = inner }
    guard case .object(let members) = shown else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: members.map { key, value in
        if case .string(let text) = value { (key, Terminal.clean(text)) } else { (key, Terminal.clean(value.text)) }
      })
  }
}
