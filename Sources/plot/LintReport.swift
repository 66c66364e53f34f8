import FoundationEssentials
internal import PlotDocuments
internal import PlotEngine
internal import PlotStory

/// The report that `plot lint` writes.
struct LintReport {
  struct Entry {
    var path: String
    var finding: Finding
    var text: [UInt8]

    func isSame(as other: Entry) -> Bool { path == other.path && finding == other.finding }

    /// The column in Unicode scalars; the finding's own counts bytes.
    var scalarColumn: Int {
      let text = text.starts(with: [0xEF, 0xBB, 0xBF]) ? text.dropFirst(3) : text[...]
      let lines = text.split(separator: 0x0A, maxSplits: finding.line, omittingEmptySubsequences: false)
      guard finding.line > 0, lines.count >= finding.line else { return finding.column }
      let before = lines[finding.line - 1].prefix(finding.column - 1)
      return String(decoding: before, as: UTF8.self).unicodeScalars.count + 1
    }
  }

  var entries: [Entry]

  // MARK: Text

  /// As compilers write it, so that editors find the place: the finding, and below it how to mend it.
  func text(_ style: Style) -> some Collection<String> {
    entries.lazy.map { entry in
      let finding = entry.finding
      let place = "\(Terminal.clean(entry.path)):" + (finding.line > 0 ? "\(finding.line):\(finding.column):" : "")
      let severity =
        switch finding.severity {
        case .error: style.red("error")
        case .warning: style.yellow("warning")
        case .note: style.cyan("note")
        }
      return
        "\(style.bold(place)) \(severity): \(Terminal.clean(finding.sentence))"
        + " \(style.dim("[\(finding.code.rawValue)]"))\n"
        + "  " + Terminal.clean(finding.remedy)
    }
  }

  var summary: String {
    guard !entries.isEmpty else { return "nothing found" }
    return LintSeverity.allCases.compactMap { severity in
      let count = entries.count { $0.finding.severity == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }.joined(separator: ", ")
  }

  // MARK: JSON

  private struct Record: Encodable {
    var file: String
    var code: String
    var severity: String
    var document: String
    var pointer: String
    var line: Int
    var column: Int
    var sentence: String
    var remedy: String
  }

  /// As the library gives it, with the file of each.
  var json: String {
    Self.encoded(
      entries.map { entry in
        let finding = entry.finding
        return Record(
          file: entry.path, code: finding.code.rawValue, severity: finding.severity.rawValue,
          document: finding.document.rawValue, pointer: finding.pointer, line: finding.line, column: finding.column,
          sentence: finding.sentence, remedy: finding.remedy)
      })
  }

  private static func encoded(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  // MARK: SARIF

  private struct Log: Encodable {
    var schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
    var version = "2.1.0"
    var runs: [Run]

    enum CodingKeys: String, CodingKey {
      case schema = "$schema"
      case version, runs
    }
  }

  private struct Run: Encodable {
    var tool: Tool
    var columnKind = "unicodeCodePoints"
    var results: [Result]
  }

  private struct Tool: Encodable { var driver: Driver }

  private struct Driver: Encodable {
    var name = "plot lint"
    var version: String
    var rules: [Rule]
  }

  private struct Message: Encodable { var text: String }

  private struct Rule: Encodable {
    var id: String
    var shortDescription: Message
    var help: Message
    var defaultConfiguration: Level
  }

  private struct Level: Encodable { var level: String }

  private struct Result: Encodable {
    var ruleId: String
    var ruleIndex: Int
    var level: String
    var message: Message
    var locations: [Location]
  }

  private struct Location: Encodable {
    var physicalLocation: PhysicalLocation
    var logicalLocations: [LogicalLocation]
  }

  private struct PhysicalLocation: Encodable {
    var artifactLocation: Artifact
    var region: Region?
  }

  private struct Artifact: Encodable { var uri: String }

  private struct Region: Encodable {
    var startLine: Int
    var startColumn: Int
  }

  private struct LogicalLocation: Encodable {
    var fullyQualifiedName: String
    var kind = "member"
  }

  /// A log of the Static Analysis Results Interchange Format, version 2.1.0.
  func sarif() -> String {
    let rules = LintCode.allCases.map { code in
      Rule(
        id: code.rawValue, shortDescription: Message(text: code.meaning), help: Message(text: code.remedy),
        defaultConfiguration: Level(level: code.severity.rawValue))
    }
    let results = entries.map { entry in
      let finding = entry.finding
      let region = finding.line > 0 ? Region(startLine: finding.line, startColumn: entry.scalarColumn) : nil
      return Result(
        ruleId: finding.code.rawValue, ruleIndex: LintCode.allCases.firstIndex(of: finding.code) ?? 0,
        level: finding.severity.rawValue, message: Message(text: "\(finding.sentence) \(finding.remedy)"),
        locations: [
          Location(
            physicalLocation: PhysicalLocation(artifactLocation: Artifact(uri: Self.uri(entry.path)), region: region),
            logicalLocations: [LogicalLocation(fullyQualifiedName: finding.pointer)])
        ])
    }
    let driver = Driver(version: Version.text, rules: rules)
    return Self.encoded(Log(runs: [Run(tool: Tool(driver: driver), results: results)]))
  }

  /// A path as a URI, relative where the path is.
  static func uri(_ path: String) -> String {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
    let digits = Array("0123456789ABCDEF")
    let encoded = path.utf8.map { byte in
      unreserved.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + String(digits[Int(byte >> 4)]) + String(digits[Int(byte & 15)])
    }.joined()
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }
}
