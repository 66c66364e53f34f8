// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CPlotEngine
internal import PlotCore
internal import PlotEngine

final class RoamingHandle: Handle {
  let fences: RoamingFences

  init(_ rules: Roaming.Rules) throws(EngineError) { fences = try RoamingFences(rules) }
}

@_cdecl("plot_roaming_new") @implementation
public func plot_roaming_new(
  _ enter_metres: Double, _ exit_metres: Double, _ max_age_ms: Int64, _ flags: UInt32, _ out: Out,
  _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let known = UInt32(PLOT_ROAMING_DISTANCES)
    guard flags & ~known == 0 else {
      throw EngineError(argument: "flags", expected: "0 or PLOT_ROAMING_DISTANCES", found: "\(flags)")
    }
    let rules = Roaming.Rules(
      enter: enter_metres, exit: exit_metres, longestAge: max_age_ms == 0 ? nil : max_age_ms,
      tellsDistances: flags & known != 0)
    return try RoamingHandle(rules)
  }
}

@_cdecl("plot_roaming_update_locations") @implementation
public func plot_roaming_update_locations(
  _ roaming: OpaquePointer!, _ devices: UnsafePointer<UInt32>!, _ count: Int, _ times_ms: UnsafePointer<Int64>!,
  _ latitudes: UnsafePointer<Double>!, _ longitudes: UnsafePointer<Double>!, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let handle: RoamingHandle = unsafe try needed(roaming, "roaming")
    let columns = unsafe try Columns(count, times_ms, latitudes, longitudes, nil, nil, nil)
    guard unsafe count == 0 || devices != nil else {
      throw EngineError(argument: "devices", expected: "a pointer", found: "NULL")
    }
    return try PairsHandle(handle.fences.update(columns.count) { unsafe (devices[$0], columns.fix($0)) })
  }
}

@_cdecl("plot_roaming_remove") @implementation
public func plot_roaming_remove(
  _ roaming: OpaquePointer!, _ device: UInt32, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let handle: RoamingHandle = unsafe try needed(roaming, "roaming")
    guard let pairs = handle.fences.remove(device) else {
      throw EngineError(.notFound, "device: no fix has come of the device \(device)")
    }
    return PairsHandle(pairs)
  }
}

@_cdecl("plot_roaming_expire") @implementation
public func plot_roaming_expire(
  _ roaming: OpaquePointer!, _ before_ms: Int64, _ out: Out, _ error: ErrorOut
) -> Int32 {
  unsafe give(out, error) {
    let handle: RoamingHandle = unsafe try needed(roaming, "roaming")
    guard Timestamp.range.contains(before_ms) else {
      throw EngineError(argument: "before_ms", expected: "a time as of any input", found: "\(before_ms)")
    }
    return PairsHandle(handle.fences.expire(before: before_ms))
  }
}

@_cdecl("plot_roaming_list_pairs") @implementation
public func plot_roaming_list_pairs(_ roaming: OpaquePointer!, _ out: Out, _ error: ErrorOut) -> Int32 {
  unsafe give(out, error) {
    let handle: RoamingHandle = unsafe try needed(roaming, "roaming")
    return PairsHandle(handle.fences.pairs)
  }
}

@_cdecl("plot_roaming_free") @implementation
public func plot_roaming_free(_ roaming: OpaquePointer!) { unsafe Handle.free(roaming) }

@_cdecl("plot_pairs_get_count") @implementation
public func plot_pairs_get_count(_ pairs: OpaquePointer!) -> Int {
  (unsafe object(pairs) as PairsHandle?)?.count ?? 0
}

@_cdecl("plot_pairs_get_records") @implementation
public func plot_pairs_get_records(_ pairs: OpaquePointer!) -> UnsafePointer<plot_pair>! {
  unsafe (unsafe object(pairs) as PairsHandle?)?.records
}

@_cdecl("plot_pairs_free") @implementation
public func plot_pairs_free(_ pairs: OpaquePointer!) { unsafe Handle.free(pairs) }
