public import PlotCore
public import PlotFiles

/// One line of a recording (docs/recording.md).
public enum RecordingLine: Sendable {
  /// The version of the format that is written. One of 1 has names of noise policies, with the meaning that they had then.
  public static let version: Int64 = 2

  case start(RecordingStart)
  /// The registrations of the app, from now on.
  case host(RecordingHost)
  case input(RecordedInput)
  /// Something that the machine gave back; `json` is its line.
  case effect(json: String)
  /// A request to a campaign service, or an answer, which decides nothing; `json` is its line.
  case sync(json: String)
}

/// The first line.
public struct RecordingStart: Sendable {
  public var time: Milliseconds
  /// The version of the library that wrote it.
  public var library: String
  /// Whether effects are in the recording, or inputs alone.
  public var hasEffects: Bool
  public var configuration: Configuration
  /// The meaning of the names of noise policies, here and in the lines that follow.
  public var names: NoisePolicy.Names = .present
  public var host: RecordingHost
  /// The contents of the store, as an image of its file; nil when the engine was new.
  public var image: [UInt8]?
  public var zones: [RecordedZone] = []

  public init(
    time: Milliseconds, library: String, hasEffects: Bool, configuration: Configuration, host: RecordingHost,
    image: [UInt8]?
  ) {
    self.time = time
    self.library = library
    self.hasEffects = hasEffects
    self.configuration = configuration
    self.host = host
    self.image = image
  }
}

/// The machine's knowledge of the app.
public struct RecordingHost: Equatable, Sendable {
  public var hasFilter = false
  public var hasGeotriggerHandler = false
  /// The keys of the app's strategies, in the order in which they were registered.
  public var strategies: [Identifier] = []

  public init() {}

  public init(_ settings: Machine.Settings) {
    hasFilter = settings.hasFilter
    hasGeotriggerHandler = settings.hasGeotriggerHandler
    strategies = settings.strategies
  }
}

/// An input, with what the machine looked up outside of itself for it.
public struct RecordedInput: Sendable {
  public enum Value: Sendable {
    case machine(Input)
    /// The ballot is that of the newest vote about this notification.
    case vote(Ballot.Kind, matchIdentifier: String, vetoes: [Identifier])
  }

  public var value: Value
  /// Time zones that it names for the first time.
  public var zones: [RecordedZone] = []
  /// Files that were asked about; nil for one that could not be read.
  public var files: [RecordedFile] = []

  public init(_ value: Value) {
    self.value = value
  }

  public init(_ input: Input) {
    if case .vote(let ballot, let vetoes) = input {
      value = .vote(ballot.kind, matchIdentifier: ballot.item.matchIdentifier, vetoes: vetoes)
    } else {
      value = .machine(input)
    }
  }
}

public struct RecordedFile: Equatable, Sendable {
  public var path: String
  public var facts: FileFacts?

  public init(path: String, facts: FileFacts?) {
    self.path = path
    self.facts = facts
  }
}
