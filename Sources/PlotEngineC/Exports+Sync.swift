// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine
internal import PlotSync

/// Bytes of one message, or of one piece of a stream.
private let messageLimit = 1 << 20

@_cdecl("plot_engine_sync_begin") @implementation
public func plot_engine_sync_begin(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ facts: UnsafePointer<CChar>!, _ facts_length: Int,
  _ feed: OpaquePointer!, _ seed: UnsafePointer<CChar>!, _ seed_length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let known =
      unsafe facts == nil
      ? nil : try bytes(facts, facts_length, "facts", most: messageLimit, lengthName: "facts_length")
    let chance = unsafe try bytes(seed, seed_length, "seed", most: 4096, lengthName: "seed_length")
    try engine.beginSync(
      at: time_ms, facts: known, bundled: unsafe (object(feed) as FeedHandle?)?.feed, seed: chance)
  }
}

@_cdecl("plot_engine_sync_next") @implementation
public func plot_engine_sync_next(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    return StringHandle(try engine.nextSyncRequest(at: time_ms).json)
  }
}

@_cdecl("plot_engine_sync_response") @implementation
public func plot_engine_sync_response(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ request: Int64, _ status: Int32, _ headers: UnsafePointer<CChar>!,
  _ body: UnsafePointer<CChar>!, _ length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let content = unsafe body == nil ? [] : unsafe try bytes(body, length, "body", most: Feed.sizeLimit + 1)
    try engine.takeSyncResponse(
      to: request, status: Int(status), headers: unsafe try text(headers, "headers"), body: content, at: time_ms)
  }
}

@_cdecl("plot_engine_sync_failure") @implementation
public func plot_engine_sync_failure(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ request: Int64, _ reason: UnsafePointer<CChar>!, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    try engine.takeSyncFailure(of: request, because: unsafe try text(reason, "reason"), at: time_ms)
  }
}

@_cdecl("plot_engine_sync_receive") @implementation
public func plot_engine_sync_receive(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ request: Int64, _ bytes: UnsafePointer<CChar>!, _ length: Int,
  _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let content = unsafe try PlotEngineC.bytes(bytes, length, "bytes", most: messageLimit)
    try engine.takeSyncBytes(content, of: request, at: time_ms)
  }
}

@_cdecl("plot_engine_sync_message") @implementation
public func plot_engine_sync_message(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ json: UnsafePointer<CChar>!, _ length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    try engine.takeSyncMessage(unsafe try bytes(json, length, "json", most: messageLimit), at: time_ms)
  }
}

@_cdecl("plot_engine_sync_now") @implementation
public func plot_engine_sync_now(_ engine: OpaquePointer!, _ time_ms: Int64, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { engine in try engine.syncNow(at: time_ms) }
}

@_cdecl("plot_engine_sync_recording") @implementation
public func plot_engine_sync_recording(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ json: UnsafePointer<CChar>!, _ length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let lines = unsafe try bytes(json, length, "json", most: Sync.recordingLimit)
    try engine.sendSyncRecording(lines, at: time_ms)
  }
}

@_cdecl("plot_engine_sync_stop") @implementation
public func plot_engine_sync_stop(_ engine: OpaquePointer!, _ time_ms: Int64, _ error: ErrorOut) -> Int32 {
  unsafe call(engine, error) { engine in try engine.stopSync(at: time_ms) }
}

@_cdecl("plot_engine_get_sync_status") @implementation
public func plot_engine_get_sync_status(_ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) {
    let engine = unsafe try needed(engine)
    return StringHandle(try engine.syncStatus())
  }
}
