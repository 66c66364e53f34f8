internal import PlotCore
internal import PlotDocuments
internal import PlotFiles

/// Recordings (docs/recording.md). One begins with the engine: what happens before it is not known to whoever replays it.
extension Engine {
  /// Records into a new file, from `initialize` on. Throws `ioError`, and `alreadyInitialized` when it is too late.
  public func record(to path: String, effects: Bool) throws(EngineError) {
    try locked { (session) throws(EngineError) in
      try Self.checkFresh(session)
      do throws(FileError) {
        session.recording.file = try RecordingFile(path: path)
      } catch {
        throw EngineError(error)
      }
      session.recording.hasEffects = effects
    }
  }

  /// Records into a callback, from `initialize` on; nil ends that. Throws `alreadyInitialized` when it is too late to begin.
  public func setRecordingCallback(
    _ callback: (@Sendable (_ line: String) -> Void)?
  ) throws(EngineError) {
    try locked { (session) throws(EngineError) in
      if callback == nil {
        session.recording.recorder?.endLines()
      } else if session.callbacks.recording == nil {
        try Self.checkFresh(session)
      }
    }
    try setCallback(\.recording, callback)
    try locked { (session) throws(EngineError) in
      if callback == nil, session.recording.file == nil { session.endRecording() }
    }
  }

  /// Ends the recording, into a file and into a callback; without one, nothing happens.
  public func stopRecording() throws(EngineError) {
    try setRecordingCallback(nil)
    try locked { (session) throws(EngineError) in session.endRecording() }
  }
}
