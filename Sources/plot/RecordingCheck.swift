import Foundation
internal import PlotDocuments
internal import PlotEngine

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
    /// What stands there, and what the replay gives; nil for nothing more.
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
    settle()
    (input, inputLine) = (recorded, line)
    if first.hasPrefix(#"{"input":"#) { inputs += 1 }
    if line == 1 { hasEffects = recorded.contains(#""effects":true"#) }
    if comparison == .bytes, first != recorded { differ(recorded, first) }
    expected = given.dropFirst()
    return given
  }

  /// Comes behind the last line. Throws when there was none.
  mutating func finish(_ path: String) throws {
    settle()
    if line == 0 { throw InputFault("\(path): expected a recording, found an empty file") }
  }

  /// What the recording lacks.
  private mutating func settle() {
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
    guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      let decision = object["decision"] as? [String: Any]
    else { return ["": line] }
    return decision.filter { $0.key != "inputs" }.mapValues { "\($0)" }
  }
}

/// A difference for people.
enum DifferenceText {
  static func text(_ difference: RecordingCheck.Difference, style: Style) -> String {
    func shown(_ line: String?) -> String { line.map(Terminal.clean) ?? "nothing more" }
    var text = "line \(difference.line) differs\n"
    text += "  recorded  \(style.red(shown(difference.recorded)))\n"
    text += "  replayed  \(style.green(shown(difference.replayed)))\n"
    text += "  after     \(style.dim(shown(difference.input))) (line \(difference.inputLine))"
    return text
  }
}
