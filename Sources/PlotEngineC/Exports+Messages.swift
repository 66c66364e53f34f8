// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotDocuments
internal import PlotEngine

@_cdecl("plot_engine_process_message") @implementation
public func plot_engine_process_message(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ json: UnsafePointer<CChar>!, _ length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    unsafe try engine.processMessage(try bytes(json, length, "json", most: Message.sizeLimit), at: time_ms)
  }
}

@_cdecl("plot_engine_set_list") @implementation
public func plot_engine_set_list(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ name: UnsafePointer<CChar>!, _ json: UnsafePointer<CChar>!,
  _ length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let list = unsafe json == nil ? nil : try bytes(json, length, "json", most: ListUpdate.sizeLimit)
    unsafe try engine.setList(try text(name, "name"), list, at: time_ms)
  }
}

@_cdecl("plot_engine_edit_list") @implementation
public func plot_engine_edit_list(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ name: UnsafePointer<CChar>!, _ json: UnsafePointer<CChar>!,
  _ length: Int, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let edit = unsafe try bytes(json, length, "json", most: ListUpdate.sizeLimit)
    unsafe try engine.editList(try text(name, "name"), edit, at: time_ms)
  }
}

@_cdecl("plot_engine_list_contains") @implementation
public func plot_engine_list_contains(
  _ engine: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ entry: UnsafePointer<CChar>!,
  _ out: UnsafeMutablePointer<Int32>!, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, or: 0, error) {
    let engine = unsafe try needed(engine)
    return unsafe try engine.listContains(try text(name, "name"), try text(entry, "entry")) ? 1 : 0
  }
}

@_cdecl("plot_engine_get_lists") @implementation
public func plot_engine_get_lists(_ engine: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) { unsafe StringHandle(ListDocument.lists(try needed(engine).lists())) }
}
