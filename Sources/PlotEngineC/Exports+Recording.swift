// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CPlotEngine
internal import PlotDocuments
internal import PlotEngine

@_cdecl("plot_engine_set_recording_callback") @implementation
public func plot_engine_set_recording_callback(
  _ engine: OpaquePointer!, _ fn: plot_recording_fn!, _ user_data: UnsafeMutableRawPointer!,
  _ destroy: plot_destroy_fn!, _ error: ErrorOut
) -> Int32 {
  let host = unsafe Registration(engine, user_data, destroy)
  return unsafe call(engine, error) { engine in
    guard let fn = unsafe fn else { return try engine.setRecordingCallback(nil) }
    try engine.setRecordingCallback { line in
      let text = CText(line)
      unsafe fn(host.userData, host.engine, text.pointer, text.length)
      withExtendedLifetime(text) {}
    }
  }
}

@_cdecl("plot_engine_record_to_file") @implementation
public func plot_engine_record_to_file(
  _ engine: OpaquePointer!, _ path: UnsafePointer<CChar>!, _ flags: Int32, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let path = unsafe try text(path, "path")
    let flags = try number(flags, "flags", in: 0...1, "0 or PLOT_RECORD_INPUTS")
    try engine.record(to: path, effects: flags & PLOT_RECORD_INPUTS == 0)
  }
}

@_cdecl("plot_engine_stop_recording") @implementation
public func plot_engine_stop_recording(_ engine: OpaquePointer!, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { engine in try engine.stopRecording() }
}

@_cdecl("plot_replay_new") @implementation
public func plot_replay_new(_ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { ReplayHandle() }
}

@_cdecl("plot_replay_take_line") @implementation
public func plot_replay_take_line(
  _ replay: OpaquePointer!, _ line: UnsafePointer<CChar>!, _ length: Int, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let handle: ReplayHandle = unsafe try needed(replay, "replay")
    let lines = try handle.replay.take(unsafe try bytes(line, length, "line", most: RecordingLine.sizeLimit))
    return StringHandle(lines.map { $0 + "\n" }.joined())
  }
}

@_cdecl("plot_replay_free") @implementation
public func plot_replay_free(_ replay: OpaquePointer!) { unsafe Handle.free(replay) }
