// The names are the header's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import CPlotEngine
internal import PlotCore
internal import PlotEngine

// Beacons that were heard.

private func sighting(
  _ time: Int64, _ sender: Sighting.Sender, _ proximity: Int32, _ rssi: Double, _ power: Double
) throws(EngineError) -> Sighting {
  let proximity = try number(proximity, "proximity", in: 0...3, "a PLOT_PROXIMITY_ value, 0 to 3")
  return Sighting(
    time: time, sender: sender, proximity: proximity == 0 ? nil : BeaconRange.allCases[Int(proximity) - 1], rssi: rssi,
    power: power)
}

private func part(_ value: Int32, _ name: String) throws(EngineError) -> UInt16 {
  UInt16(try number(value, name, in: 0...65535, "an integer from 0 to 65535"))
}

@_cdecl("plot_engine_update_ibeacon") @implementation
public func plot_engine_update_ibeacon(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ proximity_uuid: UnsafePointer<CChar>!, _ major_id: Int32,
  _ minor_id: Int32, _ proximity: Int32, _ rssi: Double, _ power: Double, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let uuid = unsafe try text(proximity_uuid, "proximity_uuid")
    let sender = Sighting.Sender.iBeacon(
      proximityUUID: uuid, majorId: try part(major_id, "major_id"), minorId: try part(minor_id, "minor_id"))
    try engine.update(try sighting(time_ms, sender, proximity, rssi, power))
  }
}

@_cdecl("plot_engine_update_eddystone") @implementation
public func plot_engine_update_eddystone(
  _ engine: OpaquePointer!, _ time_ms: Int64, _ namespace_id: UnsafePointer<CChar>!,
  _ instance_id: UnsafePointer<CChar>!, _ proximity: Int32, _ rssi: Double, _ power: Double, _ error: ErrorOut
) -> Int32 {
  unsafe call(engine, error) { engine in
    let sender = Sighting.Sender.eddystone(
      namespaceId: unsafe try text(namespace_id, "namespace_id"),
      instanceId: unsafe try text(instance_id, "instance_id"))
    try engine.update(try sighting(time_ms, sender, proximity, rssi, Sighting.power(ofFrame: power)))
  }
}
