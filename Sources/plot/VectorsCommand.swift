internal import ArgumentParser
import FoundationEssentials
internal import PlotDocuments
internal import PlotEngineKit
internal import PlotStory
internal import PlotTracks

struct VectorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vectors", abstract: "Play test vectors, and report which give the expected effects.",
    discussion: """
      A folder of vectors is Tests/vectors of the sources, or one in its form. Each scenario, NAME.json, of it or of a folder in it is played on an engine; what it asks \
      for and tells must be, byte for byte, what stands in NAME.effects.jsonl. Exit status 1 when one is not.
      """)

  @Argument(help: "The folder with the vectors.", completion: .directory)
  var folder: String

  @Flag(help: "The table as one JSON object.")
  var json = false

  @OptionGroup var quiet: QuietOption

  func run() throws {
    let (scenarios, effects) = try Self.names(in: folder)
    guard !scenarios.isEmpty else { throw InputFault("\(folder): there are no vectors") }
    let all = scenarios.union(effects).sorted()
    var progress = ProgressBar(total: all.count, unit: "vectors", quiet: quiet.isOn)
    var rows: [VectorTable.Row] = []
    for name in all {
      rows.append(
        scenarios.contains(name)
          ? try row(name)
          : .init(
            name: Self.last(name), area: "none", steps: 0, effects: 0, outcome: .missing("\(Self.last(name)).json")))
      progress.update(rows.count)
    }
    progress.finish()
    let table = VectorTable(rows)
    if json { try Output.line(table.json) } else { try Output.show(table.text(quiet: quiet.isOn, .standardOutput())) }
    if table.failed > 0 { throw ExitStatus.finding.code }
  }

  /// The scenarios, and the files of effects, of a folder and of those in it: without endings, behind the folder that they are in.
  static func names(in folder: String) throws -> (scenarios: Set<String>, effects: Set<String>) {
    let manager = FileManager.default
    var files: [String] = []
    for name in try manager.contentsOfDirectory(atPath: folder) {
      let inner = try? manager.contentsOfDirectory(atPath: "\(folder)/\(name)")
      files += inner.map { $0.map { "\(name)/\($0)" } } ?? [name]
    }
    func stems(_ ending: String) -> Set<String> {
      Set(files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) })
    }
    return (stems(".json"), stems(".effects.jsonl"))
  }

  private static func last(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Plays a scenario of `names`.
  func row(
    _ path: String, compilesFeeds: Bool = false, reopensAfter: Int? = nil, saves: Bool = false,
    on frontEnd: any VectorFrontEnd = EngineFrontEnd()
  ) throws -> VectorTable.Row {
    let name = Self.last(path)
    let base = URL(fileURLWithPath: folder).appendingPathComponent(path)
    let (path, effectsPath) = (base.appendingPathExtension("json").path, base.path + ".effects.jsonl")
    do {
      let scenario = try JSONValue(parsing: InputFile.read(path))
      guard try scenario.string("name") == name else { throw VectorFault("name: expected the name of the file") }
      let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: temporary) }
      let run = try VectorRun(
        scenario, storePath: temporary.appendingPathComponent("store").path, compilesFeeds: compilesFeeds,
        reopensAfter: reopensAfter, saves: saves, on: frontEnd)
      let effects = try run.play()
      let outcome: VectorTable.Outcome
      if FileManager.default.fileExists(atPath: effectsPath) {
        let expected = try InputFile.read(effectsPath)
        outcome = VectorTable.compare(Array(effects.map { $0 + "\n" }.joined().utf8), with: expected)
      } else {
        outcome = .missing("\(name).effects.jsonl")
      }
      return .init(
        name: name, area: try scenario.optionalString("area") ?? "none", steps: try scenario.elements("inputs").count,
        effects: effects.count, outcome: outcome)
    } catch let fault as VectorFault {
      throw InputFault("\(path): \(fault.message)")
    } catch let error as PlotError {
      throw InputFault("\(path): \(error.message)")
    } catch {
      throw InputFault(path, error)
    }
  }
}
