public import PlotCore
public import PlotDocuments
internal import PlotFiles
internal import PlotStore
internal import Synchronization

/// Plays a recording line by line through a machine of its own (docs/recording.md). What it gives back is the recording that would be
/// written now: when nothing has changed, byte for byte the one that it was given.
public final class Replay: Sendable {
  private struct Playing: Sendable {
    var anonymization: Anonymization?
    /// Those of the first line.
    var names = NoisePolicy.Names.present
    var line = 0
    var machine: Machine?
    var hasEffects = true
    var wakeup: Milliseconds?
    var ballots: [String: Ballot] = [:]
  }

  private let playing: Lock<Playing>
  private let zones = Lock(ZoneFiles())
  private let files = FileFacts.Table()

  /// The result of a line of a recording.
  public struct Played: Sendable {
    public var line: RecordingLine
    public var effects: [Machine.Effect] = []
    public var refusal: EngineError?
    /// The lines that the engine would write.
    public var lines: [String]
  }

  /// With an anonymization, what is given back is that of the recording as it then is.
  public init(anonymizing anonymization: Anonymization? = nil) {
    playing = Lock(Playing(anonymization: anonymization))
  }

  /// Takes one line, without its line end; gives the lines that the engine would write for it: an input, and all it leads to. For the lines
  /// of effects that is nothing, because they came with their input. Throws `invalidDocument`, with the line's number in the recording.
  public func take(_ line: [UInt8]) throws(EngineError) -> [String] { try play(line).lines }

  /// The same, as values too. The effects are there also when the recording has none.
  public func play(_ line: [UInt8]) throws(EngineError) -> Played {
    try playing.withLock { (playing) throws(EngineError) in
      playing.line += 1
      guard !line.isEmpty else { throw Self.fault(playing, expected: "a line of a recording", found: "an empty line") }
      do {
        let line = try zones.withLock { zones in
          let line = try RecordingLine.parse(line, zones: zones, playing.names)
          return try playing.anonymization?.line(line, zones: zones) ?? line
        }
        return try take(line, &playing)
      } catch var error as DocumentError {
        error.line = playing.line
        throw EngineError(error)
      } catch let error as EngineError {
        throw error
      } catch {
        throw EngineError(error)
      }
    }
  }

  /// The machine as it now is; nil before the first line.
  public var machine: Machine? { playing.withLock { $0.machine } }

  private func take(_ line: RecordingLine, _ playing: inout Playing) throws -> Played {
    switch line {
    case .start(var start):
      guard playing.machine == nil else {
        throw Self.fault(playing, expected: "an input or an effect", found: "the start of another recording")
      }
      playing.names = start.names
      if var anonymization = playing.anonymization, let image = start.image {
        start.image = try Store.image(image, anonymizedBy: &anonymization)
        playing.anonymization = anonymization
      }
      playing.machine = try machine(start)
      playing.hasEffects = start.hasEffects
      return Played(line: .start(start), lines: [start.json])
    case .effect:
      guard playing.machine != nil else { throw Self.noStart(playing) }
      return Played(line: line, lines: [])
    case .sync(let json):
      guard playing.machine != nil else { throw Self.noStart(playing) }
      return Played(line: line, lines: [json])
    case .host(let host):
      guard playing.machine != nil else { throw Self.noStart(playing) }
      playing.machine?.settings.take(host)
      return Played(line: line, lines: [host.json])
    case .input(let recorded):
      guard let input = input(recorded, playing) else {
        // A vote that nobody has asked for: it changes nothing.
        return Played(line: line, lines: [recorded.json(playing.names)])
      }
      var played = Played(line: line, lines: [recorded.json(playing.names)])
      try run(input, recorded.files, &playing, &played)
      return played
    }
  }

  private func machine(_ start: RecordingStart) throws -> Machine {
    var settings = Machine.Settings(start.configuration)
    settings.take(start.host)
    let files = files
    settings.inspect = FileInspection { files[$0] }
    settings.recordsDecisions = true
    guard let image = start.image else { return Machine(state: State(), feed: .empty, settings: settings) }
    let contents = try zones.withLock { zones in try Store.contents(ofImage: image, zones: zones, start.names) }
    return Machine(state: contents.state, feed: contents.feed ?? .empty, settings: settings, page: contents.page)
  }

  private func input(_ recorded: RecordedInput, _ playing: Playing) -> Input? {
    switch recorded.value {
    case .machine(let input): input
    case .vote(let kind, let match, let vetoes):
      playing.ballots[match].flatMap { $0.kind == kind ? .vote($0, vetoes: vetoes) : nil }
    }
  }

  private func run(
    _ input: Input, _ facts: [RecordedFile], _ playing: inout Playing, _ played: inout Played
  ) throws(EngineError) {
    guard var machine = playing.machine.take() else { throw Self.noStart(playing) }
    files.replace(by: facts)
    do throws(InputError) {
      played.effects = try machine.take(input).effects
    } catch {
      played.refusal = EngineError(error, at: input.time ?? 0)
      if let decision = machine.decision(about: error) { played.effects = [.decision(decision)] }
    }
    for case .vote(let ballot) in played.effects { playing.ballots[ballot.item.matchIdentifier] = ballot }
    if playing.hasEffects {
      if let refusal = played.refusal {
        played.lines.append(RecordingLine.refused(refusal.status.name, refusal.message))
      }
      played.lines += played.effects.map(\.recordedJSON)
      if machine.nextWakeup != playing.wakeup {
        playing.wakeup = machine.nextWakeup
        played.lines.append(RecordingLine.wakeup(playing.wakeup))
      }
    }
    playing.machine = machine
  }

  private static func noStart(_ playing: Playing) -> EngineError {
    fault(playing, expected: "the first line of a recording: {\"recording\": 2, …}", found: "another line")
  }

  private static func fault(_ playing: Playing, expected: String, found: String) -> EngineError {
    EngineError(DocumentError(line: playing.line, column: 1, pointer: "", expected: expected, found: found))
  }
}

extension Machine.Settings {
  mutating func take(_ host: RecordingHost) {
    hasFilter = host.hasFilter
    hasGeotriggerHandler = host.hasGeotriggerHandler
    strategies = host.strategies
  }
}

extension FileFacts {
  /// Files as a recording knows them.
  final class Table: Sendable {
    private let facts = Mutex<[String: FileFacts]>([:])

    subscript(_ path: String) -> FileFacts? { facts.withLock { $0[path] } }

    func replace(by files: [RecordedFile]) {
      facts.withLock { facts in
        facts = [:]
        for file in files { facts[file.path] = file.facts }
      }
    }
  }
}
