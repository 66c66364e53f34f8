internal import ArgumentParser
import FoundationEssentials
internal import PlotDocuments
internal import PlotEngine
internal import PlotStory

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Play recordings again, and compare the effects.",
    discussion: """
      A recording (docs/recording.md) holds all inputs and effects of an engine. This command plays the inputs through a new \
      engine, and shows the first difference with the input that caused it. The status is 0 if all effects are the same, and 1 if \
      something differs. A file may be packed by gzip; - is standard input; of a folder, all .jsonl and .jsonl.gz files are played.
      """)

  @Argument(help: "Recordings, or folders of them.", completion: .file())
  var recordings: [String]

  @Option(
    help: "Write the recording as this version makes it to this file; packed if its name ends in .gz.",
    completion: .file())
  var output: String?

  @Flag(
    help: """
      Write it with its places moved, and without names of places and identifiers of a user, and check that every decision is \
      still the same. Needs --output.
      """)
  var anonymize = false

  @Option(
    parsing: .unconditional,
    help: "How many degrees to the east everything is moved, -180 to 180; without it, a random number."
  )
  var shift: Double?

  @OptionGroup var quiet: QuietOption

  func validate() throws {
    if output != nil, recordings.count > 1 { throw ValidationError("--output is for one recording.") }
    if anonymize, output == nil { throw ValidationError("--anonymize needs --output.") }
    if shift != nil, !anonymize { throw ValidationError("--shift needs --anonymize.") }
    if let shift, !(-180...180).contains(shift) { throw ValidationError("--shift must be from -180 to 180.") }
  }

  func run() throws {
    let paths = try RecordingFiles.list(recordings)
    var bar = ProgressBar(total: paths.count, unit: "recordings", quiet: quiet.isOn || paths.count == 1)
    var differing = 0
    for (index, path) in paths.enumerated() {
      let check = try play(path)
      bar.finish()
      if let difference = check.difference {
        differing += 1
        let text = DifferenceText.text(difference, style: .standardOutput())
        try Output.show("\(Terminal.clean(path)): \(text)\n")
      } else if !quiet.isOn {
        try Output.show(line: "\(path): \(Self.summary(check))")
      }
      bar.update(index + 1)
    }
    bar.finish()
    if paths.count > 1, !quiet.isOn || differing > 0 {
      try Output.line("\(paths.count) recordings, \(differing == 0 ? "all the same" : "\(differing) differ")")
    }
    if differing > 0 {
      try Output.flush()
      throw ExitStatus.finding.code
    }
  }

  private static func summary(_ check: RecordingCheck) -> String {
    let inputs = "\(check.inputs) inputs"
    return check.hasEffects
      ? "\(inputs), \(check.effects) effects: the same" : "\(inputs); it holds no effects to compare with"
  }

  private func play(_ path: String) throws -> RecordingCheck {
    try InputFault.of(path) {
      let reader = try LineReader(path: path, quiet: quiet.isOn || recordings.count > 1)
      let writer = try output.map { try LineWriter(path: $0) }
      var check = RecordingCheck()
      if anonymize {
        let degrees = shift ?? Double(Int.random(in: 20...340)) - 180
        check = RecordingCheck(comparing: .decisions, Replay(anonymizing: Anonymization(shift: degrees)))
      }
      while let line = try reader.next() { for given in try check.take(line) { try writer?.write(given) } }
      try check.finish(path)
      try writer?.close()
      return check
    }
  }
}

/// The recordings that a command line names.
enum RecordingFiles {
  static let endings = [".jsonl", ".jsonl.gz"]

  /// Files as they are; of a folder, those with the endings of a recording, by name.
  static func list(_ names: [String]) throws -> [String] {
    var files: [String] = []
    for name in names {
      var isFolder = false
      guard name != "-", FileManager.default.fileExists(atPath: name, isDirectory: &isFolder), isFolder
      else {
        files.append(name)
        continue
      }
      let found = try FileManager.default.contentsOfDirectory(atPath: name).filter { file in
        endings.contains { file.hasSuffix($0) }
      }
      guard !found.isEmpty else { throw InputFault("\(name): no .jsonl or .jsonl.gz file is in this folder") }
      files += found.sorted().map { name.hasSuffix("/") ? name + $0 : "\(name)/\($0)" }
    }
    return files
  }
}
