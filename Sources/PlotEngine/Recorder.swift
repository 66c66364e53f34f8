internal import PlotCore
internal import PlotDocuments
internal import PlotFiles
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Writes what an engine's machine is given and what it gives back (docs/recording.md).
struct Recorder: Sendable {
  private let file: RecordingFile?
  /// Whether the host's callback gets the lines, each in its turn.
  private var hasCallback: Bool
  let hasEffects: Bool
  private let files: FileLog
  private var host: RecordingHost
  private var zones: Set<String> = []
  private var wakeup: Milliseconds?
  /// Lines for the callback.
  private(set) var lines: [String] = []

  init(file: RecordingFile?, hasCallback: Bool, hasEffects: Bool, _ settings: inout Machine.Settings) {
    self.file = file
    self.hasCallback = hasCallback
    self.hasEffects = hasEffects
    files = FileLog()
    host = RecordingHost(settings)
    let files = files
    settings.inspect = FileInspection { files.inspect($0) }
  }

  mutating func endLines() {
    hasCallback = false
    lines = []
  }

  /// The lines since the last call.
  mutating func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  mutating func begin(
    at time: Milliseconds, _ configuration: Configuration, image: [UInt8]?, zoneNames: [String]
  ) throws(FileError) {
    var start = RecordingStart(
      time: time, library: Version.text, hasEffects: hasEffects, configuration: configuration, host: host, image: image)
    start.zones = newZones(zoneNames)
    try write(start.json)
  }

  /// The registrations of the app may have changed.
  mutating func note(_ settings: Machine.Settings) throws(FileError) {
    let host = RecordingHost(settings)
    guard host != self.host else { return }
    self.host = host
    try write(host.json)
  }

  /// A line about a campaign service.
  mutating func write(sync line: String) throws(FileError) { try write(line) }

  mutating func write(_ input: Input, _ output: Machine.Output, _ wakeup: Milliseconds?) throws(FileError) {
    try write(input, wakeup) { (recorder) throws(FileError) in
      for effect in output.effects { try recorder.write(effect.recordedJSON) }
    }
  }

  /// An input that was refused.
  mutating func write(
    _ input: Input, refused error: InputError, _ decision: Decision?, _ wakeup: Milliseconds?
  ) throws(FileError) {
    // A value that is no number cannot be written; and it says more about the app than about the walk.
    if case .invalid = error { return }
    try write(input, wakeup) { (recorder) throws(FileError) in
      let refusal = EngineError(error, at: input.time ?? 0)
      try recorder.write(RecordingLine.refused(refusal.status.name, refusal.message))
      if let decision { try recorder.write(Machine.Effect.decision(decision).recordedJSON) }
    }
  }

  private mutating func write(
    _ input: Input, _ wakeup: Milliseconds?, _ effects: (inout Recorder) throws(FileError) -> Void
  ) throws(FileError) {
    var line = RecordedInput(input)
    switch input {
    case .feed(let feed, _): line.zones = newZones(feed.zoneNames)
    case .timeZone(let zone, _): line.zones = newZones([zone.name])
    default: break
    }
    line.files = files.taken()
    try write(line.json())
    guard hasEffects else { return }
    try effects(&self)
    if wakeup != self.wakeup {
      self.wakeup = wakeup
      try write(RecordingLine.wakeup(wakeup))
    }
  }

  private mutating func newZones(_ names: [String]) -> [RecordedZone] {
    names.filter { zones.insert($0).inserted }.compactMap(ZoneFiles.recorded)
  }

  private mutating func write(_ line: String) throws(FileError) {
    if hasCallback { lines.append(line) }
    try file?.write(line)
  }

  /// The facts about files that the machine got for the input in progress.
  private final class FileLog: Sendable {
    private let asked = Mutex<[RecordedFile]>([])

    func inspect(_ path: String) -> FileFacts? {
      let facts = FileFacts.of(path)
      asked.withLock { asked in
        if !asked.contains(where: { $0.path == path }) { asked.append(RecordedFile(path: path, facts: facts)) }
      }
      return facts
    }

    func taken() -> [RecordedFile] {
      asked.withLock { asked in
        defer { asked = [] }
        return asked
      }
    }
  }
}

/// A new file that its owner alone may read, written a whole line at a time.
@safe final class RecordingFile: @unchecked Sendable {
  private let path: String
  private let file: UnsafeMutablePointer<FILE>
  /// A forked child has the same file: its lines would be among the parent's.
  private let process = getpid()

  /// Throws when there is a file already: a recording is never written over.
  init(path: String) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY
    let descriptor = PlainFile.aboveStandard(unsafe open(path, flags, 0o600))
    guard descriptor >= 0, let file = unsafe fdopen(descriptor, "w") else { throw .last(path) }
    self.path = path
    unsafe self.file = unsafe file
  }

  deinit { unsafe fclose(file) }

  func write(_ line: String) throws(FileError) {
    guard process == getpid() else {
      throw FileError(path: path, reason: "the file is open in the process that this one was forked from")
    }
    let isGood = unsafe fputs(line, file) >= 0 && fputc(0x0A, file) >= 0 && fflush(file) == 0
    guard isGood else { throw .last(path) }
  }
}
