internal import PlotDocuments
internal import PlotStory

/// The results of a run over vectors, in the form that the runners of all languages share (Tests/vectors/README.md).
struct VectorTable {
  enum Outcome {
    case pass
    /// The first line that differs, from 1, and the byte in it; nil where one has no more lines.
    case differs(line: Int, byte: Int, expected: String?, actual: String?)
    /// The file of the two that is not there.
    case missing(String)
  }

  struct Row {
    var name: String
    var area: String
    var steps: Int
    var effects: Int
    var outcome: Outcome

    var passes: Bool { if case .pass = outcome { true } else { false } }
  }

  /// By area, then by name, in the order of their bytes.
  var rows: [Row]

  init(_ rows: [Row]) {
    self.rows = rows.sorted { a, b in
      let (one, other) = a.area == b.area ? (a.name, b.name) : (a.area, b.area)
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
  }

  var failed: Int { rows.count { !$0.passes } }

  /// Compares effects with those expected, byte for byte.
  static func compare(_ actual: [UInt8], with expected: [UInt8]) -> Outcome {
    if actual == expected { return .pass }
    let (given, wanted) = (lines(actual), lines(expected))
    let index = zip(given, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let line = index ?? min(given.count, wanted.count)
    let (a, b) = (line < given.count ? given[line] : nil, line < wanted.count ? wanted[line] : nil)
    let byte = zip(a ?? [], b ?? []).prefix { $0 == $1 }.count
    func text(_ bytes: ArraySlice<UInt8>?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
    return .differs(line: line + 1, byte: byte + 1, expected: text(b), actual: text(a))
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
  }

  // MARK: For people

  /// With `quiet`, only what fails.
  func text(quiet: Bool = false, _ style: Style = .plain) -> String {
    let areas = rows.reduce(into: [String]()) { if $0.last != $1.area { $0.append($1.area) } }
    let width = rows.map(\.name.utf8.count).max() ?? 0
    var lines: [String] = []
    for area in areas {
      let members = rows.filter { $0.area == area && !(quiet && $0.passes) }
      if !members.isEmpty { lines.append(style.bold(area)) }
      for row in members {
        let verdict = row.passes ? style.green("pass") : style.red("FAIL")
        lines.append(
          "  \(padded(Terminal.clean(row.name), width))  \(number(row.steps, 5)) steps  \(number(row.effects, 5)) effects  \(verdict)"
        )
        lines += explanation(row.outcome)
      }
    }
    if quiet { return lines.map { $0 + "\n" }.joined() }
    let totals = areas.map { area in (area, rows.filter { $0.area == area }) } + [("total", rows)]
    let wide = totals.map(\.0.utf8.count).max() ?? 0
    lines += ["", "\(padded("area", wide))  vectors  steps  effects  failed"]
    for (name, rows) in totals {
      let (steps, effects) = (rows.reduce(0) { $0 + $1.steps }, rows.reduce(0) { $0 + $1.effects })
      let failed = rows.count { !$0.passes }
      lines.append(
        "\(padded(name, wide))  \(number(rows.count, 7))  \(number(steps, 5))  \(number(effects, 7))  \(number(failed, 6))"
      )
    }
    lines.append("\(rows.count - failed) passed, \(failed) failed")
    return lines.map { $0 + "\n" }.joined()
  }

  private func explanation(_ outcome: Outcome) -> [String] {
    switch outcome {
    case .pass: []
    case .missing(let file): ["    \(file) is missing"]
    case .differs(let line, let byte, let expected, let actual):
      [
        "    line \(line), from byte \(byte) on", "      expected \(expected ?? "(no more lines)")",
        "      actual   \(actual ?? "(no more lines)")",
      ]
    }
  }

  private func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  private func number(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: " ", count: max(0, width - digits.count)) + digits
  }

  // MARK: For programs

  var json: String {
    let vectors = rows.map { row -> JSONValue in
      var members: [(key: String, value: JSONValue)] = [
        ("name", .string(row.name)), ("area", .string(row.area)), ("steps", .integer(Int64(row.steps))),
        ("effects", .integer(Int64(row.effects))), ("pass", .boolean(row.passes)),
      ]
      switch row.outcome {
      case .pass: break
      case .missing(let file): members.append(("missing", .string(file)))
      case .differs(let line, let byte, let expected, let actual):
        members += [
          ("line", .integer(Int64(line))), ("byte", .integer(Int64(byte))),
          ("expected", expected.map(JSONValue.string) ?? .null), ("actual", actual.map(JSONValue.string) ?? .null),
        ]
      }
      return .object(members)
    }
    let totals: [(key: String, value: JSONValue)] = [
      ("vectors", .array(vectors)), ("passed", .integer(Int64(rows.count - failed))),
      ("failed", .integer(Int64(failed))),
    ]
    return JSONValue.object(totals).text
  }
}
