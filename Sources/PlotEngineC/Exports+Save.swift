// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

@_cdecl("plot_engine_save") @implementation
public func plot_engine_save(
  _ engine: OpaquePointer!, _ flags: Int32, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    StringHandle(bytes: unsafe try needed(engine).save(events: try savesEvents(flags)))
  }
}

@_cdecl("plot_engine_restore") @implementation
public func plot_engine_restore(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ config: OpaquePointer!, _ feed: OpaquePointer!,
  _ store_path: UnsafePointer<CChar>!, _ bytes: UnsafePointer<CChar>!, _ length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let configuration = unsafe (try needed(config, "config") as ConfigHandle).configuration
    let path = unsafe store_path == nil ? nil : try text(store_path, "store_path")
    // No bytes are no state, wherever they are not.
    let state = length == 0 ? [] : unsafe try PlotEngineC.bytes(bytes, length, "bytes", most: Feed.sizeLimit)
    try engine.restore(
      state, at: time_ms == -1 ? nil : time_ms, configuration, feed: unsafe (object(feed) as FeedHandle?)?.feed,
      storePath: path)
  }
}

@_cdecl("plot_engines_save") @implementation
public func plot_engines_save(
  _ engines: UnsafePointer<OpaquePointer?>!, _ engine_count: Int, _ flags: Int32,
  _ ends: UnsafeMutablePointer<Int64>!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let events = try savesEvents(flags)
    var bytes: [UInt8] = []
    guard unsafe ends != nil || engine_count == 0 else {
      throw EngineError(argument: "ends", expected: "a pointer", found: "NULL")
    }
    try unsafe forEach(engines, engine_count) { index, engine in
      bytes += try engine.save(events: events)
      unsafe ends[index] = Int64(bytes.count)
    }
    return StringHandle(bytes: bytes)
  }
}

@_cdecl("plot_engines_restore") @implementation
public func plot_engines_restore(
  _ engines: UnsafePointer<OpaquePointer?>!, _ engine_count: Int, _ time_ms: Int64, _ config: OpaquePointer!,
  _ feed: OpaquePointer!, _ bytes: UnsafePointer<CChar>!, _ length: Int, _ ends: UnsafePointer<Int64>!,
  _ error: ErrorOut
) -> Int32 {
  unsafe attempt(error) {
    let configuration = unsafe (try needed(config, "config") as ConfigHandle).configuration
    let feed = unsafe (object(feed) as FeedHandle?)?.feed
    guard unsafe ends != nil || engine_count == 0 else {
      throw EngineError(argument: "ends", expected: "a pointer", found: "NULL")
    }
    let count = try Size(length).length("length", most: Int(Int32.max))
    guard unsafe bytes != nil || count == 0 else {
      throw EngineError(argument: "bytes", expected: "a pointer", found: "NULL")
    }
    let all = unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
    // All of them before any engine is touched.
    let number = try Size(engine_count).count("engine_count", in: 0...Int(UInt32.max - 1))
    guard unsafe engines != nil || number == 0 else {
      throw EngineError(argument: "engines", expected: "a pointer", found: "NULL")
    }
    var start = 0
    for index in 0..<number {
      guard let end = Int(exactly: unsafe ends[index]), (start...count).contains(end) else {
        throw EngineError(
          argument: "ends", expected: "a number from \(start) to \(count)",
          found: "\(unsafe ends[index]) for engine \(index)")
      }
      start = end
    }
    try unsafe forEach(engines, number) { index, engine in
      let state = Array(all[(index == 0 ? 0 : Int(unsafe ends[index - 1]))..<Int(unsafe ends[index])])
      try engine.restore(state, at: time_ms == -1 ? nil : time_ms, configuration, feed: feed, storePath: nil)
    }
  }
}

private func savesEvents(_ flags: Int32) throws(EngineError) -> Bool {
  try number(flags, "flags", in: 0...PLOT_SAVE_EVENTS, "PLOT_SAVE_ values, 0 or 1") & PLOT_SAVE_EVENTS != 0
}

/// Calls `body` with each engine; what it throws begins with the one it is about.
private func forEach(
  _ engines: UnsafePointer<OpaquePointer?>?, _ engineCount: Int, _ body: (Int, Engine) throws -> Void
) throws {
  let count = try Size(engineCount).count("engine_count", in: 0...Int(UInt32.max - 1))
  guard count > 0 else { return }
  guard let engines = unsafe engines else {
    throw EngineError(argument: "engines", expected: "a pointer", found: "NULL")
  }
  for index in 0..<count {
    do {
      try body(index, unsafe needed(engines[index]))
    } catch {
      let error = EngineError(error)
      // The time is that of all.
      throw error.argument == "time_ms" ? error : error.of("engines[\(index)]")
    }
  }
}
