internal import ArgumentParser
import FoundationEssentials
internal import PlotCore
internal import PlotDocuments
internal import PlotStory
internal import PlotTracks

struct LintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", abstract: "Look for faults and slips in configurations and feeds.",
    discussion: """
      Finds values that cannot be read, campaigns that can never happen, and likely slips (docs/lint.md). The status is 0 \
      without an error, 1 with one, and 65 if a file cannot be read.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, sarif }

  @Option(help: "A configuration, plotconfig.json.", completion: .file())
  var config: String?

  @Option(help: "A campaign feed.", completion: .file())
  var feed: String?

  @Argument(help: "Configurations and feeds, recognized by their content.", completion: .file())
  var files: [String] = []

  @Option(help: "text, json (docs/schema/lint.schema.json) or sarif (2.1.0).")
  var format = Format.text

  @Flag(help: "Warnings fail, too.")
  var strict = false

  @Option(help: "Also find what is over at this time, as 2026-05-16T12:00:00Z, or now.")
  var at: String?

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    guard config != nil || feed != nil || !files.isEmpty else {
      throw ValidationError("A configuration or a feed is needed.")
    }
    if let at, at != "now", Timestamp.parse(at) == nil {
      throw ValidationError("--at must be now, or an ISO 8601 time as 2026-05-16T12:00:00Z.")
    }
  }

  func run() throws {
    let found = try entries()
    let report = LintReport(entries: found)
    switch format {
    case .text:
      var progress = ProgressBar(
        total: found.count, unit: "findings", quiet: quiet.isOn || Terminal.isOutputTerminal)
      for (index, text) in report.text(.standardOutput()).enumerated() {
        try Output.show(text + "\n")
        progress.update(index)
      }
      progress.finish()
      if !quiet.isOn { try Output.line(report.summary) }
    case .json: try Output.line(report.json)
    case .sarif: try Output.line(report.sarif())
    }
    try Output.flush()
    let failing: LintSeverity = strict ? .warning : .error
    if found.contains(where: { $0.finding.severity >= failing }) { throw ExitStatus.finding.code }
  }

  // MARK: Files

  private struct Input {
    var path: String
    var text: [UInt8]
  }

  private func entries() throws -> [LintReport.Entry] {
    func read(_ path: String) throws -> Input {
      try InputFault.of(path) { Input(path: path, text: try InputFile.read(path, limit: Feed.sizeLimit + 3)) }
    }
    var configurations = try config.map { [try read($0)] } ?? []
    var feeds = try feed.map { [try read($0)] } ?? []
    for path in files {
      let input = try read(path)
      switch Lint.document(of: input.text) {
      case .configuration?: configurations.append(input)
      case .feed?: feeds.append(input)
      case nil:
        throw InputFault("\(path): neither a configuration nor a feed; say which with --config or --feed")
      }
    }
    let time = at.flatMap { $0 == "now" ? Int64(saturating: Date().timeIntervalSince1970 * 1000) : Timestamp.parse($0) }
    var entries: [LintReport.Entry] = []
    func add(_ configuration: Input?, _ feed: Input?) {
      var progress = ProgressBar(total: Lint.partCount, unit: "checks", quiet: quiet.isOn)
      defer { progress.finish() }
      let findings = Lint.findings(
        configuration: configuration.map { .bytes($0.text) }, feed: feed.map { .bytes($0.text) }, at: time
      ) { progress.update($0) }
      for finding in findings {
        guard let input = finding.document == .feed ? feed : configuration else { continue }
        let entry = LintReport.Entry(path: input.path, finding: finding, text: input.text)
        // A configuration that goes with several feeds says its own once.
        if finding.document == .feed || !entries.contains(where: { $0.isSame(as: entry) }) { entries.append(entry) }
      }
    }
    // Feeds are read with the first configuration.
    if feeds.isEmpty || configurations.count > 1 {
      for configuration in feeds.isEmpty ? configurations[...] : configurations.dropFirst() { add(configuration, nil) }
    }
    for feed in feeds { add(configurations.first, feed) }
    return entries
  }
}
