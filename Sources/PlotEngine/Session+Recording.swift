internal import PlotCore
internal import PlotDocuments
internal import PlotFiles

/// The recording of an engine: what the app has asked for before the start, and what writes it from then on.
struct Recording: Sendable {
  var file: RecordingFile?
  var hasEffects = true
  var recorder: Recorder?

  var isOn: Bool { recorder != nil }
}

extension Session {
  mutating func record(_ input: Input, _ output: Machine.Output) {
    guard recording.isOn else { return }
    record { [wakeup = machine.nextWakeup] (recorder) throws(FileError) in
      try recorder.write(input, output, wakeup)
    }
  }

  /// Begins the recording that was asked for before the start.
  mutating func beginRecording(at time: Milliseconds, _ configuration: Configuration) throws {
    guard recording.file != nil || callbacks.recording != nil else { return }
    let hasCallback = callbacks.recording != nil
    var recorder = Recorder(
      file: recording.file, hasCallback: hasCallback, hasEffects: hasCallback || recording.hasEffects, &machine.settings
    )
    let image = machine.state.newest == 0 ? nil : try writer.store?.image(page: machine.page)
    let names = Set(machine.feed.zoneNames + [machine.state.host.zone.name]).sorted()
    try recorder.begin(at: time, configuration, image: image, zoneNames: names)
    let lines = recorder.takeLines()
    recording.recorder = recorder
    takeOver(&machine.settings)
    hostQueue.add(lines.map { .recording($0) })
  }

  /// Writes to the recording, while there is one. A file that cannot be written ends it; the engine goes on.
  mutating func record(_ body: (inout Recorder) throws(FileError) -> Void) {
    guard recording.isOn else { return }
    do throws(FileError) {
      try body(&recording.recorder!)
      if let lines = recording.recorder?.takeLines(), !lines.isEmpty { hostQueue.add(lines.map { .recording($0) }) }
    } catch {
      endRecording()
      report(.error, "the recording has ended: \(error.message)")
    }
  }

  mutating func endRecording() {
    recording = Recording()
    machine.settings.inspect = FileInspection { FileFacts.of($0) }
    takeOver(&machine.settings)
  }
}
